"""Changes of the tables of the club, in order."""
