"""The kernel: positions, questions, dice, events, records; it knows no rule of any book."""
