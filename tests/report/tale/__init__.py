"""A very small system with texts and a ledger: two heirs race to a spring, for one or two days."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from polemarque.kernel import system as register
from polemarque.kernel.files.plugins import look_again
from polemarque.kernel.system import Choice, Standing, System
from tests.report.tale.race import Race, Setup, begin

FOLDER = Path(__file__).parent

TALE = System(
    name="tale", edition="1", titles={"fr": "La source", "en": "The spring"}, seats=("A", "B"),
    least=2, options=(Choice("mud", "TA-1.2", ("dry", "deep"), "dry"),
                      Choice("days", "TA-1.1", (1, 9), 2, number=True)),
    state=Race, setup=Setup, begin=begin, period=lambda race: race.day,
    view=lambda race, seat: {"day": race.day}, phases=("TA-1.1", "TA-2.1"),
    standing=lambda race: Standing(race.day > race.last), data=FOLDER / "data",
    names=lambda race, lang: {"seat": {"A": "Hésiode"}, "place": {"spring": "la source"}},
)  # fmt: skip


@contextmanager
def told_of() -> Iterator[System]:
    """Make the system known for as long as a test lasts."""
    register._ADDED["tale"] = TALE
    look_again()
    try:
        yield TALE
    finally:
        register._ADDED.pop("tale", None)
        look_again()
