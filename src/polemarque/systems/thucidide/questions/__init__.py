"""The rules of Thucidide that can be asked alone."""
