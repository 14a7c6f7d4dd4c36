"""The pages, one module a group of them."""
