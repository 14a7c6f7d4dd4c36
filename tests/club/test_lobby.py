"""Making a campaign, letting people in, beginning it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from polemarque.club.campaigns.house_files import read_house_file, read_setup
from polemarque.club.campaigns.lobby import (
    UMPIRE_ROLE,
    CampaignPlan,
    accept,
    begin,
    clear_seat,
    close_door,
    empty_seats,
    give_word,
    hindrances,
    invitation_of,
    invite,
    make,
    open_door,
    open_doors,
    put_program,
    sit_down,
    take_seat,
    token_of,
)
from polemarque.club.campaigns.session import read_lock
from polemarque.club.models import (
    MEMBER,
    MUSTER,
    RUNNING,
    Campaign,
    Entry,
    Invitation,
    Person,
    Seeds,
)
from polemarque.club.people.roles import called, visit_of
from polemarque.kernel.errors import NotAllowed, NotUnderstood, OutOfDate, Refusal
from polemarque.kernel.files.findings import LARGEST, MOST_FINDINGS, CheckFailed
from polemarque.kernel.records.record import TYPED, Word
from polemarque.maps.table_schema import Forms

pytestmark = pytest.mark.django_db


def person(name: str) -> Person:
    return Person.objects.create_user(name, password="x", called=name.title())


@pytest.fixture
def zoe() -> Person:
    return person("zoe")


@pytest.fixture
def campaign(zoe: Person) -> Campaign:
    return make("Au gué", CampaignPlan("batailles", "ford"), zoe)


def refused(refusal: type[Refusal], code: str, do: Any, *given: Any) -> Refusal:
    with pytest.raises(refusal) as caught:
        do(*given)
    assert caught.value.code == code
    return caught.value


# Making ------------------------------------------------------------------------------------------


def test_a_campaign_has_the_seats_of_its_scenario(campaign: Campaign, zoe: Person) -> None:
    assert list(campaign.seats.values_list("code", flat=True)) == ["A", "B"]
    assert campaign.stage == MUSTER
    visit = visit_of(campaign, zoe)
    assert visit.umpire and visit.neutral and not visit.plays


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        (CampaignPlan("atlantide", seats=12), "seats.count"),
        (CampaignPlan("atlantide", "nowhere"), "scenario.unknown"),
        (CampaignPlan("atlantide", options={"terrain": "moon"}), "option.value"),
        (CampaignPlan("atlantide", setup={"moon": {}}), "setup.field"),
        (CampaignPlan("atlantide", setup={"seats": "A"}), "seats.count"),
        (CampaignPlan("atlantide", setup={"seats": [2]}), "seats.count"),
    ],
)
def test_a_plan_that_cannot_be_played_makes_nothing(
    zoe: Person, plan: CampaignPlan, code: str
) -> None:
    refused(Refusal, code, make, "Rien", plan, zoe)
    assert not Campaign.objects.exists()


def test_programs_and_the_umpire_are_put_in_when_it_is_made(zoe: Person) -> None:
    made = make("Duel", CampaignPlan("batailles"), zoe, bots={"A": "random"}, own=["B"])
    assert made.seats.get(code="A").bot == "random"
    assert visit_of(made, zoe).plays == "B"
    assert not empty_seats(made)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"bots": {"A": "nobody"}}, "bot.unknown"),
        ({"bots": {"Q": "steady"}}, "seat.unknown"),
        ({"own": ["Q"]}, "seat.unknown"),
    ],
)
def test_no_seat_and_no_program_that_is_not_there(
    zoe: Person, given: dict[str, Any], code: str
) -> None:
    with pytest.raises(NotUnderstood) as caught:
        make("Duel", CampaignPlan("batailles"), zoe, **given)
    assert caught.value.code == code
    assert not Campaign.objects.exists()


def test_typed_dice_want_an_umpire_who_does_not_play(zoe: Person) -> None:
    plan = CampaignPlan("batailles", dice=TYPED)
    with pytest.raises(NotAllowed) as caught:
        make("Duel", plan, zoe, own=["A"])
    assert caught.value.code == "muster.typed"
    assert not Campaign.objects.exists()
    made = make("Duel", plan, zoe, bots={"A": "steady", "B": "steady"})
    clear_seat(made, "A")
    take_seat(made, "A", zoe)
    refused(NotAllowed, "muster.typed", begin, made)
    assert [each.code for each in hindrances(made)] == ["muster.typed"]
    nobody = make("Duel", plan, None, bots={"A": "steady", "B": "steady"})
    refused(NotAllowed, "muster.nobody", begin, nobody)


# Invitations -------------------------------------------------------------------------------------


def test_a_link_lets_one_person_into_its_seat_once(campaign: Campaign, zoe: Person) -> None:
    token = invite(campaign, zoe, seat="A")
    accept(token, person("ana"), word="σῦκα")
    seat = campaign.seats.get(code="A")
    assert [str(held.person) for held in seat.holders.all()] == ["Ana"]
    assert seat.word == "σῦκα"
    refused(OutOfDate, "invitation.used", accept, token, person("ben"))
    assert Invitation.objects.get().by == zoe
    assert seat.holders.count() == 1


@pytest.mark.parametrize("forged", ["", "1", "1:x", "x" * 400, "1:" + "A" * 43])
def test_a_forged_link_opens_nothing(campaign: Campaign, zoe: Person, forged: str) -> None:
    invite(campaign, zoe, seat="A")
    refused(NotAllowed, "invitation.none", accept, forged, person("ana"))


def test_a_link_of_another_club_opens_nothing(
    campaign: Campaign, zoe: Person, settings: Any
) -> None:
    token = invite(campaign, zoe, seat="A")
    settings.SECRET_KEY = "another club"
    refused(NotAllowed, "invitation.none", invitation_of, token)


def test_a_withdrawn_link_opens_nothing(campaign: Campaign, zoe: Person) -> None:
    door = open_door(campaign, zoe, seat="A")
    close_door(campaign, door.pk)
    close_door(campaign, door.pk)
    refused(NotAllowed, "invitation.none", accept, token_of(door), person("ana"))
    assert not open_doors(campaign)


def test_a_link_of_another_campaign_cannot_be_withdrawn(campaign: Campaign, zoe: Person) -> None:
    door = open_door(campaign, zoe, seat="A")
    close_door(make("Autre", CampaignPlan("batailles"), zoe), door.pk)
    assert open_doors(campaign) == (door,)


def test_there_is_one_link_at_a_time_for_each_place(campaign: Campaign, zoe: Person) -> None:
    other = person("other")
    kinds = [("A", ""), ("B", ""), ("A", MEMBER), ("", UMPIRE_ROLE), ("", "")]
    doors = [open_door(campaign, zoe, seat=seat, role=role) for seat, role in kinds]
    assert [open_door(campaign, other, seat=seat, role=role) for seat, role in kinds] == doors
    assert len({door.pk for door in doors}) == len(kinds)
    accept(token_of(doors[-1]), other)
    assert open_door(campaign, zoe).pk != doors[-1].pk


@pytest.mark.parametrize(("seat", "role"), [("A", "umpire"), ("", "member"), ("", "x"), ("A", "x")])
def test_nobody_is_invited_to_what_there_is_not(
    campaign: Campaign, zoe: Person, seat: str, role: str
) -> None:
    refused(NotUnderstood, "invitation.kind", open_door, campaign, zoe, seat, role)
    refused(NotUnderstood, "seat.unknown", open_door, campaign, zoe, "Q")


def test_a_full_seat_takes_nobody_else(campaign: Campaign, zoe: Person) -> None:
    token = invite(campaign, zoe, seat="A")
    sit_down(campaign, "A", person("ana"))
    refused(NotAllowed, "seat.taken", accept, token, person("ben"))
    refused(NotAllowed, "seat.taken", take_seat, campaign, "A", zoe)
    refused(NotAllowed, "seat.taken", put_program, campaign, "A", "steady")
    refused(NotAllowed, "seat.taken", open_door, campaign, zoe, "A")
    assert invitation_of(token).used is None, "refused, it is not used up"


def test_a_person_takes_the_place_of_a_program(campaign: Campaign, zoe: Person) -> None:
    put_program(campaign, "A", "steady")
    assert empty_seats(campaign) == ("B",)
    accept(invite(campaign, zoe, seat="A"), person("ana"))
    assert campaign.seats.get(code="A").bot == ""
    assert empty_seats(campaign) == ("B",)


def test_who_commands_a_seat_does_not_lose_it_by_a_link(campaign: Campaign, zoe: Person) -> None:
    ana = person("ana")
    sit_down(campaign, "A", ana)
    token = invite(campaign, zoe, seat="A", role=MEMBER)
    refused(NotAllowed, "seat.yours", accept, token, ana)
    assert visit_of(campaign, ana).commands("A")


def test_a_link_is_not_wasted_on_who_is_in_already(campaign: Campaign, zoe: Person) -> None:
    umpire, watch = invite(campaign, zoe, role=UMPIRE_ROLE), invite(campaign, zoe)
    refused(NotAllowed, "invitation.needless", accept, umpire, zoe)
    ana = person("ana")
    accept(watch, ana)
    refused(NotAllowed, "invitation.needless", accept, invite(campaign, zoe), ana)
    accept(umpire, ana)
    assert visit_of(campaign, ana).umpire


def test_a_cleared_seat_is_empty_and_its_word_forgotten(campaign: Campaign) -> None:
    sit_down(campaign, "A", person("ana"))
    sit_down(campaign, "A", person("ben"), MEMBER)
    give_word(campaign, "A", "  figues ")
    assert campaign.seats.get(code="A").word == "figues"
    clear_seat(campaign, "A")
    assert empty_seats(campaign) == ("A", "B")
    assert campaign.seats.get(code="A").word == ""


def test_a_word_is_of_bounded_length(campaign: Campaign) -> None:
    refused(NotAllowed, "answer.text_long", give_word, campaign, "A", "x" * 101)
    assert campaign.seats.get(code="A").word == ""


# Beginning ---------------------------------------------------------------------------------------


@pytest.fixture
def full(campaign: Campaign) -> Campaign:
    sit_down(campaign, "A", person("ana"))
    put_program(campaign, "B", "steady")
    return campaign


def test_an_empty_seat_keeps_it_from_beginning(campaign: Campaign) -> None:
    put_program(campaign, "A", "steady")
    refusal = refused(NotAllowed, "muster.empty", begin, campaign)
    assert refusal.legal == ("B",)
    campaign.refresh_from_db()
    assert campaign.stage == MUSTER and not Seeds.objects.exists()


def test_it_begins_once_with_every_word(full: Campaign) -> None:
    give_word(full, "A", "figues")
    begin(full)
    assert full.stage == RUNNING
    with read_lock(full) as table:
        words = {e.seat: e.word for e in table.game.entries if isinstance(e, Word)}
        assert words["A"] == "figues" and len(words["B"]) == 16
        assert table.game.requests("A")
        assert table.game.header.campaign == full.code
    entries = Entry.objects.count()
    refused(NotAllowed, "muster.begun", begin, full)
    assert Entry.objects.count() == entries and Seeds.objects.count() == 1


def test_the_record_says_which_seat_an_umpire_plays(zoe: Person) -> None:
    made = make("Duel", CampaignPlan("batailles"), zoe, bots={"A": "steady"}, own=["B"])
    begin(made)
    with read_lock(made) as table:
        assert table.game.header.umpire == "B"
        first = next(e for e in table.game.entries if isinstance(e, Word))
        assert first.seat == "B", "he gives his word before the others"


def test_once_begun_seats_are_changed_no_more(full: Campaign, zoe: Person) -> None:
    program = invite(full, zoe, seat="B")
    begin(full)
    ben = person("ben")
    refused(NotAllowed, "invitation.none", accept, program, ben)
    for do, *given in (
        (put_program, "B", "random"), (clear_seat, "A"), (take_seat, "B", zoe),
        (give_word, "A", "late"), (open_door, zoe, "B"),
    ):  # fmt: skip
        refused(NotAllowed, "muster.begun", do, full, *given)
    assert visit_of(full, zoe).neutral


def test_once_begun_nobody_changes_sides(full: Campaign, zoe: Person) -> None:
    begin(full)
    ana, ben = Person.objects.get(username="ana"), person("ben")
    member = token_of(open_door(full, zoe, "A", MEMBER))
    refused(NotAllowed, "invitation.adviser", accept, member, zoe)
    umpire = token_of(open_door(full, zoe, role=UMPIRE_ROLE))
    refused(NotAllowed, "invitation.party", accept, umpire, ana)
    accept(member, ben)
    refused(NotAllowed, "invitation.adviser", accept, umpire, ben)
    other = token_of(open_door(full, zoe, "B", MEMBER))
    refused(NotAllowed, "invitation.party", accept, other, ben)
    assert visit_of(full, ben).seats == {"A": MEMBER}


# A club's own files ------------------------------------------------------------------------------


def test_house_rules_give_options_and_a_set_up_its_text() -> None:
    house = read_house_file(b'system = "atlantide"\n[options]\nterrain = "map"\n', "atlantide")
    assert house == ("", {"terrain": "map"})
    text = '[terrain]\nhalia = "forest"\n'
    assert read_house_file(text.encode(), "atlantide") == (text, {})
    assert read_setup(text, "atlantide") == {"terrain": {"halia": "forest"}}
    assert read_setup("", "atlantide") == {}


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b'system = "promiterra"', "house.other_system"),
        (b'system = "atlantide"\nmap = "/etc/passwd"', "setup.files"),
        (b'system = "atlantide"\ncatalogue = "../x"', "setup.files"),
        (b"#" * (LARGEST + 1), "setup.large"),
    ],
)
def test_files_that_are_not_for_this_are_refused(raw: bytes, code: str) -> None:
    refused(Refusal, code, read_house_file, raw, "atlantide")


@pytest.mark.parametrize("named", ["/etc/passwd", "../secret.key", "setup.toml", "/dev/zero"])
def test_no_file_of_the_server_is_opened_because_a_text_names_it(named: str) -> None:
    """A bare map may name its army lists: what cannot be read in that file was told to anybody."""
    text = f'[map]\nid = "club"\narmy_lists = "{named}"\n[[zone]]\n[[province]]\n'
    refused(NotAllowed, "setup.files", read_house_file, text.encode(), "mare_nostrum")
    refused(NotAllowed, "setup.files", read_setup, text, "mare_nostrum")


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"a = [", "toml.syntax"),
        (b"a = " + b"[" * 4000, "toml.syntax"),
        (b"\xff", "file.encoding"),
        (b'system = "atlantide"\n[options]\nmoon = 1', "house.option"),
        (b'system = "atlantide"\n[options]\nterrain = "moon"', "house.value"),
    ],
)
def test_what_is_wrong_with_a_file_is_named_without_its_place_here(raw: bytes, code: str) -> None:
    with pytest.raises(CheckFailed) as caught:
        read_house_file(raw, "atlantide")
    assert caught.value.findings[0].code == code
    assert not any(Path(each.file).is_absolute() for each in caught.value.findings)


@pytest.mark.parametrize(
    ("system", "table"), [("atlantide", "map.territory"), ("mare_nostrum", "map.province")]
)
def test_a_map_of_any_size_is_looked_at_in_time_that_grows_with_it(
    system: str, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = [0]
    good = Forms.good

    def counted(*given: Any) -> Any:
        looks[0] += 1
        return good(*given)

    monkeypatch.setattr(Forms, "good", counted)
    needed = {}
    for size in (40, 80):
        looks[0] = 0
        with pytest.raises(CheckFailed):
            read_setup("".join(f'[[{table}]]\nid = "p{n}"\n' for n in range(size)), system)
        needed[size] = looks[0]
    assert needed[80] < 2.5 * needed[40]


def test_no_more_faults_of_a_file_are_looked_for_than_anybody_mends() -> None:
    text = "".join(f'[[map.territory]]\nid = "p{n}"\n' for n in range(500))
    with pytest.raises(CheckFailed) as caught:
        read_setup(text, "atlantide")
    assert len(caught.value.findings) == MOST_FINDINGS


@pytest.mark.parametrize(
    ("system", "text", "code", "line"),
    [
        ("atlantide", "[terrain]\n[[map.territory]]\nid = 3\n", "map.type", 3),
        ("atlantide", "[[catalogue.people]]\nkey = 3\n", "catalogue.type", 2),
        ("mare_nostrum", '[[map.province]]\nid = "alba"\nport = 3\n', "map.type", 3),
        ("mare_nostrum", '[[lists.list]]\nkey = "roman"\nguard = 3\n', "armies.type", 3),
        ("thucidide", '[a]\nlevel = 1\n[board]\nshape = "round"\n', "board.shape", 4),
    ],
)
def test_what_is_wrong_with_a_map_in_a_set_up_is_named_with_its_line(
    system: str, text: str, code: str, line: int
) -> None:
    for read in (read_setup, lambda text, system: read_house_file(text.encode(), system)):
        with pytest.raises(CheckFailed) as caught:
            read(text, system)
        assert (code, line) in [(each.code, each.line) for each in caught.value.findings]
        assert not any(each.file for each in caught.value.findings)


def test_a_set_up_that_breaks_a_rule_is_left_to_the_options_that_are_chosen() -> None:
    text = '[board]\nid = "x"\nshape = "hex"\nterrain = "...\\n..."\nlegend = { "." = "clear" }\n'
    text += '[board.name]\nfr = "X"\nen = "X"\n[a]\nlevel = 0\n'
    assert read_setup(text, "thucidide")["a"] == {"level": 0}


@pytest.mark.parametrize("text", ["a = nan", "a = inf", "a = 2020-01-01"])
def test_what_no_record_can_hold_is_no_set_up(text: str) -> None:
    refused(NotUnderstood, "setup.unreadable", read_setup, text, "atlantide")


def test_a_plan_survives_the_database(zoe: Person) -> None:
    plan = CampaignPlan(
        "atlantide", "trio", 3, {"turn_limit": 8}, TYPED, {"terrain": {"halia": "forest"}}
    )
    made = make("Trio", plan, zoe)
    made.refresh_from_db()
    assert msgspec.convert(made.plan, CampaignPlan) == plan


def test_umpires_who_play_have_one_seat_between_them(zoe: Person) -> None:
    made = make("Trio", CampaignPlan("atlantide", "trio"), zoe, own=["A", "B"])
    put_program(made, "C", "steady")
    assert not hindrances(made)  # nobody else plays: there is nobody to look at
    clear_seat(made, "C")
    sit_down(made, "C", person("ana"))
    refusal = refused(NotAllowed, "muster.umpires", begin, made)
    assert refusal.part == "A, B"
    clear_seat(made, "B")
    put_program(made, "B", "steady")
    begin(made)


@pytest.mark.django_db
def test_two_of_the_same_name_are_told_apart() -> None:
    made = make("A test", CampaignPlan("atlantide", seats=3), person("zoe"))
    first, second, third = person("leon1"), person("leon2"), person("leon3")
    for who, name in ((first, "L\u00e9on"), (second, "le\u0301on "), (third, "L\u00e9on (2)")):
        Person.objects.filter(pk=who.pk).update(called=name)
    for seat, who in (("A", second), ("B", first), ("C", third)):
        sit_down(made, seat, who)
    told = called(made)["player"]
    assert told == {"A": "le\u0301on  (2)", "B": "L\u00e9on", "C": "L\u00e9on (2) (2)"}


@pytest.mark.django_db
def test_how_long_a_program_thinks_is_not_for_the_umpire_to_say() -> None:
    bots = {"A": "mcts:100000"}
    with pytest.raises(NotUnderstood) as refused:
        make("A test", CampaignPlan("thucidide"), None, bots=bots)
    assert (refused.value.code, refused.value.part) == ("bot.unknown", "mcts:100000")
    made = make("A test", CampaignPlan("thucidide"), None)
    with pytest.raises(NotUnderstood):
        put_program(made, "A", "mcts:1s")
    put_program(made, "A", "mcts")
    assert made.seats.get(code="A").bot == "mcts"
