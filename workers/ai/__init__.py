"""AI players: a view in, an action out.

A player is given the view of its seat, the same that the API would send, and a seed; never the table. It
is a function of the two, and always answers something legal.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from service.rules.cards import counts_of, kinds_of, names_of
from workers.ai import arms, bidding, burying, calling, chance, playing
from workers.ai.playing import Style
from workers.ai.sight import Sight, View, deck_counts, hand_of, options_of, order_for

Command = dict[str, Any]
#: Decision kind -> answer of a player.
Player = Mapping[str, Callable[[View, Random], Command]]


def choose(view: View, seed: bytes, level: str = "easy") -> Command:
    """Return what a seat does: a command without player and decision id.

    Args:
        view: what the seat sees; its decision asks this seat.
        seed: for whatever is left to chance.
        level: a key of `LEVELS`.
    """
    return answer(LEVELS[level], view, seed)


def answer(player: Player, view: View, seed: bytes) -> Command:
    """Return what a player does on this view."""
    # How well a seat plays, not what is dealt to it: nothing hangs on this generator being guessed.
    return player[view["decision"]["kind"]](view, Random(seed))  # noqa: S311


def _shown(kind: str, cards: Any) -> Command:
    return {"type": "pass"} if cards is None else {"type": kind, "cards": list(cards)}


def _discard(view: View, _: Random) -> Command:
    cards = burying.bury(hand_of(view), view["decision"]["hints"]["cards"], order_for(view), deck_counts(view))
    return {"type": "discard", "cards": names_of(cards)}


def _call(view: View, _: Random) -> Command:
    # Who has overcalled for the kitty has buried it instead (docs/rules.md §5.2).
    buried = counts_of(kinds_of(view["my"]["discard"] or ()))
    wanted = view["decision"]["hints"]["calls"]
    allowed = options_of(view)["call_cards"]
    calls = calling.call(hand_of(view), buried, order_for(view), deck_counts(view), wanted, allowed)
    return {"type": "call", "calls": calls}


def by_rules(style: Style) -> Player:
    """Return a player by rules, as good as the style says."""

    def play(view: View, random: Random) -> Command:
        if view["round"]["roads"] is not None:
            return {"type": "play", "cards": names_of([arms.play(view)])}
        return {"type": "play", "cards": names_of(playing.play(Sight(view, memory=style.memory), style, random))}

    return {
        "declare": lambda view, _: _shown("declare", bidding.bid(view)),
        "defend": lambda view, _: _shown("declare", bidding.bid(view)),
        "overcall-kitty": lambda view, _: _shown("overcall_kitty", bidding.bid_for_kitty(view)),
        "discard": _discard,
        "call": _call,
        "road": lambda view, _: {"type": "road", "road": arms.road(view)},
        "play": play,
        "ready": lambda _, __: {"type": "ready"},
    }


#: Level -> player. `random` is the yardstick below all others.
LEVELS: Final[Mapping[str, Player]] = {
    "random": chance.PLAYER,
    "easy": by_rules(Style(memory=False, noise=0.5)),
    "normal": by_rules(Style(memory=True, noise=0.0)),
}
