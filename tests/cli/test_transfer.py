"""A campaign taken from one club to another one's folder and back, at the command line."""

from __future__ import annotations

import re
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.forked import Forked, run
from tests.web.served import RUN, environment, fill

pytestmark = pytest.mark.slow

WAR: dict[str, Any] = {
    "system": "batailles", "seats": 2, "people": {"A": "ann"}, "umpire": "ulysse",
}  # fmt: skip


class Clubs:
    """The club that is at home, and the laptop's."""

    def __init__(self, tmp_path: Path) -> None:
        self.folder = tmp_path
        self.home, self.laptop = tmp_path / "home", tmp_path / "laptop"
        self.home.mkdir()
        (self.code,) = fill(self.home, WAR)["campaigns"]  # type: ignore[misc]
        self.laptop.mkdir()
        fill(self.laptop)

    def run(self, data: Path, *words: str) -> subprocess.CompletedProcess[str]:
        return run(RUN, *words, "--data", str(data), "--lang", "en", env=environment(data))

    def done(self, data: Path, *words: str) -> str:
        done = self.run(data, *words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def refused(self, data: Path, *words: str) -> str:
        done = self.run(data, *words)
        assert done.returncode == 2, done.stdout + done.stderr
        return done.stderr

    def to_the_hall(self) -> None:
        """The campaign leaves home, and is taken in on the laptop."""
        out = str(self.folder / "out.json")
        told = self.done(self.home, "take", self.code, out)
        code = re.search(r"([0-9A-Z]{4}-){5}[0-9A-Z]{4}", told)
        assert code is not None
        links = self.done(self.laptop, "bring", out, "--code", code[0])
        assert links.count("/invitation/") >= 2 and "A: /invitation/" in links

    def entries(self, data: Path) -> list[bytes]:
        with closing(sqlite3.connect(data / "polemarque.sqlite3")) as there:
            rows = there.execute(
                "SELECT body FROM club_entry e JOIN club_campaign c ON c.id = e.campaign_id"
                " WHERE code = ? ORDER BY number", [self.code],
            )  # fmt: skip
            return [bytes(body) for (body,) in rows]


def test_an_evening_from_one_folder_to_another_and_back(tmp_path: Path) -> None:
    clubs = Clubs(tmp_path)
    clubs.to_the_hall()
    back = tmp_path / "back.json"
    clubs.done(clubs.laptop, "take", clubs.code, str(back))
    assert back.stat().st_mode & 0o077 == 0
    again = tmp_path / "again.json"
    clubs.done(clubs.laptop, "take", clubs.code, str(again))  # the first one was lost
    assert "is back. Nothing was added" in clubs.done(clubs.home, "bring", str(again))
    assert "was brought back already" in clubs.refused(clubs.home, "bring", str(back))
    assert [
        b'"taken"' in clubs.entries(clubs.home)[-2],
        b'"brought"' in clubs.entries(clubs.home)[-1],
    ]
    for data in (clubs.home, clubs.laptop):
        clubs.done(data, "health")


def test_what_is_asked_wrongly_is_said(tmp_path: Path) -> None:
    clubs = Clubs(tmp_path)
    out = tmp_path / "out.json"
    assert "There is no campaign" in clubs.refused(clubs.home, "take", "nowhere", str(out))
    assert not out.exists()
    clubs.done(clubs.home, "take", clubs.code, str(out))
    assert "is there already" in clubs.refused(clubs.home, "take", clubs.code, str(out))
    assert "give its code with --code" in clubs.refused(clubs.laptop, "bring", str(out))
    assert (
        "the code is another one"
        in clubs.refused(clubs.laptop, "bring", str(out), "--code", "X").lower()
    )
    assert "file that" in clubs.refused(clubs.home, "bring", str(out))
    at_home = clubs.refused(clubs.home, "bring", str(out), "--code", "X")
    assert "the code is another one" in at_home.lower()
    rubbish = tmp_path / "rubbish"
    rubbish.write_text("{}")
    assert "no file of a campaign" in clubs.refused(clubs.home, "bring", str(rubbish))
    assert "not found" in clubs.refused(clubs.home, "bring", str(tmp_path / "nothing"))


@pytest.mark.timeout(300)
def test_a_return_that_is_killed_leaves_the_old_state_or_the_new_one(tmp_path: Path) -> None:
    clubs = Clubs(tmp_path)
    clubs.to_the_hall()
    back = tmp_path / "back.json"
    clubs.done(clubs.laptop, "take", clubs.code, str(back))
    before = clubs.entries(clubs.home)
    told, said = environment(clubs.home), tmp_path / "said"
    for delay in (0.05, 0.2, 0.4):
        words = ("bring", str(back), "--data", str(clubs.home))
        process = Forked(RUN, *words, env=told, out=said, err=said)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
        after = clubs.entries(clubs.home)
        assert after[: len(before)] == before
        assert len(after) in {len(before), len(before) + 1}
        assert (len(after) > len(before)) == (b'"brought"' in after[-1])
    clubs.run(clubs.home, "bring", str(back))
    assert clubs.entries(clubs.home)[-1].startswith(b'{"type":"moved","what":"brought"')
    assert len(clubs.entries(clubs.home)) == len(before) + 1
    clubs.done(clubs.home, "health")
