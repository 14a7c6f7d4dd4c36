"""Pages of a running campaign: its map and story, seats, messages, proofs."""
