"""When battles on the table are fought, who is away, and how soon questions are answered."""

from __future__ import annotations

import django.utils.timezone
from django.db import migrations, models

from polemarque.club.migrations._fields import CAMPAIGN, ID, PERSON, of


class Migration(migrations.Migration):
    """See the module."""

    dependencies = (("club", "0006_guests_and_votes"),)
    operations = (
        migrations.CreateModel(
            "Meeting",
            [
                ID,
                ("path", models.CharField(max_length=200)),
                ("at", models.DateTimeField()),
                ("where", models.CharField(blank=True, max_length=120)),
                ("words", models.JSONField(default=list)),
                ("made", models.DateTimeField(default=django.utils.timezone.now)),
                ("agreed", models.DateTimeField(null=True)),
                of("campaign", CAMPAIGN, "meetings"),
                of("by", PERSON, "meetings"),
            ],
            {
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign", "path"),
                        condition=models.Q(("agreed", None)),
                        name="one_proposed",
                    ),
                    models.UniqueConstraint(
                        fields=("campaign", "path"),
                        condition=models.Q(("agreed", None), _negated=True),
                        name="one_agreed",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            "Absence",
            [
                ID,
                ("since", models.DateField()),
                ("until", models.DateField()),
                ("made", models.DateTimeField(default=django.utils.timezone.now)),
                of("person", PERSON, "absences"),
            ],
            {"ordering": ("since",)},
        ),
        migrations.CreateModel(
            "Reply",
            [
                ID,
                ("seat", models.CharField(max_length=40)),
                ("key", models.CharField(max_length=300)),
                ("asked", models.DateTimeField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("due", models.DateTimeField(null=True)),
                ("absent", models.BooleanField(default=False)),
                of("campaign", CAMPAIGN, "replies"),
                of("person", PERSON, "replies"),
            ],
            {
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "key"), name="one_reply")
                ]
            },
        ),
    )
