"""Inputs as the fields of a form: from values to what is typed, and back."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from polemarque.kernel.errors import DiceRefused, NotUnderstood
from polemarque.odds.consult import find_question, options_read, questions
from polemarque.odds.fields import Field, fields_of, gather, spread
from polemarque.odds.inputs import faces_to_type, faces_typed, read_value

RULES = [question.rule for _, question in questions()]


def fields(rule: str) -> dict[str, Field]:
    return {field.name: field for field in fields_of(find_question(rule)[1])}


@pytest.mark.parametrize("rule", RULES)
def test_the_example_of_every_rule_can_be_typed(rule: str) -> None:
    question = find_question(rule)[1]
    example = msgspec.json.decode(msgspec.json.encode(dict(question.example)))
    typed = spread(fields_of(question), example)
    assert gather(fields_of(question), typed) == example
    assert all(isinstance(text, str) for text in typed.values())


def test_fields_say_what_may_be_typed() -> None:
    conquest = fields("AT-9.5")
    assert conquest["combat_force"].kind == "number" and conquest["combat_force"].shape == "N"
    assert conquest["fortresses"].shape == "0.." and conquest["fortresses"].required
    assert conquest["capital"].kind == "flag"
    assert "forest" in conquest["terrain"].words
    phase = fields("BC-2.1")
    assert phase["previous_winner"].default == "none"
    assert phase["winner_loss"].kind == "number" and phase["winner_loss"].default is None
    assert [part.name for part in phase["a"].within] == ["pm", "morale", "command", "players"]
    units = fields("AT-1.5")["units"]
    assert units.kind == "rows" and units.within[0].words[0] == "artillery"
    assert fields("BC-1.2")["bonuses"].item == "number"
    assert fields("AT-1.5")["general_ld"].kind == "free"


@pytest.mark.parametrize("units", [[], [{}], [{"kind": "elephant"}, {}]])
def test_empty_lists_and_objects_are_not_lost(units: list[dict[str, str]]) -> None:
    known = fields_of(find_question("AT-1.5")[1])
    assert gather(known, spread(known, {"units": units})) == {"units": units}


def test_blank_fields_and_blank_rows_are_left_out() -> None:
    typed = {
        "units.0.kind": "", "units.0.ws": " ",
        "units.3.kind": "infantry", "units.3.ws": "4",
        "units.12.kind": "elephant", "units.12.count": "2",
        "general_ld": "none",
    }  # fmt: skip
    assert gather(fields_of(find_question("AT-1.5")[1]), typed) == {
        "units": [{"kind": "infantry", "ws": 4}, {"kind": "elephant", "count": 2}],
        "general_ld": "none",
    }


@pytest.mark.parametrize(
    ("rule", "typed", "values"),
    [
        ("BC-1.2", {"base": "10", "bonuses": "2 1"}, {"base": 10, "bonuses": [2, 1]}),
        ("BC-1.2", {"bonuses": "2, x"}, {"bonuses": [2, "x"]}),
        ("BC-1.2", {"base": "ten"}, {"base": "ten"}),
        ("BC-1.2", {"base": "−3"}, {"base": -3}),
        ("BC-1.2", {"base": "9" * 40}, {"base": "9" * 40}),
        ("BC-1.2", {"base.x": "1", "y.z": "2"}, {"base.x": 1, "y.z": 2}),
        ("MN-7.5", {"players": "1, 2, B"}, {"players": ["1", "2", "B"]}),
        ("AT-9.2", {"general_ld": "8"}, {"general_ld": 8}),
        ("AT-8.9", {"duel": "perhaps"}, {"duel": "perhaps"}),
        ("AT-1.5", {"units": '[{"kind":"elephant"}]'}, {"units": [{"kind": "elephant"}]}),
    ],
)
def test_what_cannot_be_meant_is_kept_to_be_refused(
    rule: str, typed: dict[str, str], values: dict[str, Any]
) -> None:
    assert gather(fields_of(find_question(rule)[1]), typed) == values


def test_json_that_cannot_be_read_is_refused_by_name() -> None:
    with pytest.raises(NotUnderstood) as refused:
        gather(fields_of(find_question("AT-1.5")[1]), {"units": "[1"})
    assert (refused.value.code, refused.value.part) == ("consult.json", "units")


def test_faces_are_read_and_written() -> None:
    assert faces_typed("[4, 2, 6]") == [4, 2, 6]
    assert faces_typed("3x1 6") == [1, 1, 1, 6]
    assert faces_to_type([1, 1, 1, 6, 6, 2]) == "3x1 6 6 2"
    assert faces_typed(faces_to_type([5] * 80 + [6])) == [5] * 80 + [6]
    for typed in ("4 x", "99999999x1", "1.5", "9" * 30):
        with pytest.raises(DiceRefused):
            faces_typed(typed)


def test_a_number_too_long_to_be_meant_is_a_word() -> None:
    assert read_value("n", "1" * 5000) == "1" * 5000


def test_only_options_that_a_rule_reads_are_offered() -> None:
    assert [choice.name for choice in options_read("AT-5.1")] == ["atlantis_tax"]
    assert [choice.name for choice in options_read("PR-5.3")] == ["dice"]
    assert "streak" in [choice.name for choice in options_read("BC-3.2")]
    assert options_read("AT-3.1") == ()
