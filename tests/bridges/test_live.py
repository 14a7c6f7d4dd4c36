"""Battles fought by a battle system (PA-3 to PA-6): whole, saved half-way, with absent sides."""

from __future__ import annotations

import msgspec
import pytest

from polemarque.kernel.battle_brief import Brief, resolver
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.position import decode_position, encode_position
from polemarque.kernel.request import Request
from polemarque.kernel.run import Runner
from tests.bridges.wars import SYSTEMS, Alone, at_sea, atlantide, mare_nostrum

CAMPAIGNS = {"mare_nostrum": mare_nostrum, "atlantide": atlantide}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_a_random_battle_ends_in_a_report_that_fits(campaign: str, name: str, seed: int) -> None:
    battle = Alone(CAMPAIGNS[campaign](name), seed).to_the_end()
    report = battle.report  # fitted, or refused
    assert report.brief == battle.brief.id
    assert battle.told("PA-6", "opened")[0]["system"] == name
    seats = {side.seat for side in battle.brief.sides}
    assert {loss.unit.partition(".")[0] for loss in report.losses} <= seats
    assert all(loss.killed + loss.left > 0 for loss in report.losses)


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_running_and_restarting_are_the_same_battle(campaign: str, name: str) -> None:
    straight, halting = [Alone(CAMPAIGNS[campaign](name), 5) for _ in range(2)]
    for _ in range(60):
        if straight.runner.over:
            break
        straight.step()
        halting.restarted().step()
        assert encode_position(halting.runner.position) == encode_position(straight.runner.position)


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_seats_are_those_of_the_campaign_whoever_attacks(campaign: str, name: str) -> None:
    brief = CAMPAIGNS[campaign](name)
    a, b = brief.sides
    turned = msgspec.structs.replace(brief, sides=(b, a))
    moved = _called(brief, {"A": "F", "B": "C"})
    for one in (turned, moved):
        battle = Alone(one, 2)
        asked: set[str] = set()
        for _ in range(4000):
            if battle.runner.over:
                break
            if isinstance(battle.runner.pending, Request):
                asked |= set(battle.request.seats)
            battle.restarted().step() if len(battle.events) % 9 == 0 else battle.step()
        assert battle.report.brief == brief.id
        assert asked <= {side.seat for side in one.sides}


def _called(brief: Brief, seats: dict[str, str]) -> Brief:
    """The same battle between other seats."""
    a, b = [msgspec.structs.replace(side, seat=seats[side.seat]) for side in brief.sides]
    return msgspec.structs.replace(brief, sides=(a, b))


@pytest.mark.parametrize("name", SYSTEMS)
def test_an_absent_side_is_not_asked_and_the_other_plays_on(name: str) -> None:
    brief = mare_nostrum(name)
    away = msgspec.structs.replace(brief.sides[1], absent=True)
    battle = Alone(msgspec.structs.replace(brief, sides=(brief.sides[0], away)), 3)
    while not battle.runner.over:
        if isinstance(battle.runner.pending, Request):
            assert "B" not in battle.request.missing
        battle.step()
        battle.restarted()
    assert battle.report


@pytest.mark.parametrize("name", SYSTEMS)
def test_with_both_sides_absent_the_rules_fight_alone(name: str) -> None:
    brief = mare_nostrum(name)
    sides = tuple([msgspec.structs.replace(side, absent=True) for side in brief.sides])
    battle = Alone(msgspec.structs.replace(brief, sides=sides), 3)
    while not battle.runner.over:
        assert not isinstance(battle.runner.pending, Request)
        battle.step()
    assert battle.report


@pytest.mark.parametrize("name", SYSTEMS)
def test_an_absence_is_remembered_in_a_saved_position(name: str) -> None:
    brief = mare_nostrum(name)
    away = msgspec.structs.replace(brief.sides[1], absent=True)
    opened = resolver(name).open(msgspec.structs.replace(brief, sides=(brief.sides[0], away)))
    runner = Runner(decode_position(encode_position(Runner(opened).position)))
    assert runner.position.absent == ("B",)


def test_fleets_fight_by_classical_battles() -> None:
    for seed in range(6):
        report = Alone(at_sea("batailles"), seed).to_the_end().report
        assert report.losses == ()  # a fleet stands or falls whole


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_campaign_that_nobody_knows_is_refused(name: str) -> None:
    brief = msgspec.structs.replace(mare_nostrum(name), campaign="elsewhere")
    with pytest.raises(NotUnderstood) as refused:
        resolver(name).open(brief)
    assert refused.value.legal == ("atlantide", "mare_nostrum")
