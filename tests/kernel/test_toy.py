"""The kernel proved on the toy system: runs, saves, replays, undo, acts, live battles."""

from __future__ import annotations

import random

import msgspec
import pytest

from polemarque.kernel.acts import enact
from polemarque.kernel.agenda import (
    ask,
    ask_each,
    ask_umpire,
    procedure,
    registered,
    script,
    tally,
    tell,
)
from polemarque.kernel.errors import (
    DiceRefused,
    KernelFault,
    NotAllowed,
    NotUnderstood,
    NotYourTurn,
    OutOfDate,
)
from polemarque.kernel.game import Game, new_header, replay
from polemarque.kernel.position import Answers, OneAnswer, decode_position, encode_position
from polemarque.kernel.records.record import Adjust, Answer, Leave, Replace, Undo, Withdraw
from polemarque.kernel.request import QUIET, Amount, OneOf, Sheet
from polemarque.kernel.run import Runner
from tests.kernel import toy

assert toy


def started(**more):
    events = []
    game = Game(new_header("toy", seed=more.pop("seed", 5), **more), publish=events.append)
    game.settle()
    return game, events


def answers(game):
    return [entry for entry in game.entries if isinstance(entry, Answer)]


def play_on(game, rng, stop=lambda game: False):
    while not game.over and not stop(game):
        for request in game.requests():
            seat = request.missing[0]
            game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
            break
        game.settle()


def test_a_random_game_ends_and_replays_to_the_same_state_events_and_digest():
    for seed in range(30):
        game, events = started(seed=seed, scenario="long")
        play_on(game, random.Random(seed))
        again = []
        twin = replay(game.header, game.entries, publish=again.append)
        assert twin.over and twin.state == game.state
        assert again == events and events
        assert twin.digest == game.digest


def test_a_position_survives_json_at_every_step_and_tells_nothing_twice():
    for seed in range(10):
        game, events = started(seed=seed, scenario="long")
        rng = random.Random(seed)
        told = []
        runner = Runner(decode_position(encode_position(game.position)), told.append)
        while not game.over:
            saved = encode_position(game.position)
            assert encode_position(Runner(decode_position(saved)).position) == saved
            game.runner = Runner(decode_position(saved), game.runner.publish)
            request = game.requests()[0]
            seat = request.missing[0]
            game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
            game.settle()
        straight, twin_events = started(seed=seed, scenario="long")
        for entry in game.entries[len(straight.entries) :]:
            straight.enter(entry)
        assert straight.state == game.state
        assert list(twin_events) == events
        assert runner is not None


def test_dice_and_modifiers_stand_in_the_event_that_follows_them():
    game, events = started(seats=2)
    game.answer("A", "storm")
    game.answer("B", "wait")
    game.answer("A", "hurrah")
    game.answer("A", 2)
    game.settle()
    while game.requests("B") and game.requests("B")[0].rule == "TOY-3":
        game.answer("B", "pass")
    stormed = next(e for e in events if e.kind == "stormed")
    assert len(stormed.dice) == stormed.data["rounds"]
    assert all(thrown.why == "storm" for thrown in stormed.dice)
    assert stormed.modifiers[0].amount == 2 and stormed.modifiers[0].rule == "TOY-2"


def test_several_live_battles_are_open_at_once_and_join_in_order():
    game, events = started(seats=4)
    for seat in "ABCD":
        game.answer(seat, "duel")
    assert {r.path for r in game.requests()} == {"1-d1", "1-d2"}
    game.answer("C", "high")
    assert [r.path for r in game.requests("A")] == ["1-d1"] and not game.requests("C")
    saved = decode_position(encode_position(game.position))
    assert [b.brief.id for b in saved.branches] == ["d1", "d2"]
    play_on(game, random.Random(1), lambda g: g.state.day > 1)
    duels = [e for e in events if e.kind == "duel"]
    assert len(duels) == 2
    assert {duels[0].data["winner"], duels[0].data["loser"]} == {"A", "B"}
    assert sum(game.state.gold.values()) == 40


def test_sealed_answers_can_be_replaced_until_all_are_in():
    game, events = started(seats=2)
    game.answer("A", "storm")
    assert not events
    game.answer("A", "wait")
    game.answer("B", "wait")
    assert events[0].data["intents"] == {"A": "wait", "B": "wait"}


def test_undo_takes_back_own_answers_but_no_reveal_die_or_other_answer():
    game, _ = started(seats=2)
    game.answer("A", "storm")
    game.undo("A")
    assert game.requests("A")
    game.answer("A", "storm")
    game.answer("B", "wait")
    with pytest.raises(NotAllowed, match="reveal"):
        game.undo("B")
    with pytest.raises(NotAllowed, match=r"undo\.other"):
        game.undo("A")
    before = game.state
    game.answer("A", "hurrah")
    game.undo("A")
    assert game.state == before and game.requests("A")[0].ask.subject == "cry"
    game.answer("A", "again")
    game.answer("A", 1)
    game.settle()
    with pytest.raises(NotAllowed, match=r"undo\.die"):
        game.undo("A")


def test_refusals_change_nothing():
    game, _ = started(seats=2)
    saved, count = encode_position(game.position), len(game.entries)
    for wrong, kind in (("sing", NotAllowed), (3, NotAllowed)):
        with pytest.raises(kind) as refused:
            game.answer("A", wrong)
        assert refused.value.rule == "TOY-1" and "storm" in refused.value.legal
    with pytest.raises(NotYourTurn):
        game.answer("C", "wait")
    old = game.requests("A")[0].keys["A"]
    assert encode_position(game.position) == saved and len(game.entries) == count
    game.answer("A", "wait")
    game.answer("B", "wait")
    with pytest.raises(OutOfDate):
        game.answer("A", "wait", old)
    with pytest.raises(NotUnderstood) as refused:
        game.answer("A", {"wine": 1})
    assert refused.value.part == "bread"
    with pytest.raises(NotAllowed) as refused:
        game.answer("A", {"wine": 8, "bread": 5, "song": "", "friends": [], "way": []})
    assert refused.value.data["in_part"] == "bread" and refused.value.legal == ("0-2",)
    with pytest.raises(NotUnderstood):
        game.answer("A", {"wine": 0, "bread": 0, "friends": [], "way": [], "cheese": 1})


def test_free_text_never_enters_a_die_but_a_decision_does():
    def faces(cry, bribe):
        game, _ = started(seats=2)
        for seat, value in (("A", "storm"), ("B", "wait"), ("A", cry), ("A", bribe)):
            game.answer(seat, value)
        game.settle()
        return next(e.value for e in game.entries if e.key.seat == "dice")

    assert faces("hurrah", 1) == faces("a quite different cry", 1)
    assert len({faces("x", n) for n in range(8)}) > 1


@script("TOYX-5")
def somebody_may_react(day, stake):
    played = yield from toy.window(
        ("A", "B", "C"), lambda seat: () if seat == "A" else ("mock",), moment="gate",
        stakes=lambda seat: (stake,) if seat == "B" else (),
    )  # fmt: skip
    yield from toy.tell("TOY-3", "mocked", played=played)
    return day, []


def windows(*stakes):
    """A game in which this rule opens a window for each of these stakes, and what it has told."""
    game, told = started(seats=3)
    agenda = tuple(("TOYX-5", stake) for stake in stakes)
    game.runner = Runner(
        msgspec.structs.replace(game.position, agenda=agenda, frames=(), asked=(), waiting={}),
        publish=told.append,
    )
    game.course.start = game.runner.position  # from where an answer that is taken back plays again
    return game, told


class Goods(msgspec.Struct, frozen=True):
    rope: int = 2
    oil: int = 0
    wine: int = 7


def goods():
    rope = yield "rope", Amount(1, 4)
    if rope < 4:
        yield "oil", Amount(0, 4)


def test_a_sheet_is_answered_by_the_fields_of_a_struct_and_read_as_one():
    asking = ask("A", Sheet(goods), absent=Goods())
    assert next(asking).absent_of("A") == {"rope": 2, "oil": 0}
    with pytest.raises(StopIteration) as end:
        asking.send({"rope": 4})
    assert end.value.value == Goods(4, 0, 7)
    asking = ask_each(("A", "B"), Sheet(goods), absent=Goods(rope=4))
    assert next(asking).absent_of("B") == {"rope": 4}
    with pytest.raises(StopIteration) as end:
        asking.send({"A": {"rope": 4}, "B": {"rope": 1, "oil": 3}})
    assert end.value.value == {"A": Goods(4), "B": Goods(1, 3)}


def test_what_holds_where_seats_do_not_agree_is_read_as_it_is():
    asking = ask_umpire(Sheet(goods), absent=Goods(), otherwise=Goods(3))
    put = next(asking).put_to(("A", "B"))
    assert put.absent_of("A") == {"rope": 3, "oil": 0}
    with pytest.raises(StopIteration) as end:
        asking.send(put.outcome({"A": {"rope": 4}, "B": {"rope": 1, "oil": 0}}))
    assert end.value.value == Goods(3)


def test_a_struct_that_lacks_a_part_is_a_fault_that_names_it():
    asking = ask("A", Sheet(goods), absent=Goods())
    next(asking)
    with pytest.raises(KernelFault, match="no Goods has the parts rope, bread"):
        asking.send({"rope": 1, "bread": 2})


def test_the_quietest_answer_stands_for_an_absent_player():
    assert next(ask("A", Sheet(goods), absent=QUIET)).absent_of("A") == {"rope": 1, "oil": 0}
    assert next(ask("A", OneOf(("stay", "go")), absent=QUIET)).absent_of("A") == "stay"


def test_a_window_asks_seat_after_seat_until_one_plays():
    game, told = windows("none", "none", "none")
    for seat, word in (("B", "mock"), ("B", "pass"), ("C", "mock"), ("B", "pass"), ("C", "pass")):
        (request,) = game.requests()
        assert request.missing == (seat,) and request.keys[seat].subject == "gate"
        game.answer(seat, word)
    played = [event.data["played"] for event in told if event.kind == "mocked"]
    assert played == [("B", "mock"), ("C", "mock"), None]


def test_answers_left_in_advance_wait_for_their_question_and_can_be_withdrawn():
    game, _ = windows("none", "none")
    game.enter(Leave("C", "TOYX-5", "pass", subject="gate"))
    game.answer("B", "pass")
    game.settle()
    assert [(e.key.seat, e.by) for e in answers(game)] == [("B", ""), ("C", "standing")]
    game.enter(Withdraw("C", "TOYX-5", "gate"))
    assert not game.standing_orders
    game.answer("B", "pass")
    game.settle()
    assert game.requests("C"), "he is asked again"


@pytest.mark.parametrize("asked_anew_by", ["umpire", "seat"])
def test_who_is_asked_again_no_answer_left_in_advance_answers_for(asked_anew_by):
    game, _ = windows("none")
    game.enter(Leave("C", "TOYX-5", "pass", subject="gate"))
    game.enter(Leave("C", "TOYX-6", "pass"))
    game.answer("B", "pass")
    game.settle()
    last = answers(game)[-1].key
    assert last.seat == "C" and answers(game)[-1].by == "standing"
    if asked_anew_by == "umpire":
        game.enter(Replace(last, "asked in error", annul=True))
    else:
        game.enter(Undo("C"))
    game.settle()
    assert [r.keys["C"] for r in game.requests("C")] == [last]
    assert [left.rule for left in game.standing_orders] == ["TOYX-6"], "the other one stands"


def test_who_passes_until_a_stake_is_asked_where_it_is_at_stake():
    game, _ = windows("none", "loss", "none")
    game.enter(Leave("B", "TOYX-5", "pass", unless=("loss",)))
    game.enter(Leave("C", "TOYX-5", "pass"))
    game.settle()
    (request,) = game.requests("B")
    assert request.ask.tags == ("loss",) and request.keys["B"].number == 2
    game.answer("B", "pass")
    game.settle()
    assert [e.by for e in answers(game) if e.key.seat == "B"] == ["standing", "", "standing"]


@pytest.mark.parametrize(("until", "asked"), [(0, False), (3, False), (2, True)])
def test_an_answer_left_in_advance_holds_up_to_its_last_period(until, asked):
    game, _ = windows("none")
    third = msgspec.structs.replace(game.state, day=3)
    game.runner = Runner(
        msgspec.structs.replace(game.runner.position, state=third, frames=(), asked=(),
                                agenda=(("TOYX-5", "none"),))
    )  # fmt: skip
    game.enter(Leave("B", "TOYX-5", "pass", until=until))
    game.settle()
    assert bool(game.requests("B")) is asked


@script("TOYX-3")
def asks_again(day):
    yield from toy.ask("A", toy.OneOf(("again",)), absent="again")
    return day, [("TOYX-3",)]


def test_an_answer_left_in_advance_does_not_go_round_for_ever():
    game, _ = started(seats=2)
    game.runner = Runner(
        msgspec.structs.replace(game.position, agenda=(("TOYX-3",),), frames=(), asked=())
    )
    game.enter(Leave("A", "TOYX-3", "again"))
    game.settle()
    assert [e.by for e in answers(game)] == ["standing"] * 100
    assert game.requests("A"), "the seat is asked again"
    game.answer("A", "again")
    game.settle()
    assert len(answers(game)) == 201


@script("TOYX-4")
def asks_and_rolls_again(day):
    yield from toy.ask("A", toy.OneOf(("again",)), absent="again")
    yield from toy.roll(1, toy.D6, read=toy.total, why="again")
    return day, [("TOYX-4",)]


def test_dice_between_answers_left_in_advance_do_not_make_them_go_round_for_ever():
    game, _ = started(seats=2)
    game.runner = Runner(
        msgspec.structs.replace(game.position, agenda=(("TOYX-4",),), frames=(), asked=())
    )
    game.enter(Leave("A", "TOYX-4", "again"))
    game.settle()
    assert [e.by for e in answers(game) if e.key.seat == "A"] == ["standing"] * 100
    assert game.requests("A"), "the seat is asked again"


@script("TOYX-7")
def asks_whether_to_ask_again(day):
    said = yield from toy.ask_each(("A", "B"), toy.OneOf(("again", "on")), absent="on", once=True)
    return day, [("TOYX-7",)] if "again" in said.values() else []


def test_what_an_answer_may_put_again_takes_none_that_was_left_in_advance():
    game, _ = started(seats=2)
    game.runner = Runner(
        msgspec.structs.replace(game.position, agenda=(("TOYX-7",),), frames=(), asked=())
    )
    for seat in "AB":
        game.enter(Leave(seat, "TOYX-7", "again"))
    game.settle()
    assert game.requests("A") and game.requests("B") and not answers(game)


def test_a_correction_keeps_every_die_whose_question_and_decision_are_unchanged():
    game, _ = started(seats=3, seed=9)
    play_on(game, random.Random(3))
    first = next(e for e in answers(game) if e.key.subject == "cry")
    dice = {e.key: e.value for e in game.effective if e.key.seat == "dice"}
    game.enter(Replace(first.key, "he said otherwise", value="Zounds"))
    assert game.over
    assert {e.key: e.value for e in game.effective if e.key.seat == "dice"} == dice
    twin = replay(game.header, game.entries)
    assert twin.state == game.state and twin.digest == game.digest


def test_a_correction_asks_again_what_it_made_illegal_and_lists_what_is_left_over():
    game, _ = started(seats=2, seed=2)
    for seat, value in (("A", "storm"), ("B", "wait"), ("A", "cry"), ("A", 4)):
        game.answer(seat, value)
    game.settle()
    play_on(game, random.Random(2))
    intent = next(e for e in game.entries if isinstance(e, Answer) and e.key.rule == "TOY-1")
    game.enter(Replace(intent.key, "wrong sheet", value="wait"))
    assert not game.over
    assert game.requests()[0].rule == "TOY-4" and game.requests()[0].missing == ("A",)
    play_on(game, random.Random(1))
    assert game.over and any(a.key.subject == "cry" for a in game.left_over)
    assert replay(game.header, game.entries).state == game.state


def test_answers_left_in_advance_lead_to_dice_that_people_throw():
    game = Game(new_header("toy", seats=2, dice="typed"))
    for rule, subject, value in (("TOY-1", "", "storm"), ("TOY-3", "cry", ""), ("TOY-3", "", 1)):
        game.enter(Leave("A", rule, value, subject=subject))
    game.answer("B", "wait")
    game.settle()
    (throw,) = game.throws()
    assert throw.key.rule == "TOY-2"
    assert [e.by for e in answers(game) if e.key.seat == "A"] == ["standing"] * 3
    count = len(game.entries)
    game.settle()
    assert len(game.entries) == count, "it waits for whoever throws them"


def test_an_adjustment_is_given_between_items_and_must_leave_a_sound_state():
    game, _ = started(seats=2)
    game.enter(Adjust("gold.A", 50, "forgotten pay"))
    assert game.state.gold["A"] == 50 and game.requests("A")
    with pytest.raises(NotAllowed, match="unsound"):
        game.enter(Adjust("gold.A", 5000, "too much"))
    game.answer("A", "wait")
    with pytest.raises(OutOfDate):
        game.enter(Adjust("gold.A", 1, "too late"))
    assert replay(game.header, game.entries).state == game.state


def test_an_absent_seat_answers_by_the_rules():
    game, _ = started(seats=2)
    game.absent("A")
    assert game.entries[-1].by == "absent" and game.entries[-1].value == "wait"


def test_the_kernel_refuses_loudly():
    with pytest.raises(KernelFault, match="twice"):
        script("TOY-1")(lambda day: (day, []))
    with pytest.raises(KernelFault, match="no script"):
        registered("TOY-404")

    @script("TOYX-1")
    def runaway(day):
        return day, [("TOYX-1",)]

    game, _ = started(seats=2)
    looping = msgspec.structs.replace(game.position, agenda=(("TOYX-1",),), frames=())
    with pytest.raises(KernelFault, match="without a question"):
        Runner(looping)

    @script("TOYX-81")
    def endless(day):
        while True:
            yield from tell("TOYX-81", "still")

    @script("TOYX-82")
    def sums(day):
        yield from tally(rounds=1)

    for rule, fault in (("TOYX-81", "without a question"), ("TOYX-82", "does not know")):
        with pytest.raises(KernelFault, match=fault):
            Runner(msgspec.structs.replace(looping, agenda=((rule,),)))

    @procedure("TOYX-2", edition="2")
    def newer():
        yield

    with pytest.raises(KernelFault):
        registered("TOYX-2", "1")


def test_answers_left_over_when_a_script_ends_are_refused():
    game, _ = started(seats=2)
    position = game.position
    frame = position.frames[0]
    given = (Answers({"A": "wait", "B": "wait"}), OneAnswer("wait"))
    many = msgspec.structs.replace(frame, given=given)
    with pytest.raises(OutOfDate):
        Runner(msgspec.structs.replace(position, frames=(many,)))


def test_a_position_whose_rules_now_ask_something_else_is_refused():
    game, _ = started(seats=2)
    position = game.position
    (first, second) = position.asked
    other = msgspec.structs.replace(first, subject="another")
    with pytest.raises(OutOfDate, match="other_rules"):
        Runner(msgspec.structs.replace(position, asked=(other, second)))


def test_an_act_is_previewed_seat_by_seat_without_happening():
    game, _ = started(seats=2)
    twin = replay(game.header, game.entries)
    effect = enact(twin, Adjust("gold.A", 50, "forgotten pay"))
    seen = effect.changes
    assert [(d.place, d.before, d.after) for d in seen["A"]] == [("gold", 10, 50)]
    assert seen["B"] == [] and not (effect.left or effect.asked or effect.rolls or effect.rules)
    assert game.state.gold["A"] == 10 and not game.entries


def test_typed_faces_are_checked_at_the_door():
    game, _ = started(seats=2)
    for seat, value in (("A", "storm"), ("B", "wait"), ("A", "cry"), ("A", 0)):
        game.answer(seat, value)
    throw = game.throws()[0]
    for wrong in ((7,), (0,), (1, 2), ()):
        with pytest.raises(DiceRefused):
            game.enter(Answer(throw.key, wrong))
    game.enter(Answer(throw.key, (6,)))
    assert game.entries[-1].value == (6,)
