"""Posts and mails in which filled order forms stand: what people and forums put around them goes.

Nothing here knows what was asked.  A frame is found by its first line, and everything outside of
frames (greetings, signatures, the story quoted) is left alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import msgspec

from polemarque.kernel.errors import NotUnderstood
from polemarque.report.answers import plainly
from polemarque.report.order_paper import ASIDE, MORE, NAMED, RULE
from polemarque.report.orders import CAMPAIGN_SIGNS, QUESTION_SIGNS

LONGEST_POST, MOST_LINES = 100_000, 3000
"""Characters and lines of a post that are read: no forum takes as many."""

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
    head: its whole first line.
    """

    number: int
    code: str
    lang: str
    head: str
    lines: tuple[Written, ...]


def frames(post: str) -> list[Frame]:
    """The frames of a post, in order; those of one form are put together, as where a form is quoted
    above itself.

    Raises NotUnderstood if it is longer than is read.
    """
    if len(post) > LONGEST_POST or post.count("\n") >= MOST_LINES:
        raise NotUnderstood("orders.long", part=len(post), legal=(f"0-{LONGEST_POST}",))
    found: dict[str, Frame] = {}
    open_now = ""
    for number, line in enumerate(_lines(post), 1):
        code = _code(line)
        if code:
            open_now = code if plainly(NAMED) in plainly(line) else ""
            if open_now and code not in found:
                found[code] = Frame(number, code, _language(line), line.strip(" ="), ())
        elif open_now and _asks(line):
            frame = found[open_now]
            found[open_now] = msgspec.structs.replace(
                frame, lines=_with(frame.lines, Written(number, line.strip()))
            )
    return list(found.values())


def _lines(post: str) -> Iterator[str]:
    """The lines of a post without what forums and mails put around them."""
    plain = unicodedata.normalize("NFC", _UNSEEN.sub("", _TAG.sub("", post)))
    for line in plain.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        yield _QUOTED.sub("", line, count=1) if _QUOTED.match(line) else line


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
