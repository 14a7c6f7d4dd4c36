"""A stranger's resolver can be chosen and his campaign bridged, and nothing of ours changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from polemarque.bots.play import play_game
from polemarque.bridges import pairs
from polemarque.bridges.house import opened, reported
from polemarque.bridges.pairs import Fault, campaigns, figures_for, form_of, kind_faults
from polemarque.cli import file_checks
from polemarque.cli.file_checks import check_file
from polemarque.kernel import battle_brief, system
from polemarque.kernel.agenda import Item, Step, battles, roll, script
from polemarque.kernel.battle_brief import (
    LAND,
    Brief,
    BriefUnit,
    BriefWords,
    Loss,
    Report,
    Resolver,
    Side,
    register_resolver,
    resolvers_for,
)
from polemarque.kernel.dice import D6, total
from polemarque.kernel.editions import check_adoption
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.files.plugins import look_again
from polemarque.kernel.game import Game, new_header, replay
from polemarque.kernel.position import Position
from polemarque.kernel.records.record import Adopt
from polemarque.kernel.system import (
    Choice,
    Standing,
    System,
    add_system,
    find_system,
)
from polemarque.report.chronicle import chronicle
from polemarque.report.documents.document import said
from tests.bridges.test_campaigns import Turn, war_turn

RAIDERS = BriefUnit("oars", "oars", "rowers", figures=8, points=40)

BY_BATAILLES = """
campaign = "raid"
resolver = "batailles"
stand = 5       # PM of a crew
morale = 10     # they know each other
command = 2     # and their captain
least = 3       # the last boat's
"""

BY_COIN = """
campaign = "raid"
resolver = "coin"
row = [{ kind = "rowers", lost = 3 }]
"""

COIN_ATLANTIDE = BY_COIN.replace('"raid"', '"atlantide"').split("row", maxsplit=1)[0]


# A campaign of one battle ------------------------------------------------------------------------


class Raid(msgspec.Struct, frozen=True):
    resolver: str
    turn: int = 1
    report: Report | None = None


class RaidSetup(msgspec.Struct, frozen=True):
    pass


@script("RAID-1")
def raiders_land(raid: Raid) -> Step[Raid]:
    sides = tuple([Side(seat, seat, (RAIDERS,), ()) for seat in "AB"])
    brief = Brief("r1", raid.resolver, "beach", sides, terrain="sand", campaign="raid")
    (report,) = yield from battles(brief)
    return msgspec.structs.replace(raid, report=report), []


def raid_system(data: Path) -> System:
    return System(
        name="raid",
        edition="1",
        titles={"fr": "Razzia", "en": "Raid"},
        seats=("A", "B"),
        least=2,
        options=(Choice("resolver", "RAID-1", lambda: resolvers_for("raid"), "tabletop"),),
        state=Raid,
        setup=RaidSetup,
        begin=lambda setup, seats, options: (Raid(options["resolver"]), [("RAID-1",)]),
        period=lambda raid: raid.turn,
        view=lambda raid, seat: None,
        standing=lambda raid: Standing(raid.report is not None),
        data=data,
        brief_words=lambda: BriefWords(("rowers",), ("sand",)),
    )


# A resolver that tosses a coin -------------------------------------------------------------------


class Toss(msgspec.Struct, frozen=True):
    brief: Brief
    winner: int | None = None


@script("COIN-1")
def coin_falls(toss: Toss) -> Step[Toss]:
    die = yield from roll(1, D6, read=total, why="toss")
    return msgspec.structs.replace(toss, winner=int(die > 3)), []


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: str
    lost: int


class Figures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    row: tuple[Row, ...] = ()

    def faults(self, kinds: tuple[str, ...], terrains: tuple[str, ...]) -> Iterator[Fault]:
        if self.row:
            yield from kind_faults({each.kind: ("row",) for each in self.row}, kinds)


def coin_report(brief: Brief, toss: Toss) -> Report:
    assert toss.winner is not None
    beaten = brief.sides[1 - toss.winner]
    lost = {row.kind: row.lost for row in figures_for(brief, "coin").row}
    losses = [Loss(f"{beaten.seat}.{u.id}", lost[u.kind]) for u in beaten.units if u.kind in lost]
    return reported(brief, toss.winner, losses)


def coin_system() -> System:
    def no_set_up(*_: Any) -> tuple[Any, Sequence[Item]]:
        raise NotImplementedError

    return System(
        name="coin", edition="1", titles={"fr": "Pile ou face", "en": "Heads or tails"}, seats=(),
        least=0, options=(), state=Toss, setup=Toss, begin=no_set_up, period=lambda _: 1,
        view=lambda *_: None, standing=lambda toss: Standing(toss.winner is not None),
        data=Path(), playable=False,
    )  # fmt: skip


def coin_resolver() -> Resolver:
    def open_battle(brief: Brief) -> Position:
        return opened(brief, find_system("coin"), Toss(brief), [("COIN-1",)])

    def grounds(campaign: str) -> Sequence[str]:
        return (LAND,) if pairs.pair_file(campaign, "coin") else ()

    return Resolver("coin", open=open_battle, report=coin_report, system="coin", grounds=grounds)


# Both are there ----------------------------------------------------------------------------------


@pytest.fixture
def strangers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """The campaign `raid` and the resolver `coin`, each in a folder of its own."""
    registers: list[tuple[Any, str]] = [
        (battle_brief, "_RESOLVERS"), (system, "_ADDED"), (pairs, "_FORMS"), (pairs, "_FOUND"),
    ]  # fmt: skip
    for module, name in registers:
        known: Mapping[str, Any] = getattr(module, name)
        monkeypatch.setattr(module, name, dict(known))
    pairs.forms()
    raid, coin = tmp_path / "raid", tmp_path / "coin"
    for folder, files in (
        (raid, {"raid_batailles": BY_BATAILLES}),
        (coin, {"raid_coin": BY_COIN, "atlantide_coin": COIN_ATLANTIDE}),
    ):
        folder.mkdir()
        for name, text in files.items():
            (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    add_system(raid_system(raid))
    add_system(coin_system())
    form_of("coin", "COIN-1", coin)(Figures)
    register_resolver(coin_resolver())
    yield SimpleNamespace(raid=raid, coin=coin)
    look_again()


def fought(resolver: str) -> Game:
    """A whole raid, its battle fought by a resolver."""
    game = Game(new_header("raid", seed=3, options={"resolver": resolver}))
    play_game(game, {"A": "random", "B": "random"})
    assert game.over
    replay(game.header, game.entries)
    return game


@pytest.mark.usefixtures("strangers")
@pytest.mark.parametrize("resolver", ["tabletop", "batailles", "coin"])
def test_a_strangers_campaign_is_fought_by_our_resolvers_and_by_his(resolver: str) -> None:
    game = fought(resolver)
    assert isinstance(game.state.report, Report)
    if resolver == "coin":
        (loss,) = game.state.report.losses
        assert (loss.unit.partition(".")[2], loss.killed) == ("oars", 3)


@pytest.mark.usefixtures("strangers")
def test_what_can_be_chosen_is_what_is_installed_and_has_a_conversion() -> None:
    def offered(name: str) -> tuple[Any, ...]:
        return next(c.values for c in find_system(name).options if c.name == "resolver")

    assert offered("raid") == ("tabletop", "batailles", "coin")
    assert offered("atlantide") == (
        "table", "tabletop", "batailles", "coin", "promiterra", "thucidide",
    )  # fmt: skip
    assert "coin" not in offered("mare_nostrum")
    with pytest.raises(NotUnderstood, match=r"option\.value"):
        new_header("raid", options={"resolver": "thucidide"})
    with pytest.raises(NotUnderstood, match=r"option\.value"):
        new_header("mare_nostrum", options={"resolver": "coin"})


@pytest.mark.usefixtures("strangers")
def test_its_edition_is_pinned_with_the_others() -> None:
    assert new_header("raid").editions.keys() == {"tabletop", "batailles", "coin"}
    header = new_header("atlantide", seats=2)
    assert header.editions["coin"] == "1"
    assert "coin" not in new_header("mare_nostrum").editions


@pytest.mark.usefixtures("strangers")
def test_one_that_came_after_the_game_began_is_pinned_by_an_act() -> None:
    header = msgspec.structs.replace(new_header("raid", seed=1), editions={"tabletop": "2026-11"})
    runner = Game(header).runner
    with pytest.raises(NotAllowed) as refused:
        check_adoption(runner, Adopt("7", "no such edition", resolver="coin"))
    assert refused.value.legal == ("1",)
    check_adoption(runner, Adopt("1", "we have it now", resolver="coin"))


@pytest.mark.usefixtures("strangers")
def test_it_fights_a_battle_of_ours_by_option() -> None:
    turn = war_turn("coin").play()
    assert not find_system("atlantide").faults(turn.runner.state)
    systems = [event.data["system"] for event in turn.events if event.kind == "opened"]
    assert systems == ["coin"]


@pytest.mark.usefixtures("strangers")
def test_players_of_ours_may_agree_on_it_and_it_is_called_by_its_title() -> None:
    turn = war_turn("table")
    while not (turn.runner.open() and _rule(turn) == "AT-8.10/resolver"):
        turn.step()
    for seat in "AB":
        turn.runner.say(seat, "coin")
    turn.play()
    header = new_header("atlantide", seats=2)
    for lang, title in (("fr", "Pile ou face"), ("en", "Heads or tails")):
        told = chronicle(header, turn.events, lang, state=turn.runner.state)
        assert title in "\n".join(said(told))


def _rule(turn: Turn) -> str:
    return str(getattr(next(iter(turn.runner.open()))[1], "rule", ""))


def test_files_of_strangers_are_checked_with_every_fault(strangers: SimpleNamespace) -> None:
    assert campaigns() == ("atlantide", "mare_nostrum", "raid")
    for file in (*strangers.raid.iterdir(), *strangers.coin.iterdir()):
        assert check_file(file) == ()
        assert check_file(file, find_system("raid")) == ()
    file = strangers.coin / "raid_coin.toml"
    file.write_text(BY_COIN.replace('"rowers"', '"riders"'), encoding="utf-8")
    assert {finding.code for finding in check_file(file)} == {"bridge.kind"}
    file.write_text(BY_COIN.replace("lost", "found"), encoding="utf-8")
    assert [finding.code for finding in check_file(file)] == ["bridge.form"]


def test_a_plugin_that_cannot_be_imported_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "broken-1.0.dist-info"
    folder.mkdir()
    points = "[polemarque.resolvers]\nbroken = no_such_package:RESOLVER\n"
    (folder / "entry_points.txt").write_text(points, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    look_again()
    try:
        assert "broken" not in battle_brief.resolvers()
        assert resolvers_for("atlantide") == ("tabletop", "batailles", "promiterra", "thucidide")
        assert new_header("atlantide").editions
        monkeypatch.setattr(file_checks, "rulebook_names", tuple)
        found = dict(file_checks.shipped())[Path("broken")]
        assert [finding.code for finding in found] == ["plugin.broken"]
    finally:
        monkeypatch.undo()
        look_again()
