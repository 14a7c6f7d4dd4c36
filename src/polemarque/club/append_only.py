"""What is only ever added, by the database's own word: it refuses to change or to delete such rows.

A mistake in the program cannot rewrite a record then, and neither can somebody who opens the file
with another tool, unless they mean to.  Known to SQLite.
"""

from __future__ import annotations

from django.db.backends.base.base import BaseDatabaseWrapper

KEPT = {
    "club_entry": ("id", "campaign_id", "number", "body", "at"),
    "club_given": ("id", "campaign_id", "entry_id", "once"),
    "club_receipt": (
        "id", "campaign_id", "seat", "key", "digest", "body", "number", "at",
    ),
}  # fmt: skip
"""Table -> columns that stay as they are: of who gave an entry the person may go, and a receipt may
be marked as replaced."""

FURTHER = {
    "club_given_person": "BEFORE UPDATE OF person_id ON club_given WHEN NEW.person_id IS NOT NULL",
    "club_receipt_replaced": "BEFORE UPDATE OF replaced ON club_receipt WHEN NOT NEW.replaced",
}
"""Name -> when something that may change would change the wrong way."""


def triggers() -> dict[str, str]:
    """Name -> the moments at which the database refuses."""
    found = dict(FURTHER)
    for table, columns in KEPT.items():
        found[f"{table}_kept"] = f"BEFORE UPDATE OF {', '.join(columns)} ON {table}"
        found[f"{table}_stays"] = f"BEFORE DELETE ON {table}"
    return {f"append_only_{name}": when for name, when in found.items()}


def guard(connection: BaseDatabaseWrapper) -> None:
    """Have the database refuse from now on."""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        for name, when in triggers().items():
            cursor.execute(
                f"CREATE TRIGGER IF NOT EXISTS {name} {when}"
                f" BEGIN SELECT RAISE(ABORT, '{name}'); END"
            )


def guarded(connection: BaseDatabaseWrapper) -> bool:
    """Whether the database refuses, as far as it is one that can."""
    if connection.vendor != "sqlite":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        return triggers().keys() <= {name for (name,) in cursor.fetchall()}
