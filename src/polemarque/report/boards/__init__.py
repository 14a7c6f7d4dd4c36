"""Boards of hexes and squares: drawn, told in words, filmed."""
