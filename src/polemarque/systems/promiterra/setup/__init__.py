"""How a game of Promiterra begins: its options, its files, and their checks."""
