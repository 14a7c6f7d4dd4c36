"""Which of a system's options a rule reads: what is worth offering beside its inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from polemarque.kernel.errors import Refusal
from polemarque.kernel.system import Choice, kept
from polemarque.odds.consult import FAULTS, find_question

TRIES = 12
"""How often the example of a rule is played to see which options it comes to read."""


class _Watched(Mapping[str, Any]):
    """Options that remember which of them were read."""

    def __init__(self, options: Mapping[str, Any], read: set[str]) -> None:
        self._options, self._read = options, read

    def __getitem__(self, name: str) -> Any:
        """The value of an option."""
        value = self._options[name]
        self._read.add(name)
        return value

    def __iter__(self) -> Iterator[str]:
        """The names of all."""
        return iter(self._options)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._options)


@kept
def options_read(rule: str) -> tuple[Choice, ...]:
    """The options that bear on a rule asked alone, in the system's order.

    They are those that its example reads, whatever the dice.
    Raises NotUnderstood on a rule that cannot be asked.
    """
    from polemarque.kernel.trust import Seeded
    from polemarque.odds.ask import run_procedure
    from polemarque.odds.inputs import read_inputs

    system, question = find_question(rule)
    read: set[str] = set()
    watched = _Watched(system.options_from({}), read)
    try:
        inputs, choices = read_inputs(question, dict(question.example))
        for seed in range(TRIES):
            run_procedure(
                partial(question.ask, inputs, watched), Seeded(seed),
                rule=rule, edition=system.edition, choices=choices,
            )  # fmt: skip
    except (Refusal, *FAULTS):
        pass  # what was read until then is what is known
    return tuple(choice for choice in system.options if choice.name in read)
