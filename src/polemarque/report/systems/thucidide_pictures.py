"""Thucidide: the field of battle with its units and leaders, and the film of a battle.

All is public in this game: a picture is drawn from the state, a terminal's board from a view.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

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
from polemarque.systems.thucidide.movement import stride
from polemarque.systems.thucidide.orders import (
    ORDERS,
    codes,
    commanding,
    cost,
    in_reach,
    influencing,
)
from polemarque.systems.thucidide.state import Battle, Leader, Side, Unit
from polemarque.systems.thucidide.tables import UnitFigures
from polemarque.systems.thucidide.targets import ranges, support_of, zones
from polemarque.systems.thucidide.views import FOR_A_UNIT, supposed

ACTS = "•"
"""The badge of those activated this turn."""

LOOSE = "~"
"""The badge of loosened ranks."""


@draws_board("thucidide")
def battlefield(battle: Battle, lang: str, names: Names) -> str | None:
    """The board with everybody on it."""
    system = find_system("thucidide")
    book = Book(system, lang, names_of(system, battle, lang, names))
    drawn = _Drawn(battle.sides, battle.units, battle.leaders, book)
    return draw_scene(drawn.scene(battle.board, battle.turn, battle.active), lang).on_paper()


@tells_board("thucidide")
def field(
    view: Mapping[str, Any], lang: str, names: Names, period: int | None = None
) -> BoardTold | None:
    """The same as text, with each side's tokens."""
    drawn = _drawn_of(view, lang, names)
    return scene_told(drawn.scene(view["board"], *_whose(view, period), tokens=True), lang)


@draws_view("thucidide")
def field_seen(view: Mapping[str, Any], lang: str, names: Names, period: int | None = None) -> Seen:
    """The same for a page."""
    drawn = _drawn_of(view, lang, names)
    return scene_seen(drawn.scene(view["board"], *_whose(view, period)), lang)


@tells_moves("thucidide")
def went(event: Event, view: Mapping[str, Any]) -> Went | None:
    """Moves of units and leaders, retreats, and who attacks whom."""
    how, data = GOING.get((event.rule, event.kind)), event.data
    if how is None:
        return None
    forced, kind = how
    seat, piece = data["seat"], data.get("unit") or data["leader"]
    start = data.get("start", "")
    if kind != "move":
        start = view["units"][piece].cell
    path = (*data.get("via", ()), data["at"] if "at" in data else data["place"])
    return Went(piece, seat, list(view["sides"]).index(seat), path, start, kind, forced)


GOING: dict[tuple[str, str], tuple[bool, Literal["move", "attack", "shot"]]] = {
    ("TH-F8", "moves"): (False, "move"),
    ("TH-F6", "retreats"): (True, "move"),
    ("TH-7.5", "withdraws"): (True, "move"),
    ("TH-F5", "attacks"): (False, "attack"),
    ("TH-F5", "pursues"): (False, "attack"),
    ("TH-F5", "shoots"): (False, "shot"),
    **{(rule, "follows"): (False, "move") for rule in ("TH-F6", "TH-F7", "TH-6.2", "TH-6.4")},
}
"""By rule and kind of an event, whether its piece is forced, and what it does."""


@tells_pieces("thucidide")
def piece_cards(view: Mapping[str, Any], lang: str, names: Names) -> dict[str, Card]:
    """Units and leaders on the board: figures, ranges, orders with what each costs now."""
    book = Book(find_system("thucidide"), lang, names)
    teller = _Cards(supposed(view, "", {}), book)
    units = {unit.code: teller.unit(unit) for unit in teller.battle.units.values() if unit.cell}
    leaders = teller.battle.leaders.values()
    return units | {one.code: teller.leader(one) for one in leaders if one.cell}


def _whose(view: Mapping[str, Any], period: int | None) -> tuple[int, str]:
    """A player-turn, by default the one that is played, and whose it is: they alternate."""
    turn, active = view["turn"], view["active"]
    if period is None or (turn - period) % 2 == 0:
        return period or turn, active
    return period, next(seat for seat in view["sides"] if seat != active)


def _drawn_of(view: Mapping[str, Any], lang: str, names: Names) -> _Drawn:
    """Who stands on the field that a view shows."""
    book = Book(find_system("thucidide"), lang, names)
    return _Drawn(view["sides"], view["units"], view["leaders"], book)


@films("thucidide")
def battle_film(_header: Header, steps: Sequence[Step], voice: Voice) -> Film | None:
    """The battle, event by event."""
    if not steps:
        return None
    first: Battle = steps[0].before
    drawn = _Drawn(first.sides, first.units, first.leaders, voice.own)

    def pieces(battle: Battle) -> tuple[Piece, ...]:
        return drawn.pieces(battle.units, battle.leaders)

    scene = Scene(first.board, drawn.called, pieces(first), people=drawn.people)
    return filmed_field(scene, steps, voice, pieces, lambda step: _struck(step, drawn))


def _struck(step: Step, drawn: _Drawn) -> tuple[Arrow, ...]:
    """An arrow from the unit that fights to its target, at the event that begins the combat."""
    event = step.event
    if event.rule not in ("TH-F5", "TH-F7") or "target" not in event.data:
        return ()
    units = step.after.units if step.after.fight is not None else step.before.units
    unit, target = units.get(event.data["unit"]), units.get(event.data["target"])
    if unit is None or target is None or not (unit.cell and target.cell):
        return ()
    fight = step.after.fight
    shot = fight is not None and fight.shooting
    return (Arrow((unit.cell, target.cell), drawn.side(unit.seat), "shot" if shot else "attack"),)


class _Drawn:
    """Turns units and leaders into pieces; labels stay the same for a whole battle."""

    def __init__(
        self,
        sides: Mapping[str, Side],
        units: Mapping[str, Unit],
        leaders: Mapping[str, Leader],
        book: Book,
    ) -> None:
        self.book, self.sides = book, sides
        self._units, self._leaders = units, leaders
        self.called = tuple(book.say(f"seat.{seat}") for seat in sides)
        self.people = tuple(book.introduced(seat) for seat in sides)
        self._seats = tuple(sides)
        self.labels: dict[str, str] = {}
        for seat in sides:
            codes = [unit.code for unit in units.values() if unit.seat == seat]
            codes += [leader.code for leader in leaders.values() if leader.seat == seat]
            self.labels |= short_labels({code: self.book.word("mover", code) for code in codes})

    def side(self, seat: str) -> int:
        """The number of a side."""
        return self._seats.index(seat)

    def scene(self, board: Board, turn: int, active: str, *, tokens: bool = False) -> Scene:
        """The board at one moment."""
        title = self._say(
            "title", board=curved(board.names[self.book.lang]), turn=(turn + 1) // 2,
            seat=active,
        )  # fmt: skip
        if tokens:
            held = [
                self._say("tokens", seat=seat, tokens=side.tokens)
                for seat, side in self.sides.items()
            ]
            title = "\n".join((title, *held))
        pieces = self.pieces(self._units, self._leaders)
        return Scene(board, self.called, pieces, title=title, people=self.people)

    def pieces(self, units: Mapping[str, Unit], leaders: Mapping[str, Leader]) -> tuple[Piece, ...]:
        """Everybody who is on the board."""
        standing = [self._unit(unit) for unit in units.values() if unit.cell]
        return (*standing, *[self._leader(one) for one in leaders.values() if one.cell])

    def _unit(self, unit: Unit) -> Piece:
        figures, marks = unit.figures, unit.marks
        label = self.labels[unit.code]
        badges = (
            *((ACTS,) if marks.by else ()),
            *((unit.formation[:2].capitalize(),) if unit.formation else ()),
            *((LOOSE,) if unit.loose else ()),
        )
        title = self._say(
            "unit", name=self.book.word("mover", unit.code), label=label,
            elements=unit.elements, start=unit.start, assault=figures.assault,
            melee=figures.melee, shooting=figures.shooting, reach=figures.reach,
            formation=unit.formation, loose=unit.loose, acts=bool(marks.by),
        )  # fmt: skip
        return Piece(
            unit.code, unit.cell, self.side(unit.seat), symbol_of(figures), label,
            str(unit.elements), badges, title,
        )  # fmt: skip

    def _leader(self, leader: Leader) -> Piece:
        label = self.labels[leader.code]
        title = self._say(
            "leader", name=self.book.word("mover", leader.code), label=label,
            rank=leader.rank if leader.names else "", reach=leader.reach,
        )  # fmt: skip
        return Piece(
            leader.code, leader.cell, self.side(leader.seat), leader.rank, label, title=title
        )

    def _say(self, key: str, **data: Any) -> str:
        return self.book.say(f"board.thucidide.{key}", **data)


class _Cards:
    """What readers may know of each piece; all is public."""

    def __init__(self, battle: Battle, book: Book) -> None:
        self.battle, self.book = battle, book

    def unit(self, unit: Unit) -> Card:
        """A unit: what it is and can do, who leads it, what its orders cost."""
        figures, far = unit.figures, stride(unit)
        led = ", ".join(self.book.word("mover", one.code) for one in commanding(self.battle, unit))
        near = ", ".join(
            self.book.word("mover", one.code) for one in influencing(self.battle, unit)
        )
        facts = [
            self._fact("arm", arm=figures.arm, weight=figures.weight),
            self._fact("elements", elements=unit.elements, start=unit.start),
            self._fact("moves", fight=far.fight, most=far.most),
            self._fact("assault", dice=figures.assault),
            self._fact("melee", dice=figures.melee),
            self._fact("shooting", dice=figures.shooting, reach=figures.reach),
            self._fact("support", rule=bool(support_of(self.battle, unit))),
            self._fact("led", leaders=led, influence=near),
            *self._orders(unit),
        ]
        notes = self._say(
            "card.state", formation=unit.formation, loose=unit.loose, acts=bool(unit.marks.by),
            moved=unit.marks.moved, fought=unit.marks.fought,
        )  # fmt: skip
        return self._card(unit, facts, notes, zones(self.battle, unit))

    def leader(self, leader: Leader) -> Card:
        """A leader: his rank and ranges, and what single orders cost with him."""
        own = [(code, price) for code, price in leader.prices.items()]
        facts = [
            self._fact("rank", rank=leader.rank),
            self._fact("command", reach=leader.reach),
            self._fact("influence", reach=leader.influence),
            *([(self._say("card.own"), self._priced(own))] if own else []),
        ]
        return self._card(leader, facts, "", ranges(self.battle, leader))

    def _orders(self, unit: Unit) -> list[tuple[str, str]]:
        """What orders to a unit cost now, family by family (TH-3.4)."""
        able = {"monter": unit.other is not None, "formation": bool(unit.formations)}
        manoeuvres = [code for code in FOR_A_UNIT if able.get(code, True)]
        offered = {"manoeuvre": manoeuvres, "attack": codes("attack"), "defence": codes("defence")}
        if not in_reach(self.battle, unit):
            return [self._fact("out_of_reach")]
        arm = unit.figures.arm
        return [
            (
                self._say(f"card.{family}"),
                self._priced(
                    [
                        (code, cost(self.battle, code, unit).total)
                        for code in known
                        if ORDERS[code].suits(arm)
                    ]
                ),
            )
            for family, known in offered.items()
        ]

    def _priced(self, orders: Sequence[tuple[str, int]]) -> str:
        return ", ".join(
            self._say(
                "card.price", order=self.book.say(f"order.{code}"), tokens=tokens,
                each=ORDERS[code].each,
            )
            for code, tokens in orders
        )  # fmt: skip

    def _card(
        self, piece: Unit | Leader, facts: Sequence[tuple[str, str]], state: str,
        reached: Mapping[str, Sequence[str]],
    ) -> Card:  # fmt: skip
        return Card(
            self.book.word("mover", piece.code), self.book.say(f"seat.{piece.seat}"), "",
            tuple([fact for fact in facts if fact[1]]), tuple(filter(None, [state.strip()])),
            tuple([Zone(self._say(f"zone.{kind}"), tuple(at)) for kind, at in reached.items()]),
        )  # fmt: skip

    def _fact(self, what: str, **data: Any) -> tuple[str, str]:
        return self._say(f"card.{what}"), self._say(f"value.{what}", **data)

    def _say(self, key: str, **data: Any) -> str:
        return self.book.say(f"board.thucidide.{key}", **data)


def symbol_of(figures: UnitFigures) -> Symbol:
    """The sign of a kind of unit, by its arm and weight."""
    if figures.arm == "infantry":
        if figures.shooting and figures.reach > 1 and figures.shooting >= figures.assault:
            return "missile"
        return "light_infantry" if figures.is_light else "infantry"
    if figures.arm == "cavalry":
        return "light_cavalry" if figures.is_light else "cavalry"
    return figures.arm
