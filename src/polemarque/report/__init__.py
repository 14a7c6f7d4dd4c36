"""The report room: what happened, told so that one wants to read it; it decides nothing."""
