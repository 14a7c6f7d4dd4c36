"""Receipts of sealed answers: kept for the seat, replaced with the answer, void with it."""

from __future__ import annotations

import msgspec

from polemarque.club.campaigns.question_keys import key_text, read_key
from polemarque.club.models import Campaign, Entry, Receipt
from polemarque.club.people.roles import Visit
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import Answer
from polemarque.kernel.request import Key

BY_UMPIRE = "umpire"
"""By whom an answer is that an umpire has put in the place of another."""


def keep_receipt(campaign: Campaign, game: Game, number: int, *, untold: bool = False) -> Receipt:
    """Keep the receipt of a sealed answer, the entry of that number; an earlier one is replaced.

    untold: nobody else may read that it was given (`Ask.spares`).
    """
    answer = game.entries[number - 1]
    assert isinstance(answer, Answer)
    made = game.receipt(answer)
    key = key_text(answer.key)
    Receipt.objects.filter(campaign=campaign, key=key, replaced=False).update(replaced=True)
    return Receipt.objects.create(
        campaign=campaign, seat=answer.key.seat, key=key, digest=made.digest,
        body=msgspec.json.encode(made), number=number, untold=untold or None,
    )  # fmt: skip


def receipt_of(entry: Entry) -> Receipt | None:
    """The receipt that was given for an entry, or None where it was no sealed answer."""
    return Receipt.objects.filter(campaign=entry.campaign_id, number=entry.number).first()


def receipt_for(visit: Visit, seat: str, digest: str) -> Receipt | None:
    """The receipt of that digest, if it is of a seat's answer that the reader may read, or None."""
    kept = Receipt.objects.filter(campaign=visit.campaign, seat=seat, digest=digest).first()
    return kept if kept is not None and visit.reaches(read_key(kept.key)) else None


def standing_receipt(campaign: Campaign, key: Key) -> Receipt | None:
    """The receipt of the sealed answer to a question that stands, or None."""
    kept = Receipt.objects.filter(campaign=campaign, key=key_text(key), replaced=False)
    return kept.last()


def void_receipts(campaign: Campaign, game: Game) -> None:
    """Mark the receipts of answers that stand no more: taken back, annulled, or replaced."""
    standing = {
        key_text(each.key)
        for each in game.effective
        if isinstance(each, Answer) and each.by != BY_UMPIRE
    }
    for receipt in Receipt.objects.filter(campaign=campaign, replaced=False):
        if receipt.key not in standing:
            receipt.replaced = True
            receipt.save(update_fields=["replaced"])
