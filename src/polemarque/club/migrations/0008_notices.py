"""What people are to be told by mail, each once; since when guests have their side."""

from __future__ import annotations

import django.utils.timezone
from django.db import migrations, models

from polemarque.club.migrations._fields import CAMPAIGN, ID, PERSON, of


class Migration(migrations.Migration):
    """See the module."""

    dependencies = (("club", "0007_desk"),)
    operations = (
        migrations.AddField(
            "Guest", "came", models.DateTimeField(default=django.utils.timezone.now)
        ),
        migrations.CreateModel(
            "Notice",
            [
                ID,
                ("key", models.CharField(max_length=80)),
                ("text", models.CharField(max_length=40)),
                ("data", models.JSONField(default=dict)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("sent", models.DateTimeField(null=True)),
                of("campaign", CAMPAIGN, "notices"),
                of("person", PERSON, "notices"),
            ],
            {
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "person", "key"), name="one_notice")
                ]
            },
        ),
    )
