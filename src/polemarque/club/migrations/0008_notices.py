"""What people are to be told by mail, each once; since when guests have their side."""

from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


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
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=80)),
                ("text", models.CharField(max_length=40)),
                ("data", models.JSONField(default=dict)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("sent", models.DateTimeField(null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to="club.campaign",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            {
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "person", "key"), name="one_notice")
                ]
            },
        ),
    )
