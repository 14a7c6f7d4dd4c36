"""What a seat may not see, system by system: each function changes it at random.

The contract suite then demands that the seat's view and options stay the same byte for byte.
A system of ours without secrets in its state (sealed answers are the kernel's) is named in `OPEN`,
so that one is never open by being forgotten; a stranger's is not checked before he says.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec

from polemarque.kernel.system import find_system
from polemarque.systems.atlantide.agreements import Agreement, Proposal
from polemarque.systems.atlantide.state import Waiting
from polemarque.systems.atlantide.troops import Unit

SECRETS: dict[str, Callable[[Any, str, random.Random], Any]] = {}

OPEN = frozenset({"batailles", "mare_nostrum", "promiterra", "thucidide"})
"""Systems of ours whose state lies on the table for all to see."""

SEALS = frozenset({"toy"}).union(
    name for name in (*OPEN, "atlantide") if not find_system(name).alternates
)
"""Systems that ask several seats at once."""


def toy(day: Any, seat: str, rng: random.Random) -> Any:
    """Others' gold and passwords."""
    gold = {s: n if s == seat else rng.randrange(100) for s, n in day.gold.items()}
    secret = {s: w if s == seat else str(rng.random()) for s, w in day.secret.items()}
    return msgspec.structs.replace(day, gold=gold, secret=secret)


SECRETS["toy"] = toy


def atlantide(war: Any, seat: str, rng: random.Random) -> Any:
    """Others' loot, lists, waiting units, sheets, and what others agree in secret (AT-2.3)."""
    for code, holder in war.seats.items():
        if code == seat:
            continue
        fields: dict[str, Any] = {
            "loot": rng.randrange(500),
            "next_id": holder.next_id + 50,
            "waiting": (_waiting(holder, rng),) * rng.randrange(3),
        }
        if holder.army is not None:
            units = tuple([_unit(number, rng) for number in range(30, 30 + rng.randrange(5))])
            fields["army"] = msgspec.structs.replace(
                holder.army, units=units, characters=(), may_move=rng.random() < 0.5,
                passing=rng.random() < 0.5,
            )  # fmt: skip
        war = war.changed(code, **fields)
    mine = [a for a in war.agreements if a.public or seat in a.parties]
    sheets = {code: rows for code, rows in war.sheets.items() if code == seat}
    war = msgspec.structs.replace(war, agreements=tuple(mine), sheets=sheets, agreed=99)
    others = [code for code in war.seats if code != seat]
    if len(others) > 1:
        secret = Agreement(77, "loot", others[0], others[1], 9, price=3)
        war = msgspec.structs.replace(
            war, agreements=(*war.agreements, secret), proposals=(*war.proposals, _offer(secret))
        )
    return war


def _offer(agreement: Any) -> Any:
    return Proposal(agreement.grantor, msgspec.structs.replace(agreement, id=78))


def _unit(number: int, rng: random.Random) -> Any:
    return Unit(
        number,
        "runaway_slaves",
        "infantry",
        9,
        rng.randrange(1, 9),
        ws=3,
        toughness=3,
        ld=7,
        points=rng.randrange(50, 99),
    )


def _waiting(holder: Any, rng: random.Random) -> Any:
    return Waiting("bought", 1, None, (_unit(29, rng),))


SECRETS["atlantide"] = atlantide
