"""Leading and following: play the candidate with the best value in card points.

The value is the expected gain of this seat's side from the trick, plus the value of leading next, minus the price of
the cards played. The formula is the same for leads, follows and ruffs, with fixed teams and with unknown friends.
"""

from dataclasses import dataclass
from random import Random

from service.rules.cards import CARDS, POINTS
from service.rules.tricks.leads import Lead
from service.rules.trumps import TRUMPS
from workers.ai.candidates import following, leading
from workers.ai.candidates.following import EMPTY_SUIT, Play, used_in
from workers.ai.evaluation.card_values import CardValues
from workers.ai.evaluation.features import Features, Look, weights_of
from workers.ai.heuristics import joining
from workers.ai.heuristics.bidding import Habits
from workers.ai.knowledge.seat import Knowledge
from workers.ai.reasons import Reason, for_play


@dataclass(frozen=True)
class Style:
    """How well a player plays.

    Attributes:
        memory: whether it remembers the whole round, or only sees the trick on the table.
        noise: standard deviation of the error in the value of each play, in card points.
        habits: bidding habits.
    """

    memory: bool
    noise: float
    habits: Habits


#: Expected card points per card of a later seat: of any seat, and those that a friend adds if our side wins.
LEAST_POINTS = 0.7
FED_POINTS = 2.2
#: Value of leading to the next trick.
TEMPO = 1.0
#: Extra value of the last trick, which decides about the kitty (docs/rules.md §5.5).
LAST_TRICK = 12.0
#: Value of leading a trump, which draws trumps from everybody, per trump that this hand has more than others.
DRAWING = 0.5
#: Probability below which a trick counts as lost, and ranks among which it hardly matters which one is kept.
LOST = 0.3
LOW_RANKS = "2346789"


def play(knowledge: Knowledge, style: Style, random: Random) -> tuple[Play, Reason]:
    """Return the cards to lead or follow with, and the reason."""
    noise = style.noise
    plays = rated(knowledge)
    cards = max(plays, key=lambda pair: pair[0] + random.gauss(0.0, noise) if noise else pair[0])[1]
    if style.memory:
        cards = lowest_alike(knowledge, without_points(knowledge, cards))
    return cards, for_play(knowledge, cards, [play for _, play in plays])


def without_points(knowledge: Knowledge, cards: Play) -> Play:
    """Replace a card that gives points to a trick probably lost by a low one of its suit.

    Of two cards that hardly ever win, the rules would keep the lower one and give the points, which puzzles players.
    """
    lead, group = _lead_for_exchange(knowledge, cards), knowledge.order.group_of[cards[0]]
    if lead is None or group == TRUMPS or not POINTS[cards[0]]:
        return cards
    if knowledge.rules.beats(lead, knowledge.best, cards) or knowledge.probability_as_it_stands(lead) >= LOST:
        return cards
    low = (kind for kind in _singles(knowledge, group) if not POINTS[kind] and CARDS[kind][0] in LOW_RANKS)
    return next(((kind,) for kind in low), cards)


def lowest_alike(knowledge: Knowledge, cards: Play) -> Play:
    """Return the lowest single trump with the same effect on the trick, or the cards themselves.

    Both lose the trick, or both surely win it, with the same points. Probabilities and weights hardly distinguish such
    trumps, and playing the higher one puzzles players.
    """
    lead, order, beats = _lead_for_exchange(knowledge, cards), knowledge.order, knowledge.rules.beats
    if lead is None or order.group_of[cards[0]] != TRUMPS:
        return cards
    wins = beats(lead, knowledge.best, cards)
    if wins and not _is_safe(knowledge, lead, cards):
        return cards
    for kind in _singles(knowledge, TRUMPS):
        if order.level_of[kind] >= order.level_of[cards[0]]:
            break
        if POINTS[kind] != POINTS[cards[0]] or beats(lead, knowledge.best, (kind,)) != wins:
            continue
        if not wins or _is_safe(knowledge, lead, (kind,)):
            return (kind,)
    return cards


def _lead_for_exchange(knowledge: Knowledge, cards: Play) -> Lead | None:
    """Return the lead if these cards are a single follow that may be exchanged for another, else None."""
    if len(cards) != 1 or knowledge.lead is None or not knowledge.rules.has_plain_follows:
        return None
    return None if _is_called(knowledge, cards[0]) else knowledge.lead


def _singles(knowledge: Knowledge, group: int) -> list[int]:
    """Return the kinds of a suit with a single card in this hand, the lowest first, without called ones."""
    return [
        kind for kind in knowledge.order.groups[group] if knowledge.hand[kind] == 1 and not _is_called(knowledge, kind)
    ]


def _is_called(knowledge: Knowledge, kind: int) -> bool:
    return any(call.kind == kind for call in knowledge.races)


def _is_safe(knowledge: Knowledge, lead: Lead, cards: Play) -> bool:
    """Return whether nobody can beat these cards now."""
    _, holds = knowledge.win_probability(lead, cards, 1.0)
    return holds >= 1.0


def ranked(knowledge: Knowledge) -> list[Play]:
    """Return candidate plays, the best first."""
    return [play for _, play in sorted(rated(knowledge), key=lambda pair: -pair[0])]


def rated(knowledge: Knowledge, *, widely: bool = False) -> list[tuple[float, Play]]:
    """Return candidate plays with their values; at least one.

    Args:
        widely: see `following.candidates`.
    """
    weights = weights_of("teams") if knowledge.memory else {}
    return [
        (value + sum([weights.get(name, 0.0) * number for name, number in features.items()]), cards)
        for value, cards, features in judged(knowledge, widely=widely)
    ]


def judged(knowledge: Knowledge, *, widely: bool = False) -> list[tuple[float, Play, Features]]:
    """Return candidate plays with their values by probabilities, and their features; at least one.

    Features are not computed for a player without memory of the round, who has no weights for them.
    """
    card_values, look = CardValues(knowledge.probabilities), Look(knowledge) if knowledge.memory else None
    lead = knowledge.lead
    if lead is None:
        return [_lead(knowledge, look, each, card_values) for each in leading.candidates(knowledge)]
    plays = following.candidates(knowledge, lead, card_values, widely=widely)
    if len(plays) == 1:
        return [(0.0, plays[0], {})]
    now = knowledge.probability_as_it_stands(lead)
    return [_follow(knowledge, look, lead, cards, card_values, now) for cards in plays]


def _lead(knowledge: Knowledge, look: Look | None, lead: Lead, card_values: CardValues) -> tuple[float, Play, Features]:
    ours, holds = knowledge.win_probability(lead, lead.units[0].cards, 1.0)
    value, features = _trick(knowledge, look, lead, lead.cards, (ours, holds), card_values)
    if lead.group == TRUMPS:
        trumps = sum([knowledge.hand[kind] for kind in knowledge.order.groups[TRUMPS]])
        others = knowledge.probabilities.in_group[TRUMPS] * knowledge.size / knowledge.probabilities.size
        value += DRAWING * max(-4.0, min(4.0, trumps - others))
    return value, lead.cards, {**features, **look.lead(lead, ours, holds)} if look else {}


def _follow(
    knowledge: Knowledge, look: Look | None, lead: Lead, cards: Play, card_values: CardValues, now: float
) -> tuple[float, Play, Features]:
    rules = knowledge.rules
    wins = rules.beats(lead, knowledge.best, cards)
    if wins:
        unit = rules.winning_unit(lead, cards)
        ours, holds = knowledge.win_probability(lead, unit or cards, 1.0)
    else:
        ours, holds = now, 0.0
    value, features = _trick(knowledge, look, lead, cards, (ours, holds), card_values)
    return value, cards, {**features, **look.follow(lead, cards, now, ours, holds, wins=wins)} if look else {}


def _trick(
    knowledge: Knowledge,
    look: Look | None,
    lead: Lead,
    cards: Play,
    chances: tuple[float, float],
    card_values: CardValues,
) -> tuple[float, Features]:
    """Return the value of a play, and its parts.

    Args:
        chances: probabilities that this seat's side, and this seat, wins the trick.
    """
    ours, holds = chances
    later = len(knowledge.later)
    friends = sum([1.0 + knowledge.leans[seat] for seat in knowledge.later]) / 2
    to_come = lead.size * (LEAST_POINTS * later + FED_POINTS * friends * ours)
    stake = knowledge.points + sum([POINTS[kind] for kind in cards]) + to_come
    tempo = TEMPO + joining.tempo(knowledge, cards)
    if len(cards) == knowledge.size:
        stake, tempo = stake + LAST_TRICK, 0.0
    gain = float(stake * (ours - 0.5))
    price = card_values.price(knowledge.hand, used_in(cards))
    emptied = _emptied(knowledge, cards)
    value = gain + tempo * holds + emptied - price + joining.gain(knowledge, cards)
    if look is None:
        return value, {}
    how = "lead" if knowledge.lead is None else "follow"
    parts = {f"{how} gain {look.phase}": gain, f"{how} price {look.phase}": price, f"{how} emptied": emptied}
    return value, parts


def _emptied(knowledge: Knowledge, cards: Play) -> float:
    """Return the value of emptying side suits that this hand can then ruff."""
    order, hand = knowledge.order, knowledge.hand
    if not any(hand[kind] for kind in order.groups[TRUMPS]):
        return 0.0
    groups = [order.group_of[kind] for kind in cards]
    emptied = [
        group for group in set(groups) if sum([hand[kind] for kind in order.groups[group]]) == groups.count(group)
    ]
    return EMPTY_SUIT * (len(emptied) - emptied.count(TRUMPS))
