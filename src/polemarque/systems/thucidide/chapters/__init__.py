"""The rules of Thucidide that ask, roll or change the game, by chapter."""
