"""The umpire's desk: the late, the absent, acts that are looked at first, who may do what."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from polemarque.bridges.tabletop import blank
from polemarque.club.campaigns.question_keys import key_text
from polemarque.club.campaigns.session import read_lock, write_lock
from polemarque.club.clock.deadlines import overdue
from polemarque.club.models import Campaign, Lapse, Person, Proposal, Reminder
from polemarque.club.people.roles import visit_of
from polemarque.club.umpire.dashboard import may_answer_absent
from polemarque.kernel.records.record import Adjust, Answer, Replace
from tests.club.people import asked, battle_on_the_table, campaign, kept, person
from tests.club.test_physical_dice import battle as two_at_the_table
from tests.club.test_umpire_acts import typed
from tests.web.browser import sent
from tests.web.desks import (
    confirmed,
    entries,
    fields,
    forms_to,
    late,
    played,
    seal_for,
    seal_for_zoe,
    table_text,
)
from tests.web.people import browser, by_id, everything, page, said, way

pytestmark = pytest.mark.django_db


# Who is late -------------------------------------------------------------------------------------


def test_the_four_states_are_told_apart() -> None:
    made = campaign("atlantide", seats=3)
    zoe = browser(person("zoe"))
    before = table_text(zoe.get(way("desk", made)))
    assert before.count("nothing is given") == 3 and "given, may still change" not in before
    seal_for(made, "B")
    after = table_text(zoe.get(way("desk", made)))
    assert after.count("nothing is given") == 2 and after.count("given, may still change") == 1
    lone = campaign("batailles")
    shown = table_text(zoe.get(way("desk", lone)))
    with read_lock(lone) as table:
        idle = [seat for seat in table.game.header.seats if not table.game.requests(seat)]
    assert shown.count("nothing is asked") == len(idle)


def test_a_sealed_answer_of_a_playing_umpire_is_final() -> None:
    made = played()
    seal_for_zoe(made, "A")
    shown = table_text(browser(person("zoe")).get(way("desk", made)))
    assert shown.count("given, final") == 1 and shown.count("nothing is given") == 2


def test_a_seat_is_reminded_once_and_sees_it() -> None:
    made = campaign("atlantide", seats=3)
    ana = person("b")
    Person.objects.filter(pk=ana.pk).update(email="b@example.org", lang="en")
    zoe = browser(person("zoe"))
    address = way("desk_remind", made, seat="B")
    assert len(forms_to(zoe.get(way("desk", made)), address)) == 1
    for _ in range(2):
        assert zoe.post(address).status_code == 303
    assert Reminder.objects.count() == 1 and len(mail.outbox) == 1
    assert mail.outbox[0].to == ["b@example.org"]
    assert way("seat", made, seat="B") in mail.outbox[0].body
    shown = said(zoe.get(way("desk", made)))
    assert "reminded already" in shown and not forms_to(zoe.get(way("desk", made)), address)
    mine = browser(ana)
    assert "your answer is awaited" in said(mine.get(way("seat", made, seat="B")))
    assert "The umpire reminds you." in said(mine.get("/"))
    other = browser(person("c"))
    assert "your answer is awaited" not in said(other.get(way("seat", made, seat="C")))
    seal_for(made, "B")
    assert "your answer is awaited" not in said(mine.get(way("seat", made, seat="B")))
    zoe.post(address)
    assert Reminder.objects.count() == 1 and "owes nothing" in said(zoe.get(way("desk", made)))


def test_no_program_and_no_strange_seat_is_reminded() -> None:
    made = campaign("atlantide", seats=3, held=1)
    zoe = browser(person("zoe"))
    for seat in ("B", "Q"):
        zoe.post(way("desk_remind", made, seat=seat))
    assert not Reminder.objects.exists()


def paced(made: Campaign) -> int:
    """Its hours for each question, as they are kept."""
    return Campaign.objects.get(pk=made.pk).pace


def test_more_hours_are_an_extension_for_what_is_open() -> None:
    made = campaign("atlantide", seats=3)
    Campaign.objects.filter(pk=made.pk).update(pace=24)
    late(made)
    zoe = browser(person("zoe"))
    address = way("desk_pace", made)
    assert "late" in table_text(zoe.get(way("desk", made)))
    told = zoe.post(address, {"pace": "800"}, follow=True)
    assert "800 hours for each question" in said(told)
    assert paced(made) == 800 and "late" not in table_text(told)
    for wrong in ("", "-1", "2.5", "9000", "soon"):
        refused = zoe.post(address, {"pace": wrong}, follow=True)
        assert "a whole number of hours, 0-8760" in said(refused) and paced(made) == 800
    zoe.post(address, {"pace": "12"})
    assert paced(made) == 12
    zoe.post(address, {"pace": "0"})
    assert paced(made) == 0


def test_an_umpire_who_plays_gives_more_time_and_takes_none_away() -> None:
    made = played()
    Campaign.objects.filter(pk=made.pk).update(pace=24)
    zoe = browser(person("zoe"))
    refused = zoe.post(way("desk_pace", made), {"pace": "23"}, follow=True)
    assert "than the 24 hours there are" in said(refused) and paced(made) == 24
    zoe.post(way("desk_pace", made), {"pace": "48"})
    assert paced(made) == 48
    # Without a limit he could act for the absent at once.
    zoe.post(way("desk_pace", made), {"pace": "0"})
    assert paced(made) == 48


@pytest.mark.parametrize(("lang", "words"), [("en", "168 hours or more"), ("fr", "de 168 heures")])
def test_a_first_limit_of_an_umpire_who_plays_is_a_week_and_counts_from_then(
    lang: str, words: str
) -> None:
    made = played()
    seal_for_zoe(made, "A")
    late(made, 10_000)
    zoe, address = browser(person("zoe"), lang=lang), way("desk_pace", made)
    assert words in said(zoe.get(way("desk", made)))
    assert words in said(zoe.post(address, {"pace": "167"}, follow=True)) and paced(made) == 0
    zoe.post(address, {"pace": "168"})
    assert paced(made) == 168
    made.refresh_from_db()
    key = asked(made, "B")
    assert not overdue(made, [key]), "it has been open for longer, without a limit"
    visit = visit_of(made, person("zoe"))
    assert not may_answer_absent(visit, key)
    made.paced -= timedelta(hours=168)
    assert overdue(made, [key]) and may_answer_absent(replace(visit, campaign=made), key)
    zoe.post(address, {"pace": "200"})
    assert Campaign.objects.get(pk=made.pk).paced == made.paced + timedelta(hours=168)


# The absent --------------------------------------------------------------------------------------


def absent_form(client: Client, made: Campaign, seat: str) -> Any:
    key = key_text(asked(made, seat))
    return client.get(way("desk_absent", made), {"key": key})


def test_what_is_answered_for_the_absent_is_said_and_then_done_once() -> None:
    made = campaign("batailles")
    zoe = browser(person("zoe"))
    with read_lock(made) as table:
        (seat,) = [s for s in table.game.header.seats if table.game.requests(s)][:1]
        request = table.game.requests(seat)[0]
        key, law = request.keys[seat], request.absent(seat)
    shown = absent_form(zoe, made, seat)
    assert shown.status_code == 200 and "What will be answered" in said(shown)
    (form,) = forms_to(shown, way("desk_absent", made))
    count = len(entries(made))
    assert zoe.post(way("desk_absent", made), fields(form)).status_code == 303
    entered = entries(made)[count]
    assert isinstance(entered, Answer)
    assert (entered.key, entered.by) == (key, "absent")
    assert entered.value == (tuple(law) if isinstance(law, list) else law)
    after = len(entries(made))
    assert zoe.post(way("desk_absent", made), fields(form)).status_code == 303
    assert len(entries(made)) == after, "the same filled form, sent again"


def test_nothing_is_done_for_a_seat_that_has_answered() -> None:
    made = campaign("atlantide", seats=3)
    zoe = browser(person("zoe"))
    (form,) = forms_to(absent_form(zoe, made, "B"), way("desk_absent", made))
    seal_for(made, "B")
    before = len(entries(made))
    zoe.post(way("desk_absent", made), fields(form))
    assert len(entries(made)) == before
    assert "owes nothing" in said(zoe.get(way("desk", made)))
    assert zoe.get(way("desk_absent", made), {"key": "nonsense"}).status_code == 303


# An umpire who plays -----------------------------------------------------------------------------


def test_a_playing_umpire_knows_nothing_before_he_has_sealed() -> None:
    made = played()
    zoe = browser(person("zoe"))
    before = said(zoe.get(way("desk", made)))
    assert "seal your own answer first" in before
    seal_for(made, "B")
    assert table_text(zoe.get(way("desk", made))).count("given") == 1, "his own row alone"
    key = key_text(asked(made, "C"))
    assert zoe.get(way("desk_absent", made), {"key": key}).status_code == 303
    count = len(entries(made))
    zoe.post(way("desk_absent", made), {"key": key, "once": "x"})
    zoe.post(way("desk_remind", made, seat="C"))
    assert len(entries(made)) == count and not Reminder.objects.exists()


OF_ITS_OWN = re.compile(r'name="(once|csrfmiddlewaretoken)" value="[^"]*"|/act/\d+/|nonce="[^"]*"')


def test_whoever_seals_changes_no_byte_of_a_blind_desk() -> None:
    made = played()
    zoe = browser(person("zoe"))

    def read() -> list[str]:
        act = {
            "name": "loot.B",
            "value": "3",
            "reason": "so",
            "once": str(Proposal.objects.count()),
        }
        pages = [zoe.get(way(name, made)) for name in ("desk", "adjust", "end", "corrections")]
        pages.append(zoe.post(way("adjust", made), act))
        pages.append(zoe.get(pages[-1]["Location"]))
        return [OF_ITS_OWN.sub("", f"{each.status_code} {said(each)}") for each in pages]

    before = read()
    assert "once the umpire who plays has sealed" in before[-1]
    seal_for(made, "B")
    assert read() == before


def test_a_playing_umpire_waits_until_the_absent_is_late_and_is_told_no_secret() -> None:
    made = played(pace=24)
    zoe = browser(person("zoe"))
    seal_for_zoe(made, "A")
    count = len(entries(made))
    zoe.post(way("desk_absent", made), {"key": key_text(asked(made, "C")), "once": "x"})
    assert len(entries(made)) == count
    late(made)
    shown = absent_form(zoe, made, "C")
    assert "is not shown to you" in said(shown) and "<dl>" not in said(shown)
    (form,) = forms_to(shown, way("desk_absent", made))
    zoe.post(way("desk_absent", made), fields(form))
    entered = entries(made)[count]
    assert isinstance(entered, Answer) and (entered.key.seat, entered.by) == ("C", "absent")


# The table ---------------------------------------------------------------------------------------


def test_dice_of_the_table_are_typed_beside_what_they_are_for() -> None:
    made = typed()
    zoe, ana = browser(person("zoe")), browser(person("a"))
    shown = zoe.get(way("desk", made))
    (form, *_) = forms_to(shown, way("desk_dice", made))
    count = len(entries(made))
    wrong = zoe.post(way("desk_dice", made), {**fields(form), "dice": "9 9 9"})
    assert wrong.status_code == 422 and by_id(wrong, "dice-error") and len(entries(made)) == count
    with read_lock(made) as table:
        throw = table.game.throws()[0]
    faces = " ".join(["2"] * throw.roll.count)
    for who, status in ((ana, 404), (zoe, 303), (zoe, 303)):
        done = who.post(way("desk_dice", made), {**fields(form), "dice": faces})
        assert done.status_code == status
    rolled = [e for e in entries(made) if isinstance(e, Answer) and e.key == throw.key]
    assert [each.value for each in rolled] == [(2,) * throw.roll.count]
    with write_lock(made) as table:
        table.game.enter(Replace(throw.key, "off the table", annul=True))
        assert table.game.runner.found(throw.key)
    stale = zoe.post(way("desk_dice", made), {**fields(form), "dice": faces})
    assert stale.status_code == 303 and stale["Location"] == way("desk", made)


def test_a_seat_types_its_dice_and_its_opponent_confirms_them() -> None:
    made, throw = two_at_the_table()
    ana, ben, zoe = [browser(person(name)) for name in ("a", "b", "zoe")]
    mine, his = [way("dice", made, seat=seat) for seat in "AB"]
    (form,) = forms_to(ana.get(way("seat", made, seat="A")), mine)
    wrong = ana.post(mine, {**fields(form), "dice": "9 9 9"})
    assert wrong.status_code == 422 and by_id(wrong, "dice-error")
    count = len(entries(made))
    assert ana.post(mine, {**fields(form), "dice": f"{throw.roll.count}x2"}).status_code == 303
    assert len(entries(made)) == count, "nobody's own word is enough"
    faces = " ".join(["2"] * throw.roll.count)
    assert f"You have thrown: {faces}." in said(ana.get(way("seat", made, seat="A")))
    shown = ben.get(way("seat", made, seat="B"))
    assert f"has thrown: {faces}" in said(shown)
    (word,) = forms_to(shown, his)
    assert forms_to(zoe.get(way("desk", made)), way("desk_dice", made)), "or the umpire does"
    assert ana.post(mine, {**fields(word), "do": "confirm"}).status_code == 303
    assert len(entries(made)) == count, "not the one who threw them"
    assert ben.post(his, {**fields(word), "do": "confirm"}).status_code == 303
    (rolled,) = [e for e in entries(made) if isinstance(e, Answer) and e.key == throw.key]
    assert (rolled.value, rolled.by) == ((2,) * throw.roll.count, "B")
    assert "1 roll on the word of" in said(ana.get(way("trust", made)))


def test_a_seat_that_throws_or_confirms_is_told_so_first() -> None:
    made, throw = two_at_the_table()
    ana, ben = browser(person("a")), browser(person("b"))

    def asked_of(client: Client, seat: str) -> tuple[list[str], str]:
        shown = page(client.get(way("seat", made, seat=seat)))
        to_do = [p.said for p in shown.all("p") if p.attrs.get("class") == "to-do"]
        (heading,) = [h.said for h in shown.all("h2") if h.attrs.get("id") == "asked-title"]
        return to_do, heading

    only = "Only dice are asked of you"
    assert throw.key.rule == "BC-2.1/score"
    assert asked_of(ana, "A") == (["Dice to throw: Battle score"], only)
    (form,) = forms_to(ana.get(way("seat", made, seat="A")), way("dice", made, seat="A"))
    (hint,) = re.findall(r"for instance ([0-9x ]+)\.", form.said)
    assert len(hint.split()) == throw.roll.count, "a die each, as they lie on the table"
    ana.post(way("dice", made, seat="A"), {**fields(form), "dice": hint})
    assert asked_of(ana, "A") == ([], "Nothing is asked of you")
    assert asked_of(ben, "B") == (["Dice to confirm: Battle score"], only)


def test_the_umpire_answers_what_the_rules_ask_him_by_the_same_door() -> None:
    game = battle_on_the_table()
    ((brief, runner),) = game.runner.branches
    attacker, defender = brief.sides
    game.answer(attacker.seat, blank(brief) | {"result": "attacker"})
    game.answer(defender.seat, blank(brief) | {"result": "defender"})
    made = kept(game)
    zoe = browser(person("zoe"))
    shown = zoe.get(way("desk", made))
    assert said(shown).count("Sheet returned by") == 2
    (rows,) = [e.all("tr") for e in page(shown).all("table") if "Sheet returned by" in e.said]
    assert [[cell.said for cell in row.all("td")] for row in rows[1:]] == [
        ["the attacker won", "the defender won"]
    ], "only what differs"
    (form,) = forms_to(shown, way("desk_answer", made))
    named = next(name for name in sent(form) if name.endswith("/sheet"))
    once = {**fields(form), named: "defender", "do": "seal"}
    for _ in range(2):
        assert zoe.post(way("desk_answer", made), once).status_code == 303
    judged = [e for e in entries(made) if isinstance(e, Answer) and e.key.rule == "PA-2/umpire"]
    assert [(e.key.path, e.value) for e in judged] == [(runner.path, {"sheet": "defender"})]
    nobody = browser(person("a")).post(way("desk_answer", made), {**fields(form), named: "own"})
    assert nobody.status_code == 404


def test_a_result_is_filled_in_as_a_return_sheet_and_looked_at() -> None:
    made = kept(battle_on_the_table())
    zoe = browser(person("zoe"))
    desk = zoe.get(way("desk", made))
    (link,) = [a.attrs["href"] for a in page(desk).all("a") if "/desk/result/" in a.attrs["href"]]
    assert zoe.get(way("desk_papers", made)).status_code == 200
    assert "Enter the result" in said(desk)
    (form,) = forms_to(zoe.get(link), way("result", made))
    given = fields(form)
    worked = zoe.post(way("result", made), {**given, "do": "work"})
    assert worked.status_code == 200 and not by_id(worked, "reason-error")
    lacking = zoe.post(way("result", made), {**given, "do": "seal", "reason": ""})
    assert lacking.status_code == 422 and by_id(lacking, "reason-error")
    named = next(name for name in given if name.endswith("/result"))
    assert not given[named], "a winner is proposed"
    sent_on = zoe.post(
        way("result", made), {**given, named: "attacker", "do": "seal", "reason": "Seen by all"}
    )
    assert sent_on.status_code == 303
    confirmed(zoe, sent_on["Location"])
    (act,) = [e for e in entries(made) if isinstance(e, Adjust)]
    assert act.name == "result" and act.value["result"] == "attacker" and act.path
    nowhere = zoe.get(way("result", made), {"path": act.path})
    assert nowhere.status_code == 303


def test_a_return_sheet_is_a_table_a_side_with_totals() -> None:
    """Without scripts too: what was typed is counted when the sheet is worked out."""
    game = battle_on_the_table()
    ((brief, _),) = game.runner.branches
    side = brief.sides[0]
    unit = max(side.units, key=lambda each: each.figures)
    began = sum(each.figures for each in side.units)
    made = kept(game)
    zoe = browser(person("zoe"))
    (link,) = [a.attrs["href"] for a in page(zoe.get(way("desk", made))).all("a")
               if "/desk/result/" in a.attrs["href"]]  # fmt: skip
    given = fields(forms_to(zoe.get(link), way("result", made))[0])
    killed = next(name for name in given if name.endswith(f"/killed.{side.seat}.{unit.id}"))
    lost = unit.figures - 1
    worked = page(zoe.post(way("result", made), {**given, killed: str(lost), "do": "work"}))
    tables = [e for e in worked.all("table") if e.attrs.get("id", "").endswith(f"-{side.seat}")]
    (row,) = [e for e in tables[0].all("tr") if any(i.attrs.get("name") == killed
                                                    for i in e.all("input"))]  # fmt: skip
    cells = [each.said for each in row.all("td")]
    assert cells[:2] == [unit.id, str(unit.figures)] and cells[-1] == "1"
    (total,) = [e for e in tables[0].all("tr") if e.attrs.get("class") == "total"]
    assert [each.said for each in total.all("td")] == [
        "", str(began), str(lost), "0", str(began - lost)
    ]  # fmt: skip
    endless = zoe.post(way("result", made), {**given, killed: "9" * 5000, "do": "work"})
    assert endless.status_code < 500, "a number of any length"
    many = {**given, killed: str(unit.figures + 1), "do": "seal"}
    refused = zoe.post(way("result", made), many)
    assert refused.status_code == 422
    (error,) = [e.said for e in everything(page(refused)) if e.attrs.get("id") == f"{killed}-error"]
    assert str(unit.figures) in error
    answer = way("seat", made, seat=side.seat)
    theirs = page(browser(person(side.seat.lower())).get(answer))
    assert [e for e in theirs.all("table") if e.attrs.get("id", "").endswith(f"-{side.seat}")]


def test_a_result_is_foreseen_in_words() -> None:
    """Who wins, what the sheet says each side lost, and what the rules give back."""
    game = battle_on_the_table()
    ((brief, _),) = game.runner.branches
    side = brief.sides[0]
    unit = max(side.units, key=lambda each: each.figures)
    made = kept(game)
    zoe = browser(person("zoe"))
    (link,) = [a.attrs["href"] for a in page(zoe.get(way("desk", made))).all("a")
               if "/desk/result/" in a.attrs["href"]]  # fmt: skip
    given = fields(forms_to(zoe.get(link), way("result", made))[0])
    named = {name.rpartition("/")[2]: name for name in given}
    put = zoe.post(way("result", made), {
        **given, named[f"killed.{side.seat}.{unit.id}"]: "5", named["result"]: "attacker",
        "do": "seal",
    })  # fmt: skip
    told = said(zoe.get(put["Location"]))
    name = unit.names["en"]
    assert f"loses 5 {name[:1].lower()}{name[1:]}" in told and " wins." in told
    assert "lost 5 figures and gets back" in told
    assert "killed." not in told


def test_papers_are_there_only_while_a_battle_is() -> None:
    made = campaign("batailles")
    assert browser(person("zoe")).get(way("desk_papers", made)).status_code == 404
    waits = kept(battle_on_the_table())
    zoe = browser(person("zoe"))
    plain = zoe.get(way("desk_papers", waits), {"format": "text"})
    assert plain["Content-Type"].startswith("text/plain")


@pytest.mark.parametrize(
    ("lang", "mark"), [("fr", "Pour l’arbitre seul"), ("en", "For the umpire only")]
)
def test_papers_say_in_their_first_line_for_whom_they_are(lang: str, mark: str) -> None:
    """They hold both armies; an umpire who plays has those of their own battles, without it."""
    waits = kept(battle_on_the_table())
    for playing in (False, True):
        if playing:
            waits.seats.get(code="A").holders.update(person=person("zoe"))
        taken = browser(person("zoe"), lang).get(way("desk_papers", waits), {"format": "text"})
        head = taken.content.decode().splitlines()[0]
        assert head.startswith(mark) is not playing, head


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_desk_is_in_the_reader_s_language(lang: str) -> None:
    made = campaign("atlantide", seats=3)
    zoe = browser(person("zoe"), lang)
    heading = {"fr": "Table de l’arbitre", "en": "The umpire’s desk"}[lang]
    assert heading in said(zoe.get(way("desk", made)))
    for name in ("adjust", "end", "corrections"):
        assert zoe.get(way(name, made)).status_code == 200


# Who may open it ---------------------------------------------------------------------------------

DOORS = ["desk", "desk_absent", "adjust", "end", "corrections", "correct", "result", "desk_papers"]
SENT = ["desk_absent", "desk_answer", "desk_dice", "adjust", "end", "correct", "result"]


@pytest.mark.parametrize("name", sorted({*DOORS, *SENT}))
def test_the_desk_is_for_umpires(name: str) -> None:
    made = campaign("batailles")
    for who in (person("a"), person("stranger")):
        assert browser(who).get(way(name, made)).status_code in (404, 405)
        assert browser(who).post(way(name, made)).status_code in (404, 405)
    assert browser().post(way(name, made)).status_code in (302, 405)
    forged = browser(person("zoe"), enforce_csrf_checks=True)
    assert forged.post(way(name, made), {"once": "x"}).status_code in (403, 405)


def test_a_program_that_did_not_answer_is_told_of_once_the_umpire_has_sealed() -> None:
    made = played()
    Lapse.objects.create(campaign=made, seat="C", program="random", why="slow", by="steady",
                         number=1)  # fmt: skip
    Lapse.objects.create(campaign=made, seat="C", program="steady", why="ended", number=2)
    zoe = browser(person("zoe"))
    assert "did not answer" not in said(zoe.get(way("desk", made)))
    seal_for_zoe(made, "A")
    shown = said(zoe.get(way("desk", made)))
    assert "the random one did not answer (it took too long); the steady one answered" in shown
    assert "(its process ended); the rules answered as for an absent player" in shown


def test_papers_of_a_battle_are_printed_where_typst_is() -> None:
    pytest.importorskip("typst")
    made = kept(battle_on_the_table())
    zoe = browser(person("zoe"))
    assert "?format=pdf" in said(zoe.get(way("desk_papers", made)))
    printed = zoe.get(way("desk_papers", made), {"format": "pdf"})
    assert printed["Content-Type"] == "application/pdf" and printed.content.startswith(b"%PDF-")
