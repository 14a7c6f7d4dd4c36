"""A campaign reads as a story: what belongs together is one paragraph, and no reason is lost."""

from __future__ import annotations

import pytest

from polemarque.kernel.events import Event, Modifier, Thrown
from polemarque.kernel.game import new_header
from polemarque.kernel.new_game import opening
from polemarque.report.chronicle import chronicle
from polemarque.report.documents.document import Document, Line, Table, joined, said, walk
from polemarque.report.labels import with_code

HEADER = new_header("atlantide", seed=1, scenario="trio")


def told(*events: Event, lang: str = "fr", **more) -> Document:
    names = {"seat": {"A": "le Mycénien", "B": "l'Amazone", "C": "le Troyen"}}
    return chronicle(HEADER, events, lang, more.pop("names", names), **more)


def lines(document: Document) -> list[Line]:
    return [block for _, block in walk(document) if isinstance(block, Line)]


def headings(document: Document) -> list[str]:
    return [block for _, block in walk(document) if isinstance(block, str)][1:]


def event(rule: str, kind: str, **more) -> Event:
    audience, dice = more.pop("audience", None), more.pop("dice", ())
    parts, path, phase = more.pop("modifiers", ()), more.pop("path", ""), more.pop("phase", "")
    return Event(rule, kind, more, parts, dice, audience, 1, path, phase=phase)


def turn(number: int) -> Event:
    return event("AT-2.1", "turn", turn=number)


def supplied(seat: str) -> Event:
    return event("AT-6.1", "supplied", seat=seat, phase="AT-6")


def test_a_chapter_begins_where_the_system_says_and_its_heading_tells_the_event() -> None:
    placed = event("AT-1.4", "placed", seat="A", place="halia")
    end = event("AT-1.10", "turn_limit", turn=1, phase="AT-10")
    won = event(
        "AT-1.11", "won", seat="A", territories=3, points=9, by="territories", phase="AT-10"
    )
    document = told(placed, turn(1), supplied("A"), end, won)
    assert headings(document) == ["Mise en place", "Tour 1", "Ravitaillement", "Fin de la campagne"]
    assert len(lines(document)) == 4


def test_events_alike_are_one_sentence() -> None:
    (line,) = lines(told(*map(supplied, "ABC")))
    assert joined(line.spans) == (
        "Sont ravitaillées les armées du Mycénien, de l’Amazone et du Troyen."
    )


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("fr", "pour 195 de butin\u00a0: Archers atlantes (3) et Esclaves atlantes."),
        ("en", "for 195 loot: Atlantean archers (3) and Atlantean slaves."),
    ],
)
def test_equal_units_that_are_bought_are_said_once_with_their_number(
    lang: str, expected: str
) -> None:
    bought = event(
        "AT-5.2", "bought", seat="A", loot=195,
        profiles=["atlantean_archers", "atlantean_slaves", *["atlantean_archers"] * 2],
    )  # fmt: skip
    (line,) = lines(told(bought, lang=lang))
    assert expected in joined(line.spans)


def test_a_good_omen_speaks_of_leadership_and_a_spy_of_a_minus_sign() -> None:
    omen, spy = event("AT-3.1", "good_omen", seat="A"), event("AT-3.1", "enemy_spy", seat="B")
    said_so = " ".join(joined(line.spans) for line in lines(told(omen, spy)))
    assert "gagne 1 en Leadership" in said_so and "\u2212" + "1 à ses jets" in said_so


def test_several_events_keep_the_reasons_of_each_under_its_name() -> None:
    rolled = [
        event(
            "AT-7.1", "rolled", seat=seat, number=number, dice=(Thrown(6, faces, "initiative"),),
            modifiers=(Modifier(140, "initiative", "AT-1.8"),),
        )
        for seat, number, faces in (("A", 147, (3, 4)), ("B", 142, (1, 1)))
    ]  # fmt: skip
    (line,) = lines(told(*rolled, lang="en"))
    assert joined(line.spans).startswith("Movement initiatives: 147 for ")
    assert line.why is not None
    first, second = line.why.reasons
    assert first.startswith("147 for le Mycénien — Initiative +140.")
    assert first.endswith("dice (3, 4).")
    assert second.endswith("dice (1, 1).")


def test_what_is_alike_is_one_sentence_only_where_it_says_the_same_of_all() -> None:
    def closed(seat: str, destination: str) -> Event:
        return event(
            "MN-F3", "closed", seat=seat, resource="incense", origin="nabataea",
            destination=destination,
        )  # fmt: skip

    events = [closed("D", "aegyptus"), closed("D", "syria"), closed("D", "syria")]
    header = new_header("mare_nostrum", seed=1, scenario="quartet")
    (line,) = lines(chronicle(header, events, "en"))
    assert joined(line.spans).startswith("3 trade routes of Alexandria close")
    assert joined(line.spans).count("(2)") == 1
    assert len(lines(chronicle(header, [*events, closed("C", "syria")], "en"))) == 2


def test_the_same_figure_that_differs_becomes_a_list() -> None:
    built = [event("AT-5.3", "built", seat="A", place=place) for place in ("halia", "rhiza")]
    (line,) = lines(told(*built))
    assert joined(line.spans) == "Le Mycénien bâtit des forteresses\u00a0: Halia et Rhiza."


def test_a_thread_is_one_paragraph_and_says_which_part_is_secret() -> None:
    assault = event("AT-9.3", "force", seat="A", place="hespera_gardens", force=12, bribe=0)
    secret = event("AT-5.1", "taxes", seat="B", loot=5, audience=("B",))
    loot = event("AT-9.6", "loot", seat="A", place="hespera_gardens", loot=50)
    (line,) = lines(told(assault, loot))
    assert joined(line.spans) == (
        "L’armée du Mycénien donne l’assaut aux Jardins d’Hespéra avec une force de 12. "
        "Le Mycénien met la main sur 50 de butin que les rois atlantes avaient caché aux Jardins "
        "d’Hespéra."
    )
    built = event("AT-5.3", "built", seat="B", place="halia")
    (spending,) = lines(told(secret, built))
    assert [span.style for span in spending.spans] == ["em", ""]
    (open_part,) = lines(told(secret, built, seat="A"))
    assert joined(open_part.spans) == "L’Amazone bâtit une forteresse à Halia."


def test_what_lacks_the_figure_of_its_thread_follows_whoever_it_is_about() -> None:
    first = event("AT-8.6", "points", place="halia", seat="A", points=3)
    other = event("AT-8.6", "points", place="rhiza", seat="B", points=4)
    noted = event("AT-8.12", "noted", seat="A", count=2)
    assert [len(line.spans) for line in lines(told(first, other, noted))] == [1, 1]
    assert "2 unités" in joined(lines(told(first, other, noted))[0].spans)


def test_a_name_that_ends_in_its_code_is_not_given_it_twice() -> None:
    assert with_code("Solon", "A") == "Solon (A)"
    assert with_code("Player A", "A") == "Player A"
    assert with_code("Solon (A)", "A") == "Solon (A)"
    assert with_code("A", "A") == "A"
    assert with_code("Agrippa", "a") == "Agrippa (a)"
    assert with_code("Player A", "B") == "Player A (B)"


def test_seats_of_one_name_are_told_apart_by_their_code() -> None:
    names = {"seat": {"A": "le Troyen", "B": "l'Amazone", "C": "le Troyen"}}
    (line,) = lines(told(*map(supplied, "ABC"), names=names))
    assert "du Troyen (A), de l’Amazone et du Troyen (C)" in joined(line.spans)


def test_dice_of_territories_are_told_by_name_and_many_by_face() -> None:
    def terrain(*rolled: tuple[str, int]) -> str:
        whom, faces = zip(*rolled, strict=True)
        kinds = dict.fromkeys(("plains", "river_plains", "forest", "mountains"), ())
        thrown = (Thrown(6, faces, "terrain", whom),)
        (line,) = lines(told(event("AT-1.3", "terrain", dice=thrown, **kinds)))
        assert line.why is not None
        return line.why.dice[0]

    assert "Tertre de Myrine 4, Halia 2" in terrain(("myrine_barrow", 4), ("halia", 2))
    many = terrain(*((place, 1 + n % 2) for n, place in enumerate(PLACES)))
    assert "1 pour Source de Clito," in many
    assert "2 pour Mont Pyréos," in many


PLACES = tuple(place.id for place in opening(HEADER).state.board.places)[1:13]


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_balance_keeps_what_is_secret(lang: str) -> None:
    state = opening(HEADER).state
    document = told(supplied("A"), lang=lang, state=state)
    (table,) = [block for _, block in walk(document) if isinstance(block, Table)]
    assert "secret" not in {cell for row in table.rows for cell in row}
    edition = told(supplied("A"), lang=lang, state=state, seat="A")
    (own,) = [block for _, block in walk(edition) if isinstance(block, Table)]
    assert [row.count("secret") for row in own.rows] == [0, 3, 3]
    assert own.caption in list(said(edition))
