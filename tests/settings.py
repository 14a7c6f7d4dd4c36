"""The pages' settings as tests use them: the same, but for hashing passwords at leisure."""

from polemarque.web.settings import *

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
