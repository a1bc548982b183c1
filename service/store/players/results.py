"""Results and ratings of players, by ruleset."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, TypedDict

from service.store import codec, keys
from service.store.connections.clients import Client
from service.store.scripts import Script, translate_errors


class Result(TypedDict):
    """A player's results in a ruleset. `mu` and `sigma` are the rating (openskill)."""

    games: int
    wins: int
    rounds: int
    mu: float
    sigma: float
    rated_games: int


#: Number of latest ratings stored per player and ruleset.
MOST_RATINGS: Final = 200
#: Number of rated games before which a rating is provisional.
PROVISIONAL_GAMES: Final = 10

Update = Callable[[Mapping[str, Result]], Mapping[str, Result]]
Rating = Callable[[Result], float | None]

_SETTLE: Final = Script("settle_game")
#: How long a game is marked as settled (ms): far longer than the lifetime of its table.
_SETTLED_MS: Final = 30 * 24 * 3_600_000
_MOST_TRIES: Final = 50


class ResultStore(Protocol):
    """Results of players, and leaderboards."""

    def settle(
        self, game: str, ruleset: str, players: Sequence[str], update: Update, rating: Rating, at: int = 0
    ) -> bool:
        """Update the results of a game's players, once; False if the game was settled before.

        Args:
            game: id of the game.
            ruleset: ruleset of the game.
            players: ids of the players.
            update: maps player -> result so far to player -> new result; may be called again.
            rating: returns the score of a result on the leaderboard; None: not listed.
            at: end of the game (ms), stored with new ratings.
        """

    def of_player(self, player: str, rulesets: Sequence[str]) -> dict[str, Result]:
        """Return ruleset -> result, for the rulesets that the player has played."""

    def leaders(self, ruleset: str, start: int, count: int) -> list[tuple[str, Result]]:
        """Return players and results, best first, from rank `start` on (from 0)."""

    def course(self, player: str, ruleset: str) -> list[tuple[int, float]]:
        """Return the end (ms) of the player's latest rated games, and the rating after each, in order of time."""

    def places(self, player: str, rulesets: Sequence[str]) -> dict[str, int]:
        """Return ruleset -> place (from 1) on its leaderboard, where the player is listed. One round trip."""

    def erase(self, player: str, rulesets: Sequence[str]) -> None:
        """Delete the results of a player."""


class RedisResultStore:
    """`ResultStore` on Redis."""

    def __init__(self, client: Client) -> None:
        self._redis: Final[Any] = client

    @translate_errors
    def settle(
        self, game: str, ruleset: str, players: Sequence[str], update: Update, rating: Rating, at: int = 0
    ) -> bool:
        """See `ResultStore.settle`."""
        names = [keys.settled(ruleset, game), keys.results(ruleset), keys.leaders(ruleset)]
        names += [keys.course(ruleset, player) for player in players]
        for _ in range(_MOST_TRIES):
            stored = self._redis.hmget(keys.results(ruleset), players) if players else []
            before = _results(players, stored)
            after = update(before)
            arguments: list[Any] = []
            for player, value in zip(players, stored, strict=True):
                score = rating(after[player])
                is_rated = _rated_games(after[player]) > _rated_games(before.get(player))
                arguments += [
                    player,
                    value or "",
                    codec.encode(codec.RESULT, after[player]),
                    "" if score is None else score,
                    f"{at} {score}" if score is not None and is_rated else "",
                ]
            outcome = _SETTLE.run(self._redis, names, _SETTLED_MS, MOST_RATINGS, *arguments)
            if outcome != b"changed":
                return bool(outcome == b"done")
        raise RuntimeError(f"the results of {game} changed {_MOST_TRIES} times while they were settled")

    @translate_errors
    def of_player(self, player: str, rulesets: Sequence[str]) -> dict[str, Result]:
        """See `ResultStore.of_player`. One round trip."""
        pipeline = self._redis.pipeline(transaction=False)
        for ruleset in rulesets:
            pipeline.hget(keys.results(ruleset), player)
        return _results(rulesets, pipeline.execute())

    @translate_errors
    def leaders(self, ruleset: str, start: int, count: int) -> list[tuple[str, Result]]:
        """See `ResultStore.leaders`."""
        names = [name.decode() for name in self._redis.zrevrange(keys.leaders(ruleset), start, start + count - 1)]
        stored = self._redis.hmget(keys.results(ruleset), names) if names else []
        return list(_results(names, stored).items())

    @translate_errors
    def course(self, player: str, ruleset: str) -> list[tuple[int, float]]:
        """See `ResultStore.course`."""
        noted = [each.split() for each in self._redis.lrange(keys.course(ruleset, player), 0, -1)]
        return [(int(at), float(rating)) for at, rating in noted]

    @translate_errors
    def places(self, player: str, rulesets: Sequence[str]) -> dict[str, int]:
        """See `ResultStore.places`."""
        pipeline = self._redis.pipeline(transaction=False)
        for ruleset in rulesets:
            pipeline.zrevrank(keys.leaders(ruleset), player)
        ranks = zip(rulesets, pipeline.execute(), strict=True)
        return {ruleset: rank + 1 for ruleset, rank in ranks if rank is not None}

    @translate_errors
    def erase(self, player: str, rulesets: Sequence[str]) -> None:
        """See `ResultStore.erase`."""
        pipeline = self._redis.pipeline(transaction=False)
        for ruleset in rulesets:
            pipeline.hdel(keys.results(ruleset), player)
            pipeline.zrem(keys.leaders(ruleset), player)
            pipeline.delete(keys.course(ruleset, player))
        pipeline.execute()


def _rated_games(result: Result | None) -> int:
    return result.get("rated_games", 0) if result is not None else 0


def _results(names: Sequence[str], stored: Sequence[bytes | None]) -> dict[str, Result]:
    return {
        name: codec.decode(codec.RESULT, value, f"result of {name}")
        for name, value in zip(names, stored, strict=True)
        if value is not None
    }
