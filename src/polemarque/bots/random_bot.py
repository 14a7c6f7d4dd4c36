"""The bot that picks any legal answer, each as likely as another."""

from __future__ import annotations

from typing import Any

from polemarque.bots.base import Asked
from polemarque.kernel.request import Chooser, Options


class RandomBot:
    """Uniform among the options; a sheet part by part."""

    def choose(self, view: Any, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """See Bot."""
        return options.sample(chooser)
