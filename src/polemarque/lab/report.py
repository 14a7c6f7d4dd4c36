"""The report of a study: one page for an umpire, in words first, then in tables.

Every figure says on how many games it rests; what an interval cannot tell apart is not told.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from polemarque.kernel.files.texts import Catalogue
from polemarque.kernel.records.record import Header
from polemarque.kernel.system import TURN_LIMIT, find_system
from polemarque.lab.comparisons import Change
from polemarque.lab.games import StudyPlan
from polemarque.lab.intervals import Share, gap_of_means, share
from polemarque.lab.levelling import Level
from polemarque.lab.significance import LEVEL, holm, least_gap
from polemarque.lab.statistics import FEW_GAMES, Row, Seat, StudyFigures, Turn, half_way, verdict
from polemarque.odds.wording import mean
from polemarque.report.documents.document import (
    Block,
    Document,
    Line,
    Picture,
    Section,
    Span,
    Table,
    line,
    paragraph,
)
from polemarque.report.documents.interactive_svg import STROKES, curves
from polemarque.report.labels import with_code
from polemarque.report.narrator import Voice

DATA = Path(__file__).parent / "data"

MOST_ROWS = 20
"""Turns that the table shows at most; of longer games one in so many."""

MOST_STEPS = 3
"""Steps of a sweep that are told in words."""

MANY = 1_000_000
"""More answers to a question than these are told as more."""

ROWS = ("rolled_as", "event", "fate", "outcome")
"""Families of a system's texts in which rows of its tables have names."""

FEW = 10
"""Fewer games than these make no point of the curve."""

CURVE, SWEEP = "snowball.svg", "sweep.svg"


class Findings(msgspec.Struct, frozen=True):
    """What a study has found, ready to be told.

    scenario: what the set-up is called.   names: of the plans, where there are several.
    figures: of each plan.   changes: of each plan after the first.
    figure: what is swept or levelled, its values being the names; "" for nothing.
    steps: of a sweep, from each value to the next, of the share of one seat.
    level: what was found of the level, whose values alone were played.
    grades: whether each plan has bots of two neighbouring grades, the better one last.
    """

    plans: tuple[StudyPlan, ...]
    scenario: str
    seed: int
    figures: tuple[StudyFigures, ...]
    changes: tuple[tuple[Change, ...], ...] = ()
    names: tuple[str, ...] = ()
    figure: str = ""
    steps: tuple[Change, ...] = ()
    level: Level | None = None
    grades: bool = False

    @property
    def seat(self) -> str:
        """Whose share a sweep or a level is about."""
        first = self.plans[0].header.seats[0]
        return self.level.seat if self.level else self.steps[0].seat if self.steps else first


@cache
def _texts() -> Catalogue:
    return Catalogue.load(DATA)


def report(findings: Findings, lang: str) -> Document:
    """The whole report."""
    return _Writer(findings, lang).document()


def picture_of(findings: Findings, lang: str) -> tuple[str, str] | None:
    """The drawing of a study and the name of its file, or None where nothing can be drawn."""
    if findings.figure:
        return _swept(findings, lang), SWEEP
    svg = curve(findings, lang)
    return None if svg is None else (svg, CURVE)


def _swept(findings: Findings, lang: str) -> str:
    """The share of the seat at each value with its interval, beside an equal share."""
    seat, level = findings.seat, findings.level
    if level is None:
        shares = [(_seat_of(found, seat).won, found.equal) for found in findings.figures]
    else:
        shares = [(point.won, point.equal) for point in level.points]
    name = with_code(Voice(findings.plans[0].header, lang).own.name(seat), seat)
    series = {
        name: [round(100 * won.part) for won, _ in shares],
        _texts().say(lang, "lab.curve_equal"): [round(100 * equal) for _, equal in shares],
    }
    intervals = [(round(100 * won.low), round(100 * won.high)) for won, _ in shares]
    return curves(series, findings.names, intervals, [int(name) for name in findings.names])


def curve(findings: Findings, lang: str) -> str | None:
    """How often the sole leader wins in the end, turn by turn, as SVG; None with too few games.

    Of a single set-up, what its leaders would win by their seats alone is drawn beside.
    """
    leads = [[*takewhile(lambda turn: turn.lead.of >= FEW, found.by_turn)]
             for found in findings.figures]  # fmt: skip
    steps = min(map(len, leads))
    if steps < 2 or len(leads) > len(STROKES):
        return None
    say = _texts().say
    names = findings.names or (say(lang, "lab.curve_lead"),)
    series = {name: [round(100 * turn.lead.part) for turn in turns[:steps]]
              for name, turns in zip(names, leads, strict=True)}  # fmt: skip
    if len(leads) == 1:
        series[say(lang, "lab.curve_seats")] = [round(100 * turn.seats) for turn in leads[0]]
    return curves(series, [str(turn) for turn in range(1, steps + 1)])


def _seat_of(found: StudyFigures, seat: str) -> Seat:
    return next(each for each in found.seats if each.seat == seat)


CSV_HEAD = ("setup", "figure", "of", "value", "low", "high", "games", "p")


def csv_of(findings: Findings) -> str:
    """All figures as a table for other programs, one a line, in no language.

    Columns: the set-up; the figure; the seat, bot, turn or row that it is of; its value, and from
    where to where it lies at 95 %; on how many games it rests; p.  Shares are parts of 1, gaps
    too.  What a figure does not have is empty; a name that begins like a formula has an apostrophe.
    """
    names = findings.names or (findings.scenario,)
    rows = [(name, *row) for name, found in zip(names, findings.figures, strict=True)
            for row in _rows_of(found)]  # fmt: skip
    rows += [(name, f"change_{each.what}", each.seat or each.turn or "", *_apart(each))
             for name, changes in zip(names[1:], findings.changes, strict=False)
             for each in changes]  # fmt: skip
    rows += [(name, "step_seat", step.seat, *_apart(step))
             for name, step in zip(names[1:], findings.steps, strict=False)]  # fmt: skip
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(CSV_HEAD)
    for row in rows:
        writer.writerow([_cell(each) for each in row])
    return lines.getvalue()


def _cell(value: object) -> object:
    """A figure shortened, and a text so that a spreadsheet takes none for a formula."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, str) and value[:1] in tuple("=+-@") and not value[1:].isdecimal():
        return f"'{value}"
    return value


def _rows_of(found: StudyFigures) -> Iterator[tuple[object, ...]]:
    """The figures of one set-up, without its name."""
    shares = [
        *[("won", seat.seat, seat.won, seat.p) for seat in found.seats],
        *[("bot", bot.bot, bot.won, bot.p) for bot in found.bots],
        ("no_winner", "", share(found.games - found.won, found.games), None),
        *[("lead", turn.turn, turn.lead, turn.p) for turn in found.by_turn if turn.lead.of],
        *[("row", f"{row.rule} {row.kind}", row.won, row.p) for row in found.rows],
    ]
    for what, of, won, p in shares:
        yield (what, of, won.part, won.low, won.high, won.of, "" if p is None else p)
    for what in ("turns", "decided", "swings", "battles", "asked"):
        if (spread := getattr(found, what)) is not None:
            mean = gap_of_means(spread)
            yield (what, "", mean.value, mean.low, mean.high, spread.n, "")


def _apart(change: Change) -> tuple[object, ...]:
    return change.gap.value, change.gap.low, change.gap.high, change.pairs, change.p


T = TypeVar("T")


class _Writer:
    """Writes the report of one study in one language."""

    def __init__(self, findings: Findings, lang: str) -> None:
        self.findings, self.lang = findings, lang
        self.first = findings.figures[0]
        self.header = findings.plans[0].header
        self._books = [Voice(plan.header, lang).own for plan in findings.plans]
        self._book = self._books[0]

    def document(self) -> Document:
        """See `report`."""
        given = self.findings
        if given.figure:
            brief = self._level(given.level) if given.level else self._sweep()
        elif given.grades:
            brief = self._skill()
        else:
            brief = self._side_by_side() if given.names else self._brief()
        blocks: list[Block] = [*self._played(), Section(self._say("brief"), tuple(brief))]
        if given.figure:
            blocks.append(self._values(given.level))
        else:
            blocks += [self._changed(number) for number in range(len(given.changes))]
            for number, found in enumerate(given.figures):
                blocks += self._tables(found, number)
        drawn = picture_of(given, self.lang)
        if drawn is not None:
            svg, file = drawn
            said = "curve_swept" if given.figure else "curve"
            words = self._say(said, figure=given.figure, seat=self._named(given.seat))
            blocks.append(Picture(svg, self._say("drawn", file=file), words))
        title = self._say("title", system=self._book.system_title)
        return Document(title, self.lang, tuple(blocks))

    # What was played ---------------------------------------------------------------------------

    def _played(self) -> Iterator[Block]:
        given, plans = self.findings, self.findings.plans
        yield paragraph(
            self._say(
                "played", games=self.first.games, scenario=given.scenario,
                seats=len(self.header.seats), seed=given.seed,
                bots=given.names if given.grades else _bots(plans[0]),
                options=_options(self.header), moving=plans[0].rounds > 1,
            )
        )  # fmt: skip
        if given.figure:
            first, *_, last = given.names
            yield paragraph(self._say("along", figure=given.figure, first=first, last=last))
        elif len(given.names) > 1 and not given.grades:
            yield paragraph(self._say("second", names=given.names[1:]))
        yield paragraph(self._say("bots"), "em")

    # In brief ----------------------------------------------------------------------------------

    def _brief(self) -> Iterator[Block]:
        found = self.first
        if not found.games:
            yield line(self._say("no_games"))
            return
        for told in (self._seats(found), self._bots(found), self._lead(found), self._work(found)):
            if words := " ".join(told):
                yield line(words)

    def _side_by_side(self) -> Iterator[Block]:
        """Which of several set-ups is level?"""
        given = self.findings
        for number, (name, found) in enumerate(zip(given.names, given.figures, strict=True)):
            said = " ".join(self._verdicts(found, number)) if found.games else self._say("no_games")
            yield Line((Span(f"{name}. ", "strong"), Span(said)))
        yield line(" ".join(self._seen(self.first)))
        yield self._setup_table()

    def _seats(self, found: StudyFigures) -> Iterator[str]:
        """Is a seat favoured or disadvantaged, and could it be seen?"""
        yield self._say("equal", equal=self._percent(found.equal), games=found.games)
        yield from self._verdicts(found)
        yield from self._seen(found)
        if found.won < found.games:
            yield self._say("winnerless", n=found.games - found.won, games=found.games)
        if found.shared:
            yield self._say("shared", n=found.shared, games=found.games)

    def _verdicts(self, found: StudyFigures, number: int = 0) -> Iterator[str]:
        shown = sorted(found.seats, key=lambda seat: -seat.won.part)
        for kind in ("favoured", "disadvantaged"):
            told = [
                self._say("shown", seat=self._named(seat.seat, number), **self._share(seat.won))
                for seat in shown
                if seat.verdict == kind
            ]
            if told:
                yield self._say(kind, seats=told)
        if all(seat.verdict == "open" for seat in shown):
            yield self._say("level")
            unclear = [seat for seat in shown if seat.needed]
            if unclear:
                next_ = min(unclear, key=lambda seat: seat.needed or 0)
                yield self._say(
                    "needed", seat=self._named(next_.seat, number),
                    part=self._percent(next_.won.part), n=next_.needed,
                )  # fmt: skip

    def _seen(self, found: StudyFigures) -> Iterator[str]:
        """What a study of this size could have found."""
        if (of := found.found) is not None:
            yield self._say(
                "found", part=self._percent(of.part), equal=self._percent(1 / len(found.seats)),
                power=self._percent(of.power), games=of.games,
            )  # fmt: skip

    def _bots(self, found: StudyFigures) -> Iterator[str]:
        """Which bot is the better, whatever seats they had."""
        for bot in sorted(found.bots, key=lambda bot: bot.equal - bot.won.part):
            equal = self._percent(bot.equal)
            yield self._say(f"bot_{bot.verdict}", bot=bot.bot, **self._share(bot.won), equal=equal)

    def _lead(self, found: StudyFigures) -> Iterator[str]:
        """Does the leader snowball, and how early is it decided?"""
        if not found.ranked:
            yield self._say("unranked")
            return
        half = half_way(found)
        turn = found.by_turn[half - 1] if half else None
        if turn is not None and turn.lead.of >= FEW:
            yield self._say(f"lead_{_worth(turn)}")
            if turn.p is not None:
                yield self._say(
                    "lead", turn=half, **self._share(turn.lead), seats=self._percent(turn.seats),
                    n=turn.lead.of,
                )  # fmt: skip
        elif turn is not None:
            yield self._say("few_leads", turn=half, n=turn.lead.of)
        if (decided := found.decided) is not None:
            yield self._say(
                "decided", turn=int(decided.middle), low=int(decided.low),
                high=int(decided.high), n=decided.n,
            )  # fmt: skip
        if (swings := found.swings) is not None:
            yield self._say("swings", mean=self._few(swings.mean), most=int(swings.most))

    def _work(self, found: StudyFigures) -> Iterator[str]:
        """How long it lasts, and how much there is to do."""
        turns, battles, asked, choice = found.turns, found.battles, found.asked, found.choice
        if turns is not None:
            always, mostly = turns.least == turns.most, turns.low == turns.high
            yield self._say(
                "always" if always else "mostly" if mostly else "lasts",
                turns=int(turns.middle), low=int(turns.low), high=int(turns.high),
                least=int(turns.least), most=int(turns.most), games=found.games,
            )  # fmt: skip
            limit = self.header.options.get(TURN_LIMIT, 0)
            if 0 < limit <= turns.most:
                yield self._say("cut", limit=limit)  # in rounds, where a system counts those
        if battles is not None and battles.most:
            yield self._say("battles", mean=self._few(battles.mean), most=int(battles.most))
        if asked is not None:
            yield self._say("asked", mean=self._few(asked.mean), most=int(asked.most))
        if round(found.before):
            yield self._say("before", n=round(found.before))
        if found.umpire:
            yield self._say("umpire", mean=self._few(found.umpire))
        if choice is not None:
            yield self._say(
                "choice", free=self._percent(choice.free), games=choice.games,
                answers=min(_rounded(choice.answers), MANY), more=choice.answers > MANY,
            )  # fmt: skip
        out = [seat.out for seat in found.seats if seat.out is not None]
        if out:
            yield self._say("out", n=sum(out), games=found.games)

    # Bots of several grades --------------------------------------------------------------------

    def _skill(self) -> Iterator[Block]:
        """Does the better player win, and by how much?"""
        given = self.findings
        pairs = [found.bots for found in given.figures if found.bots]
        ps = holm([better.p for *_, better in pairs])
        verdicts = ["open" if p > LEVEL else "more" if better.won.part > better.equal else "less"
                    for (*_, better), p in zip(pairs, ps, strict=True)]  # fmt: skip
        beaten = verdicts.count("more")
        all_ = beaten == len(verdicts)
        yield line(self._say("skill_all" if all_ else "skill_some" if beaten else "skill_none"))
        for (worse, *_, better), told, p in zip(pairs, verdicts, ps, strict=True):
            won, equal = better.won, better.equal
            bound = won.low if won.part > equal else won.high
            yield line(
                self._say(
                    f"skill_{told}", bot=better.bot, other=worse.bot, **self._share(won),
                    equal=self._percent(equal), elo=round(abs(_elo(bound, equal))), p=self._p(p),
                )
            )  # fmt: skip
        drawn = [f"{name} {found.games - found.won}"
                 for name, found in zip(given.names, given.figures, strict=True)
                 if found.won < found.games]  # fmt: skip
        if drawn:
            yield line(self._say("skill_drawn", drawn=drawn))

    # A figure swept or levelled ----------------------------------------------------------------

    def _sweep(self) -> Iterator[Block]:
        """Where the share changes."""
        given = self.findings
        if not all(found.games for found in given.figures):
            yield line(self._say("no_games"))
            return
        names, seat = given.names, given.seat
        low, high = (self._percent(_seat_of(given.figures[at], seat).won.part) for at in (0, -1))
        yield line(
            self._say(
                "sweep", seat=self._named(seat), figure=given.figure, first=names[0],
                last=names[-1], low=low, high=high,
            )
        )  # fmt: skip
        told = [each for each in zip(names, names[1:], given.steps, strict=False) if each[2].told]
        if not told:
            yield line(self._say("no_step"))
        for one, other, step in sorted(told, key=lambda each: each[2].p)[:MOST_STEPS]:
            gap = self._points_of(step.gap.value)
            yield line(self._say("step", one=one, other=other, gap=gap))

    def _level(self, level: Level) -> Iterator[Block]:
        """Which value makes it level, or why none does."""
        names, seat = self.findings.names, self._named(level.seat)
        data: dict[str, Any] = {}
        for name, value in (("", level.value), ("_beyond", level.beyond)):
            point = next((each for each in level.points if each.value == value), None)
            if point is not None:
                data |= {f"{key}{name}": said for key, said in self._share(point.won).items()}
        yield line(
            self._say(
                f"level_{level.verdict}", **data, figure=self.findings.figure, seat=seat,
                value=level.value, beyond=level.beyond, first=names[0], last=names[-1],
                equal=self._percent(level.points[0].equal), gap=self._points_of(level.ends.value),
                from_=self._points_of(level.ends.low), to=self._points_of(level.ends.high),
            )
        )  # fmt: skip
        if level.verdict == "found":
            span = {"low": level.low, "high": level.high}
            known = "".join([name[0] for name, value in span.items() if value is not None])
            yield line(self._say(f"level_span_{known or 'none'}", **span, seat=seat))
        yield line(self._say("level_games", games=level.games, n=len(level.points)))

    def _values(self, level: Level | None) -> Section:
        """Each value that was played."""
        told = self._say("points_told" if level else "values_told",
                         seat=self._named(self.findings.seat))  # fmt: skip
        table = self._point_table(level) if level else self._setup_table()
        heading = self._say("values", figure=self.findings.figure)
        return Section(heading, (paragraph(told), table))

    # Tables ------------------------------------------------------------------------------------

    def _tables(self, found: StudyFigures, number: int) -> Iterator[Section]:
        if not found.games:
            return
        names = self.findings.names
        of = {"name": names[number] if names else ""}
        words = self._say("seats_told", games=found.games, equal=self._percent(found.equal))
        yield Section(self._say("seats", **of), (paragraph(words), self._seat_table(found, number)))
        said = paragraph(self._say("turns_ranked" if found.ranked else "turns_unranked"))
        yield Section(self._say("turns", **of), (said, self._turn_table(found)))
        if found.rows and not names:
            said = paragraph(self._say("rows_told", least=FEW_GAMES, n=len(found.rows)))
            yield Section(self._say("rows"), (said, self._row_table(found)))

    def _table(self, things: Sequence[T], **columns: Callable[[T], str] | None) -> Table:
        """A row for each thing; a column of None is left out."""
        shown = {name: cell for name, cell in columns.items() if cell is not None}
        rows = [tuple([cell(each) for cell in shown.values()]) for each in things]
        return Table(self._head(shown), tuple(rows))

    def _setup_table(self) -> Table:
        """The set-ups, or the values of a figure with what each step changes."""
        given = self.findings
        rows = []
        for at, (name, found) in enumerate(zip(given.names, given.figures, strict=True)):
            row = [
                name, str(found.games), *[self._percent(seat.won.part) for seat in found.seats],
                str(found.games - found.won), self._mean(found.turns.mean) if found.turns else "–",
            ]  # fmt: skip
            if given.figure:
                row.append(self._interval(_seat_of(found, given.seat).won))
                told = ["–"] * 3
                if 0 < at <= len(given.steps):
                    step = given.steps[at - 1]
                    gap = self._points_of(step.gap.value)
                    told = [gap, self._p(step.p), self._say(f"gap_{_told(step)}")]
                row += told
            rows.append(tuple(row))
        head = [*self._head(["value" if given.figure else "setup", "games"]),
                *map(self._common, self.header.seats),
                *self._head(["winnerless", "length"])]  # fmt: skip
        if given.figure:
            head += self._head(["interval", "gap", "p", "verdict"])
        return Table(tuple(head), tuple(rows))

    def _point_table(self, level: Level) -> Table:
        return self._table(
            level.points,
            value=lambda point: str(point.value),
            won=lambda point: f"{point.won.hits}/{point.won.of}",
            part=lambda point: self._percent(point.won.part),
            interval=lambda point: self._interval(point.won),
            p=lambda point: self._p(point.p),
            verdict=lambda point: self._say(
                f"verdict_{verdict(point.won.part - point.equal, point.p)}", n=0
            ),
        )

    def _seat_table(self, found: StudyFigures, number: int) -> Table:
        def told(seat: Seat) -> str:
            key = "unclear" if seat.verdict == "open" and seat.needed else seat.verdict
            return self._say(f"verdict_{key}", n=seat.needed or 0)

        out = any(seat.out is not None for seat in found.seats)
        return self._table(
            found.seats,
            seat=lambda seat: self._named(seat.seat, number),
            won=lambda seat: str(seat.won.hits),
            part=lambda seat: self._percent(seat.won.part),
            interval=lambda seat: self._interval(seat.won),
            p=lambda seat: self._p(seat.p),
            verdict=told,
            asked=lambda seat: self._few(seat.asked),
            out=(lambda seat: str(seat.out)) if out else None,
        )

    def _turn_table(self, found: StudyFigures) -> Table:
        every, battles = -(-len(found.by_turn) // MOST_ROWS), found.battles

        def of_lead(cell: Callable[[Turn], str]) -> Callable[[Turn], str] | None:
            return (lambda turn: cell(turn) if turn.lead.of else "–") if found.ranked else None

        return self._table(
            found.by_turn[::every],
            turn=lambda turn: str(turn.turn),
            games=lambda turn: str(turn.games),
            alone=(lambda turn: str(turn.lead.of)) if found.ranked else None,
            wins=of_lead(lambda turn: self._percent(turn.lead.part)),
            interval=of_lead(lambda turn: self._interval(turn.lead)),
            by_seat=of_lead(lambda turn: self._percent(turn.seats)),
            decided=(lambda turn: str(turn.decided)) if found.ranked else None,
            battles=(lambda turn: self._few(turn.battles)) if battles and battles.most else None,
            asked=lambda turn: self._few(turn.asked),
        )

    def _row_table(self, found: StudyFigures) -> Table:
        """Results that go with winning most."""

        def named(row: Row) -> str:
            book, keys = self._book, [f"{family}.{row.kind}" for family in ROWS]
            plain = row.kind.replace("_", " ")
            called = next((book.say(key) for key in keys if book.has(key)), plain)
            often = row.least > 1
            return self._say("row", rule=row.rule, row=called, least=row.least, often=often)

        return self._table(
            found.rows[:MOST_ROWS],
            row=named,
            times=lambda row: str(row.won.of),
            wins=lambda row: self._percent(row.won.part),
            interval=lambda row: self._interval(row.won),
            by_seat=lambda row: self._percent(row.seats),
            p=lambda row: self._p(row.p),
            verdict=lambda row: self._say(f"row_{verdict(row.won.part - row.seats, row.p)}"),
        )

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
        table = self._table(
            changes,
            what=lambda change: self._say(
                f"what_{change.what}", turn=change.turn,
                seat=self._common(change.seat) if change.seat else "",
            ),
            first=lambda change: self._value(change, change.first),
            other=lambda change: self._value(change, change.second),
            gap=lambda change: self._gap(change, change.gap.value),
            verdict=lambda change: self._say(f"gap_{_told(change)}"),
            interval=self._ends_of,
            apart=lambda change: self._say("apart", n=change.differing, pairs=change.pairs),
            p=lambda change: self._p(change.p),
        )  # fmt: skip
        name, how = self.findings.names[number + 1], paragraph(self._say("changes_told"))
        return Section(self._say("changes", name=name), (paragraph(" ".join(words)), how, table))

    def _value(self, change: Change, value: float) -> str:
        return self._percent(value) if _is_share(change) else self._mean(value)

    def _gap(self, change: Change, value: float) -> str:
        """By how much it is more or less, with its sign: of shares in points of a hundred."""
        return self._points_of(value) if _is_share(change) else self._signed(value, 2)

    def _ends_of(self, change: Change) -> str:
        """From where to where a gap may lie; of shares the unit is said once."""
        low, gap = change.gap.low, change.gap
        said = self._signed(100 * low, 0) if _is_share(change) else self._gap(change, low)
        return self._say("between", low=said, high=self._gap(change, gap.high))

    # Words and numbers -------------------------------------------------------------------------

    def _say(self, key: str, **data: Any) -> str:
        return _texts().say(self.lang, f"lab.{key}", **data)

    def _head(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple([self._say(f"head_{name}") for name in names])

    def _named(self, seat: str, number: int = 0) -> str:
        return with_code(self._books[number].name(seat), seat)

    def _common(self, seat: str) -> str:
        """A seat of several set-ups: by its name, if that is the same in all."""
        names = {self._named(seat, number) for number in range(len(self._books))}
        return names.pop() if len(names) == 1 else seat

    def _share(self, found: Share) -> dict[str, str]:
        return {name: self._percent(getattr(found, name)) for name in ("part", "low", "high")}

    def _interval(self, found: Share) -> str:
        return self._say("between", low=self._percent(found.low), high=self._percent(found.high))

    def _percent(self, part: float) -> str:
        whole = round(100 * part)
        return f"{whole}\N{NO-BREAK SPACE}%" if self.lang == "fr" else f"{whole}%"

    def _mean(self, number: float, places: int = 2) -> str:
        return mean(number, self.lang, places)

    def _few(self, number: float) -> str:
        return self._mean(number, 1)

    def _p(self, p: float) -> str:
        return self._mean(p, 3) if p >= 0.001 else f"<{self._mean(0.001, 3)}"

    def _signed(self, value: float, places: int) -> str:
        said = self._mean(abs(value), places)
        sign = "+" if value > 0 else "−"
        return said if float(f"{value:.{places}f}") == 0 else f"{sign}{said}"

    def _points_of(self, value: float) -> str:
        return self._say("points", n=self._signed(100 * value, 0))


def _told(change: Change) -> str:
    """What can be said of a change: a key of the texts."""
    if not change.differing:
        return "same"
    return "told" if change.told else "open"


def _rounded(number: float) -> int:
    """To two figures that count."""
    whole = round(number)
    return round(whole, 2 - len(str(whole)))


def _elo(part: float, equal: float) -> float:
    """A share beside the equal one in points of Elo: 400 times the logarithm of the odds' ratio."""
    part = min(max(part, 1e-9), 1 - 1e-9)
    return 400 * math.log10(part / (1 - part) / (equal / (1 - equal)))


def _is_share(change: Change) -> bool:
    return change.what in {"seat", "lead"}


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


def _options(header: Header) -> list[str]:
    """The options that are not their system's defaults, as a command line has them."""
    defaults = {choice.name: choice.default for choice in find_system(header.system).options}
    return [f"{name}={str(value).lower() if isinstance(value, bool) else value}"
            for name, value in header.options.items() if value != defaults[name]]  # fmt: skip
