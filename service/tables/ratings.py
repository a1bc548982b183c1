"""Results and ratings of players, and the leaderboards, by pool."""

from collections.abc import Callable, Sequence
from typing import Final

from service.rules.pools import POOLS
from service.store.players.results import ResultStore
from service.tables.results import PublicResult, public

#: Most players whom a request looks at: who asks for few among many reads on later.
MOST_READ: Final = 1_000
#: How many of them are read at once, if some are left out.
_AT_ONCE: Final = 200


class Ratings:
    """See the module.

    Args:
        store: stores results and ratings.
        now: returns milliseconds since the epoch.
    """

    def __init__(self, store: ResultStore, now: Callable[[], int]) -> None:
        self._store: Final = store
        self._now: Final = now
        self.course: Final = store.course

    def of_player(self, player: str) -> tuple[dict[str, PublicResult], dict[str, int]]:
        """Return pool -> result, and pool -> place, for the pools in which a player has played."""
        played, now = self._store.of_player(player, POOLS), self._now()
        places = self._store.places(player, list(played))
        return {name: public(result, now) for name, result in played.items()}, places

    def of_players(self, players: Sequence[str], pool: str) -> dict[str, PublicResult]:
        """Return player -> result in a pool, of those who have played in it. One round trip."""
        now = self._now()
        return {player: public(result, now) for player, result in self._store.of_players(players, pool).items()}

    def leaders(
        self, ruleset: str, start: int, limit: int, *, provisional: bool, inactive: bool
    ) -> tuple[list[tuple[str, PublicResult]], int | None]:
        """Return players and results from a rank on (from 0), and the rank from which to read on; None: that was all.

        Args:
            provisional, inactive: whether to list players whose rating is.
        """
        now, is_whole = self._now(), provisional and inactive
        listed: list[tuple[str, PublicResult]] = []
        rank, until = start, start + max(MOST_READ, limit)
        while rank < until:
            count = min(limit if is_whole else max(limit, _AT_ONCE), until - rank)
            leaders = self._store.leaders(ruleset, rank, count + 1)
            for player, result in leaders[:count]:
                if len(listed) == limit:
                    return listed, rank
                rank += 1
                its = public(result, now)
                if (provisional or not its["provisional"]) and (inactive or not its["inactive"]):
                    listed.append((player, its))
            if len(leaders) <= count:
                return listed, None
            if len(listed) == limit:
                break
        return listed, rank
