"""Acts of the umpire through the pages: looked at first, done once, consented to."""

from __future__ import annotations

from html import unescape
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone

from polemarque.club.campaigns.question_keys import key_text
from polemarque.club.campaigns.session import read_lock
from polemarque.club.models import Campaign, Proposal
from polemarque.club.people.roles import visit_of
from polemarque.club.umpire.acts import as_then, propose
from polemarque.kernel.records.record import Adjust, Answer, Replace
from polemarque.kernel.request import UMPIRE, Request
from polemarque.web.pages.umpire.dashboard import answer_rows
from polemarque.web.questions import words_of
from tests.club.people import asked, campaign, person, some_answer
from tests.web.browser import sent
from tests.web.desks import (
    adjusting,
    confirmed,
    entries,
    fields,
    forms_to,
    offered,
    played,
    seal_for,
    seal_for_zoe,
    until_quiet,
)
from tests.web.people import browser, by_id, led_to, page, said, way

pytestmark = pytest.mark.django_db


# Adjusting ---------------------------------------------------------------------------------------


def test_what_can_be_adjusted_is_listed_and_leads_on() -> None:
    made = campaign("atlantide", seats=3)
    zoe = browser(person("zoe"))
    assert "A seat’s loot" in offered(zoe.get(way("adjust", made)), "name").values()
    further = zoe.get(way("adjust", made), {"kind": "loot.SEAT"})
    assert list(offered(further, "part-1")) == ["A", "B", "C"]
    whole = zoe.get(way("adjust", made), {"kind": "loot.SEAT", "part": "A"})
    assert "From 0 to 1000000." in said(whole) and by_id(whole, "value")


def test_an_adjustment_is_looked_at_and_then_done_once() -> None:
    made = campaign("atlantide", seats=3)
    zoe = browser(person("zoe"))
    before = len(entries(made))
    sent_on = adjusting(zoe, made, name="loot.B", value="77", reason="A slip  of the pen")
    assert sent_on.status_code == 303 and len(entries(made)) == before
    looked = zoe.get(sent_on["Location"])
    assert "77" in said(looked) and "A slip of the pen" in said(looked)
    (table,) = [e for e in page(looked).all("table") if e.attrs.get("class") == "difference"]
    assert len(table.all("tbody")) == 1, "loot is private: it changes for B alone"
    (form,) = forms_to(looked, sent_on["Location"])
    for _ in range(2):
        response = zoe.post(sent_on["Location"], {**fields(form), "do": "confirm"})
        assert response.status_code == 303
    (act,) = [each for each in entries(made) if isinstance(each, Adjust)]
    assert (act.name, act.value, act.reason) == ("loot.B", 77, "A slip of the pen")
    assert act.date == timezone.localdate().isoformat()
    with read_lock(made) as table_now:
        assert table_now.game.state.seats["B"].loot == 77
    assert "A slip of the pen" in said(browser(person("c")).get(way("chronicle", made)))
    again = zoe.get(sent_on["Location"])
    assert "This act is done." in said(again) and not forms_to(again, sent_on["Location"])


REFUSED = [
    ({"name": "", "value": "1", "reason": "so"}, "name-error"),
    ({"name": "gold.B", "value": "1", "reason": "so"}, "name-error"),
    ({"name": "loot.Q", "value": "1", "reason": "so"}, "name-error"),
    ({"name": "loot.B", "value": "many", "reason": "so"}, "value-error"),
    ({"name": "loot.B", "value": "0.5", "reason": "so"}, "value-error"),
    ({"name": "loot.B", "value": "1", "reason": " "}, "reason-error"),
    ({"name": "loot.B", "value": "1", "reason": "x" * 301}, "reason-error"),
]


@pytest.mark.parametrize(("given", "where"), REFUSED)
def test_what_cannot_be_adjusted_is_said_beside_its_field(
    given: dict[str, str], where: str
) -> None:
    made = campaign("atlantide", seats=3)
    zoe = browser(person("zoe"))
    response = adjusting(zoe, made, **given)
    assert response.status_code == 422 and not Proposal.objects.exists()
    (error,) = by_id(response, where)
    assert error.said.strip()
    if where != "name-error":
        (form,) = forms_to(response, way("adjust", made))
        kept = fields(form)
        assert [kept["name"], kept["value"]] == [given["name"], given["value"]], "nothing is lost"


def test_values_that_nobody_foresaw_are_refused() -> None:
    made = campaign("atlantide", seats=3)
    zoe = browser(person("zoe"))
    for value in ('{"a": [1]}', "[[1]]", '["A"]', "null", "1e400"):
        response = adjusting(zoe, made, name="loot.B", value=value, reason="so")
        assert response.status_code == 422
        response = adjusting(zoe, made, name="place.B", value=value, reason="so")
        assert response.status_code == 422


def test_nothing_is_adjusted_while_answers_are_sealed() -> None:
    made = campaign("atlantide", seats=3)
    zoe = browser(person("zoe"))
    seal_for(made, "A")
    response = adjusting(zoe, made, name="loot.B", value="7", reason="so")
    assert response.status_code == 422 and not Proposal.objects.exists()


def test_a_stale_preview_is_made_anew_and_not_entered() -> None:
    made = campaign("atlantide", seats=3)
    zoe = browser(person("zoe"))
    first = adjusting(zoe, made, name="loot.B", value="7", reason="one")["Location"]
    second = adjusting(zoe, made, name="loot.B", value="8", reason="two")["Location"]
    (stale,) = forms_to(zoe.get(second), second)
    confirmed(zoe, first)
    count = len(entries(made))
    response = zoe.post(second, {**fields(stale), "do": "confirm"})
    assert response.status_code == 409 and len(entries(made)) == count
    assert "The game has gone on since" in said(response)
    row = [e.said for e in page(response).all("del")]
    assert row == ["7"], "the difference is that of now"
    assert confirmed(zoe, second).status_code == 303
    assert len(entries(made)) == count + 1


def test_a_dropped_act_is_not_done() -> None:
    made = campaign("atlantide", seats=3)
    zoe = browser(person("zoe"))
    address = adjusting(zoe, made, name="loot.B", value="7", reason="one")["Location"]
    (form,) = forms_to(zoe.get(address), address)
    zoe.post(address, {**fields(form), "do": "drop"})
    count = len(entries(made))
    zoe.post(address, {**fields(form), "do": "confirm"})
    assert len(entries(made)) == count and "This act is dropped." in said(zoe.get(address))


# Correcting --------------------------------------------------------------------------------------


def corrected(client: Client, made: Campaign, key: str, **given: Any) -> Any:
    shown = client.get(way("correct", made), {"key": key})
    (form,) = forms_to(shown, way("correct", made))
    return client.post(way("correct", made), {**sent(form), **given})


def answered_battle() -> tuple[Campaign, str, Any]:
    """A battle whose first question is answered, who answered it, and its key."""
    made = campaign("batailles")
    with read_lock(made) as table:
        asked_now = [s for s in table.game.header.seats if table.game.requests(s)]
    seat = asked_now[0]
    key = asked(made, seat)
    for each in asked_now:
        seal_for(made, each)
    return made, seat, key


def test_an_answer_that_stands_is_corrected_in_its_own_form() -> None:
    made, seat, key = answered_battle()
    zoe = browser(person("zoe"))
    listed = said(zoe.get(way("corrections", made)))
    assert quote(key_text(key), safe="") in listed
    refused = corrected(zoe, made, key_text(key), do="seal", reason="")
    assert refused.status_code == 422 and by_id(refused, "reason-error")
    assert by_id(zoe.get(way("correct", made), {"key": key_text(key)}), "reason")
    looked = corrected(zoe, made, key_text(key), do="annul", reason="He meant another")
    assert looked.status_code == 303
    shown = said(zoe.get(looked["Location"]))
    assert "Will be asked again" in shown
    assert confirmed(zoe, looked["Location"]).status_code == 303
    act = next(each for each in entries(made) if isinstance(each, Replace))
    assert (act.key, act.annul, act.reason) == (key, True, "He meant another")
    assert asked(made, seat) == key, "it is asked again"


def test_lists_are_by_seat_and_turn() -> None:
    made, seat, _ = answered_battle()
    zoe = browser(person("zoe"))
    assert "Correct<" in said(zoe.get(way("corrections", made), {"of": seat}))
    assert "No answer to correct" in said(zoe.get(way("corrections", made), {"of": "Q"}))
    assert "No answer to correct" in said(zoe.get(way("corrections", made), {"turn": "99"}))
    assert zoe.get(way("corrections", made), {"from": "x" * 20}).status_code == 200


def test_what_was_answered_before_the_first_turn_is_told_so() -> None:
    made = campaign("atlantide", seats=3)
    for seat in "ABC":
        seal_for(made, seat)
    zoe = browser(person("zoe"))
    listed = page(zoe.get(way("corrections", made)))
    whens = {row.all("td")[1].said for row in listed.all("tr") if row.all("td")}
    assert whens == {"Setting up"}
    key = next(
        each.key for each in entries(made) if isinstance(each, Answer) and each.key.seat == "A"
    )
    assert "Setting up" in said(zoe.get(way("correct", made), {"key": key_text(key)}))


def test_what_is_sealed_is_not_in_the_list_and_cannot_be_asked_for() -> None:
    made = campaign("atlantide", seats=3)
    zoe = browser(person("zoe"))
    key = asked(made, "B")
    seal_for(made, "B")
    assert "No answer to correct" in said(zoe.get(way("corrections", made)))
    assert zoe.get(way("correct", made), {"key": key_text(key)}).status_code == 303
    assert zoe.post(way("correct", made), {"key": key_text(key), "do": "annul"}).status_code == 303
    assert not Proposal.objects.exists()


# Consent -----------------------------------------------------------------------------------------


def waiting_act(made: Campaign, value: str = "55") -> tuple[Client, Proposal]:
    """A playing umpire's adjustment, put to the others at a moment when nothing is sealed."""
    zoe = browser(person("zoe"))
    seal_for_zoe(made, "A")
    for seat in ("B", "C"):
        if made.seats.get(code=seat).bot == "":
            seal_for(made, seat)
    until_quiet(made)
    sent_on = adjusting(zoe, made, name="loot.B", value=value, reason="Forgotten loot")
    assert sent_on.status_code == 303
    assert confirmed(zoe, sent_on["Location"]).status_code == 303
    return zoe, Proposal.objects.get()


def test_the_act_of_a_playing_umpire_waits_for_another_seat() -> None:
    made = played()
    zoe, waiting = waiting_act(made)
    count = len(entries(made))
    assert waiting.put is not None and not waiting.entered
    mine = said(zoe.get(way("act", made, number=str(waiting.pk))))
    assert "Nothing changes in what you see" in mine, "B's loot is not for A's eyes"
    b, c = browser(person("b")), browser(person("c"))
    of_b, of_c = (said(w.get(way("seat", made, seat=s))) for w, s in ((b, "B"), (c, "C")))
    assert "Forgotten loot" in of_b and "Forgotten loot" in of_c
    assert '<ins class="after">55</ins>' in of_b and "55</ins>" not in of_c
    own = zoe.post(
        way("consent", made, seat="A", number=str(waiting.pk)),
        {"do": "consent", "number": str(count)},
    )
    assert own.status_code == 303 and len(entries(made)) == count, "his own seat does not consent"
    (form,) = forms_to(
        c.get(way("seat", made, seat="C")), way("consent", made, seat="C", number=str(waiting.pk))
    )
    stale = {**fields(form), "do": "consent", "number": str(count - 1)}
    c.post(way("consent", made, seat="C", number=str(waiting.pk)), stale)
    assert len(entries(made)) == count, "a difference that was not the one of now"
    for _ in range(2):
        c.post(form.attrs["action"], {**fields(form), "do": "consent"})
    assert [type(e) for e in entries(made)].count(Adjust) == 1
    waiting.refresh_from_db()
    assert waiting.entered and waiting.seat == "C"


def test_a_seat_refuses_and_nothing_is_done() -> None:
    made = played()
    _, waiting = waiting_act(made)
    address = way("consent", made, seat="B", number=str(waiting.pk))
    browser(person("b")).post(address, {"do": "refuse"})
    waiting.refresh_from_db()
    assert waiting.done is not None and not waiting.entered and waiting.seat == "B"
    browser(person("c")).post(
        way("consent", made, seat="C", number=str(waiting.pk)), {"do": "consent", "number": "1"}
    )
    assert not [e for e in entries(made) if isinstance(e, Adjust)]


def test_of_what_others_hide_a_playing_umpire_is_told_nothing_by_refusals() -> None:
    made = played()
    zoe = browser(person("zoe"))
    seal_for_zoe(made, "A")
    seal_for(made, "B")
    seal_for(made, "C")
    until_quiet(made)
    pages = []
    for unit in ("1", "999"):
        sent_on = adjusting(zoe, made, name=f"figures.B.{unit}", value="1", reason="so")
        assert sent_on.status_code == 303
        (main,) = page(zoe.get(sent_on["Location"])).all("main")
        assert f"B, {unit} = 1" in main.said
        pages.append(main.said.replace(f"B, {unit} = 1", ""))
    assert pages[0] == pages[1]
    further = zoe.get(way("adjust", made), {"kind": "figures.SEAT.NUMBER", "part": "B"})
    assert offered(further, "part-2") == {}, "pieces are secret: to be written"


def test_a_playing_umpire_corrects_his_own_answers_alone() -> None:
    made = played()
    zoe = browser(person("zoe"))
    seal_for_zoe(made, "A")
    key = asked(made, "B")
    seal_for(made, "B")
    seal_for(made, "C")
    until_quiet(made)
    listed = page(zoe.get(way("corrections", made)))
    (select,) = [e for e in listed.all("select") if e.attrs["name"] == "of"]
    assert {e.attrs["value"] for e in select.all("option")} <= {"", "A", UMPIRE}
    assert zoe.get(way("correct", made), {"key": key_text(key)}).status_code == 303


def test_alone_among_programs_an_umpire_confirms_himself() -> None:
    made = played(others=0)
    zoe = browser(person("zoe"))
    sent_on = adjusting(zoe, made, name="loot.A", value="55", reason="so")
    assert confirmed(zoe, sent_on["Location"]).status_code == 303
    assert [e.value for e in entries(made) if isinstance(e, Adjust)] == [55]


# The end -----------------------------------------------------------------------------------------


def test_the_end_is_declared() -> None:
    made = campaign("atlantide", seats=3)
    zoe = browser(person("zoe"))
    (form,) = forms_to(zoe.get(way("end", made)), way("end", made))
    given = {**fields(form), "winner": ["A", "C"], "reason": "The club has moved"}
    sent_on = zoe.post(way("end", made), given)
    assert sent_on.status_code == 303
    assert "The game is over after this act." in said(zoe.get(sent_on["Location"]))
    confirmed(zoe, sent_on["Location"])
    made.refresh_from_db()
    assert made.stage == "over"
    with read_lock(made) as table:
        assert table.game.system.standing(table.game.state).winners == ("A", "C")
    response = adjusting(zoe, made, name="loot.B", value="7", reason="so")
    assert response.status_code == 422, "nothing is changed after the end"


def test_one_winner_is_chosen_where_there_is_one() -> None:
    made = campaign("batailles")
    zoe = browser(person("zoe"))
    (form,) = forms_to(zoe.get(way("end", made)), way("end", made))
    lacking = zoe.post(way("end", made), {**fields(form), "winner": [], "reason": "so"})
    assert lacking.status_code == 422 and by_id(lacking, "winner-error")
    assert led_to(lacking) == ["winner"]
    sent_on = zoe.post(way("end", made), {**fields(form), "winner": "a", "reason": "so"})
    confirmed(zoe, sent_on["Location"])
    made.refresh_from_db()
    assert made.stage == "over"
    assert zoe.get(way("adopt", made)).status_code == 404, "there is no newer edition"


def test_acts_are_looked_at_by_who_proposed_them() -> None:
    made = campaign("atlantide", seats=3)
    zoe = browser(person("zoe"))
    address = adjusting(zoe, made, name="loot.B", value="7", reason="one")["Location"]
    from polemarque.club.models import Umpire

    Umpire.objects.create(campaign=made, person=person("yves"))
    yves = browser(person("yves"))
    assert yves.get(address).status_code == 404
    assert yves.post(address, {"do": "confirm", "number": "1"}).status_code == 404
    for who in ("a", "stranger"):
        assert browser(person(who)).get(address).status_code == 404
        assert browser(person(who)).post(address, {"do": "drop"}).status_code == 404
    number = address.rstrip("/").rpartition("/")[2]
    assert (
        browser(person("b")).post(way("consent", made, seat="B", number=number)).status_code == 404
    ), "it was not put to anybody"


def test_a_corrected_answer_is_told_in_words() -> None:
    made = campaign("atlantide", seats=3)
    zoe = person("zoe")
    key, other = asked(made, "A"), some_answer(made, "A", 5)
    for seat in ("A", "B", "C"):
        seal_for(made, seat)
    act = propose(visit_of(made, zoe), Replace(key, reason="a slip", value=other), "x")
    shown = unescape(said(browser(zoe).get(way("act", made, number=str(act.pk)))))
    then = as_then(visit_of(made, zoe), key)
    assert isinstance(then.asked, Request)
    with read_lock(made) as table:
        words = words_of(visit_of(made, zoe), table, "en")
    words.turn_to(then.game, key)
    rows = answer_rows(then.asked.options("A"), other, words)
    assert len(rows) > 1
    for label, value in rows:
        assert f"{label}: {value}" in shown
