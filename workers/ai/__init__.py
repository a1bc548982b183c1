"""AI players: functions from a view to an action.

A player gets the view of its seat with all tricks of the round (`service.game.views.ai_view`), and a seed. It never
gets the state of the table, so it cannot cheat. Its answer depends on nothing else and is always legal.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

from service.game.state.levels import SEARCHED, SEARCHING
from service.rules.cards import counts_of, kinds_of, names_of
from service.rules.options.rulesets import RULESETS
from workers.ai import compiled, reasons
from workers.ai.candidates.following import Play
from workers.ai.evaluation.features import weights_of
from workers.ai.heuristics import arms, bidding, burying, calling, playing, random_player
from workers.ai.heuristics.playing import Style
from workers.ai.knowledge.seat import Knowledge, View, deck_counts, hand_of, options_of, order_for
from workers.ai.reasons import Advice, Reason, reason
from workers.ai.search.discards import Discards
from workers.ai.search.roads import Roads
from workers.ai.search.searching import Effort, Found, Simulation, search

__all__ = [
    "COMPILED",
    "EFFORTS",
    "LEVELS",
    "PAR",
    "SEARCHED",
    "SEARCHING",
    "Advice",
    "Command",
    "Effort",
    "Player",
    "advice_of",
    "advise",
    "answer",
    "by_rules",
    "by_search",
    "choose",
]

Command = dict[str, Any]
#: Whether this process runs compiled modules. `compiled` is imported before all others that may be.
COMPILED: Final = compiled.ACTIVE
#: Work for burying the kitty, as a multiple of that for a play: it is done once a round and simulates the whole round.
DISCARD: Final = 2
#: Factor on the number of simulated plays in Arm's Length, which are faster.
ARMS: Final = 3
#: Least gain in levels per card point by which the rules rate a play lower, and per card in hand. Real plays gain half
#: of what simulated ones do; less if the rules rate the play lower, and if many cards are left.
HANDICAP: Final = 0.001
#: The search of `normal`, only in Arm's Length and in the last two tricks, where a few milliseconds beat any rule.
QUICK: Final = Effort(candidates=5, nominate=12, confirm=20, surety=0.7, plays=400)
#: Most cards in hand with which `normal` searches, since the cards left for the last trick decide about the kitty.
LAST_CARDS: Final = 2
EASY: Final = Style(memory=False, noise=0.5, habits=bidding.CAUTIOUS)
NORMAL: Final = Style(memory=True, noise=0.0, habits=bidding.EAGER)
#: Decision kind -> answer of a player.
Player = Mapping[str, Callable[[View, Random], Advice]]


def choose(view: View, seed: bytes, level: str = "easy", share: float = 1.0) -> Command:
    """Return the command with which a seat answers the open decision, without player and decision id.

    Args:
        view: the view of a seat that the open decision asks.
        seed: of the player's random choices.
        level: a key of `LEVELS`.
        share: share of its full work that a searching level may do.
    """
    return advise(view, seed, level, share).command


def advise(view: View, seed: bytes, level: str, share: float = 1.0) -> Advice:
    """Return the answer of `choose` with its reason and the other plays considered."""
    if share < 1.0 and level in EFFORTS:
        return advice_of(by_search(EFFORTS[level].scaled(share)), view, seed)
    return advice_of(LEVELS[level], view, seed)


def answer(player: Player, view: View, seed: bytes) -> Command:
    """Return the command with which a player answers the open decision of a view."""
    return advice_of(player, view, seed).command


def advice_of(player: Player, view: View, seed: bytes) -> Advice:
    """Return a player's answer to the open decision of a view, with the reason."""
    # The generator adds noise to a player's choices and deals no cards, so it need not be unpredictable.
    return player[view["decision"]["kind"]](view, Random(seed))  # noqa: S311


def _declaration(kind: str, bid: bidding.Bid) -> Advice:
    """Return a declaration or an overcall for the kitty, or a pass."""
    command = {"type": "pass"} if bid.cards is None else {"type": kind, "cards": list(bid.cards)}
    return Advice(command, reasons.for_bid(bid.cards, bid.strength, bid.needed))


def _play(cards: Iterable[int], why: Reason, others: Sequence[tuple[Play, float]] = ()) -> Advice:
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


def _discard(view: View, style: Style) -> Advice:
    burial = burial_of(view, style)
    cards = burial.best()
    return Advice({"type": "discard", "cards": names_of(cards)}, reasons.for_discard(burial.hand, cards, burial.order))


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


def _arms_play(view: View, ranked: Sequence[tuple[float, int]]) -> Advice:
    """Return the first of the legal cards, given with expected gains."""
    return _play([ranked[0][1]], _arms_reason(view, ranked))


def _arms_reason(view: View, ranked: Sequence[tuple[float, int]]) -> Reason:
    if len(ranked) > 1:
        return reason("best-chance", gain=round(ranked[0][0]))
    return reason("last-cards" if len(view["my"]["hand"]) == 1 else "only-play")


def _arms_search(view: View, random: Random, effort: Effort) -> Advice:
    """Return a play of Arm's Length, without the gains of others, which are in points of the score, not in levels."""
    ranked = arms.plays(view)
    plays = [(card,) for _, card in ranked]
    result = search(Roads(view, random), plays, replace(effort, plays=effort.plays * ARMS))
    return _play(result.play, _why(result, plays[0], _arms_reason(view, ranked), unit="points"))


def _search(view: View, knowledge: Knowledge, random: Random, effort: Effort) -> Advice:
    """Return the best play by the rules, unless a search finds a better one."""
    ranked = sorted(playing.rated(knowledge, widely=effort.thorough), key=lambda pair: -pair[0])
    plays = [cards for _, cards in ranked]
    if len(plays) == 1:
        return _play(plays[0], reasons.for_play(knowledge, plays[0], plays))
    handicaps = [HANDICAP * knowledge.size * (ranked[0][0] - value) for value, _ in ranked]
    result = search(Simulation(view, knowledge, random, thorough=effort.thorough), plays, effort, handicaps)
    why = reasons.for_play(knowledge, plays[0], plays)
    return _play(result.play, _why(result, plays[0], why), result.others)


def _why(result: Found, usual: Play, why_usual: Reason, *, unit: str = "levels") -> Reason:
    """Return why a search chose a play: its gain over `usual`, the choice of the rules, unless both agree."""
    if result.play == usual:
        return why_usual
    return reasons.for_search(usual, result.gain, result.worlds, unit=unit)


def by_rules(style: Style, quick: Effort | None = None) -> Player:
    """Return a rule-based player of the given strength.

    Args:
        style: how well it plays.
        quick: how much it searches nevertheless, in Arm's Length and when few cards are left.
    """

    def play(view: View, random: Random) -> Advice:
        if view["round"]["roads"] is not None:
            return _arms_search(view, random, quick) if quick else _arms_play(view, arms.plays(view))
        knowledge = Knowledge(view, memory=style.memory)
        if quick and knowledge.size <= LAST_CARDS:
            return _search(view, knowledge, random, quick)
        return _play(*playing.play(knowledge, style, random))

    return {
        "declare": lambda view, _: _declaration("declare", bidding.bid(view, style.habits)),
        "defend": lambda view, _: _declaration("declare", bidding.bid(view, style.habits)),
        "overcall-kitty": lambda view, _: _declaration("overcall_kitty", bidding.bid_for_kitty(view)),
        "discard": lambda view, _: _discard(view, style),
        "call": _call,
        "road": _road,
        "play": play,
        "ready": lambda _, __: Advice({"type": "ready"}),
    }


def by_search(effort: Effort) -> Player:
    """Return a player that plays like `normal` unless a search finds something better."""

    def play(view: View, random: Random) -> Advice:
        if view["round"]["roads"] is not None:
            return _arms_search(view, random, effort)
        return _search(view, Knowledge(view, memory=True), random, effort)

    def discard(view: View, random: Random) -> Advice:
        if view["round"]["declarer"] != view["my"]["seat"]:
            # Another seat leads and calls the friends.
            return _discard(view, NORMAL)
        knowledge, burial = Knowledge(view, memory=True), burial_of(view, NORMAL)
        plays = list(dict.fromkeys([tuple(sorted(burial.best())), *burial.candidates()]))
        result = search(Discards(view, knowledge, random), plays, replace(effort, plays=effort.plays * DISCARD))
        why = reasons.for_discard(knowledge.hand, plays[0], knowledge.order)
        return Advice({"type": "discard", "cards": names_of(result.play)}, _why(result, plays[0], why))

    return {**by_rules(NORMAL), "play": play, "discard": discard}


#: The player for pars: `normal` with a little noise and half the search. `normal` itself nearly always plays a deal in
#: the same way, so that its choice between equal plays would decide too much.
PAR: Final = by_rules(replace(NORMAL, noise=0.5), QUICK.scaled(0.5))

#: Level -> effort of its search.
EFFORTS: Final[Mapping[str, Effort]] = {
    "hard": Effort(candidates=10, nominate=120, confirm=300, surety=0.25, plays=11_000),
    "expert": Effort(candidates=16, nominate=400, confirm=800, surety=0.25, plays=80_000, thorough=True),
}
#: Level -> player. `random` is the baseline that the others must beat.
LEVELS: Final[Mapping[str, Player]] = {
    "random": random_player.PLAYER,
    "easy": by_rules(EASY),
    "normal": by_rules(NORMAL, QUICK),
    **{level: by_search(effort) for level, effort in EFFORTS.items()},
}
