"""What an act of the umpire changes is told in words: no field, no word of a vocabulary stays raw.

Every view that random games come by is told whole, in both languages, with a mark around whatever
a text or a name said; what has none is a code, and has to be one of `CODES`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from msgspec import inspect

from polemarque.kernel.acts import Difference, changed_views, differences
from polemarque.kernel.files.texts import LANGUAGES
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.system import find_system
from polemarque.report.act_effects import ChangedFigure, Teller
from polemarque.report.labels import Book
from polemarque.systems.atlantide import views as atlantide
from polemarque.systems.mare_nostrum import views as mare_nostrum
from polemarque.systems.promiterra import views as promiterra
from polemarque.systems.thucidide import state as thucidide

SYSTEMS = ("atlantide", "mare_nostrum", "thucidide", "promiterra", "batailles")

ALL = 10**6

CELL = r"[a-z]\d+"
PIECE = r"[A-I][FSCR]?\d+|b\d+"

CODES = {
    r".*\.(fr|en)(\.[^=]*)?=.*": "a name, in that language",
    r".*\.(code|id|key|brief|log)=.*": "the code itself",
    r"(board\.places\.\d+|persons\.[\w-]+|sides\.\w(\.units\.\d+)?)\.name=.*": "a name",
    r"sides\.\w\.(commander|(players|armies)\.\d+)=.*": "a name out of a set-up",
    r"(rivals\.\w|own)\.people=.*": "a name that a player gave",
    r"(.*\.)?(text|note|notes)=.*": "what somebody wrote",
    rf"(armies|fleets|specialists|caravans|routes|bands)=({PIECE})": "a piece bears its code",
    rf"(seats|armies|specialists|missions|orders)\..*=({PIECE})": "a piece bears its code",
    rf"(board|armies|troops|units|leaders|sides|orders)\..*=({CELL})": "a cell bears its code",
    rf"(fight\..*|holders)=({CELL})": "a cell bears its code",
    r".*\.contingent=.*": "a name out of a set-up",
}  # fmt: skip
"""Where a word may be told as it is, as `<place>=<word>`, and why."""


@pytest.fixture(autouse=True)
def marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let books mark whatever they say."""
    say, title = Book.say, Book.title

    def marks(text: str) -> str:
        return f"‹{text}›" if text else ""

    monkeypatch.setattr(Book, "say", lambda book, key, **data: marks(say(book, key, **data)))
    monkeypatch.setattr(Book, "title", lambda book, rule: marks(title(book, rule)))


@dataclass(frozen=True)
class Told:
    """A figure of a view, and the row that tells it."""

    one: Difference
    row: ChangedFigure

    def raw(self) -> Iterator[str]:
        """What is told as it is, as `<place>=<word>`."""
        steps = self.one.place.split(".")
        said = self.row.what.split(" · ")[1 if self.one.path else 0 :]
        assert len(said) == len(steps), self
        for n, (step, words) in enumerate(zip(steps, said, strict=True)):
            if not words.startswith("‹"):
                yield f"{'.'.join(steps[:n])}={step}"
        word, told = self.one.after, self.row.after
        # A word of parts is marked as a whole, and each part by itself.
        parts = word.count(":") + 2 if isinstance(word, str) and ":" in word else 1
        if isinstance(word, str) and word and told.count("‹") < parts:
            yield f"{self.one.place}={word}"


def told(teller: Teller, new: list[Difference]) -> list[Told]:
    groups = teller.groups({"A": new}, {})
    rows = groups[0].rows if groups else []
    assert len(rows) == len(new)
    return [Told(one, row) for one, row in zip(new, rows, strict=True)]


def raw(every: Iterable[Told]) -> list[str]:
    found = {word for each in every for word in each.raw()}
    return sorted(word for word in found if not any(re.fullmatch(code, word) for code in CODES))


def moments(system: str, seed: int, most: int, every: int) -> Iterator[Game]:
    """A game of random answers, by random variants, now and then."""
    rng, rules = random.Random(seed), find_system(system)
    free = [c for c in rules.options if not c.number and c.name != "resolver"]
    options = {choice.name: rng.choice(choice.values) for choice in free}
    scenarios = list(rules.scenarios) or [""]
    scenario = scenarios[seed % len(scenarios)]
    game = Game(new_header(system, seed=seed, scenario=scenario, options=options))
    game.settle()
    for number in range(most):
        if number % every == 0 or game.over:
            yield game
        if game.over:
            return
        request = game.requests()[0]
        seat = request.missing[0]
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        game.settle()


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("system", SYSTEMS)
def test_whatever_a_view_shows_is_told_in_words(system: str, seed: int) -> None:
    known: set[tuple[str, str]] = set()
    for game in moments(system, seed, most=300, every=60):
        tellers = [Teller(game, lang, None, ALL) for lang in LANGUAGES]
        for seat in game.header.seats:
            new = []
            for one in differences(None, game.view(seat)):
                what = (one.place, one.after if isinstance(one.after, str) else "")
                if what not in known:
                    known.add(what)
                    new.append(one)
            for teller in tellers:
                assert not raw(told(teller, new))
    assert len(known) > 50


# What random games seldom come by ----------------------------------------------------------------

VIEWS: dict[str, Any] = {
    "atlantide": atlantide.View,
    "mare_nostrum": mare_nostrum.View,
    "promiterra": promiterra.View,
    "thucidide": thucidide.Battle,
}

CONSTANT = {
    "atlas": "the map of a set-up: no act changes it",
    "chart": "the same",
    "lists": "the army lists of a set-up: no act changes them",
    "at_limit": "in no view",
}
CONSTANT_AT = {"catalogue": "the army catalogue of a set-up, in the view itself: no act changes it"}


def leaves(kind: inspect.Type, place: str = "", within: tuple[type, ...] = ()) -> Iterator[Any]:
    """Every place that a view may have, with each word of a closed vocabulary there."""
    if isinstance(kind, inspect.UnionType):
        for one in kind.types:
            yield from leaves(one, place, within)
    elif isinstance(kind, inspect.StructType):
        for field in kind.fields if kind.cls not in within else ():
            step = f"{place}.{field.encode_name}" if place else field.encode_name
            if field.encode_name not in CONSTANT and step not in CONSTANT_AT:
                yield from leaves(field.type, step, (*within, kind.cls))
    elif isinstance(kind, inspect.DictType):
        yield from leaves(kind.value_type, f"{place}.A", within)
    elif isinstance(kind, (inspect.VarTupleType, inspect.ListType)):
        yield from leaves(kind.item_type, f"{place}.0", within)
    elif isinstance(kind, inspect.TupleType):
        for n, one in enumerate(kind.item_types):
            yield from leaves(one, f"{place}.{n}", within)
    elif isinstance(kind, inspect.LiteralType):
        yield from (Difference(place, None, word) for word in kind.values)
    else:
        yield Difference(place, None, 7)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("system", VIEWS)
def test_every_field_and_every_word_of_its_type_has_its_text(system: str, lang: str) -> None:
    teller = Teller(Game(new_header(system, seed=1)), lang, None, ALL)
    every = list(leaves(inspect.type_info(VIEWS[system])))
    assert len(every) > 50
    # The key "A" of a table stands for any: it names a seat, or nobody.
    assert not [word for word in raw(told(teller, every)) if not word.endswith("=A")]


def test_a_battle_inside_a_campaign_is_told_by_its_own_names() -> None:
    header = new_header("atlantide", seed=2, options={"resolver": "thucidide"})
    game, rng = Game(header), random.Random(2)
    game.settle()
    while len(list(game.runner.within())) == 1:
        request = game.requests()[0]
        seat = request.missing[0]
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        game.settle()
    seat = next(s for s in game.header.seats if len(game.views(s)) > 1)
    inside = [one for one in changed_views({}, game.views(seat)) if one.path]
    for lang in LANGUAGES:
        assert inside and not raw(told(Teller(game, lang, None, ALL), inside))


# How a row reads ---------------------------------------------------------------------------------


def rows(game: Game, lang: str, *changed: tuple[str, Any, Any]) -> list[tuple[str, str, str]]:
    new = [Difference(*one) for one in changed]
    (group,) = Teller(game, lang, None, ALL).groups({"A": new}, {})
    return [(bare(row.what), bare(row.before), bare(row.after)) for row in group.rows]


def bare(text: str) -> str:
    return text.replace("‹", "").replace("›", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")


def test_rows_read_naturally() -> None:
    game = Game(new_header("atlantide", seed=1))
    assert rows(
        game, "fr",
        ("own.army.units.1.figures", 20, 17),
        ("own.army.units.1.warband", "fanatic", None),
        ("own.army.units.1.kind", "infantry", "light_infantry"),
        ("phase", "reinforcements", None),
        ("winners.0", None, "A"),
        ("sheets.0.diplomacy.0", None, "broken:supply:B"),
        ("options.return", "colony", "none"),
    ) == [
        ("en secret · armée · unités · n° 2 · figurines", "20", "17"),
        ("en secret · armée · unités · n° 2 · horde", "horde fanatique", ""),
        ("en secret · armée · unités · n° 2 · sorte", "infanterie", "infanterie légère"),
        ("phase", "arrivée des renforts", ""),
        ("vainqueurs · n° 1", "", "A"),
        ("feuilles de campagne · n° 1 · diplomatie · n° 1", "",
         "accord rompu (passage de ravitaillement, B)"),
        ("variantes · retour d'un joueur éliminé", "dans un royaume atlante", "jamais"),
    ]  # fmt: skip


def test_a_temple_is_told_with_its_god_and_words_of_people_as_they_are() -> None:
    game = Game(new_header("mare_nostrum", seed=1))
    place = next(iter(game.state.lands))
    assert [row[2] for row in rows(
        game, "en",
        (f"lands.{place}.improvements.0", None, "temple:war"),
        (f"lands.{place}.improvements.0", None, "temple: of old"),
    )] == ["temple (god of War)", "temple: of old"]  # fmt: skip


def test_a_list_that_fills_is_told_by_what_comes_into_it() -> None:
    game = Game(new_header("thucidide", seed=1))
    told_rows = rows(
        game, "fr",
        ("units.A1.marks", {}, None),
        ("units.A1.marks.by", None, "AG"),
        ("units.A2.marks", None, {}),
    )  # fmt: skip
    assert len(told_rows) == 2
    assert told_rows[0][1:] == ("", "le général AG") and told_rows[1][1:] == ("", "aucun")


@pytest.mark.parametrize("system", ["batailles", "promiterra", "thucidide"])
def test_a_battle_that_only_the_act_begins_is_told_as_its_system_does(system: str) -> None:
    campaign, battle = Game(new_header("mare_nostrum", seed=1)), Game(new_header(system, seed=1))
    for game in (campaign, battle):
        game.settle()
    view = find_system(system).view(battle.state, "A")
    new = [one for one in differences({}, view, "1-b1") if one.place]
    for lang in LANGUAGES:
        rows = told(Teller(campaign, lang, None, ALL), new)
        fields = {one.row.what.split(" · ")[1] for one in rows}
        assert all(words.startswith("‹") for words in fields), fields
