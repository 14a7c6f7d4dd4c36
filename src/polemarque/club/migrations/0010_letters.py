"""Letters between seats."""

from __future__ import annotations

import django.utils.timezone
from django.db import migrations, models

from polemarque.club.migrations._fields import CAMPAIGN, ID, PERSON, of, outliving


class Migration(migrations.Migration):
    """See the module."""

    dependencies = (("club", "0009_hall"),)
    operations = (
        migrations.AddField("campaign", "letters_open", models.BooleanField(default=True)),
        migrations.CreateModel(
            "Letter",
            [
                ID,
                ("voice", models.CharField(max_length=40)),
                ("among", models.CharField(max_length=500)),
                ("text", models.TextField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("once", models.CharField(max_length=64)),
                ("struck", models.DateTimeField(null=True)),
                of("campaign", CAMPAIGN, "letters"),
                outliving("person", PERSON, "letters"),
            ],
            {
                "ordering": ("pk",),
                "constraints": (
                    models.UniqueConstraint(fields=["campaign", "once"], name="one_letter"),
                ),
            },
        ),
        migrations.CreateModel(
            "LetterRead",
            [
                ID,
                ("among", models.CharField(max_length=500)),
                ("upto", models.PositiveBigIntegerField()),
                of("campaign", CAMPAIGN, "letters_read"),
                of("person", PERSON, "letters_read"),
            ],
            {
                "constraints": (
                    models.UniqueConstraint(
                        fields=["campaign", "person", "among"], name="one_read"
                    ),
                ),
            },
        ),
        migrations.CreateModel(
            "DoorShut",
            [
                ID,
                ("seat", models.CharField(max_length=40)),
                ("against", models.CharField(max_length=40)),
                of("campaign", CAMPAIGN, "doors_shut"),
            ],
            {
                "constraints": (
                    models.UniqueConstraint(
                        fields=["campaign", "seat", "against"], name="one_shut"
                    ),
                ),
            },
        ),
        migrations.CreateModel(
            "Complaint",
            [
                ID,
                ("seat", models.CharField(max_length=40)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("settled", models.DateTimeField(null=True)),
                of("letter", "club.letter", "complaints"),
            ],
            {
                "constraints": (
                    models.UniqueConstraint(fields=["letter", "seat"], name="one_complaint"),
                ),
            },
        ),
    )
