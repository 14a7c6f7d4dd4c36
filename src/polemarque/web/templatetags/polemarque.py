"""``{% say "key" name=value %}``: a text of the catalogues, in the language of the page;
``{% told block level=2 %}``: a part of a story; and ``{{ text|digest }}``, by which a page
knows a text again."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from typing import Any

from django import template
from django.template import Context
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from polemarque.report.tree import Block
from polemarque.web.pages.rules import rule_address
from polemarque.web.says import program_name
from polemarque.web.says import say as said

register = template.Library()


@register.simple_tag(takes_context=True)
def say(context: Context, key: str, **data: Any) -> str:
    """The text of that key, filled in and escaped."""
    return said(context["lang"], key, **data)


@register.simple_tag(takes_context=True)
def program(context: Context, name: str) -> str:
    """What a program that plays is called, in the language of the page."""
    return program_name(context["lang"], name)


@register.simple_tag
@lru_cache(maxsize=2048)
def told(block: Block, level: int, number: int = 0) -> SafeString:
    """A part of a story (see parts/block.html), written out once for all who are told the same.

    It depends on its own words and on nothing else: who shares it has been told the very same.
    """
    return render_to_string("parts/block.html", {"block": block, "level": level, "number": number})


@register.filter
def digest(text: str) -> str:
    """What tells a text from others, in 16 hexadecimal digits."""
    return blake2b(text.encode(), digest_size=8).hexdigest()


@register.simple_tag
def rule_url(rule: str) -> str:
    """The address of a rule's page, "" if no book has it."""
    return rule_address(rule)
