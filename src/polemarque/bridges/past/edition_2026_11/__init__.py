"""Edition 2026-11: even an umpire who plays answers alone what the rules ask the umpire."""
