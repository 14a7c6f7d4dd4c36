"""`polemarque orders`: whole turns played by files alone, by people who never open the program."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from polemarque.bots.play import play_game
from polemarque.cli.common import TEXTS
from polemarque.cli.records import Held, load, replayed
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.proof import prove_entries, read_receipt
from polemarque.kernel.records.record import Answer
from polemarque.kernel.request import Request, SeveralOf
from polemarque.report.game_words import Words
from polemarque.report.order_forms.form import OrderForm, order_form
from polemarque.report.order_forms.told_answers import told
from tests.cli.desk import Done, polemarque
from tests.filled_orders import fill_in, typed_answers

MOST_POSTS = 150


def begun(path: Path, *words: object) -> Path:
    """A game that its master has begun and left, for people to play by post."""
    done = polemarque("play", *words, "--save", path, typist="quit\nquit\nquit\nquit\n")
    assert path.exists(), done
    return path


def game_in(path: Path) -> Game:
    return replayed(load(path, interrupted=True))[0]


def filled_by_hand(game: Game, request: Request, seat: str, paper: str, value: Any) -> str:
    """A paper of the program, filled in and sent with a greeting, a quotation and a signature."""
    lang = "fr" if "· fr ·" in paper else "en"
    words = Words(game.header, lang, TEXTS)
    words.turn_to(game, request.keys[seat])
    form = order_form(game, request, seat, words)
    body = fill_in(paper, form, typed_answers(form, value, words))
    return "Salut !\n[quote=MJ]\n" + body + "\n[/quote]\n-- \nMarc : consul\n"


@pytest.mark.parametrize(
    "words", [("mare_nostrum", "duel"), ("atlantide", "duel"), ("batailles", "leuctra")]
)
def test_a_whole_turn_is_played_by_files_alone(words: tuple[str, str], tmp_path: Path) -> None:
    path = begun(tmp_path / "war.json", *words, "--seed", 4, "--people", 2)
    rng = random.Random(4)
    first, posted = game_in(path).runner.period, 0
    while (game := game_in(path)).runner.period <= max(first, 1) and not game.over:
        request = rng.choice(game.requests())
        seat = rng.choice(request.missing)
        form, lang = rng.choice(("text", "md", "bbcode")), rng.choice(("fr", "en"))
        done = polemarque("orders", path, "--seat", seat, "--format", form, "--lang", lang)
        assert done.status == 0 and not done.err, done
        value = request.options(seat).sample(rng)
        post = tmp_path / f"post-{posted}.txt"
        paper = next(each for each in done.out.split("[b][u]") if str(request.keys[seat]) in each)
        post.write_text(filled_by_hand(game, request, seat, paper, value), encoding="utf-8")
        done = polemarque("orders", path, "--seat", seat, "--read", post, "--lang", lang, "--sure")
        assert done.status == 0, done
        given = load(path, interrupted=True).entries[len(game.entries)]
        assert isinstance(given, Answer) and given.key == request.keys[seat] and given.by == ""
        posted += 1
        assert posted < MOST_POSTS
    assert posted > 3
    whole = game_in(path)
    assert prove_entries(whole.header, whole.entries).holds


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    return begun(tmp_path / "toy.json", "toy", "ford", "--seed", 7, "--people", 3)


def form_in(path: Path, seat: str = "A") -> OrderForm:
    game = game_in(path)
    return order_form(game, game.requests(seat)[0], seat, Words(game.header, "en"))


def sent(path: Path, seat: str, body: str, *more: object, code: str = "") -> Done:
    """A post of a player, read."""
    code = code or form_in(path, seat).code
    post = path.with_name("post.txt")
    post.write_text(f"=== Polémarque {code} · en ===\n{body}\n=== {code} ===\n", encoding="utf-8")
    return polemarque("orders", path, "--seat", seat, "--read", post, "--lang", "en", *more)


def test_a_preview_tells_and_enters_nothing(toy: Path) -> None:
    before = toy.read_bytes()
    done = sent(toy, "A", "answer: duel", "--preview")
    assert done.status == 0 and "Answer: duel" in done.out and "as it was" in done.out
    assert toy.read_bytes() == before


@pytest.mark.parametrize("body", ["answer: flee", "answer:", "answer: duel\nthanks", "1: 4"])
def test_a_post_that_is_not_understood_changes_nothing_and_says_what_would_be_legal(
    toy: Path, body: str
) -> None:
    before = toy.read_bytes()
    done = sent(toy, "A", body)
    assert done.status == 2 and "Nothing is entered" in done.err
    assert "storm" in done.err or "thanks" in done.err
    assert toy.read_bytes() == before


def test_what_one_has_sealed_stays_sealed_and_can_be_sent_anew(toy: Path) -> None:
    theirs = form_in(toy, "B")
    assert sent(toy, "A", "1: duel").status == 0
    code = theirs.code
    assert form_in(toy, "B") == theirs
    papers = polemarque("orders", toy, "--seat", "B", "--lang", "en").out
    assert code in papers and "*wait" in papers
    game = game_in(toy)
    assert game.requests()[0].answered == {"A": "duel"}
    mine = order_form(game, game.course.requests()[0], "A", Words(game.header, "en"))
    assert sent(toy, "A", "1: wait", code=mine.code).status == 0
    assert game_in(toy).requests()[0].answered == {"A": "wait"}


def test_a_form_that_is_sent_twice_is_noted_once(toy: Path) -> None:
    code = form_in(toy).code
    assert sent(toy, "A", "1: duel").status == 0
    before = toy.read_bytes()
    done = sent(toy, "A", "1: duel", code=code)
    assert done.status == 0 and "noted already" in done.out
    assert toy.read_bytes() == before


def test_an_old_form_a_stranger_s_and_one_of_another_seat_are_refused(toy: Path) -> None:
    old = form_in(toy).code
    for seat in "ABC":
        assert sent(toy, seat, "1: wait").status == 0
    late = sent(toy, "A", "1: wait", code=old)
    assert late.status == 2 and "out of date" in late.err
    assert "another game" in sent(toy, "A", "1: 1", code="ZZZZ-000000").err
    done = polemarque("orders", toy, "--read", toy, "--lang", "en")
    assert done.status == 2 and "--seat" in done.err
    done = polemarque("orders", toy, "--seat", "Z", "--lang", "en")
    assert done.status == 2 and "Z" in done.err and "A, B and C" in done.err
    done = polemarque("orders", toy, "--seat", "A", "--read", toy, "--lang", "en")
    assert done.status == 2 and "no order form" in done.err
    assert polemarque("orders", toy, "--seat", "A", "--preview").status == 2


def test_a_mail_in_old_letters_and_a_form_cut_for_a_forum(toy: Path, tmp_path: Path) -> None:
    code = form_in(toy).code
    mail = tmp_path / "mail.txt"
    body = f"=== Polémarque {code} · fr ===\r\nRÉPONSE : wait\r\n=== {code} ===\r\n"
    mail.write_bytes(body.encode("cp1252"))
    assert polemarque("orders", toy, "--seat", "A", "--read", mail).status == 0
    out = tmp_path / "form.txt"
    done = polemarque(
        "orders", toy, "--seat", "B", "--format", "bbcode", "--split", 300, "--out", out,
        "--until", "Sunday", "--lang", "en",
    )  # fmt: skip
    pieces = sorted(tmp_path.glob("form-*.txt"))
    assert done.status == 0 and done.out.splitlines() == [f"B: {each}" for each in pieces]
    assert len(pieces) > 1 and all(len(each.read_text()) <= 301 for each in pieces)
    assert "Sunday" in "".join(each.read_text() for each in pieces)
    assert polemarque("orders", toy, "--seat", "B", "--split", 300).status == 2


def test_with_committed_dice_a_sealed_answer_leaves_a_receipt_that_verifies(tmp_path: Path) -> None:
    path = begun(tmp_path / "c.json", "toy", "ford", "--people", 3, "--dice", "committed")
    done = sent(path, "A", "1: storm")
    assert done.status == 0, done
    (receipt,) = (tmp_path / "c.receipts").iterdir()
    assert str(receipt) in done.out
    for seat in "BC":
        assert sent(path, seat, "1: wait").status == 0
    whole = game_in(path)
    kept = read_receipt(receipt.read_bytes())
    proof = prove_entries(whole.header, whole.entries, [kept])
    assert proof.holds and proof.receipts == ("",)


def test_a_form_names_the_seat_and_who_plays_it(tmp_path: Path) -> None:
    path = begun(tmp_path / "war.json", "mare_nostrum", "duel", "--seat", "A=Anne", "--seed", 1)
    out = polemarque("orders", path, "--seat", "A", "--lang", "en").out
    assert "For Rome (Anne) only." in out and "Rome (Anne) ·" in out


def test_an_order_of_several_that_hold_commas_is_told_with_semicolons() -> None:
    options = SeveralOf(("a", "b"), 0, 2, "troop")
    words = Words(new_header("toy", seed=1), "en", TEXTS)
    assert told(options, ("a", "b"), words) == "a, b"
    options = SeveralOf(("a, big", "b"), 0, 2, "troop")
    assert told(options, ("a, big", "b"), words) == "a, big; b"


def test_programs_at_the_table_answer_at_once(tmp_path: Path) -> None:
    path = begun(tmp_path / "b.json", "toy", "ford", "--seed", 3, "--seat", "A=Anne")
    assert sent(path, "A", "1: wait").status == 0
    given = [e.key.seat for e in game_in(path).effective if isinstance(e, Answer)]
    assert {"A", "B", "C"} <= set(given)
    assert game_in(path).requests("A")


# The rest of the turn ----------------------------------------------------------------------------


@pytest.fixture
def island(tmp_path: Path) -> Path:
    """Atlantide, three seats; programs have played the first turn."""
    path = begun(tmp_path / "w.json", "atlantide", "wave", "--seed", 4, "--people", 3)
    game = game_in(path)
    held = Held(path)
    journal = held.journal(game)
    bots = dict.fromkeys(game.header.seats, "steady")
    play_game(game, bots, stop=lambda g: any(r.rule == "AT-4.1" for r in g.requests()))
    while game.runner.period < 2:
        play_game(game, bots, stop=lambda g: g.runner.period == 2)
    play_game(game, bots, stop=lambda g: any(r.rule == "AT-4.1" for r in g.requests()))
    journal.abandon()
    return path


def whole_turn(path: Path, seat: str, rest: str = "yes") -> Done:
    """A seat's whole form, everything in it as it is proposed."""
    paper = polemarque("orders", path, "--seat", seat, "--lang", "en").out
    filled = re.sub(r"(the rest as proposed \(yes\)): ____", rf"\1: {rest}", paper)
    for lone in re.findall(r"=== .*\+.*\n1\. .*: ____\n(?!2)", filled):
        shown = filled.partition(lone)[2]
        proposed = re.search(r"\*(\d+)", shown)
        assert proposed
        filled = filled.replace(lone, lone.replace("____", proposed.group(1)))
    post = path.with_name(f"{seat}.txt")
    post.write_text(f"Hello!\n{filled}\n-- \n{seat}\n", encoding="utf-8")
    return polemarque("orders", path, "--seat", seat, "--read", post, "--lang", "en", "--sure")


def test_a_turn_of_three_seats_takes_one_post_each(island: Path) -> None:
    before = len(game_in(island).entries)
    posts: Counter[str] = Counter()
    while (game := game_in(island)).runner.period == 2:
        seat = game.requests()[0].missing[0]
        posts[seat] += 1
        done = whole_turn(island, seat)
        assert done.status == 0, done
        assert "Planned · AT-7.2" in done.out and "In any case" in done.out
        assert sum(posts.values()) < 9
    assert set(posts.values()) == {1} and set(posts) == set("ABC")
    given = [e for e in game.entries[before:] if isinstance(e, Answer) and e.key.seat in "ABC"]
    by = Counter((e.key.rule, e.by) for e in given if e.key.period == 2)
    assert by["AT-7.2", "standing"] == 3 and by["AT-4.1", "standing"] == 0
    assert prove_entries(game.header, game.entries).holds


def test_what_is_left_blank_is_asked_and_the_rest_can_be_sent_later_alone(island: Path) -> None:
    game = game_in(island)
    seat = game.requests()[0].missing[0]
    done = polemarque("orders", island, "--seat", seat, "--lang", "en")
    first, *_ = done.out.split("the questions to come", 1)
    post = island.with_name("post.txt")
    post.write_text(done.out.replace("(yes): ____", "(yes): yes", 1), encoding="utf-8")
    done = polemarque("orders", island, "--seat", seat, "--read", post, "--lang", "en")
    assert done.status == 0 and "Planned" not in done.out and "+2/" not in first
    assert not game_in(island).standing_orders
    alone = polemarque("orders", island, "--seat", seat, "--lang", "en").out
    assert "the questions to come" in alone and ":AT-4.1" not in alone
    before = island.read_bytes()
    words = ("orders", island, "--seat", seat, "--read", post, "--lang", "en")
    post.write_text(alone, encoding="utf-8")
    blank = polemarque(*words)
    assert blank.status == 2 and island.read_bytes() == before and "no order form" in blank.err
    post.write_text(alone.replace("(yes): ____", "(yes): yes", 1), encoding="utf-8")
    assert polemarque(*words, "--preview").status == 0 and island.read_bytes() == before
    done = polemarque(*words)
    assert done.status == 0 and "Planned · AT-5.2" in done.out
    assert [left.rule for left in game_in(island).standing_orders] == ["AT-5.2"]
    shown = polemarque("orders", island, "--seat", seat, "--lang", "en").out
    assert "Planned already" in shown
    bad = alone.replace("(yes): ____", "(yes): perhaps", 1)
    post.write_text(bad, encoding="utf-8")
    before = island.read_bytes()
    done = polemarque(*words)
    assert done.status == 2 and "perhaps" in done.err and "You are asked" in done.err
    assert island.read_bytes() == before
