"""Versions of the rules: how earlier ones scored what today's score differently (`docs/rules.md` §13).

A game keeps the version with which it began, and its record is judged by it. The version goes up with a release that
scores a round differently under the same options; each change gets a field here.
"""

from typing import Final, NamedTuple


class Reading(NamedTuple):
    """How a version of the rules reads what has been read in different ways.

    Attributes:
        team_shares_debt: all players of a fixed team owe as many levels for a failed throw; else partners owe fewer.
        holders_are_friends: whoever holds a called card is a friend when a failed throw stops the round.
        passive_win_at_level: a passive friend who wins a round at a must-play level has won that level.
        defended_counts: a must-play level won as declarers no longer holds.
    """

    team_shares_debt: bool = True
    holders_are_friends: bool = True
    passive_win_at_level: bool = True
    defended_counts: bool = True


#: Version -> its reading. The first one is that of release 0.2.0, whose games and records name none.
READINGS: Final = {1: Reading(*[False] * len(Reading._fields)), 2: Reading()}
FIRST: Final = min(READINGS)
RULES: Final = max(READINGS)
