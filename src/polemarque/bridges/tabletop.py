"""The resolver `tabletop`: the battle is fought with figures, and its result is typed in (PA-2).

Both players fill in the same return sheet, sealed.  Equal sheets are the result; if they differ,
the battle stays open for the umpire, who says which sheet holds or fills in another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Mapping
from typing import Any

import msgspec

from polemarque.api import (
    UMPIRE,
    Amount,
    NotAllowed,
    NotUnderstood,
    OneOf,
    Options,
    Rule,
    Sheet,
    Standing,
    Step,
    System,
    add_system,
    ask_each,
    ask_umpire,
    script,
    tell,
    then,
)
from polemarque.api.battle import (
    FATES,
    Brief,
    BriefLeader,
    BriefUnit,
    Fate,
    Loss,
    Position,
    Report,
    Resolver,
    Side,
    anywhere,
    due_winner,
    fitted,
    register_resolver,
)
from polemarque.bridges.house import DATA, EDITION, HANDED_OVER, guests_of, no_set_up, opened

RESULTS = ("attacker", "defender", "none", "points")
"""Who won: declared by the scenario's own rules, nobody, or to be counted in victory points."""

DECLARED = RESULTS[:-1]
"""The results of a campaign that counts no victory points."""

SPENT = ("no", "yes")

QUARTERS = 4

Parts = Generator[tuple[str, Options], Any, None]


class Form(msgspec.Struct, frozen=True):
    """What a campaign wants to know of its battles.

    results: how a battle may end.   left: whether figures that left the table are counted apart.
    """

    results: tuple[str, ...] = RESULTS
    left: bool = True


FORMS = {"figures": Form(), "stands": Form(DECLARED, left=False)}
"""By `Brief.facts["sheet"]`; a brief that says nothing counts figures.

A unit whose profile says `whole` has no losses of its own: it stands or falls with its side.
"""


class ReturnedSheet(msgspec.Struct, frozen=True):
    """A battle on the table: its brief, the sheets that differed, and the report once it is in."""

    brief: Brief
    sheets: dict[str, dict[str, Any]] = {}
    report: Report | None = None


def blank(brief: Brief) -> dict[str, Any]:
    """The sheet of a battle that cost nothing: the absent player's answer.

    Nobody won it, but where one side has figures and the other, leaders alone, has none.
    """
    due = due_winner(standing(brief))
    filled: dict[str, Any] = {"result": "none" if due is None else RESULTS[due]}
    for side in brief.sides:
        for unit in _countable(side):
            filled[f"killed.{side.seat}.{unit.id}"] = 0
            if form_of_sheet(brief).left:
                filled[f"left.{side.seat}.{unit.id}"] = 0
        for leader in side.leaders:
            filled[f"fate.{side.seat}.{leader.id}"] = "alive"
        for right in _once(side):
            filled[f"spent.{side.seat}.{right}"] = "no"
    return filled


def standing(brief: Brief) -> tuple[int, int]:
    """The figures with which attacker and defender begin."""
    attacker, defender = (sum([unit.figures for unit in side.units]) for side in brief.sides)
    return attacker, defender


def form_of_sheet(brief: Brief) -> Form:
    """What the campaign of a brief wants to know."""
    return FORMS[brief.facts.get("sheet", "figures")]


def _countable(side: Side) -> list[BriefUnit]:
    return [unit for unit in side.units if not unit.profile.get("whole")]


def _once(side: Side) -> tuple[str, ...]:
    return tuple(side.rights.get("once", ()))


def return_sheet(brief: Brief) -> Sheet:
    """The return sheet, to be filled in part by part."""
    return Sheet(lambda: parts(brief))


def parts(brief: Brief) -> Parts:
    """Every unit's losses, every leader's fate, rights spent, the result, and the counts.

    Somebody has won where one side alone has any figure left, and nobody is declared to have won
    with whom nobody at all is left while the other has somebody.  The counts of AT-8.6 (units
    broken, quarters held, standards taken) are asked only where the result is to be counted in
    points.
    """
    form = form_of_sheet(brief)
    ends: list[int] = []
    there: list[bool] = []
    destroyed: set[str] = set()
    for side, left in zip(brief.sides, standing(brief), strict=True):
        for unit in _countable(side):
            name = f"{side.seat}.{unit.id}"
            killed = yield f"killed.{name}", Amount(0, unit.figures, unit="figures")
            left -= killed
            if killed == unit.figures:
                destroyed.add(name)
            if form.left and killed < unit.figures:
                left -= yield f"left.{name}", Amount(0, unit.figures - killed, unit="figures")
        unhurt = 0
        for leader in side.leaders:
            fate = yield f"fate.{side.seat}.{leader.id}", OneOf(FATES, "fate")
            unhurt += fate == "alive"
        for right in _once(side):
            yield f"spent.{side.seat}.{right}", OneOf(SPENT, "spent")
        ends.append(left)
        there.append(left + unhurt > 0)
    result = yield "result", OneOf(_results(form, ends, there), "table_result")
    if result == "points":
        yield from _counts(brief, destroyed)


def _results(form: Form, left: list[int], there: list[bool]) -> tuple[str, ...]:
    """How a battle may have ended: not without winner if one is due, nor won by a side that is
    gone.

    left: figures of attacker and defender.   there: whether a figure or an unhurt leader is.
    """
    attacker, defender = left
    barred = {"none"} if due_winner((attacker, defender)) is not None else set()
    if any(there):
        barred |= {RESULTS[n] for n, anybody in enumerate(there) if not anybody}
    return tuple([result for result in form.results if result not in barred])


def _counts(brief: Brief, destroyed: Collection[str]) -> Parts:
    """What victory points are counted from, side by side; mercenaries are enemies too (AT-1.13).

    destroyed: units whose last figure was killed; there are no two answers about them (AT-8.6).
    """
    quarters = QUARTERS
    for side in brief.sides:
        for unit in _breakable(side):
            name = f"{side.seat}.{unit}"
            yield (
                f"broken.{name}",
                OneOf(("yes",) if name in destroyed else ("no", "yes"), "broken"),
            )
        if quarters:
            quarters -= yield f"quarters.{side.seat}", Amount(0, quarters)
        foe = brief.sides[1] if side is brief.sides[0] else brief.sides[0]
        yield f"standards.{side.seat}", Amount(0, len(_breakable(foe)))
        yield f"army_standard.{side.seat}", OneOf(("no", "yes"), "broken")


def _breakable(side: Side) -> list[str]:
    return [unit.id for unit in (*side.units, *guests_of(side))]


def report_of(brief: Brief, sheet: Mapping[str, Any]) -> Report:
    """The battle report that a return sheet makes; a result by points is left to the campaign."""
    losses, fates, spent = [], [], []
    for side in brief.sides:
        for unit in _countable(side):
            name = f"{side.seat}.{unit.id}"
            losses.append(Loss(name, sheet[f"killed.{name}"], sheet.get(f"left.{name}", 0)))
        for leader in side.leaders:
            name = f"{side.seat}.{leader.id}"
            fates.append(Fate(name, sheet[f"fate.{name}"]))
        names = [f"{side.seat}.{right}" for right in _once(side)]
        spent += [name for name in names if sheet[f"spent.{name}"] == "yes"]
    counts = {name: value for name, value in sheet.items() if name.startswith(COUNTED)}
    winner = {"attacker": 0, "defender": 1}.get(sheet["result"])
    decided = "points" if sheet["result"] == "points" else "declared"
    return Report(
        brief.id, winner, tuple(losses), tuple(fates), tuple(spent),
        {"decided": decided, "counts": counts},
    )  # fmt: skip


COUNTED = ("broken.", "quarters.", "standards.", "army_standard.")
"""How the parts of a sheet begin that victory points are counted from."""


def nobody_won(_: str, sheet: Mapping[str, Any]) -> str:
    """A sheet on which nobody has won is easily sent by mistake."""
    return "nobody" if sheet.get("result") == "none" else ""


@script("PA-2/return_sheet")
def players_return_the_sheet(table: ReturnedSheet) -> Step[ReturnedSheet]:
    """Both players fill in the return sheet; equal sheets are the result."""
    brief = table.brief
    attacker, defender = brief.sides
    sheets = yield from ask_each(
        (attacker.seat, defender.seat), lambda _: return_sheet(brief),
        absent=blank(brief), subject=brief.id, warns=nobody_won, undecided=("result",),
    )  # fmt: skip
    if sheets[attacker.seat] == sheets[defender.seat]:
        sheet = sheets[attacker.seat]
        yield from tell("PA-2", "agreed", place=brief.place, result=sheet["result"])
        return msgspec.structs.replace(table, report=report_of(brief, sheet)), []
    yield from tell("PA-2", "differ", place=brief.place, seats=[attacker.seat, defender.seat])
    return msgspec.structs.replace(table, sheets=sheets), [then(umpire_settles)]


@script("PA-2/umpire", edition="2026-11.2")
def umpire_settles(table: ReturnedSheet) -> Step[ReturnedSheet]:
    """The sheets differ: the umpire says whose holds, fills one in, or has both do it again.

    If the umpire plays, both sides do; without agreement they return their sheets again.
    """
    brief = table.brief
    attacker, defender = brief.sides
    said = yield from ask_umpire(
        lambda _: Sheet(lambda: judgement(brief)), absent={"sheet": "attacker"}, subject=brief.id,
        touches=(attacker.seat, defender.seat), otherwise={"sheet": "again"}, warns=nobody_won,
    )  # fmt: skip
    if said["sheet"] == "again":
        return msgspec.structs.replace(table, sheets={}), [then(players_return_the_sheet)]
    return (yield from settled(table, said)), []


def settled(table: ReturnedSheet, said: Mapping[str, Any]) -> Rule[ReturnedSheet]:
    """The battle by the sheet that the umpire has named or filled in."""
    brief, word = table.brief, said["sheet"]
    attacker, defender = brief.sides
    named = {"attacker": attacker.seat, "defender": defender.seat}.get(word, "")
    sheet = table.sheets.get(named, said)
    yield from tell("PA-2", word, place=brief.place, result=sheet["result"])
    return msgspec.structs.replace(table, report=report_of(brief, sheet))


def judgement(brief: Brief) -> Parts:
    """Whose sheet holds; or a sheet of its own."""
    word = yield "sheet", OneOf(("attacker", "defender", "own", "again"), "table_umpire")
    if word == "own":
        yield from parts(brief)


def adjust(table: ReturnedSheet, name: str, value: Any) -> ReturnedSheet:
    """Declare the `result` without any return sheet: who won, or a whole sheet.

    Where only the winner is said ("attacker", "defender", "none"), nobody has lost anything.
    Raises NotUnderstood or NotAllowed, as the return sheet itself does.
    """
    if name != "result":
        raise NotUnderstood("act.unknown", rule="PA-2", part=name, legal=("result",))
    brief = table.brief
    sheet = value if isinstance(value, dict) else blank(brief) | {"result": OUTRIGHT.take(value)}
    report = report_of(brief, return_sheet(brief).take(sheet))
    return msgspec.structs.replace(table, report=report)


OUTRIGHT = OneOf(("attacker", "defender", "none"), "table_result")
"""Results that need no counts."""


def own_names(
    table: ReturnedSheet, _: str, lang: str, public: Mapping[str, Mapping[str, str]]
) -> dict[str, Mapping[str, str]]:
    """What a sheet calls units and leaders: as the campaign does, and whose they are.

    Of several of one name each has its number, as in the dossier.
    """
    called: dict[str, str] = {}
    for side in table.brief.sides:
        whose = public.get("seat", {}).get(side.seat, side.seat)
        pieces: list[BriefUnit | BriefLeader] = [*side.units, *guests_of(side), *side.leaders]
        borne = Counter(one.name for one in side.units)
        for one in pieces:
            number = f" {one.id}" if one in side.units and borne[one.name] > 1 else ""
            name = f"{one.names.get(lang, one.name)}{number} ({whose})"
            called[f"{side.seat}.{one.id}"] = name
    return dict.fromkeys(("killed", "left", "broken", "fate"), called)


def faults(table: ReturnedSheet) -> list[str]:
    """What is wrong with a battle on the table: a report that does not fit its brief."""
    if table.report is None:
        return []
    try:
        fitted(table.brief, table.report)
    except NotAllowed as refusal:
        return [f"PA-1 {refusal.code} {refusal.part}"]
    return []


def view(table: ReturnedSheet, seat: str) -> dict[str, Any]:
    """The dossier for anyone who may see the battle; the sheets that differ for the umpire alone.

    Others see that there is one: lists may be private (AT-2.3).
    """
    if seat != UMPIRE and not table.brief.seen_by(seat):
        return {"place": table.brief.place}
    seen: dict[str, Any] = {"place": table.brief.place, "brief": table.brief}
    return {**seen, "sheets": table.sheets} if seat == UMPIRE else seen


SYSTEM = add_system(
    System(
        name="tabletop",
        edition="2026-11.2",
        past=(EDITION,),
        titles={"fr": "Bataille sur table", "en": "Tabletop battle"},
        seats=(),
        least=0,
        options=(),
        state=ReturnedSheet,
        setup=ReturnedSheet,
        begin=no_set_up,
        period=lambda _: 1,
        view=view,
        bots=("polemarque.bots.tabletop",),
        standing=lambda table: Standing(table.report is not None),
        data=DATA,
        adjust=adjust,
        faults=faults,
        own_names=own_names,
        playable=False,
    )
)


def open_battle(brief: Brief) -> Position:
    """A battle on the table before any sheet is in: an absent side returns a blank one."""
    return opened(
        brief, SYSTEM, ReturnedSheet(brief), (then(players_return_the_sheet),), HANDED_OVER
    )


TABLETOP = register_resolver(
    Resolver(
        "tabletop",
        open=open_battle,
        report=lambda _, table: table.report,
        system="tabletop",
        grounds=anywhere,
    )
)

# At the end, as it takes over what is written above.
from polemarque.bridges.past.edition_2026_11 import tabletop as _past  # noqa: E402, F401
