"""Every question of every system as a form: each answer comes back, nothing forged goes through."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from polemarque.kernel.game import Game, new_header
from polemarque.kernel.request import Options
from polemarque.kernel.system import find_system, system_names
from polemarque.report.game_words import Words
from polemarque.systems.mare_nostrum.chapters.purchases import purchase_sheet
from polemarque.web.forms import Sealed, Unfinished, form_of, read_form
from polemarque.web.forms import posted_of as typed
from polemarque.web.forms.fields import Number, Writing
from tests.systems.mare_nostrum.realms import owning, realm, rich
from tests.web.asked import WORDS, field_of, fields_of
from tests.web.browser import faults, read, rendered, sent

QUESTIONS = 80
LARGEST = 64_000
"""Characters of a form's HTML: each of 70 goals of a caravan tells its steps, chance and turns."""


def asked(name: str, seed: int, most: int = QUESTIONS) -> Iterator[tuple[Options, Any, Words, Any]]:
    """Questions of a random game: options, what the absent answer, words, and a random answer.

    most: of one rule, the first.
    """
    rng = random.Random(seed)
    scenarios = list(find_system(name).scenarios) or [""]
    scenario = scenarios[seed % len(scenarios)]
    game = Game(new_header(name, seed=seed, scenario=scenario))
    words = Words(game.header, "fr" if seed % 2 else "en")
    game.settle()
    told: Counter[str] = Counter()
    for _ in range(QUESTIONS):
        if game.over:
            return
        request = game.requests()[0]
        seat = rng.choice(request.missing)
        words.turn_to(game, request.keys[seat])
        options = request.options(seat)
        value = options.take(options.sample(rng))
        told[request.rule] += 1
        if told[request.rule] <= most:
            yield options, request.absent(seat), words, value
        game.answer(seat, value, request.keys[seat])
        game.settle()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", sorted(system_names()))
def test_every_answer_of_a_random_game_comes_back_from_its_form(name: str, seed: int) -> None:
    for options, absent, words, value in asked(name, seed):
        fresh = rendered(form_of(options, words, default=absent))
        assert not faults(read(fresh))
        assert len(fresh) < LARGEST
        posted = typed(options, value, words)
        assert read_form(options, words, posted, default=absent) == Sealed(value)
        shown = form_of(options, words, draft=posted, default=absent)
        assert shown.complete
        assert not shown.kept
        page = read(rendered(shown))
        assert read_form(options, words, sent(page), default=absent) == Sealed(value)


@pytest.mark.parametrize("name", sorted(system_names()))
def test_a_sheet_is_filled_from_its_first_page_by_its_buttons_alone(name: str) -> None:
    for options, absent, words, value in asked(name, 5, most=3):
        wanted = typed(options, value, words)
        form = form_of(options, words, default=absent)
        for _ in range(len(wanted) + 1):
            posted = sent(read(rendered(form)))
            posted |= {name: given for name, given in wanted.items() if name in posted}
            got = read_form(options, words, posted, default=absent)
            if isinstance(got, Sealed):
                break
            form = got.form
        assert got == Sealed(value)


def test_fleets_are_bought_by_their_number_alone_and_each_says_where_it_appears() -> None:
    campaign = rich(owning(realm(), "A", "faro"), A=300)
    sheet = purchase_sheet(campaign, "A")
    form = form_of(sheet, WORDS, default=sheet.quiet(), draft={"a/fleets": ["2"]})
    asked = {field.name: field.said for field in fields_of(form.items)}
    assert asked["a/fleet.1"] == asked["a/fleet.2"] == "alba"
    assert form.complete and form.purse is not None and form.purse.left == 100


def test_armies_bought_after_fleets_drop_none_in_silence() -> None:
    for money, armies in ((150, "3"), (150, "2"), (200, "2")):
        sheet = purchase_sheet(rich(owning(realm(), "A", "faro", "helos"), A=money), "A")
        form = form_of(sheet, WORDS, default=sheet.quiet(), draft={"a/fleets": ["1"]})
        posted = sent(read(rendered(form))) | {"a/armies": [armies]}
        form = form_of(sheet, WORDS, default=sheet.quiet(), draft=posted)
        fleets = next(each for each in fields_of(form.items) if each.name == "a/fleets")
        assert isinstance(fleets, Number) and fleets.typed == "1"
        got = read_form(sheet, WORDS, sent(read(rendered(form))), default=sheet.quiet())
        if isinstance(got, Sealed):
            assert got.value["fleets"] == 1 and got.value["armies"] == int(armies)
        else:
            assert fleets.error and form.notice
    assert isinstance(got, Sealed), "two armies and a fleet are paid by 200"


GARBAGE = (
    "xyzzy",
    "",
    "-1",
    "9" * 30,
    "[[",
    '{"a":1}',
    "null",
    "☃\x00",
    "> > >",
    "<script>",
    "a" * 3000,
)


@pytest.mark.parametrize("name", sorted(system_names()))
def test_forged_forms_are_refused_beside_their_fields_and_kept(name: str) -> None:
    rng = random.Random(name)
    for options, absent, words, value in asked(name, 6):
        posted = typed(options, value, words)
        if not posted:
            continue
        field, wrong = rng.choice(sorted(posted)), rng.choice(GARBAGE)
        posted[field] = rng.choice(([wrong], ["", wrong, wrong], []))
        posted["a/no.such"] = ["kept"]
        got = read_form(options, words, posted, default=absent)
        if isinstance(got, Sealed):
            assert options.take(got.value) == got.value
            continue
        page = read(rendered(got.form))
        assert not faults(page)
        assert got.form.notice
        assert any(each.error or each.note for each in fields_of(got.form.items))
        assert sent(page)["a/no.such"] == ["kept"]
        for each in fields_of(got.form.items):
            if isinstance(each, (Number, Writing)) and each.name == field and posted[field]:
                assert each.typed == posted[field][-1]


def test_a_system_s_own_reason_is_said_with_its_rule() -> None:
    game = Game(new_header("mare_nostrum", seed=1))
    game.settle()
    while (request := game.requests()[0]).rule != "MN-2.7":
        for seat in request.missing:
            game.answer(seat, request.absent(seat), request.keys[seat])
        game.settle()
    seat = request.missing[0]
    words = Words(game.header, "fr")
    words.turn_to(game, request.keys[seat])
    options, default = request.options(seat), request.absent(seat)
    part = next(each.name for each in fields_of(form_of(options, words, default=default).items)
                if "/move." in each.name)  # fmt: skip
    far = "nabataea"
    got = read_form(options, words, {part: far}, default=default)
    assert isinstance(got, Unfinished)
    field = field_of(got.form, part)
    assert words.label("place", far) in field.error
    assert far not in field.error
    assert "MN-" in field.error
    assert words.label("place", far) in field.note
