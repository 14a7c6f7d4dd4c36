"""Order forms on paper: what is asked, and the frame to be filled in and sent back.

A frame stands between two lines with the form's code.  Each part has a line of its own, with its
number, its name if that is short, a colon and a blank; lines that begin with `ASIDE` explain it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from polemarque.kernel.game import Game
from polemarque.kernel.request import Amount, OneOf, Path, Request, SeveralOf, Sheet, Text
from polemarque.report.documents.document import Block, Document, Verbatim, paragraph
from polemarque.report.game_words import Words
from polemarque.report.order_forms.form import At, OrderForm, Part, only_answer, order_form
from polemarque.report.order_forms.told_answers import Speaker, told
from polemarque.report.order_forms.typed_answers import (
    Names,
    answer_typed,
    facts_of_amount,
    plainly,
    purse_told,
    with_fact,
)

RULE = "==="
"""How the first and the last line of a frame begin and end."""

NAMED = "Polémarque"
"""What the first line of a frame names, and the last does not."""

ASIDE = "·"
"""How a line begins that explains and asks for nothing."""

MORE = "|"
"""How a line begins that goes on with a free text."""

BLANK = "____"
"""What stands where an answer is to be written."""

WIDTH = 72
"""Characters of a line that explains: a mail leaves it whole."""

LONGEST_NAME = 56
"""A part with a longer name is answered by its number alone."""


def order_paper(game: Game, request: Request, seat: str, words: Words, until: str = "") -> Document:
    """The order form of an open question of a seat, for a post or a mail.

    words: turned to the question.   until: when the answer is due, in words, or "".
    Only what the seat may see stands in it.
    """
    form = order_form(game, request, seat)
    opening = not form.key.path and game.system.opening(game.state)
    who = words.label("seat", seat)
    head = words.head(who, form.key, 0 if opening else form.key.period)
    said = words.question(form.key).splitlines()
    said += [words.say("orders.until", until=until)] if until else []
    if isinstance(form.options, Sheet) and form.options.purse is not None:
        said.append(purse_told(form.options.purse(), 0, words))
    blocks: list[Block] = [
        paragraph(head, "strong"),
        *[paragraph(each) for each in said],
        paragraph(words.say("orders.how", who=who), "em"),
        Verbatim(tuple(frame(form, words))),
    ]
    return Document(words.say("orders.title", who=who), words.lang, tuple(blocks))


def frame(form: OrderForm, words: Speaker, given: Mapping[At, str] | None = None) -> list[str]:
    """The lines to be filled in; `given` is written where the blanks are."""
    given, names = given or {}, part_names(form, words)
    lines = [f"{RULE} {NAMED} {form.code} · {words.lang} · {form.key} {RULE}"]
    for number, part in enumerate(form.parts, 1):
        name = names[part.at]
        lone = _lone(part)
        if lone and part.at not in given:
            said = told(part.options, lone[0], words)
            lines += _aside([words.say("orders.only", number=number, part=name, said=said)])
            continue
        short = len(name) <= LONGEST_NAME and ";" not in name
        head = f"{number}. {name}" if short else str(number)
        lines += [] if short else _aside([f"{number}. {name}"])
        first, *more = given.get(part.at, BLANK).split("\n")
        lines.append(words.say("ask.told", part=head, said=first).rstrip())
        lines += [f"{MORE} {line}" for line in more]
        for hint in _hints(form, number, part, words, names):
            lines += _aside(hint)
    if len(form.parts) > 1:
        lines.append(words.say("ask.told", part=words.say("orders.rest"), said=BLANK))
        lines += _aside([words.say("orders.rest_told")])
    return [*lines, f"{RULE} {form.code} {RULE}"]


def part_names(form: OrderForm, words: Speaker) -> dict[At, str]:
    """What each part is called; its place in the sheet behind a name that several bear."""
    called = {part.at: part_name(part.at, words) for part in form.parts}
    borne = Counter(map(plainly, called.values()))
    return {
        at: f"{name} ({part_code(at)})" if borne[plainly(name)] > 1 else name
        for at, name in called.items()
    }


def part_name(at: At, words: Speaker) -> str:
    """What one part is called, within the sheets it is in."""
    return " / ".join([words.part(name) for name in at]) or words.say("orders.answer")


def part_code(at: At) -> str:
    """The same as the record has it."""
    return "/".join(at)


def listed(part: Part, words: Speaker) -> tuple[Any, ...]:
    """The words of a part by their numbers in the form; none where it gives none: they are
    numbers themselves, or as short as one."""
    names = _names(part, words)
    plain = all(plainly(str(word)) == plainly(name) for word, name in _named(names))
    return part.words if names.numbered and not plain else ()


def _named(names: Names) -> Iterator[tuple[Any, str]]:
    return zip(names.words, names.labels, strict=True)


def _names(part: Part, words: Speaker) -> Names:
    return Names(part.words, part.family, words)


def _lone(part: Part) -> tuple[Any, ...]:
    """The one answer that a part had on every way on which it was met, alone in a tuple."""
    lone = only_answer(part.options)
    same = part.least == part.most if isinstance(part.options, Amount) else len(part.words) < 2
    return lone if same else ()


# What explains a part ---------------------------------------------------------------------------


def _hints(
    form: OrderForm, number: int, part: Part, words: Speaker, names: Mapping[At, str]
) -> Iterator[list[str]]:
    """What may be written for a part, and when it is asked: each a list of pieces kept whole."""
    if part.after is not None:
        with_it = [n for n, each in enumerate(form.parts, 1) if each.after == part.after]
        if with_it[0] < number:
            yield [words.say("orders.along", number=with_it[0])]
        else:
            said = told(part.after.options, part.after.value, words)
            yield [words.say("orders.after", part=names[part.after.at], said=said)]
    if part.like:
        yield [words.say("orders.like", number=part.like)]
    elif part.words:
        yield _choices(part, words)
    rest = [*_bounds(part, words), *_proposed(part, words)]
    if rest:
        yield rest


def _choices(part: Part, words: Speaker) -> list[str]:
    numbers = bool(listed(part, words))
    named = enumerate([_with_fact(part, *each, words) for each in _named(_names(part, words))], 1)
    return [f"{n} = {name}" if numbers else name for n, name in named]


def _with_fact(part: Part, word: Any, name: str, words: Speaker) -> str:
    """What a word is called, with its fact as the part was first met; it was met later without."""
    options = part.options
    if isinstance(options, Path):
        return with_fact(options, options.ways[word], name, words) if word in options.ways else name
    met = isinstance(options, (OneOf, SeveralOf)) and word in options.words
    return with_fact(options, word, name, words) if met else name


def _bounds(part: Part, words: Speaker) -> Iterator[str]:
    """How much or how many may be written, and in which form."""
    options = part.options
    if isinstance(options, SeveralOf):
        most = len(part.words) if options.most is None else options.most
        yield words.say("orders.several", least=options.least, most=most)
    elif isinstance(options, Amount):
        unit = words.label("unit", options.unit) if options.unit else ""
        yield words.say(
            "ask.amount", least=part.least, most=part.most, step=options.step,
            stepped=options.step > 1, unit=unit,
        )  # fmt: skip
        yield from facts_of_amount(options, words)
    elif isinstance(options, Path):
        if options.stay:
            yield words.say("orders.stay")
        if options.legal is not None:
            yield words.say("orders.way")
    elif isinstance(options, Text):
        yield words.say("ask.text", most=options.most)


def _proposed(part: Part, words: Speaker) -> Iterator[str]:
    if not isinstance(part.options, Text):
        said = answer_typed(part.options, part.proposed, words)
        yield words.say("orders.proposed", said=said)


def _aside(pieces: Sequence[str]) -> list[str]:
    """Pieces in lines that explain, each whole if it fits into one."""
    lines: list[str] = []
    for word, between in _apart(pieces):
        longer = f"{lines[-1]}{between}{word}" if lines else ""
        if lines and len(longer) <= WIDTH:
            lines[-1] = longer
        else:
            lines.append(f"{ASIDE} {word}")
    return lines


def _apart(pieces: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pieces, those longer than a line word by word, and what stands before each."""
    for place, piece in enumerate(pieces):
        between = f" {ASIDE} " if place else ""
        if len(piece) + 2 <= WIDTH:
            yield piece, between
        else:
            for word in piece.split(" "):
                yield word, between
                between = " "
