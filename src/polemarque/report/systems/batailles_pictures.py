"""Batailles classiques: both sides in words; their power phase by phase, in curves and figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from polemarque.kernel.events import Event
from polemarque.kernel.system import find_system
from polemarque.report.documents.document import Block, Picture, Table
from polemarque.report.documents.interactive_svg import curves
from polemarque.report.labels import Book, Names
from polemarque.report.pictures import BoardTold, draws_chart, tells_board

SIDES = ("a", "b")

View = Mapping[str, Any]
"""What `systems.batailles.views` shows a seat; all of it is public."""


# The sides in words -------------------------------------------------------------------------------


@tells_board("batailles")
def field(view: View, lang: str, names: Names, _period: int | None = None) -> BoardTold:
    """Both sides with their units, then what the last phase left and the variants chosen."""
    teller = _Teller(view, Book(find_system("batailles"), lang, names, names.get("force")))
    board = "\n\n".join([teller.title(), *map(teller.side, SIDES)])
    return BoardTold(board, "\n".join(teller.rest()))


class _Teller:
    """Says a view line by line."""

    def __init__(self, view: View, book: Book) -> None:
        self.view, self.book = view, book

    def title(self) -> str:
        """The phase, and how the battle ended if it has."""
        ending = self.view["ending"]
        winner = ending["winner"] if ending else None
        return self._say("title", phase=self.view["phase"], over=bool(ending), winner=winner)

    def side(self, code: str) -> str:
        """A side: its power, its people, its units."""
        side = self.view["sides"][code]
        figures = side | {"side": code} | {
            name: self._called(side[name]) for name in ("name", "commander", "players", "armies")
        }  # fmt: skip
        units = [
            self.book.say("unit_said", **unit | {"name": self._called(unit["name"])})
            for unit in side["units"]
            if unit["pm"]
        ]
        lines = [self._say("side", **figures)]
        lines += [self._say(name, **figures) for name in ("armies", "players") if side[name]]
        lines.append(self._say("units", units=units))
        if side["engaged"] is not None:
            lines.append(self._say("engaged", **figures))
        if side["strategy"]:
            lines.append(self._say("strategy", **figures))
        if side["worth"]:
            lines.append(self._say("worth", **figures))
        if side["rerolls"] or side["bonus"]:
            lines.append(self._say("priests", **figures))
        return "\n  ".join(lines)

    def rest(self) -> Iterator[str]:
        """What the last phase was, whose win still counts, and the variants that were chosen."""
        last, previous = self.view["last"], self.view["previous"]
        if last:
            yield self._say("last", **last, **{code: code for code in SIDES})
        if previous != "none" and not self.view["ending"]:
            yield self._say("previous", previous=previous)
        if variants := self.book.variants(self.view["options"]):
            yield variants

    def _called(self, said: Any) -> Any:
        """A name, or several, in the reader's language."""
        if isinstance(said, str):
            return self.book.called.get(said, said)
        return [self._called(each) for each in said]

    def _say(self, key: str, **data: Any) -> str:
        return self.book.say(f"board.batailles.{key}", **data)


# Power, phase by phase ----------------------------------------------------------------------------


@draws_chart("batailles")
def power(events: Sequence[Event], book: Book) -> Sequence[Block]:
    """PM of both sides at the start of each phase, and what was left at the end."""
    told = [event for event in events if event.rule == "BC-3.5" and not event.path]
    phases = [event.data for event in told if event.kind == "phase"]
    left = {e.data["side"]: e.data["left"] for e in told if e.kind == "toll"}
    if not phases:
        return ()
    steps = [str(phase["number"]) for phase in phases]
    figures = {side: [int(phase[f"pm_{side}"]) for phase in phases] for side in SIDES}
    if len(left) == len(SIDES):
        steps.append(book.say("chart.batailles.end"))
        for side in SIDES:
            figures[side].append(int(left[side]))
    called = {side: book.say("chart.batailles.side", side=side) for side in SIDES}
    rows = [(step, *(str(figures[side][at]) for side in SIDES)) for at, step in enumerate(steps)]
    caption = book.say("chart.batailles.caption")
    drawn = curves({called[side]: figures[side] for side in SIDES}, steps)
    head = (book.say("chart.batailles.phase"), *called.values())
    return (
        Picture(drawn, book.say("chart.batailles.alt", sides=list(called.values()))),
        Table(head, tuple(rows), caption),
    )
