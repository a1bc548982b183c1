"""Clients by their addresses: one client has one budget, however its address is written and whichever it takes."""

import pytest

from service.api.http.rate_limits import NETWORK_SHARE
from service.common.addresses import UNKNOWN, client_at
from service.common.settings import Budget
from tests.api.contract import assert_problem

#: Client -> ways to write its address.
SAME = {
    "ip:203.0.113.9": (
        "203.0.113.9",
        " 203.0.113.9 ",
        '"203.0.113.9"',
        "203.0.113.9:51034",
        "::ffff:203.0.113.9",
        "::FFFF:CB00:7109",
        "0:0:0:0:0:ffff:203.0.113.9",
        "[::ffff:203.0.113.9]:443",
        "::ffff:203.0.113.9%eth0",
        # 6to4 gives each IPv4 address a whole /48; a translator embeds the address in its own prefix.
        "2002:cb00:7109::1",
        "2002:cb00:7109:ffff::1",
        "64:ff9b::203.0.113.9",
    ),
    "ip:2001:db8:1:2::/64": (
        "2001:db8:1:2::1",
        "2001:DB8:1:2:aaaa:bbbb:cccc:dddd",
        "2001:0db8:0001:0002:0000:0000:0000:0001",
        "[2001:db8:1:2::1]",
        "[2001:db8:1:2::1]:8080",
        '"[2001:db8:1:2::9]:8080"',
        "2001:db8:1:2::1%eth0",
        "2001:db8:1:2::1%25eth0",
    ),
    "ip:fe80::/64": ("fe80::1%eth0", "fe80::2"),
}
GARBAGE = (
    *("", " ", "unknown", "_hidden", "localhost", "203.0.113", "203.0.113.999", "203.0.113.9:", "1", "0x7f000001"),
    *(
        "203.0.113.09",
        "[203.0.113.9",
        "2001:db8::1::2",
        "[]:1",
        "%eth0",
        "1.2.3.4, 5.6.7.8",
        "é",
        "1.2.3.4\r\n:",
        "a" * 9_999,
    ),
    "٢٠٣.0.113.9",
)


@pytest.mark.parametrize(("key", "address"), [(key, address) for key, written in SAME.items() for address in written])
def test_each_way_to_write_an_address_names_the_same_client(key, address):
    assert client_at(address).key == key


def test_only_ipv6_clients_share_a_network():
    assert client_at("203.0.113.9").network is None
    assert client_at("2002:cb00:7109::1").network is None
    assert client_at("2001:db8:1:2::1").network == client_at("2001:db8:1:fffe::").network == "ip:2001:db8:1::/48"


@pytest.mark.parametrize("address", GARBAGE)
def test_what_is_no_address_names_the_proxy_that_sent_it(address):
    assert client_at(address, "10.0.0.1").key == "ip:10.0.0.1"
    assert client_at(address, address) == UNKNOWN


def register(api, address, **more):
    return api.post("/v1/players", {"name": "Lin"}, environ_base={"REMOTE_ADDR": address}, **more).status_code


@pytest.mark.parametrize("key", SAME)
def test_one_client_has_one_budget_whatever_address_it_connects_from(world, key):
    few = world.start(limit_register=Budget(len(SAME[key]), 3_600))
    assert [register(few, address) for address in SAME[key]] == [201] * len(SAME[key])
    assert {register(few, address) for address in SAME[key]} == {429}
    assert register(few, "198.51.100.1") == 201


@pytest.mark.parametrize("key", SAME)
def test_one_client_has_one_budget_however_the_proxy_writes_its_address(world, key):
    few = world.start(limit_register=Budget(len(SAME[key]), 3_600), trusted_proxies=1)
    headers = [{"X-Forwarded-For": f"6.6.6.6, {address}"} for address in SAME[key]]
    assert [register(few, "10.0.0.1", headers=each) for each in headers] == [201] * len(SAME[key])
    assert {register(few, "10.0.0.1", headers=each) for each in headers} == {429}


def test_made_up_addresses_behind_a_proxy_are_no_new_clients(world):
    few = world.start(limit_register=Budget(2, 3_600), trusted_proxies=1)
    made_up = [{"X-Forwarded-For": f"client-{number}"} for number in range(4)]
    assert [register(few, "10.0.0.1", headers=each) for each in made_up] == [201, 201, 429, 429]


def test_a_network_of_ipv6_cannot_spend_more_than_its_share(world):
    few = world.start(limit_register=Budget(1, 3_600))
    answers = [register(few, f"2001:db8:1:{number:x}::1") for number in range(NETWORK_SHARE + 2)]
    assert answers == [201] * NETWORK_SHARE + [429] * 2
    assert register(few, "2001:db8:2::1") == 201


def test_addresses_of_a_network_without_budget_add_no_counters(world):
    few = world.start(limit_register=Budget(1, 3_600))
    for number in range(NETWORK_SHARE + 9):
        register(few, f"2001:db8:1:{number:x}::1")
    assert sum("/64:" in key and "register" in key for key in world.counter.counts) == NETWORK_SHARE


def test_one_client_that_is_refused_uses_up_nothing_of_its_network(world):
    few = world.start(limit_register=Budget(1, 3_600))
    assert [register(few, "2001:db8:1:1::1") for _ in range(NETWORK_SHARE + 2)].count(201) == 1
    assert register(few, "2001:db8:1:2::1") == 201


@pytest.mark.parametrize("path", ["/metrics", "/readyz"])
def test_only_the_machine_itself_counts_as_itself(world, path):
    world.start(host="2001:db8::5")

    def get(address, **headers):
        return world.anybody.get(path, environ_base={"REMOTE_ADDR": address}, headers=headers)

    for own in ("127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1", "2001:db8::5", "2001:0DB8::5"):
        assert get(own).status_code == 200, own
    # Addresses that embed that of the machine, but are others.
    for other in ("2002:7f00:1::1", "64:ff9b::127.0.0.1", "::127.0.0.1", "2001:db8::6", "", "localhost"):
        assert_problem(get(other), "operators-only")
    assert_problem(get("127.0.0.1", Forwarded="for=127.0.0.1"), "operators-only")
