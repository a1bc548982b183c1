"""The knowledge of a seat, derived from its view once per move.

Everything is derived from the view. Sides are numbers: a seat is +1 if it is on this seat's side, -1 if it is on the
other side, and in between until friends are found (docs/rules.md §5.4).
"""

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import log
from typing import Any, Final, NamedTuple

from service.game.state.memory import GROUPS
from service.rules.cards import KIND, Counts, counts_of, kinds_of, points_of
from service.rules.options.rulesets import composition, effective_options
from service.rules.tricks.bombs import bomb_strength
from service.rules.tricks.leads import Lead
from service.rules.tricks.rainbows import RAINBOW
from service.rules.tricks.trick_rules import trick_rules
from service.rules.trumps import TRUMPS, Order, Trump, ranking
from workers.ai.knowledge.probabilities import Probabilities

View = Mapping[str, Any]

#: Resolved options are cached; resolving them costs more than most moves.
_TABLES_KEPT: Final = 256
#: How far a holder of a called card counts as a friend, since its copy is probably the called one.
LIKELY_FRIEND = 0.8
#: Highest probability that a seat of unknown side is a friend.
AT_MOST = 0.9
#: Probability that a seat can beat rainbows, which are rare.
BEATEN_RAINBOW = 0.05
#: Lower bound on the probability that a seat cannot beat a play; keeps logarithms finite.
_LEAST: Final = 1e-3


class Call(NamedTuple):
    """An open call.

    Attributes:
        kind: kind of the card.
        after: number of copies after which the next one fills it.
    """

    kind: int
    after: int

    def filled_by(self, copies: int) -> bool:
        """Return whether playing a number of copies now fills it."""
        return copies > self.after


def trump_of(view: View) -> Trump:
    """Return trump rank and suit of the round; either may be None."""
    trump = view["round"]["trump"]
    return Trump(trump["rank"], trump["suit"])


def options_of(view: View) -> Mapping[str, Any]:
    """Return all options of the table; the view has only those that differ from the ruleset's defaults."""
    return _options(view["ruleset"], len(view["seats"]), json.dumps(view["options"]))


@lru_cache(maxsize=_TABLES_KEPT)
def _options(ruleset: str, players: int, chosen: str) -> Mapping[str, Any]:
    return effective_options(ruleset, players, json.loads(chosen))


def order_for(view: View) -> Order:
    """Return the ranking of the round."""
    return ranking(trump_of(view), options_of(view))


def hand_of(view: View) -> Counts:
    """Return this seat's hand."""
    return counts_of(kinds_of(view["my"]["hand"]))


def deck_counts(view: View) -> Counts:
    """Return the number of cards of each kind in the game."""
    return list(composition(view["ruleset"], len(view["seats"]), options_of(view)).copies)


def open_calls(view: View) -> list[Any]:
    """Return the calls of the round that nobody has filled; empty without friends."""
    return [call for call in view["round"]["calls"] or () if call["filled_by"] is None]


def leans_of(view: View, hand: Counts) -> list[float]:
    """Return the side of each seat, from -1 (surely against this seat) to +1 (surely with it)."""
    seat = view["my"]["seat"]
    known = [{"declarers": 1.0, "attackers": 0.0}.get(place["side"]) for place in view["seats"]]
    calls = open_calls(view)
    mine = known[seat]
    if mine is None:
        held = [call for call in calls if hand[KIND[call["card"]]]]
        mine = LIKELY_FRIEND if held else 0.0
        calls = calls[len(held) :]
    strangers = sum(1 for number, probability in enumerate(known) if probability is None and number != seat)
    guess = min(AT_MOST, len(calls) / strangers) if strangers else 0.0
    leans = [(2 * mine - 1) * (2 * (guess if probability is None else probability) - 1) for probability in known]
    leans[seat] = 1.0
    return leans


def races_of(view: View, hand: Counts, pool: Counts) -> list[Call]:
    """Return the open calls that this seat, or another one before it, may fill; empty if its side is known."""
    if view["seats"][view["my"]["seat"]]["side"] != "unknown":
        return []
    played = dict(view["round"]["played"])
    calls = [
        # 'The other copy' is any copy not played by the declarer. Without `double_join`, the called copy may have been
        # played already; then the next seat to play one joins.
        Call(KIND[call["card"]], max(0, call.get("ordinal", 1) - 1 - played.get(call["card"], 0)))
        for call in open_calls(view)
    ]
    return [call for call in calls if hand[call.kind] and pool[call.kind]]


def pool_of(view: View, hand: Counts, *, memory: bool) -> Counts:
    """Return the cards whose holder is unknown to this seat: all except its hand, its discard and the cards played.

    Args:
        view: the seat's view.
        hand: its hand.
        memory: whether it remembers the whole round, or only sees the trick on the table.
    """
    pool = [copies - held for copies, held in zip(deck_counts(view), hand, strict=True)]
    for name in view["my"]["discard"] or ():
        pool[KIND[name]] -= 1
    table_round = view["round"]
    if memory:
        for name, count in table_round["played"].items():
            pool[KIND[name]] -= count
    else:
        for play in table_round["trick"]["plays"] if table_round["trick"] else ():
            for name in play["cards"]:
                pool[KIND[name]] -= 1
    return pool


def revealed_in(view: View, name: str) -> Mapping[str, Any]:
    """Return a part of what complete tricks have revealed (`seen` in the view); empty if the view omits it."""
    revealed: Mapping[str, Any] = dict(view["round"]["seen"]).get(name, {})
    return revealed


def voids_of(view: View, order: Order, *, memory: bool) -> list[int]:
    """Return for each other seat, as bits, the suit groups in which it has shown a void.

    Args:
        view: the seat's view.
        order: ranking of the round.
        memory: whether it remembers the whole round, or only sees the trick on the table.
    """
    voids = [0] * len(view["seats"])
    trick = view["round"]["trick"]
    if trick:
        groups = {order.group_of[KIND[name]] for name in trick["plays"][0]["cards"]}
        # A rainbow spans several suits and is followed by rank.
        led = min(groups)
        for play in trick["plays"] if len(groups) == 1 else ():
            cards = kinds_of(play["cards"])
            # A bomb need not follow suit.
            if bomb_strength(order, cards) is None and any(order.group_of[kind] != led for kind in cards):
                voids[play["seat"]] |= 1 << led
    if memory:
        for letter, seats in revealed_in(view, "voids").items():
            for seat in seats:
                voids[seat] |= 1 << GROUPS.index(letter)
    voids[view["my"]["seat"]] = 0
    return voids


def alike_of(view: View) -> dict[tuple[int, int], int]:
    """Return (seat, suit group) -> most identical cards that the seat can hold, if known."""
    return {
        (int(seat), GROUPS.index(letter)): most
        for letter, seats in revealed_in(view, "most").items()
        for seat, most in seats.items()
    }


class Knowledge:
    """The knowledge of a seat that has to play.

    Attributes:
        memory: whether it remembers the whole round, or only sees the trick on the table.
        seat, players: this seat, and the number of seats.
        options: options of the table.
        rules, order: rules of tricks, and ranking of the round.
        hand: 54 counts.
        size: number of cards in the hand.
        held: number of cards of each seat.
        leans: side of each seat, -1 to +1 (see `leans_of`).
        declaring: 1.0: this seat is on the declarer's side; -1.0: it is not; 0.0: unknown.
        races: calls that this seat may fill, before or after another seat; empty without memory.
        probabilities: probabilities about other hands.
        voids: for each other seat its known void suit groups, as bits.
        alike: (seat, suit group) -> most identical cards that it can hold; empty without memory.
        lead: the lead of the trick on the table; None: this seat leads.
        plays: the plays of that trick so far.
        best, best_seat: winning play so far and its seat; empty and this seat if it leads.
        later: seats that play to this trick after this one.
        points: card points of the plays so far.
    """

    def __init__(self, view: View, *, memory: bool) -> None:
        self.memory = memory
        self.seat: int = view["my"]["seat"]
        self.players = len(view["seats"])
        self.options: Mapping[str, Any] = options_of(view)
        absent = frozenset(kind for kind, count in enumerate(deck_counts(view)) if not count)
        self.rules = trick_rules(trump_of(view), self.options, absent)
        self.order = self.rules.order
        self.hand = hand_of(view)
        self.size = sum(self.hand)
        self.held: list[int] = [place["hand_count"] for place in view["seats"]]
        self.leans = leans_of(view, self.hand)
        own = view["seats"][self.seat]["side"]
        self.declaring = {"declarers": 1.0, "attackers": -1.0}.get(own, 0.0)
        pool = pool_of(view, self.hand, memory=memory)
        self.races = races_of(view, self.hand, pool) if memory else []
        self.voids = voids_of(view, self.order, memory=memory)
        self.alike = alike_of(view) if memory else {}
        elsewhere = [
            sum([cards for cards, voids in zip(self.held, self.voids, strict=True) if voids >> group & 1])
            for group in range(len(self.order.groups))
        ]
        self.probabilities = Probabilities(self.order, pool, elsewhere)
        trick = view["round"]["trick"]
        played = trick["plays"] if trick else ()
        self.plays = [kinds_of(play["cards"]) for play in played]
        self.lead: Lead | None = None
        self.best: list[int] = []
        self.best_seat = self.seat
        if played:
            self.lead = self.rules.lead(self.plays[0], [kinds_of(unit) for unit in played[0]["units"]])
            winner = self.rules.winner(self.lead, self.plays)
            self.best, self.best_seat = self.plays[winner], played[winner]["seat"]
        self.later = [(self.seat + i) % self.players for i in range(1, self.players - len(played))]
        self.points = sum(points_of(play) for play in self.plays)

    def short_of(self, seat: int, width: int) -> int:
        """Return, as bits, the suit groups in which a seat is known to hold no tuple of this width."""
        return sum([1 << group for (other, group), most in self.alike.items() if other == seat and most < width])

    def probability_as_it_stands(self, lead: Lead) -> float:
        """Return the probability that this seat's side wins the trick if this seat does not."""
        best = self.rules.winning_unit(lead, self.best) or tuple(self.best)
        return self.win_probability(lead, best, (1.0 + self.leans[self.best_seat]) / 2)[0]

    def win_probability(self, lead: Lead, unit: tuple[int, ...], start: float) -> tuple[float, float]:
        """Return the probabilities that this seat's side wins the trick, and that nobody beats the best play.

        Args:
            lead: the lead of the trick.
            unit: the cards of the best play that answer the lead's largest unit.
            start: probability that the best play belongs to this seat's side.
        """
        order, probabilities, held = self.order, self.probabilities, self.held
        level = order.level_of[unit[0]]
        trumped = lead.group != TRUMPS and order.group_of[unit[0]] == TRUMPS
        known: dict[tuple[int, int, int], tuple[float, float]] = {}
        width = lead.units[0].width if lead.units else 1
        suited: list[tuple[float, float]] = []
        ruffs: list[tuple[float, float]] = []
        holds = 1.0
        for seat in self.later:
            cards, voids, short = held[seat], self.voids[seat], self.short_of(seat, width)
            beats = known.get((cards, voids, short))
            if beats is None:
                beats = self._beat_probabilities(
                    probabilities, cards, (voids, voids | short), lead, level, trumped=trumped
                )
                known[cards, voids, short] = beats
            friend = (1.0 + self.leans[seat]) / 2
            suited.append((beats[0], friend))
            ruffs.append((beats[1], friend))
            holds *= (1.0 - beats[0]) * (1.0 - beats[1])
        # A ruff beats the highest card of the suit, in any position.
        return _contested(_contested(start, suited), ruffs), holds

    @staticmethod
    def _beat_probabilities(
        probabilities: Probabilities, held: int, lacks: tuple[int, int], lead: Lead, level: int, *, trumped: bool
    ) -> tuple[float, float]:
        """Return the probabilities that a seat with `held` cards beats a play in suit, and that it ruffs higher.

        Args:
            lacks: groups in which the seat is void, and in which it has no unit as wide as the lead's, as bits.
            level: level of the largest unit of the play.
            trumped: whether the play is a ruff.
        """
        if lead.group == RAINBOW:
            return BEATEN_RAINBOW, 0.0
        top = lead.units[0]
        shape = (top.width, top.length)
        beat = ruff = 0.0
        voids, short = lacks
        # A throw that passed its test cannot be beaten in its own suit (docs/rules.md §8).
        void = voids >> lead.group & 1
        if not trumped and not short >> lead.group & 1 and len(lead.units) == 1:
            beat = probabilities.holds(held, lead.group, shape, level)
        if lead.group != TRUMPS and not short >> TRUMPS & 1:
            ruff = probabilities.holds(held, TRUMPS, shape, level if trumped else -1)
            if lead.size > top.width * top.length:
                ruff *= probabilities.trumps(held, lead.size)
            ruff *= 1.0 if void else probabilities.void(held, lead.group)
        return beat, ruff


def _contested(start: float, rivals: Iterable[tuple[float, float]]) -> float:
    """Return the probability that the best play is our side's after others have tried to beat it.

    If several seats may beat it, the one with the greater probability is also more likely to have the highest card.

    Args:
        start: the probability before that.
        rivals: for each seat the probabilities that it can beat the play, and that it is on our side.
    """
    stands, pull, ours = 1.0, 0.0, 0.0
    for beats, friend in rivals:
        if beats:
            stands *= 1.0 - beats
            rate = -log(max(_LEAST, 1.0 - beats))
            pull += rate
            ours += rate * friend
    return start * stands + (1.0 - stands) * ours / pull if pull else start
