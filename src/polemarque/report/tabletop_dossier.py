"""The dossier of a battle and its return sheet, for the table: who, where, with what, and a form.

Everything is read off the brief that the campaign handed over (PA-1), so every campaign has them.
Army lists may be private: a seat is given the battles that it fights, the umpire all, and
everybody where and by whom each is fought, with more only of one that all may look at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from polemarque.bridges.house import guests_of
from polemarque.bridges.tabletop import SPENT, form_of_sheet
from polemarque.kernel.battle_brief import FATES, Brief, BriefUnit, Side
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.records.record import Header
from polemarque.kernel.run import Runner
from polemarque.report.documents.document import Block, Document, Section, Table, paragraph
from polemarque.report.labels import Names
from polemarque.report.narrator import Voice
from polemarque.report.sheets import seat_name

BLANK = "……"
"""Where something is to be written."""

BOX = "☐"
"""Before what may be ticked."""

BETWEEN = " · "


def open_briefs(runner: Runner) -> list[Brief]:
    """The briefs of all battles that are open, those inside battles included."""
    found = []
    for brief, inner in runner.branches:
        found += [brief, *open_briefs(inner)]
    return found


def dossiers(
    header: Header, runner: Runner, lang: str, names: Names | None = None, seat: str | None = None
) -> Document:
    """Dossier and return sheet of each open battle.

    names: family of texts -> code -> name (the players'), over the game's own.
    seat:  whose battles, None for the umpire's copy of all, or "" for what everybody may know.
    Raises NotUnderstood on an unknown seat, NotAllowed if no such battle is open.
    """
    if seat and seat not in header.seats:
        raise NotUnderstood("seat.unknown", part=seat, legal=header.seats)
    briefs = [
        brief
        for brief in open_briefs(runner)
        if not seat or seat in [side.seat for side in brief.sides]
    ]
    if not briefs:
        raise NotAllowed("sheet.no_battle", rule="PA-1", part=seat or header.system)
    paper = _Paper(Voice(header, lang, names, runner.state), runner.period)
    sections = [
        paper.notice(brief) if seat == "" and not brief.seen_by("") else paper.dossier(brief)
        for brief in briefs
    ]
    return Document(paper.say("title", n=len(briefs)), lang, tuple(sections))


class _Paper:
    """Writes the papers of one campaign."""

    def __init__(self, voice: Voice, period: int) -> None:
        self.lang = voice.lang
        self.book = voice.own
        self.table = voice.book("tabletop")
        self.period = period

    def say(self, key: str, **data: Any) -> str:
        """One of the dossier's own texts."""
        return self.book.say(f"dossier.{key}", **data)

    def dossier(self, brief: Brief) -> Section:
        """One battle: its head, both armies, and the sheet to fill in."""
        blocks: list[Block] = [self._head(brief)]
        for side, role in zip(brief.sides, ("attacker", "defender"), strict=True):
            blocks.append(self._side(side, self.say(role)))
        blocks.append(self._return_sheet(brief))
        return Section(self.say("battle", place=self._place(brief)), tuple(blocks))

    def notice(self, brief: Brief) -> Section:
        """What everybody knows of a battle: where it is fought, and by whom."""
        rows = [(self.say("row.place"), self._place(brief))]
        rows += [
            (self.say(f"row.{role}"), seat_name(self.book, side.seat))
            for side, role in zip(brief.sides, ("attacker", "defender"), strict=True)
        ]
        head = (self.book.say("sheet.item"), self.book.say("sheet.entry"))
        title = self.say("battle", place=self._place(brief))
        return Section(title, (Table(head, tuple(rows)),))

    # The head --------------------------------------------------------------------------------

    def _place(self, brief: Brief) -> str:
        return self.book.word("place", brief.place)

    def _head(self, brief: Brief) -> Table:
        """Where, when and under which circumstances; who resolves it."""
        rows = [
            ("place", self._place(brief)),
            ("when", self.book.say("chronicle.period", period=self.period)),
            ("season", self._said("season", brief.season)),
            ("terrain", self._said("terrain", brief.terrain)),
            ("fortress", self.say("yes" if brief.fortress else "no")),
            ("resolver", self.table.word("battle_system", brief.resolver)),
            *self._facts(brief.facts),
        ]
        head = (self.book.say("sheet.item"), self.book.say("sheet.entry"))
        said = [(self.say(f"row.{key}"), entry) for key, entry in rows if entry]
        return Table(head, tuple(said))

    def _said(self, family: str, word: str) -> str:
        return self.say(f"{family}.{word}") if word else ""

    def _facts(self, facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """What the campaign itself wants to be known: ground, scenario, strategies, sectors."""
        if facts.get("ground"):
            yield "ground", self._said("ground", facts["ground"])
        if facts.get("scenario"):
            yield "scenario", self.book.word("scenario", facts["scenario"])
        strategies = [self.book.word("strategy", word) for word in facts.get("strategies") or ()]
        yield "strategies", BETWEEN.join(strategies)
        for key in ("by", "walls"):
            yield key, seat_name(self.book, facts[key]) if facts.get(key) else ""
        for number, elements in enumerate(facts.get("sectors") or (), 1):
            laid = ", ".join([self.book.word("element", element) for element in elements])
            if laid:
                yield "sector", self.say("sector", number=number, elements=laid)

    # Armies ----------------------------------------------------------------------------------

    def _side(self, side: Side, role: str) -> Section:
        """A side: its units, its leaders, its mercenaries, its rights."""
        columns = ("unit", "figures", "points", "profile")
        rows = [
            (self._called(side, unit), str(unit.figures), str(unit.points), self._profile(unit))
            for unit in side.units
        ]
        rows += [
            (self._hired(guest), str(guest.figures), str(guest.points), self._profile(guest))
            for guest in guests_of(side)
        ]
        blocks: list[Block] = [Table(self._columns(columns), tuple(rows))]
        if side.leaders:
            leaders = [
                (
                    _name(one.names, one.name, self.lang),
                    self.say(f"rank.{one.rank}"),
                    str(one.points),
                )
                for one in side.leaders
            ]
            blocks.append(Table(self._columns(("leader", "rank", "points")), tuple(leaders)))
        rights = [self.say(f"right.{right}") for right in _rights(side)]
        if rights:
            blocks.append(paragraph(self.say("rights", rights=rights)))
        if side.absent:
            blocks.append(paragraph(self.say("absent"), "em"))
        title = self.say("side", role=role, seat=seat_name(self.book, side.seat))
        return Section(title, tuple(blocks))

    def _called(self, side: Side, unit: BriefUnit) -> str:
        """A unit by its name, with its number where several bear the same."""
        name = _name(unit.names, unit.name, self.lang)
        alike = [other for other in side.units if other.name == unit.name]
        return self.say("numbered", name=name, number=unit.id) if len(alike) > 1 else name

    def _hired(self, guest: BriefUnit) -> str:
        return self.say("guest", name=_name(guest.names, guest.name, self.lang))

    def _profile(self, unit: BriefUnit) -> str:
        """The campaign's own figures of a unit, those that are numbers."""
        shown = [
            self.say(f"stat.{key}", n=value)
            for key, value in unit.profile.items()
            if isinstance(value, int) and not isinstance(value, bool)
        ]
        return BETWEEN.join(shown)

    def _columns(self, keys: Sequence[str]) -> tuple[str, ...]:
        return tuple([self.say(f"column.{key}") for key in keys])

    # The return sheet ------------------------------------------------------------------------

    def _return_sheet(self, brief: Brief) -> Section:
        """What both players fill in, alike, and sign."""
        form = form_of_sheet(brief)
        results = [self.table.say(f"table_result.{word}") for word in form.results]
        blocks: list[Block] = [paragraph(self._ticks(self.say("result"), results))]
        counted = "points" in form.results
        left, broken = ("left",) * form.left, ("broken",) * counted
        columns = ("unit", "figures", "killed", *left, *broken)
        for side in brief.sides:
            units = [unit for unit in side.units if not unit.profile.get("whole")]
            empty = (BLANK,) * (len(columns) - 2)
            rows = [(self._called(side, unit), str(unit.figures), *empty) for unit in units]
            if counted:
                nothing = ("",) * (len(columns) - 3)
                rows += [(self._hired(g), *nothing, "", BLANK) for g in guests_of(side)]
            if rows:
                caption = seat_name(self.book, side.seat)
                blocks.append(Table(self._columns(columns), tuple(rows), caption))
            fates = [self.table.say(f"fate.{word}") for word in FATES]
            for one in side.leaders:
                said = _name(one.names, one.name, self.lang)
                blocks.append(paragraph(self._ticks(said, fates)))
            spent = [self.table.say(f"spent.{word}") for word in SPENT]
            for right in side.rights.get("once", ()):
                said = self.say("spent", right=self.say(f"right.{right}"))
                blocks.append(paragraph(self._ticks(said, spent)))
        names = [seat_name(self.book, side.seat) for side in brief.sides]
        if counted:
            blocks += [paragraph(self._counts(name)) for name in names]
        signed = [self.say("signed", name=name, blank=BLANK * 4) for name in names]
        blocks.append(paragraph(BETWEEN.join(signed)))
        return Section(self.say("return_sheet"), tuple(blocks))

    def _counts(self, name: str) -> str:
        """What victory points are counted from, beside units and characters (AT-8.6)."""
        counts = [
            self.table.say("part.quarters", which=name),
            self.table.say("part.standards", which=name),
            self.table.say("part.army_standard", which=name),
        ]
        return BETWEEN.join([self.say("ticks", what=each, words=BLANK) for each in counts])

    def _ticks(self, what: str, words: Sequence[str]) -> str:
        return self.say("ticks", what=what, words="   ".join([f"{BOX} {word}" for word in words]))


def _name(names: Mapping[str, str], code: str, lang: str) -> str:
    return names.get(lang, code)


def _rights(side: Side) -> list[str]:
    """The rights of a side that a player can do something with."""
    held = [name for name in ("engineer", "guard") if side.rights.get(name) is True]
    return [*side.rights.get("once", ()), *held]
