"""Exact odds and single questions, asked of the very procedures that play the game."""
