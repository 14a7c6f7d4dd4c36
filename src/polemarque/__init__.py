"""Polémarque: a digital umpire for ancient warfare.

Campaigns and battles, each faithful to its rule book, on one small kernel.
Importing the package loads nothing heavy: systems are found by name when they are asked for.
"""

__version__ = "0.1.0"
