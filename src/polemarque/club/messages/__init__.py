"""Messages between seats, outside the game."""
