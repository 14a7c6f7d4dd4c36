"""The record of a game: entries, exports, proofs, committed dice."""
