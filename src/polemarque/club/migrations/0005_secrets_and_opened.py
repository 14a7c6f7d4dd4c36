"""An invitation's link signs a secret of its own, and each open question has its own date.

Links of before open nothing any more: they signed a number.
"""

from __future__ import annotations

from typing import Any

from django.db import migrations, models

from polemarque.club.models import new_secret


def fill(apps: Any, _editor: Any) -> None:
    """A secret for each invitation that is there: the column was added with one for all of them."""
    for invitation in apps.get_model("club", "Invitation").objects.all():
        invitation.secret = new_secret()
        invitation.save(update_fields=["secret"])


class Migration(migrations.Migration):
    """See the module."""

    dependencies = (("club", "0004_further_seeds"),)
    operations = (
        migrations.AddField(
            "invitation", "secret", models.CharField(max_length=32, default=new_secret)
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AddField("campaign", "opened", models.JSONField(default=dict)),
    )
