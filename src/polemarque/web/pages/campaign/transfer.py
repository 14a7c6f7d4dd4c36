"""An evening in the hall: a campaign that leaves its club, is played elsewhere, and comes back."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import render

from polemarque.club.campaigns.session import read_lock
from polemarque.club.campaigns.visibility import hides_readiness, known_entries
from polemarque.club.models import Campaign
from polemarque.club.people.roles import Visit
from polemarque.club.transfer.models import Outing, Stay, outing_of, stay_of
from polemarque.club.transfer.outgoing import file_of, hindrances, recall, secrets_of_people, take
from polemarque.club.transfer.package import read_parcel
from polemarque.club.transfer.returning import bring
from polemarque.club.transfer.visiting import send_home, take_in
from polemarque.kernel.errors import NotAllowed, NotUnderstood, Refusal
from polemarque.web.access import ClubRequest, PersonRequest, page, person, see_other, umpire_begun
from polemarque.web.downloads import as_file
from polemarque.web.i18n import refusal_text, say
from polemarque.web.pages.campaign.campaign import frame_of

CODED = frozenset({"hall.seal"})
"""Codes of refusals that concern the code that was typed; others concern the file."""


@page(umpire_begun, post=True)
def hall(request: ClubRequest, visit: Visit) -> HttpResponse:
    """Taking the campaign to the hall, bringing it back, calling it back; or sending it home."""
    if request.method != "POST":
        return _shown(request, visit, {})
    lang = request.lang
    try:
        done = _done(request, visit)
    except Refusal as refusal:
        said = refusal_text(lang, refusal)
        if request.POST.get("do") == "bring":
            return _shown(request, visit, {"file": said}, 422)
        messages.error(request, said)
    else:
        if not done:
            return _shown(request, visit, {"sure": say(lang, "hall.recall_unsure")}, 422)
        messages.success(request, done)
    return see_other("desk_hall", code=visit.campaign.code)


def _done(request: ClubRequest, visit: Visit) -> str:
    """What was done, in words; "" where it has to be confirmed first.  Raises Refusal."""
    lang, campaign, act = request.lang, visit.campaign, request.POST.get("do", "")
    if act == "take":
        take(campaign, visit)
        return say(lang, "hall.taken")
    if act == "send":
        stay = stay_of(campaign)
        if stay is not None and not stay.code:
            raise _of_file(campaign)
        send_home(campaign, visit.person)
        return say(lang, "hall.sent")
    if act == "bring":
        outing = bring(campaign, read_parcel(_file(request)), visit.person)
        with read_lock(campaign) as table:
            told = not hides_readiness(visit, table)
        n = (outing.returned or 0) - outing.number
        return say(lang, "hall.brought", n=n) if told else say(lang, "hall.brought_back")
    if act == "recall" and request.POST.get("sure"):
        recall(campaign, visit.person)
        return say(lang, "hall.recalled")
    return ""


def _of_file(campaign: Campaign) -> NotAllowed:
    """That the operator alone gives a campaign back to the file that it came from."""
    return NotAllowed("hall.of_file", part=campaign.code)


def _file(request: ClubRequest) -> bytes:
    """The file that was sent.  Raises NotUnderstood."""
    sent = request.FILES.get("file")
    if sent is None or not sent.size:
        raise NotUnderstood("hall.nothing")
    return bytes(sent.read())


def _shown(
    request: ClubRequest, visit: Visit, errors: dict[str, str], status: int = 200
) -> HttpResponse:
    lang, campaign = request.lang, visit.campaign
    outing, stay = outing_of(campaign), stay_of(campaign)
    with read_lock(campaign) as table:
        context: dict[str, Any] = frame_of(visit, table, lang)
        here = outing is None and stay is None
        waits = hindrances(campaign, table, visit) if here else []
        known = known_entries(visit, table)
    may_have = _trip(visit) is not None
    context |= {
        "outing": outing,
        "stay": stay,
        "of_file": refusal_text(lang, _of_file(campaign)) if stay and not stay.code else "",
        "file": may_have,
        "code": outing.code if outing is not None and may_have else "",
        "waits": [refusal_text(lang, refusal) for refusal in waits],
        "before": campaign.outings.filter(ended__isnull=False).select_related("by"),
        "known": known,
        "errors": errors,
    }
    return render(request, "desk/hall.html", context, status=status)


def _trip(visit: Visit) -> Outing | Stay | None:
    """Of what the reader may have the file.

    Of an outing no umpire who plays, and none at all where something waits in it that people have
    sealed or left in advance: the one who runs the club has taken it so.  Of a copy that was sent
    home each umpire, as it can be opened by its own club alone; of one that came from a file
    nobody, for its seeds are the operator's.
    """
    campaign = visit.campaign
    stay = stay_of(campaign)
    if stay is not None:
        return stay if stay.sent is not None and stay.code else None
    outing = outing_of(campaign) if visit.neutral else None
    if outing is None:
        return None
    with read_lock(campaign) as table:
        return None if secrets_of_people(campaign, table) else outing


@page(umpire_begun)
def hall_file(request: ClubRequest, visit: Visit) -> HttpResponse:
    """The file of a campaign that is out, or that was sent home."""
    trip = _trip(visit)
    if trip is None:
        raise Http404
    way = "hall" if isinstance(trip, Outing) else "home"
    return as_file(file_of(trip), f"{visit.campaign.code}-{way}.json")


@page(person, post=True)
def guests(request: PersonRequest) -> HttpResponse:
    """Taking in a campaign of another club; anyone who brings it umpires it here."""
    if request.method != "POST":
        return render(request, "home/hall.html", {"typed": ""})
    lang, typed = request.lang, request.POST.get("code", "")
    try:
        campaign = take_in(read_parcel(_file(request)), typed, request.user)
    except Refusal as refusal:
        field = "code" if refusal.code in CODED else "file"
        context = {"errors": {field: refusal_text(lang, refusal)}, "typed": typed}
        return render(request, "home/hall.html", context, status=422)
    messages.success(request, say(lang, "hall.in_done", title=campaign.title))
    return see_other("people", code=campaign.code)
