"""Levels: their order, how players and teams advance, and who declares next (`docs/rules.md` §10).

A level is a rank, `NT` (after the ace, with `last_level` `NT`), or `joker` (after the ace, with `laps`). With `laps` it
ends with a `+` for each lap completed: `2+`, `joker+`, `T++`.
"""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from service.common.errors import InvalidRequest
from service.rules.cards import CARDS, KIND, RANKS
from service.rules.games import FINDING_FRIENDS, ZHAOPENGYOU
from service.rules.option import Options
from service.rules.rounds.scoring import ATTACKERS, DECLARERS
from service.rules.tricks.throws import LEADER_OWES, PARTNER_OWES
from service.rules.trumps import Trump

NT: Final = "NT"
JOKER: Final = "joker"
_SHORT_LAP: Final = tuple("TJQKA")
#: Most laps in the name of a level, far beyond any real game.
_MOST_LAPS: Final = 60


def rank_of_level(level: str) -> str | None:
    """Return the trump rank of a level: `'2+'` -> `'2'`; None for `NT` and `joker`, where only jokers are trumps."""
    rank = level[:1]
    return rank if rank in RANKS and level.strip("+") == rank else None


def ladder(options: Options) -> tuple[str, ...]:
    """Return the levels of the ladder, or with `laps` of its first lap, from low to high."""
    ranks = options["level_ladder"] or RANKS
    if options["laps"]:
        return (*ranks, JOKER)
    return (*ranks, NT) if options["last_level"] == NT else tuple(ranks)


def last_level(options: Options) -> str:
    """Return the last level, which has conditions of its own; with `laps`, the ace of each lap."""
    if options["laps"] or options["last_level"] == NT:
        return str(options["last_level"])
    return ladder(options)[-1]


def _lap(options: Options, number: int) -> tuple[str, ...]:
    if number == 0:
        return ladder(options)
    return (*(_SHORT_LAP if options["short_laps"] else RANKS), JOKER)


def level_after(options: Options, level: str) -> str | None:
    """Return the next level up, or None at the end of the ladder."""
    base, number = level.rstrip("+"), level.count("+")
    lap = _lap(options, number)
    at = lap.index(base) + 1
    if at < len(lap):
        return lap[at] + "+" * number
    return _lap(options, number + 1)[0] + "+" * (number + 1) if options["laps"] else None


def check_level(options: Options, level: object, field: str = "level") -> str:
    """Return the level if it is on the ladder.

    Raises:
        InvalidRequest: reason `level_not_on_ladder`.
    """
    if isinstance(level, str) and len(level) <= len(JOKER) + _MOST_LAPS:
        base, number = level.rstrip("+"), level.count("+")
        if (number == 0 or options["laps"]) and base in _lap(options, number) and level == base + "+" * number:
            return level
    raise InvalidRequest(reason="level_not_on_ladder", field=field, accepted=list(ladder(options)))


class Advance(NamedTuple):
    """The levels of a player or team after a round.

    Attributes:
        level: the new level; the last one if the ladder was completed.
        won: whether the last level was passed; the game is then over, unless `after_last` is `wrap`.
        penalty: levels still owed for failed throws.
        attempted: must-play levels at which they have been declarers.
        defended: must-play levels that they have won as declarers.
        laps: how often they passed the last level in this round.
    """

    level: str
    won: bool
    penalty: int
    attempted: tuple[str, ...]
    defended: tuple[str, ...]
    laps: int


def advance(
    options: Options,
    level: str,
    gained: int,
    role: str,
    *,
    attempted: Sequence[str] = (),
    defended: Sequence[str] = (),
    penalty: int = 0,
    taken_back: int = 0,
    sent_back: str | None = None,
    played: str | None = None,
    fixed_teams: bool = False,
    won: bool | None = None,
) -> Advance:
    """Return the level of a player or a team after gaining levels.

    `role` is the side in the round just played, `declarers` or `attackers`; `won` tells whether it won the round; None:
    it did if it gains levels. `sent_back` is the result of `hook`. `played` is the level at which the round was played
    (None: `level`); a fixed team has been declarers at its level only if that is the same rank. Penalty levels are
    deducted first, and after the gain a level for each of the plays `taken_back`, if `take_back_level` wants that
    (`docs/rules.md` §10.3). Nobody passes a must-play level or the last level without having won there
    (§10.1, §10.2).
    """
    there = role == DECLARERS and not (fixed_teams and rank_of_level(played or level) != rank_of_level(level))
    won_round = there and (gained > 0 if won is None else won)
    paid = min(penalty, gained)
    tried = _with(attempted, level, there and _must_play(options, level))
    still_defended = _with(defended, level, won_round and _must_play(options, level))
    may_win = not options["last_level_played"] or (won_round and (played or level) == last_level(options))
    steps = _steps(options, gained - paid) - (taken_back if options["take_back_level"] else 0)
    start = Advance(sent_back or level, False, penalty - paid, tried, still_defended, 0)
    if steps < 0:
        return start._replace(level=_lowered(options, start.level, -steps))
    return _raised(options, start, steps, may_leave=won_round and sent_back is None, may_win=may_win)


def _raised(options: Options, start: Advance, steps: int, *, may_leave: bool, may_win: bool) -> Advance:
    """Return a level raised by so many steps, as far as must-play levels allow.

    Args:
        start: before the first step.
        may_leave: whether the first step may leave a must-play level.
        may_win: whether a step may go beyond the last level.
    """
    now, tried, still_defended, laps = start.level, start.attempted, start.defended, 0
    for _ in range(steps):
        if not may_leave and _holds(options, now, tried, still_defended):
            break
        after = level_after(options, now)
        if after is None:
            if not may_win:
                break
            laps += 1
            if options["after_last"] == "end":
                break
            after, tried, still_defended = ladder(options)[0], (), ()
        now, may_leave = after, False
    return start._replace(level=now, won=laps > 0, attempted=tried, defended=still_defended, laps=laps)


def _steps(options: Options, gained: int) -> int:
    return min(gained, 1) if options["one_level_per_round"] else gained


def _lowered(options: Options, level: str, levels: int) -> str:
    """Return the level so many levels lower, at most the lowest of its lap."""
    laps = level.count("+")
    lap = _lap(options, laps)
    return lap[max(0, lap.index(level.rstrip("+")) - levels)] + "+" * laps


def _with(levels: Sequence[str], level: str, added: bool) -> tuple[str, ...]:
    return (*levels, level) if added and level not in levels else tuple(levels)


def _must_play(options: Options, level: str) -> bool:
    return rank_of_level(level) in options["must_play"]


def _holds(options: Options, level: str, attempted: Collection[str], defended: Collection[str]) -> bool:
    """Return whether a level cannot be passed by players who have not just won there as declarers."""
    if options["last_level_by"] == "declarers_there" and level.rstrip("+") == last_level(options):
        return True
    done = level in defended or (options["must_play_attempt_enough"] and level in attempted)
    return _must_play(options, level) and not done


def debts(leader: int, side: Collection[int], *, fixed_teams: bool) -> dict[int, int]:
    """Return seat -> levels owed for a failed throw (`docs/rules.md` §6.4).

    `side` are the seats on the leader's side. The seats of a fixed team share one debt, and all have the same number,
    so that their levels stay equal.
    """
    return {seat: LEADER_OWES if fixed_teams or seat == leader else PARTNER_OWES for seat in side}


def game_points(active: bool, on_winning_side: bool, gained: int) -> tuple[bool, int]:
    """Return whether a player is active after a round with `active_passive`, and the levels gained.

    The first point makes a passive winner active; losers become passive. If nobody makes trumps, everybody becomes
    active; the caller handles that.
    """
    if not on_winning_side:
        return False, 0
    return True, gained if active else max(0, gained - 1)


def hook(
    options: Options,
    level: str,
    *,
    trump: Trump,
    side: str | None,
    winner_side: str,
    unit: Sequence[int] | None,
    winning: Sequence[int] = (),
    played: str | None = None,
) -> str | None:
    """Return the level to which a declarer at `level` is sent back, or None (`docs/rules.md` §10.2).

    `side` won the round; `winner_side` won the last trick with the kinds `winning`, of which `unit` matched the largest
    unit of the lead. `played` is the level at which the round was played (None: `level`). A declarer is sent back
    within the lap.
    """
    hooks = options["hooks"]
    if not hooks or winner_side != ATTACKERS:
        return None
    if options["hook_rule"] == "lone_card":
        rank = rank_of_level(played or level)
        if rank not in hooks or len(winning) != 1 or CARDS[winning[0]][0] != rank:
            return None
        target = _fallen(options, level, hooks[rank], 1)
        return target if height(options, target) < height(options, level) else None
    rank = trump.rank
    if rank is None or trump.suit is None or rank not in hooks or rank != rank_of_level(level):
        return None
    hooking = list(unit or ()).count(KIND[rank + trump.suit])
    if side != ATTACKERS or not hooking:
        return None
    return _fallen(options, level, hooks[rank], hooking)


def _fallen(options: Options, level: str, target: str, cards: int) -> str:
    """Return the target in the lap of `level`; if the lap does not have it, the next lower level, or the lowest.

    With `hook_fall` `by_cards` the fall is only one level for each of the `cards` that hook, at most to the target.
    """
    laps = level.count("+")
    lap = _lap(options, laps)
    below = [at for at, each in enumerate(lap) if each in RANKS and RANKS.index(each) <= RANKS.index(target)]
    lowest = below[-1] if below else 0
    if options["hook_fall"] == "by_cards":
        lowest = max(lowest, lap.index(level.rstrip("+")) - cards)
    return lap[lowest] + "+" * laps


class Next(NamedTuple):
    """Who declares in the next round (None: the declarations decide), and who draws first."""

    declarer: int | None
    starter: int


def next_round(
    ruleset: str,
    options: Options,
    players: int,
    *,
    declarer: int,
    declarers: Collection[int],
    side: str | None,
    starter: int,
) -> Next:
    """Return who declares and who draws first after a round.

    With `next_declarer` `next_seat` that is the seat after the declarer, whoever won. `declarers` are all seats on the
    declarer's side; `side` is the side that gained (None: nobody, so the declarer stays); `starter` drew first in the
    round just played (`docs/rules.md` §10.4).
    """
    in_turn = options["next_declarer"] == "next_seat"
    heir = (declarer + 1) % players if in_turn else _next_winner(players, declarer, declarers, side)
    declares = heir if options["declarer_by"] == "rotation" else None
    if options["first_draw"] == "pass_right":
        return Next(declares, (starter + 1) % players)
    if options["active_passive"] and (side == ATTACKERS or ruleset == FINDING_FRIENDS):
        return Next(None, heir)
    if declares is None and ruleset == ZHAOPENGYOU:
        return Next(None, declarer)
    if declares is None and ruleset == FINDING_FRIENDS:
        return Next(None, (declarer + 1) % players)
    return Next(declares, heir)


def _next_winner(players: int, declarer: int, declarers: Collection[int], side: str | None) -> int:
    """Return the first seat after the declarer on the side that gained; the declarer, if there is no other."""
    if side is None:
        return declarer
    won = side == DECLARERS
    around = ((declarer + step) % players for step in range(1, players))
    return next((seat for seat in around if (seat in declarers) is won), declarer)


def height(options: Options, level: str) -> tuple[int, int]:
    """Return a sort key of levels, from low to high: the lap, and the index in it."""
    base, laps = level.rstrip("+"), level.count("+")
    return laps, _lap(options, laps).index(base)
