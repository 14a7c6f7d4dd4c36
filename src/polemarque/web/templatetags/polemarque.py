"""``{% say "key" name=value %}``: a text of the catalogues, in the language of the page;
``{% told block level=2 %}``: a part of a story; and ``{{ text|digest }}``, by which a page
knows a text again."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from django import template
from django.template import Context
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from polemarque.report.documents.document import Block, Span, digest
from polemarque.web.i18n import program_name
from polemarque.web.i18n import say as said
from polemarque.web.pages.reference.rules import first_turn_address, papers_beside, rule_address

register = template.Library()
register.filter(digest)

WORDS = 10
"""So many words of a line are enough to tell it from others."""


@register.simple_tag(takes_context=True)
def say(context: Context, key: str, **data: Any) -> str:
    """The text of that key, filled in and escaped."""
    return said(context["lang"], key, **data)


@register.simple_tag(takes_context=True)
def program(context: Context, name: str) -> str:
    """What a program that plays is called, in the language of the page."""
    return program_name(context["lang"], name)


@register.simple_tag(takes_context=True)
def error_title(context: Context) -> str:
    """What goes before a page's title where something that was sent was refused, or nothing."""
    asked = [*(context.get("questions") or ()), *(context.get("throws") or ())]
    refused = (
        any(each.form and each.form.notice for each in asked)
        or any(_in(context, name) for name in ("refusal", "errors", "form.errors"))
        or any(each.level_tag == "error" for each in context.get("messages") or ())
    )
    return said(context["lang"], "frame.error") if refused else ""


def _in(context: Context, name: str) -> object:
    """What a template would find under that name, or nothing."""
    try:
        return template.Variable(name).resolve(context)
    except template.VariableDoesNotExist:
        return None


@register.simple_tag
@lru_cache(maxsize=2048)
def told(block: Block, level: int) -> SafeString:
    """A part of a story (see parts/block.html), written out once for all who are told the same.

    It depends on its own words and on nothing else: who shares it has been told the very same.
    """
    return render_to_string("parts/block.html", {"block": block, "level": level})


@register.filter
def beside(row: Iterable[str], head: Iterable[str]) -> Iterable[tuple[str, str]]:
    """The cells of a row, each with the head of its column."""
    return zip(row, head, strict=True)


@register.filter
def beginning(spans: Iterable[Span]) -> str:
    """The first words of a line, by which it is told from others."""
    return Truncator("".join(span.text for span in spans)).words(WORDS)


@register.simple_tag
def rule_url(rule: str) -> str:
    """The address of a rule's page, "" if no book has it."""
    return rule_address(rule)


@register.simple_tag(takes_context=True)
def first_turn_url(context: Context, rule: str) -> str:
    """Where a rule's book says what to do in one's first turn, "" if nowhere."""
    return first_turn_address(rule, context["lang"])


@register.inclusion_tag("rules/_papers.html", takes_context=True)
def papers(context: Context, rule: str) -> dict[str, Any]:
    """Links to the papers in which a question's rule is explained."""
    return {"lang": context["lang"], "papers": papers_beside(rule)}
