"""Agreements (AT-4)."""

import pytest
from msgspec.structs import replace

from polemarque.systems.atlantide.agreements import (
    Agreement,
    forbids_attack,
    granted,
    in_passage,
    lets_convoy,
    refusal,
    stand_together,
    tolerates_tax,
)
from tests.systems.atlantide.wars import agreed, war


def draft(kind="passage", grantor="A", beneficiary="B", places=("m1",), **more) -> Agreement:
    terms = {"last_turn": 1, **more}
    return Agreement(0, kind, grantor, beneficiary, territories=places, **terms)


def test_an_agreement_holds_to_its_last_turn_where_it_says() -> None:
    state = agreed(war(A="m1", B="a1"), "passage", "A", "B", "m2", last_turn=2)
    assert granted(state, ("passage",), "A", "B", "m2") is not None
    assert granted(state, ("passage",), "A", "B", "m3") is None
    assert granted(state, ("passage",), "B", "A", "m2") is None
    later = replace(state, turn=3)
    assert granted(later, ("passage",), "A", "B", "m2") is None


@pytest.mark.parametrize(
    ("kind", "together"),
    [("passage", True), ("stationing", True), ("supply", False), ("tax", False), ("text", False)],
)
def test_two_armies_stand_together_by_passage_or_stationing_either_way(kind, together) -> None:
    state = agreed(war(A="m1", B="a1"), kind, "A", "B", "m2")
    assert stand_together(state, "A", "B", "m2") is together
    assert stand_together(state, "B", "A", "m2") is together
    assert not stand_together(state, "A", "B", "m1")


def test_a_convoy_needs_a_declaration_of_this_turn() -> None:
    quiet = agreed(war(A="m1", B="a1"), "supply", "A", "B", "m2")
    assert not lets_convoy(quiet, "A", "B", "m2")
    declared = agreed(war(A="m1", B="a1"), "supply", "A", "B", "m2", declared=1, last_turn=5)
    assert lets_convoy(declared, "A", "B", "m2")
    assert not lets_convoy(declared, "B", "A", "m2")
    assert not lets_convoy(replace(declared, turn=2), "A", "B", "m2")


def test_tax_tolerance_is_the_occupier_s_to_grant() -> None:
    state = agreed(war(A="m1", B="m2"), "tax", "B", "A", "m2")
    assert tolerates_tax(state, "B", "A", "m2")
    assert not tolerates_tax(state, "A", "B", "m2")


def test_only_an_agreement_that_says_so_forbids_attacking() -> None:
    plain = agreed(war(A="m1", B="m2"), "stationing", "A", "B", "m2")
    assert not forbids_attack(plain, "A", "B", "m2")
    peace = agreed(war(A="m1", B="m2"), "stationing", "A", "B", "m2", peace=True)
    assert forbids_attack(peace, "A", "B", "m2")
    assert not forbids_attack(peace, "A", "B", "m1")


def test_who_is_in_passage() -> None:
    state = agreed(war(A="m1", B="a1"), "passage", "A", "B", "m2", "e2")
    assert in_passage(state, "B", "m2")
    assert not in_passage(state, "B", "e2")  # neither A's land nor A's army
    assert not in_passage(state, "A", "m2")
    stationed = agreed(state, "stationing", "A", "B", "m2")
    assert not in_passage(stationed, "B", "m2")


def test_land_that_belongs_to_neither_can_be_agreed_on() -> None:
    state = war(A="h2", B="a1")
    assert refusal(state, "stationing", draft("stationing", places=("h2",))) == ""
    shared = agreed(state, "passage", "A", "B", "h2")
    assert stand_together(shared, "A", "B", "h2")
    assert in_passage(shared, "B", "h2")


@pytest.mark.parametrize(
    ("kind", "agreement", "code"),
    [
        ("troops", draft(), "agreement.troops"),
        ("joint_attack", draft(), "agreement.joint_attack"),
        ("passage", draft("tax"), "agreement.kind"),
        ("passage", draft(beneficiary="A"), "agreement.parties"),
        ("passage", draft(beneficiary="C"), "agreement.parties"),
        ("passage", draft(last_turn=0), "agreement.last_turn"),
        ("passage", draft(places=()), "agreement.no_territory"),
        ("passage", draft(places=("zz",)), "agreement.territory"),
        ("tax", draft("tax", "A", "B", ("m1",)), "agreement.not_his_land"),
        ("passage", draft(price=-5), "agreement.price"),
        ("passage", draft(price=50), "agreement.must_be_public"),
        ("passage", draft(price=251, public=True), "agreement.loot"),
        ("loot", draft("loot", places=()), "agreement.price"),
        ("loot", draft("loot", places=(), price=251), "agreement.loot"),
        ("passage", draft(), ""),
        ("passage", draft(price=250, public=True), ""),
        ("tax", draft("tax", "B", "A", ("m1",)), ""),
        ("loot", draft("loot", places=(), price=250), ""),
        ("text", draft("text", places=(), text="peace"), ""),
    ],
)
def test_what_is_refused_and_why(kind, agreement, code) -> None:
    assert refusal(war(A="m1", B="a1"), kind, agreement) == code


def test_the_eliminated_agree_to_nothing() -> None:
    state = war(A="m1", B="a1").eliminated("B")
    assert refusal(state, "passage", draft()) == "agreement.parties"
