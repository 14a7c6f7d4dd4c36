"""Answers taken back: a seat's own last one, and in a duel the other's since, if they consent.

In a duel each answer is undone by its own seat, newest first, so that nothing goes back past a die,
a reveal or a period whose seed was shown.  The wish is kept as a proposal whose entry is the undo;
it falls as soon as anything is entered.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

from django.utils import timezone

from polemarque.club.campaigns.bot_turns import let_play
from polemarque.club.campaigns.lobby import is_duel
from polemarque.club.campaigns.question_keys import key_text
from polemarque.club.campaigns.session import COURSE, SEALED, LiveCampaign, write_lock
from polemarque.club.clock.models import put_out
from polemarque.club.clock.news import BACK
from polemarque.club.models import Campaign, Proposal, Pulse, TypedDice
from polemarque.club.orders.answers import answers_of, check_final
from polemarque.club.orders.standing_orders import settle
from polemarque.club.people.roles import Visit, speakers, umpired_seats
from polemarque.club.trust.receipts import void_receipts
from polemarque.kernel.errors import NotAllowed, OutOfDate
from polemarque.kernel.game import Game, replay
from polemarque.kernel.records.record import Answer, Undo, read_entry, write_entry
from polemarque.kernel.request import UMPIRE


def take_back(campaign: Campaign, seat: str, known: int | None = None) -> None:
    """Take back the seat's own last answer; what it has left for the same question is revoked.

    known: how many of its answers were in force on the page that asks for it, so that a second
           click takes back no second one; None not to look.
    Raises Refusal past a die (one that is typed and waits to be confirmed too), a reveal, or
    another's; OutOfDate if there are more or fewer by now.
    """
    with write_lock(campaign) as table:
        # That a sealed answer was taken back is heard by those only who might know of it.
        if any(seat in request.answered for request in table.game.course.requests()):
            table.kind = SEALED
        if known is not None and known != answers_of(table.game, seat):
            raise OutOfDate("page.answered_meanwhile")
        _undo(campaign, table.game, seat)
        void_receipts(campaign, table.game)
        settle(campaign, table)


def _undo(campaign: Campaign, game: Game, seat: str) -> None:
    """Undo a seat's own last answer.

    Raises NotAllowed as the game does, where an umpire who plays has sealed it, and where dice have
    been thrown, and typed, for what it led to.
    """
    typed = TypedDice.objects.filter(campaign=campaign).values_list("key", flat=True)
    given = [e for e in reversed(game.effective) if isinstance(e, Answer) and e.key.seat == seat]
    runner = game.runner.at(given[0].key.path) if given else None
    if runner is not None and any(key_text(key) in typed for key in runner.open_keys()):
        raise NotAllowed("undo.die", rule=given[0].key.rule, part=seat)
    check_final(campaign, game, seat)
    game.undo(seat)


# By consent --------------------------------------------------------------------------------------


class Back(NamedTuple):
    """A wish to take back.   seat: whose it is.   number: of its row.   refused: by the other."""

    seat: str
    number: int
    refused: bool


def may_ask_back(campaign: Campaign, game: Game, seat: str) -> bool:
    """Whether a seat of a duel may wish to take its last answer back, with the other's since.

    Not where an umpire who plays has sealed one of them: that is final (`check_final`).
    """
    if game.over or game.course.has_own(seat) or not is_duel(campaign):
        return False
    seats: set[str] = set()
    for entry in reversed(game.effective[game.course.barrier :]):
        if not isinstance(entry, Answer) or entry.key.seat not in game.header.seats:
            return False
        seats.add(entry.key.seat)
        if entry.by == UMPIRE or entry.key.seat == seat:
            sealed = {each for request in game.course.requests() for each in request.answered}
            return entry.by != UMPIRE and not seats & sealed & umpired_seats(campaign)
    return False


def asked_back(campaign: Campaign, table: LiveCampaign) -> Back | None:
    """The wish that stands or was refused, if nothing has been entered since."""
    rows = campaign.proposals.filter(number=table.count, put=None, entered=False)
    for row in rows.order_by("-pk"):
        wish = read_entry(bytes(row.entry))
        if isinstance(wish, Undo) and (row.seat or row.done is None):
            return Back(wish.seat, row.pk, row.done is not None)
    return None


def lapsed_back(visit: Visit, table: LiveCampaign, seat: str) -> bool:
    """Whether the visitor's last wish fell unanswered and the seat has answered nothing since."""
    for row in visit.campaign.proposals.filter(by=visit.person, put=None).order_by("-pk"):
        wish = read_entry(bytes(row.entry))
        if isinstance(wish, Undo):
            since = table.game.entries[row.number :]
            own = [e for e in since if e == wish or (isinstance(e, Answer) and e.key.seat == seat)]
            fell = not row.seat and bool(since or row.done)  # the seat that answered is kept
            return wish.seat == seat and fell and not own
    return False


def ask_back(visit: Visit, seat: str) -> bool:
    """Wish to take a seat's last answer back; a program consents at once.   Whether it is done.

    Raises NotAllowed as `take_back`, where it is no duel, and where the other has refused; nothing
    is kept then.
    """
    campaign = visit.campaign
    alone = not campaign.seats.exclude(code=seat).filter(bot="").exists()
    with write_lock(campaign) as table:
        game = table.game
        if not may_ask_back(campaign, game, seat):
            raise NotAllowed("undo.other", part=seat)
        if alone:
            _back(campaign, game, seat)
            void_receipts(campaign, table.game)
            settle(campaign, table)
        elif (wish := asked_back(campaign, table)) is not None:
            if wish.refused:
                raise NotAllowed("undo.refused", part=seat)
        else:
            _back(
                campaign, replay(game.header, tuple(game.entries)), seat
            )  # refused here, if at all
            made = Proposal.objects.create(
                campaign=campaign, entry=write_entry(Undo(seat)), number=table.count,
                by=visit.person, once=secrets.token_hex(16),
            )  # fmt: skip
            Pulse.objects.create(campaign=campaign, kind=COURSE)
            (other,) = [code for code in game.header.seats if code != seat]
            people = speakers(campaign, [other])
            put_out(campaign, people, BACK, f"{BACK}.{made.pk}", seat=other)
    if alone:
        let_play(campaign)
    return alone


def answer_back(campaign: Campaign, seat: str, number: int | None, *, agreed: bool) -> None:
    """The other seat of a duel consents to a wish, or does not.

    number: of its row.   Raises OutOfDate if it stands no more; NotAllowed as `take_back`.
    """
    with write_lock(campaign) as table:
        wish = asked_back(campaign, table)
        if wish is None or wish.refused or wish.number != number or wish.seat == seat:
            raise OutOfDate("undo.gone")
        row = campaign.proposals.filter(pk=wish.number)
        row.update(done=timezone.now(), seat=seat, entered=agreed)
        if agreed:
            _back(campaign, table.game, wish.seat)
            void_receipts(campaign, table.game)
            settle(campaign, table)
        else:
            Pulse.objects.create(campaign=campaign, kind=COURSE)
    if agreed:
        let_play(campaign)


def _back(campaign: Campaign, game: Game, seat: str) -> None:
    """Undo what was answered since a seat's last answer, and that.  Raises NotAllowed."""
    whose = ""
    while whose != seat:
        last = game.effective[-1] if game.effective else None
        whose = last.key.seat if isinstance(last, Answer) else seat
        if game.course.has_own(seat) or whose not in game.header.seats:
            whose = seat
        _undo(campaign, game, whose)
