"""The rules of Mare Nostrum that can be asked alone."""
