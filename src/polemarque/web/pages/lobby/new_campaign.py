"""Making a campaign: first what is played, then one form for all that can be chosen about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.contrib import messages
from django.core import signing
from django.db import IntegrityError
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers
from msgspec.structs import replace

from polemarque.bots.registry import bot_names
from polemarque.club.campaigns.bot_turns import let_play
from polemarque.club.campaigns.house_files import read_house_file, read_setup
from polemarque.club.campaigns.lobby import CampaignPlan, begin_duel, is_duel, make
from polemarque.club.models import (
    LONGEST_NAME,
    LONGEST_PACE,
    MUSTER,
    RUNNING,
    Campaign,
    Person,
    new_code,
)
from polemarque.club.people.invitations import invite_to_free_seats
from polemarque.club.people.roles import playing_umpire, visit_of
from polemarque.kernel.errors import Refusal
from polemarque.kernel.files.decoding import from_json
from polemarque.kernel.files.findings import LARGEST, CheckFailed, hint, reason
from polemarque.kernel.files.sentence_templates import typographic
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.new_game import opening
from polemarque.kernel.position import encode
from polemarque.kernel.records.record import COMMITTED, TYPED
from polemarque.kernel.system import Choice, System, find_system, system_names
from polemarque.lab.balance import begin
from polemarque.report.labels import (
    Book,
    catalogue_of,
    ledger_of,
    names_of,
    scenario_title,
    with_code,
)
from polemarque.report.pictures import board_seen
from polemarque.web.access import ClubRequest, PersonRequest, anyone, page, person, see_other
from polemarque.web.forms.whole_numbers import whole
from polemarque.web.i18n import broken_plugins, catalogue, program_name, refusal_text, say

PERSON, ME, PROGRAM = "person", "me", "bot:"
"""Who is to play a seat: somebody who will come, the umpire, a program by its name."""

ONCE = "polemarque.making"

FIELDS = {
    "seats.count": "seats",
    "scenario.unknown": "scenario",
    "bot.unknown": "form",
    "muster.typed": "dice",
    "balance.busy": "form",
}
"""Code of a refusal -> the field that it concerns; others concern the set-up, if one was typed."""


@page(person)
def systems(request: ClubRequest) -> HttpResponse:
    """What can be played."""
    lang = request.lang
    rows = [_described(find_system(name), lang) for name in system_names()]
    context = {"systems": rows, "broken": broken_plugins(request)}
    return render(request, "muster/systems.html", context)


def _described(system: System, lang: str) -> dict[str, Any]:
    """A system for those who choose, as its descriptor and its own texts say."""
    texts = catalogue_of(system.name)
    keys = {part: f"system.{part}" for part in ("about", "length")}
    told = {k: texts.say(lang, key) if texts.has(lang, key) else "" for k, key in keys.items()}
    most = len(system.seats)
    title = system.titles.get(lang, system.name)
    return {"name": system.name, "title": title, "least": system.least, "most": most, **told}


@page(anyone)
def opening_board(request: ClubRequest, system: str, scenario: str) -> HttpResponse:
    """The board of a scenario before the first question, as a picture that stands alone."""
    drawn = _opening_board(system, scenario, request.lang)
    if not drawn:
        raise Http404
    style = f'<style nonce="{request.csp_nonce}">'  # type: ignore[attr-defined]
    answer = HttpResponse(drawn.replace("<style>", style, 1), content_type="image/svg+xml")
    patch_cache_control(answer, private=True, max_age=3600)
    patch_vary_headers(answer, ["Accept-Language"])
    return answer


@lru_cache(maxsize=64)
def _opening_board(system: str, scenario: str, lang: str) -> str:
    if system not in system_names() or scenario not in find_system(system).scenarios:
        return ""
    game = Game(new_header(system, scenario=scenario, seed=0))  # nothing has been rolled yet
    names = names_of(game.system, game.state, lang)
    seen = board_seen(system, game.view(game.header.seats[0]), lang, names)
    return seen.drawn.on_paper() if seen else ""


@page(person, post=True)
def new(request: PersonRequest, system: str) -> HttpResponse:
    """The form of a new campaign; anyone who sends it umpires what is made.

    A file that comes with it is read into the form, to be looked at before anything is made.
    """
    if system not in system_names():
        raise Http404
    lang = request.lang
    rules = find_system(system)
    sent = request.method == "POST"
    form = Making(rules, lang, request.POST.dict() if sent else None)
    upload = request.FILES.get("file") if sent else None
    read = False
    if upload is not None:
        read = form.read(upload.read(LARGEST + 1))
    elif sent and request.POST.get("do") == "study":
        if key := form.study():
            return see_other("balance", key=key)
    elif sent:
        made = form.make(request.user)
        if made is not None:
            return _made(request, made)
    drawn = bool(_opening_board(system, next(iter(rules.scenarios), ""), lang))
    context = {"form": form, "system": _described(rules, lang), "read": read, "drawn": drawn}
    return render(request, "muster/new.html", context, status=422 if form.errors else 200)


def _made(request: PersonRequest, made: Campaign) -> HttpResponse:
    """To what was made: a duel has its one link already, or begins where a bot plays too."""
    if begin_duel(made):
        let_play(made)
    if made.stage == RUNNING and is_duel(made):
        return see_other("seat", code=made.code, seat=playing_umpire(made))
    if made.stage == MUSTER and is_duel(made):
        invite_to_free_seats(visit_of(made, request.user))
    else:
        messages.success(request, say(request.lang, "muster.made", title=made.title))
    return see_other("campaign", code=made.code)


# The form ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OptionField:
    """A variant as the form shows it.

    said:    what it is about.   rule, rule_title, told: the rule whose reading it is.
    choices: (value, words, whether it is the default); none where it is a number.
    bounds:  least and greatest number.   value: as it is chosen.   fixed: what it is by default.
    """

    name: str
    said: str
    rule: str
    rule_title: str
    told: str
    choices: tuple[tuple[str, str, bool], ...]
    bounds: tuple[int, int]
    value: str
    fixed: str
    error: str

    @property
    def touched(self) -> bool:
        """Whether it is not left at its default."""
        return bool(self.error) or self.value != self.fixed


class Making:
    """What somebody has filled in, and what is wrong with it.

    values: field -> what stands in it.   errors: field -> sentence; "form" for the whole.
    """

    def __init__(self, system: System, lang: str, sent: Mapping[str, str] | None) -> None:
        self.system, self.lang = system, lang
        self.errors: dict[str, str] = {}
        self.values: dict[str, str] = {
            "title": system.titles.get(lang, system.name),
            "scenario": next(iter(system.scenarios), ""),
            "seats": "", "dice": COMMITTED, "pace": "0", "setup": "",
            "once": signing.Signer(salt=ONCE).sign(new_code()),
            **{f"option.{choice.name}": str(choice.default) for choice in system.options},
            **{f"seat.{code}": PERSON for code in system.seats},
        }  # fmt: skip
        if len(system.seats) == 2:  # a battle: its maker plays it
            self.values[f"seat.{system.seats[0]}"] = ME
        self.public = bool(sent and sent.get("public"))
        if sent is not None:
            self.values |= {name: sent[name] for name in self.values if name in sent}

    # What the page shows -------------------------------------------------------------------------

    def scenarios(self) -> list[dict[str, Any]]:
        """The scenarios or maps that come with the system."""
        named = {
            name: scenario_words(self.system, name, self.lang) for name in self.system.scenarios
        }
        return [
            {
                "name": name,
                "seats": setup.get("seats", 0),
                "called": self._called(name),
                **named[name],
            }
            for name, setup in self.system.scenarios.items()
        ]

    def _called(self, scenario: str) -> str:
        """What its seats are called, a line each; "" where players name them."""
        names = seat_names(CampaignPlan(self.system.name, scenario), self.lang)
        plain = {seat: say(self.lang, "muster.seat", code=seat) for seat in names}
        return "" if names == plain else "\n".join(names.values())

    def options(self) -> list[OptionField]:
        """The variants, in the order of the ledger."""
        book = Book(self.system, self.lang, {})
        return [self._option(choice, book) for choice in self.system.options]

    def _option(self, choice: Choice, book: Book) -> OptionField:
        row = ledger_of(self.system.name).get(choice.rule)
        field = f"option.{choice.name}"
        fixed = str(choice.default)
        words = () if choice.number else choice.values
        return OptionField(
            choice.name, _capital(book.option(choice.name)), choice.rule,
            rule_title=row.title.get(self.lang, "") if row else "",
            told=row.text.get(self.lang, "") if row else "",
            choices=tuple(
                [(str(v), book.option_value(choice.name, v), str(v) == fixed) for v in words]
            ),
            bounds=(choice.values[0], choice.values[1]) if choice.number else (0, 0),
            value=self.values[field], fixed=fixed, error=self.errors.get(field, ""),
        )  # fmt: skip

    def faults(self) -> dict[str, str]:
        """What is wrong, by the id of the control."""
        return {field.replace(".", "-"): said for field, said in self.errors.items()}

    def touched(self) -> bool:
        """Whether any variant is not left at its default."""
        return any(option.touched for option in self.options())

    def chairs(self) -> list[dict[str, Any]]:
        """The seats there can be, and who is to play each."""
        programs = [(f"{PROGRAM}{name}", program_words(name, self.lang))
                    for name in bot_names(self.system.name)]  # fmt: skip
        people = [(who, say(self.lang, f"muster.chair.{who}")) for who in (PERSON, ME)]
        return [
            {
                "code": code, "number": number, "value": self.values[f"seat.{code}"],
                "error": self.errors.get(f"seat.{code}", ""), "choices": [*people, *programs],
            }
            for number, code in enumerate(self.system.seats, 1)
        ]  # fmt: skip

    def programs(self) -> list[str]:
        """What the programs that can play are like, those that we know."""
        about = {name: f"muster.program_about.{name}" for name in bot_names(self.system.name)}
        return [
            say(
                self.lang, "muster.program_hint", name=_capital(program_name(self.lang, name)),
                about=say(self.lang, key),
            )
            for name, key in about.items()
            if catalogue().has(self.lang, key)
        ]  # fmt: skip

    # What is made of it --------------------------------------------------------------------------

    def read(self, raw: bytes) -> bool:
        """Fill in what a file of a club says.  Whether it could be read."""
        try:
            found = read_house_file(raw, self.system.name)
        except CheckFailed as failed:
            self.errors["file"] = self._faults(failed)
        except Refusal as refusal:
            self.errors["file"] = self._said(refusal)
        else:
            self.values |= {f"option.{name}": str(value) for name, value in found.options.items()}
            self.values["setup"] = found.setup or self.values["setup"]
        return "file" not in self.errors

    def make(self, umpire: Person) -> Campaign | None:
        """The campaign; None if anything is wrong, and `errors` say what.

        The same form sent twice makes it once.
        """
        try:
            code = signing.Signer(salt=ONCE).unsign(self.values["once"])
        except signing.BadSignature:
            code = new_code()
        made = _made_before(code, umpire)
        plan = self._plan()
        title, pace = self._title(), self._pace()
        chairs = self._chairs(plan)
        if made is not None or self.errors or plan is None:
            return made
        bots = {seat: who.removeprefix(PROGRAM) for seat, who in chairs.items()
                if who.startswith(PROGRAM)}  # fmt: skip
        own = [seat for seat, who in chairs.items() if who == ME]
        try:
            return make(
                title, plan, umpire, bots=bots, own=own, pace=pace, public=self.public, code=code
            )
        except IntegrityError:  # sent twice at once
            return _made_before(code, umpire)
        except Refusal as refusal:
            self._refuse(refusal)
            return None

    def study(self) -> str:
        """Begin to study its balance; the key of the study, "" if anything is wrong."""
        plan = self._plan()
        if plan is None:
            return ""
        limited = self.system.limited(plan.options, plan.scenario)  # bots would play for ever
        try:
            return begin(replace(plan, options=limited).header(), plan.scenario)
        except Refusal as refusal:
            self._refuse(refusal)
            return ""

    def _title(self) -> str:
        title = self.values["title"].strip()
        if not title or len(title) > LONGEST_NAME or not title.isprintable():
            self.errors["title"] = say(self.lang, "muster.bad_title")
        return title

    def _pace(self) -> int:
        pace = whole(self.values["pace"].strip() or "0")
        if pace is None or pace > LONGEST_PACE:
            self.errors["pace"] = say(self.lang, "muster.bad_pace", most=LONGEST_PACE)
            return 0
        return pace

    def _plan(self) -> CampaignPlan | None:
        """What is to be played, if it can be."""
        plan = CampaignPlan(
            self.system.name, self.values["scenario"], self._seats(), self._options(),
            self.values["dice"], self._setup(),
        )  # fmt: skip
        if plan.dice not in {COMMITTED, TYPED}:
            self.errors["dice"] = say(self.lang, "muster.bad_dice")
        try:
            plan.header()
        except Refusal as refusal:
            self._refuse(refusal)
        return None if self.errors else plan

    def _seats(self) -> int:
        """Number of seats; 0 for the scenario's own."""
        typed = self.values["seats"].strip()
        if not typed:
            return 0
        count, least, most = whole(typed), self.system.least, len(self.system.seats)
        if count is None or not least <= count <= most:
            self.errors["seats"] = say(self.lang, "muster.bad_seats", least=least, most=most)
            return 0
        return count

    def _options(self) -> dict[str, Any]:
        """The variants chosen: those that are not as they stood."""
        taken = {}
        for choice in self.system.options:
            field = f"option.{choice.name}"
            value = self.values[field]
            words = {} if choice.number else {str(word): word for word in choice.values}
            try:
                chosen = choice.take(words.get(value, value.strip()))
            except Refusal:
                self.errors[field] = self._legal(choice)
            else:
                if chosen != choice.default:
                    taken[choice.name] = chosen
        return taken

    def _legal(self, choice: Choice) -> str:
        """What a variant takes, in the words of its field."""
        if choice.number:
            least, most = choice.values
            return say(self.lang, "muster.bad_number", least=least, most=most)
        return say(self.lang, "muster.bad_variant")

    def _setup(self) -> dict[str, Any]:
        try:
            return read_setup(self.values["setup"], self.system.name)
        except CheckFailed as failed:
            self.errors["setup"] = self._faults(failed)
        except Refusal as refusal:
            self.errors["setup"] = self._said(refusal)
        return {}

    def _chairs(self, plan: CampaignPlan | None) -> dict[str, str]:
        """Seat -> who is to play it."""
        if plan is None:
            return {}
        seats = plan.header().seats
        for chair in self.chairs():
            code, who = chair["code"], chair["value"]
            if who not in dict(chair["choices"]):
                self.errors[f"seat.{code}"] = say(self.lang, "muster.bad_chair")
            elif code not in seats and who != PERSON:
                self.errors[f"seat.{code}"] = say(self.lang, "muster.no_chair", n=len(seats))
        return {code: self.values[f"seat.{code}"] for code in seats}

    def _refuse(self, refusal: Refusal) -> None:
        """Put a refusal beside the field that it concerns."""
        field = FIELDS.get(refusal.code, "setup" if self.values["setup"] else "form")
        self.errors.setdefault(field, self._said(refusal))

    def _said(self, refusal: Refusal) -> str:
        return refusal_text(self.lang, refusal, self.system.name)

    def _faults(self, failed: CheckFailed) -> str:
        """The first things that are wrong with a file, and what to do about them."""
        texts = catalogue(self.system.data)
        return " ".join([
            say(
                self.lang, "muster.fault", line=finding.line,
                reason=reason(finding, texts, self.lang), hint=hint(finding, texts, self.lang),
            )
            for finding in failed.findings[:3]
        ])  # fmt: skip


def _made_before(code: str, umpire: Person) -> Campaign | None:
    return Campaign.objects.filter(code=code, umpires__person=umpire).first()


# Words -------------------------------------------------------------------------------------------


def seat_names(plan: CampaignPlan, lang: str) -> dict[str, str]:
    """What the seats of a planned game are called, with their codes; they are no secret."""
    return dict(_seat_names(encode(plan), lang))


@lru_cache(maxsize=256)
def _seat_names(plan: bytes, lang: str) -> tuple[tuple[str, str], ...]:
    header = from_json(plan, CampaignPlan).header()
    system = find_system(header.system)
    called = names_of(system, opening(header).state, lang).get("seat", {})
    book = Book(system, lang, {"seat": called})
    return tuple((code, _with_code(book.name(code), code, lang)) for code in header.seats)


def _with_code(name: str, code: str, lang: str) -> str:
    return say(lang, "muster.seat", code=code) if name == code else with_code(name, code)


def scenario_words(system: System, name: str, lang: str) -> dict[str, str]:
    """What a scenario is called and what it is about: as its set-up says, or its system's texts."""
    setup = system.scenarios.get(name, {})
    told = setup.get("introduction")
    return {
        "words": _capital(scenario_title(system, name, lang)),
        "about": typographic(told.get(lang, ""), lang) if isinstance(told, Mapping) else "",
    }


def program_words(name: str, lang: str) -> str:
    """What a program that plays is called."""
    return say(lang, "muster.by_program", name=program_name(lang, name))


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
