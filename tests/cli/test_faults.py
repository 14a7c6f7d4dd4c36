"""Faults of the program and monstrous input: one short line, a status, and never a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from polemarque.cli.commands.consult import answer_line
from polemarque.cli.common import BROKEN, REFUSED, TRACE
from polemarque.kernel.errors import LONGEST_PART, LONGEST_REASON, NotAllowed, shortened
from tests.cli.desk import polemarque

DIGITS = "9" * 5000
DEEP = "[" * 10_000 + "]" * 10_000


def broken(*_: Any, **__: Any) -> Any:
    raise ZeroDivisionError("nobody foresaw this\nnor that")


@pytest.mark.parametrize(("lang", "told"), [("fr", "Une faute du programme"),
                                            ("en", "A fault of the program")])  # fmt: skip
def test_an_unforeseen_fault_is_one_line_and_status_3(
    monkeypatch: pytest.MonkeyPatch, lang: str, told: str
) -> None:
    monkeypatch.setattr("polemarque.cli.file_checks.shipped", broken)
    done = polemarque("check", "--lang", lang)
    assert (done.status, done.out, done.err.count("\n")) == (BROKEN, "", 1)
    assert done.err.startswith(told) and TRACE in done.err and "ZeroDivisionError" in done.err


def test_a_program_that_reads_our_answers_is_told_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polemarque.cli.records.load_as_is", broken)
    done = polemarque("luck", "game.jsonl", "--json")
    assert done.status == BROKEN
    assert json.loads(done.out)["kind"] == "fault"


def test_whoever_asks_is_shown_the_whole_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TRACE, "1")
    monkeypatch.setattr("polemarque.cli.file_checks.shipped", broken)
    with pytest.raises(ZeroDivisionError):
        polemarque("check")


def test_a_program_that_cannot_be_loaded_says_so_in_one_line() -> None:
    script = (
        "import sys; sys.modules['polemarque.cli.common'] = None\n"
        "from polemarque.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (BROKEN, "", 1)
    assert TRACE in done.stderr


@pytest.mark.parametrize("words", [
    ("consult", DIGITS), ("consult", "AT-9.2", DIGITS), ("consult", "AT-9.2", f"{DIGITS}=1"),
    ("consult", "AT-9.2", f"loot={DIGITS}"), ("consult", "AT-9.2", f"loot={DEEP}"),
    ("consult", "AT-9.2", "--dice", DIGITS), ("consult", "AT-9.2", "--option", f"passage={DIGITS}"),
    ("consult", "AT-9.2", "--odds", "--sample", DIGITS),
    ("run", DIGITS), ("run", "atlantide", "--seed", DIGITS),
    ("run", "atlantide", "--seats", DIGITS),
    ("run", "atlantide", "--option", f"turn_limit={DIGITS}"),
    ("run", "atlantide", "--option", f"resolver={DIGITS}"),
    ("run", "atlantide", "--option", f"{DIGITS}=1"),
    ("rules", DIGITS), ("rules", "atlantide", DIGITS), ("rules", f"AT-{DIGITS}"),
    ("check", DIGITS), ("chronicle", DIGITS), ("luck", DIGITS), (DIGITS,), (f"--{DIGITS}",),
    ("play", DIGITS), ("replay", DIGITS), ("verify", DIGITS), ("sheet", DIGITS),
], ids=lambda words: " ".join(word[:20] for word in words))  # fmt: skip
def test_monstrous_words_are_refused_in_a_short_line(words: tuple[str, ...], lang: str) -> None:
    done = polemarque(*words, "--lang", lang) if words[0] != DIGITS else polemarque(*words)
    assert (done.status, done.out, done.err.count("\n")) == (REFUSED, "", 1)
    assert len(done.err) < 1000 and DIGITS[: 2 * LONGEST_PART] not in done.err
    assert "Error" not in done.err


@pytest.fixture(params=["fr", "en"])
def lang(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("line", [
    f'{{"rule": "AT-9.2", "inputs": {{"loot": {DIGITS[:4000]}}}}}', f'{{"rule": "{DIGITS}"}}',
    f'{{"rule": "AT-9.2", "inputs": {DEEP}}}', DEEP, DIGITS, f'{{"{DIGITS}": 1}}', f'"{DIGITS}"',
    f'{{"rule": "AT-9.2", "dice": [{DIGITS[:4000]}]}}',
], ids=lambda line: line[:30])  # fmt: skip
def test_a_monstrous_line_of_a_batch_is_refused_shortly(line: str) -> None:
    told = answer_line(line.encode())
    assert told["kind"] in ("not_understood", "dice")
    assert len(told["error"]) < 1000 and "Error" not in told["error"]


def test_a_refusal_repeats_the_beginning_and_the_end_of_what_was_sent() -> None:
    path = "/a" * 200 + "/game.jsonl"
    for sent, longest in ((path, LONGEST_PART), (Path(path), LONGEST_REASON)):
        part = NotAllowed("file.exists", part=sent).part
        assert len(part) == longest and part.startswith("/a/a") and part.endswith("/game.jsonl")
    assert shortened("a" * LONGEST_PART) == "a" * LONGEST_PART
    assert shortened(10**6000) == "±2^19932"
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert shortened(deep) == "…"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["replay", "game.json", "another"], "polemarque replay n’a que faire de « another »."),
        (["consult", "--dice"], "--dice demande une valeur."),
    ],
)
def test_what_is_typed_amiss_is_refused_in_the_readers_language(
    words: list[str], told: str
) -> None:
    done = polemarque("--lang", "fr", *words)
    plain = done.err.replace("\u202f", " ").replace("\xa0", " ")
    assert (done.status, done.out, plain) == (REFUSED, "", told + "\n")
