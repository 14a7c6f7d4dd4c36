"""Chances that stand beside an option: which procedure would be asked, with which figures.

They are figures of a `Fact`.  A system only names the call; who shows the option finds the law,
which is that of the very procedure that the game will play.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from polemarque.kernel.agenda import Call


class ChanceOf(msgspec.Struct, frozen=True):
    """The chance that a procedure comes to something, shown in whole percents.

    call: the procedure with figures that the seat asked knows, every one of them.
    when: of a value of the procedure, whether it is that.
    """

    call: Call
    when: Callable[[Any], bool]


class MeanOf(msgspec.Struct, frozen=True):
    """The mean of a figure that a procedure comes to, shown to one place.

    call:   as that of `ChanceOf`.
    figure: of a value of the procedure, the figure; or the name of one of its tallies.
    """

    call: Call
    figure: Callable[[Any], int] | str
