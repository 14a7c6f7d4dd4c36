"""Batailles classiques: the military power of both sides, phase by phase, as curves and figures."""

from __future__ import annotations

from collections.abc import Sequence

from polemarque.kernel.events import Event
from polemarque.report.book import Book
from polemarque.report.curves import curves
from polemarque.report.pictures import draws_chart
from polemarque.report.tree import Block, Picture, Table

SIDES = ("a", "b")


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
