"""Command and movement: what holds in every battle, whatever is answered."""

from __future__ import annotations

import random
import re
from functools import cache
from itertools import pairwise
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.request import Path, Sheet
from polemarque.kernel.system import find_system
from polemarque.odds import wording
from polemarque.odds.consult import consult
from polemarque.report.game_words import Words
from polemarque.report.labels import catalogue_of
from polemarque.report.order_forms.typed_answers import offer
from polemarque.systems.thucidide.chapters.manoeuvre_orders import changed, forms
from polemarque.systems.thucidide.chapters.moves import RULES
from polemarque.systems.thucidide.chapters.turn import wiped
from polemarque.systems.thucidide.movement import (
    Held,
    allowance,
    judged,
    possible_moves,
    refusal,
    stride,
    strides,
)
from polemarque.systems.thucidide.orders import COMMITTING, ORDERS, price
from polemarque.systems.thucidide.setup.opening import begin, scenarios
from polemarque.systems.thucidide.setup.scenario import KINDS, Setup
from polemarque.systems.thucidide.state import Battle, Unit
from polemarque.systems.thucidide.tables import ARMS, TERRAINS, UnitFigures, Weight
from polemarque.web.forms import form_of
from tests.web.asked import field_of

SYSTEM = find_system("thucidide")
NAMES = tuple(scenarios())


class Bold:
    """A chooser that seldom does nothing, so that there is something to look at."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def randrange(self, start: int, stop: int, step: int = 1, /) -> int:
        return self.rng.randrange(start, stop, step)

    def choice(self, seq: Any) -> Any:
        for _ in range(3):
            found = self.rng.choice(seq)
            if found not in ("none", "done", "pass", "end", ()):
                break
        return found


def new_battle(seed: int, publish: Any = None) -> Game:
    """A battle by random options, with tokens to spend."""
    rng = random.Random(seed)
    name = NAMES[seed % len(NAMES)]
    setup = {key: dict(scenarios()[name][key]) for key in ("a", "b")}
    for side in setup.values():
        side["tokens"] = rng.choice([0, 6, 30])
    options = {choice.name: rng.choice(choice.values) for choice in SYSTEM.options}
    header = new_header("thucidide", scenario=name, seed=seed, setup=setup, options=options)
    game = Game(header, publish=publish)
    game.settle()
    return game


@cache
def course(seed: int) -> tuple[tuple[Battle, ...], tuple[Event, ...]]:
    """Every state of a battle between two answers, and all that was told."""
    events: list[Event] = []
    game, chooser = new_battle(seed, events.append), Bold(seed)
    states = [game.state]
    while not game.over:
        request = game.requests()[0]
        seat = request.missing[0]
        game.answer(seat, request.options(seat).sample(chooser), request.keys[seat])
        game.settle()
        states.append(game.state)
    return tuple(states), tuple(events)


SEEDS = st.integers(0, 23)


@given(SEEDS)
@settings(max_examples=24, deadline=None)
def test_a_battle_is_sound_after_every_answer(seed: int) -> None:
    for battle in course(seed)[0]:
        assert not SYSTEM.faults(battle)


@given(SEEDS)
@settings(max_examples=24, deadline=None)
def test_one_manoeuvre_order_a_turn_unless_a_leader_gives_himself(seed: int) -> None:
    """TH-3.5: each event of a paid manoeuvre order stands for itself, one a player-turn."""
    paid: dict[int, int] = {}
    for event in course(seed)[1]:
        bought = any(part.reason == "order_price" for part in event.modifiers)
        if bought and event.rule.startswith("TH-5."):
            paid[event.period] = paid.get(event.period, 0) + 1
    assert all(count == 1 for count in paid.values())


@given(SEEDS)
@settings(max_examples=24, deadline=None)
def test_nobody_is_activated_beyond_the_sizes_of_the_turn(seed: int) -> None:
    """TH-2.1, TH-2.2: as many at most as the activations allow, each of them once."""
    last = None
    for battle in course(seed)[0]:
        named = [unit.code for unit in battle.units.values() if unit.marks.by]
        for code in named:
            assert battle.units[code].seat == battle.active
        if last is not None and battle.turn == last.turn:
            for code, unit in last.units.items():
                if unit.marks.by not in ("", "messenger") and battle.units[code].cell:
                    assert battle.units[code].marks.by == unit.marks.by
        last = battle


@given(SEEDS)
@settings(max_examples=24, deadline=None)
def test_a_unit_moves_once_a_turn_and_only_the_active_side_does(seed: int) -> None:
    moved: set[tuple[int, str]] = set()
    for event in course(seed)[1]:
        if (event.rule, event.kind) == ("TH-F8", "moves"):
            key = (event.period, event.data["unit"])
            assert key not in moved
            moved.add(key)
            assert event.data["seat"] == ("A" if event.period % 2 else "B")


@given(SEEDS)
@settings(max_examples=24, deadline=None)
def test_a_turn_begins_with_nothing_left_of_the_one_before(seed: int) -> None:
    for before, after in pairwise(course(seed)[0]):
        if after.turn > before.turn and after.phase == "command":
            fresh = wiped(after)
            assert (fresh.units, fresh.leaders, fresh.sides) == (
                after.units, after.leaders, after.sides
            )  # fmt: skip
            assert not after.acting


@given(SEEDS)
@settings(max_examples=12, deadline=None)
def test_ways_that_are_listed_can_be_gone_and_others_are_refused_with_a_reason(seed: int) -> None:
    rng = random.Random(seed)
    for battle in course(seed)[0][::9]:
        held = battle.by_cell()
        for unit in battle.units_of(battle.active)[:4]:
            ways = possible_moves(battle, unit, held)
            for cell, move in ways.items():
                found = judged(battle, unit, move.path, held)
                assert found is not None
                assert found.path[-1] == cell
                assert cell not in held
                assert found.fights == move.fights
            there = rng.choice(battle.board.grid.cells)
            if judged(battle, unit, (there,), held) is None:
                assert refusal(battle, unit, (there,), held)[0] in RULES


def every_move(battle: Battle, unit: Unit, held: Held) -> dict[str, bool]:
    """Where a unit can go by TH-F8 and TH-F9, trying every way, and whether it may then fight."""
    limits, board, start = stride(unit), battle.board, unit.cell
    leaders = {one.cell for one in battle.leaders.values() if one.cell and one.seat != unit.seat}
    found: dict[str, bool] = {}
    todo, seen = [(start, 0, True)], {(start, 0, True)}
    while todo and limits.most:
        here, spent, along = todo.pop()
        for there in board.grid.neighbours(here):
            ground, road, other = (
                TERRAINS[board.terrain_of(there)],
                board.road(here, there),
                held.get(there),
            )
            stopped = here != start and TERRAINS[board.terrain_of(here)].stop and not road
            foe = there in leaders or (other is not None and other.seat != unit.seat)
            heavy = other is not None and not (other.figures.is_light or unit.figures.is_light)
            if foe or heavy or stopped or not ground.admits(unit.figures):
                continue
            total, whole = spent + (1 if road else ground.cost), along and road
            most = limits.road_most if whole else limits.most
            if other is None and (total <= most or here == start):
                fights = total <= (limits.road_fight if whole else limits.fight)
                found[there] = found.get(there, False) or fights
            if total < limits.road_most and (there, total, whole) not in seen:
                seen.add((there, total, whole))
                todo.append((there, total, whole))
    found.pop(start, None)
    return found


@given(SEEDS)
@settings(max_examples=12, deadline=None)
def test_a_unit_goes_wherever_some_way_leads_and_nowhere_else(seed: int) -> None:
    for battle in course(seed)[0][::7]:
        held = battle.by_cell()
        for unit in battle.units_of(battle.active):
            if "guide_local" not in unit.marks.orders:
                ways = possible_moves(battle, unit, held)
                fights = {cell: move.fights for cell, move in ways.items()}
                assert fights == every_move(battle, unit, held)


@given(st.sampled_from(ARMS), st.sampled_from(get_args(Weight)), st.integers(-3, 3))
def test_limits_of_a_move_are_in_order(arm: Any, weight: Any, change: int) -> None:
    limits = strides(allowance(UnitFigures("", arm, weight)), change)
    assert 0 <= limits.fight <= limits.most
    assert limits.most <= limits.road_most <= limits.most + 1
    assert limits.fight <= limits.road_fight <= limits.fight + 1


@given(st.sampled_from(sorted(ORDERS)), st.sampled_from(ARMS), st.integers(1, 5))
def test_influence_takes_off_one_at_most_and_nothing_is_free(
    code: str, arm: Any, count: int
) -> None:
    """TH-3.4."""
    if not ORDERS[code].suits(arm):
        return
    far = price(code, arm, count=count).total
    near = price(code, arm, count=count, influence=True).total
    assert near >= 1
    assert far - near in (0, 1)
    asked = {"order": code, "arm": arm, "count": count, "influence": True}
    assert consult("TH-3.4", asked).result == {"cost": near}


@pytest.mark.parametrize("terrain", ["", None, "jungle"])
def test_terrains_that_can_be_asked_for_are_named(terrain: str | None) -> None:
    with pytest.raises(NotUnderstood) as refused:
        consult("TH-F9", {"terrain": terrain, "arm": "infantry"})
    assert refused.value.data["shape"] == "|".join(sorted(TERRAINS))


@pytest.mark.parametrize("name", NAMES)
def test_mounting_and_dismounting_again_changes_nothing_but_the_steps(name: str) -> None:
    for unit in opened(name).units.values():
        if unit.other is not None:
            there = changed(unit, "monter", "")
            back = changed(there, "monter", "")
            assert back.marks.steps == 2
            assert (back.figures, back.other, back.mounted) == (
                unit.figures, unit.other, unit.mounted
            )  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_formation_is_one_of_the_units_and_of_its_arm(name: str) -> None:
    battle = opened(name)
    for unit in battle.units.values():
        for form in forms(battle, unit, "formation"):
            after = changed(unit, "formation", form)
            assert after.formation in ("", *unit.formations)
            assert stride(after).most <= allowance(after.figures).most + 1


def opened(name: str) -> Battle:
    return begin(msgspec.convert(scenarios()[name], Setup), ("A", "B"), SYSTEM.options_from({}))[0]


def test_a_seat_without_leaders_to_commit_is_not_asked_when_to_be_stopped() -> None:
    """TH-8.3: the part stands on the sheet of a side that has sub-generals or officers."""
    for seed in range(6):
        game = new_battle(seed)
        request = next((r for r in game.requests() if r.rule == "TH-2.2"), None)
        if request is None:
            continue
        options = request.options(game.state.active)
        assert isinstance(options, Sheet)
        answer = options.take(request.absent(game.state.active))
        able = [one for one in game.state.leaders_of("A") if one.rank in COMMITTING]
        assert ("stops" in answer) == bool(able)


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("code", ORDERS)
def test_the_words_of_an_order_hold_no_price(lang: str, code: str) -> None:
    """TH-3.1: its price is put behind them, from the data."""
    assert not re.search(r"\d", catalogue_of("thucidide").say(lang, f"offer.{code}"))


@pytest.mark.parametrize(("lang", "said"), [("fr", "(artillerie)"), ("en", "(artillery)")])
def test_a_refusal_speaks_of_an_arm_in_the_readers_language(lang: str, said: str) -> None:
    """TH-6.1: what is to be typed instead stays as it is typed."""
    with pytest.raises(NotAllowed) as refused:
        price("allant", "artillery")
    text = wording.refusal_text(wording.catalogue_of(SYSTEM), lang, refused.value)
    assert said in text
    assert "camelry" in text


def test_whoever_shoots_reaches_farther_than_the_next_hex() -> None:
    """TH-F3: those next to it are never shot at."""
    for kind in KINDS.values():
        assert (kind.shooting > 0) == (kind.reach > 1)
        assert kind.reach != 1


def test_a_path_may_be_given_by_its_last_hex() -> None:
    game = Game(new_header("thucidide", seed=1))
    game.answer("A", {"order": "none"})
    game.answer("A", {"leader.1": "AG", "units.1": ["A1"], "stops": "losses"})
    request = game.requests()[0]
    options = request.options("A")
    assert isinstance(options, Sheet)
    filling = options.fill()
    next(filling)
    part, offered = filling.send("A1")
    if part == "order":
        part, offered = filling.send("none")
    assert part == "way"
    assert isinstance(offered, Path)
    assert all(offered.take(cell) == way for cell, way in offered.ways.items())


MEETING = {
    "a": {"units": [{"kind": "hoplites", "at": "e2"}], "leaders": [{"rank": "general", "at": "d2"}],
          "tokens": 0},
    "b": {"units": [{"kind": "hoplites", "at": "e4"}]},
}  # fmt: skip
"""One unit of the crossing on each side; A1 goes two hexes, and fights after one (TH-F8)."""


def about_to_move(publish: Any = None) -> tuple[Game, Path]:
    header = new_header("thucidide", scenario="crossing", setup=MEETING, seed=1)
    game = Game(header, publish=publish)
    game.answer("A", {"leader.1": "AG", "units.1": ["A1"]})
    options = game.requests()[0].options("A")
    assert isinstance(options, Sheet)
    filling = options.fill()
    next(filling)
    part, offered = filling.send("A1")
    assert part == "way" and isinstance(offered, Path)
    return game, offered


def test_the_note_on_a_way_is_what_comes_of_it() -> None:
    offered = about_to_move()[1]
    assert offered.note is not None
    notes = {way: offered.note(way) for way in offered.ways.values()}
    assert set(notes.values()) == {"", "fights", "meets", "shuns"}
    for way, note in notes.items():
        told: list[Event] = []
        game, _ = about_to_move(told.append)
        game.answer("A", {"who": "A1", "way": list(way)})
        (moved,) = [event.data for event in told if event.kind == "moves"]
        near = "e4" in game.state.board.grid.neighbours(moved["place"])
        assert (moved["fights"], near) == (note in {"fights", "meets"}, note in {"meets", "shuns"})
    assert offered.note(()) == "fights", "whoever stays"


@pytest.mark.parametrize(
    ("lang", "known"),
    [("fr", {"fights": "peut combattre", "meets": "ennemi, puis peut", "shuns": "sans pouvoir"}),
     ("en", {"fights": "and can fight", "meets": "enemy, and can", "shuns": "cannot fight"})],
)  # fmt: skip
def test_the_list_of_ways_says_after_which_a_unit_can_fight(
    lang: str, known: dict[str, str]
) -> None:
    game, offered = about_to_move()
    assert offered.note is not None
    words = Words(game.header, lang)
    *lines, stay = offer(offered, words)
    shown = field_of(form_of(offered, words))
    ways = list(offered.ways.values())
    for way, *told in zip([(), *ways], [stay, *lines], shown.choices, strict=True):
        word = known.get(offered.note(way))
        for each in map(str, told):
            assert (word in each) if word else not any(one in each for one in known.values())
