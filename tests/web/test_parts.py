"""The parts that pages share: what they say, and what stands beside it for ears and eyes."""

from __future__ import annotations

import re
from html import unescape
from types import SimpleNamespace as Given
from typing import Any

import pytest
from django.template.loader import render_to_string

from polemarque.club.campaigns.visibility import HIDDEN, IDLE, LATE, READY, WAITING, Standing
from polemarque.report.documents.document import (
    Citation,
    Document,
    Line,
    Paragraph,
    Picture,
    Section,
    Span,
    Table,
    Why,
    line,
    said,
)
from polemarque.web.i18n import say

RULE = Citation("AT-9.5", "Weight of an army")


def part(name: str, lang: str = "en", **context: Any) -> str:
    return render_to_string(f"parts/{name}.html", {"lang": lang, **context})


def words(page: str) -> str:
    """What is read: no tags, spaces made one."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def story(*blocks: Any) -> str:
    return part("chronicle", document=Document("Title", "en", tuple(blocks)), level=2)


def test_a_story_says_all_that_its_tree_says() -> None:
    why = Why("Why?", (RULE,), ("Force 14 (guard +3).",), ("One die: 5.",))
    blocks = (
        Paragraph((Span("The Atlantean & the Trojan", "em"),)),
        Section(
            "Turn 1",
            (
                Section("Conquest", (line("The Trojan takes Halia.", why),)),
                Table(("Seat", "Loot"), (("A", "120"), ("B", "<40>")), "Loot"),
                Picture("<svg></svg>", "A curve of loot", "Loot by turn"),
            ),
        ),
    )
    page = story(*blocks)
    for sentence in said(Document("Title", "en", blocks)):
        if sentence not in {"Title", why.cited}:
            assert sentence in words(page) or f'aria-label="{sentence}"' in page
    assert "AT-9.5 Weight of an army" in words(page)
    assert "<h2>Turn 1</h2>" in page and "<h3>Conquest</h3>" in page
    assert "<40>" not in page and "&amp; the Trojan" in page


def test_reasons_are_folded_and_bare_citations_are_not() -> None:
    asked = story(line("Taken.", Why("Why?", (RULE,), ("Because.",))))
    assert re.search(
        r"<summary>Why\? <span[^>]*>AT-9\.5</span><span[^>]*> Taken\.</span></s", asked
    )
    bare = story(line("Taken.", Why("Why?", (RULE,))))
    assert "<details" not in bare and "AT-9.5" in bare


def test_only_words_for_some_seats_are_marked_secret() -> None:
    spans = (Span("All know. "), Span("Some know. (known to A only)", "em"))
    told = story(Line(spans, Why("Why?", (RULE,))))
    assert re.findall(r'<em class="secret">([^<]*)', told) == ["Some know. (known to A only)"]
    assert "secret" not in story(Paragraph((Span("Whose edition it is.", "em"),)))


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_seat_is_told_by_a_sign_and_a_word(lang: str) -> None:
    states = (READY, WAITING, LATE, IDLE, HIDDEN)
    seats = [Standing(code, f"Seat {code}", code) for code in states]
    page = part("seats", lang, seats=seats)
    for state in states:
        assert say(lang, f"seat_state.{state}") in words(page)
    assert page.count("signs.svg#") == len(states)


def test_a_program_and_the_readers_own_seat_are_named() -> None:
    page = words(part("seats", seats=[Standing("A", "Rome", READY, bot="steady", mine=True)]))
    assert "Rome you the steady one (bot) has sealed" in page


def test_a_digest_is_whole_and_in_groups() -> None:
    digest = "".join(f"{n:08x}" for n in range(8))
    page = part("digest", digest=digest)
    assert words(page).split() == [f"{n:08x}" for n in range(8)]


@pytest.mark.parametrize(("sides", "shape"), [(4, "d4"), (10, "d10"), (20, "d20"), (100, "d10")])
def test_a_die_that_has_no_pips_shows_its_face(sides: int, shape: str) -> None:
    page = part("die", sides=sides, face=3)
    assert f"signs.svg#{shape}" in page and words(page) == "3"
    assert f'aria-label="D{sides} = 3"' in page


def test_a_six_sided_die_shows_pips() -> None:
    page = part("die", sides=6, face=5)
    assert "signs.svg#d6-5" in page and words(page) == ""


def test_a_difference_says_what_was_and_what_will_be() -> None:
    rows = [Given(what="Loot", before="120", after="90"), Given(what="Fort", before="", after="1")]
    page = part("difference", groups=[Given(seat="A", rows=rows)])
    assert '<del class="before">120</del>' in page and '<ins class="after">90</ins>' in page
    assert "Fort — 1" in words(page)


def test_a_refusal_interrupts_and_news_do_not() -> None:
    assert 'role="alert"' in part("messages", refusal="Not now.")
    told = part("messages", messages=[Given(level_tag="success", __str__=lambda: "Sealed.")])
    assert 'role="alert"' not in told and 'role="status"' in told
    assert part("messages").strip() == ""


def test_the_umpires_list_posts_each_act_to_its_address() -> None:
    act = Given(url="/remind/", words="Remind", grave=False)
    row = Given(name="Rome", bot="", state=LATE, since="yesterday", acts=[act])
    page = part("desk", rows=[row])
    assert 'method="post" action="/remind/"' in page
    assert "Remind (Rome)" in words(page)


def test_a_board_comes_with_its_words_and_its_buttons() -> None:
    told = Given(board="1 [A1]", rest="A1: hoplites")
    page = part(
        "plate",
        board=Given(svg="<svg></svg>", style=".a{}", told=told),
        request=Given(csp_nonce="n0"),
        caption="Turn 1",
    )
    assert '<style nonce="n0">.a{}</style>' in page
    assert re.findall(r'data-zoom="(\w+)"', page) == ["in", "out", "whole"]
    assert "A1: hoplites" in page
    assert "<pre" not in part(
        "plate", board=Given(svg="<svg></svg>", style="", told=None), caption="Turn 1"
    )
