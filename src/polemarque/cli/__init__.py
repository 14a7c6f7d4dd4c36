"""The command line: `polemarque COMMAND …`, a module per command, loaded when it is used.

Its exit status is 0 where it is done, 1 where the answer is no, 2 where something is refused, 3 for
a fault of the program (POLEMARQUE_TRACE=1 shows the whole of it), 130 where it is interrupted.
"""

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
    except Exception as fault:
        # `run` has a net of its own: this is for what is needed to load it.
        if os.environ.get("POLEMARQUE_TRACE"):
            raise
        print(f"polemarque: {fault!r}. Set POLEMARQUE_TRACE=1 for details.", file=sys.stderr)
        status = 3
    # Taking a program apart object by object takes longer than many an answer.
    atexit._run_exitfuncs()
    sys.stderr.flush()
    os._exit(status)
