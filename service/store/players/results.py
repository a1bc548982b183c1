"""Results and ratings of players, by ruleset."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NotRequired, TypedDict, cast

from service.common import fastjson
from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.scripts import Script, translate_errors

#: Other player -> how often the two have met in rated games, older meetings counting less, and the last time (ms).
Meetings = Mapping[str, tuple[float, int]]


class Result(TypedDict):
    """A player's results in a ruleset. `mu` and `sigma` are the rating (openskill).

    `rated_at`: end of the last rated game (ms), to which `sigma` belongs; missing after games that 0.3 has settled.
    `met`: whom the player has met lately; only while a game is settled, and left out if nobody.
    """

    games: int
    wins: int
    rounds: int
    mu: float
    sigma: float
    rated_games: int
    rated_at: NotRequired[int]
    met: NotRequired[Meetings]


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
#: How long it is kept whom a player has met (ms), after the last rated game.
MET_MS: Final = 30 * 24 * 3_600_000


class ResultStore:
    """Results of players, and leaderboards."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def settle(
        self,
        game: str,
        ruleset: str,
        players: Sequence[str],
        update: Update,
        rating: Rating,
        at: int = 0,
        order: Rating | None = None,
    ) -> bool:
        """Update the results of a game's players, once; False if the game was settled before.

        Args:
            game: id of the game.
            ruleset: ruleset of the game.
            players: ids of the players.
            update: maps player -> result so far to player -> new result; may be called again.
            rating: returns the rating of a result; None: not listed.
            at: end of the game (ms), stored with new ratings.
            order: returns the score by which the leaderboard is sorted; by default the rating.
        """
        names = [keys.settled(ruleset, game), keys.results(ruleset), keys.leaders(ruleset)]
        names += [key(ruleset, player) for player in players for key in (keys.course, keys.meetings)]
        for _ in range(_MOST_TRIES):
            stored, before = self._before(ruleset, players)
            after = {player: dict(result) for player, result in update(before).items()}
            arguments: list[str | bytes | float] = []
            for player, value in zip(players, stored, strict=True):
                met = after[player].pop("met", None)
                result = cast("Result", after[player])
                rated, score = rating(result), (order or rating)(result)
                is_rated = _rated_games(result) > _rated_games(before.get(player))
                arguments += [
                    player,
                    value or "",
                    codec.encode(codec.RESULT, result),
                    "" if score is None else score,
                    f"{at} {rated}" if rated is not None and is_rated else "",
                    fastjson.dumps(met) if met and is_rated else "",
                ]
            outcome = _SETTLE.run(self._redis, names, _SETTLED_MS, MOST_RATINGS, MET_MS, *arguments)
            if outcome != b"changed":
                return bool(outcome == b"done")
        raise RuntimeError(f"the results of {game} changed {_MOST_TRIES} times while they were settled")

    def _before(self, ruleset: str, players: Sequence[str]) -> tuple[Sequence[bytes | None], dict[str, Result]]:
        """Return the stored results of players, and what they say, with whom each has met."""
        if not players:
            return [], {}
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.hmget(keys.results(ruleset), players)
        for player in players:
            pipeline.get(keys.meetings(ruleset, player))
        stored, *met = pipeline.execute()
        before = _results(players, stored)
        for player, known in zip(players, met, strict=True):
            if known is not None and player in before:
                before[player]["met"] = fastjson.loads(known)
        return stored, before

    @translate_errors
    def of_player(self, player: str, rulesets: Sequence[str]) -> dict[str, Result]:
        """Return ruleset -> result, for the rulesets that the player has played. One round trip."""
        pipeline = self._redis.pipeline(transaction=False)
        for ruleset in rulesets:
            pipeline.hget(keys.results(ruleset), player)
        return _results(rulesets, pipeline.execute())

    @translate_errors
    def of_players(self, players: Sequence[str], ruleset: str) -> dict[str, Result]:
        """Return player -> result in a ruleset, of those who have played it. One round trip."""
        return _results(players, self._redis.hmget(keys.results(ruleset), players)) if players else {}

    @translate_errors
    def leaders(self, ruleset: str, start: int, count: int) -> list[tuple[str, Result]]:
        """Return players and results, best first, from rank `start` on (from 0)."""
        names = [name.decode() for name in self._redis.zrevrange(keys.leaders(ruleset), start, start + count - 1)]
        stored = self._redis.hmget(keys.results(ruleset), names) if names else []
        return list(_results(names, stored).items())

    @translate_errors
    def course(self, player: str, ruleset: str) -> list[tuple[int, float]]:
        """Return the end (ms) of the player's latest rated games, and the rating after each, in order of time."""
        noted = [each.split() for each in self._redis.lrange(keys.course(ruleset, player), 0, -1)]
        return [(int(at), float(rating)) for at, rating in noted]

    @translate_errors
    def places(self, player: str, rulesets: Sequence[str]) -> dict[str, int]:
        """Return ruleset -> place (from 1) on its leaderboard, where the player is listed. One round trip."""
        pipeline = self._redis.pipeline(transaction=False)
        for ruleset in rulesets:
            pipeline.zrevrank(keys.leaders(ruleset), player)
        ranks = zip(rulesets, pipeline.execute(), strict=True)
        return {ruleset: rank + 1 for ruleset, rank in ranks if rank is not None}

    @translate_errors
    def erase(self, player: str, rulesets: Sequence[str]) -> None:
        """Delete the results of a player."""
        self._forget(player, rulesets)
        pipeline = self._redis.pipeline(transaction=False)
        for ruleset in rulesets:
            pipeline.hdel(keys.results(ruleset), player)
            pipeline.zrem(keys.leaders(ruleset), player)
            pipeline.delete(keys.course(ruleset, player))
            pipeline.delete(keys.meetings(ruleset, player))
        pipeline.execute()

    def _forget(self, player: str, rulesets: Sequence[str]) -> None:
        """Remove a player from the meetings of those whom the player has met."""
        for ruleset in rulesets:
            met = self._redis.get(keys.meetings(ruleset, player))
            for other in fastjson.loads(met) if met is not None else ():
                name = keys.meetings(ruleset, other)
                theirs = self._redis.get(name)
                if theirs is not None:
                    left = {each: entry for each, entry in fastjson.loads(theirs).items() if each != player}
                    self._redis.set(name, fastjson.dumps(left), xx=True, keepttl=True)


def _rated_games(result: Result | None) -> int:
    return result.get("rated_games", 0) if result is not None else 0


def _results(names: Sequence[str], stored: Sequence[bytes | None]) -> dict[str, Result]:
    return {
        name: codec.decode(codec.RESULT, value, f"result of {name}")
        for name, value in zip(names, stored, strict=True)
        if value is not None
    }
