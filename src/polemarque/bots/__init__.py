"""The bots' room: players that are programs.  They see views and requests, and nothing else."""
