"""Whether a seat had anything to decide changes nothing that others get; its own page says so."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from polemarque.club.campaigns.bot_turns import let_play
from polemarque.club.campaigns.session import read_lock, write_lock
from polemarque.club.models import Seat
from polemarque.club.orders.answers import seal
from polemarque.club.people.roles import visit_of
from polemarque.club.trust.proofs import exported
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import Adjust, Answer
from polemarque.systems.atlantide.purchases import reorganisation_refusal
from polemarque.web import stream
from tests.web.people import said
from tests.web.twins import Chance, differences, everything, heard_while, twin
from tests.web.world import World, open_key, play_on, world

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(600)]

OTHERS = ("rival", "watcher")


@pytest.fixture
def chance(monkeypatch: pytest.MonkeyPatch) -> Chance:
    monkeypatch.setattr(stream, "PING", 0.02)
    return Chance(monkeypatch)


def loot_is_asked(game: Game) -> bool:
    return any(request.rule == "AT-5.2" for request in game.requests())


def spending(loot: int) -> World:
    """A campaign at the first sheet of loot; A, who may have none, has so much.

    Its dice are committed, so that some events leave an army to reorganise: then it is made again.
    """
    for _ in range(20):
        there = world()
        play_on(there, loot_is_asked)
        with read_lock(there.campaign) as table:
            if reorganisation_refusal(table.game.state, "A"):
                break
    with write_lock(there.campaign) as table:
        table.game.enter(Adjust("loot.A", loot, "as the umpire says", "2026-11-23"))
        (request,) = table.game.requests()
        assert bool(request.spared("A")) == (not loot)
    there.campaign.refresh_from_db()
    return there


def keeps_all(there: World, seat: str, who: str) -> None:
    """A seat seals that it spends nothing."""
    key = open_key(there, seat)
    with read_lock(there.campaign) as table:
        _, request = table.game.runner.find(key)
        value = request.options(seat).quiet()  # type: ignore[union-attr]
    seal(there.campaign, there.people[who], seat, key, value, once=f"{seat}1")


@pytest.mark.slow
@pytest.mark.parametrize("sealed", [False, True])
def test_others_get_the_same_whether_it_had_anything_to_decide(
    chance: Chance, sealed: bool
) -> None:
    """A that has loot keeps it, sealed before anybody; A that has none is never asked."""
    found = []
    for loot in (500, 0):
        with twin(chance):
            there = spending(loot)
            if sealed and loot:
                keeps_all(there, "A", "commander")
            found.append({role: everything(there, role, chance) for role in OTHERS})
    for role in OTHERS:
        assert differences(found[0][role], found[1][role]) == {}, role


def test_where_its_answer_stands_in_the_record_tells_nothing() -> None:
    """Dice that fall afterwards differ by chance, so what is compared ends with the last answer."""
    found = []
    for loot in (500, 0):
        there = spending(loot)
        if loot:
            keeps_all(there, "A", "commander")
        keeps_all(there, "B", "rival")
        let_play(there.campaign, 20)
        with read_lock(there.campaign) as table:
            given = [n for n, e in enumerate(table.game.entries) if rule_of(e) == "AT-5.2"]
        visit = visit_of(there.campaign, there.people["rival"])
        lines = exported(visit, "B").decode().split("\n")[1 : given[-1] + 2]
        parts = [json.loads(line.rstrip(","))[1] for line in lines]
        found.append(
            [part[1:3] if isinstance(part, list) else "hidden" for part in parts[given[0] :]]
        )
        assert len(given) == 3
    assert found[0] == found[1]


def rule_of(entry: object) -> str:
    return entry.key.rule if isinstance(entry, Answer) else ""


@pytest.mark.slow
@pytest.mark.parametrize("role", OTHERS)
def test_open_pages_hear_nothing_of_who_has_sealed(chance: Chance, role: str) -> None:
    with twin(chance):
        there = spending(500)
        heard = heard_while(there, role, [lambda: keeps_all(there, "A", "commander")])
    assert [what for number, what in heard if number] == []


@pytest.mark.parametrize(
    ("lang", "done"),
    [
        ("fr", "Vous n'avez rien à décider ici : la réponse est scellée pour vous."),
        ("en", "You have nothing to decide here: the answer is sealed for you."),
    ],
)
def test_its_own_page_asks_nothing_and_says_so(lang: str, done: str) -> None:
    there = spending(0)
    page = reverse("seat", kwargs={"code": there.campaign.code, "seat": "A"})
    window = there.browser("commander", lang=lang)
    shown = said(window.get(page)).replace("\N{NO-BREAK SPACE}", " ").replace("’", "'")
    assert done in shown and "data-asked" not in shown and 'name="key"' not in shown
    orders = reverse("orders", kwargs={"code": there.campaign.code, "seat": "A"})
    assert "AT-5.2" not in said(window.get(orders)), "no order form is written for it"


def test_a_seat_can_ask_to_be_asked(client: object) -> None:
    there = spending(0)
    where = {"code": there.campaign.code, "seat": "A"}
    window = there.browser("commander")
    assert window.post(reverse("spare", kwargs=where), {"spared": "no"}).status_code == 303
    assert not Seat.objects.get(campaign=there.campaign, code="A").spared
    assert 'name="key"' in said(window.get(reverse("seat", kwargs=where)))
    window.post(reverse("spare", kwargs=where), {"spared": "yes"})
    assert Seat.objects.get(campaign=there.campaign, code="A").spared
