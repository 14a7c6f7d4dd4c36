"""Games played in bulk: studies of a set-up's balance, and environments in which programs learn."""
