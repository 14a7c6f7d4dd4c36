"""Pages of the rules, open to everybody."""
