"""The rules we play by: each in our words, with its variants, its tables and its cases."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve, reverse
from msgspec.json import encode

from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.system import Rulebook, find_rulebook, rulebook_names, system_names
from polemarque.odds.consult import asked_as, find_question
from polemarque.odds.inputs import faces_to_type, read_value
from polemarque.report.case_files import Case, Step
from polemarque.report.documents.document import Table
from polemarque.report.labels import catalogue_of, ledger_of
from polemarque.report.rulebook import (
    Chapter,
    cases_here,
    cases_of,
    chapter_of,
    chapters_of,
    matching,
    neighbours,
    pairs_of,
    question_of,
    tables_of,
    variants_of,
    written_at,
)
from polemarque.report.rulebook_papers import paper, papers_of, source_of
from polemarque.web.access import ClubRequest, anyone, page
from polemarque.web.downloads import formats, taken_away
from polemarque.web.i18n import broken_plugins, catalogue, say
from polemarque.web.pages.reference.consult_form import Request, address
from polemarque.web.pages.reference.rule_labels import RuleWords, rule_words

LONG = 180
"""Characters of a line of a case beyond which it is folded."""

FIGURED = frozenset({"given", "option", "expect"})
"""Lines of a case that are figures by name, where one rule is asked."""


class Line(NamedTuple):
    """A line of a case: what it is, figures by name or else the words of the file, a remark."""

    label: str
    figures: list[tuple[str, str]]
    text: str
    note: str
    folded: bool


class Worked(NamedTuple):
    """A case as the page shows it.  url: where it can be asked again, or nothing."""

    id: str
    title: str
    lines: list[Line]
    url: str


# Addresses and titles, for these and other pages -------------------------------------------------


def rule_address(rule: str, book: str = "") -> str:
    """The address of a rule's page, "" if no book has it.  book: where it is looked for first."""
    rule = rule.partition("/")[0]
    name = _book_with(rule, book)
    return reverse("rule", args=[name, rule]) if name else ""


def _book_with(rule: str, first: str = "") -> str:
    """The book that has a rule, "" if none has it."""
    names = [name for name in (first, *rulebook_names()) if name and rule in ledger_of(name)]
    return names[0] if names else ""


def paper_addresses(book: str) -> dict[str, str]:
    """The papers of a book, each with the address of its page."""
    return {kind: reverse("paper", args=[book, kind]) for kind in papers_of(book)}


def papers_beside(rule: str) -> dict[str, str]:
    """The papers in which a question's rule is explained, each with its address."""
    name = _book_with(rule.partition("/")[0])
    return paper_addresses(name) if name else {}


FIRST_TURN = "first-turn"
"""The anchor of the section of a booklet that says what to do in one's first turn."""


@cache
def first_turn_address(rule: str, lang: str) -> str:
    """Where the booklet of a rule's book says what to do in one's first turn, "" if nowhere."""
    name = _book_with(rule.partition("/")[0])
    if not name or "booklet" not in papers_of(name):
        return ""
    has_it = f"{{#{FIRST_TURN}}}" in source_of(name, "booklet", lang)
    return f"{reverse('paper', args=[name, 'booklet'])}#{FIRST_TURN}" if has_it else ""


def chapter_title(book: str, chapter: str, lang: str) -> str:
    """What a chapter is called: ``rules.chapter.<id>`` in the texts of its book, or its id."""
    texts, key = catalogue_of(book), f"rules.chapter.{chapter}"
    return texts.say(lang, key) if texts.has(lang, key) else chapter


def consult_address(book: str, rule: str) -> str:
    """Where a rule of a book can be asked alone, "" where it cannot."""
    try:
        system, question = find_question(f"{book}:{rule}" if book in system_names() else rule)
    except NotUnderstood:
        return ""
    return reverse("consult_rule", args=[asked_as(system, question.rule)])


# Pages -------------------------------------------------------------------------------------------


@page(anyone)
def rules(request: ClubRequest) -> HttpResponse:
    """Every book, or every rule that the search finds."""
    lang, wanted = request.lang, request.GET.get("q", "").strip()[:100]
    books = []
    for name in rulebook_names():
        chapters = list(_chapters(name, matching(name, lang, wanted), lang)) if wanted else []
        if chapters or not wanted:
            books.append(
                {
                    "title": rule_words(name, lang).title,
                    "url": reverse("rulebook", args=[name]),
                    "count": len(ledger_of(name)),
                    "chapters": chapters,
                }
            )
    found = sum(len(chapter["entries"]) for book in books for chapter in book["chapters"])  # type: ignore[attr-defined, misc]
    context = {"books": books, "wanted": wanted, "found": found, "broken": broken_plugins(request)}
    return render(request, "rules/index.html", context)


@page(anyone)
def rulebook(request: ClubRequest, system: str) -> HttpResponse:
    """One book, chapter by chapter."""
    book, lang = _book(system), request.lang
    context = {
        "title": rule_words(book.name, lang).title,
        "chapters": list(_chapters(book.name, chapters_of(book.name), lang)),
        "papers": paper_addresses(book.name),
    }
    return render(request, "rules/book.html", context)


@page(anyone)
def paper_page(request: ClubRequest, system: str, kind: str) -> HttpResponse:
    """A paper of a book: its booklet or its reference card, on the page or to be taken away."""
    book, lang = _book(system), request.lang
    try:
        told = paper(book.name, kind, lang)
    except NotUnderstood:
        raise Http404 from None
    file = taken_away(told, request.GET.get("format", ""), f"{book.name}-{kind}-{lang}")
    # Its maps bring a style sheet of their own, which the browser takes with the page's word alone.
    style = f'<style nonce="{request.csp_nonce}">'  # type: ignore[attr-defined]
    body = _paper_body(book.name, kind, lang).replace("<style>", style)
    context = {
        "told": told, "body": body, "formats": formats(), "kind": kind,
        "book_title": rule_words(book.name, lang).title,
        "book_url": reverse("rulebook", args=[book.name]), "seat_url": _seat_before(request),
    }  # fmt: skip
    return file or render(request, "rules/paper.html", context)


def _seat_before(request: ClubRequest) -> str:
    """The page of the seat from which the reader has come, "" from anywhere else."""
    way = urlsplit(request.headers.get("Referer", ""))
    if way.netloc != request.get_host():
        return ""
    try:
        found = resolve(way.path)
    except Resolver404:
        return ""
    return way.path if found.url_name == "seat" else ""


@cache
def _paper_body(book: str, kind: str, lang: str) -> str:
    told: str = render_to_string(
        "parts/chronicle.html", {"document": paper(book, kind, lang), "level": 2}
    )
    return _APART.sub(partial(_with_links, book), told)


_APART = re.compile(r"<(a|svg|style|summary)\b.*?</\1>|<[^>]*>|(?P<text>[^<]+)", re.DOTALL)
"""Parts of a page: what takes no link, a tag, or words."""

_MARK = re.compile(r"\b[A-Z]{2}-[A-Z]?\d+(?:\.\d+)*\b")
"""The id of a rule."""


def _with_links(book: str, part: re.Match[str]) -> str:
    """A part of a page, the rules that its words name as links to their pages."""

    def link(mark: re.Match[str]) -> str:
        url = rule_address(mark[0], book)
        return f'<a href="{url}">{mark[0]}</a>' if url else mark[0]

    return _MARK.sub(link, part[0]) if part["text"] else part[0]


@page(anyone)
def rule(request: ClubRequest, system: str, rule: str) -> HttpResponse:
    """One rule, with all that belongs to it."""
    book, lang = _book(system), request.lang
    row = ledger_of(book.name).get(rule)
    if row is None:
        raise Http404
    words = rule_words(book.name, lang, rule)
    before, after = neighbours(book.name, rule)
    context = {
        "book_title": words.title,
        "book_url": reverse("rulebook", args=[book.name]),
        "chapter": chapter_title(book.name, chapter_of(rule), lang),
        "rule": rule,
        "title": row.title.get(lang, ""),
        "text": row.text.get(lang, ""),
        "example": row.kind == "example",
        "code": written_at(book.name, row),
        "variants": list(variants_of(book, rule, lang)),
        "tables": _tables(book.name, rule, lang),
        "cases": _worked(book.name, rule, lang),
        "cases_here": cases_here(book.name),
        "consult": consult_address(book.name, rule),
        "before": _neighbour(book.name, before, lang),
        "after": _neighbour(book.name, after, lang),
        "seat_url": _seat_before(request),
    }
    return render(request, "rules/rule.html", context)


def _book(name: str) -> Rulebook:
    """Raises Http404."""
    if name not in rulebook_names():
        raise Http404
    return find_rulebook(name)


def _chapters(name: str, chapters: tuple[Chapter, ...], lang: str) -> Iterator[dict[str, Any]]:
    rows = ledger_of(name)
    for chapter in chapters:
        yield {
            "id": chapter.id,
            "title": chapter_title(name, chapter.id, lang),
            "entries": [
                {
                    "rule": rule,
                    "title": rows[rule].title.get(lang, ""),
                    "url": reverse("rule", args=[name, rule]),
                }
                for rule in chapter.rules
            ],
        }


def _neighbour(name: str, rule: str, lang: str) -> dict[str, str] | None:
    if not rule:
        return None
    title = ledger_of(name)[rule].title.get(lang, "")
    return {"rule": rule, "title": title, "url": reverse("rule", args=[name, rule])}


@cache
def _tables(name: str, rule: str, lang: str) -> list[Table]:
    return tables_of(name, rule, lang, rule_words(name, lang, rule).column)


# Cases -------------------------------------------------------------------------------------------


@cache
def _worked(name: str, rule: str, lang: str) -> list[Worked]:
    words = rule_words(name, lang, rule)
    return [
        Worked(case.id, case.title, _lines(case, words, lang), _address(case, name))
        for case in cases_of(name, rule)
    ]


def _lines(case: Case, words: RuleWords, lang: str) -> list[Line]:
    """A case line by line; equal words in a row are said once."""
    alone = not any(case.of("system"))
    lines = []
    last = ""
    for step in case.steps:
        label = _label(step, lang)
        text = _text(step)
        folded = not alone and len(text) > LONG
        figures = _figures(step, words) if alone else [] if folded else _parts(text)
        shown = "" if label == last else label
        lines.append(Line(shown, figures, text, step.note, folded))
        last = label
    return lines


def _figures(step: Step, words: RuleWords) -> list[tuple[str, str]]:
    """Figures by name, in words; none where the line is of another kind."""
    if step.verb not in FIGURED:
        return []
    pairs = pairs_of(step.text.removeprefix("modifier ")) or {}
    if step.text.startswith("modifier "):
        return [(words.modifier(n, 1), words.value("", v)) for n, v in pairs.items()]
    return [(words.label(name), words.value(name, value)) for name, value in pairs.items()]


def _parts(text: str) -> list[tuple[str, str]]:
    """The parts of a set-up or of an answer, as they are written; none where it is of one piece."""
    try:
        read = read_value("", text) if text.startswith("{") else pairs_of(text)
    except NotUnderstood:
        return []
    named: dict[str, Any] = read if isinstance(read, dict) else {}
    return [
        (name, value if isinstance(value, str) and value else encode(value).decode())
        for name, value in named.items()
    ]


def _label(step: Step, lang: str) -> str:
    """What a line is: given, dice, expected; a seat that answers is named."""
    key = f"rules.case.{step.verb}"
    if catalogue().has(lang, key):
        return say(lang, key)
    first = step.text.partition(" ")[0]
    if first in {"answers", "refused"}:
        return say(lang, f"rules.case.seat_{first}", seat=step.verb)
    return step.verb


def _text(step: Step) -> str:
    """The words of a line, without the one that its label says."""
    first, _, rest = step.text.partition(" ")
    acts = step.verb.isupper() and first in {"answers", "refused"}
    return rest if acts else step.text


def _address(case: Case, book: str) -> str:
    """Where a case can be asked again, "" where it cannot."""
    asked = question_of(case)
    where = consult_address(book, asked.rule) if asked else ""
    if asked is None or not where:
        return ""
    question = find_question(asked.rule)[1]
    dice = faces_to_type(asked.faces)
    query = address(question, Request(asked.inputs, asked.options, asked.faces), dice)
    return f"{where}?{query}"
