"""Who plays which seat: people by name, bots by theirs.

Names never enter a record.  They are kept in a paper beside it, so that a game that was left is
resumed by the same people and the same bots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from polemarque.bots.registry import STEADY, bot
from polemarque.cli.common import catalogue, reason_of, say
from polemarque.cli.records import put_whole
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.files.decoding import from_json
from polemarque.kernel.files.texts import LANGUAGES
from polemarque.kernel.request import UMPIRE

BOT = "bot:"


class Seating(msgspec.Struct, frozen=True, omit_defaults=True):
    """seat -> name of the person, and seat -> name of the bot.

    club: the code of the campaign that the game is in a club, until it is taken back; or "".
    """

    people: dict[str, str] = {}
    bots: dict[str, str] = {}
    club: str = ""

    def __post_init__(self) -> None:
        """Raises ValueError on signs that a terminal obeys: the paper may be of a stranger."""
        names = (*self.people.items(), *self.bots.items(), (self.club,))
        if not "".join(["".join(each) for each in names]).isprintable():
            raise ValueError(say("error.seats.signs"))

    def playing_umpire(self, seats: Sequence[str]) -> str:
        """The seat that the umpire plays, or ""."""
        umpire = self.people.get(UMPIRE)
        own = [seat for seat in seats if umpire is not None and self.people.get(seat) == umpire]
        return own[0] if own else ""


def bots_of(seats: Sequence[str], given: str, system: str) -> dict[str, str]:
    """Bots for all seats in turn: ``steady,random`` goes round; nothing given is all steady.

    Raises NotUnderstood on an unknown bot, NotAllowed on more bots than seats.
    """
    names = [name.strip() for name in given.split(",") if name.strip()] or [STEADY]
    if len(names) > len(seats):
        raise NotAllowed("seats.bots", part=len(names), legal=(f"1-{len(seats)}",))
    for name in names:
        bot(name, system)
    return {seat: names[n % len(names)] for n, seat in enumerate(seats)}


def default_names(seats: Sequence[str]) -> dict[str, str]:
    """What players, and the umpire, are called who give no name."""
    return {**{seat: say("play.player", seat=seat) for seat in seats}, UMPIRE: say("play.umpire")}


def people_and_bots(
    seats: Sequence[str],
    given: Sequence[str],
    people: int | None,
    bots: str,
    system: str,
    called: Mapping[str, str],
) -> Seating:
    """The seating of a new game.

    given:  ``A=Alice``, ``B=bot:random``, ``umpire=Zoé``; the other seats are bots.
    people: without `given`, how many seats from the first on are people (one if None).
    bots:   the bots of the other seats, in turn.
    called: what a seat's player is called who gave no name; the umpire's name stands there too.
    """
    named = _named(given, (*seats, UMPIRE))
    for name in named.values():
        if name.startswith(BOT):
            bot(name.removeprefix(BOT), system)
    if people is not None and not 0 <= people <= len(seats):
        raise NotAllowed("seats.people", part=people, legal=(f"0-{len(seats)}",))
    if people is None:
        people = 0 if any(seat in named for seat in seats) else 1
    for seat in seats[:people]:
        named.setdefault(seat, called[seat])
    left = [seat for seat in seats if seat not in named]
    playing = bots_of(left, bots, system) if left else {}
    persons = {seat: name for seat, name in named.items() if not name.startswith(BOT)}
    if persons:
        persons.setdefault(UMPIRE, called[UMPIRE])
    playing |= {s: n.removeprefix(BOT) for s, n in named.items() if n.startswith(BOT)}
    return Seating(persons, playing)


def _named(given: Sequence[str], seats: Sequence[str]) -> dict[str, str]:
    named = {}
    for each in given:
        seat, equals, name = each.partition("=")
        if not equals or not name.strip():
            raise NotUnderstood("seat.spec", part=each, legal=("A=Alice", f"B={BOT}{STEADY}"))
        if not name.isprintable():
            raise NotUnderstood("seat.spec", part=ascii(each), legal=())
        if seat not in seats:
            raise NotUnderstood("seat.unknown", part=seat, legal=seats)
        named[seat] = name.strip()
    return named


def seating_file(record: Path) -> Path:
    """Where the seating of a record is kept."""
    return record.with_name(record.name.removesuffix(".json") + ".seats.json")


def keep_seating(record: Path, seating: Seating) -> None:
    """Write the seating beside its record."""
    paper = msgspec.json.format(msgspec.json.encode(seating), indent=1)
    put_whole(seating_file(record), paper + b"\n")


def kept_seating(record: Path) -> Seating | None:
    """The seating kept beside a record, or None.  Raises NotUnderstood if it cannot be read."""
    path = seating_file(record)
    try:
        return from_json(path.read_bytes(), Seating)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError, msgspec.ValidationError) as fault:
        raise NotUnderstood("file.unreadable", part=path, reason=reason_of(fault)) from None


def called_beside(record: Path) -> dict[str, dict[str, str]]:
    """The names that players gave, kept beside a record, as a family of names for readers.

    A player without a name is known by their seat.
    """
    seating = kept_seating(record)
    if seating is None:
        return {}
    texts = catalogue()
    named = {
        seat: name
        for seat, name in seating.people.items()
        if all(name != texts.say(lang, "play.player", seat=seat) for lang in LANGUAGES)
    }
    return {"player": {seat: name for seat, name in named.items() if seat != UMPIRE}}
