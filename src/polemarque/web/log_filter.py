"""What the club writes of itself into its log."""

from __future__ import annotations

import logging
import re

SECRETS = re.compile(
    r"(/invitation/|/mails/|/calendar/|/account/new-password/[^/\s]+/|/account/mail/confirm/)[^/\s]+"
)
"""Addresses that let in anyone who has them: what may be read of each, and its secret."""


class Unlinked(logging.Filter):
    """Takes links that may still let somebody in out of what is logged: a log is read by more
    people than they are for."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let everything through, without these secrets."""
        if isinstance(record.args, tuple):
            record.args = tuple([_unlinked(part) for part in record.args])
        return True


def _unlinked(part: object) -> object:
    return SECRETS.sub(r"\1…", part) if isinstance(part, str) else part
