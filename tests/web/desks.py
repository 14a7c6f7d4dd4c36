"""Umpires at their desks, for tests."""

from __future__ import annotations

from datetime import timedelta
from secrets import token_hex
from typing import Any

from django.test import Client
from django.utils import timezone

from polemarque.club.campaigns.lobby import CampaignPlan, begin, make, sit_down
from polemarque.club.campaigns.session import read_lock
from polemarque.club.models import Campaign, Entry
from polemarque.club.orders.answers import seal
from tests.club.people import asked, person, some_answer
from tests.web.browser import Element, sent
from tests.web.people import page, way


def forms_to(response: Any, address: str) -> list[Element]:
    """The forms of a page that post to an address."""
    return [each for each in page(response).all("form") if each.attrs.get("action") == address]


def fields(form: Element) -> dict[str, str]:
    return {name: values[-1] for name, values in sent(form).items()}


def table_text(response: Any) -> str:
    """The umpire's list, as it is read."""
    (table,) = [e for e in page(response).all("table") if e.attrs.get("class") == "desk"]
    return " ".join(table.said.split())


def seal_for(made: Campaign, seat: str, number: int = 0) -> None:
    who = person(seat.lower())
    value = some_answer(made, seat, number)
    seal(made, who, seat, asked(made, seat), value, once=f"{seat}{number}{Entry.objects.count()}")


def played(umpire: str = "A", pace: int = 0, others: int = 2) -> Campaign:
    """A campaign whose umpire, zoe, plays a seat; people hold so many others, programs the rest."""
    plan = CampaignPlan("atlantide", seats=3)
    codes = plan.header().seats
    zoe = person("zoe")
    people = [code for code in codes if code != umpire][:others]
    bots = {code: "steady" for code in codes if code not in (umpire, *people)}
    made = make("A test", plan, zoe, bots=bots, own=[umpire], pace=pace)
    for code in people:
        sit_down(made, code, person(code.lower()))
    begin(made)
    made.refresh_from_db()
    return made


def late(made: Campaign, hours: int = 48) -> None:
    Campaign.objects.filter(pk=made.pk).update(asked=timezone.now() - timedelta(hours=hours))


def entries(made: Campaign) -> list[Any]:
    with read_lock(made) as table:
        return list(table.game.entries)


def seal_for_zoe(made: Campaign, seat: str) -> None:
    seal(made, person("zoe"), seat, asked(made, seat), some_answer(made, seat), once="zoe")


def adjusting(client: Client, made: Campaign, **given: str) -> Any:
    """Send the form of an adjustment, whose parts have been chosen."""
    return client.post(way("adjust", made), {"once": token_hex(8), "path": "", **given})


def offered(response: Any, control: str) -> dict[str, str]:
    """What a list that folds out offers: code -> words."""
    (select,) = [each for each in page(response).all("select", "input")
                 if each.attrs.get("id") == control]  # fmt: skip
    return {each.attrs["value"]: each.said for each in select.all("option")}


def confirmed(client: Client, address: str, **more: str) -> Any:
    (form,) = forms_to(client.get(address), address)
    return client.post(address, {**fields(form), "do": "confirm", **more})


def until_quiet(made: Campaign) -> None:
    """Answer until nothing is asked of the umpire's own seat and acts are possible."""
    for number in range(60):
        with read_lock(made) as table:
            quiet = not table.game.requests("A") and table.game.runner.fresh
            seat = next((s for r in table.game.requests() for s in r.missing), "")
        if quiet:
            return
        who = person("zoe" if seat == "A" else seat.lower())
        value = some_answer(made, seat, number)
        seal(made, who, seat, asked(made, seat), value, once=f"quiet{number}{seat}")
    raise AssertionError("never quiet")
