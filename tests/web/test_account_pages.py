"""The pages of an account, in our frame and our words, and no link to a page that is not served."""

from __future__ import annotations

import re
from html import unescape

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import include, path
from pytest_django import Settings

from polemarque.club.models import Person
from polemarque.web import urls
from polemarque.web.says import say

pytestmark = pytest.mark.django_db

urlpatterns = [*urls.urlpatterns, path("all/", include("allauth.account.urls"))]
"""The addresses of a club that also keeps people's mail addresses."""

handler404 = urls.handler404

SECRET = "bouclier-d-airain"


@pytest.fixture
def hesiod() -> Person:
    return Person.objects.create_user("hesiode", "hesiode@example.org", SECRET)


@pytest.fixture
def with_mail(settings: Settings) -> None:
    settings.ROOT_URLCONF = __name__


def read(client: Client, address: str, lang: str = "fr") -> str:
    client.cookies["lang"] = lang
    answer = client.get(address)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_sign_in_says_what_was_wrong_beside_the_form(client: Client, lang: str) -> None:
    page = read(client, "/account/login/", lang)
    assert say(lang, "account.username") in page
    assert say(lang, "account.by_invitation") in page
    assert "signup" not in page and "password/reset" not in page
    answer = client.post("/account/login/", {"login": "nobody", "password": "nothing"})
    page = unescape(answer.content.decode())
    assert 'role="alert"' in page and 'value="nobody"' in page


def test_an_empty_field_names_its_error(client: Client) -> None:
    client.cookies["lang"] = "fr"
    page = client.post("/account/login/", {"login": "", "password": "x"}).content.decode()
    named = re.search(r'<input[^>]*name="login"[^>]*>', page)
    assert named and 'aria-invalid="true"' in named[0]
    described = re.search(r'aria-describedby="([^"]+)"', named[0])
    assert described and f'id="{described[1]}"' in page


def test_in_and_out_and_a_new_password(client: Client, hesiod: Person) -> None:
    client.post("/account/login/", {"login": "hesiode", "password": SECRET})
    assert say("fr", "account.logout_sure") in read(client, "/account/logout/")
    assert say("fr", "account.password_old") in read(client, "/account/password/")
    new = {"oldpassword": SECRET, "password1": "lance-de-frene", "password2": "lance-de-frene"}
    client.post("/account/password/", new)
    hesiod.refresh_from_db()
    assert hesiod.check_password("lance-de-frene")
    assert say("fr", "account.password_changed") in read(client, "/account/password/")
    client.post("/account/logout/")
    assert say("fr", "account.told_out") in read(client, "/account/login/")


@pytest.mark.usefixtures("with_mail")
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_forgotten_password(client: Client, hesiod: Person, lang: str) -> None:
    EmailAddress.objects.create(user=hesiod, email=hesiod.email, verified=True, primary=True)
    assert say(lang, "account.forgotten") in read(client, "/all/login/", lang)
    assert say(lang, "account.reset_how") in read(client, "/all/password/reset/", lang)
    sent = client.post("/all/password/reset/", {"email": hesiod.email}, follow=True)
    assert say(lang, "account.reset_sent") in unescape(sent.content.decode())
    (letter,) = mail.outbox
    assert say(lang, "account.mail.reset_subject") in letter.subject
    link = re.search(r"http://testserver(\S+)", str(letter.body))
    assert link
    page = client.get(link[1], follow=True)
    assert say(lang, "account.password_choose") in unescape(page.content.decode())
    address = page.redirect_chain[-1][0]
    new = {"password1": "lance-de-frene", "password2": "lance-de-frene"}
    done = client.post(address, new, follow=True)
    assert say(lang, "account.password_changed") in unescape(done.content.decode())
    client.post("/all/logout/")
    stale = client.get(link[1], follow=True)
    assert say(lang, "account.reset_stale") in unescape(stale.content.decode())


@pytest.mark.usefixtures("with_mail")
def test_mail_addresses(client: Client, hesiod: Person) -> None:
    client.force_login(hesiod)
    assert say("fr", "account.email_why") in read(client, "/all/email/")
    added = client.post("/all/email/", {"action_add": "", "email": "h@example.org"}, follow=True)
    page = unescape(added.content.decode())
    assert say("fr", "account.email_told_sent", email="h@example.org") in page
    assert say("fr", "account.email_unverified") in page
    letter = mail.outbox[-1]
    assert say("fr", "account.mail.confirm_subject") in letter.subject
    link = re.search(r"http://testserver(\S+)", str(letter.body))
    assert link
    sure = say("fr", "account.email_confirm_sure", email="h@example.org")
    assert sure in read(client, link[1])
    client.post(link[1])
    assert EmailAddress.objects.get(email="h@example.org").verified
    assert say("fr", "account.email_stale") in read(client, "/all/confirm-email/nothing/")


@pytest.mark.usefixtures("with_mail")
def test_nobody_signs_up_alone(client: Client) -> None:
    assert say("fr", "account.signup_closed") in read(client, "/all/signup/")
    assert say("fr", "account.inactive_told") in read(client, "/all/inactive/")
