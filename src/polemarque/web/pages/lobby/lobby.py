"""A campaign whose seats are being filled: who has come, links for the others, the start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from polemarque.bots.registry import STEADY, bot_names
from polemarque.club.campaigns.bot_turns import let_play
from polemarque.club.campaigns.lobby import (
    UMPIRE_ROLE,
    CampaignPlan,
    begin,
    call_off,
    clear_seat,
    empty_seats,
    give_word,
    hindrances,
    is_duel,
    open_doors,
    plan_of,
    put_program,
    put_programs,
    rematch,
    take_seat,
)
from polemarque.club.clock.response_times import everywhere
from polemarque.club.models import COMMANDER, MEMBER, MUSTER, Campaign, Invitation, Seat
from polemarque.club.people.invitations import invite_to, invite_to_free_seats
from polemarque.club.people.invitations import withdraw as take_back
from polemarque.club.people.roles import Visit, names_in, visit_of
from polemarque.kernel.errors import Refusal
from polemarque.kernel.records.commitment import WORD
from polemarque.kernel.records.record import COMMITTED
from polemarque.kernel.system import find_system
from polemarque.report.labels import Book
from polemarque.web.access import ClubRequest, in_command, in_play, inviter, see_other, umpire
from polemarque.web.actions import action
from polemarque.web.forms.whole_numbers import whole
from polemarque.web.i18n import refusal_text, say
from polemarque.web.links import link_of
from polemarque.web.pages.lobby.new_campaign import program_words, scenario_words, seat_names
from polemarque.web.timing_words import timing_words


class TypedWord(NamedTuple):
    """What somebody typed as their seat's word, and why it was not taken."""

    seat: str
    word: str
    error: str


def muster_page(request: ClubRequest, visit: Visit, typed: TypedWord | None = None) -> HttpResponse:
    """Who has come, and what it will be; its umpires fill the seats here and begin."""
    lang = request.lang
    campaign = visit.campaign
    plan = plan_of(campaign)
    names, people = seat_names(plan, lang), names_in(campaign)
    doors = open_doors(campaign) if visit.umpire else ()
    seats = campaign.seats.prefetch_related("holders")
    rows = [_row(request, seat, visit, names, people, doors) for seat in seats]
    newest = visit.pulses.first()
    context = {
        "visit": visit,
        "campaign": campaign,
        "system": find_system(plan.system).titles[lang],
        "plan": plan_words(campaign, plan, lang),
        "rows": rows,
        "umpires": [people[each.person_id] for each in campaign.umpires.all()],
        "programs": [(n, program_words(n, lang)) for n in bot_names(plan.system)],
        "steady": STEADY,
        "doors": _club_doors(request, doors),
        "words": _words(visit, names, typed) if plan.dice == COMMITTED else [],
        "longest": WORD.most,
        "heard": newest.mark if newest is not None else 0,
        "opponent": next((row for row in rows if row["link"]), None) if is_duel(campaign) else None,
        "several_free": len(empty_seats(campaign)) > 1,
        "missing": [_hindrance(lang, each, names) for each in hindrances(campaign)],
    }
    return render(request, "muster/muster.html", context, status=422 if typed else 200)


def _row(
    request: ClubRequest, seat: Seat, visit: Visit, names: dict[str, str], people: dict[int, str],
    doors: Sequence[Invitation],
) -> dict[str, Any]:  # fmt: skip
    """A seat as the page shows it."""
    lang = request.lang
    holders = list(seat.holders.all())
    held = [(holder.role, people[holder.person_id]) for holder in holders]
    commands = [holder.person_id for holder in holders if holder.role == COMMANDER]
    links = {door.role: link_of(request, door) for door in doors if door.seat == seat.code}
    return {
        "code": seat.code,
        "name": names[seat.code],
        "mine": seat.code in visit.seats,
        "commander": [who for role, who in held if role == COMMANDER],
        "kept": list(everywhere(commands).values()) if visit.umpire else [],
        "members": [who for role, who in held if role == MEMBER],
        "program": program_words(seat.bot, lang) if seat.bot else "",
        "link": links.get(""),
        "member_link": links.get(MEMBER),
    }


def _club_doors(request: ClubRequest, doors: Sequence[Invitation]) -> list[dict[str, Any]]:
    open_ = {door.role: link_of(request, door) for door in doors if not door.seat}
    return [{"role": role, "kind": role or "watch", "link": open_.get(role)}
            for role in (UMPIRE_ROLE, "")]  # fmt: skip


def _words(
    visit: Visit, names: dict[str, str], typed: TypedWord | None
) -> list[tuple[TypedWord, str]]:
    """The words of the reader's own seats, each with what the seat is called."""
    own = visit.campaign.seats.filter(code__in=[s for s in visit.seats if visit.commands(s)])
    kept = [TypedWord(seat.code, seat.word, "") for seat in own]
    shown = [typed if typed and typed.seat == word.seat else word for word in kept]
    return [(word, names[word.seat]) for word in shown]


def _hindrance(lang: str, refusal: Refusal, names: dict[str, str]) -> str:
    """Why it cannot begin yet, with seats as they are called."""
    if refusal.code == "muster.empty":
        return say(lang, "muster.awaited", seats=[names[code] for code in refusal.legal])
    return refusal_text(lang, refusal)


# What it will be ---------------------------------------------------------------------------------


def plan_words(campaign: Campaign, plan: CampaignPlan, lang: str) -> list[tuple[str, str]]:
    """What was chosen, as pairs of what and how; variants that are left at their default are not
    told."""
    system = find_system(plan.system)
    book = Book(system, lang, {})
    name = plan.scenario or next(iter(system.scenarios), "")
    told = [(say(lang, "muster.plan.system"), book.system_title)]
    if name:
        words = scenario_words(system, name, lang)["words"]
        told.append((say(lang, "muster.plan.scenario"), words))
    told.append((say(lang, "muster.plan.dice"), say(lang, f"muster.dice.{plan.dice}")))
    told.append((say(lang, "muster.plan.pace"), " ".join(timing_words(campaign, lang))))
    watched = "public" if campaign.public else "closed"
    told.append((say(lang, "muster.plan.watch"), say(lang, f"muster.watch.{watched}")))
    if plan.setup:
        told.append((say(lang, "muster.plan.setup"), say(lang, "muster.own_setup")))
    settled = {**system.settled(name), **plan.options}
    for choice in system.options:
        value = settled.get(choice.name, choice.default)
        if value != choice.default:
            words = book.option(choice.name)
            told.append((words[:1].upper() + words[1:], book.option_value(choice.name, value)))
    return told


# What is done there ------------------------------------------------------------------------------


def _people_page(visit: Visit) -> str:
    """The page on which links are handed out: the muster, or once it is over that of people."""
    return "campaign" if visit.campaign.stage == MUSTER else "people"


@action(inviter, _people_page)
def invite(request: ClubRequest, visit: Visit) -> None:
    """Make a link, or show the one of that kind that nobody has used."""
    seat, role, path = [request.POST.get(name, "") for name in ("seat", "role", "path")]
    invite_to(visit, seat, role, path)


@action(inviter, _people_page)
def withdraw(request: ClubRequest, visit: Visit) -> None:
    """Take a link back that nobody has used."""
    number = whole(request.POST.get("number", ""))
    if number is not None:
        take_back(visit, number)


@action(umpire, "campaign")
def program(request: ClubRequest, visit: Visit, seat: str) -> None:
    """Have a program play a seat."""
    put_program(visit.campaign, seat, request.POST.get("program", ""))


@action(umpire, "campaign")
def programs(request: ClubRequest, visit: Visit) -> None:
    """Have a program play each seat that is free."""
    put_programs(visit.campaign, request.POST.get("program", ""))


@action(umpire, "campaign")
def links(_request: ClubRequest, visit: Visit) -> None:
    """Make a link for each seat that is free."""
    invite_to_free_seats(visit)


@action(umpire, "campaign")
def sit(_request: ClubRequest, visit: Visit, seat: str) -> None:
    """The umpire takes a seat too."""
    take_seat(visit.campaign, seat, visit.person)


@action(umpire, "campaign")
def clear(_request: ClubRequest, visit: Visit, seat: str) -> None:
    """Empty a seat."""
    clear_seat(visit.campaign, seat)


@action(in_command, "campaign")
def word(request: ClubRequest, visit: Visit, seat: str) -> HttpResponse | str:
    """What a seat's holder mixes into the dice."""
    lang, typed = request.lang, request.POST.get("word", "")
    try:
        give_word(visit.campaign, seat, typed)
    except Refusal as refusal:
        if not refusal.code.startswith("answer."):
            raise
        return muster_page(request, visit, TypedWord(seat, typed, refusal_text(lang, refusal)))
    return say(lang, "muster.word_kept")


@action(umpire, "campaign")
def start(request: ClubRequest, visit: Visit) -> None:
    """Begin; of two who do at once the second finds it begun, and that is what they wanted."""
    lang = request.lang
    plan = plan_of(visit.campaign)
    try:
        begin(visit.campaign)
    except Refusal as refusal:
        if refusal.code != "muster.begun":
            said = _hindrance(lang, refusal, seat_names(plan, lang))
            messages.error(request, said)
    else:
        let_play(visit.campaign)


@action(umpire, "campaign")
def leave_off(request: ClubRequest, visit: Visit) -> HttpResponse:
    """Give the campaign up before it begins."""
    lang, title = request.lang, visit.campaign.title
    call_off(visit.campaign)
    messages.success(request, say(lang, "muster.called_off", title=title))
    return see_other("home")


@action(in_play, "campaign")
def play_again(_request: ClubRequest, visit: Visit) -> HttpResponse:
    """A duel that is over once more, with the sides swapped; who asks second is led there too."""
    made = rematch(visit.campaign)
    let_play(made)
    mine = visit_of(made, visit.person).plays
    if mine:
        return see_other("seat", code=made.code, seat=mine)
    return see_other("campaign", code=made.code)
