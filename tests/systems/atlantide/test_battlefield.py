"""The battlefield (AT-8.4, AT-8.5): six sectors and what lies in them."""

from __future__ import annotations

import pytest

from polemarque.systems.atlantide.chapters.battle import (
    COUNTS,
    elements_offered,
    sector_modifier,
)
from tests.systems.atlantide.field import Field
from tests.systems.atlantide.wars import army, chosen, owned, war

PHASE = ("AT-8/phase",)


def at_the_draw(*dice: int, place: str = "m2", terrain: str = "plains") -> Field:
    """A battle on the table in which nothing is left but to lay the terrain."""
    state = war(A=army(place, entered=2), B=army(place, entered=1))
    land = state.lands[place].__class__(terrain, "A")
    state = chosen(state.with_land(place, land), resolver="tabletop")
    return Field(state, PHASE, dice=dice).until("AT-8.1").say("A", "frontal").say("B", "frontal")


def test_AT_8_4_a_drawn_player_decides_for_the_odd_sectors():
    for die, first, second in ((1, "A", "B"), (3, "A", "B"), (4, "B", "A"), (6, "B", "A")):
        field = at_the_draw(die, 6, 6, 6, 6, 6, 6)
        assert field.told("AT-8.4", "draw")[0] == {"place": "m2", "seat": first, "other": second}
        assert field.request.seats == (first,)
        assert set(field.request.absent(first)) == {
            "sector.1.1", "sector.1.2", "sector.3.1", "sector.3.2", "sector.5.1",
        }  # fmt: skip
        field.silent()
        assert set(field.request.absent(second)) == {
            "sector.2.1", "sector.4.1", "sector.4.2", "sector.6.1", "sector.6.2",
        }  # fmt: skip


@pytest.mark.parametrize(
    ("sector", "counts"),
    [(1, (0, 0, 1, 1, 2, 2)), (2, (0, 0, 0, 0, 1, 1)), (3, (0, 0, 1, 1, 2, 2)),
     (4, (0, 0, 1, 1, 2, 2)), (5, (0, 0, 0, 0, 1, 1)), (6, (0, 0, 1, 1, 2, 2))],
)  # fmt: skip
def test_AT_8_4_how_many_elements(sector, counts):
    modifier = sector_modifier(sector).total
    assert tuple(COUNTS.row(die + modifier).elements for die in range(1, 7)) == counts


def test_AT_8_4_six_dice_in_order():
    field = at_the_draw(1, 1, 4, 2, 6, 6, 3)
    # 1+1: 0, 4-1: 0, 2+1: 0, 6+1 counts as 6: 2, 6-1: 1, 3+1: 1
    assert field.told("AT-8.4", "counts")[0]["counts"] == [0, 0, 0, 2, 1, 1]


def test_AT_8_5_what_each_terrain_offers():
    offered = {terrain: tuple(what) for terrain, what in elements_offered().items()}
    assert set(offered["plains"]) == {
        "gentle_hill", "river", "orchard", "villages", "wood", "steep_ground",
    }  # fmt: skip
    assert set(offered["river_plains"]) == {
        "gentle_hill", "large_river", "orchard", "villages", "wood", "steep_ground", "bridge",
        "ford",
    }  # fmt: skip
    assert set(offered["forest"]) == {"gentle_hill", "steep_hill", "wood", "dense_wood", "river"}
    assert set(offered["mountains"]) == {"steep_hill", "wood", "dense_wood", "broken_ground"}
    ground = {name: e.ground for kind in elements_offered().values() for name, e in kind.items()}
    assert {n for n, g in ground.items() if g == "difficult"} == {
        "wood", "steep_ground", "steep_hill",
    }  # fmt: skip
    assert {n for n, g in ground.items() if g == "very_difficult"} == {
        "dense_wood", "broken_ground",
    }  # fmt: skip


def test_AT_8_5_one_bridge_and_two_fords_in_the_whole_field():
    field = at_the_draw(1, 6, 6, 6, 6, 6, 6, terrain="river_plains")
    parts = list(field.request.absent("A"))
    two_bridges = dict.fromkeys(parts, "large_river") | {parts[0]: "bridge", parts[1]: "bridge"}
    assert field.refused("A", two_bridges).code == "answer.one_of"
    field.say("A", dict.fromkeys(parts, "large_river") | {parts[0]: "bridge", parts[1]: "ford"})
    parts = list(field.request.absent("B"))
    mine = dict.fromkeys(parts, "orchard")
    assert field.refused("B", mine | {parts[0]: "bridge"}).code == "answer.one_of"
    two_fords = mine | {parts[0]: "ford", parts[1]: "ford"}
    assert field.refused("B", two_fords).code == "answer.one_of"
    field.say("B", mine | {parts[0]: "ford"}).silent()
    laid = field.war.battles[0].sectors
    assert laid[0] == ("bridge", "ford")
    assert laid[1] == ("ford",)
    assert laid[4] == ("large_river",)


def test_AT_8_5_who_comes_second_has_the_bridge_that_the_first_left():
    field = at_the_draw(1, 1, 6, 1, 6, 1, 6, terrain="river_plains")
    assert field.request.seats == ("B",)  # the sectors of A are empty: he is not asked
    parts = list(field.request.absent("B"))
    field.say("B", dict.fromkeys(parts, "villages") | {parts[0]: "bridge"})
    assert field.told("AT-8.5", "laid")[0]["sectors"][1] == ["bridge"]


def test_AT_8_5_nothing_else_than_the_terrain_offers():
    field = at_the_draw(1, 6, 6, 6, 6, 6, 6, terrain="mountains")
    parts = list(field.request.absent("A"))
    assert field.refused("A", dict.fromkeys(parts, "river")).code == "answer.one_of"


def test_AT_8_5_both_may_agree_to_begin_again():
    field = at_the_draw(1, *[6] * 6, *[1] * 6).silent().silent()
    field.say("A", "again").say("B", "keep")
    assert field.request.rule == "PA-2/return_sheet"
    field = at_the_draw(1, *[6] * 6, *[1] * 6).silent().silent()
    field.say("A", "again").say("B", "again")
    assert field.told("AT-8.5", "again") == [{"place": "m2"}]
    assert field.told("AT-8.4", "counts")[1]["counts"] == [0] * 6
    assert len(field.told("AT-8.4", "draw")) == 1  # who decides for what stays as it was drawn
    field.silent()
    assert field.war.battles[0].sectors == ((),) * 6


def test_the_table_of_simulated_battles_needs_no_battlefield():
    state = owned(war(A=army("m2", entered=2), B=army("m2", entered=1)), "A", "m2")
    field = Field(state, PHASE, dice=(3, 3, 3, 2)).until("AT-8.1")
    field.say("A", "frontal").say("B", "frontal")
    assert not field.told("AT-8.4")
    assert field.told("AT-8.11", "decided")
