"""Pages of the umpire."""
