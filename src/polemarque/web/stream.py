"""Server-sent events: open pages hear that there is something new, and look for themselves.

An event says only that one should look again; what there is to see a page asks for as its reader.
One task reads the pulses for everybody; a browser that was away says which it saw last.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import AsyncIterator
from functools import cache

from asgiref.sync import sync_to_async
from django.contrib.auth import get_user
from django.contrib.sessions.backends.db import SessionStore
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from polemarque.club.campaigns.session import SEALED, read_lock
from polemarque.club.campaigns.visibility import hides_readiness
from polemarque.club.models import Campaign, Person, Pulse
from polemarque.club.people.roles import Visit, visit_of
from polemarque.web.forms.whole_numbers import whole

log = logging.getLogger(__name__)

OFTEN = 0.25
"""Seconds between two looks at the pulses."""

PING = 15.0
"""Seconds of silence after which a comment keeps the connection open."""


class Poller:
    """Reads the pulses and hands them to anyone who listens to their campaign."""

    def __init__(self) -> None:
        self._listeners: dict[int, set[asyncio.Queue[Pulse | None]]] = {}
        self._task: asyncio.Task[None] | None = None

    @staticmethod
    @cache
    def the() -> Poller:
        """The one of this process."""
        return Poller()

    def start(self) -> None:
        """Begin to read, in a context of its own: it outlives every request."""
        self._task = asyncio.get_running_loop().create_task(
            self._run(), context=contextvars.Context()
        )

    async def end(self) -> None:
        """Stop reading."""
        if self._task is not None:
            self._task.cancel()

    def hang_up(self) -> None:
        """Let every stream end, as the server is about to."""
        for queue in [queue for queues in self._listeners.values() for queue in queues]:
            queue.put_nowait(None)

    def listen(self, campaign: int) -> asyncio.Queue[Pulse | None]:
        """A queue of what is heard from a campaign; None where nothing more will be."""
        queue: asyncio.Queue[Pulse | None] = asyncio.Queue()
        self._listeners.setdefault(campaign, set()).add(queue)
        return queue

    def leave(self, campaign: int, queue: asyncio.Queue[Pulse | None]) -> None:
        """Listen no more."""
        queues = self._listeners.get(campaign, set())
        queues.discard(queue)
        if not queues:
            self._listeners.pop(campaign, None)

    async def _run(self) -> None:
        last: int | None = None
        while True:
            try:
                last = await self._look(last)
            except DatabaseError:
                log.exception("the pulses could not be read; they will be looked at again")
            await asyncio.sleep(OFTEN)

    async def _look(self, last: int | None) -> int:
        """Hand on what came after pulse `last`; the newest there is.

        Where nobody listens it is read all the same: somebody may begin to meanwhile.
        """
        if last is None:
            return await sync_to_async(_newest)()
        for heard in await sync_to_async(_after)(last):
            last = heard.pk
            for queue in self._listeners.get(heard.campaign_id, ()):
                queue.put_nowait(heard)
        return last


def _newest() -> int:
    return Pulse.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def _after(last: int) -> list[Pulse]:
    return list(Pulse.objects.filter(pk__gt=last).order_by("pk"))


def _missed(visit: Visit, mark: int) -> tuple[int, int]:
    """The newest pulse after that one that a listener may hear: its number and its mark.

    If there is none, those of the one given.  After it came what has a higher number: a clock may
    have been set back since.
    """
    pulses = visit.campaign.pulses
    known = pulses.filter(at__lte=Pulse.marked(mark)).order_by("-at", "-pk").first()
    seen = known.pk if known is not None else 0
    after = pulses.filter(pk__gt=seen).order_by("-pk").iterator(20)
    return next(((one.pk, one.mark) for one in after if _may_hear(visit, one.kind)), (seen, mark))


async def events(request: HttpRequest, code: str) -> HttpResponseBase:
    """The stream of a campaign; resumes after the event that the browser saw last."""
    if request.method != "GET":
        return HttpResponse(status=405)
    visit = await sync_to_async(_visit)(request, code)
    since = request.headers.get("Last-Event-ID") or request.GET.get("since", "")
    stream = _stream(visit, whole(since), request.session.session_key or "")
    return StreamingHttpResponse(
        stream,
        content_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


def _visit(request: HttpRequest, code: str) -> Visit:
    """Who listens.  Raises Http404 to anyone who may not."""
    campaign = Campaign.objects.filter(code=code).first()
    if campaign is None or not isinstance(request.user, Person):
        raise Http404
    visit = visit_of(campaign, request.user)
    if not (visit.inside or visit.guest):
        raise Http404
    return visit


def _still(visit: Visit, session: str) -> bool:
    """Whether a listener is still signed in, by that session, and has a part in the campaign."""
    request = HttpRequest()
    request.session = SessionStore(session)
    if get_user(request) != visit.person:
        return False
    campaign = Campaign.objects.filter(pk=visit.campaign.pk).first()
    if campaign is None:
        return False
    now = visit_of(campaign, visit.person)
    return now.inside or bool(now.guest)


async def _stream(visit: Visit, since: int | None, session: str) -> AsyncIterator[bytes]:
    """What a listener hears, until they have left, signed out, or lost their part."""
    number = visit.campaign.pk
    queue = Poller.the().listen(number)
    try:
        yield b"retry: 2000\n\n"
        seen = 0
        if since is not None:
            seen, mark = await sync_to_async(_missed)(visit, since)
            if mark != since:
                yield _event(mark)
        while True:
            try:
                heard = await asyncio.wait_for(queue.get(), PING)
            except TimeoutError:
                if not await sync_to_async(_still)(visit, session):
                    return
                yield b": still here\n\n"
                continue
            if heard is None or not await sync_to_async(_still)(visit, session):
                return
            if heard.pk > seen and await sync_to_async(_may_hear)(visit, heard.kind):
                yield _event(heard.mark)
    finally:
        Poller.the().leave(number, queue)


def _event(mark: int) -> bytes:
    return b"id: %d\nevent: news\ndata: %d\n\n" % (mark, mark)


def _may_hear(visit: Visit, kind: str) -> bool:
    """Whether a pulse is for this listener: see `hides_readiness`.

    They may have sat down since they began to listen.  To a guest of one battle, who is nothing
    else in the campaign, nobody says that a seat has sealed: it may be elsewhere.
    """
    if kind != SEALED:
        return True
    if not visit.inside:
        return False
    campaign = Campaign.objects.get(pk=visit.campaign.pk)
    now = visit_of(campaign, visit.person)
    with read_lock(campaign) as table:
        return not hides_readiness(now, table)
