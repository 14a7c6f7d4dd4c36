"""Bodies of requests, read before a thread is given to them: who sends slowly holds nobody up."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

PATIENCE = 60.0
"""Seconds within which a body must have come."""

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


async def whole(scope: Any, receive: Receive, send: Send, most: int) -> Receive | None:
    """A `receive` that has the whole body at hand; None if the request was answered or is gone.

    most: bytes.  A body that says itself that it is longer is left unread, for the pages to refuse.
    """
    if _said(scope) > most:
        return receive
    try:
        body = await asyncio.wait_for(_read(receive, most), PATIENCE)
    except TimeoutError:
        await _refuse(send, 408)
        return None
    if body is None:
        return None
    if len(body) > most:
        await _refuse(send, 413)
        return None
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def given() -> Message:
        return waiting.pop() if waiting else await receive()

    return given


def _said(scope: Any) -> int:
    """How long a body says that it is; 0 where it does not say."""
    said = dict(scope["headers"]).get(b"content-length", b"")
    return int(said[:19]) if said.isdigit() else 0


async def _read(receive: Receive, most: int) -> bytes | None:
    """The body, or as much of it as is too long; None if the sender is gone."""
    body = bytearray()
    while len(body) <= most:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if not message.get("more_body", False):
            break
    return bytes(body)


async def _refuse(send: Send, status: int) -> None:
    headers = [(b"content-length", b"0"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
