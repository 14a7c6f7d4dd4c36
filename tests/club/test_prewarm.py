"""What is drawn while the server begins is what the first reader gets."""

from __future__ import annotations

import pytest

from polemarque.club.campaigns.session import forget, read_lock
from polemarque.club.campaigns.visibility import boards, public_names
from polemarque.club.models import Campaign
from polemarque.club.people.roles import called
from polemarque.club.server import prewarm
from polemarque.kernel.files.texts import LANGUAGES
from tests.club.people import campaign

pytestmark = pytest.mark.django_db


def drawn(made: object) -> int:
    """How many boards of a table are kept."""
    with read_lock(made) as table:  # type: ignore[arg-type]
        return len(table.memory.get("boards", ()))


def test_one_board_of_each_kind_is_drawn_beforehand() -> None:
    older, newer = campaign("atlantide", seats=3), campaign("atlantide", seats=3)
    other = campaign("batailles")
    prewarm.draw_maps()
    assert (drawn(older), drawn(newer), drawn(other)) == (0, 1, 1)
    lang = LANGUAGES[0]
    with read_lock(newer) as table:
        kept = next(iter(table.memory["boards"].values()))
        assert boards(table, "", lang, public_names(table, lang, called(newer))) is kept


def test_a_campaign_that_cannot_be_opened_keeps_nothing_else_from_being_warmed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    whole, torn, gone = [campaign("batailles"), *[campaign("atlantide", seats=3) for _ in "ab"]]
    Campaign.objects.filter(pk=gone.pk).update(header=b'{"system":"gone"}')
    forget(gone)
    monkeypatch.setattr(prewarm.connection, "close", lambda: None)  # it is this test's own
    begun: list[type] = []
    for where, name in ((prewarm.bot_processes, "quick"), (prewarm.RuleProcess, "the")):
        process = type(name, (), {"begin": lambda self: begun.append(type(self))})
        monkeypatch.setattr(where, name, process)
    prewarm.warm()
    assert (drawn(whole), drawn(torn), len(begun)) == (1, 1, 2)
    (told,) = caplog.messages
    assert gone.code in told


def test_the_processes_are_begun_once_the_maps_are_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []

    class Begun:
        def begin(self) -> None:
            done.append("process")

    monkeypatch.setattr(prewarm, "draw_maps", lambda: done.append("maps"))
    monkeypatch.setattr(prewarm.bot_processes, "quick", Begun)
    monkeypatch.setattr(prewarm.RuleProcess, "the", Begun)
    prewarm.warm()
    assert done == ["maps", "process", "process"]
