"""`polemarque play`: hot seat, undo, typed dice, leaving and resuming at every question."""

from __future__ import annotations

import re
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest

from polemarque.cli.prompts import Terminal
from polemarque.cli.records import load, replayed
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import Answer, Leave, Undo, write_record
from tests.cli.desk import Typist, polemarque
from tests.report.test_rest_of_turn import played, read, written


def typist(path: Path, most: int | None = None) -> Typist:
    return Typist(path, {"Alice": "A", "Carl": "C"}, most)


NEW = (
    "toy",
    "--seats",
    3,
    "--seed",
    11,
    "--seat",
    "A=Alice",
    "--seat",
    "C=Carl",
    "--bots",
    "random",
)


def whole(path: Path, *more: object) -> str:
    done = polemarque("play", *NEW, *more, "--save", path, typist=typist(path))
    assert done.status == 0, done
    return load(path).head


def test_a_game_is_played_to_its_end_and_replays(tmp_path: Path) -> None:
    head = whole(tmp_path / "g.json")
    done = polemarque("replay", tmp_path / "g.json", "--json")
    assert done.status == 0
    assert head in done.out
    assert polemarque("verify", tmp_path / "g.json").status == 0


@pytest.mark.parametrize("leave_with", [":quit", ""])
def test_left_at_any_question_it_resumes_to_the_same_end(tmp_path: Path, leave_with: str) -> None:
    head = whole(tmp_path / "whole.json")
    for most in range(40):
        path = tmp_path / f"left-{most}.json"
        player = typist(path, most)
        player.leave_with = leave_with
        done = polemarque("play", *NEW, "--save", path, typist=player)
        if load(path, interrupted=True).complete:
            break
        assert done.status == (0 if leave_with else 130), done
        assert "--resume" in (done.out if leave_with else done.err)
        again = polemarque("play", "--resume", path, typist=typist(path))
        assert again.status == 0, again
        assert load(path).head == head
    assert most > 12


def test_people_and_bots_are_remembered_beside_the_record_and_never_in_it(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    polemarque("play", *NEW, "--save", path, typist=typist(path, 2))
    assert b"Alice" not in path.read_bytes()
    assert "Alice" in (tmp_path / "g.seats.json").read_text()
    done = polemarque("play", "--resume", path, typist=typist(path))
    assert done.status == 0
    assert "Carl" in done.out


def test_the_screen_hides_secrets_between_people(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    done = polemarque("play", *NEW, "--save", path, typist=typist(path))
    hands = [m.start() for m in re.finditer("Hand the machine to", done.out)]
    assert len(hands) > 3
    for hand in hands:
        assert done.out[:hand].rstrip().endswith("-" * 40)
    turns = re.split("Hand the machine to", done.out)
    for turn in turns[1:]:
        person = turn.split(",")[0].strip()
        turn = turn.split("Ranking:")[0]  # what everybody reads when the game is over
        other = {"Alice": "Carl", "Carl": "Alice"}[person]
        assert f"{other} (" not in turn
        secret = {"Alice": "C waited", "Carl": "A waited"}[person]
        assert secret not in turn


def test_typed_dice_are_asked_again_until_they_can_be(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    given = ("toy", "--seats", 2, "--seat", "A=Alice", "--dice", "typed")
    lines = ["storm", "hurrah", "0", "7", "x", "1 2", ":why", "4"]
    done = polemarque("play", *given, "--save", path, typist="\n".join(lines) + "\n")
    assert done.status == 130
    assert "cannot show 7" in done.out
    assert "cannot show x" in done.out
    record = load(path, interrupted=True)
    assert record.header.dice == "typed"
    assert not record.header.seed
    assert [e.value for e in record.entries if e.key.seat == "dice"] == [(4,)]


def test_odd_bytes_are_no_answer_and_end_nothing() -> None:
    keyboard = TextIOWrapper(BytesIO(b"\xff\xed\xa0\n1\n"), encoding="utf-8")
    terminal = Terminal(keyboard, StringIO())
    assert set(terminal.read("> ")) == {"\N{REPLACEMENT CHARACTER}"}
    assert terminal.read("> ") == "1"


def test_undo_takes_an_answer_back_but_no_die_reveal_or_other_answer(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    given = ("toy", "--seats", 2, "--seat", "A=Alice", "--seat", "B=Bob", "--dice", "typed")
    lines = [
        "", "storm",  # Alice seals
        "undo A",  # at the hand-over, she takes it back
        "wait", "", "wait",  # and seals again; Bob seals: reveal
        "", "undo",  # Alice: the reveal stands in the way
    ]  # fmt: skip
    done = polemarque("play", *given, "--save", path, typist="\n".join(lines) + "\n")
    assert "Answer taken back" in done.out
    assert "revealed" in done.out.lower()
    entries = load(path, interrupted=True).entries
    assert [isinstance(e, Undo) for e in entries] == [False, True, False, False]


def test_undo_before_a_die_falls_and_not_after(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    given = ("toy", "--seats", 2, "--seat", "A=Alice", "--dice", "typed")
    lines = ["storm", "hurrah", "2", "undo", "1", "3", "undo"]
    done = polemarque("play", *given, "--save", path, typist="\n".join(lines) + "\n")
    entries = load(path, interrupted=True).entries
    assert sum(isinstance(e, Undo) for e in entries) == 1
    game, _ = replayed(load(path, interrupted=True))
    bribes = [e.value for e in game.effective if e.key.rule == "TOY-3" and e.key.subject == ""]
    assert bribes == [1]
    assert "die" in done.out


def test_always_answers_from_then_on_until_withdrawn(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    given = ("toy", "--seats", 2, "--seed", 3, "--seat", "A=Alice", "--bots", "random")
    lines = ["always wait", "0", "0", "B", "hill", "", "0", "1", "-", "-", ""]
    polemarque("play", *given, "--save", path, typist="\n".join(lines) + "\n")
    by = [e.by for e in load(path, interrupted=True).entries if getattr(e, "by", "") == "standing"]
    assert by


TOY_GAME = ("toy", "--seats", 2, "--seed", 3, "--seat", "A=Alice", "--bots", "random")


def left_by(tmp_path: Path, *lines: str) -> tuple[list[Leave], str]:
    """What a player of seat A leaves in advance by typing that, and what was said."""
    path = tmp_path / "g.json"
    typed = "\n".join(lines) + "\n"
    done = polemarque("play", *TOY_GAME, "--save", path, "--lang", "en", typist=typed)
    entries = load(path, interrupted=True).entries
    return [entry for entry in entries if isinstance(entry, Leave)], done.out


def test_an_answer_is_left_for_this_turn_or_unless_something_is_at_stake(tmp_path: Path) -> None:
    left, _ = left_by(tmp_path, "turn wait", "always pass unless loss")
    assert [(each.rule, each.value, each.until, each.unless) for each in left] == [
        ("TOY-1", "wait", 1, ()), ("TOY-3", "pass", 0, ("loss",)),
    ]  # fmt: skip


def test_a_case_that_is_never_at_stake_is_refused(tmp_path: Path) -> None:
    left, said = left_by(tmp_path, "wait", "always pass unless bored", "?")
    assert left == []
    assert "bored" in said and "unless CASE" in said


def test_a_filled_sheet_is_left_where_it_is_confirmed(tmp_path: Path) -> None:
    sheet = ("0", "0", "B", "hill")
    left, said = left_by(tmp_path, "wait", "pass", "always 0", *sheet, "always 3", "always")
    assert "once it is filled" in said and "stands alone" in said
    assert [(each.rule, each.value, each.until) for each in left] == [
        ("TOY-4", {"wine": 0, "bread": 0, "friends": ("B",), "way": ("ford", "hill")}, 0)
    ]


def test_what_a_seat_sees_of_a_system_without_drawings_stands_before_its_question(
    tmp_path: Path,
) -> None:
    given = ("toy", "--seats", 2, "--seed", 3, "--seat", "A=Alice", "--bots", "random")
    done = polemarque(
        "play", *given, "--save", tmp_path / "g.json", "--lang", "en", typist="quit\n"
    )
    assert "sesame-A" in done.out and "sesame-B" not in done.out


def test_every_command_says_something(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    given = ("toy", "--seats", 2, "--seed", 3, "--seat", "A=Alice", "--bots", "random")
    lines = ["?", "why", "why ²", "view", "story", "save", "back", "nonsense"]
    lines += ["absent", "1", "back", "2"]
    done = polemarque(
        "play", *given, "--save", path, "--lang", "en", typist="\n".join(lines) + "\n"
    )
    for said in ("Answer with a number", "No dice", "sesame-A", "Nothing has happened", "g.json"):
        assert said in done.out
    assert "sesame-B" not in done.out
    assert "nonsense" in done.out
    french = polemarque("play", *given, "--save", tmp_path / "f.json", "--lang", "fr",
                        typist="aide\npourquoi\nquitter\n")  # fmt: skip
    assert french.status == 0
    assert "Aucun dé" in french.out


def test_an_existing_file_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    path.write_text("my shopping list")
    for words in (("play", *NEW, "--save", path), ("run", "toy", "--out", tmp_path)):
        if words[0] == "run":
            path.rename(tmp_path / "game.json")
        done = polemarque(*words)
        assert done.status == 2
        assert len(done.err.splitlines()) == 1
    assert (tmp_path / "game.json").read_text() == "my shopping list"


@pytest.mark.parametrize(
    "words",
    [
        ("play",),
        ("play", "chess"),
        ("play", "toy", "moat"),
        ("play", "toy", "--seats", 9),
        ("play", "toy", "--seat", "Z=Zoe"),
        ("play", "toy", "--seat", "A"),
        ("play", "toy", "--people", 5),
        ("play", "toy", "--bots", "brilliant"),
        ("play", "toy", "--option", "password=swordfish"),
        ("play", "toy", "--option", "password"),
        ("play", "toy", "--turns", 4),
        ("play", "toy", "--dice", "typed", "--seed", 1),
        ("play", "--resume", "nowhere.json"),
        ("run", "toy", "--bots", "random,random,random,random"),
        ("run", "toy", "--turns", 4),
        ("run", "toy", "--turns", 0),
        ("run", "--resume", "nowhere.json"),
        ("replay", "nowhere.json"),
        ("verify", "nowhere.json"),
        ("replay",),
    ],
)  # fmt: skip
def test_refusals_are_one_line_and_status_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[object, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    for lang in ("fr", "en"):
        done = polemarque(*words, "--lang", lang)
        assert done.status == 2, done
        assert len(done.err.splitlines()) == 1
        assert not done.out
    assert not list(tmp_path.iterdir())


ORDERS, LEVY = "rester\nrester\n1\n\n", "1\n1\n\n2\n1\n"
"""Rome's orders: nobody moves; and an army, if nothing has changed by then."""


def test_a_turn_is_planned_up_to_where_one_stops_and_answers_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "war.json"
    words = ("play", "mare_nostrum", "quartet", "--seed", 4, "--save", path, "--lang", "fr")
    done = polemarque(
        *words, typist=f"préparer\n{ORDERS}annuler\n{ORDERS}{LEVY}préparer\nquitter\n"
    )
    assert done.status == 0 and "1 réponse laissée d’avance" in done.out, done
    assert "si rien n’a changé pour vos armées et vos flottes" in done.out
    game, _ = replayed(load(path, interrupted=True))
    own = [e for e in game.entries if isinstance(e, Answer) and e.key.seat == "A"]
    assert [(e.key.rule, e.by) for e in own[:2]] == [("MN-2.7", ""), ("MN-2.6", "standing")]
    assert own[1].value["armies"] == 1
    (left,) = [e for e in game.entries if isinstance(e, Leave)]
    assert (left.rule, set(left.when), left.until) == ("MN-2.6", {"army"}, 1)
    assert game.requests("A")[0].rule == "MN-F5/phase", "what was not planned is asked"


def test_where_nothing_can_be_planned_that_is_said_and_a_plan_given_up_leaves_nothing(
    tmp_path: Path,
) -> None:
    path = tmp_path / "toy.json"
    done = polemarque("play", "toy", "ford", "--seed", 7, "--save", path, "--lang", "en",
                      typist="plan\nquit\n")  # fmt: skip
    assert "in advance" in done.out and not _entries(path)
    done = polemarque("play", "batailles", "leuctra", "--seed", 7, "--save", tmp_path / "b.json",
                      "--lang", "en", typist="plan\nquit\n")  # fmt: skip
    assert "Nothing to plan now" in done.out


def _entries(path: Path) -> list[object]:
    """The answers and what was left in advance by A."""
    game, _ = replayed(load(path, interrupted=True))
    return [
        e for e in game.entries
        if isinstance(e, Leave) or (isinstance(e, Answer) and e.key.seat == "A")
    ]  # fmt: skip


def test_who_plans_a_turn_once_more_loses_nothing_of_the_plan_that_stands(tmp_path: Path) -> None:
    path = tmp_path / "island.json"
    game = Game(played("atlantide", "wave", 2).header)
    for entry in played("atlantide", "wave", 2).entries:
        game.enter(entry)
    march = written(game, "AT-7.2", "1: hold", "the rest as proposed: yes")
    for each in read(game, f"{march}\n{written(game, 'AT-8.1', '1: 2')}").ahead:
        game.enter(each)
    path.write_bytes(write_record(game.header, game.entries))
    plan = [(left.rule, left.value) for left in game.standing_orders]
    assert [rule for rule, _ in plan] == ["AT-7.2", "AT-8.1"]
    words = ("--seat", "B=Bea", "--lang", "en")
    seen = polemarque("play", "--resume", path, *words, typist="plan\nplan\nquit\n")
    assert "2 answers are left" in seen.out, seen
    game, _ = replayed(load(path, interrupted=True))
    assert [(left.rule, left.value) for left in game.standing_orders] == plan
    more = polemarque("play", "--resume", path, *words, typist="plan\n1\n-\nyes\nplan\nquit\n")
    game, _ = replayed(load(path, interrupted=True))
    assert game.requests("B")[0].rule == "AT-5.2", more
    assert [(left.rule, left.value) for left in game.standing_orders] == plan
