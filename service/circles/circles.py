"""Who belongs to a circle, its name, its rules and its links.

Only those who belong to a circle learn that it exists; a link shows its name and how many play there. Rights are never
copied: each request asks the circle whether the player belongs to it, so a player who leaves or is removed loses all of
them at once, and what others have goes on.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple

from service.circles.errors import RemovedFromRoom, RoomFull, TooManyRooms
from service.game.commands.transaction import RandomBytes
from service.game.errors import NameHeld, NotFound, NotHost
from service.game.ids import CODE
from service.game.state.table_types import TableSpec
from service.game.views.fields import timestamp
from service.people.people import People
from service.store.matchmaking.circles import (
    MOST_REMOVED,
    Circle,
    CircleStore,
    LinkKind,
    Membership,
    heir_of,
    hosted_by,
    without,
)
from service.store.port import Player, is_suspended
from service.tables import Tables

#: Most circles of a player, and most people of a circle who play, and who watch.
MOST_CIRCLES: Final = 30
MOST_MEMBERS: Final = 24
MOST_WATCHERS: Final = 24
#: Length of the code of a link: 58 bits, since it works for as long as the circle exists.
LINK_LENGTH: Final = 12
#: How long the host cannot change a name that an operator has given (ms).
HELD_MS: Final = 90 * 24 * 3_600_000


class Person(NamedTuple):
    """Somebody of a circle."""

    player: Player
    membership: Membership


class Invited(NamedTuple):
    """Where a link leads, what it lets people become, and how many play there."""

    circle: Circle
    kind: LinkKind
    members: int

    def gives_nothing_to(self, player: str) -> bool:
        """Return whether a player (id) belongs to the circle already, with all that the link gives."""
        membership = self.circle["members"].get(player)
        return membership is not None and (self.kind == "watcher" or membership["role"] != "watcher")


class Circles:
    """See the module.

    Args:
        store: stores circles.
        people: who may meet whom, and who they are.
        tables: checks rules.
        now: returns milliseconds since the epoch.
        random_bytes: for codes.
    """

    def __init__(
        self,
        store: CircleStore,
        people: People,
        tables: Tables,
        now: Callable[[], int],
        random_bytes: RandomBytes,
    ) -> None:
        self._store: Final = store
        self._people: Final = people
        self._tables: Final = tables
        self._now: Final = now
        self._random_bytes: Final = random_bytes

    # --- reading ------------------------------------------------------------------------------------------------------

    def of(self, player: str, circle: str) -> Circle:
        """Return a circle (id) to which a player belongs.

        Raises:
            NotFound: there is none, or the player does not belong to it.
        """
        stored = self._store.get(circle)
        if stored is None or player not in stored["members"]:
            raise NotFound(what="room", id=circle)
        return stored

    def mine(self, player: str) -> list[Circle]:
        """Return the circles of a player, the latest joined first."""
        return self._store.of_player(player, self._now())

    def persons(self, circle: Circle) -> list[Person]:
        """Return who belongs to a circle, in the order in which they came, without deleted accounts."""
        records = self._people.store.records(circle["members"])
        return [
            Person(records[player], membership) for player, membership in circle["members"].items() if player in records
        ]

    def removed(self, circle: Circle) -> list[Player]:
        """Return whom the host has removed, the latest last, without deleted accounts."""
        return list(self._people.store.records(circle["removed"]).values())

    def of_code(self, code: str, player: str = "") -> Invited | None:
        """Return where a code leads; None if it leads nowhere, or to the circle of a host apart from the player."""
        circle = self._store.of_code(code)
        if circle is None or (player and self._people.is_apart(player, _hosts(circle))):
            return None
        kind: LinkKind = "member" if circle["links"]["member"] == code else "watcher"
        return Invited(circle, kind, _number(circle, "member"))

    # --- by anybody who belongs to it ---------------------------------------------------------------------------------

    def join(self, player: str, code: str) -> Circle | None:
        """Let a player join by a link; None if the code leads nowhere. Who belongs to the circle loses nothing by it.

        Raises:
            TooManyRooms, RoomFull, RemovedFromRoom: the player does not join.
        """
        invited = self.of_code(code, player)
        if invited is None:
            return None
        circle = invited.circle["id"]
        _joined(self._living(invited.circle), player, code, 0)
        is_new = player not in invited.circle["members"]
        if is_new:
            self._list(player, circle)
        try:
            joined = self._store.change(circle, lambda stored: _joined(self._living(stored), player, code, self._now()))
        except (NotFound, RoomFull, RemovedFromRoom):
            if is_new:
                self._store.drop(player, [circle])
            raise
        # The list may have expired while the circle lived on.
        self._store.add(player, circle, self._now())
        return joined

    def leave(self, player: str, circle: str) -> None:
        """Leave a circle; do nothing if the player does not belong to it.

        If its host leaves, the member who came first becomes host, if possible one who is not suspended; without
        members it is deleted.
        """
        # To others a circle must not be known by what is done for them. The list loses it last, but may have expired.
        if self._store.is_listed(player, circle) or self._store.role(circle, player) is not None:
            stored = self._store.get(circle)
            unable = self._unable(stored) if stored is not None else ()
            self._end(player, circle, self._store.change(circle, lambda stored: without(stored, player, unable)))

    def step_down(self, player: str) -> None:
        """Make others the hosts of the circles of a player who cannot act any more; without any, the player stays."""
        for circle in self._store.of_player(player, self._now()):
            if circle["members"][player]["role"] != "host":
                continue
            unable = self._unable(circle)

            def passed_on(stored: Circle, unable: frozenset[str] = unable) -> Circle:
                heir = heir_of(stored, unable)
                is_host = player in stored["members"] and stored["members"][player]["role"] == "host"
                return hosted_by(stored, heir) if is_host and heir is not None and heir not in unable else stored

            self._store.change(circle["id"], passed_on)

    # --- by its host --------------------------------------------------------------------------------------------------

    def create(self, player: str, name: str, rules: TableSpec, circle: str) -> Circle:
        """Make a circle with a player as host. Idempotent for an id (`circle`).

        Raises:
            TooManyRooms: the player has reached the limit.
            InvalidOption, InvalidRequest: see `Tables.create`.
        """
        self._list(player, circle)
        try:
            self._check(rules)
        except Exception:
            self._store.drop(player, [circle])
            raise
        now = self._now()
        new: Circle = {
            "id": circle,
            "name": name,
            "rules": {**rules},
            "members": {player: {"role": "host", "since": now}},
            "removed": [],
            "links": {"member": self._new_code(), "watcher": self._new_code()},
            "created_at": now,
            "table": None,
            "opened": 0,
        }
        return self._store.create(new)

    def change(self, player: str, circle: str, changes: Mapping[str, Any]) -> Circle:
        """Change `name` or `rules` of a circle, as its host.

        Raises:
            NotFound, NotHost: see `_as_host`.
            NameHeld: an operator has given the name.
            InvalidOption, InvalidRequest: see `Tables.create`.
        """
        self._check_host(player, circle)
        if "rules" in changes:
            self._check(changes["rules"])

        def changed(stored: Circle) -> Circle:
            name, until = changes.get("name", stored["name"]), stored.get("name_held_until", 0)
            if name != stored["name"] and until > self._now():
                raise NameHeld(until=timestamp(until))
            return {
                **stored,
                "name": name,
                "rules": changes.get("rules", stored["rules"]),
            }

        return self._as_host(player, circle, changed)

    def pass_on(self, host: str, circle: str, player: str) -> Circle:
        """Make a member the host, as host, who is a member from now on.

        Raises:
            NotFound: also if the player does not play in the circle.
            NotHost: see `_as_host`.
        """

        def changed(stored: Circle) -> Circle:
            if stored["members"].get(player, {"role": "watcher"})["role"] == "watcher":
                raise NotFound(what="player", id=player)
            return hosted_by(stored, player)

        return self._as_host(host, circle, changed)

    def renew(self, player: str, circle: str, kind: LinkKind) -> Circle:
        """Replace a link, as host: the old one leads nowhere from now on. Who has joined by it stays.

        Raises:
            NotFound, NotHost: see `_as_host`.
        """
        code = self._new_code()
        return self._as_host(player, circle, lambda stored: {**stored, "links": {**stored["links"], kind: code}})

    def remove(self, host: str, circle: str, player: str) -> Circle:
        """Remove another player, as host. No link lets the player in any more; for all others links work as before.

        Raises:
            NotFound: also if the player does not belong to the circle, unless removed before.
            NotHost: see `_as_host`.
        """

        def changed(stored: Circle) -> Circle:
            if player in stored["removed"] and player not in stored["members"]:
                return stored
            if player not in stored["members"]:
                raise NotFound(what="player", id=player)
            removed = [*(each for each in stored["removed"] if each != player), player][-MOST_REMOVED:]
            return {**without(stored, player), "removed": removed}

        left = self._as_host(host, circle, changed)
        self._end(player, circle, left)
        return left

    def readmit(self, host: str, circle: str, player: str) -> Circle:
        """Let links work again for a removed player, as host.

        Raises:
            NotFound, NotHost: see `_as_host`.
        """
        return self._as_host(
            host, circle, lambda stored: {**stored, "removed": [each for each in stored["removed"] if each != player]}
        )

    # --- by operators -------------------------------------------------------------------------------------------------

    def rename(self, circle: str, name: str) -> str:
        """Give a circle a name that its host cannot change for `HELD_MS`, and return the name before.

        Raises:
            NotFound: there is no such circle.
        """
        before = self._store.get(circle)
        held: Final = self._now() + HELD_MS
        renamed = self._store.change(circle, lambda stored: {**stored, "name": name, "name_held_until": held})
        if before is None or renamed is None:
            raise NotFound(what="room", id=circle)
        return before["name"]

    # --- helpers ------------------------------------------------------------------------------------------------------

    def _unable(self, circle: Circle) -> frozenset[str]:
        """Return who of a circle cannot act: suspended players, and accounts that no longer exist."""
        records, now = self._people.store.records(circle["members"]), self._now()
        return frozenset(
            player for player in circle["members"] if player not in records or is_suspended(records[player], now)
        )

    def _end(self, player: str, circle: str, left: Circle | None) -> None:
        """End what a player who no longer belongs to a circle has at its table. May be called again.

        Seat and host end there; who watches is asked anew whether they belong to it. During a game the table has
        nobody else's code to change.

        Args:
            left: the circle without the player; None: it is gone.
        """
        if left is not None and player not in left["members"]:
            if left["table"] is not None:
                heir = host_of(left)
                with suppress(NotFound):
                    self._tables.act(left["table"], {"type": "expel", "player": player, "heir": heir})
            self._store.forget(circle, player)
            self._store.announce(player)
        self._store.drop(player, [circle])

    def _check_host(self, player: str, circle: str) -> None:
        if self.of(player, circle)["members"][player]["role"] != "host":
            raise NotHost

    def _as_host(self, player: str, circle: str, change: Callable[[Circle], Circle]) -> Circle:
        """Change a circle, as its host.

        Raises:
            NotFound: there is none, or the player does not belong to it.
            NotHost: somebody else is.
        """

        def changed(stored: Circle) -> Circle:
            membership = stored["members"].get(player)
            if membership is None:
                raise NotFound(what="room", id=circle)
            if membership["role"] != "host":
                raise NotHost
            return change(stored)

        after = self._store.change(circle, changed)
        if after is None:
            raise NotFound(what="room", id=circle)
        return after

    def _check(self, rules: TableSpec) -> None:
        """Check rules as a table with them would."""
        self._tables.unstored(spec_of(rules))

    def _list(self, player: str, circle: str) -> None:
        """Put a circle on the player's list first, so that concurrent requests cannot exceed the limit."""
        now = self._now()
        if len(self._store.add(player, circle, now)) <= MOST_CIRCLES:
            return
        # Perhaps some have expired, or the player was removed from some.
        self._store.of_player(player, now)
        if len(self._store.add(player, circle, now)) > MOST_CIRCLES:
            self._store.drop(player, [circle])
            raise TooManyRooms(limit=MOST_CIRCLES)

    def _living(self, circle: Circle) -> Circle:
        """Return a circle without accounts that no longer exist, if their places are needed."""
        if _number(circle, "member") < MOST_MEMBERS and _number(circle, "watcher") < MOST_WATCHERS:
            return circle
        for player in circle["members"].keys() - self._people.store.records(circle["members"]).keys():
            circle = without(circle, player)
        return circle

    def _new_code(self) -> str:
        return "".join(CODE[byte % len(CODE)] for byte in self._random_bytes(LINK_LENGTH))


def spec_of(rules: TableSpec, circle: str = "") -> TableSpec:
    """Return the settings of a table of a circle (id): private, and without a clock unless its rules have one."""
    return {**rules, "visibility": "private", "circle": circle, "clock": rules.get("clock", {"untimed": True})}


def _joined(circle: Circle, player: str, code: str, now: int) -> Circle:
    """Return a circle that a player has joined by a link (code), which may have been replaced meanwhile."""
    if code not in circle["links"].values():
        raise NotFound(what="code", id=code)
    if player in circle["removed"]:
        raise RemovedFromRoom
    kind: LinkKind = "member" if circle["links"]["member"] == code else "watcher"
    before = circle["members"].get(player)
    if before is not None and (kind == "watcher" or before["role"] != "watcher"):
        return circle
    most = MOST_MEMBERS if kind == "member" else MOST_WATCHERS
    if _number(circle, kind) >= most:
        raise RoomFull(limit=most)
    since = before["since"] if before is not None else now
    return {**circle, "members": {**circle["members"], player: {"role": kind, "since": since}}}


def _number(circle: Circle, kind: LinkKind) -> int:
    """Return how many people play, or only watch."""
    watching = sum(membership["role"] == "watcher" for membership in circle["members"].values())
    return watching if kind == "watcher" else len(circle["members"]) - watching


def host_of(circle: Circle) -> str:
    """Return the host of a circle (id)."""
    return next(iter(_hosts(circle)), "")


def _hosts(circle: Circle) -> list[str]:
    return [player for player, membership in circle["members"].items() if membership["role"] == "host"]
