"""The steady bot of Promiterra."""
