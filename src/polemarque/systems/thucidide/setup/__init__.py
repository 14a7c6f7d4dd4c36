"""How a game of Thucidide begins: its options, its files, and their checks."""
