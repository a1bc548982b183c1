"""Circles: people who play together again and again. Players, the API and its documents call them rooms.

A circle is one hash, changed by comparing what was read. Each of its two codes leads to it, and each player has a list
of circles. The list may name a circle that the player has left since: the circle itself says who belongs to it.
"""

from collections.abc import Callable, Collection
from typing import Final, Literal, NotRequired, TypeAlias, TypedDict

from service.game.state.table_types import TableSpec
from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.players.own_lists import OwnLists
from service.store.scripts import Script, translate_errors

#: How long a circle is kept after it was last used (ms): 400 days, or 30 if it never had a table.
CIRCLE_MS: Final = 400 * 24 * 3_600_000
UNUSED_MS: Final = 30 * 24 * 3_600_000
#: Most players whom a circle remembers as removed; a further one replaces the first.
MOST_REMOVED: Final = 100

#: `host` changes the circle and removes others; `member` plays; `watcher` only watches.
Role: TypeAlias = Literal["host", "member", "watcher"]
#: What a link lets people become.
LinkKind: TypeAlias = Literal["member", "watcher"]

_REPLACE: Final = Script("replace_field")
#: Fields of the hash: the circle itself, and its history.
_CIRCLE: Final = "c"
_HISTORY: Final = "h"


class Membership(TypedDict):
    """How a player belongs to a circle, and since when (ms)."""

    role: Role
    since: int


class Circle(TypedDict):
    """A circle.

    Attributes:
        id: identifies it.
        name: chosen by its host.
        rules: settings of its tables, as `Tables.create` takes them.
        members: player -> membership, in the order in which they came.
        removed: players whom the host has removed, the latest last; no link lets them in.
        links: what a link lets people become -> its code.
        created_at: when it was made (ms).
        table: its latest table; None: none yet. It may be over, or gone.
        opened: how many tables it has had, from which the id of the next one follows.
        name_held_until: until when (ms) the host cannot change a name that an operator has given.
    """

    id: str
    name: str
    rules: TableSpec
    members: dict[str, Membership]
    removed: list[str]
    links: dict[LinkKind, str]
    created_at: int
    table: str | None
    opened: int
    name_held_until: NotRequired[int]


class Tally(TypedDict):
    """How many rounds somebody has played, and how many of them were won."""

    rounds: int
    won: int


class PastRound(TypedDict):
    """A finished round.

    Attributes:
        game, round: id of the game, and number in it.
        at: when it was counted (ms).
        seats: who sat where (ids); None: an AI player, or somebody who no longer belongs to the circle.
        won: the seats that won it.
        levels: how many levels they gained.
    """

    game: str
    round: int
    at: int
    seats: list[str | None]
    won: list[int]
    levels: int


class History(TypedDict):
    """What a circle has played, of those who belong to it now.

    Attributes:
        version: increases with each change.
        ruleset, players: of the game to which `levels` and `seats` belong.
        levels: levels with which the next table starts, as `start_levels`; empty: from the beginning.
        seats: who sat where in the last round (ids); None: an AI player.
        counted: the last round that was counted: id of its game, and number.
        people: player -> tally.
        pairs: two players on one side, in order of ids, with a blank between them -> tally.
        rounds: the last rounds, the latest last.
    """

    version: int
    ruleset: str
    players: int
    levels: list[str]
    seats: list[str | None]
    counted: tuple[str, int]
    people: dict[str, Tally]
    pairs: dict[str, Tally]
    rounds: list[PastRound]


NO_HISTORY: Final[History] = {
    "version": 0,
    "ruleset": "",
    "players": 0,
    "levels": [],
    "seats": [],
    "counted": ("", 0),
    "people": {},
    "pairs": {},
    "rounds": [],
}


class CircleStore(OwnLists):
    """See the module."""

    def __init__(self, client: Client) -> None:
        super().__init__(client, keys.circles_of, CIRCLE_MS)

    @translate_errors
    def create(self, circle: Circle) -> Circle:
        """Store a circle, and return it, or what is stored under its id already."""
        key = keys.circle(circle["id"])
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.hsetnx(key, _CIRCLE, codec.encode(codec.CIRCLE, circle))
        pipeline.hsetnx(key, _HISTORY, codec.encode(codec.CIRCLE_HISTORY, NO_HISTORY))
        pipeline.execute()
        self._keep(circle)
        return self.get(circle["id"]) or circle

    @translate_errors
    def get(self, circle: str) -> Circle | None:
        """Return a circle (id); None if there is none."""
        return _decoded(self._redis.hget(keys.circle(circle), _CIRCLE), circle)

    @translate_errors
    def change(self, circle: str, change: Callable[[Circle], Circle]) -> Circle | None:
        """Apply `change` to a circle, and store and return the result; None if there is no such circle.

        `change` must be pure: it is called again if the circle was changed meanwhile. Without members the circle is
        deleted.
        """
        key = keys.circle(circle)
        while (stored := self._redis.hget(key, _CIRCLE)) is not None:
            before = _decoded(stored, circle)
            after = change(before) if before is not None else None
            if after is None or after == before:
                return after
            if _REPLACE.run(self._redis, (key,), _CIRCLE, stored, codec.encode(codec.CIRCLE, after)):
                if before is not None:
                    self._drop_codes(set(before["links"].values()) - set(after["links"].values()))
                if after["members"]:
                    self._keep(after)
                else:
                    self._redis.delete(key)
                    self._drop_codes(set(after["links"].values()))
                return after
        return None

    @translate_errors
    def history(self, circle: str) -> History:
        """Return the history of a circle (id)."""
        stored = self._redis.hget(keys.circle(circle), _HISTORY)
        return NO_HISTORY if stored is None else codec.decode(codec.CIRCLE_HISTORY, stored, f"history of {circle}")

    def usual_seat(self, circle: str, player: str) -> int | None:
        """Return the seat that a player had in the last round of a circle (id); None: none."""
        seats = self.history(circle)["seats"]
        return seats.index(player) if player in seats else None

    @translate_errors
    def change_history(self, circle: str, change: Callable[[Circle, History], History]) -> History | None:
        """Apply `change` to the history of a circle, and store and return the result; None if there is no such circle.

        `change` must be pure: it is called again, with the circle as it is then, if the history was changed meanwhile.
        """
        key = keys.circle(circle)
        while True:
            now, stored = self._redis.hmget(key, _CIRCLE, _HISTORY)
            known = _decoded(now, circle)
            if known is None or stored is None:
                return None
            before: History = codec.decode(codec.CIRCLE_HISTORY, stored, f"history of {circle}")
            after = change(known, before)
            if after is before:
                return before
            after = {**after, "version": before["version"] + 1}
            if _REPLACE.run(self._redis, (key,), _HISTORY, stored, codec.encode(codec.CIRCLE_HISTORY, after)):
                self._keep(known)
                return after

    @translate_errors
    def of_code(self, code: str) -> Circle | None:
        """Return the circle that a code opens; None if it opens none, or none any more."""
        name = self._redis.get(keys.circle_link(code))
        circle = self.get(name.decode()) if name is not None else None
        return circle if circle is not None and code in circle["links"].values() else None

    @translate_errors
    def of_player(self, player: str, now: int) -> list[Circle]:
        """Return the circles of a player, the latest joined first. Those that are no longer theirs go off the list.

        Args:
            player: id.
            now: time (ms). What was put on the list within the last minute stays: it may just be being made.
        """
        listed = self._list_of(player)
        stored = [self.get(name) for name in listed]
        theirs = [circle for circle in stored if circle is not None and player in circle["members"]]
        self._drop_old(player, listed, {circle["id"] for circle in theirs}, now)
        return theirs

    def role(self, circle: str, player: str) -> Role | None:
        """Return the role of a player in a circle (id); None: the player does not belong to it."""
        stored = self.get(circle)
        membership = stored["members"].get(player) if stored is not None else None
        return membership["role"] if membership is not None else None

    def erase(self, player: str) -> None:
        """Remove all traces of a player from the circles on the player's list."""
        for circle in self.of_player(player, 0):
            self.change(circle["id"], lambda stored: forgotten(stored, player))
            self.forget(circle["id"], player)

    def forget(self, circle: str, player: str) -> None:
        """Remove a player who no longer belongs to a circle from its history."""
        self.change_history(circle, lambda _, history: history_without(history, player))

    def _keep(self, circle: Circle) -> None:
        """Let a circle and its codes count anew from now on."""
        ttl_ms = CIRCLE_MS if circle["opened"] else UNUSED_MS
        self._redis.pexpire(keys.circle(circle["id"]), ttl_ms)
        for code in circle["links"].values():
            self._redis.set(keys.circle_link(code), circle["id"], px=ttl_ms)

    def _drop_codes(self, codes: set[str]) -> None:
        for code in codes:
            self._redis.delete(keys.circle_link(code))


def without(circle: Circle, player: str, unable: Collection[str] = ()) -> Circle:
    """Return a circle without a player. If its host leaves, another member becomes host; see `heir_of`.

    Without any member left to be host, nobody is left: those who only watch have nothing to watch.
    """
    if player not in circle["members"]:
        return circle
    heir = heir_of(circle, unable)
    left = {name: membership for name, membership in circle["members"].items() if name != player}
    if circle["members"][player]["role"] == "host":
        left = {**left, heir: {**left[heir], "role": "host"}} if heir is not None else {}
    return {**circle, "members": left}


def heir_of(circle: Circle, unable: Collection[str] = ()) -> str | None:
    """Return who becomes host after the host: the member who came first, if possible of those who are able to act."""
    others = [name for name, membership in circle["members"].items() if membership["role"] == "member"]
    return next((name for name in others if name not in unable), next(iter(others), None))


def hosted_by(circle: Circle, player: str) -> Circle:
    """Return a circle whose host is a member (id); the one before becomes a member."""
    members = dict(circle["members"])
    for name, membership in circle["members"].items():
        if membership["role"] == "host":
            members[name] = {**membership, "role": "member"}
    members[player] = {**members[player], "role": "host"}
    return {**circle, "members": members}


def forgotten(circle: Circle, player: str) -> Circle:
    """Return a circle without any trace of a player."""
    left = without(circle, player)
    return {**left, "removed": [name for name in left["removed"] if name != player]}


def history_without(history: History, player: str) -> History:
    """Return a history in which a player's rounds are nobody's. It is always a new one, for what counts meanwhile."""

    def seats(before: list[str | None]) -> list[str | None]:
        return [None if each == player else each for each in before]

    return {
        **history,
        "seats": seats(history["seats"]),
        "people": {name: tally for name, tally in history["people"].items() if name != player},
        "pairs": {pair: tally for pair, tally in history["pairs"].items() if player not in pair.split()},
        "rounds": [{**each, "seats": seats(each["seats"])} for each in history["rounds"]],
    }


def _decoded(stored: bytes | None, name: str) -> Circle | None:
    return None if stored is None else codec.decode(codec.CIRCLE, stored, f"circle {name}")
