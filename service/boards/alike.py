"""Players of an event who may be one person with several accounts: they share an address, or a browser there."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from ipaddress import ip_address
from typing import NamedTuple


class Shared(NamedTuple):
    """Players who have something in common: `address`, or `browser` (the address too)."""

    what: str
    players: list[str]


def traits(address: str, browser: str) -> dict[str, str]:
    """Return what is compared of a request: its address (of IPv6 the network), and the browser there."""
    try:
        found = ip_address(address)
        found = getattr(found, "ipv4_mapped", None) or found
        place = found.exploded if found.version == 4 else found.exploded[:19]
    except ValueError:
        place = address
    return {"address": place, "browser": f"{place}|{browser}"}


def shared(marks: Mapping[str, Mapping[str, Sequence[str]]]) -> list[Shared]:
    """Return who shares what, from player -> kind -> hashes; those who share a browser first."""
    having: dict[tuple[str, str], set[str]] = defaultdict(set)
    for player, kinds in marks.items():
        for kind, hashes in kinds.items():
            for each in hashes:
                having[kind, each].add(player)
    groups = {(kind, tuple(sorted(players))) for (kind, _), players in having.items() if len(players) > 1}
    return [
        Shared(kind, list(players)) for kind, players in sorted(groups, key=lambda each: (each[0] != "browser", each))
    ]
