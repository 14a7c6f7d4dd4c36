"""Campaigns that leave their club for an evening, and those that are here for one."""

from __future__ import annotations

import django.utils.timezone
from django.db import migrations, models

from polemarque.club.migrations._fields import CAMPAIGN, ID, PERSON, of, outliving


class Migration(migrations.Migration):
    """See the module."""

    dependencies = (("club", "0008_notices"),)
    operations = (
        migrations.CreateModel(
            "Outing",
            [
                ID,
                ("mark", models.CharField(max_length=32, unique=True)),
                ("code", models.CharField(max_length=40)),
                ("number", models.PositiveIntegerField()),
                ("head", models.CharField(max_length=64)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended", models.DateTimeField(null=True)),
                ("returned", models.PositiveIntegerField(null=True)),
                ("looked", models.JSONField(default=list)),
                of("campaign", CAMPAIGN, "outings"),
                outliving("by", PERSON, "outings"),
                outliving("ended_by", PERSON, "+"),
            ],
            {
                "ordering": ("pk",),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign",),
                        condition=models.Q(("ended", None)),
                        name="one_outing",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            "Stay",
            [
                ID,
                ("mark", models.CharField(max_length=32, unique=True)),
                ("code", models.CharField(max_length=40)),
                ("number", models.PositiveIntegerField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("sent", models.DateTimeField(null=True)),
                of("campaign", CAMPAIGN, "stays"),
                outliving("sent_by", PERSON, "+"),
            ],
            {"ordering": ("pk",)},
        ),
    )
