"""Where nothing can be kept: a full disk, one that can only be read, a clock that ran back."""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, tzinfo
from html import unescape
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_FSIZE, prlimit
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from polemarque.club.models import Receipt
from polemarque.club.server import backup
from polemarque.web.i18n import say
from tests.web.people import browser, filled, said, way
from tests.web.served import Forms, Server, Visitor, fill, serving
from tests.web.world import World, world

WAR: dict[str, Any] = {"system": "atlantide", "seats": 3, "people": {"A": "ann", "B": "ben"}}

FULL = 1 << 15
"""Bytes of a file, less than the club's has: to write on is refused as by a disk without room."""


@contextmanager
def no_room(server: Server) -> Iterator[None]:
    assert server.process is not None
    prlimit(server.process.pid, RLIMIT_FSIZE, (FULL, RLIM_INFINITY))
    try:
        yield
    finally:
        prlimit(server.process.pid, RLIMIT_FSIZE, (RLIM_INFINITY, RLIM_INFINITY))


@contextmanager
def read_only() -> Iterator[None]:
    """A database that takes nothing, as on a disk that can only be read."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = ON")
        try:
            yield
        finally:
            cursor.execute("PRAGMA query_only = OFF")


def health(answer: Any) -> tuple[int, bool, list[str]]:
    told = answer.json()
    return answer.status_code, told["sound"], told["faults"]


@pytest.fixture
def there() -> World:
    return world()


KEPT = 2.5
"""Seconds after which health looks again."""


@pytest.mark.slow
def test_who_cannot_seal_on_a_full_disk_is_told_why(tmp_path: Path) -> None:
    made: Any = fill(tmp_path, WAR)
    path = f"/c/{made['campaigns'][0]}/seat"
    with serving(tmp_path, "--no-demo") as server:
        people = {"fr": Visitor(server, made["people"]["ann"] | {"lang": "fr"}),
                  "en": Visitor(server, made["people"]["ben"] | {"lang": "en"})}  # fmt: skip
        sealed = {}
        for seat, (lang, visitor) in zip("AB", people.items(), strict=True):
            door = f"{path}/{seat}/answer/"
            _, page, _ = visitor.get(f"{path}/{seat}/")
            fields = next(fields for to, fields in Forms(page).forms if to == door)
            sealed[lang] = (visitor, door, [*fields, ("do", "seal")])
        with no_room(server):
            for lang, (visitor, door, fields) in sealed.items():
                status, page, _ = visitor.post(door, fields)
                assert status == 507
                assert say(lang, "fault.unkept", reason="full") in unescape(page)
                assert say(lang, "fault.unkept_told", reason="full") in unescape(page)
            time.sleep(KEPT)  # what was found before is told as long
            status, told, _ = Visitor(server, {}).get("/health/")
            assert (status, json.loads(told)["faults"]) == (503, ["full"])
            assert people["fr"].get(f"{path}/A/")[0] == 200, "pages are read"
        for visitor, door, fields in sealed.values():
            status, _, headers = visitor.post(door, fields)
            assert status == 303 and "receipt=" in headers["Location"], "room again, no restart"


@pytest.mark.django_db
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_who_cannot_seal_on_a_disk_that_can_only_be_read_is_told_why(
    there: World, lang: str
) -> None:
    client = browser(there.people["commander"], lang, raise_request_exception=False)
    form = {**filled(client.get(way("seat", there.campaign, seat="A"))), "do": "seal"}
    with read_only():
        answer = client.post(way("answer", there.campaign, seat="A"), form)
    assert answer.status_code == 503
    assert say(lang, "fault.unkept_told", reason="read_only") in unescape(said(answer))
    assert not Receipt.objects.exists()
    assert client.post(way("answer", there.campaign, seat="A"), form).status_code == 303


@pytest.mark.django_db
def test_an_umpire_reads_where_nothing_can_be_kept(there: World) -> None:
    there.campaign.umpires.update(seen=timezone.now() - timedelta(days=9))
    client = there.browser("umpire")
    assert health(browser().get("/health/")) == (200, True, [])
    cache.clear()
    with read_only():
        assert client.get(way("campaign", there.campaign)).status_code == 200
        assert health(browser().get("/health/")) == (503, False, ["read_only"])
        assert ("unkept", "read_only") in backup.health().faults


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("number", "why"), [(errno.ENOSPC, "full"), (errno.EROFS, "read_only"), (errno.EDQUOT, "full")]
)
def test_room_on_the_disk_is_tried(
    number: int, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "polemarque.sqlite3"
    database.touch()
    monkeypatch.setitem(connection.settings_dict, "NAME", str(database))
    assert backup.unkept() == ""

    def full(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", full)
    assert backup.unkept() == why
    told = browser().get("/health/")
    assert (told.status_code, told.json()["faults"]) == (503, [why])
    assert [*tmp_path.iterdir()] == [database]


@pytest.mark.django_db
class Earlier(datetime):
    """A clock that was set back by ten days."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        return datetime.now(tz) - timedelta(days=10)


@pytest.mark.django_db
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_clock_that_ran_back_is_told_and_hinders_nothing(
    there: World, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def desk(of: World) -> str:
        client = browser(of.people["umpire"], lang)
        return unescape(said(client.get(way("desk", of.campaign))))

    note = say(lang, "desk.clock_behind")
    assert not backup.clock_behind()
    assert note not in desk(there)
    monkeypatch.setattr(timezone, "datetime", Earlier)
    assert ("clock", "") in backup.health().faults
    assert health(browser().get("/health/")) == (200, False, ["clock"])
    other = world()
    assert backup.clock_behind(there.campaign) and not backup.clock_behind(other.campaign)
    assert note in desk(there)
    assert note not in desk(other), "nothing was entered there before the clock was set back"
