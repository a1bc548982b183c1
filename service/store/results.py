"""Results and ratings of players, one set for each ruleset."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from service.store import codec, keys
from service.store.clients import Client, Script, edge

#: `{"games", "wins", "rounds", "mu", "sigma", "rated_games"}`.
Result = dict[str, Any]
Update = Callable[[Mapping[str, Result]], Mapping[str, Result]]
Rating = Callable[[Result], float | None]

_SETTLE: Final = Script("settle_game")
#: How long it is remembered that a game has been settled (ms): far longer than its table is.
_SETTLED_MS: Final = 30 * 24 * 3_600_000
_MOST_TRIES: Final = 50


class ResultStore(Protocol):
    """Results of players and the leaderboards made of them."""

    def settle(self, game: str, ruleset: str, players: Sequence[str], update: Update, rating: Rating) -> bool:
        """Change the results of a game's players, once: False if the game was settled before.

        Args:
            game: id of the game.
            ruleset: whose results these are.
            players: the ids of those who took part.
            update: player -> result so far, to player -> new result; may be called again.
            rating: the place of a result in the leaderboard; None: it has none.
        """

    def of_player(self, player: str, rulesets: Sequence[str]) -> dict[str, Result]:
        """Return ruleset -> result, for those that the player has played."""

    def leaders(self, ruleset: str, start: int, count: int) -> list[tuple[str, Result]]:
        """Return players and results from place `start` (0 is the best) on."""

    def erase(self, player: str, rulesets: Sequence[str]) -> None:
        """Forget a player's results and places."""


class RedisResultStore:
    """`ResultStore` on Redis."""

    def __init__(self, client: Client) -> None:
        self._redis: Final[Any] = client

    @edge
    def settle(self, game: str, ruleset: str, players: Sequence[str], update: Update, rating: Rating) -> bool:
        """See `ResultStore.settle`."""
        names = (keys.settled(ruleset, game), keys.results(ruleset), keys.leaders(ruleset))
        for _ in range(_MOST_TRIES):
            stored = self._redis.hmget(keys.results(ruleset), players) if players else []
            before = _known(players, stored)
            after = update(before)
            arguments: list[Any] = []
            for player, was in zip(players, stored, strict=True):
                place = rating(after[player])
                arguments += [
                    player,
                    was or "",
                    codec.encode(codec.RESULT, after[player]),
                    "" if place is None else place,
                ]
            outcome = _SETTLE.run(self._redis, names, _SETTLED_MS, *arguments)
            if outcome != b"changed":
                return bool(outcome == b"done")
        raise RuntimeError(f"the results of {game} changed {_MOST_TRIES} times while they were settled")

    @edge
    def of_player(self, player: str, rulesets: Sequence[str]) -> dict[str, Result]:
        """See `ResultStore.of_player`. One round trip."""
        asked = self._redis.pipeline(transaction=False)
        for ruleset in rulesets:
            asked.hget(keys.results(ruleset), player)
        return _known(rulesets, asked.execute())

    @edge
    def leaders(self, ruleset: str, start: int, count: int) -> list[tuple[str, Result]]:
        """See `ResultStore.leaders`."""
        names = [name.decode() for name in self._redis.zrevrange(keys.leaders(ruleset), start, start + count - 1)]
        stored = self._redis.hmget(keys.results(ruleset), names) if names else []
        return list(_known(names, stored).items())

    @edge
    def erase(self, player: str, rulesets: Sequence[str]) -> None:
        """See `ResultStore.erase`."""
        asked = self._redis.pipeline(transaction=False)
        for ruleset in rulesets:
            asked.hdel(keys.results(ruleset), player)
            asked.zrem(keys.leaders(ruleset), player)
        asked.execute()


def _known(names: Sequence[str], stored: Sequence[bytes | None]) -> dict[str, Result]:
    return {
        name: codec.decode(codec.RESULT, value, f"result of {name}")
        for name, value in zip(names, stored, strict=True)
        if value is not None
    }
