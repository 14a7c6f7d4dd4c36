"""Tabletop battles: a bot has no table, so it returns the sheet of a battle that nobody won."""

from __future__ import annotations

from typing import Any

from polemarque.api import Options
from polemarque.api.bots import Asked, Chooser


class Steady:
    """Gives the rules' own answer for an absent player: two of them return equal sheets."""

    def choose(self, view: Any, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """See Bot."""
        return asked.absent()


BOTS = {"steady": Steady()}
