"""Every rule that acts is cited by the events it causes, and the figures cited add up."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from polemarque.kernel.events import Event
from polemarque.kernel.files.rule_ledger import ledger_path, read_ledger
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.system import find_system
from tests.systems.promiterra.wars import UNITS, troop

SYSTEM = find_system("promiterra")

DEFINITIONS = {
    "PR-1.2": "what an army is made of: the set-up says it",
    "PR-1.3": "types of troops: the army lists say them",
    "PR-1.5": "the share of special troops: a set-up that breaks it is refused",
    "PR-1.8": "what a war action is: those done are told under PR-3.2",
    "PR-2.2": "the shape of cells: ways that break it are not offered",
    "PR-2.3": "levels of fortification and sources of fear: marks of the board",
    "PR-5.4": "an example",
    "PR-6.2": "an example",
}
"""Rules that never act in play, each with what it is instead."""

KINDS = [
    *UNITS[:2],
    {"key": "horse", "fr": "l'escadron", "en": "the squadron", "type": "mounted",
     "movement": 4, "attack": 4, "defence": 2, "loyalty": 9, "value": 12},
    {"key": "guard", "fr": "la garde", "en": "the guard", "type": "melee",
     "movement": 2, "attack": 4, "defence": 5, "loyalty": 10, "value": 9},
    {"key": "beast", "fr": "la bête", "en": "the beast", "type": "special",
     "movement": 2, "attack": 5, "defence": 3, "loyalty": 11, "value": 20,
     "ability": {"fear": True, "no_riposte": True, "change": {"attack": 1},
                 "text": {"fr": "Elle rugit.", "en": "It roars."}}},
]  # fmt: skip
"""Kinds of units of every type."""

BOARD = {
    "id": "walls",
    "name": {"fr": "Les murs", "en": "The walls"},
    "shape": "square",
    "terrain": "\n".join(["........"] * 4),
    "legend": {".": "plain"},
    "marks": {"fortification": {"b2": 2, "c2": 3, "d2": 2, "d3": 2, "f2": 1, "g3": 1}},
}
"""A small field full of walls, so that armies cannot but meet on them."""

CATALOGUE = {
    "army": [{"key": "test", "fr": "l'armée", "en": "the army", "unit": KINDS}],
    "action": [{"key": "cry", "fr": "cri", "en": "cry", "change": {"attack": 1, "loyalty": 1}}],
    "career": [{"key": "captain", "fr": "capitaine", "en": "captain", "actions": ["cry"],
                "mastery": {"defence": 1}}],
}  # fmt: skip


def hero(name: str) -> dict[str, Any]:
    """A leader who has mastered his career."""
    return {"name": name, "career": "captain", "experience": 12, "skill": 1}


def army(rows: str, **more: Any) -> dict[str, Any]:
    """Five troops of every type, two of them alike, on two ranks of the field."""
    front, rear = rows
    return {
        "army": "test",
        "troops": [
            troop("guard", 60, "Un", f"b{front}", others=["Deux", "Trois"]),
            troop("guard", 60, "Quatre", f"c{front}", others=["Cinq"]),
            {**troop("horse", 30, "Six", f"d{front}"), "leader": hero("Six")},
            troop("bows", 40, "Sept", f"d{rear}", unwell=True),
            troop("light", 50, "Huit", f"f{front}"),
            troop("beast", 9, "Neuf", f"g{front}"),
        ],
        **more,
    }


def war(seed: int) -> list[Event]:
    """What is told in a random war, with any options, whose players would rather fight."""
    rng = random.Random(seed)
    options = {each.name: rng.choice(each.values) for each in SYSTEM.options if not each.number}
    options |= {"turn_limit": rng.choice([0, 5]), "special_share": "units"}
    given = {"board": BOARD, "catalogue": CATALOGUE, "armies": [army("21"), army("34")]}
    told: list[Event] = []
    header = new_header("promiterra", seats=2, setup=given, options=options, seed=seed)
    game = Game(header, publish=told.append)
    game.settle()
    while not game.over:
        request = rng.choice(game.requests())
        seat = rng.choice(request.missing)
        asked = request.options(seat)
        answers = [asked.sample(rng) for _ in range(6 if request.rule == "PR-3.3" else 1)]
        game.answer(seat, max(answers, key=boldness), request.keys[seat])
        game.settle()
    return told


BOLD = {"attack": 5, "merger": 4, "division": 3, "invasion": 4, "barricade": 2, "flight": -9}
"""How much a plan is liked for what its troops do."""


def boldness(answer: Any) -> int:
    """How much an answer is liked: wars that end at once show little."""
    if not isinstance(answer, dict):
        return 0
    acts = [BOLD.get(act, 0) for part, act in answer.items() if part.startswith("act.")]
    return sum(acts) - 50 * (answer.get("end") == "stop") - 50 * (answer.get("plan") == "again")


@cache
def wars() -> list[list[Event]]:
    """Enough of them for every rule to have acted."""
    return [war(seed) for seed in range(60)]


def test_every_rule_that_acts_is_cited_by_what_it_causes() -> None:
    events = [event for told in wars() for event in told]
    cited = {e.rule for e in events} | {m.rule for e in events for m in e.modifiers}
    assert set(read_ledger(ledger_path(SYSTEM))[0]) - cited == set(DEFINITIONS)


HITS, SAVES = ("PR-5.1", "PR-6.1"), ("PR-5.2", "PR-6.3", "PR-6.4", "PR-7.2")
"""The rules by which units are lost, and those by which they are not."""


def cost(event: Event, striker: str, target: str) -> int:
    """What one half of an attack cost, by the parts that its event cites."""
    return sum(
        part.amount
        for part in event.modifiers
        for rules, troop in ((HITS, striker), (SAVES, target))
        if part.rule in rules and part.reason.endswith(f"@{troop}")
    )


def test_hits_and_saves_add_up_to_the_losses() -> None:
    seen = set()
    for event in [event for told in wars() for event in told if event.rule in ATTACKS]:
        data, kind = event.data, event.kind
        if kind in {"attack", "fought"}:
            assert cost(event, data["attacker"], data["target"]) == data["losses"]
        if kind == "fought":
            assert cost(event, data["target"], data["attacker"]) == data["riposte_losses"]
        if kind == "riposte":
            assert cost(event, data["target"], data["attacker"]) == data["losses"]
        seen.add((event.rule, kind, bool(data.get("times"))))
    assert {("PR-5.6", "fought", True), ("PR-5.6", "fought", False)} < seen


ATTACKS = {"PR-5.5", "PR-5.6", "PR-5.7"}


def test_values_tests_and_scores_add_up_too() -> None:
    for event in [event for told in wars() for event in told]:
        amounts: dict[str, int] = {}
        for part in event.modifiers:
            amounts[part.rule] = amounts.get(part.rule, 0) + part.amount
        if event.rule == "PR-1.1":
            assert amounts["PR-1.7"] == event.data["value"]
        if event.rule == "PR-4.1":
            assert amounts["PR-4.2"] == 1
            compared = event.data["cause"] in {"outvalued", "decimated"}
            assert compared == bool(event.data["whole"])
            assert event.data["part"] * 3 < event.data["whole"] or not compared
        if event.rule == "PR-8.3":
            dice = sum(face for thrown in event.dice for face in thrown.faces)
            assert dice + amounts.get("PR-8.2", 0) == event.data["score"]
        if (event.rule, event.kind) == ("PR-7.7", "divides"):
            assert amounts["PR-7.9"] == event.data["start"] + event.data["kept"]
