"""Lessons: which note stands beside which question."""

from __future__ import annotations

import msgspec
import pytest

from polemarque.kernel.beginner_notes import Note, lesson_faults, lesson_of, note_of, preface_of
from polemarque.kernel.request import Key
from tests.kernel.toy import TOY

assert TOY


def note(text: str, **fields: object) -> Note:
    """A note of the toy's rule whose French is its English."""
    given = {"rule": "TOY-1", "text": {"fr": text, "en": text}, **fields}
    return msgspec.convert(given, Note)


def key(seat: str = "A", period: int = 1, rule: str = "TOY-1", subject: str = "") -> Key:
    return Key(period, "", rule, seat, subject)


FIRST, SECOND = note("first"), note("second")


def test_notes_of_a_rule_are_shown_one_after_another_and_each_once() -> None:
    lesson = (FIRST, SECOND)
    asked = [key(period=number) for number in (1, 2, 3)]
    shown = [note_of(lesson, asked[n], asked[:n]) for n in range(3)]
    assert shown == [FIRST, SECOND, None]


def test_a_question_that_is_put_again_keeps_its_note() -> None:
    assert note_of((FIRST, SECOND), key(), [key(rule="TOY-2")]) == FIRST


def test_what_others_have_answered_takes_no_note() -> None:
    assert note_of((FIRST,), key("A"), [key("B"), key("C")]) == FIRST


@pytest.mark.parametrize(
    ("fields", "fits"),
    [
        ({}, True),
        ({"seat": "A", "period": 1, "subject": "scout"}, True),
        ({"seat": "B"}, False),
        ({"period": 2}, False),
        ({"subject": "rider"}, False),
        ({"rule": "TOY-2"}, False),
    ],
)
def test_what_a_note_leaves_out_fits_any_question(fields: dict[str, object], fits: bool) -> None:
    assert note("x", **fields).fits(key(subject="scout")) is fits


def test_a_note_for_one_period_leaves_the_next_to_its_own() -> None:
    later = note("later", period=3)
    assert note_of((later, FIRST), key(period=1), ()) == FIRST
    assert note_of((later, FIRST), key(period=3), [key(period=1)]) == later


def test_a_set_up_without_a_lesson_has_none() -> None:
    assert lesson_of({}) == ()
    assert note_of((), key(), ()) is None


def test_the_preface_is_what_there_is_in_that_language() -> None:
    setup = {"name": {"fr": "Le gué"}, "introduction": {"fr": "\nUn.\nDeux.\n", "en": "One."}}
    assert list(preface_of(setup, "fr")) == ["Le gué", "Un.\nDeux."]
    assert list(preface_of(setup, "en")) == ["One."]
    assert list(preface_of({}, "fr")) == []


def test_a_note_that_could_never_be_shown_is_a_fault() -> None:
    half = Note("TOY-1", {"fr": "x", "en": " "}, seat="Z")
    lost = note("x", rule="TOY-99")
    found = [(f.number, f.field, f.part) for f in lesson_faults((FIRST, half, lost), ("A", "B"))]
    assert found == [(1, "seat", "Z"), (1, "text", "en"), (2, "rule", "TOY-99")]
    assert "TOY-1" in next(f for f in lesson_faults((lost,), ())).legal


def test_a_preface_and_a_note_are_printed_as_all_texts_are() -> None:
    setup = {"introduction": {"fr": "L'aube : en avant !", "en": "It's dawn: forward!"}}
    assert list(preface_of(setup, "fr")) == ["L\u2019aube\u00a0: en avant\u202f!"]
    assert list(preface_of(setup, "en")) == ["It\u2019s dawn: forward!"]
    assert note('It\'s "B" : go !').printed("fr") == 'It\u2019s "B"\u00a0: go\u202f!'
