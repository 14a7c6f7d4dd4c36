"""How a campaign is timed, its pauses and votes, and since when people are in a seat."""

from __future__ import annotations

import django.utils.timezone
from django.db import migrations, models

from polemarque.club.migrations._fields import CAMPAIGN, ID, PERSON, of


class Migration(migrations.Migration):
    """See the module."""

    dependencies = (("club", "0011_paced"),)
    operations = (
        migrations.AddField("campaign", "clock", models.JSONField(default=dict)),
        migrations.AddField("campaign", "turn", models.IntegerField(default=0)),
        migrations.AddField("campaign", "turned", models.DateTimeField(null=True)),
        migrations.AddField("holder", "since", models.DateTimeField(null=True)),
        migrations.CreateModel("Beat", [ID, ("at", models.DateTimeField())]),
        migrations.CreateModel(
            "Pause",
            [
                ID,
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended", models.DateTimeField(null=True)),
                ("by", models.CharField(max_length=6)),
                of("campaign", CAMPAIGN, "pauses"),
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
                ID,
                ("seat", models.CharField(max_length=40)),
                ("what", models.CharField(max_length=6)),
                of("by", PERSON, "votes"),
                of("campaign", CAMPAIGN, "votes"),
            ],
        ),
        migrations.AddConstraint(
            "vote",
            models.UniqueConstraint(fields=["campaign", "seat", "what"], name="one_vote"),
        ),
    )
