"""Levels: what comes after what, who moves up and how far, who declares next (`rules.md` §4.5).

A level is a rank, `NT` (after the ace in `tractor`), or `joker` (after the ace where laps are played); with laps it
carries a `+` for each lap gone by: `2+`, `joker+`, `T++` (000 l.324-326; 004 l.13).
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from service.errors import InvalidRequest
from service.rules.cards import KIND, RANKS
from service.rules.games import FINDING_FRIENDS, ZHAOPENGYOU
from service.rules.rulesets import RULESETS
from service.rules.scoring import ATTACKERS, DECLARERS
from service.rules.trumps import Trump

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
    """Return the levels of the first lap, from low to high: with `laps` not the last one."""
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
        InvalidRequest: reason `level_not_on_ladder`.
    """
    if isinstance(level, str) and len(level) <= len(JOKER) + _MOST_LAPS:
        base, number = level.rstrip("+"), level.count("+")
        if (number == 0 or options["laps"]) and base in _lap(ruleset, options, number) and level == base + "+" * number:
            return level
    raise InvalidRequest(reason="level_not_on_ladder", field=field, accepted=list(ladder(ruleset, options)))


class Advance(NamedTuple):
    """Where somebody stands after a round.

    Attributes:
        level: the new level; at the end of the ladder, its last one.
        won: whether the ladder is finished, and with it the game.
        penalty: levels still owed for failed throws.
        attempted: must-play levels tried as declarers so far.
    """

    level: str
    won: bool
    penalty: int
    attempted: tuple[str, ...]


def advance(
    ruleset: str,
    options: Mapping[str, Any],
    level: str,
    gained: int,
    role: str,
    *,
    attempted: Sequence[str] = (),
    penalty: int = 0,
) -> Advance:
    """Return where a player or a team stands after gaining levels.

    `role` is the side in the round just played, `declarers` or `attackers`. Declarers who gain have won the round at
    their level. Penalty levels are paid off first (000 l.331). Must-play levels, and the last one where the win
    condition says so, are passed only by those who declared there and won (001 §3.9, §6.1.2).
    """
    paid = min(penalty, gained)
    tried = tuple(attempted)
    if role == DECLARERS and level not in tried and _must_play(options, level):
        tried += (level,)
    may_leave = role == DECLARERS and gained > 0
    now, won = level, False
    for _ in range(gained - paid):
        if not may_leave and _holds(ruleset, options, now, tried):
            break
        after = level_after(ruleset, options, now)
        if after is None:
            won = True
            break
        now, may_leave = after, False
    return Advance(now, won, penalty - paid, tried)


def _must_play(options: Mapping[str, Any], level: str) -> bool:
    return rank_of_level(level) in options["must_play"]


def _holds(ruleset: str, options: Mapping[str, Any], level: str, attempted: Collection[str]) -> bool:
    """Tell whether a level keeps those who have not just won as declarers there."""
    rules = RULESETS[ruleset]
    if rules.last_as_declarers and level.rstrip("+") == rules.last_level:
        return True
    return _must_play(options, level) and not (options["must_play_attempt_enough"] and level in attempted)


def game_points(active: bool, on_winning_side: bool, gained: int) -> tuple[bool, int]:
    """Return, for one player under `active_passive`, whether active from now on, and levels gained (000 l.275-277).

    The first point turns a passive winner active; losers become passive. After a deal in which nobody made trumps all
    are active (000 l.295), which is not asked here.
    """
    if not on_winning_side:
        return False, 0
    return True, gained if active else max(0, gained - 1)


def hook(
    ruleset: str,
    options: Mapping[str, Any],
    level: str,
    *,
    trump: Trump,
    side: str | None,
    winner_side: str,
    unit: Sequence[int] | None,
) -> str | None:
    """Return the level to which a declarer at `level` is sent back, or None (001 §6.1.3-6.1.4, fn 8).

    `side` won the round, `winner_side` the last trick; `unit` are the kinds with which that play answered the largest
    unit of the lead. A level of a later lap falls inside its lap.
    """
    rank = trump.rank
    if rank is None or trump.suit is None or rank not in options["hooks"] or rank != rank_of_level(level):
        return None
    if side != ATTACKERS or winner_side != ATTACKERS or KIND[rank + trump.suit] not in (unit or ()):
        return None
    laps = level.count("+")
    lap = _lap(ruleset, options, laps)
    lower = options["hooks"][rank]
    return (lower if lower in lap else lap[0]) + "+" * laps


class Next(NamedTuple):
    """Who declares in the next round (None: the declarations will tell) and who draws first."""

    declarer: int | None
    starter: int


def next_round(
    ruleset: str,
    options: Mapping[str, Any],
    players: int,
    *,
    declarer: int,
    declarers: Collection[int],
    side: str | None,
    starter: int,
) -> Next:
    """Return who declares and who draws first after a round.

    `declarers` are all seats on the declarer's side, `side` is the one that gained (None: nobody did, and the declarer
    stays, which no seed settles), `starter` drew first in the round just played.
    """
    heir = _next_winner(players, declarer, declarers, side)
    declares = heir if options["declarer_by"] == "rotation" else None
    if options["first_draw"] == "pass_right":  # 000 l.259
        return Next(declares, (starter + 1) % players)
    if declares is None and ruleset == ZHAOPENGYOU:  # 000 l.84
        loser = options["active_passive"] and side == ATTACKERS
        return Next(None, heir if loser else declarer)
    if declares is None and ruleset == FINDING_FRIENDS:  # 001 §6.5 l.472
        return Next(None, (declarer + 1) % players)
    return Next(declares, heir)


def _next_winner(players: int, declarer: int, declarers: Collection[int], side: str | None) -> int:
    """Return the first seat after the declarer on the side that gained, in the end the declarer again."""
    if side is None:
        return declarer
    won = side == DECLARERS
    around = ((declarer + step) % players for step in range(1, players))
    return next((seat for seat in around if (seat in declarers) is won), declarer)


def height(ruleset: str, options: Mapping[str, Any], level: str) -> tuple[int, int]:
    """Return what orders levels from low to high: the lap, and the place inside it."""
    base, laps = level.rstrip("+"), level.count("+")
    return laps, _lap(ruleset, options, laps).index(base)
