"""The pages on which one rule is asked alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from html import unescape
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qsl, urlencode

import msgspec
import pytest
from django.http import HttpResponse
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from polemarque.cli.common import run
from polemarque.kernel.files.plugins import entry_points
from polemarque.kernel.system import GROUP
from polemarque.odds.consult import find_question, questions
from polemarque.odds.rule_process import RuleProcess
from polemarque.web.i18n import say
from polemarque.web.pages.reference import consult as pages
from polemarque.web.pages.reference.consult_form import (
    MOST_FIELDS,
    MOST_ROWS,
    Request,
    address,
    field_id,
)
from tests.web.patience import PATIENT, patient_process

pytestmark = pytest.mark.django_db

OURS = entry_points(GROUP)
RULES = [question.rule for system, question in questions() if system.name in OURS]
FORCE = (
    "combat_force=13&loot=0&terrain=forest&capital=false&capital_conquered=false"
    "&atlantis=false&player_held=false&fortresses=0"
)


@pytest.fixture(scope="module")
def process() -> Iterator[RuleProcess]:
    with patient_process() as asked:
        yield asked


@pytest.fixture(autouse=True)
def patient(process: RuleProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RuleProcess, "the", staticmethod(lambda: process))


@pytest.fixture
def reader() -> Client:
    return Client(headers={"accept-language": "en"})


class Fields(HTMLParser):
    """The form of a page as a browser would send it, and what describes each field."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__()
        self.values: dict[str, str] = {}
        self.ids: set[str] = set()
        self.wrong: dict[str, str] = {}
        self.labels: set[str] = set()
        self._select = ""
        self.feed(response.content.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            assert given["id"] not in self.ids, "two elements of one id"
            self.ids.add(given["id"])
        if tag == "label" and "for" in given:
            self.labels.add(given["for"])
        if tag in {"input", "select"} and given.get("id", "").startswith("f-"):
            self.values.setdefault(given["name"], given.get("value", ""))
            if given.get("aria-invalid"):
                self.wrong[given["name"]] = given["aria-describedby"]
        if tag == "select":
            self._select = given.get("name", "")
        if tag == "option" and "selected" in given:
            self.values[self._select] = given["value"]


def example(rule: str) -> str:
    question = find_question(rule)[1]
    inputs = msgspec.json.decode(msgspec.json.encode(dict(question.example)))
    return address(question, Request(inputs, {}, None))


# The list ----------------------------------------------------------------------------------------


def test_every_rule_that_can_be_asked_is_listed(reader: Client) -> None:
    said = reader.get("/consult/").content.decode()
    assert [rule for rule in RULES if f'href="/consult/{rule}/"' not in said] == []
    assert "<h3>Conquest</h3>" in said and "Result of a conquest" in said


def test_the_list_is_searched_on_the_server(reader: Client) -> None:
    said = reader.get("/consult/", {"q": "at-9"}).content.decode()
    assert "/consult/AT-9.5/" in said and "/consult/AT-8.2/" not in said
    assert "3 rules found" in said or "4 rules found" in said
    nothing = reader.get("/consult/", {"q": "<script>"}).content.decode()
    assert "<script>" not in nothing and "No rule answers to" in nothing


def test_a_rule_that_cannot_be_asked_is_not_there(reader: Client) -> None:
    assert reader.get("/consult/AT-1.1/").status_code == 404
    assert reader.get("/consult/NO-1/").status_code == 404
    assert reader.post("/consult/AT-9.5/").status_code == 405


# Asking ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_form_and_its_example_is_answered(reader: Client, rule: str) -> None:
    blank = Fields(reader.get(f"/consult/{rule}/"))
    assert {f"f-{name}" for name in ("dice",)} <= blank.ids or not find_question(rule)[1].dice
    answer = reader.get(f"/consult/{rule}/?{example(rule)}&seed=1", follow=True)
    assert answer.status_code == 200
    said = answer.content.decode()
    assert 'class="answer"' in said
    filled = Fields(answer)
    controls = {name for name in filled.ids if name.startswith("f-")}
    assert filled.labels - {"q"} <= filled.ids
    for name, text in parse_qsl(example(rule)):
        assert filled.values.get(name, text) == text, name
    assert controls


def test_the_answer_is_what_the_rule_says(reader: Client) -> None:
    said = reader.get(f"/consult/AT-9.5/?{FORCE}&dice=1+1+3").content.decode()
    assert "Territory taken in 1 assault; loot +100, 3 figures lost." in said
    assert 'href="/rules/atlantide/AT-9.4/"' in said
    assert said.count('class="die"') == 3 and 'aria-label="D6 = 1"' in said
    assert re.search(r'<th scope="row">figures lost</th><td>3</td>', said)
    french = Client(headers={"accept-language": "fr"})
    assert "Territoire pris" in french.get(f"/consult/AT-9.5/?{FORCE}&dice=1+1+3").content.decode()


def test_rolled_dice_are_put_into_the_address(reader: Client) -> None:
    sent = reader.get(f"/consult/AT-9.5/?{FORCE}&dice=&seed=")
    assert sent.status_code == 303
    query = dict(parse_qsl(sent["Location"].partition("?")[2]))
    assert query["dice"] and "seed" not in query and query["combat_force"] == "13"
    first, second = (reader.get(sent["Location"]).content.decode() for _ in "12")
    answers = [said[said.index("<main") : said.index("</main>")] for said in (first, second)]
    assert answers[0] == answers[1] and 'class="die"' in answers[0]


def test_a_seed_rolls_the_same_dice(reader: Client) -> None:
    address = f"/consult/AT-9.5/?{FORCE}&seed=Gaugamela"
    assert reader.get(address)["Location"] == reader.get(address)["Location"]


def test_rows_are_added_without_scripts(reader: Client) -> None:
    more = reader.get("/consult/AT-1.5/?units.0.kind=elephant&general_ld=8&more=units")
    fields = Fields(more)
    assert more.status_code == 200 and b'class="answer"' not in more.content
    assert fields.values["units.0.kind"] == "elephant" and fields.values["units.1.kind"] == ""
    assert fields.values["general_ld"] == "8"


def test_options_are_offered_and_read(reader: Client) -> None:
    asked = "territories.0.terrain=mountains&territories.0.city=none&territories.0.enemy=false"
    said = reader.get(f"/consult/AT-5.1/?{asked}&option.atlantis_tax=kingdom")
    assert said.status_code == 200
    assert Fields(said).values["option.atlantis_tax"] == "kingdom"
    assert "option.atlantis_tax=kingdom" in said.content.decode()
    refused = reader.get(f"/consult/AT-5.1/?{asked}&option.atlantis_tax=none")
    assert refused.status_code == 422
    assert "option.atlantis_tax" in Fields(refused).wrong


# JSON --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "command"),
    [
        (f"AT-9.5/?{FORCE}&dice=1+1+3", ["AT-9.5", *FORCE.split("&"), "--dice", "1,1,3"]),
        ("AT-8.2/?a=frontal&b=rapid", ["AT-8.2", "a=frontal", "b=rapid"]),
        (
            "AT-1.5/?units.0.kind=infantry&units.0.ws=3&general_ld=none",
            ["AT-1.5", 'units=[{"kind":"infantry","ws":3}]', "general_ld=none"],
        ),
        ("PR-4.1/?loyalty=8&odds=1", ["PR-4.1", "loyalty=8", "--odds"]),
        ("PR-6.1/?count=50&option.dice=all", ["PR-6.1", "count=50", "--option", "dice=all"]),
    ],
)
def test_json_is_what_the_command_line_prints(
    reader: Client, address: str, command: list[str], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run(["consult", *command, "--json", "--lang", "en"]) == 0
    printed = capfdbinary.readouterr().out
    answer = reader.get(f"/consult/{address}&format=json")
    assert answer["Content-Type"] == "application/json"
    assert answer.content == printed


def test_a_refusal_in_json_is_that_of_a_batch(reader: Client) -> None:
    answer = reader.get("/consult/AT-8.4/?sector=9&format=json")
    refused: dict[str, Any] = msgspec.json.decode(answer.content)
    assert answer.status_code == 422
    assert (refused["rule"], refused["kind"]) == ("AT-8.4", "not_understood")
    assert "1..6" in refused["error"]


# Odds --------------------------------------------------------------------------------------------


def test_odds_are_exact_and_add_up(reader: Client) -> None:
    said = reader.get(f"/consult/AT-9.5/?{FORCE}&odds=1").content.decode()
    answer = msgspec.json.decode(reader.get(f"/consult/AT-9.5/?{FORCE}&odds=1&format=json").content)
    sums, table = said.split('<table class="full">')
    shown = [float(p) for p in re.findall(r'figures">([\d.]+)%', table)]
    assert len(shown) == len(answer["outcomes"])
    assert sum(shown) == pytest.approx(100, abs=2) and shown == sorted(shown, reverse=True)
    # Taken with and without its treasure is one chance to take it, and bars are drawn to scale.
    exact: dict[str, Fraction] = {}
    for outcome in answer["outcomes"]:
        word = outcome["result"]["result"]
        exact[word] = exact.get(word, Fraction(0)) + Fraction(outcome["p"])
    summed = [float(p) for p in re.findall(r'figures">([\d.]+)%', sums)]
    assert summed == pytest.approx(
        sorted((100 * float(p) for p in exact.values()), reverse=True), abs=0.5
    )
    bars = [float(width) for width in re.findall(r'rect width="([\d.]+)"', table)]
    assert bars == [round(100 * float(Fraction(o["p"])), 1) for o in answer["outcomes"]]
    assert "figures lost, on average" in said and "<svg" in said


def test_a_long_tail_of_outcomes_is_summed_up(reader: Client) -> None:
    said = reader.get("/consult/PR-8.4/?lost=6&odds=1").content.decode()
    assert said.count('class="chance"') == pages.MOST_ROWS
    assert re.search(r"\d+ other outcomes", said)


ATTACKERS = "&".join(
    f"attackers.{row}.{name}={n}"
    for row in range(3)
    for name, n in (("units", 40), ("attack", 2), ("defence", 2))
)


def test_independent_results_have_a_table_each(reader: Client) -> None:
    asked = f"/consult/PR-5.7/?{ATTACKERS}&defender.units=90&defender.attack=3&defender.defence=3"
    said = reader.get(f"{asked}&odds=1").content.decode()
    assert said.count('<table class="full">') == 4
    assert "losses of the attacker 3" in said and "do not depend on each other" in said
    (link,) = re.findall(r'href="([^"]*)">JSON', said)
    answer = msgspec.json.decode(reader.get(f"/consult/PR-5.7/{unescape(link)}").content)
    assert [len(part["outcomes"]) > 1 for part in answer["parts"]] == [True] * 4
    refused = reader.get(f"{asked}&odds=1&format=json")
    assert refused.status_code == 422
    assert msgspec.json.decode(refused.content)["kind"] == "too_large"


def test_results_that_are_together_too_many_have_a_table_each(reader: Client) -> None:
    said = reader.get("/consult/PR-8.4/?lost=30&odds=1").content.decode()
    assert said.count('<table class="full">') == 6 and "They depend on each other" in said
    (link,) = re.findall(r'href="([^"]*)">JSON', said)
    answer = msgspec.json.decode(reader.get(f"/consult/PR-8.4/{unescape(link)}").content)
    assert answer["dependent"] is True and len(answer["parts"]) == 6


def test_what_takes_too_long_is_refused(
    reader: Client, monkeypatch: pytest.MonkeyPatch, process: RuleProcess
) -> None:
    monkeypatch.setattr(process, "_limit", 0.05)
    answer = reader.get("/consult/PR-8.4/?lost=15&odds=1")
    assert answer.status_code == 422
    assert "too long" in answer.content.decode() or "more than" in answer.content.decode()
    assert Fields(answer).values["lost"] == "15"
    monkeypatch.setattr(process, "_limit", PATIENT)
    huge = reader.get("/consult/PR-8.4/?lost=100000000000&odds=1")
    assert huge.status_code == 422 and "up to a roll of 15D6" in huge.content.decode()


# Refusals ----------------------------------------------------------------------------------------


def test_a_refusal_stands_beside_its_field_and_nothing_is_lost(reader: Client) -> None:
    typed = {
        "combat_force": "many", "loot": "0", "terrain": "swamp", "capital": "true",
        "fortresses": "2", "dice": "1 2", "seed": "x y",
    }  # fmt: skip
    answer = reader.get("/consult/AT-9.5/", typed)
    assert answer.status_code == 422
    fields = Fields(answer)
    assert {name: fields.values[name] for name in typed} == typed
    missing = {"capital_conquered", "atlantis", "player_held"}
    assert set(fields.wrong) == missing | {"combat_force", "terrain"}
    for described in fields.wrong.values():
        assert set(described.split()) <= fields.ids
    whole = {**typed, "capital_conquered": "false", "atlantis": "false", "player_held": "false"}
    again = Fields(reader.get("/consult/AT-9.5/", whole))
    assert set(again.wrong) == {"combat_force", "terrain"}
    assert {name: again.values[name] for name in whole} == whole


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_every_bad_field_is_told_at_its_place_and_above(lang: str) -> None:
    typed = {
        "units.0.kind": "lizard", "units.1.kind": "infantry", "units.1.ws": "three",
        "units.1.general": "maybe", "general_ld": "x", "dice": "1 none",
    }  # fmt: skip
    answer = Client(headers={"accept-language": lang}).get("/consult/AT-1.5/", typed)
    assert answer.status_code == 422
    fields, page = Fields(answer), answer.content.decode()
    bad = {"units.0.kind", "units.1.ws", "general_ld"}
    assert bad <= set(fields.wrong) and {n: fields.values[n] for n in typed if n in bad} == {
        name: typed[name] for name in bad
    }
    for name in bad:
        assert f'href="#{field_id(name)}"' in page and f"{field_id(name)}-error" in fields.ids
    assert say(lang, "consult.several") in unescape(page)


def test_one_bad_field_is_told_alone(reader: Client) -> None:
    typed = {**dict(parse_qsl(FORCE)), "combat_force": "many"}
    answer = reader.get("/consult/AT-9.5/", typed)
    assert set(Fields(answer).wrong) == {"combat_force"}
    assert say("en", "consult.several") not in unescape(answer.content.decode())


def test_options_dice_and_what_cannot_be_read_are_told_together(reader: Client) -> None:
    typed = "loyalty=[&dice=1+9x&option.nothing=1"
    fields = Fields(reader.get("/consult/PR-4.1/?" + typed))
    assert {"loyalty", "dice"} <= set(fields.wrong)


def test_a_place_in_a_list_is_named(reader: Client) -> None:
    typed = {
        "units.0.kind": "", "units.2.kind": "elephant", "units.5.kind": "infantry",
        "units.5.ws": "three", "general_ld": "8",
    }  # fmt: skip
    fields = Fields(reader.get("/consult/AT-1.5/", typed))
    assert set(fields.wrong) == {"units.1.ws"} and fields.values["units.1.ws"] == "three"


@pytest.mark.parametrize("dice", ["1 7", "0", "x", "1", "1 2 3 4 5 6 1 2 3 4 5 6", "200000x1"])
def test_dice_that_cannot_be_are_refused_beside_the_dice(reader: Client, dice: str) -> None:
    answer = reader.get("/consult/PR-4.1/", {"loyalty": "8", "dice": dice})
    assert answer.status_code == 422
    fields = Fields(answer)
    assert set(fields.wrong) == {"dice"} and fields.values["dice"] == dice


def test_what_means_nothing_or_is_given_twice_is_refused(reader: Client) -> None:
    assert reader.get("/consult/PR-4.1/?loyalty=8&luck=1&dice=1+2").status_code == 422
    twice = reader.get("/consult/PR-4.1/?loyalty=8&loyalty=9&dice=1+2")
    assert twice.status_code == 422 and b"twice" in twice.content
    forbidden = reader.get("/consult/BC-2.1/?" + example("BC-2.1").replace("a.pm=60", "a.pm=1"))
    assert forbidden.status_code == 422 and Fields(forbidden).values["a.pm"] == "1"


ROWS = [{"kind": "elephant"}] * 300


@pytest.mark.parametrize(
    ("asked", "count", "shown"),
    [
        (urlencode({f"units.{n}.kind": "elephant" for n in range(300)}), 300, MOST_ROWS),
        (urlencode({f"units.{n}.kind": "elephant" for n in range(900)}), 900, MOST_ROWS),
        (urlencode({"units": msgspec.json.encode(ROWS).decode()}), 300, MOST_ROWS),
        (urlencode({f"x{n}": "1" for n in range(401)}), 401, 1),
    ],
    ids=["rows", "more rows", "JSON", "fields"],
)
@pytest.mark.parametrize("more", ["", "more=units&"])
def test_too_many_rows_are_refused_and_the_first_ones_shown(
    reader: Client, asked: str, count: int, shown: int, more: str
) -> None:
    count += bool(more) and count > MOST_FIELDS
    answer = reader.get(f"/consult/AT-1.8/?{more}{asked}")
    assert answer.status_code == 422
    rows = {n for n in Fields(answer).values if re.fullmatch(r"units\.[0-9]+\.kind", n)}
    assert len(rows) == shown and len(answer.content) < 500_000
    assert f"{count} " in answer.content.decode() and b"too many" in answer.content


WORDS = st.one_of(
    st.text(max_size=12),
    st.integers().map(str),
    st.sampled_from(["", "true", "null", "[]", "{}", "[[[[", '{"a":1}', "9" * 400, "-1", "1e9"]),
)


@settings(
    max_examples=150, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@given(data=st.data())
def test_whatever_is_typed_is_answered_or_refused(data: st.DataObject, reader: Client) -> None:
    rule = data.draw(st.sampled_from(RULES))
    pairs = dict(parse_qsl(example(rule)))
    names = st.one_of(
        st.sampled_from(["dice", "seed", "odds", "more", "format", "option.x", "choices", *pairs]),
        st.text(max_size=8),
    )
    pairs |= data.draw(st.dictionaries(names, WORDS, max_size=4))
    answer = reader.get(f"/consult/{rule}/?{urlencode(pairs, errors='replace')}")
    assert answer.status_code in {200, 303, 422}
    if answer.status_code == 422 and pairs.get("format") != "json":
        assert b'role="alert"' in answer.content


def test_nothing_stands_inline(reader: Client) -> None:
    for page in ("/consult/", f"/consult/AT-9.5/?{FORCE}&odds=1", f"/consult/AT-9.5/?{FORCE}"):
        said = reader.get(page, follow=True).content.decode()
        assert " style=" not in said and "onclick" not in said
