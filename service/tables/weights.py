"""How much a game counts for ratings: by what it can tell, so that nobody can be raised by games that tell nothing.

The weight of a game for a player is a share (0 to 1) of the change of the rating, the product of three:

- its length: a game of one round counts a sixth of a whole one;
- its stake: how open it was, by the ratings before it. A win over weak AI players brings next to nothing to somebody
  rated above them, and nothing is lost by it either;
- its people: each other player at its start counts for one seat, and less each time the two have met lately. Seats of
  AI players count nothing, so that two players who meet at private tables soon stop moving each other's ratings.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from openskill.models import PlackettLuceRating

from service.rules.options.rulesets import RULESETS
from service.store.players.results import MET_MS, Meetings
from service.tables.ai_ratings import MODEL

#: Rounds from which on a game counts as a whole one, by family.
_WHOLE: Final = {"arms_length": 4, "shengji": 6}
#: Meetings after which another one counts half as much as the first.
_HALVED_AFTER: Final = 2
#: In this time (ms) meetings come to count half as much; after `MET_MS` they are forgotten.
_HALF_LIFE_MS: Final = 10 * 24 * 3_600_000
#: Most people remembered, the latest.
_MOST_MET: Final = 200

Rating = PlackettLuceRating


def length(ruleset: str, rounds: int) -> float:
    """Return the weight of a number of finished rounds."""
    return min(1.0, rounds / _WHOLE[RULESETS[ruleset].family])


def stake(side: Sequence[Rating], opponents: Sequence[Sequence[Rating]]) -> float:
    """Return how open a game was for a side: 1 unless it was the favourite, towards 0 the plainer that was."""
    chances = [max(0.5, float(MODEL.predict_win([list(side), list(other)])[0])) for other in opponents]
    return sum(4 * chance * (1 - chance) for chance in chances) / len(chances) if chances else 0.0


def people(met: Meetings, others: Collection[str], seats: int, at: int) -> float:
    """Return the weight of the people at a table.

    Args:
        met: whom the player has met lately.
        others: ids of the other people there at the start.
        seats: number of seats.
        at: time of the game (ms).
    """
    return sum(1 / (1 + _count(met, other, at) / _HALVED_AFTER) for other in others) / (seats - 1)


def met_after(met: Meetings, others: Collection[str], at: int) -> Meetings:
    """Return whom a player has met lately, after another game."""
    lately = {player: entry for player, entry in met.items() if at - entry[1] < MET_MS}
    now: dict[str, tuple[float, int]] = {player: (round(_count(met, player, at) + 1, 3), at) for player in others}
    latest = sorted({**lately, **now}.items(), key=lambda each: each[1][1])
    return dict(latest[-_MOST_MET:])


def _count(met: Mapping[str, Sequence[float]], player: str, at: int) -> float:
    """Return the number of meetings with a player, older ones counting less."""
    if player not in met:
        return 0.0
    count, last = met[player]
    return float(count * 0.5 ** (max(0, at - last) / _HALF_LIFE_MS))


def moved(before: Rating, after: Rating, weight: float) -> tuple[float, float]:
    """Return mu and sigma after a share of a change."""
    return before.mu + weight * (after.mu - before.mu), before.sigma + weight * (after.sigma - before.sigma)
