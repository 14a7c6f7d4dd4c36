"""Maps as data: what borders on what, and where it is drawn; no rule of any game."""
