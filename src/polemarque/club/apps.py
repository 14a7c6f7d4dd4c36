"""The club as Django knows it."""

from importlib import import_module

from django.apps import AppConfig


class Club(AppConfig):
    """People, campaigns, seats and records."""

    name = "polemarque.club"
    label = "club"
    default_auto_field = "django.db.models.BigAutoField"

    def import_models(self) -> None:
        """Rows stand in four modules; Django imports the first only."""
        super().import_models()
        for name in ("clock", "messages", "transfer"):
            import_module(f"polemarque.club.{name}.models")
