"""When what could not be sent is tried again; how somebody wants their mails."""

from __future__ import annotations

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    """See the module."""

    dependencies = (("club", "0012_clock"),)
    operations = (
        migrations.AddField("person", "mails", models.CharField(max_length=5, blank=True)),
        migrations.AddField(
            "notice", "after", models.DateTimeField(default=django.utils.timezone.now)
        ),
        migrations.AddField("notice", "tries", models.PositiveIntegerField(default=0)),
        migrations.AddField("notice", "why", models.CharField(max_length=120, blank=True)),
    )
