"""What an offer is written of (AT-4.1): its points, each with its lands, words or sum; its answers.

A point is a word, who gives and what: ``grant_passage`` is granted by who writes, ``ask_passage``
to him.  The parts of a sheet that belong to it end in ``.<partner>.<point>``.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any, TypeAlias

from polemarque.api import Amount, NotAllowed, OneOf, Options, Reasoned, SeveralOf, Text
from polemarque.systems.atlantide.agreements import (
    AT_ONCE,
    FORBIDDEN,
    PLACED,
    Agreement,
    AgreementKind,
    number_of,
    own_land,
    territories_named,
)
from polemarque.systems.atlantide.state import War

LONGEST = 20
"""Most turns that an agreement can last beyond this one: five years."""

HIGHEST = 10_000
"""Most loot that can be asked of another player, whose means one does not know."""

WORDS = 500
"""Longest free text of an agreement."""

KINDS: tuple[AgreementKind, ...] = (
    "passage", "stationing", "supply", "tax", "intelligence", "loot", "text"
)  # fmt: skip
POINTS = (
    *[f"grant_{kind}" for kind in KINDS],
    *[f"ask_{kind}" for kind in KINDS if kind != "text"],
)
"""Every point that an offer can have: what is granted, what is asked."""

SHOWN = ("loot", "army", "waiting", "agreements")
"""What intelligence can show: one private thing, as it stands (AT-2.3)."""

Parts: TypeAlias = Generator[tuple[str, Options], Any, Any]


def refusing(rule: str, **codes: str) -> Callable[[str], NotAllowed | None]:
    """Why a rule refuses each of these words, by the code of the refusal."""
    return lambda word: NotAllowed(codes[word], rule=rule) if word in codes else None


# What can be answered to the parts of an offer; all of it is the same for everybody.
END_WORDS = OneOf(("no", "yes"), "end_campaign")
SHOWN_WORDS = OneOf(SHOWN, "intelligence")
FREE_WORDS = Text(WORDS)
PEACE_WORDS = OneOf(("no", "yes"), "peace")
KNOWN_WORDS = OneOf(("secret", "public"), "agreement_known")
PUBLIC_ONLY = Reasoned(
    ("public",), "agreement_known", why=refusing("AT-4.1", secret="agreement.must_be_public")
)
CANNOT_PAY = refusing("AT-4.4", accept="agreement.loot")
ACCEPT_OR_REFUSE = OneOf(("accept", "refuse"), "agreement_answer")
REFUSE_ONLY = Reasoned(("refuse",), "agreement_answer", why=CANNOT_PAY)
ANY_ANSWER = OneOf(("accept", "refuse", "counter"), "agreement_answer")
NOT_AS_IT_IS = Reasoned(("refuse", "counter"), "agreement_answer", why=CANNOT_PAY)


def answers_to(*, counters: bool, payable: bool) -> OneOf:
    """What may be answered to an offer: whether by another one, and whether he can pay it."""
    if counters:
        return ANY_ANSWER if payable else NOT_AS_IT_IS
    return ACCEPT_OR_REFUSE if payable else REFUSE_ONLY


class Points(SeveralOf, frozen=True, kw_only=True):
    """Several points of an offer; of some of the others `why` knows what forbids them."""

    why: Callable[[str], NotAllowed | None]

    def take(self, value: Any) -> tuple[Any, ...]:
        """See Options."""
        for word in value if isinstance(value, (list, tuple)) else ():
            refused = self.why(word) if isinstance(word, str) and word not in self.words else None
            if refused is not None:
                raise refused.about(word, self.words)
        return super().take(value)


def offer_parts(war: War, seat: str, partner: str, budget: int) -> Parts:
    """The parts of an offer; gives the loot that `seat` would pay for it."""
    points = yield f"points.{partner}", _points(war, seat, partner, budget)
    paid = 0
    for word in points:
        paid += yield from _point_parts(war, seat, partner, word, budget)
    kinds = {word.partition("_")[2] for word in points}
    traded = "loot" in kinds and len(kinds) > 1
    yield f"known.{partner}", PUBLIC_ONLY if traded else KNOWN_WORDS
    if not kinds <= {*AT_ONCE}:
        yield f"until.{partner}", Amount(war.turn, last_possible(war), unit="turn")
    return paid


def _points(war: War, seat: str, partner: str, budget: int) -> Points:
    """Points that can be offered: what is on the map to be granted, and loot that is there."""
    words = []
    for word in POINTS:
        role, _, kind = word.partition("_")
        grantor, other = (seat, partner) if role == "grant" else (partner, seat)
        if kind in PLACED and not territories_named(war, kind, grantor, other):
            continue
        if word != "grant_loot" or budget > 0:
            words.append(word)
    forbidden = {
        word: f"agreement.{kind}"
        for kind in FORBIDDEN
        for word in (kind, f"grant_{kind}", f"ask_{kind}")
    }

    def why(word: str) -> NotAllowed | None:
        if word == "grant_loot":
            return NotAllowed("agreement.loot", rule="AT-4.4")
        return refusing("AT-4.2", **forbidden)(word)

    return Points(tuple(words), least=1, label="agreement_point", why=why)


def _point_parts(war: War, seat: str, partner: str, word: str, budget: int) -> Parts:
    """The parts of one point; gives the loot that `seat` would pay for it."""
    role, _, kind = word.partition("_")
    grantor, beneficiary = (seat, partner) if role == "grant" else (partner, seat)
    tail = f"{partner}.{word}"
    if kind in PLACED:
        where = "named"
        owner, lands = own_land(war, kind, grantor, beneficiary)
        if lands:
            whose = "mine" if owner == seat else "theirs"
            where = yield f"where.{tail}", OneOf(("all", "named"), f"agreement_where.{whose}")
        if where == "named":
            named = territories_named(war, kind, grantor, beneficiary)
            yield f"lands.{tail}", SeveralOf(named, least=1, label="territory")
    if kind in ("passage", "stationing"):
        yield f"promise.{tail}", PEACE_WORDS
    elif kind == "intelligence":
        yield f"shown.{tail}", SHOWN_WORDS
    elif kind == "text":
        yield f"wording.{tail}", FREE_WORDS
    elif kind == "loot":
        paying = role == "grant"
        sum_ = yield f"sum.{tail}", Amount(1, budget if paying else HIGHEST, unit="loot")
        return sum_ if paying else 0
    return 0


def last_possible(war: War) -> int:
    """The last turn on which an agreement can hold: the campaign's, if that has one."""
    longest = war.turn + LONGEST
    limit = war.options.turn_limit
    return max(war.turn, min(longest, limit)) if limit else longest


def usual_terms(war: War) -> dict[str, Any]:
    """What a form proposes for the terms of an offer: all of one's land, secret, for this turn."""
    usual: dict[str, Any] = {}
    for partner in war.seats:
        usual |= {f"known.{partner}": "secret", f"until.{partner}": war.turn}
        for word in POINTS:
            usual |= {f"where.{partner}.{word}": "all", f"promise.{partner}.{word}": "no"}
    return usual


def offered_points(
    war: War, seat: str, partner: str, sheet: Mapping[str, Any], counter: int = 0
) -> tuple[Agreement, ...]:
    """The points that a filled sheet offers to a partner; they bear the number of the agreement.

    counter: 1 if it is the answer to another offer.
    """
    deal = number_of(war, seat, partner) * 10 + counter
    points = []
    for number, word in enumerate(sheet[f"points.{partner}"], 1):
        role, _, name = word.partition("_")
        kind: AgreementKind = name
        tail = f"{partner}.{word}"
        grantor, beneficiary = (seat, partner) if role == "grant" else (partner, seat)
        lands: tuple[str, ...] = sheet.get(f"lands.{tail}", ())
        if sheet.get(f"where.{tail}") == "all":
            lands = own_land(war, kind, grantor, beneficiary)[1]
        points.append(
            Agreement(
                id=deal * 100 + number, deal=deal, kind=kind, grantor=grantor,
                beneficiary=beneficiary, last_turn=sheet.get(f"until.{partner}", war.turn),
                territories=lands, price=sheet.get(f"sum.{tail}", 0),
                public=sheet[f"known.{partner}"] == "public",
                peace=sheet.get(f"promise.{tail}") == "yes",
                text=sheet.get(f"shown.{tail}", "") or sheet.get(f"wording.{tail}", ""),
            )
        )  # fmt: skip
    return tuple(points)
