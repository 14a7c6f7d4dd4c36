"""The umpire's acts (AT-11.2): what he may adjust, and what must hold afterwards."""

from __future__ import annotations

import inspect

import pytest
from msgspec.structs import replace

from polemarque.kernel.errors import NotAllowed, NotUnderstood, Refusal
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.record import Adjust
from polemarque.kernel.request import UMPIRE
from polemarque.systems.atlantide.adjust import ADJUSTABLE, adjust, faults
from polemarque.systems.atlantide.state import Waiting
from polemarque.systems.atlantide.troops import Duty
from tests.systems.atlantide.table import Table
from tests.systems.atlantide.wars import agreed, army, owned, slingers, spearmen, war


def state():
    return war(A=army("m2", spearmen(), slingers(), start="m1"), B="a2", C="e2")


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("loot.A", 77, lambda w: w.loot("A")),
        ("owner.h1", "B", lambda w: w.owner("h1")),
        ("place.A", "e3", lambda w: w.army("A").place),
        ("figures.A.1", 4, lambda w: w.army("A").figures_of(1)),
        ("figures.A.1", 0, lambda w: w.army("A").figures_of(1)),
        ("figures.A.9", 0, lambda w: w.army("A").figures_of(9)),
        ("fortresses.m1", 2, lambda w: w.lands["m1"].fortresses),
        ("absent.B", True, lambda w: w.seats["B"].absent),
        ("note.A.2", "vétérans", lambda w: w.army("A").units[1].note),
        ("note.A.9", "aimé", lambda w: w.army("A").general.note),
        ("notes.A", "mauvais temps", lambda w: w.row("A").notes),
        ("option.passage", "through", lambda w: w.ordered["passage"]),
    ],
)
def test_each_thing_can_be_adjusted(name, value, read):
    after = adjust(state(), name, value)
    assert read(after) == value and not faults(after)


def test_land_given_back_to_the_atlanteans_loses_its_fortresses_and_agreements():
    before = agreed(state().fortified("m1"), "tax", "B", "A", "m1")
    waiting = Waiting("bought", 1, "m1", (spearmen(7),))
    before = before.changed("A", waiting=(waiting,))
    after = adjust(before, "owner.m1", None)
    assert after.owner("m1") is None and after.lands["m1"].fortresses == 0
    assert after.agreements == () and after.seats["A"].waiting[0].place != "m1"


def test_an_army_that_is_moved_has_no_start():
    assert adjust(state(), "place.A", "m3").army("A").start is None


@pytest.mark.parametrize("kind", ["beaten", "crushed", "leave"])
def test_AT_7_6_an_army_that_the_umpire_moves_has_left_already(kind):
    gone = war(A="m2", B="a2").army_changed("A", duty=Duty(kind), passing=True)
    moved = adjust(gone, "place.A", "e3").army("A")
    assert (moved.place, moved.duty, moved.passing) == ("e3", None, False)
    assert moved.entered > gone.army("B").entered
    assert adjust(gone, "place.A", "m2").army("A").duty == Duty(kind)  # it has gone nowhere


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("gold.A", 3), ("loot.Z", 3), ("loot.A", -1), ("loot.A", "many"), ("owner.nowhere", "A"),
        ("owner.m1", "Z"), ("place.A", "nowhere"), ("figures.A.77", 1), ("figures.A.1", 21),
        ("fortresses.m1", 3), ("absent.A", "yes"), ("option.luck", 1), ("option.passage", "fly"),
        ("end", "A"), ("note.A.1", 3), ("journal", 4),
    ],
)  # fmt: skip
def test_what_means_nothing_is_not_understood(name, value):
    with pytest.raises(NotUnderstood):
        adjust(state(), name, value)


def test_without_an_army_nothing_of_it_can_be_adjusted():
    with pytest.raises(NotAllowed) as refusal:
        adjust(war(A=None, B="a2"), "place.A", "m1")
    assert refusal.value.rule == "AT-1.14"


@pytest.mark.parametrize("out", ["eliminated", "abandoned"])
def test_AT_1_12_whoever_is_out_is_given_no_land(out):
    gone = getattr(owned(war(A="m2", B="a2", C=None), None, "e1", "e2", "e3"), out)("C")
    assert not faults(gone)
    with pytest.raises(NotAllowed) as refusal:
        adjust(gone, "owner.e1", "C")
    assert (refusal.value.rule, refusal.value.legal) == ("AT-1.12", ("A", "B", "atlantis"))
    assert faults(owned(gone, "C", "e1")) == ["AT-1.12 land of C, who is out"]


def test_the_last_figure_takes_the_army_with_it():
    lonely = war(A=army("m2", spearmen(figures=1), lead=False), B="a2")
    assert adjust(lonely, "figures.A.1", 0).army("A") is None


# Faults ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda w: w.changed("A", loot=-1), "AT-5.5"),
        (lambda w: w.with_land("m1", replace(w.lands["m1"], fortresses=3)), "AT-5.3"),
        (lambda w: w.with_land("h1", replace(w.lands["h1"], fortresses=1)), "AT-5.3"),
        (lambda w: w.with_land("h1", replace(w.lands["h1"], owner="Z")), "AT-1.2"),
        (lambda w: w.army_changed("B", place="m2").army_changed("C", place="m2"), "AT-7.5"),
        (lambda w: w.army_changed("A", place="nowhere"), "AT-1.2"),
        (lambda w: w.with_army("A", army("m2", spearmen(figures=21))), "AT-1.15"),
        (lambda w: w.with_army("A", army("m2", spearmen(1), spearmen(1))), "AT-1.9"),
        (lambda w: w.changed("A", next_id=2), "AT-1.9"),
        (lambda w: w.changed("A", eliminated=1), "AT-1.12"),
        (lambda w: agreed(w, "tax", "A", "B", "m1").changed("B", eliminated=1), "AT-4.5"),
    ],
)
def test_faults_are_found(change, fault):
    assert not faults(state())
    assert any(said.startswith(fault) for said in faults(change(state())))


# The journal and the gods ------------------------------------------------------------------------


def test_AT_11_2_the_umpires_word_stands_in_the_journal():
    (entry,) = adjust(state(), "journal", "La partie reprend mardi.").journal
    assert (entry.turn, entry.author, entry.text) == (1, UMPIRE, "La partie reprend mardi.")


def test_AT_11_2_the_gods_judge_when_the_next_phase_begins():
    before = adjust(adjust(state(), "judgement", "Le pont ?"), "judgement", "Et le gué ?")
    table = Table(before, ("AT-2.1/phase", "events"), dice=(4, 2, 3, 4, 3, 4, 3, 4))
    assert table.over and table.war.disputes == ()
    assert table.told("AT-11.2", "judged") == [
        {"dispute": "Le pont ?", "die": 4}, {"dispute": "Et le gué ?", "die": 2}
    ]  # fmt: skip
    assert [entry.text for entry in table.war.journal] == ["Le pont ?: 4", "Et le gué ?: 2"]
    assert table.war.journal[0].author == "gods"


def test_AT_1_10_the_umpire_declares_the_end_and_nothing_more_is_played():
    after = adjust(state(), "end", ["B", "C"])
    assert after.over and after.winners == ("B", "C")
    game = played_to("loot")
    game.enter(Adjust("end", ["B"], "A has left the club"))
    assert game.over and not game.requests() and game.state.winners == ("B",)


# In a game ---------------------------------------------------------------------------------------


def played_to(phase):
    game = Game(new_header("atlantide", seats=2, seed=8, options={"turn_limit": 3}))
    game.settle()
    while game.state.phase != phase or not game.runner.fresh:
        game.absent(game.requests()[0].missing[0])
        game.settle()
    return game


def test_an_option_changed_holds_from_the_next_turn_on():
    game = played_to("diplomacy")
    game.enter(Adjust("option.fortress_capture", "razed", "house rule"))
    assert game.state.options.fortress_capture == "stay"
    while game.state.turn == 1:
        game.absent(game.requests()[0].missing[0])
        game.settle()
    assert game.state.options.fortress_capture == "razed"


def test_an_unsound_adjustment_is_refused():
    game = played_to("diplomacy")
    for seat in "AB":
        game.enter(Adjust(f"place.{seat}", "three_rings", "storm"))
    before = game.state
    with pytest.raises(Refusal):
        game.enter(Adjust("fortresses.three_rings", 1, "gift"))
    assert game.state == before


def test_every_name_is_documented():
    told = str(inspect.getmodule(adjust).__doc__)
    assert all(f"``{name}" in told for name in ADJUSTABLE)
