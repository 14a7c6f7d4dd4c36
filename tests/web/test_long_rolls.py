"""A long roll that stands, given anew by an umpire: typed as thrown, kept as counted."""

from __future__ import annotations

from typing import Any

import pytest

from polemarque.club.campaigns.question_keys import key_text
from polemarque.club.campaigns.session import read_lock
from polemarque.club.models import Campaign, Proposal
from polemarque.kernel.dice import Counts
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.record import TYPED, Answer, Replace
from tests.club.people import kept, person
from tests.kernel import archers
from tests.web.browser import sent
from tests.web.desks import confirmed, entries, forms_to
from tests.web.people import browser, by_id, said, way

pytestmark = pytest.mark.django_db

assert archers.ARCHERS


@pytest.fixture
def made() -> Campaign:
    """A hundred archers have shot, and hit thirty times."""
    game = Game(new_header("archers", dice=TYPED))
    game.enter(Answer(game.throws()[0].key, Counts((20, 10, 10, 10, 10, 40))))
    return kept(game)


def roll_of(made: Campaign) -> str:
    (roll,) = [each for each in entries(made) if isinstance(each, Answer)]
    return key_text(roll.key)


def given(made: Campaign, faces: str) -> Any:
    """The form of the roll, sent with these faces."""
    zoe, key = browser(person("zoe")), roll_of(made)
    shown = zoe.get(way("correct", made), {"key": key})
    assert shown.status_code == 200 and by_id(shown, "dice")
    (form,) = forms_to(shown, way("correct", made))
    fields = {**sent(form), "dice": faces, "do": "seal", "reason": "miscounted"}
    return zoe.post(way("correct", made), fields)


@pytest.mark.parametrize(
    ("faces", "hits"), [("5x2 95x6", 5), ("2 " * 100, 100), ("1 " * 98 + "3 3", 98)]
)
def test_a_long_roll_is_replaced_as_it_is_typed(made: Campaign, faces: str, hits: int) -> None:
    looked = given(made, faces)
    assert looked.status_code == 303
    assert not any(isinstance(each, Replace) for each in entries(made)), "it is looked at first"
    assert confirmed(browser(person("zoe")), looked["Location"]).status_code == 303
    assert isinstance(entries(made)[-1], Replace)
    with read_lock(made) as table:
        assert table.game.state.hits == hits


@pytest.mark.parametrize("faces", ["5x2 94x6", "5x2 95x7", "", "good", "6", "1x100"])
def test_what_is_no_such_roll_is_refused_and_stands_as_it_was_typed(
    made: Campaign, faces: str
) -> None:
    refused = given(made, faces)
    assert refused.status_code == 422 and by_id(refused, "dice-error")
    (field,) = by_id(refused, "dice")
    assert field.attrs.get("value", field.said) == faces or faces in said(refused)
    assert not any(isinstance(each, Replace) for each in entries(made))
    assert not Proposal.objects.exists()
