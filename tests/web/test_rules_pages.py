"""The pages of the rules: books, chapters, rules, their tables and cases."""

from __future__ import annotations

import gzip
import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client

from polemarque.kernel.files.plugins import entry_points
from polemarque.kernel.files.texts import LANGUAGES, check_texts
from polemarque.kernel.system import GROUP, RULEBOOKS
from polemarque.odds.rule_process import RuleProcess
from polemarque.report.labels import ledger_of
from polemarque.report.rulebook import cases_of, chapters_of
from polemarque.web.i18n import HERE, catalogue
from polemarque.web.pages.reference import rules as pages
from polemarque.web.pages.reference.rules import chapter_title, rule_address
from tests.web.patience import patient_process
from tests.web.people import everything, page, way
from tests.web.world import world

pytestmark = pytest.mark.django_db

BOOKS = sorted({*entry_points(GROUP), *entry_points(RULEBOOKS)})


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> Iterator[RuleProcess]:
    with patient_process() as asked:
        monkeypatch.setattr(RuleProcess, "the", staticmethod(lambda: asked))
        yield asked


def reader(lang: str = "en") -> Client:
    return Client(headers={"accept-language": lang})


def main_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    said = answer.content.decode()
    return html.unescape(said[said.index("<main") : said.index("</main>")])


def test_every_book_is_there() -> None:
    said = main_of(reader(), "/rules/")
    assert [name for name in BOOKS if f'href="/rules/{name}/"' not in said] == []
    assert f"{len(ledger_of('atlantide'))} rules" in said


def test_rules_are_searched_across_books() -> None:
    said = main_of(reader(), "/rules/?q=at-9.5")
    assert re.findall(r'href="(/rules/\w+/[A-Z][^"]+)"', said) == ["/rules/atlantide/AT-9.5/"]
    words = main_of(reader("fr"), "/rules/?q=moral+total")
    assert "/rules/batailles/BC-1.2/" in words
    assert "No rule answers to" in main_of(reader(), "/rules/?q=qwertz")


@pytest.mark.parametrize("name", BOOKS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_book_stands_in_its_own_order(name: str, lang: str) -> None:
    said = main_of(reader(lang), f"/rules/{name}/")
    rules = [rule for chapter in chapters_of(name) for rule in chapter.rules]
    assert re.findall(rf'href="/rules/{name}/([A-Z][^"]+)/"', said) == rules
    for rule in rules:
        assert ledger_of(name)[rule].title[lang] in said
    for chapter in chapters_of(name):
        assert chapter_title(name, chapter.id, lang) != chapter.id, "a chapter without a title"
        assert f'<h2 id="{chapter.id}">{chapter_title(name, chapter.id, lang)}</h2>' in said


@pytest.mark.parametrize("name", BOOKS)
def test_every_rule_has_a_page_in_both_languages(name: str) -> None:
    for rule, row in ledger_of(name).items():
        for lang in LANGUAGES:
            said = main_of(reader(lang), f"/rules/{name}/{rule}/")
            assert row.title[lang] in said and row.text[lang] in said
            assert [case.id for case in cases_of(name, rule) if f'id="{case.id}"' not in said] == []
            assert not row.code or f".{row.code}</code>" in said


def test_a_rule_shows_what_belongs_to_it() -> None:
    said = main_of(reader(), "/rules/atlantide/AT-6.3/")
    assert "turns without supply that count" in said and "<code>including</code>" in said
    assert 'href="/consult/AT-6.3/"' in said
    assert f"<code>polemarque.systems.atlantide.{ledger_of('atlantide')['AT-6.3'].code}<" in said
    folds = re.findall(r'<details class="workshop">.*?</details>', said, re.DOTALL)
    assert "polemarque.systems" in folds[-1] and said.count("polemarque.systems") == 1
    assert '<th scope="row">≤ 1</th>' in said and "mutiny" in said.lower()
    assert 'rel="prev"' in said and '/rules/atlantide/AT-6.4/" rel="next"' in said


def test_a_case_can_be_read_and_asked_again(process: RuleProcess) -> None:
    client = reader()
    said = main_of(client, "/rules/atlantide/AT-9.5/")
    assert '<span lang="en">Taken easily</span>' in said
    assert "combat force <b>16</b>" in said and "<code>defence 1 3</code>" in said
    assert "result <b>territory taken</b>" in said
    asked = re.search(r'href="(/consult/AT-9\.5/\?[^"]+)"', said)
    assert asked is not None
    answer = main_of(client, asked[1])
    assert "loot +200" in answer


@pytest.mark.parametrize("name", ["mare_nostrum", "promiterra"])
def test_cases_can_be_asked_again(name: str, process: RuleProcess) -> None:
    client, asked = reader(), 0
    for rule in list(ledger_of(name))[::6]:
        for address in re.findall(
            r'href="(/consult/[^"?]+\?[^"]+)"', main_of(client, f"/rules/{name}/{rule}/")
        )[:2]:
            assert client.get(address, follow=True).status_code == 200, address
            asked += 1
    assert asked > 3


def test_a_long_line_of_a_case_is_folded_and_seats_are_named() -> None:
    said = main_of(reader("fr"), "/rules/mare_nostrum/MN-1.3/")
    assert "<details><summary>Déplier</summary>" in said
    assert "<dt>A répond</dt>" in said and "<dt>Attendu</dt>" in said


def test_a_french_page_shows_english_and_codes_behind_folds_only() -> None:
    for rule in ledger_of("atlantide"):
        (main,) = page(reader("fr").get(f"/rules/atlantide/{rule}/")).all("main")
        english = [one for one in everything(main) if one.attrs.get("lang") == "en"]
        assert all(one.within("details") for one in english), rule
        assert bool(english) == bool(cases_of("atlantide", rule))


def test_a_book_whose_cases_did_not_come_along_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "cases_here", lambda book: False)
    monkeypatch.setattr(pages, "_worked", lambda *_: [])
    said = main_of(reader(), "/rules/bridges/PA-1/")
    assert "come with its sources" in said and 'class="cases"' not in said


@pytest.mark.parametrize(
    "address", ["/rules/nobody/", "/rules/atlantide/AT-9.99/", "/rules/batailles/AT-9.5/"]
)
def test_what_is_not_there_is_not_found(address: str) -> None:
    assert reader().get(address).status_code == 404


def test_other_pages_find_a_rule_in_whatever_book_it_stands() -> None:
    assert rule_address("AT-8.1/reveal", "batailles") == "/rules/atlantide/AT-8.1/"
    assert rule_address("XX-1") == ""


def test_nothing_stands_inline() -> None:
    for address in ("/rules/", "/rules/atlantide/", "/rules/mare_nostrum/MN-F3/"):
        said = reader().get(address).content.decode()
        assert " style=" not in said and "onclick" not in said


@pytest.mark.parametrize("group", ["consult", "rules"])
def test_the_texts_are_complete_in_both_languages(group: str) -> None:
    assert check_texts(HERE / "texts" / group) == ()


def test_templates_say_only_texts_that_are_there() -> None:
    texts, lacking = catalogue(), []
    folder = Path(HERE) / "templates"
    for path in (*folder.glob("consult/*.html"), *folder.glob("rules/*.html")):
        for key in re.findall(r'{% say "([\w.]+)"', path.read_text(encoding="utf-8")):
            lacking += [key for lang in LANGUAGES if not texts.has(lang, key)]
    assert lacking == []


def test_what_holds_no_secret_is_sent_compressed_and_nothing_else() -> None:
    there = world()
    asking = there.browser("commander")

    def sent(address: str, coding: str = "gzip") -> tuple[str, int, bytes]:
        answer = asking.get(address, headers={"accept-encoding": coding})
        assert answer.status_code == 200
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        answer.close()
        packed = answer.get("Content-Encoding", "")
        return packed, len(body), gzip.decompress(body) if packed else body

    for address, words in (("/rules/atlantide/", b"AT-9.5"), ("/static/board.js", b"function")):
        packed, length, body = sent(address)
        assert packed == "gzip" and length * 2 < len(body) and words in body
        assert sent(address, "identity")[:2] == ("", len(body))
    secret = [way(name, there.campaign) for name in ("chronicle", "trust", "letters")]
    for address in (*secret, way("seat", there.campaign, seat="A"), "/", "/settings/"):
        answer = asking.get(address, headers={"accept-encoding": "gzip"}, follow=True)
        assert answer.status_code == 200 and not answer.get("Content-Encoding"), address


# Papers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lang", "said"), [("fr", "livret"), ("en", "booklet")])
def test_papers_are_read_and_taken_away_without_an_account(lang: str, said: str) -> None:
    client, address = reader(lang), "/rules/mare_nostrum/paper/booklet/"
    assert re.search(rf'href="{address}">{said}', main_of(client, "/rules/mare_nostrum/"))
    shown = client.get(address)
    assert said in shown.content.decode()
    assert "<style>" not in shown.content.decode(), "the browser refuses a style without nonce"
    for form in ("md", "html"):
        taken = client.get(f"{address}?format={form}")
        assert f"booklet-{lang}.{form}" in taken["Content-Disposition"]
    assert client.get("/rules/mare_nostrum/paper/novel/").status_code == 404
    assert client.get("/rules/bridges/paper/booklet/").status_code == 404


@pytest.mark.parametrize("kind", ["card", "booklet"])
def test_marks_in_papers_lead_to_their_rules(kind: str) -> None:
    address, client = f"/rules/mare_nostrum/paper/{kind}/", reader("fr")
    told = main_of(client, address)
    bare = re.sub(r"(?s)<(a|svg|summary)\b.*?</\1>|<[^>]*>", "", told)
    left = re.findall(r"\b[A-Z]{2}-[A-Z]?\d+(?:\.\d+)*\b", bare)
    assert not [mark for mark in left if rule_address(mark)]
    mark = {"card": "MN-4.1", "booklet": "MN-F3"}[kind]
    assert f'<a href="{rule_address(mark)}">{mark}</a>' in told


@pytest.mark.parametrize("page", ["paper/card", "paper/booklet", "MN-4.1"])
def test_a_page_of_rules_leads_a_player_back_to_their_seat(page: str) -> None:
    address, client = f"/rules/mare_nostrum/{page}/", reader("fr")
    seat = "/c/abc/seat/A/"
    assert f'<a href="{seat}">' not in main_of(client, address)
    for came, there in (("", True), ("letters/", False)):
        answer = client.get(address, headers={"referer": f"http://testserver{seat}{came}"})
        assert (f'<a href="{seat}">' in answer.content.decode()) == there
    abroad = client.get(address, headers={"referer": f"http://elsewhere.org{seat}"})
    assert f'<a href="{seat}">' not in abroad.content.decode()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_first_question_of_a_campaign_leads_to_what_to_do_in_a_first_turn(lang: str) -> None:
    there = world(system="mare_nostrum")
    client = there.browser("commander")
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = lang
    shown = main_of(client, way("seat", there.campaign, seat="A"))
    (address,) = re.findall(r'href="(\S+)#first-turn"', shown)
    assert 'id="first-turn"' in main_of(reader(lang), address)


def test_every_question_leads_to_the_papers_of_its_book() -> None:
    there = world()
    shown = main_of(there.browser("commander"), way("seat", there.campaign, seat="A"))
    assert 'href="/rules/atlantide/paper/card/"' in shown
