"""Addresses of clients: whose budget a request without a player is charged to.

A host with IPv6 has at least a whole /64 and may use any address in it, and a subscriber often has a /56 or /48. So the
key of a client is its /64, and a second, larger budget is shared by its /48.
"""

import re
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, NamedTuple

#: `address:port` and `[address]:port`, as some proxies write them in `X-Forwarded-For`.
_V4_PORT: Final = re.compile(r"([0-9.]+):[0-9]{1,5}", re.ASCII).fullmatch
_V6_PORT: Final = re.compile(r"\[([^\[\]]+)\](?::[0-9]{1,5})?", re.ASCII).fullmatch
#: Addresses of IPv4 clients behind a translator (RFC 6052).
_NAT64: Final = IPv6Network("64:ff9b::/96")
_LONGEST: Final = 100


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
    found = _V4_PORT(bare) or _V6_PORT(bare)
    with suppress(ValueError):
        address = ip_address((found[1] if found else bare).partition("%")[0])
        return getattr(address, "ipv4_mapped", None) or address
    return None


def client_at(*texts: str) -> Client:
    """Return the client at the first of these addresses that is one; `UNKNOWN` if none is."""
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
