"""Rules asked in a process apart."""

from __future__ import annotations

import math
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from polemarque.kernel.errors import NotUnderstood, Refusal
from polemarque.odds.consult import consult, consult_odds
from polemarque.odds.rule_process import ABREAST, RuleProcess, _answer
from polemarque.odds.worker_process import Gone, Worker

pytestmark = pytest.mark.slow

PATIENT = 60.0


@pytest.fixture(scope="module")
def process() -> Iterator[RuleProcess]:
    asked = RuleProcess(limit=PATIENT, begin=PATIENT)
    yield asked
    asked.end()


def test_it_answers_as_the_rules_do(process: RuleProcess) -> None:
    asked = {"earlier_turns": 1, "loot": 50}
    answer = process.consult("AT-6.3", asked, [1, 4], {"supply_count": "including"}, None, "fr")
    assert answer == consult("AT-6.3", asked, [1, 4], {"supply_count": "including"}, None, "fr")
    assert process.odds("AT-6.3", asked, {}) == consult_odds("AT-6.3", asked)


def test_its_refusals_come_back_whole(process: RuleProcess) -> None:
    with pytest.raises(NotUnderstood) as refused:
        process.consult("AT-6.3", {"earlier_turns": -1, "loot": 0}, None, {}, None, "")
    assert (refused.value.code, refused.value.part) == ("consult.value", "earlier_turns")
    assert refused.value.data["shape"] == "0.."


def test_a_fault_of_a_rule_is_a_refusal_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def off(*_: object) -> None:
        raise ValueError("no row")

    monkeypatch.setattr("polemarque.odds.rule_process.consult", off)
    refusal = _answer(("consult", "TH-2.1", {"units": 3}, None, {}, None, ""))
    assert isinstance(refusal, NotUnderstood)
    assert (refusal.code, refusal.rule) == ("consult.fault", "TH-2.1")


def test_what_takes_too_long_is_ended_and_the_next_is_answered() -> None:
    process = RuleProcess(limit=0.05, begin=PATIENT)
    try:
        began = time.monotonic()
        with pytest.raises(Refusal) as refused:
            process.odds("PR-8.4", {"lost": 15}, {})
        assert (refused.value.code, refused.value.kind) == ("odds.too_long", "too_large")
        assert time.monotonic() - began < PATIENT
        process._limit = PATIENT
        assert (
            process.consult("BC-2.3", {"gap": 7}, None, {}, None, "").result["outcome"] == "clear"
        )
    finally:
        process.end()


def test_a_process_that_has_not_begun_is_said_to_be_busy() -> None:
    process = RuleProcess(begin=0.0)
    try:
        with pytest.raises(Refusal) as refused:
            process.consult("BC-2.3", {"gap": 7}, None, {}, None, "")
        assert refused.value.code == "odds.busy"
    finally:
        process.end()


def test_so_many_wait_and_the_next_is_told_to_come_again() -> None:
    process = RuleProcess(limit=PATIENT, begin=PATIENT)
    try:
        for _ in range(ABREAST):
            process._places.acquire()
        with pytest.raises(Refusal) as refused:
            process.consult("BC-2.3", {"gap": 7}, None, {}, None, "")
        assert refused.value.code == "odds.busy"
        process._places.release()
        assert (
            process.consult("BC-2.3", {"gap": 7}, None, {}, None, "").result["outcome"] == "clear"
        )
    finally:
        process.end()


def test_a_process_that_is_killed_before_it_begins_is_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def killed(_: object) -> None:
        raise BrokenPipeError

    process = RuleProcess(limit=PATIENT, begin=PATIENT)
    try:
        with monkeypatch.context() as patched:
            patched.setattr("multiprocessing.context.SpawnProcess.start", killed)
            process.begin()
            with pytest.raises(Refusal) as refused:
                process.consult("BC-2.3", {"gap": 7}, None, {}, None, "")
        assert refused.value.code == "consult.fault" and "BrokenPipeError" in refused.value.part
        assert process.consult("BC-2.3", {"gap": 0}, None, {}, None, "").result["outcome"] == "tie"
    finally:
        process.end()


@pytest.mark.parametrize(
    ("prepare", "answer", "cause"),
    [
        (math.sqrt, int, "TypeError: math.sqrt() takes exactly one argument (0 given)"),
        (int, int, "ValueError: invalid literal for int() with base 10: '3x'"),
        (int, sys.exit, "exit status 1"),
    ],
    ids=["beginning", "answering", "ending"],
)
def test_who_asked_hears_what_ended_the_process(
    prepare: Callable[[], object], answer: Callable[[str], object], cause: str
) -> None:
    worker = Worker(prepare, answer)
    try:
        with pytest.raises(Gone, match=re.escape(cause)):
            worker.ask("3x", PATIENT, PATIENT)
        assert worker._process is None
    finally:
        worker.end()


def test_a_process_that_died_is_replaced() -> None:
    process = RuleProcess(limit=PATIENT, begin=PATIENT)
    try:
        process.consult("BC-2.3", {"gap": 7}, None, {}, None, "")
        process._worker._process.kill()
        process._worker._process.join()
        assert process.consult("BC-2.3", {"gap": 0}, None, {}, None, "").result["outcome"] == "tie"
    finally:
        process.end()


ENDLESS = """
from polemarque.odds.worker_process import Worker
Worker(int, exec).ask("import os, time; os.write(1, b'asked'); time.sleep(600)", 600, 600)
"""


def test_a_process_that_never_answers_ends_with_an_asker_that_is_killed() -> None:
    asker = subprocess.Popen([sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE)
    assert asker.stdout is not None and asker.stdout.read(5) == b"asked"
    asker.kill()
    asker.communicate(timeout=PATIENT)  # the process apart holds the same pipe until it ends
