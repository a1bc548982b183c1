"""Addresses that requests may be sent to: those of the public internet, never of the own network.

A name is resolved once, all its addresses are checked, and the connection goes to one of these. So DNS rebinding does
not work.
"""

import ipaddress
import re
import socket
from collections.abc import Callable, Iterable
from typing import Final

#: Ranges that translate to other addresses, so that an address in them does not tell the destination.
_TRANSLATED: Final = tuple(
    map(ipaddress.ip_network, ("::/96", "::ffff:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32"))
)
_LABEL: Final = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)", re.ASCII)
#: Suffixes of names of local networks.
_INTERNAL: Final = frozenset(
    ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "arpa", "localdomain", "onion", "test")
)

#: Takes a name and a port, returns the addresses; raises OSError.
Resolve = Callable[[str, int], list[str]]


def is_public(address: str) -> bool:
    """Return whether an address belongs to the public internet."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if parsed.is_multicast or parsed.is_reserved or parsed.is_unspecified or not parsed.is_global:
        return False
    return not any(parsed.version == network.version and parsed in network for network in _TRANSLATED)


def is_public_name(host: str) -> bool:
    """Return whether a host may be a name on the public internet. Addresses in any form are not names."""
    labels = host.lower().split(".")
    return (
        len(labels) >= 2
        and len(host) <= 253
        and all(map(_LABEL.fullmatch, labels))
        # Addresses such as 127.1 and 0x7f.0.0.1 end in a number, but no top-level domain begins with a digit.
        and labels[-1][0].isalpha()
        and labels[-1] not in _INTERNAL
    )


def resolve(host: str, port: int) -> list[str]:
    """Return the distinct addresses of a name.

    Raises:
        OSError: there are none.
    """
    addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for _, _, _, _, address in addresses))


def are_public(addresses: Iterable[str]) -> bool:
    """Return whether a name has addresses, and all of them belong to the public internet."""
    known = list(addresses)
    return bool(known) and all(map(is_public, known))
