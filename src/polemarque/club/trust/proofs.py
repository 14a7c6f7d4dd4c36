"""What proves that a campaign is played as its record says, as far as a reader may have it."""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime
from typing import Any

import msgspec
from django.db.models import Q

from polemarque.club.campaigns.question_keys import key_text, read_key
from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.campaigns.visibility import Eye, hides_readiness, known_entries
from polemarque.club.models import Campaign, Receipt
from polemarque.club.people.roles import Visit
from polemarque.club.umpire.secrets_read import lookers
from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.records.export import Everybody, OneSeat, Operator, Reader, export
from polemarque.kernel.records.record import Adjust, Adopt, Looked, Moved, Replace
from polemarque.report.luck import Luck, luck_told

PUBLIC, FULL = "public", "full"

KEPT = 6
"""At most this many exports of a table are kept: each of them plays the record again."""


class Fold(msgspec.Struct, frozen=True):
    """A sealed answer as everybody may know it: by its digest.

    number: of its entry.   turn: in which it was asked, 0 before the first.
    state:  "standing"; "replaced" by a later one, or taken back; "taken", when all were in.
    """

    seat: str
    rule: str
    turn: int
    number: int
    digest: str
    at: datetime
    state: str


def folds(visit: Visit, table: LiveCampaign, last: int) -> list[Fold]:
    """The latest sealed answers, newest first.

    An umpire who plays learns of those to questions that are open once they have sealed too.
    """
    requests = table.game.course.requests()
    waiting = {key for request in requests for key in request.keys.values()}
    given = {request.keys[seat] for request in requests for seat in request.answered}
    kept_here = Receipt.objects.filter(campaign=visit.campaign)
    if hides_readiness(visit, table):
        # Before they are counted: a list that is shorter by one would tell it.
        others = [key_text(key) for key in waiting if key.seat not in visit.seats]
        kept_here = kept_here.exclude(key__in=others)
    if not (visit.neutral or table.game.over):
        kept_here = kept_here.filter(Q(untold=None) | Q(seat__in=list(visit.seats)))
    found = []
    for kept in kept_here.order_by("-pk")[:last]:
        key = read_key(kept.key)
        if kept.replaced or key in waiting - given:
            state = "replaced"
        else:
            state = "standing" if key in given else "taken"
        rule = key.rule.partition("/")[0]
        found.append(
            Fold(kept.seat, rule, key.outer_period, kept.number, kept.digest, kept.at, state)
        )
    return found


def receipts_of(visit: Visit, last: int) -> list[Receipt]:
    """The latest receipts of the reader's own seats, newest first."""
    mine = Receipt.objects.filter(campaign=visit.campaign, seat__in=list(visit.seats))
    return list(mine.order_by("-pk")[:last])


class Acted(msgspec.Struct, frozen=True):
    """An act of the umpire as everybody may know it.

    kind: "replace", "annul", "adjust", "adopt", "looked", or how the campaign moved (see `Moved`).
    what: kind of what they have read.   who: of a reading or a move, whose it was, or "" once that
    account is gone, and for the one who runs the club.
    """

    number: int
    kind: str
    date: str
    reason: str = ""
    what: str = ""
    who: str = ""


def acts(visit: Visit, table: LiveCampaign) -> list[Acted]:
    """Every act of the umpire that the reader may know of, in order."""
    found, people = [], lookers(visit.campaign, table)
    for number, entry in enumerate(table.game.entries[: known_entries(visit, table)], 1):
        if isinstance(entry, Looked):
            who = people.get(number, "")
            found.append(Acted(number, "looked", entry.date, what=entry.what, who=who))
        elif isinstance(entry, Moved):
            found.append(Acted(number, entry.what, entry.date, who=people.get(number, "")))
        elif isinstance(entry, (Replace, Adjust, Adopt)):
            found.append(Acted(number, _kind(entry), entry.date, entry.reason))
    return found


def _kind(entry: Replace | Adjust | Adopt) -> str:
    if isinstance(entry, Replace):
        return "annul" if entry.annul else "replace"
    return "adjust" if isinstance(entry, Adjust) else "adopt"


def fortune(table: LiveCampaign, eye: Eye) -> tuple[Luck, ...]:
    """How the dice fell that a reader has been told of."""
    seen = [event for event in table.told if eye is None or event.seen_by(eye)]
    return luck_told(table.game.header, seen)


# Exports -----------------------------------------------------------------------------------------


def exports(visit: Visit, table: LiveCampaign) -> list[str]:
    """The exports that somebody may have: everybody's, those of their seats, the whole."""
    whole = [FULL] if visit.neutral or table.game.over else []
    return [PUBLIC, *visit.seats, *whole]


def exported(visit: Visit, kind: str) -> bytes:
    """An export, of the entries that the reader may know of.

    Raises NotAllowed if it is not for them, and what `export` raises.
    """
    with read_lock(visit.campaign) as table:
        if kind not in exports(visit, table):
            raise NotAllowed("export.reader", part=kind, legal=exports(visit, table))
        memory: OrderedDict[Any, bytes] = table.memory.setdefault("exports", OrderedDict())
        count = known_entries(visit, table)
        header, entries = table.game.header, table.game.entries[:count]
        raw = memory.get((count, kind))
    if raw is None:
        # A copy, so that nobody waits for the table while a long record is played again.
        raw = export(header, entries, _reader(kind))
        with table.lock:
            memory[count, kind] = raw
            while len(memory) > KEPT:
                memory.popitem(last=False)
    return raw


def _reader(kind: str) -> Reader:
    if kind == PUBLIC:
        return Everybody()
    return Operator() if kind == FULL else OneSeat(kind)


def operator_plays(campaign: Campaign) -> bool:
    """Whether one of its umpires has a seat in it."""
    people = campaign.umpires.values_list("person", flat=True)
    return campaign.seats.filter(holders__person__in=people).exists()
