"""What every system owes, checked on each by existing: nobody writes these tests for a new one."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path as File
from typing import Any

import msgspec
import pytest

from polemarque.kernel.commitment import new_chains
from polemarque.kernel.errors import NotAllowed, NotUnderstood, Refusal
from polemarque.kernel.events import Told
from polemarque.kernel.game import Game, committed_game, new_header, replay
from polemarque.kernel.position import decode_position, encode, encode_position
from polemarque.kernel.proof import prove
from polemarque.kernel.record import Answer, Replace, Word, digest, read_record, write_record
from polemarque.kernel.request import (
    DICE,
    UMPIRE,
    Amount,
    OneOf,
    Path,
    Request,
    SeveralOf,
    Sheet,
    Text,
)
from polemarque.kernel.run import Runner
from polemarque.kernel.system import System, find_system, system_names
from tests.contract.secrets import OPEN, SEALS, SECRETS
from tests.kernel import toy

assert toy.TOY

SYSTEMS = [name for name in system_names() if name != "duel"]
MOST_STEPS = 6000
MOST_QUESTIONS = 10
NEVER_AT_ONCE = {"promiterra", "toy"}
"""Where no declared end is the end: in Promiterra pursuit follows it; the toy's has no winner."""


def scenario_of(name: str, seed: int) -> str:
    scenarios = list(find_system(name).scenarios) or [""]
    return scenarios[seed % len(scenarios)]


def random_options(name: str, rng: random.Random) -> dict[str, Any]:
    """Any variant may be chosen; a number stays near its default so that games end soon."""
    return {
        choice.name: choice.default if choice.number else rng.choice(choice.values)
        for choice in find_system(name).options
    } | {c.name: 4 for c in find_system(name).options if c.name == "turn_limit"}


def new_game(name: str, seed: int, publish: Any = None) -> Game:
    header = new_header(
        name, seed=seed, scenario=scenario_of(name, seed),
        options=random_options(name, random.Random(seed)),
    )  # fmt: skip
    game = Game(header, publish=publish)
    game.settle()
    return game


def step(game: Game, rng: random.Random) -> tuple[Request, str, Any]:
    """One random answer; what was asked and answered."""
    requests = game.requests()
    assert requests, f"dead end: nobody is asked before {game.position.agenda[:1]}"
    request = rng.choice(requests)
    seat = rng.choice(request.missing)
    value = request.options(seat).sample(rng)
    game.answer(seat, value, request.keys[seat])
    game.settle()
    return request, seat, value


def played(name: str, seed: int, publish: Any = None) -> Game:
    game = new_game(name, seed, publish)
    rng = random.Random(seed)
    for _ in range(MOST_STEPS):
        if game.over:
            return game
        step(game, rng)
    raise AssertionError(f"{name}, seed {seed}: no end after {MOST_STEPS} answers")


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("seed", range(4))
def test_a_random_game_ends_and_its_record_replays(name: str, seed: int) -> None:
    events: list[Any] = []
    game = played(name, seed, events.append)
    assert events and game.system.standing(game.state).over
    record = read_record(write_record(game.header, game.entries))
    assert record.head == game.digest
    again: list[Any] = []
    twin = replay(record.header, record.entries, publish=again.append)
    assert encode_position(twin.position) == encode_position(game.position)
    assert encode(again) == encode(events)


@pytest.mark.parametrize("name", SYSTEMS)
def test_restarting_equals_running_at_every_step(name: str) -> None:
    game = new_game(name, 1)
    rng = random.Random(7)
    for _ in range(250):
        if game.over:
            break
        saved = encode_position(game.position)
        fresh = Runner(decode_position(saved))
        assert encode_position(fresh.position) == saved
        asked = [(str(k), r.rule) for r in game.requests() for k in r.keys.values()]
        open_now = [(str(k), p.rule) for _, p in fresh.open() for k in p.keys.values()]
        assert asked == open_now
        game.runner = Runner(decode_position(saved))
        step(game, rng)
    straight = replay(game.header, game.entries)
    assert encode_position(straight.position) == encode_position(game.position)


@pytest.mark.parametrize("name", SYSTEMS)
def test_old_positions_never_change(name: str) -> None:
    game = new_game(name, 2)
    rng = random.Random(2)
    kept = []
    for _ in range(120):
        if game.over:
            break
        kept.append((game.position, encode_position(game.position)))
        step(game, rng)
    assert kept
    for position, before in kept:
        assert encode_position(position) == before


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_is_offered_is_accepted_and_what_is_not_is_refused(name: str) -> None:
    game = new_game(name, 3)
    rng = random.Random(3)
    for _ in range(120):
        if game.over:
            break
        for request in game.requests():
            for seat in request.missing:
                check_options(request.options(seat), rng)
                absent = request.absent(seat)
                assert encode(request.options(seat).take(absent)) is not None
        before, count = encode_position(game.position), len(game.entries)
        request = game.requests()[0]
        seat = request.missing[0]
        for nonsense in (object, "no such word", -1, {"x": 1}, None):
            if isinstance(request.options(seat), Text):
                break
            with pytest.raises((NotAllowed, NotUnderstood)) as refused:
                game.answer(seat, nonsense, request.keys[seat])
            assert isinstance(refused.value, Refusal) and refused.value.rule
        assert encode_position(game.position) == before and len(game.entries) == count
        step(game, rng)


def check_options(options: Any, rng: random.Random) -> None:
    """Everything listed is accepted, and the quietest answer; a sheet by random ways through."""
    fresh = Sheet(options.fill) if isinstance(options, Sheet) else options
    assert fresh.take(options.quiet()) == options.quiet()
    if isinstance(options, OneOf):
        assert options.words
        for word in options.words:
            assert options.take(word) == word
    elif isinstance(options, Amount):
        assert options.least <= options.most
        for n in {options.least, options.sample(rng)}:
            assert options.take(n) == n
        with pytest.raises(NotAllowed):
            options.take(options.most + options.step)
    elif isinstance(options, Path):
        assert options.ways or options.stay
        for way in options.ways.values():
            assert options.take(way) == way
    elif isinstance(options, SeveralOf):
        assert options.take(options.sample(rng)) is not None
    elif isinstance(options, Sheet):
        for _ in range(20):
            filled = options.sample(rng)
            assert options.take(filled) == filled
            decoded = msgspec.json.decode(encode(filled))
            assert encode(options.take(decoded)) == encode(filled)


def test_every_system_of_ours_says_what_it_keeps_secret() -> None:
    ours = {
        name for name in SYSTEMS if find_system(name).state.__module__.startswith("polemarque.")
    }
    assert not set(SECRETS) & OPEN
    assert ours <= set(SECRETS) | OPEN


@pytest.mark.parametrize("name", sorted(SECRETS))
def test_a_view_and_its_options_keep_others_secrets(name: str) -> None:
    game = new_game(name, 5)
    rng = random.Random(5)
    views = asked = 0
    for _ in range(150):
        if game.over:
            break
        for seat in game.header.seats:
            other = SECRETS[name](game.state, seat, rng)
            mine, theirs = game.system.view(game.state, seat), game.system.view(other, seat)
            assert encode(mine) == encode(theirs), f"{name}: {seat} sees a secret"
            views += 1
            asked += options_keep_secrets(game, other, seat)
        step(game, rng)
    assert views
    assert asked > 20


def options_keep_secrets(game: Game, other: Any, seat: str) -> bool:
    """Whether the game's own question could be put to `seat` in the other state; then its options
    are the same in both, sheets by random ways through.
    """
    here = game.runner.pending
    if not isinstance(here, Request) or seat not in here.missing:
        return False
    try:
        there = Runner(msgspec.structs.replace(game.position, state=other, waiting={})).pending
    except Refusal:
        return False  # what was answered so far does not fit that state
    assert isinstance(there, Request)
    for chance in range(3):
        mine, theirs = here.options(seat), there.options(seat)
        assert encode(mine.describe()) == encode(theirs.describe())
        samples = [encode(each.sample(random.Random(chance))) for each in (mine, theirs)]
        assert samples[0] == samples[1], f"{here.rule}: what {seat} may answer tells a secret"
    return True


@pytest.mark.parametrize("name", SYSTEMS)
def test_sealed_answers_show_nothing_before_all_are_in(name: str) -> None:
    game = new_game(name, 6)
    rng = random.Random(6)
    met = 0
    for _ in range(150):
        if game.over:
            break
        sealed = [r for r in game.requests() if r.sealed and len(r.missing) == len(r.seats)]
        if sealed:
            met += 1
            request = sealed[0]
            first, *others = request.seats
            views = []
            for _ in range(3):
                game.answer(first, request.options(first).sample(rng), request.keys[first])
                views.append([encode(game.view(seat)) for seat in others])
            assert all(v == views[0] for v in views)
        step(game, rng)
    assert met or name not in SEALS


@pytest.mark.parametrize("name", SYSTEMS)
def test_an_agenda_item_asks_at_most_ten_questions(name: str) -> None:
    game = new_game(name, 8)
    rng = random.Random(8)
    for _ in range(400):
        if game.over:
            break
        frames = game.position.frames
        if frames:
            assert len(frames[0].given) <= MOST_QUESTIONS, frames[0].rule
        step(game, rng)


@pytest.mark.parametrize("name", SYSTEMS)
def test_an_adjustment_of_any_form_is_taken_or_refused(name: str) -> None:
    """What a file or a page may bring as a value: never a fault of the program."""
    game = new_game(name, 3)
    system, state = game.system, game.state
    if system.adjust is None:
        return  # no umpire adjusts it
    legal: tuple[str, ...] = ()
    try:
        system.adjust(state, "no such name", 1)
    except Refusal as unknown:
        legal = tuple(unknown.legal)
    assert legal or name == "toy"  # which is adjusted under any name
    seats = game.header.seats
    for pattern in legal:
        for first in (*seats, *(str(word) for word in getattr(state, "lands", ()))):
            for value in ({"a": 1}, [{"a": 1}], [[1]], [1.5], None, True, "", 10**30, -1, "A"):
                whole = ".".join([pattern.split(".")[0], first])
                for named in (pattern.split(".")[0], whole):
                    with suppress(Refusal):
                        system.adjust(state, named, value)


def declared_over(system: System, state: Any) -> Any:
    """The state once the umpire has declared an end, or None where he cannot end it at once."""
    if system.adjust is None:
        return None
    words: tuple[Any, ...] = ()
    try:
        system.adjust(state, "end", object)
    except Refusal as refusal:
        words = tuple(refusal.legal)
    for winner in (*words[:1], list(words[:1])):
        with suppress(Refusal):
            ended = system.adjust(state, "end", winner)
            return ended if system.standing(ended).over else None
    return None


@pytest.mark.parametrize("name", SYSTEMS)
def test_where_an_end_is_declared_nothing_more_is_asked_or_told(name: str) -> None:
    game = new_game(name, 3)
    rng = random.Random(3)
    ends = 0
    for _ in range(200):
        if game.over:
            break
        told: list[Any] = []
        runner = Runner(game.position, publish=told.append)
        ended = declared_over(game.system, runner.state) if runner.fresh else None
        if ended is not None:
            before = len(told)
            runner.change(ended)
            assert runner.over and not runner.open() and len(told) == before
            ends += 1
        step(game, rng)
    assert ends or name in NEVER_AT_ONCE


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_seat_absent_still_ends_the_game(name: str) -> None:
    game = new_game(name, 0)
    for _ in range(MOST_STEPS):
        if game.over:
            break
        request = game.requests()[0]
        game.absent(request.missing[0])
        game.settle()
    assert game.over


# Undo, corrections, committed dice ---------------------------------------------------------------


def annul_one(game: Game, rng: random.Random) -> None:
    """The umpire has some answer given again."""
    given = [e for e in game.effective if isinstance(e, Answer) and e.key.seat != DICE]
    game.enter(Replace(rng.choice(given).key, "asked again", annul=True))
    game.settle()


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_a_live_game_has_told_is_what_has_happened(name: str) -> None:
    header = new_header(name, seed=9, scenario=scenario_of(name, 9))
    told = Told()
    game = Game(header, publish=told.append, withdraw=told.withdraw)
    game.settle()
    rng = random.Random(9)
    for number in range(80):
        if game.over:
            break
        _, seat, _ = step(game, rng)
        if number % 7 == 3:
            with suppress(NotAllowed):
                game.undo(seat)
        if number % 30 == 20:
            annul_one(game, rng)
        if number % 10 == 9:
            straight: list[Any] = []
            replay(header, game.effective, publish=straight.append)
            assert straight == told
    assert told


@pytest.mark.parametrize("name", SYSTEMS)
def test_committed_dice_are_proved_corrections_included(name: str, tmp_path: File) -> None:
    header = new_header(name, scenario=scenario_of(name, 4))
    game = committed_game(header, new_chains(header.seats))
    for seat in header.seats:
        game.enter(Word(seat, f"word of {seat}"))
    game.settle()
    rng = random.Random(4)
    for number in range(120):
        if game.over:
            break
        step(game, rng)
        if number in (40, 80):
            annul_one(game, rng)
        assert game.digest == digest(game.header, game.entries), "linked as it grew, and at once"
    path = tmp_path / "game.json"
    path.write_bytes(game.record)
    assert game.record == write_record(game.header, game.entries)
    proof = prove(path.read_bytes())
    assert proof.holds, proof
    assert proof.rolls["proved"] + proof.rolls["unshown"] == sum(
        isinstance(e, Answer) and e.key.seat == DICE for e in game.entries
    )


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_seats_code_is_plain_and_nobody_elses_word(name: str) -> None:
    """Addresses, exports and letters name seats among other words, several with commas between."""
    for scenario in list(find_system(name).scenarios) or [""]:
        for code in new_header(name, scenario=scenario).seats:
            assert code.isascii() and code.replace("_", "").replace("-", "").isalnum(), code
            assert code not in {UMPIRE, DICE, "public", "full", ""}
