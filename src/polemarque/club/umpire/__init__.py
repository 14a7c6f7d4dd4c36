"""The umpire's dashboard, acts, and the log of secrets that umpires have read."""
