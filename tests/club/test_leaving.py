"""What the club keeps of somebody is given to him, and goes with him."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.sessions.models import Session
from django.utils import timezone

from polemarque.club.absence import announce
from polemarque.club.answers import seal
from polemarque.club.leaving import close_account, kept_of, left_alone, left_free, parts_of
from polemarque.club.letters import Letter
from polemarque.club.models import (
    MEMBER,
    Campaign,
    Draft,
    Entry,
    Given,
    Guest,
    Holder,
    Naming,
    Person,
    Umpire,
    Voice,
    Watcher,
)
from polemarque.club.muster import Plan, begin, invite, make, sit_down
from polemarque.club.tables import reading
from polemarque.club.timing import Meeting
from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.position import encode
from tests.club.people import person

pytestmark = pytest.mark.django_db

NAME, CALLED, MAIL = "xanthippe77", "Zénobie la Palmyrénienne", "zenobie@palmyre.example"


def zenobia() -> Person:
    who = Person.objects.create_user(NAME, email=MAIL, password="thalassa-thalassa", called=CALLED)
    EmailAddress.objects.create(user=who, email="autre-" + MAIL, verified=True)
    return who


def everywhere() -> str:
    """All rows of the club as one text."""
    rows = [
        str(list(model._base_manager.values()))
        for model in apps.get_models()
        if model is not Session
    ]
    return "\n".join(rows)


def in_all_parts() -> tuple[Person, Campaign]:
    """Somebody with a row of every kind: she holds A, umpires, and has answered."""
    who = zenobia()
    made = make("A test", Plan("batailles", seats=2), who)
    sit_down(made, "A", who)
    sit_down(made, "B", person("ben"))
    begin(made)
    made.refresh_from_db()
    with reading(made) as table:
        request = table.game.requests("A")[0]
        answer = request.absent("A")
        key = request.keys["A"]
    seal(made, who, "A", key, answer, once="once")
    other = Campaign.objects.create(name="Another")
    Umpire.objects.create(campaign=other, person=person("ulysse"))
    Watcher.objects.create(campaign=other, person=who)
    Guest.objects.create(campaign=other, person=who, seat="B", path="1-x", place="x", number=0)
    Holder.objects.create(seat=other.seats.create(code="C"), person=who, role=MEMBER)
    Draft.objects.create(campaign=other, person=who, key="k", fields={"f": [CALLED]})
    Letter.objects.create(
        campaign=made, voice="A", among="A,B", person=who, text=f"Votre {CALLED}", once="letter"
    )
    Voice.objects.create(campaign=other, seat="A", by=who, named=person("ben"))
    Voice.objects.create(campaign=other, seat="B", by=person("ben"), named=who)
    Naming.objects.create(campaign=other, named=who, before=who, voices=1, seats=1)
    Meeting.objects.create(
        campaign=other, path="1-x", at=timezone.now(), where=f"chez {CALLED}", by=who
    )
    invite(other, who, "C")
    announce(who, timezone.localdate(), timezone.localdate() + timedelta(days=3))
    return who, made


def test_all_that_names_somebody_goes_and_the_record_stays() -> None:
    who, made = in_all_parts()
    head, count = made.head, Entry.objects.count()
    for name in (NAME, CALLED, MAIL):
        assert name in everywhere()
    number = who.pk
    close_account(who)
    left = everywhere()
    for name in (NAME, CALLED, MAIL):
        assert name not in left
    for model in apps.get_models():
        for field in model._meta.get_fields():
            if getattr(field, "related_model", None) is Person and field.concrete:
                rows = model._base_manager.filter(**{field.name: number})
                assert not rows.exists(), f"{model.__name__}.{field.name}"
    made.refresh_from_db()
    assert (made.head, Entry.objects.count()) == (head, count)
    assert Given.objects.filter(campaign=made, person=None).exists()
    assert [(row.voice, row.text) for row in made.letters.all()] == [("A", "")]
    with reading(made) as table:
        assert table.head == head


def test_what_is_kept_is_given_as_one_file() -> None:
    who, made = in_all_parts()
    kept: Any = msgspec.json.decode(encode(kept_of(who)))
    assert kept["account"]["mail"] == ["autre-" + MAIL, MAIL]
    assert (kept["account"]["name"], kept["account"]["called"]) == (NAME, CALLED)
    parts = {part["title"]: part for part in kept["campaigns"]}
    assert set(parts) == {"A test", "Another"}
    mine = parts["A test"]
    assert mine["seats"] == {"A": "commander"} and len(mine["umpire"]) == 1
    own = Given.objects.filter(campaign=made, person=who).values_list("entry__number", flat=True)
    assert [given["number"] for given in mine["given"]] == sorted(own) and own
    assert all(
        given["entry"]["key"]["seat"] == "A" for given in mine["given"] if "key" in given["entry"]
    )
    assert mine["letters"][0]["text"] == f"Votre {CALLED}"
    theirs = parts["Another"]
    assert theirs["watches"] and theirs["seats"] == {"C": "member"}
    assert theirs["drafts"][0]["fields"] == {"f": [CALLED]}
    assert theirs["dates"][0]["where"] == f"chez {CALLED}"
    assert kept["absences"][0]["since"] == timezone.localdate().isoformat()


def test_the_file_has_a_place_for_every_row_that_names_somebody() -> None:
    told = {
        "Umpire": "umpire", "Holder": "seats", "Watcher": "watches", "Guest": "guest",
        "Given": "given", "Draft": "drafts", "Reply": "replies", "Meeting": "dates",
        "Invitation": "links", "Voice": "voices", "Absence": "absences", "EmailAddress": "mail",
        "Letter": "letters",
    }  # fmt: skip
    not_told = {
        "Naming", "Proposal", "TypedDice", "Outing",  # acts of a campaign, which its pages tell
        "LetterRead", "Notice",  # how far he has read, and that he has been told
        "LogEntry",  # Django's own, of an administration that we do not have
    }  # fmt: skip
    related = {each.related_model.__name__ for each in Person._meta.related_objects}
    assert related - not_told == set(told)
    who, _ = in_all_parts()
    kept = kept_of(who)
    places = {*kept, *kept["account"], *kept["campaigns"][0]}
    assert set(told.values()) <= places


def test_what_has_not_begun_is_called_off_or_handed_over_first() -> None:
    who = zenobia()
    made = make("Not begun", Plan("batailles", seats=2), who)
    with pytest.raises(NotAllowed) as refused:
        close_account(who)
    assert refused.value.code == "leaving.muster" and refused.value.part == "Not begun"
    assert Person.objects.filter(pk=who.pk).exists()
    Umpire.objects.create(campaign=made, person=person("ulysse"))
    close_account(who)
    assert not Person.objects.filter(pk=who.pk).exists()
    assert made.umpires.count() == 1


def test_the_page_can_say_what_is_left_without() -> None:
    who, made = in_all_parts()
    assert left_alone(who) == [made]
    assert [(seat.campaign, seat.code) for seat in left_free(who)] == [(made, "A")]
    Holder.objects.create(seat=made.seats.get(code="A"), person=person("cleo"))
    assert left_free(who) == []
    assert parts_of(person("nobody")) == []


def test_links_that_nobody_used_open_nothing_any_more() -> None:
    who, _ = in_all_parts()
    other = Campaign.objects.get(name="Another")
    assert other.invitations.count() == 1
    close_account(who)
    assert other.invitations.count() == 0
