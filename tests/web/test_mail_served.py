"""Mail as the club's own processes send and read it: by SMTP, from a box, a folder and a pipe."""

from __future__ import annotations

import mailbox
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.forked import Forked
from tests.web.post import Box, Inbox, filled, forms_in, imap_box, mail_server, reply, words_of
from tests.web.served import PATIENCE, RUN, Server, environment, fill

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

WAR: dict[str, Any] = {
    "system": "atlantide", "scenario": "wave", "seats": 3, "by_mail": True,
    "people": {"A": "ann", "B": "bob", "C": "cleo"},
}  # fmt: skip
PEOPLE = ("ann@example.org", "bob@example.org", "cleo@example.org")


class Club:
    """A club whose people are asked something, its mail server and its box."""

    def __init__(self, data: Path, inbox: Inbox, port: int) -> None:
        self.data, self.inbox = data, inbox
        fill(data, WAR)
        self.told = {
            "POLEMARQUE_MAIL": f"smtp://127.0.0.1:{port}",
            "POLEMARQUE_ADDRESS": "https://club.example.org",
            "POLEMARQUE_BOX": f"maildir:{data / 'box'}",
        }
        self.box = mailbox.Maildir(data / "box")

    def start(self, *words: str, said: Path, given: bytes = b"") -> Forked:
        words = (*words, "--data", str(self.data), "--lang", "en")
        told = {**environment(self.data), **self.told}
        return Forked(RUN, *words, env=told, out=said, err=said, given=given)

    def run(self, *words: str, given: bytes = b"", status: int = 0) -> str:
        said = self.data.with_name("said")
        said.unlink(missing_ok=True)
        assert self.start(*words, said=said, given=given).wait(PATIENCE) == status, said.read_text()
        return said.read_text()

    def answer(self, who: str) -> bytes:
        """What somebody replies to the mail that asked them."""
        asked = self.inbox.to(who)[0]
        return reply(asked, "\n\n".join([filled(form) for form in forms_in(asked)]), who)

    def is_told(self, who: str) -> str:
        """What somebody reads of their reply."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if len(mails := self.inbox.to(who)) == 2:
                return words_of(mails[1])
            time.sleep(0.2)
        raise AssertionError("nobody is told anything")

    def rows(self, asked: str) -> list[Any]:
        with closing(sqlite3.connect(self.data / "polemarque.sqlite3")) as there, there:
            return there.execute(asked).fetchall()


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with mail_server() as (inbox, port):
        data = tmp_path / "club"
        data.mkdir()
        yield Club(data, inbox, port)


@contextmanager
def a_box(club: Club, password: str = "secret") -> Iterator[Box]:
    """The club's box is on a server that it trusts."""
    with imap_box(club.data) as (box, port, trusted):
        club.told["POLEMARQUE_BOX"] = f"imaps://club:{password}@localhost:{port}"
        club.told["SSL_CERT_FILE"] = str(trusted)
        yield box


def test_a_box_on_a_server_a_pipe_a_folder_and_the_served_club_take_replies(club: Club) -> None:
    club.run("tick")
    assert sorted(mail["To"] for mail in club.inbox.mails) == [*PEOPLE]
    own = club.told["POLEMARQUE_BOX"]
    with a_box(club) as box:
        box.mails = {4: b"From: x@example.org\r\n\r\nnews", 9: club.answer(PEOPLE[0])}
        box.breaks = 1
        assert "cannot be read" in club.run("mail", status=1)
        health = club.run("health", status=1)
        assert "with orders by mail cannot be read" in health
        assert "file itself is sound" in health and "not sound" not in health
        assert not box.seen and len(club.inbox.mails) == 3
        assert "2 mails read" in club.run("mail")
        assert box.seen == {4, 9}
        assert "No mail read" in club.run("mail")
    assert "Your orders are kept" in club.is_told(PEOPLE[0])
    club.told["POLEMARQUE_BOX"] = own
    club.run("health")
    assert "lacks the folder “new”" in club.run("mail", str(club.data), status=2)
    club.told["POLEMARQUE_BOX"] = "pipe"
    for _ in range(2):
        assert "1 mail read" in club.run("mail", "-", given=club.answer(PEOPLE[1]))
    assert "Your orders are kept" in club.is_told(PEOPLE[1])
    assert "No mail read" in club.run("mail")
    club.run("health")
    club.told["POLEMARQUE_BOX"] = own
    club.box.add(club.answer(PEOPLE[2]))
    server = Server(club.data)
    server.told = club.told
    try:
        server.start()
        assert "Your orders are kept" in club.is_told(PEOPLE[2])
    finally:
        server.end()
    assert not list((club.data / "box" / "new").iterdir())


def test_a_box_that_does_not_know_the_club_is_named_until_there_is_none(club: Club) -> None:
    with a_box(club, "hunter2"):
        said = club.run("mail", status=1) + club.run("health", status=1)
    assert "with orders by mail cannot be read" in said and "hunter2" not in said
    del club.told["POLEMARQUE_BOX"]
    assert "cannot be read" not in club.run("health")
    for source in ([], ["-"], [str(club.data / "box")]):
        said = club.run("mail", *source, status=2)
        assert "still need POLEMARQUE_BOX: " in said
    del club.told["POLEMARQUE_ADDRESS"]
    assert "need POLEMARQUE_ADDRESS and POLEMARQUE_BOX: " in club.run("mail", status=2)


def test_killed_in_the_middle_of_sending_every_notice_is_sent_once(club: Club) -> None:
    kills = iter(["RCPT", "DATA", "DATA", "RCPT", "DATA"])
    for step in kills:
        victim = club.start("tick", said=club.data / "said")

        def stop(at: str, step: str = step, victim: Forked = victim) -> None:
            if at == step:
                victim.send_signal(signal.SIGKILL)
                victim.wait()

        club.inbox.stop = stop
        victim.wait(PATIENCE)
        assert victim.returncode in {0, -signal.SIGKILL}
        club.rows("UPDATE club_notice SET after = at WHERE sent IS NULL")  # two minutes later
    club.inbox.stop = lambda _: None
    club.run("tick")
    names = Counter((mail["To"], mail["Message-ID"]) for mail in club.inbox.mails)
    assert sorted(to for to, _ in names) == [*PEOPLE]  # sent again it is known by its name
    assert max(names.values()) > 1
    assert all(forms_in(club.inbox.to(who)[-1]) for who in PEOPLE)
    assert club.rows("SELECT count(*) FROM club_notice WHERE sent IS NULL") == [(0,)]
    told = len(club.inbox.mails)
    club.run("tick")
    assert len(club.inbox.mails) == told
