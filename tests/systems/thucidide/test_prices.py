"""Prompts name the price that is due: what is said before an order is what is paid for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib import import_module
from inspect import getsource
from random import Random
from typing import Any

import pytest
from msgspec import convert
from msgspec.structs import replace

from polemarque.kernel.game import Game, new_header
from polemarque.kernel.request import Amount, OneOf, Options, Request, SeveralOf, Sheet
from polemarque.report.game_words import Words
from polemarque.report.labels import catalogue_of, ledger_of
from polemarque.report.order_forms.form import order_form
from polemarque.report.order_forms.paper import frame
from polemarque.report.order_forms.told_answers import told
from polemarque.report.order_forms.typed_answers import offer
from polemarque.systems.thucidide.orders import ORDERS, price
from polemarque.systems.thucidide.setup.opening import begin, scenarios
from polemarque.systems.thucidide.setup.scenario import Setup
from polemarque.systems.thucidide.state import Battle, Fight
from polemarque.systems.thucidide.views import own_names

PRICED = re.compile(r"\((\d+) tokens?(?: for an? \w+, (\d+) more for each further one)?\)$")

MARCUS = {"fr": "Charge\N{NARROW NO-BREAK SPACE}! Soutenus pour toute la phase (1 pion)",
          "en": "Charge! Supported for the whole phase (1 token)"}  # fmt: skip
"""His own price is 2, and he is beside the unit: one token less."""


def parts_of(options: Options, value: Any) -> Iterator[tuple[str, Options, Any]]:
    """The parts of a question as it was answered, each with its options and its answer."""
    if not isinstance(options, Sheet):
        yield "order", options, value
        return
    filling = options.fill()
    part, inner = next(filling)
    while True:
        yield part, inner, value[part]
        try:
            part, inner = filling.send(value[part])
        except StopIteration:
            return


def said_price(words: Words, options: Options, value: Any) -> dict[str, tuple[int, int]]:
    """What the labels of an answer say that it costs, part by part: at first, and each more."""
    found = {}
    for part, inner, chosen in parts_of(options, value):
        if isinstance(inner, OneOf):
            match = PRICED.search(words.label(inner.label, chosen))
            if match:
                found[part] = int(match[1]), int(match[2] or 0)
    return found


def answered(game: Game, chooser: Random) -> tuple[Request, str, Any]:
    request = game.requests()[0]
    seat = request.missing[0]
    return request, seat, request.options(seat).sample(chooser)


@pytest.mark.parametrize("variant", [{}, {"forced_march": "any"}])
@pytest.mark.parametrize("scenario", ["clash", "magnesia", "crossing"])
def test_what_is_said_is_what_is_paid(scenario: str, variant: Mapping[str, str]) -> None:
    paid: Counter[str] = Counter()
    for seed in range(6):
        game = Game(new_header("thucidide", scenario=scenario, options=variant, seed=seed))
        words, chooser = Words(game.header, "en"), Random(seed)
        game.settle()
        while not game.over:
            request, seat, value = answered(game, chooser)
            words.turn_to(game, request.keys[seat])
            said = said_price(words, request.options(seat), value)
            before = game.state.sides[seat].tokens
            game.answer(seat, value)
            parts = value if isinstance(value, dict) else {"order": value}
            code, free = parts.get("order"), parts.get("effect")
            if code in ORDERS and code != "reconnaissance" and not free:
                first, more = said.get("unit") or said["order"]
                count, spent = parts.get("elements", 1), before - game.state.sides[seat].tokens
                if code == "guide_local":
                    assert spent in {first + more * n for n in range(9)}
                else:
                    assert spent == first + more * (count - 1), (code, request)
                paid[code] += 1
            game.settle()
    assert len(paid) > 5
    assert sum(paid.values()) > 30


def in_combat() -> Battle:
    """The veterans, with Marcus beside them, attack; so do not the legionaries at f4."""
    battle = begin(convert(scenarios()["clash"], Setup), ("A", "B"), {})[0]
    return replace(battle, fight=Fight(attacker="A2", target="B02"))


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_leaders_own_price_and_his_influence_are_in_the_prompt(lang: str) -> None:
    assert own_names(in_combat(), "A", lang, {})["offer"]["A2.charge"] == MARCUS[lang]


def test_nobody_is_told_the_prices_of_the_other_side() -> None:
    assert {each.partition(".")[0] for each in own_names(in_combat(), "B", "en", {})["offer"]} == {
        "B02"
    }


def test_another_price_in_the_data_is_another_price_in_the_prompt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = own_names(in_combat(), "A", "en", {})["offer"]["A2.berserks"]
    assert before.endswith("(2 tokens)")
    monkeypatch.setitem(ORDERS, "berserks", replace(ORDERS["berserks"], cost=8))
    price.cache_clear()
    try:
        after = own_names(in_combat(), "A", "en", {})["offer"]["A2.berserks"]
    finally:
        price.cache_clear()
    assert after.endswith("(7 tokens)")


def test_a_paper_form_names_no_price_that_only_some_units_pay() -> None:
    game = Game(new_header("thucidide", scenario="clash", seed=2))
    game.settle()
    game.answer("A", {"order": "none"})
    game.settle()
    acting = {"leader.1": "AG", "units.1": ["A2", "A5"], "leader.2": "AO1", "units.2": ["A1"]}
    game.answer("A", {**acting, "stops": "losses"})
    game.settle()
    if game.requests("A")[0].rule == "TH-5.3":
        game.answer("A", {"order": "none"})
        game.settle()
    (request,) = game.requests("A")
    assert request.rule == "TH-F8"
    words = Words(game.header, "en")
    words.turn_to(game, request.keys["A"])
    lines = " ".join(frame(order_form(game, request, "A", words), words))
    assert "Forced march: a hex farther without giving up" in lines
    assert "token" not in lines


# Words beside the prices -------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("code", ORDERS)
def test_the_reason_of_a_price_names_no_other_order(lang: str, code: str) -> None:
    texts = catalogue_of("thucidide")
    key = f"sum.{ORDERS[code].rule}"
    if texts.has(lang, key):
        said = texts.say(lang, key)
    else:
        said = ledger_of("thucidide")[ORDERS[code].rule].title[lang]
    others = [texts.say(lang, f"order.{one}") for one in ORDERS if one != code]
    own = texts.say(lang, f"order.{code}")
    assert not [name for name in others if name in said and name not in own]


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", ["0 flags", "1 flag", "2 flags"]), ("fr", ["0 drapeau", "1 drapeau", "2 drapeaux"])],
)
def test_one_flag_is_told_in_the_singular(lang: str, said: list[str]) -> None:
    words = Words(new_header("thucidide", scenario="clash", seed=2), lang)
    options = Amount(0, 2, unit="flags")
    assert [plain(told(options, n, words)) for n in range(3)] == said


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("least", [0, 1])
def test_the_sign_for_none_is_told_where_none_may_be_chosen(lang: str, least: int) -> None:
    words = Words(new_header("thucidide", scenario="clash", seed=2), lang)
    assert ("(-" in offer(SeveralOf(("A1", "A2"), least), words)[-1]) == (least == 0)


@pytest.mark.parametrize(("rule", "needle"), [("TH-5.2", "marche_forcee"), ("TH-6.2", "berserks")])
def test_the_pointer_of_an_order_leads_to_what_it_does(rule: str, needle: str) -> None:
    module, _, name = ledger_of("thucidide")[rule].code.rpartition(".")
    written = import_module(f"polemarque.systems.thucidide.{module}")
    assert f'"{needle}"' in getsource(getattr(written, name))


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")
