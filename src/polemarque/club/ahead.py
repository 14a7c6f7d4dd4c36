"""Answers that a seat leaves in advance: left beside an answer, told to its seat alone, revoked.

Which of them stands, and when it answers, is the kernel's to say (`kernel.standing_orders`).  What
is left with a sealed answer stands behind it in the record: whoever may not know yet that the seat
has sealed does not learn it from there.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from polemarque.club.models import Campaign
from polemarque.club.receipts import keep_receipt
from polemarque.club.tables import SEALED, Table, writing
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.game import Game
from polemarque.kernel.position import encode
from polemarque.kernel.record import Answer, Leave, Withdraw
from polemarque.kernel.request import Key, Request

BY_ORDER = "standing"
"""By whom an answer is that was left in advance."""


class Lasting(msgspec.Struct, frozen=True):
    """For how long an answer is left.

    until:  the last period of the game itself, or 0 until it is revoked.
    unless: what must not be at stake (`System.stakes`).
    """

    until: int = 0
    unless: tuple[str, ...] = ()


def leave(game: Game, key: Key, value: object, lasting: Lasting) -> None:
    """Leave the answer that a seat gives to a question for whenever it comes again.

    Raises NotUnderstood on a stake that its system does not know.
    """
    known = game.system_at(key.path).stakes
    for stake in lasting.unless:
        if stake not in known:
            raise NotUnderstood("leave.stake", rule=key.rule, part=stake, legal=known)
    game.enter(Leave(key.seat, key.rule, value, key.subject, lasting.until, lasting.unless))


def left_by(game: Game, seat: str) -> list[Leave]:
    """What a seat has left in advance and has not lapsed, in the order in which it was left."""
    now = game.runner.period
    return [
        left
        for left in game.standing_orders
        if left.seat == seat and (not left.until or left.until >= now)
    ]


def revoke(campaign: Campaign, seat: str, rule: str, subject: str) -> None:
    """Revoke what a seat has left for a rule.  Raises NotUnderstood if it has left nothing."""
    # Its own pages alone hear of it, as they do of what it seals.
    with writing(campaign, SEALED) as table:
        table.game.enter(Withdraw(seat, rule, subject))


def as_left(game: Game, left: Leave) -> Iterator[tuple[Game, Key, Request]]:
    """The question that an answer was left with, the game played again up to it; or nothing.

    What is wanted of the game as it stood then is read before the next step.
    """
    done = tuple(game.effective)
    keys = [
        each.key
        for each in done
        if isinstance(each, Answer)
        and (each.key.seat, each.key.rule, each.key.subject) == (left.seat, left.rule, left.subject)
        and encode(each.value) == encode(left.value)
    ]
    twin = Game(game.header.freed)
    for entry in done if keys else ():
        if isinstance(entry, Answer) and entry.key == keys[0]:
            _, request = twin.runner.find(entry.key)
            assert isinstance(request, Request)
            yield twin, entry.key, request
            return
        twin.enter(entry)


def settle(campaign: Campaign, table: Table) -> None:
    """Let chance, and answers left in advance, answer; what those seal has its receipt."""
    game = table.game
    game.settle()
    if not game.standing_orders:
        return
    last = {e.key: (n, e.by) for n, e in enumerate(game.entries, 1) if isinstance(e, Answer)}
    for request in game.course.requests():
        for seat in request.answered if request.sealed else ():
            number, by = last[request.keys[seat]]
            if by == BY_ORDER and not campaign.receipts.filter(number=number).exists():
                keep_receipt(campaign, game, number)
