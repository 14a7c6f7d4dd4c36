"""The first page, a person's own account, error pages, and the health of the server."""
