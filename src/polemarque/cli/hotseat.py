"""A game at one machine: people by turns, bots between them, secrets hidden from the next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from polemarque.bots.play import play_game
from polemarque.cli.prompts import LASTING, Aside, Asker, Terminal
from polemarque.cli.records import give_words, keep_receipt, last_answer
from polemarque.cli.seating import Seating
from polemarque.kernel.beginner_notes import lesson_of, note_of, preface_of
from polemarque.kernel.dice import Faces, Roll
from polemarque.kernel.errors import NotAllowed, Refusal
from polemarque.kernel.events import Event
from polemarque.kernel.files.sentence_templates import plainly
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import Answer, Leave
from polemarque.kernel.rehearsal import Planned, Rehearsal, Step, moment, planned_by
from polemarque.kernel.request import UMPIRE, Key, Options, Request, SeveralOf
from polemarque.kernel.run import Runner
from polemarque.kernel.standing_orders import means, withdrawal
from polemarque.report.documents.writers import write
from polemarque.report.game_words import Words
from polemarque.report.order_forms.rest_of_turn import conditions_of, planned
from polemarque.report.order_forms.told_answers import read_over
from polemarque.report.order_forms.typed_answers import read_answer, whole
from polemarque.report.pictures import BoardTold, board_told
from polemarque.report.sheets import has_sheets, sheets


class HotSeat:
    """One game, the people around it, and the machine they hand on.

    told:  the events of the game as it stands, which the game keeps.
    where: where the game is kept, to say so.
    typed: whether people type the dice.
    """

    def __init__(
        self, game: Game, seating: Seating, terminal: Terminal, words: Words,
        *, told: list[Event], where: str, typed: bool,
    ) -> None:  # fmt: skip
        self.game = game
        self.seating = seating
        self.terminal = terminal
        self.words = words
        self.told = told
        self.where = where
        self.asker = Asker(terminal, words, self._inform, words.refusal)
        self._several = len(set(seating.people.values()) - {seating.people.get(UMPIRE)}) > 1
        self._at = ""
        """The person at the machine."""
        self._read: dict[str, int] = {}
        """How many of the events each person has been told."""
        self._asking = Key(0, "", "", "")
        """The question that is put, for help."""
        self._shown: dict[tuple[str, str], tuple[str, int]] = {}
        """By person and path, the board that was shown last, and in which period."""
        self._lesson = lesson_of(game.header.setup)
        if typed:
            game.source = self

    def welcome(self) -> None:
        """Where the game is kept, and, before its first answer, what it is about."""
        self.terminal.show(self.words.say("play.welcome", file=self.where))
        if not self.game.effective:
            for paragraph in preface_of(self.game.header.setup, self.words.lang):
                self.terminal.show()
                self.terminal.show(paragraph)
            self.terminal.show()

    def play(self) -> None:
        """Play until the game is over.  Raises Aside("quit"), Left or KeyboardInterrupt."""
        if self.game.chains is not None:
            self._words_for_dice()
        while True:
            try:
                play_game(self.game, self.seating.bots, umpire=not self.seating.people)
                if self.game.over:
                    return
                self._ask(*self._next())
            except Aside as aside:
                self._command(aside)

    def _words_for_dice(self) -> None:
        """Everybody at the table gives a word for committed dice; programs give random ones."""
        game, typed = self.game, {}
        umpire = game.header.umpire
        for seat in sorted(game.header.seats, key=lambda seat: seat != umpire):
            if seat not in game.commitment.words and seat in self.seating.people:
                self._hand_to(self._person(seat))
                name = self.words.label("seat", seat)
                typed[seat] = self.terminal.read(self.words.say("play.word", seat=name) + " ")[:100]
        give_words(game, typed)

    # Questions ---------------------------------------------------------------------------------

    def _next(self) -> tuple[Request, str]:
        """The next question and who is asked: the one who answered last before all others.

        That is read off the record, so that a resumed game goes on in the same order.
        """
        asked = [
            (request, seat)
            for request in self.game.requests()
            for seat in request.missing
            if seat not in self.seating.bots
        ]
        last = self._last_person()
        here = [each for each in asked if self._person(each[1]) == last]
        return (here or asked)[0]

    def _last_person(self) -> str:
        """Who gave the last answer that stands."""
        for entry in reversed(self.game.effective):
            if isinstance(entry, Answer) and entry.key.seat in self.seating.people:
                return self._person(entry.key.seat)
        return ""

    def _person(self, seat: str) -> str:
        """Who answers for a seat: the umpire for one that nobody holds."""
        people = self.seating.people
        return people.get(seat) or people.get(UMPIRE, seat)

    def _ask(self, request: Request, seat: str) -> None:
        key = request.keys[seat]
        self._hand_to(self._person(seat))
        self.words.turn_to(self.game, key)
        self._news()
        self._board(key, seat)
        self._asking = key
        self._head(key, seat)
        options = request.options(seat)
        try:
            value = self._typed(options)
            if not self._meant(request, seat, value):
                return
            self._answer(request, seat, value)
        except Aside as aside:
            self._tried(aside, request, seat)
        except Refusal as refusal:
            self.terminal.show(self.words.refusal(refusal), "red")

    def _typed(self, options: Options) -> Any:
        """What is answered; a sheet is read over."""
        value = self.asker.ask(options)
        for line in read_over(options, value, self.words):
            self.terminal.show(line, "bold")
        return value

    def _answer(self, request: Request, seat: str, value: Any) -> None:
        """Give an answer; its receipt, if it is sealed and dice are committed."""
        self.game.answer(seat, value, request.keys[seat])
        if request.sealed and self.game.chains is not None:
            self._receipt()

    def _meant(self, request: Request, seat: str, value: Any) -> bool:
        """Ask once more where an answer may hurt; whether it is meant.  Anything but yes is no."""
        warning = self.words.warning(request.rule, request.warning(seat, value))
        if not warning:
            return True
        self.terminal.show(warning, "bold")
        yes = self.words.say("ask.true")
        typed = self.terminal.read(self.words.say("play.sure", yes=yes) + " ")
        return plainly(typed) in {plainly(yes), plainly(yes[0])}

    def _receipt(self) -> None:
        """A player who has sealed an answer keeps what proves it later."""
        sealed = self.game.entries[-1]
        assert isinstance(sealed, Answer)
        kept = keep_receipt(Path(self.where), self.game, sealed)
        self.terminal.show(self.words.say("play.receipt", file=str(kept)), "green")

    def _head(self, key: Key, seat: str) -> None:
        """Who is asked what, under which rule."""
        name, label = self._person(seat), self.words.label("seat", seat)
        who = name if name == label else f"{name} ({label})"
        opening = not key.path and self.game.system.opening(self.game.state)
        self.terminal.show()
        self.terminal.show(self.words.head(who, key, 0 if opening else key.period), "bold cyan")
        question = self.words.question(key)
        if question:
            self.terminal.show(question, "bold")
        note = self._note(key)
        if note:
            self.terminal.show(note, "green")

    def _note(self, key: Key) -> str:
        """What the set-up's lesson says beside a question; "" if nothing."""
        if not self._lesson:
            return ""
        answered = [entry.key for entry in self.game.effective if isinstance(entry, Answer)]
        note = note_of(self._lesson, key, answered)
        return self.words.say("play.note", text=note.printed(self.words.lang)) if note else ""

    def _hand_to(self, person: str) -> None:
        """Hide what the last one saw before the next one sits down."""
        if person == self._at:
            return
        if self._several or self._at:
            self.terminal.hide()
            self._wait_for(person)
        self._at = person

    def _wait_for(self, person: str) -> None:
        """Until `person` is there; the one before may still take an answer back."""
        while True:
            typed = self.terminal.read(self.words.say("play.hand_over", name=person) + " ")
            name, _, rest = typed.partition(" ")
            command = self.asker.command(name)
            if command == "quit":
                raise Aside("quit")
            if command == "undo":
                raise Aside("undo", rest)
            if not typed:
                return

    def throw(self, roll: Roll, where: Any, decision: Any) -> Faces:
        """Dice that fell on the table, as somebody types them (see `dice.Source`)."""
        if roll.owner and self.seating.people.get(roll.owner):
            self._hand_to(self._person(roll.owner))
            self._news()
        self._asking = where
        self.words.turn_to(self.game, where)
        say = self.words.say
        self.terminal.show()
        whom = [self.words.whose("seat", name) or name for name in roll.whom]
        self.terminal.show(
            say(
                "play.dice", rule=where.rule, title=self.words.title(where.rule),
                count=roll.count, sides=roll.sides, why=self.words.roll(roll), whom=whom,
            ),
            "bold cyan",
        )  # fmt: skip
        return self.asker.dice(roll)

    # Commands ----------------------------------------------------------------------------------

    def _tried(self, aside: Aside, request: Request, seat: str) -> None:
        """Carry out a command that ended a question; those of the whole game go further up."""
        try:
            if not self._about(aside, request, seat):
                raise aside
        except Refusal as refusal:
            self.terminal.show(self.words.refusal(refusal), "red")

    def _about(self, aside: Aside, request: Request, seat: str) -> bool:
        """Carry out a command that concerns the open question; whether it was one."""
        key = request.keys[seat]
        if aside.name == "absent":
            self.game.enter(Answer(key, request.absent(seat), "absent"))
        elif aside.name in LASTING:
            self._leave(aside, request, seat)
        elif aside.name == "withdraw":
            for left in [left for left in self.game.standing_orders if left.seat == seat]:
                self.game.enter(withdrawal(left))
        elif aside.name == "wish":
            self._wish(seat, aside.rest)
        elif aside.name == "plan":
            self._plan(seat)
        elif aside.name == "undo" and not aside.rest:
            self._undo(seat)
        else:
            return False
        return True

    def _plan(self, seat: str) -> None:
        """Answer the questions of this turn in advance, one after another as they will come.

        Nothing is answered before all are, or until the command is typed once more.  What an
        earlier plan has left stands, but is no answer to what is asked now.
        """
        game, say, plan = self.game, self.words.say, list[Planned]()
        begin = moment(game, seat)
        now = [request.keys[seat] for request in game.requests(seat)]
        left = [each for each in planned_by(game, seat) if not any(means(each, k) for k in now)]
        self.terminal.show(say("play.planning" if begin else "play.no_plan"), "green")
        while begin is not None:
            rehearsal = Rehearsal(game, seat, begin, plan, left=left)
            step, request = rehearsal.open, rehearsal.request
            if step is None or request is None:
                return self._left(rehearsal)
            try:
                answer = self._planned(rehearsal, step, request)
                plan += [] if answer is None else [answer]
            except Aside as aside:
                if aside.name == "plan":
                    return self._left(rehearsal)
                if aside.name != "undo" or not plan:
                    raise
                plan.pop()
        return None

    def _planned(self, rehearsal: Rehearsal, step: Step, request: Request) -> Planned | None:
        """The answer to a question to come, and when it holds; None if it is not meant."""
        key, options, words = step.key, request.options(step.key.seat), self.words
        words.turn_to(rehearsal.game, key)
        if step.premise:
            self.terminal.show()
            self.terminal.show(words.label("premise", step.premise), "bold cyan")
        self._asking = key
        self._head(key, key.seat)
        value = self._typed(options)
        if not self._meant(request, key.seat, value):
            return None
        if any(each.keys[key.seat] == key for each in self.game.requests(key.seat)):
            return Planned(key, value)
        beside = {}
        for at, choices in conditions_of(step):
            self.terminal.show(words.part(at[0]), "bold")
            beside[at] = self.asker.ask(choices)
        return planned(step, value, beside)

    def _left(self, rehearsal: Rehearsal) -> None:
        """Give the first answer of a plan if it is asked for now, and leave the others.

        Of an earlier plan nothing is lost where this one answers nothing.
        """
        game, seat, ahead = self.game, rehearsal.seat, rehearsal.answered
        asked = {request.keys[seat]: request for request in game.requests(seat)}
        if ahead and ahead[0].key in asked:
            first, *ahead = ahead
            assert first.planned is not None
            self._answer(asked[first.key], seat, first.planned.value)
        if rehearsal.answered:
            rehearsal.leave(game, ahead)
        self.terminal.show(self.words.say("play.planned", n=len(planned_by(game, seat))), "green")

    def _leave(self, aside: Aside, request: Request, seat: str) -> None:
        """Leave an answer in advance, for good or for this period, unless something is at stake."""
        key, options = request.keys[seat], request.options(seat)
        if request.ask.once:
            raise NotAllowed("leave.once", rule=key.rule, part=seat)
        unless: tuple[str, ...] = ()
        if aside.filled is not None:
            value = options.take(aside.filled)
        else:
            typed, unless = self._unless(aside.rest, key)
            value = read_answer(options, typed, self.words)
        until = key.outer_period if aside.name == "turn" else 0
        self.game.enter(Leave(seat, key.rule, value, key.subject, until, unless))

    def _wish(self, seat: str, typed: str) -> None:
        """Leave a wish by its number, or list what the seat can wish for."""
        game, say = self.game, self.words.say
        stand = [(left.rule, left.subject) for left in game.standing_orders if left.seat == seat]
        offered = [
            (rule, word) for rule, found in game.wishes(seat).items() for word in found.words
        ]
        self.words.turn_to_seat(game, seat)
        number = whole(typed) or 0
        if 1 <= number <= len(offered):
            game.wish(seat, *offered[number - 1])
            self.terminal.show(say("play.wished"), "green")
            return
        for n, (rule, word) in enumerate(offered, 1):
            said = self.words.label("wish", word)
            self.terminal.show(say("play.wish", n=n, said=said, stands=(rule, word) in stand))
        self.terminal.show(say("play.wishes", count=len(offered)))

    def _unless(self, typed: str, key: Key) -> tuple[str, tuple[str, ...]]:
        """What is answered, and what must not be at stake: words behind "unless".

        Raises NotUnderstood on a stake that this system does not know.
        """
        known = self.game.system_at(key.path).stakes
        answer, found, stakes = f" {typed}".rpartition(f" {self.words.say('ask.unless')} ")
        if not known or not found:
            return typed, ()
        offered = SeveralOf(known, label="stake")
        return answer.strip(), read_answer(offered, stakes, self.words)

    def _command(self, aside: Aside) -> None:
        """A command outside any question: a die is awaited, or the machine is handed over."""
        if aside.name == "undo":
            last = last_answer(self.game)
            seat = aside.rest or (last.key.seat if last else "")
            try:
                self._undo(seat)
            except Refusal as refusal:
                self.terminal.show(self.words.refusal(refusal), "red")
        elif aside.name == "quit":
            raise aside
        else:
            late = NotAllowed("ask.not_now", part=aside.name)
            self.terminal.show(self.words.refusal(late), "red")

    def _undo(self, seat: str) -> None:
        """Take back the last answer of a seat, and what it told; a standing answer is revoked."""
        if seat in self.seating.bots:
            raise NotAllowed("undo.bot", part=seat)
        self.game.undo(seat)
        self._read = {who: min(n, len(self.told)) for who, n in self._read.items()}
        self.terminal.show(self.words.say("play.undone"), "green")

    def _inform(self, name: str, rest: str) -> None:
        """Commands that only show something."""
        if name == "help":
            self._help()
        elif name == "save":
            self.terminal.show(self.words.say("play.saved", file=self.where), "green")
        elif name == "view":
            self._show_view()
        elif name == "story":
            self._tell(self._seen(self._at), self.words.say("play.no_news"))
        elif name == "why":
            shown = [e for e in self._seen(self._at) if e.dice or e.modifiers]
            wanted = shown[-(whole(rest) or 1) :]
            lines = [line for event in wanted for line in self.words.reasons(event)]
            for line in lines or [self.words.say("play.no_reason")]:
                self.terminal.show(line)

    def _help(self) -> None:
        rule = self._asking.rule
        title, text = self.words.title(rule), self.words.rule_text(rule)
        self.terminal.show(f"{rule} · {title}" if title else rule, "bold")
        if text:
            self.terminal.show(text)
        self.terminal.show(self.words.say("play.commands"))
        stakes = self.game.system_at(self._asking.path).stakes
        if stakes:
            labels = [self.words.label("stake", one) for one in stakes]
            self.terminal.show(self.words.say("play.stakes", stakes=labels))

    def _board(self, key: Key, seat: str) -> None:
        """The board that a question is about, if it has changed; all of it once a turn."""
        runner, _ = self.game.runner.find(key)
        told = self._told_board(runner, seat)
        if told is None:
            return
        last, when = self._shown.get((self._at, runner.path), ("", -1))
        if told.board != last:
            self.terminal.show()
            self.terminal.show(told.board)
        if key.period != when and told.rest:
            self.terminal.show()
            self.terminal.show(told.rest)
        self._shown[self._at, runner.path] = told.board, key.period

    def _told_board(self, runner: Runner, seat: str) -> BoardTold | None:
        """The board of the game, or of a battle inside it, as a seat is told it."""
        if seat not in self.game.header.seats:
            return None
        system = runner.system
        seen = system.view(runner.state, seat)
        period = 0 if system.opening(runner.state) else None
        return board_told(system.name, seen, self.words.lang, self.words.names, period)

    def _show_view(self) -> None:
        """The board, and the sheet of each of the person's seats."""
        seats = [seat for seat, name in self.seating.people.items() if name == self._at]
        for seat in seats:
            if seat in self.game.header.seats:
                self.terminal.show(self.words.label("seat", seat), "bold")
                self.terminal.show(self._all_seen(seat))

    def _all_seen(self, seat: str) -> str:
        seen = [runner for runner in self.game.runner.within() if runner.seen_by(seat)]
        boards = [self._told_board(runner, seat) for runner in seen]
        parts = [part for told in boards if told for part in (told.board, told.rest)]
        if has_sheets(self.game.header.system):
            filled = sheets(
                self.game.header, self.game.state, self.words.lang, self.words.names, seat,
                period=self.game.runner.period,
            )  # fmt: skip
            parts.append(write(filled, "text").rstrip())
        return "\n\n".join(filter(None, parts))

    # Events ------------------------------------------------------------------------------------

    def _seen(self, person: str, first: int = 0) -> list[Event]:
        """The events from `first` on that a person may see by any of their seats."""
        seats = [seat for seat, name in self.seating.people.items() if name == person]
        return [e for e in self.told[first:] if any(e.seen_by(seat) for seat in seats)]

    def _news(self) -> None:
        """What has happened since the person at the machine was last told."""
        news = self._seen(self._at, self._read.get(self._at, 0))
        self._read[self._at] = len(self.told)
        self._tell(news)

    def _tell(self, events: Sequence[Event], none: str = "") -> None:
        """Tell events, a sentence a line; `none` is said where there are none."""
        for line in self.words.tale(events) or ([none] if none else []):
            self.terminal.show(line)

    def farewell(self) -> None:
        """The last events, for everybody at the table."""
        first = min(self._read.values(), default=0)
        if self._several:
            self.terminal.hide()
        self._tell([event for event in self.told[first:] if event.audience is None])
