"""What an umpire changes in a running game: values that are adjusted, options ordered for a turn.

`System.adjust` is called with a state, a name and a value; these functions read both and refuse
what cannot be.  `ordered` and `in_force` are for options that wait until the next turn begins.
"""

from __future__ import annotations

from polemarque.kernel.adjust import formed, in_force, number, ordered, truth, word

__all__ = ["formed", "number", "truth", "word", "ordered", "in_force"]
