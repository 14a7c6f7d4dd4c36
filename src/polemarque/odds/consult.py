"""Consult: one rule asked alone, with typed dice or rolled ones, or for its exact odds.

The terminal and the web page both come here; what is asked are the very procedures and tables of
the systems, through the `Question` that each system declares for a rule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import gcd
from types import GeneratorType
from typing import Any

import msgspec

from polemarque.kernel.agenda import Call, Procedure, Rules, rules_of
from polemarque.kernel.dice import Faces, Roll, Scripted, Source
from polemarque.kernel.errors import KernelFault, NotAllowed, NotUnderstood, Refusal
from polemarque.kernel.events import Thrown
from polemarque.kernel.files.plugins import kept
from polemarque.kernel.files.rule_ledger import rule_order
from polemarque.kernel.position import encode
from polemarque.kernel.system import Choice, Part, Question, System, find_system, system_names
from polemarque.odds.inputs import echo, read_dice, read_inputs
from polemarque.odds.outcomes import as_dict
from polemarque.odds.rolls import TooLarge
from polemarque.odds.run_once import Choices, Met, run_procedure
from polemarque.odds.wording import sentence

MOST_DICE = 100_000
"""More dice than this in one roll are not rolled."""


MOST_BITS = 13_291
"""Fractions whose denominators have more than these, 4,000 digits, are not written."""

LOG_2 = 0.30103
"""Digits of a binary one."""

FAULTS = (KernelFault, ArithmeticError, LookupError, TypeError, ValueError, RecursionError)
"""What a rule can end in on inputs that no game could show."""


class Die(msgspec.Struct, frozen=True):
    """One die: what it is, how it fell, and what for."""

    die: str
    face: int
    why: str = msgspec.field(name="for")


class ConsultAnswer(msgspec.Struct, frozen=True):
    """The answer of a rule; its keys are fixed, for other programs read them.

    choices: those met on the way and not given, if there were any.
    """

    rule: str
    inputs: dict[str, Any]
    dice: tuple[Die, ...]
    modifiers: tuple[dict[str, Any], ...]
    result: dict[str, Any]
    text: str = ""
    choices: tuple[Met, ...] | msgspec.UnsetType = msgspec.UNSET


class Chance(msgspec.Struct, frozen=True, gc=False):
    """One outcome: a result without its tallies, its probability, and the means of its tallies."""

    result: dict[str, Any]
    p: str
    means: dict[str, str] | msgspec.UnsetType = msgspec.UNSET


class PartOdds(msgspec.Struct, frozen=True):
    """All outcomes of one result, most probable first."""

    outcomes: tuple[Chance, ...]


class PartsAnswer(msgspec.Struct, frozen=True):
    """The odds of a rule, each result apart.

    choices:   those met on the way and not given, if there were any.
    dependent: True where they depend on each other, and all together would be too long a list.
    """

    rule: str
    inputs: dict[str, Any]
    parts: tuple[PartOdds, ...]
    choices: tuple[Met, ...] | msgspec.UnsetType = msgspec.UNSET
    dependent: bool | msgspec.UnsetType = msgspec.UNSET


class OddsAnswer(msgspec.Struct, frozen=True):
    """All outcomes of a rule, most probable first.

    choices: those met on the way and not given, if there were any.
    sampled: how many times the rule was played, where the odds are an estimate.
    """

    rule: str
    inputs: dict[str, Any]
    outcomes: tuple[Chance, ...]
    choices: tuple[Met, ...] | msgspec.UnsetType = msgspec.UNSET
    sampled: int | msgspec.UnsetType = msgspec.UNSET


# Which rules can be asked ------------------------------------------------------------------------


def questions() -> Iterator[tuple[System, Question]]:
    """Every rule that can be asked alone, system after system, each in the order of its book."""
    for name in system_names():
        system = find_system(name)
        for question in sorted(system.questions, key=lambda each: rule_order(each.rule)):
            yield system, question


@kept
def find_question(rule: str) -> tuple[System, Question]:
    """The question of a rule.  Raises NotUnderstood.

    rule: its id; with its system before it, ``ford:CHP-2``, where several systems have that id.
    Systems are loaded one after another until one has it; those whose name begins as the rule id
    does come first, so that as a rule only one is.
    """
    initial = rule[:1].lower()
    among, _, named = rule.rpartition(":")
    for name in sorted(system_names(), key=lambda name: (name[0] != initial, name)):
        if among not in ("", name):
            continue
        system = find_system(name)
        for question in system.questions:
            if question.rule == named:
                return system, question
    raise NotUnderstood("consult.unknown_rule", part=rule)


def asked_as(system: System, rule: str) -> str:
    """The name by which `find_question` finds a rule of a system that has a question of it."""
    return rule if find_question(rule)[0] is system else f"{system.name}:{rule}"


class Asked:
    """A rule with its inputs and options read: ready to be run, once or for its odds.

    dice: typed faces, or None; their number may be an input of the rule (`Question.counted`).
    """

    def __init__(
        self, rule: Any, inputs: Any, options: Any = None, dice: Sequence[int] | None = None
    ) -> None:
        if not isinstance(rule, str):
            raise NotUnderstood("consult.no_rule", part=rule)
        self.system, self.question = find_question(rule)
        self.rule = rule = self.question.rule
        raw = {} if inputs is None else inputs
        counted = self.question.counted
        if counted and dice is not None and isinstance(raw, Mapping) and counted not in raw:
            raw = {**raw, counted: len(dice)}
        self.inputs, self.choices = read_inputs(self.question, raw)
        self.given: dict[str, Any] = dict(inputs or {})
        """The inputs as they were given, which is how an answer repeats them."""
        if options is not None and not isinstance(options, Mapping):
            raise NotUnderstood("consult.object", rule=rule, part="options")
        self.options = self.system.options_from(options or {})
        self.begin = _begun_with(self.question.ask, self.inputs, self.options)
        """Begins the rule: a generator, a call of a procedure, or its result."""

    @property
    def rules(self) -> Rules:
        """The rules that it plays by: those of its system, in the newest edition."""
        return rules_of(self.system.package, self.system.edition)

    @property
    def echo(self) -> dict[str, Any]:
        """The inputs as plain data, defaults filled in."""
        return echo(self.inputs, self.choices)


def _begun_with(
    ask: Procedure[..., Any] | Callable[..., Any], inputs: Any, options: Mapping[str, Any]
) -> Callable[[], Any]:
    """What begins a procedure, or a function of a question, with these inputs."""
    given = {name: getattr(inputs, name) for name in inputs.__struct_fields__}
    if isinstance(ask, Procedure):
        return partial(Call, ask.rule, tuple(given.values()))
    if "options" in ask.__annotations__:
        given["options"] = options
    return partial(ask, **given)


# Asking ------------------------------------------------------------------------------------------


def consult(
    rule: Any,
    inputs: Any = None,
    dice: Any = None,
    options: Any = None,
    seed: int | str | None = None,
    lang: str = "",
) -> ConsultAnswer:
    """Ask one rule.

    dice: typed faces in the order in which the rule asks for them; None: they are rolled, from
    `seed` if there is one.   lang: language of the sentence; "": none is made.
    Raises NotUnderstood, NotAllowed or DiceRefused.
    """
    faces = None if dice is None else read_dice(dice)
    asked = Asked(rule, inputs, options, faces)
    typed = None if faces is None else Scripted(faces)
    ran = run_procedure(
        asked.begin, typed or _rolling(seed),
        rule=asked.rule, rules=asked.rules, choices=asked.choices,
    )  # fmt: skip
    if typed is not None:
        typed.finish()
    result = as_dict(ran.value)
    result.update({name: n for name, n in ran.sums.items() if name in asked.question.tallies})
    plain = msgspec.to_builtins(result)
    answer = ConsultAnswer(
        rule=asked.rule,
        inputs=asked.given,
        dice=tuple([die for thrown in ran.dice for die in _dice(thrown)]),
        modifiers=tuple([msgspec.structs.asdict(part) for part in ran.modifiers]),
        result=plain,
        choices=ran.choices or msgspec.UNSET,
    )
    if not lang:
        return answer
    return msgspec.structs.replace(answer, text=sentence(asked.system, answer, asked.echo, lang))


def consult_odds(rule: Any, inputs: Any = None, options: Any = None) -> OddsAnswer:
    """The exact odds of one rule: all its results together.  Raises as `consult`, and TooLarge."""
    asked = Asked(rule, inputs, options)
    if asked.question.parts is None:
        outcomes, met = _enumerated(asked)
    else:
        from polemarque.odds.parts import joint

        parts, met = _parts(asked)
        outcomes = joint(parts, asked.rules)
    return OddsAnswer(asked.rule, asked.given, outcomes, met or msgspec.UNSET)


def consult_parts(rule: Any, inputs: Any = None, options: Any = None) -> PartsAnswer:
    """The same, each result apart where they are independent or together too long a list."""
    from polemarque.odds.parts import apart, in_places, sums_of_dice

    asked = Asked(rule, inputs, options)
    parts, met = sums_of_dice(asked) if asked.question.parts is None else _parts(asked)
    if parts:
        placed = in_places(parts)
        dependent = asked.question.parts is None or len(placed) > len(parts)
        each = apart(placed, asked.rules)
    else:
        outcomes, met = _enumerated(asked)
        each, dependent = [outcomes], False
    answers = tuple([PartOdds(outcomes) for outcomes in each])
    return PartsAnswer(
        asked.rule, asked.given, answers, met or msgspec.UNSET, dependent or msgspec.UNSET
    )


def _enumerated(asked: Asked) -> tuple[tuple[Chance, ...], tuple[Met, ...]]:
    """The outcomes of a rule, by every way that it can go."""
    from polemarque.odds.enumeration import results

    tallies = asked.question.tallies
    ends, scale, met = results(
        asked.begin, tallies=tallies, rule=asked.rule, rules=asked.rules, choices=asked.choices
    )
    rows = [
        (msgspec.to_builtins(end), {name: fraction(*means[name]) for name in tallies}, n)
        for end, n, means in ends
    ]
    return listed(rows, scale), met


def _parts(asked: Asked) -> tuple[Sequence[Part], tuple[Met, ...]]:
    """The independent parts of a rule's result, and the choices met that were not given."""
    assert asked.question.parts is not None
    found = _begun_with(asked.question.parts, asked.inputs, asked.options)()
    choices, answer = Choices(asked.choices), None
    try:
        while type(found) is GeneratorType:
            answer = choices.answer(found.send(answer), asked.rule)
    except StopIteration as end:
        found = end.value
    return found, choices.by_default


def consult_sample(
    rule: Any, inputs: Any = None, options: Any = None, *, n: int, seed: int | str | None = None,
    on_compiled: Callable[[float], object] | None = None,
) -> OddsAnswer:  # fmt: skip
    """The odds of one rule, estimated by asking it `n` times; raises as `consult`.

    on_compiled: is told the seconds that a kernel took to compile, if one had to.
    """
    from polemarque.odds.sampling import MOST_PLAYS, as_played, sample_of, sample_played

    if not 0 < n <= MOST_PLAYS:
        raise NotUnderstood("odds.sample", part=n, legal=(MOST_PLAYS,))
    asked = Asked(rule, inputs, options)
    tallies, played = asked.question.tallies, as_played(asked)
    if played is not None:
        law = sample_played(played, n, seed, tallies=tallies, on_compiled=on_compiled)
    else:
        law = sample_of(
            asked.begin, n, seed,
            tallies=tallies, rule=asked.rule, rules=asked.rules, choices=asked.choices,
        )  # fmt: skip
    rows = [
        (
            msgspec.to_builtins(o.value),
            {name: fraction(*o.means[name].as_integer_ratio()) for name in tallies},
            int(o.p * n),
        )
        for o in law.outcomes
    ]
    return OddsAnswer(
        rule=asked.rule,
        inputs=asked.given,
        outcomes=listed(rows, n),
        choices=law.choices or msgspec.UNSET,
        sampled=n,
    )


def listed(
    results: Iterable[tuple[dict[str, Any], dict[str, str], int]],
    scale: int,
    in_order: bool = False,
) -> tuple[Chance, ...]:
    """Results, the means of their tallies as they are written, and their weights, as outcomes.

    The most probable come first, equal ones in the order of their JSON: `in_order` if they come so.
    """
    by_weight: dict[int, list[tuple[dict[str, Any], dict[str, str]]]] = defaultdict(list)
    for result, means, weight in results:
        by_weight[weight].append((result, means))
    found: list[Chance] = []
    for weight in sorted(by_weight, reverse=True):
        alike = by_weight[weight]
        if len(alike) > 1 and not in_order:
            alike.sort(key=lambda each: encode(each[0]))
        p = fraction(weight, scale)
        found += [Chance(result, p, means or msgspec.UNSET) for result, means in alike]
    return tuple(found)


def fraction(n: int, scale: int) -> str:
    """A fraction in lowest terms, its denominator always written: "1/6", "3/1".

    Raises TooLarge on one that is too long to be written.
    """
    common = gcd(n, scale)
    under = scale // common
    if (bits := under.bit_length()) > MOST_BITS:
        raise TooLarge("odds.too_large", part=f"1/10^{int(bits * LOG_2)}")
    return f"{n // common}/{under}"


class _Rolling:
    """Rolled dice, not more at once than can be shown."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def throw(self, roll: Roll, where: Any, decision: Any) -> Faces:
        """Faces for `roll`.  Raises NotAllowed."""
        if roll.count > MOST_DICE:
            raise NotAllowed("consult.most_dice", part=roll.count, legal=(f"0-{MOST_DICE}",))
        return self._source.throw(roll, where, decision)


def _rolling(seed: int | str | None) -> Source:
    if seed is None:
        from polemarque.kernel.new_game import Unseeded

        return _Rolling(Unseeded())
    from polemarque.kernel.records.keyed_dice import Seeded

    return _Rolling(Seeded(seed))


def _dice(thrown: Thrown) -> Iterator[Die]:
    name = f"D{thrown.sides}"
    for face in faces_thrown(thrown):
        yield Die(name, face, thrown.why)


def faces_thrown(thrown: Thrown) -> tuple[int, ...]:
    """The faces of a roll, one a die; those of a long roll in rising order."""
    if not thrown.counted:
        return thrown.faces
    return tuple([face for face, times in enumerate(thrown.faces, 1) for _ in range(times)])


# Options -----------------------------------------------------------------------------------------

TRIES = 12
"""How often the example of a rule is played to see which options it comes to read."""


class _Watched(Mapping[str, Any]):
    """Options that remember which of them were read."""

    def __init__(self, options: Mapping[str, Any], read: set[str]) -> None:
        self._options, self._read = options, read

    def __getitem__(self, name: str) -> Any:
        """The value of an option."""
        value = self._options[name]
        self._read.add(name)
        return value

    def __iter__(self) -> Iterator[str]:
        """The names of all."""
        return iter(self._options)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._options)


@kept
def options_read(rule: str) -> tuple[Choice, ...]:
    """The options that bear on a rule asked alone, in the system's order.

    They are those that its example reads, whatever the dice.
    Raises NotUnderstood on a rule that cannot be asked.
    """
    from polemarque.kernel.records.keyed_dice import Seeded

    system, question = find_question(rule)
    read: set[str] = set()
    watched = _Watched(system.options_from({}), read)
    try:
        inputs, choices = read_inputs(question, dict(question.example))
        for seed in range(TRIES):
            run_procedure(
                _begun_with(question.ask, inputs, watched), Seeded(seed),
                rule=rule, rules=rules_of(system.package, system.edition), choices=choices,
            )  # fmt: skip
    except (Refusal, *FAULTS):
        pass  # what was read until then is what is known
    return tuple(choice for choice in system.options if choice.name in read)
