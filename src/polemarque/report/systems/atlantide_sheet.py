"""The campaign sheet of Atlantide (AT-11.1): head, a block a turn, the army, and the journal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from polemarque.kernel.events import Event, Sum
from polemarque.report.briefing_pack import sums_up, tells_agreements
from polemarque.report.documents.document import Block, Line, Section, Span, Table, line, paragraph
from polemarque.report.labels import Book
from polemarque.report.narrator import Voice
from polemarque.report.sheets import fills_open_sheet, fills_sheet, keeps_journal, seat_name
from polemarque.systems.atlantide.agreements import deals, offers_in
from polemarque.systems.atlantide.state import Seat, SheetRow, Waiting, War
from polemarque.systems.atlantide.strength import army_force, army_initiative
from polemarque.systems.atlantide.troops import Character, Unit, army_points, unit_worth
from polemarque.systems.atlantide.views import deal_said, sheet_header, view

NOTHING = "—"
"""Stands where there is nothing to say."""

BETWEEN = " · "
"""Between the entries of one cell."""

Row = tuple[str, str]


@fills_sheet("atlantide")
def sheet(war: War, seat: str, voice: Voice) -> Sequence[Block]:
    """A seat's sheet: it says what the seat itself sees, and nothing of the others' (AT-2.3)."""
    book = voice.own
    holder = war.seats[seat]
    turns = [
        Section(book.say("sheet.atlantide.turn", turn=row.turn), (_turn(row, book),))
        for row in war.sheets.get(seat, ())
    ]
    return (_head(war, seat, book), *turns, *_army(holder, voice), *_waiting(holder, book))


def _table(book: Book, rows: Iterable[Row]) -> Table:
    head = (book.say("sheet.item"), book.say("sheet.entry"))
    return Table(head, tuple([(item, entry or NOTHING) for item, entry in rows]))


def _head(war: War, seat: str, book: Book) -> Table:
    """The head of the annex's sheet, as the campaign stands."""
    head = sheet_header(war, seat)
    peoples = [head.people, book.word("people", head.catalogue)]
    cells = {
        "player": seat_name(book, seat),
        "people": BETWEEN.join(filter(None, peoples)),
        "kingdom": book.word("kingdom", head.kingdom),
        "loot": str(head.loot),
        "army_points": str(head.army_points),
        "combat_force": str(head.combat_force),
        "initiative": str(head.initiative),
        "territories": ", ".join([book.word("place", place) for place in head.territories]),
    }
    return _table(book, [(book.say(f"sheet.atlantide.{key}"), said) for key, said in cells.items()])


@fills_open_sheet("atlantide")
def open_sheet(war: War, seat: str, voice: Voice) -> Sequence[Block]:
    """What everybody sees of a seat: its people, its kingdom, its lands, where its army stands."""
    book, seen = voice.own, view(war, "")
    rival = seen.rivals[seat]
    lands = [place for place, land in seen.lands.items() if land.owner == seat]
    cells = {
        "player": seat_name(book, seat),
        "people": BETWEEN.join(filter(None, [rival.people, book.word("people", rival.catalogue)])),
        "kingdom": book.word("kingdom", rival.kingdom),
        "territories": ", ".join([book.word("place", place) for place in lands]),
        "camp": book.word("place", rival.camp.place) if rival.camp else "",
    }
    rows = [(book.say(f"sheet.atlantide.{key}"), said) for key, said in cells.items()]
    return (_table(book, rows),)


# A turn ------------------------------------------------------------------------------------------


def _turn(row: SheetRow, book: Book) -> Table:
    """The block of one turn, row by row as in the annex."""

    def label(key: str) -> str:
        return book.say(f"sheet.atlantide.{key}")

    agreements = [_agreement(book, said) for said in row.diplomacy]
    spent = row.taxes or row.spent or row.fortresses
    return _table(
        book,
        [
            (label("event"), book.word("event", row.event)),
            *zip(_once(label("diplomacy")), agreements or [""], strict=False),
            (
                label("spending"),
                book.say(
                    "sheet.atlantide.spent", taxes=row.taxes, spent=row.spent,
                    fortresses=row.fortresses,
                ) if spent else "",
            ),
            (label("supplied"), _supply(row, book)),
            (label("movement"), _movement(row, book)),
            (
                label("battle"),
                _joined(
                    book.word("strategy", row.strategy), book.word("scenario", row.scenario),
                    book.word("sheet.atlantide.result", row.result),
                ),
            ),
            (
                label("conquest"),
                _joined(
                    book.word("place", row.conquest),
                    book.word("sheet.atlantide.conquered", row.conquest_result),
                ),
            ),
            (label("notes"), _one_line(row.notes)),
        ],
    )  # fmt: skip


def _once(label: str) -> Iterator[str]:
    """A label for the first of several rows; the others have none."""
    yield label
    while True:
        yield ""


def _agreement(book: Book, said: str) -> str:
    """An agreement made or broken, as the row keeps it: ``agreed:passage:B``."""
    what, kind, seat = said.split(":")
    kind = book.word("agreement_kind", kind)
    return book.say(f"sheet.atlantide.{what}", what=kind, who=seat_name(book, seat))


def _supply(row: SheetRow, book: Book) -> str:
    if row.supplied is None:
        return ""
    if row.supplied:
        return book.say("sheet.atlantide.yes")
    effect = book.word("supply_effect", row.supply)
    return _joined(book.say("sheet.atlantide.no"), effect)


def _movement(row: SheetRow, book: Book) -> str:
    if not row.left:
        return ""
    way = "stays" if row.left == row.arrived else "moves" if row.arrived else "destroyed"
    places = {"left": row.left, "arrived": row.arrived}
    return book.say(f"sheet.atlantide.{way}", there=_land(book, row.left), **places)


def _land(book: Book, code: str) -> str:
    """A territory as it stands in a sentence, with its article if it has one."""
    return book.word("land" if book.has(f"land.{code}") else "place", code)


def _joined(*said: str) -> str:
    return BETWEEN.join(filter(None, said))


def _one_line(said: str) -> str:
    return " ".join(said.split())


# For the new commander of the seat --------------------------------------------------------------


@sums_up("atlantide")
def summary(war: War, seat: str, voice: Voice) -> Sequence[Block]:
    """The sheet without its turns, which the chronicle tells."""
    holder = war.seats[seat]
    return (_head(war, seat, voice.own), *_army(holder, voice), *_waiting(holder, voice.own))


@tells_agreements("atlantide")
def agreements(war: War, seat: str, voice: Voice) -> Sequence[Block]:
    """The agreements in force that the seat knows of, and the offers that wait (AT-4)."""
    book, seen = voice.own, view(war, seat)
    told = []
    for points in deals([each for each in seen.agreements if each.last_turn >= war.turn]):
        known = book.say(f"agreement_public.{str(points[0].public).lower()}")
        told.append(paragraph(_joined(deal_said(war, points, book.say), known)))
    for offer in offers_in(seen.proposals):
        terms = deal_said(war, offer.points, book.say)
        said = book.say("offer_said", seat=offer.by, terms=terms, public=offer.public)
        told.append(paragraph(said))
    return told


# The army (AT-8.12) ------------------------------------------------------------------------------


def _army(holder: Seat, voice: Voice) -> Sequence[Block]:
    """The list as it stands, with its experience notes, and what it adds up to, with reasons."""
    book, army = voice.own, holder.army
    if army is None:
        said = paragraph(book.say("sheet.atlantide.no_army"), "em")
        return (Section(book.say("sheet.atlantide.army"), (said,)),)
    place, points = _land(book, army.place), army_points(army)
    caption = book.say("sheet.atlantide.total", place=place, points=points)
    columns = ("unit", "figures", "points", "leadership", "experience")
    head = tuple([book.say(f"sheet.atlantide.column.{column}") for column in columns])
    rows = [_character(book, character) for character in army.characters]
    rows += [_unit(book, unit) for unit in army.units]
    told = [_sum("AT-1.5", "force", army_force(army), holder, voice)]
    told.append(_sum("AT-1.8", "initiative", army_initiative(army), holder, voice))
    listed = Table(head, tuple(rows), caption)
    return (Section(book.say("sheet.atlantide.army"), (listed, *told)),)


def _sum(rule: str, kind: str, parts: Sum, holder: Seat, voice: Voice) -> Line:
    """A total with its reasons, told as the chronicle tells it."""
    event = Event(rule, kind, {"seat": holder.code, kind: parts.total}, parts.parts)
    return Line((Span(voice.sentence(event)),), voice.why(event))


def _character(book: Book, character: Character) -> tuple[str, ...]:
    name = book.word("profile", character.profile)
    if character.general:
        name = book.say("sheet.atlantide.general", name=name)
    return _row(name, "1", character.points, character.ld, character.note)


def _unit(book: Book, unit: Unit) -> tuple[str, ...]:
    name = book.word("profile", unit.profile)
    if unit.die:
        name = book.say("sheet.atlantide.warband", name=name, die=unit.die)
    return _row(name, _figures(unit), int(unit_worth(unit)), unit.ld, unit.note)


def _row(name: str, figures: str, points: int, ld: int, note: str) -> tuple[str, ...]:
    return name, figures, str(points), str(ld), _one_line(note) or NOTHING


def _figures(unit: Unit) -> str:
    return str(unit.full) if unit.figures == unit.full else f"{unit.figures}/{unit.full}"


def _waiting(holder: Seat, book: Book) -> Sequence[Block]:
    """Units on their way to the army, if there are any (AT-10.3)."""
    rows = [row for waiting in holder.waiting for row in _on_the_way(waiting, book)]
    if not rows:
        return ()
    columns = ("unit", "figures", "cause", "place")
    head = tuple([book.say(f"sheet.atlantide.column.{column}") for column in columns])
    return (Section(book.say("sheet.atlantide.waiting"), (Table(head, tuple(rows)),)),)


def _on_the_way(waiting: Waiting, book: Book) -> Iterator[tuple[str, ...]]:
    cause = book.word("sheet.atlantide.cause", waiting.cause)
    place = book.word("place", waiting.place or "") or NOTHING
    for character in waiting.characters:
        yield book.word("profile", character.profile), "1", cause, place
    for unit in waiting.units:
        yield book.word("profile", unit.profile), _figures(unit), cause, place


# The journal (AT-11.2) ---------------------------------------------------------------------------


@keeps_journal("atlantide")
def journal(war: War, voice: Voice) -> Sequence[Block]:
    """Everything that was written into the campaign's journal, in order."""
    book = voice.own
    return [
        line(
            book.say(
                "sheet.atlantide.line",
                turn=entry.turn,
                author=_author(book, entry.author),
                text=_one_line(entry.text),
            )
        )
        for entry in war.journal
    ]


def _author(book: Book, code: str) -> str:
    """Who wrote a line: a seat, the umpire, or the gods."""
    said = book.word("sheet.atlantide.author", code)
    return book.name(code) if said == code else said
