"""Which release first understands what an event may hold: part of the schema of everything that is stored.

A process that does not know an event, or a part of it, cannot tell the state of its table. So an event that needs a
later release says so in the state (`needs`), and `service.store.codec` puts it into the name of the schema of whatever
holds such events. A process of an earlier release refuses that name, and leaves the table to later ones.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from service.game.events.catalogue import ROWS
from service.game.events.types import Event

#: Type of event -> part of its data -> the first release that understands it. A part is "" (any event of the type), a
#: path such as `options.lowest_trump`, or a path with a value, such as `ruleset=shengji_six`. What release 0.3
#: understands has no row (`tests/game/understood_by_0_3.json`).
NEEDS: Final[dict[str, dict[str, str]]] = {name: dict(row.needs) for name, row in ROWS.items() if row.needs}


def parts(release: str) -> tuple[int, ...]:
    """Return the numbers of a release, by which releases are ordered; () for the empty text, which is before all."""
    return tuple(map(int, release.split("."))) if release else ()


def latest(releases: Iterable[str]) -> str:
    """Return the latest of some releases; "" if there is none."""
    return max(releases, key=parts, default="")


def needs_of(event: Event) -> str:
    """Return the first release that understands an event; "" for release 0.3."""
    row = NEEDS.get(event["type"])
    return latest(release for part, release in row.items() if _has(event["data"], part)) if row else ""


def _has(data: object, part: str) -> bool:
    path, _, value = part.partition("=")
    for name in path.split(".") if path else ():
        if not isinstance(data, Mapping) or name not in data:
            return False
        data = data[name]
    return not value or str(data) == value


def understood() -> str:
    """Return the latest release whose data this process understands; "" for release 0.3.

    Not the number of its version: a version under development understands what it writes before its number changes.
    """
    return latest(release for row in NEEDS.values() for release in row.values())


def is_understood(release: str) -> bool:
    """Return whether this process understands data that need a release."""
    return parts(release) <= parts(understood())
