"""The life of a campaign: its lobby, its game in memory, what readers may see of it, its bots."""
