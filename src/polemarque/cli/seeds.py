"""The seeds of committed dice: kept beside a game while it is played, and shown as it goes on.

Whoever reads that file can compute every coming die.  It stays when the game is over: a correction
may open the game again, and its new rolls come from seeds that were not shown yet.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import msgspec

from polemarque.cli.common import reason_of
from polemarque.cli.records import make_folder, put
from polemarque.kernel.commitment import Chains, committed_header, new_chains, new_word
from polemarque.kernel.conversion import from_json
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.game import Game
from polemarque.kernel.record import COMMITTED, Answer, Header, Word


def seeds_file(record: Path) -> Path:
    """Where the seeds of a record are kept."""
    return record.with_name(record.name.removesuffix(".json") + ".seeds.json")


def commit(header: Header) -> tuple[Header, Chains]:
    """The header of a game with committed dice, and the seeds that it is committed to."""
    chains = new_chains(header.seats)
    return committed_header(header, chains), chains


def keep_seeds(record: Path, chains: Chains) -> None:
    """Write the seeds beside their record, for its owner's eyes only, and those of later chains."""
    path = seeds_file(record)
    make_folder(path.parent)
    secret = [{owner: seed.hex() for owner, seed in each.items()} for each in chains.last]
    paper = msgspec.json.encode(secret if len(secret) > 1 else secret[0]).decode() + "\n"
    put(path, paper, mode=0o600)
    chains.journal = partial(keep_seeds, record)


def take_up(record: Path, game: Game) -> None:
    """Hold the seeds of a game that is resumed, if its dice are committed and it is not over.

    Raises NotAllowed if they are not beside its record, NotUnderstood if they cannot be read.
    """
    if game.header.dice != COMMITTED or game.over:
        return
    path = seeds_file(record)
    try:
        kept = from_json(path.read_bytes(), dict[str, str] | list[dict[str, str]])
        first, *further = [
            {owner: bytes.fromhex(seed) for owner, seed in each.items()}
            for each in (kept if isinstance(kept, list) else [kept])
        ]
        chains = Chains(first, further=further)
        chains.journal = partial(keep_seeds, record)
    except FileNotFoundError:
        raise NotAllowed("run.no_seeds", part=path) from None
    except (OSError, msgspec.DecodeError, msgspec.ValidationError, ValueError) as fault:
        raise NotUnderstood("file.unreadable", part=path, reason=reason_of(fault)) from None
    game.hold(chains)


def give_words(game: Game, typed: Mapping[str, str] | None = None) -> None:
    """Words of all seats that have given none, a playing umpire's first; random where not typed."""
    words = typed or {}
    seats = sorted(game.header.seats, key=lambda seat: seat != game.header.umpire)
    for seat in seats:
        if seat not in game.commitment.words:
            game.enter(Word(seat, words.get(seat) or new_word()))


def keep_receipt(record: Path, game: Game, answer: Answer) -> Path:
    """Write the receipt of a sealed answer that was just given; where it is."""
    receipt = game.receipt(answer)
    folder = record.with_name(record.name.removesuffix(".json") + ".receipts")
    make_folder(folder)
    path = folder / f"{answer.key.seat}-{receipt.digest[:16]}.json"
    put(path, msgspec.json.format(msgspec.json.encode(receipt), indent=1).decode() + "\n")
    return path
