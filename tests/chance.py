"""The machine's random source, made to repeat itself: a test that fails fails again.

Dice that nobody gave a seed, chains of committed dice and names of campaigns come from `secrets`.
In a test they come from the test's own name instead, in the processes it starts too.  With
``CHANCE=…`` in the environment they fall otherwise, to look for tests that only luck lets pass.
"""

from __future__ import annotations

import os
import random
import secrets

_chance = random.Random()


def begin(name: str) -> None:
    """Start anew, as this name has it."""
    _chance.seed(f"{name} {os.environ.get('CHANCE', '')}")


def fix(name: str) -> None:
    """Draw what the program draws from the name on, in this process."""
    begin(name)
    secrets.token_bytes = _token_bytes
    secrets.token_hex = _token_hex
    secrets.randbelow = _chance.randrange


def running(name: str, program: str) -> str:
    """A program for ``python -c``, run from the root with its random source fixed."""
    return f"from tests.chance import fix; fix({name!r}); {program}"


def _token_bytes(nbytes: int | None = None) -> bytes:
    return _chance.randbytes(nbytes or 32)


def _token_hex(nbytes: int | None = None) -> str:
    return _token_bytes(nbytes).hex()
