from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("club", "0003_typed_dice")]
    operations = [
        migrations.AddField("seeds", "further", models.JSONField(default=list)),
    ]
