"""Where a bridge meets what a club brings or an umpire changes (PA-1 to PA-5)."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from msgspec.structs import replace

from polemarque.bridges import batailles
from polemarque.bridges.pairs import figures_for
from polemarque.kernel.battle_brief import Brief, BriefUnit, resolver
from polemarque.kernel.errors import NotUnderstood
from polemarque.systems.atlantide.state import Guest
from polemarque.systems.atlantide.troops import army_points
from polemarque.systems.batailles.adjust import adjust as batailles_adjust
from polemarque.systems.batailles.state import Ending
from polemarque.systems.mare_nostrum.chapters.battle import resolver_of
from polemarque.systems.mare_nostrum.pieces import Orders
from polemarque.systems.mare_nostrum.setup.army_lists import ARMY_LISTS, ListsRefused, read_lists
from polemarque.systems.promiterra.adjust import adjust as promiterra_adjust
from polemarque.systems.thucidide.adjust import adjust as thucidide_adjust
from tests.bridges.test_conversions import begun, reported
from tests.bridges.wars import SYSTEMS, atlantide, invaded, mare_nostrum, met

# A club's own kinds of stand (MN-2.3) ------------------------------------------------------------


def own_lists(**shields: str) -> dict[str, Any]:
    """Our lists, with silver shields as everybody's guard."""
    lists = tomllib.loads(ARMY_LISTS.read_text(encoding="utf-8"))
    names = {"fr": "argyraspides", "en": "silver shields"}
    lists["element"].append({"key": "argyraspides", "name": names, **shields})
    lists["list"] = [{**army, "guard": "argyraspides"} for army in lists["list"]]
    return lists


def test_MN_2_3_a_kind_that_no_battle_system_knows_is_refused() -> None:
    with pytest.raises(ListsRefused) as refused:
        read_lists(own_lists())
    (finding,) = refused.value.findings
    assert finding.code == "armies.fights_as"
    assert finding.data["word"] == "argyraspides" and "pikes" in str(finding.data["known"])


@pytest.mark.parametrize("name", SYSTEMS)
def test_MN_2_3_a_clubs_own_kind_fights_as_it_says(name: str) -> None:
    campaign = invaded(resolver=name)
    brief = mare_nostrum(
        name, replace(campaign, own_lists=read_lists(own_lists(fights_as="pikes")))
    )
    assert [unit.kind for unit in brief.sides[1].units][-1] == "pikes"
    assert begun(brief)


@pytest.mark.parametrize("name", ["promiterra", "thucidide"])
def test_PA_4_PA_5_a_kind_without_a_row_is_refused_in_words(name: str) -> None:
    brief = mare_nostrum(name)
    units = (BriefUnit("x", "x", "lasers", 8, 40),)
    sides = (replace(brief.sides[0], units=units), brief.sides[1])
    with pytest.raises(NotUnderstood) as refused:
        resolver(name).open(replace(brief, sides=sides))
    assert (refused.value.code, refused.value.part) == ("battle.kind", "lasers")
    assert "pikes" in refused.value.legal


# Boards ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["promiterra", "thucidide"])
def test_AT_8_5_nothing_lies_on_the_board_but_what_was_laid(name: str) -> None:
    def laid(*sectors: tuple[str, ...]) -> set[str]:
        brief = atlantide(name, sectors=sectors)
        return set("".join(figures_for(brief, name).grounds.board(brief)["terrain"].split()))

    assert laid((), (), (), (), (), ()) == {"."}
    assert laid((), ("wood",), (), (), (), ()) == {".", "w"}


@pytest.mark.parametrize("name", ["promiterra", "thucidide"])
def test_PA_1_the_board_bears_the_name_of_the_place(name: str) -> None:
    campaign = invaded()
    brief = mare_nostrum(name, campaign)
    named = campaign.atlas.by_id[brief.place].names
    assert set(named) >= {"fr", "en"} and brief.place not in named.values()
    assert figures_for(brief, name).grounds.board(brief)["name"] == named
    nameless = replace(brief, names={})
    called = dict.fromkeys(("fr", "en"), brief.place)
    assert figures_for(nameless, name).grounds.board(nameless)["name"] == called


# An umpire's adjustments (PA-6) ------------------------------------------------------------------


@pytest.mark.parametrize(("what", "value"), [("units", 0), ("fate", "annihilated")])
@pytest.mark.parametrize("brief", [atlantide("promiterra"), mare_nostrum("promiterra")])
def test_PA_6_troops_that_the_umpire_takes_away_are_lost(
    brief: Brief, what: str, value: Any
) -> None:
    war = begun(brief)
    for troop in war.troops_of("B"):
        war = promiterra_adjust(war, f"{what}.{troop.id}", value)
    report = reported(brief, promiterra_adjust(war, "end", "A"))
    everybody = {f"B.{unit.id}": unit.figures for unit in brief.sides[1].units}
    assert {loss.unit: loss.killed for loss in report.losses} == everybody
    assert {troop.lost for troop in war.roster if troop.army == "A"} == {0}


def test_PA_6_units_taken_away_and_given_back_are_not_lost() -> None:
    war = begun(atlantide("promiterra"))
    whole = war.troops["B1"].units
    war = promiterra_adjust(war, "units.B1", whole - 30)
    assert war.troops["B1"].lost == 30
    assert promiterra_adjust(war, "units.B1", whole + 5).troops["B1"].lost == 0


@pytest.mark.parametrize("brief", [atlantide("batailles"), mare_nostrum("batailles")])
def test_PA_6_power_that_the_umpire_gives_is_no_loss(brief: Brief) -> None:
    battle = begun(brief)
    first, second = battle.a.units[:2]
    battle = batailles_adjust(battle, f"a.unit.{first.name}", first.pm + 5)
    given = replace(battle, ending=Ending("b", "withdrawal"))
    assert reported(brief, given).losses == ()
    taken = batailles_adjust(given, f"a.unit.{second.name}", 0)
    (loss,) = reported(brief, taken).losses
    assert loss.killed == {f"A.{u.id}": u.figures for u in brief.sides[0].units}[loss.unit]


def test_PA_6_half_of_a_unit_that_the_umpire_destroys_has_left() -> None:
    brief = atlantide("thucidide")
    battle = begun(brief)
    unit = next(unit for unit in battle.units.values() if unit.seat == "B" and unit.start > 2)
    battle = thucidide_adjust(battle, f"unit.{unit.code}.elements", unit.start - 1)
    battle = thucidide_adjust(battle, f"unit.{unit.code}.elements", 0)
    battle = thucidide_adjust(battle, f"unit.{unit.code}.elements", 0)
    assert battle.units[unit.code].broken == unit.start - 1
    (loss,) = reported(brief, thucidide_adjust(battle, "end", "A")).losses
    assert loss.left and loss.killed > loss.left


# Military power (PA-3) ---------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "pm"), [(150, 7), (95, 4), (40, 3)])
def test_PA_3_characters_alone_are_worth_their_points(points: int, pm: int) -> None:
    brief = atlantide("batailles")
    side, figures = brief.sides[0], figures_for(brief, "batailles")
    general = replace(side.leaders[0], points=points)
    alone = replace(side, units=(), leaders=(general,), rights={})
    assert batailles.power(figures, alone) == {"": pm}
    worn = replace(alone, units=(replace(side.units[0], figures=0, points=0),))
    assert sum(batailles.power(figures, worn).values()) == pm


def test_PA_3_army_points_are_rounded_once() -> None:
    state = met()
    army = state.seats["A"].army
    assert army is not None
    first = replace(army.units[0], points=100, full=15, figures=14)  # 93 1/3
    units = tuple([replace(first, id=unit.id) for unit in army.units])
    army = replace(army, units=units, characters=(replace(army.characters[0], points=0),))
    brief = atlantide("batailles", state.changed("A", army=army))
    figures = replace(figures_for(brief, "batailles"), points=1)
    assert sum(batailles.power(figures, brief.sides[0]).values()) == army_points(army)
    assert army_points(army) > sum([unit.points for unit in brief.sides[0].units])


# Mercenaries of one battle (AT-1.13) -------------------------------------------------------------


def test_PA_3_mercenaries_count_in_power_by_their_points() -> None:
    guests = (Guest("A", "atlantean_mercenaries", True),)
    alone, brief = atlantide("batailles"), atlantide("batailles", guests=guests)
    points = sum([guest["points"] for guest in brief.sides[0].rights["guests"]])
    own = alone.sides[0].rights["points"]
    assert points >= 20 and own == brief.sides[0].rights["points"]
    assert (begun(alone).a.pm, begun(brief).a.pm) == (own // 20, (own + points) // 20)


def test_PA_5_the_chief_of_mercenaries_is_a_leader_without_a_fate() -> None:
    guests = (
        Guest("A", "atlantean_mercenaries", True),
        Guest("B", "mountain_savages", True, (2, 2)),
    )
    alone, brief = atlantide("thucidide"), atlantide("thucidide", guests=guests)
    before, battle = begun(alone), begun(brief)
    for side in brief.sides:
        assert len(battle.leaders_of(side.seat)) == len(before.leaders_of(side.seat)) + 1
        names = [one.names for one in battle.leaders_of(side.seat)]
        assert side.rights["guests"][0]["names"] in names
    report = reported(brief, thucidide_adjust(battle, "end", "A"))
    assert {fate.leader for fate in report.fates} == {
        f"{side.seat}.{one.id}" for side in brief.sides for one in side.leaders
    }


def test_AT_6_4_mercenaries_do_not_share_the_want_of_supply_of_troops_like_them() -> None:
    guests = (
        Guest("A", "atlantean_mercenaries", True),
        Guest("B", "mountain_savages", True, (2, 2)),
    )
    state = met("atlanteans").army_changed("A", army_ld=-1)
    war = begun(atlantide("promiterra", state, guests=guests))
    spears = [troop for troop in war.roster if troop.kind.startswith("atlantean_spearmen")]
    loyalty = {(troop.start, troop.base.loyalty) for troop in spears if troop.army == "A"}
    assert loyalty == {(330, 5), (290, 5), (160, 6)}  # Ld 6, and the army's own at -1


# At sea (PA-3) -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "agreed", "land", "sea"),
    [
        ("tabletop", "thucidide", "thucidide", "tabletop"),
        ("tabletop", "batailles", "batailles", "batailles"),
        ("promiterra", "tabletop", "tabletop", "tabletop"),
        ("promiterra", "thucidide", "thucidide", "batailles"),
        ("tabletop", "", "tabletop", "tabletop"),
    ],
)
def test_PA_3_an_agreement_about_armies_is_none_about_fleets(
    own: str, agreed: str, land: str, sea: str
) -> None:
    orders = {seat: Orders(resolver=agreed) for seat in "AB"}
    campaign = replace(invaded(resolver=own), orders=orders)
    assert resolver_of(campaign, "A", "B", at_sea=False) == land
    assert resolver_of(campaign, "A", "B", at_sea=True) == sea
