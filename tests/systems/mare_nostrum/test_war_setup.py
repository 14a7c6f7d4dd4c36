"""Set-ups, good and bad, and what an umpire may adjust (MN-2.1, MN-F1)."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from polemarque.kernel.errors import Refusal
from polemarque.kernel.files.findings import CheckFailed
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.position import encode, plain
from polemarque.kernel.records.record import Header, read_record, write_record
from polemarque.report.house_rules import set_up
from polemarque.systems.mare_nostrum import SYSTEM, check, faults
from polemarque.systems.mare_nostrum.adjust import ADJUSTABLE, adjust
from polemarque.systems.mare_nostrum.pieces import LOST, Siege
from polemarque.systems.mare_nostrum.setup.army_lists import ARMY_LISTS, load_lists
from tests.systems.mare_nostrum.realms import fleet, realm, specialist, treaty

TEXT = (Path(__file__).parent / "maps" / "tiny.toml").read_text(encoding="utf-8")
TINY = tomllib.loads(TEXT)


def began(seats=2, **setup):
    return Game(new_header("mare_nostrum", seats=seats, seed=1, setup=setup)).state


def test_everybody_begins_with_a_home_an_army_a_god_and_a_priest():
    campaign = began(8, phase="military")
    for code, seat in campaign.seats.items():
        (army,) = campaign.armies_of(code)
        assert seat.treasury == 50 and campaign.owner(seat.home) == code
        assert army.place == seat.home and army.list == campaign.atlas.by_id[seat.home].army_list
        (priest,) = [one for one in campaign.specialists.values() if one.owner == code]
        assert (priest.kind, priest.god, priest.place) == ("priest", seat.god, seat.home)
        assert seat.guard == army.id and seat.year.treasury == 50
    assert not faults(campaign)


def test_a_club_brings_its_own_map():
    campaign = began(4, map=TINY)
    assert [seat.home for seat in campaign.seats.values()] == TINY["map"]["homes"]
    assert campaign.own_atlas is not None and not faults(campaign)


CLUB = (Path(__file__).parent / "maps" / "club.toml").read_text(encoding="utf-8")
"""A club's own lists: one army of camels, one kind of mercenaries."""


CAMELS = """[[list]]
key = "camels"
name = { fr = "Gens des chameaux", en = "Camel people" }
stands = { cavalry = 12 }
guard = "cavalry"

"""
WIDER = ARMY_LISTS.read_text(encoding="utf-8").replace("\n[[list]]", "\n" + CAMELS + "[[list]]", 1)
"""Our lists with one army more."""

DRAWN = re.sub(r'army_list = ".*"', 'army_list = "camels"', TEXT)
DRAWN = re.sub(r'mercenaries = ".*"', 'mercenaries = "guides"', DRAWN)
DRAWN = DRAWN.replace("[map]", '[map]\narmy_lists = "l.toml"', 1)
"""The tiny map as a file, drawn for the club's lists."""


def club_map(**head):
    """The tiny map with the club's army and mercenaries in every province."""
    rows = [{**row, "army_list": "camels"} for row in TINY["province"]]
    rows = [{**row, "mercenaries": "guides"} if row.get("mercenaries") else row for row in rows]
    return {**TINY, "map": {**TINY["map"], **head}, "province": rows}


def test_a_club_brings_its_own_map_and_its_own_lists():
    campaign = began(2, map=club_map(), lists=tomllib.loads(CLUB))
    assert campaign.armies["A1"].list == "camels"
    assert campaign.lists.mercenary["guides"].element == "camelry"
    with pytest.raises(Refusal) as refusal:
        began(2, map=club_map())
    assert refusal.value.code == "setup.map"


@pytest.mark.parametrize(
    "setup",
    [
        {"map": TINY},
        {"lists": tomllib.loads(WIDER)},
        {"map": club_map(), "lists": tomllib.loads(CLUB)},
    ],
    ids=["map", "lists", "both"],
)
def test_a_record_with_what_a_club_brought_is_read_back(setup):
    header = new_header("mare_nostrum", seats=2, seed=1, setup=setup)
    game = Game(header)
    read = read_record(write_record(header, ())).header
    kept = msgspec.convert(plain(msgspec.json.decode(encode(header))), Header)  # as a club does
    assert Game(read).state == Game(kept).state == game.state


def house(folder, text, **files):
    """A house-rule file of Mare Nostrum, with these files beside it."""
    for name, content in files.items():
        (folder / f"{name}.toml").write_text(content, encoding="utf-8")
    path = folder / "house.toml"
    path.write_text(f'system = "mare_nostrum"\n{text}\n', encoding="utf-8")
    return path


def test_house_rules_bring_the_lists_that_they_name(tmp_path):
    setup, _ = set_up(house(tmp_path, 'lists = "l.toml"', l=WIDER), "mare_nostrum")
    assert "camels" in began(2, **setup).lists.list


def test_house_rules_bring_the_lists_that_their_map_names(tmp_path):
    path = house(tmp_path, 'map = "m.toml"', m=DRAWN, l=CLUB)
    setup, _ = set_up(path, "mare_nostrum")
    assert set(setup) == {"map", "lists"}
    assert began(2, **setup).armies["A1"].list == "camels"


def test_a_file_that_house_rules_name_is_refused_with_its_line(tmp_path, monkeypatch):
    bad = TEXT.replace("demographic = ", "demographic = 9", 1)  # 9 and what stood there
    monkeypatch.chdir(tmp_path)
    house(tmp_path, 'map = "m.toml"', m=bad)
    with pytest.raises(CheckFailed) as refused:
        set_up(Path("house.toml"), "mare_nostrum")
    line = bad[: bad.index("demographic = 9")].count("\n") + 1
    assert str(refused.value).startswith(f"m.toml:{line}: province alba: map.factor")


def test_a_map_is_checked_with_the_lists_that_it_names(tmp_path):
    own = tmp_path / "map.toml"
    text = (Path(__file__).parent / "maps" / "tiny.toml").read_text(encoding="utf-8")
    text = re.sub('army_list = ".*"', 'army_list = "camels"', text)
    text = re.sub('mercenaries = ".*"', 'mercenaries = "guides"', text)
    own.write_text(text, encoding="utf-8")
    assert {finding.code for finding in check(own)} == {"map.word"}
    own.write_text(text.replace("[map]", '[map]\narmy_lists = "club.toml"'), encoding="utf-8")
    assert [finding.file for finding in check(own)] == [str(tmp_path / "club.toml")]
    (tmp_path / "club.toml").write_text(CLUB, encoding="utf-8")
    load_lists.cache_clear()
    assert check(own) == ()


@pytest.mark.parametrize("path", ["/etc/passwd", "../club.toml", "there/club.toml", "/dev/zero"])
def test_a_map_names_a_file_beside_it_and_no_path(tmp_path, path):
    (tmp_path / "there").mkdir()
    for folder in (tmp_path, tmp_path / "there", tmp_path.parent):
        (folder / "club.toml").write_text(CLUB, encoding="utf-8")
    own = tmp_path / "map.toml"
    own.write_text(TEXT.replace("[map]", f'[map]\narmy_lists = "{path}"', 1), encoding="utf-8")
    (found,) = check(own)
    assert (found.code, found.place, found.data) == ("map.beside", "map", {"path": path})


def test_a_campaign_is_taken_over_in_the_middle():
    campaign = began(
        turn=7, phase="military", lands={"etruria": {"owner": "A"}},
        armies={"A4": {"place": "AF2", "exhausted": 1, "mercenaries": ["celts"]}},
        fleets={"AF2": {"place": "tyrrhenum"}},
        specialists={"AS9": {"kind": "engineer", "joins": "A4"}},
    )  # fmt: skip
    assert (campaign.turn, campaign.year, campaign.owner("etruria")) == (7, 2, "A")
    army = campaign.armies["A4"]
    assert campaign.cargo("AF2") == army and army.stands[-1] == "celts"
    assert campaign.seats["A"].next_id == 10
    assert not faults(campaign)


@pytest.mark.parametrize(
    ("setup", "code"),
    [
        ({"players": {"A": {"home": "atlantis"}}}, "setup.home"),
        ({"players": {"A": {"home": "latium"}, "B": {"home": "latium"}}}, "setup.home_twice"),
        ({"players": {"C": {}}}, "seat.unknown"),
        ({"players": {"A": {"treasury": -1}}}, "setup.number"),
        ({"players": {"A": {"treasury": 10_001}}}, "setup.number"),
        ({"lands": {"atlantis": {}}}, "setup.province"),
        ({"armies": {"A1": {"place": "atlantis"}}}, "setup.province"),
        ({"armies": {"A1": {"place": "latium", "list": "orcs"}}}, "setup.list"),
        ({"armies": {"A1": {"place": "latium", "mercenaries": ["orcs"]}}}, "setup.mercenaries"),
        ({"armies": {"X1": {"place": "latium"}}}, "seat.unknown"),
        ({"armies": {"A": {"place": "latium"}}}, "setup.id"),
        ({"fleets": {"AFx": {"place": "tyrrhenum"}}}, "setup.id"),
        ({"bands": {"x": {"id": "x", "kind": "pirates", "place": "tyrrhenum"}}}, "setup.id"),
        ({"fleets": {"AF1": {"place": "tyrrhenum", "base": "latium"}}}, "setup.zone"),
        ({"specialists": {"AS1": {"kind": "priest", "joins": "B1"}}}, "setup.piece"),
        ({"wars": [["A", "A"]]}, "seat.unknown"),
        ({"treaties": [{"kind": "alliance", "one": "A", "other": "A"}]}, "setup.party"),
        (
            {"lands": {"campania": {"owner": "B", "siege": {"by": "A", "begun": 1}}}},
            "setup.unsound",
        ),
        ({"lands": {"campania": {"owner": "B", "siege": {"by": "A", "begun": 2}}}}, "setup.number"),
        (
            {"routes": {"AR1": {"resource": "wine", "origin": "latium", "destination": ""}}},
            "setup.province",
        ),
        ({"fleets": {"AF1": {"place": "latium"}}}, "setup.zone"),
        ({"specialists": {"AS1": {"kind": "poet"}}}, "setup.specialist"),
        ({"specialists": {"AS1": {"kind": "priest", "joins": "A7"}}}, "setup.piece"),
        ({"phase": "lunch"}, "setup.phase"),
        ({"map": {"map": {"id": "x"}}}, "setup.map"),
        ({"lists": {"list": []}}, "setup.lists"),
    ],
)
def test_a_bad_set_up_is_refused(setup, code):
    with pytest.raises(Refusal) as refusal:
        began(**setup)
    assert refusal.value.code == code
    assert refusal.value.legal or refusal.value.part


def test_a_home_given_twice_is_refused_with_those_still_free():
    with pytest.raises(Refusal) as refusal:
        began(players={"A": {"home": "latium"}, "B": {"home": "latium"}})
    assert "latium" not in refusal.value.legal and "africa" in refusal.value.legal


def test_a_map_with_an_unknown_resource_is_refused():
    wrong = {**TINY, "province": [{**row, "resources": ["mithril"]} for row in TINY["province"]]}
    wrong["map"] = {**TINY["map"], "resources": ["mithril"]}
    with pytest.raises(Refusal) as refusal:
        began(map=wrong)
    assert refusal.value.code in {"setup.map", "setup.resource"}


def test_too_many_players_for_a_map():
    with pytest.raises(Refusal) as refusal:
        began(5, map=TINY)
    assert refusal.value.code == "setup.homes"


# Adjusting ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("treasury.A", 70), ("owner.dax", "B"), ("owner.alba", None), ("place.A1", "dax"),
        ("place.AF7", "mid"), ("exhausted.A1", 2), ("stands.A1", 9), ("built.dax", ["temple:war"]),
        ("siege.dax", "nobody"), ("absent.B", True), ("option.recovery", "all"), ("end", ["A"]),
    ],
)  # fmt: skip
def test_what_an_umpire_may_adjust(name, value):
    campaign = fleet(realm(), "A", "west")
    assert adjust(campaign, name, value) != campaign or name == "siege.dax"
    assert name.partition(".")[0] in ADJUSTABLE


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("luck.A", 3), ("treasury.A", -1), ("treasury.Z", 3), ("owner.atlantis", "A"),
        ("owner.dax", "Z"), ("place.A1", "atlantis"), ("place.A9", "dax"), ("place.AF7", "dax"),
        ("exhausted.A1", 3), ("stands.A1", 0), ("built.dax", "temple"), ("built.dax", ["tower"]),
        ("absent.A", "yes"), ("option.recovery", "none"), ("option.luck", 1), ("end", "A"),
    ],
)  # fmt: skip
def test_what_he_may_not(name, value):
    with pytest.raises(Refusal):
        adjust(fleet(realm(), "A", "west"), name, value)


def test_MN_F6_what_the_umpire_gives_away_is_free_no_more_nor_bound_by_its_treaties():
    campaign = treaty(treaty(realm(), "commercial", "dax", "B"), "passage", "B", "A")
    given = adjust(campaign, "owner.dax", "A")
    assert [one.kind for one in given.treaties] == ["passage"]
    assert given.seats["A"].year.provinces == 0  # no conquest of his
    assert adjust(campaign, "owner.dax", "nobody") == campaign


def test_what_must_always_hold():
    campaign = fleet(realm(), "A", "west")
    for broken, rule in (
        (campaign.changed("A", treasury=-1), "MN-2.8"),
        (campaign.changed("A", home="atlantis"), "MN-6.13"),
        (campaign.changed("A", eliminated=1), "MN-6.12"),
        (campaign.land_changed("dax", owner="Z"), "MN-6.12"),
        (campaign.land_changed("dax", owner="B", siege=Siege("A", 1)), "MN-6.3"),
        (campaign.army_changed("A1", place="west"), "MN-4.1"),
        (campaign.army_changed("A1", stands=()), "MN-2.2"),
        (campaign.army_changed("A1", stands=(LOST,) * 12), "MN-B.4"),
        (campaign.fleet_changed("AF7", place="dax"), "MN-4.1"),
        (specialist(campaign, "A", "priest", joins="A8"), "MN-2.9"),
    ):
        assert any(fault.startswith(rule) for fault in faults(broken)), rule
    both = campaign.army_changed("A1", place="AF7").army_changed("B1", place="AF7")
    assert any(fault.startswith("MN-4.2") for fault in faults(both))


def test_an_option_changes_from_the_next_turn_on():
    campaign = adjust(realm(), "option.recovery", "all")
    assert campaign.options.recovery == "level" and campaign.ordered == {"recovery": "all"}
    assert SYSTEM.adjust is adjust
