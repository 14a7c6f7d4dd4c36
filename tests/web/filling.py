"""Fills a folder with people and campaigns, for a server that is started afterwards.

``python -m tests.web.filling DIR NAME '[{"system": "atlantide", "people": {"A": "ann"}}]'`` prints,
as JSON, the code of each campaign and the session of each person.  What is random comes from NAME.
"""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from polemarque.web.server import migrate, prepare
from tests.chance import fix


def main(data: Path, campaigns: list[dict[str, Any]]) -> dict[str, Any]:
    prepare(data)
    migrate()
    from polemarque.club.models import Person

    codes = [_made(each) for each in campaigns]
    people = Person.objects.order_by("pk")
    return {"campaigns": codes, "people": {each.username: _session(each) for each in people}}


def _made(wanted: dict[str, Any]) -> str:
    from polemarque.club.campaigns.lobby import CampaignPlan, begin, make, sit_down

    plan = CampaignPlan(
        wanted["system"], wanted.get("scenario", ""), wanted.get("seats", 0),
        wanted.get("options", {}),
    )  # fmt: skip
    seats, people = plan.header().seats, wanted.get("people", {})
    umpire = wanted.get("umpire")
    made = make(
        wanted.get("title", "A test"), plan, _person(umpire) if umpire else None,
        bots={seat: "steady" for seat in seats if seat not in people},
        pace=wanted.get("pace", 0), public=wanted.get("public", False),
    )  # fmt: skip
    for seat, name in people.items():
        sit_down(made, seat, _person(name))
    if wanted.get("begin", True):
        begin(made)
    if wanted.get("by_mail"):
        _by_mail(made)
    if wanted.get("battle_of"):
        _battle(made, wanted["battle_of"])
    if wanted.get("on_table"):
        _on_the_table(made)
    if wanted.get("until"):
        _until(made, *wanted["until"])
    if wanted.get("silent"):
        _silent(made, wanted["silent"])
    return made.code


def _by_mail(made: Any) -> None:
    """Its people play by mail, and were asked an hour ago."""
    from allauth.account.models import EmailAddress
    from django.utils import timezone

    from polemarque.club.models import Holder

    for one in [held.person for held in Holder.objects.filter(seat__campaign=made)]:
        one.email, one.lang, one.forms = f"{one.username}@example.org", "en", True
        one.save()
        EmailAddress.objects.create(user=one, email=one.email, verified=True, primary=True)
    made.asked = timezone.now() - timedelta(hours=1)
    made.save(update_fields=["asked"])


def _battle(made: Any, seat: str) -> None:
    """Have programs play everybody until a battle asks that seat."""
    from tests.web.lent import to_battle
    from tests.web.world import World

    to_battle(World(made), seat)


def _on_the_table(made: Any) -> None:
    """Have programs play everybody until a battle waits to be fought with figures."""
    from polemarque.club.clock.battle_dates import ON_TABLE, open_battles
    from tests.web.world import World, play_on

    def waits(game: Any) -> bool:
        return any(inner.system.name == ON_TABLE for _, inner in open_battles(game))

    play_on(World(made), waits)


def _until(made: Any, rule: str, seat: str, period: int) -> None:
    """Have programs play everybody until a rule asks that seat, in that turn or later."""
    from tests.web.world import World, play_on

    def asks(game: Any) -> bool:
        game.settle()
        keys = [r.keys[seat] for r in game.requests(seat) if seat in r.missing]
        return any(key.rule == rule and key.period >= period for key in keys)

    play_on(World(made), asks)


def _silent(made: Any, days: int) -> None:
    """Its umpires have given no sign of life for so many days."""
    from django.utils import timezone

    made.umpires.update(seen=timezone.now() - timedelta(days=days))


def _person(name: str) -> Any:
    from polemarque.club.models import Person

    found, new = Person.objects.get_or_create(username=name, defaults={"called": name.title()})
    if new:
        found.set_password(f"{name}-sleeps-well")
        found.save()
    return found


def _session(person: Any) -> dict[str, str]:
    """The cookies of somebody who has signed in."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.create()
    return {"sessionid": session.session_key or ""}


def told() -> None:
    """Fill as the program's words say, and print who and what is there."""
    data, name, campaigns = sys.argv[1:]
    fix(name)
    print(json.dumps(main(Path(data), json.loads(campaigns))))


if __name__ == "__main__":
    told()
