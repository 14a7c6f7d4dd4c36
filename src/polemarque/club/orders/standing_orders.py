"""Answers that a seat leaves in advance: left beside an answer, told to its seat alone, revoked.

Which of them stands, and when it answers, is the kernel's to say (`kernel.standing_orders`).  What
is left with a sealed answer stands behind it in the record: anyone who may not know yet that the
seat has sealed does not learn it from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from uuid import uuid4

import msgspec

from polemarque.club.campaigns.session import UNHEARD, LiveCampaign, write_lock
from polemarque.club.models import Campaign, Given, Person
from polemarque.club.orders.forced_answers import spare
from polemarque.club.people.roles import Visit
from polemarque.club.trust.receipts import keep_receipt
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.game import Game
from polemarque.kernel.position import encode
from polemarque.kernel.records.record import Answer, Leave, Withdraw, write_entry
from polemarque.kernel.request import Key, Request
from polemarque.kernel.standing_orders import WISH

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
    return [
        each
        for each in game.standing_orders
        if each.seat == seat
        and game.stands(each)
        and (each.value != WISH or wished_for(game, each))
    ]


def wished_for(game: Game, left: Leave) -> bool:
    """Whether this is a wish that can still come true."""
    found = game.wishes(left.seat).get(left.rule) if left.value == WISH else None
    return found is not None and left.subject in found.words


def revoke(campaign: Campaign, entry: Withdraw) -> None:
    """Revoke what a seat has left for a rule.

    Raises NotUnderstood if it has left nothing.
    """
    with write_lock(campaign) as table:
        table.kind = UNHEARD
        table.game.enter(entry)


def wish(campaign: Campaign, seat: str, rule: str, word: str) -> None:
    """Leave a wish of a seat.  Raises NotAllowed if that cannot be wished for now."""
    with write_lock(campaign) as table:
        table.kind = UNHEARD  # not even that something was left
        table.game.wish(seat, rule, word)


def wish_for(campaign: Campaign, seat: str, words: Sequence[str]) -> None:
    """Leave these wishes of a seat and no others.  Raises as `Game.wish_for`."""
    with write_lock(campaign) as table:
        table.kind = UNHEARD
        table.game.wish_for(seat, words)


def brought(campaign: Campaign, game: Game, lefts: Sequence[Leave]) -> list[Leave]:
    """Which of these, that stand in advance, an umpire has brought: the club knows it, the record
    does not."""
    entries = enumerate(game.entries, 1)
    last = {write_entry(each): number for number, each in entries if isinstance(each, Leave)}
    numbers = {last.get(write_entry(left), 0): left for left in lefts}
    found = Given.objects.filter(campaign=campaign, entry__number__in=numbers)
    return [numbers[number] for number in found.values_list("entry__number", flat=True)]


def bring(campaign: Campaign, table: LiveCampaign, person: Person, ahead: Iterable[Leave]) -> None:
    """Leave answers that an umpire brings, and note that they have."""
    for each in ahead:
        table.game.enter(each)
    for row in table.put(campaign):
        Given.objects.create(campaign=campaign, entry=row, person=person, once=uuid4().hex)


def own_left(campaign: Campaign, game: Game, seat: str) -> set[tuple[str, str]]:
    """Rule and subject of what a seat itself has left in advance, no umpire for it."""
    lefts = left_by(game, seat)
    theirs = brought(campaign, game, lefts)
    return {(left.rule, left.subject) for left in lefts if left not in theirs}


def wish_by_post(visit: Visit, seat: str, words: Sequence[str]) -> list[str]:
    """Leave wishes of a seat that an umpire brings, beside its own: they may not know of those, and
    revoke none, nor replace one by another of the same rule.  Gives those that stand now.

    Raises NotAllowed if one cannot be wished for now.
    """
    campaign = visit.campaign
    with write_lock(campaign) as table:
        table.kind = UNHEARD
        game = table.game
        own = own_left(campaign, game, seat)
        for rule, each in game.wishes(seat).items():
            wanted = [word for word in words if word in each.words and (rule, word) not in own]
            most = 0 if rule in {of for of, _ in own} else 1
            for word in wanted[:most] if each.single else wanted:
                game.wish(seat, rule, word)
        bring(campaign, table, visit.person, ())
        stand = {left.subject for left in left_by(game, seat) if left.value == WISH}
    return [word for word in words if word in stand]


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


def settle(campaign: Campaign, table: LiveCampaign) -> None:
    """Let chance, and answers left in advance, answer, and seal what leaves nothing to decide; what
    was left in advance has its receipt."""
    game = table.game
    game.settle()
    while spare(campaign, table):
        game.settle()
    if not game.standing_orders:
        return
    last = {e.key: (n, e.by) for n, e in enumerate(game.entries, 1) if isinstance(e, Answer)}
    for request in game.course.requests():
        for seat in request.answered if request.sealed else ():
            number, by = last[request.keys[seat]]
            if by == BY_ORDER and not campaign.receipts.filter(number=number).exists():
                keep_receipt(campaign, game, number, untold=request.ask.spares)
