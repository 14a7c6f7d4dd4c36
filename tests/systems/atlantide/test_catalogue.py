"""The army catalogue (AT-1.9, AT-1.13, AT-3.1)."""

import tomllib

import pytest

from polemarque.kernel.files.findings import CheckFailed
from polemarque.systems.atlantide.setup.catalogue import SHIPPED, load_catalogue
from polemarque.systems.atlantide.setup.catalogue_checks import check_catalogue, content_faults
from polemarque.systems.atlantide.setup.lists import army_faults

CATALOGUE = load_catalogue()


def test_the_shipped_catalogue_has_no_fault() -> None:
    assert check_catalogue(SHIPPED) == ()


def test_enough_peoples_and_units() -> None:
    assert len(CATALOGUE.people) >= 9  # one a seat (AT-1.1)
    for people in CATALOGUE.people:
        assert 8 <= len(people.units) <= 14
        kinds = {profile.kind for profile in people.units}
        assert {"character", "infantry", "light_infantry", "skirmishers"} <= kinds
        assert len({"cavalry", "light_cavalry", "light_chariot", "heavy_chariot"} & kinds) >= 1
        assert sum(1 for profile in people.units if profile.group == "general") >= 2
        assert len(people.sample) >= 2


def test_every_kind_is_fielded_by_somebody() -> None:
    assert {profile.kind for profile in CATALOGUE.profiles.values()} == {
        "infantry", "light_infantry", "skirmishers", "cavalry", "light_cavalry", "heavy_chariot",
        "light_chariot", "elephant", "artillery", "character",
    }  # fmt: skip


def test_every_ready_list_is_legal_and_nearly_spends_its_points() -> None:
    for people in CATALOGUE.people:
        for sample in people.sample:
            assert army_faults(people, sample.units, 1500) == ()
            assert 1480 <= CATALOGUE.points(sample.units) <= 1500


# The book's own figures ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "figures", "points", "stats"),
    [
        ("atlantean_allied_general", 1, 60, (4, 4, 4, 4, 4, 2, 5, 2, 8)),
        ("atlantean_spearmen", 16, 111, (4, 3, 3, 3, 3, 1, 3, 1, 6)),
        ("atlantean_archers", 12, 53, (5, 2, 3, 3, 3, 1, 3, 1, 5)),
        ("atlantean_slaves", 10, 50, (5, 2, 3, 3, 3, 1, 3, 1, 5)),
        ("mountain_chieftain", 1, 74, (4, 5, 5, 4, 4, 2, 5, 3, 6)),
        ("mountain_warriors", 25, 140, (5, 3, 3, 3, 3, 1, 3, 1, 5)),
        ("mountain_slingers", 12, 60, (5, 2, 3, 3, 3, 1, 3, 1, 6)),
        ("runaway_slaves", 16, 80, (5, 2, 3, 3, 3, 1, 3, 1, 5)),
    ],
)
def test_the_book_s_profiles(key, figures, points, stats) -> None:
    profile = CATALOGUE.profiles[key]
    assert profile.source == "book"
    assert profile.cost(figures) == points
    assert profile.stats == stats


def test_what_the_book_says_of_their_kind() -> None:
    kinds = {key: CATALOGUE.profiles[key] for key in CATALOGUE.profiles}
    assert kinds["atlantean_archers"].kind == "light_infantry"
    assert kinds["atlantean_slaves"].kind == kinds["mountain_slingers"].kind == "skirmishers"
    assert kinds["mountain_warriors"].warband == kinds["mountain_slingers"].warband == "yes"
    assert kinds["runaway_slaves"].kind == "skirmishers"
    assert kinds["runaway_slaves"].traits == ("hatred",)


@pytest.mark.parametrize(
    ("force", "leader", "points"),
    [
        ("atlantean_mercenaries", True, 274),
        ("atlantean_mercenaries", False, 214),
        ("mountain_savages", True, 274),
        ("mountain_savages", False, 200),
    ],
)
def test_at_1_13_mercenaries(force, leader, points) -> None:
    assert CATALOGUE.points(CATALOGUE.mercenary_list(force, leader=leader)) == points


def test_a_unit_carries_what_the_campaign_reads() -> None:
    unit = CATALOGUE.profiles["atlantean_spearmen"].unit(4, 16)
    assert (unit.id, unit.ws, unit.toughness, unit.ld) == (4, 3, 3, 6)
    assert (unit.points, unit.full, unit.figures, unit.die) == (111, 16, 16, 0)
    wanax = CATALOGUE.profiles["mycenaean_wanax"].character(1)
    assert (wanax.general, wanax.ld, wanax.mount) == (True, 9, "chariot")
    assert not CATALOGUE.profiles["mycenaean_hero"].character(2).general


# Planted faults -----------------------------------------------------------------------------------

SOUND = """\
units = [
  { key = "levy", fr = "Levée", en = "Levy", kind = "infantry", group = "core", \
stats = [4, 2, 3, 3, 3, 1, 3, 1, 5], points = 4, size = [20, 40] },
]

[[people]]
key = "colchians"
fr = "Colques"
en = "Colchians"
core = 30
most = { elite = 40 }
shared = ["levy"]
units = [
  { key = "king", fr = "Roi", en = "King", kind = "character", group = "general", \
stats = [4, 5, 4, 4, 4, 3, 5, 3, 9], points = 150 },
  { key = "guard", fr = "Garde", en = "Guard", kind = "infantry", group = "elite", \
stats = [4, 4, 3, 3, 3, 1, 4, 1, 8], points = 12, size = [16, 30] },
]

[[people.sample]]
fr = "Tous"
en = "All"
units = [
  ["king", 1],
  ["guard", 20],
  ["levy", 40], ["levy", 40], ["levy", 40],
]

[[mercenaries]]
key = "guests"
fr = "Invités"
en = "Guests"
leader = "king"
units = [["levy", 20]]
"""


def planted(tmp_path, old: str, new: str, text: str = SOUND):
    """Findings of the sound file with one passage changed, as (line, code)."""
    assert old in text
    file = tmp_path / "mine.toml"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    found = check_catalogue(file)
    assert all(finding.file == str(file) for finding in found)
    return [(finding.line, finding.code) for finding in found]


def test_the_small_catalogue_is_sound(tmp_path) -> None:
    assert planted(tmp_path, "Tous", "Toutes") == []
    assert load_catalogue(tmp_path / "mine.toml").peoples["colchians"].core == 30


@pytest.mark.parametrize(
    ("old", "new", "line", "code"),
    [
        ('key = "king", fr', 'key = "king" fr', 13, "toml.syntax"),
        ("points = 150", "pionts = 150", 13, "catalogue.unknown_field"),
        ("points = 12,", "", 14, "catalogue.missing_field"),
        ("points = 12", 'points = "12"', 14, "catalogue.type"),
        ("[4, 4, 3, 3, 3, 1, 4, 1, 8]", "[4, 4, 3]", 14, "catalogue.type"),
        ("core = 30", "core = true", 9, "catalogue.type"),
        ('["guard", 20]', '["guard"]', None, None),
        ('kind = "infantry", group = "elite"', 'kind = "infantri", group = "elite"', 14,
         "catalogue.word"),
        ('group = "elite"', 'group = "best"', 14, "catalogue.word"),
        ('key = "guard"', 'key = "levy"', 14, "catalogue.twice"),
        ('fr = "Garde"', 'fr = ""', 14, "catalogue.name"),
        ("3, 1, 4, 1, 8]", "3, 1, 4, 1, 11]", 14, "catalogue.stat"),
        ("points = 12", "points = 12, save = 1", 14, "catalogue.stat"),
        ("points = 12", "points = 0", 14, "catalogue.points"),
        ("points = 12", "points = 12, command = -5", 14, "catalogue.points"),
        ("size = [16, 30]", "size = [30, 16]", 14, "catalogue.size"),
        ("size = [20, 40]", "size = [0, 40]", 2, "catalogue.size"),
        ("points = 150", "points = 150, size = [1, 2]", 13, "catalogue.character"),
        ('group = "elite"', 'group = "hero"', 14, "catalogue.character"),
        ("core = 30", "core = 130", 9, "catalogue.share"),
        ("elite = 40", "general = 40", 10, "catalogue.share"),
        ('group = "core"', 'group = "special"', 5, "catalogue.no_core"),
        ('shared = ["levy"]', 'shared = ["levi"]', 11, "catalogue.unknown_unit"),
        ('["guard", 20]', '["gard", 20]', 22, "catalogue.unknown_unit"),
        ('["guard", 20]', '["guard", 15]', 22, "catalogue.sample"),
        ('["king", 1],', "", 20, "catalogue.sample"),
        ('["guard", 20]', '["guard", 30], ["guard", 30]', 20, "catalogue.sample"),
        ("points = 150", "points = 1100", 5, "catalogue.no_list"),
        ('leader = "king"', 'leader = "kink"', 30, "catalogue.unknown_unit"),
        ('leader = "king"', 'leader = "levy"', 30, "catalogue.leader"),
        ('[["levy", 20]]', '[["levies", 20]]', 31, "catalogue.unknown_unit"),
        ("[[mercenaries]]", "[[mercenary]]", 26, "catalogue.unknown_field"),
        ("[[mercenaries]]", "[mercenaries]", 26, "catalogue.type"),
    ],
)  # fmt: skip
def test_a_planted_fault_is_found_on_its_line(tmp_path, old, new, line, code) -> None:
    found = planted(tmp_path, old, new)
    if code is None:
        # An entry may leave its figures out: one; too few of them for this unit.
        assert found == [(22, "catalogue.sample")]
    else:
        assert (line, code) in found


def test_a_people_without_general_or_lists(tmp_path) -> None:
    text = SOUND.replace('group = "general"', 'group = "hero"')
    assert (5, "catalogue.no_general") in planted(tmp_path, "Tous", "Toutes", text)
    start, end = text.index("[[people.sample]]"), text.index("[[mercenaries]]")
    bare = SOUND[:start] + SOUND[end:]
    assert planted(tmp_path, "Colques", "Colches", bare) == [(5, "catalogue.no_sample")]


def test_all_faults_of_a_file_are_told_at_once(tmp_path) -> None:
    text = SOUND.replace("points = 12", "points = 0").replace("size = [20, 40]", "size = [0, 40]")
    found = planted(tmp_path, "core = 30", "core = 130", text)
    assert [code for _, code in found[:3]] == [
        "catalogue.size", "catalogue.share", "catalogue.points",
    ]  # fmt: skip


def test_a_missing_file(tmp_path) -> None:
    (finding,) = check_catalogue(tmp_path / "none.toml")
    assert finding.code == "file.missing"
    with pytest.raises(CheckFailed):
        load_catalogue(tmp_path / "none.toml")


def test_a_faulty_file_is_refused_whole_and_read_again_once_mended(tmp_path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(SOUND.replace("core = 30", "core = 130"), encoding="utf-8")
    with pytest.raises(CheckFailed, match=r"catalogue\.share"):
        load_catalogue(file)
    file.write_text(SOUND.replace("core = 30", "core = 31 "), encoding="utf-8")
    assert load_catalogue(file).peoples["colchians"].core == 31
    assert load_catalogue(file) is load_catalogue(str(file))


def test_a_catalogue_given_as_plain_data_is_checked_alike() -> None:
    assert content_faults(tomllib.loads(SOUND)) == ()
    assert content_faults({}) == ()
    faulty = content_faults(tomllib.loads(SOUND.replace("points = 12", "points = 0")))
    assert [(finding.line, finding.code) for finding in faulty] == [(0, "catalogue.points")]
    for strange in ({"people": 3}, {"people": [3]}, {"units": {}}, {"people": [{"units": [4]}]}):
        assert content_faults(strange)
