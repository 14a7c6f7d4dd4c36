"""What a bot is given, and what it owes.

A bot has a method `choose`: it gets what its seat may see, the options, and which question it is.
It keeps nothing between two questions and takes all its chance from the `Chooser`.
"""

from __future__ import annotations

from polemarque.kernel.bots import Asked, Bot, Tunable, fill, usual
from polemarque.kernel.position import Position
from polemarque.kernel.request import Chooser, Key

__all__ = ["Bot", "Tunable", "Asked", "Key", "Chooser", "Position", "fill", "usual"]
