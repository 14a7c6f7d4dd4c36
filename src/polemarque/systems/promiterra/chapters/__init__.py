"""The rules of Promiterra that ask, roll or change the game, by chapter."""
