"""People with browsers without scripts, and pages as they read them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.test import Client
from django.urls import reverse

from polemarque.club.models import Campaign, Person
from tests.web.browser import Element, _Reader, sent

PASSWORD = "thalassa-thalassa"
VOID = {"meta", "link", "hr", "br", "img"}


def person(name: str) -> Person:
    return Person.objects.create_user(name, password=PASSWORD, called=name.title())


def browser(who: Person | None = None, lang: str = "en", **more: Any) -> Client:
    client = Client(headers={"accept-language": lang}, **more)
    if who is not None:
        client.force_login(who)
    return client


def way(name: str, campaign: Campaign, **parts: str) -> str:
    """The address of a page of a campaign."""
    return reverse(name, kwargs={"code": campaign.code, **parts})


def link(token: str) -> str:
    return reverse("invitation", kwargs={"token": token})


def said(response: Any) -> str:
    return str(response.content.decode())


class _PageReader(_Reader):
    def handle_starttag(self, tag: str, attrs: Any) -> None:
        super().handle_starttag(tag, attrs)
        if tag in VOID:
            self.handle_endtag(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        super().handle_starttag(tag, attrs)
        if self.at.tag == tag:
            self.handle_endtag(tag)


def page(response: Any) -> Element:
    """A whole page; every element of it is closed."""
    reader = _PageReader()
    reader.feed(said(response))
    reader.close()
    assert reader.at is reader.root, f"<{reader.at.tag}> is left open"
    return reader.root


def everything(element: Element) -> Iterator[Element]:
    yield element
    for part in element.inside:
        yield from everything(part)


def by_id(response: Any, name: str) -> list[Element]:
    """The elements of that id: one, or none."""
    return [each for each in everything(page(response)) if each.attrs.get("id") == name]


def led_to(response: Any) -> list[str]:
    """The ids of the controls to which the summary of what was refused leads; it has the focus."""
    (summary,) = [one for one in everything(page(response)) if "autofocus" in one.attrs]
    assert summary.attrs["role"] == "alert" and summary.said
    ids = [link.attrs["href"].removeprefix("#") for link in summary.all("a")]
    for name in ids:
        (control,) = by_id(response, name)
        assert control.tag in {"input", "select", "textarea"}
    return ids


def filled(response: Any) -> dict[str, str]:
    """What the browser sends of the page's own form as it stands."""
    (main,) = page(response).all("main")
    form = next(each for each in main.all("form") if each.attrs.get("class") == "question")
    fields = {name: values[-1] for name, values in sent(form).items()}
    return {name: value for name, value in fields.items() if name != "file"}
