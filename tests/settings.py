"""The pages' settings as tests use them: the same, but for hashing passwords at leisure."""

from polemarque.web.settings import *  # noqa: F403 - Django's own way to derive settings

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
