"""What every system owes.  `polemarque.testing.contract` makes of it the tests of one system."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path as File
from typing import Any, ClassVar

import msgspec
import pytest

from polemarque.kernel.agenda import Rules
from polemarque.kernel.errors import NotAllowed, NotUnderstood, Refusal
from polemarque.kernel.events import EventLog
from polemarque.kernel.game import Game, committed_game, new_header, replay
from polemarque.kernel.position import Position, decode_position, encode, encode_position
from polemarque.kernel.records.commitment import new_chains
from polemarque.kernel.records.proof import prove
from polemarque.kernel.records.record import (
    Answer,
    Replace,
    Word,
    digest,
    read_record,
    write_record,
)
from polemarque.kernel.rehearsal import Planned, Rehearsal, moment
from polemarque.kernel.request import (
    DICE,
    UMPIRE,
    Amount,
    Fact,
    OneOf,
    Options,
    Path,
    Request,
    SeveralOf,
    Sheet,
    Text,
    WithFacts,
    forced,
)
from polemarque.kernel.run import Runner
from polemarque.kernel.system import System
from polemarque.odds.beside_options import figures_told
from polemarque.report.documents.writers import write
from polemarque.report.game_words import Words
from polemarque.report.order_forms.form import filled
from polemarque.report.order_forms.rest_of_turn import rest_paper
from polemarque.testing import Secrets
from polemarque.testing.random_games import MOST_STEPS, new_game, played, scenario_of, step

MOST_QUESTIONS = 10
"""An item of the agenda asks at most so many: anyone who comes back to a game finds its place."""

MANY_NAMES = 100
"""Of so many names in a state an adjustment is tried."""


def tests_of(system: System, secrets: Secrets | None) -> type[Contract]:
    """The tests of one system.  What it cannot be asked for is left out."""
    fields: dict[str, Any] = {"system": system, "secrets": secrets and staticmethod(secrets)}
    if secrets is None:
        fields["test_a_view_and_its_options_keep_others_secrets"] = None
    if system.supposed is None:
        fields["test_what_a_seat_supposes_looks_to_it_as_the_game_does"] = None
        fields["test_a_rehearsal_reads_nothing_but_what_its_seat_may_know"] = None
    if system.adjust is None:
        fields["test_an_adjustment_of_any_form_is_taken_or_refused"] = None
    if system.adjust is None or not system.ends_at_once:
        fields["test_where_an_end_is_declared_nothing_more_is_asked_or_told"] = None
    return type("TestContract", (Contract,), fields)


class Contract:
    """The tests; each plays random games of the system."""

    system: ClassVar[System]
    secrets: ClassVar[staticmethod[[Any, str, random.Random], Any] | None]

    @property
    def name(self) -> str:
        """The name of the system."""
        return self.system.name

    @pytest.mark.parametrize("seed", range(4))
    def test_a_random_game_ends_and_its_record_replays(self, seed: int) -> None:
        events: list[Any] = []
        game = played(self.name, seed, events.append)
        assert events and game.system.standing(game.state).over
        assert {event.phase for event in events if not event.path} <= {*game.system.phases, ""}
        record = read_record(write_record(game.header, game.entries))
        assert record.head == game.digest
        again: list[Any] = []
        twin = replay(record.header, record.entries, publish=again.append)
        assert encode_position(twin.position) == encode_position(game.position)
        assert encode(again) == encode(events)

    def test_restarting_equals_running_at_every_step(self) -> None:
        game = new_game(self.name, 1)
        rng = random.Random(7)
        for _ in range(250):
            if game.over:
                break
            saved = encode_position(game.position)
            fresh = Runner(decode_position(saved))
            assert encode_position(fresh.position) == saved
            asked = [(str(k), r.rule) for r in game.requests() for k in r.keys.values()]
            waiting = [each for _, each in fresh.open()]
            assert all(isinstance(each, Request) for each in waiting), "the dice were not thrown"
            open_now = [
                (str(k), r.rule) for r in waiting if isinstance(r, Request) for k in r.keys.values()
            ]
            assert asked == open_now
            game.runner = Runner(decode_position(saved))
            step(game, rng)
        straight = replay(game.header, game.entries)
        assert encode_position(straight.position) == encode_position(game.position)

    def test_old_positions_never_change(self) -> None:
        game = new_game(self.name, 2)
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

    def test_what_is_offered_is_accepted_and_what_is_not_is_refused(self) -> None:
        game = new_game(self.name, 3)
        rng = random.Random(3)
        for _ in range(120):
            if game.over:
                break
            for request in game.requests():
                for seat in request.missing:
                    options = request.options(seat)
                    check_options(options, rng)
                    told = request.ask.spares or not (request.sealed and forced(options))
                    assert told, f"{request.rule} leaves {seat} one answer: it takes spares=True"
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
                assert refused.value.rule
            assert encode_position(game.position) == before and len(game.entries) == count
            step(game, rng)

    def test_a_view_and_its_options_keep_others_secrets(self) -> None:
        assert self.secrets is not None
        rng = random.Random(5)
        changed = asked = 0
        for game in moments(self.name, 5, 150):
            for seat in game.header.seats:
                other = self.secrets(game.state, seat, rng)
                mine, theirs = self.system.view(game.state, seat), self.system.view(other, seat)
                assert encode(mine) == encode(theirs), f"{self.name}: {seat} sees a secret"
                changed += encode(other) != encode(game.state)
                asked += options_keep_secrets(game, other, seat)
        assert changed, "the secrets were never changed"
        assert asked

    def test_what_a_seat_supposes_looks_to_it_as_the_game_does(self) -> None:
        suppose, view = self.system.supposed, self.system.view
        assert suppose is not None
        for game in moments(self.name, 12, 150):
            for seat in game.header.seats:
                seen = view(game.state, seat)
                assert encode(view(suppose(seen, seat, {}), seat)) == encode(seen)

    def test_a_rehearsal_reads_nothing_but_what_its_seat_may_know(self) -> None:
        rng = random.Random(13)
        planned = 0
        for number, game in enumerate(moments(self.name, 13, 120)):
            seat = game.header.seats[number % len(game.header.seats)]
            begin = moment(game, seat)
            if begin is None:
                continue
            before = encode_position(game.position)
            if self.secrets is not None:
                form = form_of_turn(game, seat) if number % 8 == 0 else None
                true, game.runner.state = game.state, self.secrets(game.state, seat, rng)
                other = moment(game, seat)
                told = form_of_turn(game, seat) if number % 8 == 0 else None
                game.runner.state = true
                assert other is not None
                assert encode_position(other) == encode_position(begin), f"{seat} sees a secret"
                assert told == form, f"{seat} reads a secret on its form"
            rehearsal = rehearsed(game, seat, begin, rng)
            assert rehearsal.open is None and not rehearsal.broken
            assert encode_position(game.position) == before and not game.standing_orders
            planned += len(rehearsal.steps)
        assert planned

    def test_sealed_answers_show_nothing_before_all_are_in(self) -> None:
        game = new_game(self.name, 6)
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
        assert bool(met) != self.system.alternates, "System.alternates says whether any is sealed"

    def test_an_agenda_item_asks_at_most_ten_questions(self) -> None:
        game = new_game(self.name, 8)
        rng = random.Random(8)
        for _ in range(400):
            if game.over:
                break
            frames = game.position.frames
            if frames:
                assert len(frames[0].given) <= MOST_QUESTIONS, frames[0].rule
            step(game, rng)

    def test_an_adjustment_of_any_form_is_taken_or_refused(self) -> None:
        """What a file or a page may bring as a value: never a fault of the program."""
        game = new_game(self.name, 3)
        system, state = game.system, game.state
        assert system.adjust is not None
        legal: tuple[str, ...] = ()
        try:
            system.adjust(state, "no such name", 1)
        except Refusal as unknown:
            legal = tuple(unknown.legal)
        assert legal, "an unknown name is refused with those there are"
        seats = game.header.seats
        for pattern in legal:
            for first in (*seats, *names_in(state)):
                for value in ({"a": 1}, [{"a": 1}], [[1]], [1.5], None, True, "", 10**30, -1, "A"):
                    whole = ".".join([pattern.split(".")[0], first])
                    for named in (pattern.split(".")[0], whole):
                        with suppress(Refusal):
                            system.adjust(state, named, value)

    def test_where_an_end_is_declared_nothing_more_is_asked_or_told(self) -> None:
        game = new_game(self.name, 3)
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
        assert ends, "no declared end is the end: see System.ends_at_once"

    def test_every_seat_absent_still_ends_the_game(self) -> None:
        game = new_game(self.name, 0)
        for _ in range(MOST_STEPS):
            if game.over:
                break
            request = game.requests()[0]
            game.absent(request.missing[0])
            game.settle()
        assert game.over

    def test_what_a_live_game_has_told_is_what_has_happened(self) -> None:
        header = new_header(self.name, seed=9, scenario=scenario_of(self.name, 9))
        told = EventLog()
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

    def test_committed_dice_are_proved_corrections_included(self, tmp_path: File) -> None:
        header = new_header(self.name, scenario=scenario_of(self.name, 4))
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
            assert game.digest == digest(game.header, game.entries), (
                "linked as it grew, and at once"
            )
        path = tmp_path / "game.json"
        path.write_bytes(game.record)
        assert read_record(game.record, interrupted=True).entries == tuple(game.entries)
        assert write_record(game.header, game.entries).startswith(game.record)
        proof = prove(path.read_bytes())
        assert proof.holds, proof
        assert proof.rolls["proved"] + proof.rolls["unshown"] == sum(
            isinstance(e, Answer) and e.key.seat == DICE for e in game.entries
        )

    def test_a_seats_code_is_plain_and_nobody_elses_word(self) -> None:
        """Addresses, exports and letters name seats among other words."""
        for scenario in list(self.system.scenarios) or [""]:
            for code in new_header(self.name, scenario=scenario).seats:
                assert code.isascii() and code.replace("_", "").replace("-", "").isalnum(), code
                assert code not in {UMPIRE, DICE, "public", "full", ""}


def moments(name: str, seed: int, count: int) -> Iterator[Game]:
    """A game before each of so many answers; another one begins where it is over."""
    rng = random.Random(seed)
    game = new_game(name, seed)
    for _ in range(count):
        if game.over:
            seed += 1
            game = new_game(name, seed)
        yield game
        if not game.over:
            step(game, rng)


def form_of_turn(game: Game, seat: str) -> str:
    """The order form of the rest of a seat's turn, "" if there is none."""
    paper = rest_paper(game, seat, Words(game.header, "en", state=game.state))
    return write(paper[0], "text") if paper else ""


def rehearsed(game: Game, seat: str, begin: Position, rng: random.Random) -> Rehearsal:
    """The rest of a seat's turn planned to its end by chance."""
    plan: list[Planned] = []
    while True:
        rehearsal = Rehearsal(game, seat, begin, plan)
        step, request = rehearsal.open, rehearsal.request
        if step is None or request is None:
            return rehearsal
        value = request.options(seat).sample(rng)
        plan.append(Planned(step.key, value, step.premise, tuple(step.conditions)))


def names_in(state: Any) -> list[str]:
    """Words that a state has rows for: seats, places, units."""
    fields = msgspec.to_builtins(state)
    rows = [each for each in fields.values() if isinstance(each, Mapping)]
    return [str(word) for each in rows for word in each][:MANY_NAMES]


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
        rules = game.runner.rules
        facts = [facts_beside(each, rules, random.Random(chance)) for each in (mine, theirs)]
        assert facts[0] == facts[1], f"{here.rule}: a fact beside an option tells {seat} a secret"
    return True


def facts_beside(options: Options, rules: Rules, rng: random.Random) -> list[Any]:
    """The facts told beside all options met on one random way, and of the sheet that they fill."""
    found: list[Any] = []

    def note(told: Iterable[Fact | None]) -> None:
        found.extend(
            each and (each.key, figures_told(each.data, rules, "en"), each.group, each.rank)
            for each in told
        )

    def answer(_: tuple[str, ...], part: Options) -> Any:
        fact = part.fact if isinstance(part, WithFacts) else None
        if fact is not None:
            note([fact(value) for value in values_offered(part)])
        return part.sample(rng)

    value = filled(options, answer)
    if isinstance(options, Sheet):
        note(options.remarks(value))
    return found


def values_offered(part: Options) -> tuple[Any, ...]:
    """What one may answer beside which a fact may stand: of amounts, the least and the most."""
    if isinstance(part, Amount):
        return part.least, part.most
    return tuple(part.ways.values()) if isinstance(part, Path) else getattr(part, "words", ())


def declared_over(system: System, state: Any) -> Any:
    """The state once the umpire has declared an end; None where that does not end it at once."""
    assert system.adjust is not None
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


def annul_one(game: Game, rng: random.Random) -> None:
    """The umpire has some answer given again."""
    given = [e for e in game.effective if isinstance(e, Answer) and e.key.seat != DICE]
    game.enter(Replace(rng.choice(given).key, "asked again", annul=True))
    game.settle()
