"""Consult: one rule asked alone, for the club table and the forum, without an account.

Everything is asked by its address, so that an answer can be shared.  Dice that the program rolls
are put into the address before anything is shown: who follows the link sees them as they fell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import prod
from typing import Any, NamedTuple

import msgspec
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from polemarque.kernel.dice import LONG
from polemarque.kernel.errors import NotUnderstood, Refusal
from polemarque.kernel.files.sentence_templates import signed
from polemarque.kernel.system import Question, System, system_names
from polemarque.odds.consult import Chance, ConsultAnswer, Die, PartOdds, asked_as, find_question
from polemarque.odds.consult import questions as all_questions
from polemarque.odds.inputs import faces_to_type
from polemarque.odds.rolls import OUTCOMES
from polemarque.odds.rule_process import RuleProcess
from polemarque.odds.wording import decimal, percent
from polemarque.report.labels import ledger_of
from polemarque.report.rulebook import Chapter, matching
from polemarque.web.access import ClubRequest, anyone, page, see_other
from polemarque.web.i18n import broken_plugins, refusal_text, say
from polemarque.web.pages.reference.consult_form import (
    TOO_MANY,
    Form,
    Request,
    Typed,
    address,
    faults_in,
    field_id,
    places,
    read,
    shape_said,
)
from polemarque.web.pages.reference.rule_labels import rule_words
from polemarque.web.pages.reference.rules import chapter_title, consult_address, rule_address

MOST_ROWS = 60
"""Outcomes shown in a table of odds; all are in its JSON."""

MOST_SUMS = 8
"""Values that are summed in lines of their own, at most."""

COMMAND_LINE = frozenset({"odds.too_large", "odds.too_many", "odds.too_wide"})
"""Refusals that speak of the command line: pages have texts of their own for them."""

BESIDE = frozenset({"consult.missing", "consult.missing_part", "consult.value"})
"""Refusals that need not name the field beside which they stand."""


ALONE = frozenset({"consult.twice", *TOO_MANY})
"""Refusals of a whole address, of which nothing more is looked at."""


class Fault(NamedTuple):
    """Something that is wrong.   places: names of fields.   said: of the whole.   beside: there."""

    places: tuple[str, ...]
    said: str
    beside: str


class Entry(NamedTuple):
    """A rule in the list of those that can be asked."""

    rule: str
    title: str
    url: str


class Listed(NamedTuple):
    """Rules of one chapter."""

    title: str
    entries: list[Entry]


@page(anyone)
def consult(request: ClubRequest) -> HttpResponse:
    """Every rule that can be asked alone, system by system."""
    lang, wanted = request.lang, request.GET.get("q", "").strip()[:100]
    RuleProcess.the().begin()
    books = []
    for name in system_names():
        listed = list(_listed(name, matching(name, lang, wanted), lang))
        if listed:
            books.append({"name": name, "title": _title(name, lang), "chapters": listed})
    found = sum(len(chapter.entries) for book in books for chapter in book["chapters"])  # type: ignore[attr-defined, misc]
    context = {"books": books, "wanted": wanted, "found": found, "broken": broken_plugins(request)}
    return render(request, "consult/index.html", context)


def _listed(name: str, chapters: Sequence[Chapter], lang: str) -> Iterator[Listed]:
    asked = {question.rule for system, question in all_questions() if system.name == name}
    rows = ledger_of(name)
    for chapter in chapters:
        entries = [
            Entry(rule, rows[rule].title.get(lang, ""), consult_address(name, rule))
            for rule in chapter.rules
            if rule in asked
        ]
        if entries:
            yield Listed(chapter_title(name, chapter.id, lang), entries)


def _title(name: str, lang: str) -> str:
    return rule_words(name, lang).title


@page(anyone)
def consult_rule(request: ClubRequest, rule: str) -> HttpResponse:
    """One rule: its form, and its answer or its odds where the address asks for them."""
    try:
        system, question = find_question(rule)
    except NotUnderstood:
        raise Http404 from None
    typed = Typed(request.GET)
    return _Asking(request, system, question, typed).response()


class _Asking:
    """One rule being asked by one address."""

    def __init__(
        self, request: ClubRequest, system: System, question: Question, typed: Typed
    ) -> None:
        self._request, self._lang = request, request.lang
        self._system, self._question, self._typed = system, question, typed
        self._words = rule_words(system.name, self._lang, question.rule)

    def response(self) -> HttpResponse:
        """The page, its JSON, or the address that holds the dice."""
        more = bool(self._typed.more)  # a row to be filled in: nothing is asked of the rule
        try:
            asked = read(self._question, self._typed)
            if self._typed.asked and not more:
                return self._odds(asked) if self._typed.odds else self._answered(asked)
        except Refusal as refusal:
            if not more or refusal.code in TOO_MANY:
                return self._refused(refusal)
        RuleProcess.the().begin()
        return self._shown({})

    # Answers -------------------------------------------------------------------------------------

    def _answered(self, asked: Request) -> HttpResponse:
        """Raises Refusal."""
        rule = asked_as(self._system, self._question.rule)
        answer = RuleProcess.the().consult(
            rule, asked.inputs, asked.faces, asked.options, self._typed.seed or None, self._lang
        )
        dice = faces_to_type([die.face for die in answer.dice])
        if dice and asked.faces is None:
            more = [("format", "json")] if self._typed.json else []
            where = consult_address(self._system.name, self._question.rule)
            sent = see_other(f"{where}?{address(self._question, asked, dice, *more)}")
            sent.headers["Cache-Control"] = "no-store"
            return sent
        if self._typed.json:
            return _json(answer)
        here = address(self._question, asked, dice)
        return self._shown({"answer": self._told(answer, here, asked)})

    def _told(self, answer: ConsultAnswer, here: str, asked: Request) -> dict[str, Any]:
        words = self._words
        return {
            "text": answer.text,
            "sums": [self._part(part) for part in answer.modifiers],
            "dice": list(self._rolls(answer.dice)),
            "results": [(words.label(n), words.value(n, v)) for n, v in answer.result.items()],
            "choices": self._choices(answer.choices),
            "link": here,
            "json": f"{here}&format=json",
            "again": address(self._question, asked) if answer.dice else "",
        }

    def _part(self, part: Mapping[str, Any]) -> dict[str, str]:
        return {
            "amount": signed(part["amount"]),
            "reason": self._words.modifier(part["reason"], part["amount"]),
            "rule": part["rule"],
            "url": rule_address(part["rule"], self._system.name),
        }

    def _rolls(self, dice: Sequence[Die]) -> Iterator[dict[str, Any]]:
        """Dice roll by roll; many of them are counted, not drawn."""
        for (why, name), rolled in groupby(dice, lambda die: (die.why, die.die)):
            faces = [die.face for die in rolled]
            sides = int(name.removeprefix("D"))
            yield {
                "why": self._words.roll(why, len(faces), sides),
                "count": f"{len(faces)}{name}",
                "dice": [] if len(faces) > LONG else [{"sides": sides, "face": f} for f in faces],
                "counted": [(face, faces.count(face)) for face in sorted(set(faces))],
            }

    def _choices(self, met: Any) -> list[tuple[str, str]]:
        """Choices that nobody made, with what was taken."""
        if met is msgspec.UNSET:
            return []
        return [(one.subject or one.rule, self._words.value("", one.answer)) for one in met]

    # Odds ----------------------------------------------------------------------------------------

    def _odds(self, asked: Request) -> HttpResponse:
        """Raises Refusal."""
        rule = asked_as(self._system, self._question.rule)
        process = RuleProcess.the()
        if self._typed.json and not self._typed.parts:
            return _json(process.odds(rule, asked.inputs, asked.options))
        answer = process.parts(rule, asked.inputs, asked.options)
        if self._typed.json:
            return _json(answer)
        here = address(self._question, asked, "", ("odds", "1"))
        combined = prod([len(part.outcomes) for part in answer.parts])
        odds = {
            "parts": [self._law(part) for part in answer.parts],
            "count": combined,
            "dependent": answer.dependent is True,
            "choices": self._choices(answer.choices),
            "link": here,
            "json": f"{here}{'&parts=1' if combined > OUTCOMES else ''}&format=json",
        }
        return self._shown({"odds": odds})

    def _law(self, part: PartOdds) -> dict[str, Any]:
        """The outcomes as a table, most probable first; the long tail in one line."""
        shown, rest = part.outcomes[:MOST_ROWS], part.outcomes[MOST_ROWS:]
        keys = list(dict.fromkeys(key for chance in shown for key in chance.result))
        means = list(shown[0].means or ()) if shown else []
        rows = [self._outcome(chance, keys, means) for chance in shown]
        return {
            "sums": self._sums(part.outcomes, keys[0]) if keys else [],
            "head": [self._words.label(key) for key in keys],
            "means": [self._words.label(key) for key in means],
            "rows": rows,
            "exact": any(row["exact"] for row in rows),
            "others": len(rest),
            "others_p": percent(sum(_number(chance.p) for chance in rest), self._lang),
            "span": len(keys) + 1,
        }

    def _sums(self, outcomes: Sequence[Chance], key: str) -> list[dict[str, str]]:
        """What a word of the results comes to alone, where several outcomes share it."""
        if not all(isinstance(chance.result.get(key), str | bool) for chance in outcomes):
            return []
        found: dict[str, float] = {}
        for chance in outcomes:
            name = self._words.value(key, chance.result.get(key))
            found[name] = found.get(name, 0.0) + _number(chance.p)
        if not 2 <= len(found) <= MOST_SUMS or len(found) == len(outcomes):
            return []
        return [
            {"name": name, "p": percent(p, self._lang), "bar": _bar(p)}
            for name, p in sorted(found.items(), key=lambda each: -each[1])
        ]

    def _outcome(self, chance: Chance, keys: Sequence[str], means: Sequence[str]) -> dict[str, Any]:
        p = _number(chance.p)
        tallied: Mapping[str, str] = {} if chance.means is msgspec.UNSET else chance.means
        return {
            "cells": [self._words.value(key, chance.result.get(key)) for key in keys],
            "p": percent(p, self._lang),
            "exact": chance.p.removesuffix("/1") if len(chance.p) < 24 else "",
            "bar": _bar(p),
            "means": [decimal(_number(tallied[key]), self._lang) for key in means],
        }

    # Pages ---------------------------------------------------------------------------------------

    def _refused(self, refusal: Refusal) -> HttpResponse:
        """The form again, with everything typed, and the refusal beside its field."""
        if self._typed.json:
            said = refusal_text(self._lang, refusal, self._system.name)
            return _json(
                {"rule": self._question.rule, "error": said, "kind": refusal.kind}, status=422
            )
        form = self._form({})
        every = faults_in(self._system, self._question, self._typed)
        alone = refusal.code in ALONE or all(each.code != refusal.code for each in every)
        faults = [self._fault(each, form) for each in ([refusal] if alone else every)]
        errors = {name: fault.beside for fault in reversed(faults) for name in fault.places}
        order = [*form.names, "dice"]
        told = [
            (field_id(name), say(self._lang, "consult.at", names=[form.label(name)], said=beside))
            for name, beside in sorted(errors.items(), key=lambda one: order.index(one[0]))
        ]
        first = faults[0]
        context = {
            "refused": first.said if len(faults) == 1 else say(self._lang, "consult.several"),
            "at_id": field_id(first.places[0]) if len(faults) == 1 and first.places else "",
            "faults": told if len(faults) > 1 else [],
            "at_large": [] if len(faults) == 1 else [f.said for f in faults if not f.places],
        }
        return self._shown(context, errors, status=422)

    def _fault(self, refusal: Refusal, form: Form) -> Fault:
        """A refusal, where it stands and what it says there."""
        found = places(refusal, {*form.names, "dice"})
        said = self._said(refusal)
        beside = self._beside(refusal) if found and refusal.code in BESIDE else said
        if found and refusal.code in BESIDE:
            # In the order of the page, which may not be that of the rule.
            named = [form.label(name) for name in form.names if name in found]
            said = say(self._lang, "consult.at", names=named, said=beside)
        return Fault(tuple(found), said, beside)

    def _said(self, refusal: Refusal) -> str:
        if refusal.code in COMMAND_LINE:
            return say(
                self._lang, f"consult.refused.{refusal.code}", part=refusal.part,
                legal=refusal.legal, answered=str(refusal.data.get("answered", "")),
            )  # fmt: skip
        return refusal_text(self._lang, refusal, self._system.name)

    def _beside(self, refusal: Refusal) -> str:
        shape = str(refusal.data.get("shape", ""))
        said = shape_said(shape, self._told_by) if shape else ""
        return say(self._lang, f"consult.refused.{refusal.code}", shape=said)

    def _told_by(self, key: str, **data: Any) -> str:
        return say(self._lang, key, **data)

    def _form(self, errors: Mapping[str, str]) -> Form:
        return Form(
            self._system, self._question, self._typed, self._words, self._told_by, errors
        )  # fmt: skip

    def _shown(
        self, found: Mapping[str, Any], errors: Mapping[str, str] | None = None, status: int = 200
    ) -> HttpResponse:
        rule, system = self._question.rule, self._system.name
        row = ledger_of(system).get(rule)
        form = self._form(errors or {})
        context = {
            "rule": rule,
            "title": row.title.get(self._lang, "") if row else "",
            "text": row.text.get(self._lang, "") if row else "",
            "system_title": _title(system, self._lang),
            "book_url": reverse("rulebook", args=[system]),
            "rule_url": rule_address(rule, system),
            "here": consult_address(system, rule),
            "form": form,
            "rolls": bool(self._question.dice),
            "dice_hint": self._words.own(f"dice.{self._question.dice}"),
            "dice": "" if "answer" in found else self._typed.dice,
            "seed": self._typed.seed,
            "dice_error": (errors or {}).get("dice", ""),
            "example": self._example(),
            **found,
        }
        return render(self._request, "consult/rule.html", context, status=status)

    def _example(self) -> str:
        """The address of the example; "" where there is nothing to fill in."""
        inputs = msgspec.json.decode(msgspec.json.encode(dict(self._question.example)))
        return address(self._question, Request(inputs, {}, None)) if inputs else ""


def _json(answer: Any, status: int = 200) -> HttpResponse:
    """The very document that the command line prints."""
    document = msgspec.json.encode(answer) + b"\n"
    return HttpResponse(document, content_type="application/json", status=status)


def _number(p: str) -> float:
    up, _, down = p.partition("/")
    return int(up) / int(down)


def _bar(p: float) -> str:
    return f"{100 * p:.1f}"
