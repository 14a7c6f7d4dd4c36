"""What the seat that lends a side knows, and does elsewhere, changes no byte that its guest gets.

Twin campaigns are made as in test_noninterference.py, which says what is left out of account.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from msgspec.structs import replace

from polemarque.club.campaigns.question_keys import key_text
from polemarque.club.campaigns.session import read_lock, write_lock
from polemarque.club.models import Draft, Guest, Receipt
from polemarque.club.people.guests import battles
from polemarque.club.people.roles import visit_of
from polemarque.club.umpire.dashboard import remind
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import Leave, Looked
from polemarque.kernel.request import Key
from polemarque.web import stream
from tests.contract.secrets import SECRETS
from tests.web.lent import fighting, lent
from tests.web.people import way
from tests.web.twins import GUESSED, Chance, differences, everything, one_page, twin
from tests.web.world import World, world

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(600), pytest.mark.slow]

RESOLVERS = ("thucidide", "promiterra", "batailles")


@pytest.fixture
def chance(monkeypatch: pytest.MonkeyPatch) -> Chance:
    monkeypatch.setattr(stream, "PING", 0.02)
    return Chance(monkeypatch)


def compared(
    chance: Chance, *makes: Callable[[], World], seen_by: str = ""
) -> dict[str, tuple[str, str]]:
    """What the guest gets that is not the same in two campaigns.

    seen_by: who sees on the campaign's own page that they are not the same.
    """
    got, shown = [], set()
    for make in makes:
        with twin(chance):
            there = make()
            lent(there)
            assert Guest.objects.count() == 1
            got.append(everything(there, "guest", chance))
            if seen_by:
                shown.add(one_page(there, seen_by, way("campaign", there.campaign), chance))
    assert any("/battle/" in what for what in got[0])
    assert not seen_by or len(shown) == len(makes), f"{seen_by} does not see that it was changed"
    return differences(*got)


# What the seat holds -----------------------------------------------------------------------------


def holding(seed: int, seat: str, resolver: str) -> World:
    """What `seat` may not see of the campaign is changed: all secrets there are, for nobody's."""
    there = fighting(resolver=resolver)
    with read_lock(there.campaign) as table:
        runner = table.game.runner
        runner.state = SECRETS["atlantide"](runner.state, seat, Random(seed))
    return there


@pytest.mark.parametrize("resolver", RESOLVERS)
def test_what_the_seats_hold_in_the_campaign(chance: Chance, resolver: str) -> None:
    makes = [lambda s=seed: holding(s, "", resolver) for seed in (1, 2)]  # type: ignore[misc]
    assert compared(chance, *makes, seen_by="commander") == {}


# What the seat does elsewhere --------------------------------------------------------------------


def elsewhere(*does: Callable[[World], None]) -> World:
    there = fighting(resolver="batailles")
    for each in does:
        each(there)
    return there


def leaves(value: str) -> Callable[[World], None]:
    """The seat has left an answer in advance."""

    def done(there: World) -> None:
        with write_lock(there.campaign) as table:
            table.kind = "ready"
            table.game.enter(Leave("A", "AT-8.5", value))

    return done


def drafts(there: World) -> None:
    """Its commander has typed something, in that battle too."""
    with read_lock(there.campaign) as table:
        keys = [request.keys["A"] for request in table.game.requests("A")]
    for key in [*keys, Key(1, "", "AT-4.1", "A")]:
        Draft.objects.create(
            campaign=there.campaign, person=there.people["commander"], key=key_text(key),
            fields={"order": ["what nobody else may read"]},
        )  # fmt: skip


def is_reminded(there: World) -> None:
    remind(visit_of(there.fresh(), there.people["umpire"]), "A")


def has_sealed(value: str, *further: str) -> Callable[[World], None]:
    """It has sealed something in an earlier turn, the digest of which is known, and more."""

    def done(there: World) -> None:
        for digest in (GUESSED, *further):
            Receipt.objects.create(
                campaign=there.campaign, seat="A", key=key_text(Key(1, "", "AT-4.1", "A")),
                digest=digest, body=b'{"value":"%b"}' % value.encode(), number=1,
            )  # fmt: skip

    return done


@pytest.mark.parametrize(
    "does",
    [
        (leaves("keep"), leaves("again")),
        (drafts,),
        (is_reminded,),
        (has_sealed("one"), has_sealed("other", "c" * 64)),
    ],
    ids=["left", "drafts", "reminded", "receipts"],
)
def test_what_the_seat_does_elsewhere(
    chance: Chance, does: tuple[Callable[..., None], ...]
) -> None:
    one, other = (does[0], does[1]) if len(does) > 1 else (lambda _: None, does[0])
    assert compared(chance, lambda: elsewhere(one), lambda: elsewhere(other)) == {}


def test_whether_the_seat_has_left_anything_in_advance(chance: Chance) -> None:
    makes = [elsewhere, lambda: elsewhere(leaves("keep"))]
    assert compared(chance, *makes) == {}


# Other battles -----------------------------------------------------------------------------------


def two_battles(game: Game) -> bool:
    return bool(list(battles(game, "A"))) and len(game.runner.branches) > 1


def beside(fewer: int) -> World:
    """Another battle is fought beside: its units have so many elements fewer."""
    there = world(seats=6, options={"resolver": "thucidide"}, turns=two_battles)
    with read_lock(there.campaign) as table:
        _, mine = next(battles(table.game, "A"))
        others = [inner for _, inner in table.game.runner.branches if inner is not mine]
        for inner in others:
            units = {
                code: replace(unit, elements=max(1, unit.elements - fewer))
                for code, unit in inner.state.units.items()
            }
            inner.state = replace(inner.state, units=units)
    return there


def test_how_another_battle_of_the_campaign_goes(chance: Chance) -> None:
    makes = [lambda n=n: beside(n) for n in (0, 1)]  # type: ignore[misc]
    assert compared(chance, *makes, seen_by="umpire") == {}


def test_nothing_that_he_reads_is_entered(chance: Chance) -> None:
    with twin(chance):
        there = fighting()
        lent(there)
        everything(there, "guest", chance)
        with read_lock(there.campaign) as table:
            assert not [each for each in table.game.entries if isinstance(each, Looked)]
