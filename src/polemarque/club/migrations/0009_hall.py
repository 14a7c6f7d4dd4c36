"""Campaigns that leave their club for an evening, and those that are here for one."""

from __future__ import annotations

from typing import Any

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


def _campaign(name: str) -> models.ForeignKey[Any, Any]:
    return models.ForeignKey(
        on_delete=django.db.models.deletion.CASCADE, related_name=name, to="club.campaign"
    )


def _person(name: str) -> models.ForeignKey[Any, Any]:
    return models.ForeignKey(
        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name=name,
        to=settings.AUTH_USER_MODEL,
    )  # fmt: skip


def _number() -> models.BigAutoField[Any, Any]:
    return models.BigAutoField(
        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
    )


class Migration(migrations.Migration):
    """See the module."""

    dependencies = (("club", "0008_notices"),)
    operations = (
        migrations.CreateModel(
            "Outing",
            [
                ("id", _number()),
                ("mark", models.CharField(max_length=32, unique=True)),
                ("code", models.CharField(max_length=40)),
                ("number", models.PositiveIntegerField()),
                ("head", models.CharField(max_length=64)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended", models.DateTimeField(null=True)),
                ("returned", models.PositiveIntegerField(null=True)),
                ("looked", models.JSONField(default=list)),
                ("campaign", _campaign("outings")),
                ("by", _person("outings")),
                ("ended_by", _person("+")),
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
                ("id", _number()),
                ("mark", models.CharField(max_length=32, unique=True)),
                ("code", models.CharField(max_length=40)),
                ("number", models.PositiveIntegerField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("sent", models.DateTimeField(null=True)),
                ("campaign", _campaign("stays")),
                ("sent_by", _person("+")),
            ],
            {"ordering": ("pk",)},
        ),
    )
