"""Levels as names: what comes after what, and the trump rank that belongs to each.

A level is a rank, `NT` (after the ace in `tractor`), or `joker` (after the ace where laps are played); with laps it
carries a `+` for each lap gone by: `2+`, `joker+`, `T++` (000 l.324-326; 004 l.13).
"""

from collections.abc import Mapping
from typing import Any, Final

from service.errors import InvalidRequest
from service.rules.cards import RANKS
from service.rules.rulesets import RULESETS

NT: Final = "NT"
JOKER: Final = "joker"
_SHORT_LAP: Final = "TJQKA"
#: Laps that a level may name: more than anybody plays, and little enough for any caller.
_MOST_LAPS: Final = 60


def rank_of_level(level: str) -> str | None:
    """Return the trump rank of a level: `'2+'` -> `'2'`; None at `NT` and `joker`, where jokers alone are trumps."""
    rank = level[:1]
    return rank if rank in RANKS and level.strip("+") == rank else None


def ladder(ruleset: str, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the levels of the first lap, from low to high. With `laps` another follows, without them all ends there."""
    last = RULESETS[ruleset].last_level
    end = (JOKER,) if options["laps"] else ((last,) if last == NT else ())
    return (*RANKS, *end)


def _lap(ruleset: str, options: Mapping[str, Any], number: int) -> tuple[str, ...]:
    if number == 0:
        return ladder(ruleset, options)
    return (*(_SHORT_LAP if options["short_laps"] else RANKS), JOKER)


def level_after(ruleset: str, options: Mapping[str, Any], level: str) -> str | None:
    """Return the next level up, or None at the end of the ladder."""
    base, number = level.rstrip("+"), level.count("+")
    lap = _lap(ruleset, options, number)
    at = lap.index(base) + 1
    if at < len(lap):
        return lap[at] + "+" * number
    return _lap(ruleset, options, number + 1)[0] + "+" * (number + 1) if options["laps"] else None


def check_level(ruleset: str, options: Mapping[str, Any], level: object, field: str = "level") -> str:
    """Return a level that the ladder has.

    Raises:
        InvalidRequest: reason `no_such_level`.

    """
    if isinstance(level, str) and len(level) <= len(JOKER) + _MOST_LAPS:
        base, number = level.rstrip("+"), level.count("+")
        if (number == 0 or options["laps"]) and base in _lap(ruleset, options, number) and level == base + "+" * number:
            return level
    raise InvalidRequest(reason="no_such_level", field=field, accepted=list(ladder(ruleset, options)))
