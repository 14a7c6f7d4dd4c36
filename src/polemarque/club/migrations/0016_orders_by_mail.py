"""Orders by mail: who wants forms, which mails were read, and whether the box can be."""

from __future__ import annotations

from django.db import migrations, models
from django.utils import timezone

from polemarque.club.migrations._fields import ID, PERSON, of


class Migration(migrations.Migration):
    """See the module."""

    dependencies = (("club", "0015_spared"),)
    operations = (
        migrations.AddField("person", "forms", models.BooleanField(default=False)),
        migrations.CreateModel(
            "ReadMail",
            [
                ID,
                ("name", models.CharField(max_length=64, unique=True)),
                of("person", PERSON, "mails_read"),
                ("meant", models.CharField(max_length=64, blank=True)),
                ("at", models.DateTimeField(default=timezone.now)),
            ],
        ),
        migrations.CreateModel(
            "MailBox",
            [
                ID,
                ("why", models.CharField(max_length=120, blank=True)),
                ("at", models.DateTimeField(default=timezone.now)),
            ],
        ),
    )
