"""The bot that searches: finds what wins, from what its seat may know, the same every time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest

from polemarque.api.bots import Asked
from polemarque.bots.play import moment_of, play_game
from polemarque.bots.registry import bot, bot_names
from polemarque.bots.search import promiterra, thucidide
from polemarque.bots.search.answers import free, varied
from polemarque.bots.search.playout import Question
from polemarque.bots.search.tree import CLOSED, IDLE, Node, Search, Thought
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.position import encode, encode_position
from polemarque.kernel.request import Amount, OneOf, Options, Path, SeveralOf, Sheet, Text
from polemarque.kernel.run import Runner
from polemarque.kernel.system import find_system
from tests.bots.pebbles import PEBBLES, SEARCH
from tests.kernel import toy

assert toy.TOY

GROUNDS = {
    "promiterra": promiterra.GROUNDS,
    "thucidide": thucidide.GROUNDS,
}


def pebbles(seed: int = 1, **setup: Any) -> Game:
    return Game(new_header(PEBBLES.name, seed=seed, setup=setup))


def says(game: Game, seat: str, player: Search = SEARCH, seed: int = 1) -> Any:
    """What a bot would answer to the open question, asked as `play_game` asks."""
    (request,) = game.requests(seat)
    runner = game.runner
    asked = Asked(request.keys[seat], lambda: request.absent(seat), lambda: moment_of(runner))
    view = game.system.view(game.state, seat)
    return player.choose(view, request.options(seat), asked, Random(seed))


# Playing well ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("heap", "winning"), [(3, 3), (5, 1), (6, 2), (7, 3)])
def test_it_finds_the_answer_that_wins_by_force(heap: int, winning: int) -> None:
    game = pebbles(pebbles=heap)
    game.answer("A", 3)
    game.answer("B", 0)
    assert says(game, "A", SEARCH.tuned("400")) == winning


def test_it_beats_chance_although_the_wind_blows() -> None:
    won = Counter[str]()
    for seed in range(20):
        seat, other = ("A", "B") if seed % 2 else ("B", "A")
        game = pebbles(seed, windy=True)
        play_game(game, {seat: SEARCH.tuned("100"), other: "random"})
        won["search" if game.state.winner == seat else "chance"] += 1
    assert won["search"] >= 15, won


@pytest.mark.slow
@pytest.mark.parametrize("system", GROUNDS)
def test_it_plays_battles_to_their_end(system: str) -> None:
    """Ten games in all, without a bar: how well it plays is measured by `make bots`."""
    scenario = SMALLEST[system]
    for seed in range(5):
        game = Game(new_header(system, scenario=scenario, seed=seed))
        seat, other = ("A", "B") if seed % 2 else ("B", "A")
        play_game(game, {seat: "mcts:2", other: "steady"})
        assert game.over


SMALLEST = {"promiterra": "skirmish", "thucidide": "tutorial"}


# Knowing no more than its seat -------------------------------------------------------------------


def test_what_others_have_sealed_changes_nothing() -> None:
    said = set()
    for sealed in (None, 0, 3):
        game = pebbles()
        if sealed is not None:
            game.answer("B", sealed)
        said.add(says(game, "A"))
    assert len(said) == 1


def test_what_its_seat_may_not_see_changes_nothing() -> None:
    said = set()
    for purse in range(0, 10, 3):
        game = pebbles(purse={"A": 4, "B": purse})
        said.add(says(game, "A"))
    assert len(said) == 1


def test_a_moment_holds_neither_state_nor_sealed_answers() -> None:
    game = pebbles()
    game.answer("B", 3)
    moment = moment_of(game.runner)
    assert moment is not None
    assert moment.state is None
    assert not moment.waiting
    assert set(moment.asked) == set(game.runner.position.asked)


def test_where_what_runs_may_hold_secrets_there_is_no_moment() -> None:
    game = Game(new_header("toy", seed=1, seats=2))
    assert moment_of(game.runner) is None
    request = game.requests("A")[0]
    asked = Asked(request.keys["A"], lambda: request.absent("A"))
    said = SEARCH.choose(None, request.options("A"), asked, Random(1))
    request.options("A").take(said)


class Rebuilding:
    """Plays steadily, and rebuilds the position from what it is shown each time it is asked."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.asks = 0

    def tired(self, _: Game) -> bool:
        return self.asks > 60

    def choose(self, view: Any, options: Options, asked: Asked, chooser: Any) -> Any:
        self.asks += 1
        system = self.game.system.name
        moment = asked.moment()
        assert moment is not None
        suppose = find_system(system).supposed
        assert suppose is not None
        state = suppose(view, asked.seat, {})
        rebuilt = Runner(msgspec.structs.replace(moment, state=state))
        truth = msgspec.structs.replace(self.game.runner.position, waiting={})
        assert encode_position(rebuilt.position) == encode_position(truth)
        return bot("steady", system).choose(view, options, asked, chooser)


@pytest.mark.parametrize("system", GROUNDS)
def test_a_view_and_a_moment_give_the_whole_battle(system: str) -> None:
    """All is public there, so that what a seat is shown leads to the very position."""
    for scenario in find_system(system).scenarios:
        game = Game(new_header(system, scenario=scenario, seed=5))
        player = Rebuilding(game)
        play_game(game, dict.fromkeys(game.header.seats, player), stop=player.tired)
        assert player.asks > 10


# The same again ----------------------------------------------------------------------------------


@pytest.mark.parametrize("system", GROUNDS)
def test_the_same_question_gets_the_same_answer_and_nothing_is_changed(system: str) -> None:
    game = Game(new_header(system, scenario=SMALLEST[system], seed=2))
    play_game(game, {"A": "steady", "B": "steady"}, stop=lambda g: _searched(g, GROUNDS[system]))
    (request,) = game.requests()
    (seat,) = request.missing
    before = encode_position(game.position)
    player = Search(GROUNDS[system], playouts=6)
    said = {encode(says(game, seat, player)) for _ in range(2)}
    assert len(said) == 1
    assert encode_position(game.position) == before


@pytest.mark.parametrize("system", GROUNDS)
def test_what_the_guide_has_said_is_kept_and_changes_nothing(
    system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game(new_header(system, scenario=SMALLEST[system], seed=2))
    play_game(game, {"A": "steady", "B": "steady"}, stop=lambda g: _searched(g, GROUNDS[system]))
    (request,) = game.requests()
    (seat,) = request.missing
    asked = Counter[str]()
    guided = Question.guided

    def counted(question: Question, grounds: Any) -> Any:
        asked[case] += 1
        return guided(question, grounds)

    monkeypatch.setattr(Question, "guided", counted)
    trees, case = [], "kept"
    for case in ("kept", "anew"):
        if case == "anew":
            monkeypatch.setattr(Question, "place", property(lambda _: object()))
        trees.append(_tree(game, seat, GROUNDS[system], 25))
    assert trees[0] == trees[1]
    assert asked["kept"] < asked["anew"]


def _tree(game: Game, seat: str, grounds: Any, playouts: int) -> list[tuple[bytes, list[float]]]:
    """What a search has tried, and what came of it."""
    with pytest.MonkeyPatch.context() as patch:
        thoughts: list[Thought] = []
        begin = Thought.__init__

        def watched(thought: Thought, *args: Any) -> None:
            thoughts.append(thought)
            begin(thought, *args)

        patch.setattr(Thought, "__init__", watched)
        says(game, seat, Search(grounds, playouts=playouts))
    (thought,) = thoughts
    return [(answer, tried.results) for answer, tried in thought.root.tries.items()]


def _searched(game: Game, grounds: Any) -> bool:
    return any(request.rule in grounds.searched for request in game.requests())


# Ending before its time --------------------------------------------------------------------------


def _visits(game: Game, grounds: Any, playouts: int) -> int:
    return sum(len(results) for _, results in _tree(game, "A", grounds, playouts))


def _heap_of(pebbles_left: int) -> Game:
    game = pebbles(pebbles=pebbles_left)
    game.answer("A", 3)
    game.answer("B", 0)
    return game


def test_it_stops_where_no_other_answer_would_be_tried_any_more() -> None:
    assert says(_heap_of(3), "A", SEARCH.tuned("400")) == 3
    assert IDLE <= _visits(_heap_of(3), SEARCH.grounds, 400) < 400


def test_trifles_are_not_searched_to_the_end() -> None:
    careless = replace(SEARCH.grounds, trifle=1.0)
    assert _visits(_heap_of(5), careless, 100) == IDLE


def _node(*results: list[float]) -> Node:
    node = Node(2.0)
    for number, each in enumerate(results):
        tried = node.add(number, {})
        for result in each:
            node.learn(tried, result)
    node.stale = CLOSED
    return node


def test_a_question_is_settled_when_only_the_best_would_be_tried() -> None:
    won, lost, even = [1.0] * 20, [0.0] * 5, [0.5, 0.9] * 10
    assert _node(won, lost).settled(100)
    assert _node(won, lost, won).settled(100)  # the third has always come to the same
    assert not _node(even, even[:4]).settled(100)  # too early to say
    assert _node(lost * 4, won, lost).settled(100)
    assert not _node(even, [1.0, 0.4] + [0.9] * 4, lost).settled(100)  # ahead, but not for sure


def test_nothing_is_settled_as_long_as_new_answers_come_to_mind() -> None:
    node = _node([1.0] * 20, [0.0] * 5)
    node.stale = CLOSED - 1
    assert not node.settled(100)


# Effort ------------------------------------------------------------------------------------------


def test_effort_is_named_after_a_colon() -> None:
    for system in GROUNDS:
        assert "mcts" in bot_names(system)
    player = bot("mcts:50", "promiterra")
    assert isinstance(player, Search)
    assert player.playouts == 50
    timed = bot("mcts:0.5s", "thucidide")
    assert isinstance(timed, Search)
    assert timed.seconds == 0.5


@pytest.mark.parametrize("name", ["mcts:", "mcts:0", "mcts:-3", "mcts:much", "mcts:0s", "steady:9"])
def test_other_effort_is_refused(name: str) -> None:
    with pytest.raises(NotUnderstood):
        bot(name, "promiterra")


def test_time_is_kept() -> None:
    game = pebbles()
    game.answer("A", 3)
    game.answer("B", 0)
    assert says(game, "A", SEARCH.tuned("0.05s")) in (1, 2, 3)


# Answers to search among -------------------------------------------------------------------------


def _sheet() -> Any:
    gold = yield "gold", Amount(0, 5)
    yield "spent", Amount(0, gold)
    yield "way", Path({"ford": ("ford",), "hill": ("hill",)})
    yield "cry", Text(9)


FORM = Sheet(_sheet)


def test_variations_are_legal_and_near() -> None:
    answer: Mapping[str, Any] = {"gold": 3, "spent": 2, "way": ("ford",), "cry": "on"}
    changed = Counter[str]()
    rng = Random(1)
    for _ in range(200):
        other = FORM.take(varied(FORM, answer, rng))
        changed.update([part for part in answer if other[part] != answer[part]])
    assert set(changed) >= {"gold", "spent", "way"}
    assert changed["way"] < 150


@pytest.mark.parametrize(
    ("options", "choice"),
    [
        (OneOf(("a",)), False),
        (OneOf(("a", "b")), True),
        (SeveralOf(()), False),
        (SeveralOf(("a",)), True),
        (Amount(2, 2), False),
        (Amount(0, 5, 6), False),
        (Amount(0, 5, 5), True),
        (Path({}), False),
        (Path({"a": ("a",)}, stay=False), False),
        (Path({"a": ("a",)}), True),
        (Text(5), False),
        (FORM, True),
        (Sheet(lambda: iter(())), False),
    ],
)
def test_where_nothing_is_to_be_chosen_nothing_is_searched(options: Any, choice: bool) -> None:
    assert free(options) is choice
