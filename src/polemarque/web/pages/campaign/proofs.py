"""What everybody may check: the chain, the folds, the seeds, the dice; and the proof of a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import render

from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.campaigns.visibility import known_entries, seat_names
from polemarque.club.orders.physical_dice import witnessed
from polemarque.club.people.roles import Visit
from polemarque.club.transfer.models import Stay
from polemarque.club.trust.dice_odds import tells_odds
from polemarque.club.trust.proofs import (
    FULL,
    acts,
    exported,
    exports,
    folds,
    fortune,
    operator_plays,
    receipts_of,
)
from polemarque.club.trust.verify_upload import File, prove_apart
from polemarque.club.umpire.secrets_read import RECORD, STORY, look
from polemarque.kernel.errors import NotAllowed, NotUnderstood, Refusal
from polemarque.kernel.records.commitment import OPEN
from polemarque.kernel.records.proof import LATER, Proof
from polemarque.odds.wording import mean
from polemarque.report.luck import Luck, of_nobody
from polemarque.web.access import ClubRequest, anyone, inside_begun, page
from polemarque.web.downloads import as_file
from polemarque.web.i18n import refusal_text, say
from polemarque.web.pages.campaign.campaign import frame_of

MOST_FOLDS = 60
"""At most this many sealed answers are listed; the others stand in the exports."""

MOST_BYTES = 3 * 2**20
MOST_RECEIPTS = 20
"""What the page of proofs takes; `polemarque verify` takes more."""


@page(inside_begun)
def trust(request: ClubRequest, visit: Visit) -> HttpResponse:
    """Everything by which a reader can check the campaign."""
    return _shown(request, visit)


def _shown(request: ClubRequest, visit: Visit, refused: str = "") -> HttpResponse:
    """The page.   refused: why the export that was asked for cannot be had."""
    lang = request.lang
    campaign = visit.campaign
    look(visit, STORY)
    with read_lock(campaign) as table:
        game = table.game
        context = frame_of(visit, table, lang) | {
            "refused": refused,
            "dice": game.header.dice,
            "anchors": [each[OPEN] for each in game.commitment.anchors],
            "words": _words(table, lang),
            "typed": _typed(table, lang),
            "shown": sorted(game.commitment.shown.items(), reverse=True),
            "folds": folds(visit, table, MOST_FOLDS),
            "acts": acts(visit, table),
            "odds": tells_odds(table, visit.eye),
            "luck": _luck(fortune(table, visit.eye), seat_names(game, lang), lang),
            "exports": _exports(exports(visit, table), seat_names(game, lang), lang),
            "operator_plays": operator_plays(campaign),
            "from_file": Stay.objects.filter(campaign=campaign, code="").last(),
            "count": known_entries(visit, table),
            "mine": receipts_of(visit, MOST_FOLDS),
        }
    return render(request, "trust/trust.html", context, status=409 if refused else 200)


def _words(table: LiveCampaign, lang: str) -> list[tuple[str, str]]:
    names, given = seat_names(table.game, lang), table.game.commitment.words
    return [(names.get(seat, seat), word) for seat, word in given.items()]


def _typed(table: LiveCampaign, lang: str) -> list[str]:
    """On whose word typed dice stand."""
    names = seat_names(table.game, lang)
    return [
        say(lang, "trust.typed_by_seat", n=each.rolls, seat=names[each.seat])
        if each.seat
        else say(lang, "trust.typed_by_umpire", n=each.rolls)
        for each in witnessed(table)
    ]


def _exports(kinds: list[str], names: dict[str, str], lang: str) -> list[tuple[str, str]]:
    """Each export that can be had, with what it is called."""
    fixed = {kind: say(lang, f"trust.export_{kind}") for kind in ("public", "full")}
    return [
        (kind, fixed.get(kind) or say(lang, "trust.export_seat", seat=names.get(kind, kind)))
        for kind in kinds
    ]


def _luck(found: tuple[Luck, ...], names: dict[str, str], lang: str) -> list[dict[str, Any]]:
    """The luck report, a row for each seat and kind of dice, figures in the reader's writing.

    The first row of a seat has `rows`, how many it has, and its verdict.  The last ones are of the
    dice that are nobody's.
    """
    said = {each.seat: names.get(each.seat, each.seat) for each in found}
    said |= {"": say(lang, "trust.all_dice")}
    told = [(said[each.seat], each.verdict, each.kinds) for each in found]
    told.append((say(lang, "trust.nobodys_dice"), "nobody", of_nobody(found)))
    rows: list[dict[str, Any]] = []
    for who, verdict, kinds in told:
        first = {"who": who, "verdict": say(lang, f"trust.luck_{verdict}"), "rows": len(kinds)}
        rows += [
            {
                "dice": say(lang, "trust.dice_of", n=kind.dice, sides=kind.sides),
                "mean": mean(kind.total / kind.dice, lang),
                "expected": mean(kind.expected / kind.dice, lang),
                **(first if number == 0 else {}),
            }
            for number, kind in enumerate(kinds)
        ]
    return rows


@page(inside_begun)
def export(request: ClubRequest, visit: Visit, kind: str) -> HttpResponse:
    """The record as the reader may have it, as a file."""
    try:
        if kind == FULL:
            look(visit, RECORD)
        raw = exported(visit, kind)
    except Refusal as refusal:
        if refusal.code == "export.reader":
            raise Http404 from None
        return _shown(request, visit, refusal_text(request.lang, refusal))
    return as_file(raw, f"{visit.campaign.code}-{kind}.json")


# Proofs ------------------------------------------------------------------------------------------


@page(anyone, post=True)
def verify(request: ClubRequest) -> HttpResponse:
    """A form for a record and receipts, and what they prove."""
    if request.method != "POST":
        return render(request, "trust/verify.html", {})
    lang = request.lang
    try:
        name, raw = _record(request)
        receipts = _receipts(request)
        proof = prove_apart(raw, receipts)
    except Refusal as refusal:
        field = "receipts" if refusal.code in OF_RECEIPTS else "record"
        errors = {field: refusal_text(lang, refusal)}
        return render(request, "trust/verify.html", {"errors": errors}, status=422)
    context = {"proof": _said(proof, [of for of, _ in receipts], lang), "name": name}
    return render(request, "trust/verify.html", context)


OF_RECEIPTS = frozenset({"receipt.unreadable", "receipt.too_long", "receipt.too_many"})
"""Codes of refusals that concern the receipts; others concern the record."""


def _record(request: ClubRequest) -> File:
    """The file that is to be checked.  Raises Refusal."""
    record = request.FILES.get("record")
    if record is None or not record.size:
        raise NotUnderstood("verify.nothing")
    if record.size > MOST_BYTES:
        raise NotAllowed("verify.too_long", part=record.name, most=MOST_BYTES // 2**20)
    return _read(record)


def _receipts(request: ClubRequest) -> list[File]:
    """The receipts that came with it.  Raises NotAllowed if they are too many or too long."""
    kept = request.FILES.getlist("receipts")
    if len(kept) > MOST_RECEIPTS:
        raise NotAllowed("receipt.too_many", part=len(kept), most=MOST_RECEIPTS)
    if sum([one.size or 0 for one in kept]) > MOST_BYTES:
        raise NotAllowed("receipt.too_long", most=MOST_BYTES // 2**20)
    return [_read(one) for one in kept]


def _read(file: UploadedFile[bytes]) -> File:
    return str(file.name), file.read()


def _said(proof: Proof, receipts: Sequence[str], lang: str) -> dict[str, Any]:
    """A proof in words.   receipts: what their files are called."""
    kind, _, seat = proof.reader.partition(":")
    reason = refusal_text(lang, proof.reason) if proof.reason else ""
    known = not reason or bool(proof.entries or proof.altered)
    return {
        "holds": proof.holds,
        "reason": reason[:1].upper() + reason[1:],
        "altered": proof.altered,
        "entries": proof.entries,
        "hidden": proof.hidden,
        "replayed": proof.replayed,
        "head": proof.head,
        "over": proof.over,
        "of": say(lang, "verify.of", kind=kind, seat=seat) if known else "",
        "rolls": [
            (say(lang, f"trust.rolls_{verdict}", n=count), verdict)
            for verdict, count in proof.rolls.items()
            if count
        ],
        "receipts": [
            (name, say(lang, f"trust.receipt_{fault or 'held'}"), fault in ("", LATER))
            for name, fault in zip(receipts, proof.receipts, strict=False)
        ],
    }
