"""Orders by mail: who wants forms, which mails were read, and whether the box can be."""

from __future__ import annotations

from django.db import migrations, models
from django.utils import timezone


class Migration(migrations.Migration):
    """See the module."""

    dependencies = (("club", "0015_spared"),)
    operations = (
        migrations.AddField("person", "forms", models.BooleanField(default=False)),
        migrations.CreateModel(
            "ReadMail",
            [
                ("id", models.BigAutoField(primary_key=True, auto_created=True, serialize=False,
                                           verbose_name="ID")),
                ("name", models.CharField(max_length=64, unique=True)),
                ("person", models.ForeignKey("club.Person", models.CASCADE,
                                             related_name="mails_read")),
                ("meant", models.CharField(max_length=64, blank=True)),
                ("at", models.DateTimeField(default=timezone.now)),
            ],
        ),
        migrations.CreateModel(
            "MailBox",
            [
                ("id", models.BigAutoField(primary_key=True, auto_created=True, serialize=False,
                                           verbose_name="ID")),
                ("why", models.CharField(max_length=120, blank=True)),
                ("at", models.DateTimeField(default=timezone.now)),
            ],
        ),
    )  # fmt: skip
