"""The steady bot of Thucidide."""
