"""Short mails of the club to one person, where it sends any."""

from __future__ import annotations

from django.conf import settings
from django.core.mail import send_mail

from polemarque.club.models import Person
from polemarque.web.says import say


def mail(person: Person, text: str, title: str, link: str, lang: str) -> bool:
    """Send somebody a text by mail, if he has an address; whether it was sent.

    text:  family of its subject and body, told with the campaign's title, his name and the link.
    lang:  his language, if he has chosen none.
    A mail that cannot be sent undoes nothing.
    """
    if not settings.MAIL or not person.email:
        return False
    data = {"campaign": title, "name": str(person), "link": link}
    lang = person.lang or lang
    subject, body = (say(lang, f"{text}_{part}", **data) for part in ("subject", "body"))
    return bool(send_mail(subject, body, None, [person.email], fail_silently=True))
