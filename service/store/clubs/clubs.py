"""Clubs: who belongs to one, with what role, who asks to join, and the code of its link.

A club is one hash, changed by comparing what was read. Its code leads to it, and each player has a list of clubs. The
list may name a club that the player has left since: the club itself says who belongs to it.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Final, Literal, NotRequired, TypeAlias, TypedDict

from service.store import codec, keys
from service.store.clubs import seasons
from service.store.connections.commands import Client
from service.store.pages import Entry, latest
from service.store.players.own_lists import OwnLists
from service.store.scripts import Script, translate_errors

#: How long a club is kept after its last change (ms): 400 days, or 30 while nobody but who made it belongs to it.
CLUB_MS: Final = 400 * 24 * 3_600_000
ALONE_MS: Final = 30 * 24 * 3_600_000
#: Most tables and events on the list of a club, and how long its tables stay there after the last (ms).
MOST_TABLES: Final = 50
MOST_EVENTS: Final = 200
TABLES_MS: Final = 7 * 24 * 3_600_000

#: `owner` does everything; `director` lets people in, removes members, and holds events; `member` plays.
Role: TypeAlias = Literal["owner", "director", "member"]

_REPLACE: Final = Script("replace_field")
#: Field of the hash: the club itself.
_CLUB: Final = "c"


class Membership(TypedDict):
    """How a player belongs to a club, and since when (ms)."""

    role: Role
    since: int


class Club(TypedDict):
    """A club.

    Attributes:
        id: identifies it.
        name, about: chosen by its owners.
        is_listed: whether everybody finds it, and may ask to join.
        members: player -> membership, in the order in which they came.
        requests: player who asks to join -> since when (ms), in the order in which they asked.
        removed: players who were removed, the latest last; neither link nor request lets them in.
        code: of its link.
        created_at: when it was made (ms).
        name_held_until: until when (ms) owners cannot change name and description that an operator has given.
    """

    id: str
    name: str
    about: str
    is_listed: bool
    members: dict[str, Membership]
    requests: dict[str, int]
    removed: list[str]
    code: str
    created_at: int
    name_held_until: NotRequired[int]


class ClubStore(OwnLists):
    """See the module."""

    def __init__(self, client: Client) -> None:
        super().__init__(client, keys.clubs_of, CLUB_MS)

    @translate_errors
    def create(self, club: Club) -> Club:
        """Store a club, and return it, or what is stored under its id already."""
        self._redis.hsetnx(keys.club(club["id"]), _CLUB, codec.encode(codec.CLUB, club))
        stored = self.get(club["id"]) or club
        self._keep(stored)
        return stored

    @translate_errors
    def get(self, club: str) -> Club | None:
        """Return a club (id); None if there is none."""
        return _decoded(self._redis.hget(keys.club(club), _CLUB), club)

    @translate_errors
    def several(self, clubs: Sequence[str]) -> list[Club]:
        """Return those of some clubs (ids) that exist. One round trip."""
        pipeline = self._redis.pipeline(transaction=False)
        for club in clubs:
            pipeline.hget(keys.club(club), _CLUB)
        stored = zip(clubs, pipeline.execute() if clubs else [], strict=True)
        known = [_decoded(each, name) for name, each in stored]
        return [each for each in known if each is not None]

    @translate_errors
    def change(self, club: str, change: Callable[[Club], Club]) -> Club | None:
        """Apply `change` to a club, and store and return the result; None if there is no such club.

        `change` must be pure: it is called again if the club was changed meanwhile. Without members the club is
        deleted.
        """
        key = keys.club(club)
        while (stored := self._redis.hget(key, _CLUB)) is not None:
            before: Club = codec.decode(codec.CLUB, stored, f"club {club}")
            after = change(before)
            if after == before:
                return after
            if _REPLACE.run(self._redis, (key,), _CLUB, stored, codec.encode(codec.CLUB, after)):
                if before["code"] != after["code"]:
                    self._redis.delete(keys.club_link(before["code"]))
                if after["members"]:
                    self._keep(after)
                else:
                    self._delete(after)
                return after
        return None

    @translate_errors
    def of_code(self, code: str) -> Club | None:
        """Return the club that a code opens; None if it opens none, or none any more."""
        name = self._redis.get(keys.club_link(code))
        club = self.get(name.decode()) if name is not None else None
        return club if club is not None and club["code"] == code else None

    @translate_errors
    def listed(self, limit: int, before: Entry | None = None) -> list[Entry]:
        """Return places in the list and ids of listed clubs, after `before`; see `place_of`.

        A club that has expired may be among them, until `unlist` is told.
        """
        return latest(self._redis, (keys.CLUBS,), limit, before)

    @translate_errors
    def unlist(self, clubs: Collection[str]) -> None:
        """Remove clubs from the list for everybody."""
        if clubs:
            self._redis.zrem(keys.CLUBS, *clubs)

    # --- what it holds ------------------------------------------------------------------------------------------------

    @translate_errors
    def note_table(self, club: str, table: str, at: int) -> None:
        """Put a table on the list of a club.

        Whoever does takes others off the list if there are more than `MOST_TABLES`; of more than twice as many, the
        oldest go.
        """
        self._note(keys.club_tables(club), table, at, 2 * MOST_TABLES, TABLES_MS)

    @translate_errors
    def tables_of(self, club: str) -> list[str]:
        """Return the tables of a club (ids), the latest first."""
        return [name.decode() for name in self._redis.zrevrange(keys.club_tables(club), 0, -1)]

    @translate_errors
    def drop_tables(self, club: str, tables: Sequence[str]) -> None:
        """Take tables off the list of a club."""
        if tables:
            self._redis.zrem(keys.club_tables(club), *tables)

    @translate_errors
    def note_event(self, club: str, event: str, at: int) -> None:
        """Put an event of teams on the list of a club, which has the latest `MOST_EVENTS`."""
        self._note(keys.club_events(club), event, at, MOST_EVENTS, CLUB_MS)

    @translate_errors
    def events_of(self, club: str, limit: int = 0, before: Entry | None = None) -> list[Entry]:
        """Return times (ms) and ids of events of a club, the latest first, after `before`; `limit`: 0: all."""
        return latest(self._redis, (keys.club_events(club),), limit or MOST_EVENTS, before)

    def _note(self, key: str, name: str, at: int, most: int, kept_ms: int) -> None:
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.zadd(key, {name: at}, nx=True)
        pipeline.zremrangebyrank(key, 0, -most - 1)
        pipeline.pexpire(key, kept_ms)
        pipeline.execute()

    # --- the list of a player -----------------------------------------------------------------------------------------

    @translate_errors
    def of_player(self, player: str, now: int) -> list[Club]:
        """Return the clubs of a player, and those that the player asks to join, the latest first.

        Those to which neither applies any more go off the list.

        Args:
            player: id.
            now: time (ms). What was put on the list within the last minute stays: it may just be being made.
        """
        listed = self._list_of(player)
        theirs = [club for club in self.several([*listed]) if player in club["members"] or player in club["requests"]]
        self._drop_old(player, listed, {club["id"] for club in theirs}, now)
        return theirs

    def role(self, club: str, player: str) -> Role | None:
        """Return the role of a player in a club (id); None: the player does not belong to it."""
        stored = self.get(club)
        membership = stored["members"].get(player) if stored is not None else None
        return membership["role"] if membership is not None else None

    def members(self, club: str) -> Collection[str]:
        """Return who belongs to a club (id); nobody, if there is none."""
        stored = self.get(club)
        return stored["members"].keys() if stored is not None else ()

    def erase(self, player: str) -> None:
        """Remove all traces of a player from the clubs on the player's list."""
        for club in self.of_player(player, 0):
            self.change(club["id"], lambda stored: forgotten(stored, player))

    def _keep(self, club: Club) -> None:
        """Let a club and its code count anew from now on, and list it as it is."""
        ttl_ms = CLUB_MS if len(club["members"]) > 1 else ALONE_MS
        self._redis.pexpire(keys.club(club["id"]), ttl_ms)
        seasons.keep_with_club(self._redis, club["id"], ttl_ms)
        self._redis.set(keys.club_link(club["code"]), club["id"], px=ttl_ms)
        if club["is_listed"]:
            self._redis.zadd(keys.CLUBS, {club["id"]: place_of(club)})
        else:
            self.unlist([club["id"]])

    def _delete(self, club: Club) -> None:
        seasons.delete_with_club(self._redis, club["id"])
        names = (keys.club(club["id"]), keys.club_tables(club["id"]), keys.club_events(club["id"]))
        for name in (*names, keys.club_link(club["code"])):
            self._redis.delete(name)
        self.unlist([club["id"]])


def place_of(club: Club) -> int:
    """Return the place of a club in the list: the largest first, of equally large ones the latest."""
    return len(club["members"]) * 10**10 + club["created_at"] // 1000


def without(club: Club, player: str, unable: Collection[str] = ()) -> Club:
    """Return a club without a player. If its last owner goes, another becomes owner; see `heir_of`."""
    left = {name: membership for name, membership in club["members"].items() if name != player}
    rest: Club = {**club, "members": left}
    if player in club["members"] and not owners(rest) and (heir := heir_of(rest, unable)) is not None:
        return with_role(rest, heir, "owner")
    return rest


def heir_of(club: Club, unable: Collection[str] = ()) -> str | None:
    """Return who becomes owner without any: the director who came first, then the member, if possible an able one."""
    others = sorted(club["members"], key=lambda name: club["members"][name]["role"] != "director")
    return next((name for name in others if name not in unable), next(iter(others), None))


def with_role(club: Club, player: str, role: Role) -> Club:
    """Return a club in which a member has a role."""
    return {**club, "members": {**club["members"], player: {**club["members"][player], "role": role}}}


def owners(club: Club) -> list[str]:
    """Return the owners of a club (ids)."""
    return [player for player, membership in club["members"].items() if membership["role"] == "owner"]


def forgotten(club: Club, player: str) -> Club:
    """Return a club without any trace of a player."""
    left = without(club, player)
    return {
        **left,
        "requests": {name: at for name, at in left["requests"].items() if name != player},
        "removed": [name for name in left["removed"] if name != player],
    }


def _decoded(stored: bytes | None, name: str) -> Club | None:
    return None if stored is None else codec.decode(codec.CLUB, stored, f"club {name}")
