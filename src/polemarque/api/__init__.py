"""What authors of rule systems, bridges and bots import: every name of the kernel meant for them.

This module holds what nearly every system uses: the words in which rules are written, dice,
questions, events, refusals, the descriptor, tables, and data of a given type.  Its submodules hold
what some need:

``api.adjusting``  what an umpire adjusts, and options that change while a game runs
``api.battle``     battles that a campaign hands over, and resolvers that fight them
``api.boards``     boards of hexes and squares: distances, paths, lines of sight
``api.bots``       what a bot is given, and what it owes
``api.checkers``   checkers of your own kinds of map and list
``api.files``      what is wrong with a data file, with its line
``api.lessons``    notes for beginners beside the questions of a game
``api.maps``       maps of provinces
``api.texts``      the texts that readers are told

``docs/api.md`` lists every name with its signature and an example.  No name is removed and none
changes its meaning before a version says so in CHANGELOG.md; names may be added at any time.  Our
own systems, bridges and bots import nothing else of the kernel and the maps.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import NoReturn

from polemarque.kernel.agenda import (
    PASS,
    Call,
    ClosedForm,
    Item,
    Next,
    Procedure,
    Rule,
    Step,
    again,
    ask,
    ask_each,
    ask_umpire,
    battles,
    call,
    explain,
    item,
    procedure,
    roll,
    script,
    tally,
    tell,
    then,
    window,
    wished,
)
from polemarque.kernel.dice import (
    D3,
    D4,
    D5,
    D6,
    D8,
    D10,
    D100,
    MOST_DICE,
    Reading,
    at_most,
    counts,
    faces,
    total,
    total_and,
)
from polemarque.kernel.errors import KernelFault, NotAllowed, NotUnderstood, Refusal
from polemarque.kernel.events import EVERYBODY, Event, Modifier, Sum, Thrown, bonus
from polemarque.kernel.files.decoding import always, as_read, convert, from_json, from_toml
from polemarque.kernel.files.tables import Matrix, OffTable, Shelf, Table
from polemarque.kernel.option_chances import ChanceOf, MeanOf
from polemarque.kernel.request import (
    QUIET,
    UMPIRE,
    Amount,
    Fact,
    Filling,
    OneOf,
    Options,
    Path,
    Purse,
    Reasoned,
    SeveralOf,
    Sheet,
    Text,
    each_at,
    price,
    sheet_parts,
)
from polemarque.kernel.system import (
    Chances,
    Choice,
    Count,
    Inputs,
    Part,
    Premise,
    Question,
    Rulebook,
    Standing,
    System,
    Wishes,
    add_system,
    any_order,
    by_place,
    find_system,
    system_names,
)

__all__ = [
    # the language of rules
    "script",
    "procedure",
    "Rule",
    "Step",
    "Next",
    "Item",
    "then",
    "item",
    "Procedure",
    "ask",
    "ask_each",
    "ask_umpire",
    "window",
    "wished",
    "PASS",
    "roll",
    "call",
    "Call",
    "ClosedForm",
    "again",
    "tell",
    "explain",
    "tally",
    "battles",
    # dice
    "D3",
    "D4",
    "D5",
    "D6",
    "D8",
    "D10",
    "D100",
    "MOST_DICE",
    "Reading",
    "total",
    "faces",
    "at_most",
    "counts",
    "total_and",
    # questions
    "UMPIRE",
    "QUIET",
    "Options",
    "Fact",
    "ChanceOf",
    "MeanOf",
    "price",
    "each_at",
    "Purse",
    "OneOf",
    "Reasoned",
    "SeveralOf",
    "Amount",
    "Path",
    "Text",
    "Sheet",
    "sheet_parts",
    "Filling",
    # events
    "EVERYBODY",
    "Event",
    "Modifier",
    "Sum",
    "Thrown",
    "bonus",
    # refusals
    "Refusal",
    "NotUnderstood",
    "NotAllowed",
    "KernelFault",
    # the descriptor
    "System",
    "Rulebook",
    "Choice",
    "Standing",
    "by_place",
    "Wishes",
    "Question",
    "Count",
    "Inputs",
    "Part",
    "Premise",
    "Chances",
    "any_order",
    "add_system",
    "find_system",
    "system_names",
    # tables
    "Shelf",
    "Table",
    "Matrix",
    "OffTable",
    # data of a given type
    "always",
    "as_read",
    "convert",
    "from_json",
    "from_toml",
]

SUBMODULES = (
    "adjusting",
    "battle",
    "boards",
    "bots",
    "checkers",
    "files",
    "lessons",
    "maps",
    "texts",
)


def __getattr__(name: str) -> NoReturn:
    """Say what would be right where a name is asked for that is not here."""
    # An import statement asks through the import machinery, and shows an ImportError alone.
    importing = sys._getframe(1).f_globals.get("__name__") == "importlib._bootstrap"
    if name.startswith("__") or name in SUBMODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    said = f"polemarque.api has no {name!r}{_advice(name)}"
    raise ImportError(said, name=__name__) if importing else AttributeError(said)


def _advice(name: str) -> str:
    """Where the name is, or which names are like it."""
    from difflib import get_close_matches

    where = {"api": __all__}
    for each in SUBMODULES:
        where[f"api.{each}"] = import_module(f"{__name__}.{each}").__all__
    homes = [home for home, names in where.items() if name in names]
    if homes:
        return f": import it from polemarque.{homes[0]}"
    places = {f"{home}.{known}": known for home, names in where.items() for known in names}
    folded = {known.casefold() for known in places.values()}
    near = get_close_matches(name.casefold(), sorted(folded), 5)
    alike = [place for place, known in places.items() if known.casefold() in near]
    return f"; names like it: {', '.join(alike)}" if alike else "; docs/api.md lists all names"
