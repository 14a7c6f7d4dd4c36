"""What is asked of a reader, in one line of the first page."""

from __future__ import annotations

from polemarque.club.campaigns.session import LiveCampaign
from polemarque.club.campaigns.visibility import umpire_awaited
from polemarque.club.clock.deadlines import asked_since, overdue
from polemarque.club.orders.forced_answers import awaited
from polemarque.club.people.roles import Visit
from polemarque.club.umpire.dashboard import standing_reminder
from polemarque.kernel.system import system_names
from polemarque.report.labels import catalogue_of, ledger_of
from polemarque.web.i18n import elapsed, say


def pressing_on(visit: Visit, table: LiveCampaign, lang: str) -> str:
    """What is asked of the reader's own seats and since when, or ""; that he was reminded too."""
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
