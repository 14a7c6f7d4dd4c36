"""When battles on the table are fought, who is away, and how soon questions are answered."""

from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """See the module."""

    dependencies = (("club", "0006_guests_and_votes"),)
    operations = (
        migrations.CreateModel(
            "Meeting",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("path", models.CharField(max_length=200)),
                ("at", models.DateTimeField()),
                ("where", models.CharField(blank=True, max_length=120)),
                ("words", models.JSONField(default=list)),
                ("made", models.DateTimeField(default=django.utils.timezone.now)),
                ("agreed", models.DateTimeField(null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="meetings",
                        to="club.campaign",
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="meetings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
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
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("since", models.DateField()),
                ("until", models.DateField()),
                ("made", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="absences",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            {"ordering": ("since",)},
        ),
        migrations.CreateModel(
            "Reply",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.CharField(max_length=40)),
                ("key", models.CharField(max_length=300)),
                ("asked", models.DateTimeField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("due", models.DateTimeField(null=True)),
                ("absent", models.BooleanField(default=False)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="replies",
                        to="club.campaign",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="replies",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            {
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "key"), name="one_reply")
                ]
            },
        ),
    )
