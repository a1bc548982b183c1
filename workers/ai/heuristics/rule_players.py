"""Players that decide by rules alone: no search, so they import nothing of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final

from service.rules.cards import counts_of, kinds_of, names_of
from service.rules.options.rulesets import RULESETS
from workers.ai import reasons
from workers.ai.candidates.following import Play
from workers.ai.evaluation.features import weights_of
from workers.ai.heuristics import arms, bidding, burying, calling, playing
from workers.ai.heuristics.playing import Style
from workers.ai.knowledge.seat import Knowledge, View, deck_counts, hand_of, options_of, order_for
from workers.ai.reasons import Advice, Reason, reason

#: Decision kind -> answer of a player.
Player = Mapping[str, Callable[[View, Random], Advice]]

EASY: Final = Style(memory=False, noise=0.5, habits=bidding.CAUTIOUS)
NORMAL: Final = Style(memory=True, noise=0.0, habits=bidding.EAGER)


def advice_of(player: Player, view: View, seed: bytes) -> Advice:
    """Return a player's answer to the open decision of a view, with the reason."""
    # The generator adds noise to a player's choices and deals no cards, so it need not be unpredictable.
    return player[view["decision"]["kind"]](view, Random(seed))  # noqa: S311


def by_rules(style: Style) -> Player:
    """Return a rule-based player of the given strength."""

    def play(view: View, random: Random) -> Advice:
        if view["round"]["roads"] is not None:
            return _arms_play(view)
        return play_of(*playing.play(Knowledge(view, memory=style.memory), style, random))

    return {
        "declare": lambda view, _: _declaration("declare", bidding.bid(view, style.habits)),
        "defend": lambda view, _: _declaration("declare", bidding.bid(view, style.habits)),
        "overcall-kitty": lambda view, _: _declaration("overcall_kitty", bidding.bid_for_kitty(view)),
        "discard": lambda view, _: discard(view, style),
        "call": _call,
        "road": _road,
        "play": play,
        "ready": lambda _, __: Advice({"type": "ready"}),
    }


def play_of(cards: Iterable[int], why: Reason, others: Sequence[tuple[Play, float]] = ()) -> Advice:
    """Return a play (kinds) as an answer, with the other plays considered and their gains."""
    return Advice({"type": "play", "cards": names_of(cards)}, why, [(names_of(play), gain) for play, gain in others])


def burial_of(view: View, style: Style) -> burying.Burial:
    """Return the hand from which a seat has to bury cards, for a player of this style."""
    teams = RULESETS[view["ruleset"]].teams
    return burying.Burial(
        hand_of(view),
        view["decision"]["hints"]["cards"],
        order_for(view),
        deck_counts(view),
        len(view["seats"]),
        burying.PRICES[teams],
        weights_of("burying") if style.memory and teams == "fixed" else {},
    )


def discard(view: View, style: Style) -> Advice:
    """Return the cards that a player of this style buries."""
    burial = burial_of(view, style)
    cards = burial.best()
    return Advice({"type": "discard", "cards": names_of(cards)}, reasons.for_discard(burial.hand, cards, burial.order))


def arms_reason(view: View, ranked: Sequence[tuple[float, int]]) -> Reason:
    """Return why the first of the legal cards, given with expected gains, is played in Arm's Length."""
    if len(ranked) > 1:
        return reason("best-chance", gain=round(ranked[0][0]))
    return reason("last-cards" if len(view["my"]["hand"]) == 1 else "only-play")


def _arms_play(view: View) -> Advice:
    ranked = arms.plays(view)
    return play_of([ranked[0][1]], arms_reason(view, ranked))


def _declaration(kind: str, bid: bidding.Bid) -> Advice:
    """Return a declaration or an overcall for the kitty, or a pass."""
    command: dict[str, Any] = {"type": "pass"} if bid.cards is None else {"type": kind, "cards": list(bid.cards)}
    return Advice(command, reasons.for_bid(bid.cards, bid.strength, bid.needed))


def _call(view: View, _: Random) -> Advice:
    # A seat that did not bury the kitty sees no discard: somebody overcalled for it (docs/rules.md §5.2).
    buried = counts_of(kinds_of(view["my"]["discard"] or ()))
    wanted = view["decision"]["hints"]["calls"]
    allowed = options_of(view)["call_cards"]
    calls = calling.call(hand_of(view), buried, order_for(view), deck_counts(view), wanted, allowed)
    return Advice({"type": "call", "calls": calls}, reason("call-high", cards=[each["card"] for each in calls]))


def _road(view: View, _: Random) -> Advice:
    road, tricks = arms.road(view)
    return Advice({"type": "road", "road": road}, reason(f"road-{road}", tricks=round(tricks, 1)))
