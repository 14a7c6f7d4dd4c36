"""The shipped scenarios: each can be read, seen and played, and the tutorial teaches a turn."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from polemarque.bots.play import play_game
from polemarque.kernel.beginner_notes import Note, lesson_of, note_of
from polemarque.kernel.files.sentence_templates import curved, plainly
from polemarque.kernel.files.texts import LANGUAGES
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.record import Answer
from polemarque.kernel.request import DICE
from polemarque.report.game_words import Words
from polemarque.report.labels import catalogue_of
from polemarque.report.order_forms.form import order_form
from polemarque.systems.thucidide.orders import ORDERS
from polemarque.systems.thucidide.setup.opening import SCENARIOS, begin, check, scenarios
from polemarque.systems.thucidide.setup.scenario import Setup
from polemarque.systems.thucidide.state import Battle

NAMES = tuple(scenarios())
HISTORICAL = ("marathon", "issus", "cannae", "magnesia", "paraetacene")
SMALL = ("ford", "crossing")
"""The two on which search bots are measured."""

FIRST_TURN = (
    ("TH-3.5", {"order": "none"}),
    ("TH-2.2", {"leader.1": "AG", "units.1": ["A1", "A2", "A3"], "stops": "losses"}),
    ("TH-F8", {"who": "A1", "order": "none", "way": ["d5"]}),
    ("TH-F8", {"who": "A2", "order": "none", "way": ["e5"], "along": ["AG"]}),
    ("TH-F8", {"who": "A3", "order": "none", "way": ["f5"]}),
    ("TH-F5", {"unit": "A2", "target": "B2"}),
    ("TH-6/order", "allant"),
)
"""What the notes of the tutorial advise, up to the first dice."""


def setup_of(name: str) -> Setup:
    return msgspec.convert(scenarios()[name], Setup)


def battle_of(name: str) -> Battle:
    return begin(setup_of(name), ("A", "B"), {})[0]


@pytest.mark.parametrize("name", NAMES)
def test_it_loads_and_says_what_it_is_in_both_languages(name: str) -> None:
    assert check(SCENARIOS / f"{name}.toml") == ()
    setup = setup_of(name)
    for lang in LANGUAGES:
        assert curved(setup.name[lang]) == catalogue_of("thucidide").say(lang, f"scenario.{name}")
        assert setup.date[lang]
        assert setup.introduction[lang]
        assert setup.sources[lang]
        for side in (setup.a, setup.b):
            assert side.name[lang]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_random_players_come_to_its_end(name: str, seed: int) -> None:
    game = Game(new_header("thucidide", scenario=name, seed=seed))
    play_game(game, {"A": "random", "B": "random"})
    assert game.over


@pytest.mark.parametrize("name", NAMES)
def test_nobody_has_two_names_alike(name: str) -> None:
    battle = battle_of(name)
    for lang in LANGUAGES:
        said = [each.names[lang] for each in (*battle.units.values(), *battle.leaders.values())
                if each.names]  # fmt: skip
        assert len(said) == len({plainly(each) for each in said})


def test_there_are_battles_of_history_and_of_every_size() -> None:
    assert set(HISTORICAL) | set(SMALL) | {"tutorial"} <= set(NAMES)
    for name in SMALL:
        assert all(5 <= side.start <= 6 for side in battle_of(name).sides.values())


def test_one_has_elephants_chariots_and_camels() -> None:
    arms = {unit.figures.arm for unit in battle_of("magnesia").units.values()}
    assert arms >= {"elephants", "chariots", "camelry", "cavalry", "infantry"}


def test_one_has_two_sub_generals_and_two_activations_a_side() -> None:
    battle = battle_of("paraetacene")
    for seat, side in battle.sides.items():
        ranks = [one.rank for one in battle.leaders_of(seat)]
        assert (ranks.count("general"), ranks.count("sub_general")) == (1, 2)
        assert side.start > 15
        assert side.activations == (4, 4)


# The lesson --------------------------------------------------------------------------------------


def shown(game: Game, lesson: tuple[Note, ...]) -> tuple[Any, Note | None]:
    """The open question of the learner's, and the note beside it."""
    (request,) = game.requests("A")
    answered = [entry.key for entry in answers(game)]
    return request, note_of(lesson, request.keys["A"], answered)


def test_the_tutorial_has_a_note_for_every_question_of_the_first_attack() -> None:
    game = Game(new_header("thucidide", scenario="tutorial", seed=1))
    lesson = lesson_of(game.header.setup)
    game.settle()
    for rule, answer in FIRST_TURN:
        request, note = shown(game, lesson)
        assert request.rule == rule
        assert note is not None
        assert note.rule == rule
        game.answer("A", answer)
        game.settle()
    assert game.state.fight is not None


def test_a_note_comes_back_with_the_question_that_is_taken_back() -> None:
    game = Game(new_header("thucidide", scenario="tutorial", seed=1))
    lesson = lesson_of(game.header.setup)
    game.settle()
    before = shown(game, lesson)[1]
    game.answer("A", FIRST_TURN[0][1])
    game.settle()
    assert shown(game, lesson)[1] != before
    game.undo("A")
    assert shown(game, lesson)[1] == before


@pytest.mark.parametrize("seed", range(5))
def test_no_note_of_the_tutorial_is_shown_twice(seed: int) -> None:
    game = Game(new_header("thucidide", scenario="tutorial", seed=seed))
    play_game(game, {"A": "random", "B": "random"})
    lesson = lesson_of(game.header.setup)
    keys = [entry.key for entry in game.effective if isinstance(entry, Answer)]
    notes = [note_of(lesson, key, keys[:n]) for n, key in enumerate(keys) if key.seat == "A"]
    seen = [note for note in notes if note is not None]
    assert seen
    assert len(seen) == len(set(map(lesson.index, seen)))


TYPED = re.compile(
    r"\([\d -]+\)|polemarque|« \? »|“\?”|"
    r"(?:répondez|answer) \d|[Tt]apez|\b[Tt]ype\b|\bEnt(?:er|rée)\b"
)
"""What only somebody at a terminal can follow: numbers to type, keys, commands."""


def test_the_notes_of_the_tutorial_suit_the_page_and_the_terminal() -> None:
    setup = scenarios()["tutorial"]
    notes = [note.text[lang] for note in lesson_of(setup) for lang in LANGUAGES]
    assert [found for text in notes if (found := TYPED.search(text))] == []
    (last,) = [note for note in lesson_of(setup) if note.period == 5]
    for lang in LANGUAGES:
        for name in ("ford", "marathon", "issus", "cannae"):
            assert scenarios()[name]["name"][lang] in last.text[lang]
        choice = catalogue_of("thucidide").say(lang, "order.none").lower()
        assert choice in notes[LANGUAGES.index(lang)]


TOLD = (
    *FIRST_TURN,
    ("TH-F5", {"unit": "A1", "target": "B1"}),
    ("TH-6/order", "none"),
)
"""All that the notes name in so many words; each is the next answer to a question of its rule."""


def answers(game: Game) -> list[Answer]:
    return [entry for entry in game.effective if isinstance(entry, Answer)]


def named_in(text: str, rule: str, lang: str, battle: Battle) -> set[str]:
    """Codes of what a note names: orders, and where units are chosen the units and leaders."""
    texts = catalogue_of("thucidide")
    named = {code for code in ORDERS if texts.say(lang, f"order.{code}") in text}
    if rule not in ("TH-2.2", "TH-F8", "TH-F5"):
        return named
    people = [*battle.units.values(), *battle.leaders.values()]
    bare = {one.code: one.names[lang].removeprefix("the ").removeprefix("les ") for one in people}
    own = {code for code, name in bare.items() if name in text and code.startswith("A")}
    return named | own


def offered(game: Game, request: Any) -> set[str]:
    """Every word that can be answered to some part of a question."""
    form = order_form(game, request, "A", Words(game.header, "en"))
    return {str(word) for part in form.parts for word in part.words}


@pytest.mark.parametrize("seed", range(1, 21))
def test_whoever_follows_the_notes_finds_what_they_name(seed: int) -> None:
    """The first attack throws dice, too: nobody can withdraw from it."""
    game = Game(new_header("thucidide", scenario="tutorial", seed=seed))
    lesson, told = lesson_of(game.header.setup), list(TOLD)
    bots, seen = {"A": "steady", "B": "steady"}, 0
    while not game.over:
        play_game(game, {"B": "steady"})
        if game.over:
            break
        request, note = shown(game, lesson)
        if note is not None:
            seen += 1
            words = offered(game, request)
            for lang in LANGUAGES:
                assert named_in(note.text[lang], note.rule, lang, game.state) <= words, note
        if note is not None and (step := next((s for s in told if s[0] == note.rule), None)):
            told.remove(step)
            game.answer("A", step[1])
            if step == ("TH-6/order", "allant"):
                play_game(game, {"B": "steady"})
                assert any(entry.key.seat == DICE for entry in answers(game))
        else:
            before = len(game.effective)
            play_game(game, bots, stop=lambda now, n=before: len(now.effective) > n)
    assert seen > 10
    assert not told


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ('rule = "TH-3.5"', 'rule = "TH-3.55"', "TH-3.55"),
        ('seat = "A"', 'seat = "C"', "C"),
        ("text.en = ", "text.es = ", "en"),
    ],
)
def test_a_note_that_could_never_be_shown_is_found(
    tmp_path: Path, old: str, new: str, part: str
) -> None:
    text = (SCENARIOS / "tutorial.toml").read_text(encoding="utf-8")
    path = tmp_path / "lesson.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert tomllib.loads(path.read_text(encoding="utf-8"))["lesson"]
    found = check(path)
    assert found
    (finding,) = found
    assert (finding.code, finding.data["part"]) == ("thucidide.lesson", part)
    assert finding.line > 0
