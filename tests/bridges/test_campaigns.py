"""A turn of each campaign with each resolver (PA-2, PA-6): live battles inside one game record."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from msgspec.structs import replace

from polemarque.bots.play import play_game
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.events import Event
from polemarque.kernel.files.texts import LANGUAGES
from polemarque.kernel.game import Game, new_header, replay
from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.position import Position, decode_position, encode, encode_position
from polemarque.kernel.records.keyed_dice import Seeded
from polemarque.kernel.records.record import read_record, write_record
from polemarque.kernel.request import Request
from polemarque.kernel.run import Runner
from polemarque.kernel.system import find_system
from polemarque.report.chronicle import chronicle
from polemarque.report.documents.document import said
from polemarque.systems.atlantide.setup.options import ways as atlantide_ways
from polemarque.systems.mare_nostrum.pieces import Orders
from polemarque.systems.mare_nostrum.setup.options import ways as mare_nostrum_ways
from polemarque.systems.mare_nostrum.state import Campaign
from tests.bridges.wars import SYSTEMS, invaded, met, with_priest

PAIRS = [("atlantide", name) for name in atlantide_ways()] + [
    ("mare_nostrum", name) for name in mare_nostrum_ways()
]


class Turn:
    """Agenda items of a campaign, battles included, played by random answers and dice."""

    def __init__(self, system: str, state: Any, *items: Any, seed: int = 0) -> None:
        self.events: list[Event] = []
        self.rng = random.Random(seed)
        self.dice = Seeded(seed)
        period = find_system(system).period(state)
        edition = find_system(system).edition
        self.runner = Runner(
            Position(system, edition, state, items, period=period), self.events.append
        )

    def step(self, absent: tuple[str, ...] = ()) -> None:
        """One answer or throw, wherever one is open."""
        self.runner.settle_battles()
        asked = list(self.runner.open())
        if not asked:
            return
        runner, pending = self.rng.choice(asked)
        if isinstance(pending, RollRequest):
            fell = self.dice.throw(pending.roll, pending.key, (pending.decision, (), ()))
            runner.fall(pending.roll.check(fell))
        else:
            seat = self.rng.choice(pending.missing)
            options = pending.options(seat)
            away = seat in absent
            value = pending.absent(seat) if away else options.sample(self.rng)
            runner.say(seat, options.take(value))
        self.runner.settle_battles()

    def play(self, most: int = 30_000) -> Turn:
        """To the end, through another process now and then."""
        for number in range(most):
            if self.runner.over:
                return self
            self.step()
            if number % 60 == 11:
                saved = encode_position(self.runner.position)
                self.runner = Runner(decode_position(saved), self.events.append)
                assert encode_position(self.runner.position) == saved
        raise AssertionError("no end")

    def told(self, rule: str, kind: str) -> list[Event]:
        return [e for e in self.events if (e.rule, e.kind) == (rule, kind)]


def systems_of(turn: Turn) -> list[str]:
    """The systems by which battles were fought, as they were told to begin."""
    return [e.data["system"] for e in turn.events if e.kind == "opened" and e.path]


def war_turn(name: str, seed: int = 0, **options: Any) -> Turn:
    """The battle phase of Atlantide, two armies having met."""
    return Turn("atlantide", met(resolver=name, **options), ("AT-8/phase",), seed=seed)


def marching(campaign: Campaign) -> Campaign:
    """The campaign in which A has ordered his army into the home of B."""
    orders = {"A": Orders(), "B": Orders()}
    return replace(campaign, orders=orders)


def campaign_turn(name: str, seed: int = 0) -> Turn:
    """The combats and the rest of Mare Nostrum's military phase, A having entered B's home."""
    campaign = marching(with_priest(invaded(resolver=name), "A"))
    items = (("MN-1.3",), ("MN-2.6",), ("MN-B.4",))
    return Turn("mare_nostrum", campaign, *items, seed=seed)


TURNS = {"atlantide": war_turn, "mare_nostrum": campaign_turn}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("campaign", "name"), PAIRS)
def test_a_turn_with_each_resolver_ends_sound_and_explained(
    campaign: str, name: str, seed: int
) -> None:
    turn = TURNS[campaign](name, seed).play()
    system = find_system(campaign)
    assert not system.faults(turn.runner.state)
    # agreement on another way is possible in Atlantide: whoever resolves it, it is told
    if campaign == "mare_nostrum":
        assert systems_of(turn) == [name]
        assert turn.told("MN-B.1", "won") or turn.told("MN-B.3", "nobody")
    else:
        assert turn.told("AT-8.6", "won") or turn.told("AT-8.13", "nobody")
        assert turn.told("AT-8.7", "back") or turn.told("AT-8.8", "back") or turn.told(
            "AT-8.13", "back"
        ) or turn.told("AT-8.11", "losses")  # fmt: skip
    header = new_header(campaign, seats=2, seed=seed)
    for lang in LANGUAGES:
        for seat in (None, "A", "B"):
            text = "\n".join(
                said(chronicle(header, turn.events, lang, seat=seat, state=turn.runner.state))
            )
            assert "{" not in text and "None" not in text


def test_both_players_agree_on_another_way_for_one_battle() -> None:
    turn = Turn("atlantide", met(resolver="table"), ("AT-8/phase",))
    while not any(p.rule == "AT-8.10/resolver" for _, p in turn.runner.open() if _asks(p)):
        turn.step()
    for seat in "AB":
        pending = turn.runner.pending
        assert isinstance(pending, Request)
        assert set(SYSTEMS) <= set(pending.options(seat).describe()["words"])
        turn.runner.say(seat, "promiterra")
    turn.play()
    assert systems_of(turn) == ["promiterra"]


def _asks(pending: Request | RollRequest) -> bool:
    return isinstance(pending, Request)


@pytest.mark.parametrize(("a", "b", "wanted"), [
    ("thucidide", "thucidide", "thucidide"), ("thucidide", "tabletop", "batailles"),
    ("", "tabletop", "batailles"), ("tabletop", "tabletop", "tabletop"),
])  # fmt: skip
def test_orders_of_mare_nostrum_may_agree_on_another_way(a: str, b: str, wanted: str) -> None:
    campaign = invaded()
    assert campaign.options.resolver == "batailles"  # MN-B.1: the default of automatic play
    orders = {"A": Orders(resolver=a), "B": Orders(resolver=b)}
    turn = Turn("mare_nostrum", replace(campaign, orders=orders), ("MN-1.3",)).play()
    assert systems_of(turn) == [wanted]


def test_players_who_disagree_leave_the_battle_open_for_the_umpire() -> None:
    turn = campaign_turn("tabletop")
    while not turn.runner.branches:
        turn.step()
    brief, battle = turn.runner.branches[0]
    for seat, winner in (("A", "attacker"), ("B", "defender")):
        pending = battle.pending
        assert isinstance(pending, Request)
        battle.say(seat, pending.options(seat).take({**pending.absent(seat), "result": winner}))
    turn.runner.settle_battles()
    asked = [p.seats for _, p in turn.runner.open() if isinstance(p, Request)]
    assert asked == [("umpire",)] and turn.runner.branches
    pending = battle.pending
    assert isinstance(pending, Request)
    battle.say("umpire", pending.options("umpire").take({"sheet": "defender"}))
    turn.runner.settle_battles()
    assert not turn.runner.branches and brief.resolver == "tabletop"


# Mare Nostrum's absent player --------------------------------------------------------------------


@pytest.mark.parametrize("name", SYSTEMS)
def test_an_absent_player_is_not_asked_in_his_battles(name: str) -> None:
    campaign = marching(invaded(resolver=name)).changed("B", absent=True)
    turn = Turn("mare_nostrum", campaign, ("MN-1.3",), seed=4)
    for _ in range(20_000):
        if turn.runner.over:
            break
        for _, pending in turn.runner.open():
            if isinstance(pending, Request):
                assert "B" not in pending.missing
        turn.step()
    assert turn.runner.over and systems_of(turn) == [name]


# What flows back ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_a_battle_cost_is_gone_and_its_reports_flow_back_by_rule(name: str) -> None:
    for seed in range(4):
        turn = campaign_turn(name, seed).play()
        for event in turn.told("MN-B.4", "lost"):
            assert event.data["stands"] > 0
        spent = turn.told("MN-6.9", "spent")
        campaign = turn.runner.state
        priests = [one for one in campaign.specialists.values() if one.kind == "priest"]
        assert not (spent and priests)
        assert priests or spent or "A1" not in campaign.armies


# Several at once ---------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tabletop", *SYSTEMS])
def test_several_battles_are_open_at_once_and_reports_join(name: str) -> None:
    for seed in range(60):
        game = Game(new_header("atlantide", seats=6, seed=seed, options={"resolver": name}))
        rng = random.Random(seed)
        game.settle()
        most = 0
        for _ in range(1500):
            if game.over or (most > 1 and not game.runner.branches):
                break
            request = rng.choice(game.requests())
            seat = rng.choice(request.missing)
            game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
            game.settle()
            most = max(most, len(game.runner.branches))
            if len(game.runner.branches) > 1:
                paths = [runner.path for _, runner in game.runner.branches]
                assert len(set(paths)) == len(paths)
        if most > 1:
            twin = replay(game.header, game.entries)
            assert encode_position(twin.position) == encode_position(game.position)
            return
    raise AssertionError("no seed has two battles at once")


# Whole campaigns ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(30))
def test_random_campaigns_of_mare_nostrum_with_battles_inside(seed: int) -> None:
    ways = mare_nostrum_ways()
    name = ways[seed % len(ways)]
    scenario = ("duel", "quartet")[seed % 2]
    options = {"resolver": name, "years": 3}
    events: list[Event] = []
    header = new_header("mare_nostrum", seed=seed, scenario=scenario, options=options)
    game = Game(header, publish=events.append)
    play_game(game, dict.fromkeys(header.seats, "random"))
    assert game.over and not find_system("mare_nostrum").faults(game.state)
    record = read_record(write_record(game.header, game.entries))
    again: list[Event] = []
    twin = replay(record.header, record.entries, publish=again.append)
    assert encode_position(twin.position) == encode_position(game.position)
    assert encode(again) == encode(events)


def test_battles_of_both_kinds_do_happen_in_random_campaigns() -> None:
    fought: list[str] = []
    for seed in range(12):
        events: list[Event] = []
        header = new_header("mare_nostrum", seed=seed, scenario="grand", options={"years": 3})
        game = Game(header, publish=events.append)
        play_game(game, dict.fromkeys(header.seats, "random"))
        fought += [e.data["system"] for e in events if (e.rule, e.kind) == ("PA-6", "opened")]
    assert "batailles" in fought


def test_a_record_names_a_resolver_that_there_is() -> None:
    with pytest.raises(NotUnderstood):
        new_header("mare_nostrum", options={"resolver": "draughts"})
    assert json.loads(encode(new_header("mare_nostrum").editions)).keys() >= set(
        mare_nostrum_ways()
    )
