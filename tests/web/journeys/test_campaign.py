"""Four people and an umpire play a campaign, each in a browser of his own."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.journeys.answering import READY, Moved
from tests.web.journeys.axe import violations
from tests.web.journeys.browsers import Window
from tests.web.journeys.conftest import Open
from tests.web.served import Server

SETUP = """
[players]
A = { kingdom = "gadirus", place = "myrine_barrow" }
B = { kingdom = "ampheres", place = "triton_wood" }
C = { kingdom = "euamon", place = "anthemis" }
D = { kingdom = "mneseus", place = "mnemosa" }
"""
"""The armies of A and B stand side by side."""

PEOPLE = {
    "A": ("Anna", "fr"), "B": ("Bob", "en"), "C": ("Chloe", "fr"), "D": ("Denis", "en"),
}  # fmt: skip

LATE = (2, "AT-5.2", "D")
"""The question that its seat does not answer."""

STUCK = 60
"""Seconds without an answer after which a journey has failed."""

LIVE = 15_000
"""Milliseconds within which an open page shows what is new, on a busy machine too."""

ANSWERS: dict[tuple[int, str, str], Mapping[str, str]] = {
    (1, "AT-1.1", "A"): {"people": "Le Myrien"},
    (1, "AT-1.1", "B"): {"people": "The Ampherian"},
    # A treaty, which is broken in the next turn.
    (1, "AT-4.1", "C"): {
        "to": "D", "points.D": "grant_stationing", "where.D.grant_stationing": "named",
        "lands.D.grant_stationing": "anthemis", "promise.D.grant_stationing": "no",
        "known.D": "public", "until.D": "5",
    },
    (1, "AT-4.4", "D"): {"offer.C": "accept"},
    (2, "AT-4.1", "C"): {"break": "1230"},
    # A battle on the table: the players do not agree on how it ended.
    (1, "AT-8.1", "A"): {"": "frontal"},
    (1, "AT-8.1", "B"): {"": "defence"},
    (1, "PA-2/return_sheet", "A"): {"result": "attacker"},
    (1, "PA-2/return_sheet", "B"): {"result": "defender"},
    (1, "PA-2/umpire", "umpire"): {"sheet": "own", "result": "attacker"},
    # The end, by the vote of all.
    **{(3, "AT-4.1", seat): {"end": "yes"} for seat in PEOPLE},
    **{(3, "AT-1.10", seat): {"": "end"} for seat in PEOPLE},
}  # fmt: skip
"""(turn, rule, seat) -> what is chosen; everything else is answered as its form proposes."""


TOLD = """async path => {
  const text = await (await fetch(path)).text();
  const bare = text.replace(/<style>[^]*?<\\/style>/, '');
  const page = new DOMParser().parseFromString(bare, 'text/html');
  return page.body.textContent;
}"""
"""What a chronicle tells that is taken away, read beside the page that is open.

Without its style sheet, which the open page's policy would report.
"""


STANDS = """() => ({
  at: location.pathname + location.search,
  heard: document.querySelector('[data-stream]')?.dataset.heard,
  shows: document.querySelector('[data-live] [data-heard]')?.dataset.heard,
  news: document.querySelector('[data-stream]')?.textContent,
  text: document.querySelector('main')?.innerText.slice(0, 800),
})"""
"""What an open page knows of the news, to be told where a journey stands still."""


class Tour:
    """A campaign, its umpire's window and those of its players."""

    def __init__(self, club: Server, open_window: Open, kept: Path) -> None:
        self.club, self.kept = club, kept
        self.umpire = open_window(club, "fr")
        self.players = {
            seat: open_window(club, lang, accept_downloads=True)
            for seat, (_, lang) in PEOPLE.items()
        }
        self.receipts: list[Path] = []
        self.takers: set[Window] = set()
        self.moved: list[object] = []
        self.links: dict[str, str] = {}
        self.code = ""

    # Before it begins ----------------------------------------------------------------------------

    def make(self) -> None:
        """The umpire comes in by the link that the server printed, and makes the campaign."""
        umpire = self.umpire
        printed = re.search(r"/invitation/\S+", self.club.log.read_text())
        assert printed is not None
        umpire.enter(printed[0], "Ulysse")
        umpire.page.get_by_role("link", name=umpire.say("home.new")).click()
        umpire.page.get_by_role("link", name="Atlantide").click()
        page = umpire.page
        page.get_by_label(umpire.say("muster.title"), exact=True).fill("La guerre de Troie")
        page.get_by_label(umpire.say("muster.pace"), exact=True).fill("24")
        page.get_by_label(umpire.say("muster.seats"), exact=True).fill(str(len(PEOPLE)))
        expect(page.locator("select:visible[name^='seat.']")).to_have_count(len(PEOPLE))
        page.locator("summary", has_text=umpire.say("muster.own")).click()
        page.get_by_label(umpire.say("muster.setup"), exact=True).fill(SETUP)
        page.locator("details.group summary").first.click()
        page.locator("input[name='option.resolver'][value=tabletop]").check()
        umpire.press(umpire.say("muster.make"))
        umpire.sees(umpire.say("muster.made", title="La guerre de Troie"))
        self.code = page.url.rstrip("/").rpartition("/")[2]

    def invite(self) -> None:
        """A link for each seat, made on the page."""
        for seat in PEOPLE:
            slip = self.umpire.page.locator(f"article[aria-labelledby='fill-{seat}']")
            self.umpire.follow(slip.get_by_role("button", name=self.umpire.say("muster.link_seat")))
            self.links[seat] = slip.locator("input[readonly]").input_value()

    def come_in(self) -> None:
        """Everybody takes his link; the umpire's page shows each without being asked."""
        for seat, (name, _) in PEOPLE.items():
            self.players[seat].enter(self.links[seat], name, word=f"mot de {name}")
            expect(self.umpire.page.locator("table.seats")).to_contain_text(name, timeout=LIVE)

    def begin(self) -> None:
        """The umpire begins; everybody's page is his seat's at once."""
        self.umpire.press(self.umpire.say("muster.start"))
        for seat, player in self.players.items():
            expect(player.page).to_have_url(re.compile(f"/c/{self.code}/seat/{seat}/"))

    # Playing -------------------------------------------------------------------------------------

    def play_until(self, done: Callable[[], bool], held: tuple[object, ...] = ()) -> None:
        """Everybody answers what he is asked, but for the question `held`, until `done` says so."""
        last = time.monotonic()
        while time.monotonic() < last + STUCK:
            if done():
                return
            for _, window in self.windows():
                at = next((at for at in asked(window) if at != held), None)
                if at is not None and not done():
                    self.answer(window, at)
                    last = time.monotonic()
            self.umpire.page.wait_for_timeout(100)
        stands = {seat: window.page.evaluate(STANDS) for seat, window in self.windows()}
        raise AssertionError({"moved": self.moved, **stands})

    def open_desk(self) -> None:
        self.umpire.go(f"/c/{self.code}/desk/")

    def is_over(self) -> bool:
        over = self.players["A"].say("table.over")
        return over in (self.players["A"].page.locator("main").text_content() or "")

    def story(self, window: Window) -> str:
        """The whole chronicle as somebody may take it away; its spaces are plain ones."""
        told: str = window.page.evaluate(TOLD, f"/c/{self.code}/chronicle/?format=html")
        return re.sub(r"\s+", " ", told)

    def windows(self) -> list[tuple[str, Window]]:
        return [*self.players.items(), ("umpire", self.umpire)]

    def asks(self, *at: object) -> Callable[[], bool]:
        """Whether that question, (turn, rule, seat), is open on its seat's page."""
        return lambda: at in asked(self.players[str(at[2])])

    def only_asks(self, seat: str) -> Callable[[], bool]:
        """Whether one player alone has a question left; who else is awaited no page tells here."""
        return lambda: [code for code, each in self.players.items() if asked(each)] == [seat]

    def answer(self, window: Window, at: tuple[int, str, str]) -> None:
        if at == (1, "AT-7.2", "A"):
            self.march_on_the_map(window)
        else:
            try:
                window.answer(ANSWERS.get(at))
            except Moved:  # a slow machine: the page shows what is asked now, and that is answered
                assert not self.moved, "twice"
                self.moved.append(at)
                window.faults.clear()
                return
        if "receipt=" in window.page.url:
            self.keep_receipt(window)

    def march_on_the_map(self, window: Window) -> None:
        """The place that is chosen on the map is what the form sends."""
        way = window.page.locator("form[data-question] select[data-places]")
        window.page.locator('[data-place="triton_wood"]').click()
        expect(way).to_have_value("triton_wood")
        window.answer()

    def keep_receipt(self, window: Window) -> None:
        """Take the receipt that the page shows, by its link: everybody's first as browsers do."""
        shown = window.page.locator("#receipt")
        folded = shown.locator("details:not([open]) > summary")  # it stays open once opened
        if folded.count():
            folded.click()
        link = shown.locator("a[download]")
        path = self.kept / f"receipt-{len(self.receipts)}.json"
        if window in self.takers:
            browser = window.context.request
            path.write_bytes(browser.get(link.get_attribute("href") or "", max_retries=3).body())
        else:
            with window.page.expect_download() as kept:
                link.click()
            kept.value.save_as(path)
            self.takers.add(window)
        digest = re.sub(r"\s", "", shown.locator(".digest").inner_text())
        assert json.loads(path.read_text())["digest"] == digest
        self.receipts.append(path)


def asked(window: Window) -> list[tuple[int, str, str]]:
    """The questions that a page asks its reader: (turn, rule, seat)."""
    keys = [json.loads(key) for key in window.asked()]
    return [(period, rule, seat) for period, _, rule, seat, *_ in keys]


def everything_is_asked(tour: Tour) -> None:
    """What leaves nothing to decide would else be sealed at a moment within the hour."""
    with closing(sqlite3.connect(tour.club.data / "polemarque.sqlite3")) as kept:
        kept.execute("UPDATE club_seat SET spared = 0")
        kept.commit()


@pytest.mark.timeout(1500)
def test_three_turns_with_all_that_happens_in_them(
    club: Server, open_window: Open, tmp_path: Path
) -> None:
    tour = Tour(club.start(), open_window, tmp_path)
    tour.make()
    tour.invite()
    tour.come_in()
    everything_is_asked(tour)
    tour.begin()
    tour.open_desk()
    news_come_by_themselves(tour)
    tour.play_until(tour.asks(1, "PA-2/return_sheet", "A"))
    papers_lie_on_the_desk(tour)
    tour.play_until(tour.asks(2, "AT-4.1", "A"))
    a_battle_was_fought(tour)
    tour.play_until(tour.asks(2, "AT-5.2", "A"))
    a_treaty_was_made_and_broken(tour)
    tour.play_until(tour.only_asks("D"), held=LATE)
    the_late_are_reminded_and_then_played_for(tour)
    tour.play_until(tour.asks(3, "AT-4.1", "A"))
    an_answer_is_corrected(tour)
    tour.play_until(tour.is_over)
    the_record_proves_itself(tour)


def news_come_by_themselves(tour: Tour) -> None:
    """Anna seals; Bob's page, which nobody touches, says so within three seconds, and Chloe, who is
    typing, loses nothing."""
    anna, bob, chloe = (tour.players[seat] for seat in "ABC")
    people = chloe.page.locator("input[name$='/people']")
    people.fill("l'Eubéen")
    row = bob.page.locator("table.seats tr", has=bob.page.locator("th", has_text="Anna"))
    expect(row).to_contain_text(bob.say("seat_state.waiting"))
    bob.page.evaluate("window.untouched = true")
    tour.answer(anna, (1, "AT-1.1", "A"))
    expect(row).to_contain_text(bob.say("seat_state.ready"), timeout=LIVE)
    assert bob.page.evaluate("window.untouched")
    expect(chloe.page.locator(".news")).to_contain_text(chloe.say("table.fresh"))
    expect(people).to_have_value("l'Eubéen")


def papers_lie_on_the_desk(tour: Tour) -> None:
    """The umpire can print what the players need at the table, and enter its result himself."""
    umpire = tour.umpire
    for link in ("desk.papers", "desk.enter_result"):
        tour.open_desk()
        umpire.follow(umpire.page.get_by_role("link", name=umpire.say(link)))
        expect(umpire.page.locator("main h1")).not_to_have_text(umpire.say("table.desk"))
        umpire.sees("Bois de Triton")
        assert list(violations(umpire)) == []
    tour.open_desk()


def a_battle_was_fought(tour: Tour) -> None:
    """Both read whom the umpire declared the winner, each in his language."""
    anna, bob = tour.players["A"], tour.players["B"]
    assert "La victoire revient au Myrien (bataille rangée, Bois de Triton)" in tour.story(anna)
    assert "Victory goes to le Myrien (pitched battle, Triton’s Wood)" in tour.story(bob)


def a_treaty_was_made_and_broken(tour: Tour) -> None:
    """It was public: those who are no party have read of both, each in his language."""
    anna, bob = (tour.story(tour.players[seat]) for seat in "AB")
    made, broken = (
        anna.index("L’Eubéen et le Mycénien concluent un accord public jusqu’au tour 5 :"),
        (anna.index("L’Eubéen rompt son accord avec le Mycénien : stationnement, Anthémis")),
    )
    assert made < broken
    assert "L’Eubéen and the Mycenaean make a public agreement until turn 5:" in bob
    assert "L’Eubéen breaks its agreement with the Mycenaean: stationing, Anthemis" in bob


def the_late_are_reminded_and_then_played_for(tour: Tour) -> None:
    umpire, denis = tour.umpire, tour.players["D"]
    with closing(sqlite3.connect(tour.club.data / "polemarque.sqlite3")) as kept:
        kept.execute("UPDATE club_campaign SET asked = datetime(asked, '-2 days')")
        kept.commit()
    tour.open_desk()
    row = umpire.page.locator("table.desk tr", has_text="Denis")
    expect(row).to_contain_text(umpire.say("seat_state.late"))
    umpire.follow(row.get_by_role("button", name=umpire.say("desk.remind")))
    expect(row.get_by_role("button", name=umpire.say("desk.remind"))).to_have_count(0)
    denis.page.reload(wait_until=READY)
    denis.sees(denis.say("desk.you_are_reminded", date="").partition("(")[0])
    row.get_by_role("link", name=umpire.say("desk.absent", what="", several=False)).click()
    umpire.sees(umpire.say("desk.absent_answer"))
    umpire.press(umpire.say("desk.absent_do"))
    umpire.sees(umpire.say("desk.absent_done"))
    # He may still answer himself until the others have; without him his page comes forward.
    tour.play_until(lambda: LATE not in asked(denis), held=LATE)
    expect(denis.page.locator("input[name=key][value*='AT-5.2']")).to_have_count(0)


def an_answer_is_corrected(tour: Tour) -> None:
    """The difference is shown before it counts; then everybody reads what was done, and why."""
    umpire = tour.umpire
    page = umpire.page
    page.get_by_role("link", name=umpire.say("desk.to_correct")).click()
    page.get_by_label(umpire.say("seats.seat"), exact=True).select_option("D")
    page.get_by_label(umpire.say("desk.turn"), exact=True).select_option("2")
    umpire.press(umpire.say("desk.filter"))
    page.locator("table tr", has_text="AT-7.2").get_by_role("link").click()
    page.locator("select[data-places]").select_option("lethos")
    page.get_by_label(umpire.say("desk.why")).fill("Un pion mal lu")
    umpire.press(umpire.say("desk.look"))
    expect(page.locator("table.difference ins", has_text="Léthos").first).to_be_visible()
    story = tour.story(tour.players["B"])
    assert "Un pion mal lu" not in story, "nothing counts before it is confirmed"
    umpire.press(umpire.say("desk.confirm"))
    umpire.sees(umpire.say("desk.done"))
    story = tour.story(tour.players["B"])
    assert "Un pion mal lu" in story
    assert re.search(r"the Mycenaean\b.*Lethos", story)
    tour.open_desk()


def the_record_proves_itself(tour: Tour) -> None:
    """`polemarque verify` proves the export with all receipts, and names an altered entry."""
    umpire = tour.umpire
    umpire.go(f"/c/{tour.code}/trust/")
    umpire.sees("Un pion mal lu")
    with umpire.page.expect_download() as kept:
        umpire.page.locator("a[download][href$='/export/full/']").click()
    record = tour.kept / "record.json"
    kept.value.save_as(record)
    assert len(tour.receipts) > 25
    proved = verify(record, *tour.receipts)
    assert proved["holds"], proved
    assert proved["rolls"]["proved"] > 20
    assert not proved["rolls"].get("false")
    assert proved["replayed"] + proved["hidden"] == proved["entries"]
    assert [each["fault"] for each in proved["receipts"]] == [None] * len(tour.receipts)
    lines = record.read_bytes().split(b"\n")
    number = next(n for n, line in enumerate(lines) if b"grant_stationing" in line)
    lines[number] = lines[number].replace(b"anthemis", b"anthemit")
    altered = tour.kept / "altered.json"
    altered.write_bytes(b"\n".join(lines))
    assert verify(altered)["altered"] == number
    the_page_says_the_same(tour.players["B"], record, altered, number)


def the_page_says_the_same(window: Window, record: Path, altered: Path, number: int) -> None:
    """The page of proofs, to whom anybody may show a file."""
    check = window.say("verify.check")
    window.go("/verify/")
    window.page.locator("#record").set_input_files(record)
    window.press(check)
    window.sees(window.say("verify.holds", name=record.name))
    window.page.locator("#record").set_input_files(altered)
    window.press(check)
    window.sees(window.say("verify.altered", number=number))


RUN = "from polemarque.cli import main; main()"


def verify(record: Path, *receipts: Path) -> dict[str, Any]:
    """What `polemarque verify` says of a file, where there is no server."""
    with_receipts = [arg for path in receipts for arg in ("--receipt", str(path))]
    done = subprocess.run(
        [sys.executable, "-c", RUN, "verify", str(record), "--json", *with_receipts],
        cwd=record.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    proved: dict[str, Any] = json.loads(done.stdout)
    assert (done.returncode == 0) == proved["holds"]
    return proved
