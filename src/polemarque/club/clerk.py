"""What goes on without people: programs answer for their seats, a little at a time."""

from __future__ import annotations

import logging
from threading import Event, Thread
from time import monotonic

from django.db import DatabaseError, close_old_connections, connection

from polemarque.bots.play import play_game
from polemarque.club.models import RUNNING, Campaign
from polemarque.club.tables import Table, reading, writing
from polemarque.kernel.game import Game
from polemarque.kernel.record import Answer
from polemarque.kernel.request import UMPIRE

log = logging.getLogger(__name__)

AT_ONCE = 0.3
"""Seconds for which programs may play before whoever has answered sees his page again."""

EVERY = 1.0
"""Seconds after which the clerk looks again for campaigns whose programs are asked."""

BREATH = 0.15
"""Seconds between two turns of the clerk: whoever waits to write looks every tenth of one whether
he may, and would wait in vain if programs began again at once."""


def bots_of(campaign: Campaign) -> dict[str, str]:
    """Seat -> program, of the seats that programs play."""
    return dict(campaign.seats.exclude(bot="").values_list("code", "bot"))


def programs_asked(campaign: Campaign, table: Table) -> bool:
    """Whether anything is open that is answered without people."""
    seats = _without_people(campaign)
    game = table.game
    if table.dice_awaited:  # a person throws them first
        return False
    return bool(game.throws()) or any(
        seats.issuperset(request.missing) for request in game.requests()
    )


def _without_people(campaign: Campaign) -> frozenset[str]:
    nobody = [] if campaign.umpires.exists() else [UMPIRE]
    return frozenset([*bots_of(campaign), *nobody])


def let_play(campaign: Campaign, seconds: float = AT_ONCE) -> bool:
    """Let programs and dice go on for so long; whether they still could.

    The pages wait no longer than that: the clerk's own thread goes on where they stop.  A fault of
    a program is no fault of the page's: it is logged, and its question is answered as the rules do
    for an absent player.
    """
    with reading(campaign) as table:
        if table.game.over or not programs_asked(campaign, table):
            return False
    try:
        more = _played(campaign, seconds)
    except DatabaseError:
        log.exception("campaign %s: its programs could not write yet", campaign.code)
        more = True
    except Exception:
        log.exception("campaign %s: a program broke off", campaign.code)
        more = _played_around(campaign)
    if more:
        _woken.set()
    return more


def _played(campaign: Campaign, seconds: float, most: int | None = None) -> bool:
    """Play for so long, or `most` answers; whether programs are asked still."""
    until = monotonic() + seconds
    umpired = campaign.umpires.exists()
    given: list[Game] = []
    with writing(campaign) as table:

        def stopped(_: Game) -> bool:
            return monotonic() >= until or table.dice_awaited or len(given) == most

        play_game(
            table.game, bots_of(campaign), stop=stopped, on_step=given.append, umpire=not umpired
        )
        return _go_on(campaign, table)


def _played_around(campaign: Campaign) -> bool:
    """One answer only: the program's, or if that breaks off again, the one for an absent player."""
    try:
        return _played(campaign, AT_ONCE, most=1)
    except Exception:
        log.exception("campaign %s: its question is answered by the rules", campaign.code)
    try:
        return _answered_by_the_rules(campaign)
    except Exception:
        log.exception("campaign %s: stays where it is", campaign.code)
        return False


def _answered_by_the_rules(campaign: Campaign) -> bool:
    """Answer the first question of a program as for an absent player; whether more are asked."""
    seats = _without_people(campaign)
    with writing(campaign) as table:
        asked = [each for each in table.game.requests() if seats.issuperset(each.missing)]
        if not asked:
            return False
        seat = asked[0].missing[0]
        table.game.enter(Answer(asked[0].keys[seat], asked[0].absent(seat), "absent"))
        return _go_on(campaign, table)


def _go_on(campaign: Campaign, table: Table) -> bool:
    return not table.game.over and programs_asked(campaign, table)


_woken = Event()


class Clerk(Thread):
    """The thread in which programs go on playing while nobody looks.

    Whatever befalls one campaign, it goes on with the others.
    """

    def __init__(self) -> None:
        super().__init__(name="clerk", daemon=True)
        self._ended = Event()
        self._looked: dict[int, int] = {}

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

        One in which there was nothing to do is left alone until something is entered in it.
        """
        more = False
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
