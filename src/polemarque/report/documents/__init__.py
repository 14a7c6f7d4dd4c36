"""Documents and drawings in their parts, and the formats they are written in."""
