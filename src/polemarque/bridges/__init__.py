"""Bridges: how a campaign's battle is resolved, and how its result flows back (PA)."""
