"""The clockwork of a club that is served, in a thread of its own."""

from __future__ import annotations

import logging
from contextlib import suppress
from threading import Event, Thread

from django.conf import settings
from django.db import close_old_connections, connection

from polemarque.club.clock.clockwork import Clockwork
from polemarque.club.clock.news import tell
from polemarque.web.mail_orders.replies import read_box
from polemarque.web.notices import deliver
from polemarque.web.webhooks import post_all

log = logging.getLogger(__name__)

EVERY = 20.0
"""Seconds between two rounds."""


def clockwork() -> Clockwork:
    """What looks after the time of all campaigns, and has news for their people."""
    return Clockwork(tell)


def go_round(found: Clockwork) -> None:
    """One round, and what it has to tell is sent."""
    found.round()
    try:
        if settings.BOX.read:
            with suppress(OSError):  # noted, and tried again in the next round
                read_box(settings.BOX)
    finally:
        deliver()
        post_all()


class Ticking(Thread):
    """Makes its rounds while the club is served, whatever befalls one of them."""

    def __init__(self) -> None:
        super().__init__(name="clockwork", daemon=True)
        self._ended = Event()

    def run(self) -> None:
        """Work until `end`."""
        found = clockwork()
        while not self._ended.wait(EVERY):
            try:
                close_old_connections()
                go_round(found)
            except Exception:
                log.exception("a round of the clockwork broke off, and the next goes on")
        connection.close()

    def end(self) -> None:
        """Stop after what is being done."""
        self._ended.set()
