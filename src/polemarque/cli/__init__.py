"""The command line: `polemarque COMMAND …`, one module a command, loaded when it is used."""

from __future__ import annotations

import atexit
import os
import sys
from io import TextIOWrapper
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line; the console script."""
    try:
        from polemarque.cli.common import run

        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")  # an old terminal lacks our spaces and quotes
        status = run(sys.argv[1:])
    except KeyboardInterrupt:  # before there was anything to interrupt
        status = 130
    # Taking a program apart object by object takes longer than many an answer.
    atexit._run_exitfuncs()
    sys.stderr.flush()
    os._exit(status)
