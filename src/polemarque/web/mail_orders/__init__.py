"""Orders by mail: where they arrive, and what is done with them."""
