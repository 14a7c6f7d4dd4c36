"""Letters: read by those they are for and by nobody else, refused where they are not wanted."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from polemarque.club.clock.models import waiting
from polemarque.club.messages import messages
from polemarque.club.messages.messages import (
    complaints,
    exchanges,
    letters,
    open_letters,
    settle_complaint,
    show_umpires,
    shut_door,
    throw_away,
    unread,
    voices,
    write_letter,
)
from polemarque.club.messages.models import LONGEST_LETTER, Letter, LetterRead
from polemarque.club.models import MEMBER, OVER, Campaign, Entry, Holder
from polemarque.club.people.roles import Visit, visit_of
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.request import UMPIRE
from tests.club.people import campaign, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> Campaign:
    """Atlantide: a, b and c command A, B and C, a program D; zoe umpires."""
    return campaign("atlantide", seats=4, held=3)


def of(made: Campaign, name: str) -> Visit:
    return visit_of(Campaign.objects.get(pk=made.pk), person(name))


def wrote(made: Campaign, name: str, voice: str, to: str, text: str = "Peace?") -> Letter:
    number = Letter.objects.count()
    return write_letter(of(made, name), voice, to.split(), text, f"once-{number}")


def test_whom_one_can_write_to_is_whoever_answers(made: Campaign) -> None:
    assert voices(made) == ("A", "B", "C", UMPIRE)
    made.umpires.all().delete()
    assert voices(made) == ("A", "B", "C")


def test_a_letter_is_read_by_those_it_is_for_alone(made: Campaign) -> None:
    Holder.objects.create(seat=made.seats.get(code="B"), person=person("ada"), role=MEMBER)
    sent = wrote(made, "a", "A", "B", "Two legions on the border.")
    assert sent.among == "A,B"
    for name, new in (("a", 0), ("b", 1), ("ada", 1), ("c", 0), ("zoe", 0), ("stranger", 0)):
        visit = of(made, name)
        assert unread(visit) == new, name
        has = [one.among for one in exchanges(visit)]
        assert has == ([("A", "B")] if name in {"a", "b", "ada"} else []), name
        if has:
            assert [row.text for row in letters(visit, "A,B")] == ["Two legions on the border."]
            assert unread(visit) == 0
        else:
            with pytest.raises(NotAllowed, match="not_yours"):
                letters(visit, "A,B")


def test_the_guest_of_one_battle_reads_no_letters_of_the_seat_he_stands_for(made: Campaign) -> None:
    wrote(made, "a", "A", "B")
    guest = Visit(made, person("eve"), {"B": "commander"}, within="1-halia")
    assert unread(guest) == 0 and exchanges(guest) == []
    with pytest.raises(NotAllowed):
        letters(guest, "A,B")
    with pytest.raises(NotAllowed):
        write_letter(guest, "B", ["A"], "I am not he.", "once")


def test_nobody_writes_for_another(made: Campaign) -> None:
    Holder.objects.create(seat=made.seats.get(code="A"), person=person("ada"), role=MEMBER)
    for name, voice in (("b", "A"), ("ada", "A"), ("a", UMPIRE), ("eve", "A"), ("zoe", "A")):
        with pytest.raises(NotAllowed, match="not_your_voice"):
            wrote(made, name, voice, "C")
    assert wrote(made, "zoe", UMPIRE, "A B C").among == f"A,B,C,{UMPIRE}"
    assert Letter.objects.count() == 1


def test_a_letter_is_to_somebody_who_is_there(made: Campaign) -> None:
    for to in ("", "A", "D", "Z", "B D"):
        with pytest.raises(NotUnderstood, match=r"letters\.to") as refused:
            write_letter(of(made, "a"), "A", to.split(), "Peace?", "once")
        assert refused.value.legal == ("B", "C", UMPIRE)


@pytest.mark.parametrize(
    "text", ["", "  \n ", "x" * (LONGEST_LETTER + 1), "a\x00b", "a\u202eb", "x\n" * LONGEST_LETTER]
)
def test_a_letter_is_text(made: Campaign, text: str) -> None:
    with pytest.raises(NotUnderstood, match=r"letters\.text"):
        wrote(made, "a", "A", "B", text)
    assert not Letter.objects.exists()


def test_lines_stay_and_what_stands_idle_goes(made: Campaign) -> None:
    assert wrote(made, "a", "A", "B", "\r\n One \r\n\r\nTwo  \n\n").text == "One\n\nTwo"
    longest = "x" * (LONGEST_LETTER - 1)
    assert wrote(made, "a", "A", "B", longest).text == longest


def test_sent_twice_it_is_written_once(made: Campaign) -> None:
    first = write_letter(of(made, "a"), "A", ["B"], "Peace?", "once")
    again = write_letter(of(made, "a"), "A", ["B"], "Peace?", "once")
    assert again.pk == first.pk
    assert Letter.objects.count() == 1 and [row.person.username for row in waiting(made)] == ["b"]


def test_a_mail_goes_to_who_had_read_all_before(made: Campaign) -> None:
    def told(number: int) -> list[str]:
        before = {row.pk for row in waiting(made)}
        write_letter(of(made, "a"), "A", ["B", UMPIRE], "Peace?", f"once-{number}")
        return [row.person.username for row in waiting(made) if row.pk not in before]

    assert sorted(told(1)) == ["b", "zoe"]
    assert told(2) == []
    letters(of(made, "b"), f"A,B,{UMPIRE}")
    assert told(3) == ["b"]


def test_a_door_that_is_shut_keeps_out_all_but_what_is_for_everybody(made: Campaign) -> None:
    shut_door(of(made, "b"), "B", "A", shut=True)
    for to in ("B", "B C", f"B {UMPIRE}"):
        with pytest.raises(NotAllowed, match=r"letters\.shut") as refused:
            wrote(made, "a", "A", to)
        assert refused.value.part == "B"
    wrote(made, "a", "A", f"B C {UMPIRE}")
    wrote(made, "a", "A", "C")
    wrote(made, "c", "C", "B")
    shut_door(of(made, "b"), "B", "A", shut=False)
    wrote(made, "a", "A", "B")
    for name, seat, against in (("a", "B", "A"), ("eve", "B", "A")):
        with pytest.raises(NotAllowed):
            shut_door(of(made, name), seat, against, shut=True)
    for against in (UMPIRE, "B", "Z", "D"):
        with pytest.raises(NotUnderstood):
            shut_door(of(made, "b"), "B", against, shut=True)


def test_umpires_read_what_they_are_shown(made: Campaign) -> None:
    bad, other = wrote(made, "a", "A", "B", "Insult."), wrote(made, "a", "A", "B C", "Another.")
    for name in ("a", "c", "zoe", "eve"):
        with pytest.raises(NotAllowed):
            show_umpires(of(made, name), bad.pk)
    show_umpires(of(made, "b"), bad.pk)
    show_umpires(of(made, "b"), bad.pk)
    (shown,) = complaints(of(made, "zoe"))
    assert (shown.letter.text, shown.seat) == ("Insult.", "B")
    assert complaints(of(made, "a")) == []
    with pytest.raises(NotAllowed):
        settle_complaint(of(made, "b"), shown.pk, strike=True)
    settle_complaint(of(made, "zoe"), shown.pk, strike=True)
    bad.refresh_from_db()
    assert bad.struck is not None and complaints(of(made, "zoe")) == []
    show_umpires(of(made, "c"), other.pk)
    (shown,) = complaints(of(made, "zoe"))
    settle_complaint(of(made, "zoe"), shown.pk, strike=False)
    other.refresh_from_db()
    assert other.struck is None and complaints(of(made, "zoe")) == []


def test_an_umpire_who_plays_does_not_judge_himself(made: Campaign) -> None:
    made.umpires.create(person=person("a"))
    bad = wrote(made, "a", "A", "B", "Insult.")
    show_umpires(of(made, "b"), bad.pk)
    (shown,) = complaints(of(made, "a"))
    with pytest.raises(NotAllowed, match=r"letters\.neutral"):
        settle_complaint(of(made, "a"), shown.pk, strike=False)
    other = wrote(made, "c", "C", "B", "Another.")
    show_umpires(of(made, "b"), other.pk)
    with pytest.raises(NotAllowed, match=r"letters\.neutral"):
        settle_complaint(of(made, "a"), other.complaints.get().pk, strike=True)
    with pytest.raises(NotAllowed, match=r"letters\.neutral"):
        open_letters(of(made, "a"), opened=False)
    settle_complaint(of(made, "zoe"), shown.pk, strike=True)


def test_closed_seats_write_to_umpires_alone(made: Campaign) -> None:
    with pytest.raises(NotAllowed):
        open_letters(of(made, "a"), opened=False)
    open_letters(of(made, "zoe"), opened=False)
    with pytest.raises(NotAllowed, match=r"letters\.closed"):
        wrote(made, "a", "A", "B")
    wrote(made, "a", "A", UMPIRE)
    wrote(made, "zoe", UMPIRE, "A B C")
    open_letters(of(made, "zoe"), opened=True)
    wrote(made, "a", "A", "B")


def test_nobody_floods_others(made: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "MOST", 2)
    wrote(made, "a", "A", "B")
    wrote(made, "a", "A", "C")
    with pytest.raises(NotAllowed, match=r"letters\.many"):
        wrote(made, "a", "A", "B")
    wrote(made, "b", "B", "A")
    Letter.objects.filter(voice="A").update(at=timezone.now() - messages.HOUR)
    wrote(made, "a", "A", "B")


def test_letters_of_what_is_long_over_are_thrown_away(made: Campaign) -> None:
    wrote(made, "a", "A", "B")
    later = campaign("batailles")
    later.stage = OVER
    later.save()
    wrote(later, "a", "A", "B")
    assert throw_away() == 0
    Campaign.objects.filter(pk=made.pk).update(stage=OVER)
    assert throw_away() == 0
    old = timezone.now() - messages.KEPT - timedelta(days=1)
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER append_only_club_entry_kept")
    Entry.objects.filter(campaign=made).update(at=old)
    assert throw_away() == 1
    assert Letter.objects.get().campaign == later


def test_a_form_that_is_filled_in_otherwise_is_another_letter(made: Campaign) -> None:
    for to, text in (("B", "Peace?"), ("B", "War!"), ("C", "War!"), ("B", "Peace?")):
        sent = write_letter(of(made, "a"), "A", [to], text, "once")
        assert (sent.among, sent.text) == (f"A,{to}", text)
    write_letter(of(made, "b"), "B", ["A"], "Peace?", "once")
    assert Letter.objects.count() == 4


def test_a_player_who_is_named_umpire_reads_nothing_of_before(made: Campaign) -> None:
    wrote(made, "b", "B", UMPIRE, "May I hide two legions in Halia?")
    shown = wrote(made, "b", "B", "C", "Insult.")
    show_umpires(of(made, "c"), shown.pk)
    made.umpires.all().delete()
    made.umpires.create(person=person("a"))
    made.namings.create(named=person("a"), voices=2, seats=3)
    named = of(made, "a")
    assert exchanges(named) == [] and unread(named) == 0 and complaints(named) == []
    assert letters(named, f"B,{UMPIRE}") == []
    number = shown.complaints.get().pk
    with pytest.raises(NotAllowed):
        settle_complaint(named, number, strike=True)
    wrote(made, "b", "B", UMPIRE, "And now?")
    assert [row.text for row in letters(named, f"B,{UMPIRE}")] == ["And now?"]
    made.umpires.create(person=person("yves"))
    assert len(letters(of(made, "yves"), f"B,{UMPIRE}")) == 2, "who is no party reads all"


def test_whoever_is_the_only_other_shuts_his_door_too(made: Campaign) -> None:
    made.umpires.all().delete()
    made.seats.filter(code="C").update(bot="steady")
    shut_door(of(made, "b"), "B", "A", shut=True)
    assert voices(made) == ("A", "B")
    with pytest.raises(NotAllowed, match=r"letters\.shut"):
        wrote(made, "a", "A", "B")


def test_of_letters_that_are_thrown_away_nobody_keeps_who_read_them(made: Campaign) -> None:
    wrote(made, "a", "A", "B")
    letters(of(made, "b"), "A,B")
    over = Campaign.objects.create(name="Over", stage=OVER)
    for rows in (made.letters, made.letters_read):
        rows.update(campaign=over)
    assert throw_away() == 1 and not LetterRead.objects.exists()


def test_a_page_looks_at_no_letter_where_none_is_new(made: Campaign) -> None:
    for number in range(30):
        wrote(made, "b", "B", "A" if number % 2 else "A C")
    asker = of(made, "a")
    assert unread(asker) == 30
    for among in ("A,B", "A,B,C"):
        letters(asker, among)
    with CaptureQueriesContext(connection) as asked:
        assert unread(asker) == 0
    assert len(asked) == 2 and "GROUP BY" in asked[1]["sql"], "counted where they are kept"
