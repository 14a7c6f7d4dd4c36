"""Answers left in advance: which of them stand, and what they answer by themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.position import encode
from polemarque.kernel.records.record import Answer, Leave, Withdraw
from polemarque.kernel.request import DICE, Key, Options, Request, SeveralOf, Sheet
from polemarque.kernel.timeline import Done

WISH = "wish"
"""The value of a wish, left for a rule that asks nobody: its subject is the word wished for."""

Conditions = Callable[[Key], Mapping[str, Any]]
"""Gives what a condition of an answer may look at, as the seat of an open question knows it."""

IN_A_ROW = 100
"""After this many answers left in advance, with only dice between them, somebody is asked."""


def without(orders: Sequence[Leave], entry: Leave | Withdraw) -> list[Leave]:
    """What stands besides: one order for the same question is replaced, or it is revoked.

    Raises NotUnderstood if there is nothing to revoke.
    """
    meant = (entry.seat, entry.rule, entry.subject)
    kept = [
        left
        for left in orders
        if (left.seat, left.rule, left.subject) != meant
        or entry.number not in (None, left.number)
        or ((entry.path or isinstance(entry, Leave)) and entry.path != left.path)
    ]
    if isinstance(entry, Withdraw) and len(kept) == len(orders):
        raise NotUnderstood("leave.nothing", rule=entry.rule, part=entry.seat)
    return kept


def withdrawal(left: Leave) -> Withdraw:
    """What revokes an answer left in advance, and no other."""
    return Withdraw(left.seat, left.rule, left.subject, number=left.number, path=left.path)


def left_answer(
    orders: Sequence[Leave],
    requests: Sequence[Request],
    effective: Sequence[Done],
    conditions: Conditions,
) -> Answer | None:
    """The first answer left in advance that fits an open question, is meant for how things stand,
    and is still legal.

    None where such answers have done nothing but lead to one another: their seats are asked.
    requests: the questions that are open.   effective: what is in force so far.
    """
    if not orders or _led_round(effective):
        return None
    for leave in orders:
        for request in requests:
            if leave.seat not in request.missing:
                continue
            key = request.keys[leave.seat]
            if _fits(leave, key, request):
                given = _given(leave, request, conditions)
                if given is not None:
                    return Answer(key, given, "standing")
    return None


def _given(leave: Leave, request: Request, conditions: Conditions) -> Any | None:
    """What is answered; None where the seat is to be asked."""
    seat, key = leave.seat, request.keys[leave.seat]
    options = request.options(seat)
    if not leave.when or holds(leave.when, conditions(key)):
        try:
            return _taken(leave, options)
        except (NotAllowed, NotUnderstood):
            pass  # no longer legal
    return options.take(request.absent(seat)) if leave.otherwise else None


def _taken(leave: Leave, options: Options) -> Any:
    """The answer as the options take it.  Raises their refusal.

    A sheet of a plan may have a part more by now, which is answered most quietly, or a part less;
    not both, for then it asks something else.
    """
    try:
        return options.take(leave.value)
    except (NotAllowed, NotUnderstood):
        if not leave.number or not isinstance(options, Sheet) or not isinstance(leave.value, dict):
            raise
        given = leave.value
        filled = options.filled(lambda part, each: given[part] if part in given else each.quiet())
        if not leave.value.keys() <= filled.keys() and not filled.keys() <= leave.value.keys():
            raise
        return filled


def holds(when: Mapping[str, Any], found: Mapping[str, Any]) -> bool:
    """Whether things have the values that a condition names: as they are written in a record."""
    return all(
        name in found and encode(found[name]) == encode(value) for name, value in when.items()
    )


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
    return [left for left in orders if left.seat != key.seat or not means(left, key)]


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
        means(leave, key)
        and not request.ask.once
        and lasts(leave, key)
        and not set(leave.unless) & set(request.ask.tags)
    )


def means(leave: Leave, key: Key) -> bool:
    """Whether it was left for such questions, whenever they come."""
    return (
        leave.rule == key.rule
        and leave.subject in ("*", key.subject)
        and leave.number in (0, key.number)
        and leave.path in ("", key.path)
    )


def lasts(leave: Leave, key: Key) -> bool:
    """Whether it still holds in the period of a question."""
    return not leave.until or (key.period if leave.path else key.outer_period) <= leave.until
