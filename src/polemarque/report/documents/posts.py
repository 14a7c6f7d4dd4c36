"""Posts that are no longer than a forum or a chat takes, each with whole tags and its number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

LEAST_POST = 200
"""No post can be made shorter than this."""


class Run(msgspec.Struct, frozen=True):
    """Words between an opening and a closing tag."""

    said: str
    opening: str = ""
    closing: str = ""

    def __str__(self) -> str:
        return f"{self.opening}{self.said}{self.closing}" if self.said else ""


class Part(msgspec.Struct, frozen=True):
    """What stands together in a post: runs, and a tag around them all."""

    runs: tuple[Run, ...]
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
        kept: list[Run] = []
        for word in self._words(room // 2):
            longer = _add(kept, word)
            if kept and len(str(msgspec.structs.replace(self, runs=tuple(longer)))) > room:
                yield str(msgspec.structs.replace(self, runs=tuple(kept)))
                longer = [word]
            kept = longer
        yield str(msgspec.structs.replace(self, runs=tuple(kept)))

    def _words(self, longest: int) -> Iterator[Run]:
        for run in self.runs:
            for word in re.split(f"(?<={re.escape(self.between)})", run.said):
                for start in range(0, len(word), longest):
                    yield msgspec.structs.replace(run, said=word[start : start + longest])


def _add(kept: Sequence[Run], word: Run) -> list[Run]:
    """One more word, within the last run if it has the same tags."""
    if kept and kept[-1].opening == word.opening:
        last = msgspec.structs.replace(kept[-1], said=kept[-1].said + word.said)
        return [*kept[:-1], last]
    return [*kept, word]


def packed(parts: Iterable[Part], limit: int, italic: tuple[str, str]) -> list[str]:
    """Parts in posts of at most `limit` characters, each with whole tags and its number.

    italic: the tags around the number.   Raises ValueError if `limit` is below `LEAST_POST`.
    """
    if limit < LEAST_POST:
        raise ValueError(f"a post of {limit} characters is too short")
    before, after = italic
    parts = list(parts)
    whole = "\n\n".join(map(str, parts))
    if len(whole) <= limit:
        return [whole]
    room = limit - len(f"\n\n{before}(999/999){after}")
    posts: list[str] = []
    for part in parts:
        for piece in part.pieces(room):
            if posts and len(posts[-1]) + 2 + len(piece) <= room:
                posts[-1] += f"\n\n{piece}"
            else:
                posts.append(piece)
    count = len(posts)
    return [f"{post}\n\n{before}({number}/{count}){after}" for number, post in enumerate(posts, 1)]
