"""What goes out to others: a webhook, a feed, a person's calendar."""

from __future__ import annotations

from django.db import migrations, models

from polemarque.club.migrations._fields import PERSON, of


class Migration(migrations.Migration):
    """See the module."""

    dependencies = (("club", "0013_outbox"),)
    operations = (
        migrations.AddField("campaign", "hook", models.CharField(max_length=300, blank=True)),
        migrations.AddField("campaign", "feed", models.BooleanField(default=False)),
        migrations.AddField("person", "calendar", models.CharField(max_length=32, blank=True)),
        migrations.AlterField("notice", *of("person", PERSON, "notices", null=True)),
        migrations.AddConstraint(
            "notice",
            models.UniqueConstraint(
                fields=["campaign", "key"], condition=models.Q(person=None), name="one_posting"
            ),
        ),
    )
