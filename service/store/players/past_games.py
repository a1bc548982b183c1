"""Past games: the lists of players' finished games, and the list entry of each game.

A list has only ids and times. The entry of a game is stored once for all its players, separately from the record, and
expires with it. A game whose record has expired is in no list.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, Literal, NamedTuple, NotRequired, TypedDict

from service.game.state.types import Ending
from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.pages import latest
from service.store.port import JsonObject
from service.store.scripts import Script, translate_errors

#: Most games in a player's list; the oldest are dropped.
MOST_GAMES: Final = 2_000
#: Number of games read at a time, of a list and by id.
_PART: Final = 50
_AT_ONCE: Final = 200

#: Redis' reply to PTTL for a key that does not exist.
_GONE: Final = -2

_LIST_GAME: Final = Script("list_game")


class Played(TypedDict):
    """A player's part in a game.

    Attributes:
        seat: the player's first seat.
        result: None if nobody won, or if the player held a winning seat for too few rounds.
    """

    seat: int
    result: Literal["won", "lost"] | None


class PastGame(TypedDict):
    """The list entry of a finished game.

    Attributes:
        ended_at: when it ended (ms).
        ended: why it ended.
        rounds: number of finished rounds.
        winners: winning seats.
        levels: final levels of the seats; None in games without levels.
        scores: final scores of the teams; None in games without scores.
        rated: whether it counted for ratings.
        practice: whether it was played with a seed.
        imported: whether it was played elsewhere; left out if not.
        watchable: whether anybody could watch it, at a public table open to spectators.
        seats: occupants at the start, in order, as in the record.
        changes: those who came later, as in the record; left out if nobody did.
        parts: player -> part; without AI seats.
    """

    game: str
    table: str
    ruleset: str
    players: int
    ended_at: int
    ended: Ending
    rounds: int
    winners: list[int]
    levels: list[str] | None
    scores: list[int] | None
    rated: bool
    practice: bool
    watchable: bool
    imported: NotRequired[bool]
    seats: list[JsonObject]
    changes: NotRequired[list[JsonObject]]
    parts: dict[str, Played]


class Position(NamedTuple):
    """A position in a list, which is in descending order of these values."""

    ended_at: int
    game: str


class PastGameStore:
    """The lists of the players' finished games."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def add(self, game: PastGame, ttl_ms: int | None) -> None:
        """Add a game to the lists of its players who still exist. Idempotent. Two round trips.

        Args:
            ttl_ms: how long its record is stored; None: forever.
        """
        self._redis.set(keys.past_game(game["game"]), codec.encode(codec.PAST_GAME, game), px=ttl_ms)
        lists = [keys.past_games_of(player) for player in game["parts"]]
        listed = (game["game"], game["ended_at"], "" if ttl_ms is None else ttl_ms, MOST_GAMES)
        _LIST_GAME.run(self._redis, (keys.RECORDS, *lists), *listed, *game["parts"])

    @translate_errors
    def several(self, games: Sequence[str]) -> dict[str, PastGame]:
        """Return the entries of games (ids), of those that are stored. Reads `_AT_ONCE` at a time."""
        entries: dict[str, PastGame] = {}
        for first in range(0, len(games), _AT_ONCE):
            part = games[first : first + _AT_ONCE]
            pipeline = self._redis.pipeline(transaction=False)
            for game in part:
                pipeline.get(keys.past_game(game))
            for game, stored in zip(part, pipeline.execute(), strict=True):
                if stored is not None:
                    entries[game] = codec.decode(codec.PAST_GAME, stored, f"past game {game}")
        return entries

    def newest_first(self, player: str, before: Position | None = None) -> Iterator[PastGame]:
        """Yield the games of a player's list after a position, reading `_PART` at a time.

        Games of the same millisecond are ordered by id. Games whose records have expired are removed from the list.
        """
        while listed := self._listed(player, before):
            yield from self._load(player, [entry.game for entry in listed])
            before = listed[-1]

    def count(self, player: str, most: int) -> int:
        """Return the number of games in a player's list that were not abandoned, up to `most`."""
        played = (game for game in self.newest_first(player) if game["ended"] != "abandoned")
        return sum(1 for _ in islice(played, most))

    @translate_errors
    def forget_erased(self) -> int:
        """Delete the lists of players who no longer exist, and return their number.

        Releases before 0.3 do not know the lists, and leave them behind when they delete a player.
        """
        forgotten = 0
        for key in self._redis.scan_iter(match=keys.past_games_of("*"), count=1_000):
            player = key.decode().rpartition(":")[2]
            if not self._redis.hexists(keys.RECORDS, player):
                forgotten += self._redis.delete(key)
        return forgotten

    @translate_errors
    def _listed(self, player: str, before: Position | None) -> list[Position]:
        """Return the next part of a list."""
        return [Position(*entry) for entry in latest(self._redis, [keys.past_games_of(player)], _PART, before)]

    @translate_errors
    def _load(self, player: str, games: Sequence[str]) -> list[PastGame]:
        """Return the entries of games that still have a record, and remove the others from the list."""
        pipeline = self._redis.pipeline(transaction=False)
        for game in games:
            pipeline.get(keys.past_game(game))
            pipeline.pttl(keys.game(game))
        answers = iter(pipeline.execute())
        loaded: list[PastGame] = []
        expired: list[str] = []
        for game in games:
            stored, left_ms = next(answers), next(answers)
            if stored is not None and left_ms != _GONE:
                loaded.append(codec.decode(codec.PAST_GAME, stored, f"past game {game}"))
            else:
                expired.append(game)
        if expired:
            self._redis.zrem(keys.past_games_of(player), *expired)
        return loaded
