"""Sheets as forms: filled as far as can be, sealed only as they were seen, nothing typed lost."""

from __future__ import annotations

from html import escape
from operator import attrgetter
from typing import Any

from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.request import (
    Amount,
    Fact,
    Filling,
    OneOf,
    Purse,
    SeveralOf,
    Sheet,
    Text,
    each_at,
    price,
)
from polemarque.report.order_forms.told_answers import told as dispatch_of
from polemarque.web.forms import draft_of, form_of
from polemarque.web.forms import posted_of as typed
from polemarque.web.forms.fields import Group, Radios, Told
from polemarque.web.forms.widgets import say
from tests.web.asked import WORDS, again, field_of, fields_of, sealed, unfinished
from tests.web.browser import faults, read, rendered, sent


def orders() -> Filling:
    """An aim; gold for it; if it is taken, whom to spare, a word to each, and a sheet of terms."""
    aim = yield "aim", OneOf(("hold", "take"), "aim")
    gold = yield "gold", Amount(0, 100 if aim == "take" else 10)
    yield "rest", Amount(0, 100 - gold)
    if aim == "take":
        spared = yield "spare", SeveralOf(("B", "C"), label="seat")
        for seat in spared:
            yield f"word.{seat}", Text(50)
        yield "terms", Sheet(terms)
    yield "only", OneOf(("hold",), "aim")


def terms() -> Filling:
    tribute = yield "tribute", OneOf((True, False))
    if tribute:
        yield "price/po", Amount(1, 9)


ORDERS = Sheet(orders)
HOLD = {"aim": "hold", "gold": 0, "rest": 0, "only": "hold"}
TAKE = {
    "aim": "take", "gold": 60, "rest": 40, "spare": ("B",), "word.B": "merci", "only": "hold",
    "terms": {"tribute": True, "price/po": 3},
}  # fmt: skip


def test_a_sheet_is_as_full_as_can_be() -> None:
    form = form_of(ORDERS, WORDS, default=HOLD)
    assert form.complete
    assert sealed(ORDERS, again(form)) == HOLD
    assert not form.notice and not form.faults
    bare = form_of(ORDERS, WORDS)
    assert not bare.complete
    assert [each.name for each in fields_of(bare.items)] == ["a/aim"]
    page = read(rendered(bare, sealed=True))
    assert [button.attrs["value"] for button in page.all("button")] == ["work"]


def test_what_is_proposed_may_follow_from_what_is_offered() -> None:
    """All whom a part offers, whoever they are then; what is sent goes before it."""
    default = {"aim": "take", "gold": 1, "rest": 0, "spare": attrgetter("words")}
    assert field_of(form_of(ORDERS, WORDS, default=default), "a/spare").said == "Sparte, C"
    draft = typed(ORDERS, {**TAKE, "spare": ("B",)}, WORDS)
    assert (
        field_of(form_of(ORDERS, WORDS, draft=draft, default=default), "a/spare").said == "Sparte"
    )


def test_a_sheet_that_is_not_complete_says_what_is_lacking() -> None:
    assert not form_of(ORDERS, WORDS, default=HOLD).lacking
    inside = form_of(ORDERS, WORDS, draft={"a/aim": ["take"]})
    for form, label in ((form_of(ORDERS, WORDS), "Partie aim"), (inside, "Partie tribute")):
        assert form.lacking == say(WORDS, "forms.lacking", what=label)
        assert escape(form.lacking) in rendered(form, sealed=True)


def test_a_part_that_was_not_asked_yet_is_no_error() -> None:
    sent_early = {"a/aim": ["", "take"], "a/gold": ["0"], "a/rest": ["0"], "a/only": ["", "hold"]}
    form = unfinished(ORDERS, sent_early)
    tribute = field_of(form, "a/terms/tribute")
    assert (tribute.error, tribute.note) == ("", say(WORDS, "forms.left"))
    assert form.notice == say(WORDS, "forms.grown")
    asked = unfinished(ORDERS, {**again(form), "a/terms/tribute": [""]})
    assert field_of(asked, "a/terms/tribute").error == say(WORDS, "forms.missing")


def test_a_part_without_choice_is_told() -> None:
    only = field_of(form_of(ORDERS, WORDS, default=HOLD), "a/only")
    assert isinstance(only, Told)
    assert only.said == "tenir"


def test_a_sheet_tells_what_it_leaves_of_its_purse() -> None:
    def fill() -> Filling:
        bread = yield "bread", Amount(0, 4, fact=each_at(3))
        yield "from", OneOf(("B", "C"), "seat", fact={"B": price(2)}.get)
        if bread:
            yield "to", SeveralOf(("B", "C"), fact={"B": price(4), "C": price(1)}.get)

    bought = {"a/bread": "2", "a/from": "B", "a/to": ["", "B", "C"]}
    sheet = Sheet(fill, lambda: Purse("po", 20, due=5))
    for draft, spent, left in (({}, 0, 15), ({"a/bread": "1"}, 3, 12), (bought, 13, 2)):
        purse = form_of(sheet, WORDS, draft=draft).purse
        assert purse is not None
        assert (purse.holds, purse.due, purse.spent, purse.left) == (20, 5, spent, left)
    page = rendered(form_of(sheet, WORDS, draft=bought))
    assert '<output data-left="2">2</output>' in page
    assert 'data-costs="0 3 6 9 12"' in page


def shopping() -> Filling:
    """Bread, each with its place; then salt, then a site; whoever has too little is not asked."""
    budget = 20
    bread = yield "bread", Amount(0, budget // 5, fact=each_at(5))
    budget -= 5 * bread
    for n in range(bread):
        yield f"from.{n}", OneOf(("B", "C"), "seat")
    if budget >= 7:
        budget -= 7 * (yield "salt", Amount(0, budget // 7, fact=each_at(7)))
    if budget >= 4:
        yield "sites", SeveralOf(("ithaca", "sparta"), fact=lambda _: Fact("from", {"price": 4}))


SHOPPING = Sheet(shopping, lambda: Purse("po", 20), proposes=True)


def test_what_is_chosen_and_cannot_be_paid_any_more_is_said_and_kept() -> None:
    drafted = {
        "a/bread": ["3"],
        "a/from.0": ["B"],
        "a/from.1": ["B"],
        "a/from.2": ["B"],
        "a/salt": ["1"],
    }
    for form in (form_of(SHOPPING, WORDS, draft=drafted), unfinished(SHOPPING, drafted)):
        salt = field_of(form, "a/salt")
        assert salt.error == say(WORDS, "forms.unpaid", price=7, left=5)
        assert (salt.typed, salt.least, salt.most, salt.costs) == ("1", 0, 1, ())
        assert not form.complete and form.lacking == say(WORDS, "forms.lacking", what="Partie salt")
        assert [one.name for one in fields_of(form.items)][-2:] == ["a/salt", "a/sites"]
    fewer = form_of(SHOPPING, WORDS, draft={**again(form), "a/bread": ["2"]})
    assert fewer.complete and field_of(fewer, "a/salt").typed == "1"
    given_up = {**again(form), "a/salt": ["0"], "a/sites": [""]}
    assert sealed(SHOPPING, given_up)["bread"] == 3


def test_a_number_leaves_enough_for_what_is_chosen_after_it() -> None:
    drafted = {"a/bread": ["1"], "a/from.0": ["B"], "a/salt": ["1"]}
    bread = field_of(form_of(SHOPPING, WORDS, draft=drafted), "a/bread")
    assert (bread.most, bread.hint) == (2, say(WORDS, "forms.room", most=2))
    assert (
        field_of(form_of(SHOPPING, WORDS, draft={**drafted, "a/salt": ["0"]}), "a/bread").most == 4
    )


def test_what_nothing_is_left_for_is_still_named() -> None:
    form = form_of(
        SHOPPING, WORDS, draft={"a/bread": ["4"], **{f"a/from.{n}": ["B"] for n in range(4)}}
    )
    salt, sites = (field_of(form, name) for name in ("a/salt", "a/sites"))
    assert isinstance(salt, Told) and salt.said == say(WORDS, "forms.unpaid", price=7, left=0)
    assert isinstance(sites, Told) and sites.said == say(WORDS, "forms.unpaid", price=4, left=0)
    assert form.complete and sealed(SHOPPING, again(form))["bread"] == 4


def test_an_empty_sheet_says_so() -> None:
    form = form_of(Sheet(lambda: iter(())), WORDS)  # type: ignore[arg-type,return-value]
    assert form.complete and form.lead
    assert escape(form.lead) in rendered(form)
    assert sealed(Sheet(lambda: iter(())), {}) == {}  # type: ignore[arg-type,return-value]


def test_a_sheet_within_a_sheet_comes_back() -> None:
    posted = typed(ORDERS, TAKE, WORDS)
    assert "a/terms/price%2Fpo" in posted
    assert sealed(ORDERS, posted) == TAKE
    assert sealed(ORDERS, again(form_of(ORDERS, WORDS, draft=posted))) == TAKE
    page = read(rendered(form_of(ORDERS, WORDS, draft=posted)))
    assert "Partie terms" in [legend.said for legend in page.all("legend")]
    assert not faults(page)


def test_what_was_typed_for_parts_that_vanish_is_kept() -> None:
    taken = again(form_of(ORDERS, WORDS, draft=typed(ORDERS, TAKE, WORDS)))
    held = form_of(ORDERS, WORDS, draft={**taken, "a/aim": ["", "hold"]}, default=HOLD)
    assert ("a/word.B", "merci") in held.kept
    assert "a/word.B" not in [each.name for each in fields_of(held.items)]
    back = form_of(ORDERS, WORDS, draft={**again(held), "a/aim": ["", "take"]}, default=HOLD)
    assert field_of(back, "a/word.B").typed == "merci"
    assert field_of(back, "a/terms/price%2Fpo").typed == "3"


def test_what_the_parts_before_forbid_is_said_and_the_rest_goes_on() -> None:
    posted = {**typed(ORDERS, TAKE, WORDS), "a/aim": ["", "hold"]}
    form = unfinished(ORDERS, posted, default=HOLD)
    gold = field_of(form, "a/gold")
    assert gold.typed == "60"
    assert "60" in gold.error and "de 0 à 10" in gold.error
    assert "0" in gold.note
    assert form.faults[0].at == "a/gold"
    assert sealed(ORDERS, {**again(form), "a/gold": ["5"]}) == {**HOLD, "gold": 5, "rest": 40}


def test_only_what_was_seen_is_sealed() -> None:
    posted = {**again(form_of(ORDERS, WORDS, default=HOLD)), "a/aim": ["", "take"]}
    form = unfinished(ORDERS, posted, default=HOLD)
    assert field_of(form, "a/spare").note
    assert form.notice
    value = sealed(ORDERS, {**again(form), "a/terms/tribute": ["", "false"]}, default=HOLD)
    assert value["spare"] == () and value["terms"] == {"tribute": False}


class Judged(Sheet):
    """A sheet that judges the whole, too."""

    def take(self, value: Any) -> dict[str, Any]:
        taken = super().take(value)
        if taken["gold"] == taken["rest"] == 5:
            raise NotAllowed("loot.overspent", rule="AT-5.5", part=5, legal=("4",), in_part="rest")
        if taken["gold"] == 6:
            raise NotAllowed("loot.overspent", rule="AT-5.5", part=6, legal=("5",))
        return taken


def test_the_options_are_the_last_judge() -> None:
    judged = Judged(orders)
    form = unfinished(judged, typed(judged, {**HOLD, "gold": 5, "rest": 5}, WORDS))
    assert "AT-5.5" in field_of(form, "a/rest").error
    assert field_of(form, "a/rest").typed == "5"
    whole = unfinished(judged, typed(judged, {**HOLD, "gold": 6}, WORDS))
    assert "AT-5.5" in whole.notice
    assert sealed(judged, typed(judged, HOLD, WORDS)) == HOLD


def prices() -> Filling:
    yield "way", OneOf(("sea", "land"))
    for number in range(30):
        yield f"price.{number}", Amount(0, 9, 1, "po")
    for seat in ("B", "C"):
        yield f"kind.{seat}", OneOf(("a", "b"))
        yield f"until.{seat}", Amount(0, 5)


def test_a_long_sheet_is_grouped_and_folded_where_nothing_presses() -> None:
    options = Sheet(prices)
    form = form_of(options, WORDS, default={"way": "sea", "kind.B": "a", "kind.C": "b"})
    first, *groups = form.items
    assert isinstance(first, Radios)
    assert all(isinstance(group, Group) for group in groups)
    assert [len(group.items) for group in groups] == [30, 2, 2]  # type: ignore[union-attr]
    assert groups[0].legend == "Partie price.…"  # type: ignore[union-attr]
    assert groups[1].legend == "Sparte"  # type: ignore[union-attr]
    assert not any(group.opened for group in groups)  # type: ignore[union-attr]
    wrong = unfinished(options, {**again(form), "a/price.7": "x"})
    assert [item.opened for item in wrong.items if isinstance(item, Group)] == [True, False, False]
    assert not faults(read(rendered(wrong)))


def test_forms_beside_each_other_keep_apart() -> None:
    one = read(rendered(form_of(ORDERS, WORDS, default=HOLD, named="a1")))
    other = again(form_of(ORDERS, WORDS, default=HOLD, named="a"))
    assert all(name.startswith("a1/") for name in sent(one))
    kept = form_of(ORDERS, WORDS, draft={**other, **sent(one)}, named="a1").kept
    assert not kept


def test_places_of_the_map_are_marked() -> None:
    options = OneOf(("stay", "ithaca"), "order")
    assert not field_of(form_of(options, WORDS)).places
    marked = form_of(options, WORDS, places=("ithaca", "argos"))
    assert "data-places" in rendered(marked)
    assert "data-places" in rendered(form_of(OneOf(("argos", "ithaca"), "place"), WORDS))
    assert "data-places" not in rendered(form_of(OneOf(("take", "hold")), WORDS))


def test_a_draft_holds_what_was_typed_into_the_form_alone() -> None:
    class Post:
        def lists(self) -> Any:
            return [("a/aim", ["", "hold"]), ("key", ["k"]), ("ab", ["x"]), ("a:way", ["x > y"])]

    assert draft_of(Post()) == {"a/aim": ["", "hold"], "a:way": ["x > y"]}


def test_what_the_page_adds() -> None:
    html = rendered(form_of(ORDERS, WORDS, default=HOLD), sealed=True, hidden={"key": 'k"<'})
    posted = sent(read(html))
    assert posted["key"] == ['k"<']
    assert posted["salt"] == [""]
    assert [b.attrs["value"] for b in read(html).all("button")] == ["work", "seal"]


def test_what_was_filled_in_stays_where_a_part_before_it_is_open_again() -> None:
    def fill() -> Filling:
        for cart in ("c1", "c2"):
            if (yield f"to.{cart}", OneOf(("ithaca", "sparta"), "place")) == "sparta":
                yield f"deal.{cart}", OneOf(("take", "hold"), "aim")

    absent = {"to.c1": "ithaca", "to.c2": "ithaca"}
    draft = {"a/to.c1": "sparta", "a/to.c2": "sparta"}
    form = form_of(Sheet(fill), WORDS, draft=draft, default=absent)
    assert [field.name for field in fields_of(form.items)] == ["a/to.c1", "a/deal.c1", "a/to.c2"]
    assert not form.complete and field_of(form, "a/to.c2").said == "Sparte"
    fresh = form_of(Sheet(fill), WORDS, draft={"a/to.c1": "sparta"}, default=absent)
    assert [field.name for field in fields_of(fresh.items)] == ["a/to.c1", "a/deal.c1"]


STANDS = {"A22": "île", "A141": "zèbre", "A9": "zèbre", "F3": "elbe"}
"""Where armies and a fleet stand; sorted by codes they would be in none of these places' order."""


def marches() -> Filling:
    for army in ("A141", "A22", "A9"):
        yield f"move.{army}", OneOf(("stay", "go"), "order")
    yield "move.F3", OneOf(("stay", "go"), "order")
    yield "blockade.F3", OneOf(("none", "port"), "order")
    yield "guard", OneOf(("A22", "A9"), "piece")


def test_parts_about_pieces_go_by_the_names_of_their_places_and_there_by_number() -> None:
    sheet = Sheet(marches, proposes=True, where=lambda part: STANDS.get(part.partition(".")[2], ""))
    told = ["move.F3", "blockade.F3", "move.A22", "move.A9", "move.A141", "guard"]
    form = form_of(sheet, WORDS)
    assert [each.name for each in fields_of(form.items)] == [f"a/{part}" for part in told]
    answer = sealed(sheet, again(form))
    assert list(answer) == [part for part, _ in sheet.quietly()], "what is kept has its own order"
    said = str(dispatch_of(sheet, answer, WORDS))
    assert said.index("A22") < said.index("A9") < said.index("A141")
