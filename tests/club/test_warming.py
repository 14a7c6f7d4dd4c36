"""What is drawn while the server begins is what the first reader gets."""

from __future__ import annotations

import pytest

from polemarque.club import warming
from polemarque.club.models import Campaign
from polemarque.club.reading import boards, public_names
from polemarque.club.roles import called
from polemarque.club.tables import forget, reading
from polemarque.kernel.texts import LANGUAGES
from tests.club.people import campaign

pytestmark = pytest.mark.django_db


def drawn(made: object) -> int:
    """How many boards of a table are kept."""
    with reading(made) as table:  # type: ignore[arg-type]
        return len(table.memory.get("boards", ()))


def test_one_board_of_each_kind_is_drawn_beforehand() -> None:
    older, newer = campaign("atlantide", seats=3), campaign("atlantide", seats=3)
    other = campaign("batailles")
    warming.draw_maps()
    assert (drawn(older), drawn(newer), drawn(other)) == (0, 1, 1)
    lang = LANGUAGES[0]
    with reading(newer) as table:
        kept = next(iter(table.memory["boards"].values()))
        assert boards(table, "", lang, public_names(table, lang, called(newer))) is kept


def test_a_campaign_that_cannot_be_opened_keeps_nothing_else_from_being_warmed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    whole, torn, gone = [campaign("batailles"), *[campaign("atlantide", seats=3) for _ in "ab"]]
    Campaign.objects.filter(pk=gone.pk).update(header=b'{"system":"gone"}')
    forget(gone)
    monkeypatch.setattr(warming.connection, "close", lambda: None)  # it is this test's own
    begun: list[type] = []
    for where, name in ((warming.thinkers, "quick"), (warming.RuleProcess, "the")):
        process = type(name, (), {"begin": lambda self: begun.append(type(self))})
        monkeypatch.setattr(where, name, process)
    warming.Warming().run()
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

    monkeypatch.setattr(warming, "draw_maps", lambda: done.append("maps"))
    monkeypatch.setattr(warming.thinkers, "quick", Begun)
    monkeypatch.setattr(warming.RuleProcess, "the", Begun)
    warming.Warming().run()
    assert done == ["maps", "process", "process"]
