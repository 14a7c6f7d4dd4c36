"""Promiterra: the field with its troops, and the film of a war.  All is public in this game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from polemarque.kernel.events import Event
from polemarque.kernel.files.sentence_templates import curved
from polemarque.kernel.records.record import Header
from polemarque.kernel.system import find_system
from polemarque.maps.boards import Board
from polemarque.report.boards.draw_scene import draw_scene, scene_seen
from polemarque.report.boards.film import Film, Step, filmed_field, films
from polemarque.report.boards.pieces import Arrow, Piece, Scene, Symbol, short_labels
from polemarque.report.boards.text import scene_told
from polemarque.report.labels import Book, Names, names_of
from polemarque.report.narrator import Voice
from polemarque.report.pictures import (
    BoardTold,
    Card,
    Seen,
    Went,
    Zone,
    draws_board,
    draws_view,
    tells_board,
    tells_moves,
    tells_pieces,
)
from polemarque.systems.promiterra.current_stats import stats
from polemarque.systems.promiterra.ground import zones
from polemarque.systems.promiterra.setup.catalogue import TroopType
from polemarque.systems.promiterra.state import Person, Troop, War
from polemarque.systems.promiterra.stats import Stats
from polemarque.systems.promiterra.views import View, effect_of, figures_of, supposed

SYMBOLS: dict[TroopType, Symbol] = {
    "melee": "infantry",
    "missile": "missile",
    "mounted": "cavalry",
    "special": "creature",
}

SHORTENED = 10_000
"""From so many units on they are counted in thousands on a counter."""

SHOT = "PR-5.5"
STRIKES = ("PR-5.5", "PR-5.6", "PR-5.7")
"""The rules whose events tell of one troop that fights another."""

DUEL = "PR-7.6"


@draws_board("promiterra")
def battlefield(war: War, lang: str, names: Names) -> str | None:
    """The board with all troops on it."""
    system = find_system("promiterra")
    book = Book(system, lang, names_of(system, war, lang, names))
    drawn = _Drawn(war.armies, book)
    scene = drawn.scene(war.board, drawn.pieces_of(war), war.round, war.playing)
    return draw_scene(scene, lang).on_paper()


@tells_board("promiterra")
def field(view: View, lang: str, names: Names, period: int | None = None) -> BoardTold | None:
    """The same as text, from what a seat sees."""
    return scene_told(_scene_of(view, lang, names, period), lang)


@draws_view("promiterra")
def field_seen(view: View, lang: str, names: Names, period: int | None = None) -> Seen:
    """The same for a page."""
    return scene_seen(_scene_of(view, lang, names, period), lang)


@tells_moves("promiterra")
def went(event: Event, view: View) -> Went | None:
    """Moves of troops, and who strikes or shoots at whom."""
    data = event.data
    moves = event.rule == "PR-2.1" and data.get("place") != data.get("start")
    if not moves and (event.rule not in STRIKES or event.kind not in ("attack", "fought")):
        return None
    troop = view.troops[data["troop" if moves else "attacker"]].troop
    place = data["place"] if moves else view.troops[data["target"]].troop.cell
    start = data["start"] if moves else troop.cell
    kind: Literal["move", "attack", "shot"] = "attack"
    if moves or event.rule == SHOT:
        kind = "move" if moves else "shot"
    if not (start and place):
        return None
    return Went(troop.id, troop.army, list(view.armies).index(troop.army), (place,), start, kind)


@tells_pieces("promiterra")
def troop_cards(view: View, lang: str, names: Names) -> dict[str, Card]:
    """All troops that are left, those still to be placed too (PR-1.6)."""
    book, war = Book(find_system("promiterra"), lang, names), supposed(view, "", {})
    labels = _Drawn(view.armies, book).labels_of(war.troops.values())
    return {
        code: _card(war, shown.troop, shown.stats, book, labels[code])
        for code, shown in view.troops.items()
        if shown.troop.fate == "present"
    }


def _card(war: War, troop: Troop, worth: Stats, book: Book, label: str) -> Card:
    """A troop: statistics as they count now, ability, leader, what holds of it at present."""

    def say(key: str, **data: Any) -> str:
        return book.say(f"board.promiterra.{key}", **data)

    leader, lang = war.persons[troop.leader], book.lang
    able = [*effect_of(troop.ability.change, lang), troop.ability.text.get(lang, "")]
    if troop.ability.no_riposte:
        able.append(say("no_riposte"))
    acts = [book.say(f"war_action.{action}") for action in leader.actions]
    facts = {
        "type": book.say(f"troop_type.{troop.type}"),
        "units": say("value.units", units=troop.units, start=troop.start),
        **{name: str(value) for name, value in msgspec.structs.asdict(worth).items()},
        "ability": ", ".join(filter(None, able)),
        "leader": leader.name,
        "skill": str(leader.skill),
        "mastery": ", ".join(effect_of(leader.mastery, lang)),
        "actions": " · ".join(acts),
    }
    state = say(
        "state", fear=troop.ability.fear, barricaded=troop.barricaded, unwell=troop.unwell,
        refused=troop.refused, mounted=troop.type == "mounted", waits=not troop.cell,
    )  # fmt: skip
    reached = zones(war, troop, worth.movement, worth.range) if troop.cell else {}
    return Card(
        book.word("troop", troop.id), book.say(f"seat.{troop.army}"), label,
        tuple([(say(f"card.{what}"), value) for what, value in facts.items() if value]),
        tuple(filter(None, [state.strip()])),
        tuple([Zone(say(f"zone.{kind}"), at) for kind, at in reached.items()]),
    )  # fmt: skip


def _scene_of(view: View, lang: str, names: Names, period: int | None) -> Scene:
    """What a view shows.   period: another player-turn than the view's, to be named by its number:
    the view does not know whose it was."""
    drawn = _Drawn(view.armies, Book(find_system("promiterra"), lang, names))
    seen = [(shown.troop, shown.stats) for shown in view.troops.values()]
    pieces = drawn.pieces(seen, view.persons)
    past = 0 if period is None or period == view.turn else period
    scene = drawn.scene(view.board, pieces, view.round, view.playing, past)
    return msgspec.structs.replace(scene, waiting=drawn.waiting(seen, view.persons))


@films("promiterra")
def war_film(_header: Header, steps: Sequence[Step], voice: Voice) -> Film | None:
    """The war, event by event."""
    if not steps:
        return None
    first, last = steps[0].before, steps[-1].after
    drawn = _Drawn(first.armies, voice.own)
    drawn.labels = drawn.labels_of(last.troops.values())

    def pieces(war: War) -> tuple[Piece, ...]:
        return drawn.pieces_of(war)

    scene = Scene(first.board, drawn.called, pieces(first), people=drawn.people)
    return filmed_field(scene, steps, voice, pieces, lambda step: _struck(step, drawn))


def _struck(step: Step, drawn: _Drawn) -> tuple[Arrow, ...]:
    """An arrow from a troop that fights to the other."""
    event, troops = step.event, step.before.troops
    striker = event.data.get("attacker" if event.rule in STRIKES else "troop")
    if event.rule not in (*STRIKES, DUEL) or not striker or "target" not in event.data:
        return ()
    one, other = troops[striker], troops[event.data["target"]]
    if event.kind == "riposte":
        one, other = other, one
    if not (one.cell and other.cell):
        return ()
    way = (one.cell, other.cell)
    return (Arrow(way, drawn.side(one.army), "shot" if event.rule == SHOT else "attack"),)


class _Drawn:
    """Turns troops into pieces; each army is a side."""

    def __init__(self, armies: Iterable[str], book: Book) -> None:
        self.book = book
        self._seats = tuple(armies)
        self.called = tuple(book.say(f"seat.{seat}") for seat in self._seats)
        self.people = tuple(book.introduced(seat) for seat in self._seats)
        self.labels: Mapping[str, str] = {}

    def side(self, seat: str) -> int:
        """The number of an army."""
        return self._seats.index(seat)

    def labels_of(self, troops: Iterable[Troop]) -> dict[str, str]:
        """A label for each troop, apart from those of its own army."""
        labels: dict[str, str] = {}
        everybody = tuple(troops)
        for seat in self._seats:
            own = {t.id: self.book.word("troop", t.id) for t in everybody if t.army == seat}
            labels |= short_labels(own)
        return labels

    def scene(
        self, board: Board, pieces: tuple[Piece, ...], number: int, seat: str, past: int = 0
    ) -> Scene:
        """The board at one moment: a round and who plays, or the number of a player-turn."""
        called = curved(board.names[self.book.lang])
        title = self._say("title", board=called, round=number, seat=seat, past=past)
        return Scene(board, self.called, pieces, title=title, people=self.people)

    def pieces_of(self, war: War) -> tuple[Piece, ...]:
        """Everybody who is on the board."""
        seen = [(troop, stats(war, troop)) for troop in war.troops.values()]
        return self.pieces(seen, war.persons)

    def pieces(
        self, troops: Sequence[tuple[Troop, Stats]], persons: Mapping[str, Person]
    ) -> tuple[Piece, ...]:
        """Troops that are on the board, as pieces."""
        labels = self.labels or self.labels_of(troop for troop, _ in troops)
        return tuple(
            self._piece(troop, worth, labels[troop.id], persons)
            for troop, worth in troops
            if troop.cell
        )

    def waiting(
        self, troops: Sequence[tuple[Troop, Stats]], persons: Mapping[str, Person]
    ) -> tuple[tuple[int, str], ...]:
        """Troops that are still to be placed, in words, each with the number of its side."""
        return tuple(
            (
                self.side(troop.army),
                self._say(
                    "waits",
                    name=self.book.word("troop", troop.id),
                    figures=figures_of(troop, worth, persons.get(troop.leader), self.book.lang),
                ),
            )
            for troop, worth in troops
            if not troop.cell and troop.fate == "present"
        )

    def _piece(
        self, troop: Troop, worth: Stats, label: str, persons: Mapping[str, Person]
    ) -> Piece:
        leader = persons.get(troop.leader)
        fear = troop.ability.fear
        signs = (("!", fear), ("#", troop.barricaded), ("+", troop.unwell), ("?", troop.refused))
        title = self._say(
            "troop", name=self.book.word("troop", troop.id), label=label,
            figures=figures_of(troop, worth, leader, self.book.lang), fear=fear,
            barricaded=troop.barricaded, unwell=troop.unwell, refused=troop.refused,
        )  # fmt: skip
        return Piece(
            troop.id, troop.cell, self.side(troop.army), SYMBOLS[troop.type], label,
            strength_of(troop.units), tuple(sign for sign, has in signs if has)[:3], title,
        )  # fmt: skip

    def _say(self, key: str, **data: Any) -> str:
        return self.book.say(f"board.promiterra.{key}", **data)


def strength_of(units: int) -> str:
    """Units in at most four characters, thousands rounded down."""
    return str(units) if units < SHORTENED else f"{units // 1000}k"
