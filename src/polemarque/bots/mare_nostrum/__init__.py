"""The steady bot of Mare Nostrum."""
