"""What somebody may not know changes no byte that he gets.

Twin campaigns are made, equal in everything but a secret: what seat B has sealed, whether it has,
what it holds, how a battle goes that is not one's own.  Every page, download, receipt and refusal
that A, who advises A, a spectator and the umpires get, and the stream of events, are compared.

Two kinds of things differ by their nature and are named before: what is made by chance for every
single page (tokens against forged forms, nonces), and digests.  The head of the chain and the
digests of B's answers are commitments to the hidden text: they could not be the same.  They are
replaced by their place in the chain, so that they may differ in nothing but these hexadecimals.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from polemarque.club.campaigns import visibility as reading_of
from polemarque.club.campaigns.session import read_lock, write_lock
from polemarque.club.models import Person, Receipt
from polemarque.club.orders.taking_back import take_back
from polemarque.club.people.roles import visit_of
from polemarque.club.trust import dice_odds as chances_of
from polemarque.club.trust.proofs import folds
from polemarque.club.umpire.acts import confirm, propose
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import Adjust, Answer
from polemarque.kernel.request import DICE
from polemarque.web import stream
from polemarque.web.pages.campaign.proofs import MOST_FOLDS
from tests.contract.secrets import SECRETS
from tests.web.lent import to_battle
from tests.web.people import said, way
from tests.web.twins import (
    Chance,
    Heard,
    differences,
    everything,
    heard_while,
    one_page,
    twin,
)  # fmt: skip
from tests.web.world import World, play_on, sealed, world

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(600), pytest.mark.slow]

CARD_OF_A_UNIT = re.compile('data-card-of="[^"]{2,}"')
"""Of the battle's field; armies of the campaign, each by its seat, have cards that all may read."""

NOT_B = ("commander", "watcher", "umpire")


@pytest.fixture
def chance(monkeypatch: pytest.MonkeyPatch) -> Chance:
    monkeypatch.setattr(stream, "PING", 0.02)
    return Chance(monkeypatch)


def compare(
    chance: Chance, makes: list[Callable[[], World]], roles: tuple[str, ...],
    seen_by: tuple[str, ...] = (), page: str = "campaign",
) -> None:  # fmt: skip
    """Whether all that these roles get is the same.

    seen_by: who sees on that page that the campaigns are not the same.
    """
    found, shown = [], []
    for make in makes:
        with twin(chance):
            there = make()
            found.append({role: everything(there, role, chance) for role in roles})
            where = way(page, there.campaign)
            shown.append({role: one_page(there, role, where, chance) for role in seen_by})
    first, *others = found
    for other in others:
        for role in roles:
            assert differences(first[role], other[role]) == {}, role
    for role in seen_by:
        assert len({pages[role] for pages in shown}) == len(makes), role


def with_b_sealing(**more: Any) -> list[Callable[[], World]]:
    """Twins in which B seals one thing or another; A does not seal, and nothing is revealed."""

    def made(number: int) -> World:
        there = world(**more)
        sealed(there, "B", "rival", number)
        return there

    return [lambda: made(0), lambda: made(1)]


def asks_b(rule: str) -> Callable[[Game], bool]:
    """Whether a sealed question of that rule is open to A and B, and neither has answered."""

    def asked(game: Game) -> bool:
        return any(
            request.rule.partition("/")[0] == rule
            and {"A", "B"} <= set(request.missing)
            and request.sealed
            for request in game.requests()
        )

    return asked


# What is sealed ----------------------------------------------------------------------------------


def test_what_b_has_sealed_when_the_campaign_opens(chance: Chance) -> None:
    """To B they are no twins."""
    compare(chance, with_b_sealing(), ("adviser", *NOT_B), seen_by=("rival",))


@pytest.mark.parametrize(("rule", "seats"), [("AT-8.1", 2), ("AT-5.2", 3)])  # two fight sooner
def test_what_b_has_sealed_later_in_atlantide(chance: Chance, rule: str, seats: int) -> None:
    """What a watcher sees, these two see as well: what it is when the campaign opens is enough."""
    makes = with_b_sealing(turns=asks_b(rule), seats=seats)
    compare(chance, makes, ("commander", "umpire"))


@pytest.mark.parametrize("rule", ["MN-2.7", "MN-F3"])
def test_what_b_has_ordered_in_mare_nostrum(chance: Chance, rule: str) -> None:
    makes = with_b_sealing(system="mare_nostrum", seats=0, turns=asks_b(rule))
    compare(chance, makes, ("commander", "umpire"))


@pytest.mark.parametrize(
    ("turns", "roles"),
    [(0, ("playing", "adviser", "watcher")), (asks_b("AT-5.2"), ("playing",))],
    ids=["opening", "later"],
)
def test_whether_b_has_sealed_is_kept_from_an_umpire_who_plays(
    chance: Chance, turns: Any, roles: tuple[str, ...]
) -> None:
    """And from those whom they let in, while an act of theirs waits for consent."""
    makes = [lambda n=n: beside_him(turns, n) for n in (0, 1, 2, 3)]  # type: ignore[misc]
    compare(chance, makes, roles)


def beside_him(turns: Any, what: int) -> World:
    """B has done nothing, sealed one thing or another, or sealed and taken it back."""
    there = world(playing=True, turns=turns)
    umpire = visit_of(there.campaign, there.people["playing"])
    put = confirm(umpire, propose(umpire, Adjust("loot.C", 3, "a miscount"), "form"), 0)
    assert put.put is not None and put.done is None
    if what:
        sealed(there, "B", "rival", what % 2)
    if what == 3:
        take_back(there.campaign, "B")
    return there


@pytest.mark.parametrize("turns", [0, asks_b("AT-5.2")], ids=["opening", "later"])
def test_undoing_tells_an_umpire_who_plays_nothing(chance: Chance, turns: Any) -> None:
    """Neither whether it is refused nor why hangs on what others have sealed."""
    told = []
    for ready in (False, True):
        with twin(chance):
            there = world(playing=True, turns=turns)
            if ready:
                sealed(there, "B", "rival")
            page = there.browser("playing").post(way("undo", there.campaign, seat="A"), follow=True)
            told.append([one for one in said(page).splitlines() if 'role="alert"' in one])
    assert told[0] == told[1] and "has yet to seal" in " ".join(told[0])


def test_the_list_of_folds_is_as_long_whoever_has_sealed(chance: Chance) -> None:
    with twin(chance):
        there = world(playing=True)
        first = sealed(there, "B", "rival")
        take_back(there.campaign, "B")
        earlier = first.key.replace("[1,", "[99,", 1)  # of a question that is not open
        assert earlier != first.key
        for number in range(MOST_FOLDS):
            Receipt.objects.create(
                campaign=there.campaign, seat="B", key=earlier,
                digest=f"{number:064x}", body=first.body, number=1, replaced=True,
            )  # fmt: skip

        def shown() -> int:
            visit = visit_of(there.campaign, there.people["playing"])
            with read_lock(there.campaign) as table:
                return len(folds(visit, table, MOST_FOLDS))

        before = shown()
        sealed(there, "B", "rival", 1)
        assert shown() == before == MOST_FOLDS


def test_no_page_is_made_anew_because_somebody_has_sealed(
    chance: Chance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How long a page takes would tell an umpire who plays that it was."""
    made: list[str] = []

    def counted(module: Any, name: str) -> None:
        work = getattr(module, name)

        def done(*given: Any, **more: Any) -> Any:
            made.append(name)
            return work(*given, **more)

        monkeypatch.setattr(module, name, done)

    counted(reading_of, "episode")
    counted(reading_of, "summary")
    counted(chances_of, "by_itself")
    with twin(chance):
        there = world(playing=True, system="promiterra", seats=2, turns=both_are_asked)
        client = there.browser("playing")
        pages = [way(name, there.campaign) for name in ("chronicle", "odds")]
        for page in (*pages, *pages):
            assert client.get(page).status_code == 200
        assert made == ["episode", "summary", "by_itself"], "once each"
        sealed(there, "B", "rival")
        for page in pages:
            assert client.get(page).status_code == 200
        assert made == ["episode", "summary", "by_itself"]


def both_are_asked(game: Game) -> bool:
    return any(each.sealed and {"A", "B"} <= set(each.missing) for each in game.requests())


# What reaches people by itself ------------------------------------------------------------------


@pytest.fixture
def mails(settings: Any) -> None:
    settings.MAIL = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


def beside(there: World, course: str) -> list[Callable[[], Any]]:
    """What B does, in turn: it seals its answer 0 or 1, takes it back (-) or does nothing (.).

    Before, nothing happens; then A's people are reminded, and at last A seals: where there are two
    seats and B has sealed, that reveals.
    """
    Person.objects.exclude(username="stranger").update(email="somebody@example.org")
    umpire, campaign = there.browser("umpire"), there.campaign

    def b_does(what: str) -> Any:
        if what == "-":
            return take_back(campaign, "B")
        return None if what == "." else sealed(there, "B", "rival", int(what))

    return [
        lambda: None,
        *[partial(b_does, what) for what in course],
        lambda: umpire.post(way("desk_remind", campaign, seat="A")),
        lambda: sealed(there, "A", "umpire" if "playing" in there.people else "commander"),
    ]


def heard_beside(chance: Chance, role: str, course: str, **more: Any) -> list[Heard]:
    with twin(chance):
        there = world(**more)
        return heard_while(there, role, beside(there, course))


@pytest.mark.usefixtures("mails")
@pytest.mark.parametrize("role", NOT_B)
def test_what_b_seals_changes_no_event_and_no_mail_nor_when_they_come(
    chance: Chance, role: str
) -> None:
    one, other = [heard_beside(chance, role, course, seats=2) for course in ("0-1", "1-0")]
    assert one == other
    assert {number for number, _ in one} == {0, 2, 3, 4, 5, 6}, "each act is heard, nothing else"
    assert any("somebody@example.org" in said for number, said in one if number == 5)


@pytest.mark.usefixtures("mails")
def test_an_umpire_who_plays_hears_nothing_of_whether_b_seals(chance: Chance) -> None:
    courses = ("...", "0-1", "1-.")
    quiet, *others = [heard_beside(chance, "playing", each, playing=True) for each in courses]
    assert 6 in {number for number, _ in quiet}, "what A seals is heard"
    before = [each for each in quiet if each[0] < 6]
    assert {number for number, _ in before} == {0}
    for found in others:
        assert [each for each in found if each[0] < 6] == before


MAY_TELL = re.compile(
    r"GET /c/\w+/((chronicle|seat/A)/.*|(export/full|desk/answers)/)?( as a page.*)?"
)
"""What may tell of answers once they are revealed: the story, the questions, the whole record."""


@pytest.mark.usefixtures("mails")
def test_what_was_revealed_changes_nothing_but_the_story(chance: Chance) -> None:
    """A has sealed as well: what the rules reveal may differ, what else anybody gets does not."""
    roles = ("commander", "watcher", "umpire")
    found = []
    for number in "01":
        with twin(chance):
            there = world(seats=2)
            to_battle(there, reached=asks_b("AT-8.10"))
            heard = heard_while(there, "watcher", beside(there, number))
            found.append((heard, {role: everything(there, role, chance) for role in roles}))
    (heard, one), (also, other) = found
    assert heard == also
    for role in roles:
        differing = differences(one[role], other[role])
        assert any("/chronicle" in what for what in differing), "it is revealed"
        assert not [what for what in differing if not MAY_TELL.fullmatch(what)], role


# What is held ------------------------------------------------------------------------------------


def holding(seat: str, seed: int, **more: Any) -> World:
    """A campaign in which others hold something else than is written down: what `seat` may not see
    is changed, as the contract suite does."""
    there = world(**more)
    with read_lock(there.campaign) as table:
        runner = table.game.runner
        runner.state = SECRETS["atlantide"](runner.state, seat, Random(seed))
    return there


@pytest.mark.parametrize(("seat", "role"), [("A", "commander"), ("A", "adviser"), ("", "watcher")])
def test_what_others_hold(chance: Chance, seat: str, role: str) -> None:
    makes = [lambda s=seed: holding(seat, s, turns=3) for seed in (1, 2)]  # type: ignore[misc]
    compare(chance, makes, (role,))


def test_what_others_hold_is_kept_from_an_umpire_who_plays(chance: Chance) -> None:
    makes = [lambda s=seed: holding("A", s, turns=3, playing=True) for seed in (1, 2)]  # type: ignore[misc]
    compare(chance, makes, ("playing",))


# Battles inside a campaign -----------------------------------------------------------------------


def battle(fewer: int) -> World:
    """A campaign in which a battle is fought: each unit in it has so many elements fewer."""
    there = world(seats=4, options={"resolver": "thucidide"}, turns=one_of_ours_fights)
    with read_lock(there.campaign) as table:
        _, inner = table.game.runner.branches[0]
        units = {
            code: replace(unit, elements=max(1, unit.elements - fewer))
            for code, unit in inner.state.units.items()
        }
        inner.state = replace(inner.state, units=units)
    return there


def one_of_ours_fights(game: Game) -> bool:
    """Whether a battle is fought in which A or B is a side."""
    return any(
        {"A", "B"} & {side.seat for side in brief.sides} for brief, _ in game.runner.branches[:1]
    )


def sides(there: World) -> set[str]:
    with read_lock(there.campaign) as table:
        brief, _ = table.game.runner.branches[0]
        return {side.seat for side in brief.sides}


def bound_for_battle(game: Game) -> bool:
    """Whether strategies are being written, so that a battle will follow."""
    return any(request.rule == "AT-8.1" for request in game.requests())


def dice_thrown(game: Game) -> bool:
    """Whether dice have fallen in a battle inside the campaign."""
    return any(
        isinstance(done, Answer) and done.key.path and done.key.seat == DICE
        for done in game.effective
    )


def mustered(fewer: int) -> World:
    """A campaign in which a battle has opened and its first dice have been thrown, as many as the
    armies are worth; in each the largest unit has so many figures fewer."""
    there = world(seats=4, options={"resolver": "batailles"}, turns=bound_for_battle)
    with write_lock(there.campaign) as table:
        war = table.game.state
        for seat in war.battles[0].sides:
            most = max(war.seats[seat].army.units, key=lambda unit: unit.figures)
            figures = most.figures - fewer
            table.game.enter(Adjust(f"figures.{seat}.{most.id}", figures, "counted anew"))
    play_on(there, dice_thrown)
    return there


def test_how_strong_the_armies_of_a_battle_are_that_others_fight(chance: Chance) -> None:
    """How many entries there are cannot be hidden: these two have as many, with other dice."""
    with twin(chance):
        fighting = sides(mustered(3))
    holders = {"A": "commander", "B": "rival"}
    outside = tuple(role for seat, role in holders.items() if seat not in fighting)
    inside = tuple(role for seat, role in holders.items() if seat in fighting)
    makes = [lambda: mustered(3), lambda: mustered(9)]
    compare(chance, makes, (*outside, "watcher"), seen_by=inside, page="chronicle")


def test_how_a_battle_goes_that_others_fight(chance: Chance) -> None:
    with twin(chance):
        fighting = sides(battle(0))
    holders = {"A": "commander", "B": "rival"}
    outside = tuple(role for seat, role in holders.items() if seat not in fighting)
    inside = tuple(role for seat, role in holders.items() if seat in fighting)
    assert inside
    makes = [lambda: battle(0), lambda: battle(1)]
    compare(chance, makes, (*outside, "watcher"), seen_by=(*inside, "umpire"))
    with twin(chance):
        there = battle(0)
        here = way("campaign", there.campaign)
        carded = {
            role: bool(CARD_OF_A_UNIT.search(one_page(there, role, here, chance)))
            for role in (*outside, "watcher", *inside)
        }
    assert carded == {role: role in inside for role in carded}, "cards go with the field"


def test_a_move_that_a_seat_may_not_see_is_not_drawn(chance: Chance) -> None:
    """Nor is it told by the caption; all others are."""
    shown = []
    for audience in (None, ("B",)):
        with twin(chance):
            there = world(system="thucidide", seats=2, turns=a_turn_of_both)
            with read_lock(there.campaign) as table:
                table.told[:] = [
                    replace(event, audience=audience) if event.data.get("seat") == "B" else event
                    for event in table.told
                ]
            shown.append(
                one_page(there, "commander", way("seat", there.campaign, seat="A"), chance)
            )
    known, hidden = ('class="last"' in page for page in shown)
    assert known
    assert not hidden


def a_turn_of_both(game: Game) -> bool:
    return bool(game.state.turn == 3 and any("A" in each.missing for each in game.requests()))
