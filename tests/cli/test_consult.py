"""`polemarque consult`: what it prints, and how it ends."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from polemarque.cli.commands import consult as command
from polemarque.cli.commands.consult import answer_line, read_value
from polemarque.cli.common import locale_language, run
from polemarque.kernel.errors import NotUnderstood
from polemarque.odds.consult import consult_sample, find_question
from polemarque.odds.inputs import example, shapes
from tests.odds.toys import reckoner

assert reckoner

ASSAULT = (
    "combat_force=13", "loot=0", "terrain=plains", "capital=false", "capital_conquered=true",
    "atlantis=false", "player_held=false", "fortresses=0",
)  # fmt: skip
SIDES = (
    'a={"pm": 60, "morale": 10, "command": 3, "players": 1}',
    'b={"pm": 50, "morale": 12, "command": 2, "players": 0}',
)


@pytest.fixture
def polemarque(capsys, monkeypatch, reckoner):
    """Run a command line in this process: (exit status, standard output, standard error)."""
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")

    def through(*words, typed=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8"))
        status = run([str(word) for word in words])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return status, out, err

    return through


def shell(*words, typed=None, **environ):
    """Run the installed program: (exit status, standard output, standard error)."""
    program = Path(sys.executable).with_name("polemarque")
    done = subprocess.run(
        [program, *words], input=typed, capture_output=True, text=True, encoding="utf-8",
        env={**os.environ, "LC_ALL": "C.UTF-8", **environ}, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


# The installed program ---------------------------------------------------------------------------


def test_the_program_answers_in_json():
    status, out, err = shell("consult", "AT-9.5", *ASSAULT, "--dice", "3,4,2,1,1", "--json")
    assert (status, err, out.count("\n")) == (0, "", 1)
    answer = json.loads(out)
    assert list(answer) == ["rule", "inputs", "dice", "modifiers", "result", "text"]
    assert answer["result"] == {"result": "taken", "rounds": 2, "loot": 200, "figures_lost": 2}
    assert answer["dice"][0] == {"die": "D6", "face": 3, "for": "defence"}
    assert set(answer["modifiers"][0]) == {"amount", "reason", "rule"}


def test_the_program_refuses_in_one_line():
    for words in (
        ("consult", "AT-9.5", *ASSAULT, "--dice", "3"),
        ("consult", "AT-9.5", "combat_force=13"),
        ("consult", "XX-1"),
        ("consult", "AT-9.5", *ASSAULT, "--option", "luck=good"),
        ("consult", "--nonsense"),
        ("consult", "--batch", "no/such/file"),
        ("nonsense",),
        ("--lang", "de", "consult"),
    ):
        status, out, err = shell(*words)
        assert (status, out, err.count("\n")) == (2, "", 1), words
        assert "Traceback" not in err


def test_the_program_answers_a_batch_and_a_closed_pipe():
    typed = '{"rule": "BC-2.9", "inputs": {"engaged": 50}}\n'
    status, out, err = shell("consult", "--batch", "-", typed=typed * 3)
    assert (status, err) == (0, "")
    assert [json.loads(line)["result"]["winner_most"] for line in out.splitlines()] == [2, 2, 2]


def test_the_program_says_its_help_and_version():
    assert shell("--help", LC_ALL="fr_FR.UTF-8")[1].count("Poser une question") == 1
    assert "Ask one rule" in shell("consult", "--help", LC_ALL="en_GB.UTF-8")[1]
    assert shell("--version")[0] == 0


def test_the_program_speaks_to_old_terminals():
    old = {"LC_ALL": "fr_FR", "PYTHONIOENCODING": "ascii"}
    status, out, err = shell("consult", "AT-9.5", *ASSAULT, "--dice", "1,1", **old)
    assert (status, err) == (0, "")
    assert "D?s" in out
    assert shell("consult", "XX-1", **old)[0] == 2
    assert "Dés" in shell("consult", "AT-9.5", *ASSAULT, "--dice", "1,1", LC_ALL="fr_FR")[1]


def test_the_program_gives_exact_odds():
    status, out, _ = shell("consult", "BC-2.1", *SIDES, "--odds", "--json")
    answer = json.loads(out)
    assert status == 0
    assert sum(Fraction(outcome["p"]) for outcome in answer["outcomes"]) == 1
    assert set(answer["outcomes"][0]["means"]) == {
        "score_a", "score_b", "gap", "feats_a", "feats_b",
    }  # fmt: skip
    assert not set(answer["outcomes"][0]["means"]) & set(answer["outcomes"][0]["result"])


# Answers -----------------------------------------------------------------------------------------


def test_an_answer_for_people_shows_its_dice_and_modifiers(polemarque):
    status, out, err = polemarque("consult", "RK-5", "edge=1", "--dice", "2,3,6,1")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "a wins.",
        "Dice: the blow 4D6 (2 3 6 1)",
        "Modifiers: +1 edge (RK-5); +1 edge (RK-5)",
        "Result: winner=a throws=4",
    ]


def test_an_answer_says_whose_each_modifier_is_and_a_roll_that_adds_nothing(polemarque):
    def told(*asked):
        return polemarque("consult", *asked, "--lang", "en")[1]

    forces = ("attacker_force=12", "defender_force=14", "defender_absent=true")
    met = told("AT-8.11", *forces, "--dice", "3,4,5,2")
    assert "+12 combat force, attacker (AT-8.11)" in met
    assert "+14 combat force, defender (AT-8.11)" in met
    warband = '{"kind": "infantry", "ws": 3, "warband": "yes"}'
    army = told("AT-1.5", f"units=[{warband}, {warband}]", "general_ld=8", "--dice", "1,3")
    assert "; 0 warband (AT-1.5)" in army
    assert "warband" not in told("AT-1.5", "units=[]", "general_ld=8")


@pytest.mark.parametrize("rule", ["AT-1.3", "AT-8.6", "PR-4.2", "PR-7.6"])
def test_a_rule_asked_without_inputs_says_which_it_takes(polemarque, rule):
    question = find_question(rule)[1]
    for odds in ((), ("--odds",)):
        status, out, _ = polemarque("consult", rule, *odds)
        last = out.splitlines()[-1]
        assert status == 0
        assert last.startswith(f"Nothing was given. The rule takes: {shapes(question.inputs)[0]}")
        assert last.endswith(f"; for example: {example(question)}")
    json.loads(polemarque("consult", rule, "--json")[1])


def test_a_rule_that_is_given_something_or_takes_nothing_says_no_more(polemarque):
    for words in (("AT-1.3", "royal_city=true"), ("AT-3.1",)):
        assert "Nothing was given" not in polemarque("consult", *words)[1]


def test_a_shape_does_not_run_into_the_end_of_a_sentence(polemarque):
    for words in (("MN-F4",), ("MN-F4", "distance=x", "siege=true"), ("MN-F8",)):
        for lang in ("fr", "en"):
            said = polemarque("consult", *words, "--lang", lang)[2]
            assert "0.." in said and "..." not in said


def test_the_language_is_the_locales_or_the_one_asked_for(polemarque, monkeypatch):
    asked = ("consult", "RK-1", "n=2", "--dice", "3,4")
    assert polemarque(*asked)[1].startswith("2 dice give 7.\nDice: ")
    assert polemarque(*asked, "--lang", "fr")[1].startswith("2 dés donnent 7.\nDés\u00a0: ")
    assert polemarque("--lang", "fr", *asked)[1].startswith("2 dés")
    assert polemarque("--lang=fr", *asked, "--lang=en")[1].startswith("2 dice")
    monkeypatch.setenv("LC_ALL", "fr_BE.UTF-8")
    assert polemarque(*asked)[1].startswith("2 dés")


def test_locales():
    assert locale_language({"LC_ALL": "fr_FR", "LANG": "en"}) == "fr"
    assert locale_language({"LC_ALL": "", "LC_MESSAGES": "fr", "LANG": "en"}) == "fr"
    assert locale_language({"LC_MESSAGES": "C", "LANG": "fr_FR"}) == "en"
    assert locale_language({}) == "en"


def test_values_are_numbers_truths_words_and_json(polemarque):
    typed = ("-3", "true", "false", "none", "3.5", "-", "", '["a", 1]', '{"x": [true]}', '"12"')
    assert [read_value("x", value) for value in typed] == [
        -3, True, False, "none", "3.5", "-", "", ["a", 1], {"x": [True]}, "12",
    ]  # fmt: skip
    with pytest.raises(NotUnderstood):
        read_value("x", "[1")


def test_empty_dice_are_typed_and_none(polemarque):
    plain = ("consult", "RK-14", "units=[]", "lead=none", "brave=true")
    for dice in ("", "[]", " "):
        assert polemarque(*plain, "--dice", dice)[0] == 0
        assert polemarque("consult", "RK-1", "n=1", "--dice", dice)[0] == 2
    assert polemarque("consult", "RK-1", "n=2", "--dice", "[3, 4]", "--json")[0] == 0


def test_seeds_and_options(polemarque):
    seeded = ("consult", "RK-1", "n=20", "--seed", "4", "--json")
    assert polemarque(*seeded) == polemarque(*seeded)
    sides = ('a={"base":9,"pm":1}', 'b={"base":1,"pm":1}', "--dice", "4,4", "--json")
    fought = ("consult", "RK-3", *sides, "--option", "mercy=always", "--option", "limit=5")
    assert json.loads(polemarque(*fought)[1])["result"]["loss"] == 0


def test_sampled_odds_say_that_they_are_an_estimate_and_how_far_off(polemarque):
    asked = ("consult", "PR-7.6", "challenger=2", "challenged=1", "--odds", "--lang", "en")
    exact = polemarque(*asked)[1]
    assert "±" not in exact
    assert "stimate" not in exact
    share = float(exact.partition("%")[0])
    right = 0
    for seed in range(60):
        head, first, _ = polemarque(*asked, "--sample", 200, "--seed", seed)[1].splitlines()
        assert head == "Estimate of 200 throws; ± is its 95 % error, in points:"
        said, error = re.fullmatch(r" *([\d.]+)% ± ([\d.]+)  winner=challenger", first).groups()
        assert 5 < float(error) < 8  # 1.96 √(0.68 × 0.32 / 200) = 6.5 points
        right += abs(float(said) - share) <= float(error)
    assert 52 <= right <= 60


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "These throws were compiled first, which took 2 s."),
        ("fr", "Ces lancers ont d’abord été compilés, en 2 s."),
    ],
)
def test_who_waited_for_a_compiler_is_told_so(polemarque, monkeypatch, lang, said):
    def after_compiling(*asked, on_compiled, **how):
        on_compiled(1.3)
        return consult_sample(*asked, **how)

    monkeypatch.setattr(command, "consult_sample", after_compiling)
    asked = ("consult", "AT-8.11", "attacker_force=9", "defender_force=8", "defender_absent=false")
    status, out, err = polemarque(*asked, "--odds", "--sample", 9, "--json", "--lang", lang)
    assert status == 0 and err.startswith(said) and err.count("\n") == 1
    assert json.loads(out)["sampled"] == 9


def test_a_share_of_all_throws_has_an_error_too(polemarque):
    said = polemarque(
        "consult", "RK-1", "n=0", "--odds", "--sample", 50, "--seed", 1, "--lang", "fr"
    )[1].splitlines()
    assert said[0].startswith("Estimation sur 50 lancers")
    assert "100 % ± 7,13" in said[1]


def test_all_rules_are_listed(polemarque):
    status, out, _ = polemarque("consult")
    assert status == 0
    listed = [line.split()[0] for line in out.splitlines()]
    assert {"AT-9.5", "BC-2.1", "RK-14"} <= set(listed)
    rows = json.loads(polemarque("consult", "--json")[1])
    assert next(row for row in rows if row["rule"] == "RK-1")["inputs"] == ["n=0..", "[sides=3|6]"]


# Refusals ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "kind", "named"),
    [
        (("RK-1",), "not_understood", "n=0.. [sides=3|6]"),
        (("RK-1",), "not_understood", "polemarque consult RK-1 n=3"),
        (("RK-5", "edge=x"), "not_understood", "edge"),
        (("RK-1", "n"), "not_understood", "n"),
        (("RK-1", "n=1", "n=2"), "not_understood", "n"),
        (("RK-1", "n=[1"), "not_understood", "n"),
        (("RK-1", "n=1", "--option", "luck=1"), "not_understood", "luck"),
        (("RK-3", "a=1", "b=1"), "not_understood", "base"),
        (("RK-1", "n=2", "--dice", "7,1"), "dice", "D6"),
        (("RK-1", "n=2", "--dice", "1"), "dice", "D6"),
        (("RK-1", "n=2", "--dice", "1,2,3"), "dice", "3"),
        (("RK-1", "n=2", "--dice", "1,two"), "dice", "two"),
        (("RK-9", "most=50", "--odds"), "too_large", "--sample"),
        (("RK-1", "n=1", "--odds", "--dice", "1"), "not_understood", "--dice"),
        (("RK-1", "n=1", "--sample", "5"), "not_understood", "--odds"),
        (("RK-1", "n=1", "--odds", "--sample", "0"), "not_understood", "--sample"),
        (("RK-99",), "not_understood", "RK-99"),
        (("--dice", "1"), "not_understood", "--dice"),
        (("--batch", "x", "RK-1"), "not_understood", "RK-1"),
        (("--nonsense",), "not_understood", "--nonsense"),
        (("RK-1", "--dice"), "not_understood", "--dice"),
    ],
)
def test_refusals_are_one_line_and_status_2(polemarque, words, kind, named):
    for lang in ("fr", "en"):
        status, out, err = polemarque("--lang", lang, "consult", *words)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert named in err
    status, out, err = polemarque("consult", "--json", *words)
    answer = json.loads(out)
    assert status == 2
    assert set(answer) == {"rule", "error", "kind"}
    assert answer["kind"] == kind
    assert answer["rule"] in {words[0], None}
    assert err.count("\n") == 1


def test_an_interruption_ends_with_130(polemarque, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("polemarque.cli.commands.consult.consult", interrupted)
    assert polemarque("consult", "RK-1", "n=1") == (130, "", "")


def test_a_fault_of_a_rule_is_no_traceback(polemarque, monkeypatch):
    def broken(*_):
        raise LookupError("no row")

    monkeypatch.setattr("polemarque.cli.commands.consult.consult", broken)
    status, _, err = polemarque("consult", "RK-1", "n=1")
    assert (status, err.count("\n")) == (2, 1)
    assert json.loads(json.dumps(answer_line(b'{"rule": "RK-1"}')))["kind"] == "not_understood"


# Odds --------------------------------------------------------------------------------------------


def test_odds_in_json_and_for_people(polemarque):
    status, out, _ = polemarque("consult", "RK-5", "--odds", "--json")
    assert status == 0
    assert json.loads(out) == {
        "rule": "RK-5",
        "inputs": {},
        "outcomes": [
            {"result": {"winner": "a"}, "p": "1/2", "means": {"throws": "12/5"}},
            {"result": {"winner": "b"}, "p": "1/2", "means": {"throws": "12/5"}},
        ],
    }
    assert "50%  winner=a [on average: throws=2.40]" in polemarque("consult", "RK-5", "--odds")[1]


def test_independent_results_are_shown_apart_and_listed_together_in_json(polemarque):
    two = ('{"units": 3, "attack": 3, "defence": 2}', '{"units": 2, "attack": 2, "defence": 3}')
    asked = ("consult", "PR-5.3", f"attacker={two[0]}", f"defender={two[1]}", "--odds")
    out = polemarque(*asked)[1]
    assert out.startswith("These results do not depend on each other")
    assert polemarque(*asked, "--parts")[1] == out
    assert "defender_losses=0 [on average: hits=" in out and "losses=0 attacker" not in out
    parts = json.loads(polemarque(*asked, "--parts", "--json")[1])["parts"]
    joint = json.loads(polemarque(*asked, "--json")[1])["outcomes"]
    product = {
        (one["result"]["defender_losses"], other["result"]["attacker_losses"]):
        Fraction(one["p"]) * Fraction(other["p"])
        for one in parts[0]["outcomes"] for other in parts[1]["outcomes"]
    }  # fmt: skip
    assert product == {tuple(o["result"].values()): Fraction(o["p"]) for o in joint}
    assert polemarque(*asked, "--parts", "--sample", "9")[0] == 2


def test_a_joint_that_is_too_long_says_how_long_and_what_is_answered(polemarque):
    two = ('{"units": 500, "attack": 3, "defence": 2}', '{"units": 300, "attack": 2, "defence": 3}')
    asked = ("consult", "PR-5.3", f"attacker={two[0]}", f"defender={two[1]}", "--option",
             "dice=all", "--odds")  # fmt: skip
    status, out, _ = polemarque(*asked, "--json")
    refused = json.loads(out)
    assert (status, refused["kind"]) == (2, "too_large")
    for said in ("90601", "20000", "--parts", "--sample"):
        assert said in refused["error"]
    assert polemarque(*asked)[0] == 0


def test_what_depends_on_each_other_is_told_alone_and_says_so(polemarque):
    out = polemarque("consult", "PR-8.4", "lost=30", "--odds")[1]
    assert out.startswith("Each result is given alone. They depend on each other")
    assert "18%  back_at_once=4\n" in out
    assert polemarque("consult", "PR-8.4", "lost=30", "--odds", "--json")[0] == 2


def test_estimated_odds_say_so(polemarque):
    asked = ("consult", "RK-9", "most=12", "--odds", "--sample", "200", "--seed", "1", "--json")
    answer = json.loads(polemarque(*asked)[1])
    assert answer["sampled"] == 200
    assert sum(Fraction(outcome["p"]) for outcome in answer["outcomes"]) == 1


def test_odds_name_choices(polemarque):
    out = polemarque("consult", "RK-8", "most=3", "--odds")[1]
    assert "Choices by default: stake=1" in out
    assert (
        "stake" not in polemarque("consult", "RK-8", "most=3", 'choices={"stake":2}', "--odds")[1]
    )


# Batches -----------------------------------------------------------------------------------------

LINES = [
    b'{"rule": "RK-1", "inputs": {"n": 2}, "dice": [3, 4]}',
    b"nonsense",
    b'{"rule": "RK-1", "inputs": {"n": 2}, "dice": []}',
    b"",
    b'{"rule": "RK-3", "inputs": {"a": {"base": 1, "pm": 0}, "b": {"base": 1, "pm": 1}}}',
    b'{"rule": "RK-99", "inputs": {}}',
    b'{"rule": "RK-5", "dice": [6, 1], "options": {}}',
    b'{"rule": "RK-5", "dices": [6, 1]}',
    b'[1, 2]',
    b'{"inputs": {}}',
    b'{"rule": 5}',
    b'\xff\xfe',
    b'{"rule": "RK-5", "dice": null, "inputs": null, "options": null}',
]  # fmt: skip
KINDS = [
    None, "not_understood", "dice", "not_understood", "not_allowed", "not_understood", None,
    "not_understood", "not_understood", "not_understood", "not_understood", "not_understood", None,
]  # fmt: skip


def test_a_batch_answers_every_line_in_order(polemarque, tmp_path):
    file = tmp_path / "batch.jsonl"
    file.write_bytes(b"\n".join(LINES) + b"\n")
    status, out, err = polemarque("consult", "--batch", file)
    assert (status, err) == (0, "")
    answers = [json.loads(line) for line in out.splitlines()]
    assert [answer.get("kind") for answer in answers] == KINDS
    assert answers[0]["result"] == {"total": 7}
    assert answers[1] == {"rule": None, "error": "This line is not JSON.", "kind": "not_understood"}
    assert [answers[2]["rule"], answers[5]["rule"]] == ["RK-1", "RK-99"]
    again = polemarque("consult", "--batch", "-", typed=b"\r\n".join(LINES))
    assert [json.loads(line).get("kind") for line in again[1].splitlines()] == KINDS


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"null", "“null” must"),
        (b"[1, null]", "“[1,null]” must"),
        (b'{"rule": "PR-6.1", "inputs": {"count": 3}, "options": {"dice": null}}', "be null."),
        (b'{"rule": "PR-6.1", "inputs": {"count": 3}, "options": {"dice": ["cut"]}}', '["cut"]'),
        (b'{"rule": "BC-2.3", "inputs": {"gap": 3}, "options": {"tie_morale": true}}', "be true."),
        (b'{"rule": "BC-2.3", "inputs": {"gap": 3}, "options": {"tie_morale": "2"}}', 'be "2".'),
        (b'{"rule": "PR-6.1", "inputs": {"count": 3}, "options": {"turn_limit": "5"}}', 'be "5".'),
    ],
)
def test_a_batch_names_what_it_refuses_as_it_was_typed(line, said, monkeypatch):
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    answer = answer_line(line)
    assert answer["kind"] == "not_understood"
    assert said in answer["error"]


@pytest.mark.parametrize("seed", [b"true", b"1.5", b"[1]"])
def test_a_batch_refuses_a_seed_that_is_neither_number_nor_word(seed, monkeypatch, reckoner):
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    answer = answer_line(b'{"rule": "RK-1", "inputs": {"n": 2}, "seed": %b}' % seed)
    assert (answer["rule"], answer["kind"]) == ("RK-1", "not_understood")
    assert answer["error"] == f"A seed is a whole number or a word, which {seed.decode()} is not."


def test_a_line_of_a_batch_asks_for_odds(polemarque, reckoner):
    answer = answer_line(b'{"rule": "RK-1", "inputs": {"n": 2}, "odds": true}')
    _, out, _ = polemarque("consult", "RK-1", "n=2", "--odds", "--json")
    assert json.loads(msgspec.json.encode(answer)) == json.loads(out)
    dice = answer_line(b'{"rule": "RK-1", "inputs": {"n": 2}, "odds": false, "dice": [3, 4]}')
    assert dice.result == {"total": 7}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (b'"odds": true, "dice": [3, 4]', "Odds count all dice: dice is too much."),
        (b'"odds": true, "seed": 3', "Odds count all dice: seed is too much."),
        (b'"odds": 1', "“odds” is true or false, which 1 is not."),
    ],
)
def test_a_line_of_a_batch_asks_for_odds_or_for_dice(more, said, monkeypatch, reckoner):
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    answer = answer_line(b'{"rule": "RK-1", "inputs": {"n": 2}, %b}' % more)
    assert (answer["kind"], answer["error"]) == ("not_understood", said)


def test_a_batch_takes_the_seeds_that_the_command_takes(polemarque, reckoner):
    line = b'{"rule": "RK-1", "inputs": {"n": 20}, "seed": "Gaugamela"}'
    typed = ("consult", "RK-1", "n=20", "--seed", "Gaugamela", "--json")
    dice = [[die.die, die.face] for die in answer_line(line).dice]
    assert [[die["die"], die["face"]] for die in json.loads(polemarque(*typed)[1])["dice"]] == dice


def test_a_seed_of_null_is_none(reckoner):
    line = b'{"rule": "RK-1", "inputs": {"n": 20}, "seed": %b}'
    assert answer_line(line % b"null", "4") == answer_line(line % b"4")


def test_a_batch_refuses_a_choice_that_its_rule_does_not_leave(monkeypatch, reckoner):
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    asked = b'{"rule": "%b", "inputs": {"most": 3, "choices": {"steak": 2}}}'
    answer = answer_line(asked % b"RK-8")
    assert answer["kind"] == "not_understood"
    assert answer["error"] == "RK-8 asks nobody to choose “steak”: it asks for stake and RK-8."
    assert answer_line(asked % b"RK-9")["error"] == "RK-9 asks nobody to choose “steak”."


def test_a_batch_may_begin_with_the_mark_of_utf_8(polemarque, tmp_path):
    file = tmp_path / "batch.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + LINES[0] + b"\n" + LINES[0])
    for given in ((file,), ("-",)):
        _, out, _ = polemarque("consult", "--batch", *given, typed=file.read_bytes())
        assert ["result" in json.loads(line) for line in out.splitlines()] == [True, True]


def test_options_that_are_numbers_are_typed_as_such_on_a_command_line(polemarque):
    status, _, _ = polemarque("consult", "BC-2.3", "gap=3", "--option", "tie_morale=2")
    assert status == 0


def test_a_seeded_batch_is_always_the_same(polemarque):
    typed = b'{"rule": "RK-1", "inputs": {"n": 9}}\n' * 3
    first = polemarque("consult", "--batch", "-", "--seed", "2", typed=typed)
    assert first == polemarque("consult", "--batch", "-", "--seed", "2", typed=typed)
    assert len(set(first[1].splitlines())) == 3


def test_a_long_batch_takes_seconds(polemarque):
    typed = b'{"rule": "RK-5", "inputs": {"edge": 1}}\n' * 10_000
    status, out, _ = polemarque("consult", "--batch", "-", typed=typed)
    assert (status, out.count("\n")) == (0, 10_000)


def test_only_what_an_answer_needs_is_loaded():
    program = (
        "import sys; from polemarque.cli.common import run; "
        "run(['consult', 'BC-2.9', 'engaged=50', '--odds', '--json']); print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.splitlines()[1].split())
    assert "polemarque.systems.batailles" in loaded
    assert not loaded & {
        "polemarque.systems.atlantide",
        "polemarque.kernel.records.keyed_dice", "polemarque.cli.commands.play",
        "rich", "rich_click", "importlib.metadata", "hashlib",
    }  # fmt: skip
