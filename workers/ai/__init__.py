"""AI players: functions from a view to an action.

A player gets the view of its seat with all tricks of the round (`service.game.views.ai_view`), and a seed. It never
gets the state of the table, so it cannot cheat. Its answer depends on nothing else and is always legal.
"""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final

from service.game.state.levels import SEARCHED, SEARCHING
from service.rules.cards import names_of
from workers.ai import compiled, reasons
from workers.ai.candidates.following import Play
from workers.ai.heuristics import arms, playing, random_player, rule_players
from workers.ai.heuristics.playing import Style
from workers.ai.heuristics.rule_players import EASY, NORMAL, Player, advice_of, arms_reason, burial_of, play_of
from workers.ai.heuristics.rule_players import discard as discarded
from workers.ai.knowledge.seat import Knowledge, View
from workers.ai.reasons import Advice, Reason
from workers.ai.search.discards import Discards
from workers.ai.search.roads import Roads
from workers.ai.search.searching import Effort, Found, Simulation, search

__all__ = [
    "COMPILED",
    "EASY",
    "EFFORTS",
    "LEVELS",
    "NORMAL",
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
    "burial_of",
    "by_rules",
    "by_search",
    "choose",
]

Command = dict[str, Any]
#: Whether this process runs compiled modules. `compiled` is imported before all others that may be.
COMPILED: Final = compiled.ACTIVE
#: Work for burying the kitty, as a multiple of that for a play: it is done once a round and simulates the whole round.
DISCARD: Final = 2
#: Least gain in levels per card point by which the rules rate a play lower, and per card in hand. Real plays gain half
#: of what simulated ones do; less if the rules rate the play lower, and if many cards are left.
HANDICAP: Final = 0.001
#: The search of `normal`, only in Arm's Length and in the last two tricks, where a few milliseconds beat any rule.
QUICK: Final = Effort(candidates=5, nominate=12, confirm=20, surety=0.7, plays=400, arms=1_200)
#: Most cards in hand with which `normal` searches, since the cards left for the last trick decide about the kitty.
LAST_CARDS: Final = 2


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


def _arms_search(view: View, random: Random, effort: Effort) -> Advice:
    """Return a play of Arm's Length, without the gains of others, which are in points of the score, not in levels."""
    ranked = arms.plays(view)
    plays = [(card,) for _, card in ranked]
    result = search(Roads(view, random), plays, replace(effort, plays=effort.arms))
    return play_of(result.play, _why(result, plays[0], arms_reason(view, ranked), unit="points"))


def _search(view: View, knowledge: Knowledge, random: Random, effort: Effort) -> Advice:
    """Return the best play by the rules, unless a search finds a better one."""
    ranked = sorted(playing.rated(knowledge, widely=effort.thorough), key=lambda pair: -pair[0])
    plays = [cards for _, cards in ranked]
    if len(plays) == 1:
        return play_of(plays[0], reasons.for_play(knowledge, plays[0], plays))
    handicaps = [HANDICAP * knowledge.size * (ranked[0][0] - value) for value, _ in ranked]
    result = search(Simulation(view, knowledge, random, thorough=effort.thorough), plays, effort, handicaps)
    why = reasons.for_play(knowledge, plays[0], plays)
    return play_of(result.play, _why(result, plays[0], why), result.others)


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
    player = rule_players.by_rules(style)
    if quick is None:
        return player

    def play(view: View, random: Random) -> Advice:
        if view["round"]["roads"] is not None:
            return _arms_search(view, random, quick)
        knowledge = Knowledge(view, memory=style.memory)
        if knowledge.size <= LAST_CARDS:
            return _search(view, knowledge, random, quick)
        return play_of(*playing.play(knowledge, style, random))

    return {**player, "play": play}


def by_search(effort: Effort) -> Player:
    """Return a player that plays like `normal` unless a search finds something better."""

    def play(view: View, random: Random) -> Advice:
        if view["round"]["roads"] is not None:
            return _arms_search(view, random, effort)
        return _search(view, Knowledge(view, memory=True), random, effort)

    def discard(view: View, random: Random) -> Advice:
        if view["round"]["declarer"] != view["my"]["seat"]:
            # Another seat leads and calls the friends.
            return discarded(view, NORMAL)
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
    "hard": Effort(candidates=16, nominate=400, confirm=800, surety=0.25, plays=60_000, arms=33_000, thorough=True),
    "expert": Effort(
        candidates=16, nominate=1_600, confirm=3_200, surety=0.25, plays=400_000, arms=240_000, thorough=True
    ),
}
#: Level -> player. `random` is the baseline that the others must beat.
LEVELS: Final[Mapping[str, Player]] = {
    "random": random_player.PLAYER,
    "easy": by_rules(EASY),
    "normal": by_rules(NORMAL, QUICK),
    **{level: by_search(effort) for level, effort in EFFORTS.items()},
}
