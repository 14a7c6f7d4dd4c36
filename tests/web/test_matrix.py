"""Who may open which page: every page, every role, before a campaign begins and afterwards.

Complete by construction: an address without a row, or a row without an address, fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.core.cache import cache
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from polemarque.club.campaigns import session
from polemarque.club.campaigns.lobby import accept
from polemarque.club.campaigns.question_keys import key_text
from polemarque.club.campaigns.session import read_lock
from polemarque.club.models import MEMBER, Guest, Holder, Person, Proposal, Receipt
from polemarque.kernel.records.record import Adjust, Answer, write_entry
from polemarque.web.access import page
from polemarque.web.urls import urlpatterns
from tests.web.people import browser, link, said
from tests.web.world import ROLES, World, invitation, play_on, sealed, with_second, world

pytestmark = pytest.mark.django_db

MUSTER, RUNNING = "muster", "running"

NOWHERE = "1-halia"
"""The path of a battle that is over."""


class Row(NamedTuple):
    """The statuses of a page, asked for by GET and by POST (with an empty form).

    Each is one status for everybody, or one for each of `ROLES`; "…; …" are those before the
    campaign begins and those afterwards.

    reads: the kinds of others' secrets that a neutral umpire reads there and that are entered, or
           `OPEN` (see test_readings.py).
    """

    get: str
    post: str
    reads: str


OPEN = ""
"""Nothing secret stands there."""

NOT = "405"
ALL = "200"
PERSON = "302 200 200 200 200 200 200 200 200"
DONE = "302 303 303 303 303 303 303 303 303"
INSIDE = "302 404 404 404 404 404 404 404 404; 302 404 404 200 200 200 200 200 200"
IN_SEAT = "302 404 404 404 404 404 404 404 404; 302 404 404 404 200 200 404 404 200"
DESK = "302 404 404 404 404 404 404 404 404; 302 404 404 404 404 404 404 200 200"
BY_UMPIRE = "302 404 404 404 404 404 404 303 303"
BY_INVITER = "302 404 404 404 404 303 303 303 303"
BY_DESK = "302 404 404 404 404 404 404 404 404; 302 404 404 404 404 404 404 303 303"
FORM = "302 404 404 404 404 404 404 404 404; 302 404 404 404 404 404 404 422 422"
NOTHING = "302 404 404 404 404 404 404 404 404"
"""No battle is fought, and there is no other edition of the rules: there is no such page."""
BY_COMMANDER = "302 404 404 404 404 404 404 404 404; 302 404 404 404 404 303 404 404 303"
LENT = "302 404 404 404 404 404 404 404 404; 302 404 200 404 404 404 404 404 404"

LETTERS = "302 404 404 404 404 404 404 404 404; 302 404 404 404 200 200 200 200 200"

ROWS = {
    "home": Row(ALL, NOT, OPEN),
    "settings": Row(PERSON, DONE, OPEN),
    "away": Row(NOT, "302 422 422 422 422 422 422 422 422", OPEN),
    "kept": Row(PERSON, NOT, OPEN),
    "leaving": Row(PERSON, "302 422 422 422 422 422 422 422 422", OPEN),
    "calendar": Row("404", NOT, OPEN),
    "calendar_set": Row(NOT, DONE, OPEN),
    "feed": Row("404", NOT, OPEN),
    "public": Row("404", NOT, OPEN),
    "public_turn": Row("404", NOT, OPEN),
    "stop_mails": Row("404", "404", OPEN),
    "preferences": Row(NOT, "303", OPEN),
    # A link by which to advise seat A: no umpire may, nor who commands it, nor once it is played
    # whoever has a side.
    "invitation": Row(
        ALL, "422 303 303 303 422 422 303 422 422; 422 303 303 303 422 422 422 422 422", OPEN
    ),
    "take_in": Row(PERSON, "302 422 422 422 422 422 422 422 422", OPEN),
    "systems": Row(PERSON, NOT, OPEN),
    "new": Row(PERSON, DONE, OPEN),
    "opening_board": Row(ALL, NOT, OPEN),
    "balance": Row(NOTHING, NOT, OPEN),  # there is no study of that key
    "invite": Row(NOT, BY_INVITER, OPEN),
    "withdraw": Row(NOT, BY_INVITER, OPEN),
    "links": Row(NOT, BY_UMPIRE, OPEN),
    "programs": Row(NOT, BY_UMPIRE, OPEN),
    "start": Row(NOT, BY_UMPIRE, OPEN),
    "call_off": Row(NOT, BY_UMPIRE, OPEN),
    "rematch": Row(
        NOT, "302 404 404 404 404 404 404 404 404; 302 404 404 404 404 303 303 303 303", OPEN
    ),
    "program": Row(NOT, BY_UMPIRE, OPEN),
    "sit": Row(NOT, BY_UMPIRE, OPEN),
    "clear": Row(NOT, BY_UMPIRE, OPEN),
    "word": Row(NOT, "302 404 404 404 404 303 404 404 303", OPEN),
    "account_login": Row(
        "200 302 302 302 302 302 302 302 302", "200 302 302 302 302 302 302 302 302", OPEN
    ),
    "account_logout": Row("302 200 200 200 200 200 200 200 200", "302", OPEN),
    "account_change_password": Row(PERSON, PERSON, OPEN),
    "account_set_password": Row("302", "302", OPEN),  # only whoever has none gets the page
    "account_inactive": Row(ALL, NOT, OPEN),
    "account_reset_password": Row(ALL, ALL, OPEN),
    "account_reset_password_done": Row(ALL, NOT, OPEN),
    "account_reset_password_from_key": Row(ALL, ALL, OPEN),
    "account_reset_password_from_key_done": Row(ALL, NOT, OPEN),
    "account_email": Row(PERSON, "302", OPEN),
    "account_confirm_email": Row(ALL, "404", OPEN),
    "people": Row(INSIDE, NOT, OPEN),
    # An umpire who plays makes nobody a link to a new password.
    "renew": Row(
        NOT, "302 404 404 404 404 404 404 404 404; 302 404 404 404 404 404 404 200 404", "account"
    ),
    "send_home": Row(NOT, BY_INVITER, OPEN),
    # A battle of which he is a guest is over: he reads what was told of it, and answers nothing.
    "guest": Row(LENT, NOT, OPEN),
    "guest_answer": Row(LENT.replace("200", "303"), LENT.replace("200", "422"), OPEN),
    "guest_dice": Row(NOT, LENT.replace("200", "303"), OPEN),
    "guest_receipt": Row(NOTHING, NOT, OPEN),
    "name_umpire": Row(NOT, BY_COMMANDER, OPEN),
    "stand_in": Row(NOT, BY_DESK, OPEN),
    "campaign": Row(
        "302 404 404 200 200 200 200 200 200; 302 404 404 200 302 302 302 200 200", NOT,
        "story battles",
    ),
    "chronicle": Row(INSIDE, NOT, "story"),
    "chronicle_turn": Row(INSIDE, NOT, "story"),
    "turn": Row(INSIDE, NOT, "story"),
    "seat": Row(IN_SEAT, NOT, OPEN),
    "pack": Row(IN_SEAT, NOT, OPEN),
    "answer": Row(
        BY_COMMANDER,
        "302 404 404 404 404 404 404 404 404; 302 404 404 404 404 422 404 404 422", OPEN
    ),
    "desk_orders": Row(
        "302 404 404 404 404 404 404 404 404; 302 404 404 404 404 404 404 200 303",
        "302 404 404 404 404 404 404 404 404; 302 404 404 404 404 404 404 422 303", "answers"
    ),
    "orders": Row(
        "302 404 404 404 404 404 404 404 404; 302 404 404 404 404 200 404 404 200",
        "302 404 404 404 404 404 404 404 404; 302 404 404 404 404 422 404 404 422", OPEN
    ),
    "plan": Row(
        "302 404 404 404 404 404 404 404 404; 302 404 404 404 404 200 404 404 200",
        BY_COMMANDER, OPEN
    ),
    "undo": Row(NOT, BY_COMMANDER, OPEN),
    "spare": Row(NOT, BY_COMMANDER, OPEN),
    "revoke": Row(NOT, BY_COMMANDER, OPEN),
    "wish": Row(NOT, BY_COMMANDER, OPEN),
    "dice": Row(NOT, BY_COMMANDER, OPEN),
    "receipt": Row(IN_SEAT, NOT, OPEN),
    "consent": Row(NOT, BY_COMMANDER, OPEN),
    "letters": Row(LETTERS, NOT, OPEN),
    # There is no such exchange, no such letter, and nothing was written.
    "exchange": Row(NOTHING, NOT, OPEN),
    "letter_write": Row(NOT, LETTERS.replace("200", "422"), OPEN),
    "letter_doors": Row(NOT, LETTERS.replace("200", "303"), OPEN),
    "letter_show": Row(NOT, LETTERS.replace("200", "303"), OPEN),
    "letter_order": Row(NOT, BY_DESK, OPEN),
    "battles": Row(INSIDE, NOT, OPEN),
    # No battle is fought there.
    "book": Row(
        NOT, "302 404 404 404 404 404 404 404 404; 302 404 404 404 404 422 422 422 422", OPEN
    ),
    "desk": Row(DESK, NOT, "battles"),
    "desk_remind": Row(NOT, BY_DESK, OPEN),
    "desk_absent": Row(BY_DESK, BY_DESK, "answers"),
    "desk_answer": Row(NOT, FORM, "battles"),
    "desk_dice": Row(NOT, BY_DESK, OPEN),
    "clock": Row("302 404 404 200 200 200 200 200 200", NOT, OPEN),
    "clock_set": Row(NOT, "302 404 404 404 404 404 404 422 422", OPEN),
    "announce": Row(NOT, BY_UMPIRE, OPEN),
    "pause": Row(NOT, BY_DESK, OPEN),
    "vote": Row(NOT, BY_COMMANDER, OPEN),
    "desk_pace": Row(NOT, BY_DESK, OPEN),
    "desk_hall": Row(DESK, FORM, OPEN),
    # Nothing has left.
    "hall_file": Row(NOTHING, NOT, OPEN),
    "desk_papers": Row(NOTHING, NOT, "battles"),
    "adjust": Row(DESK, FORM, "changes"),
    "end": Row(DESK, FORM, OPEN),
    "adopt": Row(NOTHING, NOTHING, OPEN),
    "corrections": Row(DESK, NOT, "answers"),
    "correct": Row(BY_DESK, BY_DESK, "answers"),
    "result": Row(BY_DESK, BY_DESK, "battles"),
    "act": Row(
        DESK, "302 404 404 404 404 404 404 404 404; 302 404 404 404 404 404 404 409 303", "changes"
    ),
    "trust": Row(INSIDE, NOT, "story"),
    "odds": Row(INSIDE, NOT, "story"),
    "export": Row(INSIDE, NOT, "record"),
    "verify": Row(ALL, "422", OPEN),
    "health": Row(ALL, NOT, OPEN),
    "icon": Row("302", NOT, OPEN),
    "consult": Row(ALL, NOT, OPEN),
    "consult_rule": Row(ALL, NOT, OPEN),
    "rules": Row(ALL, NOT, OPEN),
    "rulebook": Row(ALL, NOT, OPEN),
    "rule": Row(ALL, NOT, OPEN),
    "paper": Row(ALL, NOT, OPEN),
    "events": Row(
        "404 404 404 200 200 200 200 200 200; 404 404 200 200 200 200 200 200 200", NOT, OPEN
    ),
}  # fmt: skip

OF_CAMPAIGN = {p.name for p in urlpatterns if "code" in p.pattern.converters}

OURS = [pattern for pattern in urlpatterns if hasattr(pattern.callback, "rule")]


def expected(said: str, stage: str) -> dict[str, int]:
    before, _, after = said.partition("; ")
    codes = [int(code) for code in (after if after and stage == RUNNING else before).split()]
    return dict(zip(ROLES, codes * len(ROLES) if len(codes) == 1 else codes, strict=False))


def addresses(there: World, digest: str, act: int = 0) -> dict[str, str]:
    """The address of every page, about seat A of the campaign.

    digest: of a receipt of the seat.   act: number of an act of the umpire that waits.
    """
    parts: dict[str, Any] = {
        "code": there.campaign.code, "seat": "A", "digest": digest, "kind": "public", "number": 1,
        "system": "atlantide", "rule": "AT-5.1", "token": invitation(there, "A", MEMBER),
        "uidb36": "1", "key": "forged", "path": NOWHERE, "among": "A,B",
        "scenario": "duel",
    }  # fmt: skip
    ways = {}
    for pattern in urlpatterns:
        named = {name: parts[name] for name in pattern.pattern.converters}
        if pattern.name == "paper":
            named |= {"system": "mare_nostrum", "kind": "booklet"}
        if pattern.name in {"act", "consent"}:
            named["number"] = act
        if pattern.name == "renew":
            named["number"] = there.people["watcher"].pk
        ways[pattern.name] = reverse(pattern.name, kwargs=named)
    return ways


def waiting_act(there: World, by: str = "umpire") -> int:
    """An act of the umpire that the others have yet to consent to."""
    act = write_entry(Adjust("end", ("B",), "enough"))
    proposed = Proposal.objects.create(
        campaign=there.campaign, entry=act, number=there.fresh().count, once="act",
        by=there.people[by], put=timezone.now(),
    )  # fmt: skip
    return int(proposed.pk)


@contextmanager
def undone() -> Iterator[None]:
    """What is done inside is as if it had not been; a game in memory that it leaves alone stays."""
    before = {number: table.count for number, table in session._tables.items()}
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    if before != {number: table.count for number, table in session._tables.items()}:
        session._tables.clear()
    cache.clear()


def statuses(ways: Mapping[str, str], there: World, role: str, method: str) -> dict[str, int]:
    client, found = there.browser(role), {}
    cookies = client.cookies
    for name, way in ways.items():
        client.cookies = deepcopy(cookies)
        with undone():
            found[name] = getattr(client, method)(way).status_code
    return found


def test_every_page_has_a_row_and_every_row_a_page() -> None:
    assert {pattern.name for pattern in urlpatterns} == set(ROWS)


def test_every_page_of_ours_names_its_rule() -> None:
    others = {pattern.name for pattern in urlpatterns} - {pattern.name for pattern in OURS}
    assert {name for name in others if not name.startswith("account_")} == {"events"}
    assert page.__module__ == "polemarque.web.access"


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("playing", [False, True], ids=["neutral", "playing"])
@pytest.mark.parametrize("stage", [MUSTER, RUNNING])
def test_who_may_open_what(stage: str, playing: bool) -> None:
    """Before it begins, what a campaign has no part in is left out: its stage is nothing to it."""
    there = world(begun=stage == RUNNING, playing=playing)
    digest, act = "0" * 64, 1
    if stage == RUNNING:
        digest = sealed(there, "A", "umpire" if playing else "commander").digest
        play_on(there, lambda game: game.runner.period >= 2 and not game.requests("A"))
        act = waiting_act(there)
        Guest.objects.create(
            campaign=there.campaign, person=there.people["guest"], seat="A", path=NOWHERE,
            place="halia", number=0,
        )  # fmt: skip
    ways = addresses(there, digest, act)
    roles = ("playing",) if playing else ROLES[:-1]
    for role in roles:
        for method in ("get", "post"):
            wanted = {
                name: expected(getattr(row, method), stage)[role]
                for name, row in ROWS.items()
                if getattr(row, method) != NOT or role == "commander"  # whoever asks
                if stage == RUNNING or ";" in getattr(row, method) or name in OF_CAMPAIGN
            }
            asked = {name: ways[name] for name in wanted}
            assert statuses(asked, there, role, method) == wanted, f"{role} {method}"


# What one does to another -------------------------------------------------------------------------

GATHERING = "before it begins; all read how it stands"
INVITED = "the person who takes the link"
OWN = "nobody: it is about their own seat"
LENT_SIDE = "the seat that lends its side"
NEUTRAL = "nobody: an umpire without a seat alone may, and only where no umpire plays"
CONFIRMED = "an opponent confirms, or an umpire without a seat"
VOTED = "more than half of the seats; to end the campaign, two thirds"
BOTH = "both sides of the battle"
SETTLED = "the seats that it touches, if an umpire plays"
LATE = "where an umpire plays, any waits until the answer is late, for ever where no limit is set"
TOLD = "nobody: it changes nothing in the game"
MORE = "where an umpire plays, any gives more time, never less; a first limit is of a week at least"
CONSENT = "a seat that no umpire plays nor the act makes the winner, if an umpire plays"

OTHERS = {
    **dict.fromkeys(
        (
            "links",
            "programs",
            "start",
            "call_off",
            "program",
            "sit",
            "clear",
        ),
        GATHERING,
    ),
    **dict.fromkeys(
        (
            "invite",
            "withdraw",
        ),
        INVITED,
    ),
    **dict.fromkeys(
        (
            "word",
            "answer",
            "orders",
            "plan",
            "undo",
            "spare",
            "revoke",
            "wish",
            "consent",
            "send_home",
            "letter_write",
            "letter_doors",
            "letter_show",
        ),
        OWN,
    ),
    **dict.fromkeys(
        (
            "guest_answer",
            "guest_dice",
        ),
        LENT_SIDE,
    ),
    **dict.fromkeys(
        (
            "renew",
            "stand_in",
            "desk_orders",
            "result",
            "desk_hall",
            "letter_order",
        ),
        NEUTRAL,
    ),
    **dict.fromkeys(
        (
            "dice",
            "desk_dice",
        ),
        CONFIRMED,
    ),
    **dict.fromkeys(("name_umpire", "vote"), VOTED),
    **dict.fromkeys(("book",), BOTH),
    **dict.fromkeys(("desk_answer",), SETTLED),
    **dict.fromkeys(("desk_absent",), LATE),
    **dict.fromkeys(
        ("desk_remind", "announce", "rematch"),
        TOLD,
    ),
    **dict.fromkeys(("desk_pace", "clock_set", "pause"), MORE),
    **dict.fromkeys(
        (
            "adjust",
            "end",
            "adopt",
            "correct",
            "act",
        ),
        CONSENT,
    ),
}
"""By form of a campaign, whose consent it takes where it bears on somebody else's seat."""


def test_every_form_of_a_campaign_says_whose_consent_it_takes() -> None:
    assert {name for name in OF_CAMPAIGN if ROWS[name].post != NOT} == set(OTHERS)


def test_the_paper_says_the_same() -> None:
    paper = (Path(__file__).resolve().parents[2] / "docs" / "club.md").read_text(encoding="utf-8")
    lines = paper.split("| form | whose consent |")[1].partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    said = {name.strip("`"): whose for names, whose in cells for name in names.split(", ")}
    assert said == OTHERS


CLOSED = sorted(name for name, whose in OTHERS.items() if whose in {CONSENT, NEUTRAL, SETTLED})


@pytest.mark.parametrize("who", ["playing", "second"])
def test_where_an_umpire_plays_none_enters_anything_alone(who: str) -> None:
    """Filled in as well as can be, no such form changes the record, a seat, or an account."""
    there = with_second(world(playing=True))
    play_on(there, lambda game: game.runner.period >= 2 and not game.requests("A"))
    act = waiting_act(there, who)
    with read_lock(there.campaign) as table:
        before = table.game.digest
        state, given = table.game.state, [e for e in table.game.effective if isinstance(e, Answer)]
    key = key_text(next(e.key for e in reversed(given) if e.key.seat == "B"))
    people = sorted(Holder.objects.values_list("seat__code", "person", "role"))
    client, ways = there.browser(who), addresses(there, "0" * 64, act)
    form = {
        "once": "x", "key": key, "seat": "B", "reason": "so there", "name": "loot.A",
        "value": "900", "winner": "A", "path": "", "do": "confirm", "program": "steady",
        "number": str(there.fresh().count), "sure": "yes", "post": "[x]", "edition": "9",
    }  # fmt: skip
    for name in CLOSED:
        with undone():
            client.post(ways[name], form)
            with read_lock(there.campaign) as table:
                assert table.game.digest == before and table.game.state == state, name
            assert sorted(Holder.objects.values_list("seat__code", "person", "role")) == people
            assert not there.campaign.seats.filter(code="B").exclude(bot="").exists(), name


# Guessed addresses -------------------------------------------------------------------------------


def refused(role_of: World, role: str, names: Mapping[str, dict[str, str]]) -> set[tuple[str, int]]:
    """Which of these addresses are there for somebody, whichever way he asks."""
    there = set()
    for name, parts in names.items():
        way = reverse(name, kwargs=parts)
        for method in ("get", "post"):
            with undone():
                status = getattr(role_of.browser(role), method)(way).status_code
            if status not in {404, 405}:
                there.add((way, status))
    return there


def test_another_campaign_is_not_there() -> None:
    here, elsewhere = world(), world(begun=True)
    mine = Person.objects.create_user("solon", password="x")
    token = invitation(here, "A", MEMBER)
    accept(token, mine)
    here.people["solon"] = mine
    ways = addresses(elsewhere, "0" * 64)
    assert len(OF_CAMPAIGN) > 15
    for name in OF_CAMPAIGN:
        for method in ("get", "post"):
            with undone():
                status = getattr(here.browser("solon"), method)(ways[name]).status_code
            assert status in {404, 405}, (name, method)
            with undone():
                missing = ways[name].replace(elsewhere.campaign.code, "ffffffffffff")
                assert getattr(here.browser("solon"), method)(missing).status_code == status


def test_a_foreign_seat_is_not_there() -> None:
    there = world()
    theirs = sealed(there, "B", "rival").digest
    code = there.campaign.code
    foreign = {
        "seat": {"code": code, "seat": "B"},
        "answer": {"code": code, "seat": "B"},
        "orders": {"code": code, "seat": "B"},
        "plan": {"code": code, "seat": "B"},
        "undo": {"code": code, "seat": "B"},
        "spare": {"code": code, "seat": "B"},
        "revoke": {"code": code, "seat": "B"},
        "wish": {"code": code, "seat": "B"},
        "receipt": {"code": code, "seat": "B", "digest": theirs},
    }
    for role in ("watcher", "adviser", "commander", "umpire"):
        assert refused(there, role, foreign) == set()
    mine = {name: {**parts, "seat": "A"} for name, parts in foreign.items()}
    assert refused(there, "commander", {"receipt": mine["receipt"]}) == set()
    none = {name: {**parts, "seat": "umpire"} for name, parts in foreign.items()}
    assert refused(there, "umpire", none) == set()


def test_a_receipt_is_shown_to_its_seat_only() -> None:
    there = world()
    theirs = sealed(there, "B", "rival")
    way = reverse("seat", kwargs={"code": there.campaign.code, "seat": "A"})
    page = there.browser("commander").get(f"{way}?receipt={theirs.digest}")
    assert page.status_code == 200
    assert 'class="receipt"' not in said(page)


@pytest.mark.parametrize(
    ("role", "kinds"),
    [
        ("watcher", {"public"}), ("adviser", {"public", "A"}), ("commander", {"public", "A"}),
        ("rival", {"public", "B"}), ("umpire", {"public", "full"}), ("stranger", set()),
    ],
)  # fmt: skip
def test_each_has_his_own_exports(role: str, kinds: set[str]) -> None:
    there = world()
    asked = ("public", "A", "B", "C", "full", "umpire", "seat:A", "seat:B", "dice")
    client = there.browser(role)
    code = there.campaign.code
    ways = {kind: reverse("export", kwargs={"code": code, "kind": kind}) for kind in asked}
    got = {kind: client.get(way).status_code for kind, way in ways.items()}
    assert got == {kind: 200 if kind in kinds else 404 for kind in asked}


@pytest.mark.parametrize("who", ["playing", "second"])
def test_where_an_umpire_plays_none_has_the_whole_export(who: str) -> None:
    there = with_second(world(playing=True))
    way = reverse("export", kwargs={"code": there.campaign.code, "kind": "full"})
    assert there.browser(who).get(way).status_code == 404


def test_a_used_invitation_is_gone_and_a_forged_one_was_never_there() -> None:
    there = world(begun=False)
    token = invitation(there)
    accept(token, there.people["stranger"])
    for role in ("anonymous", "stranger", "rival"):
        for method in ("get", "post"):
            used = getattr(there.browser(role), method)(link(token))
            forged = getattr(there.browser(role), method)(link(token[:-1] + "!"))
            assert (used.status_code, forged.status_code) == (410, 404)
            if role != "rival":
                assert there.campaign.title not in said(used) + said(forged)


# Forms, cookies, headers -------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_form_that_was_not_made_here_is_refused() -> None:
    there = world()
    before = there.head
    digest = sealed(there, "A", "commander").digest
    head = there.head
    assert head != before
    for role in ("umpire", "commander"):
        client = there.browser(role, enforce_csrf_checks=True)
        for name, way in addresses(there, digest).items():
            got = client.post(way, {"key": "x"}).status_code
            # A mail program stops mails by itself, with the link's secret alone (RFC 8058).
            assert got == (404 if name == "stop_mails" else 403), name
    assert there.head == head
    assert Receipt.objects.count() == 1


def test_whoever_only_looks_is_given_no_cookie_but_that_of_forms() -> None:
    there = world()
    for name, way in addresses(there, "0" * 64).items():
        cookies = set(browser().get(way).cookies)
        assert cookies <= {"csrftoken"}, name


def test_every_page_says_what_may_be_loaded_and_who_may_frame_it() -> None:
    there = world()
    digest = sealed(there, "A", "commander").digest
    for role in ("anonymous", "commander", "umpire"):
        for name, way in addresses(there, digest).items():
            with undone():
                response = there.browser(role).get(way)
                headers = response.headers
            policy = headers["Content-Security-Policy"]
            assert "default-src 'self'" in policy, name
            assert "frame-ancestors 'none'" in policy, name
            assert not set(policy.split()) & {"'unsafe-inline'", "'unsafe-eval'", "*"}, name
            assert headers["X-Content-Type-Options"] == "nosniff", name
            assert headers["X-Frame-Options"] == "DENY", name
            assert headers["Referrer-Policy"] == "same-origin", name


def test_a_browser_keeps_no_page_of_somebody_who_is_signed_in() -> None:
    """Nor does anything on the way; what everybody is shown alike may be kept."""
    there = world()
    digest = sealed(there, "A", "commander").digest
    ways = {**addresses(there, digest), "home": "/", "rules": "/rules/"}
    for name, way in ways.items():
        with undone():
            kept = there.browser("commander").get(way).headers["Cache-Control"]
        assert {"private", "no-store"} <= set(kept.split(", ")), name
    assert "Cache-Control" not in browser().get("/rules/").headers


def test_a_browser_forgets_what_it_holds_at_sign_out() -> None:
    client = world().browser("commander")
    assert "Clear-Site-Data" not in client.get("/").headers
    assert client.post("/account/logout/").headers["Clear-Site-Data"] == '"cache", "storage"'
    assert "Clear-Site-Data" not in client.get("/").headers


def test_only_a_club_at_an_https_address_is_asked_by_https_alone(settings: Settings) -> None:
    for address in ("", "http://club.example.org"):
        settings.ADDRESS = address
        assert "Strict-Transport-Security" not in browser().get("/").headers
    settings.ADDRESS = "https://club.example.org"
    for way in ("/", "/nowhere/", "/static/css/base.css"):
        answer = browser().get(way)
        answer.close()
        told = answer.headers["Strict-Transport-Security"]
        assert int(told.removeprefix("max-age=")) >= 180 * 24 * 60 * 60
