"""Players of an event who may be one person with several accounts: they share an address, or a browser there."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Shared(NamedTuple):
    """Players who have something in common: `address`, or `browser` (the address too)."""

    what: str
    players: list[str]


def traits(address: str, browser: str) -> dict[str, str]:
    """Return what is compared of a request: the key of its client, and the browser there."""
    return {"address": address, "browser": f"{address}|{browser}"}


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
