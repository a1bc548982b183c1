"""Addresses of clients: whose budget a request without a player is charged to.

A host with IPv6 has at least a whole /64 and may use any address in it, and a subscriber often has a /56 or /48. So the
key of a client is its /64, and a second, larger budget is shared by its /48.
"""

import re
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, NamedTuple

#: `address:port` and `[address]:port`, as some proxies write them in `X-Forwarded-For`.
_V4_PORT: Final = re.compile(r"([0-9.]+):[0-9]{1,5}", re.ASCII).fullmatch
_V6_PORT: Final = re.compile(r"\[([^\[\]]+)\](?::[0-9]{1,5})?", re.ASCII).fullmatch
#: Addresses of IPv4 clients behind a translator (RFC 6052).
_NAT64: Final = IPv6Network("64:ff9b::/96")
_LONGEST: Final = 100


#: Addresses of IPv4 clients within addresses of IPv6, each with the number of bits before the IPv4 address.
_EMBEDDING: Final = (IPv6Network("::ffff:0:0/96"), _NAT64, IPv6Network("2002::/16"))
#: Shortest prefixes of networks that can be named; whatever is larger is a mistake.
SHORTEST: Final = {4: 8, 6: 20}


class Client(NamedTuple):
    """The owner of the budgets of an address.

    Attributes:
        key: a name for the address; the same for all ways to write it and for the whole /64 of an IPv6 address.
        network: a name for the /48 of an IPv6 address; None for an IPv4 address.
    """

    key: str
    network: str | None = None


#: The client of requests whose address is not known, e.g. through a Unix socket.
UNKNOWN: Final = Client("ip:unknown")


def address_of(text: str) -> IPv4Address | IPv6Address | None:
    """Return the address in a text, which may have a port, a zone and quotes; None if there is none.

    An IPv4-mapped address is returned as the IPv4 address.
    """
    if len(text) > _LONGEST:
        return None
    bare = text.strip().strip('"')
    match = _V4_PORT(bare) or _V6_PORT(bare)
    with suppress(ValueError):
        address = ip_address((match[1] if match else bare).partition("%")[0])
        return getattr(address, "ipv4_mapped", None) or address
    return None


def client_at(*texts: str) -> Client:
    """Return the client at the first of these addresses that is one; `UNKNOWN` if none is."""
    # Longer texts are no addresses, and are not worth remembering.
    return _client_at(*(text if len(text) <= _LONGEST else "" for text in texts))


@lru_cache(maxsize=4_096)
def _client_at(*texts: str) -> Client:
    for text in texts:
        address = address_of(text)
        if isinstance(address, IPv6Address):
            # Who has such an IPv4 address may choose among many of these.
            address = IPv4Address(address.packed[-4:]) if address in _NAT64 else address.sixtofour or address
        if isinstance(address, IPv4Address):
            return Client(f"ip:{address}")
        if address is not None:
            return Client(*(f"ip:{ip_network((address, bits), strict=False)}" for bits in (64, 48)))
    return UNKNOWN


def network_of(text: str) -> IPv4Network | IPv6Network | None:
    """Return the network in a text, such as `203.0.113.0/24`; None if there is none, or it is larger than `SHORTEST`.

    It is the network of whole clients: an IPv6 address stands for its /64, and one that stands for an IPv4 address is
    that address. Bits behind the prefix do not count, as in `203.0.113.9/24`.
    """
    bare, slash, bits = text.strip().partition("/")
    address = address_of(bare)
    if address is None or not re.fullmatch(r"[0-9]{1,3}", bits or "0", re.ASCII) or bool(slash) != bool(bits):
        return None
    longest = address.max_prefixlen
    length = int(bits) if bits else longest
    if isinstance(address, IPv4Address) and ":" in bare and bits:
        # Written as an address of IPv6.
        length -= 96
    if not 0 <= length <= longest:
        return None
    network: IPv4Network | IPv6Network = ip_network((address, length), strict=False)
    if isinstance(network, IPv6Network):
        for prefix in _EMBEDDING:
            if network.subnet_of(prefix):
                start, length = prefix.prefixlen, network.prefixlen - prefix.prefixlen
                inner = int(network.network_address) >> (96 - start) & 0xFFFFFFFF
                network = IPv4Network((inner, min(length, 32)), strict=False)
                break
    if network.prefixlen < SHORTEST[network.version]:
        return None
    return network.supernet(new_prefix=64) if network.version == 6 and network.prefixlen > 64 else network


def holds(network: IPv4Network | IPv6Network, client: Client) -> bool:
    """Return whether a client is in a network."""
    with suppress(ValueError):
        its = ip_network(client.key.removeprefix("ip:"))
        return its.version == network.version and its.subnet_of(network)  # type: ignore[arg-type]
    return False
