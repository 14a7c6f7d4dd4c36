"""What the club keeps: people apart from games, and a record that only grows.

Entries know seat codes only.  Who holds a seat, who typed an answer and what anybody is called
stand in tables beside them, so that an account can be taken away without touching a digest.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone
from django.utils.translation import get_language

from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.position import encode
from polemarque.kernel.records.commitment import Chains
from polemarque.kernel.request import Key

MUSTER, RUNNING, OVER = "muster", "running", "over"
"""Stages of a campaign: its seats are being filled, it is played, it has ended."""

SHOW_TITLES = {
    "fr": "Démonstration : quatre royaumes d’Atlantide",
    "en": "Demonstration: four kingdoms of Atlantis",
}

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

COMMANDER, MEMBER, SUCCESSOR, GUEST = "commander", "member", "successor", "guest"
"""Roles in a seat: who seals its answers, and who sees and advises; whom a link makes its next
commander, or its guest in one battle, is a role of invitations only."""


def new_code() -> str:
    """The name of a campaign in addresses: not to be guessed, short enough to be typed."""
    return secrets.token_hex(6)


def new_secret() -> str:
    """What an invitation's link is known by, and no other ever after."""
    return secrets.token_hex(16)


class Person(AbstractUser):
    """Somebody with an account.

    called: the name that others read; the account's own name where it is empty.
    lang:   "fr" or "en"; "" to follow the browser.
    theme:  "light" or "dark"; "" to follow the browser.
    calendar: secret part of the address of their calendar, "" for none.
    mails:  "" for news by mail as it comes, "daily" for one mail a day, "none" for none.
    forms:  whether a mail about a question holds its order form, to be answered by mail.
    """

    called = models.CharField(max_length=60, blank=True)
    lang = models.CharField(max_length=2, blank=True)
    theme = models.CharField(max_length=5, blank=True)
    mails = models.CharField(max_length=5, blank=True)
    forms = models.BooleanField(default=False)
    calendar = models.CharField(max_length=32, blank=True)

    def __str__(self) -> str:
        return self.called or self.username


LONGEST_NAME = 100
"""Characters of what a campaign is called, at most."""

LONGEST_HOOK = 300
"""Characters of the address of a webhook, at most."""

LONGEST_PACE = 24 * 365
"""Hours in which a question ought to be answered, at most."""

FIRST_PACE = 24 * 7
"""The same at least where an umpire plays and sets a limit in a campaign that had none."""


class Campaign(models.Model):
    """A campaign or a battle that is played in the club.

    name:   what it was called by its maker (see `title`).
    plan:   what was chosen when it was made (see `muster.Plan`); no more to be changed once begun.
    header: the header of its record in canonical JSON, once begun.
    count, head: number of entries and the head of their chain.
    pace:   hours in which an open question ought to be answered; 0 for no limit.
    paced:  since when there is a limit, None if since ever: it runs for no question before.
    asked:  since when the oldest question that is open has been open.
    opened: key -> the same of each that was opened later (see `open_since`).
    clock:  how they are timed beside (see `timetable.Clock`).
    turn, turned: the turn that runs, and when it began; None where that is not known.
    public: whether everybody with an account may watch.
    hook:   where public news are posted, "" for nowhere.
    feed:   whether anybody may follow the campaign without an account: public page and feed.
    show:   shown to every newcomer: played by programs, and nobody umpires it.
    letters_open: whether its seats may write to each other (see `messages`).
    """

    code = models.CharField(max_length=16, unique=True, default=new_code)
    name = models.CharField(max_length=LONGEST_NAME)
    plan = models.JSONField(default=dict)
    stage = models.CharField(max_length=8, default=MUSTER)
    header = models.BinaryField(null=True)
    count = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=64, blank=True)
    pace = models.PositiveIntegerField(default=0)
    paced = models.DateTimeField(null=True)
    asked = models.DateTimeField(default=timezone.now)
    opened = models.JSONField(default=dict)
    clock = models.JSONField(default=dict)
    turn = models.IntegerField(default=0)
    turned = models.DateTimeField(null=True)
    public = models.BooleanField(default=False)
    hook = models.CharField(max_length=LONGEST_HOOK, blank=True)
    feed = models.BooleanField(default=False)
    show = models.BooleanField(default=False)
    letters_open = models.BooleanField(default=True)
    made = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.title

    @property
    def title(self) -> str:
        """What readers call it; the demonstration in their language, as nobody has named it."""
        return SHOW_TITLES.get(get_language() or "", self.name) if self.show else self.name

    def seat(self, code: str) -> Seat:
        """A seat, kept as it is until the transaction ends.  Raises NotUnderstood."""
        found = self.seats.select_for_update().filter(code=code).first()
        if found is None:
            raise NotUnderstood("seat.unknown", part=code)
        return found

    def open_since(self, key: Key) -> datetime:
        """Since when an open question has been open."""
        later = self.opened.get(encode(key).decode())
        return datetime.fromisoformat(later) if later else self.asked


class Umpire(models.Model):
    """One of the umpires of a campaign.   seen: when they last gave a sign of life, to the hour."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="umpires")
    person = models.ForeignKey(Person, models.CASCADE, related_name="umpirings")
    seen = models.DateTimeField(default=timezone.now)

    class Meta:
        """One row a person."""

        constraints = (models.UniqueConstraint(fields=["campaign", "person"], name="one_umpire"),)


class Voice(models.Model):
    """Whom a seat names umpire, by its commander, while those there are say nothing."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="voices")
    seat = models.CharField(max_length=40)
    by = models.ForeignKey(Person, models.CASCADE, related_name="voices_given")
    named = models.ForeignKey(Person, models.CASCADE, related_name="voices_had")

    class Meta:
        """One a seat."""

        constraints = (models.UniqueConstraint(fields=["campaign", "seat"], name="one_voice"),)


class Naming(models.Model):
    """That the seats have named an umpire: told to everybody, and kept.

    before: who was replaced, or None.   voices, seats: how many named the new one, of how many.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="namings")
    named = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="namings")
    before = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="replacings")
    voices = models.PositiveIntegerField()
    seats = models.PositiveIntegerField()
    at = models.DateTimeField(default=timezone.now)

    @property
    def who(self) -> str:
        """What the new umpire is called; "…" once their account is gone."""
        return str(self.named or "…")

    @property
    def instead(self) -> str:
        """What the umpire before is called, or ""."""
        return str(self.before or "")


class Seat(models.Model):
    """A seat of a campaign: held by people, or played by a program.

    bot:  name of the program that plays it, "" where people do.
    word: what its holder mixes into committed dice, until the campaign begins.
    spared: whether what leaves it nothing to decide is sealed for it.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="seats")
    code = models.CharField(max_length=40)
    bot = models.CharField(max_length=40, blank=True)
    word = models.CharField(max_length=100, blank=True)
    spared = models.BooleanField(default=True)

    class Meta:
        """In the order in which they were made."""

        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=["campaign", "code"], name="one_seat"),)


class Holder(models.Model):
    """One of the people of a seat.   since: when they took it over, None if it was theirs before
    the campaign began."""

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="holders")
    person = models.ForeignKey(Person, models.CASCADE, related_name="holdings")
    role = models.CharField(max_length=10, default=COMMANDER)
    since = models.DateTimeField(null=True)

    class Meta:
        """One row a person and seat."""

        constraints = (models.UniqueConstraint(fields=["seat", "person"], name="one_holder"),)


class Invitation(models.Model):
    """A link that lets one person in, once.

    campaign: None for one that makes an account and nothing else.
    seat:     the seat's code; "" to watch, or with role "umpire" to umpire.
    path, place: of the battle that a guest is asked to (see `Guest`), else "".
    secret:   what its link signs.  Its number would be given again where a copy of the club is
              put back, and a link that was handed out since would open what is new.
    """

    secret = models.CharField(max_length=32, default=new_secret)
    campaign = models.ForeignKey(Campaign, models.CASCADE, null=True, related_name="invitations")
    seat = models.CharField(max_length=40, blank=True)
    role = models.CharField(max_length=10, blank=True)
    path = models.CharField(max_length=100, blank=True)
    place = models.CharField(max_length=100, blank=True)
    made = models.DateTimeField(default=timezone.now)
    used = models.DateTimeField(null=True)
    by = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="invited_by")


class Guest(models.Model):
    """Somebody who commands a seat's side in one battle that is fought inside a campaign.

    path:   of the battle.   place: where it is fought; a correction may give its path to another.
    came, number: when they came, and of entries at that time.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="guests")
    person = models.ForeignKey(Person, models.CASCADE, related_name="guestings")
    seat = models.CharField(max_length=40)
    path = models.CharField(max_length=100)
    place = models.CharField(max_length=100)
    number = models.PositiveIntegerField()
    came = models.DateTimeField(default=timezone.now)

    class Meta:
        """One a side; nobody is on both."""

        constraints = (
            models.UniqueConstraint(fields=["campaign", "path", "seat"], name="one_guest"),
            models.UniqueConstraint(fields=["campaign", "path", "person"], name="one_side"),
        )


class Watcher(models.Model):
    """Somebody who may watch a campaign that is not public."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="watchers")
    person = models.ForeignKey(Person, models.CASCADE, related_name="watchings")


class AppendOnly(Exception):
    """Something tried to change a row that is only ever added."""


class Entry(models.Model):
    """One entry of a record, as its line holds it; never changed, never taken away alone.

    number: from 1.   body: canonical JSON (see `kernel.record.write_entry`).
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField()
    body = models.BinaryField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        """In the order in which they were given; no number twice."""

        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=["campaign", "number"], name="one_entry"),)

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Add the row.  Raises AppendOnly on one that stands already."""
        if not self._state.adding:
            raise AppendOnly(f"entry {self.number}")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """Raises AppendOnly."""
        raise AppendOnly(f"entry {self.number}")


class Given(models.Model):
    """Who gave an entry, and by which filled form: sent twice, it is taken once.

    once: what the form carried to be known again.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="given")
    entry = models.OneToOneField(Entry, models.CASCADE, related_name="given")
    person = models.ForeignKey(Person, models.SET_NULL, null=True)
    once = models.CharField(max_length=64)

    class Meta:
        """A form counts once a campaign."""

        constraints = (models.UniqueConstraint(fields=["campaign", "once"], name="once"),)


class Seeds(models.Model):
    """The committed seeds of a campaign: with them one can compute every coming die.

    last:    owner -> last seed of its chain, in hexadecimal.
    further: the same of each further chain, in turn.
    """

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="seeds")
    last = models.JSONField()
    further = models.JSONField(default=list)

    @staticmethod
    def said(chains: Chains) -> list[dict[str, str]]:
        """The last seeds of chains as they are kept."""
        return [{owner: seed.hex() for owner, seed in each.items()} for each in chains.last]

    @property
    def chains(self) -> Chains:
        """The chains that follow from them."""
        first, *further = [
            {owner: bytes.fromhex(seed) for owner, seed in each.items()}
            for each in (self.last, *self.further)
        ]
        return Chains(first, further=further)


class Receipt(models.Model):
    """What a seat keeps of an answer that it sealed.

    key:    the question's key in canonical JSON.   body: the receipt itself (see `kernel.trust`).
    number: of its entry.   untold: nobody but its seat reads that it was given, until the end.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="receipts")
    seat = models.CharField(max_length=40)
    key = models.CharField(max_length=300)
    digest = models.CharField(max_length=64)
    body = models.BinaryField()
    number = models.PositiveIntegerField()
    at = models.DateTimeField(default=timezone.now)
    replaced = models.BooleanField(default=False)
    untold = models.BooleanField(null=True)

    class Meta:
        """Newest last."""

        ordering = ("pk",)

    @property
    def groups(self) -> str:
        """The digest in groups of eight, to be compared by eye."""
        return " ".join(self.digest[at : at + 8] for at in range(0, 64, 8))


class Draft(models.Model):
    """What somebody has typed and not sent: field -> texts, by question."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="drafts")
    person = models.ForeignKey(Person, models.CASCADE, related_name="drafts")
    key = models.CharField(max_length=300)
    fields = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        """One a person and question."""

        constraints = (
            models.UniqueConstraint(fields=["campaign", "person", "key"], name="one_draft"),
        )


class Pulse(models.Model):
    """Something that pages which are open ought to show; it says where to look, never what.

    kind: "course" (something took effect) or "ready" (a seat has sealed).
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="pulses")
    kind = models.CharField(max_length=10)
    at = models.DateTimeField(default=timezone.now)

    @property
    def mark(self) -> int:
        """What browsers know it by: its time, in microseconds.

        Its number would tell how many there were before it, of which somebody may not hear.
        """
        return (self.at - EPOCH) // timedelta(microseconds=1)

    @staticmethod
    def marked(mark: int) -> datetime:
        """The time that a mark stands for.  Raises OverflowError if it is none of ours."""
        return EPOCH + timedelta(microseconds=mark)


class Proposal(models.Model):
    """An act of the umpire that is not done yet: to be confirmed, or consented to.

    The wish of a seat to take back an answer with those of the other stands here too: its entry is
    an undo, and it is never `put` (see `club.orders.taking_back`).

    entry: as its line will hold it.   number: of entries when the difference was computed.
    once:  names the filled form: sent again it makes no second one.
    put:   when a playing umpire put it to the other seats, whose consent it waits for.
    done:  when it was entered or dropped.   seat: the one that consented or refused, or "".
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="proposals")
    entry = models.BinaryField()
    number = models.PositiveIntegerField()
    by = models.ForeignKey(Person, models.SET_NULL, null=True)
    once = models.CharField(max_length=64)
    made = models.DateTimeField(default=timezone.now)
    put = models.DateTimeField(null=True)
    done = models.DateTimeField(null=True)
    entered = models.BooleanField(default=False)
    seat = models.CharField(max_length=40, blank=True)

    class Meta:
        """A form counts once a campaign."""

        constraints = (models.UniqueConstraint(fields=["campaign", "once"], name="one_proposal"),)


class Reminder(models.Model):
    """The umpire's word to a seat that is late.   number: of entries when it was given."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="reminders")
    seat = models.CharField(max_length=40)
    number = models.PositiveIntegerField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Nobody is reminded twice while nothing has happened."""

        constraints = (
            models.UniqueConstraint(fields=["campaign", "seat", "number"], name="one_reminder"),
        )


class Lapse(models.Model):
    """A program did not answer, and somebody else did for it.

    why: it was too slow, its process ended, or it broke off (see `bot_processes`).
    by:  the program that answered, or "" for the rules.   number: of entries before it.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="lapses")
    seat = models.CharField(max_length=40)
    program = models.CharField(max_length=40)
    why = models.CharField(max_length=10)
    by = models.CharField(max_length=40, blank=True)
    number = models.PositiveIntegerField()
    at = models.DateTimeField(default=timezone.now)


class TypedDice(models.Model):
    """Dice that a seat has thrown on a table and typed, and that nobody else has confirmed yet.

    key: of the throw, in canonical JSON.   faces: as a record holds them.
    once: names the filled form: sent again it is not taken again.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="typed")
    key = models.CharField(max_length=300)
    seat = models.CharField(max_length=40)
    person = models.ForeignKey(Person, models.SET_NULL, null=True)
    faces = models.JSONField()
    once = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        """One a throw: others are typed when it has been taken back."""

        constraints = (models.UniqueConstraint(fields=["campaign", "key"], name="one_typed"),)
