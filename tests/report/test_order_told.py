"""A chronicle keeps the order of what happened, and tells each event once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import pytest

from polemarque.bots.play import play_game
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.system import find_system
from polemarque.report.chronicle import chronicle
from polemarque.report.documents.document import Line, Section, joined, said
from polemarque.report.labels import catalogue_of
from polemarque.report.narrator import Voice, battle_of, codes

HEADINGS = {("AT-2.1", "turn"), ("MN-F1", "turn"), ("TH-F1", "turn"), ("PR-3.1", "turn")}
"""Events that the heading of their chapter tells."""


class Place(NamedTuple):
    """Where an event is told: in which line, as which of its events, under which headings."""

    line: int
    number: int
    headings: tuple[str, ...]


def played(system: str, seed: int, bots: str, **options: Any) -> tuple[Game, list[Event]]:
    events: list[Event] = []
    known = {choice.name for choice in find_system(system).options}
    given = {name: value for name, value in options.items() if name in known}
    header = new_header(system, seed=seed, options=given)
    game = Game(header, publish=events.append)
    play_game(game, dict.fromkeys(header.seats, bots), seed=seed)
    return game, events


def places(
    monkeypatch: pytest.MonkeyPatch, game: Game, events: list[Event], seat: str | None = None
) -> dict[int, Place]:
    """Where the chronicle tells each event, by its number; none is told twice."""
    numbers = {id(event): number for number, event in enumerate(events)}

    def sentence(_: Voice, *told: Event) -> str:
        return " ".join([f"#{numbers[id(event)]}" for event in told])

    with monkeypatch.context() as patched:
        patched.setattr(Voice, "sentence", sentence)
        document = chronicle(game.header, events, "en", seat=seat)
    found: dict[int, Place] = {}
    for count, (headings, line) in enumerate(lines(document.blocks, ())):
        told = re.findall(r"#(\d+)", joined(line.spans))
        for place, number in enumerate(map(int, told)):
            assert number not in found, events[number]
            found[number] = Place(count, place, headings)
    return found


def lines(blocks: Any, headings: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Line]]:
    for block in blocks:
        if isinstance(block, Section):
            yield from lines(block.blocks, (*headings, block.title))
        elif isinstance(block, Line):
            yield headings, block


@pytest.mark.parametrize(
    ("system", "own"),
    [
        ("atlantide", {
            "AT-3.1": "AT-3", "AT-5.1": "AT-5", "AT-6.1": "AT-6", "AT-7.3": "AT-7",
            "AT-8.1": "AT-8", "AT-9.3": "AT-9", "AT-10.1": "AT-10",
        }),
        ("mare_nostrum", {
            "MN-F2": "MN-F2", "MN-F3": "MN-F2", "MN-4.1": "MN-1.1", "MN-5.1": "MN-1.1",
            "MN-F4": "MN-F5", "MN-F7": "MN-F7",
        }),
    ],
)  # fmt: skip
def test_a_turn_has_the_phases_of_the_book_and_each_event_stands_in_its_own(
    monkeypatch: pytest.MonkeyPatch, system: str, own: dict[str, str]
) -> None:
    game, events = played(system, 14, "steady", turn_limit=12, years=3)
    texts, phases = catalogue_of(system), find_system(system).phases
    titles = [texts.say("en", f"phase.{phase}") for phase in phases]
    assert all(own.get(event.rule, event.phase) == event.phase for event in events)
    told: dict[str, dict[str, None]] = {}
    for number, place in sorted(places(monkeypatch, game, events).items(), key=lambda at: at[1]):
        event = events[number]
        if event.path or not place.headings[0].startswith("Turn"):
            continue
        turn, *below = place.headings
        assert turn == f"Turn {event.period}"
        assert below == [texts.say("en", f"phase.{event.phase}")], event
        told.setdefault(turn, {})[below[0]] = None
    assert len(told) == 12
    for turn, sections in told.items():
        assert [*sections] == [title for title in titles if title in sections], turn
    strays = {(event.rule, event.phase) for event in events if event.rule in {"AT-8.8", "AT-10.2"}}
    if system == "atlantide":  # what its rule alone would put elsewhere
        assert {("AT-10.2", "AT-1.12"), ("AT-8.8", "AT-7")} <= strays


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("bots", ["steady", "random"])
@pytest.mark.parametrize(
    "system", ["atlantide", "batailles", "mare_nostrum", "promiterra", "thucidide"]
)
def test_each_event_is_told_once_and_after_all_that_it_may_follow_from(
    monkeypatch: pytest.MonkeyPatch, system: str, bots: str, seed: int
) -> None:
    game, events = played(system, seed, bots, turn_limit=4, years=1)
    for seat in (None, "A"):
        found = places(monkeypatch, game, events, seat)
        seen = {n for n, event in enumerate(events) if seat is None or event.seen_by(seat)}
        untold = seen - found.keys()
        assert found.keys() <= seen
        assert {(events[n].rule, events[n].kind) for n in untold} <= HEADINGS
        last: dict[tuple[str, str], list[int]] = {}
        for number in sorted(found):
            for code in codes(events[number]):
                last.setdefault((battle_of(events[number]), code), []).append(number)
        for one, other in (pair for numbers in last.values() for pair in pairwise(numbers)):
            assert found[one] < found[other], (events[one], events[other])


def test_what_is_told_together_is_counted() -> None:
    game, events = played("mare_nostrum", 11, "steady", turn_limit=12)
    closed = [event for event in events if (event.rule, event.kind) == ("MN-F3", "closed")]
    whole = " ".join(said(chronicle(game.header, events, "en")))
    several = [int(n) for n in re.findall(r"(\d+) trade routes of [\w’]+ close", whole)]
    alone = len(re.findall(r"a trade route of \w+ closes", whole))
    assert several and min(several) > 1
    assert sum(several) + alone == len(closed)
