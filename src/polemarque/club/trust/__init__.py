"""What proves that a campaign was played as its record says."""
