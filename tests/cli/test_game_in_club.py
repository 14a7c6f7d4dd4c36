"""A game played in a file is taken into a club, played there, and taken back to its file."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.forked import Forked, run
from tests.web.served import RUN, environment, fill

pytestmark = pytest.mark.slow

FIELD = ("batailles", "--seat", "A=Ann", "--seat", "B=bot:steady", "--save", "ford.game.json")
TABLES = ("club_campaign", "club_entry", "club_stay", "club_seat", "club_invitation", "club_seeds")


class Hall:
    """A folder with a game in a file, and a club."""

    def __init__(self, tmp_path: Path) -> None:
        self.folder, self.data = tmp_path, tmp_path / "club"
        self.data.mkdir()
        fill(self.data)
        self.file = tmp_path / "ford.game.json"

    def run(self, *words: str, data: bool = False) -> subprocess.CompletedProcess[str]:
        more = ["--data", str(self.data)] if data else []
        told = environment(self.data)
        return run(RUN, *words, *more, "--lang", "en", env=told, cwd=self.folder)

    def done(self, *words: str, data: bool = False) -> str:
        done = self.run(*words, data=data)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def refused(self, *words: str) -> str:
        """What is said of what a club refuses; nothing in it has changed."""
        before = self.rows()
        done = self.run(*words, data=True)
        assert done.returncode == 2, done.stdout + done.stderr
        assert self.rows() == before
        return done.stderr

    def rows(self) -> list[list[object]]:
        with closing(sqlite3.connect(self.data / "polemarque.sqlite3")) as there:
            return [there.execute(f"SELECT * FROM {name}").fetchall() for name in TABLES]

    def answer(self, file: Path, seat: str = "A") -> None:
        """A seat sends the form of what it is asked back as it is proposed."""
        form, left = self.folder / "form.txt", "the rest as proposed (yes): ____"
        form.unlink(missing_ok=True)
        self.done("orders", str(file), "--seat", seat, "--out", str(form))
        if not form.exists():  # the rest of the turn has a paper of its own
            form = form.with_stem("form-1")
        assert left in form.read_text()
        form.write_text(form.read_text().replace(left, left.replace("____", "yes")))
        self.done("orders", str(file), "--seat", seat, "--read", str(form), "--sure")

    def brought(self) -> str:
        """The code of the campaign that the game becomes."""
        told = self.done("bring", str(self.file), data=True)
        assert "umpire: /invitation/" in told and "A: /invitation/" in told
        assert "B: /invitation/" not in told  # a bot plays it here, too
        code = re.search(r"polemarque take (\w+) FILE", told)
        assert code is not None
        return code[1]

    def absent(self, code: str, seat: str = "A") -> None:
        """Who plays a seat answers in the club as the rules do for the absent."""
        script = (
            "from pathlib import Path; from polemarque.web.server import prepare;"
            f"prepare(Path({str(self.data)!r}));"
            "from polemarque.club.campaigns.session import write_lock;"
            "from polemarque.club.models import Campaign;"
            "from polemarque.bots.play import play_game;"
            f"found = Campaign.objects.get(code={code!r});\n"
            "with write_lock(found) as table:\n"
            f"    [table.game.absent({seat!r}) for _ in table.game.requests({seat!r})]\n"
            "    play_game(table.game, {'B': 'steady'}, umpire=False)\n"
        )
        done = run(script, env=environment(self.data))
        assert done.returncode == 0, done.stderr


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    made = Hall(tmp_path)
    made.done("new", "game", *FIELD)
    return made


@pytest.mark.timeout(300)
def test_a_game_goes_into_a_club_and_back_and_in_once_more(hall: Hall) -> None:
    seats, kept = hall.folder / "ford.game.seats.json", hall.folder / "kept"
    seats.rename(kept)
    seats.write_text(r'{"people":{"A":"Ann"},"club":"\u001b[31mx"}')
    told = hall.run("orders", str(hall.file), "--seat", "A")
    assert told.returncode == 2 and "control signs" in told.stderr and "\x1b[31m" not in told.stderr
    kept.rename(seats)
    hall.answer(hall.file)
    seeds = hall.folder / "ford.game.seeds.json"
    before = hall.file.read_bytes()
    code = hall.brought()
    assert hall.file.read_bytes() == before
    assert json.loads(before.split(b"\n")[0] + b"]}")["game"]["campaign"] == code
    assert "“ford” is here already. This file adds nothing." in hall.refused(
        "bring", str(hall.file)
    )
    hall.absent(code)
    foreign = hall.folder / "notes.txt"
    foreign.write_text("mine")
    assert "notes.txt" in hall.refused("take", code, str(foreign))
    lost = hall.folder / "nowhere.json"
    lost.with_name("nowhere.seeds.json").write_text("other seeds")
    assert "nowhere.seeds.json" in hall.refused("take", code, str(lost))
    assert foreign.read_text() == "mine" and not lost.exists()
    torn = hall.folder / "torn.json"
    torn.with_name("torn.seats.json").write_text("{")
    assert "torn.seats.json" in hall.refused("take", code, str(torn))
    assert not torn.exists() and not torn.with_name("torn.seeds.json").exists()
    torn.with_name("torn.seats.json").unlink()
    torn.with_name("torn.seeds.json").write_bytes(seeds.read_bytes())  # killed before the record
    hall.done("take", code, str(torn), data=True)

    back = hall.folder / "back.json"
    assert "back.json" in hall.done("take", code, str(back), data=True)
    assert back.read_bytes().startswith(before) and len(back.read_bytes()) > len(before)
    assert "ford.game.json did not follow" in hall.refused("bring", str(hall.file))
    for secret in (back, back.with_name("back.seeds.json")):
        assert secret.stat().st_mode & 0o077 == 0
    assert json.loads(back.with_name("back.seeds.json").read_text()) == json.loads(
        seeds.read_text()
    )
    for name in ("back.json", "ford.game.json"):  # the old file gives way to what continues it
        hall.done("take", code, name, data=True)
        told = json.loads(hall.done("verify", name, "--json"))
        assert told["holds"] and sum(told["rolls"].values()) > 0
        assert not any(told["rolls"][kind] for kind in ("false", "free", "typed")), told
    assert json.loads((hall.folder / "ford.game.seats.json").read_text()) == {
        "people": {"A": "Ann", "umpire": "Umpire"}, "bots": {"B": "steady"},
    }  # fmt: skip
    hall.answer(hall.file)
    assert hall.brought() == code  # and on with it in the club
    hall.done("health", data=True)
    hall.done("take", code, "ford.game.json", data=True)
    hall.answer(back)  # the other copy, on which somebody goes on
    assert "went on in another way" in hall.refused("bring", str(back))


@pytest.mark.timeout(300)
def test_a_file_whose_game_is_in_a_club_warns_and_is_known_as_another_course(hall: Hall) -> None:
    hall.file = hall.folder / "two.json"
    hall.done("new", "game", "batailles", "ford", "--people", "2", "--save", str(hall.file))
    assert "Careful" not in hall.run("orders", str(hall.file), "--seat", "A").stderr
    hall.answer(hall.file)  # sealed: B has not answered
    altered = hall.folder / "altered.json"
    for end in ("json", "seeds.json", "seats.json"):
        there = hall.file.with_name(f"two.{end}").read_text()
        altered.with_name(f"altered.{end}").write_text(
            there.replace('{"choice":"continue"}', '{"choice":"negotiate"}')
        )
    assert altered.read_bytes() != hall.file.read_bytes()
    told = hall.done("bring", str(hall.file), data=True)
    code = told.partition("polemarque take ")[2].partition(" ")[0]
    said = hall.refused("bring", str(altered))
    assert "“two” is here already. This file differs from it from entry " in said
    for words in (["orders", str(hall.file), "--seat", "B"], ["play", "--resume", str(hall.file)]):
        assert f"this game has gone into a club, under the code {code}" in hall.run(*words).stderr
    hall.answer(hall.file, "B")
    went_on = hall.file.read_bytes()
    hall.absent(code, "B")
    assert "went on by itself" in hall.refused("take", code, str(hall.file))
    assert hall.file.read_bytes() == went_on
    hall.file.unlink()
    hall.done("take", code, str(hall.file), data=True)
    assert "Careful" not in hall.run("orders", str(hall.file), "--seat", "A").stderr


def test_a_game_that_no_club_can_take_is_refused(hall: Hall) -> None:
    def refused(name: str) -> str:
        return hall.refused("bring", str(hall.folder / name))

    seeds = hall.folder / "ford.game.seeds.json"
    kept, whole = seeds.read_text(), hall.file.read_bytes()
    hall.done("new", "game", *FIELD[:-1], "rolled.json", "--dice", "rolled")
    assert "--dice committed" in refused("rolled.json")
    hall.done("new", "game", *FIELD[:-1], "other.game.json")
    seeds.unlink()
    assert "ford.game.seeds.json" in refused("ford.game.json")
    seeds.write_text((hall.folder / "other.game.seeds.json").read_text())
    assert "does not hold the seeds" in refused("ford.game.json")
    seeds.write_text(kept)
    hall.file.write_bytes(whole.replace(b'"word"', b'"wort"', 1))
    assert "Entry 1 " in refused("ford.game.json")
    hall.file.write_bytes(whole.replace(b'"batailles"', b'"bataille"', 1))
    assert "system bataille is not installed" in refused("ford.game.json")
    hall.done("play", "batailles", "--people", "0", "--dice", "committed", "--save", "over.json")
    assert "over" in refused("over.json")
    hall.file.write_bytes(whole)
    hall.brought()


@pytest.mark.timeout(300)
def test_killed_on_the_way_back_the_game_is_in_the_club_or_in_the_file(hall: Hall) -> None:
    code = hall.brought()
    file = hall.folder / "home.json"
    told, said = environment(hall.data), hall.folder / "said"
    for delay in (0.05, 0.15, 0.3, 0.5):
        words = ("take", code, str(file), "--data", str(hall.data))
        process = Forked(RUN, *words, env=told, out=said, err=said)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
        with closing(sqlite3.connect(hall.data / "polemarque.sqlite3")) as there:
            ((sent,),) = there.execute("SELECT sent FROM club_stay").fetchall()
        assert file.exists() or sent is None  # what is shut here is in the file, whole
    hall.done("take", code, str(file), data=True)
    hall.answer(file)
    hall.done("verify", str(file))
