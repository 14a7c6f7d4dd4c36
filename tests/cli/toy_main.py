"""The command line with the toy system installed, for tests that need a process of their own."""

import sys

from polemarque.cli.common import run
from tests.kernel import toy

if __name__ == "__main__":
    assert toy.TOY
    sys.exit(run(sys.argv[1:]))
