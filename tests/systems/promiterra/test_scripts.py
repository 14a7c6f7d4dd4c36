"""Scripts on a war that no play leads to: what the umpire has moved meanwhile (PR-3.3)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from polemarque.kernel.agenda import Tell, registered
from polemarque.kernel.errors import NotAllowed, NotUnderstood, Refusal
from polemarque.kernel.position import decode_position, encode_position
from polemarque.odds.consult import consult
from polemarque.report.game_words import Words
from polemarque.systems.promiterra.chapters.loyalty import causes
from polemarque.systems.promiterra.ground import Field
from polemarque.systems.promiterra.state import Order, War
from tests.systems.promiterra.wars import field, game_of, setup, troop, war_of

BOARD = field(fortification={"e5": 2}, fear={"h8": 1})

GIVEN = setup(
    [troop("light", 9, "Ann", "c3", others=["Al"]), troop("light", 4, "Abe", "d3")],
    [troop("light", 7, "Bob", "c6")],
    board=BOARD,
)


def at_war(*orders: Order, **changes: Any) -> War:
    """A's first turn, with these orders."""
    return replace(war_of(GIVEN), playing="A", turn=1, orders=orders, **changes)


def run(rule: str, war: War, *args: Any) -> tuple[War, list[Tell]]:
    """What a script that asks and rolls nothing comes to, and what it tells."""
    told: list[Tell] = []
    script = registered(rule).run(war, *args)
    try:
        while True:
            told.append(next(script))
    except StopIteration as end:
        return end.value[0], told


@pytest.mark.parametrize(
    ("enemy", "end", "kind"),
    [("a8", "c5", "moves"), ("c5", "c4", "stopped"), ("c4", "c3", "stopped")],
)
def test_a_way_that_became_impossible_stops_at_the_last_legal_cell(
    enemy: str, end: str, kind: str
) -> None:
    war = at_war(Order("A1", path=("c4", "c5"))).changed("B1", cell=enemy)
    after, told = run("PR-3.3/move", war)
    assert after.troops["A1"].cell == end
    assert [(said.rule, said.kind) for said in told] == [("PR-2.1", kind)]
    assert after.moved == (() if end == "c3" else ("A1",))


@pytest.mark.parametrize(
    ("rule", "order"),
    [
        ("PR-7.1", Order("A1", act="barricade")),
        ("PR-7.4/enter", Order("A1", act="invasion", cell="e5")),
        ("PR-7.7", Order("A1", act="division", leader="A-2", units=3, cell="d3")),
        ("PR-7.7", Order("A1", act="division", leader="A-3", units=3, cell="c4")),
        ("PR-7.7", Order("A1", act="division", leader="A-2", units=9, cell="c4")),
        ("PR-7.8", Order("A1", act="merger", target="B1", leader="A-1", cell="c3")),
    ],
)
def test_an_action_that_became_impossible_is_lost(rule: str, order: Order) -> None:
    war = at_war(order)
    after, told = run(rule, war, order)
    assert after == war
    assert [(said.rule, said.kind) for said in told] == [("PR-3.3", "lost_act")]


@pytest.mark.parametrize(
    ("rule", "args"),
    [("PR-7/act", (Order("A1", act="flight"),)), ("PR-7/instead", ("A1",))],
)
def test_a_troop_that_is_gone_does_nothing(rule: str, args: Any) -> None:
    war = at_war().left_by("A1", "fled")
    script = registered(rule).run(war, *args)
    ended = script if isinstance(script, tuple) else run(rule, war, *args)
    assert ended[0] == war


def test_nobody_invades_what_is_his_own_or_occupied() -> None:
    war = at_war(holders={"e5": "B"}).changed("A1", cell="d4")
    assert Field(war, "A").closed_fort("e5")
    assert not Field(war.placed("A2", "e5"), "A").closed_fort("e5")
    assert not Field(replace(war, holders={"e5": "A"}), "A").closed_fort("e5")
    assert Field(replace(war, holders={}), "A").closed_fort("e5"), "nobody defends it yet"


def test_a_cell_of_fear_frightens_who_stands_on_it() -> None:
    assert causes(at_war().changed("A2", cell="h8"), "A") == {"A2": ("fear",)}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"board": {**BOARD, "shape": "hex"}}, "promiterra.hex_board"),
        ({"board": {**BOARD, "legend": {".": "lava"}}}, "promiterra.board"),
        ({"armies": [{"army": "empty"}, *GIVEN["armies"][1:]]}, "promiterra.no_troops"),
    ],
)
def test_bad_set_ups_are_refused(changes: dict[str, Any], code: str) -> None:
    lists = [*GIVEN["catalogue"]["army"], {"key": "empty", "fr": "x", "en": "x", "unit": []}]
    with pytest.raises(Refusal) as refused:
        game_of({**GIVEN, "catalogue": {"army": lists}, **changes})
    assert refused.value.code == code
    assert refused.value.rule


def test_a_set_up_of_two_armies_has_two_seats() -> None:
    from polemarque.kernel.game import Game, new_header

    with pytest.raises(NotAllowed):
        Game(new_header("promiterra", seats=3, setup=GIVEN, seed=1))


@pytest.mark.parametrize(
    ("rule", "given"),
    [
        ("PR-2.1", {"terrains": ["lava"], "movement": 3}),
        ("PR-2.4", {"alliances": ["x", "x"]}),
        ("PR-6.1", {"count": -1}),
        ("PR-7.4", {"level": 5}),
        ("PR-8.3", {"situation": "winner", "lost_units": 0}),
    ],
)
def test_questions_that_make_no_sense_are_refused(rule: str, given: dict[str, Any]) -> None:
    with pytest.raises(NotUnderstood):
        consult(rule, given)


def test_equal_troops_leave_the_name_to_their_owner() -> None:
    one = {"movement": 2, "range": 1, "attack": 2, "defence": 2, "loyalty": 7, "value": 10}
    both = {"a": one, "b": one, "units_a": 3, "units_b": 3}
    assert consult("PR-7.8", both).result["named"] == "choice"


def test_a_declaration_begins_again_only_so_often() -> None:
    from polemarque.systems.promiterra.chapters.declaring import RESTARTS

    game = game_of(GIVEN)
    for _ in range(RESTARTS):
        game.answer("A", {**STILL, "plan": "again"})
    with pytest.raises(NotUnderstood):
        game.answer("A", {**STILL, "plan": "again"})
    game.answer("A", STILL)
    assert game.requests("B")


STILL = {
    "end": "fight_on", "order": "listed",
    "move.A1": [], "act.A1": "none", "move.A2": [], "act.A2": "none",
}  # fmt: skip
"""Nobody does anything."""


def test_a_saved_war_keeps_its_order() -> None:
    many = [
        troop("light", 2, f"Nr{n}", f"{column}1", others=[f"Also{n}"])
        for n, column in enumerate("abcdefgh", 1)
    ]
    more = [troop("light", 2, f"Nr{n}", f"{column}2") for n, column in enumerate("abcd", 9)]
    game = game_of(setup([*many, *more], [troop("light", 30, "Bob", "a8")], board=BOARD))
    order = Order("A1", act="division", leader="A-2", units=1, cell="e3")
    war, _ = run("PR-7.7", replace(game.state, playing="A").changed("A1", cell="e4"), order)
    position = replace(game.position, state=war)
    again: War = decode_position(encode_position(position)).state
    wanted = [*[f"A{n}" for n in range(1, 13)], "A-2-1", "B1"]
    assert [each.id for each in war.roster] == [each.id for each in again.roster] == wanted
    assert [each.id for each in war.people] == [each.id for each in again.people]
    assert [each.id for each in again.people[:2]] == ["A-1", "A-2"]


def test_a_merged_troop_stands_in_one_of_both_cells_even_if_one_has_moved_on() -> None:
    order = Order("A1", act="merger", target="A2", leader="A-1", cell="d3")
    war = at_war(order).changed("A2", cell="d4")
    after, _ = run("PR-7.8", war, order)
    assert after.troops["A1"].cell == "c3"


def test_who_has_left_meanwhile_neither_loses_nor_strikes() -> None:
    war = at_war()
    gone = war.left_by("B1", "fled")
    assert run("PR-5.7/attack", gone, "B1", 7, ("A1", "A2"), ()) == (gone, [])
    assert run("PR-5.7/riposte", gone, "B1", 3, (("A1", 7),), ()) == (gone, [])
    fewer = war.left_by("A1", "fled").changed("B1", units=2)
    after, told = run("PR-5.7/riposte", fewer, "B1", 3, (("A1", 7),), (("A1", 2),))
    assert after.troops["A1"].units == 9
    assert (after.troops["B1"].units, after.troops["B1"].fate) == (0, "annihilated")
    assert [said.kind for said in told] == ["annihilated"]


@pytest.mark.parametrize(("lang", "verb"), [("fr", "défie"), ("en", "challenges")])
def test_a_challenge_names_its_own_challenger_among_several(lang: str, verb: str) -> None:
    game = game_of(GIVEN, challenges="any")
    orders = {"end": "fight_on", "order": "listed", "plan": "confirm"}
    for one in ("A1", "A2"):
        orders |= {f"move.{one}": [], f"act.{one}": "duel", f"challenged.{one}": "B1"}
    game.answer("A", orders)
    words = Words(game.header, lang)
    for challenger in ("Ann", "Abe"):
        key = game.requests("B")[0].keys["B"]
        assert key.rule == "PR-7.6/challenge"
        words.turn_to(game, key)
        assert words.question(key).startswith(f"{challenger} {verb} Bob")
        game.answer("B", "refuse")
