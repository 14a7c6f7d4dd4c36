"""``{% say "key" name=value %}``: a text of the catalogues, in the language of the page; and
``{{ text|digest }}``, by which a page knows a text again."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from django import template
from django.template import Context

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


@register.filter
def digest(text: str) -> str:
    """What tells a text from others, in 16 hexadecimal digits."""
    return blake2b(text.encode(), digest_size=8).hexdigest()


@register.simple_tag
def rule_url(rule: str) -> str:
    """The address of a rule's page, "" if no book has it."""
    return rule_address(rule)
