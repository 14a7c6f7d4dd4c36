"""In a duel a move is taken back with the other's answers since, if the other consents."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone
from msgspec.structs import replace

from polemarque.bots.play import play_game
from polemarque.club.campaigns.lobby import CampaignPlan, begin, make, sit_down
from polemarque.club.campaigns.question_keys import key_text
from polemarque.club.campaigns.session import read_lock, write_lock
from polemarque.club.models import Campaign, Person, Receipt
from polemarque.club.orders.taking_back import _back, may_ask_back, take_back
from polemarque.kernel.events import EventLog
from polemarque.kernel.game import Game, replay
from polemarque.kernel.position import encode
from polemarque.kernel.records.record import Answer, Undo
from polemarque.web.i18n import say
from polemarque.web.notices import deliver
from tests.web.people import browser, way
from tests.web.world import person

pytestmark = pytest.mark.django_db

ASK = say("en", "seat.back.ask")
TITLE = say("en", "seat.back.title")


def duel(bot: bool = False) -> Campaign:
    """A duel of Thucydides in which B has answered after A, and no die since."""
    plan = CampaignPlan("thucidide", "marathon")
    made = make("Marathon", plan, person("ana"), own=["A"], bots={"B": "steady"})
    if not bot:
        sit_down(made, "B", person("ben"))
    begin(made)
    return made


def play_until(campaign: Campaign, seat: str) -> None:
    """Have programs play until that seat may ask for its last answer with the other's since."""
    with write_lock(campaign) as table:
        play_game(
            table.game, dict.fromkeys("AB", "steady"), seed=1,
            stop=lambda game: may_ask_back(campaign, game, seat),
        )  # fmt: skip
        assert may_ask_back(campaign, table.game, seat)


def answers(campaign: Campaign) -> list[Answer]:
    with read_lock(campaign) as table:
        return [each for each in table.game.effective if isinstance(each, Answer)]


def page(campaign: Campaign, seat: str, who: Person) -> str:
    return browser(who).get(way("seat", campaign, seat=seat)).content.decode()


def send(campaign: Campaign, seat: str, who: Person, does: str, **more: Any) -> None:
    address = way("undo", campaign, seat=seat)
    assert browser(who).post(address, {"do": does, **more}).status_code == 303


def number(campaign: Campaign) -> int:
    row = campaign.proposals.order_by("-pk").first()
    assert row is not None
    return row.pk


def test_the_other_is_asked_and_consents_and_both_answers_are_undone() -> None:
    campaign, ana, ben = duel(), person("ana"), person("ben")
    play_until(campaign, "A")
    before = answers(campaign)
    assert ASK in page(campaign, "A", ana) and ASK not in page(campaign, "B", ben)
    send(campaign, "A", ana, "ask")
    assert TITLE in page(campaign, "B", ben) and TITLE not in page(campaign, "A", ana)
    assert say("en", "seat.back.waits") in page(campaign, "A", ana)
    assert answers(campaign) == before, "nothing is taken back yet"
    send(campaign, "B", ben, "consent", number=number(campaign))
    after = answers(campaign)
    assert after == before[: len(after)]
    gone = [each.key.seat for each in before[len(after) :]]
    assert gone[0] == "A" and set(gone[1:]) == {"B"}, "A's last answer, and B's since"
    with read_lock(campaign) as table:
        undone = [each.seat for each in table.game.entries if isinstance(each, Undo)]
        assert undone == gone[::-1], "each by its own seat, newest first"
        keys = [each.keys.get("A") for each in table.game.course.requests()]
    assert before[len(after)].key in keys, "A is asked again"


def test_a_sealed_answer_keeps_its_receipt_while_it_is_only_asked_for() -> None:
    campaign, ana, ben = duel(), person("ana"), person("ben")
    play_until(campaign, "A")
    last = next(each for each in reversed(answers(campaign)) if each.key.seat == "A")
    kept = Receipt.objects.create(
        campaign=campaign, number=1, key=key_text(last.key), seat="A", digest="a" * 64, body=b"{}"
    )
    send(campaign, "A", ana, "ask")
    kept.refresh_from_db()
    assert not kept.replaced
    send(campaign, "B", ben, "consent", number=number(campaign))
    kept.refresh_from_db()
    assert kept.replaced


def test_a_refusal_is_told_and_nothing_is_taken_back() -> None:
    campaign, ana, ben = duel(), person("ana"), person("ben")
    play_until(campaign, "A")
    before = answers(campaign)
    send(campaign, "A", ana, "ask")
    send(campaign, "B", ben, "refuse", number=number(campaign))
    assert answers(campaign) == before
    told = page(campaign, "A", ana)
    assert say("en", "seat.back.denied") in told and ASK not in told
    send(campaign, "B", ben, "consent", number=number(campaign))
    assert answers(campaign) == before, "what was refused is not consented to later"


def test_a_wish_falls_as_soon_as_anything_is_entered() -> None:
    campaign, ana, ben = duel(), person("ana"), person("ben")
    play_until(campaign, "A")
    send(campaign, "A", ana, "ask")
    asked = number(campaign)
    with write_lock(campaign) as table:
        seen = len(answers(campaign))
        play_game(
            table.game, dict.fromkeys("AB", "steady"), seed=1,
            stop=lambda game: len(game.effective) > seen,
        )  # fmt: skip
    before = answers(campaign)
    assert TITLE not in page(campaign, "B", ben)
    send(campaign, "B", ben, "consent", number=asked)
    assert answers(campaign) == before


def test_a_wish_that_fell_is_told_to_have_lapsed_until_its_seat_answers() -> None:
    campaign, ana, ben = duel(), person("ana"), person("ben")
    lapsed = say("en", "seat.back.lapsed")
    play_until(campaign, "B")
    assert lapsed not in page(campaign, "B", ben)
    send(campaign, "B", ben, "ask")
    assert lapsed not in page(campaign, "B", ben)
    take_back(campaign, "A")
    told = page(campaign, "B", ben)
    assert lapsed in told and say("en", "seat.back.denied") not in told
    assert lapsed not in page(campaign, "A", ana)
    seen = len(answers(campaign))
    with write_lock(campaign) as table:
        play_game(
            table.game, dict.fromkeys("AB", "steady"), seed=1,
            stop=lambda game: len(game.effective) > seen and game.effective[-1].key.seat == "B",
        )  # fmt: skip
    assert lapsed not in page(campaign, "B", ben)


def test_a_wish_dropped_with_the_umpire_is_no_refusal() -> None:
    campaign, ana, ben = duel(), person("ana"), person("ben")
    play_until(campaign, "A")
    send(campaign, "A", ana, "ask")
    campaign.proposals.filter(done=None).update(done=timezone.now())  # as `umpire_vote` does
    told = page(campaign, "A", ana)
    assert say("en", "seat.back.denied") not in told and say("en", "seat.back.lapsed") in told
    assert TITLE not in page(campaign, "B", ben)


def test_a_wish_is_no_act_of_an_umpire() -> None:
    campaign, ana = duel(), person("ana")
    play_until(campaign, "A")
    send(campaign, "A", ana, "ask")
    address = way("act", campaign, number=number(campaign))
    assert browser(ana).get(address).status_code == 404
    assert browser(ana).post(address, {"number": "5"}).status_code == 404
    assert browser(ana).post(address, {"do": "drop"}).status_code == 404
    assert campaign.proposals.get().done is None


def test_who_asks_once_more_reads_that_the_other_has_refused() -> None:
    campaign, ana, ben = duel(), person("ana"), person("ben")
    play_until(campaign, "A")
    send(campaign, "A", ana, "ask")
    send(campaign, "B", ben, "refuse", number=number(campaign))
    shown = browser(ana).post(way("undo", campaign, seat="A"), {"do": "ask"}, follow=True)
    told = shown.content.decode()
    refused = say("en", "error.undo.refused", part="A").replace("'", "\u2019")
    assert refused in told and say("en", "seat.back.sent") not in told
    assert campaign.proposals.count() == 1


@pytest.mark.parametrize("system", ["atlantide", "mare_nostrum"])
def test_what_an_umpire_who_plays_has_sealed_is_not_asked_back(system: str) -> None:
    campaign = make(
        "x", CampaignPlan(system, "", 2), person("ana"), own=["A"], bots={"B": "steady"}
    )
    sit_down(campaign, "B", person("ben"))
    begin(campaign)

    def final(game: Game) -> bool:
        """Whether B's last answer is followed by one that A has sealed, and by nothing else."""
        if game.over or game.course.has_own("B"):
            return False
        late = game.effective[game.course.barrier :][-2:]
        last = [each for each in late if isinstance(each, Answer)]
        sealed = any("A" in request.answered for request in game.course.requests())
        return sealed and [each.key.seat for each in last] == ["B", "A"]

    with write_lock(campaign) as table:
        play_game(table.game, dict.fromkeys("AB", "steady"), seed=1, stop=final)
        assert final(table.game) and not table.game.over
    assert ASK not in page(campaign, "B", person("ben"))
    send(campaign, "B", person("ben"), "ask")
    assert not campaign.proposals.exists()


def test_the_other_is_told_by_mail_while_the_wish_stands(settings: Any) -> None:
    settings.MAIL = True
    campaign, ana, ben = duel(), person("ana"), person("ben")
    Person.objects.filter(pk=ben.pk).update(email="b@example.org", lang="en")
    play_until(campaign, "A")
    send(campaign, "A", ana, "ask")
    send(campaign, "A", ana, "ask")
    deliver(campaign)
    (sent,) = [each for each in mail.outbox if "asks to take back" in str(each.body)]
    assert sent.to == ["b@example.org"] and way("seat", campaign, seat="B") in str(sent.body)
    mail.outbox.clear()
    send(campaign, "B", ben, "refuse", number=number(campaign))
    deliver(campaign)
    assert not [each for each in mail.outbox if "asks to take back" in str(each.body)]


def test_nobody_consents_to_his_own_wish() -> None:
    campaign, ana = duel(), person("ana")
    play_until(campaign, "A")
    before = answers(campaign)
    send(campaign, "A", ana, "ask")
    send(campaign, "A", ana, "consent", number=number(campaign))
    assert answers(campaign) == before


def test_a_program_consents_at_once() -> None:
    campaign, ana = duel(bot=True), person("ana")
    play_until(campaign, "A")
    before = answers(campaign)
    send(campaign, "A", ana, "ask")
    after = answers(campaign)
    assert len(after) < len(before) and after == before[: len(after)]
    assert not campaign.proposals.exists()


@pytest.mark.parametrize(
    ("system", "seat", "bot"), [("atlantide", "A", "B"), ("mare_nostrum", "B", "A")]
)
def test_asking_back_tells_nothing_of_what_a_program_has_sealed(
    system: str, seat: str, bot: str
) -> None:
    """A program consents as often as it is asked: whatever it has sealed, its seat's rival reads
    the same before and after, and nothing that was revealed goes back."""
    campaign = make(
        "x", CampaignPlan(system, "", 2), person("ana"), own=[seat], bots={bot: "steady"}
    )
    begin(campaign)

    def sealed(game: Game) -> bool:
        """Whether it may ask back an answer after which the program has sealed another."""
        asked = any(bot in request.answered for request in game.course.requests())
        return asked and may_ask_back(campaign, game, seat)

    with write_lock(campaign) as table:
        play_game(table.game, dict.fromkeys("AB", "steady"), seed=1, stop=sealed)
        game = table.game
        assert sealed(game)
        (key,) = [r.keys[bot] for r in game.course.requests() if bot in r.answered]
        entries = tuple(game.effective)
        options = game.runner.find(key)[1].options(bot)
        read, answered = [], set()
        for seed in range(6):
            value = options.take(options.sample(Random(seed)))
            answered.add(encode(value))
            others = [replace(e, value=value) if isinstance(e, Answer) and e.key == key else e
                      for e in entries]  # fmt: skip
            told = EventLog()
            twin = replay(game.header.freed, others, publish=told.append, withdraw=told.withdraw)
            seen = [[event for event in told if event.seen_by(seat)]]
            views = [game.system.view(twin.state, seat)]
            _back(campaign, twin, seat)
            seen.append([event for event in told if event.seen_by(seat)])
            views.append(game.system.view(twin.state, seat))
            assert not any(event.reveals for event in seen[0][len(seen[1]) :])
            read.append(encode((seen, views)))
    assert len(answered) > 1 and len(set(read)) == 1


def test_nothing_goes_back_past_a_die() -> None:
    campaign, ana = duel(), person("ana")

    def rolled(game: Game) -> bool:
        """Whether dice have fallen since A's last answer."""
        seats = [each.key.seat for each in game.effective if isinstance(each, Answer)]
        return "A" in seats and "dice" in "".join(seats).rpartition("A")[2]

    with write_lock(campaign) as table:
        play_game(table.game, dict.fromkeys("AB", "steady"), seed=1, stop=rolled)
        assert rolled(table.game)
    before = answers(campaign)
    assert ASK not in page(campaign, "A", ana)
    send(campaign, "A", ana, "ask")
    assert answers(campaign) == before and not campaign.proposals.exists()
