"""Whole games of every system through their pages, from the invitation to the proof of the end."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable
from random import Random
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connections

from polemarque.club.campaigns import bot_turns
from polemarque.club.campaigns.question_keys import key_text
from polemarque.club.campaigns.session import forget, read_lock
from polemarque.club.campaigns.visibility import turns
from polemarque.club.models import OVER, Campaign, Entry, Person
from polemarque.club.server.backup import health
from polemarque.kernel.files.texts import LANGUAGES
from polemarque.kernel.game import Game
from polemarque.kernel.position import encode_position
from polemarque.kernel.records.proof import Proof, prove, read_receipt
from polemarque.kernel.request import UMPIRE, Sheet
from polemarque.report.game_words import Words
from polemarque.report.labels import NAMED
from tests.club.conftest import empty_club, on_the_disk  # noqa: F401 (fixtures)
from tests.web.browser import Element
from tests.web.people import said, way
from tests.web.whole import Company, forms_of, fresh, key_of, mended

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(600), pytest.mark.slow]


@pytest.fixture
def reproducible(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeds, words and salts are the same each time; programs play on until people are asked."""
    chance = Random("whole games")
    monkeypatch.setattr(secrets, "token_bytes", chance.randbytes)
    monkeypatch.setattr(secrets, "token_hex", lambda count=32: chance.randbytes(count).hex())
    monkeypatch.setattr(bot_turns, "monotonic", lambda: 0.0)


@pytest.fixture
def nameless(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """The words that a form offers and no text has a name for."""
    label, whose, found = Words.label, Words.whose, Counter[str]()
    trying: list[str] = []

    def spied(words: Words, family: str, word: Any) -> str:
        called = label(words, family, word)
        books = (words._book, words.voice.own)
        plain = called == str(word) and called.isalpha() and called.islower()
        known = trying or family in GUESSED or any(b.has(f"{family}.{word}") for b in books)
        if plain and not known:
            found[f"{words.lang} {family}.{word}"] += 1
        return called

    def tried(words: Words, head: str, code: str) -> str:
        """It looks through one family after the other."""
        trying.append(code)
        called = whose(words, head, code)
        trying.pop()
        if not called and code.isalpha() and code.islower():
            found[f"{words.lang} {head}.{code}"] += 1
        return called

    monkeypatch.setattr(Words, "label", spied)
    monkeypatch.setattr(Words, "whose", tried)
    return found


GUESSED = {"part", "place", *NAMED}
"""Families in which a word is looked for that may be of another."""

ADJACENT = """
[players.A]
kingdom = "diaprepes"
place = "lampra"
[players.B]
kingdom = "gadirus"
place = "gadeira"
"""
"""Atlantide begins with the two armies at the same border."""

INVADED = """
phase = "military"
[armies.A1]
place = "africa"
base = "latium"
[armies.B1]
place = "africa"
"""
"""Mare Nostrum begins with an army of A in the home of B."""

MARCH = {
    ("A", "AT-7.2", "act"): "move",
    ("A", "AT-7.2", "way"): "gadeira",
    ("B", "AT-7.2", "act"): "move",
    ("B", "AT-7.2", "way"): "-",
}
"""A enters the land of B, who awaits him."""

ATTACK = {
    ("A", "MN-2.7", "move.A1"): "stay",
    ("B", "MN-2.7", "move.B1"): "stay",
}


def atlantide(resolver: str, seed: int) -> dict[str, Any]:
    """A turn of Atlantide with a battle."""
    return {
        "system": "atlantide", "scenario": "duel", "setup": ADJACENT, "aims": MARCH,
        "options": {"resolver": resolver, "other_resolver": "none", "turn_limit": 1},
        "choices": Random(seed),
    }  # fmt: skip


def mare_nostrum(resolver: str, seed: int) -> dict[str, Any]:
    """Two turns of Mare Nostrum with a battle."""
    return {
        "system": "mare_nostrum", "scenario": "duel", "setup": INVADED, "aims": ATTACK,
        "options": {"resolver": resolver, "other_resolver": "none", "turn_limit": 2},
        "choices": Random(seed),
    }  # fmt: skip


GAMES: dict[str, tuple[dict[str, Any], set[str]]] = {
    "atlantide-table": (atlantide("tabletop", 3), {"tabletop"}),
    "atlantide-batailles": (atlantide("batailles", 4), {"batailles"}),
    "batailles": ({"system": "batailles", "scenario": "ford", "choices": Random(3),
                   "options": {"winner_losses": "umpire"}}, set()),
    "batailles-typed": ({"system": "batailles", "scenario": "ford", "dice": "typed"}, set()),
    "mare_nostrum-batailles": (mare_nostrum("batailles", 4), {"batailles"}),
    "promiterra": ({"system": "promiterra", "scenario": "skirmish", "choices": Random(5),
                    "options": {"turn_limit": 2}}, set()),
    "thucidide-program": ({"system": "thucidide", "scenario": "tutorial", "bots": ("B",)}, set()),
}  # fmt: skip
"""What is played, and the systems by which its battles are fought."""


@pytest.mark.usefixtures("reproducible")
@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_is_played_read_and_proved_through_its_pages(
    name: str, nameless: Counter[str]
) -> None:
    plan, battles = GAMES[name]
    company = Company(**plan).muster().play()
    assert Campaign.objects.get().stage == OVER
    with read_lock(company.campaign) as table:
        opened = [event for event in table.told if event.kind == "opened" and event.path]
    assert {event.data["system"] for event in opened} == battles
    if name == "atlantide-table":  # the sheets differ
        assert company.asked_of[UMPIRE] > 1
    proof = proved(company)
    assert proof.holds, proof.reason
    assert proof.hidden == 0
    assert len(proof.receipts) == len(company.receipts)
    rolled = "typed" if plan.get("dice") == "typed" else "proved"
    assert {verdict for verdict, count in proof.rolls.items() if count} == {rolled}
    assert not health().faults
    rebuilt(company)
    read_through(company)
    assert not nameless


def proved(company: Company) -> Proof:
    """The proof of the whole record, and of all receipts, as anybody may have them at the end."""
    client = next(iter(company.players.values()))
    record = client.get(way("export", company.campaign, kind="full"))
    assert record.status_code == 200
    receipts = [
        company.door(seat)[0].get(way("receipt", company.campaign, seat=seat, digest=digest))
        for seat, digest in company.receipts
    ]
    return prove(record.content, [read_receipt(receipt.content) for receipt in receipts])


def rebuilt(company: Company) -> None:
    """What is in memory is made anew from the record, and is the same."""

    def in_memory() -> tuple[bytes, list[Any], str]:
        with read_lock(company.campaign) as table:
            return encode_position(table.game.position), list(table.told), table.head

    before = in_memory()
    forget(company.campaign)
    assert in_memory() == before


def read_through(company: Company) -> None:
    """Every page of a game that is over, read by every seat and the umpire in both languages."""
    with read_lock(company.campaign) as table:
        past = sorted(turns(table))
    pages = [way(name, company.campaign) for name in ("chronicle", "trust", "campaign")]
    pages += [way("turn", company.campaign, number=str(number)) for number in (past[0], past[-1])]
    for seat in (*company.players, UMPIRE):
        client, own = company.door(seat)
        for lang in LANGUAGES:
            Person.objects.update(lang=lang)
            for page in ("/", own, *pages):
                got = client.get(page, follow=True)
                assert got.status_code == 200
                assert f'<html lang="{lang}"' in said(got)
                company.note(got)
                assert not forms_of(got)


# What may happen at the worst moment -------------------------------------------------------------


@pytest.fixture
def ford(reproducible: None) -> Company:
    """A short battle that has begun, with people on both sides."""
    return Company("batailles", "ford").muster()


REFUSED = 'class="notice error"'


def count(company: Company) -> int:
    with read_lock(company.campaign) as table:
        assert table.count == Entry.objects.count()
        return table.count


def test_whoever_posts_after_the_end_changes_nothing_and_is_told(ford: Company) -> None:
    client, page = ford.door("A")
    last = fresh(ford.seen(client, page))[0]
    fields = mended(last)
    assert client.post(last.attrs["action"], fields).status_code == 303
    ford.play()
    before = count(ford)
    again = client.post(last.attrs["action"], fields, follow=True)
    assert again.status_code in {200, 409}
    other = client.post(last.attrs["action"], fields | {"once": ["another"]})
    assert other.status_code == 409
    assert REFUSED in said(other)
    undone = client.post(way("undo", ford.campaign, seat="A"), follow=True)
    assert REFUSED in said(undone)
    for name, sought in (
        ("desk_absent", {"key": fields["key"][0]}), ("desk_answer", fields), ("desk_dice", fields),
    ):  # fmt: skip
        got = ford.umpire.post(way(name, ford.campaign), sought, follow=True)
        assert got.status_code in {200, 404, 409, 422}
    reminded = ford.umpire.post(way("desk_remind", ford.campaign, seat="A"), follow=True)
    assert REFUSED in said(reminded)
    assert count(ford) == before
    assert not forms_of(client.get(page))


@pytest.mark.usefixtures("reproducible")
def test_the_two_of_a_seat_read_the_same_and_one_of_them_seals() -> None:
    ford = Company("batailles", "ford", advised=("A",)).muster()
    adviser = ford.advisers["A"]
    client, page = ford.door("A")
    (form,) = fresh(ford.seen(client, page))
    shown = ford.seen(adviser, page)
    assert not forms_of(shown)
    assert adviser.post(form.attrs["action"], mended(form)).status_code == 404
    ford.fill(client, "A", form)
    ((seat, digest),) = ford.receipts
    kept = adviser.get(way("receipt", ford.campaign, seat=seat, digest=digest))
    assert kept.status_code == 200
    assert adviser.get(way("undo", ford.campaign, seat=seat)).status_code == 405
    assert adviser.post(way("undo", ford.campaign, seat=seat)).status_code == 404
    ford.play()
    assert proved(ford).holds
    assert not forms_of(ford.seen(adviser, page))


@pytest.mark.parametrize("plan", [
    {"system": "atlantide", "scenario": "duel"}, {"system": "mare_nostrum", "scenario": "duel"},
])  # fmt: skip
@pytest.mark.usefixtures("reproducible")
def test_a_half_filled_sheet_outlives_the_server_s_memory(plan: dict[str, Any]) -> None:
    company = Company(**plan, choices=Random(1)).muster()
    company.play(asks_a_sheet)
    seat = company.asked()[0]
    client, page = company.door(seat)
    form = next(each for each in fresh(company.seen(client, page)) if "data-sheet" in each.attrs)
    fields = mended(form) | company.chosen(seat, form) | {"do": ["work"]}
    worked = client.post(form.attrs["action"], fields)
    assert worked.status_code == 200
    forget(company.campaign)
    again = company.seen(client, page)
    (before,) = [each for each in fresh(worked) if key_of(each) == key_of(form)]
    (after,) = [each for each in fresh(again) if key_of(each) == key_of(form)]
    assert typed(after) == typed(before)
    company.fill(client, seat, after)
    assert key_of(form) not in {key_text(key) for key in company.owed(seat)}


def asks_a_sheet(game: Game) -> bool:
    """Whether a question that is open is answered by a sheet."""
    return any(isinstance(r.options(seat), Sheet) for r in game.requests() for seat in r.missing)


def typed(form: Element) -> dict[str, list[str]]:
    """What stands in the parts of a question's form."""
    fields = mended(form)
    return {name: values for name, values in fields.items() if name.startswith("q")}


@pytest.mark.usefixtures("on_the_disk")
@pytest.mark.django_db(transaction=True)
def test_two_seats_that_complete_a_question_at_once_are_both_taken() -> None:
    company = Company("batailles", "ford").muster()
    company.play(lambda game: any(len(r.missing) == 2 for r in game.requests()))
    before = count(company)
    forms = {}
    for seat in "AB":
        client, page = company.door(seat)
        (forms[seat],) = fresh(company.seen(client, page))
    statuses = at_once(lambda seat: company.players[seat].post(
        forms[seat].attrs["action"], mended(forms[seat])
    ).status_code)  # fmt: skip
    assert statuses == [303, 303]
    assert count(company) > before + 1
    with read_lock(company.campaign) as table:
        given = [each.key for each in table.game.effective if hasattr(each, "key")]
    for form in forms.values():
        assert [key_text(key) for key in given].count(key_of(form)) == 1
    rebuilt(company)


def at_once(do: Callable[[str], int]) -> list[int]:
    """What both seats' sendings at the same moment came to."""
    ready, found = Barrier(2), []

    def run(seat: str) -> None:
        ready.wait()
        try:
            found.append(do(seat))
        finally:
            connections.close_all()

    threads = [Thread(target=run, args=(seat,)) for seat in "AB"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found
