"""BBCode for forums.

Only tags that every forum has are used ([b], [i], [u], [code]), and one for the reasons that the
forum chooses: [spoiler=…], unless it has another or none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from polemarque.report.documents.document import (
    Document,
    Leaf,
    Line,
    Picture,
    Table,
    Verbatim,
    columns,
    walk,
)
from polemarque.report.documents.posts import Part, Run

SPOILER = "spoiler"
"""The tag that hides the reasons, where the forum has no other."""

WORD_JOINER = "\u2060"
"""Put behind a bracket that would begin a tag: it cannot be seen and breaks the tag."""


def bbcode(document: Document, spoiler: str = SPOILER) -> str:
    """The whole document as one post.   spoiler: see `bbcode_parts`."""
    return "\n\n".join(str(part) for part in bbcode_parts(document, spoiler)) + "\n"


def escape_bbcode(said: str) -> str:
    """Plain words for BBCode: no bracket in them begins a tag."""
    return re.sub(r"\[(?=[A-Za-z/*!])", f"[{WORD_JOINER}", said)


_TAGS = {"": ("", ""), "em": ("[i]", "[/i]"), "strong": ("[b]", "[/b]")}


def bbcode_parts(document: Document, spoiler: str = SPOILER) -> Iterator[Part]:
    """What stands together in a post.

    spoiler: the tag around the reasons, as the forum names it; "" leaves the reasons out.
    """
    for depth, block in walk(document):
        if isinstance(block, str):
            tags = ("[b][u]", "[/u][/b]") if depth == 1 else ("[b]", "[/b]")
            yield Part((Run(escape_bbcode(block)),), *tags)
        else:
            yield from _block(block, spoiler)


def _block(block: Leaf, spoiler: str) -> Iterator[Part]:
    if isinstance(block, Table):
        grid = escape_bbcode("\n".join(columns((block.head, *block.rows))))
        if block.caption:
            yield Part((Run(escape_bbcode(block.caption)),), "[i]", "[/i]")
        yield Part((Run(grid),), "[code]", "[/code]", between="\n")
    elif isinstance(block, Verbatim):
        lines = escape_bbcode("\n".join(block.lines))
        yield Part((Run(lines),), "[code]", "[/code]", between="\n")
    elif isinstance(block, Picture):
        for said in filter(None, (block.alt, block.caption)):
            yield Part((Run(escape_bbcode(said)),), "[i]", "[/i]")
    else:
        runs = tuple([Run(escape_bbcode(span.text), *_TAGS[span.style]) for span in block.spans])
        why = block.why if isinstance(block, Line) else None
        if why is None:
            yield Part(runs)
            return
        sentences = " ".join(map(escape_bbcode, why.sentences()))
        if why.bare:
            yield Part((*runs, Run(" "), Run(sentences, *_TAGS["em"])))
        else:
            yield Part(runs)
            if not spoiler:
                return
            label = why.label.replace("[", "(").replace("]", ")")
            yield Part((Run(sentences),), f"[{spoiler}={label}]", f"[/{spoiler}]")
