"""A bot that searches: it plays the game on in its head, many times, and answers what did best.

Open-loop tree search: a node is a question of the seat's own, a branch one of its answers, and
every playout throws its dice again, and lets a guide answer for others, sealed answers included.
What is hidden is as the system supposes it (`System.supposed`).  Answers are forms with far too
many ways through them, so a node begins with what its guide would say and widens with its visits by
variations of the best so far.

It starts from its view and from where the rules stand, never from the game that is being played;
the same view, question and chooser give the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from math import inf, log, sqrt
from random import Random
from time import monotonic
from typing import Any

from polemarque.api import NotUnderstood, Options, Refusal, Sheet
from polemarque.api.bots import Asked, Chooser, Position
from polemarque.bots.registry import bot
from polemarque.bots.search.answers import Guide, bent, free, legal, varied
from polemarque.bots.search.playout import Playout, Question, SearchModel, supposed
from polemarque.kernel.position import encode

PLAYOUTS = 200
"""Playouts for one answer, where no other number is named."""

DEPTH = 2
"""Own questions in a row that the tree knows; later ones are the guide's."""

WIDTH, BELOW, WIDENING = 2.0, 0.5, 0.5
"""A node visited n times knows at most WIDTH * n ** WIDENING answers; below the root fewer."""

IDLE = 30
"""After so many playouts in which no answer made a difference, the search ends."""

PAUSE = 10
"""After every so many playouts more, the search looks whether it is settled."""

CLOSED = 8
"""When so many thoughts in a row have brought no new answer, all are taken to be known."""

SURE = 3.0
"""By so many times its error another answer has to lead the guide's, or nothing is settled."""

ENOUGH = 4
"""An answer tried less often is not given."""

DARING = 0.7
"""What an untried chance counts beside what is known, in standard deviations of all results."""

Fits = Callable[[Any], bool]
"""Whether an answer can be given as the dice fell this time."""

NOTHING: Mapping[str, Any] = {}


class Try:
    """An answer, and what came of it.

    decided: parts of it that were decided for the guide, who made the rest.
    results: of its playouts, in order; the nth of each answer at the root had the same luck.
    """

    __slots__ = ("answer", "decided", "results", "then")

    def __init__(self, answer: Any, decided: Mapping[str, Any]) -> None:
        self.answer = answer
        self.decided = decided
        self.results: list[float] = []
        self.then: dict[tuple[str, str], Node] = {}

    def lead(self, other: Try) -> tuple[float, float]:
        """By how much it did better than another with equal luck: the mean, and its error."""
        pairs = zip(self.results, other.results, strict=False)
        leads = [mine - theirs for mine, theirs in pairs]
        mean = sum(leads) / len(leads)
        squares = sum([(lead - mean) ** 2 for lead in leads])
        return mean, sqrt(squares) / max(len(leads) - 1, 1)

    def equals(self, other: Try) -> bool:
        """Whether it has always come to the same with equal luck."""
        return len(self.results) >= PAUSE and self.lead(other) == (0, 0)


class Node:
    """A question of one's own: the answers tried, the guide's own first."""

    __slots__ = ("tries", "visits", "total", "squares", "width", "stale")

    def __init__(self, width: float) -> None:
        self.width = width
        self.stale = 0
        self.tries: dict[bytes, Try] = {}
        self.visits = 0
        self.total = self.squares = 0.0

    @property
    def widens(self) -> bool:
        """Whether one more visit may try a new answer."""
        most: float = self.width * (self.visits + 1) ** WIDENING
        return len(self.tries) < most

    def add(self, answer: Any, decided: Mapping[str, Any] = NOTHING) -> Try:
        """An answer to try, or the same one if it has been thought of before."""
        return self.tries.setdefault(encode(answer), Try(answer, decided))

    @property
    def first(self) -> Try:
        """The guide's own answer."""
        return next(iter(self.tries.values()))

    def likeliest(self, fits: Fits) -> Try | None:
        """The answer that promises most, or may yet do so, of those that fit this time.

        The guide's own is tried as often as any other: it is what the others are measured by.
        """
        ranked = sorted(self.tries.values(), key=self._hope, reverse=True)
        found = next((each for each in ranked if fits(each.answer)), None)
        first = self.first
        if found is not None and len(found.results) >= len(first.results) and fits(first.answer):
            return first
        return found

    def _hope(self, each: Try) -> float:
        return each.lead(self.first)[0] + self._doubt(0, len(each.results))

    def _doubt(self, more: int, results: int) -> float:
        """What an answer with so many results may yet promise, after so many visits more."""
        return DARING * self.spread * sqrt(log(self.visits + more + 1) / results)

    @property
    def spread(self) -> float:
        """The standard deviation of all results."""
        mean = self.total / self.visits
        return sqrt(max(self.squares / self.visits - mean * mean, 0.0))

    @property
    def best(self) -> Try:
        """The answer that did better than the guide's by most for sure, or else the guide's own."""
        first = self.first

        def sure(each: Try) -> float:
            if each is first or len(each.results) < ENOUGH:
                return 0.0 if each is first else -inf
            lead, error = each.lead(first)
            return lead - error

        return max(self.tries.values(), key=sure)

    def settled(self, left: int) -> bool:
        """Whether so many visits more would all be of the best answer, and of the guide's own that
        it is measured by: all answers are known, and no other will promise as much any more.
        """
        if self.stale < CLOSED:
            return False
        best, first = self.best, self.first
        lead, error = best.lead(first)
        if best is not first and lead < SURE * error:
            return False
        bar = lead + self._doubt(left, len(best.results) + left)
        others = [each for each in self.tries.values() if each not in (best, first)]
        return all(
            each.lead(first)[0] + self._doubt(left, len(each.results)) < bar or each.equals(best)
            for each in others
        )

    def learn(self, tried: Try, result: float) -> None:
        """Keep what came of an answer."""
        tried.results.append(result)
        self.visits += 1
        self.total += result
        self.squares += result * result


class Search:
    """See the module.

    playouts: for one answer;  seconds: in place of their number, for people who wait.
    """

    def __init__(
        self, grounds: SearchModel, *, playouts: int = PLAYOUTS, seconds: float = 0.0
    ) -> None:
        self.grounds = grounds
        self.playouts = playouts
        self.seconds = seconds

    def tuned(self, effort: str) -> Search:
        """The same with so much effort: "200" playouts, or "1.5s".  Raises NotUnderstood."""
        try:
            if effort.endswith("s"):
                return Search(self.grounds, seconds=_positive(float(effort[:-1])))
            return Search(self.grounds, playouts=int(_positive(int(effort))))
        except ValueError:
            raise NotUnderstood("bot.effort", part=effort, legal=("200", "1.5s")) from None

    def choose(self, view: Any, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """See Bot."""
        worthy = asked.rule in self.grounds.searched and free(options)
        moment = asked.moment() if worthy else None
        if moment is None:
            guide = bot(self.grounds.guide, self.grounds.system)
            return guide.choose(view, options, asked, chooser)
        thought = Thought(self.grounds, view, options, asked, moment, chooser)
        for left in self._rounds():
            thought.play()
            if thought.over(left):
                break
        return thought.answer

    def _rounds(self) -> Iterator[int]:
        """One after the other, with how many there will be yet: as many again if time decides."""
        if not self.seconds:
            yield from reversed(range(self.playouts))
            return
        yield 0
        end, done = monotonic() + self.seconds, 1
        while monotonic() < end:
            yield done
            done += 1


def _positive(number: float) -> float:
    if not number > 0:
        raise ValueError(number)
    return number


class Thought:
    """The search for one answer."""

    def __init__(
        self, grounds: SearchModel, view: Any, options: Options, asked: Asked,
        moment: Position, chooser: Chooser,
    ) -> None:  # fmt: skip
        self.grounds = grounds
        self.view = view
        self.options = options
        self.asked = asked
        self.moment = supposed(moment, view, asked.seat)
        self.rng = Random(chooser.randrange(0, 1 << 62))
        self.luck = self.rng.randrange(0, 1 << 62)
        self.root = Node(WIDTH)
        self.known: dict[bytes, Any] = {}
        """What the guide answers, by where it is asked: the dice often fall alike."""

    def _guide(self, options: Options) -> Any:
        guide = bot(self.grounds.guide, self.grounds.system)
        return guide.choose(self.view, options, self.asked, self.rng)

    @property
    def answer(self) -> Any:
        """What did best."""
        return self.root.best.answer

    def over(self, left: int) -> bool:
        """Whether so many playouts more would change nothing: no stake, or all is settled."""
        visits = self.root.visits
        if visits < IDLE or visits % PAUSE:
            return False
        return (visits == IDLE and self.idle) or self.root.settled(left)

    @property
    def idle(self) -> bool:
        """Whether nothing seems to be at stake: with equal luck each answer came to the same, or
        all that came of it differs by a trifle.
        """
        root = self.root
        if root.spread <= self.grounds.trifle:
            return True
        return all(each.lead(root.first) == (0, 0) for each in root.tries.values())

    def play(self) -> None:
        """One playout, and what it teaches."""
        grounds, seat = self.grounds, self.asked.seat
        tried = self._chosen(self.root, self.asked.rule, self.options, self._guide)
        luck = self.luck + len(tried.results)
        until = grounds.horizon(self.moment.state)
        playout = Playout(self.moment, self.asked.key.path, until, luck)
        way = [(self.root, tried)]
        while (question := playout.next()) is not None:
            playout.answer(question, self._said(question, way))
        result = grounds.worth(playout.runner.state, seat)
        for node, each in way:
            node.learn(each, result)

    def _said(self, question: Question, way: list[tuple[Node, Try]]) -> Any:
        """What is answered in the head: the tree's answer to the seat's own, else the guide's."""
        if question.key == self.asked.key:
            return way[0][1].answer  # its options follow from the view, which is the same
        if question.seat != self.asked.seat or len(way) >= DEPTH:
            return self._guided(question)
        node = way[-1][1].then.setdefault(question.name, Node(BELOW))
        guide = partial(question.guide, name=self.grounds.guide)
        tried = self._chosen(node, question.key.rule, question.options, guide)
        way.append((node, tried))
        return tried.answer

    def _guided(self, question: Question) -> Any:
        """What is answered without thinking; once for each position, unless chance answers."""
        place = question.place
        if place in self.known:
            return self.known[place]
        draws = question.chooser.draws
        said = question.guided(self.grounds)
        if question.chooser.draws == draws:
            self.known[place] = said
        return said

    def _chosen(self, node: Node, rule: str, options: Options, guide: Guide) -> Try:
        """The answer for one more visit: the guide's own, then new ones while the node widens."""
        if not node.tries:
            return node.add(guide(options))
        fits = _always if node is self.root else partial(legal, options)
        if node.widens and fits(node.best.answer):
            new = self._thought_of(node.best, rule, options, guide)
            tried = node.add(*new)
            if not tried.results:
                node.stale = 0
                return tried
            node.stale += 1
        return node.likeliest(fits) or node.add(guide(options))

    def _thought_of(
        self, best: Try, rule: str, options: Options, guide: Guide
    ) -> tuple[Any, Mapping[str, Any]]:
        """A variation of the best answer so far, and what was decided in it for the guide."""
        rng, kept = self.rng, self.grounds.kept
        if isinstance(options, Sheet) and rule in self.grounds.bending:
            try:
                return bent(options, guide, best.answer, best.decided, rng, kept)
            except Refusal:
                pass
        return varied(options, best.answer, rng, kept), NOTHING


def _always(_: Any) -> bool:
    return True
