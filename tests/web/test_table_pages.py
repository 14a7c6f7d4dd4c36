"""The pages of a campaign: where things stand on them, and where they lead."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.template import engines
from django.utils import translation
from django.utils.formats import date_format
from django.utils.html import escape
from django.utils.timezone import localtime

import polemarque.web
from polemarque.club.campaigns import visibility as reading_of
from polemarque.club.campaigns.session import LiveCampaign, forget, read_lock, write_lock
from polemarque.club.models import Campaign
from polemarque.club.orders.answers import seal
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import Answer
from polemarque.report.chronicle import episode
from polemarque.report.documents.document import Line, Table, joined, walk
from polemarque.report.labels import catalogue_of
from polemarque.systems.thucidide.views import unit_name
from polemarque.web.i18n import say
from polemarque.web.pages.campaign import campaign as table_pages
from polemarque.web.pages.reference.rules import rule_address
from tests.web.browser import Element
from tests.web.lent import fighting
from tests.web.people import browser, by_id, page, said, way
from tests.web.world import World, open_key, play_on, sealed, world

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def offers_undo(there: World, role: str = "commander", seat: str = "A") -> bool:
    client, address = there.browser(role), way("seat", there.campaign, seat=seat)
    return way("undo", there.campaign, seat=seat) in said(client.get(address))


def test_only_who_has_answered_is_offered_to_take_his_answer_back() -> None:
    there = world()
    assert not offers_undo(there)
    sealed(there, "A", "commander")
    assert offers_undo(there) and not offers_undo(there, "adviser")
    assert not offers_undo(there, "rival", "B")
    with write_lock(there.campaign) as table:
        table.game.undo("A")
    assert not offers_undo(there)


def test_an_umpire_who_plays_does_not_learn_from_it_that_others_have_answered() -> None:
    there = world(playing=True)
    before = offers_undo(there, "playing")
    sealed(there, "B", "rival")
    assert offers_undo(there, "playing") is before is False


def test_a_seat_reads_what_to_do_by_when_and_where_the_rules_are() -> None:
    there = world()
    address = way("seat", there.campaign, seat="A")
    shown = there.browser("commander").get(address)
    (to_do,) = [p for p in page(shown).all("p") if p.attrs.get("class") == "to-do"]
    assert to_do.said == "Your turn: Players and what they start with"
    (link,) = to_do.all("a")
    (heading,) = by_id(shown, link.attrs["href"].removeprefix("#"))
    assert heading.said == say("en", "seat.asked")
    assert "awaited by" not in said(shown)
    assert 'href="/rules/atlantide/"' in said(shown)
    asked = there.campaign.asked
    for since, told in ((asked, "Your answer is awaited by"), (asked - DAY, "Late: your answer")):
        Campaign.objects.filter(pk=there.campaign.pk).update(pace=5, asked=since)
        with translation.override("en"):
            limit = date_format(localtime(since + timedelta(hours=5)), "DATETIME_FORMAT")
        (line,) = [p.said for p in page(there.browser("commander").get(address)).all("p")
                   if p.said.startswith(told)]  # fmt: skip
        assert line.endswith(limit)


def test_reasons_lead_to_the_pages_of_their_rules() -> None:
    there = world(turns=2)
    address = way("chronicle_turn", there.campaign, number="1")
    shown = said(there.browser("commander").get(address))
    assert 'href="/rules/atlantide/AT-1.3/"' in shown


def told_on(shown: Element) -> list[str]:
    """The chapters that a page of the chronicle tells, without what it says of the whole game."""
    whole = {say_of("en", f"chronicle.{part}") for part in ("balance", "overview", "acts")}
    return [h.said for h in shown.all("h2") if h.said not in whole]


def say_of(lang: str, key: str) -> str:
    return catalogue_of("atlantide").say(lang, key)


def test_a_page_of_the_chronicle_tells_one_turn_and_leads_to_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there = world(turns=5)
    rendered: list[int] = []

    def counted(header: Any, events: Any, *given: Any, **more: Any) -> Any:
        rendered.extend({event.outer_period for event in events})
        return episode(header, events, *given, **more)

    monkeypatch.setattr(reading_of, "episode", counted)
    monkeypatch.setattr(reading_of, "chronicle", None)
    client, address = there.browser("commander"), way("chronicle", there.campaign)
    latest = page(client.get(address))
    assert told_on(latest) == ["Turn 5"] and rendered == [5]
    assert say_of("en", "chronicle.balance") in [h.said for h in latest.all("h2")]
    shown, seen = latest, []
    while back := [a.attrs["href"] for a in shown.all("a") if a.attrs.get("rel") == "prev"]:
        assert len(set(back)) == 1
        shown = page(client.get(back[0]))
        seen.append(told_on(shown))
        assert say_of("en", "chronicle.balance") not in [h.said for h in shown.all("h2")]
    assert seen == [["Turn 4"], ["Turn 3"], ["Turn 2"], ["Setting up", "Turn 1"]]
    assert sorted(rendered) == [1, 2, 3, 4, 5], "each once: a turn is told as before"
    (on,) = {a.attrs["href"] for a in shown.all("a") if a.attrs.get("rel") == "next"}
    assert told_on(page(client.get(on))) == ["Turn 2"]
    assert client.get(way("chronicle_turn", there.campaign, number="6")).status_code == 404


def test_one_turn_of_the_chronicle_is_taken_away_and_the_edition_stays_on_the_way() -> None:
    there = world(turns=4)
    client = there.browser("umpire")
    address = way("chronicle_turn", there.campaign, number="2")
    file = client.get(address, {"format": "md", "seat": "A"})
    assert file["Content-Disposition"].endswith(f'"{there.campaign.code}-2.md"')
    assert "## Turn 2" in said(file) and "## Turn 3" not in said(file)
    whole = said(client.get(way("chronicle", there.campaign), {"format": "md", "seat": "A"}))
    assert all(f"## Turn {n}" in whole for n in (1, 2, 3)) and said(file) != whole
    shown = page(client.get(address, {"seat": "A"}))
    ways = [a.attrs["href"] for a in shown.all("a") if a.attrs.get("rel") in {"prev", "next"}]
    assert ways and all(each.endswith("?seat=A") for each in ways)


def test_a_past_turn_says_what_its_board_shows_and_is_titled_once() -> None:
    there = world(turns=3)
    shown = page(there.browser("commander").get(way("turn", there.campaign, number="2")))
    assert [e.said for e in shown.all("figcaption")] == ["Turn 2 ends, turn 3 begins"]
    assert [h.said for h in shown.all("h1", "h2") if h.said == "Turn 2"] == ["Turn 2"]


def titles(shown: Element) -> list[str]:
    """What the page's head says of the moment, and what stands on each of its drawings."""
    lede = [p.said for p in shown.all("p") if "lede" in p.attrs.get("class", "")]
    return [*lede, *[svg.all("title")[0].said for svg in shown.all("svg") if svg.all("title")]]


@pytest.mark.parametrize(
    ("lang", "head", "drawn"),
    [
        ("en", "Setting up", "The Island of Atlantis · setting up"),
        ("fr", "Mise en place", "L\u2019île d\u2019Atlantide · mise en place"),
    ],
)
def test_before_the_first_turn_a_page_says_so(lang: str, head: str, drawn: str) -> None:
    there = world()
    for role, name, more in (("commander", "seat", {"seat": "A"}), ("watcher", "campaign", {})):
        shown = page(there.browser(role, lang=lang).get(way(name, there.campaign, **more)))
        assert titles(shown)[:2] == [head, drawn]
    assert head in said(there.browser("commander", lang=lang).get("/"))
    play_on(there, lambda game: game.state.phase == "diplomacy")
    shown = page(there.browser("watcher", lang=lang).get(way("campaign", there.campaign)))
    turn = {"en": "Turn 1", "fr": "Tour 1"}[lang]
    assert titles(shown)[:2] == [turn, drawn.partition(" · ")[0] + f" · {turn.lower()}"]


@pytest.mark.parametrize(
    ("system", "seats", "number", "drawn"),
    [
        ("atlantide", 3, 2, "Atlantis · turn 2"),
        ("thucidide", 2, 2, "· turn 1 of "),
        ("promiterra", 2, 1, "· player-turn 1"),
    ],
)
def test_the_drawing_of_a_past_turn_names_it(
    system: str, seats: int, number: int, drawn: str
) -> None:
    there = world(system=system, seats=seats, turns=3)
    shown = page(there.browser("watcher").get(way("turn", there.campaign, number=str(number))))
    (title,) = titles(shown)
    assert drawn in title
    told = " ".join(e.said for e in shown.all("figure"))
    assert drawn in told and "turn 3" not in told.replace("turn 3 begins", "")


def test_a_past_turn_at_sea_names_its_season() -> None:
    there = world(system="mare_nostrum", seats=0, turns=2)
    shown = said(there.browser("watcher").get(way("turn", there.campaign, number="1")))
    assert "turn 1 · spring 300 BC" in shown and "turn 2 · summer" not in shown


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_programs_are_called_by_their_names(lang: str) -> None:
    there = world(turns=1)
    client = there.browser("watcher", lang=lang)
    shown = page(client.get(way("campaign", there.campaign)))
    (badge,) = [e for e in shown.all("span") if e.attrs.get("class") == "badge"]
    assert say(lang, "muster.program.steady") in badge.said


def states(there: World) -> dict[str, str]:
    """What is said of each seat to somebody who watches."""
    rows = by_id(there.browser("watcher").get(way("campaign", there.campaign)), "live")[0].all("tr")
    said_of = [row.all("td")[-1].said for row in rows if row.all("td")]
    return dict(zip("ABC", said_of, strict=True))


def test_a_program_answers_after_the_players_and_is_not_awaited_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there = world()
    assert states(there) == {"A": "awaited", "B": "awaited", "C": "answers after the players"}
    Campaign.objects.filter(pk=there.campaign.pk).update(pace=1, asked=there.campaign.asked - DAY)
    assert states(there)["C"] == "answers after the players", "a program is never late"
    for seat in ("A", "B"):
        with write_lock(there.campaign) as table:
            request = table.game.requests(seat)[0]
            table.game.answer(seat, request.absent(seat), request.keys[seat])
        if seat == "A":
            assert states(there) == {
                "A": "has sealed",
                "B": "late",
                "C": "answers after the players",
            }
    assert states(there) == {"A": "has sealed", "B": "has sealed", "C": "is thinking"}
    assert "is thinking" in said(there.browser("umpire").get(way("desk", there.campaign)))
    monkeypatch.setattr(LiveCampaign, "dice_awaited", True)
    assert states(there)["C"] == "answers after the players", "somebody throws dice first"


def test_a_game_that_is_over_awaits_nobody() -> None:
    there = world(system="batailles", seats=2)
    play_on(there, lambda game: game.over)
    shown = page(there.browser("commander").get(way("seat", there.campaign, seat="A")))
    assert say("en", "table.played") in [h.said for h in shown.all("h2")]
    assert not [e for e in shown.all("span") if e.attrs.get("class", "").startswith("state")]


@pytest.mark.parametrize("name", ["seat", "campaign"])
def test_a_drawing_that_an_open_page_has_is_not_sent_again(name: str) -> None:
    there = world()
    role, more = ("commander", {"seat": "A"}) if name == "seat" else ("watcher", {})
    client, address = there.browser(role), way(name, there.campaign, **more)
    whole = client.get(address)
    (field,) = [e for e in page(whole).all("div") if e.attrs.get("class") == "plate-field"]
    digest = field.attrs["data-drawn"]
    assert field.all("svg") and "<style" in said(whole)
    for held, sent in (("1", True), (f"1 {digest}", False), (f"1 {digest[:-1]} x", True)):
        live = client.get(address, headers={"X-Live": held})
        (again,) = [e for e in page(live).all("div") if e.attrs.get("class") == "plate-field"]
        assert again.attrs["data-drawn"] == digest
        assert bool(again.all("svg")) == sent == ("<style" in said(live))
        assert "<html" not in said(live)


@pytest.mark.parametrize(
    ("name", "role", "more"),
    [("campaign", "watcher", {}), ("seat", "commander", {"seat": "A"}), ("desk", "umpire", {})],
)
def test_a_part_of_a_page_is_kept_for_nobody_who_asks_for_the_page(
    name: str, role: str, more: dict[str, str]
) -> None:
    there = world()
    client, address = there.browser(role), way(name, there.campaign, **more)
    for headers in ({}, {"X-Live": "1"}):
        answer = client.get(address, headers=headers)
        assert ("<html" in said(answer)) == (not headers)
        assert "X-Live" in answer["Vary"].split(", ") and "no-store" in answer["Cache-Control"]
    script = (Path(polemarque.web.__file__).parent / "static" / "live.js").read_text()
    fetched = re.findall(r"fetch\((.+)\)", script)
    assert fetched and all('cache: "no-store"' in one for one in fetched)


def test_a_question_leads_to_the_page_of_its_rule() -> None:
    there = world()
    client = there.browser("commander")
    (asked,) = [
        e for e in page(client.get(way("seat", there.campaign, seat="A"))).all("a")
        if e.attrs.get("class") == "question-rule"
    ]  # fmt: skip
    rule = open_key(there, "A").rule.partition("/")[0]
    assert asked.said.startswith(f"{rule} · ")
    assert asked.attrs["href"] == rule_address(rule) != ""
    assert client.get(asked.attrs["href"]).status_code == 200


def test_a_name_that_a_page_does_not_have_fails_its_test() -> None:
    made = engines["django"].from_string("{{ known }}{% if unknown %}{% endif %}")
    assert made.render({"known": "x"}) == "x"
    with pytest.raises(pytest.fail.Exception, match="unknown"):
        engines["django"].from_string("{{ unknown }}").render({})


def test_why_it_is_not_shown_who_is_ready_is_said_where_that_is_so() -> None:
    there = world(playing=True)
    address = way("campaign", there.campaign)

    def told(role: str) -> str:
        return said(there.browser(role).get(address))

    for role, words in (("umpire", "You umpire and you play"), ("watcher", "The umpire plays too")):
        assert "not shown" in told(role) and words in told(role)
    assert "plays too" not in told("rival") and "not shown" not in told("rival")
    sealed(there, "A", "umpire")
    for role in ("umpire", "watcher"):
        assert "once you have sealed" not in told(role) and "plays too" not in told(role)


def test_a_browser_that_looks_for_an_icon_finds_ours() -> None:
    led = browser().get("/favicon.ico")
    assert led.status_code == 302 and led["Location"].endswith("favicon.svg")


def test_a_story_is_posted_in_pieces_and_as_everybody_may_read_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table_pages, "POST", 1000)
    there = world(turns=3)
    address = way("chronicle", there.campaign)
    posted = page(there.browser("umpire").get(address, {"format": "forum", "seat": "public"}))
    pieces = [each.said for each in posted.all("textarea")]
    assert len(pieces) > 1 and all(len(piece) <= 1000 for piece in pieces)
    assert pieces[0].endswith(f"[i](1/{len(pieces)})[/i]")
    watched = page(there.browser("watcher").get(address, {"format": "forum"}))
    assert pieces == [each.said for each in watched.all("textarea")]


def test_an_umpire_takes_the_edition_of_each_seat_and_a_player_only_his_own() -> None:
    there = world(turns=3)
    address = way("chronicle", there.campaign)

    def read(role: str, **query: str) -> str:
        return said(there.browser(role).get(address, {"format": "md", **query}))

    whole = read("umpire", seat="")
    assert read("umpire", seat="A") == read("commander", seat="A") == read("commander", seat="")
    assert read("umpire", seat="public") == read("watcher") == read("commander", seat="public")
    assert read("rival", seat="A") == read("rival", seat="B")
    assert len({whole, read("umpire", seat="A"), read("rival", seat="B"), read("watcher")}) == 4
    first = {each.splitlines()[0] for each in (whole, read("watcher"))}
    assert [line for line in first if "umpire only" in line] == [whole.splitlines()[0]]


@pytest.mark.parametrize("form", ["forum", "md", "html"])
def test_what_is_taken_away_without_a_word_is_everybodys_edition(form: str) -> None:
    there = world(turns=3)
    address = way("chronicle", there.campaign)

    def taken(role: str, **query: str) -> Any:
        led = there.browser(role).get(address, {"format": form, **query})
        return led.content if form != "forum" else [e.said for e in page(led).all("textarea")]

    for role in ("umpire", "commander"):
        assert taken(role) == taken(role, seat="public") == taken("watcher")
        assert taken(role) != taken(role, seat="")
    shown = page(there.browser("commander").get(address))
    ways = [a.attrs["href"] for a in shown.all("a") if f"format={form}" in a.attrs["href"]]
    assert {each.partition("&")[2] for each in ways} == {"seat=public", "seat=A"}


def test_the_edition_that_is_read_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    there = world(turns=3)
    address = way("chronicle", there.campaign)

    def printed(role: str, **query: str) -> bytes:
        file = there.browser(role).get(address, {"format": "pdf", **query})
        assert file["Content-Type"] == "application/pdf"
        assert file["Content-Disposition"].endswith(f'"{there.campaign.code}.pdf"')
        return bytes(file.content)

    assert printed("umpire").startswith(b"%PDF")
    assert printed("umpire", seat="public") == printed("watcher") == printed("umpire")
    assert printed("umpire", seat="") != printed("umpire")
    assert printed("umpire", seat="A") == printed("commander", seat="A")
    shown = page(there.browser("commander").get(address, {"seat": "public"}))
    assert f"{address}?format=pdf&seat=public" in [a.attrs.get("href") for a in shown.all("a")]
    monkeypatch.setattr("polemarque.web.downloads.printable", lambda: False)
    assert "format=pdf" not in said(there.browser("commander").get(address))


def test_what_is_sealed_is_not_asked_any_more() -> None:
    there = world()
    address = way("seat", there.campaign, seat="A")

    def shown() -> tuple[list[str], str]:
        seen = page(there.browser("commander").get(address))
        to_do = [p.said for p in seen.all("p") if p.attrs.get("class") == "to-do"]
        (heading,) = [h.said for h in seen.all("h2") if h.attrs.get("id") == "asked-title"]
        return to_do, heading

    before, asked = shown()
    assert len(before) == 1 and asked == say("en", "seat.asked")
    sealed(there, "A", "commander")
    assert shown() == ([], say("en", "seat.all_sealed"))
    seen = page(there.browser("commander").get(address))
    (letter,) = [a for a in seen.all("article") if a.attrs.get("class") == "letter"]
    (again,) = [d for d in seen.all("details") if d.attrs.get("class") == "again"]
    assert say("en", "receipt.title") in letter.said and "id" not in letter.attrs
    assert "open" not in again.attrs and list(again.all("form"))
    assert [form for form in seen.all("form") if "data-question" in form.attrs] == list(
        again.all("form")
    )
    assert "Waiting for B (Rival)." in [p.said for p in seen.all("p")]
    assert "Sealed: waiting for B (Rival)<" in said(there.browser("commander").get("/"))
    Campaign.objects.update(pace=48)
    assert "Sealed: waiting for B (Rival), until " in said(there.browser("commander").get("/"))
    told = [p.said for p in page(there.browser("commander").get(address)).all("p")]
    assert any(one.startswith("Waiting for B (Rival), until ") for one in told)


COMBAT = {"TH-6/order", "TH-7/order", "TH-7.1"}
"""Questions of one word each, put while two units of Thucidide fight."""


def test_the_group_of_a_question_in_a_combat_names_attacker_and_target() -> None:
    there = world(system="thucidide", seats=2)

    def asked(game: Game) -> bool:
        return any(each.rule in COMBAT for each in game.course.requests())

    play_on(there, asked)
    with write_lock(there.campaign) as table:
        (request,) = [each for each in table.game.course.requests() if each.rule in COMBAT]
        fight, units = table.game.state.fight, table.game.state.units
        names = [unit_name(units[code], "en") for code in (fight.attacker, fight.target)]
    (seat,) = request.keys
    role = "commander" if seat == "A" else "rival"
    shown = there.browser(role).get(way("seat", there.campaign, seat=seat))
    (form,) = [one for one in page(shown).all("form") if "data-question" in one.attrs]
    titles = [e.said.lower() for e in (*form.all("legend"), *form.all("label"))]  # radios, a list
    assert [name.lower() in titles[0] for name in names] == [True, True], titles


def test_an_awaited_umpire_is_told_on_the_campaign_page_and_led_to_the_desk(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there = world()
    address, desk = way("campaign", there.campaign), way("desk", there.campaign)

    def read(role: str) -> tuple[str, list[str]]:
        shown = page(there.browser(role).get(address))
        return shown.all("title")[0].said, [
            link.said for link in shown.all("a") if link.attrs.get("href") == desk
        ]

    yours = say("en", "seat.yours")
    assert yours not in str(read("umpire"))
    monkeypatch.setattr(table_pages, "_umpire", lambda *_: {"since": "two hours"})
    title, links = read("umpire")
    assert title.startswith(yours)
    assert any(yours in link for link in links) and any("two hours" in link for link in links)
    assert yours not in str(read("watcher"))


def test_a_story_is_taken_as_everybody_reads_it_first_and_secrets_are_labelled() -> None:
    there = world(turns=2)
    address = way("chronicle", there.campaign)
    for role, labelled in (("commander", True), ("umpire", True), ("watcher", False)):
        shown = there.browser(role).get(address)
        links = [a.attrs.get("href", "") for a in page(shown).all("a")]
        taken = [link for link in links if link.startswith(f"{address}?format=md")]
        assert taken[0].endswith("&seat=public")
        assert ("with secrets in it" in said(shown)) is labelled is (len(taken) == 2)


def test_what_came_of_ones_last_answer_goes_first_until_the_next() -> None:
    there = world(system="thucidide", scenario="tutorial", seats=2)
    address = way("seat", there.campaign, seat="A")

    def news() -> list[str]:
        """What stands in the news: the chapters by their heads, and the fold of a turn."""
        shown = said(there.browser("commander").get(address))
        latest = shown[shown.index('class="latest"') :]
        return re.findall(r'<h3>(.*?)</h3>|<details class="before"><summary>(.*?)<', latest)

    def periods(game: Game) -> list[int]:
        given = [e.key for e in game.effective if isinstance(e, Answer) and e.key.seat == "A"]
        return [key.outer_period for key in given]

    play_on(there, lambda game: game.runner.period == 2 and periods(game)[-1] == 1)
    assert news()[0][0].startswith("Turn 1 of the Athenians")
    assert not any(fold for _, fold in news())
    play_on(there, lambda game: game.runner.period == 3 and periods(game)[-1] == 3)
    assert news()[0][0].startswith("Turn 2 of the Athenians")
    assert len([fold for _, fold in news() if fold]) == 1


def test_what_befell_a_seat_since_its_last_answer_stands_at_the_top() -> None:
    there = world(system="mare_nostrum", seats=4)

    def top(role: str = "commander", seat: str = "A") -> str:
        shown = page(there.browser(role).get(way("seat", there.campaign, seat=seat)))
        lines = [line for line in shown.all("p") if "since" in line.attrs.get("class", "")]
        return " ".join([line.said for line in lines])

    def asked(rule: str, seat: str) -> Callable[[Game], bool]:
        return lambda game: any(r.rule == rule for r in game.requests(seat))

    assert not top()
    play_on(there, asked("MN-5.2", "A"))
    invaded = top()
    assert re.match("Since your answer: .*army A1 .*Read on$", invaded, re.IGNORECASE), invaded
    assert "A1" not in top("rival", "B")
    forget(there.campaign)
    assert top() == invaded
    key = open_key(there, "A")
    seal(there.campaign, there.people["commander"], "A", key, "take", once="1")
    taken = top()
    assert taken != invaded
    assert taken.startswith("Since your answer: Rome takes")
    play_on(there, asked("MN-F5/phase", "A"))
    assert top().startswith("Your answer is written down: Prices")


def test_the_latest_news_are_of_the_turn_and_its_set_up_comes_last() -> None:
    there = world(system="mare_nostrum", turns=1)

    def heads() -> list[str]:
        shown = said(there.browser("commander").get(way("seat", there.campaign, seat="A")))
        return re.findall(r"<h3>(.*?)</h3>", shown[shown.index('class="latest"') :])

    assert heads()[-2:] == ["Turn 1", "Set-up"]
    play_on(there, lambda game: game.runner.period == 2)
    assert "Turn 2" in heads() and "Set-up" not in heads(), "between one turn and the next"


def test_in_the_first_round_the_opening_is_what_was_told_before_it() -> None:
    there = world(system="promiterra", scenario="skirmish", seats=2)
    play_on(there, lambda game: game.runner.period == 1)
    shown = said(there.browser("commander").get(way("seat", there.campaign, seat="A")))
    heads = re.findall(r"<h3>(.*?)</h3>", shown[shown.index('class="latest"') :])
    assert heads[0] == "Before the battle"
    assert heads[1].startswith("Round 1")


def test_the_figures_of_a_question_are_a_list_below_it() -> None:
    there = world(system="promiterra", scenario="skirmish", seats=2)
    sides = (("commander", "A"), ("rival", "B"))  # a throw says which of them begins
    pages = [there.browser(role, lang="fr").get(way("seat", there.campaign, seat=seat))
             for role, seat in sides]  # fmt: skip
    sections = [e for shown in pages for e in page(shown).all("section")]
    question = next(e for e in sections if "data-asked" in e.attrs)
    (asked,) = question.all("h3")
    assert " ".join(asked.text.split()) == "Où placer les troupes ?"
    told = [e.said for e in question.all("li") if "mouvement" in e.said and "sous" in e.said]
    assert len(told) > 2 and all(len(each) < 250 and each.endswith(".") for each in told)


@pytest.mark.parametrize("rule", ["MN-F3/orders", "MN-F5/phase"])
def test_a_question_of_caravans_tells_which_were_lost_since_the_last_turn_began(rule: str) -> None:
    there = world(system="mare_nostrum", seats=4, turns=2)

    def asked(game: Game) -> bool:
        return any(request.rule == rule for request in game.requests("A"))

    def lost(seat: str, piece: str, turn: int) -> Event:
        data = {"seat": seat, "piece": piece, "place": "etruria"}
        return Event("MN-9.2", "lost", data, period=turn)

    play_on(there, asked)
    with write_lock(there.campaign) as table:
        turn = table.game.runner.period
        wrecked = {"seat": "A", "place": "etruria", "what": "wine", "amount": 0, "turn": 0}
        table.told += [
            lost("A", "AC1", turn - 2), lost("A", "AC2", turn - 1), lost("B", "BC3", turn),
            Event("MN-F5", "shipwreck", wrecked, period=turn),
            Event("MN-F5", "shipwreck", {**wrecked, "place": ""}, period=turn),
        ]  # fmt: skip
    shown = page(there.browser("commander").get(way("seat", there.campaign, seat="A")))
    question = next(one for one in shown.all("section") if "data-asked" in one.attrs)
    assert [one.said for one in question.all("li") if "lost in turn" in one.said] == [
        f"Caravan AC2 was lost in turn {turn - 1}: a band plundered it (Etruria).",
        f"A caravan (wine, Etruria) was lost in turn {turn}: shipwreck or ravine.",
    ]


@pytest.mark.parametrize("page_of", ["campaign", "desk"])
def test_an_umpire_who_plays_is_led_to_his_own_question_first(page_of: str) -> None:
    there = world(playing=True)

    def links() -> list[str]:
        shown = page(there.browser("playing").get(way(page_of, there.campaign)))
        to_do = [p for p in shown.all("p") if p.attrs.get("class") == "to-do"]
        return [a.attrs["href"] for p in to_do for a in p.all("a")]

    address = way("seat", there.campaign, seat="A")
    assert links()[0] == f"{address}#asked-title"
    sealed(there, "A", "playing")
    assert address not in "".join(links())


def test_a_battle_in_the_news_is_fetched_once_its_fold_is_opened() -> None:
    there = fighting()
    with read_lock(there.campaign) as table:
        (path,) = {event.path for event in table.told if event.path}
        told = reading_of.battle_story(table, path, "A", "en", {})
    client, address = there.browser("commander"), way("seat", there.campaign, seat="A")
    latest = client.get(address)
    news = said(latest).partition('class="latest"')[2]
    parts = [each for each in page(latest).all("div") if "data-part" in each.attrs]
    (link,) = parts[-1].all("a")
    where, part = link.attrs["href"], {"part": parts[-1].attrs["data-drawn"]}
    words = [joined(block.spans) for _, block in walk(told) if isinstance(block, Line)]
    assert words
    got = client.get(where, part)
    assert got.status_code == 200 and "<html" not in said(got)
    for line in words:
        assert escape(line) in said(got) and escape(line) in said(client.get(where))
        assert escape(line) not in news
    for role in ("watcher", "stranger"):
        assert there.browser(role).get(where, part).status_code in (403, 404)


def test_ones_own_sheet_is_fetched_once_its_fold_is_opened() -> None:
    there = world(system="mare_nostrum")
    with read_lock(there.campaign) as table:
        told = reading_of.own_sheet(table, "A", "en", {})
    assert told is not None
    heads = {one.head for _, one in walk(told) if isinstance(one, Table) and len(one.head) > 3}
    client, address = there.browser("commander"), way("seat", there.campaign, seat="A")
    shown = client.get(address)
    parts = [each for each in page(shown).all("div") if "data-part" in each.attrs]
    links = {each.attrs["data-drawn"]: each.all("a")[0].attrs["href"] for each in parts}
    ((name, link),) = [each for each in links.items() if "?sheet=" in str(each[1])]
    got, whole = client.get(address, {"part": name}), client.get(link)
    assert heads and "<html" not in said(got)
    for head in heads:
        row = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
        assert row in said(got) and row in said(whole) and row not in said(shown)
    for role in ("rival", "watcher", "stranger"):
        assert there.browser(role).get(address, {"part": "sheet"}).status_code in (403, 404)
