"""The contract, tried on each of our systems and on the toy, as any author tries it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from polemarque.kernel.system import SYSTEMS, find_system
from polemarque.testing import contract
from polemarque.testing.contract_tests import Contract
from tests.contract.secrets import OPEN, SECRETS
from tests.kernel.toy import TOY

OURS = [name for name in SYSTEMS.names() if SYSTEMS.package(name) == "polemarque"]
TRIED = {system.name: system for system in (TOY, *map(find_system, OURS))}

globals().update(
    {f"Test{name.title()}": contract(TRIED[name], secrets=SECRETS.get(name)) for name in TRIED}
)


def test_every_system_of_ours_says_what_it_keeps_secret() -> None:
    assert not set(SECRETS) & OPEN
    assert {*OURS} <= set(SECRETS) | OPEN


def test_what_breaks_the_contract_is_caught() -> None:
    """A toy that shows everybody's gold, one that says it never asks two at once, one that ends."""
    leaky = contract(replace(TOY, view=lambda day, seat: day), secrets=SECRETS["toy"])()
    with pytest.raises(AssertionError, match="sees a secret"):
        leaky.test_a_view_and_its_options_keep_others_secrets()
    quiet = contract(replace(TOY, alternates=True), secrets=None)()
    with pytest.raises(AssertionError, match=r"System\.alternates"):
        quiet.test_sealed_answers_show_nothing_before_all_are_in()
    ends = contract(replace(TOY, ends_at_once=True), secrets=None)()
    with pytest.raises(AssertionError, match=r"System\.ends_at_once"):
        ends.test_where_an_end_is_declared_nothing_more_is_asked_or_told()


def test_what_a_system_does_not_have_is_not_tried() -> None:
    bare = contract(replace(TOY, adjust=None), secrets=None)
    tests = [name for name in dir(Contract) if name.startswith("test_")]
    left_out = {name for name in tests if getattr(bare, name) is None}
    assert left_out == {
        "test_a_view_and_its_options_keep_others_secrets",
        "test_an_adjustment_of_any_form_is_taken_or_refused",
        "test_where_an_end_is_declared_nothing_more_is_asked_or_told",
    }
