"""Batailles classiques: both lines of battle, drawn and in words; their power phase by phase."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from polemarque.kernel.events import Event
from polemarque.kernel.files.sentence_templates import unbroken
from polemarque.kernel.system import find_system
from polemarque.report.boards.glyphs import colour_of
from polemarque.report.documents.document import Block, Picture, Table
from polemarque.report.documents.interactive_svg import Drawn, curves, standing
from polemarque.report.island.glyphs import INK, PAPER, folded, writing
from polemarque.report.labels import Book, Names
from polemarque.report.pictures import (
    BoardTold,
    Card,
    Seen,
    draws_chart,
    draws_view,
    tells_board,
    tells_pieces,
)

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
            name: self.called(side[name]) for name in ("name", "commander", "players", "armies")
        }  # fmt: skip
        units = [
            self.book.say("unit_said", **unit | {"name": self.called(unit["name"])})
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

    def cards(self, code: str) -> Iterator[tuple[str, Card]]:
        """A card for each unit that is left, with what its side is worth."""
        side = self.view["sides"][code]
        owner = self.called(side["name"]) or self.book.say("chart.batailles.side", side=code)
        left = [n for n, unit in enumerate(side["units"]) if unit["pm"]]
        for n in left:
            unit, figures = side["units"][n], side | {"count": len(left), "turn": left.index(n) + 1}
            figures |= {"power": unit["pm"], "bonus": unit["bonus"]}
            figures["commander"] = self.called(side["commander"])
            facts = tuple(
                [
                    (self._say(f"card.{name}"), self._say(f"card_said.{name}", **figures))
                    for name in ("power", "bonus", "turn", "morale", "command", "commander")
                    if name not in ("bonus", "commander") or figures[name]
                ]
            )
            yield piece_code(code, n), Card(self.called(unit["name"]), owner, "", facts)

    def rest(self) -> Iterator[str]:
        """What the last phase was, whose win still counts, and the variants that were chosen."""
        last, previous = self.view["last"], self.view["previous"]
        if last:
            yield self._say("last", **last, **{code: code for code in SIDES})
        if previous != "none" and not self.view["ending"]:
            yield self._say("previous", previous=previous)
        if variants := self.book.variants(self.view["options"]):
            yield variants

    def called(self, said: Any) -> Any:
        """A name, or several, in the reader's language."""
        if isinstance(said, str):
            return self.book.called.get(said, said)
        return [self.called(each) for each in said]

    def _say(self, key: str, **data: Any) -> str:
        return self.book.say(f"board.batailles.{key}", **data)


@tells_pieces("batailles")
def unit_cards(view: View, lang: str, names: Names) -> dict[str, Card]:
    """Units of both sides: all figures are public."""
    teller = _Teller(view, Book(find_system("batailles"), lang, names, names.get("force")))
    return {piece: card for code in SIDES for piece, card in teller.cards(code)}


def piece_code(side: str, number: int) -> str:
    """What a unit is known by on the board: its side, and its place in the order of losses."""
    return f"{side}.{number}"


# The lines of battle ------------------------------------------------------------------------------

FIELD = (660.0, 352.0)
"""Width and height of the drawing."""

FRONT, DEEP, MARGIN = 600.0, 56.0, 30.0
"""Breadth of the greater host at its start, depth of its line, and what is free beside it."""

ROWS = {"b": (40.0, 56.0), "a": (334.0, 252.0)}
"""Where a side's words stand, and the top of its line: the lines face each other."""

LETTER, TITLE, TOLD = 7.0, 13.0, 60
"""Breadth of a letter of a unit's and a side's name; letters in a line between the hosts."""

SIDE, BETWEEN = ' class="side"', ' class="between"'
"""What is not written in a unit: it is larger on a phone."""

STYLE = (
    f"text{{fill:{INK};font-family:serif}}.lost{{fill:none;stroke:{INK};stroke-dasharray:3 4}}"
    "@media(max-width:40rem){.side{font-size:24px}.between{font-size:20px}}"
)


@draws_view("batailles")
def lines(view: View, lang: str, names: Names, _period: int | None = None) -> Seen:
    """Both lines of battle: a block for each unit, as broad as its PM; what is lost is open."""
    teller = _Teller(view, Book(find_system("batailles"), lang, names, names.get("force")))
    greatest = max(side["start"] for side in view["sides"].values()) or 1
    drawn = [_line(teller, code, FRONT / greatest) for code in SIDES]
    ground, pieces = ("".join(part) for part in zip(*drawn, strict=True))
    told = [line for each in teller.rest() for line in textwrap.wrap(unbroken(each), TOLD)][:3]
    between = [writing(words, (FIELD[0] / 2, 150 + 26 * n), 15, extra=BETWEEN, halo=False)
               for n, words in enumerate(told)]  # fmt: skip
    shapes = {
        code: f'<rect x="{MARGIN}" y="{top}" width="{FRONT}" height="{DEEP}"/>'
        for code, (_, top) in ROWS.items()
    }
    paper = f'<rect width="{FIELD[0]}" height="{FIELD[1]}" fill="{PAPER}"/>'
    under = paper + ground + "".join(between)
    seen = Drawn(FIELD, "host", 1.5, lang, teller.title(), STYLE, "", under, "", pieces, "", shapes)
    return Seen(seen, {code: teller.side(code).replace("\n  ", " · ") for code in ROWS})


def _line(teller: _Teller, code: str, scale: float) -> tuple[str, str]:
    """One side: what it is called, had and has left; and its units in a line."""
    side, (head, top) = teller.view["sides"][code], ROWS[code]
    colour, x = colour_of(SIDES.index(code)), MARGIN
    broad, pieces = side["start"] * scale, []
    lost = f'<rect class="lost" x="{x}" y="{top}" width="{broad:.1f}" height="{DEEP}"/>'
    for number, unit in enumerate(side["units"]):
        broad = unit["pm"] * scale
        block = (
            f'<rect x="{x:.1f}" y="{top}" width="{broad:.1f}" height="{DEEP}"'
            f' fill="{colour}" fill-opacity=".3" stroke="{colour}" stroke-width="2"/>'
        )
        power = f"{unit['pm']} PM"
        for said in (
            [*folded(teller.called(unit["name"])), power],
            [power],
            [],
        ):  # as much as has room
            if max(map(len, said), default=0) * LETTER < broad:
                break
        middle, first = x + broad / 2, top + DEEP / 2 + 5 - 8 * (len(said) - 1)
        words = [writing(line, (middle, first + 16 * n), 14, halo=False)
                 for n, line in enumerate(said)]  # fmt: skip
        if unit["pm"]:
            pieces.append(standing(piece_code(code, number), code, "".join([block, *words])))
        x += broad
    name = teller.called(side["name"]) or teller.book.say("chart.batailles.side", side=code)
    told = teller.book.say("board.batailles.power", **side)
    beside = MARGIN + len(name) * TITLE + 14
    ground = writing(name, (MARGIN, head - 4), 20, anchor="start", extra=SIDE, halo=False)
    ground += writing(told, (beside, head - 4), 16, anchor="start", extra=BETWEEN, halo=False)
    return ground + lost, "".join(pieces)


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
