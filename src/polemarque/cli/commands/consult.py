"""`polemarque consult`: one rule asked alone, with typed dice or rolled ones."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from polemarque.cli.common import (
    TRACE,
    Command,
    json_option,
    lang,
    print_json,
    reason_of,
    refuse,
    say,
)
from polemarque.kernel.errors import NotUnderstood, Refusal
from polemarque.kernel.files.sentence_templates import in_line
from polemarque.kernel.system import System
from polemarque.odds.consult import (
    FAULTS,
    Chance,
    ConsultAnswer,
    OddsAnswer,
    PartsAnswer,
    consult,
    consult_odds,
    consult_parts,
    consult_sample,
    find_question,
    questions,
)
from polemarque.odds.inputs import check_numbers, example, faces_typed, read_value, shapes
from polemarque.odds.wording import catalogue_of, refusal_text, word

if TYPE_CHECKING:
    from polemarque.odds.run_once import Met

REQUEST = ("rule", "inputs", "dice", "options", "seed", "odds")
"""What a line of a batch may hold."""


@click.command("consult", cls=Command, help="cli.consult.help")
@click.argument("rule", required=False)
@click.argument("inputs", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--dice", metavar="FACES", help="cli.consult.dice")
@click.option("--seed", metavar="N", help="cli.consult.seed")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="cli.consult.option")
@click.option("--odds", is_flag=True, help="cli.consult.odds")
@click.option("--parts", is_flag=True, help="cli.consult.parts")
@click.option("--sample", type=int, metavar="N", help="cli.consult.sample")
@click.option("--batch", metavar="FILE", help="cli.consult.batch")
@json_option
def command(
    rule: str | None,
    inputs: tuple[str, ...],
    dice: str | None,
    seed: str | None,
    options: tuple[str, ...],
    odds: bool,
    parts: bool,
    sample: int | None,
    batch: str | None,
    as_json: bool,
) -> int | None:
    """Ask a rule, list all of them, or answer a batch."""
    if batch is not None:
        _refuse_any(
            "consult.batch_alone", rule=rule, dice=dice, options=options, odds=odds, parts=parts
        )
        _batch(batch, seed)
        return None
    if rule is None:
        _refuse_any(
            "consult.needs_rule", dice=dice, seed=seed, options=options, odds=odds, parts=parts
        )
        _list(as_json)
        return None
    try:
        given, variants = _pairs(inputs), _pairs(options)
        if odds or parts or sample is not None:
            _refuse_any("consult.odds_dice", dice=dice)
            if parts:
                _refuse_any("consult.parts_sample", sample=sample)
            # All results together are a list for programs; people read each of them.
            together = sample is not None or (as_json and not parts)
            _show_odds(
                _odds(rule, given, variants, odds, sample, seed)
                if together else consult_parts(rule, given, variants),
                as_json,
            )  # fmt: skip
        else:
            typed = None if dice is None else faces_typed(dice)
            # In JSON as in words the sentence is part of the answer.
            _show(consult(rule, given, typed, variants, seed, lang()), as_json)
    except Refusal as refusal:
        return refuse(refusal, as_json=as_json, said=_told(refusal, rule), rule=rule)
    except FAULTS as fault:
        if TRACE in os.environ:
            raise
        return refuse(_no_answer(rule, fault), as_json=as_json)
    return None


def _odds(
    rule: str, given: Any, variants: Any, odds: bool, sample: int | None, seed: str | None
) -> OddsAnswer:
    if sample is None:
        return consult_odds(rule, given, variants)
    if not odds:
        from polemarque.odds.sampling import MOST_PLAYS

        raise NotUnderstood("odds.sample", part=sample, legal=(MOST_PLAYS,))
    return consult_sample(
        rule, given, variants, n=sample, seed=seed,
        on_compiled=lambda took: click.echo(
            say("cli.consult.compiled", seconds=ceil(took)), err=True
        ),
    )  # fmt: skip


def _refuse_any(code: str, **given: Any) -> None:
    """Refuse what does not go together on one command line."""
    for name, value in given.items():
        if value is not None and value is not False and value != ():
            option = name if name in {"odds", "parts"} else name.removesuffix("s")
            raise NotUnderstood(code, part=str(value) if name == "rule" else f"--{option}")


def _no_answer(rule: str, fault: Exception) -> Refusal:
    return NotUnderstood("consult.fault", rule=rule, part=repr(fault))


def _told(refusal: Refusal, rule: Any) -> str:
    return refusal_text(catalogue_of(_system_of(rule)), lang(), refusal)


def _system_of(rule: Any) -> System | None:
    try:
        return find_question(rule)[0]
    except (Refusal, TypeError):
        return None


# What was typed ----------------------------------------------------------------------------------


def _pairs(typed: Sequence[str]) -> dict[str, Any]:
    """NAME=VALUE, several times."""
    read: dict[str, Any] = {}
    for pair in typed:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise NotUnderstood("consult.no_equals", part=pair)
        if name in read:
            raise NotUnderstood("consult.twice", part=name)
        read[name] = read_value(name, value)
    return read


# One answer --------------------------------------------------------------------------------------


def _show(answer: ConsultAnswer, as_json: bool) -> None:
    if as_json:
        print_json(answer)
        return
    texts, language = catalogue_of(_system_of(answer.rule)), lang()
    print(answer.text)
    if answer.dice:
        rolls = []
        for (why, die), rolled in groupby(answer.dice, lambda d: (d.why, d.die)):
            faces = [each.face for each in rolled]
            named = word(texts, language, "roll", why, n=len(faces), sides=int(die[1:]))
            shown = " ".join(map(str, faces))
            rolls.append(say("cli.consult.roll", why=named, count=len(faces), die=die, faces=shown))
        print(say("cli.consult.dice_line", rolls=in_line(rolls, language)))
    if answer.modifiers:
        parts = []
        for part in answer.modifiers:
            reason, _, whose = part["reason"].partition("@")
            told = {
                "reason": word(texts, language, "modifier", reason, n=1, amount=part["amount"]),
                "whose": whose and word(texts, language, "roll", whose, n=1, sides=1),
            }
            parts.append(say("cli.consult.modifier", **{**part, **told}))
        print(say("cli.consult.modifiers_line", parts=in_line(parts, language)))
    print(say("cli.consult.result_line", facts=facts(answer.result)))
    _show_choices(answer.choices)
    _show_inputs(answer)


def facts(named: dict[str, Any]) -> str:
    """Results as they stand in JSON: ``taxes=200``."""
    said = []
    for name, value in named.items():
        shown = value if isinstance(value, str) else msgspec.json.encode(value).decode()
        said.append(f"{name}={shown}")
    return " ".join(said)


def _show_inputs(answer: ConsultAnswer | OddsAnswer | PartsAnswer) -> None:
    """What may be given to a rule that was asked without any of it, and is content with that."""
    question = find_question(answer.rule)[1]
    if not answer.inputs and (wants := shapes(question.inputs)):
        print(say("cli.consult.inputs_line", wants=" ".join(wants), example=example(question)))


def _show_choices(met: tuple[Met, ...] | msgspec.UnsetType) -> None:
    if met is not msgspec.UNSET:
        choices = [facts({choice.subject or choice.rule: choice.answer}) for choice in met]
        print(say("cli.consult.choice_line", choices=", ".join(choices)))


# Odds --------------------------------------------------------------------------------------------


def _show_odds(answer: OddsAnswer | PartsAnswer, as_json: bool) -> None:
    if as_json:
        print_json(answer)
        return
    if isinstance(answer, PartsAnswer):
        if len(answer.parts) > 1:
            print(say(f"cli.consult.{'dependent' if answer.dependent is True else 'apart'}"))
        for place, part in enumerate(answer.parts):
            if place:
                print()
            _show_outcomes(part.outcomes, 0)
    else:
        throws = 0 if answer.sampled is msgspec.UNSET else answer.sampled
        if throws:
            print(say("cli.consult.estimate", n=throws))
        _show_outcomes(answer.outcomes, throws)
    _show_choices(answer.choices)
    _show_inputs(answer)


def _show_outcomes(outcomes: Sequence[Chance], throws: int) -> None:
    """A line an outcome.   throws: how many they were estimated from, 0 if they are exact."""
    from fractions import Fraction

    from polemarque.odds.wording import decimal, percent

    for chance in outcomes:
        share = f"{percent(Fraction(chance.p), lang()):>8}"
        if throws:
            share = f"{share} {_error(float(Fraction(chance.p)), throws)}"
        line = f"{share}  {facts(chance.result)}"
        if chance.means is not msgspec.UNSET:
            means = {name: decimal(Fraction(mean), lang()) for name, mean in chance.means.items()}
            line += say("cli.consult.means", facts=facts(means))
        print(line)


def _error(share: float, throws: int) -> str:
    """How far an estimated share may be from the true one, in points: 95 times in 100 no farther.

    It is the longer side of Wilson's interval, so that a share of 100 % has one too.
    """
    from polemarque.lab.intervals import wilson
    from polemarque.odds.wording import mean

    low, high = wilson(share, throws)
    return f"± {mean(100 * max(share - low, high - share), lang())}"


# All rules ---------------------------------------------------------------------------------------


def _list(as_json: bool) -> None:
    """Every rule that can be asked, with its title."""
    found = []
    for system, question in questions():
        dice = word(catalogue_of(system), lang(), "dice", question.dice)
        found.append(
            {
                "rule": question.rule,
                "title": _title(system, question.rule),
                "inputs": shapes(question.inputs),
                "dice": dice,
                "example": example(question),
            }
        )
    if as_json:
        print_json(found)
        return
    width = max((len(row["rule"]) for row in found), default=0)
    for row in found:
        print(f"{row['rule']:<{width}}  {row['title']}".rstrip())
    print(say("cli.consult.hint"))


def _title(system: System, rule: str) -> str:
    from polemarque.kernel.files.rule_ledger import ledger_path, read_ledger

    if system.name not in _LEDGERS:
        _LEDGERS[system.name] = read_ledger(ledger_path(system))[0]
    row = _LEDGERS[system.name].get(rule)
    return row.title.get(lang(), "") if row else ""


_LEDGERS: dict[str, Any] = {}


# Batch -------------------------------------------------------------------------------------------


def _batch(name: str, seed: str | None) -> None:
    """Answer one request a line, in order; a refused one does not stop the others."""
    encode = msgspec.json.Encoder().encode
    write = sys.stdout.buffer.write
    for number, line in enumerate(_unmarked(_lines(name)), 1):
        own_seed = None if seed is None else f"{seed}/{number}"
        write(encode(answer_line(line, own_seed)) + b"\n")
    sys.stdout.buffer.flush()


def _lines(name: str) -> Iterable[bytes]:
    if name == "-":
        yield from sys.stdin.buffer
        return
    try:
        with Path(name).open("rb") as file:
            yield from file
    except OSError as fault:
        raise NotUnderstood("cli.unreadable", part=Path(name), reason=reason_of(fault)) from None


def _unmarked(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines without the mark of UTF-8 that some editors begin a file with."""
    lines = iter(lines)
    first = next(lines, b"").removeprefix(codecs.BOM_UTF8)
    if first:
        yield first
    yield from lines


def answer_line(line: bytes, seed: str | None = None) -> Any:
    """The answer to one line of a batch, or its refusal as an object."""
    rule: Any = None
    try:
        request = _request(line)
        rule = request.get("rule") if isinstance(request.get("rule"), str) else None
        return _answered(rule, request, seed)
    except Refusal as refusal:
        return {"rule": rule, "error": _told(refusal, rule), "kind": refusal.kind}
    except FAULTS as fault:
        broken = _no_answer(rule, fault)
        return {"rule": rule, "error": _told(broken, rule), "kind": broken.kind}


def _request(line: bytes) -> dict[str, Any]:
    """What a line holds.  Raises NotUnderstood."""
    try:
        request = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise NotUnderstood("consult.not_json") from None
    except RecursionError:
        raise NotUnderstood("consult.deep") from None
    if not isinstance(request, dict):
        raise NotUnderstood("consult.object", part=request)
    return request


def _answered(rule: Any, request: dict[str, Any], seed: str | None) -> ConsultAnswer | OddsAnswer:
    """One answer, rolled or typed, or all odds.  Raises Refusal."""
    for name in request:
        if name not in REQUEST:
            raise NotUnderstood("consult.request", part=name, legal=REQUEST)
    if rule is not None:
        check_numbers(find_question(rule)[0], request.get("options"))
    inputs, dice, options = request.get("inputs"), request.get("dice"), request.get("options")
    own_seed, odds = request.get("seed"), request.get("odds", False)
    if own_seed is not None and type(own_seed) not in {int, str}:
        raise NotUnderstood("consult.seed", part=msgspec.json.encode(own_seed).decode())
    if type(odds) is not bool:
        given = msgspec.json.encode(odds).decode()
        raise NotUnderstood("consult.odds", part=given, legal=("true", "false"))
    if not odds:
        return consult(rule, inputs, dice, options, seed if own_seed is None else own_seed, lang())
    for name in ("dice", "seed"):
        if request.get(name) is not None:
            raise NotUnderstood("consult.odds_dice", part=name)
    return consult_odds(rule, inputs, options)
