"""What the campaign tells: the chronicle's paragraphs, and the answers of single rules."""

from __future__ import annotations

import pytest

from polemarque.kernel.events import Event
from polemarque.kernel.game import new_header
from polemarque.odds.consult import consult
from polemarque.odds.wording import sentence
from polemarque.report.chronicle import chronicle
from polemarque.report.documents.document import Line, joined, walk
from polemarque.systems.mare_nostrum import SYSTEM
from polemarque.systems.mare_nostrum.chapters.engagement_order import BORDER, ends
from tests.systems.mare_nostrum.realms import TINY, realm
from tests.systems.mare_nostrum.stage import Stage

HEADER = new_header("mare_nostrum", seats=3, seed=1)


def fails(seat: str, piece: str, place: str) -> Event:
    data = {"seat": seat, "piece": piece, "place": place, "resistance": 3}
    return Event("MN-5.1", "failure", data, period=1)


def retreats(seat: str, piece: str, start: str, place: str) -> Event:
    data = {"seat": seat, "piece": piece, "start": start, "place": place, "level": 1}
    return Event("MN-5.3", "retreats", data, period=1)


def pillages(seat: str, place: str) -> Event:
    data = {"seat": seat, "other": "C", "place": place, "gold": 6}
    return Event("MN-6.3", "pillaged", data, period=1)


def withdraws(seat: str, piece: str, start: str, place: str) -> Event:
    data = {"seat": seat, "piece": piece, "start": start, "place": place}
    return Event("MN-6.3", "falls_back", data, period=1)


def draws(seats: str, *border: str) -> Event:
    """A battle on a border that nobody wins."""
    data = {"place": ends(BORDER.join(border)), "seats": list(seats)}
    return Event("MN-B.3", "nobody", data, period=1)


def told(*events: Event, **names: dict[str, str]) -> list[str]:
    """The chronicle's lines, in English."""
    blocks = [block for _, block in walk(chronicle(HEADER, list(events), "en", names))]
    return [joined(block.spans) for block in blocks if isinstance(block, Line)]


def test_a_retreat_is_told_after_the_defeat_that_caused_it():
    said = told(
        fails("C", "C1", "thessalia"),
        retreats("C", "C1", "thessalia", "macedonia"),
        fails("C", "C3", "dardania"),
        retreats("C", "C3", "dardania", "macedonia"),
    )
    assert len(said) == 2
    for line, piece in zip(said, ("C1", "C3"), strict=True):
        assert line.count(piece) == 2 and "fails before" in line.split(piece)[1]


def test_a_withdrawal_is_told_after_the_pillage_that_it_ends():
    places = {"A": "campania", "B": "apulia"}
    said = told(
        *[pillages(seat, place) for seat, place in places.items()],
        *[withdraws(seat, f"{seat}1", start, "latium") for seat, start in places.items()],
    )
    assert len(said) == 2
    for line, (start, piece) in zip(said, (("Campania", "A1"), ("Apulia", "B1")), strict=True):
        assert "ravages" in line and f"{piece} leaves {start} for Latium" in line


def test_who_goes_back_from_a_border_is_told_after_the_battle_there():
    campaign = realm("ABCD")
    crossed = {"A1": ("dax", "alba"), "B1": ("alba", "dax"), "C1": ("faro", "dax")}
    for piece, (place, came) in crossed.items():
        campaign = campaign.army_changed(piece, place=place, came=came)
    stage = Stage(campaign, *[("MN-4.3/back", piece) for piece in crossed])
    assert {piece: stage.campaign.armies[piece].place for piece in crossed} == {
        "A1": "alba", "B1": "dax", "C1": "dax",
    }  # fmt: skip
    places = {province.id: province.id for province in TINY.provinces}
    battles = draws("AB", "alba", "dax"), draws("CB", "dax", "faro")
    said = told(*battles, *stage.events, place=places)
    whole = " ".join(said)
    border = [whole.index(words) for words in ("(alba and dax)", "A1 turns back", "B1 turns back")]
    other = [whole.index(words) for words in ("(dax and faro)", "C1 turns back")]
    assert border == sorted(border) and other == sorted(other)


@pytest.mark.parametrize(
    ("dice", "said"),
    [
        ((16, 3), "Event: flood (loss in PO: 3)."),
        ((75, 3), "Event: happy vintage (gain in PO: 3)."),
        ((19, 2), "Event: storm (die of a fleet: 2; a fleet sinks)."),
        ((19, 3), "Event: storm (die of a fleet: 3; the fleet rides it out)."),
        ((60,), "Event: nothing (nothing changes)."),
    ],
)
def test_MN_F5_an_event_asked_alone_says_what_it_does(dice, said):
    assert sentence(SYSTEM, consult("MN-F5", dice=dice), {}, "en") == said


def test_MN_F5_and_MN_F6_show_where_their_figures_come_from():
    famine = consult("MN-F5", dice=(41, 3))
    assert famine.result["amount"] == 5 + 3
    assert [(m["amount"], m["reason"]) for m in famine.modifiers] == [(5, "event_figure")]
    city = consult("MN-F6", {"mission": "passage"}, dice=(30,))
    assert [m["amount"] for m in city.modifiers] == [city.result["threshold"]]


def test_MN_6_3_and_MN_6_10_ask_for_what_they_halve():
    assert consult("MN-6.3", {"demographic": 13}).result == {"gold": 7}
    assert consult("MN-6.10", {"market": 9}).result == {"gold": 5}


def in_french(*events: Event) -> list[str]:
    """The chronicle's lines, in French, with plain spaces and apostrophes."""
    blocks = [block for _, block in walk(chronicle(HEADER, list(events), "fr"))]
    lines = [joined(block.spans) for block in blocks if isinstance(block, Line)]
    return [line.translate({0x202F: " ", 0xA0: " ", 0x2019: "'"}) for line in lines]


def test_what_falls_down_has_its_article_in_french():
    fire = {"seat": "A", "amount": 0, "place": "latium", "what": "fortress"}
    (line,) = in_french(Event("MN-F5", "fire", fire, period=1))
    assert "(Latium) et détruit une forteresse." in line


def test_a_market_that_brings_nothing_is_a_land_with_its_article_in_french():
    paid = {"seat": "A", "money": 12, "shut": ["latium", "etruria"]}
    (line,) = in_french(Event("MN-F2", "market", paid, period=1))
    assert "rien ne rentre du Latium et de l'Étrurie." in line


def test_a_sea_has_no_capital_amid_a_french_sentence():
    hired = {"seat": "A", "amount": 0, "place": "aegyptium", "what": ""}
    (line,) = in_french(Event("MN-F5", "corsairs", hired, period=1))
    assert ", dans la mer d'Égypte." in line


def test_one_stand_is_a_word_and_more_are_a_number():
    one = {"seat": "A", "piece": "A1", "stands": 1}
    both = in_french(
        Event("MN-B.4", "lost", one, period=1),
        Event("MN-B.4", "lost", {**one, "piece": "A2", "stands": 2}, period=1),
    )
    assert "coûté un socle à l'armée A1" in both[0]
    assert "coûté 2 socles à l'armée A2" in both[1]


def test_equal_caravans_are_fitted_out_together():
    said = {"seat": "A", "money": 10, "resource": "glass", "origin": "latium"}
    (line,) = in_french(*[Event("MN-F5", "caravan", said, period=1) for _ in range(3)])
    assert "10 PO chacune : verre pour " in line and "(3)" in line
