"""Versions of the rules, and what earlier ones scored differently (`docs/rules.md` §13).

A game keeps the version with which it began, and its record is checked by that version. A release that scores a round
differently under the same options increments the version; each such change has a field in `Reading`.
"""

from typing import Final, NamedTuple


class Reading(NamedTuple):
    """How a version of the rules decides where versions differ.

    Attributes:
        team_shares_debt: after a failed throw, all players of a fixed team owe as many levels as its leader.
        holders_are_friends: when a failed throw ends the round, the holders of called cards are friends.
        passive_win_at_level: a passive friend who wins a round at a must-play level has won that level.
        defended_counts: a must-play level won as declarers no longer holds.
    """

    team_shares_debt: bool = True
    holders_are_friends: bool = True
    passive_win_at_level: bool = True
    defended_counts: bool = True


#: Version -> its reading. Games and records of release 0.2.0 name no version; theirs is the first.
READINGS: Final = {1: Reading(*[False] * len(Reading._fields)), 2: Reading()}
FIRST: Final = min(READINGS)
RULES: Final = max(READINGS)
