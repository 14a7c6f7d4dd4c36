"""Chapter AT-4: offers, answers, payments, secrets, and agreements broken (AT-4.1 to AT-4.5)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from polemarque.systems.atlantide.agreements import FORBIDDEN
from polemarque.systems.atlantide.state import Waiting
from tests.systems.atlantide.table import Table
from tests.systems.atlantide.wars import agreed, army, chosen, owned, slingers, war

NOTHING = {"end": "no", "to": ()}
PASSAGE = {
    "kind.B": "passage", "role.B": "grant", "places.B": ("m2",), "peace.B": "no", "price.B": 0,
    "known.B": "secret", "until.B": 1,
}  # fmt: skip


def three(**loot):
    state = war(A="m2", B="a2", C="e2")
    for seat, amount in loot.items():
        state = state.changed(seat, loot=amount)
    return state


def offer(**parts):
    return {"end": "no", "to": ("B",), **PASSAGE, **{f"{k}.B": v for k, v in parts.items()}}


def loot_offer(role="grant", price=40, known="secret"):
    parts = {"kind.B": "loot", "role.B": role, "price.B": price, "known.B": known}
    return {"end": "no", "to": ("B",), **parts}


def offered(sheet, state=None):
    table = Table(state or three(), ("AT-4/phase",))
    table.say("A", sheet)
    return table.silent(*table.request.missing)


def accepted(sheet, state=None):
    table = offered(sheet, state).say("B", {"offer.A": "accept"})
    return table.silent(*table.request.missing)


# Offers ------------------------------------------------------------------------------------------


def test_AT_4_1_an_agreement_is_offered_and_accepted():
    table = accepted(offer())
    (made,) = table.war.agreements
    assert (made.kind, made.grantor, made.beneficiary) == ("passage", "A", "B")
    assert made.territories == ("m2",) and made.last_turn == 1 and not made.public
    assert table.over and table.war.proposals == ()
    assert table.war.row("A").diplomacy == ("agreed:passage:B",)
    assert table.war.row("B").diplomacy == ("agreed:passage:A",)


def test_AT_4_1_one_who_asks_is_the_beneficiary():
    (made,) = accepted(offer(role="ask")).war.agreements
    assert (made.grantor, made.beneficiary) == ("B", "A")


def test_AT_4_1_a_refused_offer_leaves_nothing():
    table = offered(offer()).silent()
    assert table.over and table.war.agreements == () and table.war.talked
    assert table.told("AT-4.4", "declined")[0]["why"] == "declined"


def test_AT_4_1_without_an_offer_there_is_no_second_step():
    table = Table(three(), ("AT-4/phase",)).silent()
    assert table.over and not table.war.talked


@pytest.mark.parametrize(
    ("parts", "kind"),
    [
        ({"kind": "supply", "peace": None}, "supply"),
        ({"kind": "stationing", "peace": "yes"}, "stationing"),
        ({"kind": "tax", "places": ("a1",), "peace": None}, "tax"),
        ({"kind": "text", "words": "Amis", "places": None, "peace": None}, "text"),
    ],
)
def test_AT_4_1_every_kind_can_be_agreed(parts, kind):
    sheet = {part: value for part, value in offer(**parts).items() if value is not None}
    (made,) = accepted(sheet).war.agreements
    assert made.kind == kind
    assert made.peace == (kind == "stationing")


def test_AT_4_1_taxes_are_tolerated_on_the_beneficiarys_land_only():
    table = Table(three(), ("AT-4/phase",))
    refusal = table.refused("A", offer(kind="tax"))
    assert refusal.data["in_part"] == "places.B" and "a1" in refusal.legal


def test_AT_4_1_loot_for_an_advantage_is_public():
    sheet = offer(role="ask", price=40)
    refusal = Table(three(), ("AT-4/phase",)).refused("A", sheet)
    assert refusal.code == "agreement.must_be_public" and refusal.rule == "AT-4.1"
    table = accepted(offer(role="ask", price=40, known="public"))
    assert table.event("AT-4.5", "agreed").audience is None
    assert table.war.loot("A") == 210 and table.war.loot("B") == 290


@pytest.mark.parametrize("kind", FORBIDDEN)
def test_AT_4_2_what_is_against_the_rules_is_refused_with_the_reason(kind):
    refusal = Table(three(), ("AT-4/phase",)).refused("A", offer(kind=kind))
    assert refusal.rule == "AT-4.2" and refusal.code == f"agreement.{kind}"


def test_AT_2_4_an_absent_player_agrees_to_nothing():
    table = Table(three().changed("B", absent=True), ("AT-4/phase",))
    assert table.request.seats == ("A", "C")
    assert table.refused("A", offer()).legal == ("C",)


def test_AT_4_1_a_seat_alone_is_not_asked():
    state = three().changed("B", eliminated=1).changed("C", eliminated=1)
    assert Table(state, ("AT-4/phase",)).over


# Payments ----------------------------------------------------------------------------------------


def test_AT_4_4_a_transfer_happens_when_both_have_agreed():
    table = accepted(loot_offer())
    assert (table.war.loot("A"), table.war.loot("B")) == (210, 290)
    assert table.war.agreements == () and table.event("AT-4.5", "agreed").audience == ("A", "B")


def test_AT_4_4_nobody_offers_what_he_lacks():
    refusal = Table(three(A=30), ("AT-4/phase",)).refused("A", loot_offer(price=31))
    assert refusal.code == "answer.amount"
    refusal = Table(three(A=0), ("AT-4/phase",)).refused("A", loot_offer())
    assert (refusal.code, refusal.rule) == ("agreement.loot", "AT-4.4")


def test_AT_4_4_nobody_accepts_to_pay_what_he_lacks():
    table = offered(loot_offer("ask", 100), three(B=99))
    refusal = table.refused("B", {"offer.A": "accept"})
    assert (refusal.code, refusal.rule) == ("agreement.loot", "AT-4.4")


def test_AT_4_4_what_one_has_offered_oneself_is_held_back():
    state = three(A=100)
    table = Table(state, ("AT-4/phase",)).say("A", loot_offer(price=60))
    demand = {"kind.A": "loot", "role.A": "ask", "price.A": 50, "known.A": "secret"}
    table.say("B", NOTHING).say("C", {"end": "no", "to": ("A",), **demand})
    assert table.refused("A", {"offer.C": "accept"}).code == "agreement.loot"


def test_AT_4_4_a_budget_runs_through_the_sheet():
    table = Table(three(A=100), ("AT-4/phase",))
    both = loot_offer(price=60) | {
        "to": ("B", "C"), "kind.C": "loot", "role.C": "grant", "price.C": 41, "known.C": "secret"
    }  # fmt: skip
    assert table.refused("A", both).data["in_part"] == "price.C"


# Secrets -----------------------------------------------------------------------------------------


def test_AT_2_3_a_secret_agreement_is_told_to_both_parties_alone():
    table = accepted(offer())
    assert {e.audience for e in table.events if e.rule in ("AT-4.1", "AT-4.5")} == {("A", "B")}
    with_it, without = table.seen_by("C"), offered(offer()).silent().seen_by("C")
    assert with_it == without


def test_AT_2_3_an_offer_is_seen_by_both_parties_alone():
    passage, payment = offered(offer()), offered(loot_offer())
    assert passage.seen_by("C") == payment.seen_by("C")
    assert passage.seen_by("B") != payment.seen_by("B")


@pytest.mark.parametrize(
    ("what", "figures"),
    [("loot", {"loot": 270}), ("army", {"profiles": ["general", "spearmen"], "figures": [1, 20],
      "points": 275}), ("waiting", {"profiles": [], "figures": [], "points": 0}),
     ("agreements", {"kinds": ["tax"], "others": ["C"]})],
)  # fmt: skip
def test_AT_2_3_intelligence_shows_one_private_thing_to_its_buyer(what, figures):
    sheet = {"break": (), "end": "no", "to": ("B",), "kind.B": "intelligence", "role.B": "grant",
             "shows.B": what, "price.B": 20, "known.B": "public"}  # fmt: skip
    table = accepted(sheet, agreed(three(), "tax", "A", "C", "e1"))
    shown = table.event("AT-2.3", what)
    assert shown.audience == ("B",)
    assert {name: shown.data[name] for name in figures} == figures
    assert table.war.loot("A") == 270


# Breaking ----------------------------------------------------------------------------------------


def test_AT_4_3_either_party_breaks_and_the_other_hears_of_it():
    state = replace(agreed(three(), "passage", "A", "B", "m2"), talked=True, phase="movement")
    for breaker, other in (("A", "B"), ("B", "A")):
        table = Table(state, ("AT-4.3",)).say(breaker, {"break": (1,)})
        table.silent(*table.request.missing)
        assert table.over and table.war.agreements == ()
        event = table.event("AT-4.3", "broken")
        assert event.audience == ("A", "B") and event.data["other"] == other
        assert table.war.row(other).diplomacy == (f"broken:passage:{breaker}",)


def test_AT_4_3_all_hear_of_a_public_agreement_broken():
    state = replace(agreed(three(), "passage", "A", "B", "m2", public=True), talked=True)
    table = Table(replace(state, phase="movement"), ("AT-4.3",)).say("A", {"break": [1]})
    table.silent("B", "C")
    assert table.event("AT-4.3", "broken").audience is None


def test_AT_4_3_both_may_break_it_at_once():
    state = replace(agreed(three(), "passage", "A", "B", "m2"), talked=True, phase="movement")
    table = Table(state, ("AT-4.3",)).say("A", {"break": (1,)}).say("B", {"break": (1,)})
    assert table.silent("C").over and len(table.told("AT-4.3", "broken")) == 1


def test_AT_4_3_who_has_no_agreement_is_asked_alike_and_has_nothing_to_say():
    secret = replace(agreed(three(), "passage", "A", "B", "m2"), talked=True, phase="movement")
    table = Table(secret, ("AT-4.3",))
    none = Table(replace(three(), talked=True, phase="movement"), ("AT-4.3",))
    assert table.request.seats == none.request.seats == ("A", "B", "C")
    assert table.request.options("C").take({}) == {}
    assert table.seen_by("C") == none.seen_by("C")


def test_AT_4_3_before_any_offer_nobody_is_asked():
    assert Table(replace(three(), phase="movement"), ("AT-4.3",)).over


@pytest.mark.parametrize(
    ("phase", "armies", "asked"),
    [
        ("loot", {"A": "m2", "B": "a2", "C": "e2"}, ()),
        ("loot", {"A": "a3", "B": "a2", "C": "e2"}, ("A", "B")),
        ("battles", {"A": "m2", "B": "a2", "C": "e2"}, ()),
        ("battles", {"A": "m2", "B": "m2", "C": "e2"}, ("A", "B")),
        ("conquest", {"A": "m2", "B": "a2", "C": "h2"}, ()),
        ("conquest", {"A": "m2", "B": "a2", "C": "m1"}, ("A", "C")),
    ],
)
def test_AT_4_3_those_are_asked_whom_it_can_concern_by_public_facts(phase, armies, asked):
    state = replace(war(**armies), talked=True, phase=phase, turn=2)
    table = Table(state, ("AT-4.3",))
    assert table.runner.over if not asked else table.request.seats == asked


def test_AT_4_3_a_convoy_can_be_stopped_before_reinforcements_join():
    state = owned(war(A="h2", B="a2", C="e2"), "B", "m3")
    state = agreed(state, "supply", "B", "A", "m3", declared=1)
    bought = Waiting("bought", 1, None, (slingers(30),))
    state = replace(state, talked=True).changed("A", waiting=(bought,), next_id=31)
    table = Table(state, ("AT-10/phase",)).say("B", {"break": (1,)}).silent("A", "C")
    assert table.over and table.told("AT-10.3", "wait")
    table = Table(state, ("AT-10/phase",)).silent()
    assert table.over and table.told("AT-10.2", "join")


def test_AT_4_3_the_diplomacy_sheet_breaks_first():
    state = agreed(three(), "passage", "A", "B", "m2")
    table = Table(state, ("AT-4/phase",)).say("A", {"break": (1,), **NOTHING})
    assert table.silent("B", "C").war.agreements == ()


def test_AT_4_3_variant_any_time_asks_after_a_move_about_passage_and_stationing():
    state = agreed(agreed(three(), "passage", "A", "B", "m2"), "tax", "A", "C", "e1")
    state = replace(chosen(state, breaking="any_time"), talked=True)
    table = Table(state, ("AT-7.3", "A", ("m3",)))
    assert table.refused("A", {"break": (2,)}).legal == ("1",)
    assert table.say("A", {"break": (1,)}).silent("B", "C").over
    assert len(table.war.agreements) == 1


# What it does ------------------------------------------------------------------------------------


def test_AT_4_5_it_lapses_when_its_last_turn_ends():
    state = agreed(agreed(three(), "passage", "A", "B", "m2"), "tax", "A", "C", "e1", last_turn=2)
    table = Table(state, ("AT-1.10",), dice=(3, 4) * 3)
    assert [a.kind for a in table.war.agreements] == ["tax"]
    assert table.event("AT-4.5", "lapsed").audience == ("A", "B")


def test_AT_4_5_a_payment_made_stays_made():
    state = accepted(offer(role="ask", price=40, known="public")).war
    table = Table(replace(state, phase="movement"), ("AT-4.3",))
    table.say("B", {"break": (state.agreements[0].id,)}).silent("A", "C")
    assert table.war.agreements == () and table.war.loot("A") == 210


def test_AT_4_5_numbers_of_agreements_do_not_count_those_of_others():
    sheet = offer()
    alone = accepted(sheet).war.agreements[0].id
    table = Table(three(), ("AT-4/phase",)).say("A", sheet)
    table.say("B", NOTHING)
    table.say(
        "C", {"end": "no", "to": ("A",)} | {k.replace("B", "A"): v for k, v in PASSAGE.items()}
    )
    table.say("A", {"offer.C": "accept"}).say("B", {"offer.A": "accept"}).silent("C")
    assert alone in [a.id for a in table.war.agreements] and len(table.war.agreements) == 2


def test_AT_4_5_agreements_end_with_the_land_they_name():
    state = agreed(three(), "passage", "A", "B", "m2")
    assert state.taken("m2", "C").agreements == ()
    assert owned(state, "C", "m3").agreements


def test_AT_7_5_land_that_belongs_to_neither_can_be_named():
    assert accepted(offer(places=("h2", "e1"))).war.agreements[0].territories == ("e1", "h2")


def test_AT_1_10_all_must_wish_for_the_end():
    table = Table(three(), ("AT-4/phase",))
    for seat in "ABC":
        table.say(seat, {"end": "yes", "to": ()})
    assert table.war.ending and table.told("AT-1.10", "called")
    table = Table(three(), ("AT-4/phase",)).say("A", {"end": "yes", "to": ()}).silent("B", "C")
    assert not table.war.ending and not table.told("AT-1.10")


def test_a_strong_army_stays_secret_in_talk():
    state = three()
    strong = state.with_army("A", army("m2", lead=False))
    assert offered(offer(), state).seen_by("C") == offered(offer(), strong).seen_by("C")
