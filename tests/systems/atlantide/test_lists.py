"""Army lists (AT-1.9, AT-5.4)."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.systems.atlantide.army import army_points
from polemarque.systems.atlantide.catalogue import Entry, load_catalogue
from polemarque.systems.atlantide.lists import (
    army_faults,
    as_list,
    drafted,
    muster,
    offers,
    read_list,
    reorganised,
    with_strangers,
)
from polemarque.systems.atlantide.strength import force_total
from polemarque.systems.atlantide.troops import Army
from tests.systems.atlantide.wars import slingers

CATALOGUE = load_catalogue()
EGYPT = CATALOGUE.peoples["egyptians"]
PEOPLES = CATALOGUE.people

CORE = (Entry("egyptian_spearmen", 36), Entry("egyptian_spearmen", 36))
"""2 x (36 x 7 + 15) = 534 points: more than 35% of 1500, which is 525."""
GENERAL = Entry("egyptian_general")


def codes(*entries, points=1500, **more):
    return [refusal.code for refusal in army_faults(EGYPT, entries, points, **more)]


def test_a_legal_list() -> None:
    assert codes(GENERAL, *CORE) == []


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        ((GENERAL, *CORE, Entry("hoplites", 20)), "list.unknown_unit"),
        ((GENERAL, *CORE, Entry("assyrian_levy", 20)), "list.unknown_unit"),
        ((GENERAL, *CORE, Entry("runaway_slaves", 10)), "list.unknown_unit"),
        ((GENERAL, *CORE, Entry("egyptian_sherden", 1)), "list.too_small"),
        ((GENERAL, *CORE, Entry("egyptian_archers", -3)), "list.too_small"),
        ((GENERAL, *CORE, Entry("egyptian_archers", 25)), "list.too_large"),
        ((Entry("egyptian_general", 2), *CORE), "list.too_large"),
        (CORE, "list.no_general"),
        ((GENERAL, Entry("egyptian_pharaoh"), *CORE), "list.two_generals"),
        ((GENERAL, GENERAL, *CORE), "list.two_generals"),
        # Heroes may take 20% of 1500: 300; four of 95 take 380.
        ((GENERAL, *CORE, *[Entry("egyptian_prince")] * 4), "list.share"),
        ((GENERAL, Entry("egyptian_spearmen", 36)), "list.core"),
        ((GENERAL, *CORE, *CORE, *CORE), "list.over_budget"),
        ((), "list.no_general"),
    ],
)
def test_why_a_list_is_refused(entries, code) -> None:
    assert code in codes(*entries)


def test_every_reason_is_given_at_once() -> None:
    assert codes(Entry("x"), Entry("egyptian_sherden", 1), points=10) == [
        "list.unknown_unit", "list.too_small", "list.no_general", "list.share", "list.core",
        "list.over_budget",
    ]  # fmt: skip


def test_a_limit_on_units_of_a_profile() -> None:
    people = CATALOGUE.peoples["phoenicians"]
    twice = [Entry("phoenician_elephant"), Entry("phoenician_elephant")]
    assert "list.too_many" in [refusal.code for refusal in army_faults(people, twice, 1500)]


def test_the_budget_is_met_exactly() -> None:
    cost = CATALOGUE.points((GENERAL, *CORE))
    assert codes(GENERAL, *CORE, points=cost) == []
    assert codes(GENERAL, *CORE, points=cost - 1) == ["list.over_budget"]


def test_a_refusal_says_where_and_what_would_be_legal() -> None:
    (refusal,) = army_faults(EGYPT, (GENERAL, *CORE, Entry("egyptian_sherden", 3)), 1500)
    assert (refusal.rule, refusal.part, refusal.legal) == ("AT-1.9", "egyptian_sherden", ("16-28",))
    assert refusal.data["line"] == 4


@pytest.mark.parametrize(
    "sent", ["army", 7, None, [7], [["a", "b"]], [["a", 1, 2]], [[]], [None], [["a", 1.5]], [{}]]
)
def test_a_malformed_list_is_not_understood(sent) -> None:
    with pytest.raises(NotUnderstood, match=r"list\.malformed"):
        read_list(sent)


def test_a_list_as_it_is_sent() -> None:
    assert read_list([["a", 3], "b", Entry("c", 2)]) == (Entry("a", 3), Entry("b"), Entry("c", 2))
    assert read_list([]) == ()


def test_a_list_musters_in_its_order() -> None:
    units, characters = muster(EGYPT, (GENERAL, *CORE, Entry("egyptian_nubians", 8)), 1500)
    assert [unit.id for unit in units] == [2, 3, 4]
    assert [(c.id, c.general) for c in characters] == [(1, True)]
    army = Army(units, characters, "m1")
    assert army_points(army) == 125 + 534 + 48
    assert force_total(army) == 4
    with pytest.raises(NotAllowed, match=r"list\.no_general"):
        muster(EGYPT, CORE, 1500)


# Building a list ----------------------------------------------------------------------------------


@given(st.sampled_from(PEOPLES), st.integers(0, 1500), st.booleans(), st.randoms())
def test_every_way_through_the_offers_is_legal_and_none_is_a_dead_end(
    people, points, general, chooser
) -> None:
    entries = ()
    start = offers(people, entries, points, general=general)
    if not start.lines and not start.may_end:
        return  # too few points for any list
    while True:
        following = offers(people, entries, points, general=general)
        assert following.lines or following.may_end
        if following.may_end:
            assert army_faults(people, entries, points, general=general) == ()
        if not following.lines:
            return
        line = chooser.choice(following.lines)
        assert 1 <= line.least <= line.most
        entries = (*entries, Entry(line.profile, chooser.choice((line.least, line.most))))


@pytest.mark.parametrize("people", PEOPLES, ids=lambda people: people.key)
def test_every_people_drafts_many_legal_armies(people) -> None:
    lists = [drafted(people, 1500, random.Random(seed)) for seed in range(20)]
    assert all(entries and not army_faults(people, entries, 1500) for entries in lists)
    assert len(set(lists)) > 15
    # What cannot be spent any more is less than the cheapest unit would cost.
    cheapest = min(p.cost(p.size[0]) for p in people.units if p.group == "core")
    assert all(1500 - CATALOGUE.points(entries) < cheapest for entries in lists)


def test_a_draft_is_a_function_of_its_chooser() -> None:
    assert drafted(EGYPT, 1500, random.Random(5)) == drafted(EGYPT, 1500, random.Random(5))


def test_too_few_points_make_no_list() -> None:
    assert drafted(EGYPT, 100, random.Random(1)) is None
    assert offers(EGYPT, (), 100).lines == ()


def test_the_general_is_asked_first() -> None:
    first = offers(EGYPT, (), 1500)
    assert [line.profile for line in first.lines] == ["egyptian_pharaoh", "egyptian_general"]
    assert not first.may_end
    without = offers(EGYPT, (), 1500, general=False)
    assert not any(EGYPT.by_key[line.profile].group == "general" for line in without.lines)


# Reorganisation (AT-5.4) --------------------------------------------------------------------------


def egyptian_army() -> Army:
    units, characters = muster(EGYPT, (GENERAL, *CORE, Entry("egyptian_nubians", 8)), 1500)
    worn = replace(units[0], figures=20, note="veterans", die=2)
    return Army((worn, *units[1:]), characters, "m1")


def test_a_line_takes_over_what_the_army_has() -> None:
    before = egyptian_army()
    entries = (GENERAL, Entry("egyptian_spearmen", 30), Entry("egyptian_archers", 10))
    after = reorganised(before, EGYPT, entries, 20)
    assert not after.may_move
    assert after.characters == before.characters
    kept, fresh = after.units
    assert (kept.id, kept.note, kept.die) == (2, "veterans", 2)
    assert (kept.figures, kept.full, kept.points) == (30, 30, 30 * 7 + 15)
    assert fresh.id >= 20


def test_a_new_general_is_numbered_anew() -> None:
    leaderless = replace(egyptian_army(), characters=())
    after = reorganised(leaderless, EGYPT, (Entry("egyptian_pharaoh"), *CORE), 20)
    assert after.general.id >= 20
    assert army_faults(EGYPT, CORE, 1500, general=False) == ()
    assert codes(GENERAL, *CORE, general=False) == ["list.unwanted_general"]


def test_runaway_slaves_may_be_kept_but_not_multiplied() -> None:
    slaves = CATALOGUE.profiles["runaway_slaves"].unit(9, 13)
    force = replace(egyptian_army(), units=(*egyptian_army().units, replace(slaves, figures=11)))
    people = with_strangers(EGYPT, force, CATALOGUE)

    def refused(*entries):
        return [refusal.code for refusal in army_faults(people, (GENERAL, *CORE, *entries), 1500)]

    assert refused(Entry("runaway_slaves", 11)) == []
    assert refused(Entry("runaway_slaves", 3)) == []
    assert refused(Entry("runaway_slaves", 12)) == ["list.too_large"]
    assert refused(Entry("runaway_slaves", 3), Entry("runaway_slaves", 3)) == ["list.too_many"]
    assert with_strangers(EGYPT, egyptian_army(), CATALOGUE) is EGYPT


def test_an_army_is_written_as_a_list_and_back() -> None:
    before = egyptian_army()
    entries = as_list(before)
    assert entries[0] == GENERAL
    after = reorganised(before, EGYPT, entries, 20)
    assert [(u.id, u.figures) for u in after.units] == [(u.id, u.figures) for u in before.units]


def test_a_stranger_of_no_catalogue_cannot_be_kept() -> None:
    force = Army((slingers(),), (), "m1")
    assert with_strangers(EGYPT, force, CATALOGUE) is EGYPT
