"""Seasons of clubs: what counts in one, and what has been played in it.

A club has a hash of its seasons, and each season a hash of its events: who played them and with what result. Those stay
when the event is gone, and say nothing of players but their ids. All of it expires with the club.
"""

import zlib
from collections.abc import Sequence
from typing import Final, NotRequired, TypedDict

from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.port import StoreCorrupt
from service.store.scripts import Script, translate_errors

_REPLACE: Final = Script("replace_field")


class Season(TypedDict):
    """A season.

    Attributes:
        id: identifies it within its club.
        name: chosen by owners and directors.
        starts_at, ends_at: events count that began from the first time on and before the second (ms).
        events: the events that count (ids); empty: all.
        best: how many events of a player count, the best ones; 0: all.
        points: how the points of an event follow from its standings.
        created_at: when it was made (ms).
        is_name_held: whether an operator has given the name, which then stays; left out: none has.
    """

    id: str
    name: str
    starts_at: int
    ends_at: int
    events: list[str]
    best: int
    points: str
    created_at: int
    is_name_held: NotRequired[bool]


class UnitResult(TypedDict):
    """What a unit (team, pair or player) has come to in an event.

    Attributes:
        place: from 1, among the units of its line that are not AI players alone.
        equal: how many units share the place, this one included.
        of: how many units there are.
        percent: what it has made, in percent: matchpoints, or victory points.
    """

    place: int
    equal: int
    of: int
    percent: float


class UnitBoards(TypedDict):
    """How many boards people of a unit have played, and each of them (player -> boards)."""

    boards: int
    players: dict[str, int]


class SeasonEvent(TypedDict):
    """An event of a season.

    Attributes:
        name: what it is called; "" after an operator has removed it.
        began_at: when its first round began (ms).
        is_played: whether all of its rounds are over, or it was closed.
        ends_at: when it ends at the latest (ms); then what has been played of it counts.
        rounds: of how many rounds `boards` knows.
        boards: unit -> who has played.
        results: unit -> result after these rounds.
    """

    name: str
    began_at: int
    is_played: bool
    ends_at: int
    rounds: int
    boards: dict[str, UnitBoards]
    results: dict[str, UnitResult]


class SeasonStore:
    """See the module."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def of_club(self, club: str) -> list[Season]:
        """Return the seasons of a club (id), the one that begins last first."""
        stored = self._redis.hvals(keys.club_seasons(club))
        seasons: list[Season] = [codec.decode(codec.SEASON, each, f"season of {club}") for each in stored]
        return sorted(seasons, key=lambda season: (season["starts_at"], season["id"]), reverse=True)

    @translate_errors
    def get(self, club: str, season: str) -> Season | None:
        """Return a season of a club (ids); None if there is none."""
        stored = self._redis.hget(keys.club_seasons(club), season)
        return None if stored is None else codec.decode(codec.SEASON, stored, f"season {season}")

    @translate_errors
    def create(self, club: str, season: Season) -> Season:
        """Store a season of a club (id), and return it, or what is stored under its id already."""
        self._redis.hsetnx(keys.club_seasons(club), season["id"], codec.encode(codec.SEASON, season))
        self._expire(club, keys.club_seasons(club))
        return self.get(club, season["id"]) or season

    @translate_errors
    def replace(self, club: str, before: Season, after: Season) -> bool:
        """Store a season in place of what was read; False if it has changed since, or is gone."""
        old, new = (codec.encode(codec.SEASON, each) for each in (before, after))
        return bool(_REPLACE.run(self._redis, (keys.club_seasons(club),), before["id"], old, new))

    @translate_errors
    def delete(self, club: str, season: str) -> None:
        """Delete a season of a club (ids), with what was played in it."""
        self._redis.hdel(keys.club_seasons(club), season)
        self._redis.delete(keys.club_season(season))

    # --- what was played in one ---------------------------------------------------------------------------------------

    @translate_errors
    def events_of(self, season: str) -> dict[str, SeasonEvent]:
        """Return the events of a season by id."""
        stored = self._redis.hgetall(keys.club_season(season))
        return {name.decode(): _unpacked(each, f"event in {season}") for name, each in stored.items()}

    @translate_errors
    def event(self, season: str, event: str) -> SeasonEvent | None:
        """Return an event of a season; None if it is not known."""
        stored = self._redis.hget(keys.club_season(season), event)
        return None if stored is None else _unpacked(stored, f"event in {season}")

    @translate_errors
    def count(self, season: str) -> int:
        """Return how many events are known of a season."""
        return int(self._redis.hlen(keys.club_season(season)))

    @translate_errors
    def keep(self, club: str, season: str, event: str, played: SeasonEvent) -> None:
        """Store an event of a season of a club (ids)."""
        self._redis.hset(keys.club_season(season), event, zlib.compress(codec.encode(codec.SEASON_EVENT, played), 9))
        self._expire(club, keys.club_season(season))

    @translate_errors
    def drop(self, season: str, events: Sequence[str]) -> None:
        """Forget events of a season."""
        if events:
            self._redis.hdel(keys.club_season(season), *events)

    def _expire(self, club: str, key: str) -> None:
        """Let a key expire with its club; without one, at once."""
        self._redis.pexpire(key, max(1, self._redis.pttl(keys.club(club))))


def _unpacked(stored: bytes, what: str) -> SeasonEvent:
    try:
        event: SeasonEvent = codec.decode(codec.SEASON_EVENT, zlib.decompress(stored), what)
    except zlib.error as error:
        raise StoreCorrupt(f"{what}: a truncated value ({error})") from error
    return event


def keep_with_club(redis: Client, club: str, ttl_ms: int) -> None:
    """Let the seasons of a club (id) expire when the club does, in `ttl_ms`."""
    names = _names(redis, club)
    if len(names) > 1:
        pipeline = redis.pipeline(transaction=False)
        for name in names:
            pipeline.pexpire(name, ttl_ms)
        pipeline.execute()


def delete_with_club(redis: Client, club: str) -> None:
    """Delete the seasons of a club (id)."""
    for name in _names(redis, club):
        redis.delete(name)


def _names(redis: Client, club: str) -> list[str]:
    seasons = [keys.club_season(season.decode()) for season in redis.hkeys(keys.club_seasons(club))]
    # The list last, which leads to the others.
    return [*seasons, keys.club_seasons(club)]
