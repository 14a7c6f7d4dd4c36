"""A campaign in which seat A fights a battle, and a guest to whom its side is lent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from polemarque.club.guests import battles
from polemarque.club.models import GUEST, Invitation, Person
from polemarque.club.muster import accept, token_of
from polemarque.club.people import invite_to
from polemarque.club.roles import visit_of
from polemarque.club.tables import reading
from polemarque.kernel.game import Game
from polemarque.kernel.request import Key
from tests.web.people import way
from tests.web.world import World, person, world


def asked_in_battle(seat: str) -> Callable[[Game], bool]:
    """Whether a battle that is fought asks something of a seat."""

    def reached(game: Game) -> bool:
        paths = {inner.path for _, inner in battles(game, seat)}
        return any(request.path in paths for request in game.requests(seat))

    return reached


def fighting(seat: str = "A", resolver: str = "thucidide", **more: Any) -> World:
    """A campaign in which a seat is asked something by a battle that it fights; another person's
    seat is on the other side."""
    return world(
        **{
            "seats": 2,
            "options": {"resolver": resolver},
            "turns": asked_in_battle(seat),
            **more,
        }
    )


def path_of(there: World, seat: str = "A") -> str:
    """The path of the first battle that a seat fights."""
    with reading(there.campaign) as table:
        return next(inner.path for _, inner in battles(table.game, seat))


def battle_key(there: World, seat: str = "A") -> Key:
    """The first question that the battle asks of a seat."""
    path = path_of(there, seat)
    with reading(there.campaign) as table:
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
