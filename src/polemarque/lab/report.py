"""The report of a study: one page for an umpire, in words first, then in tables.

Every figure says on how many games it rests; what an interval cannot tell apart is not told.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from polemarque.kernel.files.texts import Catalogue
from polemarque.kernel.records.record import Header
from polemarque.kernel.system import TURN_LIMIT, find_system
from polemarque.lab.games import StudyPlan
from polemarque.lab.intervals import Share
from polemarque.lab.significance import LEVEL, least_gap
from polemarque.lab.statistics import Change, Seat, StudyFigures, Turn, half_way
from polemarque.odds.wording import mean
from polemarque.report.documents.document import Block, Document, Picture, Section, Table, paragraph
from polemarque.report.documents.interactive_svg import curves
from polemarque.report.labels import with_code
from polemarque.report.narrator import Voice

DATA = Path(__file__).parent / "data"

MOST_ROWS = 20
"""Turns that the table shows at most; of longer games one in so many."""

FEW = 10
"""Fewer games than these make no point of the curve."""

CURVE = "snowball.svg"


class Findings(msgspec.Struct, frozen=True):
    """What a study has found, ready to be told.

    scenario: what the set-up is called.   names: of the plans, where there are several.
    figures: of each plan.   changes: of each plan after the first.
    """

    plans: tuple[StudyPlan, ...]
    scenario: str
    seed: int
    figures: tuple[StudyFigures, ...]
    changes: tuple[tuple[Change, ...], ...] = ()
    names: tuple[str, ...] = ()


@cache
def _texts() -> Catalogue:
    return Catalogue.load(DATA)


def report(findings: Findings, lang: str) -> Document:
    """The whole report."""
    return _Writer(findings, lang).document()


def curve(findings: Findings, lang: str) -> str | None:
    """How often the sole leader wins in the end, turn by turn, as SVG; None with too few games.

    What the first set-up's leaders would win by their seats alone is drawn beside.
    """
    leads = [_points(each) for each in findings.figures]
    steps = min([len(points) for points in leads])
    if steps < 2:
        return None
    say = _texts().say
    names = findings.names or (say(lang, "lab.curve_lead"),)
    series = {name: points[:steps] for name, points in zip(names, leads, strict=True)}
    turns = findings.figures[0].by_turn[:steps]
    series[say(lang, "lab.curve_seats")] = [round(100 * turn.seats) for turn in turns]
    return curves(series, [str(turn) for turn in range(1, steps + 1)])


def _points(found: StudyFigures) -> list[int]:
    """Percentages, as far as each rests on enough games."""
    points = []
    for turn in found.by_turn:
        if turn.lead.of < FEW:
            break
        points.append(round(100 * turn.lead.part))
    return points


class _Writer:
    """Writes the report of one study in one language."""

    def __init__(self, findings: Findings, lang: str) -> None:
        self.findings, self.lang = findings, lang
        self.first = findings.figures[0]
        self.header = findings.plans[0].header
        self._book = Voice(self.header, lang).own

    def document(self) -> Document:
        """See `report`."""
        blocks: list[Block] = [*self._played(), Section(self._say("brief"), tuple(self._brief()))]
        blocks += [self._changed(number) for number in range(len(self.findings.changes))]
        for number, found in enumerate(self.findings.figures):
            blocks += self._tables(found, number)
        svg = curve(self.findings, self.lang)
        if svg is not None:
            blocks.append(Picture(svg, self._say("curve", file=CURVE)))
        return Document(
            self._say("title", system=self._book.system_title), self.lang, tuple(blocks)
        )

    # What was played ---------------------------------------------------------------------------

    def _played(self) -> Iterator[Block]:
        plans = self.findings.plans
        yield paragraph(
            self._say(
                "played", games=self.first.games, scenario=self.findings.scenario,
                seats=len(self.header.seats), seed=self.findings.seed, bots=_bots(plans[0]),
                options=chosen(self.header),
            )
        )  # fmt: skip
        for name, found in zip(self.findings.names[1:], self.findings.figures[1:], strict=True):
            yield paragraph(self._say("second", games=found.games, name=name))
        yield paragraph(self._say("bots"), "em")

    # In brief ----------------------------------------------------------------------------------

    def _brief(self) -> Iterator[Block]:
        found = self.first
        if not found.games:
            yield paragraph(self._say("no_games"))
            return
        yield paragraph(" ".join(self._seats(found)))
        if found.bots:
            yield paragraph(" ".join(self._bots(found)))
        yield paragraph(" ".join(self._lead(found)))
        yield paragraph(" ".join(self._work(found)))

    def _seats(self, found: StudyFigures) -> Iterator[str]:
        """Is a seat favoured or disadvantaged?"""
        yield self._say("equal", equal=self._percent(found.equal), games=found.games)
        shown = sorted(found.seats, key=lambda seat: -seat.won.part)
        for verdict in ("favoured", "disadvantaged"):
            told = [
                self._say("shown", seat=self._named(seat.seat), **self._share(seat.won))
                for seat in shown
                if seat.verdict == verdict
            ]
            if told:
                yield self._say(verdict, seats=told)
        if all(seat.verdict == "open" for seat in shown):
            yield self._say("level")
            unclear = [seat for seat in shown if seat.needed]
            if unclear:
                next_ = min(unclear, key=lambda seat: seat.needed or 0)
                yield self._say(
                    "needed", seat=self._named(next_.seat), part=self._percent(next_.won.part),
                    n=next_.needed,
                )  # fmt: skip
        if found.found is not None:
            of = found.found
            yield self._say(
                "found", part=self._percent(of.part), equal=self._percent(1 / len(found.seats)),
                power=self._percent(of.power), games=of.games,
            )  # fmt: skip
        if found.won < found.games:
            yield self._say("winnerless", n=found.games - found.won, games=found.games)
        if found.shared:
            yield self._say("shared", n=found.shared, games=found.games)

    def _bots(self, found: StudyFigures) -> Iterator[str]:
        """Which bot is the better, whatever seats they had."""
        for bot in sorted(found.bots, key=lambda bot: bot.equal - bot.won.part):
            yield self._say(
                f"bot_{bot.verdict}", bot=bot.bot, **self._share(bot.won),
                equal=self._percent(bot.equal),
            )  # fmt: skip

    def _verdict(self, seat: Seat) -> str:
        key = "unclear" if seat.verdict == "open" and seat.needed else seat.verdict
        return self._say(f"verdict_{key}", n=seat.needed or 0)

    def _lead(self, found: StudyFigures) -> Iterator[str]:
        """Does the leader snowball, and how early is it decided?"""
        if not found.ranked:
            yield self._say("unranked")
            return
        half = half_way(found)
        turn = found.by_turn[half - 1] if half else None
        if turn is not None and turn.lead.of:
            yield self._say(f"lead_{_worth(turn)}")
            yield self._say(
                "lead", turn=half, **self._share(turn.lead), seats=self._percent(turn.seats),
                n=turn.lead.of,
            )  # fmt: skip
        elif half:
            yield self._say("no_lead", turn=half)
        if found.decided is not None and found.turns is not None:
            yield self._say(
                "decided", turn=int(found.decided.middle), low=int(found.decided.low),
                high=int(found.decided.high), n=found.decided.n,
                early=self._percent(found.early.part),
            )  # fmt: skip

    def _work(self, found: StudyFigures) -> Iterator[str]:
        """How long it lasts, and how much there is to do."""
        turns, battles, asked = found.turns, found.battles, found.asked
        if turns is not None and turns.least == turns.most:
            yield self._say("always", turns=int(turns.most), games=found.games)
        elif turns is not None:
            yield self._say(
                "mostly" if turns.low == turns.high else "lasts",
                turns=int(turns.middle), low=int(turns.low), high=int(turns.high),
                least=int(turns.least), most=int(turns.most), games=found.games,
            )  # fmt: skip
        limit = self.header.options.get(TURN_LIMIT, 0)
        if turns is not None and 0 < limit <= turns.most:
            yield self._say("cut", limit=limit)  # in rounds, where a system counts those
        if battles is not None and battles.most:
            yield self._say("battles", mean=self._few(battles.mean), most=int(battles.most))
        if asked is not None:
            yield self._say("asked", mean=self._few(asked.mean), most=int(asked.most))
        if round(found.before):
            yield self._say("before", n=round(found.before))
        if found.umpire:
            yield self._say("umpire", mean=self._few(found.umpire))
        out = [seat.out for seat in found.seats if seat.out is not None]
        if out:
            yield self._say("out", n=sum(out), games=found.games)

    # Tables ------------------------------------------------------------------------------------

    def _tables(self, found: StudyFigures, number: int) -> Iterator[Section]:
        if not found.games:
            return
        names = self.findings.names
        of = {"name": names[number] if names else ""}
        words = self._say("seats_told", games=found.games, equal=self._percent(found.equal))
        yield Section(self._say("seats", **of), (paragraph(words), self._seat_table(found)))
        said = paragraph(self._say("turns_ranked" if found.ranked else "turns_unranked"))
        yield Section(self._say("turns", **of), (said, self._turn_table(found)))

    def _seat_table(self, found: StudyFigures) -> Table:
        out = any(seat.out is not None for seat in found.seats)
        head = ["seat", "won", "chance", "interval", "p", "verdict", "asked"]
        head += ["out"] if out else []
        rows = []
        for seat in found.seats:
            row = [
                self._named(seat.seat), str(seat.won.hits), self._percent(seat.won.part),
                self._interval(seat.won), self._p(seat.p), self._verdict(seat),
                self._few(seat.asked), *([str(seat.out or 0)] if out else []),
            ]  # fmt: skip
            rows.append(tuple(row))
        return Table(self._head(head), tuple(rows))

    def _turn_table(self, found: StudyFigures) -> Table:
        every = -(-len(found.by_turn) // MOST_ROWS)
        battles = found.battles is not None and found.battles.most > 0
        out = any(turn.out is not None for turn in found.by_turn)
        head = ["turn", "games"]
        head += ["alone", "wins", "interval", "by_seat"] if found.ranked else []
        head += [*(["battles"] if battles else []), "asked", *(["out"] if out else [])]
        rows = []
        for turn in found.by_turn[::every]:
            row = [str(turn.turn), str(turn.games)]
            row += self._lead_cells(turn) if found.ranked else []
            row += [self._few(turn.battles)] if battles else []
            row.append(self._few(turn.asked))
            row += [self._few(turn.out or 0)] if out else []
            rows.append(tuple(row))
        return Table(self._head(head), tuple(rows))

    def _lead_cells(self, turn: Turn) -> list[str]:
        if not turn.lead.of:
            return ["0", "–", "–", "–"]
        return [
            str(turn.lead.of), self._percent(turn.lead.part), self._interval(turn.lead),
            self._percent(turn.seats),
        ]  # fmt: skip

    def _changed(self, number: int) -> Section:
        """A set-up beside the first."""
        changes = self.findings.changes[number]
        told = [change for change in changes if change.told]
        words = [self._say("changed" if told else "unchanged", n=len(told), of=len(changes))]
        most = max([c.differing for c in changes if c.what == "seat"], default=0)
        if most:
            level, pairs = LEVEL / sum(map(len, self.findings.changes)), changes[0].pairs
            gap = math.ceil(100 * least_gap(most, pairs, level))
            words.append(self._say("pairs", gap=gap, pairs=pairs))
        rows = [
            (
                self._what(change), self._value(change, change.first),
                self._value(change, change.second), self._gap(change, change.gap.value),
                self._between(*[self._gap(change, n) for n in (change.gap.low, change.gap.high)]),
                self._say("apart", n=change.differing, pairs=change.pairs), self._p(change.p),
                self._say(f"gap_{_told(change)}"),
            )
            for change in changes
        ]  # fmt: skip
        head = self._head(["what", "first", "other", "gap", "interval", "apart", "p", "verdict"])
        table = Table(head, tuple(rows), self._say("changes_caption"))
        name = self.findings.names[number + 1]
        return Section(self._say("changes", name=name), (paragraph(" ".join(words)), table))

    def _what(self, change: Change) -> str:
        seat = self._named(change.seat) if change.seat else ""
        return self._say(f"what_{change.what}", seat=seat, turn=change.turn)

    def _value(self, change: Change, value: float) -> str:
        return self._percent(value) if _is_share(change) else self._mean(value)

    def _gap(self, change: Change, value: float) -> str:
        """By how much it is more or less, with its sign: of shares in points of a hundred."""
        if not _is_share(change):
            said = self._mean(abs(value))
            return f"{_sign(value, abs(value) >= 0.005)}{said}"
        points = round(100 * abs(value))
        return self._say("points", n=f"{_sign(value, points > 0)}{points}")

    # Words and numbers -------------------------------------------------------------------------

    def _say(self, key: str, **data: Any) -> str:
        return _texts().say(self.lang, f"lab.{key}", **data)

    def _head(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple([self._say(f"head_{name}") for name in names])

    def _named(self, seat: str) -> str:
        return with_code(self._book.name(seat), seat)

    def _share(self, found: Share) -> dict[str, str]:
        return {
            "part": self._percent(found.part),
            "low": self._percent(found.low),
            "high": self._percent(found.high),
        }

    def _interval(self, found: Share) -> str:
        return self._between(self._percent(found.low), self._percent(found.high))

    def _between(self, low: str, high: str) -> str:
        return self._say("between", low=low, high=high)

    def _percent(self, part: float) -> str:
        whole = round(100 * part)
        return f"{whole}\N{NO-BREAK SPACE}%" if self.lang == "fr" else f"{whole}%"

    def _few(self, number: float) -> str:
        said = f"{number:.1f}"
        return said.replace(".", ",") if self.lang == "fr" else said

    def _mean(self, number: float) -> str:
        return mean(number, self.lang)

    def _p(self, p: float) -> str:
        said = f"{p:.3f}" if p >= 0.001 else "<0.001"
        return said.replace(".", ",") if self.lang == "fr" else said


def _told(change: Change) -> str:
    """What can be said of a change: a key of the texts."""
    if not change.differing:
        return "same"
    return "told" if change.told else "open"


def _is_share(change: Change) -> bool:
    return change.what in {"seat", "lead"}


def _sign(value: float, seen: bool) -> str:
    return ("+" if value > 0 else "−") if seen else ""


def _worth(turn: Turn) -> str:
    """What leading is worth as a turn ends: a key of the texts."""
    if turn.p is None:
        return "same"
    if turn.p > LEVEL:
        return "open"
    if turn.lead.part < turn.seats:
        return "less"
    return "more" if turn.lead.low > 0.5 else "some"


def _bots(plan: StudyPlan) -> list[str]:
    names = set(plan.bots.values())
    return [*names] if len(names) == 1 else [f"{s} {bot}" for s, bot in plan.bots.items()]


def chosen(header: Header) -> list[str]:
    """The options that are not their system's defaults, as a command line has them."""
    defaults = {choice.name: choice.default for choice in find_system(header.system).options}
    return [
        f"{name}={_plain(value)}"
        for name, value in header.options.items()
        if value != defaults[name]
    ]


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
