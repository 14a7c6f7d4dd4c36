"""A record or an export on trial: played again entry by entry, its dice made once more."""

from __future__ import annotations

from collections.abc import Sequence

from polemarque.kernel.errors import KernelFault, Refusal
from polemarque.kernel.game import Game
from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.records.commitment import Commitment, Committed, Seeds, ShownSeeds
from polemarque.kernel.records.export import Hidden, Part
from polemarque.kernel.records.record import (
    COMMITTED,
    FREE,
    SEEDED,
    TYPED,
    Anchored,
    Answer,
    Cover,
    Entry,
    Header,
    Shown,
    Undo,
    Word,
)
from polemarque.kernel.request import DICE

PROVED, UNSHOWN, FALSE = "proved", "unshown", "false"

VERDICTS = (PROVED, TYPED, FREE, UNSHOWN, FALSE)
"""What can be said of a roll: it follows from its seed; a person typed it; nothing can be checked;
its seed, or what it depended on, is not shown yet; it does not follow from its seed."""

FAULTS = (Refusal, KernelFault, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What playing a record that somebody has altered can end in."""


class Trial:
    """The entries of one record or export, taken one after the other.

    replayed: how many were played again.
    seeds:    those that the reader holds; None for those alone that the entries show.
    linked:   False of an export without chain: the seed of its dice is left out of it.

    Raises, when it begins, what a header is refused for.
    """

    def __init__(
        self, header: Header, parts: Sequence[Part], seeds: Seeds | None = None, *,
        linked: bool = True,
    ) -> None:  # fmt: skip
        self.replayed = 0
        self._game = Game(header)
        self._dice = header.dice
        self._left_out = header.dice == SEEDED and not linked
        self._hidden = False
        """Whether something before was hidden."""
        self._in_step = True
        """Whether the game stands where it stood then, as far as what comes can tell."""
        self._ended = False
        """Whether the game was over when something that is hidden came: nothing may then."""
        self._taken = 0
        self._words = _Words()
        self._false_seeds: list[Shown] = []
        if header.dice == COMMITTED:
            shown = [part for part in parts if isinstance(part, Shown)]
            anchored = [part for part in parts if isinstance(part, Anchored)]
            self._false_seeds = _false_seeds(header, anchored, shown)
            true = [each for each in shown if each not in self._false_seeds]
            self._game.source = Committed(self._game.commitment, seeds or ShownSeeds(true))

    def verdict(self, part: Part) -> str:
        """One of VERDICTS, of a roll or a shown seed; "" of anything else."""
        if isinstance(part, Shown) and part in self._false_seeds:
            return FALSE
        if not isinstance(part, Answer) or part.key.seat != DICE:
            return ""
        if self._dice not in {SEEDED, COMMITTED}:
            return TYPED if self._dice == TYPED else FREE
        if self._left_out or not self._in_step or (self._hidden and not self._asks(part)):
            return UNSHOWN
        _, throw = self._game.runner.find(part.key)
        if not isinstance(throw, RollRequest):
            return FALSE
        rolled = self._game.rolled(throw)
        if not rolled.value:
            return UNSHOWN
        return PROVED if (rolled.value, rolled.by) == (part.value, part.by) else FALSE

    def take(self, part: Part, verdict: str) -> None:
        """Play one more entry, of which that was said.  Raises one of FAULTS if it cannot be."""
        self._taken += 1
        if isinstance(part, (Hidden, Cover)):
            self._ended = self.over
            self._hidden = True
            self._in_step = self._in_step and isinstance(part, Hidden)
            return
        self._words.note(self._taken, part, verdict)
        if self._hidden and isinstance(part, Undo):  # it may take back what is hidden
            self._in_step = False
        if self._in_step:
            self._enter(part)

    def _enter(self, entry: Entry) -> None:
        try:
            self._game.enter(entry)
            self.replayed += 1
        except FAULTS:
            if not self._hidden or self._asks(entry):
                raise
            self._in_step = False

    def _asks(self, entry: Entry) -> bool:
        return isinstance(entry, Answer) and self._game.runner.found(entry.key) is not None

    @property
    def over(self) -> bool:
        """Whether the game has ended, as far as what is shown can tell."""
        return self._ended or (self._game.over and self._in_step)

    def seeds_awaited(self) -> list[str]:
        """The owners ("" the rolls in the open) of seeds that the end of the game is to show."""
        if self._dice != COMMITTED or not self.over:
            return []
        due = self._game.commitment.due(self._game.runner.period, over=True)
        return list(dict.fromkeys([owner for owner, _ in due]))

    def replaced_words(self) -> list[int]:
        """Numbers of the entries among which a replaced word is; empty if there is none."""
        return self._words.replaced()


def _false_seeds(
    header: Header, anchored: Sequence[Anchored], shown: Sequence[Shown]
) -> list[Shown]:
    """The seeds that do not lead back to their anchor, or to an earlier one that does."""
    public = Commitment(header)
    for further in anchored:
        public.anchor(further)
    false = []
    for each in shown:
        try:
            public.check_shown(each, each.period, over=True)
            public.show(each)
        except Refusal:
            false.append(each)
    return false


class _Words:
    """Which seats' words the faces bear out.

    If most of the rolls made with the same words are false, somebody has replaced a word: a few of
    them still come out right by chance.  If most are proved, so are the words.
    """

    def __init__(self) -> None:
        self._given: dict[str, int] = {}
        """seat -> number of the entry in which it gave its word."""
        self._rolls: dict[tuple[int, ...], list[str]] = {}

    def note(self, number: int, entry: Entry, verdict: str) -> None:
        """Take one more entry and what was said of it."""
        if isinstance(entry, Word):
            self._given[entry.seat] = number
        elif isinstance(entry, Answer) and verdict in {PROVED, FALSE}:
            words = tuple(sorted(self._given.values()))
            self._rolls.setdefault(words, []).append(verdict)

    def replaced(self) -> list[int]:
        """Numbers of the entries among which a replaced word is; empty if there is none."""
        sound: set[int] = set()
        for words, verdicts in self._rolls.items():
            if len(verdicts) > 1 and verdicts.count(FALSE) * 2 > len(verdicts):
                return [number for number in words if number not in sound]
            sound.update(words)
        return []
