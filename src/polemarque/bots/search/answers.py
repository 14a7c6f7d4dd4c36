"""Answers to search among: a guide's own, and others that vary it.

All that is known of them here is the shape of the options: nothing belongs to a system.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from polemarque.api import Amount, Filling, OneOf, Options, Path, Refusal, SeveralOf, Sheet, Text
from polemarque.api.bots import Chooser, fill

Guide = Callable[[Options], Any]
"""Answers a question, or a narrower one."""


# Whether there is a choice -----------------------------------------------------------------------


def free(options: Options) -> bool:
    """Whether there is anything to choose; a sheet has, as soon as one of its parts does."""
    if isinstance(options, OneOf):
        return len(options.words) > 1
    if isinstance(options, SeveralOf):
        return bool(options.words)
    if isinstance(options, Amount):
        return options.least + options.step <= options.most
    if isinstance(options, Path):
        return len(options.ways) + options.stay > 1
    if isinstance(options, Sheet):
        return any(free(part) for _, part in options.quietly())
    return not isinstance(options, Text)


def legal(options: Options, answer: Any) -> bool:
    """Whether something can be answered as things stand."""
    try:
        options.take(answer)
    except Refusal:
        return False
    return True


# Variations --------------------------------------------------------------------------------------


def varied(options: Options, answer: Any, chooser: Chooser, kept: Collection[str] = ()) -> Any:
    """Another answer: of a sheet, one part chosen again, and what that rules out or adds.

    kept: names of parts, before their first dot, that stay as they are.
    """
    if not isinstance(options, Sheet):
        return options.sample(chooser)
    fresh = _one_part(options, answer, chooser, kept)

    def part_of(part: str, each: Options) -> Any:
        if part in answer and part != fresh and legal(each, answer[part]):
            return answer[part]
        return each.sample(chooser)

    return fill(options, part_of)


def bent(
    sheet: Sheet, guide: Guide, answer: Mapping[str, Any], decided: Mapping[str, Any],
    chooser: Chooser, kept: Collection[str] = (),
) -> tuple[Any, dict[str, Any]]:  # fmt: skip
    """What the guide answers with some parts decided for it, one more than before.

    answer:  whose parts are there to be decided.
    decided: what has been decided in making it.
    Gives the new answer and what was decided.  Raises Refusal if the guide cannot make it out.
    """
    fresh = _one_part(sheet, answer, chooser, kept)

    def narrow() -> Filling:
        filling = sheet.fill()
        try:
            part, options = next(filling)
            while True:
                if part == fresh:
                    options = _decided(options, options.sample(chooser))
                elif part in decided and legal(options, decided[part]):
                    options = _decided(options, decided[part])
                part, options = filling.send((yield part, options))
        except StopIteration:
            return

    made = guide(Sheet(narrow))
    return made, {part: made[part] for part in (*decided, fresh) if part in made}


def _one_part(
    sheet: Sheet, answer: Mapping[str, Any], chooser: Chooser, kept: Collection[str]
) -> str:
    """A part that leaves a choice where the answer goes, "" if none does."""
    found = []

    def part_of(part: str, options: Options) -> Any:
        if part.partition(".")[0] not in kept and free(options):
            found.append(part)
        return answer[part]

    fill(sheet, part_of)
    return chooser.choice(found) if found else ""


class _OneWord(OneOf, frozen=True):
    def take(self, value: Any) -> Any:
        return self.words[0]


class _TheseWords(SeveralOf, frozen=True):
    def take(self, value: Any) -> tuple[Any, ...]:
        return self.words


class _OneAmount(Amount, frozen=True):
    def take(self, value: Any) -> int:
        return self.least


class _OneWay(Path, frozen=True):
    def take(self, value: Any) -> tuple[str, ...]:
        return next(iter(self.ways.values()), ())


def _decided(options: Options, value: Any) -> Options:
    """Options of the same kind that leave one answer, and give it whatever is said."""
    if isinstance(options, OneOf):
        return _OneWord((value,), options.label)
    if isinstance(options, SeveralOf):
        return _TheseWords(value, len(value), len(value), options.label)
    if isinstance(options, Amount):
        return _OneAmount(value, value, options.step, options.unit)
    if isinstance(options, Path):
        return _OneWay({value[-1]: value} if value else {}, stay=not value)
    return options
