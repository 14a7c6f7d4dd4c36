"""Entries, who gave them, and receipts are only ever added.

A later migration that remakes one of these tables calls `guard` again: SQLite drops triggers
with their table.  `polemarque health` finds one that has not.
"""

from typing import Any

from django.db import migrations

from polemarque.club.append_only import guard


def put(_apps: Any, editor: Any) -> None:
    """Have the database refuse."""
    guard(editor.connection)


class Migration(migrations.Migration):
    """See the module."""

    dependencies = (("club", "0001_first"),)
    operations = (migrations.RunPython(put, migrations.RunPython.noop),)
