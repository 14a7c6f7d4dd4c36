"""Two doors of one process: events by ASGI, everything else by WSGI in a few threads.

Pages are quicker that way than through ASGI, and open streams of events hold no thread.
"""

from __future__ import annotations

import os
from asyncio import CancelledError
from threading import Thread
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "polemarque.web.settings")

from a2wsgi import WSGIMiddleware
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.core.wsgi import get_wsgi_application

from polemarque.web.request_body import whole

THREADS = 4

_events = get_asgi_application()
_wsgi: Any = get_wsgi_application()
_pages: Any = WSGIMiddleware(_wsgi, workers=THREADS)


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answer one connection, or the server's own beginning and end."""
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    elif scope["type"] == "http":
        given = await whole(scope, receive, send, settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        if given is None:
            return
        if scope["path"].startswith("/events/"):
            # Called itself, it would give each request a thread and a connection to the database
            # for as long as it streams.
            await _events.handle(scope, given, send)
        else:
            await _pages(scope, given, send)


async def _lifespan(receive: Any, send: Any) -> None:
    """Start what runs beside the pages with the server, and end it with it."""
    from polemarque.club.campaigns.bot_processes import end_all
    from polemarque.club.campaigns.bot_turns import Automation
    from polemarque.club.server.prewarm import warm
    from polemarque.web.stream import Poller
    from polemarque.web.ticking import Ticking

    clerk, poller, ticking = Automation(), Poller.the(), Ticking()
    assert (await receive())["type"] == "lifespan.startup"
    clerk.start()
    poller.start()
    ticking.start()
    Thread(target=warm, name="warming", daemon=True).start()
    await send({"type": "lifespan.startup.complete"})
    try:
        await receive()
    except CancelledError:  # Ctrl-C once more: the server waits for nobody
        end_all()
        return
    clerk.end()
    ticking.end()
    end_all()
    await poller.end()
    await send({"type": "lifespan.shutdown.complete"})
