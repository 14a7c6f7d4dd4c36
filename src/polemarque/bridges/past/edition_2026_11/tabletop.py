"""A battle on the table (PA-2), as edition 2026-11 has it."""

from __future__ import annotations

import msgspec

from polemarque.api import UMPIRE, Sheet, Step, ask, script, then
from polemarque.bridges.tabletop import ReturnedSheet, judgement, players_return_the_sheet, settled


@script("PA-2/umpire")
def umpire_settles(table: ReturnedSheet) -> Step[ReturnedSheet]:
    """The sheets differ: the umpire says whose holds, fills one in, or has both do it again."""
    brief = table.brief
    said = yield from ask(
        UMPIRE, lambda _: Sheet(lambda: judgement(brief)), absent={"sheet": "attacker"},
        subject=brief.id,
    )  # fmt: skip
    if said["sheet"] == "again":
        return msgspec.structs.replace(table, sheets={}), [then(players_return_the_sheet)]
    return (yield from settled(table, said)), []
