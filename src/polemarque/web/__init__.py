"""The pages: thin over the club, complete without any script."""
