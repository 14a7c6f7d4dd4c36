"""BBCode for forums, and posts that are no longer than a forum takes.

Only tags that every forum has are used ([b], [i], [u], [code]), and [spoiler=…] for the reasons.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from polemarque.report.documents.document import (
    Document,
    Leaf,
    Line,
    Picture,
    Span,
    Table,
    Verbatim,
    columns,
    walk,
)

WORD_JOINER = "\u2060"
"""Put behind a bracket that would begin a tag: it cannot be seen and breaks the tag."""

LEAST_POST = 200
"""No post can be made shorter than this."""


def bbcode(document: Document) -> str:
    """The whole document as one post."""
    return "\n\n".join(str(part) for part in _parts(document)) + "\n"


def posts(document: Document, limit: int) -> list[str]:
    """The document in posts of at most `limit` characters, each with whole tags and its number.

    Raises ValueError if `limit` is below `LEAST_POST`.
    """
    if limit < LEAST_POST:
        raise ValueError(f"a post of {limit} characters is too short")
    whole = bbcode(document).rstrip("\n")
    if len(whole) <= limit:
        return [whole]
    room = limit - len("\n\n[i](999/999)[/i]")
    packed: list[str] = []
    for part in _parts(document):
        for piece in part.pieces(room):
            if packed and len(packed[-1]) + 2 + len(piece) <= room:
                packed[-1] += f"\n\n{piece}"
            else:
                packed.append(piece)
    count = len(packed)
    return [f"{post}\n\n[i]({number}/{count})[/i]" for number, post in enumerate(packed, 1)]


def escape_bbcode(said: str) -> str:
    """Plain words for BBCode: no bracket in them begins a tag."""
    return re.sub(r"\[(?=[A-Za-z/*!])", f"[{WORD_JOINER}", said)


class _Run(msgspec.Struct, frozen=True):
    """Words between an opening and a closing tag; `whole` ones are cut at line ends only."""

    said: str
    opening: str = ""
    closing: str = ""

    def __str__(self) -> str:
        return f"{self.opening}{self.said}{self.closing}" if self.said else ""


class _Part(msgspec.Struct, frozen=True):
    """What stands together in a post: runs, and a tag around them all."""

    runs: tuple[_Run, ...]
    opening: str = ""
    closing: str = ""
    between: str = " "
    """Where it may be cut."""

    def __str__(self) -> str:
        return self.opening + "".join(map(str, self.runs)) + self.closing

    def pieces(self, room: int) -> Iterator[str]:
        """The part in pieces of at most `room` characters, every tag closed where it is cut."""
        if len(str(self)) <= room:
            yield str(self)
            return
        kept: list[_Run] = []
        for word in self._words(room // 2):
            longer = _add(kept, word)
            if kept and len(str(msgspec.structs.replace(self, runs=tuple(longer)))) > room:
                yield str(msgspec.structs.replace(self, runs=tuple(kept)))
                longer = [word]
            kept = longer
        yield str(msgspec.structs.replace(self, runs=tuple(kept)))

    def _words(self, longest: int) -> Iterator[_Run]:
        for run in self.runs:
            for word in re.split(f"(?<={re.escape(self.between)})", run.said):
                for start in range(0, len(word), longest):
                    yield msgspec.structs.replace(run, said=word[start : start + longest])


def _add(kept: Sequence[_Run], word: _Run) -> list[_Run]:
    """One more word, within the last run if it has the same tags."""
    if kept and kept[-1].opening == word.opening:
        last = msgspec.structs.replace(kept[-1], said=kept[-1].said + word.said)
        return [*kept[:-1], last]
    return [*kept, word]


_TAGS = {"": ("", ""), "em": ("[i]", "[/i]"), "strong": ("[b]", "[/b]")}


def _parts(document: Document) -> Iterator[_Part]:
    for depth, block in walk(document):
        if isinstance(block, str):
            tags = ("[b][u]", "[/u][/b]") if depth == 1 else ("[b]", "[/b]")
            yield _Part((_Run(escape_bbcode(block)),), *tags)
        else:
            yield from _block(block)


def _block(block: Leaf) -> Iterator[_Part]:
    if isinstance(block, Table):
        grid = escape_bbcode("\n".join(columns((block.head, *block.rows))))
        if block.caption:
            yield _Part((_Run(escape_bbcode(block.caption)),), "[i]", "[/i]")
        yield _Part((_Run(grid),), "[code]", "[/code]", between="\n")
    elif isinstance(block, Verbatim):
        lines = escape_bbcode("\n".join(block.lines))
        yield _Part((_Run(lines),), "[code]", "[/code]", between="\n")
    elif isinstance(block, Picture):
        for said in filter(None, (block.alt, block.caption)):
            yield _Part((_Run(escape_bbcode(said)),), "[i]", "[/i]")
    else:
        runs = _spans(block.spans)
        why = block.why if isinstance(block, Line) else None
        if why is None:
            yield _Part(runs)
            return
        sentences = " ".join(map(escape_bbcode, why.sentences()))
        if why.bare:
            yield _Part((*runs, _Run(" "), _Run(sentences, *_TAGS["em"])))
        else:
            label = why.label.replace("[", "(").replace("]", ")")
            yield _Part(runs)
            yield _Part((_Run(sentences),), f"[spoiler={label}]", "[/spoiler]")


def _spans(spans: tuple[Span, ...]) -> tuple[_Run, ...]:
    return tuple([_Run(escape_bbcode(span.text), *_TAGS[span.style]) for span in spans])
