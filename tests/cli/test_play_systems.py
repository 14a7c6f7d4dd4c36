"""Every installed system is played at the terminal: by people, bots beside them, both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from polemarque.cli.records import load
from polemarque.kernel.system import find_system, system_names
from tests.cli.desk import Typist, polemarque

PLAYABLE = [name for name in system_names() if find_system(name).playable and "du" not in name]
KEY_SHOWN = re.compile(r"\b(ask|part|choice|play|view|error)\.[a-z_]+\b")


def turns(system: str) -> tuple[object, ...]:
    names = [choice.name for choice in find_system(system).options]
    if "years" in names:
        return ("--option", "years=1")
    return ("--turns", 2) if "turn_limit" in names else ()


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("dice", ["rolled", "typed"])
@pytest.mark.parametrize("system", PLAYABLE)
def test_a_person_plays_against_bots(tmp_path: Path, system: str, dice: str, lang: str) -> None:
    path = tmp_path / "g.json"
    seats = ("--seat", "A=Alice", "--seat", "umpire=Ulla")
    player = Typist(path, {"Alice": "A", "Ulla": "umpire"})
    done = polemarque(
        "play", system, *turns(system), *seats, "--dice", dice, "--save", path, "--lang", lang,
        typist=player,
    )  # fmt: skip
    assert done.status == 0, done.out[-2000:] + done.err
    assert load(path).complete
    assert not KEY_SHOWN.findall(done.out)
    assert polemarque("verify", path).status == 0


@pytest.mark.parametrize("system", PLAYABLE)
def test_people_alone_play_hot_seat(tmp_path: Path, system: str) -> None:
    path = tmp_path / "g.json"
    codes = find_system(system).seats[: find_system(system).least]
    seats = {f"P{code}": code for code in codes} | {"Ulla": "umpire"}
    given = [word for name, code in seats.items() for word in ("--seat", f"{code}={name}")]
    done = polemarque(
        "play", system, *turns(system), "--seats", len(codes), *given, "--seed", 1, "--save", path,
        typist=Typist(path, seats),
    )  # fmt: skip
    assert done.status == 0, done.out[-2000:] + done.err
    twin = polemarque("replay", path, "--json")
    assert twin.status == 0
    assert load(path).head in twin.out


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_campaign_that_is_being_set_up_is_in_no_turn_yet(tmp_path: Path, lang: str) -> None:
    path = tmp_path / "g.json"
    seats = ("--seat", "A=Alice")
    done = polemarque(
        "play", "atlantide", "--turns", 1, *seats, "--seed", 1, "--save", path, "--lang", lang,
        typist=Typist(path, {"Alice": "A"}),
    )  # fmt: skip
    first, begun = {"fr": ("tour 1", "Mise en place"), "en": ("turn 1", "Setting up")}[lang]
    before, _, after = done.out.lower().partition(first)
    assert "AT-1.1" in before.upper()
    assert begun.lower() in before
    assert "AT-4.1" in after.upper()
    assert "AT-1.1," not in after.upper()
