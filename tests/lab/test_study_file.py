"""The file of a study: killed at any byte it goes on, and another study's is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from polemarque.kernel.errors import NotAllowed, NotUnderstood, OutOfDate, Refusal
from polemarque.kernel.game import new_header
from polemarque.lab.executor import Job
from polemarque.lab.games import Played, StudyPlan
from polemarque.lab.study_file import BETWEEN, Lines, Study, begin, digest, of_plan, resume


def study(seed: int = 0, bot: str = "steady", plans: int = 1, **options: str) -> Study:
    header = new_header("batailles", options=options)
    return Study((StudyPlan(header, dict.fromkeys(header.seats, bot)),) * plans, seed)


def played(seed: int) -> Played:
    none = {"A": (0, 0), "B": (0, 0)}
    return Played(seed, f"{seed}", 1, ("A",), ((("A",), ("B",)),), none, (0, 0), 7)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of three games."""
    path = tmp_path / "games.jsonl"
    lines = begin(path, study())
    for seed in (2, 0, 1):
        lines.add(Job(0, seed), played(seed))
    lines.close()
    return path


def test_what_was_written_is_read_again(path: Path) -> None:
    lines = resume(path, study())
    assert lines.games == {Job(0, seed): played(seed) for seed in range(3)}
    lines.add(Job(0, 3), played(3))
    lines.close()
    again = resume(path, study())
    assert sorted(job.seed for job in again.games) == [0, 1, 2, 3]
    again.close()


def test_wherever_it_was_torn_only_the_torn_line_is_lost(path: Path) -> None:
    whole = path.read_bytes()
    ends = [place for place, byte in enumerate(whole) if byte == ord("\n")]
    close = [end + step for end in ends for step in (-1, 0, 1, 2)]
    for length in [*range(0, len(whole), 37), *close]:
        if length > len(whole):
            continue
        path.write_bytes(whole[:length])
        lines = resume(path, study())
        kept = max(whole[:length].count(b"\n") - 1, 0)
        assert len(lines.games) == kept
        lines.add(Job(0, 9), played(9))
        lines.close()
        again = resume(path, study())
        assert len(again.games) == kept + 1
        again.close()


def test_a_long_torn_line_is_cut_off_whole(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b'{"plan":0,' + b"7" * 5000)
    lines = resume(path, study())
    lines.add(Job(0, 3), played(3))
    lines.close()
    assert path.read_bytes().endswith(b"\n")
    again = resume(path, study())
    assert len(again.games) == 4
    again.close()


def test_two_that_go_on_with_one_study_do_not_write_over_each_other(path: Path) -> None:
    one, other = resume(path, study()), resume(path, study())
    for seed in range(3, 7):
        one.add(Job(0, seed), played(seed))
        other.add(Job(0, seed), played(seed))
    one.close()
    other.close()
    again = resume(path, study())
    assert sorted(job.seed for job in again.games) == list(range(7))
    again.close()


def test_a_full_disk_is_told_once_and_the_file_can_still_be_closed() -> None:
    lines = Lines(Path("/dev/full"), {})
    with pytest.raises(OSError, match="No space"):
        lines.add(Job(0, 0), played(0))
    assert lines.games == {}
    lines.close()


def test_a_study_is_begun_once(path: Path, tmp_path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(NotAllowed) as refused:
        begin(path, study())
    assert refused.value.code == "study.exists"
    assert path.read_bytes() == before
    resume(tmp_path / "new.jsonl", study()).close()
    assert (tmp_path / "new.jsonl").exists()


@pytest.mark.parametrize(
    ("other", "parts"),
    [
        (study(seed=1), ["seed"]),
        (study(bot="random"), ["bots"]),
        (study(plans=2), ["setups"]),
        (study(rout="zero"), ["options"]),
        (study(bot="random", rout="zero"), ["bots", "options"]),
    ],
)
def test_another_study_is_refused_with_what_differs(
    path: Path, other: Study, parts: list[str]
) -> None:
    before = path.read_bytes()
    with pytest.raises(NotAllowed) as refused:
        resume(path, other)
    assert refused.value.code == "study.other"
    assert refused.value.data["parts"] == parts
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "code", "kind"),
    [
        (b"no study\n", "study.no_study", NotUnderstood),
        (b'{"polemarque":2}\n', "study.no_study", NotUnderstood),
        (b"torn, and no study", "study.no_study", NotUnderstood),
        (b'{"polemarque_study":2}\n', "study.no_study", NotUnderstood),
        (b'{"polemarque_study":2,"study":{"plans":[],"seed":0}}\n', "study.no_study",
         NotUnderstood),
        (b'{"polemarque_study":99}\n', "study.form", OutOfDate),
    ],
)  # fmt: skip
def test_what_is_no_study_is_refused(
    tmp_path: Path, content: bytes, code: str, kind: type[Refusal]
) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)
    with pytest.raises(kind) as refused:
        resume(path, study())
    assert refused.value.code == code
    assert path.read_bytes() == content


def test_a_line_that_cannot_be_read_is_named(path: Path) -> None:
    first, second, *rest = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([first, second, b"{}\n", *rest]))
    with pytest.raises(NotUnderstood) as refused:
        resume(path, study())
    assert (refused.value.code, refused.value.data["line"]) == ("study.line", 3)


def test_the_digest_is_that_of_the_games_in_order_however_they_came(path: Path) -> None:
    jobs = study().jobs(3)
    forward = {job: played(job.seed) for job in jobs}
    backward = {job: played(job.seed) for job in reversed(jobs)}
    assert digest(forward, jobs) == digest(backward, jobs)
    other = {**forward, jobs[1]: replace(played(1), winners=("B",))}
    assert digest(other, jobs) != digest(forward, jobs)
    assert [game.seed for game in of_plan(backward, 0, range(5))] == [0, 1, 2]


def test_two_plans_play_the_same_seeds_and_two_studies_never_do() -> None:
    jobs = study(plans=2).jobs(3)
    assert jobs == [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]
    assert study(seed=1).seeds(BETWEEN)[0] > study(seed=0).seeds(BETWEEN)[-1]
