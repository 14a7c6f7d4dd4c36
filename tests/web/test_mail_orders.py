"""Orders by mail: a reply is taken once, from its own seat alone, and its sender is told."""

from __future__ import annotations

import imaplib
import mailbox
from email import message_from_bytes
from email.message import EmailMessage
from html import escape
from io import BytesIO
from pathlib import Path
from time import process_time
from types import SimpleNamespace
from typing import Any

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.core import mail
from django.db import DatabaseError
from django.urls import reverse
from django.utils import timezone

from polemarque.cli.commands import club
from polemarque.cli.common import run
from polemarque.club.campaigns.session import forget
from polemarque.club.clock.models import ReadMail, box_fault
from polemarque.club.clock.news import tell
from polemarque.club.models import Holder, Person
from polemarque.club.orders.answers import seal
from polemarque.club.server.backup import health
from polemarque.kernel.records.record import Answer, Leave
from polemarque.web import ticking
from polemarque.web.environment import Box
from polemarque.web.mail_orders import boxes, replies
from polemarque.web.mail_orders.replies import read_box, take_mail
from polemarque.web.notices import deliver
from tests.web.order_forms import filled_paper, offering
from tests.web.people import said, way
from tests.web.post import FORM
from tests.web.test_news import asked_before
from tests.web.test_orders import wished
from tests.web.test_posted import entries
from tests.web.world import World, answers_to, open_key, play_on

pytestmark = pytest.mark.django_db

ANA = "commander@example.org"


@pytest.fixture
def there(settings: Any, tmp_path: Path) -> World:
    settings.MAIL, settings.ADDRESS = True, "https://club.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    mailbox.Maildir(tmp_path / "box")
    settings.BOX = Box(folder=str(tmp_path / "box"))
    found = offering()
    for one in found.people.values():
        Person.objects.filter(pk=one.pk).update(
            email=f"{one.username}@example.org", lang="en", forms=True
        )
        one.refresh_from_db()
        EmailAddress.objects.create(user=one, email=one.email, verified=True, primary=True)
    asked_before(found.campaign)
    return found


def to(who: str = ANA) -> list[Any]:
    return [one for one in mail.outbox if one.to == [who]]


def told(there: World) -> Any:
    """The mail that tells seat A what it is asked."""
    tell(there.fresh())
    deliver()
    return to()[-1]


def filled(there: World, number: int = 0) -> tuple[str, Any]:
    """A whole reply, everything quoted, and the answer in it."""
    value = answers_to(there, open_key(there, "A"), number + 1)[number]
    paper = filled_paper(there, told(there).body if not to() else to()[0].body, value)
    quoted = "\n".join([f"> {line}" for line in paper.split("\n")])
    return f"Hello!\n\nOn Sunday the club wrote:\n{quoted}\n-- \nAnna, 4th of her name\n", value


def raw(body: str, name: str = "<1@example.org>", sender: str = ANA, **more: str) -> bytes:
    made = EmailMessage()
    made["From"], made["Message-ID"], made["Subject"] = f"Anna <{sender}>", name, "Re: orders"
    for header, value in more.items():
        made[header.replace("_", "-")] = value
    made.set_content(body, subtype="plain")
    return bytes(made)


def given(there: World) -> list[Any]:
    key = open_key(there, "A")
    return [e.value for e in entries(there) if isinstance(e, Answer) and e.key == key]


def reply_told() -> Any:
    mail.outbox.clear()
    deliver()
    return to()[-1] if to() else None


def test_a_reply_is_kept_and_its_sender_reads_what_was_understood_with_a_receipt(
    there: World,
) -> None:
    body, value = filled(there)
    take_mail(raw(body))
    assert given(there) == [value]
    answer = reply_told()
    assert answer.subject == "Au gué: your orders by mail"
    assert "Your orders are kept" in answer.body and "Receipt: " in answer.body
    assert not [one for one in mail.outbox if one.to != [ANA] and "orders" in one.subject]


def test_a_reply_without_what_explains_the_form_is_read(there: World) -> None:
    body, value = filled(there)
    take_mail(raw("\n".join([line for line in body.split("\n") if "·" not in line[:4]])))
    assert given(there) == [value]


def test_a_doubled_or_late_mail_changes_nothing(there: World) -> None:
    body, value = filled(there)
    other, _ = filled(there, 1)
    for _ in range(2):
        take_mail(raw(body))
    reply_told()
    assert given(there) == [value] and ReadMail.objects.count() == 1
    take_mail(raw(other, "<2@example.org>"))
    assert given(there) == [value]
    assert "answered this question already" in reply_told().body


def test_what_is_wrong_is_said_line_by_line_and_nothing_is_kept(there: World) -> None:
    body, _ = filled(there)
    lines = body.split("\n")
    at = next(n for n, line in enumerate(lines) if line.startswith("> 1"))
    lines[at] = lines[at].partition(":")[0] + ": a hundred elephants"
    take_mail(raw("\n".join(lines)))
    assert given(there) == []
    body = reply_told().body
    assert "Nothing was kept" in body and "a hundred elephants" in body
    assert "PLM-" in body, "the form to be sent again is there"


@pytest.mark.parametrize("forged", ["no mark", "another mark", "another seat's mark", "robot"])
def test_a_forged_mail_changes_nothing_and_is_not_answered(there: World, forged: str) -> None:
    body, _ = filled(there)
    mark = replies._MARK.search(body)
    assert mark is not None
    said, more = mark.group(), {}
    if forged == "no mark":
        body = body.replace(said, "")
    elif forged == "another mark":
        body = body.replace(said, said[:-1] + ("A" if said[-1] != "A" else "B"))
    elif forged == "another seat's mark":
        rival = replies._MARK.search(to("rival@example.org")[0].body)
        assert rival is not None
        body = body.replace(said, rival.group())
    else:
        more = {"Auto_Submitted": "auto-replied"}
    take_mail(raw(body, **more))
    assert given(there) == [] and reply_told() is None


def test_a_copied_mark_from_another_address_is_refused_and_its_owner_is_told(there: World) -> None:
    body, _ = filled(there)
    take_mail(raw(body, sender="rival@example.org"))
    assert given(there) == []
    assert "another address" in reply_told().body and not to("rival@example.org")


def test_a_mail_in_html_alone_is_read(there: World) -> None:
    body, value = filled(there)
    made = EmailMessage()
    made["From"], made["Message-ID"] = ANA, "<3@example.org>"
    lines = "<br>".join([escape(line.removeprefix("> ")) for line in body.split("\n")])
    made.set_content(
        f"<html><style>p: 1</style><blockquote>{lines}</blockquote></html>", subtype="html"
    )
    take_mail(bytes(made))
    assert given(there) == [value]


def test_a_mail_holds_no_other_seat_and_no_form_for_who_has_not_asked_or_confirmed(
    there: World,
) -> None:
    Person.objects.filter(username="rival").update(forms=False)
    assert "PLM-" in told(there).body
    assert "PLM-" not in to("rival@example.org")[0].body
    EmailAddress.objects.update(verified=False)
    body, _ = filled(there)
    take_mail(raw(body))
    assert given(there) == [], "nor is a reply taken"


# Who gets a form, and when -----------------------------------------------------------------------


def test_the_umpire_s_reminder_holds_the_form_and_a_reply_to_it_is_kept(there: World) -> None:
    address = way("desk_remind", there.campaign, seat="A")
    there.browser("umpire").post(address)
    reminder = to()[-1]
    assert "The umpire reminds you" in reminder.body and "awaited" in reminder.subject
    body, value = filled(there)
    take_mail(raw(body))
    assert given(there) == [value]
    adviser = to("adviser@example.org")
    assert adviser and "PLM-" not in adviser[-1].body


def ticked(there: World, **more: str) -> str:
    """What commander A reads who asks for order forms by mail."""
    Person.objects.filter(username="commander").update(forms=False)
    fields = {"called": "", "lang": "en", "theme": "", "mails": "", "forms": "on", **more}
    page = there.browser("commander").post(reverse("settings"), fields, follow=True)
    mail.outbox.clear()
    deliver()
    return said(page)


def test_who_asks_for_forms_gets_that_of_the_open_question(there: World) -> None:
    assert "is being sent to you" in ticked(there)
    body, value = filled(there)
    take_mail(raw(body))
    assert given(there) == [value]
    ticked(there)
    assert not [one for one in to() if "you asked for" in one.body], "it was sent already"
    assert "Nothing is asked of you" in ticked(there)


def test_who_asks_for_forms_twice_reads_that_they_were_sent_and_gets_those_of_another_question(
    there: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    monkeypatch.setattr(replies, "timezone", SimpleNamespace(now=lambda: now))
    assert "is being sent to you" in ticked(there) and "PLM-" in to()[-1].body
    again = ticked(there)
    assert "sent within the hour" in again and "is being sent" not in again and not to()
    first = open_key(there, "A")
    play_on(
        there, lambda game: any("A" in r.missing and r.keys["A"] != first for r in game.requests())
    )
    assert "is being sent to you" in ticked(there) and "PLM-" in to()[-1].body


def test_where_a_later_answer_is_refused_the_plan_that_was_kept_with_the_first_is_told(
    there: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    body, value = filled(there)
    at = body.index("=== Polémarque", body.index("AT-7.2") - 200)
    march = body[at:].replace("(yes): ____", "(yes): yes", 1)
    read = replies._read

    def twice(*given: Any) -> Any:
        found = read(*given)
        return found._replace(now=[*found.now, *found.now])

    monkeypatch.setattr(replies, "_read", twice)
    take_mail(raw(body[:at] + march))
    assert given(there) == [value]
    assert [each.rule for each in entries(there) if isinstance(each, Leave)] == ["AT-7.2"]
    told = reply_told().body
    assert (
        "Your orders are kept" in told and "Planned · AT-7.2" in told and "answered since" in told
    )


def test_wishes_come_by_mail_alone_or_beside_orders_and_a_blank_form_changes_none(
    there: World,
) -> None:
    asked, wishes, *_ = [found[0] for found in FORM.finditer(told(there).body)]
    assert "wish" in wishes and "arrive." not in wishes
    take_mail(raw(f"{asked}\n{wishes.replace('____', '2')}", "<w@example.org>"))
    assert given(there) == [] and len(wished(there)) == 1
    answer = reply_told()
    assert "Your orders are kept" in answer.body and "left blank" not in answer.body
    assert "PLM-" in answer.body, "the question is still asked"
    body, value = filled(there)
    take_mail(raw(body))
    assert given(there) == [value] and len(wished(there)) == 1


def test_who_asks_for_forms_confirms_the_address_first_and_then_gets_them(there: World) -> None:
    own = EmailAddress.objects.filter(email=ANA)
    own.update(verified=False)
    assert "Confirm your address first" in ticked(there) and not to()
    assert "Choose to get mails first" in ticked(there, mails="none") and not to()
    ticked(there)
    key = EmailConfirmationHMAC(own.get()).key
    there.browser("commander").post(reverse("account_confirm_email", args=[key]))
    deliver()
    assert "PLM-" in to()[-1].body


def test_one_person_in_two_seats_answers_for_each_by_a_mail_of_its_own(there: World) -> None:
    Holder.objects.filter(seat__code="B").update(person=there.people["commander"])
    tell(there.fresh())
    deliver()
    mine = {seat: one for seat in "AB" for one in to() if f":{seat}#" in one.body}
    assert len(to()) == 2 and mine["A"] is not mine["B"]
    forms = [one.body.replace("____", "1") for one in mine.values()]
    take_mail(raw("\n".join(forms), "<both@example.org>"))
    assert given(there) == [] and "one mail for each seat" in reply_told().body
    for seat in "BA":
        key = open_key(there, seat)
        value = answers_to(there, key, 1)[0]
        take_mail(raw(filled_paper(there, mine[seat].body, value, seat), f"<{seat}@example.org>"))
        taken = [e.value for e in entries(there) if isinstance(e, Answer) and e.key == key]
        assert taken == [value]


def test_the_rest_of_the_turn_is_planned_in_the_same_mail(there: World) -> None:
    body, value = filled(there)
    last = body.rindex("=== Polémarque", 0, body.index("+1/AT-7.2"))
    end = body.index("PLM-", last)
    march = body[last:end].replace("(yes): ____", "(yes): yes")
    march = march.replace("where to march: ____", "where to march: -")
    march = march.replace("when to answer so (same choices, *1): ____", "when to answer so: 2")
    take_mail(raw(body[:last] + march + body[end:]))
    assert given(there) == [value]
    (left,) = [each for each in entries(there) if isinstance(each, Leave)]
    assert left.rule == "AT-7.2" and set(left.when) == {"army"}
    told_ = reply_told().body
    assert "Planned · AT-7.2" in told_ and "nothing has changed for your army" in told_
    assert "Receipt: " in told_
    forget(there.campaign)
    assert left in entries(there), "it is on the disk"


def test_a_mail_may_hold_the_rest_of_the_turn_alone(there: World) -> None:
    body, _ = filled(there)
    last = body.rindex("=== Polémarque", 0, body.index("+1/AT-5.2"))
    rest = body[last:].replace("(yes): ____", "(yes): yes", 1)
    take_mail(raw(rest))
    assert given(there) == []
    assert [each.rule for each in entries(there) if isinstance(each, Leave)] == ["AT-5.2"]
    told_ = reply_told().body
    assert "Your orders are kept" in told_ and "Planned · AT-5.2" in told_
    assert "PLM-" in told_, "the question is still asked"
    take_mail(raw(rest.replace(": yes", ": perhaps", 1), "<2@example.org>"))
    told_ = reply_told().body
    assert "Nothing was kept" in told_ and "perhaps" in told_


# Boxes and faults --------------------------------------------------------------------------------


def test_a_maildir_is_read_so_many_a_round_and_each_once(
    there: World, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    body, value = filled(there)
    folder = mailbox.Maildir(settings.BOX.folder)
    for number in range(4):
        folder.add(raw(f"{number}", f"<chatter{number}@example.org>"))
    folder.add(raw(body))
    monkeypatch.setattr(boxes, "MOST", 3)
    rounds = [read_box(settings.BOX) for _ in range(3)]
    assert rounds == [3, 2, 0] and given(there) == [value]


class Killed(BaseException):
    """As if the process had been ended."""


@pytest.mark.parametrize("when", ["before it is kept", "after"])
def test_killed_while_a_mail_is_read_it_is_neither_lost_nor_doubled(
    there: World, settings: Any, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    body, value = filled(there)
    mailbox.Maildir(settings.BOX.folder).add(raw(body))

    def put_out(*of: Any, **more: Any) -> None:
        raise Killed

    def take(mail: bytes) -> None:
        take_mail(mail)
        raise Killed

    with monkeypatch.context() as broken:
        if when == "after":
            broken.setattr(replies, "take_mail", take)
        else:
            broken.setattr(replies, "put_out", put_out)
        with pytest.raises(Killed):
            read_box(settings.BOX)
    read_box(settings.BOX)
    assert given(there) == [value] and "are kept" in reply_told().body


class Stub:
    """A server that speaks IMAP, as far as a box asks it."""

    def __init__(self, *mails: bytes) -> None:
        self.mails = dict(enumerate(mails, 7))
        self.seen: list[str] = []

    def __enter__(self) -> Stub:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def login(self, user: str, password: str) -> None:
        if password != "secret":
            raise imaplib.IMAP4.error("no: " + password)

    def select(self, _: str) -> tuple[str, list[bytes]]:
        return "OK", [b"1"]

    def uid(self, command: str, *of: str) -> tuple[str, list[Any]]:
        if command == "SEARCH":
            left = [str(n) for n in self.mails if str(n) not in self.seen]
            return "OK", [" ".join(left).encode()]
        if command == "STORE":
            self.seen.append(of[0])
            return "OK", [None]
        body = self.mails[int(of[0])]
        if "SIZE" in of[1]:
            return "OK", [b"1 (UID %s RFC822.SIZE %d)" % (of[0].encode(), len(body))]
        return "OK", [(b"1 (BODY[] {%d}" % len(body), body), b")"]


def test_a_server_is_read_and_what_is_too_large_left_alone(
    there: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    body, value = filled(there)
    stub = Stub(b"x" * (boxes.LARGEST + 1), raw(body))
    monkeypatch.setattr(imaplib, "IMAP4_SSL", lambda *_, **__: stub)
    box = Box(host="mail.example.org", user="club", password="secret")
    assert read_box(box) == 1 and given(there) == [value] and stub.seen == ["7", "8"]


def test_a_box_that_is_down_is_named_without_its_password_until_it_is_read_again(
    there: World, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imaplib, "IMAP4_SSL", lambda *_, **__: Stub())
    with pytest.raises(OSError, match="IMAP"):
        read_box(Box(host="mail.example.org", user="club", password="hunter2"))
    assert ("mail_box", "IMAP") in health().faults
    assert "Orders by mail cannot be read (IMAP)" in said(
        there.browser("umpire").get(way("desk", there.campaign))
    )
    read_box(settings.BOX)
    assert not box_fault()


def test_what_breaks_off_is_told_and_the_log_holds_no_answer(
    there: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    body, _ = filled(there)

    def broken(*_: Any) -> Any:
        raise ValueError(body)

    monkeypatch.setattr(replies, "_answer", broken)
    take_mail(raw(body))
    assert given(there) == [] and "could not be read" in reply_told().body
    assert "ValueError" in caplog.text and "Anna" not in caplog.text


def test_an_answer_on_the_page_first_stands(there: World) -> None:
    body, _ = filled(there)
    own = answers_to(there, open_key(there, "A"), 2)[1]
    key = open_key(there, "A")
    seal(there.campaign, there.people["commander"], "A", key, own, once="page")
    take_mail(raw(body))
    assert given(there) == [own]


# What strangers and programs send ----------------------------------------------------------------


@pytest.mark.parametrize(
    "hostile",
    [
        b"Content-Type: text/html\r\n\r\n" + b"<a " * 100_000,
        b"Content-Type: text/html\r\n\r\n" + b"<!--a>" * 170_000,
        b"\r\nPLM-1-" + b"A" * 26 + "\u0301\u0323".encode() * 50_000,
        b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\nA:\n\n" * 100_000,
        b"Content-Type: text/plain; " + b"a=b; " * 60_000 + b"\r\n\r\nx",
        b"".join([b"Content-Type: multipart/x; boundary=%d\n\n--%d\n" % (n, n) for n in range(250)])
        + b"\n" * 900_000,
    ],
    ids=["unclosed tags", "unclosed comments", "accents", "parts", "long header", "parts in parts"],
)  # fmt: skip
@pytest.mark.timeout(50)
def test_a_mail_from_a_stranger_holds_nobody_up(there: World, hostile: bytes) -> None:
    begun = process_time()
    take_mail(b"From: x@example.net\r\n" + hostile)
    assert process_time() - begun < 2  # each was seconds, or minutes
    assert not ReadMail.objects.exists()


@pytest.mark.parametrize(
    "sign",
    [
        {"List_Id": "<x.example.org>"}, {"X_Autoreply": "yes"}, {"Return_Path": "<>"},
        {"X_Auto_Response_Suppress": "All"}, {"sender": "MAILER-DAEMON@example.org"},
    ],
)  # fmt: skip
def test_a_bounce_or_automatic_reply_is_not_answered(there: World, sign: dict[str, str]) -> None:
    body, _ = filled(there)
    take_mail(raw(body, **sign))
    assert given(there) == [] and reply_told() is None


def test_a_charset_that_makes_no_text_is_read_as_utf_8(there: World) -> None:
    text = b"Content-Type: text/plain; charset=unicode_escape\r\n\r\n\\ud800"
    assert replies.text_of(message_from_bytes(text)) == r"\ud800"


def test_two_people_may_name_a_mail_alike(there: World) -> None:
    body, value = filled(there)
    other = to("rival@example.org")[0].body
    take_mail(raw(other, sender="rival@example.org"))
    take_mail(raw(body))
    assert given(there) == [value]


def test_an_accent_in_the_password_is_a_box_that_cannot_be_read(
    there: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def login(_: Stub, user: str, password: str) -> None:
        password.encode("ascii")

    monkeypatch.setattr(Stub, "login", login)
    monkeypatch.setattr(imaplib, "IMAP4_SSL", lambda *_, **__: Stub())
    with pytest.raises(OSError, match="IMAP"):
        read_box(Box(host="mail.example.org", user="club", password="mémoire"))


def test_the_clockwork_outlives_a_broken_round_and_sends_what_waits(
    there: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    clock = ticking.Ticking()

    def broken(_: Box) -> int:
        done.append("read")
        raise DatabaseError if len(done) < 3 else ValueError

    monkeypatch.setattr(ticking, "EVERY", 0)
    monkeypatch.setattr(ticking, "close_old_connections", lambda: None)
    monkeypatch.setattr(ticking, "connection", SimpleNamespace(close=lambda: None))
    monkeypatch.setattr(ticking, "read_box", broken)
    monkeypatch.setattr(ticking, "post_all", lambda: None)

    def sent() -> None:
        done.append("sent")
        if len(done) == 6:
            clock.end()

    monkeypatch.setattr(ticking, "deliver", sent)
    clock.run()
    assert done == ["read", "sent"] * 3


@pytest.mark.parametrize(("fault", "status"), [(DatabaseError(), 75), (OSError(), 75), (None, 0)])
def test_a_mail_server_is_asked_to_try_again_and_a_large_mail_is_dropped(
    there: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception | None,
    status: int,
) -> None:  # fmt: skip
    def taken(_: bytes) -> None:
        assert fault is not None, "a mail was cut and taken"
        raise fault

    monkeypatch.setattr(club, "opened", lambda _: None)
    monkeypatch.setattr(club, "up_to_date", lambda _: None)
    monkeypatch.setattr("polemarque.club.campaigns.bot_processes.end_all", lambda: None)
    monkeypatch.setattr(replies, "take_mail", taken)
    large = b"x" * (2 if fault else boxes.LARGEST + 1)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=BytesIO(large)))
    assert run(["mail", "-", "--data", str(tmp_path)]) == status
