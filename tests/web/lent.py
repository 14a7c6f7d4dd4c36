"""A campaign in which seat A fights a battle, and a guest to whom its side is lent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from polemarque.club.campaigns.lobby import accept, token_of
from polemarque.club.campaigns.session import read_lock, write_lock
from polemarque.club.models import GUEST, Invitation, Person
from polemarque.club.people.guests import battles
from polemarque.club.people.invitations import invite_to
from polemarque.club.people.roles import visit_of
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import Adjust
from polemarque.kernel.request import Key, Request
from tests.web.people import way
from tests.web.world import World, person, play_on, world


def asked_in_battle(seat: str) -> Callable[[Game], bool]:
    """Whether a battle that is fought asks something of a seat."""

    def reached(game: Game) -> bool:
        paths = {inner.path for _, inner in battles(game, seat)}
        return any(request.path in paths for request in game.requests(seat))

    return reached


def fighting(seat: str = "A", resolver: str = "thucidide", **more: Any) -> World:
    """A campaign in which a seat is asked something by a battle that it fights; another person's
    seat is on the other side."""
    there = world(**{"seats": 2, "options": {"resolver": resolver}, **more})
    to_battle(there, seat)
    return there


def to_battle(there: World, seat: str = "A", reached: Callable[[Game], bool] | None = None) -> None:
    """Have programs play everybody until a battle asks a seat something, or something is reached.

    Two programs would hardly ever meet: whoever is to move in a duel is put where the other army
    stands, and stays there.
    """
    asks = reached or asked_in_battle(seat)

    def stops(game: Game) -> bool:
        return asks(game) or bool(_marching(game))

    while True:
        play_on(there, stops)
        with write_lock(there.campaign) as table:
            game = table.game
            if asks(game):
                break
            request = _marching(game)[0]
            mover = request.missing[0]
            other = next(army.place for code, army in _armies(game).items() if code != mover)
            if _armies(game)[mover].place != other:
                game.enter(Adjust(f"place.{mover}", other, "they meet"))
                game.settle()
                request = _marching(game)[0]
            game.answer(mover, request.absent(mover), request.keys[mover])
            game.settle()
    there.campaign.refresh_from_db()


def _armies(game: Game) -> dict[str, Any]:
    return {code: each.army for code, each in game.state.seats.items() if each.army is not None}


def _marching(game: Game) -> list[Request]:
    """What asks where one of two armies goes."""
    if len(game.header.seats) > 2 or len(_armies(game)) < 2:
        return []
    return [request for request in game.requests() if request.rule == "AT-7.2"]


def path_of(there: World, seat: str = "A") -> str:
    """The path of the first battle that a seat fights."""
    with read_lock(there.campaign) as table:
        return next(inner.path for _, inner in battles(table.game, seat))


def battle_key(there: World, seat: str = "A") -> Key:
    """The first question that the battle asks of a seat."""
    path = path_of(there, seat)
    with read_lock(there.campaign) as table:
        return next(r.keys[seat] for r in table.game.requests(seat) if r.path == path)


def link_by(there: World, role: str, seat: str = "A") -> str:
    """The secret part of a link that somebody makes for a guest in a seat's battle."""
    visit = visit_of(there.fresh(), there.people[role])
    return token_of(invite_to(visit, seat, GUEST, path_of(there, seat)))


def lent(there: World, by: str = "commander", seat: str = "A", who: str = "guest") -> Person:
    """Have a seat's battle lent to somebody."""
    guest = person(who)
    there.people[who] = guest
    accept(link_by(there, by, seat), guest)
    return guest


def page_of(there: World, name: str = "guest", seat: str = "A", **parts: str) -> str:
    """The address of one of the guest's pages."""
    return way(name, there.campaign, path=path_of(there, seat), **parts)


def unused(there: World) -> Invitation:
    """The link for a guest that nobody has used."""
    return Invitation.objects.get(campaign=there.campaign, role=GUEST, used=None)
