"""Webhooks: public news alone, each once, by https to the open net, whatever the other end does."""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.utils import timezone

from polemarque.club.clock.models import Notice
from polemarque.club.clock.news import tell
from polemarque.club.models import Campaign
from polemarque.club.orders.answers import seal
from polemarque.kernel.errors import NotUnderstood
from polemarque.web import webhooks
from polemarque.web.webhooks import NotPosted, body_of, checked_hook, open_net, post, post_all
from tests.club.people import asked, campaign, person, some_answer
from tests.web.people import browser, said, way

pytestmark = pytest.mark.django_db

HOOK = "https://hooks.example.org/in?key=1"


@pytest.mark.parametrize(
    "wrong",
    [
        "http://example.org/", "https://", "https://me:secret@example.org/", "ftp://example.org/",
        "https://example.org:8443/", "https://example.org:x/", "https://exämple.org/",
        "https://[::1", "file:///etc/passwd", "https://a.org/" + "x" * 300, "https://a.org/a b",
    ],
)  # fmt: skip
def test_what_is_no_address_on_the_open_net_is_refused(wrong: str) -> None:
    with pytest.raises(NotUnderstood):
        checked_hook(wrong)
    made = campaign("batailles")
    told = browser(person("zoe")).post(way("announce", made), {"hook": wrong})
    assert told.status_code == 422 and "https address" in said(told)


@pytest.mark.parametrize(
    "inside",
    [
        "127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.0.1", "169.254.169.254", "0.0.0.0",
        "100.64.0.1", "224.0.0.1", "::1", "fe80::1%eth0", "fc00::1", "::ffff:127.0.0.1",
        "::ffff:8.8.8.8", "64:ff9b::7f00:1", "2002:7f00:1::", "ff02::1", "::",
    ],
)  # fmt: skip
def test_no_machine_inside_is_called(inside: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def found(*_: Any, **__: Any) -> Any:
        return [(0, 0, 0, "", (each, 443)) for each in ("8.8.8.8", inside)]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    with pytest.raises(NotPosted, match="private"):
        open_net("hooks.example.org")


# A machine at the other end ----------------------------------------------------------------------


class Other:
    """Answers each call by `answer`, which is given the line; keeps what was posted."""

    def __init__(self, folder: Path) -> None:
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(_certificate(folder))
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]
        self.posted: list[dict[str, Any]] = []
        self.answer: Callable[[Any], None] = status(204)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                plain, _ = self.door.accept()
            except OSError:
                return
            threading.Thread(target=self._take, args=(plain,), daemon=True).start()

    def _take(self, plain: socket.socket) -> None:
        try:
            with self.context.wrap_socket(plain, server_side=True) as line:
                got = b""
                while b"\r\n\r\n" not in got:
                    got += line.recv(9999)
                head, _, body = got.partition(b"\r\n\r\n")
                size = int(head.lower().partition(b"content-length: ")[2].split()[0])
                while len(body) < size:
                    body += line.recv(9999)
                self.posted.append(json.loads(body))
                self.answer(line)
        except OSError:
            return


def status(code: int, *more: str) -> Callable[[Any], None]:
    head = "\r\n".join([f"HTTP/1.1 {code} x", "Content-Length: 0", *more, "", ""])
    return lambda line: line.sendall(head.encode())


def _certificate(folder: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "hooks.example.org")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name)
        .public_key(key.public_key()).serial_number(1)
        .not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("hooks.example.org")]), False)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    file = folder / "other.pem"
    plain = serialization.NoEncryption()
    pem = serialization.Encoding.PEM
    file.write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain) + made.public_bytes(pem)
    )
    return file


@pytest.fixture
def other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Other]:
    found = Other(tmp_path)
    trusting = ssl.create_default_context(cafile=str(tmp_path / "other.pem"))
    monkeypatch.setattr(ssl, "create_default_context", lambda: trusting)
    monkeypatch.setattr(webhooks, "open_net", lambda _: "127.0.0.1")
    monkeypatch.setattr(webhooks, "HTTPS", found.port)
    yield found
    found.door.close()


def hooked() -> Campaign:
    made = campaign("atlantide", seats=3)
    Campaign.objects.filter(pk=made.pk).update(hook=HOOK)
    made.refresh_from_db()
    return made


def test_the_beginning_is_posted_once(other: Other) -> None:
    made = hooked()
    for _ in range(3):
        tell(made)
        post_all()
    (posted,) = [one for one in other.posted if one["kind"] == "begun"]
    assert posted["campaign"] == "A test" and posted["text"] and posted["id"]
    assert len({one["id"] for one in other.posted}) == len(other.posted)
    assert not Notice.objects.filter(person=None, sent=None).exists()


def test_one_that_answers_500_is_tried_again_later_under_the_same_name(other: Other) -> None:
    made = hooked()
    other.answer = status(500)
    tell(made)
    post_all()
    post_all()
    assert len(other.posted) == 1, "not at once"
    desk = said(browser(person("zoe")).get(way("desk", made)))
    assert "webhook: HTTP 500" in desk
    other.answer = status(204)
    Notice.objects.update(after=timezone.now())
    post_all()
    assert other.posted[0] == other.posted[1]
    assert not Notice.objects.filter(person=None, sent=None).exists()


def test_a_redirection_is_not_followed(other: Other) -> None:
    other.answer = status(302, f"Location: https://127.0.0.1:{other.port}/inside")
    with pytest.raises(NotPosted, match="HTTP 302"):
        post(HOOK, {})
    assert len(other.posted) == 1


def drips(line: Any) -> None:
    """One byte of an answer at a time, for ever."""
    line.sendall(b"HTTP/1.1 200 x\r\nx: ")
    while True:
        line.sendall(b"x")
        threading.Event().wait(0.05)


def says_nothing(line: Any) -> None:
    line.recv(1)


@pytest.mark.parametrize("answer", [says_nothing, drips])
def test_one_that_never_ends_is_hung_up_on(
    other: Other, answer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "LIMIT", 0.5)
    other.answer, begun = answer, monotonic()
    with suppress(NotPosted):
        post(HOOK, {})
    assert monotonic() - begun < 5


def test_a_certificate_of_another_name_is_refused(other: Other) -> None:
    with pytest.raises(NotPosted):
        post("https://elsewhere.example.org/", {})
    assert not other.posted


# What is posted ----------------------------------------------------------------------------------


def test_discord_gets_its_own_form_and_calls_nobody() -> None:
    made = hooked()
    made.hook = "https://discord.com/api/webhooks/1/secret"
    tell(made)
    notice = Notice.objects.filter(person=None).first()
    assert notice is not None
    body = body_of(made, notice)
    assert body.keys() == {"content", "allowed_mentions"} and body["allowed_mentions"] == {
        "parse": []
    }
    assert len(body["content"]) < 2000


def test_what_is_posted_says_nothing_of_what_is_sealed() -> None:
    made = hooked()
    Campaign.objects.filter(pk=made.pk).update(pace=5, clock={"remind": 6})
    made.refresh_from_db()
    key, digest, bodies = asked(made, "B"), "", []
    values = [some_answer(made, "B", number) for number in range(9)]
    for value in (values[0], next(each for each in values if each != values[0])):
        receipt = seal(made, person("b"), "B", key, value, once=digest or "first", standing=digest)
        assert receipt is not None
        digest = receipt.digest
        made.refresh_from_db()
        Notice.objects.all().delete()
        tell(made)
        found = [body_of(made, each) for each in Notice.objects.filter(person=None)]
        bodies.append([{**body, "id": ""} for body in found])
    assert bodies[0] == bodies[1] and {each["kind"] for each in bodies[0]} >= {"begun", "reminder"}


def test_only_umpires_set_it_and_nobody_reads_its_address() -> None:
    made = campaign("batailles")
    zoe = browser(person("zoe"))
    told = zoe.post(way("announce", made), {"hook": HOOK, "feed": "1"}, follow=True)
    made.refresh_from_db()
    assert made.hook == HOOK and made.feed
    assert "hooks.example.org" in said(told) and "key=1" not in said(told)
    assert "hooks.example.org" not in said(browser(person("a")).get(way("clock", made)))
    zoe.post(way("announce", made), {"hook": ""})
    made.refresh_from_db()
    assert made.hook == HOOK and not made.feed
    zoe.post(way("announce", made), {"hook": "", "no_hook": "1"})
    made.refresh_from_db()
    assert not made.hook


def test_the_desk_has_a_message_to_paste() -> None:
    made = campaign("atlantide", seats=3)
    Campaign.objects.filter(pk=made.pk).update(pace=24)
    desk = said(browser(person("zoe")).get(way("desk", made)))
    message = desk.partition('<textarea id="paste"')[2].partition("</textarea>")[0]
    assert "A test: awaited are" in message and "before" in message and made.code in message
