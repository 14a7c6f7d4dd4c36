"""A campaign taken to the hall at its umpire's desk, played in another club, and brought back."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from polemarque.bots.registry import STEADY
from polemarque.club.campaigns.lobby import accept, open_doors, token_of
from polemarque.club.campaigns.session import read_lock
from polemarque.club.models import Campaign, Person, Receipt
from polemarque.club.orders.answers import seal
from polemarque.club.transfer.models import Outing, Stay, is_here, outing_of
from polemarque.club.transfer.outgoing import file_of, take
from polemarque.club.transfer.package import opened, read_parcel
from polemarque.club.transfer.returning import prove_here
from polemarque.club.transfer.visiting import send_home, take_in, take_in_file
from polemarque.kernel.game import committed_game, new_header
from polemarque.kernel.records.commitment import new_chains
from polemarque.kernel.records.record import Word, read_record
from tests.club.transfers import elsewhere, played
from tests.web.people import browser, filled, led_to, person, said, way
from tests.web.test_matrix import addresses
from tests.web.world import World, open_key, sealed, world

pytestmark = pytest.mark.django_db


def do(there: World, who: str, act: str, **more: Any) -> Any:
    """What the umpire's page says after an act of his."""
    address = way("desk_hall", there.campaign)
    return there.browser(who).post(address, {"do": act, **more}, follow=True)


def out(there: World) -> Outing:
    """The campaign is taken out at the desk."""
    do(there, "umpire", "take")
    outing = outing_of(there.campaign)
    assert outing is not None
    return outing


def upload(raw: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("file.json", raw, "application/json")


def test_no_umpire_sends_a_game_back_to_its_file_or_has_its_seeds() -> None:
    there = world()
    Stay.objects.create(campaign=there.campaign, mark="m", code="", number=1)
    assert "polemarque take" in said(there.browser("umpire").get(way("desk_hall", there.campaign)))
    assert "The operator of the club gives it back" in said(do(there, "umpire", "send"))
    assert is_here(there.campaign)
    Stay.objects.update(sent=timezone.now())
    assert there.browser("umpire").get(way("hall_file", there.campaign)).status_code == 404


def test_what_was_sealed_in_a_file_is_replaced_on_the_page_of_its_seat() -> None:
    header = new_header("atlantide", seats=3, scenario="wave")
    chains = new_chains(header.seats)
    game = committed_game(header, chains)
    for seat in header.seats:
        game.enter(Word(seat, f"word of {seat}"))
    game.settle()
    (request,) = game.requests()
    game.answer("A", request.options("A").sample(Random(1)))
    made = take_in_file("wave", read_record(game.record, interrupted=True), chains, {"C": STEADY})
    assert set(made.seats.values_list("code", "bot")) == {("A", ""), ("B", ""), ("C", STEADY)}
    for door in open_doors(made):
        accept(token_of(door), person(door.seat or "umpire"))
    page = browser(Person.objects.get(username="A")).get(way("seat", made, seat="A"))
    assert page.status_code == 200
    proofs = said(browser(Person.objects.get(username="A")).get(way("trust", made)))
    assert "This game comes from a file" in proofs
    other = request.options("A").sample(Random(2))
    seal(made, Person.objects.get(username="A"), "A", request.keys["A"], other, once="again")
    with read_lock(made) as table:
        assert table.game.entries[: len(game.entries)] == game.entries
        assert table.game.course.requests()[0].answered["A"] == other


def test_an_evening_from_desk_to_desk() -> None:
    there = world()
    shown = said(do(there, "umpire", "take"))
    outing = outing_of(there.campaign)
    assert outing is not None and outing.code in shown
    raw = there.browser("umpire").get(way("hall_file", there.campaign)).content
    hector = person("hector")
    with elsewhere(there.campaign):
        laptop = browser(hector)
        taken = laptop.post(
            reverse("take_in"), {"file": upload(raw), "code": outing.code.lower()}, follow=True
        )
        assert "Au gué is here" in said(taken)
        assert said(taken).count("/invitation/") == 2
        here = Campaign.objects.get(code=there.campaign.code)
        played(here, 4, 1, hector)
        desk = way("desk_hall", here)
        assert "/hall/file/" in said(laptop.post(desk, {"do": "send"}, follow=True))
        back = laptop.get(way("hall_file", here)).content
        assert "sent this campaign back where it came from" in said(laptop.get(way("desk", here)))
    told = said(do(there, "umpire", "bring", file=upload(back)))
    assert "The campaign is back. " in told and "entries were added" in told and "back on" in told
    assert is_here(there.campaign)
    trust = said(there.browser("watcher").get(way("trust", there.campaign)))
    assert "taken to the hall" in trust and "back from the hall" in trust
    again = there.browser("umpire").post(
        way("desk_hall", there.campaign), {"do": "bring", "file": upload(back)}, follow=True
    )
    assert "this is no" not in said(again).lower()
    assert "is not in the hall" in said(do(there, "umpire", "recall", sure="yes"))


@pytest.mark.slow
def test_every_page_says_who_took_it_and_since_when() -> None:
    there = world(turns=2)
    digest = Receipt.objects.values_list("digest", flat=True).first() or "0" * 64
    out(there)
    client, shown = there.browser("umpire"), []
    for name, address in addresses(there, digest).items():
        if f"/c/{there.campaign.code}/" not in address:
            continue
        answer = client.get(address)
        if answer.status_code == 200 and "html" in answer["Content-Type"]:
            assert "Umpire took this campaign there on" in said(answer), name
            shown.append(name)
    assert {"campaign", "desk", "desk_hall", "people", "trust", "chronicle"} <= {*shown}
    for live in ("campaign", "desk"):  # what open pages ask for
        part = client.get(way(live, there.campaign), headers={"x-live": "1"})
        assert said(part).count("Umpire took this campaign there on") == 1
    seat = said(there.browser("commander").get(way("seat", there.campaign, seat="A")))
    assert seat.count("Umpire took this campaign there on") == 1


def test_an_answer_sent_meanwhile_is_refused_and_stands_on_its_page() -> None:
    there = world()
    client = there.browser("commander")
    fields = filled(client.get(way("seat", there.campaign, seat="A"))) | {"do": "seal"}
    out(there)
    before = there.fresh().count
    answer = client.post(way("answer", there.campaign, seat="A"), fields)
    assert answer.status_code in {409, 422}
    assert "Nothing is answered here: Umpire took this campaign to the hall" in said(answer)
    assert filled(answer)["key"] == fields["key"]
    assert there.fresh().count == before
    do(there, "umpire", "recall", sure="yes")
    assert client.post(way("answer", there.campaign, seat="A"), fields).status_code == 303
    with read_lock(there.campaign) as table:
        key = open_key(there, "A")
        assert any(key in r.keys.values() and "A" in r.answered for r in
                   table.game.course.requests()) or table.game.runner.period > 1  # fmt: skip


def test_an_umpire_who_plays_reads_neither_file_nor_code() -> None:
    there = world(playing=True)
    refused = said(do(there, "umpire", "take"))
    assert "an umpire who plays no seat takes it" in refused and is_here(there.campaign)
    outing = take(there.campaign, None)  # by whoever runs the club
    client = there.browser("umpire")
    page = said(client.get(way("desk_hall", there.campaign)))
    assert outing.code not in page and "/hall/file/" not in page
    assert client.get(way("hall_file", there.campaign)).status_code == 404
    assert "the operator of the club took this campaign there" in page


def test_what_waits_is_named_before_it_can_leave() -> None:
    there = world()
    sealed(there, "A", "commander")
    page = said(there.browser("umpire").get(way("desk_hall", there.campaign)))
    assert "What A sealed or left in advance waits" in page
    assert 'value="take"' not in page
    do(there, "umpire", "take")
    assert is_here(there.campaign)


def test_a_file_that_is_refused_is_told_beside_it() -> None:
    there = world()
    outing = out(there)
    page = way("desk_hall", there.campaign)
    client: Client = there.browser("umpire")
    own = client.get(way("hall_file", there.campaign)).content
    assert opened(read_parcel(own), outing.code).seeds
    for sent, told in (
        ({}, "Choose the file."),
        ({"file": upload(b"{}")}, "This is no file of a campaign"),
        ({"file": upload(own)}, "is the file that Au gué left with"),
    ):
        answer = client.post(page, {"do": "bring", **sent})
        assert answer.status_code == 422 and told in said(answer)
        assert 'aria-describedby="file-hint file-error"' in said(answer)
        assert led_to(answer) == ["file"]
    unsure = client.post(page, {"do": "recall"})
    assert unsure.status_code == 422 and "given up" in said(unsure)
    assert led_to(unsure) == ["sure"]
    assert not is_here(there.campaign)
    wrong = browser(person("hector")).post(reverse("take_in"), {"file": upload(own), "code": "X"})
    assert wrong.status_code == 422 and "The code is another one" in said(wrong)
    assert led_to(wrong) == ["code"]


def test_no_umpire_reads_what_was_sealed_in_a_campaign_that_whoever_runs_the_club_took() -> None:
    there = world()
    sealed(there, "A", "commander")
    outing = take(there.campaign, None)
    client = there.browser("umpire")
    page = said(client.get(way("desk_hall", there.campaign)))
    assert outing.code not in page and "/hall/file/" not in page
    assert client.get(way("hall_file", there.campaign)).status_code == 404


def test_an_umpire_who_plays_is_told_that_it_is_back_and_not_how_much_was_sealed_there() -> None:
    there = world(playing=True)
    outing = take(there.campaign, None)
    hector = person("hector")
    with elsewhere(there.campaign):
        here = take_in(read_parcel(file_of(outing)), outing.code, hector, prove=prove_here)
        sealed(World(here, {"rival": hector}), "B", "rival")
        raw = file_of(send_home(here, hector))
    told = said(do(there, "umpire", "bring", file=upload(raw)))
    assert is_here(there.campaign)
    assert "The campaign is back." in told and "added in the hall" not in told
    assert "back on" in told and "in all" not in told
