"""Of an umpire who plays no seat it is entered which of others' secrets he reads, page by page.

Complete by construction: every address says in the matrix of what kind they are, or that nothing
secret stands there, and both are proved.
"""

from __future__ import annotations

from random import Random

import pytest
from django.urls import reverse

from polemarque.bots.play import play_game
from polemarque.bridges.tabletop import blank
from polemarque.club.campaigns.question_keys import key_text
from polemarque.club.campaigns.session import read_lock
from polemarque.club.models import Watcher
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.record import LOOKS, Answer, Looked
from polemarque.kernel.request import DICE, UMPIRE
from polemarque.web.urls import urlpatterns
from tests.club.people import kept
from tests.contract.secrets import SECRETS
from tests.web.test_matrix import NOT, OPEN, ROWS, addresses, undone, waiting_act
from tests.web.twins import FORGED, Chance, Names, differences, twin
from tests.web.world import World, person, world

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(300)]

METHODS = ("get", "post")
SHOWN = {200, 409, 422}
"""Statuses of a page that tells something of the campaign."""

ADJUST = {"kind": "figures.SEAT.NUMBER", "part": "A"}
"""What of a seat can be adjusted is asked for: the units that it has."""

LATEST = 9
"""By which turn a game has to have come to two battles."""

OF_CAMPAIGN = [
    pattern.name for pattern in urlpatterns
    if "code" in pattern.pattern.converters and pattern.name != "events"
]  # fmt: skip
"""The pages about one campaign; the stream never ends (see test_noninterference.py)."""


@pytest.fixture
def chance(monkeypatch: pytest.MonkeyPatch) -> Chance:
    return Chance(monkeypatch)


def two_battles() -> Game:
    """A game in which battles are fought on the table, and the umpire is to judge between the
    sheets that came back from one of them."""
    for seed in range(1, 40):
        options = {"resolver": "tabletop"}
        game = Game(new_header("atlantide", seats=6, seed=seed, options=options))
        bots = dict.fromkeys(game.header.seats, "steady")
        play_game(game, bots, stop=lambda game: game.runner.period > LATEST or _two(game))
        if _two(game):
            brief, runner = game.runner.branches[0]
            for side in brief.sides:
                (request,) = [r for r in game.requests(side.seat) if r.path == runner.path]
                won = {"result": "attacker" if side is brief.sides[0] else "defender"}
                game.answer(side.seat, blank(brief) | won, request.keys[side.seat])
            assert game.requests(UMPIRE)
            return game
    raise AssertionError("no game came to two battles")


def _two(game: Game) -> bool:
    return game.runner.period > 1 and len(game.runner.branches) > 1


def full() -> World:
    """A campaign that holds secrets of every kind, umpired by "umpire", who plays no seat."""
    made = kept(two_battles())
    made.umpires.update(person=person("umpire"))
    people = {name: person(name) for name in ("umpire", "adviser", "watcher")}
    Watcher.objects.create(campaign=made, person=people["watcher"])
    return World(made, people)


def forms(there: World) -> dict[str, dict[str, str]]:
    """What has to be asked of a page, for it to tell something: name -> fields."""
    with read_lock(there.campaign) as table:
        game = table.game
        owed = next(r.keys[r.missing[0]] for r in game.requests() if UMPIRE not in r.missing)
        given = next(
            e.key for e in game.effective if isinstance(e, Answer) and e.key.seat not in (DICE,)
        )
        path = game.runner.branches[-1][1].path
    work = {"do": "work"}
    return {
        "desk_absent": {"key": key_text(owed)},
        "correct": {"key": key_text(given)} | work,
        "result": {"path": path} | work,
        "adjust": ADJUST,
    }


def ways(there: World) -> dict[str, str]:
    found = addresses(there, "0" * 64, waiting_act(there))
    code = there.campaign.code
    return found | {"export": reverse("export", kwargs={"code": code, "kind": "full"})}


def entered(there: World) -> list[str]:
    """The kinds of what was read, in order."""
    with read_lock(there.campaign) as table:
        return [entry.what for entry in table.game.entries if isinstance(entry, Looked)]


@pytest.mark.slow
def test_every_page_enters_what_is_read_there_and_nothing_else() -> None:
    there = full()
    fields, secret = forms(there), set()
    for name, way in ways(there).items():
        row = ROWS[name]
        for method in [m for m in METHODS if getattr(row, m) != NOT]:
            with undone():
                client = there.browser("umpire")
                status = getattr(client, method)(way, fields.get(name, {})).status_code
                wanted = row.reads.split() if status in SHOWN else []
                assert entered(there) == wanted, (name, method, status)
            secret |= {name} if wanted else set()
    assert secret == {name for name, row in ROWS.items() if row.reads}


def test_the_kinds_are_those_of_the_record() -> None:
    said = {kind for row in ROWS.values() for kind in row.reads.split()}
    assert said == set(LOOKS)


# Where nothing secret stands ---------------------------------------------------------------------


def holding(seed: int) -> World:
    """A campaign in which seats hold something else than is written down."""
    there = world(turns=3)
    with read_lock(there.campaign) as table:
        runner = table.game.runner
        runner.state = SECRETS["atlantide"](runner.state, "", Random(seed))
    return there


def told(chance: Chance, seed: int, names: list[str]) -> dict[str, str]:
    """The pages of those names as the umpire reads them, but for what is made by chance."""
    with twin(chance):
        there = holding(seed)
        client, found = there.browser("umpire"), {}
        for name, way in addresses(there, "0" * 64, waiting_act(there)).items():
            if name in names:
                chance.again()
                text = client.get(way, ADJUST if name == "adjust" else {}).content.decode()
                found[name] = Names(there).put(FORGED.sub(lambda at: at[1] or at[2], text))
        return found


def test_pages_that_enter_nothing_read_the_same_whatever_seats_hold(chance: Chance) -> None:
    names = ["home", *[name for name in OF_CAMPAIGN if ROWS[name].reads == OPEN]]
    one, other = [told(chance, seed, names) for seed in (1, 2)]
    assert differences(one, other) == {}


def test_a_page_that_shows_what_seats_hold_would_not(chance: Chance) -> None:
    one, other = [told(chance, seed, ["adjust"]) for seed in (1, 2)]
    assert differences(one, other).keys() == {"adjust"}
