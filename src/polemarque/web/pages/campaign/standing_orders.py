"""Answers that a seat has left in advance, on its own page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polemarque.club.campaigns.session import LiveCampaign
from polemarque.club.campaigns.visibility import seats_in
from polemarque.club.orders.standing_orders import (
    as_left,
    brought,
    left_by,
    revoke,
    wish,
    wished_for,
)
from polemarque.club.people.roles import Visit
from polemarque.kernel.position import encode
from polemarque.kernel.records.record import Leave, Withdraw, write_entry
from polemarque.kernel.rehearsal import planned_ahead
from polemarque.report.order_forms.told_answers import told
from polemarque.web.access import ClubRequest, commander
from polemarque.web.actions import action
from polemarque.web.forms.whole_numbers import whole
from polemarque.web.i18n import say
from polemarque.web.pages.campaign.campaign import when
from polemarque.web.pages.campaign.turn_plan import Kept, sealed_in_words
from polemarque.web.questions import words_of

KEPT = 40
"""At most so many of a table are kept in words."""


@dataclass(frozen=True)
class Left:
    """An answer left in advance, as its seat's page shows it.

    left: as the record has it.   title: of the rule that asks.
    said: the question and the answer, in words.
    until: the last turn for which it holds, in words, or "".   unless: what is excepted, in words.
    premise, when, rules: of a plan, under which condition, and whether the rules answer otherwise.
    brought: whether an umpire has brought it.
    """

    left: Leave
    title: str
    said: str
    until: str
    unless: Sequence[str] = ()
    premise: str = ""
    when: str = ""
    rules: bool = False
    brought: bool = False

    @property
    def rule(self) -> str:
        """The rule that asks."""
        return self.left.rule.partition("/")[0]


def left_answers(visit: Visit, table: LiveCampaign, seat: str, lang: str) -> list[Left]:
    """What a seat has left in advance: nobody else is told of it."""
    lefts = left_by(table.game, seat)
    lines = tuple([write_entry(left) for left in lefts if planned_ahead(left)])
    at = (table.moment, lines, lang, seats_in(visit.people))
    planned = table.once("planned", at, lambda: sealed_in_words(visit, table, seat, lang), KEPT)
    theirs = brought(visit.campaign, table.game, lefts) if lefts else []
    return [
        _planned(visit, table, left, lang, planned, brought=left in theirs)
        if planned_ahead(left)
        else _in_words(visit, table, left, lang, brought=left in theirs)
        for left in lefts
    ]


def _planned(
    visit: Visit, table: LiveCampaign, left: Leave, lang: str,
    planned: Mapping[tuple[str, str, str, int], Kept], *, brought: bool,
) -> Left:  # fmt: skip
    """An answer of a plan: its question stands as the plan foresees it, if it does."""
    until = when(table.game.system_at(left.path).name, left.until, lang)
    kept = planned.get((left.path, left.rule, left.subject, left.number))
    if kept is None:
        title = words_of(visit, table, lang).title(left.rule)
        return Left(left, title, say(lang, "plan.unforeseen"), until, brought=brought)
    return Left(
        left, kept.title, kept.said, until, (), kept.premise, kept.when, kept.rules, brought
    )


def _in_words(
    visit: Visit, table: LiveCampaign, left: Leave, lang: str, *, brought: bool
) -> Left:  # fmt: skip
    at = (write_entry(left), lang, seats_in(visit.people))
    title, said, unless = table.once("left", at, lambda: _told(visit, table, left, lang), KEPT)
    until = when(table.game.header.system, left.until, lang) if left.until else ""
    return Left(left, title, said, until, unless, brought=brought)


def _told(
    visit: Visit, table: LiveCampaign, left: Leave, lang: str
) -> tuple[str, str, Sequence[str]]:
    """The title of its rule, the question with the answer, and what is excepted.

    The question is told as it was asked when the answer was left.
    """
    words = words_of(visit, table, lang)
    if wished_for(table.game, left):
        words.turn_to_seat(table.game, left.seat)
        return words.title(left.rule), words.label("wish", left.subject), ()
    said = encode(left.value).decode()
    for game, key, request in as_left(table.game, left):
        words.turn_to(game, key)
        answered = told(request.options(left.seat), left.value, words)
        said = f"{words.question(key)} {answered}".strip()
    return words.title(left.rule), said, [words.label("stake", one) for one in left.unless]


def wishes_of(visit: Visit, table: LiveCampaign, seat: str, lang: str) -> list[tuple[str, str]]:
    """What a seat can wish for and has not: the value of each in the form, and its name."""
    game = table.game
    stand = {(each.rule, each.subject) for each in left_by(game, seat)}
    found = [
        (rule, word)
        for rule, each in game.wishes(seat).items()
        for word in each.words
        if (rule, word) not in stand
    ]
    if not found:
        return []
    words = words_of(visit, table, lang)
    words.turn_to_seat(game, seat)
    return [(f"{rule} {word}", words.label("wish", word)) for rule, word in found]


@action(commander, "seat")
def leave_wish(request: ClubRequest, visit: Visit, seat: str) -> str:
    """Leave a wish of the seat until it comes true or is taken back."""
    rule, _, word = request.POST.get("wish", "").partition(" ")
    wish(visit.campaign, seat, rule, word)
    return say(request.lang, "seat.wish.left")


@action(commander, "seat")
def revoke_answer(request: ClubRequest, visit: Visit, seat: str) -> str:
    """Revoke an answer that the seat has left in advance."""
    posted = request.POST
    rule, subject, path = (posted.get(name, "") for name in ("rule", "subject", "path"))
    number = whole(posted.get("number", ""))
    revoke(visit.campaign, Withdraw(seat, rule, subject, number=number, path=path))
    return say(request.lang, "seat.left.revoked")
