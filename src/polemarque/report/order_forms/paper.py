"""Order forms on paper: what is asked, and the frame to be filled in and sent back.

A frame stands between two lines with the form's code.  Each part has a line of its own, with its
number, its name if that is short, a colon and a blank; lines that begin with `ASIDE` explain it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from polemarque.kernel.files.sentence_templates import in_line, plainly
from polemarque.kernel.game import Game
from polemarque.kernel.request import Amount, OneOf, Path, Request, SeveralOf, Sheet, Text
from polemarque.report.documents.document import Block, Document, Verbatim, paragraph
from polemarque.report.game_words import Words
from polemarque.report.order_forms.form import (
    After,
    At,
    OrderForm,
    Part,
    lone_answer,
    needed,
    order_form,
)
from polemarque.report.order_forms.told_answers import Speaker, told
from polemarque.report.order_forms.typed_answers import (
    Names,
    answer_typed,
    facts_of_amount,
    limit_told,
    purse_told,
    with_fact,
)
from polemarque.report.pictures import board_told, tells

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

AHEAD = "+"
"""What stands before the key of a question that is still to come."""

STAR = "*"
"""What stands before what is proposed."""


def order_paper(
    game: Game, request: Request, seat: str, words: Words, until: str = "", *, board: bool = False
) -> Document:
    """The order form of an open question of a seat, for a post or a mail.

    words: turned to the question.   until: when the answer is due, in words, or "".
    board: whether the board as the seat sees it stands above, in words.
    Only what the seat may see stands in it.
    """
    form = order_form(game, request, seat, words)
    opening = not form.key.path and game.system.opening(game.state)
    who = words.who(seat)
    head = words.head(who, form.key, 0 if opening else form.key.period)
    said = words.question(form.key).splitlines()
    said += [words.say("orders.until", until=until)] if until else []
    if isinstance(form.options, Sheet) and form.options.purse is not None:
        said.append(purse_told(form.options.purse(), 0, words))
    numbered = any([listed(part, words) for part in form.parts])
    several = any([isinstance(part.options, (SeveralOf, Path)) for part in form.parts])
    how = words.say("orders.how", who=who, numbered=numbered, several=several)
    blocks: list[Block] = [
        paragraph(head, "strong"),
        *[paragraph(each) for each in said],
        *(_board(game, request, seat, words) if board else ()),
        paragraph(how, "em"),
        Verbatim(tuple(frame(form, words))),
    ]
    return Document(words.say("orders.title", who=who), words.lang, tuple(blocks))


def _board(game: Game, request: Request, seat: str, words: Words) -> Iterator[Block]:
    """The board that a question is about, as its seat sees it, where its system tells it."""
    found = game.runner.found(request.keys[seat])
    if found is None or not tells(found[0].system.name):  # wishes are about no board
        return
    runner = found[0]
    period = 0 if runner.system.opening(runner.state) else None
    seen = runner.system.view(runner.state, seat)
    if told_board := board_told(runner.system.name, seen, words.lang, words.names, period):
        yield Verbatim(tuple(told_board.board.split("\n")))


def frame(form: OrderForm, words: Speaker, known: Collection[At] = ()) -> list[str]:
    """The lines to be filled in.

    known: parts beside the question whose choices an earlier frame tells.
    Parts without a choice are left out, and so are those that are asked once more after some
    answers: what they are called is told together.
    """
    names = part_names(form, words)
    key = f"{AHEAD if form.beside else ''}{form.key}"
    lines = [f"{RULE} {NAMED} {form.code} · {words.lang} · {key} {RULE}"]
    again: list[Part] = []
    for part in form.parts:
        if lone_answer(part):
            continue
        if part.again:
            again.append(part)
            continue
        lines += [*_again(again, form, words, names), *_entry(part, form, words, names)]
        again = []
    lines += _again(again, form, words, names)
    if len(form.parts) > 1:
        lines.append(words.say("ask.told", part=words.say("orders.rest_yes"), said=BLANK))
    for part in form.beside:
        name, same = part_name(part.at, words), part.at in known
        part_told = words.say("orders.same", part=name) if same else name
        lines.append(words.say("ask.told", part=part_told, said=BLANK))
        lines += [] if same else _aside(_choices(part, words))
    return [*lines, f"{RULE} {form.code} {RULE}"]


def _entry(part: Part, form: OrderForm, words: Speaker, names: Mapping[At, str]) -> list[str]:
    """The line of one part, with its condition and bounds, and its choices below."""
    number = part.number
    head = f"{number}. {names[part.at]}"
    hint = ", ".join(_hints(part, form, words))
    told_head = f"{head} ({hint})" if hint else head
    lines = [words.say("ask.told", part=told_head, said=BLANK)]
    if len(told_head) > WIDTH - len(BLANK) or set("();:=") & {*names[part.at]} or "(" in hint:
        lines = [*_aside([told_head]), words.say("ask.told", part=number, said=BLANK)]
    for pieces in (_choices(part, words), _facts(part, words)):
        lines += _aside(pieces)
    return lines


def _again(
    again: Sequence[Part], form: OrderForm, words: Speaker, names: Mapping[At, str]
) -> list[str]:
    """What is told of parts that are asked once more: how each is called, and its own choices."""
    if not again:
        return []
    tags = list(dict.fromkeys(part.again for part in again))
    told_tags = []
    for tag in tags:
        one, *others = [part for part in again if part.again == tag]
        name, number = names[one.at], one.number
        if others and not tag.isdecimal():
            number = f"{number} … {others[-1].number}"
        counted = tag.isdecimal() and name.endswith(tag)
        told_tags.append(number if counted else f"{number} {name}")
    if len(told_tags) > 2 and all(said.count(" ") == 0 for said in told_tags):
        told_tags = [told_tags[0], "…", told_tags[-1]]
    lines = _aside([words.say("orders.again", said=in_line(told_tags, words.lang))])
    for part in again:
        own = not part.like and part.words and listed(part, words)
        lead = next(one for one in form.parts if one.number == part.number.rpartition("/")[0])
        if own or (part.like and part.like not in {lead.like, lead.number}) or _own(part):
            head = words.say("ask.told", part=part.number, said="").rstrip()
            said = ", ".join(_like(part, form, words))
            first, *more = [*([said] if said else []), *_choices(part, words)]
            lines += _aside([f"{head} {first}", *more])
    return lines


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


# What explains a part ---------------------------------------------------------------------------


def _hints(part: Part, form: OrderForm, words: Speaker) -> Iterator[str]:
    """When a part is asked, whose choices it has, and how much may be written."""
    if part.after is not None:
        yield _condition(part.after, form, words)
    yield from _like(part, form, words)
    yield from _bounds(part, words)


def _condition(after: After, form: OrderForm, words: Speaker) -> str:
    """After which answers a part is asked, by numbers where the choices have them."""
    before = next(part for part in form.parts if part.at == after.at)
    number = before.number
    if isinstance(after.options, Amount):
        said = told(after.options, before.proposed, words)
        return words.say("orders.if_not", number=number, said=said)
    values: Sequence[Any] = after.values or (after.value,)
    if isinstance(after.options, (SeveralOf, Path)):
        values = after.value[:1] if isinstance(after.options, SeveralOf) else after.value[-1:]
    numbers = listed(before, words)
    if values and all(value in numbers for value in values):
        said = _ranges([numbers.index(value) + 1 for value in values])
    else:
        said = ", ".join([_value_told(after, value, words) for value in values]) or "-"
    return words.say("orders.if", number=number, said=said)


def _value_told(after: After, value: Any, words: Speaker) -> str:
    if isinstance(after.options, SeveralOf):
        return told(after.options, (value,), words)
    if isinstance(after.options, Path):
        return words.label("place", value)
    return told(after.options, value, words)


def _ranges(numbers: Sequence[int]) -> str:
    """Numbers in their order: 1, 4–8."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join([str(a) if a == b else f"{a}–{b}" for a, b in runs])


def _like(part: Part, form: OrderForm, words: Speaker) -> Iterator[str]:
    """Whose choices and numbers a part has, but which, and what it proposes if that differs; of
    its own numbers, with which answer alone they are right."""
    if not part.like:
        if listed(part, words) and (only := needed(form, part)):
            yield words.say("orders.only", said=_condition(only, form, words))
        return
    base = next(one for one in form.parts if one.number == part.like)
    lacking: Sequence[str] = ()
    if part.lacking and listed(part, words):
        lacking = (_ranges([part.words.index(word) + 1 for word in part.lacking]),)
    elif part.lacking:
        lacking = [words.label(part.family, word) for word in part.lacking]
    yield words.say("orders.like", number=part.like, lacking=", ".join(lacking))
    if part.proposed != base.proposed and not isinstance(part.options, Path):
        said = answer_typed(part.options, part.proposed, words, listed(part, words))
        yield words.say("orders.proposed", said=said)


def _choices(part: Part, words: Speaker) -> list[str]:
    """The choices that are not told elsewhere, an asterisk before what is proposed."""
    shown = _named(_names(part, words))
    numbers = bool(listed(part, words))
    proposed = _proposed_words(part)
    found = []
    for n, (word, name) in enumerate(shown, 1):
        if part.like and n <= len(part.words) - len(_own(part)):
            continue
        star = STAR if word in proposed else ""
        said = _with_fact(part, word, name, words)
        found.append(f"{star}{n} = {said}" if numbers else f"{star}{said}")
    if isinstance(part.options, Path) and part.options.stay:
        stay = words.say("orders.stay")
        found.append(stay if part.proposed else STAR + stay)
    return found


def _own(part: Part) -> Sequence[Any]:
    return () if not part.like else part.words[part.shared :]


def _proposed_words(part: Part) -> Sequence[Any]:
    """The words of a list that are proposed."""
    if isinstance(part.options, OneOf):
        return (part.proposed,)
    if isinstance(part.options, SeveralOf):
        return tuple(part.proposed)
    return part.proposed[-1:] if isinstance(part.options, Path) else ()


def _with_fact(part: Part, word: Any, name: str, words: Speaker) -> str:
    """What a word is called, with its fact as the part was first met; it was met later without."""
    options = part.options
    if isinstance(options, Path):
        return with_fact(options, options.ways[word], name, words) if word in options.ways else name
    met = isinstance(options, (OneOf, SeveralOf)) and word in options.words
    return with_fact(options, word, name, words) if met else name


def _bounds(part: Part, words: Speaker) -> Iterator[str]:
    """How much or how many may be written."""
    options = part.options
    if isinstance(options, SeveralOf):
        most = len(part.words) - len(part.lacking) if options.most is None else options.most
        none = not options.least and not part.proposed
        said = words.say("orders.several", least=options.least, most=most, none=none)
        yield " ".join([said, *[f"({why})" for why in limit_told(options, words)]])
    elif isinstance(options, Amount):
        unit = words.label("unit", options.unit) if options.unit else ""
        yield words.say(
            "orders.amount", least=part.least, most=part.most, step=options.step,
            stepped=options.step > 1, unit=unit, proposed=part.proposed,
        )  # fmt: skip
    elif isinstance(options, Text):
        yield words.say("orders.text", most=options.most)


def _facts(part: Part, words: Speaker) -> list[str]:
    """What is told of amounts, and how a way is written in full."""
    if isinstance(part.options, Amount):
        return facts_of_amount(part.options, words)
    full = isinstance(part.options, Path) and part.options.legal is not None
    return [words.say("orders.way")] if full else []


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
