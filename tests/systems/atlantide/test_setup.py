"""Chapter AT-1: island, lists, kingdoms, placement (AT-1.1 to AT-1.4, AT-1.6, AT-1.9)."""

from __future__ import annotations

import random
import tomllib

import pytest

from polemarque.kernel.dice import Scripted
from polemarque.kernel.errors import NotAllowed, NotUnderstood, Refusal
from polemarque.kernel.game import Game, new_header, opening
from polemarque.odds.run_once import run_procedure
from polemarque.systems.atlantide import check, names
from polemarque.systems.atlantide.setup.island import ISLAND
from polemarque.systems.atlantide.setup.opening import main_terrain, order_of_choice
from polemarque.systems.atlantide.tables import DATA
from polemarque.systems.atlantide.troops import army_points

LIST = [
    ["mycenaean_lawagetas", 1], ["mycenaean_spearmen", 30], ["mycenaean_spearmen", 30],
    ["mycenaean_spearmen", 30], ["mycenaean_tribesmen", 30],
]  # fmt: skip


def header(**more):
    return new_header("atlantide", **{"seed": 3, "seats": 3, **more})


def started(**more):
    events = []
    game = Game(header(**more), publish=events.append)
    game.settle()
    return game, events


def settled(**more):
    """A game up to its first turn, everybody answering as the rules do for absent players."""
    game, events = started(**more)
    while not game.state.phase:
        request = game.requests()[0]
        game.absent(request.missing[0])
        game.settle()
    return game, events


# AT-1.1 ------------------------------------------------------------------------------------------


def test_AT_1_1_everybody_starts_with_a_kingdom_250_loot_and_1500_points():
    game, _ = settled()
    for seat in game.state.seats.values():
        assert len(game.state.lands_of(seat.code)) == 3 and seat.loot == 250
        assert 1400 < army_points(seat.army) <= 1500 and seat.army.general
        assert seat.army.place in game.state.lands_of(seat.code)
        assert seat.waiting == ()
    assert game.state.turn == 1


@pytest.mark.parametrize("seats", [2, 9])
def test_AT_1_1_two_to_nine_players(seats):
    game, _ = settled(seats=seats)
    assert len(game.state.seats) == seats


@pytest.mark.parametrize("seats", [1, 10])
def test_AT_1_1_neither_fewer_nor_more(seats):
    with pytest.raises(NotAllowed):
        header(seats=seats)


def test_AT_1_1_peoples_are_named_and_seen_lists_are_not():
    game, events = started()
    own = {"people": "Cimmériens", "catalogue": "hittites", "list": "sample_1"}
    game.answer("A", own)
    for seat in ("B", "C"):
        game.absent(seat)
    game.settle()
    told = [e for e in events if e.rule == "AT-1.1"]
    assert told[0].data == {"seat": "A", "people": "Cimmériens", "catalogue": "hittites"}
    assert [e.audience for e in events if e.rule == "AT-1.9"] == [("A",), ("B",), ("C",)]
    assert all(e.audience is None for e in told)


def test_AT_1_1_players_who_would_be_called_alike_are_told_apart():
    players = {
        "A": {"catalogue": "trojans"},
        "B": {"catalogue": "trojans"},
        "C": {"people": "Nous"},
    }
    state = opening(header(setup={"players": players})).state
    assert names(state, "en")["seat"] == {"A": "the Trojan A", "B": "the Trojan B", "C": "Nous"}


# AT-1.2 ------------------------------------------------------------------------------------------


def test_AT_1_2_ten_kingdoms_and_atlantis_is_nobodys():
    board = opening(header()).state.board
    assert len(board.kingdoms) == 10 and len(board.places) == 32
    assert sorted(map(len, board.kingdoms.values())) == [3] * 9 + [5]
    with pytest.raises(NotAllowed) as refusal:
        opening(header(setup={"players": {"A": {"kingdom": board.heart}}}))
    assert refusal.value.rule == "AT-1.2"


def own_map():
    content = tomllib.loads(ISLAND.read_text(encoding="utf-8"))
    content["territory"][0]["name"] = {"fr": "Le Puits", "en": "The Well"}
    return content


def test_AT_1_2_a_clubs_own_map_stands_in_the_record():
    mine = header(setup={"map": own_map()})
    state = opening(mine).state
    first = state.board.places[0]
    assert names(state, "en")["place"][first.id] == "The Well"
    assert names(state, "fr")["kingdom"]["gadirus"] == "Gadirus & Myrine"
    assert opening(header()).state.board.places[0].names["en"] != "The Well"


def test_AT_1_2_a_map_against_the_rules_is_refused():
    content = own_map()
    content["territory"][1]["city"] = "royal"
    for bad in (content, {"map": {}}, {}):
        with pytest.raises(NotUnderstood) as refusal:
            opening(header(setup={"map": bad}))
        assert (refusal.value.code, refusal.value.rule) == ("setup.map", "AT-1.2")


@pytest.mark.parametrize(
    ("file", "known"), [("island.toml", True), ("catalogue.toml", True), ("events.toml", False)]
)
def test_the_system_checks_files_of_its_own_kinds(file, known):
    found = check(DATA / file)
    assert found == () if known else found is None


# AT-1.3 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("die", "royal", "terrain"),
    [(1, False, "plains"), (2, False, "plains"), (3, False, "river_plains"), (4, False, "forest"),
     (5, False, "mountains"), (6, False, "mountains"), (1, True, "plains"), (3, True, "plains"),
     (4, True, "river_plains"), (5, True, "forest"), (6, True, "mountains")],
)  # fmt: skip
def test_AT_1_3_the_table_of_terrain(die, royal, terrain):
    ran = run_procedure(lambda: main_terrain.run(royal), Scripted((die,)))
    assert ran.value.terrain == terrain
    assert [m.reason for m in ran.modifiers] == (["royal_city"] if royal else [])


def test_AT_1_3_every_territory_is_rolled_but_those_of_atlantis():
    game, events = started()
    rolled = next(e for e in events if e.rule == "AT-1.3")
    board, lands = game.state.board, game.state.lands
    assert len(rolled.dice[0].faces) == 27
    for place, die in zip(rolled.dice[0].whom, rolled.dice[0].faces, strict=True):
        total = die - board.is_city(place)
        wanted = ["plains", "river_plains", "forest", "mountains", "mountains"][max(total, 2) - 2]
        assert lands[place].terrain == wanted
    assert {lands[p].terrain for p in board.kingdoms[board.heart]} == {"mountains"}


def test_AT_1_3_variant_map_takes_the_maps_own_terrain():
    game, events = started(options={"terrain": "map"})
    assert not [e for e in events if e.rule == "AT-1.3"]
    assert all(game.state.lands[p.id].terrain == p.terrain for p in game.state.board.places)


def test_AT_1_3_given_terrain_is_not_rolled():
    place = next(p.id for p in opening(header()).state.board.places if p.city == "royal")
    game, events = started(setup={"terrain": {place: "forest"}})
    assert game.state.lands[place].terrain == "forest"
    assert place not in next(e for e in events if e.rule == "AT-1.3").dice[0].whom


# AT-1.4 ------------------------------------------------------------------------------------------


def test_AT_1_4_the_highest_picks_first_and_the_tied_roll_again_among_themselves():
    ran = run_procedure(lambda: order_of_choice.run((tuple("ABCD"),)),
                        Scripted((40, 77, 40, 3, 9, 12)), rule="AT-1.4/order")  # fmt: skip
    assert ran.value.seats == ("B", "C", "A", "D")
    assert [thrown.whom for thrown in ran.dice] == [tuple("ABCD"), ("A", "C")]


def parts_of(sheet, said):
    """The parts of a sheet as they come when each is answered so."""
    filling = sheet.fill()
    try:
        part, options = next(filling)
        while True:
            yield part, options
            part, options = filling.send(said(options.words))
    except StopIteration:
        return


def test_AT_1_4_kingdoms_are_picked_in_that_order_and_none_twice():
    game, events = started()
    for seat in "ABC":
        game.absent(seat)
    game.settle()
    order = next(e for e in events if e.rule == "AT-1.4" and e.kind == "order").data["seats"]
    (request,) = game.requests()
    assert set(request.seats) == set(order)
    heart, last = game.state.board.heart, []
    for seat in order:
        ranked = {}
        for part, options in parts_of(request.options(seat), lambda words: words[-1]):
            assert heart not in options.words
            ranked[part] = options.words[-1]
        assert len(ranked) == order.index(seat) + 1, "no more wishes than can be taken before"
        last.append(next(iter(ranked.values())))
        game.answer(seat, ranked)
    assert len(set(last)) == 1, "all have the same first wish"
    assert len({game.state.seats[seat].kingdom for seat in order}) == len(order)
    assert game.state.seats[order[0]].kingdom == last[0]
    (request,) = game.requests()
    assert set(request.seats) == set(order)
    for seat in order:
        assert request.options(seat).words == game.state.lands_of(seat)
        game.answer(seat, request.options(seat).words[-1])
    placed = [e for e in events if e.rule == "AT-1.4" and e.kind == "placed"]
    assert [e.data["seat"] for e in placed] == list(order)
    assert all(e.audience is None for e in placed)


def test_AT_1_4_what_the_set_up_gives_is_not_asked():
    kingdoms = list(opening(header()).state.board.capitals)[1:4]
    board = opening(header()).state.board
    players = {
        seat: {"people": f"P{seat}", "catalogue": "mycenaeans", "army": LIST, "kingdom": kingdom,
               "place": board.capitals[kingdom]}
        for seat, kingdom in zip("ABC", kingdoms, strict=True)
    }  # fmt: skip
    game, events = started(setup={"players": players})
    assert game.state.phase == "diplomacy" or game.requests()[0].rule.startswith("AT-3")
    assert [game.state.seats[s].kingdom for s in "ABC"] == kingdoms
    assert not [e for e in events if e.rule == "AT-1.4" and e.kind == "order"]
    assert game.state.seats["A"].people == "PA"


@pytest.mark.parametrize(
    ("players", "code"),
    [
        ({"A": {"kingdom": "mestor"}, "B": {"kingdom": "mestor"}}, "setup.kingdom_twice"),
        ({"A": {"kingdom": "utopia"}}, "setup.kingdom"),
        ({"Z": {}}, "seat.unknown"),
        ({"A": {"catalogue": "martians"}}, "setup.people"),
        ({"A": {"army": LIST}}, "setup.people"),
        ({"A": {"kingdom": "mestor", "place": "nowhere"}}, "setup.place"),
    ],
)
def test_a_bad_set_up_is_refused(players, code):
    with pytest.raises(Refusal) as refusal:
        opening(header(setup={"players": players}))
    assert refusal.value.code == code


def test_a_refused_kingdom_or_territory_says_which_would_do():
    mestor = {"kingdom": "mestor"}
    with pytest.raises(Refusal) as twice:
        opening(header(setup={"players": {"A": mestor, "B": mestor}}))
    assert len(twice.value.legal) == 8 and "mestor" not in twice.value.legal  # of nine (AT-1.1)
    with pytest.raises(Refusal) as elsewhere:
        opening(header(setup={"players": {"A": {**mestor, "place": "halia"}}}))
    three = opening(header()).state.board.kingdoms["mestor"]
    assert tuple(elsewhere.value.legal) == tuple(three) and len(three) == 3


@pytest.mark.parametrize("setup", [{"colour": "red"}, {"players": {"A": {"gold": 3}}},
                                   {"terrain": {"gadeira": "lava"}}])  # fmt: skip
def test_an_unknown_word_in_a_set_up_is_refused(setup):
    with pytest.raises(NotUnderstood):
        opening(header(setup=setup))


# AT-1.5, AT-1.6, AT-1.8, AT-1.9 ------------------------------------------------------------------


def test_AT_1_6_warbands_roll_when_they_enter_play():
    players = {"A": {"catalogue": "mycenaeans", "army": LIST}}
    game, events = settled(setup={"players": players})
    band = game.state.army("A").units[-1]
    assert band.warband == "yes" and band.die in (1, 2, 3)
    event = next(e for e in events if e.rule == "AT-1.6" and e.data["seat"] == "A")
    assert event.audience == ("A",)


def test_AT_1_5_and_AT_1_8_the_army_is_counted_for_its_player_alone():
    _, events = settled()
    for rule in ("AT-1.5", "AT-1.8"):
        told = [e for e in events if e.rule == rule]
        assert [e.audience for e in told] == [(e.data["seat"],) for e in told] and len(told) == 3
        assert all(
            sum(m.amount for m in e.modifiers) == e.data.get("force", e.data.get("initiative"))
            for e in told
        )


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda army: army[1:], "list.no_general"),
        (lambda army: [*army, ["mycenaean_lawagetas", 1]], "list.two_generals"),
        (lambda army: [*army, *[["mycenaean_spearmen", 36]] * 2], "list.over_budget"),
        (lambda army: [army[0], ["mycenaean_spearmen", 3]], "list.too_small"),
        (lambda army: [*army, ["hoplites", 20]], "list.unknown_unit"),
    ],
)
def test_AT_1_9_a_bad_list_is_refused_with_the_reason(change, code):
    players = {"A": {"catalogue": "mycenaeans", "army": change(LIST)}}
    with pytest.raises(Refusal) as refusal:
        opening(header(setup={"players": players}))
    assert refusal.value.code == code and refusal.value.rule == "AT-1.9"


def test_AT_1_9_every_way_of_building_a_list_ends_in_a_legal_army():
    rng = random.Random(2)
    for seed in range(12):
        game, _ = started(seed=seed, seats=2)
        for seat in "AB":
            options = game.requests()[0].options(seat)
            answer = options.sample(rng)
            while answer["list"] != "own":
                answer = options.sample(rng)
            game.answer(seat, answer)
        for seat in game.state.seats.values():
            (waiting,) = seat.waiting
            assert sum(c.general for c in waiting.characters) == 1
            assert seat.next_id == 1 + len(waiting.units) + len(waiting.characters)


def test_AT_1_9_a_clubs_own_catalogue_stands_in_the_record():
    unit = {"key": "men", "fr": "Hommes", "en": "Men", "kind": "infantry", "group": "core",
            "stats": [4, 3, 3, 3, 3, 1, 3, 1, 7], "points": 10, "size": [10, 40]}  # fmt: skip
    lord = {"key": "lord", "fr": "Chef", "en": "Lord", "kind": "character", "group": "general",
            "stats": [4, 5, 4, 4, 4, 3, 5, 3, 9], "points": 100}  # fmt: skip
    sample = {"fr": "Tous", "en": "All", "units": [["lord", 1], ["men", 40], ["men", 40]]}
    people = {"key": "folk", "fr": "Gens", "en": "Folk", "units": [lord, unit], "sample": [sample]}
    game, _ = settled(setup={"catalogue": {"people": [people]}})
    assert game.state.seats["A"].catalogue == "folk"
    assert army_points(game.state.army("A")) == 900
    with pytest.raises(NotUnderstood) as refusal:
        opening(header(setup={"catalogue": {"people": [{"key": "folk"}]}}))
    assert refusal.value.code == "setup.catalogue"
