"""Since when a campaign has a limit for its questions."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """See the module."""

    dependencies = (("club", "0010_letters"),)
    operations = (migrations.AddField("campaign", "paced", models.DateTimeField(null=True)),)
