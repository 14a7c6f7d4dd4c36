"""The pages' settings as tests use them: the same, but for mail, and passwords that
are not hashed at leisure."""

from polemarque.web.settings import *  # noqa: F403 - Django's own way to derive settings

MAIL = True
TIME_ZONE = "UTC"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
