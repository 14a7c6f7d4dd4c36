"""A turn planned in one go: the plan is kept while it is made, and sealed with one answer and
others left in advance (`kernel.rehearsal`)."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec
from django.utils import timezone

from polemarque.club.campaigns.bot_turns import let_play
from polemarque.club.campaigns.session import COURSE, SEALED, UNHEARD, write_lock
from polemarque.club.models import Campaign, Draft, Person, Receipt
from polemarque.club.orders.answers import given_before, put_down
from polemarque.club.orders.standing_orders import settle
from polemarque.club.trust.receipts import receipt_of
from polemarque.kernel.errors import OutOfDate
from polemarque.kernel.files.decoding import convert
from polemarque.kernel.game import Game
from polemarque.kernel.position import encode, plain
from polemarque.kernel.rehearsal import Planned, Rehearsal, Step, Watch, moment, planned_by, turn_of
from polemarque.kernel.request import Request


class Plan(msgspec.Struct, frozen=True):
    """A plan that is being made.

    path, period: the battle that it is for, if it is one inside the campaign, and the turn.
    luck: how dice fall in it (`kernel.rehearsal.Likeliest`).
    """

    period: int
    answers: tuple[Planned, ...] = ()
    luck: int = 0
    path: str = ""

    def rehearsal(self, game: Game, seat: str, watch: Watch | None = None) -> Rehearsal | None:
        """The turn as it goes by this plan; None where it cannot be rehearsed now."""
        begin = moment(game, seat)
        if begin is None:
            return None
        return Rehearsal(game, seat, begin, self.answers, self.luck, watch)

    def answered(self, answer: Planned) -> Plan:
        """The plan with one answer more, or in place of the one to the same question."""
        others = [each for each in self.answers if not same(each, answer)]
        return msgspec.structs.replace(self, answers=(*others, answer))

    def without(self, number: int) -> Plan:
        """The plan without its answer of that number, from 0."""
        left = tuple([each for n, each in enumerate(self.answers) if n != number])
        return msgspec.structs.replace(self, answers=left)


def same(one: Planned, other: Planned) -> bool:
    """Whether two answers are to the same question."""
    return (one.premise, one.key) == (other.premise, other.key)


def plan_of(campaign: Campaign, person: Person, game: Game, seat: str) -> Plan:
    """The plan of a seat that somebody is making; at first what the seat has sealed as one."""
    begin = moment(game, seat)
    path, period = turn_of(begin) if begin is not None else ("", game.runner.period)
    row = Draft.objects.filter(campaign=campaign, person=person, key=_name(seat)).first()
    if row is not None:
        kept = convert(plain(row.fields), Plan)
        if (kept.path, kept.period) == (path, period):
            return kept
    left = planned_by(game, seat)
    if begin is None or not left:
        return Plan(period, path=path)
    steps = Rehearsal(game, seat, begin, left=left).steps
    return Plan(period, tuple([each.planned for each in steps if each.planned]), path=path)


def keep(campaign: Campaign, person: Person, seat: str, plan: Plan) -> None:
    """Keep a plan that is being made: nobody else sees it, and nothing is answered yet."""
    fields: dict[str, Any] = msgspec.to_builtins(plan)
    Draft.objects.update_or_create(
        campaign=campaign, person=person, key=_name(seat),
        defaults={"fields": fields, "at": timezone.now()},
    )  # fmt: skip


def drop(campaign: Campaign, person: Person, seat: str) -> None:
    """Throw away a plan that is being made; what was sealed of it before holds on."""
    Draft.objects.filter(campaign=campaign, person=person, key=_name(seat)).delete()


DRAFT = "plan "
"""How the drafts are named that are plans: no question is."""


def _name(seat: str) -> str:
    return DRAFT + seat


def asked_now(game: Game, seat: str, step: Step) -> bool:
    """Whether the seat is asked the question of a step this very moment."""
    return any(request.keys[seat] == step.key for request in game.requests(seat))


def digest_of(rehearsal: Rehearsal) -> str:
    """How many answers a plan has, and a digest of them and of what their conditions foresee."""
    left = [step.leave() for step in rehearsal.answered]
    return f"{len(left)}.{sha256(encode(left)).hexdigest()[:20]}"


def seal_plan(
    campaign: Campaign, person: Person, seat: str, *, shown: str, once: str
) -> tuple[int, Receipt | None]:
    """Answer what is asked now by a plan, and leave its other answers in advance.

    shown: what `digest_of` said of the plan on the page; once: names the filled form: it is not
    taken twice.
    Gives how many answers were sealed, and the receipt of the one that was given at once.
    Raises OutOfDate if the plan is another one by now; then nothing has changed.
    """
    with write_lock(campaign) as table:
        game = table.game
        kept = given_before(campaign, once)
        if kept is not None:
            return len(planned_by(game, seat)) + 1, receipt_of(kept)
        rehearsal = plan_of(campaign, person, game, seat).rehearsal(game, seat)
        if rehearsal is None or digest_of(rehearsal) != shown:
            raise OutOfDate("plan.changed")
        steps = rehearsal.answered
        table.kind = UNHEARD
        receipt, ahead = None, steps
        if steps and asked_now(game, seat, steps[0]):  # what it leads to is answered as it comes
            first, *ahead = steps
            found = game.runner.find(first.key)[1]
            assert isinstance(found, Request)
            assert first.planned is not None
            table.kind = SEALED if found.sealed else COURSE
            game.answer(seat, first.planned.value, first.key)
            receipt = put_down(campaign, table, person, once, found if found.sealed else None)
        rehearsal.leave(game, ahead)
        drop(campaign, person, seat)
        settle(campaign, table)
    let_play(campaign)
    return len(steps), receipt
