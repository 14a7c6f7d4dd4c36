"""Asking in the terminal: one question at a time, by numbers or words, with commands beside them.

Lines are read without any history, so that the arrow keys never show the next player what the
last one typed; a screen that held secrets is wiped, what had scrolled away included.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text as Styled

from polemarque.api.bots import fill
from polemarque.cli.common import bare
from polemarque.kernel.dice import Faces, Roll
from polemarque.kernel.errors import NotAllowed, NotUnderstood, Refusal, harmless
from polemarque.kernel.files.sentence_templates import plainly
from polemarque.kernel.request import OneOf, Options, Path, SeveralOf, Sheet, Text
from polemarque.report.order_forms.told_answers import Speaker, told
from polemarque.report.order_forms.typed_answers import (
    Names,
    cost_of,
    offer,
    purse_told,
    read_answer,
    roll_typed,
)

ASIDES = (
    "help",
    "why",
    "undo",
    "back",
    "save",
    "quit",
    "view",
    "story",
    "absent",
    "always",
    "turn",
    "withdraw",
    "wish",
    "plan",
)
"""What can be typed instead of an answer; the texts ``command.<name>`` hold their words."""

LASTING = {"always", "turn"}
"""Commands that leave an answer in advance: what follows them, or the sheet that is filled."""

ENDING = {"undo", "quit", "absent", "withdraw", "wish", "plan", *LASTING}
"""Commands that end the question, for its caller to carry out."""

WIPE = "\x1b[2J\x1b[3J\x1b[H"


class Left(Exception):
    """The input has ended: nobody is at the terminal any more."""


class Aside(Exception):
    """What is typed instead of an answer and ends a question.

    rest: what was typed after it.   filled: the sheet that it is about, or nothing.
    """

    def __init__(self, name: str, rest: str = "", filled: dict[str, Any] | None = None) -> None:
        super().__init__(name)
        self.name = name
        self.rest = rest
        self.filled = filled


class _Back(Exception):
    """One part of a sheet back."""


class Terminal:
    """A screen and a keyboard."""

    def __init__(self, source: TextIO | None = None, screen: TextIO | None = None) -> None:
        self._source = source or sys.stdin
        if isinstance(self._source, TextIOWrapper):
            self._source.reconfigure(errors="replace")  # odd bytes are a word like any other
        self._screen = bare(screen or sys.stdout)
        self.console = Console(file=self._screen, highlight=False, soft_wrap=True)

    def show(self, text: str = "", style: str = "") -> None:
        """Print one text."""
        self.console.print(Styled(harmless(text), style=style))

    def read(self, prompt: str) -> str:
        """One line.  Raises Left when there is none any more."""
        self.console.print(Styled(harmless(prompt)), end="")
        self._screen.flush()
        line = self._source.readline()
        if not line:
            self.show()
            raise Left
        if not self._source.isatty():
            self.show()
        return line.strip()

    def hide(self) -> None:
        """Wipe the screen and what has scrolled off it."""
        if self._screen.isatty():
            self._screen.write("\n" * self.console.height + WIPE)
            self._screen.flush()
        else:
            self.show("-" * 40)


class Asker:
    """Asks one person after another.

    inform:  carries out a command that only shows something (help, why, view, story, save).
    explain: a refusal in the reader's words.
    """

    def __init__(
        self,
        terminal: Terminal,
        speaker: Speaker,
        inform: Callable[[str, str], None],
        explain: Callable[[Refusal], str],
    ) -> None:
        self.terminal = terminal
        self._speaker = speaker
        self._inform = inform
        self._explain = explain
        self._in_sheet = 0
        self._whole: dict[str, Any] | None = None
        """The sheet that waits to be confirmed."""
        self._commands = {
            plainly(word): name
            for name in ASIDES
            for word in (name, *speaker.say(f"command.{name}").split())
        }

    def ask(self, options: Options) -> Any:
        """A legal answer.  Raises Aside or Left."""
        try:
            return self._one(options)
        except _Back:
            raise Aside("undo") from None

    def dice(self, roll: Roll) -> Faces:
        """Faces of real dice.  Raises Aside or Left."""
        try:
            return self._until(lambda typed: roll_typed(roll, typed), None)  # type: ignore[no-any-return]
        except _Back:
            raise Aside("undo") from None

    def _one(self, options: Options) -> Any:
        if isinstance(options, Sheet):
            return self._sheet(options)
        self._offer(options)
        return self._until(lambda typed: read_answer(options, typed, self._speaker), options)

    def _offer(self, options: Options | None) -> None:
        for line in offer(options, self._speaker) if options is not None else ():
            self.terminal.show(line)

    def _until(
        self,
        read: Callable[[str], Any],
        options: Options | None,
        prompt: str = "> ",
        *,
        empty: bool = False,
    ) -> Any:
        """Read lines until one is understood and legal; `empty`: an empty one may be."""
        while True:
            typed = self.terminal.read(prompt)
            command = self._command(typed, options)
            if not typed and not empty and not isinstance(options, Text):
                self._offer(options)  # a line too many is no answer
                continue
            try:
                if command is None:
                    return read(typed)
                self._carry_out(*command)
            except Refusal as refusal:
                self.terminal.show(self._explain(refusal), "red")

    def command(self, word: str) -> str | None:
        """The command that a word is, in either language, or None."""
        return self._commands.get(plainly(word.removeprefix(":")))

    def _command(self, typed: str, options: Options | None) -> tuple[str, str] | None:
        """A command and what follows it, if the line is one.

        A line that names an option is an answer; in a free text only ``:word`` is a command.
        """
        marked = typed.startswith(":")
        word, _, rest = typed.removeprefix(":").strip().partition(" ")
        name = self.command(word)
        if name is None or (isinstance(options, Text) and not marked):
            return None
        if not marked and self._names_option(typed, options):
            return None
        return name, rest.strip()

    def _names_option(self, typed: str, options: Options | None) -> bool:
        if isinstance(options, (OneOf, SeveralOf)):
            names = Names(options.words, options.label, self._speaker)
            wanted = plainly(typed)
            return any(
                wanted in (plainly(str(word)), plainly(label))
                for word, label in zip(names.words, names.labels, strict=True)
            )
        return isinstance(options, Path) and typed in options.ways

    def _carry_out(self, name: str, rest: str) -> None:
        if name == "back" or (name == "undo" and self._in_sheet and not rest):
            raise _Back
        if name in LASTING and self._in_sheet and self._whole is None:
            raise NotAllowed("ask.sheet", part=rest)
        if name in LASTING and self._whole is not None and rest:
            raise NotUnderstood("ask.lasting", part=rest)
        if name in ENDING:
            raise Aside(name, rest, self._whole)
        self._inform(name, rest)

    # Sheets --------------------------------------------------------------------------------------

    def _sheet(self, sheet: Sheet) -> dict[str, Any]:
        """Fill a sheet part by part, back and forth, and confirm it."""
        kept: list[tuple[Options, Any]] = []
        self._in_sheet += 1
        try:
            while True:
                try:
                    return self._filled(sheet, kept)
                except _Back:
                    if not kept:
                        raise
                    kept.pop()
        finally:
            self._in_sheet -= 1

    def _filled(self, sheet: Sheet, kept: list[tuple[Options, Any]]) -> dict[str, Any]:
        """Fill a sheet, the parts in `kept` as before, and add those that are new."""
        say, name_of = self._speaker.say, self._speaker.part
        done = 0

        def purse() -> None:
            if sheet.purse is not None:
                spent = sum([cost_of(*each) for each in kept])
                self.terminal.show(purse_told(sheet.purse(), spent, self._speaker), "italic")

        def part(name: str, options: Options) -> Any:
            nonlocal done
            done += 1
            if done > len(kept):
                purse()
                self.terminal.show(say("ask.part", number=done, part=name_of(name)), "bold")
                kept.append((options, self._one(options)))
            return kept[done - 1][1]

        filled = fill(sheet, part)
        if len(filled) > 1:
            for name, (options, value) in zip(filled, kept, strict=True):
                said = told(options, value, self._speaker)
                self.terminal.show("  " + say("ask.filled", part=name_of(name), said=said))
            purse()
            self._confirm(filled)
        return filled

    def _confirm(self, filled: dict[str, Any]) -> None:
        """Until a sheet is sent; it can be left in advance, too."""
        self._whole = filled if self._in_sheet == 1 else None  # a part alone is no answer
        try:
            self._until(self._confirmed, None, self._speaker.say("ask.confirm") + " ", empty=True)
        finally:
            self._whole = None

    def _confirmed(self, typed: str) -> bool:
        """Whether a sheet is sent; no goes back one part.  Raises NotUnderstood on other words."""
        yes, no = (plainly(self._speaker.say(f"ask.{word}")).split() for word in ("yes", "no"))
        if plainly(typed) in {"", *yes}:
            return True
        if plainly(typed) in no:
            raise _Back
        raise NotUnderstood("answer.one_of", part=typed, legal=(yes[1], no[1]))
