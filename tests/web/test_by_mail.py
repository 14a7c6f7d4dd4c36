"""A whole campaign played by mail alone: what the club sends, and what its players reply."""

from __future__ import annotations

import mailbox
from collections import Counter
from email.message import EmailMessage
from pathlib import Path
from random import Random
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from polemarque.club.campaigns.lobby import CampaignPlan, begin, make, sit_down
from polemarque.club.campaigns.session import read_lock
from polemarque.club.clock.clockwork import QUIET
from polemarque.club.clock.models import Notice, ReadMail
from polemarque.club.models import OVER, Campaign, Person
from polemarque.kernel.records.proof import prove
from polemarque.kernel.records.record import Answer
from polemarque.web.environment import Box
from polemarque.web.ticking import clockwork, go_round
from tests.club.people import person
from tests.web.post import filled, forms_in, mail_server, quoted, reply, words_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

MOST_ROUNDS = 150


def begun() -> Campaign:
    """Three people, who have never seen a page, are to play two turns of the small island."""
    made = make("After the Wave", CampaignPlan("atlantide", "wave", 3, {"turn_limit": 2}), None)
    for seat in "ABC":
        name = seat.lower()
        sit_down(made, seat, person(name))
        Person.objects.filter(username=name).update(
            email=f"{name}@example.org", lang="en", forms=True
        )
        EmailAddress.objects.create(
            user=person(name), email=f"{name}@example.org", verified=True, primary=True
        )
    begin(made)
    return made


class Player:
    """Answers the mails that come: at first here and there by chance, then as is proposed.

    a writes above what was quoted to him, b between the lines of a quotation, c in HTML alone.
    """

    def __init__(self, box: mailbox.Maildir) -> None:
        self.box = box
        self.sent: list[tuple[EmailMessage, str]] = []

    def read(self, mail: EmailMessage) -> None:
        forms = forms_in(mail)
        if not forms:
            return
        name, number = mail["To"][0], len(self.sent)
        rng = None if "Nothing was kept" in words_of(mail) else Random(number)
        body = "\n\n".join([filled(form, rng) for form in forms])
        body = quoted(body) if name == "b" else f"{body}\n\nBest wishes\n{name}"
        self.sent.append((mail, body))
        self.box.add(reply(mail, body, f"{number}", html=name == "c"))
        if number % 4 == 1:  # twice by mistake; again from another address; one of before, again
            self.box.add(reply(mail, body, f"{number}", html=name == "c"))
            forged = EmailMessage()
            forged["To"], forged["From"], forged["Subject"] = "x@example.org", mail["From"], "!"
            self.box.add(reply(forged, body, f"forged-{number}"))
            self.box.add(reply(*self.sent[number // 2], f"late-{number}"))


@pytest.mark.timeout(300)
def test_a_campaign_is_played_to_its_end_by_mail_alone(settings: Any, tmp_path: Path) -> None:
    settings.MAIL, settings.ADDRESS = True, "https://club.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.BOX = Box(folder=str(tmp_path / "box"))
    player = Player(mailbox.Maildir(tmp_path / "box"))
    made, clock = begun(), clockwork()
    with mail_server() as (inbox, settings.EMAIL_PORT):
        settings.EMAIL_HOST = "127.0.0.1"
        read = rounds = 0
        while made.stage != OVER and rounds < MOST_ROUNDS:
            rounds += 1
            hour_ago = timezone.now() - 2 * QUIET
            Campaign.objects.update(asked=hour_ago, opened={})  # nobody answers within minutes
            go_round(clock)
            new, read = inbox.mails[read:], len(inbox.mails)
            for mail in new:
                player.read(mail)
            made.refresh_from_db()
        go_round(clock)
    assert made.stage == OVER, words_of(inbox.mails[-1])
    with read_lock(made) as table:
        entries = table.game.entries
        assert prove(table.game.record).holds
    given = Counter(e.key for e in entries if isinstance(e, Answer) and e.key.seat in "ABC")
    assert set(given.values()) == {1}  # what was sent twice, late or by another changed nothing
    own = [e for e in entries if isinstance(e, Answer) and e.key.seat in "ABC"]
    by_hand = Counter(e.key.seat for e in own if not e.by)
    assert min(by_hand.values()) >= 3
    second = Counter((e.key.seat, e.by) for e in own if e.key.period == 2)
    for seat in "ABC":  # the rest of the turn was in the first mail
        assert second[seat, ""] == 1 and second[seat, "standing"] >= 2
    told = [words_of(mail) for mail in inbox.mails]
    kept = sum(["Your orders are kept" in said for said in told])
    assert 0 < kept <= sum(by_hand.values())
    assert any("Nothing was kept" in said for said in told)
    assert any("another address" in said for said in told)
    names = Counter(mail["Message-ID"] for mail in inbox.mails)
    assert set(names.values()) == {1}
    for seat in "abc":
        assert "is over" in words_of(inbox.to(f"{seat}@example.org")[-1])
    assert not Notice.objects.filter(sent=None).exists()
    assert ReadMail.objects.count() > len(player.sent)
