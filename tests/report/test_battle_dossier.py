"""The dossier of a battle and its return sheet, as printable pages."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from polemarque.bridges.tabletop import blank
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.position import Position
from polemarque.kernel.records.record import Header, write_record
from polemarque.kernel.run import Runner
from polemarque.report.documents.document import said
from polemarque.report.documents.writers import FORMATS, write
from polemarque.report.tabletop_dossier import dossiers, open_briefs
from tests.bridges.test_campaigns import campaign_turn
from tests.cli.desk import polemarque

LANGUAGES = ("fr", "en")


@cache
def in_battle(resolver: str = "tabletop") -> Game:
    """A campaign of Atlantide in which a battle is open."""
    for seed in range(200):
        game = Game(new_header("atlantide", seats=3, seed=seed, options={"resolver": resolver}))
        rng = random.Random(seed)
        game.settle()
        for _ in range(900):
            if game.over or game.runner.branches:
                break
            request = game.requests()[0]
            seat = request.missing[0]
            game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
            game.settle()
        if game.runner.branches:
            return game
    raise AssertionError("no battle")


def at_war() -> tuple[Header, Runner]:
    """A turn of Mare Nostrum in which a battle is open on the table."""
    turn = campaign_turn("tabletop")
    while not turn.runner.branches:
        turn.step()
    position = turn.runner.position
    assert isinstance(position, Position)
    return new_header("mare_nostrum", scenario="duel"), turn.runner


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("form", FORMATS)
def test_a_dossier_says_who_and_what_and_where(form: str, lang: str) -> None:
    game = in_battle()
    text = write(dossiers(game.header, game.runner, lang), form)
    (brief,) = open_briefs(game.runner)[:1]
    for side in brief.sides:
        for unit in side.units:
            assert str(unit.figures) in text
    assert "None" not in text and "{" not in text.replace("{\n", "").replace(" {", "")
    title = "Feuille de retour" if lang == "fr" else "Return sheet"
    assert title in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_return_sheet_has_a_place_for_every_part(lang: str) -> None:
    game = in_battle()
    brief = open_briefs(game.runner)[0]
    lines = list(said(dossiers(game.header, game.runner, lang)))
    fates = len([part for part in blank(brief) if part.startswith("fate.")])
    assert sum("☐" in line for line in lines) == 1 + fates  # and the result
    text = "\n".join(lines)
    losses = [part for part in blank(brief) if part.startswith(("killed.", "left."))]
    assert text.count("……") >= len(losses)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_mare_nostrum_has_stands_rights_and_a_season(lang: str) -> None:
    header, runner = at_war()
    text = "\n".join(said(dossiers(header, runner, lang)))
    wanted = {
        "fr": ("Garde sacrée", "prêtre de la guerre", "printemps", "forteresse", "ingénieur"),
        "en": ("Sacred Guard", "priest of War", "spring", "fortress", "engineer"),
    }[lang]
    for word in wanted[:4]:
        assert word.lower() in text.lower()
    assert wanted[4] not in text


def test_a_live_battle_has_a_dossier_too() -> None:
    game = in_battle("thucidide")
    assert "Thucid" in "\n".join(said(dossiers(game.header, game.runner, "fr")))


def test_lists_are_for_those_who_fight_and_the_umpire() -> None:
    game = in_battle()
    fighting = {side.seat for brief in open_briefs(game.runner) for side in brief.sides}
    for seat in game.header.seats:
        if seat in fighting:
            assert dossiers(game.header, game.runner, "fr", seat=seat).blocks
        else:
            with pytest.raises(NotAllowed, match=r"sheet\.no_battle"):
                dossiers(game.header, game.runner, "fr", seat=seat)
    with pytest.raises(NotUnderstood):
        dossiers(game.header, game.runner, "fr", seat="Z")


def test_without_an_open_battle_there_is_none() -> None:
    game = Game(new_header("atlantide"))
    with pytest.raises(NotAllowed, match=r"sheet\.no_battle"):
        dossiers(game.header, game.runner, "en")


def test_the_command_line_prints_them(tmp_path: Path) -> None:
    game = in_battle()
    file = tmp_path / "game.json"
    file.write_bytes(write_record(game.header, game.entries))
    done = polemarque(
        "sheet", file, "--battles", "--for", "umpire", "--lang", "fr", "--format", "md"
    )
    assert (done.status, done.err) == (0, "")
    assert "Feuille de retour" in done.out.replace("\xa0", " ")
    out = tmp_path / "dossier.html"
    assert polemarque("sheet", file, "--battles", "--format", "html", "--out", out).status == 0
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")
