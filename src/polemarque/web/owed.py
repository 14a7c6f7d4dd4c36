"""What is asked of a reader, in one line of the first page."""

from __future__ import annotations

from polemarque.club.desk import standing_reminder
from polemarque.club.due import asked_since, overdue
from polemarque.club.roles import Visit
from polemarque.club.tables import Table
from polemarque.kernel.request import Request
from polemarque.kernel.system import system_names
from polemarque.report.book import ledger_of
from polemarque.web.says import elapsed, say


def pressing_on(visit: Visit, table: Table, lang: str) -> str:
    """What is asked of the reader's own seats and since when, or ""; that he was reminded too."""
    asked = [
        (request, seat)
        for seat in visit.seats
        for request in table.game.requests(seat)
        if visit.reaches(request.keys[seat])
    ]
    if not asked:
        return ""
    titles = list(dict.fromkeys(_title(request, lang) for request, _ in asked))
    keys = [request.keys[seat] for request, seat in asked]
    text = "home.late" if overdue(visit.campaign, keys) else "home.asked"
    due = say(lang, text, what=titles, since=elapsed(asked_since(visit.campaign, keys)))
    seats = () if visit.within else visit.seats  # a reminder is to who holds the seat
    reminded = any(standing_reminder(visit.campaign, table, seat) for seat in seats)
    return say(lang, "desk.home_reminded", due=due) if reminded else due


def _title(request: Request, lang: str) -> str:
    """What a question is about: its rule's title, of the system that asks."""
    rule = request.rule.partition("/")[0]
    for name in system_names(hidden=True):
        row = ledger_of(name).get(rule)
        if row is not None:
            return row.title.get(lang, rule)
    return rule
