"""The pages of an account, in our frame and our words, and no link to a page that is not served."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from pytest_django import Settings

from polemarque.club.campaigns.session import read_lock
from polemarque.club.models import Holder, Person
from polemarque.club.orders.taking_back import take_back
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.records.record import Looked
from polemarque.web import server, urls
from polemarque.web.environment import (
    ADDRESSES,
    MAILS,
    OWN,
    ZONES,
    Mail,
    address_in,
    hosts_of,
    mail_in,
    zone_in,
)
from polemarque.web.i18n import say
from tests.web.people import browser, said, way
from tests.web.world import World, sealed, world

pytestmark = pytest.mark.django_db

urlpatterns = [each for each in urls.urlpatterns if each not in urls.WITH_MAIL]
"""The addresses of a club that sends no mail."""

handler404 = urls.handler404

SECRET = "bouclier-d-airain"


@pytest.fixture
def hesiod() -> Person:
    return Person.objects.create_user("hesiode", "hesiode@example.org", SECRET)


@pytest.fixture
def without_mail(settings: Settings) -> None:
    settings.ROOT_URLCONF, settings.MAIL = __name__, False


@pytest.fixture
def at_home(settings: Settings) -> None:
    """A club that has said where it is."""
    settings.ADDRESS = "https://club.example.org"


def read(client: Client, address: str, lang: str = "fr") -> str:
    client.cookies["lang"] = lang
    answer = client.get(address)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


@pytest.mark.usefixtures("without_mail")
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_sign_in_says_what_was_wrong_beside_the_form(client: Client, lang: str) -> None:
    page = read(client, "/account/login/", lang)
    assert say(lang, "account.username") in page
    assert say(lang, "account.by_invitation") in page
    assert "signup" not in page and "forgotten" not in page
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


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_forgotten_password(client: Client, hesiod: Person, lang: str) -> None:
    EmailAddress.objects.create(user=hesiod, email=hesiod.email, verified=True, primary=True)
    assert say(lang, "account.forgotten") in read(client, "/account/login/", lang)
    assert say(lang, "account.reset_how") in read(client, "/account/forgotten/", lang)
    sent = client.post("/account/forgotten/", {"email": hesiod.email}, follow=True)
    assert say(lang, "account.reset_sent") in unescape(sent.content.decode())
    (letter,) = mail.outbox
    assert say(lang, "account.mail.reset_subject") in letter.subject
    link = re.search(r"https://club\.example\.org(\S+)", str(letter.body))
    assert link
    page = client.get(link[1], follow=True)
    assert say(lang, "account.password_choose") in unescape(page.content.decode())
    address = page.redirect_chain[-1][0]
    new = {"password1": "lance-de-frene", "password2": "lance-de-frene"}
    done = client.post(address, new, follow=True)
    assert say(lang, "account.password_changed") in unescape(done.content.decode())
    client.post("/account/logout/")
    stale = client.get(link[1], follow=True)
    assert say(lang, "account.reset_stale") in unescape(stale.content.decode())


@pytest.mark.usefixtures("at_home")
def test_mail_addresses(client: Client, hesiod: Person) -> None:
    client.force_login(hesiod)
    assert say("fr", "account.email_why") in read(client, "/account/mail/")
    added = client.post("/account/mail/", {"action_add": "", "email": "h@example.org"}, follow=True)
    page = unescape(added.content.decode())
    assert say("fr", "account.email_told_sent", email="h@example.org") in page
    assert say("fr", "account.email_unverified") in page
    letter = mail.outbox[-1]
    assert say("fr", "account.mail.confirm_subject") in letter.subject
    link = re.search(r"https://club\.example\.org(\S+)", str(letter.body))
    assert link
    sure = say("fr", "account.email_confirm_sure", email="h@example.org")
    assert sure in read(client, link[1])
    client.post(link[1])
    assert EmailAddress.objects.get(email="h@example.org").verified
    assert say("fr", "account.email_stale") in read(client, "/account/mail/confirm/nothing/")


def test_nobody_signs_up_alone(client: Client, hesiod: Person) -> None:
    assert client.get("/account/signup/").status_code == 404
    client.cookies["lang"] = "fr"
    hesiod.is_active = False
    hesiod.save()
    sent = {"login": "hesiode", "password": SECRET}
    page = client.post("/account/login/", sent, follow=True).content.decode()
    assert say("fr", "account.inactive_told") in unescape(page)


@pytest.mark.usefixtures("without_mail")
def test_a_club_without_mail_has_no_pages_for_it(client: Client, hesiod: Person) -> None:
    for each in urls.WITH_MAIL:
        address = "/" + str(each.pattern).replace("<str:key>", "x")
        assert client.get(address).status_code == 404, address
    client.force_login(hesiod)
    assert say("fr", "account.email_page") not in read(client, "/settings/")


# A link from an umpire ---------------------------------------------------------------------------


def linked(page: str) -> str:
    """The link to a new password that a page shows."""
    found = re.search(r'id="renewed-\d+" value="http://testserver(\S+)"', page)
    assert found
    return found[1]


@pytest.mark.usefixtures("without_mail")
def test_an_umpire_makes_a_link_to_a_new_password_that_works_once() -> None:
    there = world()
    rival = there.people["rival"]
    old = browser(rival)
    desk = there.browser("umpire")
    people = way("people", there.campaign)
    assert "renewed-" not in said(desk.get(people))
    made = desk.post(way("renew", there.campaign, number=str(rival.pk)))
    assert "no-store" in made["Cache-Control"]
    link = linked(made.content.decode())
    assert "renewed-" not in said(desk.get(people))
    newcomer = browser()
    page = newcomer.get(link, follow=True)
    new = {"password1": "lance-de-frene", "password2": "lance-de-frene"}
    newcomer.post(page.redirect_chain[-1][0], new)
    rival.refresh_from_db()
    assert rival.check_password("lance-de-frene")
    assert old.get("/settings/").status_code == 302  # whoever was signed in is not any more
    stale = browser(lang="fr").get(link, follow=True)
    told = unescape(stale.content.decode())
    assert say("fr", "account.reset_stale") in told and say("fr", "account.reset_ask") in told


@pytest.mark.usefixtures("without_mail")
def test_a_link_to_an_account_is_entered_and_waits_for_what_is_sealed() -> None:
    there = world()
    ask = way("renew", there.campaign, number=str(there.people["rival"].pk))
    desk = there.browser("umpire")
    sealed(there, "B", "rival")
    refused = desk.post(ask, follow=True)
    assert "renewed-" not in said(refused) and "has sealed an answer" in said(refused)
    assert looks(there) == []
    take_back(there.campaign, "B")
    assert linked(said(desk.post(ask)))
    assert looks(there) == ["account"]
    assert linked(said(desk.post(ask))) and looks(there) == ["account"], "once a turn"
    seen = said(there.browser("watcher").get(way("trust", there.campaign)))
    assert "a place in that seat" in seen


def looks(there: World) -> list[str]:
    with read_lock(there.campaign) as table:
        return [entry.what for entry in table.game.entries if isinstance(entry, Looked)]


def leaves(there: World, person: Person) -> None:
    Holder.objects.filter(seat__campaign=there.campaign, person=person).delete()


def test_no_umpire_makes_one_by_which_he_would_learn_anything() -> None:
    there, elsewhere = world(), world(playing=True)
    rival = there.people["rival"]
    assert elsewhere.people["rival"] == rival  # and there the umpire plays against him
    ask = way("renew", there.campaign, number=str(rival.pk))
    assert there.browser("umpire").post(ask).status_code == 404
    leaves(elsewhere, there.people["umpire"])  # who has played it is no neutral umpire
    assert there.browser("umpire").post(ask).status_code == 404
    leaves(elsewhere, rival)
    assert there.browser("umpire").post(ask).status_code == 200
    own = way("renew", there.campaign, number=str(there.people["umpire"].pk))
    stranger = way("renew", there.campaign, number=str(there.people["stranger"].pk))
    assert there.browser("umpire").post(own).status_code == 404
    assert there.browser("umpire").post(stranger).status_code == 404


# What a club says of itself ----------------------------------------------------------------------


@pytest.mark.parametrize(("told", "address", "hosts"), [
    ("", "", ["*"]),
    ("club.example.org", "http://club.example.org", ["club.example.org", *OWN]),
    ("https://club.example.org:8443/", "https://club.example.org:8443",
     ["club.example.org", *OWN]),
    ("https://Club.example.org:443", "https://club.example.org", ["club.example.org", *OWN]),
    ("192.168.1.20:8000", "http://192.168.1.20:8000", ["192.168.1.20", *OWN]),
    ("http://[2001:DB8:0::1]:8000", "http://[2001:db8::1]:8000", ["[2001:db8::1]", *OWN]),
])  # fmt: skip
def test_where_a_club_is(told: str, address: str, hosts: list[str]) -> None:
    assert address_in({"POLEMARQUE_ADDRESS": told}) == address
    assert hosts_of(address) == hosts


@pytest.mark.parametrize("address", ["http://[2001:db8::1]:8000", "http://192.168.1.20:8000"])
def test_a_club_answers_at_its_own_address(settings: Settings, address: str) -> None:
    settings.ALLOWED_HOSTS = hosts_of(address)
    host = address.partition("//")[2]
    assert browser().get("/", headers={"host": host}).status_code == 200
    assert browser().get("/", headers={"host": "elsewhere.example.org"}).status_code == 400


def test_where_a_server_listens_is_said_as_browsers_take_it(settings: Settings) -> None:
    settings.ADDRESS = ""
    assert server.address("2001:db8::1", 8000) == "http://[2001:db8::1]:8000"
    assert server.address("192.168.1.20", 8000) == "http://192.168.1.20:8000"
    assert server.address("::", 8000) == "http://localhost:8000"


@pytest.mark.parametrize("told", [
    "ftp://club", "https://", "https://club/path", "https://c?d=e", "https://club:abc",
    "https://club:0", "https://club:65536", "https://cl ub", "https://-club", "club..org",
    "192.168.1.300", "http://[2001:db8::1", "http://[club]", "http://[fe80::1%eth0]", "2001:db8::1",
    "https://zoe:secret@club", "https://:secret@club", "https://zoe:secret@cl@b", "https://société.fr",
])  # fmt: skip
def test_what_is_no_address_is_refused(told: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        address_in({"POLEMARQUE_ADDRESS": told})
    assert (refused.value.code, refused.value.legal) == ("serve.address", ADDRESSES)
    assert "secret" not in str(refused.value)


def test_what_would_be_an_address_is_one() -> None:
    assert [address_in({"POLEMARQUE_ADDRESS": each}) for each in ADDRESSES] == [*ADDRESSES]
    assert all(mail_in({"POLEMARQUE_MAIL": each}).sent for each in MAILS)


def test_how_mail_is_sent() -> None:
    assert not mail_in({}).sent
    assert mail_in({"POLEMARQUE_MAIL": "console"}) == Mail("console")
    plain = mail_in({"POLEMARQUE_MAIL": "smtp://mail.example.org:25"})
    assert (plain.host, plain.port, plain.starts_tls, plain.tls) == (
        "mail.example.org", 25, False, False,
    )  # fmt: skip
    safe = mail_in({"POLEMARQUE_MAIL": "smtps://zoe:p%40ss@mail.example.org"})
    assert (safe.port, safe.user, safe.password, safe.tls) == (465, "zoe", "p@ss", True)
    assert mail_in({"POLEMARQUE_MAIL": "smtp://zoe:x@mail"}).starts_tls


@pytest.mark.parametrize("told", [
    "pop://zoe:secret@mail", "smtp://zoe:secret#1@mail", "smtp://zoe:secret/1@mail",
    "smtp://zoe:5?secret@mail", "smtp://zoe:5/secret@mail", "smtp://zoe:secret@[mail",
    "smtp://zoe:secret@mail:abc", "smtp://",
])  # fmt: skip
def test_a_password_that_cannot_be_read_is_not_repeated(told: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        mail_in({"POLEMARQUE_MAIL": told})
    assert (refused.value.code, refused.value.legal) == ("serve.mail", MAILS)
    assert "secret" not in str(refused.value)


@pytest.mark.usefixtures("at_home")
def test_links_are_at_the_club_s_own_address() -> None:
    there = world(begun=False)
    page = there.browser("umpire").post(
        way("invite", there.campaign), {"seat": "", "role": ""}, follow=True,
        headers={"host": "elsewhere.example.org"},
    )  # fmt: skip
    assert 'value="https://club.example.org/invitation/' in page.content.decode()


@pytest.mark.parametrize(
    ("told", "linked", "zone"),
    [
        ("", "share/zoneinfo/Europe/Paris", "Europe/Paris"),
        ("America/Montreal", "share/zoneinfo/Europe/Paris", "America/Montreal"),
        ("", "share/zoneinfo/Nowhere/At_all", "UTC"), ("", "share/zoneinfo/Europe", "UTC"),
        ("", "elsewhere", "UTC"),
    ],
)  # fmt: skip
def test_hours_are_told_by_the_zone_that_is_named_or_the_machines(
    tmp_path: Path, told: str, linked: str, zone: str
) -> None:
    (tmp_path / "localtime").symlink_to(tmp_path / linked)
    assert zone_in({"POLEMARQUE_ZONE": told}, tmp_path / "localtime") == zone


@pytest.mark.parametrize("told", ["Lutèce", "Europe", "../etc/passwd", "/etc/localtime", "x" * 500])
def test_a_zone_that_nobody_knows_is_refused(told: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        zone_in({"POLEMARQUE_ZONE": told})
    assert (refused.value.code, refused.value.legal) == ("serve.zone", ZONES)
    assert told.startswith(str(refused.value.part))
