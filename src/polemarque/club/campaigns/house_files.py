"""A club's own set-up and house rules, as a page takes them: the text of one TOML file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec

from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.files.findings import LARGEST, CheckFailed, Finding, read_toml
from polemarque.report.house_rules import FILES, LISTS_OF_MAP, set_up, setup_faults


class HouseFile(NamedTuple):
    """What a file was found to hold: a set-up, as its text, or the options of a house."""

    setup: str
    options: dict[str, Any]


def read_house_file(raw: bytes, system: str) -> HouseFile:
    """What somebody's file holds for a system.

    It stands alone: a file that names others is refused, for those are not here.
    Raises NotUnderstood, NotAllowed, and CheckFailed with everything that is wrong.
    """
    if len(raw) > LARGEST:
        raise NotAllowed("setup.large", part=len(raw), legal=(LARGEST,))
    with _as_file(raw) as path:
        content, text = _content(path)
        house = "system" in content
        named = [key for key in FILES if key in content]
        if house and named:
            raise NotAllowed("setup.files", part=named[0])
        try:
            _, options = set_up(path, system)
        except CheckFailed as failed:
            raise _nameless(failed.findings) from None
        except RecursionError as fault:
            raise NotUnderstood("setup.unreadable", part=fault) from None
    return HouseFile("" if house else text, options)


def read_setup(text: str, system: str) -> dict[str, Any]:
    """The set-up that a text holds for a system, {} for nothing.

    Raises NotUnderstood on what no record can hold, CheckFailed on what is no TOML and with
    everything that is wrong with a map, a board or lists in it.
    """
    with _as_file(text.encode("utf-8", "replace")) as path:
        content, _ = _content(path)
        try:
            findings = setup_faults(path, system)
        except RecursionError as fault:
            raise NotUnderstood("setup.unreadable", part=fault) from None
        if findings:
            raise _nameless(findings)
    try:
        kept: dict[str, Any] = json.loads(json.dumps(content, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as fault:  # dates; nan and inf; too deep
        raise NotUnderstood("setup.unreadable", part=fault) from None
    return kept


def _content(path: Path) -> tuple[dict[str, Any], str]:
    """What a file says, and its text.

    Raises CheckFailed, without the file's name; NotAllowed where it is a map that names army lists:
    no file of the server is ever opened because a text says so.
    """
    read = read_toml(path)
    if isinstance(read, Finding):
        raise _nameless([read])
    head = read[0].get("map")
    if isinstance(head, dict) and LISTS_OF_MAP in head:
        raise NotAllowed("setup.files", part="lists")
    return read


def _nameless(findings: Iterable[Finding]) -> CheckFailed:
    return CheckFailed([msgspec.structs.replace(finding, file="") for finding in findings])


@contextmanager
def _as_file(raw: bytes) -> Iterator[Path]:
    """A text as a file for the checks to read, which is gone afterwards."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "setup.toml"
        path.write_bytes(raw)
        yield path
