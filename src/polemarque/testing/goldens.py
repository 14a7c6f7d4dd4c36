"""Golden playthroughs: what a system does today, kept in files that people can read.

One short game for each scenario, told in codes rather than in words: every request with its options
in short, every answer, every roll, every event, and where a period ends what each seat sees.
Whatever changes there is a change of what the rules do.

``python -m polemarque.testing.goldens SYSTEM FOLDER`` writes those of a system again, to be read
before a commit; `polemarque.testing.golden_tests` compares them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from polemarque.api.bots import fill
from polemarque.bots.play import play_game
from polemarque.kernel.dice import Counts
from polemarque.kernel.errors import Refusal
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game, new_header, opening
from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.position import encode
from polemarque.kernel.records.record import Answer, Entry
from polemarque.kernel.request import Amount, OneOf, Request, SeveralOf, Sheet, Text
from polemarque.kernel.request import Path as Way
from polemarque.kernel.system import TURN_LIMIT, System, find_system

LIMITS = {TURN_LIMIT: 3, "years": 1}
"""Options that end a game soon, where the rules set no end."""

ENOUGH, A_SEAT = 46_000, 3_000
"""A playthrough that has come to so many characters ends, with room for each seat's view."""

MANY, LONG = 5, 220
"""Options are listed up to so many; a value is given whole up to so many characters."""


def files_of(systems: Sequence[System], folder: Path) -> dict[Path, tuple[str, str]]:
    """Where each playthrough is kept -> its system and its scenario, "" where it has none."""
    return {
        folder / ("-".join(filter(None, (system.name, scenario))) + ".txt"): (system.name, scenario)
        for system in systems
        for scenario in system.scenarios or ("",)
    }


def write(systems: Sequence[System], folder: Path) -> Iterator[str]:
    """Write all of them, remove those of what is no more; a line for each, * where it changed."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = files_of(systems, folder)
    for path in sorted(folder.glob("*.txt")):
        if path not in wanted:
            path.unlink()
            yield f"- {path.name}"
    for path, each in wanted.items():
        told = playthrough(*each)
        changed = not path.exists() or path.read_text(encoding="utf-8") != told
        path.write_text(told, encoding="utf-8", newline="\n")
        yield f"{'*' if changed else ' '} {path.name} ({len(told.encode())} bytes)"


def tests_of(systems: Sequence[System], folder: Path) -> type[Any]:
    """See `polemarque.testing.golden_tests`."""
    import pytest

    kept = files_of(systems, folder)
    anew = f"python -m {__spec__.name} {' '.join(each.name for each in systems)} {folder}"

    class TestGoldens:
        """What the rules do is what is kept."""

        def test_every_scenario_has_one_and_there_are_no_others(self) -> None:
            assert {*folder.glob("*.txt")} == {*kept}, f"write them: {anew}"

        @pytest.mark.parametrize("path", kept, ids=[path.stem for path in kept])
        def test_it_is_what_the_rules_still_do(self, path: Path) -> None:
            told = path.read_text(encoding="utf-8")
            assert told == playthrough(*kept[path]), f"read the difference, then: {anew}"

    return TestGoldens


def playthrough(system: str, scenario: str) -> str:
    """Play it, and tell it."""
    known = {choice.name for choice in find_system(system).options}
    options = {name: n for name, n in LIMITS.items() if name in known}
    seed = "-".join(filter(None, ("golden", system, scenario)))
    header = new_header(system, scenario=scenario, seed=seed, options=options)
    second = "steady" if scenario == next(iter(find_system(system).scenarios), "") else "random"
    bots = {seat: second if n == 1 else "steady" for n, seat in enumerate(header.seats)}
    scribe = Scribe()
    game = Game(header, publish=scribe.event)
    scribe.begin(game, scenario, bots)
    enough = ENOUGH - A_SEAT * len(header.seats)
    play_game(game, bots, stop=lambda _: scribe.length > enough)
    scribe.end()
    return "".join(f"{line}\n" for line in scribe.lines)


class Scribe:
    """Writes down what happens, as it happens."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.length = 0
        self.period = 0
        self.early: list[Event] = []
        """Told while the game was being made."""
        self.game: Game | None = None
        self.asked: Request | None = None
        self.seen: dict[str, Any] = {}

    def say(self, line: str) -> None:
        """One more line."""
        self.lines.append(line.rstrip())
        self.length += len(line) + 1

    def begin(self, game: Game, scenario: str, bots: dict[str, str]) -> None:
        """The head, and what everybody sees before anything is answered."""
        header = game.header
        played = ", ".join(f"{seat} {name}" for seat, name in bots.items())
        options = ", ".join(f"{name} {value}" for name, value in header.options.items())
        self.say(f"{header.system} {scenario} · edition {header.edition} · seed {header.seed}")
        self.say(f"seats: {played}")
        self.say(f"options: {options}")
        self.say(
            "ask: rule, seat, subject, options · roll: dice and why · *: event, who may see it"
        )
        self.say("views: what has changed since the views before (the first: since the opening)")
        self.game, game.journal = game, self.entry
        self.period = game.runner.period
        first = opening(header).state
        self.seen = {seat: _plain(game.system.view(first, seat)) for seat in header.seats}
        self.say(f"\n== period {self.period}\n")
        for event in self.early:
            self.event(event)

    def end(self) -> None:
        """How it stands."""
        game = self.game
        assert game is not None
        self.views("at the end" if game.over else "where this playthrough stops")
        standing = game.system.standing(game.state)
        winners = ", ".join(standing.winners) or "nobody"
        self.say(f"\n{'over' if game.over else 'not over'} · winners: {winners} · ranking: "
                 f"{', '.join(standing.ranking)}")  # fmt: skip
        self.say(f"{len(game.entries)} entries · {game.digest}")

    # Questions and answers -----------------------------------------------------------------------

    def entry(self, entry: Entry) -> None:
        """An entry of the record, while what it answers is still open."""
        assert self.game is not None
        assert isinstance(entry, Answer)
        key = entry.key
        _, pending = self.game.runner.find(key)
        if isinstance(pending, RollRequest):
            roll = pending.roll
            whom = f" for {' '.join(roll.whom)}" if roll.whom else ""
            hidden = f" seen by {roll.owner}" if roll.owner else ""
            fell = _faces(entry.value)
            self.say(f"roll {_where(key.path)}{key.rule} {roll.count}D{roll.sides}"
                     f" {roll.why}{whom}{hidden}: {fell}")  # fmt: skip
            return
        if pending is not self.asked:
            self.asked = pending
            sealed = ", sealed" if pending.sealed else ""
            subject = f" · {key.subject}" if key.subject else ""
            self.say(f"ask {_where(key.path)}{key.rule}"
                     f" {' '.join(pending.seats)}{sealed}{subject}")  # fmt: skip
        self.answer(key.seat, pending.options(key.seat), entry)

    def answer(self, seat: str, options: Any, entry: Answer) -> None:
        """What a seat answers, out of what."""
        by = f" ({entry.by})" if entry.by else ""
        if not isinstance(options, Sheet):
            self.say(f"  {seat}{by}: {_short(entry.value)}   of {_options(options)}")
            return
        self.say(f"  {seat}{by}:" + ("" if entry.value else " nothing to fill in"))

        before = ""

        def told(part: str, inner: Any) -> Any:
            nonlocal before
            value, legal = entry.value[part], _options(inner)
            self.say(f"    {part}: {_short(value)}" + ("" if legal == before else f"   of {legal}"))
            before = legal
            return value

        fill(options, told)

    # Events --------------------------------------------------------------------------------------

    def event(self, event: Event) -> None:
        """What happened."""
        if self.game is None:
            self.early.append(event)
            return
        if not event.path and event.period != self.period:
            self.views(f"as period {self.period} ends")
            self.period = event.period
            self.say(f"\n== period {self.period}\n")
        facts = " ".join(f"{name}={_short(value)}" for name, value in event.data.items())
        whom = "" if event.audience is None else f"  -> {' '.join(event.audience) or 'umpire'}"
        self.say(f"* {_where(event.path)}{event.rule} {event.kind} {facts}".rstrip() + whom)
        if event.modifiers:
            parts = [f"{m.amount:+d} {m.reason} {m.rule}" for m in event.modifiers]
            self.say(f"    {', '.join(parts)}")
        if event.dice:
            self.say(f"    {', '.join(f'{d.why} {_faces(d.faces)}' for d in event.dice)}")

    # Views ---------------------------------------------------------------------------------------

    def views(self, when: str) -> None:
        """What every seat sees, as far as it is new: first what all see alike."""
        game = self.game
        assert game is not None
        fresh = {seat: _plain(game.view(seat)) for seat in game.header.seats}
        lines = {seat: list(_changes("", self.seen[seat], view)) for seat, view in fresh.items()}
        self.seen = fresh
        common = set.intersection(*map(set, lines.values()))
        self.say(f"\nviews {when}")
        for line in next(iter(lines.values())):
            if line in common:
                self.say(f"  all  {line}")
        for seat, own in lines.items():
            for line in own:
                if line not in common:
                    self.say(f"  {seat}  {line}")


def _plain(value: Any) -> Any:
    return msgspec.json.decode(encode(value))


def _where(path: str) -> str:
    return f"[{path}] " if path else ""


def _faces(fell: Any) -> str:
    if isinstance(fell, Counts):
        return "/".join(map(str, fell.of))
    return " ".join(map(str, fell))


def _short(value: Any) -> str:
    """A value on one line, without the quotes that JSON needs and people do not."""
    value = _plain(value)
    if isinstance(value, str):
        return value if value and " " not in value else f'"{value}"'
    if isinstance(value, list):
        return "[" + ", ".join(map(_short, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_short(part)}" for name, part in value.items()) + "}"
    return {None: "none", True: "yes", False: "no"}.get(value, str(value)) if (
        value is None or isinstance(value, bool)
    ) else str(value)  # fmt: skip


def _options(options: Any) -> str:
    """What could be answered, in short."""
    if isinstance(options, Amount):
        step = f" by {options.step}" if options.step > 1 else ""
        return f"{options.least}..{options.most}{step} {options.unit}".rstrip()
    if isinstance(options, OneOf):
        return _some(options.words)
    if isinstance(options, SeveralOf):
        most = len(options.words) if options.most is None else options.most
        return f"{options.least}..{most} of {_some(options.words)}"
    if isinstance(options, Way):
        return "ways to " + _some([*options.ways, *(["(stay)"] if options.stay else [])])
    return f"text up to {options.most}" if isinstance(options, Text) else type(options).__name__


def _some(words: Any) -> str:
    shown = [_short(word) for word in words]
    more = f" … {len(shown)}" if len(shown) > MANY else ""
    return ("|".join(shown[:MANY]) or "nothing") + more


def _changes(place: str, before: Any, after: Any) -> Iterator[str]:
    """What differs between two views, as lines; what is short is given whole.

    A long list of words is cut, so two that begin alike are told by their number only.
    """
    if before == after:
        return
    whole = _short(after)
    steps: list[Any] = []
    if isinstance(after, dict) and (len(whole) > LONG or isinstance(before, dict)):
        was = before if isinstance(before, dict) else {}
        steps = [(name, was.get(name), after.get(name)) for name in dict.fromkeys((*was, *after))]
    elif isinstance(after, list) and len(whole) > LONG and all(map(_is_word, after)):
        whole = f"[{', '.join(map(_short, after[:MANY]))} … {len(after)}]"
    elif isinstance(after, list) and len(whole) > LONG:
        old = before if isinstance(before, list) else []
        steps = [(n, _at(old, n), _at(after, n)) for n in range(max(len(old), len(after)))]
    if not steps:
        yield f"{place}: {whole}"
    for name, then, now in steps:
        yield from _changes(f"{place}.{name}" if place else str(name), then, now)


def _is_word(value: Any) -> bool:
    return not isinstance(value, (list, dict))


def _at(values: list[Any], number: int) -> Any:
    return values[number] if number < len(values) else None


def main(words: Sequence[str]) -> None:
    """Write the playthroughs of the systems that are named into the folder named last."""
    try:
        systems = [find_system(name) for name in words[:-1]]
    except Refusal as refusal:
        sys.exit(f"{refusal}")
    if not systems:
        sys.exit(f"python -m {__spec__.name} SYSTEM … FOLDER")
    for line in write(systems, Path(words[-1])):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
