"""The steady bot of Atlantide."""
