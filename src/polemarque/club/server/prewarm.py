"""What is slow the first time is done once while the server begins, before anybody asks for it.

The coast of a map is drawn from nothing, and rules asked alone have a process of their own to
start, and so have programs: each is a second or two that the first reader of the day would wait.
"""

from __future__ import annotations

import logging

from django.db import DatabaseError, connection

from polemarque.club.campaigns import bot_processes
from polemarque.club.campaigns.lobby import plan_of
from polemarque.club.campaigns.session import read_lock
from polemarque.club.campaigns.visibility import boards, public_names
from polemarque.club.models import RUNNING, Campaign
from polemarque.club.people.roles import called
from polemarque.kernel.files.texts import LANGUAGES
from polemarque.odds.rule_process import RuleProcess

log = logging.getLogger(__name__)

Kind = tuple[str, str, int | None]
"""System, scenario and seats: campaigns of one kind have the same map."""


def draw_maps() -> None:
    """Draw one board of every system and scenario that is played, as a spectator sees it.

    A campaign that cannot be opened is left out: another of its kind may be.
    """
    drawn: set[Kind] = set()
    for campaign in Campaign.objects.filter(stage=RUNNING).order_by("-pk"):
        try:
            plan = plan_of(campaign)
            kind = (plan.system, plan.scenario, plan.seats)
            if kind in drawn:
                continue
            with read_lock(campaign) as table:
                names = public_names(table, LANGUAGES[0], called(campaign))
                boards(table, "", LANGUAGES[0], names)
            drawn.add(kind)
        except DatabaseError:
            raise
        except Exception:
            log.exception("the map of campaign %s cannot be drawn", campaign.code)


def warm() -> None:
    """Draw the maps, then begin the processes in which programs think and rules answer."""
    try:
        draw_maps()
    except DatabaseError:
        log.exception("maps are not drawn in advance")
    finally:
        connection.close()
    bot_processes.quick().begin()
    RuleProcess.the().begin()
