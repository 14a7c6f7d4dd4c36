"""Bots that search: they play the game on in memory, many times."""
