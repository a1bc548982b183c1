"""Requests into the local network are refused, for all forms of addresses and for names that resolve to it."""

import pytest

from service.notices.addresses import is_public, is_public_name
from service.notices.outbound import Outbound, refusal_of

#: Hosts in a URL that are in the local network, or might be.
HOSTS = (  # noqa: SIM905 - for readability
    "127.0.0.1 127.1 127.0.1 0 0.0.0.0 2130706433 017700000001 0x7f000001 0x7f.1 0177.0.0.1 10.0.0.1 "
    "172.16.0.1 172.31.255.254 192.168.1.1 169.254.169.254 100.64.0.1 198.18.0.1 224.0.0.1 255.255.255.255 "
    "[::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [fe80::1] [fc00::1] [fd00::1] [64:ff9b::7f00:1] "
    "[2002:7f00:1::] [2001:0:7f00:1::] localhost localhost.localdomain redis api printer.local "
    "metadata.google.internal 1.0.0.127.in-addr.arpa 8.8.8.8 [2606:4700::1111] "
).split()
#: Addresses of a name that are refused.
PRIVATE = (  # noqa: SIM905 - as above
    "127.0.0.1 127.255.255.254 0.0.0.0 10.1.2.3 172.20.0.1 192.168.0.1 169.254.169.254 100.64.0.1 "
    "192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 ::1 :: "
    "::ffff:127.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 fe80::1 fe80::1%eth0 fc00::1 fd12::1 ff02::1 "
    "64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1:: 2001:0:7f00:1:: 2001:db8::1 100::1 nonsense "
).split()
PUBLIC = ("8.8.8.8", "1.1.1.1", "2606:4700:4700::1111")


@pytest.mark.parametrize("host", HOSTS)
def test_an_address_or_a_name_of_the_local_network_is_refused(host):
    assert refusal_of(f"https://{host}/", "") == "webhook_host"


def test_public_names_are_accepted():
    for host in ("bot.example.net", "a-b.co", "xn--bcher-kva.example", "hooks.slack.com"):
        assert refusal_of(f"https://{host}/path?x=1", "play.example.net") is None


@pytest.mark.parametrize("address", PRIVATE)
def test_a_name_that_resolves_to_the_local_network_is_refused(address, nobody_connects):
    assert not is_public(address)
    for addresses in ([address], [PUBLIC[0], address]):
        outbound = Outbound(resolve=lambda *_, addresses=addresses: addresses)
        assert outbound.refusal_of_new("https://bot.example.net/", "") == "webhook_own_network"
        assert outbound.post("https://bot.example.net/", {}, b"{}").error == "webhook_own_network"
    assert nobody_connects == []


def test_a_public_address_is_used(nobody_connects):
    assert all(map(is_public, PUBLIC))
    outbound = Outbound(resolve=lambda *_: [PUBLIC[0]])
    assert outbound.post("https://bot.example.net:8443/", {}, b"{}").error == "connection"
    assert nobody_connects == [(PUBLIC[0], 8443)]


def test_dns_rebinding_does_not_work(nobody_connects):
    answers = iter([[PUBLIC[0]], ["127.0.0.1"], [PUBLIC[1]]])
    outbound = Outbound(resolve=lambda *_: next(answers))
    assert outbound.refusal_of_new("https://bot.example.net/", "") is None
    assert outbound.post("https://bot.example.net/", {}, b"{}").error == "webhook_own_network"
    assert outbound.post("https://bot.example.net/", {}, b"{}").error == "connection"
    # The name is resolved once, and exactly that address is used.
    assert nobody_connects == [(PUBLIC[1], 443)]


def test_the_service_sends_no_requests_to_itself(nobody_connects):
    outbound = Outbound(resolve=lambda *_: [PUBLIC[0]], own_host="play.example.net")
    assert outbound.refusal("https://play.example.net/") == "webhook_own_host"
    assert outbound.refusal_of_new("https://other.example.net/", "other.example.net:443") == "webhook_own_host"
    # Another name of its address is refused too.
    assert outbound.post("https://bot.example.net/", {}, b"{}").error == "webhook_own_host"
    assert nobody_connects == []


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://bot.example.net/", "webhook_scheme"),
        ("ftp://bot.example.net/", "webhook_scheme"),
        ("file:///etc/passwd", "webhook_url"),
        ("https://user@bot.example.net/", "webhook_credentials"),
        ("https://user:word@bot.example.net/", "webhook_credentials"),
        ("https://bot.example.net:80/", "webhook_port"),
        ("https://bot.example.net:6379/", "webhook_port"),
        ("https://bot.example.net:99999/", "webhook_url"),
        ("https://bot.example.net/#x", "webhook_url"),
        ("https://bot.example.net/\r\nX: y", "webhook_url"),
        ("https://bot.example.net\\@127.0.0.1/", "webhook_url"),
        ("https://bücher.example/", "webhook_url"),
        ("https://", "webhook_url"),
        ("https://[::1/", "webhook_url"),
        ("nonsense", "webhook_url"),
        ("https://bot.example.net./", "webhook_host"),
    ],
)
def test_other_urls_are_refused_with_a_reason(url, reason):
    assert refusal_of(url, "") == reason


def test_names_are_judged_by_their_labels():
    assert not any(map(is_public_name, ("", ".", "a", "-a.com", "a..com", "a_b.com", "a.1com", "a." * 130 + "com")))


@pytest.fixture
def nobody_connects(monkeypatch):
    """The servers that would be connected to."""
    called = []

    def connect(address, timeout):
        called.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr("service.notices.outbound.socket.create_connection", connect)
    return called
