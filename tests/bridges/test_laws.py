"""Laws of a battle of a campaign, watched from outside: what is handed over is what is there, what
was lost on the field is what is lost in the campaign, and nothing else changes (PA-1, MN-B, AT-8).

Everything is reckoned here once more, from the states alone.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from polemarque.api.bots import Asked
from polemarque.bots.registry import bot
from polemarque.bridges.pairs import figures_for
from polemarque.bridges.thucidide import kind_of
from polemarque.kernel import battle_brief as briefs
from polemarque.kernel.battle_brief import Brief, Loss, Report, Side, resolver
from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.request import Request
from polemarque.systems.atlantide.chapters.casualty_recovery import after_battle, casualties_of
from polemarque.systems.mare_nostrum.pieces import LOST, OWN
from polemarque.systems.mare_nostrum.state import Campaign
from tests.bridges.wars import SYSTEMS, Alone, atlantide, duel, invaded, met
from tests.systems.mare_nostrum.realms import HOMES, specialist
from tests.systems.mare_nostrum.stage import Stage

FIELDS = (HOMES["B"], "dax", "alba|borea")
"""B's home with its fortress and his Sacred Guard, a free province, a border."""


def situation(field: str, seed: int) -> Campaign:
    """Two armies about to fight on a field, worn, with mercenaries and specialists at random."""
    rng = random.Random(f"{field}/{seed}")
    campaign = invaded()
    places = {"A": ("borea", "alba"), "B": ("alba", "borea")}
    for seat in "AB":
        if field == HOMES["B"]:
            place, came = field, HOMES["A"] if seat == "A" else ""
        else:
            place, came = (field, "borea") if field == "dax" else places[seat]
        stands = [rng.choice((OWN, OWN, OWN, OWN, LOST, "celts")) for _ in range(12)]
        campaign = campaign.army_changed(f"{seat}1", place=place, came=came, stands=tuple(stands))
        for number, kind in ((6, "priest"), (7, "engineer")):
            if rng.random() < 0.6:
                god = "war" if kind == "priest" else ""
                campaign = specialist(
                    campaign, seat, kind, number=number, god=god, joins=f"{seat}1"
                )
    return campaign


def fought(brief: Brief, seed: int) -> Alone:
    """The battle of a brief fought to its end by steady bots: most of them are won."""
    battle, player, rng = Alone(brief, seed), bot("steady", brief.resolver), random.Random(seed)
    while not battle.runner.over:
        if not isinstance(battle.runner.pending, Request):
            battle.step()
            continue
        request, runner = battle.request, battle.runner
        seat = request.missing[0]
        asked = Asked(request.keys[seat], lambda r=request, s=seat: r.absent(s))  # type: ignore[misc]
        options = request.options(seat)
        view = runner.system.view(runner.state, seat)
        runner.say(seat, options.take(player.choose(view, options, asked, rng)))
    return battle


def listed(campaign: Campaign, seat: str, *, guard: bool) -> Counter[str]:
    """How many stands of each unit an army has, its Sacred Guard among them or not."""
    army = campaign.armies[f"{seat}1"]
    own = campaign.lists.list[army.list].elements
    there = Counter(
        [own[n] if s == OWN else f"hired_{s}" for n, s in enumerate(army.stands) if s != LOST]
    )
    return there + Counter({"guard": int(guard)})


def lost(report: Report, seat: str) -> Counter[str]:
    """Stands that a side lost, by unit."""
    return Counter(
        {
            loss.unit.removeprefix(f"{seat}."): loss.killed
            for loss in report.losses
            if loss.unit.startswith(f"{seat}.")
        }
    )


def priests_left(battle: Alone, seat: str) -> int | None:
    """How much of its priests a side has left at the end, as the battle's own state has it."""
    state = battle.runner.state
    if battle.brief.resolver == "batailles":
        left: int | None = next(side.priests for _, side in state.sides() if side.seat == seat)
    elif battle.brief.resolver == "promiterra":
        left = state.armies[seat].rerolls
    else:
        left = state.sides[seat].rerolls
    return left


# Mare Nostrum ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("field", FIELDS)
def test_PA_1_what_a_brief_lists_is_what_is_there(field: str, seed: int) -> None:
    campaign = situation(field, seed)
    brief = duel(campaign, field, "A1", "B1")
    for side in brief.sides:
        guard = side.seat == "B" and field == HOMES["B"]
        expected = listed(campaign, side.seat, guard=guard)
        assert {unit.id: unit.figures for unit in side.units} == expected
        kinds = {one.kind for one in campaign.specialists.values() if one.owner == side.seat}
        assert ("war_priest" in side.rights["once"]) == ("priest" in kinds)
        assert side.rights["engineer"] == ("engineer" in kinds)
        assert side.rights["guard"] == guard
    assert brief.fortress == (field == HOMES["B"])


@pytest.mark.parametrize(("seed", "field"), [*enumerate(FIELDS)])
@pytest.mark.parametrize("name", SYSTEMS)
def test_PA_1_what_is_lost_on_the_field_is_what_the_campaign_loses(
    name: str, field: str, seed: int
) -> None:
    campaign = situation(field, seed)
    brief = replace(duel(campaign, field, "A1", "B1"), resolver=name)
    battle = fought(brief, seed)
    report = battle.report
    stage = Stage(campaign, ("MN-B.3", field, "A1", "B1", report))
    after = stage.campaign
    for seat in "AB":
        guard = seat == "B" and field == HOMES["B"]
        left = listed(campaign, seat, guard=guard) - lost(report, seat)
        beaten = report.winner is not None and brief.sides[report.winner].seat != seat
        assert after.seats[seat].treasury == campaign.seats[seat].treasury
        victories = after.seats[seat].year.victories
        assert victories == (report.winner is not None and not beaten)
        with_him = {one.kind for one in campaign.companions(f"{seat}1")}
        if beaten or not left - Counter({"guard": 1}):  # the guard alone is no army (MN-B.4)
            assert f"{seat}1" not in after.armies and not after.companions(f"{seat}1")
            continue
        if f"{seat}1" not in after.armies:  # nobody has won, and there was no way back
            assert report.winner is None
            continue
        stands_guard = guard and not lost(report, seat)["guard"]
        assert listed(after, seat, guard=stands_guard) == left
        assert after.seats[seat].guard_lost == (guard and not stands_guard)
        spent = set() if priests_left(battle, seat) else {"priest"}
        assert {one.kind for one in after.companions(f"{seat}1")} == with_him - spent


def test_PA_1_a_report_that_does_not_fit_is_refused_and_the_campaign_is_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    liar = replace(
        resolver("tabletop"), report=lambda brief, _: Report(brief.id, 0, (Loss("A.spears", 99),))
    )
    monkeypatch.setitem(briefs._RESOLVERS, "tabletop", liar)
    before = situation("dax", 0).hostile("A", "B")
    before = before.field_changed("dax", wishes={"A": ("B",)}, line=("A", "B"))
    before = replace(before, options=replace(before.options, resolver="tabletop"))
    runner = Stage(before, ("MN-B.2", ("dax",))).runner
    ((_, table),) = runner.branches
    for seat in "AB":
        assert isinstance(table.pending, Request)
        table.say(seat, table.pending.absent(seat))
    with pytest.raises(NotAllowed) as refused:
        runner.settle_battles()
    assert refused.value.code == "battle.losses"
    assert runner.state == before and [each.path for _, each in runner.branches] == [table.path]


@pytest.mark.parametrize("seed", range(2))
def test_PA_5_stands_lost_are_units_destroyed_and_whoever_won_there_has_won(seed: int) -> None:
    brief = replace(duel(situation("dax", seed), "dax", "A1", "B1"), resolver="thucidide")
    battle, figures = fought(brief, seed), figures_for(brief, "thucidide")
    for side in brief.sides:
        units = [u for u in battle.runner.state.units.values() if u.seat == side.seat]
        assert len(units) == sum([unit.figures for unit in side.units])
        kinds = {unit.id: kind_of(figures, unit) for unit in side.units}
        fallen = Counter([kinds[unit] for unit in lost(battle.report, side.seat).elements()])
        assert fallen == Counter([u.figures.kind for u in units if u.fate == "destroyed"])
    winner = battle.runner.state.ending.winner
    seats = {seat: n for n, seat in enumerate([side.seat for side in brief.sides])}
    assert battle.report.winner == seats.get(winner)


# Atlantide ---------------------------------------------------------------------------------------

BACK = {"winner": (50, 100), "loser": (25, 50), "draw": (25, 50)}
"""Percent that come back of the killed, and of those that left the table (AT-8.7, AT-8.8)."""


def destroyed_whole(side: Side, battle: Alone) -> bool:
    """Whether no unit of a side is left on the board."""
    units = [u for u in battle.runner.state.units.values() if u.seat == side.seat]
    return all([unit.fate == "destroyed" for unit in units])


@pytest.mark.parametrize("name", SYSTEMS)
def test_AT_8_7_figures_come_back_unit_by_unit_and_no_more_are_lost_than_there_were(
    name: str,
) -> None:
    war = met()
    battle = fought(atlantide(name, war), 0)
    report = battle.report
    paid = {loss.unit: loss for loss in report.losses}
    for side in battle.brief.sides:
        army = war.seats[side.seat].army
        assert army is not None
        for fate, (killed, left) in BACK.items():
            after, _ = after_battle(army, casualties_of(army, side.seat, report), fate)  # type: ignore[arg-type]
            now = {unit.id: unit.figures for unit in after.units}
            for unit in army.units:
                loss = paid.get(f"{side.seat}.{unit.id}")
                due = unit.figures
                if loss is not None:
                    due -= loss.killed + loss.left
                    assert due >= 0
                    due += loss.killed * killed // 100 + loss.left * left // 100
                assert now.get(unit.id, 0) == due
        if name == "thucidide" and destroyed_whole(side, battle):
            gone = sum([each.killed + each.left for each in casualties_of(army, side.seat, report)])
            assert gone == sum([unit.figures for unit in army.units])
