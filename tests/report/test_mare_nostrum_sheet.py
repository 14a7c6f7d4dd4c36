"""The campaign sheet of Mare Nostrum: what a seat has, as the campaign stands."""

from __future__ import annotations

from functools import cache

import pytest
from msgspec.structs import replace

from polemarque.bots.play import play_game
from polemarque.kernel.files.sentence_templates import plainly
from polemarque.kernel.game import Game, new_header
from polemarque.report.documents.document import Section, Table, said, walk
from polemarque.report.sheets import sheets
from polemarque.systems.mare_nostrum.chapters.acclamation import happiness_of
from polemarque.systems.mare_nostrum.pieces import Route
from polemarque.systems.mare_nostrum.reach import dues
from polemarque.systems.mare_nostrum.tables import RESOURCES


@cache
def campaign() -> Game:
    game = Game(new_header("mare_nostrum", scenario="quartet", seed=3))
    bots = dict.fromkeys(game.header.seats, "random")
    play_game(game, bots, stop=lambda game: len(game.entries) > 80)
    return game


def tables(seat: str, lang: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Rows by the heading above them."""
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    heading = ""
    filled = sheets(campaign().header, campaign().state, lang, seat=seat)
    for _, block in walk(filled):
        if isinstance(block, str):
            heading = block
        elif isinstance(block, Table):
            found[heading] = block.rows
    return found


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_every_sheet_can_be_filled(lang: str) -> None:
    document = sheets(campaign().header, campaign().state, lang)
    assert len([block for block in document.blocks if isinstance(block, Section)]) == 4
    text = "\n".join(said(document))
    assert "{" not in text
    assert "None" not in text


@pytest.mark.parametrize("seat", ["A", "B", "C", "D"])
def test_it_lists_all_that_a_seat_has(seat: str) -> None:
    state, rows = campaign().state, tables(seat, "en")
    owned = [row[0] for row in rows.get("Provinces", ())]
    names = [state.atlas.by_id[place].names["en"] for place in state.lands_of(seat)]
    assert owned == sorted(names, key=plainly)
    pieces = [row[0] for row in rows.get("Armies and fleets", ())]
    assert sorted(pieces) == sorted([piece.id for piece in state.pieces_of(seat)])
    upkeep = {row[0]: row[-1] for row in rows.get("Armies and fleets", ())}
    for due in dues(state, seat):
        assert upkeep[due.piece].replace("\u00a0", " ") == f"{due.cost.total} gp"


def test_mercenaries_in_an_army_are_named() -> None:
    game = campaign()
    army = game.state.armies_of("A")[0]
    hired = game.state.army_changed(army.id, stands=(*army.stands[:-2], "celts", "celts"))
    text = "\n".join(said(sheets(game.header, hired, "fr", seat="A")))
    names = {one.key: one.names["fr"] for one in hired.lists.mercenaries}
    assert text.replace("\u00a0", " ").count(f"dont {names['celts']}") == 1
    assert text.count(names["celts"]) == 1


def test_the_index_of_the_day_has_its_reasons() -> None:
    index = happiness_of(campaign().state, "A").total
    text = "\n".join(said(sheets(campaign().header, campaign().state, "en", seat="A")))
    assert f"would be {index}% today" in text.replace("\u00a0", "")
    assert "(base +100" in text


def test_a_route_tells_what_it_brings_a_turn_and_the_head_what_all_bring() -> None:
    state, seat = campaign().state, "A"
    home = state.seats[seat].home
    routes = {n: Route(n, seat, "wine", home, "latium", 1) for n in ("AR801", "AR802")}
    value = RESOURCES["wine"].value
    assert value
    for cut, each in ((False, value), (True, 0)):
        stands = replace(state, routes=routes).land_changed(home, cut=cut, siege=None)
        rows: dict[str, str] = {}
        for _, block in walk(sheets(campaign().header, stands, "en", seat=seat)):
            if isinstance(block, Table):
                rows |= {row[0]: row[-1].replace("\u00a0", " ") for row in block.rows}
        assert rows["AR801"] == rows["AR802"] == f"{each} gp"
        assert rows["Trade routes, a turn"] == f"{2 * each} gp"


def test_provinces_go_by_their_names_in_the_readers_language_and_pieces_by_place() -> None:
    seat = max(campaign().state.seats, key=lambda code: len(campaign().state.lands_of(code)))
    for lang, forces in (("fr", "Armées et flottes"), ("en", "Armies and fleets")):
        places = [plainly(row[0]) for row in tables(seat, lang)["Provinces"]]
        assert len(places) > 1 and places == sorted(places)
        where = [plainly(row[2]) for row in tables(seat, lang)[forces]]
        assert where == sorted(where)
