"""Counters of how cards were dealt, by ruleset and number of players."""

from collections.abc import Mapping
from typing import Final

from service.store import keys
from service.store.connections.commands import Client
from service.store.scripts import Script, translate_errors

_COUNT: Final = Script("count_deals")
#: How long a game is marked as counted (ms): far longer than the lifetime of its table.
_COUNTED_MS: Final = 30 * 24 * 3_600_000


class DealStore:
    """One row of counters for each ruleset and number of players."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def count(self, game: str, ruleset: str, players: int, counts: Mapping[str, int]) -> bool:
        """Add the counts of a game, by name of the counter; False if the game was counted before."""
        names = [keys.deals_counted(ruleset, game), keys.deals(ruleset, players)]
        arguments = [argument for name, number in counts.items() for argument in (name, number)]
        return bool(_COUNT.run(self._redis, names, _COUNTED_MS, *arguments))

    @translate_errors
    def counts(self, ruleset: str, players: int) -> dict[str, int]:
        """Return name of a counter -> its number; empty: no deal was counted."""
        return {
            name.decode(): int(number) for name, number in self._redis.hgetall(keys.deals(ruleset, players)).items()
        }
