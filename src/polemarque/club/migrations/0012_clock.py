"""How a campaign is timed, its pauses and votes, and since when people are in a seat."""

from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

ID = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


def of_campaign(name: str) -> models.ForeignKey[object, object]:
    """A row of a campaign goes with it."""
    return models.ForeignKey(
        on_delete=django.db.models.deletion.CASCADE, related_name=name, to="club.campaign"
    )


class Migration(migrations.Migration):
    """See the module."""

    dependencies = (("club", "0011_paced"),)
    operations = (
        migrations.AddField("campaign", "clock", models.JSONField(default=dict)),
        migrations.AddField("campaign", "turn", models.IntegerField(default=0)),
        migrations.AddField("campaign", "turned", models.DateTimeField(null=True)),
        migrations.AddField("holder", "since", models.DateTimeField(null=True)),
        migrations.CreateModel("Beat", [("id", ID), ("at", models.DateTimeField())]),
        migrations.CreateModel(
            "Pause",
            [
                ("id", ID),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended", models.DateTimeField(null=True)),
                ("by", models.CharField(max_length=6)),
                ("campaign", of_campaign("pauses")),
            ],
        ),
        migrations.AddConstraint(
            "pause",
            models.UniqueConstraint(
                fields=["campaign"], condition=models.Q(ended=None), name="one_pause"
            ),
        ),
        migrations.CreateModel(
            "Vote",
            [
                ("id", ID),
                ("seat", models.CharField(max_length=40)),
                ("what", models.CharField(max_length=6)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="votes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("campaign", of_campaign("votes")),
            ],
        ),
        migrations.AddConstraint(
            "vote",
            models.UniqueConstraint(fields=["campaign", "seat", "what"], name="one_vote"),
        ),
    )
