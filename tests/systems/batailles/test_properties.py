"""What holds of every phase and of every battle, whatever the dice and the answers."""

from __future__ import annotations

import random
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from polemarque.kernel.files.rule_ledger import ledger_path, read_ledger
from polemarque.kernel.game import replay
from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.position import decode_position, encode, encode_position
from polemarque.kernel.records.keyed_dice import Seeded
from polemarque.kernel.records.record import Answer, read_record, write_record
from polemarque.kernel.run import Runner
from polemarque.kernel.system import find_system
from polemarque.odds.run_once import run_procedure
from polemarque.systems.batailles.options import CHOICES, Options
from polemarque.systems.batailles.phase import engagement
from polemarque.systems.batailles.phase_values import Engagement, Force
from tests.systems.batailles.fields import answer, random_game

forces = st.builds(
    lambda pm, part, morale, command, players: Force(
        pm, max(1, pm * part // 100), morale, command, players
    ),
    st.integers(3, 400),
    st.integers(1, 100),
    st.integers(-20, 40),
    st.integers(-3, 12),
    st.integers(0, 6),
)
readings = st.builds(
    Options,
    **{c.name: st.integers(*c.values) if c.number else st.sampled_from(c.values) for c in CHOICES},
)


def phase(a: Force, b: Force, options: Options, previous: str, seed: int) -> Engagement:
    ran = run_procedure(
        lambda: engagement.run(a, b, options, previous, None), Seeded(str(seed)), rule="BC-2.1"
    )
    value: Engagement = msgspec.structs.replace(ran.value, **ran.sums)
    return value


@settings(max_examples=400, deadline=None)
@given(forces, forces, readings, st.sampled_from(["a", "b", "none"]), st.integers(0, 10**6))
def test_the_caps_hold_in_every_phase(
    a: Force, b: Force, options: Options, previous: str, seed: int
) -> None:
    fate = phase(a, b, options, previous, seed)
    for lost, side, foe, code in ((fate.loss_a, a, b, "a"), (fate.loss_b, b, a, "b")):
        assert 0 <= lost <= foe.engaged // 10  # BC-2.8
        assert lost <= side.engaged <= side.pm
        assert lost <= 15
        if fate.winner == code:
            assert lost <= foe.engaged // 10 // 2  # BC-2.9
        if options.no_wipeout == "floor":
            assert side.pm - lost >= 1  # BC-2.10


@settings(max_examples=300, deadline=None)
@given(forces, forces, readings, st.sampled_from(["a", "b", "none"]), st.integers(0, 10**6))
def test_outcome_and_morale_follow_from_the_scores(
    a: Force, b: Force, options: Options, previous: str, seed: int
) -> None:
    fate = phase(a, b, options, previous, seed)
    assert fate.gap == abs(fate.score_a - fate.score_b)
    rows = {"tie": (0, 0), "narrow": (1, 5), "clear": (6, 10), "crushing": (11, 10**6)}
    low, high = rows[fate.outcome]
    assert low <= fate.gap <= high
    ahead = None if fate.score_a == fate.score_b else "a" if fate.score_a > fate.score_b else "b"
    assert fate.winner == ahead
    for code, change in (("a", fate.morale_a), ("b", fate.morale_b)):
        if fate.winner is None:
            assert change == -options.tie_morale
        elif fate.winner == code:
            assert change == (2 if previous == code else 0)
        else:
            assert change == -2
    assert fate.out_a == (a.pm - fate.loss_a <= 2)
    assert fate.out_b == (b.pm - fate.loss_b <= 2)


@settings(max_examples=200, deadline=None)
@given(forces, forces, readings, st.integers(0, 10**6))
def test_scores_lie_within_what_their_dice_can_show(
    a: Force, b: Force, options: Options, seed: int
) -> None:
    fate = phase(a, b, options, "none", seed)
    for came, side, feats in ((fate.score_a, a, fate.feats_a), (fate.score_b, b, fate.feats_b)):
        started = options.pm_dice == "ceil" and side.engaged % 10 > 0
        dice = side.engaged // 10 + started + side.players
        fixed = side.morale + side.command
        assert dice <= came - fixed <= 6 * dice
        assert 0 <= feats <= side.players


# Whole battles -----------------------------------------------------------------------------------


def test_random_battles_end_and_their_records_replay_to_the_same_digest() -> None:
    for seed in range(60):
        told: list[Any] = []
        game = random_game(seed, told.append)
        game.settle()
        rng = random.Random(seed)
        while not game.over:
            answer(game, rng)
            game.settle()
        assert game.system.standing(game.state).over
        assert not game.system.faults(game.state)
        record = read_record(write_record(game.header, game.entries))
        again: list[Any] = []
        twin = replay(record.header, record.entries, publish=again.append)
        assert twin.digest == game.digest == record.head
        assert encode_position(twin.position) == encode_position(game.position)
        assert encode(again) == encode(told)


def test_a_position_survives_json_at_every_step_dice_included() -> None:
    for seed in range(12):
        told: list[Any] = []
        game = random_game(seed, told.append)
        rng = random.Random(seed)
        while not game.over:
            saved = encode_position(game.runner.position)
            fresh = Runner(decode_position(saved), told.append)
            assert encode_position(fresh.position) == saved
            game.runner = fresh
            if game.throws():
                throw = game.throws()[0]
                assert isinstance(throw, RollRequest)
                game.enter(Answer(throw.key, game.source.throw(throw.roll, throw.key, ())))
            else:
                answer(game, rng)
        straight: list[Any] = []
        twin = replay(game.header, game.entries, publish=straight.append)
        assert encode(straight) == encode(told)
        assert twin.state == game.state


def test_every_phase_but_the_last_costs_somebody_pm_and_losses_add_up() -> None:
    for seed in range(40):
        told: list[Any] = []
        game = random_game(seed, told.append)
        game.settle()
        rng = random.Random(seed)
        while not game.over:
            answer(game, rng)
            game.settle()
        lost: dict[int, int] = {}
        toll = {"a": 0, "b": 0}
        for event in told:
            if (event.rule, event.kind) == ("BC-3.5", "losses"):
                lost[event.period] = lost.get(event.period, 0) + event.data["loss"]
                toll[event.data["side"]] += event.data["loss"]
                assert sum(m.amount for m in event.modifiers) == event.data["loss"]
        assert all(lost[period] for period in list(lost)[:-1])  # BC-3.6
        for code, side in game.state.sides():
            assert side.start - side.pm == toll[code]


def test_every_score_is_the_sum_of_its_dice_and_its_reasons() -> None:
    for seed in range(30):
        told: list[Any] = []
        game = random_game(seed, told.append)
        game.settle()
        rng = random.Random(seed)
        while not game.over:
            answer(game, rng)
            game.settle()
        scores = [e for e in told if (e.rule, e.kind) == ("BC-2.1", "score")]
        assert scores
        for event in scores:
            reasons = sum(m.amount for m in event.modifiers)
            assert event.data["score"] == event.data["power"] + event.data["players"] + reasons


def test_every_rule_of_the_ledger_is_cited_by_what_happens() -> None:
    cited = set()
    for seed in range(150):
        told: list[Any] = []
        game = random_game(seed, told.append)
        game.settle()
        rng = random.Random(seed)
        while not game.over:
            answer(game, rng)
            game.settle()
        cited |= {e.rule for e in told} | {m.rule for e in told for m in e.modifiers}
    assert set(read_ledger(ledger_path(find_system("batailles")))[0]) <= cited


def test_the_seats_of_a_campaign_may_sit_at_both_sides() -> None:
    system = find_system("batailles")
    setup = msgspec.convert(system.scenarios["ford"], system.setup)
    state, agenda = system.begin(setup, ("C", "F"), system.options_from({}))
    assert [side.seat for _, side in state.sides()] == ["C", "F"]
    assert agenda == [("BC-1.1",)]
    assert system.standing(state).ranking == ("C", "F")
