"""The case runner itself: cases that hold, cases that must fail, files that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from polemarque.testing.run_cases import CaseError, CaseFailed, read_cases, run_case, split
from tests.kernel import toy
from tests.odds.toys import reckoner

assert toy.TOY
assert reckoner

PLAYED = """
TOY.a  A day at the ford
  system  toy
  seats   2
  setup   {"gold": 4, "days": 1}
  option  password=plugh
"""


def cases(text):
    return read_cases(Path("tests/cases/made_up.case"), text)


def run(text):
    for case in cases(text):
        run_case(case)


def lines(head, *steps):
    return head + "\n" + "\n".join(f"  {step}" for step in steps) + "\n"


# Cases that hold ----------------------------------------------------------------------------------


def test_a_consult_case_holds(reckoner):
    run(
        """# a remark
RK-5.a  A tie is rolled again
  given   edge=1
  dice    strike 2 3, 4     # a tie
          4
  expect  winner=a throws=4
  expect  modifier edge=2

RK-3.a  Options, objects and lists
  given   a={"base": 2, "pm": 1} b={"base": 1, "pm": 1}
          kind=hidden
  option  mercy=always
  dice    4 4 5
  expect  winner=a loss=0
          gap=1

RK-1.b  Too many dice
  given   n=1
  dice    1 2
  refused dice dice.left_over

RK-1.c  A bad input
  given   n=x
  refused not_understood
"""
    )


def test_a_played_case_holds():
    run(
        lines(
            PLAYED.strip(),
            'A answers "storm"',
            "B refused storms not_allowed answer.one_of",
            "expect asked B TOY-1",
            "undo A",
            "A answers storm",
            "expect no event TOY-1 revealed",
            "absent B",
            "undo B refused not_allowed undo.reveal",
            "expect event TOY-1 revealed intents.A=storm intents.B=wait",
            "A answers ya!",
            "A refused 9 not_allowed",
            "A answers 3",
            "expect dice storm",
            "dice storm 2, 6",
            "B answers mock",
            "expect event TOY-3 stormed seat=A opened=true rounds=2",
            "expect event TOY-3 mocked",
            'expect state gold.A=6 gold.B=4 day=1 seats=["A","B"] seats.0=A',
            "expect view B gold=4 secret=plugh-B",
            "adjust gold.B=8",
            "adjust gold.B=5000 refused not_allowed act.unsound",
            'B answers {"wine": 8, "bread": 0, "song": "oh", "friends": [], "way": ["ford"]}',
            "expect state gold.B=0 place.B=ford",
            "expect over",
        )
    )


def test_a_case_may_end_where_dice_are_wanted_if_it_says_so():
    run(lines(PLAYED.strip(), "A answers storm", "absent B", "A answers ya!", "A answers 3",
              "expect no event TOY-3 stormed", "expect dice storm"))  # fmt: skip


def test_a_seed_rolls_what_the_dice_leave_open():
    run(lines(PLAYED.strip(), "seed 3", "A answers storm", "absent B", "absent A", "absent A",
              "absent B", "expect event TOY-3 stormed"))  # fmt: skip


def test_a_game_is_brought_to_where_the_case_begins():
    run(
        """TOY.b  Set up by names, JSON over several lines, and nobody says anything
  system  toy
  seats   2
  setup   gold=4 days=1
  A answers storm
  until TOY-3                    # his cry
  all absent
  absent A                       # no bribe
  dice    6
  B answers mock
  until TOY-4 gold.A=9
  expect told B TOY-3 mocked
  expect untold C TOY-3 mocked
  B refused {"wine": 9,          # he has four
             "bread": 0} not_allowed
  all absent
  expect untold A TOY-4 waited
  expect over
"""
    )


def test_a_consult_case_may_ask_another_rule(reckoner):
    run(lines("RK-9.a  Elsewhere", "asks RK-5", "given edge=1", "dice 2 1", "expect winner=a"))


def test_a_game_that_cannot_begin():
    run(lines("TOY.c  Too few", "system toy", "seats 1", "refused not_allowed seats.count"))
    with pytest.raises(CaseFailed, match="not refused"):
        run(lines("TOY.c  Enough", "system toy", "seats 2", "refused not_allowed"))
    with pytest.raises(CaseError, match="no more steps"):
        run(lines("TOY.c  More", "system toy", "seats 1", "refused not_allowed", "absent A"))


def test_until_never_reached():
    with pytest.raises(CaseFailed, match="stops before"):
        run(lines(PLAYED.strip(), "until TOY-9", "expect over"))


# Cases that must fail ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "line", "said"),
    [
        (("given edge=1", "dice 2 1", "expect winner=b"), 4, "winner is a, not b"),
        (("given edge=1", "dice 2 1", "expect throws=true"), 4, "throws"),
        (("dice 2 1", "expect speed=1"), 3, "There is no speed"),
        (("dice 2 1", "expect modifier edge=1"), 3, "edge is 0"),
        (("dice 2", "expect winner=a"), 2, "too_few"),
        (("dice 2 2x1", "expect winner=a"), 2, "left_over"),
        (("dice luck 2 1", "expect winner=a"), 2, "case.why"),
        (("dice 2 1", "refused dice"), 3, "not refused"),
        (("given edge=x", "refused not_allowed"), 3, "not_understood"),
        (("given edge=x", "refused not_understood dice.face"), 3, "consult.value"),
    ],
)
def test_a_consult_case_fails(reckoner, steps, line, said):
    with pytest.raises(CaseFailed, match=said) as failed:
        run(lines("RK-5.z  Wrong", *steps))
    assert str(failed.value).startswith(f"tests/cases/made_up.case:{line}: ")


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        (("A answers storms", "expect over"), "This is refused.*not_allowed"),
        (("A refused storm not_allowed",), "not refused"),
        (("A refused storms not_understood",), "another reason.*not_allowed"),
        (("A refused storms not_allowed answer.amount",), "answer.one_of"),
        (("expect asked A TOY-2",), "All questions: TOY-1"),
        (("expect over",), "goes on"),
        (("expect state gold.A=5",), "gold.A is 4, not 5"),
        (("expect state gold.Z=5",), "There is no gold.Z"),
        (("expect view A secret=x",), "secret is"),
        (("expect event TOY-1 revealed",), "There is no such event\\.$"),
        (("absent A", "absent B", "expect event TOY-1 revealed", "expect event TOY-1 revealed"),
         "before the last one"),
        (("absent A", "absent B", "expect event TOY-1 revealed intents.A=duel"), "no such event"),
        (("absent A", "absent B", "all absent", "all absent", "dice 6", "all absent",
          "expect event TOY-4 waited", "expect event TOY-1 revealed"), "before the last one"),
        (("absent A", "absent B", "expect no event TOY-1 revealed"), "There is such an event"),
        (("dice 1", "expect asked A"), "Nothing asked for"),
        (("A answers storm", "absent B", "A answers ya!", "A answers 3",
          "expect no event TOY-3 stormed"), "ends while dice are wanted for storm"),
        (("expect dice storm",), "wanted for nothing"),
        (("undo A", "expect over"), "refused"),
        (("undo A refused not_allowed undo.die",), "undo.nothing"),
        (("A answers storm", "absent B", "A answers x", "dice 7", "A answers 0", "expect over"),
         "do not fit"),
        (("setup {\"hue\": 1}", "expect over"), "cannot begin"),
    ],
)  # fmt: skip
def test_a_played_case_fails(steps, said):
    with pytest.raises(CaseFailed, match=said):
        run(lines(PLAYED.strip(), *steps))


# Files that cannot be read -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("  given x=1", 1, "Begin with a case"),
        ("RK-5.a", 1, "a title"),
        ("RK-5.a  A\n  expect x=1\nRK-5.a  B\n  expect x=1", 3, "already"),
        ("RK-5.a  A\n  dice 1", 1, "expects nothing"),
        ("RK-5.a  A\n  wish x=1\n  expect x=1", 2, "no step"),
        ("RK-5.a  A\n  given x=[1\n  expect x=1", 2, "Close the quote"),
        ("RK-5.a  A\n  refused", 2, "about"),
        ("RK-5.a  A\n  A answers 3\n  expect x=1", 2, "no step"),
        ("TOY.a  A\n  system toy\n  expect over\n  seats 2", 4, "the game has begun"),
    ],
)
def test_what_cannot_be_read_is_said_with_file_and_line(text, line, said):
    with pytest.raises(CaseError, match=said) as wrong:
        cases(text)
    assert str(wrong.value).startswith(f"tests/cases/made_up.case:{line}: ")


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        (("given edge", "expect winner=a"), "NAME=VALUE"),
        (("given edge=1 edge=2", "expect winner=a"), "twice"),
        (("given edge=[1,]", "expect winner=a"), "JSON"),
        (("dice 1-2", "expect winner=a"), "neither a face"),
    ],
)
def test_steps_that_cannot_be_read(reckoner, steps, said):
    with pytest.raises(CaseError, match=said):
        run(lines("RK-5.z  Wrong", *steps))


def test_words_of_a_line():
    assert split('  a b={"x": [1, "# ]"]}  c#d "e f" # rest') == [
        "a", 'b={"x": [1, "# ]"]}', "c#d", '"e f"',
    ]  # fmt: skip
    assert split('x="a \\" b" #') == ['x="a \\" b"']
    assert not split("   # nothing")
