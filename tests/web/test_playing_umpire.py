"""Two friends at one battle: whoever made it plays and umpires, and decides nothing alone."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from polemarque.club.campaigns.lobby import CampaignPlan, begin, clear_seat, make, sit_down
from polemarque.club.campaigns.question_keys import key_text
from polemarque.club.campaigns.session import read_lock
from polemarque.club.campaigns.visibility import hides_readiness, known_entries
from polemarque.club.models import MEMBER, Campaign, Naming, Proposal, Umpire
from polemarque.club.orders.answers import seal
from polemarque.club.people.invitations import may_invite, may_renew
from polemarque.club.people.roles import visit_of
from polemarque.club.trust.proofs import exports
from polemarque.club.umpire.acts import (
    consenting,
    needs_consent,
    propose,
    sees,
    standing_answers,
)
from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.records.record import Adjust
from polemarque.kernel.request import UMPIRE
from tests.web.desks import fields, forms_to, late
from tests.web.people import browser, page, said, way
from tests.web.world import World, person, play_on, sealed, with_second, world

pytestmark = pytest.mark.django_db

EVEN = {"pm": 60, "morale": 6, "command": 2}


def battle(*, playing: bool = True) -> Campaign:
    """A battle that zoe made, and umpires; ana has side A unless zoe plays it, ben side B."""
    plan = CampaignPlan("batailles", setup={"a": EVEN, "b": EVEN})
    made = make("The ford", plan, person("zoe"), own=["A"] if playing else [])
    if not playing:
        sit_down(made, "A", person("ana"))
    sit_down(made, "B", person("ben"))
    begin(made)
    return made


def answered(made: Campaign, who: str, seat: str, value: Any) -> None:
    with read_lock(made) as table:
        (request,) = [r for r in table.game.course.requests() if seat in r.seats]
    seal(made, person(who), seat, request.keys[seat], value, once=f"{seat}{request.keys[seat]}")


def to_the_change_of_strategy(made: Campaign, first: str) -> None:
    """Ben's side changes its strategy; the rules ask what that is worth."""
    answered(made, first, "A", {"choice": "continue"})
    answered(made, "ben", "B", {"choice": "strategy", "words": "by night"})


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_only_who_does_not_umpire_is_told_that_a_sealed_answer_may_be_replaced(lang: str) -> None:
    made = battle()
    final, may = {
        "fr": ("votre réponse est définitive", "vous pouvez la remplacer"),
        "en": ("your answer is final", "you may replace it"),
    }[lang]
    for who, seat, told, untold in (("zoe", "A", final, may), ("ben", "B", may, final)):
        shown = said(browser(person(who), lang=lang).get(way("seat", made, seat=seat)))
        assert told in shown and untold not in shown


def asked_rules(made: Campaign, seat: str) -> list[str]:
    with read_lock(made) as table:
        return [request.rule for request in table.game.requests(seat)]


def sent_on_seat(client: Client, made: Campaign, seat: str, **given: str) -> Any:
    """The form of the seat's one question, filled in and sent."""
    shown = client.get(way("seat", made, seat=seat))
    (form,) = forms_to(shown, way("answer", made, seat=seat))
    (first,) = [name for name in fields(form) if name.endswith("modifier")]
    named = {first.removesuffix("modifier") + part: v for part, v in given.items()}
    return client.post(way("answer", made, seat=seat), {**fields(form), **named, "do": "seal"})


def strategy_of(made: Campaign, side: str) -> int:
    with read_lock(made) as table:
        assert not table.game.requests(UMPIRE)
        told = [e.data["modifier"] for e in table.told if e.kind == "modifier"]
        return told[-1] if told else 0


@pytest.mark.parametrize(("theirs", "worth"), [("3", 0), ("-20", -20)])
def test_the_umpires_own_figure_is_not_taken_alone(theirs: str, worth: int) -> None:
    made = battle()
    to_the_change_of_strategy(made, "zoe")
    zoe, ben = browser(person("zoe")), browser(person("ben"))
    assert asked_rules(made, UMPIRE) == []
    assert not forms_to(zoe.get(way("desk", made)), way("desk_answer", made))
    assert "All of them must give the same answer" in said(ben.get(way("seat", made, seat="B")))
    sent_on_seat(zoe, made, "A", modifier="-20", reason="so there")
    assert asked_rules(made, "B") == ["BC-3.4/strategy"]
    sent_on_seat(ben, made, "B", modifier=theirs, reason="fair")
    assert strategy_of(made, "B") == worth
    assert asked_rules(made, "B") == asked_rules(made, "A") == ["BC-3.4"]


def test_answering_for_the_absent_friend_gives_the_umpire_nothing() -> None:
    made = battle()
    to_the_change_of_strategy(made, "zoe")
    zoe = browser(person("zoe"))
    sent_on_seat(zoe, made, "A", modifier="-20", reason="so there")
    with read_lock(made) as table:
        key = table.game.requests("B")[0].keys["B"]
    address = reverse("desk_absent", kwargs={"code": made.code})
    shown = zoe.get(address, {"key": key_text(key)})
    assert not forms_to(shown, address), "nothing is late where there is no limit"
    Campaign.objects.filter(pk=made.pk).update(pace=24)
    late(made)
    (form,) = forms_to(zoe.get(address, {"key": key_text(key)}), address)
    zoe.post(address, fields(form))
    assert strategy_of(made, "B") == 0
    assert asked_rules(made, "B") == ["BC-3.4"]


def test_a_player_who_umpires_since_answers_only_what_holds_without_agreement() -> None:
    """The record knows nothing of whom the seats have named since: its rules ask an umpire."""
    made = battle(playing=False)
    to_the_change_of_strategy(made, "ana")
    Umpire.objects.filter(campaign=made).delete()
    Umpire.objects.create(campaign=made, person=person("ana"))
    assert asked_rules(made, UMPIRE) == ["BC-3.4/strategy"]
    with pytest.raises(NotAllowed) as refused:
        answered(made, "ana", UMPIRE, {"modifier": -20, "reason": "so there"})
    assert refused.value.code == "desk.plays"
    desk = browser(person("ana"), lang="fr").get(way("desk", made))
    assert "vous ne décidez rien seul" in said(desk)
    answered(made, "ana", UMPIRE, {"modifier": 0})
    assert asked_rules(made, "B") == ["BC-3.4"]


def rows(response: Any) -> list[str]:
    """Who stands in the list of who is ready."""
    (table,) = [e for e in page(response).all("table") if e.attrs.get("class") == "seats"]
    return [" ".join(cell.said.split()) for cell in table.all("th")]


def first_page(client: Client) -> str:
    return " ".join(said(client.get("/")).split())


# Nobody waits unseen -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "home", "row"),
    [
        ("en", "Waiting for you: 1 decision", "the umpire"),
        ("fr", "On vous attend : 1 décision", "l’arbitre"),
    ],
)
def test_a_question_to_the_umpire_is_seen_by_all(lang: str, home: str, row: str) -> None:
    made = battle(playing=False)
    zoe, ben = browser(person("zoe"), lang=lang), browser(person("ben"), lang=lang)
    seat = way("seat", made, seat="B")
    assert home not in first_page(zoe) and row not in rows(ben.get(seat))
    to_the_change_of_strategy(made, "ana")
    first = first_page(zoe)
    assert home in first
    assert f'href="{way("desk", made)}"' in first
    assert home not in first_page(ben)
    assert row in rows(ben.get(seat))
    answered(made, "zoe", UMPIRE, {"modifier": 5, "reason": "woods"})
    assert home not in first_page(zoe) and row not in rows(ben.get(seat))


# A second umpire ---------------------------------------------------------------------------------


def declared(there: World, winner: str, by: str = "second") -> Proposal:
    """An act that declares a winner, looked at by its umpire."""
    visit = visit_of(there.fresh(), there.people[by])
    return propose(visit, Adjust("end", (winner,), "enough"), f"{by}{winner}")


@pytest.mark.parametrize("who", ["umpire", "second"])
def test_a_declared_winner_takes_the_word_of_who_is_no_party(who: str) -> None:
    there = with_second(world(playing=True, begun=False))
    sit_down(there.campaign, "C", person("third"))
    begin(there.campaign)
    assert consenting(declared(there, "A", who)) == ["B", "C"]
    assert consenting(declared(there, "B", who)) == ["C"]
    act = propose(visit_of(there.fresh(), there.people[who]), Adjust("loot.A", 900, "so"), who)
    assert consenting(act) == ["B", "C"]


def test_who_alone_loses_may_give_the_game_up() -> None:
    there = with_second(world(playing=True))
    assert consenting(declared(there, "B", "umpire")) == ["B"]
    assert consenting(declared(there, "B")) == ["A"], "whose loss it is"


def test_among_programs_the_umpire_who_plays_consents_to_the_other() -> None:
    there = with_second(world(playing=True, begun=False))
    clear_seat(there.campaign, "B")
    there.campaign.seats.filter(code="B").update(bot="steady")
    begin(there.campaign)
    assert not needs_consent(declared(there, "A", "umpire"))
    assert consenting(declared(there, "B")) == ["A"]


@pytest.mark.parametrize(
    ("lang", "words"),
    [("en", "a seat that nobody commands at the moment"), ("fr", "un siège que personne")],
)
@pytest.mark.parametrize("who", ["playing", "second"])
def test_where_nobody_can_consent_nothing_is_done_and_it_is_said(
    who: str, lang: str, words: str
) -> None:
    there = with_second(world(playing=True))
    waiting = declared(there, "A", who)
    there.campaign.seats.get(code="B").holders.all().delete()
    count = there.fresh().count
    address = way("act", there.campaign, number=str(waiting.pk))
    client = there.browser(who, lang=lang)
    assert words in said(client.get(address))
    refused = client.post(address, {"do": "confirm", "number": str(count)})
    assert refused.status_code == 422 and words in said(refused)
    waiting.refresh_from_db()
    assert waiting.put is None and there.fresh().count == count


@pytest.mark.parametrize(
    ("lang", "words"), [("en", "Another umpire plays"), ("fr", "Un autre arbitre joue")]
)
def test_a_second_umpire_reads_what_everybody_reads(lang: str, words: str) -> None:
    there = with_second(world(playing=True))
    play_on(there, lambda game: game.runner.period >= 2 and not game.requests("A"))
    second = visit_of(there.fresh(), there.people["second"])
    assert second.eye == "" and not may_invite(second, "B", MEMBER)
    with read_lock(there.campaign) as table:
        assert {each.key.seat for each in standing_answers(second, table)} <= {UMPIRE}
        assert exports(second, table) == ["public"]
    assert words in said(there.browser("second", lang=lang).get(way("desk", there.campaign)))


def test_a_second_umpire_knows_nothing_before_the_one_who_plays_has_sealed() -> None:
    there = with_second(world(playing=True))
    second = visit_of(there.fresh(), there.people["second"])
    act = propose(second, Adjust("loot.A", 900, "so"), "x")
    sealed(there, "B", "rival")
    with read_lock(there.campaign) as table:
        assert known_entries(second, table) < table.count
        assert hides_readiness(second, table) and not sees(second, table)
    desk = said(there.browser("second").get(way("desk", there.campaign)))
    assert "The other umpire plays a seat, and seals first." in desk
    sealed(there, "A", "umpire")
    sealed(there, "A", "umpire", 1)  # and what is asked of all next
    with read_lock(there.campaign) as table:
        assert known_entries(second, table) == table.count and sees(second, table)
    assert consenting(act) == ["B"]


def test_whom_the_seats_have_named_since_is_an_umpire_without_a_seat() -> None:
    there = with_second(world(playing=True))
    assert not visit_of(there.fresh(), there.people["second"]).neutral
    there.campaign.umpires.filter(person=there.people["umpire"]).delete()
    assert not visit_of(there.fresh(), there.people["second"]).neutral, "his account is gone"
    Naming.objects.create(campaign=there.campaign, named=person("second"), voices=2, seats=3)
    assert visit_of(there.fresh(), there.people["second"]).neutral


def test_a_second_umpire_makes_no_link_to_an_account_either() -> None:
    there = with_second(world())
    second = visit_of(there.fresh(), there.people["second"])
    assert may_renew(second, person("rival"))
    with_second(world(playing=True))
    assert not may_renew(second, person("rival")), "who plays beside an umpire too"
