"""AI players: functions from a view to an action.

A player gets the view of its seat, exactly as the API would send it, and a seed. It never gets the state of the table,
so it cannot cheat. Its answer depends on nothing else and is always legal.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from service.game.state.levels import SEARCHING
from service.rules.cards import counts_of, kinds_of, names_of
from workers.ai import arms, bidding, burying, calling, chance, playing
from workers.ai.playing import Style
from workers.ai.search.searching import Effort, Simulation, search
from workers.ai.sight import Sight, View, deck_counts, hand_of, options_of, order_for

__all__ = ["EFFORTS", "LEVELS", "SEARCHING", "Command", "Effort", "Player", "answer", "by_rules", "by_search", "choose"]

Command = dict[str, Any]
#: Decision kind -> answer of a player.
Player = Mapping[str, Callable[[View, Random], Command]]


def choose(view: View, seed: bytes, level: str = "easy", share: float = 1.0) -> Command:
    """Return the command with which a seat answers the open decision, without player and decision id.

    Args:
        view: the view of a seat that the open decision asks.
        seed: of the player's random choices.
        level: a key of `LEVELS`.
        share: of the work that a level that searches may do.
    """
    if share < 1.0 and level in EFFORTS:
        return answer(by_search(EFFORTS[level].scaled(share)), view, seed)
    return answer(LEVELS[level], view, seed)


def answer(player: Player, view: View, seed: bytes) -> Command:
    """Return the command with which a player answers the open decision of a view."""
    # The generator adds noise to a player's choices and deals no cards, so it need not be unpredictable.
    return player[view["decision"]["kind"]](view, Random(seed))  # noqa: S311


def _declaration_or_pass(kind: str, cards: Any) -> Command:
    return {"type": "pass"} if cards is None else {"type": kind, "cards": list(cards)}


def _discard(view: View, _: Random) -> Command:
    cards = burying.bury(hand_of(view), view["decision"]["hints"]["cards"], order_for(view), deck_counts(view))
    return {"type": "discard", "cards": names_of(cards)}


def _call(view: View, _: Random) -> Command:
    # A seat that did not bury the kitty sees no discard: somebody overcalled for it (docs/rules.md §5.2).
    buried = counts_of(kinds_of(view["my"]["discard"] or ()))
    wanted = view["decision"]["hints"]["calls"]
    allowed = options_of(view)["call_cards"]
    calls = calling.call(hand_of(view), buried, order_for(view), deck_counts(view), wanted, allowed)
    return {"type": "call", "calls": calls}


def by_rules(style: Style) -> Player:
    """Return a rule-based player of the given strength."""

    def play(view: View, random: Random) -> Command:
        if view["round"]["roads"] is not None:
            return {"type": "play", "cards": names_of([arms.play(view)])}
        return {"type": "play", "cards": names_of(playing.play(Sight(view, memory=style.memory), style, random))}

    return {
        "declare": lambda view, _: _declaration_or_pass("declare", bidding.bid(view)),
        "defend": lambda view, _: _declaration_or_pass("declare", bidding.bid(view)),
        "overcall-kitty": lambda view, _: _declaration_or_pass("overcall_kitty", bidding.bid_for_kitty(view)),
        "discard": _discard,
        "call": _call,
        "road": lambda view, _: {"type": "road", "road": arms.road(view)},
        "play": play,
        "ready": lambda _, __: {"type": "ready"},
    }


def by_search(effort: Effort) -> Player:
    """Return a player that plays as `normal` does unless a search finds something better."""

    def play(view: View, random: Random) -> Command:
        if view["round"]["roads"] is not None:
            return {"type": "play", "cards": names_of([arms.play(view)])}
        sight = Sight(view, memory=True)
        plays = playing.ranked(sight)
        if len(plays) == 1:
            return {"type": "play", "cards": names_of(plays[0])}
        found = search(Simulation(view, sight, random), plays, effort)
        return {"type": "play", "cards": names_of(found.play)}

    return {**by_rules(Style(memory=True, noise=0.0)), "play": play}


#: Level -> how much it searches.
EFFORTS: Final[Mapping[str, Effort]] = {
    "hard": Effort(candidates=10, nominate=40, confirm=100, surety=0.5, plays=15_000),
    "expert": Effort(candidates=12, nominate=100, confirm=300, surety=0.5, plays=150_000),
}
#: Level -> player. `random` is the baseline that the others must beat.
LEVELS: Final[Mapping[str, Player]] = {
    "random": chance.PLAYER,
    "easy": by_rules(Style(memory=False, noise=0.5)),
    "normal": by_rules(Style(memory=True, noise=0.0)),
    **{level: by_search(effort) for level, effort in EFFORTS.items()},
}
