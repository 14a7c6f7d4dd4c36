"""The map of the Mediterranean as a drawing."""
