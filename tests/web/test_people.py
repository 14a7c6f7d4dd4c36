"""The people of a campaign that has begun, and who lets others in."""

from __future__ import annotations

import pytest

from polemarque.club.campaigns.lobby import UMPIRE_ROLE, accept, begin, invite, open_door, token_of
from polemarque.club.models import MEMBER, Invitation, Person
from polemarque.club.people.invitations import may_invite
from polemarque.club.people.roles import visit_of
from tests.web.people import link, page, said, way
from tests.web.world import World, world

pytestmark = pytest.mark.django_db


def may(there: World, role: str) -> set[tuple[str, str]]:
    """What somebody may invite to."""
    visit = visit_of(there.fresh(), there.people[role])
    doors = [("A", ""), ("A", MEMBER), ("B", MEMBER), ("", UMPIRE_ROLE), ("", "")]
    return {door for door in doors if may_invite(visit, *door)}


def test_while_seats_are_filled_an_umpire_lets_in_all() -> None:
    there = world(begun=False)
    everything = {("A", ""), ("A", MEMBER), ("B", MEMBER), ("", UMPIRE_ROLE), ("", "")}
    assert may(there, "umpire") == everything
    assert may(there, "commander") == {("A", MEMBER)}
    for role in ("adviser", "watcher", "stranger"):
        assert may(there, role) == set()


def test_afterwards_nobody_is_let_in_to_see_more_than_his_host() -> None:
    there = world(playing=True)
    assert may(there, "umpire") == {("A", MEMBER), ("", "")}
    assert may(there, "rival") == {("B", MEMBER)}
    assert may(world(), "umpire") >= {("A", MEMBER), ("B", MEMBER), ("", UMPIRE_ROLE), ("", "")}


def test_a_commander_has_his_seat_seen_by_another_and_thinks_better_of_it() -> None:
    there = world()
    client = there.browser("commander")
    address = way("people", there.campaign)
    shown = said(client.get(address))
    assert shown.count(way("invite", there.campaign)) == 2  # to advise it, and to hold it
    fields = {"seat": "A", "role": MEMBER}
    client.post(way("invite", there.campaign), fields)
    door = Invitation.objects.get(campaign=there.campaign)
    assert link(token_of(door)) in said(client.get(address))
    assert link(token_of(door)) not in said(there.browser("rival").get(address))
    there.browser("rival").post(way("withdraw", there.campaign), {"number": str(door.pk)})
    assert Invitation.objects.filter(pk=door.pk).exists()
    newcomer = Person.objects.create_user("solon", password="x")
    accept(token_of(door), newcomer)
    assert visit_of(there.fresh(), newcomer).seats == {"A": MEMBER}
    assert "solon" in said(client.get(address))
    client.post(way("invite", there.campaign), fields)
    again = Invitation.objects.get(campaign=there.campaign, used=None)
    client.post(way("withdraw", there.campaign), {"number": str(again.pk)})
    assert not Invitation.objects.filter(campaign=there.campaign, used=None).exists()


@pytest.mark.parametrize("door", [("B", MEMBER), ("", UMPIRE_ROLE), ("", ""), ("A", "")])
def test_what_he_may_not_hand_out_is_refused(door: tuple[str, str]) -> None:
    there = world()
    seat, role = door
    sent = there.browser("commander").post(
        way("invite", there.campaign), {"seat": seat, "role": role}, follow=True
    )
    assert "It is not for you to invite to that." in said(sent)
    assert not Invitation.objects.filter(campaign=there.campaign).exists()


def test_links_of_the_muster_that_would_show_more_are_void_where_an_umpire_plays() -> None:
    for playing, left in ((True, {("", "")}), (False, {("", ""), ("A", MEMBER), ("", "umpire")})):
        there = world(begun=False, playing=playing)
        made = there.campaign
        invite(made, None)
        invite(made, None, "A", MEMBER)
        open_door(made, there.people["umpire"], role=UMPIRE_ROLE)
        begin(made)
        kept = made.invitations.filter(used=None).values_list("seat", "role")
        assert set(kept) == left


def test_everybody_inside_reads_who_plays_and_nobody_hands_out_what_is_not_his() -> None:
    there = world()
    for role in ("watcher", "adviser"):
        shown = there.browser(role).get(way("people", there.campaign))
        assert "Rival" in said(shown) and "Umpire" in said(shown)
        assert way("invite", there.campaign) not in said(shown)
        assert not [each for each in page(shown).all("input") if "readonly" in each.attrs]
