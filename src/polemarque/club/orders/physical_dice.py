"""Dice thrown on a table: who types them, and who says that they fell so.

Nobody's own word is enough: what a seat has typed takes effect when an opponent has confirmed it
(see `may_confirm`), or an umpire who is no party.  Such an umpire may also type them.  The
record says who confirmed: an answer's `by` is their seat, or `UMPIRE`.
"""

from __future__ import annotations

from typing import Any

import msgspec
from django.db import IntegrityError, transaction

from polemarque.club.campaigns.bot_turns import let_play
from polemarque.club.campaigns.question_keys import key_text
from polemarque.club.campaigns.session import COURSE, LiveCampaign, read_lock, write_lock
from polemarque.club.models import Campaign, Pulse, TypedDice
from polemarque.club.orders.answers import given_before, put_down
from polemarque.club.orders.standing_orders import settle
from polemarque.club.people.roles import Visit
from polemarque.club.transfer.models import check_here
from polemarque.kernel.dice import Faces
from polemarque.kernel.errors import NotAllowed, OutOfDate
from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.position import faces_of_record, record_of_faces
from polemarque.kernel.records.record import TYPED, Answer
from polemarque.kernel.request import DICE, UMPIRE, Key


def open_throws(table: LiveCampaign) -> list[RollRequest]:
    """The throws that wait for dice of the table; none where the server rolls."""
    return table.game.throws() if table.dice_awaited else []


def throw_of(table: LiveCampaign, key: Key) -> RollRequest:
    """An open throw of that key.  Raises OutOfDate."""
    found = next((throw for throw in open_throws(table) if throw.key == key), None)
    if found is None:
        raise OutOfDate("answer.not_open", rule=key.rule, part=key)
    return found


def seen_throws(table: LiveCampaign, seat: str) -> list[RollRequest]:
    """The open throws whose dice a seat may see."""
    return [throw for throw in open_throws(table) if sees_throw(table, throw, seat)]


def sees_throw(table: LiveCampaign, throw: RollRequest, seat: str) -> bool:
    """Whether a seat, or everybody (""), may see the dice of an open throw."""
    runner = table.game.runner.at(throw.key.path)
    assert runner is not None
    return throw.roll.owner in ("", seat) and runner.seen_by(seat)


def throws_for(table: LiveCampaign, throw: RollRequest, seat: str) -> bool:
    """Whether a throw is for a seat to make: it is named in it, or nobody is."""
    if not sees_throw(table, throw, seat):
        return False
    named = _named(table, throw)
    return seat in named or not named


def _named(table: LiveCampaign, throw: RollRequest) -> set[str]:
    return set(throw.roll.whom) & set(table.game.header.seats)


def typed_for(campaign: Campaign, key: Key) -> TypedDice | None:
    """What was typed for a throw and waits to be confirmed, or None."""
    return TypedDice.objects.filter(campaign=campaign, key=key_text(key)).first()


def faces_of(typed: TypedDice) -> Faces:
    """The faces that were typed."""
    return faces_of_record(typed.faces)


def may_confirm(
    visit: Visit, table: LiveCampaign, typed: TypedDice, throw: RollRequest, seat: str
) -> bool:
    """Whether somebody may say for a seat that dice fell as typed: an opponent may.

    That is another seat that the throw names, where it names several; else any other that may see
    the dice.  seat: `UMPIRE` for an umpire who is no party.  Nobody confirms what they have
    typed.
    """
    if seat == UMPIRE:
        return visit.neutral
    named = _named(table, throw)
    return (
        visit.commands(seat)
        and visit.reaches(throw.key)
        and seat != typed.seat
        and visit.person != typed.person
        and sees_throw(table, throw, seat)
        and (seat in named or len(named) < 2)
    )


# What people do ----------------------------------------------------------------------------------


def type_dice(visit: Visit, seat: str, key: Key, fell: Faces, once: str) -> None:
    """Keep what a seat has typed, for others to confirm; the same filled form is taken once.

    Raises NotAllowed where the throw is not for that seat, or other faces wait already, of that
    form too; OutOfDate if nobody waits for it, DiceRefused.
    """
    campaign = visit.campaign
    if given_before(campaign, once) is not None:
        return
    with read_lock(campaign) as table:
        throw = throw_of(table, key)
        if not (visit.reaches(key) and throws_for(table, throw, seat)):
            raise NotAllowed("desk.not_your_dice", rule=key.rule, part=seat)
        fallen = throw.roll.check(fell)
        faces: Any = record_of_faces(fallen)
    with transaction.atomic():
        check_here(campaign)
        kept = typed_for(campaign, key)
        if kept is not None and kept.once == once:
            if faces_of(kept) != fallen:  # sent from a page gone back to
                raise NotAllowed("desk.typed_first", rule=key.rule)
            return
        try:
            with transaction.atomic():
                TypedDice.objects.create(
                    campaign=campaign, key=key_text(key), seat=seat, person=visit.person,
                    faces=faces, once=once,
                )  # fmt: skip
        except IntegrityError:
            raise NotAllowed("desk.typed_already", rule=key.rule) from None
        Pulse.objects.create(campaign=campaign, kind=COURSE)


def confirm_dice(visit: Visit, seat: str, key: Key, known: int, once: str) -> None:
    """Have dice take effect as they were typed, on somebody's word.

    seat: for which they speak, or `UMPIRE`.   known: the row that they were shown.
    Raises NotAllowed if it is not for them to say, OutOfDate if something else waits by now.
    """
    campaign = visit.campaign
    with write_lock(campaign) as table:
        if given_before(campaign, once) is not None:
            return
        throw, typed = _awaiting(visit, table, seat, key, known)
        _enter(visit, table, Answer(throw.key, faces_of(typed), seat), once)
    let_play(campaign)


def contest_dice(visit: Visit, seat: str, key: Key, known: int) -> None:
    """Say that dice did not fall as typed: they are typed again.  Anyone who typed them may, too.

    Raises as `confirm_dice`.
    """
    campaign = visit.campaign
    with read_lock(campaign) as table:
        typed = typed_for(campaign, key)
        own = visit.commands(seat) and visit.reaches(key)
        if typed is None or seat != typed.seat or not own:
            _, typed = _awaiting(visit, table, seat, key, known)
    with transaction.atomic():
        TypedDice.objects.filter(pk=typed.pk).delete()
        Pulse.objects.create(campaign=campaign, kind=COURSE)


def _awaiting(
    visit: Visit, table: LiveCampaign, seat: str, key: Key, known: int
) -> tuple[RollRequest, TypedDice]:
    throw, typed = throw_of(table, key), typed_for(visit.campaign, key)
    if typed is None or typed.pk != known:
        raise OutOfDate("desk.typed_anew", rule=key.rule)
    if not may_confirm(visit, table, typed, throw, seat):
        raise NotAllowed("desk.not_your_dice", rule=key.rule, part=seat)
    return throw, typed


def enter_dice(visit: Visit, key: Key, fell: Faces, once: str) -> None:
    """Enter the faces of dice that an umpire who is no party has seen thrown.

    once: names the filled form: sent again it is not taken again.  Raises OutOfDate if nobody
    waits for them, DiceRefused.
    """
    campaign = visit.campaign
    with write_lock(campaign) as table:
        if given_before(campaign, once) is not None:
            return
        throw_of(table, key)
        _enter(visit, table, Answer(key, fell, UMPIRE), once)
    let_play(campaign)


def _enter(visit: Visit, table: LiveCampaign, answer: Answer, once: str) -> None:
    table.game.enter(answer)
    put_down(visit.campaign, table, visit.person, once, None)
    TypedDice.objects.filter(campaign=visit.campaign, key=key_text(answer.key)).delete()
    settle(visit.campaign, table)


# What is reported --------------------------------------------------------------------------------


class Witnessed(msgspec.Struct, frozen=True):
    """How many rolls stand on somebody's word: a seat's, or an umpire's who is no party ("")."""

    seat: str
    rolls: int


def witnessed(table: LiveCampaign) -> list[Witnessed]:
    """The rolls that everybody may see, by who confirmed them; none where the server rolls."""
    if table.game.header.dice != TYPED:
        return []
    counted: dict[str, int] = {}
    for done in table.game.effective:
        if isinstance(done, Answer) and done.key.seat == DICE and not done.salt:
            who = done.by if done.by in table.game.header.seats else ""
            counted[who] = counted.get(who, 0) + 1
    return [
        Witnessed(seat, counted[seat]) for seat in ("", *table.game.header.seats) if seat in counted
    ]
