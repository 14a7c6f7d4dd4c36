"""Public news posted where a campaign's umpire wants them: as Discord reads them, or as plain JSON.

An address is called by https alone, at the port of https, and never where it leads to a machine
that is not on the open net: the very address that was looked at is the one that is called.  No
redirection is followed, and no answer is read.  What is not taken is tried for a week, later each
time (see `clock.models`); each posting carries one `id` however often it is tried.
"""

from __future__ import annotations

import json
import logging
import socket
import ssl
from collections import defaultdict
from http import HTTPStatus
from http.client import HTTPException, HTTPSConnection
from ipaddress import IPv6Address, ip_address, ip_network
from threading import Timer
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from polemarque.club.campaigns.session import read_lock
from polemarque.club.campaigns.visibility import LATE, WAITING, hides_readiness, readiness, story_of
from polemarque.club.clock.models import STALE, Notice, forget, put_back, take_out, waiting
from polemarque.club.clock.news import BATTLE, PERIOD, REMINDER
from polemarque.club.models import LONGEST_HOOK, Campaign, Person
from polemarque.club.people.roles import Visit
from polemarque.kernel.errors import NotUnderstood
from polemarque.report.documents.writers import text
from polemarque.web.i18n import say
from polemarque.web.links import absolute
from polemarque.web.pages.campaign.campaign import when
from polemarque.web.questions import words_of

log = logging.getLogger(__name__)

LIMIT = 8
"""Seconds that the whole of a call may take."""

HTTPS = 443
LONGEST = 1800
"""Characters of a message: Discord takes 2000."""

DISCORD = ("discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com")
MAPPED = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"))
"""Addresses that stand for others, which might be anything."""


class NotPosted(Exception):
    """Why something could not be posted, in one word or two."""


def checked_hook(address: str) -> str:
    """An address to which can be posted, "" for none.  Raises NotUnderstood."""
    if not address:
        return ""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise NotUnderstood("hook.address") from None
    sound = parts.scheme == "https" and parts.hostname and not parts.username
    if not sound or port not in {None, HTTPS} or not address.isascii() or " " in address:
        raise NotUnderstood("hook.address")
    if len(address) > LONGEST_HOOK:
        raise NotUnderstood("hook.address")
    return address


# Calling -----------------------------------------------------------------------------------------


def open_net(host: str) -> str:
    """The address of a machine on the open net.

    Raises NotPosted where any of its addresses is not: private, its own, a router's.
    """
    try:
        found = {each[4][0] for each in socket.getaddrinfo(host, HTTPS, type=socket.SOCK_STREAM)}
    except (OSError, UnicodeError):
        raise NotPosted("unknown host") from None
    for each in found:
        if not _is_open(str(each)):
            raise NotPosted("private address")
    return str(min(found, key=lambda each: ":" in str(each)))


def _is_open(said: str) -> bool:
    address = ip_address(said.partition("%")[0])
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is not None or address.teredo or any(address in net for net in MAPPED):
            return False
    return address.is_global and not address.is_multicast


class _Pinned(HTTPSConnection):
    """Calls one address, and holds it to the name that it was asked for."""

    def __init__(self, host: str, address: str) -> None:
        self._trust = ssl.create_default_context()
        super().__init__(host, HTTPS, timeout=LIMIT, context=self._trust)
        self._address = address

    def connect(self) -> None:
        plain = socket.create_connection((self._address, HTTPS), LIMIT)
        self.sock = self._trust.wrap_socket(plain, server_hostname=self.host)


def post(address: str, body: dict[str, Any]) -> None:
    """Post JSON.  Raises NotPosted if it was not taken."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    line = _Pinned(host, open_net(host))
    ends = Timer(LIMIT, lambda: _hang_up(line))
    ends.start()
    try:
        way = parts.path or "/"
        line.request(
            "POST", f"{way}?{parts.query}" if parts.query else way, json.dumps(body).encode(),
            {"Content-Type": "application/json", "User-Agent": "Polemarque"},
        )  # fmt: skip
        status = line.getresponse().status
    except TimeoutError:
        raise NotPosted("no answer") from None
    except (OSError, HTTPException, ValueError, AttributeError) as fault:
        raise NotPosted(type(fault).__name__) from None
    finally:
        ends.cancel()
        line.close()
    if not HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        raise NotPosted(f"HTTP {status}")


def _hang_up(line: HTTPSConnection) -> None:
    """End a call that takes too long, whatever it is doing."""
    if line.sock is not None:
        try:
            line.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            return


# What is posted ----------------------------------------------------------------------------------


def post_all() -> None:
    """Post what waits; where one posting of a campaign is not taken, its others wait too."""
    rows: dict[Campaign, list[Notice]] = defaultdict(list)
    for notice in waiting():
        if notice.person is None:
            rows[notice.campaign].append(notice)
    for campaign, found in rows.items():
        if _held_up(campaign):
            continue
        for notice in found:
            if take_out(notice) and not _posted(campaign, notice):
                break


def _held_up(campaign: Campaign) -> bool:
    """Whether something that was not taken is to be tried later: what is newer comes after it."""
    now = timezone.now()
    tried = campaign.notices.filter(person=None, sent=None, tries__gt=0, at__gt=now - STALE)
    return tried.filter(after__gt=now).exists()


def _posted(campaign: Campaign, notice: Notice) -> bool:
    try:
        if campaign.hook:
            post(campaign.hook, body_of(campaign, notice))
    except NotPosted as fault:
        why = str(fault)
    except Exception:
        log.exception("campaign %s: news could not be written", campaign.code)
        why = "it could not be written"
    else:
        forget(notice)
        return True
    notice.refresh_from_db()
    put_back(notice, f"webhook: {why}")
    return False


def body_of(campaign: Campaign, notice: Notice) -> dict[str, Any]:
    """What is posted, in the form that its address reads."""
    lang = _lang(campaign)
    with override(lang):
        said = _said(campaign, notice, lang)
    link = absolute(None, reverse("campaign", kwargs={"code": campaign.code}))
    if not settings.ADDRESS:
        link = ""
    if (urlsplit(campaign.hook).hostname or "") in DISCORD:
        content = "\n".join([f"**{campaign.title}**", said, link]).strip()
        return {"content": content, "allowed_mentions": {"parse": []}}
    return {
        "id": f"{campaign.code}.{notice.pk}", "campaign": campaign.title, "kind": notice.text,
        "turn": campaign.turn, "text": said, "address": link,
    }  # fmt: skip


def _lang(campaign: Campaign) -> str:
    """The language of the first umpire who has chosen one."""
    chosen = Person.objects.filter(umpirings__campaign=campaign).exclude(lang="")
    return chosen.order_by("pk").values_list("lang", flat=True).first() or "fr"


def _said(campaign: Campaign, notice: Notice, lang: str) -> str:
    """The news as everybody may read it."""
    nobody = Visit(campaign, Person(), watches=True)
    with read_lock(campaign) as table:
        if notice.text == BATTLE:
            own: Any = words_of(nobody, table, lang).voice.own
            return say(lang, "hook.battle", place=own.name(notice.data["place"]),
                       sides=[own.name(seat) for seat in notice.data["sides"]])  # fmt: skip
        if notice.text == REMINDER:
            if hides_readiness(nobody, table):  # nor may the umpire who plays know it
                return say(lang, "hook.near")
            there = readiness(nobody, table, lang)
            names = [each.name for each in there if each.state in {WAITING, LATE} and not each.bot]
            return say(lang, "hook.awaited", seats=names)
        if notice.text != PERIOD:
            return say(lang, f"news.{notice.text}")
        period = int(notice.key.partition(".")[2])
        told = story_of(table, period - 1, "", lang, nobody.people)
        lines = [say(lang, "hook.period", when=when(table.game.header.system, period, lang))]
        lines += [text(told).strip()] if told.blocks else []
    said = "\n\n".join(lines)
    return said if len(said) <= LONGEST else said[:LONGEST].rsplit("\n", 1)[0] + "\n…"
