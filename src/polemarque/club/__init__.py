"""The club: people, campaigns and seats; every answer on disk before it is acknowledged."""
