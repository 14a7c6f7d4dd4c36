"""Why an attack came to what it did: what each rule removed, told apart (PR-5.2 to PR-7.3)."""

from polemarque.systems.promiterra.chapters.fighting import Half, account
from polemarque.systems.promiterra.chapters.strikes import Strike


def test_a_perfect_defence_is_reckoned_by_the_hits_that_reach_it() -> None:
    """37 hits, 12 of them saved: against the 25 left a fort rolls 8 dice that save 3 each.

    All eight succeed: 24 by the dice, and the last one because the defence is perfect (PR-6.3).
    """
    struck = Strike(losses=0, hits=37, saved=12, sheltered=25)
    half = Half(striker="A1", target="B1", units=37, fort=2, other=0, struck=struck, dice="cut")
    removed = {(p.rule, p.reason): p.amount for p in account(half).parts}
    assert removed["PR-7.2", "fort_saves@B1"] == -24
    assert removed["PR-6.3", "perfect_defence@B1"] == -1
    assert account(half).total == 0
