"""The resolver `tabletop` (PA-2): two return sheets, equal, different, or judged by the umpire."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import Any

import msgspec
import pytest

from polemarque.bridges.tabletop import (
    SYSTEM,
    ReturnedSheet,
    blank,
    faults,
    own_names,
    report_of,
    return_sheet,
)
from polemarque.kernel.battle_brief import (
    Brief,
    BriefLeader,
    BriefUnit,
    Fate,
    Loss,
    Report,
    Side,
    resolver,
    resolvers_for,
)
from polemarque.kernel.editions import fighting_system
from polemarque.kernel.errors import NotAllowed, NotUnderstood, OutOfDate
from polemarque.kernel.game import Game, new_header, replay
from polemarque.kernel.position import decode_position, encode_position
from polemarque.kernel.records.record import Adjust, Replace
from polemarque.kernel.run import Runner


def side(seat: str, **rights: Any) -> Side:
    spears = BriefUnit("1", "spears", "infantry", 20, 155)
    units = (spears, BriefUnit("2", "bows", "light_infantry", 5, 35))
    return Side(seat, seat, units, (BriefLeader("9", "king", "general", 120),), rights)


BRIEF = Brief("m2", "tabletop", "m2", (side("A"), side("B")), "plains")


class Duel:
    """A battle on the table, opened from its brief."""

    def __init__(self, brief: Brief = BRIEF) -> None:
        self.events: list[Any] = []
        self.brief = brief
        self.runner = Runner(resolver("tabletop").open(brief), self.events.append)

    def say(self, seat: str, value: Any) -> Duel:
        request = self.runner.pending
        assert request is not None
        self.runner.say(seat, request.options(seat).take(value))
        saved = encode_position(self.runner.position)
        assert encode_position(Runner(decode_position(saved)).position) == saved
        return self

    @property
    def report(self) -> Any:
        assert self.runner.over
        return resolver("tabletop").report(self.brief, self.runner.state)

    def kinds(self) -> list[str]:
        first, *others = [event.kind for event in self.events]
        assert first == "opened"
        return others


def sheet(**parts: Any) -> dict[str, Any]:
    return blank(BRIEF) | {name.replace("_", "."): value for name, value in parts.items()}


# Sheets ------------------------------------------------------------------------------------------


def test_equal_sheets_are_the_result():
    mine = sheet(result="attacker", killed_A_1=4, left_A_1=2, killed_B_2=1, fate_B_9="duel")
    duel = Duel().say("A", mine).say("B", dict(reversed(mine.items())))
    report = duel.report
    assert duel.kinds() == ["agreed"]
    assert (report.winner, report.facts["decided"]) == (0, "declared")
    assert Loss("A.1", 4, 2) in report.losses
    assert Loss("B.2", 1, 0) in report.losses
    assert report.fates == (Fate("A.9", "alive"), Fate("B.9", "duel"))


def test_nobody_sees_a_sheet_before_both_are_in():
    duel = Duel().say("A", sheet(result="attacker"))
    for seat in ("B", "C", "umpire"):
        assert "attacker" not in str(SYSTEM.view(duel.runner.state, seat))
    assert duel.kinds() == []


def test_different_sheets_wait_for_the_umpire():
    for word, winner in (("attacker", 0), ("defender", 1)):
        duel = Duel().say("A", sheet(result="attacker")).say("B", sheet(result="defender"))
        assert duel.runner.pending.seats == ("umpire",)
        assert duel.say("umpire", {"sheet": word}).report.winner == winner
        assert duel.kinds() == ["differ", word]


def test_the_umpire_fills_in_one_himself():
    duel = Duel().say("A", sheet(result="attacker")).say("B", sheet(result="defender"))
    duel.say("umpire", {"sheet": "own", **sheet(result="none", killed_A_1=3)})
    assert duel.report.winner is None
    assert Loss("A.1", 3, 0) in duel.report.losses


def test_the_umpire_has_both_do_it_again():
    duel = Duel().say("A", sheet(result="attacker")).say("B", sheet(result="defender"))
    duel.say("umpire", {"sheet": "again"})
    assert duel.runner.pending.seats == ("A", "B")
    assert duel.runner.pending.keys["A"].number == 2
    assert duel.say("A", sheet(result="none")).say("B", sheet(result="none")).report.winner is None


def test_an_absent_player_returns_a_blank_sheet():
    duel = Duel()
    absent = duel.runner.pending.absent("A")
    assert duel.say("A", absent).say("B", absent).report.winner is None


# What may stand on it ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "parts",
    [
        {"killed_A_1": 21}, {"killed_A_1": 15, "left_A_1": 6}, {"killed_A_1": -1},
        {"result": "draw"}, {"fate_A_9": "asleep"}, {"killed_A_7": 0}, {"quarters_A": 1},
    ],
)  # fmt: skip
def test_impossible_sheets_are_refused(parts):
    with pytest.raises((NotAllowed, NotUnderstood)):
        return_sheet(BRIEF).take(sheet(**parts))


def test_PA_2_whoever_has_nobody_left_has_not_won() -> None:
    gone = {"killed_A_1": 20, "killed_A_2": 5}
    bare = {k: v for k, v in sheet(**gone).items() if k not in ("left.A.1", "left.A.2")}
    for fate in ("alive", "duel", "captured"):
        filled = {**bare, "fate.A.9": fate, "result": "attacker"}
        if fate == "alive":
            assert return_sheet(BRIEF).take(filled)
        else:
            with pytest.raises(NotAllowed) as refused:
                return_sheet(BRIEF).take(filled)
            assert refused.value.legal == ("defender", "points")
            assert return_sheet(BRIEF).take({**filled, "result": "defender"})


def counted(brief: Brief = BRIEF, **parts: Any) -> dict[str, Any]:
    filled = blank(brief) | {"result": "points"}
    for code in "AB":
        filled |= dict.fromkeys((f"broken.{code}.1", f"broken.{code}.2"), "no")
        filled |= {f"quarters.{code}": 0, f"standards.{code}": 0, f"army_standard.{code}": "no"}
    return filled | {name.replace("_", "."): value for name, value in parts.items()}


def test_counts_are_asked_only_for_victory_points():
    report = report_of(BRIEF, return_sheet(BRIEF).take(counted(quarters_A=3, broken_B_2="yes")))
    assert (report.winner, report.facts["decided"]) == (None, "points")
    assert report.facts["counts"]["quarters.A"] == 3
    assert report.facts["counts"]["broken.B.2"] == "yes"
    assert not [name for name in report.facts["counts"] if name.startswith(("killed", "fate"))]


def test_AT_8_6_a_unit_whose_last_figure_was_killed_is_broken() -> None:
    gone = {**counted(killed_B_2=5), "broken.B.2": "yes"}
    del gone["left.B.2"]
    report = report_of(BRIEF, return_sheet(BRIEF).take(gone))
    assert report.facts["counts"]["broken.B.2"] == "yes"
    with pytest.raises(NotAllowed) as refused:
        return_sheet(BRIEF).take(gone | {"broken.B.2": "no"})
    assert refused.value.legal == ("yes",)
    # Figures that left the table may have pursued: whether their unit fled is for the players.
    off = counted(killed_B_2=4, left_B_2=1)
    assert return_sheet(BRIEF).take(off | {"broken.B.2": "no"})


def test_there_are_four_quarters_and_no_more_standards_than_units():
    with pytest.raises(NotAllowed):
        return_sheet(BRIEF).take(counted(quarters_A=3, quarters_B=2))
    with pytest.raises(NotAllowed):
        return_sheet(BRIEF).take(counted(standards_A=3))
    full = counted(quarters_A=4, standards_A=2)
    del full["quarters.B"]  # nothing is left to hold
    assert return_sheet(BRIEF).take(full)


def test_mercenaries_are_counted_but_lose_no_figures():
    spears = {"kind": "infantry", "figures": 16, "names": {"fr": "Lanciers", "en": "Spearmen"}}
    hired = [{"id": "guest_1", "name": "spears", "points": 111, **spears}]
    brief = Brief("m2", "tabletop", "m2", (side("A", guests=hired), side("B")))
    with pytest.raises(NotUnderstood):
        return_sheet(brief).take(counted(brief))
    filled = counted(brief) | {"broken.A.guest_1": "yes"}
    report = report_of(brief, return_sheet(brief).take(filled))
    assert report.facts["counts"]["broken.A.guest_1"] == "yes"
    assert not [loss for loss in report.losses if "guest" in loss.unit]
    called = own_names(ReturnedSheet(brief), "A", "fr", {"seat": {"A": "Minos"}})
    assert called["broken"]["A.guest_1"] == "Lanciers (Minos)"


def test_every_random_way_through_the_sheet_is_accepted():
    rng = random.Random(1)
    options = return_sheet(BRIEF)
    for _ in range(200):
        filled = options.sample(rng)
        assert options.take(json.loads(json.dumps(filled))) == filled
        assert report_of(BRIEF, filled).brief == "m2"


# A winner where one is due -----------------------------------------------------------------------


def wiped(seat: str = "B") -> dict[str, Any]:
    """All of a side killed: what is left of it cannot leave the table any more."""
    lost = {f"killed.{seat}.1": 20, f"killed.{seat}.2": 5}
    return {k: v for k, v in (sheet() | lost).items() if not k.startswith(f"left.{seat}")}


def test_somebody_has_won_where_one_side_alone_is_left():
    options = return_sheet(BRIEF)
    with pytest.raises(NotAllowed) as refused:
        options.take(wiped() | {"result": "none"})
    assert refused.value.legal == ("attacker", "defender", "points")
    assert report_of(BRIEF, options.take(wiped() | {"result": "attacker"})).winner == 0
    both = wiped() | {k: v for k, v in wiped("A").items() if k.startswith("killed.A")}
    both = {k: v for k, v in both.items() if not k.startswith("left.A")}
    assert options.take(both | {"result": "none"})  # nobody is left to have won


@pytest.mark.parametrize(("at", "winner"), [(0, "defender"), (1, "attacker")])
def test_the_absent_admit_that_a_general_alone_has_lost(at, winner):
    sides = [side("A"), side("B")]
    sides[at] = msgspec.structs.replace(sides[at], units=())
    brief = msgspec.structs.replace(BRIEF, sides=tuple(sides))
    sheet = return_sheet(brief).take(blank(brief))
    assert sheet["result"] == winner
    assert report_of(brief, sheet).winner == 1 - at


def test_a_refused_sheet_changes_nothing():
    duel = Duel()
    before = encode_position(duel.runner.position)
    for wrong in (wiped(), sheet(killed_A_1=21), sheet(killed_A_9=1), {}):
        with pytest.raises((NotAllowed, NotUnderstood)):
            duel.say("A", wrong)
    assert encode_position(duel.runner.position) == before


def test_an_absent_side_is_not_asked_and_returns_a_blank_sheet():
    away = msgspec.structs.replace(BRIEF.sides[1], absent=True)
    duel = Duel(msgspec.structs.replace(BRIEF, sides=(BRIEF.sides[0], away)))
    assert duel.runner.pending.missing == ("A",)
    assert duel.say("A", sheet(killed_B_1=2, result="attacker")).kinds() == ["differ"]
    assert duel.runner.pending.seats == ("umpire",)  # he alone has seen it: the umpire says


# Who sees what -----------------------------------------------------------------------------------


def test_lists_are_seen_by_the_two_sides_and_the_umpire_alone():
    table = ReturnedSheet(BRIEF, {"A": sheet(), "B": sheet()})
    assert SYSTEM.view(table, "C") == {"place": "m2"}
    for seat in ("A", "B"):
        assert SYSTEM.view(table, seat) == {"place": "m2", "brief": BRIEF}
    assert SYSTEM.view(table, "umpire")["sheets"] == table.sheets


# Loaded by its name ------------------------------------------------------------------------------

PROGRAM = """
import random
import sys
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.position import encode_position

for seed in range(100):
    game = Game(new_header("atlantide", seats=2, seed=seed, options={"resolver": "tabletop"}))
    rng = random.Random(seed)
    game.settle()
    while not game.runner.branches and not game.over:
        request = game.requests()[0]
        seat = request.missing[0]
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        game.settle()
    if game.runner.branches:
        sys.stdout.buffer.write(encode_position(game.position))
        break
"""

READER = """
import sys
from polemarque.kernel.position import decode_position, encode_position
from polemarque.kernel.run import Runner

raw = sys.stdin.buffer.read()
assert encode_position(Runner(decode_position(raw)).position) == raw
"""


def test_a_campaign_finds_it_by_name_and_a_saved_battle_is_read_by_another_process():
    written = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, check=False)
    assert written.returncode == 0, written.stderr.decode()
    read = subprocess.run(
        [sys.executable, "-c", READER], input=written.stdout, capture_output=True, check=False
    )
    assert read.returncode == 0, read.stderr.decode()


# A campaign that counts stands -------------------------------------------------------------------


def stands(seat: str, *once: str) -> Side:
    units = (
        BriefUnit("spears", "spears", "spears", 8, 40),
        BriefUnit("guard", "guard", "spears", 1, 5),
    )
    return Side(seat, seat, units, (), {"once": list(once)})


FLEET = Side("B", "B", (BriefUnit("BF2", "fleet", "fleet", 1, 100, {"whole": True}),), ())
STANDS = Brief(
    "b1", "tabletop", "b1", (stands("A", "war_priest"), stands("B")), "", facts={"sheet": "stands"}
)
SEA = Brief("b2", "tabletop", "b2", (FLEET, FLEET), "sea", facts={"sheet": "stands"})


def test_stands_are_lost_or_not_and_rights_are_spent():
    assert blank(STANDS) == {
        "result": "none", "killed.A.spears": 0, "killed.A.guard": 0, "spent.A.war_priest": "no",
        "killed.B.spears": 0, "killed.B.guard": 0,
    }  # fmt: skip
    mine = blank(STANDS) | {"result": "defender", "killed.A.spears": 3, "spent.A.war_priest": "yes"}
    report = Duel(STANDS).say("A", mine).say("B", mine).report
    assert (report.winner, report.spent) == (1, ("A.war_priest",))
    assert Loss("A.spears", 3) in report.losses and report.fates == ()


def test_a_campaign_without_victory_points_declares_its_winner():
    with pytest.raises(NotAllowed):
        return_sheet(STANDS).take(blank(STANDS) | {"result": "points"})


def test_a_fleet_stands_or_falls_whole():
    assert blank(SEA) == {"result": "none"}
    assert report_of(SEA, {"result": "attacker"}).losses == ()


# The umpire's acts -------------------------------------------------------------------------------


def open_battle() -> Game:
    """A campaign of Atlantide that waits for a battle on the table."""
    for seed in range(100):
        game = Game(new_header("atlantide", seats=2, seed=seed, options={"resolver": "tabletop"}))
        rng = random.Random(seed)
        game.settle()
        while not game.runner.branches and not game.over:
            request = game.requests()[0]
            seat = request.missing[0]
            game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
            game.settle()
        if game.runner.branches:
            return game
    raise AssertionError("no campaign came to a battle")


def battle_of(game: Game) -> tuple[str, Brief]:
    ((brief, runner),) = game.runner.branches
    return runner.path, brief


def reported(game: Game) -> Report:
    """The report that the campaign has taken over."""
    (battle,) = game.state.battles
    return battle.report


def test_the_umpire_declares_who_won_without_any_sheet():
    game = open_battle()
    path, _ = battle_of(game)
    game.enter(Adjust("result", "defender", "the table fell over", path=path))
    assert not game.runner.branches
    assert reported(game).winner == 1 and not sum(loss.killed for loss in reported(game).losses)
    game.settle()
    again = replay(game.header, game.entries)
    assert encode_position(again.position) == encode_position(game.position)


def test_the_umpire_fills_in_a_whole_sheet_after_annulling_the_one_that_lies_there():
    game = open_battle()
    path, brief = battle_of(game)
    attacker = brief.sides[0]
    game.answer(attacker.seat, blank(brief))
    unit = f"{attacker.seat}.{attacker.units[0].id}"
    sheet = blank(brief) | {"result": "attacker", f"killed.{unit}": 2}
    act = Adjust("result", sheet, "nobody came for the other side", path=path)
    with pytest.raises(OutOfDate, match="not_between_items"):
        game.enter(act)
    game.enter(Replace(game.effective[-1].key, "a new sheet", annul=True))
    game.enter(act)
    assert reported(game).winner == 0
    assert Loss(unit, 2, 0) in reported(game).losses


def test_a_declared_result_is_held_to_the_return_sheet():
    game = open_battle()
    path, brief = battle_of(game)
    unit = f"killed.{brief.sides[0].seat}.{brief.sides[0].units[0].id}"
    for wrong in ("points", "nonsense", {"result": "attacker"}, blank(brief) | {unit: 10_000}):
        with pytest.raises((NotAllowed, NotUnderstood)):
            game.enter(Adjust("result", wrong, "no", path=path))
    with pytest.raises(NotUnderstood, match=r"act\.unknown"):
        game.enter(Adjust("loot.A", 50, "that is the campaign's", path=path))
    assert game.runner.branches and not any(isinstance(e, Adjust) for e in game.entries)
    lost = Loss("A.nobody", 1)
    assert faults(ReturnedSheet(BRIEF, report=Report("m2", 0, (lost,)))) == [
        "PA-1 battle.unit A.nobody"
    ]


def test_a_campaign_pins_the_editions_of_its_battles():
    header = new_header("atlantide")
    names = ("atlantide_table", *resolvers_for("atlantide"))
    pinned = {name: fighting_system(name).edition for name in names}
    assert header.editions == pinned
    assert {"tabletop", "batailles", "promiterra", "thucidide"} < set(pinned)
    assert open_battle().runner.branches[0][0].edition == SYSTEM.edition
