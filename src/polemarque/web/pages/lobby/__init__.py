"""Pages on which a campaign is created and its seats are filled."""
