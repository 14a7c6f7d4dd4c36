"""A whole turn planned on one page, without scripts: question after question, sealed in one go."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from msgspec.structs import replace

from polemarque.club.campaigns.session import forget, read_lock, write_lock
from polemarque.club.models import Draft
from polemarque.club.orders import plans
from polemarque.club.orders.standing_orders import left_by
from polemarque.club.people.roles import visit_of
from polemarque.kernel import rehearsal
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import Answer, Leave, Withdraw
from polemarque.kernel.rehearsal import planned_by
from polemarque.kernel.request import Key
from polemarque.web import questions
from tests.web.browser import Element, sent
from tests.web.lent import fighting
from tests.web.people import page, said, way
from tests.web.world import World, play_on, world

pytestmark = pytest.mark.django_db


def offers(game: Game) -> bool:
    return any(request.rule == "AT-4.1" and "A" in request.missing for request in game.requests())


def planning(turns: int = 2, **more: Any) -> World:
    """A campaign in which seat A is about to make offers."""
    there = world(turns=turns, options={"guests": "none"}, **more)
    play_on(there, offers)
    return there


def plan_page(there: World, client: Client) -> Element:
    return page(client.get(way("plan", there.campaign, seat="A")))


def question(shown: Element) -> Element | None:
    return next((f for f in shown.all("form") if "data-question" in f.attrs), None)


def send(there: World, client: Client, **posted: Any) -> Any:
    return client.post(way("plan", there.campaign, seat="A"), posted)


def filled(form: Element) -> dict[str, list[str]]:
    """What is sent of a form whose first word is chosen where none is."""
    radios = [each for each in form.all("input") if each.attrs.get("type") == "radio"]
    first = {each.attrs["name"]: [each.attrs["value"]] for each in reversed(radios)}
    stands = sent(form)
    return stands | {name: texts for name, texts in first.items() if not any(stands[name])}


def keep(there: World, client: Client, **more: Any) -> None:
    """Keep what the form of the open question proposes; a sheet may want to be worked out first,
    and what may hurt to be meant."""
    shown = plan_page(there, client)
    for _ in range(6):
        form = question(shown)
        assert form is not None
        done = send(there, client, **{**filled(form), "do": "seal", **more})
        if done.status_code == 303:
            return
        shown = page(done)
    raise AssertionError("the form is never complete")


def plan_all(there: World, client: Client) -> None:
    while question(plan_page(there, client)) is not None:
        keep(there, client)


def seal(there: World, client: Client) -> Any:
    form = next(f for f in plan_page(there, client).all("form") if "shown" in sent(f))
    return send(there, client, **{**sent(form), "do": "plan"})


def left(there: World) -> list[Leave]:
    with read_lock(there.campaign) as table:
        return left_by(table.game, "A")


def given(there: World, seat: str) -> list[tuple[str, str]]:
    with read_lock(there.campaign) as table:
        now = table.game.runner.period
        return [
            (e.key.rule, e.by)
            for e in table.game.effective
            if isinstance(e, Answer) and e.key.seat == seat and e.key.period == now
        ]


def test_a_turn_is_planned_sealed_and_played_without_another_visit() -> None:
    there = planning()
    client = there.browser("commander")
    assert way("plan", there.campaign, seat="A") in said(
        client.get(way("seat", there.campaign, seat="A"))
    )
    plan_all(there, client)
    assert not left(there), "nothing is sent before the seal"
    assert seal(there, client).status_code == 303
    assert given(there, "A") == [("AT-4.1", "")], "what is asked now is answered at once"
    rules = {each.rule for each in left(there)}
    assert {"AT-5.2", "AT-7.2", "AT-8.1"} <= rules
    seen = said(client.get(way("seat", there.campaign, seat="A")))
    assert "if you are attacked" in seen and "Purchases" not in seen
    rival = said(there.browser("rival").get(way("seat", there.campaign, seat="B")))
    assert "if you are attacked" not in rival, "a plan is told to its seat alone"
    play_on(there, lambda game: any(r.rule == "AT-7.2" for r in game.requests("B")))
    told = dict(given(there, "A"))
    assert told["AT-5.2"] == "standing"


def test_what_was_kept_outlives_the_process_and_is_changed_or_thrown_away() -> None:
    there = planning()
    client = there.browser("commander")
    keep(there, client)
    keep(there, client, when="army", otherwise="absent")
    forget(there.campaign)
    shown = plan_page(there, client)
    assert "Only if nothing has changed for your army." in shown.said
    assert "or that has changed, the rules answer" in shown.said
    send(there, client, do="change", at="0")
    assert sent(question(plan_page(there, client)) or shown)["key"][0].startswith('[2,"","AT-4.1"')
    keep(there, client)
    send(there, client, do="drop")
    assert not Draft.objects.filter(campaign=there.campaign, key="plan A").exists()


def test_a_sealed_plan_can_be_made_anew_and_each_answer_revoked() -> None:
    there = planning()
    client = there.browser("commander")
    for _ in range(3):
        keep(there, client)
    seal(there, client)
    before = left(there)
    seal(there, client)
    after = left(there)
    assert before and [(x.rule, x.value) for x in after] == [(x.rule, x.value) for x in before]
    with write_lock(there.campaign) as table:  # what was left for longer stays
        table.game.enter(Leave("A", after[0].rule, after[0].value, after[0].subject))
    revoke = way("revoke", there.campaign, seat="A")
    shown = page(client.get(way("seat", there.campaign, seat="A")))
    client.post(revoke, sent(next(f for f in shown.all("form") if f.attrs["action"] == revoke)))
    assert left(there)[-1].rule == after[0].rule and not left(there)[-1].number
    client.post(revoke, {"rule": after[0].rule, "subject": after[0].subject, "number": "0"})
    assert [each.rule for each in left(there)] == [each.rule for each in after[1:]]
    with read_lock(there.campaign) as table:
        assert isinstance(table.game.entries[-1], Withdraw)


def test_a_plan_outlives_many_drafts_and_says_when_it_is_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there = planning()
    client = there.browser("commander")
    keep(there, client)
    assert "A plan holds at most" not in said(client.get(way("plan", there.campaign, seat="A")))
    monkeypatch.setattr(rehearsal, "MOST_ANSWERS", 1)
    assert "A plan holds at most 1" in said(client.get(way("plan", there.campaign, seat="A")))
    monkeypatch.setattr(questions, "DRAFTS", 2)
    visit = visit_of(there.campaign, there.people["commander"])
    for number in range(4):
        questions.keep(visit, Key(1, "", "AT-4.1", "A", "", number), {"x": ["1"]})
    drafts = Draft.objects.filter(campaign=there.campaign, person=there.people["commander"])
    assert drafts.count() == 3 and drafts.filter(key="plan A").exists()


def test_where_one_planned_answer_leads_at_once_to_the_next_question_both_are_taken() -> None:
    there = world(turns=2, system="mare_nostrum", seats=0)
    play_on(there, lambda game: any(r.rule == "MN-F3/orders" for r in game.requests("A")))
    with write_lock(there.campaign) as table:
        (asked,) = table.game.requests("A")
        for seat in asked.missing:
            if seat != "A":
                table.game.answer(seat, asked.options(seat).quiet(), asked.keys[seat])
    client = there.browser("commander")
    for _ in range(3):
        keep(there, client)
    assert seal(there, client).status_code == 303
    assert given(there, "A")[-2:] == [("MN-F3/orders", ""), ("MN-2.7", "standing")]


def test_a_plan_that_is_sealed_again_leaves_what_was_left_for_longer() -> None:
    there = planning()
    client = there.browser("commander")
    plan_all(there, client)
    seal(there, client)
    (march,) = [each for each in left(there) if each.rule == "AT-7.2"]
    always = Leave("A", march.rule, march.value, march.subject)
    with write_lock(there.campaign) as table:
        table.game.enter(always)
    seal(there, client)
    stands = [each for each in left(there) if each.rule == "AT-7.2"]
    assert [(each.until, each.number) for each in stands] == [(0, 0)]


def test_a_plan_sealed_up_to_a_changed_answer_keeps_what_was_sealed_behind_it() -> None:
    there = planning()
    client = there.browser("commander")
    plan_all(there, client)
    seal(there, client)
    before = left(there)
    send(there, client, do="change", at="1")
    assert "sealed before for the rest of the turn" in plan_page(there, client).said
    seal(there, client)
    kept = {(each.rule, each.subject, each.number) for each in left(there)}
    gone = [each.rule for each in before if (each.rule, each.subject, each.number) not in kept]
    assert gone == ["AT-7.2"] and len(kept) > 2


def test_where_a_condition_fails_the_form_proposes_what_was_planned() -> None:
    there = planning()
    ends = {"end": "yes", "to": ()}
    with write_lock(there.campaign) as table:
        when = {"army": "elsewhere"}
        table.game.enter(Leave("A", "AT-4.1", ends, "", 2, number=1, when=when))
        table.game.settle()
    assert not given(there, "A"), "the seat is asked after all"
    seen = page(there.browser("commander").get(way("seat", there.campaign, seat="A")))
    form = question(seen)
    assert form is not None
    (name,) = [name for name in sent(form) if name.endswith("/end")]
    assert sent(form)[name][-1] == "yes"


def test_a_page_that_shows_another_plan_seals_nothing() -> None:
    """Another tab has changed an answer meanwhile: there are as many, and one is another."""
    there = planning()
    client = there.browser("commander")
    plan_all(there, client)
    old = sent(next(f for f in plan_page(there, client).all("form") if "shown" in sent(f)))
    with read_lock(there.campaign) as table:
        made = plans.plan_of(there.campaign, there.people["commander"], table.game, "A")
    first = made.answers[0]
    plans.keep(
        there.campaign, there.people["commander"], "A",
        made.answered(replace(first, otherwise="" if first.otherwise else "absent")),
    )  # fmt: skip
    send(there, client, **{**old, "do": "plan"})
    assert not left(there) and not given(there, "A")
    assert seal(there, client).status_code == 303
    assert given(there, "A")


def test_who_comes_late_or_sends_nonsense_changes_nothing() -> None:
    there = planning()
    client = there.browser("commander")
    form = question(plan_page(there, client))
    assert form is not None
    stale = {**sent(form), "do": "seal"}
    keep(there, client)
    for posted in (
        stale,
        {**stale, "key": "nonsense"},
        {"do": "change", "at": "many"},
        {"do": "plan", "shown": "7", "once": "x"},
        {},
    ):
        assert send(there, client, **posted).status_code in (200, 303)
    form = question(plan_page(there, client))
    assert form is not None
    send(there, client, **{**sent(form), "do": "seal", "when": "moonlight"})
    assert not left(there) and not given(there, "A")
    assert [x.rule for x in left(there)] == []


def test_nobody_else_plans_for_a_seat_and_nothing_is_planned_before_the_first_turn() -> None:
    there = planning()
    for role in ("rival", "umpire", "adviser", "stranger", "anonymous"):
        assert there.browser(role).get(way("plan", there.campaign, seat="A")).status_code != 200
    early = world()
    client = early.browser("commander")
    shown = plan_page(early, client)
    assert question(shown) is None and "Nothing to plan now" in shown.said


def test_a_plan_shows_nothing_of_what_others_hide() -> None:
    there = planning()
    client = there.browser("commander")
    keep(there, client)
    before = said(client.get(way("plan", there.campaign, seat="A")))
    with read_lock(there.campaign) as table:
        state = table.game.state
        richer = state.changed("B", loot=state.seats["B"].loot + 77)
        table.game.runner.state = richer.army_changed("B", units=state.army_of("B").units[:1])
        table.memory.clear()
    after = said(client.get(way("plan", there.campaign, seat="A")))
    forget(there.campaign)
    assert without_tokens(before) == without_tokens(after)


def without_tokens(html: str) -> list[str]:
    return [
        line for line in html.splitlines()
        if "csrf" not in line and "nonce" not in line and 'name="once"' not in line
    ]  # fmt: skip


# Battles -----------------------------------------------------------------------------------------


def test_what_one_does_if_attacked_is_planned_while_the_enemy_plays() -> None:
    there = world(system="thucidide", seats=2, scenario="marathon")
    play_on(there, lambda game: game.runner.period > 1 and game.state.active == "B")
    client = there.browser("commander")
    idle = said(client.get(way("seat", there.campaign, seat="A")))
    assert "data-question" not in idle and way("plan", there.campaign, seat="A") in idle
    asked = plan_page(there, client).said
    assert "If one of your units is attacked" in asked and "This question is an example" in asked
    assert "This plan is for your battle" not in asked
    plan_all(there, client)
    assert seal(there, client).status_code == 303
    with read_lock(there.campaign) as table:
        now, ahead = table.game.runner.period, planned_by(table.game, "A")
    assert "TH-7/order" in {each.rule for each in ahead}
    assert {(each.subject, each.until) for each in ahead} == {("*", now)}


def test_while_a_campaigns_battle_is_fought_its_turn_is_planned() -> None:
    there = fighting(resolver="batailles")
    play_on(there, lambda g: any(r.rule == "BC-3.4" for r in g.requests("A")))
    client = there.browser("commander")
    assert "This plan is for your battle" in plan_page(there, client).said
    plan_all(there, client)
    with read_lock(there.campaign) as table:
        key = next(r.keys["A"] for r in table.game.requests("A") if r.path)
    assert seal(there, client).status_code == 303
    with read_lock(there.campaign) as table:
        (given,) = [e for e in table.game.effective if isinstance(e, Answer) and e.key == key]
        assert given.by == "" and not planned_by(table.game, "A")
