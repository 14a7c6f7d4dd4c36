"""People and their seats: roles, invitations, guests, hand-overs, accounts that close."""
