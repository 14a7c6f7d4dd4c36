"""Who plays, advises, watches and umpires a campaign that has begun; links for others."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from polemarque.bots.registry import STEADY, bot_names
from polemarque.club.campaigns.bot_turns import let_play
from polemarque.club.campaigns.lobby import UMPIRE_ROLE, plan_of
from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.campaigns.visibility import public_names, seat_names
from polemarque.club.models import COMMANDER, GUEST, MEMBER, SUCCESSOR, Person, Seat
from polemarque.club.people.guests import battles, guests_of, may_lend, send_home
from polemarque.club.people.invitations import doors_of, entrusted, may_invite, may_renew
from polemarque.club.people.roles import Visit, names_in
from polemarque.club.people.seat_handover import give_to_program, may_hand_over
from polemarque.club.people.umpire_vote import (
    give_voice,
    nameable,
    seats_of_people,
    silent_since,
    voices_of,
    wanted,
)
from polemarque.report.labels import Book
from polemarque.web.access import ClubRequest, commander, inside_begun, inviter, page, umpire_begun
from polemarque.web.accounts import password_way
from polemarque.web.actions import action
from polemarque.web.forms.whole_numbers import whole
from polemarque.web.i18n import program_name, say
from polemarque.web.links import absolute, link_of
from polemarque.web.mails import mail
from polemarque.web.pages.campaign.campaign import frame_of


@page(inside_begun)
def people(request: ClubRequest, visit: Visit) -> HttpResponse:
    """The people of the campaign; anyone who may let others in does it here."""
    return _shown(request, visit, {})


@action(umpire_begun, "people")
def renew(request: ClubRequest, visit: Visit, number: int) -> HttpResponse:
    """A link by which somebody chooses a new password, once; it is shown and kept nowhere.

    That it was made is entered for everybody to see.
    """
    found = Person.objects.filter(pk=number).first()
    if found is None or not may_renew(visit, found):
        raise Http404
    entrusted(visit, found)
    return _shown(request, visit, {found.pk: absolute(request, password_way(found))})


@action(inviter, "people")
def recall(request: ClubRequest, visit: Visit, number: int) -> str:
    """Take a side back from the guest of one battle."""
    send_home(visit, number)
    return say(request.lang, "guest.gone")


def lent_battles(visit: Visit, table: LiveCampaign, seat: str, lang: str) -> list[dict[str, Any]]:
    """The open battles in which a seat has a side, as far as the reader may lend it.

    id: of its place on the page of people.   who, guest: its guest's name and number, or nothing.
    """
    there = list(battles(table.game, seat))
    if not (there and may_lend(visit, seat)):
        return []
    if visit.campaign.seats.filter(code=seat).exclude(bot="").exists():
        return []
    book = Book(table.game.system, lang, public_names(table, lang, visit.people))
    guests, people = guests_of(visit.campaign, table), names_in(visit.campaign)
    found = []
    for brief, inner in there:
        guest = guests.get((seat, inner.path))
        found.append({
            "path": inner.path,
            "id": f"{seat}-{inner.path}",
            "place": book.name(brief.place),
            "system": inner.system.titles[lang],
            "guest": guest.pk if guest else 0,
            "who": people[guest.person_id] if guest else "",
        })  # fmt: skip
    return found


@action(commander, "people")
def name_umpire(request: ClubRequest, visit: Visit, seat: str) -> str:
    """Give the seat's voice for an umpire in the place of those who are silent; they are told."""
    lang, campaign = request.lang, visit.campaign
    before = [row.person for row in campaign.umpires.select_related("person")]
    first = not campaign.voices.exists()
    done = give_voice(visit, seat, whole(request.POST.get("person", "")) or 0)
    if done or first:
        link = absolute(request, reverse("campaign", kwargs={"code": campaign.code}))
        for one in before:
            mail(one, "naming.mail_done" if done else "naming.mail", campaign.title, link, lang)
    if done:
        let_play(campaign)
    return say(lang, "naming.done" if done else "naming.given")


def _naming(visit: Visit, names: dict[str, str], people: dict[int, str]) -> dict[str, Any] | None:
    """The naming of another umpire, where those there are have long been silent.

    able: (number, name) of those who can be named.   mine: (seat, its name, whom it names) of the
    reader's own.   said: (name of a seat, whom it names).
    """
    campaign = visit.campaign
    since = silent_since(campaign)
    if since is None:
        return None
    called = people | {one.pk: str(one) for one in campaign_people(visit)}
    voices = voices_of(campaign)
    mine = [seat for seat in seats_of_people(campaign) if visit.commands(seat) and not visit.umpire]
    return {
        "since": since,
        "wanted": wanted(campaign),
        "seats": len(seats_of_people(campaign)),
        "able": [(one.pk, called.get(one.pk, str(one))) for one in nameable(campaign)],
        "mine": [(seat, names.get(seat, seat), voices.get(seat, 0)) for seat in mine],
        "said": [(names.get(seat, seat), called[who]) for seat, who in voices.items()],
    }


@action(umpire_begun, "people")
def stand_in(request: ClubRequest, visit: Visit, seat: str) -> str:
    """Have a program play the seat of somebody who does not come back."""
    give_to_program(visit, seat, request.POST.get("program", ""))
    let_play(visit.campaign)
    return say(request.lang, "people.given")


def _shown(request: ClubRequest, visit: Visit, renewed: dict[int, str]) -> HttpResponse:
    """The page.   renewed: person -> the link that was just made for them."""
    lang = request.lang
    doors = {(d.seat, d.role, d.path): link_of(request, d) for d in doors_of(visit)}
    with read_lock(visit.campaign) as table:
        names = seat_names(table.game, lang)
        context = frame_of(visit, table, lang)
        lent = {seat: lent_battles(visit, table, seat, lang) for seat in names}
        guests = guests_of(visit.campaign, table)
    people = names_in(visit.campaign)
    seats = visit.campaign.seats.prefetch_related("holders")
    umpires = visit.campaign.umpires.order_by("pk")
    context |= {
        "rows": [
            _row(visit, seat, names, people, doors, lang)
            | {
                "guests": [people[g.person_id] for (at, _), g in guests.items() if at == seat.code],
                "battles": [
                    one | {"link": doors.get((seat.code, GUEST, one["path"]))}
                    for one in lent.get(seat.code, [])
                ],
            }
            for seat in seats
        ],
        "programs": [
            (name, program_name(lang, name)) for name in bot_names(plan_of(visit.campaign).system)
        ],
        "steady": STEADY,
        "umpires": [people[each.person_id] for each in umpires],
        "naming": _naming(visit, names, people),
        "namings": visit.campaign.namings.select_related("named", "before").order_by("pk"),
        "doors": [
            {"kind": role or "watch", "role": role, "link": doors.get(("", role, ""))}
            for role in (UMPIRE_ROLE, "")
            if may_invite(visit, "", role)
        ],
        "renewable": [
            {
                "number": one.pk,
                "name": people.get(one.pk, str(one)),
                "link": renewed.get(one.pk, ""),
            }
            for one in campaign_people(visit)
            if may_renew(visit, one)
        ],
    }
    return render(request, "people/people.html", context)


def _row(
    visit: Visit,
    seat: Seat,
    names: dict[str, str],
    people: dict[int, str],
    doors: dict[tuple[str, str, str], Any],
    lang: str,
) -> dict[str, Any]:
    """A seat as the page shows it."""
    held = [(holder.role, people[holder.person_id]) for holder in seat.holders.all()]
    return {
        "code": seat.code,
        "name": names.get(seat.code, seat.code),
        "mine": seat.code in visit.seats,
        "commander": [who for role, who in held if role == COMMANDER],
        "members": [who for role, who in held if role == MEMBER],
        "program": program_name(lang, seat.bot) if seat.bot else "",
        "may": may_invite(visit, seat.code, MEMBER),
        "link": doors.get((seat.code, MEMBER, "")),
        "hands_over": may_hand_over(visit, seat.code),
        "successor": doors.get((seat.code, SUCCESSOR, "")),
        "replaces": visit.neutral,
    }


def campaign_people(visit: Visit) -> list[Person]:
    """The people of the campaign, by name."""
    campaign = visit.campaign
    seated = Person.objects.filter(holdings__seat__campaign=campaign)
    watching = Person.objects.filter(watchings__campaign=campaign)
    umpiring = Person.objects.filter(umpirings__campaign=campaign)
    guests = Person.objects.filter(guestings__campaign=campaign)
    return sorted({*seated, *watching, *umpiring, *guests}, key=lambda one: (str(one), one.pk))
