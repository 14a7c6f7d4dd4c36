"""What the club keeps of somebody is given to him, and goes with him."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone

from polemarque.club.campaigns.lobby import CampaignPlan, begin, invite, make, sit_down
from polemarque.club.campaigns.session import read_lock
from polemarque.club.clock.deadlines import announce
from polemarque.club.clock.models import Meeting, put_out, waiting
from polemarque.club.messages.models import Letter
from polemarque.club.models import (
    MEMBER,
    Campaign,
    Draft,
    Entry,
    Given,
    Guest,
    Holder,
    Invitation,
    Naming,
    Person,
    Umpire,
    Voice,
    Watcher,
)
from polemarque.club.orders.answers import seal
from polemarque.club.people.account_erasure import (
    close_account,
    kept_of,
    left_alone,
    left_free,
    parts_of,
)
from polemarque.club.people.roles import visit_of
from polemarque.club.umpire.acts import confirm, consent, open_proposals, propose
from polemarque.club.umpire.dashboard import answer_absent
from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.position import encode
from polemarque.kernel.records.record import Adjust
from tests.club.people import asked, campaign, person

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
    made = make("A test", CampaignPlan("batailles", seats=2), who)
    sit_down(made, "A", who)
    sit_down(made, "B", person("ben"))
    begin(made)
    made.refresh_from_db()
    with read_lock(made) as table:
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
    with read_lock(made) as table:
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
    own = Given.objects.filter(campaign=made, person=who).order_by("entry__number")
    lines = [msgspec.json.decode(bytes(given.entry.body)) for given in own]
    assert [given["entry"] for given in mine["given"]] == lines and lines
    assert {*mine["given"][0]} == {"at", "entry"}, "a number would tell who had sealed before"
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
        "Letter": "letters", "Proposal": "acts", "Outing": "evenings", "Vote": "votes",
    }  # fmt: skip
    not_told = {
        "Naming", "TypedDice",  # acts of a campaign, which its pages tell
        "LetterRead", "Notice",  # how far he has read, and that he has been told
        "ReadMail",  # digests of mails, by which none is taken twice
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
    made = make("Not begun", CampaignPlan("batailles", seats=2), who)
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


def umpired_by_a() -> Campaign:
    """A campaign of A and B, whose commander A umpires it too."""
    made = campaign("atlantide", seats=3, umpired=False)
    made.umpires.create(person=person("a"))
    return made


def test_who_has_consented_is_not_given_the_figures_of_an_act() -> None:
    made = umpired_by_a()
    proposal = propose(visit_of(made, person("a")), Adjust("loot.B", 55, "why"), "act")
    proposal = confirm(visit_of(made, person("a")), proposal, proposal.number)
    consent(visit_of(made, person("c")), "C", proposal, proposal.number)
    theirs, own = (encode(kept_of(person(name))).decode() for name in ("c", "a"))
    assert '{"kind":"adjust"}' in theirs and "loot.B" not in theirs
    assert '"loot.B"' in own and "55" in own


def test_what_the_rules_answered_for_the_absent_is_not_in_the_file_of_who_had_them_do_it() -> None:
    made = campaign("mare_nostrum")
    answer_absent(visit_of(made, person("zoe")), asked(made, "A"), "once")
    (part,) = kept_of(person("zoe"))["campaigns"]
    assert [given["entry"] for given in part["given"]] == [{"kind": "absent"}]


def test_an_act_that_waits_goes_with_who_proposed_it() -> None:
    made = umpired_by_a()
    proposal = propose(visit_of(made, person("a")), Adjust("loot.B", 55, "why"), "act")
    confirm(visit_of(made, person("a")), proposal, proposal.number)
    assert open_proposals(made)
    close_account(person("a"))
    assert not open_proposals(made)
    made.umpires.create(person=person("b"))
    proposal.refresh_from_db()
    confirm(visit_of(made, person("b")), proposal, proposal.number)
    proposal.refresh_from_db()
    assert not proposal.entered, "nobody has consented"


def test_what_names_somebody_in_mails_to_others_goes_too() -> None:
    who, made = in_all_parts()
    meeting = Meeting.objects.get(by=who)
    put_out(made, [person("ben")], "battles.mail", f"meeting.{meeting.pk}.proposed",
            place="x", date=meeting.at.isoformat(), where=meeting.where)  # fmt: skip
    invite(None, who)
    close_account(who)
    assert CALLED not in everywhere() and not waiting(made)
    assert not Invitation.objects.filter(used=None).exists()


def test_many_rows_of_a_campaign_are_not_joined_with_each_other() -> None:
    who, made = in_all_parts()
    Draft.objects.bulk_create(
        Draft(campaign=made, person=person("ben"), key=str(n)) for n in range(200)
    )
    Letter.objects.bulk_create(
        Letter(campaign=made, voice="B", among="A,B", person=person("ben"), text="x", once=str(n))
        for n in range(200)
    )
    for _ in range(200):
        invite(made, person("ben"))
    steps = iter(range(1000))
    connection.ensure_connection()
    connection.connection.set_progress_handler(lambda: next(steps, None) is None, 10_000)
    try:
        assert made in parts_of(who)
    finally:
        connection.connection.set_progress_handler(None, 0)
