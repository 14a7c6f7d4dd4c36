"""How a game of Mare Nostrum begins: its options, its files, and their checks."""
