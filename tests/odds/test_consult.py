"""Consult as a function: inputs, dice, options, sentences, odds, estimates."""

from __future__ import annotations

from collections import defaultdict
from contextlib import nullcontext
from fractions import Fraction
from math import comb

import msgspec
import pytest

from polemarque.kernel.agenda import roll
from polemarque.kernel.dice import D6, Counts, Reading, Roll, Scripted, counts, faces, total
from polemarque.kernel.errors import DiceRefused, NotAllowed, NotUnderstood, Refusal
from polemarque.kernel.files.texts import KERNEL_TEXTS, LANGUAGES, Catalogue
from polemarque.odds import parts
from polemarque.odds.consult import (
    MOST_DICE,
    consult,
    consult_odds,
    consult_parts,
    consult_sample,
    find_question,
    questions,
)
from polemarque.odds.enumeration import law
from polemarque.odds.inputs import example, shapes
from polemarque.odds.outcomes import LookedAt
from polemarque.odds.rolls import RUNS, TooLarge
from polemarque.odds.sampling import Stream, sample_of
from polemarque.odds.wording import DATA, catalogue_of, refusal_text
from tests.odds.toys import QUESTIONS, assault, law_of, reckoner

assert reckoner

CONDITIONS = (
    "horrible_death", "glorious_death", "permanent_wound", "serious_wound", "light_wound",
    "back_at_once",
)  # fmt: skip

PHASE = {"a": {"base": 2, "pm": 1}, "b": {"base": 1, "pm": 1}}
pytestmark = pytest.mark.usefixtures("reckoner")


def plain(answer):
    return msgspec.json.decode(msgspec.json.encode(answer))


def test_an_answer_has_the_contracts_keys_in_their_order():
    answer = plain(consult("RK-5", {"edge": 1}, [2, 2], lang="en"))
    assert answer == {
        "rule": "RK-5",
        "inputs": {"edge": 1},
        "dice": [
            {"die": "D6", "face": 2, "for": "strike"},
            {"die": "D6", "face": 2, "for": "strike"},
        ],
        "modifiers": [{"amount": 1, "reason": "edge", "rule": "RK-5"}],
        "result": {"winner": "a", "throws": 2},
        "text": "a wins.",
    }
    assert list(answer) == ["rule", "inputs", "dice", "modifiers", "result", "text"]


def test_rounds_take_further_dice_and_add_up_tallies():
    answer = plain(consult("RK-5", {}, [3, 3, 6, 1]))
    assert answer["result"] == {"winner": "a", "throws": 4}
    assert [die["face"] for die in answer["dice"]] == [3, 3, 6, 1]
    assert answer["inputs"] == {}


def test_called_procedures_give_their_tallies():
    answer = plain(consult("RK-3", PHASE, [4, 4, 5]))
    assert answer["result"] == {"winner": "a", "loss": 5, "gap": 1, "feats_a": 0, "feats_b": 0}
    assert answer["inputs"] == PHASE


def test_options_reach_the_rule():
    assert consult("RK-3", PHASE, [4, 4, 5], {"mercy": "always"}).result["loss"] == 0
    for options in ({"mercy": "seldom"}, {"mercies": "always"}, ["mercy"]):
        with pytest.raises(NotUnderstood):
            consult("RK-3", PHASE, [4, 4, 5], options)


def test_seeded_dice_are_always_the_same_and_others_are_not():
    seeded = {str(plain(consult("RK-1", {"n": 30}, seed=7))) for _ in range(3)}
    assert len(seeded) == 1
    assert str(plain(consult("RK-1", {"n": 30}, seed=8))) not in seeded
    assert len({str(plain(consult("RK-1", {"n": 30}))) for _ in range(3)}) == 3


def test_long_rolls_show_every_die():
    answer = consult("RK-1", {"n": 200}, seed=1)
    assert len(answer.dice) == 200
    assert sum(die.face for die in answer.dice) == answer.result["total"]


def test_a_rule_without_dice_takes_an_empty_list():
    inputs = {"units": [{"base": 1, "pm": 5}], "lead": "none", "brave": True}
    assert consult("RK-14", inputs, []).result == {"armies": 1, "pm": 5}
    assert consult("RK-14", inputs).result == {"armies": 1, "pm": 5}


@pytest.mark.parametrize(
    ("dice", "code"),
    [
        ([], "dice.too_few"),
        ([1], "dice.too_few"),
        ([1, 2, 3], "dice.left_over"),
        ([7, 1], "dice.face"),
        ([0, 1], "dice.face"),
        ([True, 1], "consult.face"),
        (["x", 1], "consult.face"),
        ([1.5, 1], "consult.face"),
        ([None, 1], "consult.face"),
    ],
)
def test_dice_that_cannot_be_are_refused(dice, code):
    with pytest.raises(DiceRefused) as refused:
        consult("RK-1", {"n": 2}, dice)
    assert (refused.value.kind, refused.value.code) == ("dice", code)


def test_too_few_dice_say_how_many_came_and_how_many_are_needed():
    source = Scripted([3, 4, 5])
    assert source.throw(Roll(2, D6, total, "first")) == (3, 4)
    with pytest.raises(DiceRefused) as refused:
        source.throw(Roll(2, D6, total, "second"))
    texts = Catalogue.load(KERNEL_TEXTS, DATA)
    assert refusal_text(texts, "en", refused.value) == (
        "Too few dice: 3 given, at least 4 needed (this roll is of 2D6)."
    )
    assert "3 donnés, il en faut au moins 4" in refusal_text(texts, "fr", refused.value)


def test_what_is_no_face_is_named_as_it_was_typed():
    for face, named in (("4", '"4"'), (True, "true"), (None, "null")):
        with pytest.raises(DiceRefused) as refused:
            consult("RK-1", {"n": 2}, [face, 1])
        assert refused.value.part == named


@pytest.mark.parametrize(
    ("rule", "inputs", "code", "part"),
    [
        ("RK-99", {}, "consult.unknown_rule", "RK-99"),
        (5, {}, "consult.no_rule", "5"),
        ("RK-1", [], "consult.object", "inputs"),
        ("RK-1", {}, "consult.missing", "n"),
        ("RK-14", {"lead": 3}, "consult.missing", "units, brave"),
        ("RK-1", {"n": 1, "m": 2}, "consult.unknown_input", "m"),
        ("RK-1", {"n": "1"}, "consult.value", "n"),
        ("RK-1", {"n": True}, "consult.value", "n"),
        ("RK-1", {"n": -1}, "consult.value", "n"),
        ("RK-1", {"n": 1, "sides": 4}, "consult.value", "sides"),
        ("RK-3", {"a": {"pm": 1}, "b": {}}, "consult.missing_part", "a.base"),
        ("RK-3", {**PHASE, "kind": "shut"}, "consult.value", "kind"),
        ("RK-3", {**PHASE, "b": {"base": 1, "pm": 1, "x": 1}}, "consult.unknown_part", "b.x"),
        ("RK-14", {"units": [{"base": 1, "pm": "x"}], "lead": 1, "brave": True},
         "consult.value", "units[0].pm"),
        ("RK-14", {"units": [{"base": 1, "pm": 2, "x": 0}], "lead": 1, "brave": True},
         "consult.unknown_part", "units[0].x"),
        ("RK-8", {"most": 2, "choices": 3}, "consult.object", "choices"),
        ("RK-8", {"most": 2, "choices": {"steak": 1}}, "consult.unknown_choice", "steak"),
        ("RK-9", {"most": 2, "choices": {"stake": 1}}, "consult.unknown_choice", "stake"),
    ],
)  # fmt: skip
def test_inputs_that_are_not_understood_are_named(rule, inputs, code, part):
    with pytest.raises(NotUnderstood) as refused:
        consult(rule, inputs)
    assert (refused.value.kind, refused.value.code) == ("not_understood", code)
    assert refused.value.part == part
    for lang in LANGUAGES:
        said = refusal_text(catalogue_of(), lang, refused.value)
        assert part in said or code in {"consult.no_rule", "consult.unknown_rule"}
        assert code not in said


def test_a_refusal_shows_the_form_of_what_is_wanted():
    with pytest.raises(NotUnderstood) as refused:
        consult("RK-14", {"units": 3, "lead": 1, "brave": True})
    assert '[{"base": N, "pm": N, "players": N}, …]' in refusal_text(
        catalogue_of(), "en", refused.value
    )


def test_inputs_that_are_missing_are_cut_between_their_names():
    with pytest.raises(NotUnderstood) as refused:
        consult("AT-9.5", {})
    shown = "terrain, capital, capital_conquered, atlantis, player_held, fortresses"
    assert refused.value.part == shown
    for lang, rule in (("fr", "La règle"), ("en", "Rule")):
        assert f"{shown}, … {rule} AT-9.5" in refusal_text(catalogue_of(), lang, refused.value)


def test_what_the_rules_forbid_is_not_allowed():
    with pytest.raises(NotAllowed) as refused:
        consult("RK-3", {**PHASE, "a": {"base": 1, "pm": 0}}, [9, 9, 9, 9])
    assert refused.value.kind == "not_allowed"


def test_no_rule_rolls_more_dice_than_can_be_shown():
    with pytest.raises(NotAllowed):
        consult("RK-1", {"n": MOST_DICE + 1})


def test_shapes_and_examples_are_written_as_they_are_typed():
    question = {q.rule: q for q in QUESTIONS}
    assert shapes(question["RK-1"].inputs) == ["n=0..", "[sides=3|6]"]
    assert shapes(question["RK-14"].inputs)[1:] == ["lead=N|none", "brave=true|false"]
    assert example(question["RK-14"]) == "polemarque consult RK-14 units='[]' lead=none brave=true"


def test_sentences_in_both_languages():
    said = {lang: consult("RK-1", {"n": 2}, [3, 4], lang=lang).text for lang in LANGUAGES}
    assert said == {"fr": "2 dés donnent 7.", "en": "2 dice give 7."}
    assert consult("RK-9", {"most": 2}, [3, 4], lang="en").text == "RK-9: total = 4."


def test_choices_are_answered_strictly_or_by_default_and_named():
    taken = consult("RK-8", {"most": 3, "choices": {"stake": 2}}, [3, 4])
    assert taken.result == {"total": 7}
    assert taken.inputs == {"most": 3, "choices": {"stake": 2}}
    assert taken.choices is msgspec.UNSET
    absent = plain(consult("RK-8", {"most": 3}, [3]))
    assert absent["choices"] == [{"rule": "RK-8", "subject": "stake", "answer": 1}]
    with pytest.raises(NotAllowed):
        consult("RK-8", {"most": 3, "choices": {"stake": 4}}, [1, 1, 1, 1])


# Odds --------------------------------------------------------------------------------------------


def test_odds_are_exact_ranked_and_sum_to_one():
    answer = plain(consult_odds("RK-4", {"attack": 9}))
    assert list(answer) == ["rule", "inputs", "outcomes"]
    assert answer["inputs"] == {"attack": 9}
    chances = [Fraction(outcome["p"]) for outcome in answer["outcomes"]]
    assert sum(chances) == 1
    assert chances == sorted(chances, reverse=True)
    for outcome, same in zip(answer["outcomes"], law("RK-4", (9, 0)).outcomes, strict=True):
        assert outcome["result"] == {"result": same.value.result}
        assert Fraction(outcome["means"]["lost"]) == same.means["lost"] == 2 * same.means["rounds"]


def test_odds_of_a_certain_result_are_one_over_one():
    inputs = {"units": [], "lead": 1, "brave": False}
    assert plain(consult_odds("RK-14", inputs))["outcomes"] == [
        {"result": {"armies": 0, "pm": 0}, "p": "1/1"}
    ]


def test_odds_name_the_choices_they_made():
    answer = plain(consult_odds("RK-8", {"most": 3}))
    assert answer["choices"] == [{"rule": "RK-8", "subject": "stake", "answer": 1}]
    assert "choices" not in plain(consult_odds("RK-8", {"most": 3, "choices": {"stake": 2}}))


@pytest.mark.slow
def test_odds_that_are_too_large_offer_an_estimate():
    with pytest.raises(TooLarge) as refused:
        consult_odds("RK-9", {"most": 40})
    for lang in LANGUAGES:
        assert "--sample" in refusal_text(catalogue_of(), lang, refused.value)


@pytest.mark.parametrize(
    ("rule", "inputs", "options", "many", "few"),
    [
        ("PR-8.4", {"lost": 30}, {}, "324632", {"lost": 15}),
        ("PR-8.4", {"lost": 10**11}, {}, "", {"lost": 15}),
        ("PR-5.1", {"units": 9000, "attack": 2}, {"dice": "all"}, "9000D6", {"units": 4000}),
    ],
)
def test_what_is_refused_says_how_much_it_is_and_what_is_answered(rule, inputs, options, many, few):
    with pytest.raises(TooLarge) as refused:
        consult_odds(rule, inputs, options)
    (most,) = few.values()
    for lang in LANGUAGES:
        said = refusal_text(catalogue_of(), lang, refused.value)
        assert many in said and f"{most}D6" in said
    assert consult_odds(rule, {**inputs, **few}, options).outcomes


@pytest.mark.parametrize(
    ("rule", "inputs", "dice", "shown"),
    [
        ("PR-8.4", {"lost": 30}, 30, dict.fromkeys(CONDITIONS, 1)),
        ("PR-8.4", {"lost": 900}, 900, dict.fromkeys(CONDITIONS, 1)),
        ("TH-F2", {"target": "infantry", "kind": "melee", "count": 60}, 60,
         {"hits": 1, "flags": 1, "letters": 1}),
    ],
)  # fmt: skip
def test_results_that_are_together_too_many_are_told_each_alone(rule, inputs, dice, shown):
    answer = consult_parts(rule, inputs)
    assert answer.dependent is True
    assert [list(part.outcomes[0].result) for part in answer.parts] == [[name] for name in shown]
    for part, (name, hit) in zip(answer.parts, shown.items(), strict=True):
        chances = {o.result[name]: Fraction(o.p) for o in part.outcomes}
        assert chances == {
            n: Fraction(comb(dice, n) * hit**n * (D6 - hit) ** (dice - n), D6**dice)
            for n in range(dice + 1)
        }


def test_results_told_alone_agree_with_all_of_them_together(monkeypatch):
    monkeypatch.setattr(parts, "OUTCOMES", 1)
    asked = [(question.rule, question.example, {}) for _, question in questions()]
    asked.append(
        ("TH-F2", {"target": "cavalry", "kind": "melee", "count": 7, "supported": True}, {})
    )
    alone = set()
    for rule, inputs, options in asked:
        if find_question(rule)[1].parts is not None:
            continue
        answer, together = consult_parts(rule, inputs, options), consult_odds(rule, inputs, options)
        if answer.dependent is not True:
            assert answer.parts[0].outcomes == together.outcomes
            continue
        alone.add(rule)
        for part in answer.parts:
            ((name, _),) = part.outcomes[0].result.items()
            chances = defaultdict(Fraction)
            for outcome in together.outcomes:
                chances[outcome.result[name]] += Fraction(outcome.p)
            assert {o.result[name]: Fraction(o.p) for o in part.outcomes} == chances
    assert alone >= {"PR-8.4", "TH-F2"}


def test_dice_that_are_not_added_up_are_told_together():
    both = Reading("most", (0, 0), lambda face: (face, -face), lambda a, b: tuple(map(max, a, b)))
    for read, refused in ((both, True), (counts(D6), False), (faces, True)):
        with pytest.raises(LookedAt) if refused else nullcontext():
            parts.numbers_of(Roll(3, D6, read, "both"))


def test_ways_that_are_too_many_are_counted_before_they_are_gone_through():
    def twice():
        fell = yield from roll(10, D6, read=counts(D6), why="one")
        fell += yield from roll(10, D6, read=counts(D6), why="other")
        return {"six": fell[-1]}

    with pytest.raises(TooLarge) as refused:
        law_of(twice)
    assert (refused.value.code, refused.value.part) == ("odds.too_wide", str(3003 * 3003))
    for lang in LANGUAGES:
        said = refusal_text(catalogue_of(), lang, refused.value)
        assert "9018009" in said and str(RUNS) in said and "--sample" in said


def test_estimates_come_near_the_exact_odds():
    exact = {o.value.result: o for o in law("RK-4", (9, 0)).outcomes}

    def estimate(n: int):
        return sample_of(lambda: assault.run(9, 0), n, seed=3)

    estimated = estimate(20_000)
    for outcome in estimated.outcomes:
        same = exact[outcome.value.result]
        assert float(outcome.p) == pytest.approx(float(same.p), abs=0.015)
        assert float(outcome.means["lost"]) == pytest.approx(float(same.means["lost"]), rel=0.05)
    assert estimate(500) == estimate(500)


def test_an_estimate_says_how_often_it_played():
    answer = plain(consult_sample("RK-3", PHASE, n=50, seed=1))
    assert answer["sampled"] == 50
    assert sum(Fraction(outcome["p"]) for outcome in answer["outcomes"]) == 1
    assert set(answer["outcomes"][0]["means"]) == {"gap", "feats_a", "feats_b"}


@pytest.mark.parametrize(
    ("rule", "inputs", "outcomes"),
    [
        ("TH-F2", {"target": "infantry", "kind": "melee", "count": 40}, 12_341),
        ("PR-8.4", {"lost": 15}, 15_504),
        ("BC-2.2", {"players": 60}, 301),
    ],
)
def test_odds_are_listed_as_far_as_their_number_allows(rule, inputs, outcomes):
    answer = plain(consult_odds(rule, inputs))
    assert len(answer["outcomes"]) == outcomes
    assert sum(Fraction(outcome["p"]) for outcome in answer["outcomes"]) == 1


@pytest.mark.parametrize(
    ("rule", "inputs"),
    [("TH-F2", {"target": "infantry", "kind": "melee", "count": 48}), ("PR-8.4", {"lost": 16})],
)
def test_more_than_twenty_thousand_outcomes_are_not_listed(rule, inputs):
    with pytest.raises(TooLarge):
        consult_odds(rule, inputs)


# Every system's questions ------------------------------------------------------------------------


def test_every_question_answers_its_example_in_both_languages():
    asked = [question for _, question in questions()]
    assert {q.rule for q in QUESTIONS} <= {q.rule for q in asked}
    for question in asked:
        for lang in LANGUAGES:
            answer = consult(question.rule, question.example, seed=1, lang=lang)
            assert answer.text
        faces = [die.face for die in answer.dice]
        again = consult(question.rule, question.example, faces, lang="fr")
        assert again.result == answer.result
        assert find_question(question.rule)[1] is question
        msgspec.json.encode(answer)


def test_the_rules_of_a_book_are_listed_by_their_numbers():
    listed: dict[str, list[str]] = {}
    for system, question in questions():
        listed.setdefault(system.name, []).append(question.rule)
    rules = listed["promiterra"]
    assert rules.index("PR-4.1") < rules.index("PR-4.2") < rules.index("PR-5.1")
    assert rules.index("PR-7.8") < rules.index("PR-7.9") < rules.index("PR-8.1")
    rules = listed["thucidide"]
    assert rules.index("TH-7.7") < rules.index("TH-F2") < rules.index("TH-F12")


def test_every_choice_that_is_met_can_be_given():
    cases = [
        (question, question.example, {option.name: value})
        for system, question in questions()
        for option in system.options
        for value in option.values
        if not option.number
    ]
    light, target = {"units": 9, "attack": 2, "defence": 2}, {"units": 5, "attack": 2, "defence": 2}
    unsplit = {"attackers": [light, light], "defender": target}
    cases.append((find_question("PR-5.7")[1], unsplit, {}))
    met = {}
    for question, inputs, options in cases:
        try:
            answer = consult(question.rule, inputs, None, options, seed=1)
        except Refusal:
            continue  # a variant that asks for an input more
        for choice in plain(answer).get("choices", []):
            given = {choice["subject"], choice["rule"]} - {""}
            assert given <= set(question.choices), question.rule
            met.setdefault(question.rule, set()).update(given)
    assert met.keys() >= {"RK-8", "BC-2.7", "PR-5.7", "PR-7.6"}
    declared = {question.rule for _, question in questions() if question.choices}
    assert declared - {"BC-2.1"} <= met.keys()


def test_every_questions_example_has_odds():
    for _, question in questions():
        try:
            odds = consult_odds(question.rule, question.example)
        except TooLarge:
            continue
        assert sum(Fraction(outcome.p) for outcome in odds.outcomes) == 1


@pytest.mark.parametrize("n", [0, -3, 10**12])
def test_a_sample_has_some_plays_and_not_too_many(n: int) -> None:
    with pytest.raises(NotUnderstood) as refused:
        consult_sample("RK-3", PHASE, n=n)
    assert refused.value.code == "odds.sample" and refused.value.legal == ("10000000",)


def test_dice_of_any_number_of_faces_are_sampled() -> None:
    fell = Stream(1).throw(Roll(400, 1000, total, "x"))
    assert isinstance(fell, Counts)
    assert len(fell.of) == 1000 and sum(fell.of) == 400 and sum(fell.of[256:]) > 200
