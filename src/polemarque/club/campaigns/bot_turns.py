"""What goes on without people: programs answer for their seats, and dice are rolled.

Programs think in processes apart (`bot_processes`), on a copy of the position, while the table is
free for everybody.  What they have thought is entered like anybody's answer, if nothing has been
entered meanwhile; if something has, they think again.  What takes no thought (random answers, the
rules' own) is answered in place.  A program that does not answer stops nobody: the steady one
answers in its place, and if that cannot either, the rules do as for an absent player.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from concurrent.futures import CancelledError, Future
from datetime import date
from threading import Event, Thread
from time import monotonic

import msgspec
from django.db import DatabaseError, close_old_connections, connection
from django.utils import timezone

from polemarque.bots.play import (
    Chance,
    Question,
    Task,
    Thought,
    answer_of,
    next_question,
    thinks_long,
)
from polemarque.bots.registry import RANDOM, STEADY
from polemarque.club.campaigns import bot_processes
from polemarque.club.campaigns.bot_processes import BROKE, Failed
from polemarque.club.campaigns.session import LiveCampaign, read_lock, write_lock
from polemarque.club.messages.messages import throw_away
from polemarque.club.models import RUNNING, Campaign, Lapse
from polemarque.club.orders.forced_answers import next_moment
from polemarque.club.orders.standing_orders import settle
from polemarque.club.transfer.models import Away, is_here
from polemarque.kernel.errors import Refusal
from polemarque.kernel.position import encode_position
from polemarque.kernel.records.record import Answer
from polemarque.kernel.request import UMPIRE, Key, Request

log = logging.getLogger(__name__)

AT_ONCE = 0.3
"""Seconds for which programs may play before the person who has answered sees a page again."""

EVERY = 1.0
"""Seconds after which the clerk looks again for campaigns whose programs are asked."""

BREATH = 0.15
"""Seconds between two turns of the programs: a page that waits to write looks every tenth of one
whether it may, and would wait in vain if programs began again at once."""

EFFORT = "3s"
"""How long a program thinks about one answer that thinks as long as it is told to."""

MOST = 100
"""So many answers that take no thought are kept at a time."""

THOUGHT = "thought"
"""Where a table's memory keeps what its programs think about."""


class Thinking(msgspec.Struct, frozen=True):
    """What the programs of a campaign think about.

    number: of entries in the record.   key: of the first question.   program: that is asked it.
    why:    the reason for which the steady one thinks in its place, or "".
    """

    number: int
    key: Key
    program: str
    thought: Future[Thought]
    why: str = ""


def bots_of(campaign: Campaign) -> dict[str, str]:
    """Seat -> program, of the seats that programs play."""
    return dict(campaign.seats.exclude(bot="").values_list("code", "bot"))


def programs_asked(campaign: Campaign, table: LiveCampaign) -> bool:
    """Whether anything is open that is answered without people."""
    if table.dice_awaited:  # a person throws them first
        return False
    if table.game.throws() or _question(campaign, table) is not None:
        return True
    moment = next_moment(campaign, table)
    return moment is not None and moment <= timezone.now()


def _question(campaign: Campaign, table: LiveCampaign) -> Question | None:
    return next_question(table.game.runner, frozenset(bots_of(campaign)) | _nobody(campaign))


def _nobody(campaign: Campaign) -> frozenset[str]:
    """Seats whose questions the rules answer: the umpire's, where there is none."""
    return frozenset([] if campaign.umpires.exists() else [UMPIRE])


# Playing on --------------------------------------------------------------------------------------


def let_play(campaign: Campaign, seconds: float = AT_ONCE) -> bool:
    """Let programs and dice go on for so long; whether they still could.

    The pages wait no longer than that: the clerk's own thread goes on where they stop.  A fault of
    a program is no fault of the page's: it is logged, and its question answered without it.
    """
    until = monotonic() + seconds
    more = True
    try:
        while more:
            left = until - monotonic()
            more = _step(campaign, max(left, 0.0))
            if left <= 0:
                break
    except TimeoutError:  # they think still
        more = True
    except Away:  # it goes on elsewhere
        return False
    except DatabaseError:
        log.exception("campaign %s: its programs could not write yet", campaign.code)
    except CancelledError:  # the server ends
        return False
    except Exception:
        log.exception("campaign %s: an answer broke off", campaign.code)
        more = _played_around(campaign)
    if more:
        _woken.set()
    return more


def _step(campaign: Campaign, patience: float) -> bool:
    """Enter what programs have thought and the dice that follow; whether there was anything.

    Raises TimeoutError if they think for longer than `patience`, in seconds.
    """
    with read_lock(campaign) as table:
        if table.game.over or not programs_asked(campaign, table) or not is_here(campaign):
            return False
        question = None if table.game.throws() else _question(campaign, table)
        thinking = None
        if question is not None and _thinks(bots_of(campaign), question):
            thinking = _thinking(campaign, table, question)
    thought, why = (Thought(()), "") if thinking is None else _come(thinking, patience)
    with write_lock(campaign) as table:
        if thinking is None:
            _answer_at_once(campaign, table)
        elif table.count == thinking.number:
            table.memory.pop(THOUGHT, None)
            if _given(table, thought):
                _note(campaign, table, thinking)
            else:
                _stood_in(campaign, table, thinking, why or BROKE)
        settle(campaign, table)
    return True


def _thinks(bots: Mapping[str, str], question: Question) -> bool:
    return bots.get(question.seat, RANDOM) != RANDOM


def _answer_at_once(campaign: Campaign, table: LiveCampaign) -> None:
    """Give the answers that take no thought, until dice, people or other programs are asked."""
    bots, chance = bots_of(campaign), Chance()
    seats = frozenset(bots) | _nobody(campaign)
    for _ in range(MOST):
        question = next_question(table.game.runner, seats)
        if question is None or _thinks(bots, question) or table.dice_awaited:
            return
        table.game.enter(answer_of(question, bots.get(question.seat), chance))


def _thinking(campaign: Campaign, table: LiveCampaign, question: Question) -> Thinking:
    """What is being thought about as the record stands; begun if nothing is."""
    kept: Thinking | None = table.memory.get(THOUGHT)
    if kept is None or kept.number != table.count:
        bots = bots_of(campaign)
        system = table.game.header.system
        long = [seat for seat, name in bots.items() if thinks_long(name, system)]
        told = {s: f"{name}:{EFFORT}" if s in long else name for s, name in bots.items()}
        task = Task(encode_position(table.game.position), told, _nobody(campaign))
        thinker = bot_processes.patient() if long else bot_processes.quick()
        key = question.request.keys[question.seat]
        kept = Thinking(table.count, key, bots.get(question.seat, ""), thinker.submit(task))
        table.memory[THOUGHT] = kept
    return kept


def _come(thinking: Thinking, patience: float) -> tuple[Thought, str]:
    """What was thought, or why nothing was.  Raises TimeoutError."""
    try:
        thought = thinking.thought.result(patience)
    except Failed as failed:
        cause = failed.__cause__ or failed.why
        log.warning("%s: %s has not answered: %s", thinking.key, thinking.program, cause)
        return Thought(()), failed.why
    if thought.fault:
        log.error("%s: %s broke off: %s", thinking.key, thinking.program, thought.fault)
    return thought, ""


def _given(table: LiveCampaign, thought: Thought) -> bool:
    """Enter answers as far as they still fit; whether the first did."""
    before = len(table.game.entries)
    for answer in thought.answers:
        table.game.settle()
        found = table.game.runner.found(answer.key)
        if found is None or table.dice_awaited:
            break
        try:
            table.game.enter(answer)
        except Refusal as refusal:
            log.warning("%s: %s", answer.key, refusal)
            break
    return len(table.game.entries) > before


# Programs that do not answer ---------------------------------------------------------------------


def _stood_in(campaign: Campaign, table: LiveCampaign, thinking: Thinking, why: str) -> None:
    """Have the steady program think in the place of one that has not answered, once; if it was
    that one, answer as for an absent player."""
    if not thinking.why and thinking.program:
        bots = dict.fromkeys(bots_of(campaign), STEADY)
        task = Task(encode_position(table.game.position), bots, most=1)
        again = msgspec.structs.replace(
            thinking, thought=bot_processes.quick().submit(task), why=why
        )
        table.memory[THOUGHT] = again
        return
    _, request = table.game.runner.find(thinking.key)
    assert isinstance(request, Request)
    seat = thinking.key.seat
    table.game.enter(Answer(thinking.key, request.absent(seat), "absent"))
    _note(campaign, table, thinking, by="")


def _note(campaign: Campaign, table: LiveCampaign, thinking: Thinking, by: str = STEADY) -> None:
    """Note for the umpires that somebody else has answered for a program."""
    if thinking.program and thinking.why and thinking.program != by:
        Lapse.objects.create(
            campaign=campaign, seat=thinking.key.seat, program=thinking.program,
            why=thinking.why, by=by, number=table.count,
        )  # fmt: skip


def _played_around(campaign: Campaign) -> bool:
    """Answer one question as for an absent player; whether that could be done."""
    try:
        with write_lock(campaign) as table:
            question = _question(campaign, table)
            if question is None:
                return False
            key = question.request.keys[question.seat]
            table.game.enter(Answer(key, question.request.absent(question.seat), "absent"))
    except Exception:
        log.exception("campaign %s: stays where it is", campaign.code)
        return False
    return True


# The clerk ---------------------------------------------------------------------------------------


_woken = Event()


class Automation(Thread):
    """The thread in which programs go on playing while nobody looks.

    Whatever befalls one campaign, it goes on with the others.
    """

    def __init__(self) -> None:
        super().__init__(name="clerk", daemon=True)
        self._ended = Event()
        self._looked: dict[int, int] = {}
        self._swept: date | None = None

    def run(self) -> None:
        """Work until `end`."""
        while not self._ended.is_set():
            _woken.clear()
            if not self._round_kept():
                _woken.wait(EVERY)
        connection.close()

    def _round_kept(self) -> bool:
        try:
            close_old_connections()
            return self.round()
        except DatabaseError:
            log.exception("the clerk could not read the club's file, and will try again")
            return False

    def round(self) -> bool:
        """Let programs play a while in each campaign that runs; whether some could go on.

        One in which there was nothing to do is left alone until something is entered in it.  Once
        a day old letters are thrown away.
        """
        more = False
        if self._swept != (today := timezone.localdate()):
            throw_away()
            self._swept = today
        for campaign in Campaign.objects.filter(stage=RUNNING):
            if self._ended.is_set():
                return False
            if self._looked.get(campaign.pk) == campaign.count:
                continue
            if self._let_play(campaign):
                more = True
            else:
                self._looked[campaign.pk] = campaign.count
            self._ended.wait(BREATH)
        return more

    def _let_play(self, campaign: Campaign) -> bool:
        try:
            return let_play(campaign)
        except DatabaseError:
            raise
        except Exception:
            log.exception("campaign %s cannot be opened", campaign.code)
            return False

    def end(self) -> None:
        """Stop after the round that runs."""
        self._ended.set()
        _woken.set()
