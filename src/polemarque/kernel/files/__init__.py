"""Data files: tables, texts, ledgers, and what is wrong with one."""
