"""The proofs of a campaign: what everybody may check, and what a file that is sent proves."""

from __future__ import annotations

import json
import os
import re
from functools import partial
from random import Random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from polemarque.bots.play import play_game
from polemarque.club.campaigns.lobby import CampaignPlan
from polemarque.club.campaigns.session import read_lock
from polemarque.club.campaigns.visibility import (
    boards,
    fought,
    known_entries,
    known_head,
    public_names,
)
from polemarque.club.models import Holder, Receipt
from polemarque.club.people.roles import called, visit_of
from polemarque.club.server import subprocesses
from polemarque.club.trust import verify_upload
from polemarque.club.trust.verify_upload import prove_apart, proved
from polemarque.kernel.errors import NotAllowed, NotUnderstood, Refusal
from polemarque.kernel.events import EventLog
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.proof import Proof, prove
from polemarque.kernel.records.record import write_record
from polemarque.report.luck import luck, luck_told
from polemarque.web.i18n import refusal_text
from polemarque.web.pages.campaign import proofs
from tests.web.people import browser, led_to, said, way
from tests.web.twins import DIGEST, GROUPED
from tests.web.world import World, person, play_on, sealed, world

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(300)]

VERIFY = "/verify/"


@pytest.fixture
def in_a_process_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify_upload, "apart", subprocesses.apart)


def digests(text: str) -> set[str]:
    """The digests that a reader can copy whole off a page."""
    whole = {found.replace("</span><span>", "") for found in GROUPED.findall(text)}
    return whole | set(DIGEST.findall(text))


def trust_page(there: World, role: str) -> str:
    answer = there.browser(role).get(way("trust", there.campaign))
    assert answer.status_code == 200
    return said(answer)


def exported(there: World, role: str, kind: str) -> bytes:
    answer = there.browser(role).get(way("export", there.campaign, kind=kind))
    assert answer.status_code == 200
    return bytes(answer.content)


def checked(record: bytes, *receipts: bytes, lang: str = "en") -> Any:
    files = [SimpleUploadedFile(f"receipt{n}.json", raw) for n, raw in enumerate(receipts)]
    fields = {"record": SimpleUploadedFile("record.json", record), "receipts": files}
    return browser(lang=lang).post(VERIFY, fields)


# What the page says ------------------------------------------------------------------------------


def test_digests_stand_there_in_full() -> None:
    there = world()
    first = sealed(there, "A", "commander")
    second = sealed(there, "B", "rival")
    text = trust_page(there, "watcher")
    assert {first.digest, second.digest, there.head} <= digests(text)
    with read_lock(there.campaign) as table:
        assert table.game.header.anchor in digests(text)
        assert all(word in text for word in table.game.commitment.words.values())


def test_a_fold_is_standing_then_replaced_or_taken() -> None:
    there = world()
    there.campaign.seats.filter(code="C").update(bot="")  # nobody answers: all stays sealed
    sealed(there, "A", "commander", 0)
    text = trust_page(there, "watcher")
    assert ">sealed<" in text
    assert ">in force<" not in text
    play_on(there, 2)
    text = trust_page(there, "watcher")
    assert ">in force<" in text
    assert ">sealed<" not in text
    assert way("chronicle", there.campaign) in text


def test_dice_that_are_no_seat_s_have_a_row_of_their_own() -> None:
    there = world(system="mare_nostrum")
    play_on(there, 2)
    assert "Thrown for nobody" in trust_page(there, "watcher")
    assert "events, the gods, whatever the rules give to no seat" in trust_page(there, "watcher")


def test_an_umpire_who_plays_learns_of_folds_once_he_has_sealed() -> None:
    there = world(playing=True, seats=4)
    third = person("third")
    there.people["third"] = third
    seat = there.campaign.seats.get(code="C")
    seat.bot = ""
    seat.save()
    Holder.objects.create(seat=seat, person=third)
    with read_lock(there.campaign) as table:
        count, head = table.count, table.head
    theirs = sealed(there, "B", "rival")
    visit = visit_of(there.fresh(), there.people["umpire"])
    with read_lock(there.campaign) as table:
        assert (known_entries(visit, table), known_head(visit, table)) == (count, head)
        assert table.count == count + 1
    for role, knows in (("playing", False), ("third", True), ("watcher", False)):
        assert (theirs.digest in digests(trust_page(there, role))) is knows, role
        assert (theirs.digest[:8] in trust_page(there, role)) is knows, role
        assert (there.head in digests(trust_page(there, role))) is knows, role
    assert head in digests(trust_page(there, "playing"))
    assert prove(exported(there, "playing", "A")).head == head
    sealed(there, "A", "umpire")
    for role in ("playing", "third", "watcher"):
        assert theirs.digest in digests(trust_page(there, role))
        assert there.head in digests(trust_page(there, role))
    assert prove(exported(there, "playing", "A")).head == there.head


@pytest.mark.parametrize("dice", ["committed", "typed"])
def test_the_page_says_what_nothing_stops(dice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.web.world.CampaignPlan", partial(CampaignPlan, dice=dice))
    there = world()
    shown = trust_page(there, "watcher")
    assert "Nothing pins what comes after your last receipt" in shown
    assert "can read every secret, whether they play or not" in shown
    told = ("foresee the dice", "choose them where one salt is theirs", "seat, or where a player")
    assert [words in shown for words in told] == [dice == "committed"] * 3


@pytest.mark.parametrize(("playing", "words"), [(True, True), (False, False)])
def test_the_page_says_when_an_umpire_plays(playing: bool, words: bool) -> None:
    there = world(playing=playing)
    said_so = "An umpire of this campaign has a seat in it" in trust_page(there, "watcher")
    assert said_so is words
    assert "can read every secret" in trust_page(there, "watcher")


@pytest.mark.parametrize(
    ("system", "options", "most"),
    [("batailles", {}, 99), ("thucidide", {}, 99), ("mare_nostrum", {}, 2), ("atlantide", {}, 4)],
)
def test_the_luck_of_what_was_told_is_that_of_the_record(
    system: str, options: dict[str, Any], most: int
) -> None:
    told = EventLog()
    header = new_header(system, seed=5, options=options)
    game = Game(header, publish=told.append, withdraw=told.withdraw)
    bots = dict.fromkeys(header.seats, "steady")
    play_game(game, bots, seed=5, stop=lambda game: game.runner.period >= most)
    every = luck(header, game.entries)
    assert every[0].dice > 0
    assert luck_told(header, told) == every


# Exports and proofs ------------------------------------------------------------------------------


def test_each_export_holds_with_its_receipts(
    in_a_process_apart: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A busy machine may take its time.
    monkeypatch.setattr(proofs, "prove_apart", partial(prove_apart, limit=200))
    there = world()
    sealed(there, "A", "commander")
    sealed(there, "B", "rival")
    play_on(there, 2)
    mine = bytes(
        there.browser("commander").get(
            way("receipt", there.campaign, seat="A", digest=Receipt.objects.get(seat="A").digest)
        ).content
    )  # fmt: skip
    assert json.loads(mine)["time"][:16] == f"{Receipt.objects.get(seat='A').at:%Y-%m-%dT%H:%M}"
    for role, kind in (("watcher", "public"), ("commander", "A"), ("umpire", "full")):
        raw = exported(there, role, kind)
        assert exported(there, role, kind) == raw
        answer = checked(raw, mine)
        assert answer.status_code == 200
        text = said(answer)
        assert "“record.json” holds" in text, kind
        assert there.head in digests(text)
        assert "receipt0.json: holds" in text
    altered = raw.replace(b'"hittites"', b'"egyptians"') if b'"hittites"' in raw else raw[:-9]
    text = said(checked(altered, mine))
    assert "does not hold" in text


def test_the_proof_names_the_first_altered_entry() -> None:
    there = world()
    play_on(there, 2)
    lines = exported(there, "umpire", "full").split(b"\n")
    number = next(n for n, line in enumerate(lines) if b'"dice"' in line and n > 10)
    lines[number] = re.sub(rb"\[\d", b"[9", lines[number], count=1)
    found = prove(b"\n".join(lines))
    text = said(checked(b"\n".join(lines)))
    assert found.altered == number
    assert f"First altered entry: number {number}." in text


@pytest.mark.parametrize(
    ("line", "en", "fr"),
    [
        (0, "in its header", "dans son en-tête"),
        (23, "at entry 23", "à l’entrée 23"),
        (-2, "its last line does not go with", "sa dernière ligne ne va pas avec"),
    ],
)
@pytest.mark.parametrize("kind", ["full", "record"])
def test_what_was_changed_is_said_by_its_entry_everywhere(
    kind: str, line: int, en: str, fr: str
) -> None:
    there = world()
    play_on(there, 2)
    if kind == "record":
        with read_lock(there.campaign) as table:
            raw = write_record(table.game.header, table.game.entries)
    else:
        raw = exported(there, "umpire", kind)
    lines = raw.split(b"\n")
    lines[line] = lines[line].replace(b":", b": ", 1) if b":" in lines[line] else b" " + lines[line]
    for lang, where in (("en", en), ("fr", fr)):
        text = said(checked(b"\n".join(lines), lang=lang))
        (reason,) = re.findall("<strong>(.*?)</strong>", text)
        assert where in reason and not re.search(r"\b(line|ligne) \d", text)
        named = {"en": "First altered entry: number 23.", "fr": "altérée : la 23e."}[lang]
        assert (named.replace(" :", "\u00a0:") in text) is (line == 23)


def test_another_s_receipt_does_not_hold() -> None:
    there = world()
    sealed(there, "A", "commander")
    raw = exported(there, "watcher", "public")
    kept = json.loads(bytes(Receipt.objects.get().body))
    forged = json.dumps({**kept, "salt": "0" * 64}).encode()
    assert "its digest is not its own" in said(checked(raw, forged))


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_what_cannot_be_checked_is_said_beside_its_field(lang: str) -> None:
    def error(answer: Any, field: str) -> str:
        assert answer.status_code == 422
        (found,) = re.findall(rf'id="{field}-error">([^<]+)<', said(answer))
        return str(found)

    empty = browser(lang=lang).post(VERIFY, {})
    assert led_to(empty) == ["record"]
    assert error(empty, "record") == {
        "fr": "Choisissez d’abord un fichier de journal.",
        "en": "Choose a record’s file first.",
    }[lang]  # fmt: skip
    assert "record.json" in error(checked(b"x" * (3 * 2**20 + 1), lang=lang), "record")
    assert "receipt0.json" in error(checked(b"x", b"{}", lang=lang), "receipts")
    assert "21" in error(checked(b"x", *[b"{}"] * 21, lang=lang), "receipts")


def test_of_what_is_no_record_nothing_else_is_said() -> None:
    text = said(checked(b"\x89PNG\r\n\x1a\n" + bytes(60)))
    assert "This is not a game" in text and "A game’s record." not in text
    assert "A whole record." in said(checked(exported(world(), "umpire", "full")))


def test_a_proof_that_takes_too_long_is_broken_off(in_a_process_apart: None) -> None:
    with pytest.raises(NotAllowed) as slow:
        prove_apart(b"{}", limit=0.001)
    assert slow.value.code == "verify.too_slow"
    assert prove_apart(b"{}", limit=200).reason is not None  # and the next one is made


def test_why_a_proof_broke_off_is_said_and_the_log_alone_says_where(
    in_a_process_apart: None, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(NotAllowed) as broken:
        subprocesses.apart("verify", os.listdir, "/nowhere/club")
    assert broken.value.code == "verify.broke_off"
    told = refusal_text("en", broken.value)
    assert "FileNotFoundError" in told and "nowhere" not in told
    assert "/nowhere/club" in caplog.text


class Taken:
    """A lock that somebody holds, and for which nobody may wait."""

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        assert not blocking, "whoever waits holds a thread of the pages"
        return False


def test_no_thread_of_the_pages_waits_for_another_proof(
    in_a_process_apart: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with subprocesses._one, pytest.raises(NotAllowed) as busy:
        prove_apart(b"{}")
    assert busy.value.code == "verify.busy"
    monkeypatch.setattr(subprocesses, "_one", Taken())
    with pytest.raises(NotAllowed):
        prove_apart(b"{}")


def test_any_bytes_give_a_verdict() -> None:
    chance, there = Random(1), world()
    sealed(there, "A", "commander")
    play_on(there, 2)
    receipt = bytes(Receipt.objects.get(seat="A").body)
    wholes = [exported(there, "watcher", "public"), exported(there, "umpire", "full")]
    odd = [b"", b"\0", b"[" * 200_000, b"{" * 9, b"\xff\xfe", b"null", b'{"polemarque_export":1}']
    odd += [chance.randbytes(chance.randrange(400)) for _ in range(40)]
    odd += [_bitten(chance.choice([*wholes, receipt]), chance) for _ in range(60)]
    for raw in odd:
        for receipts in ([], [("r", chance.choice([raw, receipt, b""]))]):
            found = proved(raw, receipts)
            assert isinstance(found, (Proof, Refusal))
            assert not isinstance(found, Proof) or not found.holds or raw in wholes
            if isinstance(found, NotUnderstood):
                assert found.code in {"receipt.unreadable", "verify.unproved"}


def _bitten(raw: bytes, chance: Random) -> bytes:
    """A file with a piece cut out, doubled or overwritten."""
    at, long = chance.randrange(len(raw)), chance.randrange(1, 60)
    piece = chance.choice([b"", raw[at : at + long] * 2, chance.randbytes(long), b"9" * 3000])
    return raw[:at] + piece + raw[at + long :]


# Battles inside a campaign -----------------------------------------------------------------------


def test_the_field_of_a_battle_is_seen_by_its_sides_and_a_neutral_umpire() -> None:
    there = world(
        seats=4, options={"resolver": "thucidide"}, turns=lambda game: bool(game.runner.branches)
    )
    with read_lock(there.campaign) as table:
        names = public_names(table, "en", called(there.campaign))
        for brief, inner in table.game.runner.branches:
            sides = {side.seat for side in brief.sides}
            for eye in (*table.game.header.seats, "", None):
                paths = [placed.path for placed in boards(table, eye, "en", names)]
                sees = eye is None or eye in sides
                assert (inner.path in paths) is sees, eye
                unseen = [one.sides for one in fought(table, eye, "en", names)]
                by_name = tuple([names["seat"][side.seat] for side in brief.sides])
                assert (by_name in unseen) is not sees
