"""Army lists (AT-1.9)."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemarque.kernel.errors import NotAllowed
from polemarque.systems.atlantide.setup.catalogue import Entry, load_catalogue
from polemarque.systems.atlantide.setup.lists import (
    Offers,
    army_faults,
    beyond,
    bounds_on,
    muster,
    offers,
    points_by_group,
)
from polemarque.systems.atlantide.strength import force_total
from polemarque.systems.atlantide.troops import Army, army_points

CATALOGUE = load_catalogue()
EGYPT = CATALOGUE.peoples["egyptians"]
PEOPLES = CATALOGUE.people

CORE = (Entry("egyptian_spearmen", 36), Entry("egyptian_spearmen", 36))
"""2 x (36 x 7 + 15) = 534 points: more than 35% of 1500, which is 525."""
GENERAL = Entry("egyptian_general")


def codes(*entries, points=1500):
    return [refusal.code for refusal in army_faults(EGYPT, entries, points)]


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


def drafted(people, points, chooser):
    """A random legal list, filled until nothing more can be paid."""
    entries = ()
    while (following := offers(people, entries, points)).lines:
        line = chooser.choice(following.lines)
        entries = (*entries, Entry(line.profile, chooser.randrange(line.least, line.most + 1)))
    assert following.may_end
    return entries


@given(st.sampled_from(PEOPLES), st.integers(0, 1500), st.randoms())
def test_every_way_through_the_offers_is_legal_and_none_is_a_dead_end(
    people, points, chooser
) -> None:
    entries = ()
    start = offers(people, entries, points)
    if not start.lines and not start.may_end:
        return  # too few points for any list
    while True:
        following = offers(people, entries, points)
        assert following.lines or following.may_end
        if following.may_end:
            assert army_faults(people, entries, points) == ()
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


def test_too_few_points_make_no_list() -> None:
    assert offers(EGYPT, (), 100) == Offers((), may_end=False)


def test_the_general_is_asked_first() -> None:
    first = offers(EGYPT, (), 1500)
    assert [line.profile for line in first.lines] == ["egyptian_pharaoh", "egyptian_general"]
    assert not first.may_end


# A list that grows (AT-5.2) ----------------------------------------------------------------------


def keeps(people, entries, group):
    """Whether a list keeps the share of a group, or its core, by the plain sentence."""
    cost = {}
    for entry in entries:
        profile = people.by_key[entry.profile]
        cost[profile.group] = cost.get(profile.group, 0) + profile.cost(entry.count)
    points = max(1500, sum(cost.values()))
    if group == "core":
        return 100 * cost.get("core", 0) >= people.core * points
    return 100 * cost.get(group, 0) <= people.most.get(group, 100) * points


@given(st.data())
def test_what_may_be_bought_is_what_leaves_the_list_within_its_shares(data) -> None:
    people = data.draw(st.sampled_from(PEOPLES))
    bought = st.sampled_from([unit for unit in people.units if not unit.is_character])
    entries = [
        Entry(unit.key, data.draw(st.integers(*unit.size)))
        for unit in data.draw(st.lists(bought, max_size=14))
    ]
    profile = data.draw(bought)
    figures = data.draw(st.integers(*profile.size))
    bound = bounds_on(
        people,
        [profile],
        1500,
        Counter(entry.profile for entry in entries),
        points_by_group(people, entries),
    )[profile.key]  # fmt: skip
    after = [*entries, Entry(profile.key, figures)]
    times = [entry.profile for entry in after].count(profile.key)
    legal = not 0 < profile.at_most < times
    if profile.group != "core":
        legal &= keeps(people, after, profile.group) and keeps(people, after, "core")
    assert (profile.cost(figures) <= bound.points) == legal
    broken = {share.group for share in beyond(people, entries, 1500)}
    groups = {*people.most, "core"}
    assert broken == {group for group in groups if not keeps(people, entries, group)}
