"""Whether a seat is spared questions with one answer, and receipts that only its seat reads."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """See the module.  Receipts have triggers: a column that may be null leaves their table alone."""

    dependencies = (("club", "0014_open"),)
    operations = (
        migrations.AddField("seat", "spared", models.BooleanField(default=True)),
        migrations.AddField("receipt", "untold", models.BooleanField(null=True)),
    )
