"""Answers that a seat gives by post or mail, entered by an umpire who is no party.

The record says that an umpire has brought them; the seat has its receipt, and puts another in its
place while it is sealed.  What the seat has sealed itself no umpire replaces.
"""

from __future__ import annotations

from polemarque.club.ahead import settle
from polemarque.club.answers import given_before, open_requests, put_down
from polemarque.club.clerk import let_play
from polemarque.club.roles import Visit
from polemarque.club.tables import COURSE, SEALED, Table, reading, writing
from polemarque.kernel.errors import NotAllowed, NotUnderstood, OutOfDate
from polemarque.kernel.record import Answer
from polemarque.kernel.request import Key, Request

BY_POST = "post"
"""By whom an answer is that came by post or mail."""


def check_postman(visit: Visit, seat: str) -> None:
    """Raises NotAllowed where an umpire plays, or a program the seat; NotUnderstood on no seat."""
    if not visit.neutral:
        raise NotAllowed("posted.party", part=seat)
    found = visit.campaign.seats.filter(code=seat).first()
    if found is None:
        codes = tuple(visit.campaign.seats.values_list("code", flat=True))
        raise NotUnderstood("seat.unknown", part=seat, legal=codes)
    if found.bot:
        raise NotAllowed("posted.program", part=seat)


def posted_requests(table: Table, seat: str) -> list[Request]:
    """The questions that a seat may answer by post: those it has not sealed itself."""
    return [
        request
        for request in open_requests(table.game, seat)
        if seat in request.missing or _by_post(table, request.keys[seat])
    ]


def _by_post(table: Table, key: Key) -> bool:
    """Whether the answer that stands has come by post."""
    return any(
        isinstance(entry, Answer) and entry.key == key and entry.by == BY_POST
        for entry in table.game.effective
    )


def enter_posted(visit: Visit, key: Key, value: object, once: str) -> None:
    """Enter an answer that has come by post, and what follows from it.

    once: names the filled form: sent again it is not taken again.
    Raises as `check_postman`; OutOfDate if the question is not open, or the seat has sealed itself;
    NotUnderstood or NotAllowed by its options.
    """
    campaign = visit.campaign
    check_postman(visit, key.seat)
    if given_before(campaign, once) is not None:
        return
    with reading(campaign) as table:
        sealed = _asked(table, key).sealed
    with writing(campaign, SEALED if sealed else COURSE) as table:
        if given_before(campaign, once) is not None:
            return
        _asked(table, key)
        table.game.answer(key.seat, value, key, BY_POST)
        put_down(campaign, table, visit.person, once, sealing=sealed)
        settle(campaign, table)
    let_play(campaign)


def _asked(table: Table, key: Key) -> Request:
    """The question, if it may be answered by post."""
    for request in posted_requests(table, key.seat):
        if request.keys[key.seat] == key:
            return request
    raise OutOfDate("posted.closed", rule=key.rule, part=key.seat)
