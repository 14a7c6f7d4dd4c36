"""Environments: their libraries' own checkers, whole games, secrets, seeds, agents among bots."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import msgspec
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.utils import turn_based_aec_to_parallel

from polemarque.api.bots import Asked
from polemarque.bots.play import play_game
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.events import Event
from polemarque.kernel.files.plugins import look_again
from polemarque.kernel.game import Game, new_header, replay
from polemarque.kernel.position import encode
from polemarque.kernel.records.proof import prove
from polemarque.kernel.records.record import Answer, read_record
from polemarque.kernel.request import Key, OneOf, Request
from polemarque.kernel.run import Runner
from polemarque.lab.agents import Agent, Clumsy
from polemarque.lab.encoding import Encoding, Observation
from polemarque.lab.environments import Arena, aec, gym, worth_of
from tests.contract.secrets import SEALS
from tests.lab.games import BOT, SYSTEMS, number_of, play, short, whimsical

KNOWN = (
    # What PettingZoo's checker says of every environment with an action mask and named seats.
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:We recommend agents to be named",
    "ignore:Action mask numpy array is all zeros",  # of whoever is not asked, or has finished
)


def arena(system: str, **more: Any) -> Arena:
    return aec(system, options=short(system), **more)


# The libraries' checkers -------------------------------------------------------------------------


@pytest.mark.filterwarnings(*KNOWN)
@pytest.mark.parametrize("system", SYSTEMS)
def test_pettingzoo_finds_no_fault(system: str) -> None:
    api_test(arena(system), num_cycles=100)


@pytest.mark.parametrize("system", SYSTEMS)
def test_pettingzoo_finds_the_same_game_under_the_same_seed(system: str) -> None:
    seed_test(lambda: arena(system), num_cycles=60)


@pytest.mark.parametrize("system", SYSTEMS)
def test_gymnasium_finds_no_fault(system: str) -> None:
    def make(render_mode: str = "ansi") -> Any:
        return gym(system, options=short(system), against="random")

    env = make()
    env.spec = EnvSpec("Game-v0", entry_point=make)  # with it the checker looks for chance as well
    check_env(env)


@pytest.mark.filterwarnings(*KNOWN)
@pytest.mark.parametrize("system", SYSTEMS)
def test_pettingzoo_makes_it_parallel(system: str) -> None:
    parallel_api_test(turn_based_aec_to_parallel(arena(system)), num_cycles=100)


def test_gymnasium_makes_every_system_by_its_name() -> None:
    for system in SYSTEMS:
        if system != "toy":
            name = f"polemarque.lab.environments:polemarque/{system}-v0"
            env = gymnasium.make(name, options=short(system), against="random")
            _, info = env.reset(seed=2)
            apart = gym(system, options=short(system), against="random")
            assert info["question"] == apart.reset(seed=2)[1]["question"]
            env.close()


# Whole games -------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", SYSTEMS)
def test_agents_play_to_the_end_and_the_record_is_proved(system: str) -> None:
    for seed, encoding in enumerate((Encoding(), Encoding(choices=3))):
        env = arena(system, encoding=encoding)
        assert play(env, seed) > 3
        assert env.game.over and not env.agents
        record = read_record(env.game.record)
        assert replay(record.header, record.entries).digest == env.game.digest
        assert prove(env.game.record).holds


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_one_point_of_a_game_goes_to_its_winners(system: str) -> None:
    env = arena(system)
    env.reset(seed=5)
    won: dict[str, float] = {}
    for agent in env.agent_iter():
        observation, reward, over, _, _ = env.last()
        if over:
            won[agent] = reward
        else:
            assert reward == 0
        env.step(None if over else whimsical(observation))
    standing = env.game.system.standing(env.game.state)
    share = standing.winners or env.game.header.seats
    assert won == {s: 1 / len(share) if s in share else 0 for s in env.game.header.seats}
    assert sum(won.values()) == pytest.approx(1)


@pytest.mark.parametrize("system", ["thucidide", "promiterra"])
def test_shaped_rewards_add_up_to_the_point_less_the_worth_of_the_start(system: str) -> None:
    env = arena(system, shaped=True)
    env.reset(seed=5)
    seats = env.game.header.seats
    start = {seat: worth_of(system)(env.game.state, seat) for seat in seats}
    total, on_the_way = dict.fromkeys(seats, 0.0), 0
    for agent in env.agent_iter():
        observation, reward, over, _, _ = env.last()
        total[agent] += reward
        on_the_way += bool(reward) and not over
        env.step(None if over else whimsical(observation))
    share = env.game.system.standing(env.game.state).winners or seats
    won = {seat: 1 / len(share) if seat in share else 0 for seat in seats}
    assert total == pytest.approx({seat: won[seat] - start[seat] for seat in seats})
    assert on_the_way


def test_no_reward_is_shaped_where_no_bot_says_what_a_state_is_worth() -> None:
    with pytest.raises(ValueError, match="atlantide"):
        aec("atlantide", shaped=True)


def test_agents_may_begin_later_and_bots_play_until_then() -> None:
    env = aec("thucidide", "ford", start=4)
    env.reset(seed=3)
    began = len(env.game.entries)
    asked = env.infos[env.agent_selection]["question"]["key"]
    assert int(asked.split("/")[0]) >= 4
    steady = Game(env.game.header)
    play_game(steady, {"A": "steady", "B": "steady"}, stop=lambda game: len(game.entries) >= began)
    assert steady.entries[:began] == env.game.entries
    periods = [entry.key.period for entry in env.game.entries if isinstance(entry, Answer)]
    assert max(periods) <= 4


def test_a_start_that_no_game_reaches_is_refused() -> None:
    for start, said in ((10**9, "over before period 1000000000"), (-3, "-3"), (2.5, "2.5")):
        with pytest.raises(ValueError, match=said):
            gym("thucidide", "ford", start=start).reset(seed=1)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=said):
            aec("thucidide", "ford", start=start).reset(seed=1)  # type: ignore[arg-type]


def test_a_clumsy_bot_answers_at_random_as_often_as_is_said() -> None:
    class Counting:
        asked = 0

        def choose(self, view: Any, options: Any, asked: Asked, chooser: Any) -> Any:
            Counting.asked += 1
            return options.sample(chooser)

    for often, least, most in ((0.0, 1.0, 1.0), (0.25, 0.65, 0.85), (1.0, 0.0, 0.0)):
        Counting.asked = answers = 0
        for seed in range(6):
            game = Game(new_header("thucidide", scenario="ford", seed=seed))
            play_game(game, {"A": Clumsy(Counting(), often), "B": "random"})
            answers += sum(isinstance(e, Answer) and e.key.seat == "A" for e in game.entries)
        assert answers > 150
        assert least <= Counting.asked / answers <= most


@pytest.mark.parametrize("system", SYSTEMS)
def test_one_agent_plays_against_bots(system: str) -> None:
    env = gym(system, options=short(system), against="random")
    observation, info = env.reset(seed=2)
    over, reward = False, 0.0
    while not over:
        assert env.observation_space.contains(observation)
        assert (info["action_mask"] == observation["action_mask"]).all()
        observation, reward, over, cut, info = env.step(whimsical(observation))
        assert not cut and "illegal" not in info
    winners = env.game.system.standing(env.game.state).winners or env.game.header.seats
    assert reward == (1 / len(winners) if env.seat in winners else 0)
    assert not observation["action_mask"].any()
    assert replay(env.game.header, env.game.entries).digest == env.game.digest


@pytest.mark.parametrize("system", [name for name in SYSTEMS if name != "toy"])
def test_an_agent_answers_in_our_games_as_in_the_environment(system: str) -> None:
    """The same policy, once in the environment and once as a bot, makes the same record."""
    env = arena(system)
    # Within a battle of a campaign a bot is found by its name: see below.
    seed = next(seed for seed in range(20) if play(env, seed) and not fought(env.game))
    game = Game(new_header(system, seed=seed, options=short(system)))
    play_game(game, dict.fromkeys(game.header.seats, BOT))
    assert game.over and game.digest == env.game.digest


def fought(game: Game) -> bool:
    """Whether somebody was asked in a battle inside the game, and none was fought on a table: of
    such a one a bot reports nothing."""
    asked = [entry.key for entry in game.entries if isinstance(entry, Answer) and entry.key.path]
    return bool(asked) and not any(key.rule.startswith("PA-") for key in asked)


# Secrets -----------------------------------------------------------------------------------------


ASKED_TOGETHER = [
    ("atlantide", 0), ("atlantide", 12), ("batailles", 0), ("batailles", 2), ("mare_nostrum", 0),
    ("mare_nostrum", 12), ("promiterra", 0), ("toy", 0), ("toy", 8),
]  # fmt: skip
"""Of each system that seals: after how many entries to look."""


def to_sealed(env: Arena, seeds: Iterable[int], entries: int) -> tuple[int, Request]:
    """Play until several agents are asked together and none has chosen anything yet; the seed of
    the first game in which that comes to pass, too."""
    for seed in seeds:
        env.reset(seed=seed)
        while env.game.requests():
            for request in env.game.requests(env.agent_selection):
                if len(request.missing) > 1 and len(env.game.entries) >= entries:
                    return seed, request
            env.step(whimsical(env.last()[0]))
    raise AssertionError("nobody is asked together")


def sealed_by(env: Arena, agent: str, whim: int) -> bytes:
    """Have an agent seal what a whim says; what he sealed."""
    request = env.game.requests(agent)[0]
    while agent in request.missing and env.agent_selection == agent:
        observation = env.observe(agent)
        env.step((number_of(observation) + whim) % int(observation["action_mask"].sum()))
    return encode(request.answered[agent])


@pytest.mark.parametrize(("system", "entries"), ASKED_TOGETHER)
def test_nobody_is_shown_what_others_have_sealed(system: str, entries: int) -> None:
    sealed, seen = set(), set()
    seeds: Iterable[int] = range(20)
    for whim in range(6):
        env = arena(system, scenario="coalition" if system == "promiterra" else "")
        seed, asked = to_sealed(env, seeds, entries)
        seeds = (seed,)
        first = env.agent_selection
        sealed.add(sealed_by(env, first, whim))
        others = [seat for seat in asked.missing if seat != first]
        assert env.agent_selection in others and env.infos[first] == {}
        shown = {seat: env.observe(seat) for seat in others}
        seen.add(
            b"".join(each[part].tobytes() for each in shown.values() for part in sorted(each))  # type: ignore[literal-required]
            + encode(env.infos)
            + env.render().encode()
        )
    assert len(sealed) > 1, "the same was sealed each time: this test shows nothing"
    assert len(seen) == 1


def test_that_is_shown_of_every_system_that_seals() -> None:
    assert {system for system, _ in ASKED_TOGETHER} == SEALS


def test_an_observation_tells_views_and_questions_apart() -> None:
    env = arena("thucidide")
    env.reset(seed=0)
    seen = set()
    for _ in range(60):
        observation = env.last()[0]
        seen.add(observation["observation"].tobytes())
        assert (
            env.observe("A")["observation"].tobytes() != env.observe("B")["observation"].tobytes()
        )
        env.step(whimsical(observation))
    assert len(seen) == 60


def test_information_holds_the_view_and_the_question() -> None:
    env = arena("thucidide")
    env.reset(seed=0)
    agent = env.agent_selection
    info = env.infos[agent]
    assert msgspec.json.decode(info["view"]) == msgspec.json.decode(encode(env.game.view(agent)))
    (request,) = env.game.requests(agent)
    assert info["question"]["rule"] == request.rule
    assert info["question"]["key"] == str(request.keys[agent])
    assert len(info["question"]["choices"]) == env.observe(agent)["action_mask"].sum()


def test_what_only_some_may_know_is_not_rendered() -> None:
    for seed in range(40):
        env = arena("toy", seats=3)
        play(env, seed)
        told: list[Event] = []
        replay(env.game.header, env.game.entries, publish=told.append)
        if any(event.kind == "mocked" for event in told):
            text = env.render()
            assert "stormed" in text and "mocked" not in text
            return
    raise AssertionError("nothing was told to some only")


# Seeds, illegal actions, who plays ---------------------------------------------------------------


def test_seeds() -> None:
    env = arena("thucidide")
    digests = []
    for seed in (3, 4, 3):
        play(env, seed)
        assert env.game.header.seed == str(seed)
        digests.append(env.game.digest)
    assert digests[0] == digests[2] != digests[1]
    drawn = []
    for _ in range(2):
        env.reset(seed=3)
        env.reset()
        drawn.append(env.game.header.seed)
    env.reset()
    assert drawn[0] == drawn[1] != env.game.header.seed


def test_an_action_that_the_mask_forbids_changes_nothing() -> None:
    env = arena("thucidide")
    env.reset(seed=0)
    before = env.observe(env.agent_selection)
    forbidden = int(before["action_mask"].sum())
    for action in (forbidden, 63, -1):
        with pytest.raises(ValueError, match="no choice"):
            env.step(action)
    with pytest.raises(ValueError, match="a choice to make"):
        env.step(None)
    assert _same(env.observe(env.agent_selection), before) and not env.game.entries
    one = gym("thucidide", options=short("thucidide"))
    before, _ = one.reset(seed=0)
    entries = len(one.game.entries)
    after, reward, over, cut, info = one.step(63)
    assert _same(before, after) and len(one.game.entries) == entries
    assert (reward, over, cut, info["illegal"]) == (0.0, False, False, True)


def _same(one: Observation, other: Observation) -> bool:
    return bool(
        np.array_equal(one["observation"], other["observation"])
        and np.array_equal(one["action_mask"], other["action_mask"])
    )


def test_seats_may_be_bots_and_agents_may_be_spared_a_rule() -> None:
    env = arena("atlantide", bots={"B": "steady", "D": "random"}, unasked=["AT-4"])
    assert env.possible_agents == ["A", "C"]
    rules = set()
    env.reset(seed=1)
    for _ in env.agent_iter():
        observation, _, over, _, info = env.last()
        if not over:
            rules.add(info["question"]["rule"])
        env.step(None if over else whimsical(observation))
    assert rules and not [rule for rule in rules if rule.startswith("AT-4")]
    spared = {e.key.seat for e in env.game.entries if isinstance(e, Answer) and e.by == "absent"}
    assert spared == {"A", "C"}
    with pytest.raises(ValueError, match="no seat 'Z'"):
        aec("atlantide", bots={"Z": "steady"})
    with pytest.raises(ValueError, match="no agent"):
        aec("batailles", bots={"A": "steady", "B": "steady"})
    with pytest.raises(ValueError, match="no seat 'Z'"):
        gym("batailles", seat="Z")
    with pytest.raises(NotUnderstood):
        aec("batailles", "no such scenario")
    for unknown in (
        lambda: aec("batailles", bots={"B": "zeus"}),
        lambda: gym("batailles", against="zeus"),
    ):
        with pytest.raises(NotUnderstood, match="zeus"):
            unknown()


def test_a_system_without_an_end_of_its_own_is_given_one() -> None:
    env = aec("atlantide")
    env.reset(seed=0)
    assert env.game.header.options["turn_limit"] == env.game.system.turns > 0


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("system", [name for name in SYSTEMS if name != "toy"])
def test_what_is_rendered_is_the_board_and_the_news(system: str, lang: str) -> None:
    env = arena(system, lang=lang)
    play(env, 0)
    whole, rest = env.render(), env.render()
    assert rest and whole.startswith(rest) and len(whole) > len(rest)


# Agents as bots ----------------------------------------------------------------------------------


@pytest.fixture
def learnt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of an agent that is installed as a bot, for a campaign and for battles."""
    folder = tmp_path / "learnt-1.0.dist-info"
    folder.mkdir()
    points = [f"{system}.learnt = tests.lab.games:BOT" for system in SYSTEMS if system != "toy"]
    text = "\n".join(["[polemarque.bots]", *points, ""])
    (folder / "entry_points.txt").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    look_again()
    yield "learnt"
    monkeypatch.undo()
    look_again()


@pytest.mark.slow
def test_by_its_name_an_agent_fights_the_battles_of_its_campaign_too(learnt: str) -> None:
    options = {"turn_limit": 3, "resolver": "batailles"}
    env = aec("atlantide", options=options)
    seed = next(seed for seed in range(60) if play(env, seed) and fought(env.game))
    game = Game(new_header("atlantide", seed=seed, options=options))
    play_game(game, dict.fromkeys(game.header.seats, learnt))
    assert game.over and game.digest == env.game.digest


def test_in_a_battle_inside_a_campaign_its_own_view_is_seen() -> None:
    env = aec("atlantide", options={"turn_limit": 3, "resolver": "batailles"})
    for seed in range(20):
        env.reset(seed=seed)
        while env.game.requests():
            agent = env.agent_selection
            within = asking(env, agent)
            view = encode(within.system.view(within.state, agent))
            assert env.infos[agent]["view"].encode() == view
            if within.path:
                return
            env.step(whimsical(env.last()[0]))
    raise AssertionError("nobody is asked in a battle")


def asking(env: Arena, agent: str) -> Runner:
    """The game, or the battle inside it, that asks the agent what it is shown."""
    asked = env.infos[agent]["question"]["key"]
    (within,) = [
        runner
        for runner, pending in env.game.runner.open()
        if isinstance(pending, Request) and asked == str(pending.keys.get(agent))
    ]
    return within


def test_an_agent_that_is_spared_a_rule_answers_as_if_he_were_absent() -> None:
    agent = Agent(lambda *_: 2, unasked=["AT-4"])
    options = OneOf(("peace", "war", "silence"))
    answers = {
        rule: agent.choose({}, options, Asked(Key(1, "", rule, "A"), lambda: "peace"), Random(0))
        for rule in ("AT-4.1", "AT-4.3/after_move", "AT-5.1")
    }
    assert answers == {"AT-4.1": "peace", "AT-4.3/after_move": "peace", "AT-5.1": "silence"}


def test_an_agent_must_keep_to_the_mask() -> None:
    game = Game(new_header("thucidide", seed=1))
    with pytest.raises(ValueError, match="no choice 99"):
        play_game(game, {"A": Agent(lambda *_: 99), "B": "steady"})


def test_the_library_is_read_only_where_it_is_used() -> None:
    code = (
        "import polemarque.cli, polemarque.bots.play, polemarque.lab.answer_menus, sys;"
        "print(*{'numpy', 'gymnasium', 'pettingzoo'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
