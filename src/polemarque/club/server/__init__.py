"""What keeps the club running: backups, health, prepared pages, work in other processes."""
