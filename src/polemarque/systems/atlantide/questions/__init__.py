"""The rules of Atlantide that can be asked alone."""
