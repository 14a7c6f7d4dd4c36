"""A game of which some seats are played from outside, choice by choice; bots play the others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import msgspec

from polemarque.api.bots import Bot
from polemarque.bots.play import play_game
from polemarque.bots.registry import STEADY
from polemarque.bots.search.playout import Worth
from polemarque.kernel.events import EventLog
from polemarque.kernel.game import Game
from polemarque.kernel.position import encode
from polemarque.kernel.records.record import Answer, Header
from polemarque.kernel.request import Key, Request
from polemarque.kernel.run import Runner
from polemarque.lab.answer_menus import Choosing, Menu, choosing, under
from polemarque.lab.encoding import Encoding, Observation, Vector
from polemarque.report.game_words import Words
from polemarque.report.labels import names_of
from polemarque.report.pictures import board_told


class _Asked(NamedTuple):
    """A question to one of the seats, its answer in the making, and what is to be picked next."""

    runner: Runner
    key: Key
    answer: Choosing
    menu: Menu


class Sitting:
    """A game from its first question to its end.

    seats:   those played from outside.
    bots:    seat -> bot, or the name of one, for all others.
    unasked: rules whose questions to `seats` get the answer of an absent player.
    start:   the period before which bots play those seats too, `steady` ones; 0: from the first
             question.
    worth:   what a state is worth to a seat, from 0 to 1, for rewards on the way; None: at the end.
    Raises ValueError on a start that is no period, or that the game does not reach.

    A seat is shown its own view and its own question, as bots are: of a battle inside the game that
    asks it, that battle's.  What others have sealed is in neither.
    """

    def __init__(
        self,
        header: Header,
        seats: Collection[str],
        bots: Mapping[str, str | Bot],
        encoding: Encoding,
        unasked: Collection[str] = (),
        *,
        start: int = 0,
        worth: Worth | None = None,
    ) -> None:
        told = EventLog()
        self.game = Game(header, publish=told.append, withdraw=told.withdraw)
        self._told, self._read = told, 0
        self._seats, self._bots = seats, bots
        self._encoding, self._unasked = encoding, unasked
        self._seen: dict[str, tuple[bytes, Vector]] = {}
        """Views as they stand, kept while nothing is answered."""
        if start < 0 or start != int(start):
            raise ValueError(f"start is a period, 0 or more, not {start}")
        if start:
            everybody = {**dict.fromkeys(header.seats, STEADY), **bots}
            play_game(self.game, everybody, stop=lambda game: _period(game.runner) >= start)
        self._asked = self._next()
        if start and self._asked is None:
            raise ValueError(f"the game was over before period {start}: start earlier")
        self._worth = worth
        self._stood = {seat: self._standing(seat) for seat in seats}

    @property
    def seat(self) -> str | None:
        """Whose choice it is; None when the game is over."""
        return self._asked.key.seat if self._asked else None

    def may(self, action: int) -> bool:
        """Whether there is a choice of that number."""
        return self._asked is not None and 0 <= action < len(self._asked.menu.choices)

    def choose(self, action: int) -> None:
        """Make the next choice.  Raises ValueError if there is none of that number."""
        asked = self._asked
        if asked is None or not self.may(action):
            raise ValueError(f"there is no choice {action} now: see the action mask")
        try:
            self._asked = asked._replace(menu=asked.answer.send(action))
        except StopIteration as made:
            self.game.enter(Answer(asked.key, made.value))
            self._asked = self._next()

    def _next(self) -> _Asked | None:
        """The next question that leaves a choice; those that leave none are answered."""
        while True:
            self._seen = {}
            play_game(self.game, self._bots, spare=False)  # as bots are not spared anything
            found = self._open()
            if found is None:
                return None
            runner, request, seat = found
            if under(request.rule, self._unasked):
                self.game.enter(Answer(request.keys[seat], request.absent(seat), "absent"))
                continue
            answer = choosing(request.options(seat), self._encoding.choices)
            try:
                return _Asked(runner, request.keys[seat], answer, next(answer))
            except StopIteration as made:
                self.game.enter(Answer(request.keys[seat], made.value))

    def _open(self) -> tuple[Runner, Request, str] | None:
        for runner, pending in self.game.runner.open():
            if isinstance(pending, Request):
                for seat in pending.missing:
                    if seat in self._seats:
                        return runner, pending, seat
        return None

    # Looking -----------------------------------------------------------------------------------

    def observe(self, seat: str) -> Observation:
        """What a seat is given to choose by; nothing can be picked by whom nothing is asked."""
        _, seen = self._view(seat)
        asked = self._asked
        if asked is None or asked.key.seat != seat:
            return self._encoding.observation(seen, Key(0, "", "", seat), None)
        return self._encoding.observation(seen, asked.key, asked.menu)

    def info(self, seat: str) -> dict[str, Any]:
        """The same in words: `view` as JSON, and a seat that is asked has `question` too."""
        view, _ = self._view(seat)
        info: dict[str, Any] = {"view": view.decode()}
        asked = self._asked
        if asked is not None and asked.key.seat == seat:
            question = {
                "key": str(asked.key),
                "rule": asked.key.rule,
                "parts": asked.menu.parts,
                "said": asked.menu.said,
                "choices": asked.menu.choices,
            }
            info["question"] = msgspec.json.decode(encode(question))
        return info

    def _view(self, seat: str) -> tuple[bytes, Vector]:
        known = self._seen.get(seat)
        if known is None:
            asked = self._asked
            mine = asked is not None and asked.key.seat == seat
            runner = asked.runner if asked is not None and mine else self.game.runner
            view = encode(runner.system.view(runner.state, seat))
            self._seen[seat] = known = view, self._encoding.seen(view)
        return known

    def reward(self, seat: str) -> float:
        """What a seat has won since this was last asked.

        At the end its part of the game's one point, which its winners share, or all if none won.
        With `worth` also what its standing has gained; at the end a standing counts nothing, so
        that all rewards of a game add up to the part of the point less the worth of the start.
        """
        won = 0.0 if self._asked else self._won(seat)
        before, self._stood[seat] = self._stood[seat], self._standing(seat)
        return won + self._stood[seat] - before

    def _won(self, seat: str) -> float:
        standing = self.game.system.standing(self.game.state)
        winners = standing.winners or self.game.header.seats
        return 1 / len(winners) if standing.over and seat in winners else 0.0

    def _standing(self, seat: str) -> float:
        return self._worth(self.game.state, seat) if self._worth and self._asked else 0.0

    def text(self, lang: str) -> str:
        """What everybody may know: the boards, and what has happened since this was last asked."""
        header, game = self.game.header, self.game
        words = Words(header, lang, state=game.state)
        names = names_of(game.system, game.state, lang)
        boards = [
            board_told(runner.system.name, runner.system.view(runner.state, ""), lang, names)
            for runner in game.runner.within()
            if runner.seen_by("")
        ]
        news = [event for event in self._told[self._read :] if event.seen_by("")]
        self._read = len(self._told)
        return "\n\n".join([*(told.board for told in boards if told), *words.tale(news)])


def _period(runner: Runner) -> int:
    """The period of what is asked first; 0 where nothing is."""
    asked = (pending for _, pending in runner.open() if isinstance(pending, Request))
    return next((key.period for request in asked for key in request.keys.values()), 0)
