"""Which addresses may be called: those of the public internet, and never the own network.

A name is looked up once, all its addresses are checked, and the connection goes to one of exactly these: a name that
means another address a moment later gains nothing by it.
"""

import ipaddress
import re
import socket
from collections.abc import Callable, Iterable
from typing import Final

#: Ranges that lead on to other addresses, or stand for them: an address in them says nothing about where it leads.
_TRANSLATED: Final = tuple(
    map(ipaddress.ip_network, ("::/96", "::ffff:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32"))
)
_LABEL: Final = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)", re.ASCII)
#: Names of one's own network, by their ends.
_INTERNAL: Final = frozenset(
    ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "arpa", "localdomain", "onion", "test")
)

#: Takes a name and a port, returns its addresses; raises OSError.
Resolve = Callable[[str, int], list[str]]


def is_public(address: str) -> bool:
    """Tell whether an address belongs to the public internet."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if found.is_multicast or found.is_reserved or found.is_unspecified or not found.is_global:
        return False
    return not any(found.version == network.version and found in network for network in _TRANSLATED)


def is_public_name(host: str) -> bool:
    """Tell whether a host is a name that the public internet may know; no address in any form is a name."""
    labels = host.lower().split(".")
    return (
        len(labels) >= 2
        and len(host) <= 253
        and all(map(_LABEL.fullmatch, labels))
        # 127.1, 0x7f.0.0.1 and the like end in a number; no top-level domain begins with a digit.
        and labels[-1][0].isalpha()
        and labels[-1] not in _INTERNAL
    )


def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a name, each once.

    Raises:
        OSError: there are none.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for _, _, _, _, address in found))


def are_public(addresses: Iterable[str]) -> bool:
    """Tell whether all addresses of a name belong to the public internet, and there is one at all."""
    known = list(addresses)
    return bool(known) and all(map(is_public, known))
