"""What absence does to a rating: it grows less certain by the same amount each day, and is inactive after three months.

The same amount each day for everybody keeps the order of players, so the leaderboard is sorted once, when a rated game
has ended: by the rating that everybody had, or would have, on one day. If the variance grew evenly instead, as in
Glicko, all players would have to be sorted again whenever somebody looks.
"""

from typing import Final

from service.store.players.results import Result
from service.tables.ai_ratings import MODEL

_DAY_MS: Final = 24 * 3_600_000
#: What a rating loses in a day of absence: about 0.9 until it is inactive, 3.65 in a year.
LOST_A_DAY: Final = 0.01
#: By which the standard deviation grows in a day, since a rating is the mean less three of it.
_GROWTH_A_DAY: Final = LOST_A_DAY / 3
#: After so long (ms) without a rated game a player is inactive.
INACTIVE_MS: Final = 90 * _DAY_MS
#: 2026-11-26 (ms), when 0.3.0 was released. Who was last rated by 0.3, which kept no time, counts as rated then; a day
#: still to come would put them above players whose rating is higher until it has come.
EPOCH: Final = 1_795_651_200_000


def rating_at(result: Result, now: int) -> float:
    """Return the rating at a time (ms), unrounded."""
    return _when_rated(result) - LOST_A_DAY * _days(result, now)


def order(result: Result) -> float:
    """Return the score on the leaderboard: whoever has the higher one has the higher rating at any time."""
    return _when_rated(result) + LOST_A_DAY * (result.get("rated_at", EPOCH) - EPOCH) / _DAY_MS


def grown(result: Result, now: int) -> float:
    """Return the standard deviation for a game that ended at a time (ms): at most that of a new player."""
    most = max(result["sigma"], float(MODEL.sigma))
    return min(most, result["sigma"] + _GROWTH_A_DAY * _days(result, now))


def is_inactive(result: Result, now: int) -> bool:
    """Return whether a player's last rated game is long ago."""
    return now - result.get("rated_at", EPOCH) > INACTIVE_MS


def _when_rated(result: Result) -> float:
    return float(MODEL.rating(mu=result["mu"], sigma=result["sigma"]).ordinal())


def _days(result: Result, now: int) -> float:
    return max(0, now - result.get("rated_at", EPOCH)) / _DAY_MS
