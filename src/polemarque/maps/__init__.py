"""Maps as data: what borders on what, and where it is drawn; no rule of any game."""

from pathlib import Path

MAP_TEXTS = Path(__file__).parent / "data"
"""What can be wrong with a map or a board."""
