"""Two clubs in one database: while one plays, the other's campaign has another name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from polemarque.club.campaigns.session import read_lock
from polemarque.club.models import Campaign, Person
from polemarque.club.orders.answers import seal
from polemarque.club.people.roles import visit_of
from polemarque.club.transfer.models import Outing
from polemarque.club.transfer.outgoing import file_of, take
from polemarque.club.transfer.package import read_parcel
from polemarque.club.transfer.visiting import send_home, take_in
from polemarque.kernel.game import Game
from polemarque.kernel.request import Key
from tests.club.people import person


@contextmanager
def elsewhere(home: Campaign) -> Iterator[None]:
    """In another club, which knows nothing of a campaign."""
    code = home.code
    Campaign.objects.filter(pk=home.pk).update(code=f"home-{code}")
    Campaign.objects.filter(code=f"hall-{code}").update(code=code)
    try:
        yield
    finally:
        Campaign.objects.filter(code=code).update(code=f"hall-{code}")
        Campaign.objects.filter(pk=home.pk).update(code=code)


def taken(home: Campaign, umpire: Person) -> Outing:
    """The campaign leaves its club."""
    return take(home, visit_of(home, umpire))


def hosted(outing: Outing, umpire: str = "hector") -> Campaign:
    """The campaign as it is taken in in the hall; to be called `elsewhere`."""
    parcel = read_parcel(file_of(outing))
    return take_in(parcel, outing.code, person(umpire))


def played(here: Campaign, answers: int, seed: int, who: Person) -> int:
    """Have somebody give so many random answers for whoever is asked; how many were given."""
    rng = Random(seed)
    for number in range(answers):
        with read_lock(here) as table:
            if not table.game.requests():
                return number
            seat, key, value, salt = chosen(table.game, rng)
        seal(here, who, seat, key, value, once=f"{seed}-{number}", salt=salt)
    return answers


def played_alone(game: Game, answers: int, seed: int) -> None:
    """The same answers, given to a game that no club keeps."""
    rng = Random(seed)
    game.settle()
    for _ in range(answers):
        if not game.requests():
            return
        seat, key, value, salt = chosen(game, rng)
        game.answer(seat, value, key, salt=salt)
        game.settle()


def chosen(game: Game, rng: Random) -> tuple[str, Key, Any, str]:
    """Who answers, which question, what, and with which salt."""
    request = rng.choice(game.requests())
    seat = rng.choice(sorted(request.missing))
    value = request.options(seat).sample(rng)
    salt = f"{rng.getrandbits(256):064x}"
    return seat, request.keys[seat], value, salt if request.sealed else ""


def evening(outing: Outing, answers: int, seed: int = 0) -> bytes:
    """The file that comes back from an evening in the hall."""
    home = outing.campaign
    with elsewhere(home):
        here = hosted(outing)
        played(here, answers, seed, person("hector"))
        return file_of(send_home(here, person("hector")))
