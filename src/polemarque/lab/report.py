"""The report of a study: one page for an umpire, in words first, then in tables.

Every figure says on how many games it rests; what an interval cannot tell apart is not told.
"""

from __future__ import annotations

import csv
import io
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
from polemarque.lab.intervals import Gap, Share, Z, share
from polemarque.lab.levelling import Level, Point
from polemarque.lab.significance import LEVEL, holm, least_gap
from polemarque.lab.statistics import (
    FEW_GAMES,
    Change,
    Row,
    Seat,
    StudyFigures,
    Turn,
    half_way,
)
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

ROWS = ("event", "fate", "outcome")
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
    level = findings.level
    if level is None:
        won = [_seat_of(found, findings.seat).won for found in findings.figures]
        equal = [found.equal for found in findings.figures]
    else:
        won, equal = [p.won for p in level.points], [p.equal for p in level.points]
    name = with_code(Voice(findings.plans[0].header, lang).own.name(findings.seat), findings.seat)
    series = {
        name: [round(100 * each.part) for each in won],
        _texts().say(lang, "lab.curve_equal"): [round(100 * part) for part in equal],
    }
    intervals = [(round(100 * each.low), round(100 * each.high)) for each in won]
    return curves(series, findings.names, intervals, [int(name) for name in findings.names])


def _seat_of(found: StudyFigures, seat: str) -> Seat:
    return next(each for each in found.seats if each.seat == seat)


CSV_HEAD = ("setup", "figure", "of", "value", "low", "high", "games", "p")


def csv_of(findings: Findings) -> str:
    """All figures as a table for other programs, one a line, in no language.

    Columns: the set-up; the figure; the seat, bot, turn or row that it is of; its value, and from
    where to where it lies at 95 %; on how many games it rests; p.  Shares are parts of 1, gaps
    too.  What a figure does not have is empty.
    """
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")

    def write(row: Sequence[object]) -> None:
        writer.writerow([f"{each:.6g}" if isinstance(each, float) else each for each in row])

    write(CSV_HEAD)
    for name, found in zip(findings.names or (findings.scenario,), findings.figures, strict=True):
        for row in _rows_of(found):
            write((name, *row))
    for name, changes in zip(findings.names[1:], findings.changes, strict=False):
        for each in changes:
            of = each.seat or each.turn or ""
            write((name, f"change_{each.what}", of, *_apart(each.gap), each.pairs, each.p))
    for name, step in zip(findings.names[1:], findings.steps, strict=False):
        write((name, "step_seat", step.seat, *_apart(step.gap), step.pairs, step.p))
    return lines.getvalue()


def _rows_of(found: StudyFigures) -> Iterator[tuple[object, ...]]:
    """The figures of one set-up, without its name."""
    for seat in found.seats:
        yield ("won", seat.seat, *_shared(seat.won), seat.p)
    for bot in found.bots:
        yield ("bot", bot.bot, *_shared(bot.won), bot.p)
    yield ("no_winner", "", *_shared(share(found.games - found.won, found.games)), "")
    for what in ("turns", "decided", "swings", "battles", "asked"):
        spread = getattr(found, what)
        if spread is not None:
            wide = Z * spread.error
            yield (what, "", spread.mean, spread.mean - wide, spread.mean + wide, spread.n, "")
    for turn in found.by_turn if found.ranked else ():
        if turn.lead.of:
            yield ("lead", turn.turn, *_shared(turn.lead), "" if turn.p is None else turn.p)
    for row in found.rows:
        yield ("row", f"{row.rule} {row.kind}", *_shared(row.won), row.p)


def _apart(gap: Gap) -> tuple[float, float, float]:
    return gap.value, gap.low, gap.high


def _shared(found: Share) -> tuple[float, float, float, int]:
    return found.part, found.low, found.high, found.of


def curve(findings: Findings, lang: str) -> str | None:
    """How often the sole leader wins in the end, turn by turn, as SVG; None with too few games.

    Of a single set-up, what its leaders would win by their seats alone is drawn beside.
    """
    leads = [_points(each) for each in findings.figures]
    steps = min([len(points) for points in leads])
    if steps < 2 or len(leads) > len(STROKES):
        return None
    say = _texts().say
    names = findings.names or (say(lang, "lab.curve_lead"),)
    series = {name: points[:steps] for name, points in zip(names, leads, strict=True)}
    if len(leads) == 1:
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
        self._books = [Voice(plan.header, lang).own for plan in findings.plans]
        self._book = self._books[0]

    def document(self) -> Document:
        """See `report`."""
        given = self.findings
        if given.figure:
            brief = self._level() if given.level else self._sweep()
        elif given.grades:
            brief = self._skill()
        else:
            brief = self._side_by_side() if given.names else self._brief()
        blocks: list[Block] = [*self._played(), Section(self._say("brief"), tuple(brief))]
        drawn = picture_of(given, self.lang)
        if given.figure:
            table = self._points(given.level) if given.level else self._values()
            how = self._say("points_told" if given.level else "values_told",
                            seat=self._named(given.seat))  # fmt: skip
            heading = self._say("values", figure=given.figure)
            blocks.append(Section(heading, (paragraph(how), table)))
        else:
            blocks += [self._changed(number) for number in range(len(given.changes))]
            for number, found in enumerate(given.figures):
                blocks += self._tables(found, number)
        if drawn is not None:
            svg, file = drawn
            said = "curve_swept" if given.figure else "curve"
            words = self._say(said, figure=given.figure, seat=self._named(given.seat))
            blocks.append(Picture(svg, self._say("drawn", file=file), words))
        return Document(
            self._say("title", system=self._book.system_title), self.lang, tuple(blocks)
        )

    # What was played ---------------------------------------------------------------------------

    def _played(self) -> Iterator[Block]:
        plans = self.findings.plans
        yield paragraph(
            self._say(
                "played", games=self.first.games, scenario=self.findings.scenario,
                seats=len(self.header.seats), seed=self.findings.seed,
                bots=self.findings.names if self.findings.grades else _bots(plans[0]),
                options=chosen(self.header), moving=plans[0].rounds > 1,
            )
        )  # fmt: skip
        names, given = self.findings.names, self.findings
        if given.figure:
            yield paragraph(self._say("along", figure=given.figure, first=names[0], last=names[-1]))
        elif len(names) > 1 and not given.grades:
            yield paragraph(self._say("second", names=names[1:]))
        yield paragraph(self._say("bots"), "em")

    # In brief ----------------------------------------------------------------------------------

    def _brief(self) -> Iterator[Block]:
        found = self.first
        if not found.games:
            yield line(self._say("no_games"))
            return
        yield line(" ".join(self._seats(found)))
        if found.bots:
            yield line(" ".join(self._bots(found)))
        yield line(" ".join(self._lead(found)))
        yield line(" ".join(self._work(found)))

    def _side_by_side(self) -> Iterator[Block]:
        """Which of several set-ups is level?"""
        given = self.findings
        for number, (name, found) in enumerate(zip(given.names, given.figures, strict=True)):
            said = " ".join(self._verdicts(found, number)) if found.games else self._say("no_games")
            yield Line((Span(f"{name}. ", "strong"), Span(said)))
        yield line(" ".join(self._seen(self.first)))
        rows = [
            (
                name, str(found.games), *[self._percent(seat.won.part) for seat in found.seats],
                str(found.games - found.won), self._mean(found.turns.mean) if found.turns else "–",
            )
            for name, found in zip(given.names, given.figures, strict=True)
        ]  # fmt: skip
        seats = [self._common(seat) for seat in self.header.seats]
        head = (*self._head(["setup", "games"]), *seats, *self._head(["winnerless", "length"]))
        yield Table(head, tuple(rows))

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
        for verdict in ("favoured", "disadvantaged"):
            told = [
                self._say("shown", seat=self._named(seat.seat, number), **self._share(seat.won))
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
                    "needed", seat=self._named(next_.seat, number),
                    part=self._percent(next_.won.part), n=next_.needed,
                )  # fmt: skip

    def _seen(self, found: StudyFigures) -> Iterator[str]:
        """What a study of this size could have found."""
        if found.found is not None:
            of = found.found
            yield self._say(
                "found", part=self._percent(of.part), equal=self._percent(1 / len(found.seats)),
                power=self._percent(of.power), games=of.games,
            )  # fmt: skip

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
        if found.swings is not None:
            yield self._say(
                "swings", mean=self._few(found.swings.mean), most=int(found.swings.most)
            )

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
        if found.choice is not None:
            yield self._say(
                "choice", free=self._percent(found.choice.free),
                answers=min(_rounded(found.choice.answers), MANY), many=MANY,
                more=found.choice.answers > MANY, games=found.choice.games,
            )  # fmt: skip
        out = [seat.out for seat in found.seats if seat.out is not None]
        if out:
            yield self._say("out", n=sum(out), games=found.games)

    # Bots of several grades --------------------------------------------------------------------

    def _skill(self) -> Iterator[Block]:
        """Does the better player win, and by how much?"""
        pairs = [found.bots[-1] for found in self.findings.figures if found.bots]
        worse = [found.bots[0].bot for found in self.findings.figures if found.bots]
        ps = holm([pair.p for pair in pairs])
        told = [p <= LEVEL and pair.won.part > pair.equal
                for pair, p in zip(pairs, ps, strict=True)]  # fmt: skip
        yield line(
            self._say("skill_all" if all(told) else "skill_some" if any(told) else "skill_none")
        )
        for pair, other, p in zip(pairs, worse, ps, strict=True):
            bound = pair.won.low if pair.won.part > pair.equal else pair.won.high
            key = "open" if p > LEVEL else "more" if pair.won.part > pair.equal else "less"
            yield line(
                self._say(
                    f"skill_{key}", bot=pair.bot, other=other, **self._share(pair.won),
                    equal=self._percent(pair.equal), elo=round(abs(_elo(bound, pair.equal))),
                    p=self._p(p),
                )
            )  # fmt: skip
        drawn = [found.games - found.won for found in self.findings.figures]
        if any(drawn):
            of = zip(self.findings.names, drawn, strict=True)
            yield line(self._say("skill_drawn", drawn=[f"{name} {n}" for name, n in of]))

    # A figure swept or levelled ----------------------------------------------------------------

    def _sweep(self) -> Iterator[Block]:
        """Where the share changes."""
        given = self.findings
        if not all(found.games for found in given.figures):
            yield line(self._say("no_games"))
            return
        ends = [_seat_of(found, given.seat).won for found in (self.first, given.figures[-1])]
        yield line(
            self._say(
                "sweep", seat=self._named(given.seat), figure=given.figure, first=given.names[0],
                last=given.names[-1], low=self._percent(ends[0].part),
                high=self._percent(ends[1].part),
            )
        )  # fmt: skip
        told = [(at, step) for at, step in enumerate(given.steps) if step.told]
        if not told:
            yield line(self._say("no_step"))
        for at, step in sorted(told, key=lambda each: each[1].p)[:MOST_STEPS]:
            yield line(
                self._say(
                    "step", one=given.names[at], other=given.names[at + 1],
                    gap=self._gap(step, step.gap.value),
                )
            )  # fmt: skip

    def _values(self) -> Table:
        """Each value of a sweep."""
        given = self.findings
        others = [seat for seat in self.header.seats if seat != given.seat]
        rows = []
        for at, (name, found) in enumerate(zip(given.names, given.figures, strict=True)):
            won = _seat_of(found, given.seat).won
            step = given.steps[at - 1] if 0 < at <= len(given.steps) else None
            rows.append(
                (
                    name, str(found.games), self._percent(won.part), self._interval(won),
                    *[self._percent(_seat_of(found, seat).won.part) for seat in others],
                    str(found.games - found.won),
                    self._mean(found.turns.mean) if found.turns else "–",
                    self._gap(step, step.gap.value) if step else "–",
                    self._p(step.p) if step else "–",
                    self._say(f"gap_{_told(step)}") if step else "–",
                )
            )  # fmt: skip
        head = (
            *self._head(["value", "games"]), self._named(given.seat), *self._head(["interval"]),
            *map(self._named, others),
            *self._head(["winnerless", "length", "gap", "p", "verdict"]),
        )  # fmt: skip
        return Table(head, tuple(rows))

    def _level(self) -> Iterator[Block]:
        """Which value makes it level, or why none does."""
        level, names = self.findings.level, self.findings.names
        assert level is not None
        data = {
            "figure": self.findings.figure, "seat": self._named(level.seat), "value": level.value,
            "beyond": level.beyond, "first": names[0], "last": names[-1],
        }  # fmt: skip
        for name, value in (("", level.value), ("_beyond", level.beyond)):
            point = next((each for each in level.points if each.value == value), None)
            if point is not None:
                data |= {f"{key}{name}": said for key, said in self._share(point.won).items()}
        data["equal"] = self._percent(level.points[0].equal)
        yield line(
            self._say(
                f"level_{level.verdict}", **data, gap=self._points_of(level.ends.value),
                from_=self._points_of(level.ends.low), to=self._points_of(level.ends.high),
            )
        )  # fmt: skip
        if level.verdict == "found":
            span = {"low": level.low, "high": level.high, "seat": data["seat"]}
            known = "".join([name[0] for name in ("low", "high") if span[name] is not None])
            yield line(self._say(f"level_span_{known or 'none'}", **span))
        yield line(self._say("level_games", games=level.games, n=len(level.points)))

    def _points(self, level: Level) -> Table:
        """Each value that was tried."""
        rows = [
            (
                str(point.value), f"{point.won.hits}/{point.won.of}",
                self._percent(point.won.part), self._interval(point.won), self._p(point.p),
                self._say(f"verdict_{_side(point)}"),
            )
            for point in level.points
        ]  # fmt: skip
        head = self._head(["value", "won", "chance", "interval", "p", "verdict"])
        return Table(head, tuple(rows))

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

    def _row_table(self, found: StudyFigures) -> Table:
        """Rows that go with winning most."""
        rows = [
            (
                self._row_named(row), str(row.won.of), self._percent(row.won.part),
                self._interval(row.won), self._percent(row.seats), self._p(row.p),
                self._row_verdict(row),
            )
            for row in found.rows[:MOST_ROWS]
        ]  # fmt: skip
        head = ["row", "times", "wins", "interval", "by_seat", "p", "verdict"]
        return Table(self._head(head), tuple(rows))

    def _row_named(self, row: Row) -> str:
        book, kind = self._book, row.kind
        called = next(
            (book.say(f"{family}.{kind}") for family in ROWS if book.has(f"{family}.{kind}")),
            kind.replace("_", " "),
        )
        return self._say("row", rule=row.rule, row=called, least=row.least, often=row.least > 1)

    def _row_verdict(self, row: Row) -> str:
        if row.p > LEVEL:
            return self._say("gap_open")
        return self._say("row_wins" if row.won.part > row.seats else "row_loses")

    def _seat_table(self, found: StudyFigures, number: int) -> Table:
        out = any(seat.out is not None for seat in found.seats)
        head = ["seat", "won", "chance", "interval", "p", "verdict", "asked"]
        head += ["out"] if out else []
        rows = []
        for seat in found.seats:
            row = [
                self._named(seat.seat, number), str(seat.won.hits), self._percent(seat.won.part),
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
        head += ["alone", "wins", "interval", "by_seat", "decided"] if found.ranked else []
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
            return ["0", "–", "–", "–", str(turn.decided)]
        return [
            str(turn.lead.of), self._percent(turn.lead.part), self._interval(turn.lead),
            self._percent(turn.seats), str(turn.decided),
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
                self._say(f"gap_{_told(change)}"), self._between(*self._ends_of(change)),
                self._say("apart", n=change.differing, pairs=change.pairs), self._p(change.p),
            )
            for change in changes
        ]  # fmt: skip
        head = self._head(["what", "first", "other", "gap", "verdict", "interval", "apart", "p"])
        table = Table(head, tuple(rows))
        name = self.findings.names[number + 1]
        how = paragraph(self._say("changes_told"))
        return Section(self._say("changes", name=name), (paragraph(" ".join(words)), how, table))

    def _what(self, change: Change) -> str:
        seat = self._common(change.seat) if change.seat else ""
        return self._say(f"what_{change.what}", seat=seat, turn=change.turn)

    def _value(self, change: Change, value: float) -> str:
        return self._percent(value) if _is_share(change) else self._mean(value)

    def _gap(self, change: Change, value: float) -> str:
        """By how much it is more or less, with its sign: of shares in points of a hundred."""
        if not _is_share(change):
            said = self._mean(abs(value))
            return f"{_sign(value, abs(value) >= 0.005)}{said}"
        return self._points_of(value)

    def _ends(self, gap: Gap) -> tuple[str, str]:
        """From where to where a gap of shares may lie, the unit said once."""
        least = round(100 * abs(gap.low))
        return f"{_sign(gap.low, least > 0)}{least}", self._points_of(gap.high)

    def _ends_of(self, change: Change) -> tuple[str, str]:
        if _is_share(change):
            return self._ends(change.gap)
        return self._gap(change, change.gap.low), self._gap(change, change.gap.high)

    def _points_of(self, value: float) -> str:
        points = round(100 * abs(value))
        return self._say("points", n=f"{_sign(value, points > 0)}{points}")

    # Words and numbers -------------------------------------------------------------------------

    def _say(self, key: str, **data: Any) -> str:
        return _texts().say(self.lang, f"lab.{key}", **data)

    def _head(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple([self._say(f"head_{name}") for name in names])

    def _named(self, seat: str, number: int = 0) -> str:
        return with_code(self._books[number].name(seat), seat)

    def _common(self, seat: str) -> str:
        """A seat of several set-ups: by its name, if that is the same in all."""
        names = {self._named(seat, number) for number in range(len(self._books))}
        return names.pop() if len(names) == 1 else seat

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


def _rounded(number: float) -> int:
    """To two figures that count."""
    whole = round(number)
    return round(whole, 2 - len(str(whole)))


def _elo(part: float, equal: float) -> float:
    """A share beside the equal one in points of Elo: 400 times the logarithm of the odds' ratio."""
    part = min(max(part, 1e-9), 1 - 1e-9)
    return 400 * math.log10(part / (1 - part) / (equal / (1 - equal)))


def _side(point: Point) -> str:
    if not point.told:
        return "open"
    return "favoured" if point.won.part > point.equal else "disadvantaged"


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
