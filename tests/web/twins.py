"""Twin campaigns, equal but for what somebody may not know, and all that he gets to read of them.

Whatever comes by chance comes alike in both: codes, chains, words, salts, what forms are known by.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, tzinfo
from random import Random
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.core import mail
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from polemarque.club.campaigns import session
from polemarque.club.campaigns.question_keys import key_text, read_key
from polemarque.club.campaigns.session import read_lock
from polemarque.club.models import Receipt
from polemarque.club.people.roles import visit_of
from polemarque.kernel.records.export import digest_of
from polemarque.kernel.records.record import Act, Chain, cover
from polemarque.web import stream
from polemarque.web.questions import named
from tests.web.world import World, open_key

GUESSED = "b" * 64
"""The digest of a receipt that somebody may have heard of."""

Heard = tuple[int, str]
"""After which act somebody heard something, and what: an event of the stream, or a mail."""

NOW = datetime(2026, 3, 15, 9, 30, tzinfo=UTC)

DIGEST = re.compile(r"[0-9a-f]{64}")
GROUPED = re.compile(r"[0-9a-f]{8}(?:</span><span>[0-9a-f]{8}){7}")
BEGUN = re.compile(r"\b([0-9a-f]{8})…")
FORGED = re.compile(r'(name="csrfmiddlewaretoken" value=")[^"]*|(nonce(?:="|-))[^"\']*')
SIGNED = re.compile(r"/mails/[\w:-]+/")
"""The link that stops mails: it is signed with the hour, by a clock that does not stand still."""

SUM = re.compile(r'"sum":"[0-9a-f]{64}"')
"""Of all bytes of an export, and so of the digests in it."""


class Stopped(datetime):
    """A clock that stands still."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        return NOW.astimezone(tz)


class Chance:
    """What stands for the machine's own random source, which can begin anew, and for its clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.again()
        monkeypatch.setattr(timezone, "datetime", Stopped)
        monkeypatch.setattr(secrets, "token_bytes", self.bytes)
        monkeypatch.setattr(secrets, "token_hex", lambda n=32: self.bytes(n).hex())

    def again(self) -> None:
        self._random = Random(1)

    def bytes(self, n: int = 32) -> bytes:
        return self._random.randbytes(n)


@contextmanager
def twin(chance: Chance) -> Iterator[None]:
    """One of several: what is made inside is as if it had not been made, numbers in tables too."""
    session._tables.clear()
    chance.again()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    session._tables.clear()


# Commitments -------------------------------------------------------------------------------------


class Names:
    """Names for the digests of a record: they are commitments, equal only if what they hide is.

    Heads of the chain by their place in it, digests of entries and of what an act's cover hides by
    their number, those of receipts by theirs.
    """

    def __init__(self, there: World) -> None:
        with read_lock(there.campaign) as table:
            game = table.game
            chain = Chain(game.header)
            self._names = {chain.head: "<link 0>"}
            for number, entry in enumerate(game.entries, 1):
                digest = digest_of(entry, game.header.version)
                chain.add_digest(digest)
                self._names[chain.head] = f"<link {number}>"
                self._names[digest.hex()] = f"<entry {number}>"
                if isinstance(entry, Act):
                    self._names[cover(entry).line] = f"<act {number}>"
        for receipt in Receipt.objects.all():
            self._names[receipt.digest] = f"<receipt {receipt.pk}>"
        self._begun = {digest[:8]: name for digest, name in self._names.items()}

    def put(self, text: str) -> str:
        text = GROUPED.sub(lambda found: found[0].replace("</span><span>", ""), text)
        text = DIGEST.sub(lambda found: self._names.get(found[0], found[0]), text)
        return BEGUN.sub(lambda found: self._begun.get(found[1], found[0]), text)


def names_now(there: World, made: dict[Any, Names]) -> Names:
    """Those of the record as it stands, for an umpire who reads is entered; made once for each."""
    with read_lock(there.campaign) as table:
        head = table.head
    record = (head, *Receipt.objects.values_list("pk", "digest"))
    if record not in made:
        made[record] = Names(there)
    return made[record]


# What somebody gets ------------------------------------------------------------------------------


def everything(there: World, role: str, chance: Chance) -> dict[str, str]:
    """All that somebody can get: what they asked for -> status, headers and text of the answer.

    An address that is not there for them is asked once, and sent two forms: whatever else it were
    asked, it would be the same rule that has turned them away.
    """
    client = there.browser(role)
    got: dict[str, str] = {}
    made: dict[Any, Names] = {}

    def keep(what: str, response: Any) -> None:
        names = names_now(there, made)
        got[names.put(what)] = names.put(as_it_came(what, response))

    for way in ways(there, role):
        chance.again()
        response = client.get(way)
        keep(f"GET {way}", response)
        live = "/seat/" in way or "/battle/" in way or way.endswith(f"{there.campaign.code}/")
        if live and response.status_code != 404:
            chance.again()
            keep(f"GET {way} as a page that is open", client.get(way, headers={"X-Live": "1"}))
    for way, posts in bad_posts(there, role).items():
        for what, fields in posts:
            with transaction.atomic():
                chance.again()
                response = client.post(way, fields)
                keep(f"POST {what} {way}", response)
                transaction.set_rollback(True)
            if fields and response.status_code == 404:
                break
    got["events"] = str(events(there, role))
    return got


def as_it_came(what: str, response: Any) -> str:
    """Status, headers and text of an answer, without what is made by chance for each."""
    text = response.content.decode()
    if "/export/" in what:
        text = SUM.sub("", text)
    told = {n: v for n, v in response.headers.items() if n not in {"Set-Cookie", "Content-Length"}}
    said = f"{response.status_code} {told} {text}"
    return FORGED.sub(lambda found: found[1] or found[2], said)


def one_page(there: World, role: str, where: str, chance: Chance) -> str:
    """A page that somebody reads, or the one he is sent to, as `everything` has it."""
    client = there.browser(role)
    chance.again()
    text = as_it_came(where, client.get(where, follow=True))
    return Names(there).put(text)


def ways(there: World, role: str) -> list[str]:
    """The addresses that somebody can think of; what is not there for him says so alike."""
    code = there.campaign.code
    with read_lock(there.campaign) as table:
        seats, period = table.game.header.seats, table.game.runner.period

    def way(name: str, **parts: Any) -> str:
        return reverse(name, kwargs={"code": code, **parts})

    chronicle = way("chronicle")
    formats = [f"{chronicle}?format={form}&seat=" for form in ("text", "html")]
    own = [chronicle, way("chronicle_turn", number=1), *formats, f"{chronicle}?seat=B"]
    digests = list(
        Receipt.objects.filter(seat__in=_seats(there, role)).values_list("seat", "digest")
    )
    return [
        reverse("home"), way("campaign"), *own, way("trust"), way("odds"),
        *[way("turn", number=number) for number in sorted({1, period - 1, period} - {0})],
        *[way("seat", seat=seat) for seat in seats],
        *[way("pack", seat=seat) for seat in seats],
        *[way("export", kind=kind) for kind in ("public", "full", *seats)],
        *[way("receipt", seat=seat, digest=digest) for seat, digest in digests],
        *[f"{way('seat', seat=seat)}?receipt={digest}" for seat, digest in digests],
        way("desk"), way("corrections"), way("people"), *lent_ways(there, role),
    ]  # fmt: skip


def lent_ways(there: World, role: str) -> list[str]:
    """The addresses of the battles in which somebody is a guest, or might be one."""
    guest = visit_of(there.campaign, there.people[role]).guest
    found = []
    with read_lock(there.campaign) as table:
        paths = [inner.path for _, inner in table.game.runner.branches]
    for path in dict.fromkeys([*guest, *paths, "1-nowhere"]):
        where = {"code": there.campaign.code, "path": path}
        page = reverse("guest", kwargs=where)
        found += [page, reverse("guest_answer", kwargs=where)]
        kept = Receipt.objects.values_list("key", "digest")
        own = [digest for key, digest in kept if read_key(key).path == path]
        for digest in (GUESSED, *own):
            found += [
                f"{page}?receipt={digest}",
                reverse("guest_receipt", kwargs={**where, "digest": digest}),
            ]
    return found


def _seats(there: World, role: str) -> list[str]:
    return list(visit_of(there.campaign, there.people[role]).seats)


def bad_posts(there: World, role: str) -> dict[str, list[tuple[str, dict[str, str]]]]:
    """Forms that are refused, by address: nonsense, others' questions, late and stale answers."""
    found: dict[str, list[tuple[str, dict[str, str]]]] = {}
    code = there.campaign.code
    doors = [(seat, reverse("answer", kwargs={"code": code, "seat": seat})) for seat in ("A", "B")]
    for path, seat in visit_of(there.campaign, there.people[role]).guest.items():
        doors += [(seat, reverse(name, kwargs={"code": code, "path": path}))
                  for name in ("guest_answer", "guest_dice")]  # fmt: skip
    for seat, way in doors:
        try:
            key = open_key(there, seat)
        except StopIteration:
            continue
        text = key_text(key)
        other = key_text(
            type(key)(key.period, key.path, key.rule, seat, key.subject, key.number + 7)
        )
        found[way] = [
            ("nothing", {}),
            ("an empty form", {"key": text, "do": "seal"}),
            ("nonsense", {"key": "[[[", "do": "seal"}),
            ("another question", {"key": other, "do": "seal"}),
            ("no word", {"key": text, "do": "seal", named(text): "no such word"}),
            ("a stale form", {"key": text, "do": "seal", "standing": "0" * 64}),
            ("to be worked out", {"key": text, "do": "work"}),
        ]
    return found


def events(there: World, role: str) -> list[bytes]:
    """What the stream of events says to somebody who was away from the beginning."""
    visit = visit_of(there.campaign, there.people[role])

    async def heard() -> list[bytes]:
        got = []
        async for said in stream._stream(visit, 0, ""):
            got.append(said)
            if said.startswith(b":"):
                break
        return got

    return async_to_sync(heard)()


def heard_while(there: World, role: str, acts: Sequence[Callable[[], Any]]) -> list[Heard]:
    """What reaches somebody whose page is open while others act, and all mails that are sent: each
    with the number of the act after which it came, and as it came."""
    visit = visit_of(there.campaign, there.people[role])
    session = str(there.browser(role).session.session_key)
    poller, outbox = stream.Poller.the(), mail.outbox

    async def heard() -> list[Heard]:
        listening = stream._stream(visit, None, session)
        got: list[Heard] = [(0, repr(await anext(listening)))]
        last, sent = await poller._look(None), len(outbox)
        for number, act in enumerate(acts, 1):
            await sync_to_async(act)()
            last = await poller._look(last)
            while not (said := await anext(listening)).startswith(b":"):
                got.append((number, repr(said)))
            mails = [f"{one.to} {one.subject} {one.body}" for one in outbox[sent:]]
            got += [(number, SIGNED.sub("/mails/", said)) for said in mails]
            sent = len(outbox)
        await listening.aclose()
        return got

    return async_to_sync(heard)()


def differences(one: dict[str, str], other: dict[str, str]) -> dict[str, tuple[str, str]]:
    """What somebody got that is not the same, each with where it parts."""
    assert one.keys() == other.keys()
    found = {}
    for what, text in one.items():
        if text != other[what]:
            at = next(
                (n for n, (a, b) in enumerate(zip(text, other[what], strict=False)) if a != b),
                min(len(text), len(other[what])),
            )
            found[what] = (text[max(at - 80, 0) : at + 80], other[what][max(at - 80, 0) : at + 80])
    return found
