"""`python -m polemarque`: the command line."""

from polemarque.cli import main

if __name__ == "__main__":
    main()
