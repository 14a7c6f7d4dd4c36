"""The laboratory: one set-up played many times by bots, and what that says of its balance."""
