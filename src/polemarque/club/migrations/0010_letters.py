"""Letters between seats."""

from __future__ import annotations

from typing import Any

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

CASCADE = django.db.models.deletion.CASCADE


def key() -> models.BigAutoField[int, int]:
    return models.BigAutoField(
        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
    )


def to(model: str, name: str, **more: Any) -> models.ForeignKey[Any, Any]:
    return models.ForeignKey(to=model, related_name=name, **{"on_delete": CASCADE, **more})


class Migration(migrations.Migration):
    """See the module."""

    dependencies = (("club", "0009_hall"),)
    operations = (
        migrations.AddField("campaign", "letters_open", models.BooleanField(default=True)),
        migrations.CreateModel(
            "Letter",
            [
                ("id", key()),
                ("voice", models.CharField(max_length=40)),
                ("among", models.CharField(max_length=500)),
                ("text", models.TextField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("once", models.CharField(max_length=64)),
                ("struck", models.DateTimeField(null=True)),
                ("campaign", to("club.campaign", "letters")),
                (
                    "person",
                    to(
                        settings.AUTH_USER_MODEL, "letters", null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                    ),
                ),
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
                ("id", key()),
                ("among", models.CharField(max_length=500)),
                ("upto", models.PositiveBigIntegerField()),
                ("campaign", to("club.campaign", "letters_read")),
                ("person", to(settings.AUTH_USER_MODEL, "letters_read")),
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
                ("id", key()),
                ("seat", models.CharField(max_length=40)),
                ("against", models.CharField(max_length=40)),
                ("campaign", to("club.campaign", "doors_shut")),
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
                ("id", key()),
                ("seat", models.CharField(max_length=40)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("settled", models.DateTimeField(null=True)),
                ("letter", to("club.letter", "complaints")),
            ],
            {
                "constraints": (
                    models.UniqueConstraint(fields=["letter", "seat"], name="one_complaint"),
                ),
            },
        ),
    )  # fmt: skip
