"""Bots: found by name, blind to what others seal, the same again, and steady beats random."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from polemarque.api.bots import Asked
from polemarque.bots import play
from polemarque.bots.play import Chance, play_game
from polemarque.bots.registry import bot, bot_names
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.files.plugins import look_again
from polemarque.kernel.game import Game, new_header, replay
from polemarque.kernel.request import Key
from polemarque.kernel.system import find_system, system_names
from tests.kernel import toy
from tests.lab.games import BOT

assert toy.TOY

PLAYABLE = [name for name in system_names() if find_system(name).playable and name != "duel"]


def new_game(system: str, seed: int, **more: Any) -> Game:
    options = dict(more.pop("options", {}))
    if any(choice.name == "turn_limit" for choice in find_system(system).options):
        options.setdefault("turn_limit", 3)
    return Game(new_header(system, seed=seed, options=options, **more))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["steady", "random"])
@pytest.mark.parametrize("system", PLAYABLE)
def test_bots_play_every_scenario_to_its_end(system: str, name: str) -> None:
    for scenario in find_system(system).scenarios:
        game = new_game(system, 1, scenario=scenario)
        play_game(game, dict.fromkeys(game.header.seats, name))
        assert game.over
        twin = replay(game.header, game.entries)
        assert twin.digest == game.digest


@pytest.mark.parametrize("name", ["steady", "random"])
@pytest.mark.parametrize("system", PLAYABLE)
def test_the_same_game_is_played_again_even_from_its_middle(system: str, name: str) -> None:
    whole = new_game(system, 4)
    bots = dict.fromkeys(whole.header.seats, name)
    play_game(whole, bots)
    for part in (0.1, 0.5, 0.9):
        cut = int(len(whole.entries) * part)
        game = replay(whole.header, whole.entries[:cut])
        play_game(game, bots)
        assert game.digest == whole.digest


def test_choices_come_from_the_seed_and_the_question_alone() -> None:
    key, other = Key(1, "", "X-1", "A"), Key(1, "", "X-1", "B")
    assert Chance(1).of(key).random() == Chance("1").of(key).random()
    assert Chance(1).of(key).random() != Chance(2).of(key).random()
    assert Chance(1).of(key).random() != Chance(1).of(other).random()
    assert Chance().of(key).random() != Chance().of(key).random()


def test_a_bot_gets_no_request_and_so_no_sealed_answer() -> None:
    seen: list[Any] = []

    class Spy:
        def choose(self, view: Any, options: Any, asked: Asked, chooser: Any) -> Any:
            seen.append((view, asked))
            return options.sample(chooser)

    game = new_game("toy", 3, seats=2)
    play_game(game, {"A": "random", "B": Spy()})
    assert seen
    for view, asked in seen:
        assert set(view) == {"day", "place", "gold", "secret"}
        assert view["secret"].endswith("-B")
        assert set(msgspec.structs.asdict(asked)) == {"key", "absent", "moment"}
        assert asked.moment() is None  # what others have sealed might be read off it
        assert asked.seat == "B"
        assert asked.rule == asked.key.rule


class Follower:
    """Duels whenever it may; remembers which system asked it."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def choose(self, view: Any, options: Any, asked: Asked, chooser: Any) -> Any:
        self.asked.append(asked.rule)
        return "duel" if asked.rule == "TOY-1" else options.sample(chooser)


@pytest.mark.parametrize("named", [True, False], ids=["by name", "as an object"])
def test_a_live_battle_is_fought_by_the_bots_of_its_own_system(
    named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaigner, duellist = Follower(), Follower()
    known = {("follower", "toy"): campaigner, ("steady", "duel"): duellist}
    monkeypatch.setattr(play, "bot", lambda name, system: known[name, system])
    game = new_game("toy", 3, seats=2)
    play_game(game, dict.fromkeys(game.header.seats, "follower" if named else campaigner))
    assert game.over
    assert set(campaigner.asked) == {"TOY-1"}
    assert set(duellist.asked) == {"DUEL-1"}


def test_people_are_waited_for_and_seal_first() -> None:
    game = new_game("toy", 3, seats=3)
    play_game(game, {"B": "random", "C": "random"})
    (request,) = game.requests()
    assert request.missing == ("A", "B", "C")
    game.answer("A", "wait")
    play_game(game, {"B": "random", "C": "random"})
    assert game.requests("A") or game.over


def test_it_stops_when_told_and_reports_each_step() -> None:
    game = new_game("toy", 3, seats=2)
    steps: list[int] = []
    bots = {"A": "random", "B": "random"}

    def count(game: Game) -> None:
        steps.append(len(game.entries))

    play_game(game, bots, on_step=count, stop=lambda _: len(steps) == 3)
    assert len(steps) == 3
    assert not game.over
    assert steps == sorted(steps)


def test_the_umpires_questions_get_the_rules_own_answer_or_wait_for_him() -> None:
    options = {"winner_losses": "umpire"}
    game = new_game("batailles", 1, options=options)
    play_game(game, {"A": "steady", "B": "steady"})
    assert game.over
    by = {entry.by for entry in game.entries if entry.key.seat == "umpire"}
    assert by == {"absent"}
    game = new_game("batailles", 1, options=options)
    play_game(game, {"A": "steady", "B": "steady"}, umpire=False)
    assert not game.over
    assert game.requests("umpire")


def test_names() -> None:
    assert bot_names("batailles")[:2] == ("steady", "random")
    assert bot("steady", "toy") is not None
    with pytest.raises(NotUnderstood) as refused:
        bot("brilliant", "toy")
    assert refused.value.legal == ("steady", "random")


def test_a_strangers_bot_is_found_by_its_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "mine-1.0.dist-info"
    folder.mkdir()
    points = "[polemarque.bots]\nford.mine = tests.lab.games:BOT\n"
    (folder / "entry_points.txt").write_text(points, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    look_again()
    try:
        assert bot_names("ford") == ("steady", "random", "mine")
        assert bot("mine", "ford") is BOT
        with pytest.raises(NotUnderstood):
            bot("mine", "batailles")
    finally:
        monkeypatch.undo()
        look_again()


def match(scenario: str, seat: str, seed: int) -> str:
    """How the steady captain fares in that seat against a random one."""
    other = "B" if seat == "A" else "A"
    game = new_game("batailles", seed, scenario=scenario)
    play_game(game, {seat: "steady", other: "random"})
    winners = game.system.standing(game.state).winners
    return "draw" if not winners else "win" if winners == (seat,) else "loss"


def test_steady_beats_random_clearly_in_every_battle() -> None:
    for scenario in find_system("batailles").scenarios:
        results = Counter(match(scenario, seat, seed) for seat in "AB" for seed in range(60))
        assert results["win"] > 72, (scenario, results)
        assert results["win"] > 6 * results["loss"], (scenario, results)


@pytest.mark.parametrize("variant", ["engage=chosen", "rout=zero", "streak=every", "pm_dice=ceil"])
def test_the_steady_captain_knows_the_variants(variant: str) -> None:
    name, _, value = variant.partition("=")
    for seed in range(20):
        game = new_game("batailles", seed, options={name: value})
        play_game(game, {"A": "steady", "B": "steady"})
        assert game.over
        if name == "engage":
            engaged = [e for e in game.entries if e.key.rule == "BC-2.8/engage"]
            assert engaged


def test_the_steady_captain_saves_what_is_left() -> None:
    causes = Counter()
    for seed in range(60):
        game = new_game("batailles", seed, scenario="cannae")
        play_game(game, {"A": "steady", "B": "steady"})
        left = set(game.state.ending.left.values())
        causes[game.state.ending.cause, *sorted(left)] += 1
    assert causes["withdrawal", "BC-3.4"] > 5


def test_bots_do_not_begin_what_nothing_would_end() -> None:
    endless = Game(new_header("atlantide", seed=1))
    bots = dict.fromkeys(endless.header.seats, "steady")
    with pytest.raises(NotAllowed) as refused:
        play_game(endless, bots)
    assert (refused.value.code, refused.value.legal) == ("game.endless", ("turn_limit=12",))
    assert not endless.entries
    play_game(endless, bots, stop=lambda game: len(game.entries) > 5)
    assert endless.entries and not endless.over
    play_game(endless, {seat: bots[seat] for seat in endless.header.seats[1:]})
    assert any("A" in request.missing for request in endless.requests("A"))
    finite = Game(new_header("promiterra", seed=1))
    assert not finite.system.never_ends(finite.header.options)
