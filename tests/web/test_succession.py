"""A seat that changes hands while its campaign is played."""

from __future__ import annotations

import pytest
from django.test import Client

from polemarque.club.campaigns.bot_turns import bots_of, let_play
from polemarque.club.campaigns.lobby import (
    accept,
    begin,
    invitation_of,
    invite,
    open_door,
    token_of,
)
from polemarque.club.campaigns.session import read_lock
from polemarque.club.models import COMMANDER, MEMBER, SUCCESSOR, Invitation, Person
from polemarque.club.people.roles import visit_of
from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.records.record import Answer, Looked
from tests.club.conftest import programs_think_at_once  # noqa: F401 (a fixture)
from tests.web.people import link, said, way
from tests.web.world import World, sealed, world

pytestmark = pytest.mark.django_db


def looks(there: World) -> list[str]:
    """The kinds of what umpires have read, as the record has them."""
    with read_lock(there.campaign) as table:
        return [entry.what for entry in table.game.entries if isinstance(entry, Looked)]


def asks(client: Client, there: World, seat: str, role: str) -> str:
    """Ask for a link on the page of people; its secret part."""
    fields = {"seat": seat, "role": role}
    shown = said(client.post(way("invite", there.campaign), fields, follow=True))
    door = Invitation.objects.get(campaign=there.campaign, seat=seat, role=role, used=None)
    assert link(token_of(door)) in shown
    return token_of(door)


def newcomer() -> Person:
    return Person.objects.create_user("solon", password="x", called="Solon")


def test_a_player_hands_his_seat_over_and_gets_it_back() -> None:
    there, solon = world(), newcomer()
    token = asks(there.browser("commander"), there, "A", SUCCESSOR)
    accept(token, solon)
    old = there.people["commander"]
    assert visit_of(there.fresh(), solon).seats == {"A": COMMANDER}
    assert visit_of(there.fresh(), old).seats == {"A": MEMBER}
    assert looks(there) == []
    back = open_door(there.campaign, solon, seat="A", role=SUCCESSOR)
    accept(token_of(back), old)
    assert visit_of(there.fresh(), old).seats == {"A": COMMANDER}
    assert visit_of(there.fresh(), solon).seats == {"A": MEMBER}


def test_an_umpire_who_plays_no_seat_replaces_a_player_and_that_is_entered() -> None:
    there, solon = world(), newcomer()
    stale = asks(there.browser("rival"), there, "B", MEMBER)
    assert looks(there) == []
    accept(asks(there.browser("umpire"), there, "B", SUCCESSOR), solon)
    assert looks(there) == ["account"]
    assert visit_of(there.fresh(), solon).seats == {"B": COMMANDER}
    assert not visit_of(there.fresh(), there.people["rival"]).seats
    with pytest.raises(NotAllowed):
        invitation_of(stale)
    assert "a place in that seat" in said(
        there.browser("watcher").get(way("trust", there.campaign))
    )


def test_what_is_sealed_is_read_by_no_successor_whom_an_umpire_found() -> None:
    there, solon = world(), newcomer()
    token = asks(there.browser("umpire"), there, "B", SUCCESSOR)
    sealed(there, "B", "rival")
    with pytest.raises(NotAllowed, match="sealed_seat"):
        accept(token, solon)
    refused = there.browser("umpire").post(
        way("stand_in", there.campaign, seat="B"), {"program": "steady"}, follow=True
    )
    assert "has sealed an answer" in said(refused)
    assert visit_of(there.fresh(), there.people["rival"]).seats == {"B": COMMANDER}
    assert not visit_of(there.fresh(), solon).seats


def test_an_umpire_gives_a_seat_to_a_program() -> None:
    there = world()
    done = there.browser("umpire").post(
        way("stand_in", there.campaign, seat="B"), {"program": "steady"}, follow=True
    )
    assert "A bot plays this seat from now on." in said(done)
    assert not visit_of(there.fresh(), there.people["rival"]).seats
    assert bots_of(there.campaign)["B"] == "steady"


@pytest.mark.usefixtures("programs_think_at_once")
def test_the_program_plays_the_seat_on() -> None:
    there = world()
    for seat in ("A", "B"):
        there.browser("umpire").post(
            way("stand_in", there.campaign, seat=seat), {"program": "steady"}
        )
    while let_play(there.fresh()):
        with read_lock(there.campaign) as table:
            if table.game.runner.period > 1:
                break
    with read_lock(there.campaign) as table:
        assert table.game.runner.period > 1
        answers = [entry for entry in table.game.entries if isinstance(entry, Answer)]
    assert {"A", "B"} <= {answer.key.seat for answer in answers}


def test_one_who_is_in_another_seat_takes_none() -> None:
    there = world()
    token = asks(there.browser("commander"), there, "A", SUCCESSOR)
    for role in ("rival", "umpire"):
        with pytest.raises(NotAllowed, match="party"):
            accept(token, there.people[role])


def test_nobody_else_hands_a_seat_over() -> None:
    there = world()
    for role, seat in (("commander", "B"), ("rival", "A")):
        sent = there.browser(role).post(
            way("invite", there.campaign), {"seat": seat, "role": SUCCESSOR}, follow=True
        )
        assert "It is not for you to invite to that." in said(sent)
    playing = world(playing=True)
    for seat in ("A", "B"):  # his own seals first: the record says so
        sent = playing.browser("umpire").post(
            way("invite", playing.campaign), {"seat": seat, "role": SUCCESSOR}, follow=True
        )
        assert "It is not for you to invite to that." in said(sent)
    assert not Invitation.objects.filter(role=SUCCESSOR).exists()


def test_an_adviser_whom_an_umpire_lets_in_is_entered() -> None:
    there = world()
    asks(there.browser("commander"), there, "A", MEMBER)
    assert looks(there) == []
    asks(there.browser("umpire"), there, "B", MEMBER)
    assert looks(there) == ["account"]


@pytest.mark.parametrize(("host", "entered"), [("umpire", ["account"]), ("commander", [])])
def test_so_is_one_who_was_let_in_before_it_began(host: str, entered: list[str]) -> None:
    there = world(begun=False)
    accept(invite(there.campaign, there.people[host], "A", MEMBER), newcomer())
    begin(there.campaign)
    assert looks(there) == entered
