"""Answers as they come from people: sealed, left in advance, by post, dice thrown on a table."""
