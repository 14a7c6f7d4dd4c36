"""The battles in which somebody is a guest, as lines of the first page."""

from __future__ import annotations

import pytest

from polemarque.club.models import OVER, Guest
from polemarque.web.pages.account import home
from polemarque.web.pages.account.home import Line
from tests.web.lent import fighting, lent, page_of
from tests.web.world import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def there() -> World:
    made = fighting()
    lent(made)
    return made


def ended(there: World) -> Guest:
    """The guest of a battle that is not fought any more."""
    return Guest.objects.create(
        campaign=there.campaign, seat="A", path="0.99.99", place="nowhere", number=0,
        person=there.people["guest"],
    )  # fmt: skip


def lines(there: World) -> list[Line]:
    return home.guest_lines(there.people["guest"], "fr")


def test_battles_that_are_over_come_last_and_ask_nothing(there: World) -> None:
    ended(there)  # the newer of the two
    first, last = lines(there)
    assert (first.stage == OVER, last.stage == OVER) == (False, True)
    assert first.due.startswith("À vous") and first.url == page_of(there)
    assert not last.due and last.page and last.words == there.campaign.title


def test_at_most_so_many_are_listed_the_newest(
    there: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = ended(there)
    monkeypatch.setattr(home, "MOST_BATTLES", 1)
    (only,) = lines(there)
    assert only.battle == newest.path
