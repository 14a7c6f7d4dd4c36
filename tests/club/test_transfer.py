"""A campaign taken to the hall: one copy is played at a time, and nothing is lost or forked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from polemarque.club.campaigns.bot_turns import let_play
from polemarque.club.campaigns.lobby import CampaignPlan, accept, begin, make, sit_down, token_of
from polemarque.club.campaigns.question_keys import key_text
from polemarque.club.campaigns.session import forget, read_lock
from polemarque.club.clock.deadlines import deadline, overdue
from polemarque.club.models import Campaign, Given, Receipt, Seeds
from polemarque.club.orders.answers import seal
from polemarque.club.people.roles import visit_of
from polemarque.club.server.backup import health
from polemarque.club.transfer import returning
from polemarque.club.transfer.models import Away, Outing, Stay, is_here
from polemarque.club.transfer.outgoing import file_of, recall, take
from polemarque.club.transfer.package import OUT, Cargo, KeptReceipt, opened, packed, read_parcel
from polemarque.club.transfer.returning import bring
from polemarque.club.transfer.validate import proved
from polemarque.club.transfer.visiting import send_home, take_in
from polemarque.club.umpire.acts import propose
from polemarque.club.umpire.dashboard import set_pace
from polemarque.club.umpire.secrets_read import ACCOUNT, look_as_umpire
from polemarque.kernel.errors import NotAllowed, NotUnderstood, OutOfDate, Refusal
from polemarque.kernel.game import replay
from polemarque.kernel.records.keyed_dice import Receipt as TrustReceipt
from polemarque.kernel.records.keyed_dice import receipt_digest
from polemarque.kernel.records.proof import prove, read_receipt
from polemarque.kernel.records.record import TYPED, Adjust, Answer, Looked, Moved, read_entry
from polemarque.kernel.request import DICE
from tests.club.people import asked, campaign, person, some_answer
from tests.club.transfers import elsewhere, evening, hosted, played, played_alone, taken

pytestmark = pytest.mark.django_db

NAIVE = datetime.now(UTC).replace(tzinfo=None)

ZOE = "zoe"
"""Who umpires, and plays no seat."""


@pytest.fixture(autouse=True)
def proofs_are_made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process apart for each proof would take a second."""
    monkeypatch.setattr(returning, "apart", lambda what, work, *given, **_: weigh(*given))


def weigh(cargo: Cargo) -> None:
    refusal = proved(cargo)
    if refusal is not None:
        raise refusal


def fresh(made: Campaign) -> Campaign:
    return Campaign.objects.get(pk=made.pk)


def lines(made: Campaign) -> list[bytes]:
    return [bytes(body) for body in made.entries.values_list("body", flat=True)]


def moves(made: Campaign) -> list[str]:
    with read_lock(made) as table:
        return [entry.what for entry in table.game.entries if isinstance(entry, Moved)]


def everything(made: Campaign) -> tuple[Any, ...]:
    """All that a refused file may not have changed."""
    return (
        fresh(made).head, fresh(made).count, fresh(made).asked, lines(made),
        list(Receipt.objects.values_list("digest", "replaced")),
        list(Seeds.objects.values_list("last", "further")),
        list(Outing.objects.values_list("ended", "looked")),
    )  # fmt: skip


def forged(raw: bytes, outing: Outing, **parts: Any) -> bytes:
    """A file whose cargo somebody has changed who knows its code."""
    parcel = read_parcel(raw)
    cargo = msgspec.structs.replace(opened(parcel, outing.code), **parts)
    return packed(cargo, parcel.way, parcel.campaign, parcel.mark, outing.code)


def cargo_of(raw: bytes, outing: Outing) -> Cargo:
    return opened(read_parcel(raw), outing.code)


# Out and back ------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", ["batailles", "atlantide", "mare_nostrum"])
def test_what_is_played_in_the_hall_comes_home(system: str) -> None:
    home = campaign(system)
    left = fresh(home).count
    outing = taken(home, person(ZOE))
    raw = evening(outing, 6)
    bring(home, read_parcel(raw), person(ZOE))
    cargo = cargo_of(raw, outing)
    assert len(cargo.lines) > left + 1
    assert [line.decode() for line in lines(home)][: len(cargo.lines)] == cargo.lines
    assert moves(home) == ["taken", "brought"]
    assert is_here(home)
    forget(home)  # and so says the disk
    with read_lock(home) as table:
        proof = prove(table.game.record, seeds=table.game.chains)
        assert proof.holds and proof.rolls["unshown"] == 0
    assert not [fault for fault in health().faults if fault[0] == "chain"]
    count = fresh(home).count
    played(home, 1, 5, person("a"))
    assert fresh(home).count > count


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6), answers=st.integers(0, 25))
def test_the_hall_plays_the_very_game_that_is_played_online(seed: int, answers: int) -> None:
    home = campaign("batailles")
    with read_lock(home) as table:
        online, seeds = replay(table.game.header, table.game.entries), table.game.chains
    assert seeds is not None
    online.hold(seeds)
    outing = taken(home, person(ZOE))
    bring(home, read_parcel(evening(outing, answers, seed)), person(ZOE))
    played_alone(online, answers, seed)
    with read_lock(home) as table:
        assert table.game.state == online.state
        kept = [entry for entry in table.game.entries if not isinstance(entry, Moved)]
        assert unsalted(kept) == unsalted(online.entries)


def unsalted(entries: Any) -> list[Any]:
    """Salts that a club draws itself keep digests from being guessed, and do no more."""
    return [msgspec.structs.replace(e, salt="") if hasattr(e, "salt") else e for e in entries]


def test_receipts_of_the_hall_are_kept_and_proved_at_home() -> None:
    home = campaign("mare_nostrum")
    outing = taken(home, person(ZOE))
    with elsewhere(home):
        here = hosted(outing)
        key = asked(here, "A")
        given = seal(here, person("hector"), "A", key, some_answer(here, "A"), once="x")
        assert given is not None
        digest, body = given.digest, bytes(given.body)
        raw = file_of(send_home(here, person("hector")))
    bring(home, read_parcel(raw), person(ZOE))
    kept = home.receipts.get(digest=digest)
    assert (kept.seat, kept.replaced, bytes(kept.body)) == ("A", False, body)
    with read_lock(home) as table:
        assert "A" in table.game.course.requests()[0].answered
        assert prove(table.game.record, [read_receipt(body)]).receipts == ("",)


def test_an_answer_replaced_in_the_hall_replaces_its_receipt_at_home() -> None:
    home = campaign("mare_nostrum")
    key = asked(home, "A")
    first = seal(home, person("a"), "A", key, some_answer(home, "A"), once="1")
    assert first is not None
    outing = take(home, None)  # by whoever runs the club: an umpire may not while that waits
    with elsewhere(home):
        here = hosted(outing)
        seal(here, person("hector"), "A", key, some_again(here, key), once="2",
             standing=first.digest)  # fmt: skip
        raw = file_of(send_home(here, None))
    bring(home, read_parcel(raw), None)
    assert [kept.replaced for kept in home.receipts.order_by("number")] == [True, False]


def some_again(made: Campaign, key: Any) -> object:
    from random import Random

    with read_lock(made) as table:
        _, request = table.game.runner.find(key)
        return request.options(key.seat).sample(Random(99))  # type: ignore[union-attr]


def test_a_second_evening_goes_on_with_the_copy_that_is_there() -> None:
    home = campaign("batailles")
    for number in range(2):
        outing = take(home, None)  # whatever waits
        bring(home, read_parcel(evening(outing, 3, number)), person(ZOE))
    assert Campaign.objects.count() == 2
    assert moves(home) == ["taken", "brought"] * 2


# Meanwhile ---------------------------------------------------------------------------------------


def test_nothing_is_entered_here_while_it_is_out() -> None:
    home = campaign("mare_nostrum")
    key, some = asked(home, "A"), some_answer(home, "A")
    zoe = visit_of(home, person(ZOE))
    taken(home, person(ZOE))
    before = everything(home)
    refused = []
    for enter in (
        lambda: seal(home, person("a"), "A", key, some, once="x"),
        lambda: set_pace(zoe, 9),
        lambda: propose(zoe, Adjust("end", ("A",), "why"), "x"),
        lambda: take(home, zoe),
    ):
        with pytest.raises(Away) as refusal:
            enter()
        refused.append((refusal.value.code, refusal.value.part))
    assert refused == [("hall.out", "zoe")] * 4
    assert let_play(home) is False
    assert everything(home) == before
    assert not home.proposals.exists()


def test_an_answer_that_came_too_late_is_given_when_it_is_back() -> None:
    home = campaign("mare_nostrum")
    key, some = asked(home, "A"), some_answer(home, "A")
    taken(home, person(ZOE))
    with pytest.raises(Away):
        seal(home, person("a"), "A", key, some, once="the form")
    recall(home, person(ZOE))
    assert seal(home, person("a"), "A", key, some, once="the form") is not None


def test_programs_wait_while_it_is_out_and_go_on_when_it_is_back() -> None:
    home = campaign("batailles", held=0)
    taken(home, person(ZOE))
    assert let_play(home) is False
    recall(home, person(ZOE))
    count = fresh(home).count
    let_play(home)
    assert fresh(home).count > count


def test_no_hour_runs_while_it_is_out(monkeypatch: pytest.MonkeyPatch) -> None:
    home = campaign("mare_nostrum")
    Campaign.objects.filter(pk=home.pk).update(pace=24)
    home.refresh_from_db()
    key, begun = asked(home, "A"), timezone.now()
    due = deadline(home, [key])
    assert due is not None
    outing = taken(home, person(ZOE))
    monkeypatch.setattr(timezone, "now", lambda: begun + timedelta(hours=40))
    assert deadline(home, [key]) is None and not overdue(home, [key])
    recall(home, person(ZOE))
    outing.refresh_from_db()
    assert outing.ended is not None
    assert deadline(home, [key]) == due + (outing.ended - outing.at)
    assert not overdue(home, [key])


def test_what_an_umpire_reads_meanwhile_is_entered_when_it_is_back() -> None:
    home = campaign("atlantide")
    zoe = visit_of(home, person(ZOE))
    outing = taken(home, person(ZOE))
    for _ in range(2):
        look_as_umpire(zoe, ACCOUNT)
    assert not looks(home)
    bring(home, read_parcel(evening(outing, 2)), person("b"))
    assert [entry.what for entry in looks(home)] == [ACCOUNT]
    last = home.entries.get(number=fresh(home).count)
    assert Given.objects.get(entry=last).person == person(ZOE)


def looks(made: Campaign) -> list[Looked]:
    with read_lock(made) as table:
        return [entry for entry in table.game.entries if isinstance(entry, Looked)]


# Who may take it ---------------------------------------------------------------------------------


def test_an_umpire_who_plays_takes_nothing_out() -> None:
    home = campaign("mare_nostrum")
    home.umpires.create(person=person("a"))
    with pytest.raises(NotAllowed, match=r"hall\.party"):
        taken(home, person("a"))
    assert is_here(home)


def test_nothing_leaves_while_something_waits_that_people_have_sealed() -> None:
    home = campaign("mare_nostrum")
    seal(home, person("a"), "A", asked(home, "A"), some_answer(home, "A"), once="x")
    with pytest.raises(NotAllowed, match=r"hall\.waits") as refused:
        taken(home, person(ZOE))
    assert refused.value.part == "A"
    assert take(home, None).number == fresh(home).count


def test_a_file_tells_nothing_without_its_code() -> None:
    home = campaign("batailles")
    outing = taken(home, person(ZOE))
    raw = file_of(outing)
    seeds = Seeds.objects.get(campaign=home)
    for secret in (*seeds.last.values(), outing.code, home.name, "anchor"):
        assert secret.encode() not in raw
    with pytest.raises(NotUnderstood, match=r"hall\.seal"):
        opened(read_parcel(raw), "0" + outing.code[1:] if outing.code[0] != "0" else "1")
    assert opened(read_parcel(raw), outing.code.lower().replace("-", " ")).seeds == seeds.last


# What is refused ---------------------------------------------------------------------------------


def refusal_of(home: Campaign, raw: bytes) -> str:
    """Why a file is not taken; nothing has changed."""
    before = everything(home)
    with pytest.raises(Refusal) as refused:
        bring(home, read_parcel(raw), person(ZOE))
    assert everything(home) == before
    return refused.value.code


def test_a_file_that_was_brought_is_brought_once() -> None:
    home = campaign("batailles")
    raw = evening(taken(home, person(ZOE)), 3)
    bring(home, read_parcel(raw), person(ZOE))
    assert refusal_of(home, raw) == "hall.brought"


def test_a_file_that_was_called_back_is_void() -> None:
    home = campaign("batailles")
    raw = evening(taken(home, person(ZOE)), 3)
    recall(home, person(ZOE))
    assert refusal_of(home, raw) == "hall.recalled"
    assert moves(home) == ["taken", "recalled"]
    with pytest.raises(NotAllowed, match=r"hall\.not_out"):
        recall(home, person(ZOE))


def test_another_campaigns_file_and_one_of_before_are_refused() -> None:
    home, other = campaign("batailles"), campaign("batailles")
    raw = evening(taken(other, person(ZOE)), 2)
    outing = taken(home, person(ZOE))
    assert refusal_of(home, raw) == "hall.other"
    assert refusal_of(home, file_of(outing)) == "hall.not_played"
    assert refusal_of(home, msgspec.json.encode(
        msgspec.structs.replace(read_parcel(raw), campaign=home.code, mark=outing.mark)
    )) == "hall.seal"  # fmt: skip


def test_whatever_is_changed_in_a_file_is_found_out() -> None:
    home = campaign("batailles")
    outing = taken(home, person(ZOE))
    raw = evening(outing, 8)
    whole = cargo_of(raw, outing)
    left, lines_ = outing.number, whole.lines
    dice = next(n for n in range(left, len(lines_)) if '"dice"' in lines_[n])
    faces = another_die(lines_[dice])
    cases = {
        "hall.short": {"lines": lines_[: left - 1], "at": whole.at[: left - 1]},
        "hall.differs": {"lines": [lines_[1], lines_[0], *lines_[2:]]},
        "hall.false": {"lines": [*lines_[:dice], faces, *lines_[dice + 1 :]]},
        "hall.seeds": {"seeds": {**(whole.seeds or {}), "": "0" * 64}},
        "hall.receipt": {"receipts": [*whole.receipts, a_receipt(home, lines_)]},
    }
    for code, parts in cases.items():
        assert refusal_of(home, forged(raw, outing, **parts)) == code
    turned = raw[:-40] + bytes([raw[-40] ^ 1]) + raw[-39:]
    with pytest.raises(NotUnderstood):
        bring(home, read_parcel(turned), person(ZOE))
    with pytest.raises(NotUnderstood):
        read_parcel(raw[: len(raw) // 2])
    bring(home, read_parcel(raw), person(ZOE))


def another_die(line: str) -> str:
    """A roll's line with its first face another one."""
    at = line.index('"dice","') + len('"dice","')
    return line[:at] + str(int(line[at]) % 6 + 1) + line[at + 1 :]


def a_receipt(home: Campaign, lines: list[str]) -> KeptReceipt:
    """A receipt of an answer that was given, as if it had been another."""
    entries = enumerate(map(read_entry, map(str.encode, lines)), 1)
    number, given = next((n, e) for n, e in entries if isinstance(e, Answer) and e.key.seat != DICE)
    digest = receipt_digest(home.code, given.key, given.salt, "another")
    body = TrustReceipt(given.key, given.salt, "another", digest, home.code)
    return KeptReceipt(
        given.key.seat, key_text(given.key), digest, msgspec.json.encode(body).decode(), number,
        timezone.now(), replaced=False,
    )  # fmt: skip


def test_nothing_is_kept_of_a_return_that_breaks_off(monkeypatch: pytest.MonkeyPatch) -> None:
    home = campaign("batailles")
    outing = taken(home, person(ZOE))
    raw = evening(outing, 4)
    before = everything(home)

    def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(returning, "end", broken)
    with pytest.raises(RuntimeError):
        bring(home, read_parcel(raw), person(ZOE))
    assert everything(home) == before and not is_here(home)
    monkeypatch.undo()
    monkeypatch.setattr(returning, "apart", lambda what, work, *given, **_: weigh(*given))
    bring(home, read_parcel(raw), person(ZOE))
    assert is_here(home)


# In the hall -------------------------------------------------------------------------------------


def test_in_the_hall_each_seat_has_its_link_and_programs_play_on() -> None:
    home = campaign("atlantide", seats=3, held=2)
    outing = taken(home, person(ZOE))
    with elsewhere(home):
        here = hosted(outing)
        doors = list(here.invitations.order_by("pk"))
        assert [door.seat for door in doors] == ["A", "B"]
        assert here.seats.get(code="C").bot == "steady"
        accept(token_of(doors[0]), person("guest"))
        assert visit_of(here, person("guest")).plays == "A"
        assert visit_of(here, person("hector")).neutral
        assert not looks(here)


def test_a_copy_that_was_sent_home_is_shut_for_good() -> None:
    home = campaign("batailles")
    outing = taken(home, person(ZOE))
    with elsewhere(home):
        here = hosted(outing)
        with pytest.raises(NotAllowed, match=r"hall\.guest"):
            take(here, None)
        first = send_home(here, person("hector"))
        with pytest.raises(Away, match=r"hall\.sent"):
            send_home(here, person("hector"))
        with pytest.raises(Away, match=r"hall\.sent"):
            played(here, 1, 0, person("hector"))
        assert cargo_of(file_of(first), outing) == cargo_of(file_of(first), outing)
    recall(home, None)
    with pytest.raises(NotAllowed, match=r"hall\.not_guest"):
        send_home(home, None)


def test_the_hall_takes_no_file_twice_nor_one_of_its_own() -> None:
    home = campaign("batailles")
    outing = taken(home, person(ZOE))
    parcel = read_parcel(file_of(outing))
    with pytest.raises(NotAllowed, match=r"hall\.home"):
        take_in(parcel, outing.code, person("hector"))
    with elsewhere(home):
        with pytest.raises(NotUnderstood, match=r"hall\.seal"):
            take_in(parcel, "nonsense", person("hector"))
        assert not Stay.objects.exists()
        hosted(outing)
        with pytest.raises(NotAllowed, match=r"hall\.here"):
            hosted(outing)
        raw = file_of(send_home(Campaign.objects.get(code=parcel.campaign), None))
        with pytest.raises(NotAllowed, match=r"hall\.way_home"):
            take_in(read_parcel(raw), outing.code, person("hector"))


def test_a_file_of_somebodys_own_making_is_taken_in_nowhere() -> None:
    home = campaign("batailles")
    outing = taken(home, person(ZOE))
    raw = file_of(outing)
    whole = cargo_of(raw, outing)
    with elsewhere(home):
        for code, parts in {
            "hall.false": {
                "lines": [*whole.lines, '{"type":"undo","seat":"A"}'],
                "at": [*whole.at, whole.at[0]],
            },
            "hall.seeds": {"seeds": {**(whole.seeds or {}), "": "0" * 64}},
            "hall.no_file": {"seats": {"Z": ""}},
        }.items():
            parcel = read_parcel(forged(raw, outing, **parts))
            with pytest.raises(Refusal) as refused:
                take_in(parcel, outing.code, person("hector"))
            assert refused.value.code == code
        assert Campaign.objects.count() == 1 and not Stay.objects.exists()


def test_a_copy_that_was_called_back_cannot_go_on_as_if_it_were_not() -> None:
    home = campaign("batailles")
    raw = evening(taken(home, person(ZOE)), 3)
    recall(home, person(ZOE))
    played(home, 2, 7, person("a"))
    again = taken(home, person(ZOE))
    with elsewhere(home), pytest.raises(NotAllowed, match=r"hall\.forked"):
        hosted(again)
    assert refusal_of(home, raw) == "hall.recalled"


def test_who_has_read_a_whole_record_does_not_umpire_by_it() -> None:
    home = campaign("batailles")
    outing = taken(home, person(ZOE))
    raw = file_of(outing)
    with elsewhere(home):
        here = hosted(outing)
        cargo = msgspec.structs.replace(cargo_of(raw, outing), seeds=None, further=[])
        own = read_parcel(packed(cargo, OUT, here.code, "0" * 32, "my own"))
        with pytest.raises(OutOfDate, match=r"hall\.seeds"):
            take_in(own, "my own", person("eve"))
        assert not here.umpires.filter(person=person("eve")).exists()
        send_home(here, person("hector"))
        assert cargo_of(file_of(Stay.objects.get()), outing).seeds, "its own club can open it still"


def test_where_dice_are_typed_an_umpire_brings_the_second_file() -> None:
    home = make("Typed", CampaignPlan("batailles", seats=2, dice=TYPED), person(ZOE))
    for seat in "AB":
        sit_down(home, seat, person(seat.lower()))
    begin(home)
    outing = taken(home, person(ZOE))
    raw = file_of(outing)
    with elsewhere(home):
        here = hosted(outing)
        own = read_parcel(packed(cargo_of(raw, outing), OUT, here.code, "0" * 32, "my own"))
        with pytest.raises(NotAllowed, match=r"hall\.umpire_here"):
            take_in(own, "my own", person("eve"))
        assert not here.umpires.filter(person=person("eve")).exists()
        assert take_in(own, "my own", person("hector")) == here


@pytest.mark.parametrize(
    "parts",
    [
        {"name": "Two\nlines"}, {"name": " "}, {"at": [NAIVE]}, {"at": []},
        {"lines": [], "at": []}, {"code": "a/b"}, {"code": "x" * 17},
    ],
)  # fmt: skip
def test_a_file_whose_parts_no_page_could_show_is_refused(parts: dict[str, Any]) -> None:
    home = campaign("batailles")
    outing = taken(home, person(ZOE))
    whole = cargo_of(file_of(outing), outing)
    code = parts.pop("code", home.code)
    if len(parts.get("at", ())) == 1:
        parts["at"] *= len(whole.at)
    header = whole.header.replace(home.code, code)
    cargo = msgspec.structs.replace(whole, **{"header": header, **parts})
    with elsewhere(home), pytest.raises(NotUnderstood, match=r"hall\.no_file"):
        take_in(read_parcel(packed(cargo, OUT, code, "0" * 32, "c")), "c", person("eve"))


def test_no_file_holds_what_was_sealed_since_it_was_called_back() -> None:
    home = campaign("mare_nostrum")
    outing = taken(home, person(ZOE))
    recall(home, person(ZOE))
    assert outing.ended is None, "as a page has it that was asked for just before"
    with pytest.raises(NotAllowed, match=r"hall\.not_out"):
        file_of(outing)
