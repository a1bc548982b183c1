"""Pools of ratings: games that take days have their own in each ruleset, since to think for hours is another skill.

The pool of games that count in seconds has the name of its ruleset, as in the data of earlier releases.
"""

from typing import Final

from service.rules.options.rulesets import RULESETS

_DAYS: Final = ".days"
#: Names of all pools.
POOLS: Final = (*RULESETS, *(ruleset + _DAYS for ruleset in RULESETS))


def pool(ruleset: str, *, takes_days: bool) -> str:
    """Return the pool in which games of a ruleset are rated."""
    return ruleset + _DAYS if takes_days else ruleset


def ruleset_of(name: str) -> str:
    """Return the ruleset of a pool."""
    return name.removesuffix(_DAYS)
