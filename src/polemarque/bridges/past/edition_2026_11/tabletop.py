"""A battle on the table (PA-2), as edition 2026-11 has it."""

from __future__ import annotations

import msgspec

from polemarque.api import UMPIRE, Sheet, Step, ask, script, tell, then
from polemarque.bridges.tabletop import (
    ReturnedSheet,
    judgement,
    players_return_the_sheet,
    report_of,
)


@script("PA-2/umpire")
def umpire_settles(table: ReturnedSheet) -> Step[ReturnedSheet]:
    """The sheets differ: the umpire says whose holds, fills one in, or has both do it again."""
    brief = table.brief
    said = yield from ask(
        UMPIRE, lambda _: Sheet(lambda: judgement(brief)), absent={"sheet": "attacker"},
        subject=brief.id,
    )  # fmt: skip
    word = said["sheet"]
    if word == "again":
        return msgspec.structs.replace(table, sheets={}), [then(players_return_the_sheet)]
    attacker, defender = brief.sides
    sheet = {
        "attacker": table.sheets[attacker.seat],
        "defender": table.sheets[defender.seat],
    }.get(word, said)
    yield from tell("PA-2", word, place=brief.place, result=sheet["result"])
    return msgspec.structs.replace(table, report=report_of(brief, sheet)), []
