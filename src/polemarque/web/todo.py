"""What is asked of a reader, in one line of the first page."""

from __future__ import annotations

from django.utils.formats import date_format
from django.utils.timezone import localtime

from polemarque.club.campaigns.session import LiveCampaign
from polemarque.club.campaigns.visibility import LATE, WAITING, readiness, umpire_awaited
from polemarque.club.clock.deadlines import asked_since, deadlines, overdue
from polemarque.club.orders.forced_answers import awaited
from polemarque.club.people.roles import Visit
from polemarque.club.umpire.dashboard import standing_reminder
from polemarque.kernel.files.sentence_templates import join
from polemarque.kernel.system import system_names
from polemarque.report.labels import catalogue_of, ledger_of, with_player
from polemarque.web.i18n import elapsed, say


def pressing_on(visit: Visit, table: LiveCampaign, lang: str) -> str:
    """What is asked of the reader's own seats, since when, and that they were reminded; or ""."""
    asked = [
        (request, seat)
        for seat in visit.seats
        for request in awaited(visit.campaign, table, seat)
        if visit.reaches(request.keys[seat])
    ]
    if not asked:
        return ""
    titles = list(dict.fromkeys(title_of(request.rule, lang) for request, _ in asked))
    keys = [request.keys[seat] for request, seat in asked]
    text = "home.late" if overdue(visit.campaign, keys) else "home.asked"
    due = say(lang, text, what=titles, since=elapsed(asked_since(visit.campaign, keys)))
    seats = () if visit.within else visit.seats  # a reminder is to who holds the seat
    reminded = any(standing_reminder(visit.campaign, table, seat) for seat in seats)
    return say(lang, "desk.home_reminded", due=due) if reminded else due


def others_awaited(visit: Visit, table: LiveCampaign, lang: str) -> dict[str, str]:
    """Whom the reader waits for, by name as far as they may know, and until when: each in words,
    "" for nobody that may be named, and where there is no limit.
    """
    ready = [
        each
        for each in readiness(visit, table, lang)
        if each.state in (WAITING, LATE) and each.seat not in visit.seats
    ]
    seats = [each.seat for each in ready] or visit.seats
    asked = table.game.course.requests()
    keys = [request.keys[seat] for request in asked for seat in seats if seat in request.keys]
    dues = [due for due in deadlines(visit.campaign, keys).values() if due]
    until = date_format(localtime(max(dues)), "DATETIME_FORMAT") if dues else ""
    return {"names": join([with_player(one.name, one.who) for one in ready], lang), "until": until}


def waiting_on(visit: Visit, table: LiveCampaign, lang: str) -> str:
    """That the reader has sealed, and whom they wait for; "" where nobody waits."""
    asked = table.game.course.requests()
    sealed = any(request.answered.keys() & visit.seats.keys() for request in asked)
    others = others_awaited(visit, table, lang)
    return say(lang, "home.waits", sealed=sealed, **others) if sealed or others["names"] else ""


def decisions_on(visit: Visit, table: LiveCampaign, lang: str) -> str:
    """How many questions of the rules wait for the reader as umpire and since when, or ""."""
    keys = umpire_awaited(visit, table) if visit.umpire else []
    if not keys:
        return ""
    since = elapsed(asked_since(visit.campaign, keys))
    return say(lang, "home.decisions", n=len(keys), since=since)


def title_of(rule: str, lang: str) -> str:
    """What a question is about: the title of its rule, or of the chapter that asks."""
    rule = rule.partition("/")[0]
    for name in system_names(hidden=True):
        row, texts = ledger_of(name).get(rule), catalogue_of(name)
        if row is not None:
            return row.title.get(lang, rule)
        if texts.has(lang, chapter := f"rules.chapter.{rule}"):
            return texts.say(lang, chapter)
    return rule
