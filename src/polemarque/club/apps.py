"""The club as Django knows it."""

from django.apps import AppConfig


class Club(AppConfig):
    """People, campaigns, seats and records."""

    name = "polemarque.club"
    label = "club"
    default_auto_field = "django.db.models.BigAutoField"
