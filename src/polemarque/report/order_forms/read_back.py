"""Filled order forms, found in posts and read again: the answer, or what is wrong with each line.

A frame is found by its first line; greetings, signatures and quotes around it are left alone.
Nothing is guessed.  A line is read as the part that its number or its name says, by the numbers and
names of the form; what fits nothing, or two things, is refused.  A part is left blank where there
is one answer only, where a text may be empty, or where the form says that the rest is as proposed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, islice
from typing import Any

import msgspec

from polemarque.kernel.errors import (
    NotAllowed,
    NotUnderstood,
    NotYourTurn,
    OutOfDate,
    Refusal,
    shortened,
)
from polemarque.kernel.files.sentence_templates import plainly
from polemarque.kernel.game import Game
from polemarque.kernel.request import Amount, OneOf, Options, Path, Request, SeveralOf, Text
from polemarque.kernel.standing_orders import WISH
from polemarque.report.game_words import Words
from polemarque.report.order_forms.form import (
    CAMPAIGN_SIGNS,
    QUESTION_SIGNS,
    At,
    OrderForm,
    Part,
    campaign_code,
    filled,
    only_answer,
    order_form,
    proposal,
)
from polemarque.report.order_forms.paper import (
    AHEAD,
    ASIDE,
    MORE,
    NAMED,
    RULE,
    listed,
    part_code,
    part_name,
    part_names,
)
from polemarque.report.order_forms.told_answers import Speaker, read_over, told
from polemarque.report.order_forms.typed_answers import Names, read_answer

LONGEST_POST, MOST_LINES = 100_000, 3000
"""Characters and lines of a post that are read: no forum takes as many."""

MOST_MARKS = 30
"""Accents of one letter that are read; no language has as many."""

# Forms in posts and mails ------------------------------------------------------------------------

TAGS = (
    "b", "i", "u", "s", "strike", "quote", "code", "pre", "spoiler", "hide", "color", "colour",
    "size", "font", "url", "mail", "email", "img", "list", "\\*", "table", "tr", "td", "th",
    "center", "left", "right", "justify", "indent", "sub", "sup", "hr", "mention", "noparse",
)  # fmt: skip
"""Tags of forums, which are taken away wherever they stand."""

_TAG = re.compile(rf"\[/?(?:{'|'.join(TAGS)})(?:[= ][^\]\n]{{0,200}})?/?\]", re.IGNORECASE)
_UNSEEN = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad]")
_QUOTED = re.compile(r"(?:\s*>)+ ?(?!\s*>)")
_CODE = re.compile(
    rf"\b([0-9A-Z]{{{CAMPAIGN_SIGNS}}})[-‐‑–—−]([0-9A-Z]{{{QUESTION_SIGNS}}})\b", re.IGNORECASE
)
_FENCE = re.compile(r"\s*(?:```|~~~)\w*\s*\Z")
_POST_NUMBER = re.compile(r"\s*\(\d+/\d+\)\s*\Z")


class Written(msgspec.Struct, frozen=True):
    """One line that somebody wrote into a frame.

    number: of the line in the post, from 1.   said: the line itself, cleaned; lines that go on with
    a text are joined to it.
    """

    number: int
    said: str


class Frame(msgspec.Struct, frozen=True):
    """A frame found in a post, or several of the same form put together.

    code: as the form was given it.   lang: the language it was written in, "" if that is gone.
    head: its whole first line.   closed: whether its last line is there, too.
    """

    number: int
    code: str
    lang: str
    head: str
    lines: tuple[Written, ...]
    closed: bool = True

    @property
    def ahead(self) -> bool:
        """Whether its question was still to come when the form was written."""
        return re.search(rf"{re.escape(AHEAD)}\d+/", self.head) is not None


def frames(post: str) -> list[Frame]:
    """The frames of a post, in order; those of one form are put together, as where a form is quoted
    above itself.  Of several forms those that are blank are left out, and always a blank one of a
    question to come.

    Raises NotUnderstood if it is longer than is read.
    """
    if len(post) > LONGEST_POST or post.count("\n") >= MOST_LINES:
        raise NotUnderstood("orders.long", part=len(post), legal=(f"0-{LONGEST_POST}",))
    found: dict[str, Frame] = {}
    open_now = ""
    for number, line in enumerate(_lines(post), 1):
        code = _code(line)
        if code:
            begins = plainly(NAMED) in plainly(line)
            if open_now and (begins or code != open_now):
                found[open_now] = msgspec.structs.replace(found[open_now], closed=False)
            open_now = code if begins else ""
            if begins and code not in found:
                found[code] = Frame(number, code, _language(line), line.strip(" ="), ())
        elif open_now and _asks(line):
            frame = found[open_now]
            found[open_now] = msgspec.structs.replace(
                frame, lines=_with(frame.lines, Written(number, line.strip()))
            )
    if open_now:
        found[open_now] = msgspec.structs.replace(found[open_now], closed=False)
    filled_in = [frame for frame in found.values() if any(map(_answers, frame.lines))]
    return filled_in or [frame for frame in found.values() if not frame.ahead]


def _answers(line: Written) -> bool:
    """Whether something stands where a line has its blank."""
    return all([answer for _, answer in _cuts(line.said)])


def _lines(post: str) -> Iterator[str]:
    """The lines of a post without what forums and mails put around them."""
    plain = unicodedata.normalize("NFC", _few_marks(_UNSEEN.sub("", _TAG.sub("", post))))
    for line in plain.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        yield _QUOTED.sub("", line, count=1) if _QUOTED.match(line) else line


def _few_marks(text: str) -> str:
    """A text of which each letter bears few accents: to order them takes the square of how many."""
    if text.isascii():
        return text
    runs = groupby(text, lambda sign: bool(unicodedata.combining(sign)))
    return "".join(["".join(islice(run, MOST_MARKS if marks else None)) for marks, run in runs])


def _code(line: str) -> str:
    """The code of a first or last line of a frame, or ""."""
    found = _CODE.search(line) if RULE in line or plainly(NAMED) in plainly(line) else None
    return "-".join(found.groups()).upper() if found else ""


def _language(line: str) -> str:
    found = re.search(r"(?<![\w-])(fr|en)(?![\w-])", line, re.IGNORECASE)
    return found.group().lower() if found else ""


def _asks(line: str) -> bool:
    """Whether a line within a frame can be an answer: it is not empty and explains nothing."""
    bare = line.strip()
    aside = not bare or bare.startswith(ASIDE) or set(bare) <= set("=-_*~ ")
    return not aside and not _FENCE.match(line) and not _POST_NUMBER.match(line)


def _with(lines: tuple[Written, ...], line: Written) -> tuple[Written, ...]:
    """Lines with one more, which may go on with the text of the last."""
    if line.said.startswith(MORE) and lines:
        more = line.said.removeprefix(MORE).removeprefix(" ")
        last = lines[-1]
        return (*lines[:-1], Written(last.number, f"{last.said}\n{more}"))
    return (*lines, line)


WRITTEN, ONLY, EMPTY, PROPOSED = "written", "only", "empty", "proposed"
"""Where an answer to a part comes from: a line, the want of any other, a text left empty, what the
form proposes."""


# What is written in a form -----------------------------------------------------------------------

MOST_BLANK = 2
"""Of so many blank parts each is told with its choices; of more, their names."""

MOST_LEGAL = 24
"""At most so many choices are named where one is refused."""


class Understood(msgspec.Struct, frozen=True):
    """A part as it was understood; `how` is one of those above."""

    at: At
    options: Options
    value: Any
    how: str


class Fault(msgspec.Struct, frozen=True):
    """What is wrong: in which line of the post (0: in none), what stands there, and why not."""

    line: int
    said: str
    refusal: Refusal


class FilledForm(msgspec.Struct, frozen=True):
    """A filled form as it was read.

    value: the answer, as the options took it; worth nothing if there are faults, but for showing
           what was understood: what is wrong or missing is as proposed there.
    beside: what was answered to the parts beside the question, or is proposed.
    """

    form: OrderForm
    value: Any
    understood: tuple[Understood, ...]
    faults: tuple[Fault, ...]
    beside: dict[At, Any] = {}


def read_order(form: OrderForm, frame: Frame, words: Speaker) -> FilledForm:
    """Read what stands in a frame of this very form.

    words: in the language of the frame, turned to the question.
    """
    reader = _Reader(form, frame, words)
    value = filled(form.options, reader.answer)
    beside = {part.at: reader.beside(part) for part in form.beside}
    reader.look_at_the_rest()
    if not reader.faults:
        try:
            value = form.options.take(value)
        except Refusal as refusal:
            reader.faults.append(Fault(0, "", refusal))
    faults = sorted(reader.faults, key=lambda fault: (not fault.line, fault.line))
    return FilledForm(form, value, tuple(reader.understood), tuple(faults), beside)


def check_frame(frame: Frame, forms: Sequence[OrderForm], campaign: str, seat: str) -> OrderForm:
    """The form that a frame is of, among those of the questions that are open to a seat.

    campaign: its code (`campaign_code`).
    Raises OutOfDate, or NotYourTurn if it is of another seat, with the reason.
    """
    for form in forms:
        if form.code == frame.code:
            return form
    legal = [form.code for form in forms]
    if frame.code[:CAMPAIGN_SIGNS] != campaign:
        raise OutOfDate("orders.other_campaign", part=frame.code, legal=legal)
    other = re.search(r":(\w+)#\d+", frame.head)
    if other and other.group(1) != seat:
        raise NotYourTurn("orders.other_seat", part=other.group(1), seat=seat)
    same = [form for form in forms if str(form.key) in frame.head]
    code = "orders.changed" if same else "orders.closed"
    raise OutOfDate(code, part=frame.code, legal=legal)


def read_open(
    game: Game, seat: str, asked: Sequence[Request], found: Sequence[Frame],
    speak: Callable[[str], Words],
) -> list[FilledForm]:  # fmt: skip
    """What stands in the frames of the questions that are asked of a seat now.

    speak: the words of a language, "" for the reader's, in which a frame is written.
    Raises as `check_frame`.
    """
    forms: dict[str, list[OrderForm]] = {}
    read = []
    for frame in [each for each in found if not each.ahead]:
        words = speak(frame.lang)
        if frame.lang not in forms:
            known = forms[frame.lang] = []
            for request in asked:
                words.turn_to(game, request.keys[seat])
                known.append(order_form(game, request, seat, words))
        form = check_frame(frame, forms[frame.lang], campaign_code(game.header), seat)
        words.turn_to(game, form.key)
        read.append(read_order(form, frame, words))
    return read


def warning(reading: FilledForm, game: Game, words: Words) -> str:
    """Why what was understood may hurt its seat, and whether it is meant; "" if it does not."""
    key = reading.form.key
    found = game.runner.found(key)  # wishes are no open question
    if reading.faults or found is None or not isinstance(request := found[1], Request):
        return ""
    return words.warning(key.rule, request.warning(key.seat, reading.value))


def tell(reading: FilledForm, words: Speaker) -> list[str]:
    """What was understood, a line a part; and what the whole orders, where nothing is wrong.

    Where something is, what was not written is not told: it may follow from what was refused.
    """
    names = part_names(reading.form, words)
    over = [] if reading.faults else read_over(reading.form.options, reading.value, words)
    parts = [
        words.say(
            f"orders.told.{each.how}",
            part=names.get(each.at) or part_name(each.at, words),
            said=told(each.options, each.value, words),
        )
        for each in reading.understood
        if each.how == WRITTEN or not reading.faults
    ]
    return [*parts, *over]


def tell_fault(fault: Fault, words: Words) -> str:
    """What is wrong, with the line and what stands there."""
    said = shortened(fault.said.replace("\n", " "))
    return words.say("orders.fault", line=fault.line, said=said, why=words.refusal(fault.refusal))


class Entry(msgspec.Struct, frozen=True):
    """A line of a frame, and what is answered behind the part that it names."""

    line: Written
    answer: str


class _Reader:
    """Reads one frame: each line is given to a part, and each part asks for its lines."""

    def __init__(self, form: OrderForm, frame: Frame, words: Speaker) -> None:
        self.understood: list[Understood] = []
        self.faults: list[Fault] = []
        self._form = form
        self._words = words
        self._parts = {part.at: part for part in (*form.parts, *form.beside)}
        self._names = part_names(form, words)
        self._names |= {each.at: part_name(each.at, words) for each in form.beside}
        self._closed = frame.closed
        self._heads = self._all_heads()
        self._asked: set[At] = set()
        self._blanks: list[tuple[At, Options]] = []
        self._entries: dict[At, list[Entry]] = {}
        self._loose: list[Written] = []
        self._rest = form.key.rule == WISH  # left blank, wishes stay as they are
        self._rest_said: Entry | None = None
        for line in frame.lines:
            self._sort(line)

    def _all_heads(self) -> dict[str, list[At | None]]:
        """What may stand before a colon, and the part that it names; None for the last line."""
        first, rest, *more = plainly(self._words.say("orders.rest")).split()
        whole, bare = " ".join([first, rest, *more]), " ".join([rest, *more])
        heads: dict[str, list[At | None]] = {
            head: [None] for head in (whole, bare, f"{first} {rest}", rest)
        }
        for part in self._parts.values():
            for head in _heads(part.at, self._names[part.at], part.number):
                heads.setdefault(head, []).append(part.at)
        return heads

    def _sort(self, line: Written) -> None:
        """Give a line to the part that it names."""
        cuts = [(self._heads[head], said) for head, said in _cuts(line.said) if head in self._heads]
        if not cuts:
            self._loose.append(line)
            return
        named, answer = cuts[0]
        if len(named) > 1:
            self._refuse(line, NotUnderstood("orders.two_parts", part=line.said))
        elif named[0] is None:
            self._take_rest(line, answer)
        else:
            self._entries.setdefault(named[0], []).append(Entry(line, answer))

    def _take_rest(self, line: Written, answer: str) -> None:
        """Whether what was left blank is as proposed."""
        bare = plainly(answer).rstrip(" .!")
        yes, no = (plainly(self._words.say(f"ask.{word}")) for word in ("true", "false"))
        if bare and bare not in (yes, no):
            refusal = NotUnderstood("answer.one_of", part=answer, legal=(yes, no))
            self._refuse(line, refusal)
        elif bare:
            first = self._rest_said or Entry(line, bare)
            if first.answer != bare:
                what, number = self._words.say("orders.rest"), first.line.number
                self._refuse(line, NotAllowed("orders.twice", part=what, line=number))
            self._rest, self._rest_said = first.answer == yes, first

    def _refuse(self, line: Written, refusal: Refusal) -> None:
        self.faults.append(Fault(line.number, line.said, refusal))

    # Part by part --------------------------------------------------------------------------------

    def answer(self, at: At, options: Options) -> Any:
        """What was answered to a part; what is wrong or missing is noted, and is as proposed."""
        self._asked.add(at)
        if at not in self._parts:
            self._find_loose(at)
        given = [entry for entry in self._entries.get(at, []) if entry.answer]
        if not given:
            return self._blank(at, options)
        values: list[Any] = []
        for entry in given:
            try:
                values.append(self._read(at, options, entry.answer))
            except Refusal as wrong:
                self._refuse(entry.line, in_words(wrong, options, self._words))
                continue
            if values[-1] != values[0]:
                line = given[0].line.number
                self._refuse(
                    entry.line, NotAllowed("orders.twice", part=self._called(at), line=line)
                )
        if not values:
            return proposal(options, self._form.absent, at)
        return self._understand(at, options, values[0], WRITTEN)

    def beside(self, part: Part) -> Any:
        """What was answered beside the question; as proposed where nothing was, or it is wrong."""
        if not any(entry.answer for entry in self._entries.get(part.at, [])):
            self._asked.add(part.at)
            return part.proposed
        told = len(self.understood)
        value = self.answer(part.at, part.options)
        del self.understood[told:]  # it is told with the answer
        return value

    def _read(self, at: At, options: Options, answer: str) -> Any:
        part = self._parts.get(at)
        numbers: Sequence[Any] = listed(part, self._words) if part else ()
        return read_answer(options, answer, self._words, numbers)

    def _blank(self, at: At, options: Options) -> Any:
        lone = only_answer(options)
        if lone:
            return self._understand(at, options, lone[0], ONLY)
        if isinstance(options, Text):
            return self._understand(at, options, "", EMPTY)
        proposed = proposal(options, self._form.absent, at)
        if self._rest:
            return self._understand(at, options, proposed, PROPOSED)
        self._blanks.append((at, options))
        return proposed

    def _understand(self, at: At, options: Options, value: Any, how: str) -> Any:
        self.understood.append(Understood(at, options, value, how))
        return value

    def _called(self, at: At) -> str:
        return self._names.get(at) or part_name(at, self._words)

    def _find_loose(self, at: At) -> None:
        """Lines about a part that the form did not foresee: they name it."""
        heads = _heads(at, part_name(at, self._words))
        for line in list(self._loose):
            answer = next((said for head, said in _cuts(line.said) if head in heads), None)
            if answer is not None:
                self._loose.remove(line)
                self._entries.setdefault(at, []).append(Entry(line, answer))

    # The rest ------------------------------------------------------------------------------------

    def look_at_the_rest(self) -> None:
        """Refuse what is blank, lines that name no part, and answers to parts not asked."""
        refusals = [
            NotUnderstood("orders.blank", part=self._called(at), legal=legal_words(of, self._words))
            for at, of in self._blanks
        ]
        if len(refusals) > MOST_BLANK:
            names = [self._called(at) for at, _ in self._blanks]
            refusals = [NotUnderstood("orders.blanks", part=len(names), legal=names)]
        self.faults += [Fault(0, "", refusal) for refusal in refusals]
        given = [each for entries in self._entries.values() for each in entries if each.answer]
        last = max([each.line.number for each in given], default=0)
        for line in self._loose:
            if self._closed or line.number < last:
                self._refuse(line, NotUnderstood("orders.no_part", part=line.said))
            else:  # what stands below the form, most likely
                end = f"{RULE} {self._form.code} {RULE}"
                self.faults.append(Fault(0, "", NotUnderstood("orders.unclosed", part=end)))
                break
        wrong = any(fault.line for fault in self.faults)
        for at, entries in self._entries.items():
            for entry in entries if at not in self._asked and not wrong else ():
                if entry.answer:
                    refusal = NotAllowed("orders.not_asked", part=self._called(at))
                    self._refuse(entry.line, refusal)


def _heads(at: At, name: str, number: str = "") -> list[str]:
    """What may stand before the colon of a part's line; a number may stand before its name."""
    code = plainly(part_code(at))
    heads = [plainly(name), *([code] if at and not (number and code.isdecimal()) else [])]
    numbered = [plainly(number), f"{plainly(number)} {plainly(name)}"] if number else []
    return list(dict.fromkeys([*heads, *numbered]))


LONGEST_HEAD, MOST_CUTS = 500, 12
"""Characters of a line, and colons in it, among which the end of a part's name is looked for."""

_HINT = re.compile(r"\s*\([^()]*\)\Z")
"""What stands behind a part's name: when it is asked, and how much may be written."""

_MARKS = " \t*_`•-+"
"""What may stand around a name or an answer: marks of a list, of stress, blanks to be filled."""


def _cuts(said: str) -> Iterator[tuple[str, str]]:
    """A line cut at each of its colons or equals signs, the longest head first."""
    first, *more = said.split("\n")
    for found in reversed([*re.finditer("[:=]", first[:LONGEST_HEAD])][:MOST_CUTS]):
        head = re.sub(r"^(\d+(?:/\w+)?)\s*[.)°]+\s*", r"\1 ", first[: found.start()].strip(_MARKS))
        answer = "\n".join([_bare(first[found.end() :]), *more]).strip("\n")
        yield plainly(head), answer
        if bare := _HINT.sub("", plainly(head)):
            yield bare, answer


def _bare(said: str) -> str:
    """An answer without the blank that stood there, and without marks of stress."""
    bare = said.strip().strip("_").strip()
    for mark in ("**", "*", "`"):
        if len(bare) > 2 * len(mark) and bare.startswith(mark) and bare.endswith(mark):
            bare = bare.removeprefix(mark).removesuffix(mark).strip()
    return "" if set(bare) <= set("._… ") else bare


def legal_words(options: Options, words: Speaker) -> list[str]:
    """What may be answered to a part, in words; of a long list its beginning."""
    legal: Sequence[str] = ()
    if isinstance(options, (OneOf, SeveralOf)):
        legal = Names(options.words, options.label, words).labels
    elif isinstance(options, Path):
        legal = Names(tuple(options.ways), "place", words).labels
    elif isinstance(options, Amount):
        legal = (f"{options.least}-{options.most}",)
    return [*legal[:MOST_LEGAL], *(["…"] if len(legal) > MOST_LEGAL else [])]


def in_words(refusal: Refusal, options: Options, words: Speaker) -> Refusal:
    """A refusal of a list or a way with the names of what would be legal; any other as it is."""
    if refusal.code.startswith("answer.") and isinstance(options, (OneOf, SeveralOf, Path)):
        return refusal.about(refusal.part, legal_words(options, words))
    return refusal
