"""What breaks off half-way harms nobody: not who waits for the table, nor other campaigns."""

from __future__ import annotations

from threading import Event, Thread, Timer

import pytest
from django.db import connections

from polemarque.bots import play
from polemarque.club.campaigns import bot_turns, demonstration, session
from polemarque.club.campaigns.bot_turns import let_play
from polemarque.club.campaigns.session import forget, live_campaign, read_lock, write_lock
from polemarque.club.models import Campaign
from polemarque.club.orders.answers import seal
from polemarque.club.server.backup import health
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import Answer
from tests.club.people import asked, campaign, person, some_answer


class Broken(Exception):
    """A fault that nobody foresaw."""


@pytest.mark.usefixtures("on_the_disk")
def test_who_waits_while_another_breaks_off_finds_the_record_as_it_is() -> None:
    made = campaign("atlantide", seats=3)
    first, then = some_answer(made, "A"), some_answer(made, "B")
    keys = {seat: asked(made, seat) for seat in ("A", "B")}
    held, waits = Event(), Event()

    def breaks_off() -> None:
        try:
            with write_lock(made) as table:
                table.game.answer("A", first, keys["A"])
                table.put(made)
                held.set()
                waits.wait(10)
                raise Broken
        except Broken:
            pass
        finally:
            connections.close_all()

    def waiting() -> None:
        held.wait(10)
        own = Campaign.objects.get(pk=made.pk)
        Timer(0.3, waits.set).start()
        with write_lock(own) as table:
            table.game.answer("B", then, keys["B"])
        connections.close_all()

    threads = [Thread(target=breaks_off), Thread(target=waiting)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    numbers = list(made.entries.values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    assert not health().faults
    with read_lock(made) as table:
        assert [s for r in table.game.course.requests() for s in r.answered] == ["B"]
    made.refresh_from_db()
    with read_lock(made) as table:
        assert table.game.digest == made.head
    forget(made)
    with read_lock(made) as again:
        assert again.game.digest == made.head


@pytest.mark.django_db
def test_a_table_that_cannot_catch_up_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    made = campaign("atlantide", seats=3)
    ours = live_campaign(made)
    del session._tables[made.pk]
    seal(made, person("a"), "A", asked(made, "A"), some_answer(made, "A"), once="theirs")
    session._tables[made.pk] = ours

    def breaks(*_: object) -> None:
        raise Broken

    with monkeypatch.context() as patched:
        patched.setattr(session, "read_entry", breaks)
        with pytest.raises(Broken), read_lock(made):
            pass
    seal(made, person("b"), "B", asked(made, "B"), some_answer(made, "B"), once="ours")
    with read_lock(made) as table:
        assert table is not ours
        assert table.count == made.entries.count() == len(table.game.entries)


@pytest.mark.django_db
def test_campaigns_nobody_looks_at_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "KEPT", 2)
    made = [campaign() for _ in range(4)]
    assert list(session._tables) == [each.pk for each in made[-2:]]
    with read_lock(made[2]) as held:
        with read_lock(made[0]):
            assert live_campaign(made[2]) is held  # whoever looked last stays
        assert made[3].pk not in session._tables
    with read_lock(made[3]) as anew:
        assert anew.head == Campaign.objects.get(pk=made[3].pk).head


class Breaking:
    """A program that breaks off."""

    def choose(self, *_: object) -> object:
        raise Broken


@pytest.mark.django_db
def test_a_program_that_breaks_off_is_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    made = campaign("atlantide", seats=3, held=2)
    monkeypatch.setattr(play, "_player", lambda *_, **__: Breaking())
    for seat in ("A", "B"):
        assert seal(made, person(seat), seat, asked(made, seat), some_answer(made, seat), once=seat)
    with read_lock(made) as table:
        given = [e for e in table.game.entries if isinstance(e, Answer) and e.key.seat == "C"]
        assert [answer.by for answer in given[:1]] == ["absent"]
        assert table.count == made.entries.count()
    assert not health().faults


@pytest.mark.django_db
def test_rules_that_break_off_leave_the_campaign_where_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = campaign("atlantide", seats=3, held=2)
    for seat in ("A", "B"):
        with write_lock(made) as table:
            table.game.answer(seat, some_answer(made, seat), asked(made, seat))

    def breaks(*_: object) -> None:
        raise Broken

    with monkeypatch.context() as patched:
        patched.setattr(Game, "enter", breaks)
        assert not let_play(made)
    with read_lock(made) as table:
        assert (table.game.digest, table.count) == (made.head, made.count)
    let_play(made)
    with read_lock(made) as table:
        assert any(isinstance(e, Answer) and e.key.seat == "C" for e in table.game.entries)


@pytest.mark.django_db
def test_the_clerk_goes_on_with_the_others_and_leaves_the_idle_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bot_turns, "BREATH", 0)
    unreadable, played, waits = (campaign("batailles", held=held) for held in (0, 0, 2))
    Campaign.objects.filter(pk=unreadable.pk).update(header=b"{}")
    session._tables.clear()
    one = bot_turns.Automation()
    one.round()
    assert Campaign.objects.get(pk=played.pk).count > played.count
    session._tables.clear()
    one.round()
    assert waits.pk not in session._tables


@pytest.mark.django_db
def test_half_a_demonstration_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object, **__: object) -> None:
        raise Broken

    with monkeypatch.context() as patched:
        patched.setattr(demonstration, "play_game", breaks)
        with pytest.raises(Broken):
            demonstration.demonstrate("fr")
    assert not Campaign.objects.exists()
    assert not session._tables
