"""What is wrong with a data file: a `Finding` for each fault, with file, line and place.

A finding is data; its reason and its hint are texts, ``check.<code>.reason`` and
``check.<code>.hint``.
"""

from __future__ import annotations

from polemarque.kernel.files.findings import (
    CheckFailed,
    Datum,
    Finding,
    Lines,
    Step,
    examined_file,
    in_order,
    read_toml,
)

__all__ = [
    "Finding",
    "CheckFailed",
    "Datum",
    "Step",
    "Lines",
    "read_toml",
    "examined_file",
    "in_order",
]
