"""Cases as text, in the manner of DATC: what is given, which dice fall, what is expected.

A file ``….case`` holds cases; a line at the margin begins one, with its id and title.  Steps are
indented; a line indented deeper than the first step goes on with the step above; ``#`` begins a
comment.  Values are whole numbers, ``true``, ``false``, ``null``, JSON (over several lines, if need
be), or else words.

A *consult case* asks one rule alone, the one its id begins with (``AT-9.5.c`` asks AT-9.5), or that
of a step ``asks AT-1.5``::

    AT-9.5.c  An undecided round weakens the attack, which still takes the land
      given   combat_force=13 terrain=plains capital=false …
      option  capital_bonus=attacker
      dice    defence 3 4, figures_lost 2       # a word is checked: what the roll is for
              defence 2x1, figures_lost 1       # 2x1 is 1 1
      expect  result=taken loot=100 rounds=2
      expect  modifier base=6
      refused KIND [code]                       # instead of expect

A *played case* has a ``system``; its steps happen one after the other::

    AT-9.1.a  …
      system  atlantide
      seats   3                                 # also: scenario NAME, option NAME=VALUE,
      setup   {…}                               #   seed N for rolls that the dice given leave open
      plays   A                                 # the seat that the umpire plays
      setup   players.A.kingdom=gadirus         # instead of JSON: names with dots, several times
      dice    3 4, 1
      A answers {"act": "attack"}
      B refused 7 not_allowed [answer.amount]   # what B answers, and how it is refused
      absent C                                  # he answers what the rules say for an absent player
      all absent                                # so do all who are asked now
      until AT-5.2                              # so do all until that rule asks, each time;
      until turn=2                              #   until the state is so, or both
      undo A                                    # undo A refused KIND [code]
      adjust gold.A=5 gold.B=6
      wish A TOY-8 north
      expect event AT-9.5 taken seat=A place=x  # events are expected in order, each once
      expect no event AT-9.7 taken
      expect told B AT-4.5 agreed what=loot     # B hears of such an event, C does not
      expect untold C AT-4.5 agreed
      expect state seats.A.loot=200
      expect view B day=1
      expect asked A [AT-9.1]
      expect dice defence                       # dice are wanted for this; only after it may a
                                                #   case end while dice are wanted
      expect over
      refused KIND [code]                       # instead of all steps: the game cannot begin
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from polemarque.kernel.errors import Refusal, shortened
from polemarque.report.game_words import refusal_text, texts_of

CONSULT = ("asks", "given", "option", "dice", "expect", "refused")
HEADER = ("system", "seats", "scenario", "setup", "option", "seed", "plays")
PLAYED = (*HEADER, "refused", "dice", "expect", "absent", "all", "until", "undo", "adjust", "wish")

LONGEST_SHOWN = 2000
"""Characters of a value that a fault shows."""


class CaseFault(Exception):
    """What is wrong with a case.  `str` says it in English, `said` in any language.

    place: its file and line.
    code:  key of the text that says why, below ``case``; `data` holds the figures of that text.
    """

    def __init__(self, place: str, code: str, **data: Any) -> None:
        super().__init__(place, code, data)
        self.place, self.code, self.data = place, code, data

    def __str__(self) -> str:
        return f"{self.place}: {self.said('en')}"

    def said(self, lang: str) -> str:
        """Why, as a sentence in `lang`."""
        data = {name: _sayable(value, lang) for name, value in self.data.items()}
        return texts_of().say(lang, self.code, **data)


class CaseError(CaseFault):
    """A case file that cannot be read."""


class CaseFailed(CaseFault, AssertionError):
    """What was expected did not come about."""


def _sayable(value: Any, lang: str) -> Any:
    """A figure of a fault for its text: a refusal in words and by its code, data as JSON."""
    if isinstance(value, Refusal):
        return f"{refusal_text(value, lang)} ({value.kind} {value.code})"
    if isinstance(value, (list, tuple)) and all(isinstance(word, str) for word in value):
        return list(value)
    return shortened(value, LONGEST_SHOWN)


@dataclass(frozen=True)
class Step:
    """One step: its line, its first word, the words after it, and the comment behind it."""

    place: str
    verb: str
    words: tuple[str, ...]
    note: str = ""

    @property
    def text(self) -> str:
        """The words after the first, as one line."""
        return " ".join(self.words)

    def wrong(self, code: str, **data: Any) -> CaseError:
        """The step cannot be read."""
        return CaseError(self.place, code, **data)

    def failed(self, code: str, **data: Any) -> CaseFailed:
        """The step did not come about."""
        return CaseFailed(self.place, code, **data)


@dataclass(frozen=True)
class Case:
    """One case of a file; `title` is in English, as the files are."""

    place: str
    id: str
    title: str
    steps: list[Step] = field(default_factory=list)

    @property
    def played(self) -> bool:
        """Whether a game is played; else one rule is asked."""
        return any(step.verb == "system" for step in self.steps)

    @property
    def rule(self) -> str:
        """The rule a case is about."""
        return rule_of(self.id)

    def of(self, verb: str) -> Iterator[Step]:
        """The steps that begin with a word."""
        return (step for step in self.steps if step.verb == verb)


def rule_of(case: str) -> str:
    """The rule of a case: its id without the letter."""
    front, _, last = case.rpartition(".")
    return front if front and not last.isdigit() else case


# Reading -----------------------------------------------------------------------------------------


def read_cases(path: Path, text: str | None = None) -> list[Case]:
    """The cases of a file.  Raises CaseError."""
    here = Path.cwd()
    shown = path.relative_to(here) if path.is_relative_to(here) else path
    cases: list[Case] = []
    depth = 0
    written = path.read_text(encoding="utf-8") if text is None else text
    for number, line, note in _lines(written):
        place = f"{shown}:{number}"
        words = split(line, place)
        if not words:
            continue
        indent = len(line) - len(line.lstrip())
        if not indent:
            cases.append(_head(line, place, cases))
            depth = 0
        elif not cases:
            raise CaseError(place, "case.before_any")
        elif depth and indent > depth:
            last = cases[-1].steps.pop()
            notes = _joined(last.note, note)
            cases[-1].steps.append(Step(last.place, last.verb, (*last.words, *words), notes))
        else:
            depth = depth or indent
            cases[-1].steps.append(Step(place, words[0], tuple(words[1:]), note))
    for case in cases:
        _check(case)
    return cases


def _lines(text: str) -> Iterator[tuple[int, str, str]]:
    """Lines with numbers and comments; JSON whose brackets are open goes on with lines below."""
    first, whole, notes, depth = 0, "", "", 0
    for number, line in enumerate(text.splitlines(), 1):
        read, note, more = _scanned(line)
        first, whole = (first, f"{whole} {read.strip()}") if depth else (number, read)
        notes = _joined(notes, note) if depth else note
        depth = max(0, depth + more)
        if not depth:
            yield first, whole, notes
    if depth:
        yield first, whole, notes


def _joined(one: str, other: str) -> str:
    return f"{one}; {other}" if one and other else one or other


def _scanned(line: str) -> tuple[str, str, int]:
    """A line without its comment, the comment, and how many brackets it leaves open."""
    depth, quoted, at = 0, False, 0
    while at < len(line):
        char = line[at]
        if char == '"':
            quoted = not quoted
        elif quoted:
            at += char == "\\"
        elif char == "#" and (not at or line[at - 1].isspace()):
            return line[:at].rstrip(), line[at + 1 :].strip(), depth
        else:
            depth += (char in "[{") - (char in "]}")
        at += 1
    return line, "", depth


def _head(line: str, place: str, before: Sequence[Case]) -> Case:
    name, _, title = line.partition(" ")
    if not title.strip():
        raise CaseError(place, "case.no_title", case=name)
    if any(case.id == name for case in before):
        raise CaseError(place, "case.twice", case=name)
    return Case(place, name, title.strip())


def _check(case: Case) -> None:
    """Whether a case is one: its steps are known, and something is expected."""
    known = PLAYED if case.played else CONSULT
    for step in case.steps:
        acts = case.played and step.words[:1] in (("answers",), ("refused",))
        if step.verb not in known and not acts:
            raise step.wrong("case.no_step", word=step.verb, known=known)
        if not step.words and step.verb not in {"dice", "given"}:
            raise step.wrong("case.bare", word=step.verb)
    if not any(s.verb in {"expect", "refused"} or "refused" in s.words for s in case.steps):
        raise CaseError(case.place, "case.expects_nothing", case=case.id)
    if case.played:
        _check_header(case)


def _check_header(case: Case) -> None:
    begun = False
    for step in case.steps:
        if step.verb in HEADER and begun:
            raise step.wrong("case.late", word=step.verb)
        begun = begun or step.verb not in (*HEADER, "dice")
        if step.verb == "refused" and step is not case.steps[-1]:
            raise step.wrong("case.never_begun")


def split(line: str, place: str = "") -> list[str]:
    """Words of a line: blanks, commas and brackets inside JSON do not divide; # ends it."""
    words, word, depth, quoted = [], "", 0, False
    at = 0
    while at < len(line):
        char = line[at]
        if quoted and char == "\\":
            word += line[at : at + 2]
            at += 2
            continue
        if char == '"':
            quoted = not quoted
        elif not quoted:
            depth += (char in "[{") - (char in "]}")
            if char == "#" and not depth and (not word or line[at - 1].isspace()):
                break
            if char.isspace() and not depth:
                words += [word] if word else []
                word, char = "", ""
        word += char
        at += 1
    if quoted or depth:
        raise CaseError(place, "case.open")
    return [*words, word] if word else words


def value_of(text: str, step: Step) -> Any:
    """A value as it is written."""
    if re.fullmatch(r"-?\d+", text) or text in {"true", "false", "null"} or text[:1] in '[{"':
        try:
            return msgspec.json.decode(text)
        except msgspec.DecodeError:
            raise step.wrong("case.no_json", word=text) from None
    return text


def pairs(step: Step, words: Sequence[str]) -> dict[str, Any]:
    """NAME=VALUE, several times."""
    found = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or not name:
            raise step.wrong("case.no_pair", word=word)
        if name in found:
            raise step.wrong("case.given_twice", word=name)
        found[name] = value_of(text, step)
    return found


def faces_of(step: Step) -> list[tuple[str, int]]:
    """Faces in order, each with the word before it ("" for none)."""
    found, why = [], ""
    for word in " ".join(step.words).replace(",", " ").split():
        dice = re.fullmatch(r"(?:(\d+)x)?(\d+)", word)
        if dice:
            found += [(why, int(dice[2]))] * int(dice[1] or 1)
        elif re.fullmatch(r"[A-Za-z_]\w*", word):
            why = word
        else:
            raise step.wrong("case.no_face", word=word)
    return found
