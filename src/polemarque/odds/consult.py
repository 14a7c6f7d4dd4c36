"""Consult: one rule asked alone, with typed dice or rolled ones, or for its exact odds.

The terminal and the web page both come here; what is asked are the very procedures and tables of
the systems, through the `Question` that each system declares for a rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from polemarque.kernel.dice import Faces, Roll, Scripted, Source
from polemarque.kernel.errors import KernelFault, NotAllowed, NotUnderstood
from polemarque.kernel.events import Modifier, Thrown
from polemarque.kernel.ledger import rule_order
from polemarque.kernel.system import Question, System, find_system, kept, system_names
from polemarque.odds.ask import run_procedure
from polemarque.odds.choices import Met
from polemarque.odds.inputs import echo, read_dice, read_inputs
from polemarque.odds.rolls import TooLarge

MOST_DICE = 100_000
"""More dice than this in one roll are not rolled."""


MOST_DIGITS = 4_000
"""Fractions with more digits than this are not written."""

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


class Chance(msgspec.Struct, frozen=True):
    """One outcome: a result without its tallies, its probability, and the means of its tallies."""

    result: dict[str, Any]
    p: str
    means: dict[str, str] | msgspec.UnsetType = msgspec.UNSET


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

    Systems are loaded one after another until one has it; those whose name begins as the rule id
    does come first, so that as a rule only one is.
    """
    initial = rule[:1].lower()
    for name in sorted(system_names(), key=lambda name: (name[0] != initial, name)):
        system = find_system(name)
        for question in system.questions:
            if question.rule == rule:
                return system, question
    raise NotUnderstood("consult.unknown_rule", part=rule)


class Asked:
    """A rule with its inputs and options read: ready to be run or reckoned.

    dice: typed faces, or None; their number may be an input of the rule (`Question.counted`).
    """

    def __init__(
        self, rule: Any, inputs: Any, options: Any = None, dice: Sequence[int] | None = None
    ) -> None:
        if not isinstance(rule, str):
            raise NotUnderstood("consult.no_rule", part=rule)
        self.rule = rule
        self.system, self.question = find_question(rule)
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

    def begin(self) -> Any:
        """What the rule begins with these inputs: a generator, or its result."""
        return self.question.ask(self.inputs, self.options)

    @property
    def echo(self) -> dict[str, Any]:
        """The inputs as plain data, defaults filled in."""
        return echo(self.inputs, self.choices)


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
        rule=rule, edition=asked.system.edition, choices=asked.choices,
    )  # fmt: skip
    if typed is not None:
        typed.finish()
    result = _as_dict(ran.value)
    result.update({name: n for name, n in ran.sums.items() if name in asked.question.tallies})
    plain = msgspec.to_builtins(result)
    answer = ConsultAnswer(
        rule=rule,
        inputs=asked.given,
        dice=tuple([die for thrown in ran.dice for die in _dice(thrown)]),
        modifiers=tuple([_modifier(part) for part in ran.modifiers]),
        result=plain,
        choices=ran.choices or msgspec.UNSET,
    )
    if not lang:
        return answer
    from polemarque.odds.sentence import sentence

    return msgspec.structs.replace(answer, text=sentence(asked.system, answer, asked.echo, lang))


def consult_odds(rule: Any, inputs: Any = None, options: Any = None) -> OddsAnswer:
    """The exact odds of one rule.  Raises as `consult`, and TooLarge."""
    from polemarque.odds.law import law_of, law_of_parts

    asked = Asked(rule, inputs, options)
    tallies = asked.question.tallies
    edition, parts = asked.system.edition, asked.question.parts
    if parts is not None:
        law = law_of_parts(parts(asked.inputs, asked.options), edition=edition)
    else:
        law = law_of(
            asked.begin, tallies=tallies, rule=rule, edition=edition, choices=asked.choices
        )
    return OddsAnswer(
        rule=rule,
        inputs=asked.given,
        outcomes=tuple([_chance(o.value, o.p, o.means, tallies) for o in law.outcomes]),
        choices=law.choices or msgspec.UNSET,
    )


def consult_sample(
    rule: Any, inputs: Any = None, options: Any = None, *, n: int, seed: int | str | None = None
) -> OddsAnswer:
    """The odds of one rule, estimated by asking it `n` times; raises as `consult`."""
    from polemarque.odds.montecarlo import sample_of

    asked = Asked(rule, inputs, options)
    tallies = asked.question.tallies
    law = sample_of(
        asked.begin, n, seed,
        tallies=tallies, rule=rule, edition=asked.system.edition, choices=asked.choices,
    )  # fmt: skip
    return OddsAnswer(
        rule=rule,
        inputs=asked.given,
        outcomes=tuple([_chance(o.value, o.p, o.means, tallies) for o in law.outcomes]),
        choices=law.choices or msgspec.UNSET,
        sampled=n,
    )


def _chance(
    value: Any, p: Fraction, means: Mapping[str, Fraction], tallies: Sequence[str]
) -> Chance:
    return Chance(
        msgspec.to_builtins(value),
        fraction(p),
        {name: fraction(means[name]) for name in tallies} if tallies else msgspec.UNSET,
    )


def fraction(n: Fraction) -> str:
    """A fraction in lowest terms, its denominator always written: "1/6", "3/1".

    Raises TooLarge on one that is too long to be written.
    """
    length = int(n.denominator.bit_length() * LOG_2)
    if length > MOST_DIGITS:
        raise TooLarge("odds.too_large", part=f"1/10^{length}")
    return f"{n.numerator}/{n.denominator}"


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
        from polemarque.kernel.opening import Unseeded

        return _Rolling(Unseeded())
    from polemarque.kernel.trust import Seeded

    return _Rolling(Seeded(seed))


def _as_dict(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, Mapping) else msgspec.structs.asdict(value)


def _dice(thrown: Thrown) -> Iterator[Die]:
    name = f"D{thrown.sides}"
    for face in faces_thrown(thrown):
        yield Die(name, face, thrown.why)


def faces_thrown(thrown: Thrown) -> tuple[int, ...]:
    """The faces of a roll, one a die; those of a long roll in rising order."""
    if not thrown.counted:
        return thrown.faces
    return tuple([face for face, times in enumerate(thrown.faces, 1) for _ in range(times)])


def _modifier(part: Modifier) -> dict[str, Any]:
    return {"amount": part.amount, "reason": part.reason, "rule": part.rule}
