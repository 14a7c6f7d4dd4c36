"""A whole game through its pages: the company that plays it, in browsers without scripts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import unescape
from random import Random
from typing import Any

from django.test import Client
from django.urls import reverse

from polemarque.club.campaigns.lobby import token_of
from polemarque.club.campaigns.question_keys import key_text, read_key
from polemarque.club.campaigns.session import read_lock
from polemarque.club.models import MEMBER, RUNNING, Campaign
from polemarque.kernel.dice import Roll
from polemarque.kernel.files.texts import LANGUAGES
from polemarque.kernel.game import Game
from polemarque.kernel.request import UMPIRE, Key
from tests.web.browser import Element, read, sent
from tests.web.people import PASSWORD, browser, filled, link, person, said, way

QUESTION = re.compile(
    r'<form method="post" action="[^"]*" id="[^"]*" class="question".*?</form>', re.DOTALL
)
"""The form of a question, or of a throw, in a page."""

TOKEN = re.compile(r"/invitation/([^/\"<]+)/")

TAGS = re.compile(r"<(script|style|svg)\b.*?</\1>|<[^>]*>", re.DOTALL)

CODES = re.compile(r"\w_\w|\{[\w+?#~]|\b[a-z]{2,}\.[a-z]{2,}\b|\b(?:True|False)\b")
"""What a reader is never to see: names of the program, blanks that were not filled."""

MOST_ANSWERS = 500
"""Answers of people after which a game is taken not to end."""

MOST_SENDINGS = 40
"""So often a form may come back before it is taken."""

BOLD, OFTEN = 3, 0.35
"""In so many sendings a person changes what a form proposes, and so often each part."""


@dataclass
class Company:
    """Those who play one campaign: an umpire, who makes it, and somebody in every seat that no
    program plays.

    options, setup: of the campaign; the set-up as a club's file has it.
    bots:    seats that programs play.   advised: seats of two people.
    dice:    "committed" or "typed".
    choices: random, where forms are not to be left as they propose.
    aims:    (seat, rule, part) -> what is chosen there whenever it is offered.
    """

    system: str
    scenario: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    setup: str = ""
    bots: tuple[str, ...] = ()
    advised: tuple[str, ...] = ()
    dice: str = "committed"
    choices: Random | None = None
    aims: Mapping[tuple[str, str, str], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.umpire = browser(person("umpire"))
        self.players: dict[str, Client] = {}
        self.advisers: dict[str, Client] = {}
        self.receipts: list[tuple[str, str]] = []
        """Seat and digest of every receipt."""
        self.asked_of: Counter[str] = Counter()
        """Answers by seat, and those of the umpire."""
        self.campaign = self._made()

    # Muster --------------------------------------------------------------------------------------

    def _made(self) -> Campaign:
        where = reverse("new", kwargs={"system": self.system})
        fields = filled(self.umpire.get(where)) | {
            "dice": self.dice, "setup": self.setup, "seat.A": "person",
        }  # fmt: skip
        fields |= {"scenario": self.scenario} if self.scenario else {}
        fields |= {f"option.{name}": str(value) for name, value in self.options.items()}
        fields |= {f"seat.{seat}": "bot:steady" for seat in self.bots}
        got = self.umpire.post(where, fields)
        assert got.status_code == 303, said(got)
        return Campaign.objects.get()

    def muster(self) -> Company:
        """Invite somebody to every seat that no program plays, and begin."""
        free = self.campaign.seats.filter(bot="").values_list("code", flat=True)
        for number, seat in enumerate(free):
            self.players[seat] = self.invited(seat, lang=LANGUAGES[number % 2])
        self.advisers = {seat: self.invited(seat, MEMBER) for seat in self.advised}
        self.campaign.seats.update(spared=False)  # nobody waits here for a moment to be drawn
        assert self.umpire.post(way("start", self.campaign)).status_code == 303
        self.campaign.refresh_from_db()
        assert self.campaign.stage == RUNNING
        return self

    def invited(self, seat: str, role: str = "", lang: str = "fr") -> Client:
        """Somebody who has come to a seat by a link, with a new account."""
        sought = {"seat": seat, "role": role}
        shown = self.umpire.post(way("invite", self.campaign), sought, follow=True)
        door = self.campaign.invitations.get(**sought, used=None)
        token = next(each for each in TOKEN.findall(said(shown)) if each == token_of(door))
        client = browser(lang=lang)
        name = f"{role}{seat}".lower()
        fields = filled(client.get(link(token))) | {"username": name, "password": PASSWORD}
        got = client.post(link(token), fields | {"called": f"Kallias {name}"})
        assert got.status_code == 303, said(got)
        return client

    # Play ----------------------------------------------------------------------------------------

    def play(self, until: Callable[[Game], bool] = lambda game: game.over) -> Company:
        """Answer whatever is asked, until the game is over or something is so."""
        while not self.at_table(until):
            assert self.asked_of.total() < MOST_ANSWERS, "it does not end"
            assert not self.at_table(lambda game: game.over)
            asked = self.asked()
            assert asked, "nobody is asked"
            self.answer(asked[0])
        return self

    def at_table(self, ask: Callable[[Game], Any]) -> Any:
        """Something of the game, which is kept still meanwhile."""
        with read_lock(self.campaign) as table:
            return ask(table.game)

    def asked(self) -> list[str]:
        """The seats of people, and the umpire, who have anything to answer or to throw."""
        throws = self.at_table(lambda game: bool(game.throws()))
        asked = [seat for seat in (*self.players, UMPIRE) if self.owed(seat)]
        return [UMPIRE] if throws else asked

    def owed(self, seat: str) -> list[Key]:
        """The questions that a seat has not answered."""
        return [request.keys[seat] for request in self.at_table(lambda game: game.requests(seat))]

    def door(self, seat: str) -> tuple[Client, str]:
        """Who answers for a seat, and on which page."""
        if seat == UMPIRE:
            return self.umpire, way("desk", self.campaign)
        return self.players[seat], way("seat", self.campaign, seat=seat)

    def answer(self, seat: str) -> None:
        """Answer everything that the page of a seat asks at present: each question has its form."""
        client, where = self.door(seat)
        forms = fresh(self.seen(client, where))
        throws = self.at_table(lambda game: {key_text(t.key): t.roll for t in game.throws()})
        keys = {key_text(key) for key in self.owed(seat)}
        if seat == UMPIRE:
            keys |= throws.keys()
        assert {key_of(form) for form in forms} == keys
        for form in forms:
            if key_of(form) in throws:
                self._throw(form, throws[key_of(form)])
            else:
                self.fill(client, seat, form)

    def _throw(self, form: Element, roll: Roll) -> None:
        rng = self.choices or Random(key_of(form))
        faces = " ".join([str(rng.randint(1, roll.sides)) for _ in range(roll.count)])
        got = self.umpire.post(form.attrs["action"], sent(form) | {"dice": faces})
        assert got.status_code == 303, said(got)
        self.asked_of["dice"] += 1

    def fill(self, client: Client, seat: str, form: Element) -> None:
        """Fill a form and send it until it is taken."""
        key = key_of(form)
        for number in range(MOST_SENDINGS):
            fields = mended(form, number) | (self.chosen(seat, form) if number < BOLD else {})
            got = client.post(form.attrs["action"], fields)
            if got.status_code == 303:
                digest = got["Location"].partition("?receipt=")[2]
                self.receipts += [(seat, digest)] if digest else []
                self.asked_of[seat] += 1
                return
            self.note(got)
            assert got.status_code == (422 if fields["do"] == ["seal"] else 200)
            (form,) = [each for each in fresh(got) if key_of(each) == key]
        raise AssertionError(f"never taken: {key} {fields} {form.said}")

    def chosen(self, seat: str, form: Element) -> dict[str, list[str]]:
        """What a person changes of what a form proposes."""
        changed: dict[str, list[str]] = {}
        rule = read_key(key_of(form)).rule
        for name, offered in offers(form).items():
            aim = self.aims.get((seat, rule, name.rpartition("/")[2]))
            if aim is not None:
                changed[name] = [aim]
            elif self.choices is not None and self.choices.random() < OFTEN:
                changed[name] = offered(self.choices)
        return changed

    # What is read --------------------------------------------------------------------------------

    def seen(self, client: Client, where: str) -> Any:
        """A page that somebody reads."""
        got = client.get(where)
        assert got.status_code == 200, f"{where}: {got.status_code}"
        self.note(got)
        return got

    def note(self, got: Any) -> None:
        """Find out what stands in a page that nobody can read."""
        words = TAGS.sub("|", unescape(said(got)))
        strange = CODES.search(words)
        assert not strange, f"{strange.group()}: {words[strange.start() - 200 : strange.end()]}"


def forms_of(got: Any) -> list[Element]:
    """The forms of the questions of a page."""
    return [read(form).inside[0] for form in QUESTION.findall(said(got))]


def fresh(got: Any) -> list[Element]:
    """Those of questions that are not answered yet."""
    return [form for form in forms_of(got) if "standing" not in sent(form)]


def key_of(form: Element) -> str:
    """The key of a form's question, as it carries it."""
    return sent(form)["key"][0]


def mended(form: Element, seed: int = 0) -> dict[str, list[str]]:
    """What is sent of a form as it stands, when nothing is left open and what was refused is
    chosen anew; by the button that seals it, if it has one."""
    fields, rng = sent(form), Random(seed)
    refused = {each.attrs.get("id") for each in form.all("p")}
    for name, offered in offers(form).items():
        if not any(fields.get(name, ())) or f"{name}-error" in refused:
            fields[name] = offered(rng)
    buttons = [button.attrs.get("value", "") for button in form.all("button")]
    return fields | {"do": ["seal" if "seal" in buttons else "work"]}


def offers(form: Element) -> dict[str, Any]:
    """Name of a part -> a function that chooses among what its widget offers."""
    found: dict[str, Any] = {}
    for select in form.all("select"):
        found[select.attrs["name"]] = _one([o.attrs["value"] for o in select.all("option")])
    for group in form.all("fieldset"):
        marks = [i for i in group.all("input") if i.attrs.get("name") == group.attrs.get("id")]
        values = [i.attrs["value"] for i in marks if i.attrs["type"] in {"radio", "checkbox"}]
        if values and marks[-1].attrs["type"] == "radio":
            found[group.attrs["id"]] = _one(values)
        elif values:
            found[group.attrs["id"]] = _some(values)
    for amount in form.all("div"):
        if amount.attrs.get("class") == "amount":
            least, most, step = (int(amount.attrs[f"data-{n}"]) for n in ("least", "most", "step"))
            found[amount.all("input")[0].attrs["name"]] = _number(range(least, most + 1, step))
    return found


def _one(values: list[str]) -> Any:
    return lambda rng: [rng.choice([value for value in values if value])]


def _some(values: list[str]) -> Any:
    return lambda rng: ["", *[value for value in values if rng.random() < 0.5]]


def _number(numbers: range) -> Any:
    return lambda rng: [str(rng.choice(numbers))]
