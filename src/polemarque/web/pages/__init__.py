"""The pages, one module for each group of them."""
