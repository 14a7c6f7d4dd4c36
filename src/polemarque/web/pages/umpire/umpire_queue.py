"""What is coming, as the desk tells it first: what waits for the umpire, and what they wait for.

Told is what they may know by their own list: of whom answers are awaited, not what has been sealed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.formats import date_format

from polemarque.club.campaigns.question_keys import read_key
from polemarque.club.campaigns.session import LiveCampaign
from polemarque.club.campaigns.visibility import LATE, sees_battle
from polemarque.club.clock.battle_dates import Booked, booked, open_battles
from polemarque.club.clock.deadlines import deadline
from polemarque.club.clock.response_times import reliability
from polemarque.club.models import Proposal
from polemarque.club.people.roles import Visit
from polemarque.club.umpire.dashboard import Owing
from polemarque.web.i18n import elapsed, say
from polemarque.web.pages.campaign.dice import CONFIRM, TYPE, Thrown
from polemarque.web.questions import Question, words_of


@dataclass(frozen=True)
class Coming:
    """One line of it.   to: the part of the desk where it is seen to, "" for none."""

    said: str
    to: str = ""


def coming(
    visit: Visit, table: LiveCampaign, lang: str, owings: Sequence[Owing], throws: Sequence[Thrown],
    questions: Sequence[Question], proposals: Sequence[Proposal],
) -> list[Coming]:  # fmt: skip
    """The lines.

    owings: what the seats owe, as they may know it.   throws: the dice of the table on their page.
    questions: that the rules put to them.   proposals: acts that wait for consent.
    """
    if table.game.over:
        return []
    return [
        *_own(visit, lang, throws, questions, proposals),
        *_awaited(visit, lang, owings),
        *_battles(visit, table, lang),
    ]


def _own(
    visit: Visit, lang: str, throws: Sequence[Thrown], questions: Sequence[Question],
    proposals: Sequence[Proposal],
) -> Iterator[Coming]:  # fmt: skip
    """What the umpire has to do, each decision with how long it has been waiting."""
    for one in questions:
        since = elapsed(visit.campaign.open_since(read_key(one.hidden["key"])))
        said = say(lang, "coming.asked", what=one.title or one.rule, since=since)
        yield Coming(said, f"{one.form.name}-title")
    does = Counter([throw.does for throw in throws])
    counts = {key: does[what] for key, what in (("dice", TYPE), ("confirm", CONFIRM)) if does[what]}
    for key, n in counts.items():
        yield Coming(say(lang, f"coming.{key}", n=n), "dice-title")
    if proposals:
        since = elapsed(min([one.put for one in proposals if one.put], default=timezone.now()))
        said = say(lang, "coming.consent", n=len(proposals), since=since)
        yield Coming(said, "waiting-title")
    if not (questions or counts or proposals):
        yield Coming(say(lang, "coming.nothing"))


def _awaited(visit: Visit, lang: str, owings: Sequence[Owing]) -> Iterator[Coming]:
    """Of whom answers are awaited, and who may keep the others waiting."""
    awaited = [one for one in owings if one.questions]
    if not awaited:
        return
    n = sum([len(one.questions) for one in awaited])
    names = [one.name for one in awaited]
    yield Coming(say(lang, "coming.open", n=n, seats=names), "owing-title")
    people = [one for one in awaited if not one.bot]
    limit = deadline(visit.campaign, [key for one in people for key in one.questions])
    if people and limit is not None and limit > timezone.now():
        yield Coming(
            say(lang, "coming.due", date=date_format(timezone.localtime(limit), "DATETIME_FORMAT"))
        )
    kept = reliability(visit.campaign)
    told = {
        "late": [one.name for one in people if one.state == LATE],
        "away": [one.name for one in people if one.away and one.away.begun],
        "slow": [one.name for one in people if one.seat in kept and kept[one.seat].slow],
    }
    for key, seats in told.items():
        if seats:
            yield Coming(say(lang, f"coming.{key}", seats=seats), "owing-title")


def _battles(visit: Visit, table: LiveCampaign, lang: str) -> Iterator[Coming]:
    """How many battles are open, how they are fought, and what those on the table wait for."""
    there = open_battles(table.game)
    if not there:
        return
    voice = words_of(visit, table, lang).voice
    book = voice.book("tabletop")
    ways = Counter([book.word("battle_system", brief.resolver) for brief, _ in there
                    if sees_battle(brief, visit.eye)])  # fmt: skip
    said = [say(lang, "coming.way", n=n, way=way) for way, n in ways.items()]
    yield Coming(say(lang, "coming.battles", n=len(there), ways=said), "battles-title")
    waits: dict[str, list[str]] = {}
    for battle in booked(visit, table):
        waits.setdefault(_waits(battle), []).append(voice.own.name(battle.place))
    for key, places in sorted(waits.items()):
        yield Coming(say(lang, f"coming.{key}", places=places), "battles-title")


def _waits(battle: Booked) -> str:
    """What a battle on the table waits for."""
    if battle.agreed is not None:
        return "dated" if battle.agreed.at > timezone.now() else "played"
    return "offered" if battle.proposed is not None else "undated"
