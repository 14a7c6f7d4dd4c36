"""Django's settings.  All that differs from one club to the next is the folder of its data.

``POLEMARQUE_DATA``     folder of the database and the secret key
``POLEMARQUE_ADDRESS``  where the club is, ``https://club.example.org``: it answers to that name
                        and to those of its own machine, and links carry it.  Without, it answers to
                        any name, for a laptop in a club hall has none
``POLEMARQUE_PROXIES``  ``127.0.0.1, 10.0.0.0/8``: addresses of the proxies that are believed about
                        who asks.  Without, nobody is
``POLEMARQUE_MAIL``     ``smtp://name:password@host:587``, ``smtps://…`` or ``console``: how mail is
                        sent, which takes an address.  Without, none is
``POLEMARQUE_SENDER``   whom mail is from
``POLEMARQUE_BOX``      ``imaps://name:password@host``, ``imap://…``, ``maildir:/folder``, ``pipe``:
                        where replies to that sender arrive.  Without, none are read
``POLEMARQUE_ZONE``     ``Europe/Paris``: by which clock hours are told.  Without, by the machine's
``POLEMARQUE_DEBUG``    set to anything: faults show their traceback
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

from csp.constants import NONCE

from polemarque.web.environment import address_in, box_in, hosts_of, mail_in, proxies_in, zone_in

HERE = Path(__file__).parent
DATA = Path(os.environ.get("POLEMARQUE_DATA", "polemarque-data"))


def _kept(path: Path) -> str:
    """The secret that signs sessions and invitations; `serve` writes it when it first starts."""
    return path.read_text().strip() if path.exists() else secrets.token_hex(32)


SECRET_KEY = _kept(DATA / "secret.key")
DEBUG = bool(os.environ.get("POLEMARQUE_DEBUG"))
ADDRESS = address_in(os.environ)
ALLOWED_HOSTS = hosts_of(ADDRESS)
PROXIES = proxies_in(os.environ)
CSRF_TRUSTED_ORIGINS = [ADDRESS] if ADDRESS else []
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = ADDRESS.startswith("https://")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "allauth",
    "allauth.account",
    "polemarque.club",
    "polemarque.web",
]

MIDDLEWARE = [
    "polemarque.web.headers.encrypted",
    "django.middleware.security.SecurityMiddleware",
    "polemarque.web.headers.compressed",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "polemarque.web.headers.kept_nowhere",
    "polemarque.web.i18n.language",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "polemarque.web.pages.account.errors.bounded",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "polemarque.web.urls"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [HERE / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
                "polemarque.web.i18n.frame",
            ],
            "builtins": ["polemarque.web.templatetags.polemarque", "django.templatetags.static"],
        },
    }
]

# The record: every acknowledged answer is on the disk, and writers wait for each other.
DATABASES: dict[str, dict[str, Any]] = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATA / "polemarque.sqlite3",
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 5,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
            " PRAGMA busy_timeout=5000; PRAGMA foreign_keys=ON; PRAGMA recursive_triggers=ON;",
        },
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# People: no sign-up without an invitation (see `accounts.Closed`).
AUTH_USER_MODEL = "club.Person"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
ACCOUNT_ADAPTER = "polemarque.web.accounts.Closed"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""

# Wrong passwords (see `accounts.Closed`): by the browser that is known; by account and address; by
# account; by address, of which each account counts once in that time.
ACCOUNT_RATE_LIMITS = {
    "login": None, "login_failed": None,
    "sign_in_known": "10/5m/key", "sign_in_here": "5/5m/key", "sign_in_name": "30/h/key",
    "sign_in_address": "20/10m/ip", "sign_in_first": "1/10m/key",
}  # fmt: skip
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 20_000},  # nobody makes it forget by trying many names
    }
}

# Mail, where the club has told how; without it umpires hand out links.
_MAIL = mail_in(os.environ) if ADDRESS else mail_in({})
MAIL = _MAIL.sent
EMAIL_BACKEND = f"django.core.mail.backends.{_MAIL.backend}.EmailBackend"
EMAIL_HOST, EMAIL_PORT = _MAIL.host, _MAIL.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _MAIL.user, _MAIL.password
EMAIL_USE_TLS, EMAIL_USE_SSL = _MAIL.starts_tls, _MAIL.tls
EMAIL_TIMEOUT = 10
BOX = box_in(os.environ)
DEFAULT_FROM_EMAIL = os.environ.get("POLEMARQUE_SENDER", "polemarque@localhost")

# Sessions and forms.
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 90
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "polemarque.web.pages.account.errors.refused"
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 2**20
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5000
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# Nothing from elsewhere, nothing inline: `<style>` of a drawing carries the nonce of its page.
CONTENT_SECURITY_POLICY: dict[str, Any] = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "style-src": ["'self'", NONCE],
        "img-src": ["'self'", "data:"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        "base-uri": ["'none'"],
        "object-src": ["'none'"],
    }
}

STATIC_URL = "/static/"
STATIC_ROOT = HERE / "static"
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

LANGUAGE_CODE = "fr"
LANGUAGES = [("fr", "Français"), ("en", "English")]
USE_I18N = True
FORMAT_MODULE_PATH = ["polemarque.web.formats"]
USE_TZ = True
TIME_ZONE = zone_in(os.environ)

MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"unlinked": {"()": "polemarque.web.log_filter.Unlinked"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "filters": ["unlinked"]}},
    "root": {"handlers": ["console"], "level": "WARNING"},
}
