"""Rule systems: rooms of one shape, one a book; none knows another."""
