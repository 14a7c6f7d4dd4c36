"""Answers left in advance: which of them stand, and what they answer by themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.records.record import Answer, Leave, Withdraw
from polemarque.kernel.request import DICE, Key, Request, SeveralOf
from polemarque.kernel.timeline import Done

WISH = "wish"
"""The value of a wish, left for a rule that asks nobody: its subject is the word wished for."""

IN_A_ROW = 100
"""After this many answers left in advance, with only dice between them, somebody is asked."""


def without(orders: Sequence[Leave], entry: Leave | Withdraw) -> list[Leave]:
    """What stands besides: one order for the same question is replaced, or revoked.

    Raises NotUnderstood if there is nothing to revoke.
    """
    meant = (entry.seat, entry.rule, entry.subject)
    kept = [left for left in orders if (left.seat, left.rule, left.subject) != meant]
    if isinstance(entry, Withdraw) and len(kept) == len(orders):
        raise NotUnderstood("leave.nothing", rule=entry.rule, part=entry.seat)
    return kept


def left_answer(
    orders: Sequence[Leave],
    requests: Callable[[str], Iterable[Request]],
    effective: Sequence[Done],
) -> Answer | None:
    """The first answer left in advance that fits an open question and is still legal.

    None where such answers have done nothing but lead to one another: their seats are asked.
    requests: the questions that a seat has still to answer.   effective: what is in force so far.
    """
    if not orders or _led_round(effective):
        return None
    for leave in orders:
        for request in requests(leave.seat):
            key = request.keys[leave.seat]
            if _fits(leave, key, request):
                try:
                    value = request.options(leave.seat).take(leave.value)
                except (NotAllowed, NotUnderstood):
                    continue  # no longer legal: the seat is asked
                return Answer(key, value, "standing")
    return None


def wished_answer(orders: Sequence[Leave], request: Request) -> Answer:
    """The answer of the next seat to a question that wishes alone answer (`agenda.wished`).

    They are left for a whole paragraph: AT-4.3 for AT-4.3/after_move too.
    """
    seat = request.missing[0]
    asked = (seat, request.rule.partition("/")[0], WISH)
    left = [each.subject for each in orders if (each.seat, each.rule, each.value) == asked]
    options = request.options(seat)
    assert isinstance(options, SeveralOf)
    words = tuple([word for word in options.words if word in left])
    return Answer(request.keys[seat], words, "standing")


def asked_again(orders: Iterable[Leave], key: Key) -> list[Leave]:
    """What stands once an answer is taken back or annulled: its seat is to be asked again."""
    return [left for left in orders if left.seat != key.seat or not _means(left, key)]


def _led_round(effective: Sequence[Done]) -> bool:
    """Whether nobody but standing orders and dice has answered for too long."""
    led = 0
    for done in reversed(effective):
        if not isinstance(done, Answer):
            return False
        if done.by == "standing":
            led += 1
            if led == IN_A_ROW:
                return True
        elif done.key.seat != DICE:
            return False
    return False


def _fits(leave: Leave, key: Key, request: Request) -> bool:
    """Whether an answer left in advance is meant for this question."""
    return (
        _means(leave, key)
        and not request.ask.once
        and (not leave.until or key.outer_period <= leave.until)
        and not set(leave.unless) & set(request.ask.tags)
    )


def _means(leave: Leave, key: Key) -> bool:
    """Whether it was left for such questions, whenever they come."""
    return leave.rule == key.rule and leave.subject in ("*", key.subject)
