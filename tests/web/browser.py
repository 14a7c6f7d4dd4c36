"""A browser without scripts: reads a page's form as HTML says it, and what it would send."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.template.loader import render_to_string

from polemarque.web.forms import Form

VOID = {"input"}


@dataclass
class Element:
    tag: str
    attrs: dict[str, str]
    parent: Element | None = None
    inside: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, *tags: str) -> list[Element]:
        found = [self] if self.tag in tags else []
        return found + [each for part in self.inside for each in part.all(*tags)]

    def within(self, tag: str) -> bool:
        return self.parent is not None and (self.parent.tag == tag or self.parent.within(tag))

    @property
    def said(self) -> str:
        return " ".join("".join([self.text, *(each.said for each in self.inside)]).split())


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self.at = Element("", {})

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, self.at)
        self.at.inside.append(element)
        if tag not in VOID:
            self.at = element

    def handle_endtag(self, tag: str) -> None:
        assert self.at.tag == tag, f"<{self.at.tag}> is closed by </{tag}>"
        assert self.at.parent is not None
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.text += data


def rendered(form: Form, **more: Any) -> str:
    return render_to_string("forms/form.html", {"form": form, "action": "/seal", **more})


def read(html: str) -> Element:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert reader.at is reader.root, f"<{reader.at.tag}> is left open"
    return reader.root


def sent(page: Element) -> dict[str, list[str]]:
    """What a browser sends of a form as it stands."""
    posted: dict[str, list[str]] = {}
    for control in page.all("input", "select", "textarea"):
        name, kind = control.attrs["name"], control.attrs.get("type", "")
        if kind in {"radio", "checkbox"} and "checked" not in control.attrs:
            continue
        if control.tag == "select":
            options = control.all("option")
            chosen = [each for each in options if "selected" in each.attrs] or options[:1]
            posted.setdefault(name, []).extend(each.attrs["value"] for each in chosen)
        elif control.tag == "textarea":
            posted.setdefault(name, []).append(control.text.removeprefix("\n"))
        else:
            posted.setdefault(name, []).append(control.attrs.get("value", ""))
    return posted


def faults(page: Element) -> list[str]:
    """What hinders those who cannot see the page, or its policy: see the tests."""
    everything = page.all(*TAGS)
    ids = [each.attrs["id"] for each in everything if "id" in each.attrs]
    found = [f"id twice: {each}" for each in set(ids) if ids.count(each) > 1]
    labelled = {each.attrs.get("for") for each in page.all("label")}
    for each in everything:
        for attr in ("aria-describedby", "aria-controls"):
            found += [f"no {i}" for i in each.attrs.get(attr, "").split() if i not in ids]
        if "style" in each.attrs or any(name.startswith("on") for name in each.attrs):
            found.append(f"inline: {each.attrs}")
        if each.tag in {"fieldset", "details"}:
            first = each.inside[0]
            if (
                first.tag != {"fieldset": "legend", "details": "summary"}[each.tag]
                or not first.said
            ):
                found.append(f"no name: {each.attrs}")
        asked = each.tag in {"select", "textarea", "input"} and each.attrs.get("type") != "hidden"
        if asked and each.attrs.get("id") not in labelled and not each.within("label"):
            found.append(f"no label: {each.attrs}")
        if each.tag == "label" and not each.said:
            found.append("empty label")
    found += [
        f"no text: {a.attrs}" for a in page.all("a") if a.attrs["href"].removeprefix("#") not in ids
    ]
    return found


TAGS = (
    "form", "fieldset", "legend", "details", "summary", "label", "input", "select", "option",
    "textarea", "button", "ol", "ul", "li", "p", "div", "span", "a",
)  # fmt: skip
