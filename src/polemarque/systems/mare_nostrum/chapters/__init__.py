"""The rules of Mare Nostrum that ask, roll or change the game, by chapter."""
