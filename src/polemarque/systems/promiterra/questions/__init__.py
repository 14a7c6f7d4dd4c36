"""The rules of Promiterra that can be asked alone."""
