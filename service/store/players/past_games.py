"""Past games: the lists of the players' finished games, and what the lists say of each game.

A list holds ids and times alone. What it says of a game is stored once for all who played, beside the record, and lives
as long. A game whose record has expired is on no list.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple, NotRequired, Protocol, TypedDict

from service.game.state.types import Ending
from service.store import codec, keys
from service.store.connections.clients import Client
from service.store.pages import latest
from service.store.scripts import Script, translate_errors

#: Most games on a player's list; the oldest go.
MOST_GAMES: Final = 2_000
#: Games that are read at a time.
_PART: Final = 50

#: What Redis answers when asked for the time to live of a key that does not exist.
_GONE: Final = -2

_LIST_GAME: Final = Script("list_game")


class Played(TypedDict):
    """A player's part in a game.

    Attributes:
        seat: where the player sat first.
        result: None: nobody has won, or the player was on a seat that has won for too few rounds.
    """

    seat: int
    result: Literal["won", "lost"] | None


class PastGame(TypedDict):
    """What the lists say of a finished game.

    Attributes:
        ended_at: when it ended (ms).
        ended: why.
        rounds: number of finished rounds.
        winners: seats that have won.
        levels: of the seats at its end; None: the game has none.
        scores: of the teams at its end; None: the game has none.
        rated: it counted for ratings.
        practice: it was played with a seed.
        imported: it was played elsewhere; left out: it was not.
        watchable: anybody could watch it: the table was public and open to spectators.
        seats: who sat there at its start, in order, as the record says it.
        changes: who came later, as the record says it; left out: nobody.
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
    seats: list[dict[str, Any]]
    changes: NotRequired[list[dict[str, Any]]]
    parts: dict[str, Played]


class Position(NamedTuple):
    """A place in a list, whose order is that of these values, highest first."""

    ended_at: int
    game: str


class PastGameStore(Protocol):
    """The lists of the players' finished games."""

    def add(self, game: PastGame, ttl_ms: int | None) -> None:
        """Put a game on the lists of those who played it and still exist. Idempotent.

        Args:
            ttl_ms: for how long its record is kept; None: for ever.
        """

    def newest_first(self, player: str, before: Position | None = None) -> Iterator[PastGame]:
        """Yield the games of a player's list that come after a position in it, `_PART` at a time.

        Games of the same millisecond are in the order of their ids. Those whose records have expired leave the list.
        """

    def forget_erased(self) -> int:
        """Delete the lists of players who do not exist any more, and return how many there were.

        Releases before 0.3 do not know the lists, and leave them behind when they erase a player.
        """


class RedisPastGameStore:
    """`PastGameStore` on Redis."""

    def __init__(self, client: Client) -> None:
        self._redis: Final[Any] = client

    @translate_errors
    def add(self, game: PastGame, ttl_ms: int | None) -> None:
        """See `PastGameStore.add`. Two round trips."""
        self._redis.set(keys.past_game(game["game"]), codec.encode(codec.PAST_GAME, game), px=ttl_ms)
        lists = [keys.past_games_of(player) for player in game["parts"]]
        listed = (game["game"], game["ended_at"], "" if ttl_ms is None else ttl_ms, MOST_GAMES)
        _LIST_GAME.run(self._redis, (keys.RECORDS, *lists), *listed, *game["parts"])

    def newest_first(self, player: str, before: Position | None = None) -> Iterator[PastGame]:
        """See `PastGameStore.newest_first`."""
        while listed := self._listed(player, before):
            yield from self._load(player, [entry.game for entry in listed])
            before = listed[-1]

    @translate_errors
    def forget_erased(self) -> int:
        """See `PastGameStore.forget_erased`."""
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
        """Return what is said of those of some games that have a record; the others leave the list."""
        pipeline = self._redis.pipeline(transaction=False)
        for game in games:
            pipeline.get(keys.past_game(game))
            pipeline.pttl(keys.game(game))
        answers = iter(pipeline.execute())
        found: list[PastGame] = []
        expired: list[str] = []
        for game in games:
            stored, left_ms = next(answers), next(answers)
            if stored is not None and left_ms != _GONE:
                found.append(codec.decode(codec.PAST_GAME, stored, f"past game {game}"))
            else:
                expired.append(game)
        if expired:
            self._redis.zrem(keys.past_games_of(player), *expired)
        return found
