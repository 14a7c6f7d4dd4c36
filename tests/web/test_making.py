"""The form of a new campaign, as a browser without scripts fills it."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from polemarque.club.campaigns.lobby import plan_of
from polemarque.club.models import Campaign, Person
from polemarque.club.people.roles import visit_of
from polemarque.kernel.files.plugins import entry_points
from polemarque.kernel.system import GROUP, find_system, system_names
from polemarque.web.pages.lobby.new_campaign import scenario_words
from tests.web.people import browser, by_id, everything, filled, led_to, page, person, said, way

pytestmark = pytest.mark.django_db


@pytest.fixture
def zoe() -> Person:
    return person("zoe")


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("system", system_names())
def test_the_form_as_it_stands_makes_a_campaign_of_every_system(
    zoe: Person, system: str, lang: str
) -> None:
    client = browser(zoe, lang=lang)
    address = reverse("new", kwargs={"system": system})
    fields = filled(client.get(address))
    response = client.post(address, fields)
    assert response.status_code == 303
    made = Campaign.objects.get()
    assert response["Location"] == way("campaign", made)
    duel = len(find_system(system).seats) == 2
    assert made.plan["options"] == {}, "nothing was chosen"
    assert made.plan["system"] == system and visit_of(made, zoe).neutral != duel
    assert client.get(way("campaign", made)).status_code == 200


@pytest.mark.parametrize("system", system_names())
def test_every_scenario_shows_its_board_before_anything_is_rolled(zoe: Person, system: str) -> None:
    form = browser(zoe).get(reverse("new", kwargs={"system": system})).content.decode()
    if system not in entry_points(GROUP):  # a toy that nothing draws
        assert "opening-board" not in form
        return
    for scenario in find_system(system).scenarios:
        address = reverse("opening_board", kwargs={"system": system, "scenario": scenario})
        assert f'src="{address}"' in form
        shown = browser(None).get(address)
        assert shown["Content-Type"] == "image/svg+xml"
        assert "Accept-Language" in shown["Vary"] and "private" in shown["Cache-Control"]
        assert shown.content.startswith(b"<svg") and b"<script" not in shown.content
        nonce = re.search(rb'<style nonce="([^"]+)">', shown.content)
        assert nonce and f"'nonce-{nonce[1].decode()}'" in shown["Content-Security-Policy"]
    ford = browser(zoe).get(reverse("opening_board", args=("batailles", "ford")))
    assert b"Phase 1" in ford.content and b"Last phase" not in ford.content


@pytest.mark.parametrize("which", [("thucidide", "nowhere"), ("chess", "marathon")])
def test_there_is_no_board_of_an_unknown_scenario(zoe: Person, which: tuple[str, str]) -> None:
    assert browser(zoe).get(reverse("opening_board", args=which)).status_code == 404


def test_every_choice_of_the_form_is_kept(zoe: Person) -> None:
    client = browser(zoe)
    fields = filled(client.get("/new/atlantide/")) | {
        "title": "The promised isle", "scenario": "trio", "seats": "3", "pace": "48", "public": "1",
        "option.terrain": "map", "option.turn_limit": "8", "seat.A": "me", "seat.B": "bot:random",
        "setup": '[terrain]\nhalia = "forest"\n',
    }  # fmt: skip
    assert client.post("/new/atlantide/", fields).status_code == 303
    made = Campaign.objects.get()
    assert (made.title, made.pace, made.public) == ("The promised isle", 48, True)
    assert made.plan["options"]["terrain"] == "map" and made.plan["options"]["turn_limit"] == 8
    assert made.plan["setup"] == {"terrain": {"halia": "forest"}}
    assert visit_of(made, zoe).plays == "A" and made.seats.get(code="B").bot == "random"
    shown = said(client.get(way("campaign", made)))
    assert "The promised isle" in shown and "You have 48 hours for each question." in shown


@pytest.mark.parametrize(("typed", "turns"), [("0", 8), ("5", 5)])
def test_a_scenario_says_how_many_turns_there_are_if_nobody_chooses(
    zoe: Person, typed: str, turns: int
) -> None:
    client = browser(zoe)
    form = client.get("/new/atlantide/")
    assert "After the Wave" in said(form) and "for three or four players" in said(form)
    fields = filled(form) | {"scenario": "wave", "seats": "3", "option.turn_limit": typed}
    assert client.post("/new/atlantide/", fields).status_code == 303
    made = Campaign.objects.get()
    assert plan_of(made).header().options["turn_limit"] == turns
    assert f"<dt>Last turn</dt><dd>{turns}</dd>" in said(client.get(way("campaign", made)))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", " "), ("title", "x" * 101), ("seats", "99"), ("seats", "two"), ("pace", "-1"),
        ("pace", "99999999999"), ("scenario", "nowhere"), ("dice", "loaded"),
        ("option.terrain", "moon"), ("option.turn_limit", "9999"), ("option.turn_limit", "x"),
        ("seat.A", "bot:nobody"), ("seat.I", "me"), ("setup", "a = ["), ("setup", "moon = 1"),
        ("setup", "a = nan"), ("pace", "000000999999999"), ("setup", "a = 0xf" + "f" * 16),
        pytest.param("pace", "0" * 5000, id="pace-long"),
        pytest.param("seats", "0003" + "0" * 5000, id="seats-long"),
        pytest.param("setup", ".".join("a" * 2000) + " = 1", id="setup-deep"),
        pytest.param("setup", "seats = " + "9" * 5000, id="setup-long"),
    ],
)  # fmt: skip
def test_a_field_that_is_wrong_is_named_and_all_else_kept(
    zoe: Person, field: str, value: str
) -> None:
    client = browser(zoe)
    fields = filled(client.get("/new/atlantide/")) | {
        "title": "Kept", "option.breaking": "any_time", "seat.B": "bot:random", "public": "1",
        field: value,
    }  # fmt: skip
    response = client.post("/new/atlantide/", fields)
    assert response.status_code == 422 and not Campaign.objects.exists()
    told = f"{field.replace('.', '-')}-error"
    (error,) = by_id(response, told)
    assert error.said and "turn_limit" not in error.said
    assert led_to(response) == [field.replace(".", "-")]
    described = [each.attrs.get("aria-describedby", "") for each in everything(page(response))]
    assert any(told in each for each in described)
    again = filled(response)
    radios = field in {"scenario", "option.terrain", "dice"} or field.startswith("seat.A")
    for name, typed in fields.items():
        if not (radios and name == field) and name not in {"csrfmiddlewaretoken", "file"}:
            assert again[name] == typed, name


def test_typed_dice_and_an_umpire_who_plays_are_refused_beside_the_dice(zoe: Person) -> None:
    client = browser(zoe)
    fields = filled(client.get("/new/batailles/"))
    assert fields["seat.A"] == "me"
    response = client.post("/new/batailles/", {**fields, "dice": "typed"})
    assert response.status_code == 422 and not Campaign.objects.exists()
    assert by_id(response, "dice-error")
    others = {**fields, "dice": "typed", "seat.A": "person"}
    assert client.post("/new/batailles/", others).status_code == 303


def test_a_form_sent_twice_makes_one_campaign(zoe: Person) -> None:
    client = browser(zoe)
    fields = filled(client.get("/new/batailles/"))
    first, second = (client.post("/new/batailles/", fields) for _ in range(2))
    assert first["Location"] == second["Location"]
    assert Campaign.objects.count() == 1
    forged = client.post("/new/batailles/", {**fields, "once": "mine"})
    assert forged.status_code == 303 and Campaign.objects.count() == 2
    assert not Campaign.objects.filter(code="mine").exists()


def test_a_file_is_read_into_the_form_before_anything_is_made(zoe: Person) -> None:
    client = browser(zoe)
    fields = filled(client.get("/new/atlantide/")) | {"title": "Kept"}
    house = SimpleUploadedFile("house.toml", b'system = "atlantide"\n[options]\nterrain = "map"\n')
    response = client.post("/new/atlantide/", {**fields, "file": house})
    assert response.status_code == 200 and not Campaign.objects.exists()
    again = filled(response)
    assert again["option.terrain"] == "map" and again["title"] == "Kept"
    setup = SimpleUploadedFile("setup.toml", b'[terrain]\nhalia = "forest"\n')
    again = filled(client.post("/new/atlantide/", {**again, "file": setup}))
    assert again["setup"].strip() == '[terrain]\nhalia = "forest"'
    assert client.post("/new/atlantide/", again).status_code == 303
    plan = Campaign.objects.get().plan
    assert plan["options"]["terrain"] == "map" and plan["setup"]


@pytest.mark.parametrize(
    "raw",
    [
        b"a = [", b"\xff", b'system = "promiterra"', b'system = "atlantide"\nmap = "/etc/passwd"',
        b'system = "atlantide"\n[options]\nmoon = 1', b'system = "atlantide"\nfoo = 1',
        b'system = "atlantide"\n[options]\nterrain = "moon"',
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_taken_is_refused_beside_its_field(zoe: Person, raw: bytes) -> None:
    client = browser(zoe, lang="en")
    fields = filled(client.get("/new/atlantide/"))
    response = client.post("/new/atlantide/", {**fields, "file": SimpleUploadedFile("x.toml", raw)})
    assert response.status_code == 422
    (error,) = by_id(response, "file-error")
    assert error.said and "/tmp" not in said(response)


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b'system = "promiterra"', "for another game: promiterra, not atlantide"),
        (b'system = "atlantide"\nfoo = 1', "line 2: The key foo has no meaning in house rules"),
        (b'system = "atlantide"\n[options]\nmoon = 1', "line 3: There is no option moon"),
    ],
)
def test_what_is_wrong_with_house_rules_is_said_in_words(
    zoe: Person, raw: bytes, told: str
) -> None:
    client = browser(zoe, lang="en")
    fields = filled(client.get("/new/atlantide/"))
    response = client.post("/new/atlantide/", {**fields, "file": SimpleUploadedFile("x.toml", raw)})
    (error,) = by_id(response, "file-error")
    assert told.lower() in error.said.lower()


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", "line 3: the board has no field id"),
        ("fr", "ligne 3 : le plateau n’a pas de champ id"),
    ],
)
def test_what_is_wrong_with_a_set_up_is_said_in_words(zoe: Person, lang: str, told: str) -> None:
    client = browser(zoe, lang=lang)
    fields = filled(client.get("/new/thucidide/"))
    text = '[a]\nlevel = 1\n[board]\nshape = "round"\n'
    response = client.post("/new/thucidide/", {**fields, "setup": text})
    assert response.status_code == 422 and not Campaign.objects.exists()
    (error,) = by_id(response, "setup-error")
    assert told in error.said.lower()


def test_there_is_no_form_for_a_system_that_is_not_there(zoe: Person) -> None:
    assert browser(zoe).get("/new/chess/").status_code == 404
    assert browser().get("/new/batailles/").status_code == 302


@pytest.mark.parametrize(("system", "long"), [("thucidide", True), ("atlantide", False)])
def test_the_form_says_what_the_programs_are_like(zoe: Person, system: str, long: bool) -> None:
    shown = said(browser(zoe).get(f"/new/{system}/"))
    assert "The steady one: plays sensibly, at once." in shown
    assert ("The searcher: plays on in its head" in shown) is long


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_introductions_of_scenarios_are_printed_as_all_texts_are(zoe: Person, lang: str) -> None:
    told = [words for name in find_system("thucidide").scenarios
            for words in scenario_words(find_system("thucidide"), name, lang).values()]  # fmt: skip
    assert any("\u2019" in words for words in told)
    assert not [words for words in told if "'" in words or " :" in words]
    shown = page(browser(zoe, lang=lang).get("/new/thucidide/")).said
    assert "\u2019" in shown and "'" not in shown
