"""Every word a reader may meet is there in French and in English, and none is there for nothing."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from polemarque.cli.common import TEXTS
from polemarque.cli.file_checks import check_catalogue
from polemarque.kernel.events import Event
from polemarque.kernel.files.rule_ledger import ledger_path, read_ledger
from polemarque.kernel.files.table_files import pages_of
from polemarque.kernel.files.texts import LANGUAGES, Catalogue
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.system import GROUP, find_system
from polemarque.report.chronicle import chronicle
from polemarque.report.documents.document import said
from polemarque.report.game_words import SHARED
from polemarque.report.labels import catalogue_of, ledger_of
from tests import words
from tests.words import PACKAGE, Use, lacking

SYSTEMS = sorted(point.name for point in entry_points(group=GROUP))
FOLDERS = sorted(path.parent for path in PACKAGE.rglob("texts.fr.toml"))

DOORS = {
    "terminal": (*SHARED, *TEXTS),
    "pages": (*SHARED, *(folder for folder in FOLDERS if PACKAGE / "web" in folder.parents)),
}
"""The catalogues that are loaded together, a system's own apart."""

CHRONICLE = ("chronicle.opening", "chronicle.period")

MOST_ANSWERS = 600


@cache
def keys_of(folder: Path) -> frozenset[str]:
    return frozenset(Catalogue.load(folder).keys("fr"))


@cache
def all_keys() -> frozenset[str]:
    return frozenset().union(*map(keys_of, FOLDERS))


def room_of(system: str) -> Path:
    return find_system(system).data.parent


def label_of(folder: Path) -> str:
    return str(folder.relative_to(PACKAGE))


@pytest.mark.parametrize("folder", FOLDERS, ids=label_of)
def test_every_catalogue_is_whole_in_both_languages(folder: Path) -> None:
    assert not [str(finding) for finding in check_catalogue(folder)]


@pytest.mark.parametrize("name", SYSTEMS)
def test_everything_that_is_told_has_its_sentence(name: str) -> None:
    told = list(words.told_events(room_of(name)))
    assert told
    assert not lacking(told, catalogue_of(name).keys("fr"))


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_roll_says_what_it_is_for(name: str) -> None:
    assert not lacking(words.roll_words(room_of(name)), catalogue_of(name).keys("fr"))


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_part_of_a_sum_has_its_reason(name: str) -> None:
    assert not lacking(words.reasons(room_of(name)), catalogue_of(name).keys("fr"))


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_option_and_each_of_its_values_has_its_text(name: str) -> None:
    assert not lacking(options_of(name), catalogue_of(name).keys("fr"))


def options_of(name: str) -> list[Use]:
    uses = []
    for choice in find_system(name).options:
        title = f"option.{choice.name}"
        has = catalogue_of(name).has("fr", title)
        uses.append(Use(title if has else f"{title}.title", name))
        if not choice.number:
            uses += [Use(f"option.{choice.name}.{value}", name) for value in choice.values]
    return uses


def test_every_refusal_has_its_message() -> None:
    assert not lacking(words.error_codes(PACKAGE), all_keys())


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_no_key_stands_in_two_catalogues_that_are_loaded_together(system: str, door: str) -> None:
    own = find_system(system).data
    stands: dict[str, list[str]] = {}
    for folder in (*DOORS[door], own):
        # A system may tell its turns in words of its own, over those of the chronicle.
        theirs = {key for key in keys_of(folder) if folder != own or key not in CHRONICLE}
        for key in theirs:
            stands.setdefault(key, []).append(label_of(folder))
    assert not {key: folders for key, folders in stands.items() if len(folders) > 1}


@pytest.mark.parametrize("door", DOORS)
def test_every_finding_about_a_club_s_own_files_can_be_said_at_every_door(door: str) -> None:
    owners = [*DOORS[door], *(find_system(name).data for name in SYSTEMS)]
    said = frozenset().union(*map(keys_of, owners))
    own = tuple(f"check.{kind}." for kind in ("file", "toml", "house", "map", "board"))
    uses = [use for use in words.finding_codes(PACKAGE) if use.word.startswith(own)]
    assert uses and not lacking((Use(f"{use.word}.reason", use.place) for use in uses), said)
    assert not lacking((Use(f"{use.word}.hint", use.place) for use in uses), said)


def test_every_finding_has_its_reason_and_its_hint() -> None:
    uses = list(words.finding_codes(PACKAGE))
    assert not lacking((Use(f"{use.word}.reason", use.place) for use in uses), all_keys())
    assert not lacking((Use(f"{use.word}.hint", use.place) for use in uses), all_keys())


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_rule_of_a_ledger_is_told_in_both_languages(name: str) -> None:
    rows, wrong = read_ledger(ledger_path(find_system(name)))
    assert rows and not wrong  # as where a title or a text is missing


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", SYSTEMS)
def test_whatever_happens_can_be_told_with_all_its_reasons(name: str, seed: int) -> None:
    events, game = played(name, seed)
    assert events
    for lang in LANGUAGES:
        for seat in (None, *game.header.seats):
            text = "\n".join(said(chronicle(game.header, events, lang, seat=seat)))
            assert "{" not in text
            assert "None" not in text


def played(name: str, seed: int) -> tuple[list[Event], Game]:
    """Random answers, by random variants, and what was told."""
    rng = random.Random(seed)
    system = find_system(name)
    options = {c.name: rng.choice(c.values) for c in system.options if not c.number}
    scenarios = list(system.scenarios) or [""]
    scenario = scenarios[seed % len(scenarios)]
    header = new_header(name, seed=seed, scenario=scenario, options=options)
    events: list[Event] = []
    game = Game(header, publish=events.append)
    game.settle()
    for _ in range(MOST_ANSWERS):
        if game.over:
            break
        request = game.requests()[0]
        seat = request.missing[0]
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        game.settle()
    return events, game


# Nothing for nothing -----------------------------------------------------------------------------

CONVENTIONS = (
    "chronicle.*", "ask.*", "part.*", "view.*", "unit.*", "seat.*", "dispatch.*", "dispatch_and.*",
)  # fmt: skip
"""Families that are looked up by names which only a running game knows."""


@cache
def used() -> frozenset[str]:
    """Every key of any catalogue that something in the source says, or may say."""
    literal, patterns = words.literals()
    systems = [find_system(name) for name in SYSTEMS]
    uses = [
        *words.told_events(PACKAGE), *words.roll_words(PACKAGE), *words.reasons(PACKAGE),
        *words.error_codes(PACKAGE), *patterns,
        *(use for name in SYSTEMS for use in options_of(name)),
        *(Use(f"{use.word}.{part}", "") for use in words.finding_codes(PACKAGE)
          for part in ("reason", "hint")),
    ]  # fmt: skip
    exact = {use.word for use in uses if use.exact} | literal
    open_ended = words.fitting(u for u in uses if not u.exact and not u.word.startswith("*"))
    rules = {rule for name in SYSTEMS for rule in ledger_of(name)}
    rules |= {f"{q.rule}" for system in systems for q in system.questions}
    rules |= {phase for system in systems for phase in system.phases}
    by_rule = {
        f"{family}.{rule}"
        for rule in rules
        for family in ("sum", "why", "phase", "consult", "term")
    }
    found = set()
    for key in all_keys():
        stem, _, last = key.rpartition(".")
        if key.startswith("check.") and last in {"reason", "hint"}:
            named = stem.removeprefix("check.") in literal
        else:
            named = stem in literal or key.removeprefix("error.") in literal
        if (
            named
            or key in exact
            or key in by_rule
            or any(key[:at] in by_rule for at, sign in enumerate(key) if sign == ".")
            or open_ended.fullmatch(key)
        ):
            found.add(key)
    return frozenset(found) | frozenset(CONVENTIONS) | by_tables()


def by_tables() -> frozenset[str]:
    """Keys that tables need: how they are rolled, their modifiers, the words in their cells."""
    found: set[str] = set()
    for name in SYSTEMS:
        for path in find_system(name).data.glob("*.toml"):
            pages, _ = pages_of(path)
            for page in pages:
                found.add(f"{page.rule}.roll")
                found |= {f"modifier.{one.when}" for one in page.adjustments}
                found |= {f"{family}.*" for family in page.words().values() if family}
    return frozenset(found)


@cache
def labels() -> frozenset[str]:
    """Families in which any text of any catalogue looks words up."""
    found: set[str] = set()
    for folder in FOLDERS:
        texts = Catalogue.load(folder)
        for lang in LANGUAGES:
            for key in texts.keys(lang):
                found |= texts.labels(lang, key)
    return frozenset(f"{family}.*" for family in found)


@pytest.mark.parametrize("folder", FOLDERS, ids=label_of)
def test_no_text_is_there_for_nothing(folder: Path) -> None:
    assert not words.unused_keys(Catalogue.load(folder), {*used(), *labels()})


@pytest.mark.parametrize(("lang", "foreign"), [("fr", "“”"), ("en", "«»")])
def test_what_is_quoted_stands_between_the_marks_of_its_language(lang: str, foreign: str) -> None:
    """Straight ones stand in what is typed as it is, and around no blank."""
    pages = {folder: (folder / f"texts.{lang}.toml").read_text("utf-8") for folder in FOLDERS}
    said = {folder: "\n".join(leaves(tomllib.loads(page))) for folder, page in pages.items()}
    for folder, text in said.items():
        assert not set(foreign) & set(text), label_of(folder)
        assert '"{part' not in text, label_of(folder)


def leaves(page: dict[str, Any]) -> Iterator[str]:
    """Every text of a page, however deep it stands."""
    for value in page.values():
        if isinstance(value, dict):
            yield from leaves(value)
        else:
            yield str(value)
