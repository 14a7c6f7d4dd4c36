"""The rules of Atlantide that ask, roll or change the game, by chapter."""
