"""Chapter AT-4: offers, answers, payments, secrets, and agreements broken (AT-4.1 to AT-4.5)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from polemarque.bots.play import play_game
from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.game import Game, new_header, replay
from polemarque.kernel.position import encode
from polemarque.kernel.records.record import Withdraw
from polemarque.systems.atlantide.agreements import FORBIDDEN
from polemarque.systems.atlantide.chapters.turn import WINDOWS
from polemarque.systems.atlantide.state import PHASES, Waiting
from tests.systems.atlantide.table import Table
from tests.systems.atlantide.wars import agreed, army, chosen, owned, slingers, war

NOTHING = {"end": "no", "to": ()}
TERMS = {
    "passage": {"where": "named", "lands": ("m2",), "promise": "no"},
    "stationing": {"where": "named", "lands": ("m2",), "promise": "no"},
    "supply": {"where": "named", "lands": ("m2",)},
    "tax": {"where": "named", "lands": ("a1",)},
    "intelligence": {"shown": "loot"},
    "loot": {"sum": 40},
    "text": {"wording": "Amis"},
}


def three(**loot):
    state = war(A="m2", B="a2", C="e2")
    for seat, amount in loot.items():
        state = state.changed(seat, loot=amount)
    return state


def terms(*points, to="B", known="secret", until=1, **more):
    """The parts of an offer of these points; `more` stands in place of the usual terms."""
    parts = {f"points.{to}": points}
    for word in points:
        usual = TERMS.get(word.partition("_")[2], {})
        parts |= {f"{k}.{to}.{word}": more.get(k, value) for k, value in usual.items()}
    parts[f"known.{to}"] = known
    if any(word.partition("_")[2] not in ("loot", "intelligence") for word in points):
        parts[f"until.{to}"] = until
    return parts


def offer(*points, to="B", **more):
    points = points or ("grant_passage",)
    return {"end": "no", "to": (to,), **terms(*points, to=to, **more)}


def loot_offer(role="grant", price=40, known="secret", to="B"):
    return offer(f"{role}_loot", to=to, sum=price, known=known)


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
    (made,) = accepted(offer("ask_passage", lands=("a1",))).war.agreements
    assert (made.grantor, made.beneficiary) == ("B", "A")


def test_AT_4_1_a_refused_offer_leaves_nothing():
    table = offered(offer()).silent()
    assert table.over and table.war.agreements == () and table.war.talked
    assert table.told("AT-4.4", "refuses") == [{"seat": "B", "other": "A", "why": ""}]


def test_AT_4_1_without_an_offer_there_is_no_second_step():
    table = Table(three(), ("AT-4/phase",)).silent()
    assert table.over and not table.war.talked


@pytest.mark.parametrize(
    ("parts", "kind"),
    [
        ({}, "supply"),
        ({"promise": "yes"}, "stationing"),
        ({}, "tax"),
        ({}, "text"),
    ],
)
def test_AT_4_1_every_kind_can_be_agreed(parts, kind):
    (made,) = accepted(offer(f"grant_{kind}", **parts)).war.agreements
    assert made.kind == kind
    assert made.peace == (kind == "stationing")


def test_AT_4_1_taxes_are_tolerated_on_the_beneficiarys_land_only():
    table = Table(three(), ("AT-4/phase",))
    refusal = table.refused("A", offer("grant_tax", lands=("m2",)))
    assert refusal.data["in_part"] == "lands.B.grant_tax" and "a1" in refusal.legal


def test_AT_4_1_loot_for_an_advantage_is_public():
    sheet = offer("grant_loot", "ask_passage", lands=("a1",))
    refusal = Table(three(), ("AT-4/phase",)).refused("A", sheet)
    assert refusal.code == "agreement.must_be_public" and refusal.rule == "AT-4.1"
    table = accepted(offer("grant_loot", "ask_passage", lands=("a1",), known="public"))
    assert table.event("AT-4.5", "concludes").audience is None
    agreed = table.events[table.events.index(table.event("AT-4.5", "concludes")) :]
    assert {e.audience for e in agreed} == {None}
    assert table.war.loot("A") == 210 and table.war.loot("B") == 290


@pytest.mark.parametrize("kind", FORBIDDEN)
def test_AT_4_2_what_is_against_the_rules_is_refused_with_the_reason(kind):
    refusal = Table(three(), ("AT-4/phase",)).refused("A", offer(f"ask_{kind}"))
    assert refusal.rule == "AT-4.2" and refusal.code == f"agreement.{kind}"


def test_AT_2_4_an_absent_player_agrees_to_nothing():
    table = Table(three().changed("B", absent=True), ("AT-4/phase",))
    assert table.request.seats == ("A", "C")
    assert table.refused("A", offer()).legal == ("C",)


def test_AT_4_1_a_seat_alone_is_not_asked():
    state = three().changed("B", eliminated=1).changed("C", eliminated=1)
    assert Table(state, ("AT-4/phase",)).over


# Several points, and other offers in return ------------------------------------------------------


def mutual(**more):
    return offer("grant_passage", "ask_passage", where="all", **more)


def all_land(sheet):
    return {part: value for part, value in sheet.items() if not part.startswith("lands.")}


def test_AT_4_1_passage_against_passage_is_one_agreement():
    made = accepted(all_land(mutual())).war.agreements
    assert [(a.grantor, a.beneficiary) for a in made] == [("A", "B"), ("B", "A")]
    assert len({a.bond for a in made}) == 1 and len({a.id for a in made}) == 2


def test_AT_4_1_all_of_ones_land_is_what_one_holds():
    state = three()
    first, second = accepted(all_land(mutual()), state).war.agreements
    assert first.territories == state.lands_of("A")
    assert second.territories == state.lands_of("B")


def test_AT_4_1_land_is_listed_ones_own_first():
    refusal = Table(three(), ("AT-4/phase",)).refused("A", offer(lands=("nowhere",)))
    own = len(three().lands_of("A"))
    assert refusal.legal[:own] == three().lands_of("A")


def test_AT_4_1_a_form_proposes_this_turn_secrecy_and_all_of_ones_land():
    request = Table(three(), ("AT-4/phase",)).request
    proposed = request.proposed("A")
    assert proposed["until.B"] == 1 and proposed["known.B"] == "secret"
    assert proposed["where.B.grant_passage"] == "all"


def test_AT_4_3_what_was_agreed_together_is_broken_together():
    state = replace(accepted(all_land(mutual(until=3))).war, turn=2)
    table = Table(state, ("AT-4/phase",))
    table.say("A", {"break": (state.agreements[0].bond,), **NOTHING}).silent("B", "C")
    assert table.war.agreements == ()
    event = table.event("AT-4.3", "broken")
    assert event.data["what"] == ["passage", "passage"] and event.audience == ("A", "B")


def test_AT_4_5_a_point_lapses_alone():
    state = accepted(all_land(mutual(until=3))).war
    for place in state.lands_of("A"):
        state = state.taken(place, "C")
    assert [a.grantor for a in state.agreements] == ["B"]


def counter(*points, **more):
    return {"offer.A": "counter", **terms(*points, to="A", **more)}


def test_AT_4_4_another_offer_is_told_to_the_two_alone():
    sheet = counter("grant_passage", "ask_loot", lands=("a1",), known="public")
    table = offered(offer("ask_passage", lands=("a1",))).say("B", sheet).silent("A", "C")
    assert table.event("AT-4.4", "counters").audience == ("B", "A")
    assert table.request.rule == "AT-4.4/counter"
    assert table.request.options("A").take({"offer.B": "accept"})
    assert table.request.options("B").take({}) == table.request.options("C").take({}) == {}
    plain = offered(offer("ask_passage", lands=("a1",)))
    plain.say("B", counter("ask_loot", sum=5)).silent("A", "C")
    assert plain.seen_by("C") == table.seen_by("C")


def test_AT_4_4_what_another_offer_pays_must_be_there():
    table = offered(offer("ask_passage", lands=("a1",)), three(B=10))
    refusal = table.refused("B", counter("grant_loot", sum=11))
    assert refusal.code == "answer.amount"


def test_AT_4_4_who_cannot_pay_can_still_offer_something_else():
    table = offered(loot_offer("ask", 100), three(B=99)).say("B", counter("grant_loot", sum=99))
    table.silent("A", "C").say("A", {"offer.B": "accept"}).silent("B", "C")
    assert table.over and (table.war.loot("A"), table.war.loot("B")) == (349, 0)


def test_AT_4_1_an_offer_and_another_cross():
    table = Table(three(), ("AT-4/phase",)).say("A", loot_offer(price=10))
    table.say("B", loot_offer(price=20, to="A")).silent("C")
    table.say("A", {"offer.B": "accept"}).say("B", counter("ask_loot", sum=15)).silent("C")
    table.say("A", {"offer.B": "accept"}).silent("B", "C")
    assert table.over and (table.war.loot("A"), table.war.loot("B")) == (255, 245)


# Payments ----------------------------------------------------------------------------------------


def test_AT_4_4_a_transfer_happens_when_both_have_agreed():
    table = accepted(loot_offer())
    assert (table.war.loot("A"), table.war.loot("B")) == (210, 290)
    assert table.war.agreements == () and table.event("AT-4.5", "concludes").audience == ("A", "B")


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
    table.say("B", NOTHING).say("C", loot_offer("ask", 50, to="A"))
    assert table.refused("A", {"offer.C": "accept"}).code == "agreement.loot"


def test_AT_4_4_a_budget_runs_through_the_sheet():
    table = Table(three(A=100), ("AT-4/phase",))
    both = loot_offer(price=60) | terms("grant_loot", to="C", sum=41) | {"to": ("B", "C")}
    assert table.refused("A", both).data["in_part"] == "sum.C.grant_loot"


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
    points = terms("grant_intelligence", "ask_loot", shown=what, sum=20, known="public")
    sheet = {"break": (), "end": "no", "to": ("B",), **points}
    table = accepted(sheet, agreed(three(), "tax", "A", "C", "e1"))
    shown = table.event("AT-2.3", what)
    assert shown.audience == ("B",)
    assert {name: shown.data[name] for name in figures} == figures
    assert table.war.loot("A") == 270


# Breaking ----------------------------------------------------------------------------------------


def moment(state, phase="movement", **more):
    """The table at the start of a phase, when wishes to break are heeded."""
    return Table(replace(state, talked=True, phase=phase, **more), ("AT-4.3",))


def test_AT_4_3_either_party_breaks_and_the_other_hears_of_it():
    state = agreed(three(), "passage", "A", "B", "m2")
    for breaker, other in (("A", "B"), ("B", "A")):
        table = moment(state).say(breaker, ("break.1.next",))
        table.silent(*table.request.missing)
        assert table.over and table.war.agreements == ()
        event = table.event("AT-4.3", "broken")
        assert event.audience == ("A", "B") and event.data["other"] == other
        assert table.war.row(other).diplomacy == (f"broken:passage:{breaker}",)


def test_AT_4_3_all_hear_of_a_public_agreement_broken():
    state = agreed(three(), "passage", "A", "B", "m2", public=True)
    table = moment(state).say("A", ("break.1.movement",)).silent("B", "C")
    assert table.event("AT-4.3", "broken").audience is None


def test_AT_4_3_both_may_break_it_at_once():
    table = moment(agreed(three(), "passage", "A", "B", "m2"))
    table.say("A", ("break.1.next",)).say("B", ("break.1.movement",))
    assert table.silent("C").over and len(table.told("AT-4.3", "broken")) == 1


def test_AT_4_3_wishes_alone_are_heeded_everybodys_alike():
    secret, none = moment(agreed(three(), "passage", "A", "B", "m2")), moment(three())
    assert secret.request.ask.wish
    assert secret.request.seats == none.request.seats == ("A", "B", "C")
    assert secret.refused("C", ("break.1.next",)).code == "answer.several_of"
    assert secret.seen_by("C") == none.seen_by("C")


def test_AT_4_3_a_wish_for_another_phase_waits():
    table = moment(agreed(three(), "passage", "A", "B", "m2"), "loot")
    assert table.refused("A", ("break.1.battles",)).code == "answer.several_of"


def test_AT_4_3_before_any_offer_nothing_is_heeded():
    assert Table(replace(three(), phase="movement"), ("AT-4.3",)).over


@pytest.mark.parametrize("phase", PHASES[1:])
def test_AT_4_3_it_can_be_broken_at_the_start_of_every_phase_that_it_concerns(phase):
    assert phase in WINDOWS
    table = moment(agreed(three(), "passage", "A", "B", "m2"), phase)
    table.say("B", (f"break.1.{phase}",)).silent("A", "C")
    assert table.war.agreements == ()


def test_AT_4_3_a_wish_is_left_at_any_moment_and_comes_true():
    game, bots = talked_game()
    made = game.state.agreements[0].bond
    game.wish("B", "AT-4.3", f"break.{made}.conquest")
    seen = {seat: encode(game.views(seat)[""]) for seat in "ACD"}
    assert game.state.agreements and all(
        encode(game.views(seat)[""]) == seen[seat] for seat in "ACD"
    )
    play_game(game, bots, stop=lambda g: g.state.phase == "reinforcements" or g.state.turn > 1)
    assert game.state.agreements == ()
    assert replay(game.header, game.entries).digest == game.digest


def test_AT_4_3_a_wish_that_was_taken_back_does_nothing():
    game, bots = talked_game()
    word = f"break.{game.state.agreements[0].bond}.next"
    game.wish("B", "AT-4.3", word)
    game.enter(Withdraw("B", "AT-4.3", word))
    play_game(game, bots, stop=lambda g: g.state.turn > 1)
    assert game.state.agreements
    with pytest.raises(NotAllowed, match="no_wish"):
        game.wish("C", "AT-4.3", word)


def test_AT_10_1_one_wish_takes_the_place_of_another():
    game, _ = talked_game()
    first, second = game.wishes("A")["AT-10.1"].words[:2]
    game.wish("A", "AT-10.1", first)
    game.wish("A", "AT-10.1", second)
    assert [left.subject for left in game.standing_orders] == [second]


def test_AT_4_3_wishes_given_as_one_answer_take_the_place_of_all_others():
    game, _ = talked_game()
    broken = game.wishes("A")["AT-4.3"].words[:2]
    first, second = game.wishes("A")["AT-10.1"].words[:2]
    game.wish_for("A", (*broken, first))
    game.wish_for("A", (broken[1], second))
    assert {left.subject for left in game.standing_orders} == {broken[1], second}
    asked = game.wish_request("A")
    assert set(asked.absent("A")) == {broken[1], second}
    for words, code in (((first, second), "one_wish"), (("arrive.nowhere",), "no_wish")):
        with pytest.raises(NotAllowed, match=code):
            game.wish_for("A", words)
    assert {left.subject for left in game.standing_orders} == {broken[1], second}
    assert replay(game.header, game.entries).digest == game.digest


def talked_game():
    """A game of four in its first turn, in which A and B have made a secret agreement."""
    game = Game(new_header("atlantide", seats=4, seed=3, options={"turn_limit": 3}))
    bots = dict.fromkeys("ABCD", "steady")
    play_game(game, bots, stop=lambda g: g.state.phase == "diplomacy")
    game.answer("A", offer("grant_text", until=3))
    for seat in "BCD":
        game.absent(seat)
    game.answer("B", {"offer.A": "accept"})
    for seat in "ACD":
        game.absent(seat)
    game.settle()
    return game, bots


def test_AT_4_3_a_convoy_can_be_stopped_before_reinforcements_join():
    state = owned(war(A="h2", B="a2", C="e2"), "B", "m3")
    state = agreed(state, "supply", "B", "A", "m3", declared=1)
    bought = Waiting("bought", 1, None, (slingers(30),))
    state = replace(state, talked=True).changed("A", waiting=(bought,), next_id=31)
    table = Table(replace(state, phase="reinforcements"), ("AT-4.3",), ("AT-10/phase",))
    table.say("B", ("break.1.next",)).silent("A", "C").silent().silent()
    assert table.over and table.told("AT-10.3", "wait")
    table = Table(state, ("AT-10/phase",)).silent().silent()
    assert table.over and table.told("AT-10.2", "join")


def test_AT_4_3_the_diplomacy_sheet_breaks_first():
    state = agreed(three(), "passage", "A", "B", "m2")
    table = Table(state, ("AT-4/phase",)).say("A", {"break": (1,), **NOTHING})
    assert table.silent("B", "C").war.agreements == ()


def test_AT_4_3_variant_any_time_asks_after_a_move_about_passage_and_stationing():
    state = agreed(agreed(three(), "passage", "A", "B", "m2"), "tax", "A", "C", "e1")
    state = replace(chosen(state, breaking="any_time"), talked=True)
    table = Table(state, ("AT-7.3", "A", ("m3",)))
    assert table.refused("A", ("break.2.next",)).legal == ("break.1.next",)
    assert table.say("A", ("break.1.next",)).silent("B", "C").over
    assert len(table.war.agreements) == 1


# What it does ------------------------------------------------------------------------------------


def test_AT_4_5_it_lapses_when_its_last_turn_ends():
    state = agreed(agreed(three(), "passage", "A", "B", "m2"), "tax", "A", "C", "e1", last_turn=2)
    table = Table(state, ("AT-1.10",), dice=(3, 4) * 3)
    assert [a.kind for a in table.war.agreements] == ["tax"]
    assert table.event("AT-4.5", "lapsed").audience == ("A", "B")


def test_AT_4_5_a_payment_made_stays_made():
    state = accepted(offer("grant_loot", "ask_passage", lands=("a1",), known="public")).war
    table = Table(replace(state, phase="movement"), ("AT-4.3",))
    table.say("B", (f"break.{state.agreements[0].bond}.next",)).silent("A", "C")
    assert table.war.agreements == () and table.war.loot("A") == 210


def test_AT_4_5_numbers_of_agreements_do_not_count_those_of_others():
    sheet = offer()
    alone = accepted(sheet).war.agreements[0].id
    table = Table(three(), ("AT-4/phase",)).say("A", sheet)
    table.say("B", NOTHING)
    table.say("C", offer(to="A", lands=("e1",)))
    table.say("A", {"offer.C": "accept"}).say("B", {"offer.A": "accept"}).silent("C")
    assert alone in [a.id for a in table.war.agreements] and len(table.war.agreements) == 2


def test_AT_4_5_agreements_end_with_the_land_they_name():
    state = agreed(three(), "passage", "A", "B", "m2")
    assert state.taken("m2", "C").agreements == ()
    assert owned(state, "C", "m3").agreements


def test_AT_7_5_land_that_belongs_to_neither_can_be_named():
    made = accepted(offer("grant_stationing", lands=("h2", "m3"))).war.agreements[0]
    assert {*made.territories} == {"h2", "m3"}
    refusal = Table(three(), ("AT-4/phase",)).refused("A", offer(lands=("e1",)))
    assert refusal.data["in_part"] == "lands.B.grant_passage" and "h2" in refusal.legal


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
