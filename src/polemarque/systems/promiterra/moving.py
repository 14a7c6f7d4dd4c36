"""Chapter « Déplacement » (PR-3.3, PR-2.1): troops go where they declared."""

from __future__ import annotations

from msgspec.structs import replace

from polemarque.kernel.agenda import Item, Rule, script, tell
from polemarque.systems.promiterra.ground import Field
from polemarque.systems.promiterra.state import War, while_fighting
from polemarque.systems.promiterra.strength import stats


@script("PR-3.3/move")
@while_fighting
def movement(war: War) -> Rule[tuple[War, list[Item]]]:
    """Troops move in the order that their owner gave.

    One whose way became impossible stops at the last legal cell.
    """
    for order in war.orders:
        troop = war.present_troop(order.troop)
        if not order.path or troop is None:
            continue
        field = Field(war, war.playing)
        path = field.legal_part(troop.id, stats(war, troop).movement, order.path)
        if path:
            war = war.placed(troop.id, path[-1])
            war = replace(war, moved=(*war.moved, troop.id))
        whole = path == order.path
        yield from tell(
            "PR-2.1", "moves" if whole else "stopped", troop=troop.id, start=troop.cell,
            place=path[-1] if path else troop.cell,
        )  # fmt: skip
    return war, []
