"""A game told: by period and phase, with its reasons, and to each only what he may know."""

from __future__ import annotations

import random

import pytest

from polemarque.kernel.events import Event, Modifier, Thrown
from polemarque.kernel.files.texts import MissingText
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.record import Adjust, Replace
from polemarque.kernel.request import Key
from polemarque.kernel.system import find_system, system_names
from polemarque.report.chronicle import chronicle, chronicle_of_turn, summary
from polemarque.report.documents.document import (
    Document,
    Line,
    Paragraph,
    Section,
    joined,
    said,
    walk,
)
from polemarque.report.documents.writers import FORMATS, write
from polemarque.report.labels import Book

pytestmark = pytest.mark.usefixtures("spring")


def header(**options):
    return new_header("tale", seed=1, options=options)


def runs(**more):
    data = {"seat": "A", "place": "spring", "speed": 9}
    return Event("TA-1.1", "runs", **{"data": data, "period": 1, "phase": "TA-1.1", **more})


def night(days, phase="TA-2.1"):
    return Event("TA-2.1", "night", {"days": days}, period=1, phase=phase)


def outline(document: Document) -> list[tuple[int, str]]:
    return [(depth, block) for depth, block in walk(document) if isinstance(block, str)]


def lines(document: Document) -> list[Line]:
    return [block for _, block in walk(document) if isinstance(block, Line)]


def only(document: Document) -> Line:
    (line,) = lines(document)
    return line


def test_it_is_told_by_period_and_phase_in_both_languages() -> None:
    events = [runs(), night(1), runs(period=2)]
    french = chronicle(header(), events, "fr")
    assert outline(french) == [
        (1, "La course d’Hésiode et de B"),
        (2, "Jour 1"), (3, "La course"), (3, "La nuit"), (2, "Jour 2"), (3, "La course"),
    ]  # fmt: skip
    assert [joined(line.spans) for line in lines(french)] == [
        "Hésiode court vers la source\u00a0: 9 stades.",
        "La nuit tombe\u202f; encore 1 jour.",
        "Hésiode court vers la source\u00a0: 9 stades.",
    ]
    english = chronicle(header(), events, "en")
    assert outline(english)[0] == (1, "The race of Hésiode and B")
    assert joined(lines(english)[1].spans) == "Night falls; 1 day left."


def test_an_event_stands_in_the_phase_in_which_it_happened_whatever_its_rule() -> None:
    events = [night(0, phase="TA-1.1"), runs(), night(0), runs(phase="TA-2.1"), runs()]
    assert outline(chronicle(header(), events, "en"))[1:] == [
        (2, "Day 1"), (3, "The race"), (3, "The night"), (3, "The race"),
    ]  # fmt: skip


def test_a_line_gives_its_reasons() -> None:
    event = runs(
        modifiers=(
            Modifier(3, "breath", "TA-1.2"), Modifier(3, "breath", "TA-1.2"),
            Modifier(-1, "mud", "TA-1.2"), Modifier(-1, "mud", "TA-1.2"),
            Modifier(2, "mud@A", "TA-2.1/late"),
        ),
        dice=(
            Thrown(6, (3, 4), "run"), Thrown(6, (5,), "run"),
            Thrown(6, (6, 1), "run", ("A", "Philon")),
            Thrown(6, (0, 30, 40, 0, 0, 1), "run", counted=True),
        ),
    )  # fmt: skip
    why = only(chronicle(header(), [event], "fr")).why
    assert why is not None
    assert why.label == "Pourquoi\u202f?"
    assert [str(rule) for rule in why.rules] == [
        "TA-1.1 La course", "TA-1.2 Le souffle", "TA-2.1 La nuit"
    ]  # fmt: skip
    assert why.reasons == (
        "Souffle 4 (des réserves de souffle +6, boue 2 × −1).",
        "La nuit d’Hésiode +2 (boue).",
    )
    assert why.dice == (
        "Course\u00a0: dés (3, 4).",
        "Course\u00a0: dé (5).",
        "Course\u00a0: Hésiode 6, Philon 1.",
        "Course\u00a0: 71 dés (30 × 2, 40 × 3, 1 × 6).",
    )


def test_a_system_says_its_tables_rows_itself() -> None:
    event = Event("TA-2.1", "night", {"days": 2}, period=1)
    why = only(chronicle(header(), [event], "en")).why
    assert why is not None
    assert why.reasons == ("2 days are left on the dial.",)


def first(told: Document) -> str:
    """The first line under the title."""
    return joined(told.blocks[0].spans) if isinstance(told.blocks[0], Paragraph) else ""


@pytest.mark.parametrize(("lang", "word"), [("fr", "tous"), ("en", "everybody")])
def test_what_everybody_may_read_says_so_in_its_first_line(lang: str, word: str) -> None:
    events = [runs()]
    public = [chronicle(header(), events, lang, seat=""), summary(header(), events, lang, seat=""),
              chronicle_of_turn(header(), events, 1, lang, seat="")]  # fmt: skip
    for told in public:
        assert word in first(told)
    for told in (chronicle(header(), events, lang), chronicle(header(), events, lang, seat="A")):
        assert word not in first(told)


def test_an_edition_holds_what_its_seat_may_know_and_says_whose_it_is() -> None:
    secret = Event("TA-1.1", "breath", {"seat": "B", "breath": 3}, audience=("B",), period=1)
    nobody = Event("TA-1.1", "breath", {"seat": "A", "breath": 1}, audience=(), period=1)
    events = [runs(), secret, nobody]
    assert len(lines(chronicle(header(), events, "fr"))) == 3
    edition = chronicle(header(), events, "fr", seat="A")
    assert len(lines(edition)) == 1
    assert first(edition) == "Ce qu’Hésiode en sait."
    marked = chronicle(header(), events, "fr", seat="B")
    assert joined(lines(marked)[1].spans).endswith("(connu de B seulement)")
    whole = chronicle(header(), events, "en")
    assert joined(lines(whole)[2].spans).endswith("(known to the umpire alone)")


@pytest.mark.parametrize("form", FORMATS)
def test_what_a_seat_may_not_see_leaves_no_trace_in_its_edition(form: str) -> None:
    def edition(breath: int, told: bool) -> str:
        hidden = Event(
            "TA-1.1", "breath", {"seat": "B", "breath": breath}, audience=("B",), period=7,
            dice=(Thrown(6, (breath,), "run"),), modifiers=(Modifier(breath, "mud", "TA-1.2"),),
        )  # fmt: skip
        events = [runs(), *([hidden] if told else [])]
        return write(chronicle(header(), events, "fr", seat="A"), form)

    assert edition(2, told=True) == edition(3, told=True) == edition(1, told=False)


def test_no_seats_edition_says_what_the_umpire_has_adjusted() -> None:
    def edition(name: str, value: int) -> list[str]:
        acts = (Adjust(name, value, "oubli", "1er mai"),)
        return list(said(chronicle(header(), [runs()], "fr", seat="A", acts=acts)))

    assert edition("breath.B", 2) == edition("breath.A", 3)
    assert edition("day", 1)[-1] == "1er mai, l’arbitre a rectifié l’état de la partie. Oubli"


def test_only_a_seats_own_edition_says_which_of_its_answers_was_corrected() -> None:
    def edition(seat: str | None, act: Adjust | Replace) -> str:
        return list(said(chronicle(header(), [runs()], "en", seat=seat, acts=(act,))))[-1]

    def corrected(seat: str, **more) -> Replace:
        return Replace(Key(1, "", "TA-1.1", seat), "a slip", date="1 May", **more)

    whole = "1 May, answer of B (TA-1.1) annulled and asked again: a slip"
    bare = "1 May, the umpire corrected an answer. A slip"
    annulled = corrected("B", annul=True)
    assert [edition(seat, annulled) for seat in (None, "B", "A", "")] == [whole, whole, bare, bare]
    assert edition("A", corrected("B", value=2)) == edition("A", corrected("umpire")) == bare
    assert edition("A", Adjust("day", 1, "a slip", "1 May", path="1-TA-1.1")) == edition(
        "A", Adjust("breath.B", 2, "a slip", "1 May")
    )


def test_names_of_the_players_stand_in_the_place_of_seats() -> None:
    named = chronicle(header(), [runs()], "en", {"seat": {"A": "{Zoé}", "B": "Ann"}})
    assert named.title == "The race of {Zoé} and Ann"
    assert joined(only(named).spans).startswith("{Zoé} runs to la source")


def test_a_person_is_named_once_and_the_seat_acts() -> None:
    named = chronicle(header(), [runs()], "en", {"player": {"A": "{Zoé}", "B": "Ann"}})
    assert named.title == "The race of Hésiode and Ann"  # the game has no name for B
    assert list(said(named))[1] == "Hésiode ({Zoé}) and Ann"
    assert joined(only(named).spans).startswith("Hésiode runs to la source")


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("system", system_names())
def test_a_variant_is_named_within_a_sentence_in_lower_case(system: str, lang: str) -> None:
    names = {"Garde sacrée", "Sacred Guard"}
    book = Book(find_system(system), lang, {})
    said = {book.option(choice.name) for choice in book.system.options} - names
    assert all(title[0].islower() for title in said), said


def test_variants_and_umpires_acts_are_told() -> None:
    key = Key(1, "", "TA-1.1", "B")
    acts = (
        Adjust("day", 3, "oubli", "1er mai"), Replace(key, "mauvaise feuille", value=2),
        Replace(key, "erreur", annul=True),
    )  # fmt: skip
    told = list(said(chronicle(header(mud="deep", days=3), [], "fr", acts=acts)))
    assert "Variantes\u00a0: boue\u00a0: profonde · jours\u00a0: 3." in told
    assert told[-4:] == [
        "Actes de l’arbitre",
        "1er mai, day\u00a0: 3. Oubli",
        "réponse de B (TA-1.1) remplacée\u00a0: mauvaise feuille",
        "réponse de B (TA-1.1) annulée et redemandée\u00a0: erreur",
    ]


def test_what_an_umpire_gives_to_nobody_is_told_in_words() -> None:
    acts = (Adjust("owner.hill", None, "oubli"), Adjust("day", 0, "oubli"))
    for lang, words in (
        ("fr", ["owner.hill\u00a0: personne. Oubli", "day\u00a0: 0. Oubli"]),
        ("en", ["owner.hill: nobody. Oubli", "day: 0. Oubli"]),
    ):
        assert list(said(chronicle(header(), [], lang, acts=acts)))[-2:] == words


def test_live_battles_are_told_apart_where_they_began() -> None:
    other = [runs(path="1-b1", period=1), runs(path="1-b2"), runs(path="1-b1", period=2)]
    document = chronicle(header(), [runs(), *other, runs(), runs(period=2)], "en")
    assert outline(document)[1:] == [
        (2, "Day 1"), (3, "The race"),
        (4, "Battle 1: The spring"), (5, "Day 1"), (6, "The race"), (5, "Day 2"), (6, "The race"),
        (4, "Battle 2: The spring"), (5, "Day 1"), (6, "The race"),
        (2, "Day 2"), (3, "The race"),
    ]  # fmt: skip
    day = document.blocks[1]
    assert isinstance(day, Section)
    assert isinstance(day.blocks[0], Section)
    kinds = [type(block).__name__ for block in day.blocks[0].blocks]
    assert kinds == ["Line", "Section", "Section", "Line"]


def test_what_happens_before_the_first_period_is_the_opening() -> None:
    assert outline(chronicle(header(), [runs(period=0)], "fr"))[1] == (2, "Ouverture")


def test_an_event_without_a_sentence_is_an_error() -> None:
    with pytest.raises(MissingText, match=r"TA-1\.1\.falls"):
        chronicle(header(), [Event("TA-1.1", "falls")], "fr")


def test_a_game_that_was_played_is_told_to_its_end() -> None:
    events: list[Event] = []
    game, rng = Game(header(days=3), publish=events.append), random.Random(4)
    game.settle()
    while not game.over:
        request = game.requests()[0]
        game.answer(request.missing[0], request.options(request.missing[0]).sample(rng))
        game.settle()
    for lang in ("fr", "en"):
        document = chronicle(game.header, events, lang)
        assert len(lines(document)) == len(events) == 15
        assert len([d for d, _ in outline(document) if d == 2]) == 3
        assert all(line.why and line.why.rules for line in lines(document))


def test_a_battle_inside_a_campaign_is_told_between_what_came_before_and_after_it() -> None:
    place = {"place": "latium"}
    story = chronicle(
        new_header("mare_nostrum", scenario="duel"),
        [
            Event("MN-2.7", "fights", {"seat": "A", "others": ["B"]}, period=1),
            Event("MN-B.1", "land", {"attacker": "A", "defender": "B", **place}, period=1),
            Event("TH-2.2", "passes", {"seat": "A"}, period=1, path="b1"),
            Event("MN-B.1", "won", {"seat": "A", "other": "B", **place}, period=1),
        ],
        "en",
    )
    told = "\n".join(said(story))
    order = ("orders", "Battle between", "Battle 1", "side of Rome", "Rome beats Carthage")
    where = [told.index(words) for words in order]
    assert where == sorted(where)
