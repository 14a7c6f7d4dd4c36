"""A campaign that is played in another club for an evening: sent, hosted, brought back."""
