"""Taxes (AT-5.1)."""

import pytest
from msgspec.structs import replace

from polemarque.systems.atlantide.supply import Taxed, tax, taxed, taxes, taxes_of
from polemarque.systems.atlantide.troops import Duty
from tests.systems.atlantide.wars import agreed, army, chosen, owned, war


@pytest.mark.parametrize(
    ("ground", "loot"),
    [
        (Taxed("mountains", "atlantis"), 35),
        (Taxed("forest", "royal"), 25),
        (Taxed("river_plains", "royal"), 25),
        (Taxed("river_plains"), 15),
        (Taxed("plains"), 10),
        (Taxed("forest"), 5),
        (Taxed("mountains"), 5),
        (Taxed("mountains", heart=True), 5),
        (Taxed("plains", enemy=True), 0),
        (Taxed("mountains", "atlantis", enemy=True), 0),
    ],
)
def test_each_row(ground, loot) -> None:
    assert tax(ground).amount == loot


def test_by_the_variant_the_whole_kingdom_pays_like_its_city() -> None:
    assert tax(Taxed("mountains", heart=True), "kingdom").amount == 35
    assert tax(Taxed("plains"), "kingdom").amount == 10


def test_a_list_is_added_up_in_order() -> None:
    told = taxes([Taxed("plains"), Taxed("forest", "royal"), Taxed("plains", enemy=True)])
    assert told.total == 35
    assert [part.reason for part in told.parts] == ["plains", "royal_city", "enemy_army"]


def later(state):
    return replace(state, turn=2)


def test_nothing_on_the_first_turn() -> None:
    state = war(A="m1", B="a1")
    assert taxes_of(state, "A").total == 0
    assert taxes_of(later(state), "A").total == 25 + 10 + 10


def test_gained_land_pays() -> None:
    state = later(owned(war(A="m1", B="a1"), "A", "h1", "h2"))
    assert taxes_of(state, "A").total == 45 + 35 + 5
    assert taxes_of(chosen(state, atlantis_tax="kingdom"), "A").total == 45 + 35 + 35


def test_an_enemy_army_keeps_a_territory_from_paying() -> None:
    assert taxes_of(later(war(A="m1", B="m2")), "A").total == 25 + 10


def test_one_s_own_army_does_not() -> None:
    assert not taxed(later(war(A="m2", B="a1")), "m2").enemy


def test_a_beaten_army_does_not_hinder_but_one_beaten_in_a_conquest_does() -> None:
    for kind, total in (("beaten", 45), ("crushed", 35), ("leave", 35)):
        state = later(war(A="m1", B=army("m2", duty=Duty(kind))))
        assert taxes_of(state, "A").total == total


def test_tolerance_lets_an_occupied_territory_pay() -> None:
    state = agreed(later(war(A="m1", B="m2")), "tax", "B", "A", "m2")
    assert taxes_of(state, "A").total == 45


def test_passage_alone_does_not_let_it_pay() -> None:
    state = agreed(later(war(A="m1", B="m2")), "stationing", "A", "B", "m2")
    assert taxes_of(state, "A").total == 35
