"""Programs that think in the very process and are done at once, or that are never done."""

from __future__ import annotations

import time
from concurrent.futures import Future

from polemarque.bots.play import Task, Thought, think


class AtOnce:
    """See `bot_processes.ThinkerProcess`."""

    def submit(self, task: Task) -> Future[Thought]:
        done: Future[Thought] = Future()
        done.set_result(think(task))
        return done


def ponder(_: Task) -> Thought:
    """Think for longer than anybody waits."""
    time.sleep(600)
    return Thought(())
