"""The map of Atlantis as a drawing."""
