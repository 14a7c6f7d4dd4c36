"""How a game of Atlantide begins: its options, its files, and their checks."""
