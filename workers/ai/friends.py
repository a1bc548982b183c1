"""Who probably holds a called card, and so may become a friend: what public play says (docs/ai.md).

A logistic model of signs that anybody at the table could have counted, and of how many cards the viewer does not see.
It reads the view of one seat and nothing else. `python -m laboratory.friends` fits its weights.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import exp, log, log1p
from typing import Any, Final, NamedTuple

from service.common.errors import IllegalPlay
from service.rules.cards import KIND, points_of
from service.rules.trumps import TRUMPS
from workers.ai.deals.past import SeenTrick, tricks_of
from workers.ai.evaluation.features import weights_of
from workers.ai.knowledge.seat import Knowledge, View, open_calls
from workers.ai.reasons import Reason

#: Sign -> what is counted of the plays of a seat; points in tens. The declarer's side is what is known of it.
SIGNS: Final[Mapping[str, str]] = {
    "fed": "points put on a play of the declarer's side that stands",
    "kept": "discards without points on such a play",
    "spared": "other cards played under such a play",
    "beat": "plays that beat the declarer's side",
    "robbed": "points on the table when it beat that side",
    "ruffed": "ruffs of a play of that side",
    "gave": "points put on a standing play of a seat of unknown side",
    "won": "points of the tricks that it won",
    "followed": "plays of a called suit without the called card, led by others",
    "led-suit": "leads of a called suit",
    "led-trumps": "leads of trumps",
    "led-other": "leads of other suits",
    "led-to": "leads to tricks that the declarer's side won",
    "tricks": "tricks seen",
}
#: The inputs of the model: a constant, the log odds of a random deal, and log(1 + count) of each sign.
INPUTS: Final = ("constant", "odds", *SIGNS)
#: Signs that are a reason to name a seat: those that raise the probability much. The others only weigh.
SPOKEN: Final = ("fed",)
#: Signs that are counted in tens of points.
_IN_TENS: Final = frozenset({"fed", "robbed", "gave", "won"})
#: Least probability with which a seat is named.
NAMED: Final = 0.5
#: Bounds of the probability that a random deal gives a seat a called card.
_LEAST: Final = 0.01

#: Seat -> sign -> count.
_Counts = defaultdict[int, defaultdict[str, float]]


class Evidence(NamedTuple):
    """What a view shows of a seat: the probability of a random deal, and sign -> count."""

    chance: float
    signs: Mapping[str, float]

    def inputs(self) -> list[float]:
        """Return the inputs of the model, in the order of `INPUTS`."""
        chance = min(1.0 - _LEAST, max(_LEAST, self.chance))
        return [1.0, log(chance / (1.0 - chance)), *(log1p(self.signs.get(sign, 0.0)) for sign in SIGNS)]


class Friend(NamedTuple):
    """A seat of unknown side.

    Attributes:
        seat: its number.
        chance: probability that it holds a called card of an open call.
        sign: the spoken sign that raises the probability most; None: none does.
        amount: how much of it there was, points as points.
    """

    seat: int
    chance: float
    sign: str | None
    amount: int


def evidence(view: View, knowledge: Knowledge) -> dict[int, Evidence]:
    """Return the evidence for each other seat that may hold the called card of an open call; its side is unknown."""
    called = frozenset(KIND[call["card"]] for call in open_calls(view))
    unseen = {kind: knowledge.probabilities.pool[kind] for kind in called}
    strangers = [
        seat for seat, place in enumerate(view["seats"]) if place["side"] == "unknown" and seat != knowledge.seat
    ]
    if not strangers or not any(unseen.values()):
        return {}
    signs = _signs(view, knowledge, called)
    found = {}
    for seat in strangers:
        chance = _chance(knowledge, seat, unseen)
        if chance:
            found[seat] = Evidence(chance, signs[seat])
    return found


def _chance(knowledge: Knowledge, seat: int, unseen: Mapping[int, int]) -> float:
    """Return the probability that a random deal gives a seat a card of these kinds."""
    none = 1.0
    for kind, copies in unseen.items():
        group = knowledge.order.group_of[kind]
        if not knowledge.voids[seat] >> group & 1:
            held = knowledge.held[seat]
            none *= (1.0 - held / max(held, knowledge.probabilities.room[group])) ** copies
    return 1.0 - none


class _Table(NamedTuple):
    """What is public besides the tricks: the called kinds of open calls, their suits, who is known to be a declarer."""

    knowledge: Knowledge
    called: frozenset[int]
    suits: frozenset[int]
    declarers: frozenset[int]

    def add_trick(self, trick: SeenTrick, counts: _Counts) -> None:
        """Count the signs of a trick."""
        rules, order = self.knowledge.rules, self.knowledge.order
        (leader, first), *others = trick.plays
        try:
            lead = rules.lead(first)
        except IllegalPlay:
            # Its units were named otherwise; nothing is read from it.
            return
        best, best_seat, on_table = first, leader, points_of(first)
        for seat, cards in others:
            count, follows = counts[seat], all(order.group_of[kind] == lead.group for kind in cards)
            beats = rules.beats(lead, best, cards)
            on_table += points_of(cards)
            if best_seat not in self.declarers:
                count["gave"] += 0 if beats else points_of(cards) / 10
            elif beats:
                count["beat"] += 1
                count["robbed"] += on_table / 10
                count["ruffed"] += lead.group != TRUMPS and not follows
            else:
                _add_below(count, points_of(cards), follows=follows)
            count["followed"] += lead.group in self.suits and follows and self.called.isdisjoint(cards)
            if beats:
                best, best_seat = cards, seat
        if not trick.forced:
            counts[leader][self._kind_of_lead(lead.group)] += 1
        if len(trick.plays) == self.knowledge.players:
            counts[best_seat]["won"] += on_table / 10
            counts[leader]["led-to"] += best_seat in self.declarers

    def _kind_of_lead(self, group: int) -> str:
        if group in self.suits:
            return "led-suit"
        return "led-trumps" if group == TRUMPS else "led-other"


def _add_below(count: defaultdict[str, float], points: int, *, follows: bool) -> None:
    """Count the sign of cards that leave a play of the declarer's side standing."""
    if points:
        count["fed"] += points / 10
    else:
        count["spared" if follows else "kept"] += 1


def _signs(view: View, knowledge: Knowledge, called: frozenset[int]) -> _Counts:
    suits = frozenset(knowledge.order.group_of[kind] for kind in called)
    declarers = frozenset(seat for seat, place in enumerate(view["seats"]) if place["side"] == "declarers")
    table = _Table(knowledge, called, suits, declarers)
    counts: _Counts = defaultdict(lambda: defaultdict(float))
    tricks = tricks_of(view)
    for trick in tricks:
        table.add_trick(trick, counts)
    for seat in range(knowledge.players):
        counts[seat]["tricks"] = len(tricks)
    return counts


def probability(inputs: Sequence[float], fitted: Sequence[float]) -> float:
    """Return what the model says of inputs."""
    return 1.0 / (1.0 + exp(-sum([weight * value for weight, value in zip(fitted, inputs, strict=True)])))


def friends(view: View) -> list[Friend]:
    """Return the seats that may hold a called card, the most probable first; empty without open calls."""
    if not view["round"]["calls"] or view["round"]["declarer"] is None:
        return []
    knowledge, fitted = Knowledge(view, memory=True), weights_of("signs")
    ordered = [fitted[name] for name in INPUTS]
    found = []
    for seat, seen in evidence(view, knowledge).items():
        raises = {sign: fitted[sign] * log1p(seen.signs.get(sign, 0.0)) for sign in SPOKEN}
        sign = max((sign for sign in SPOKEN if raises[sign] > 0.0), key=raises.__getitem__, default=None)
        amount = 0 if sign is None else round(seen.signs[sign] * (10 if sign in _IN_TENS else 1))
        found.append(Friend(seat, probability(seen.inputs(), ordered), sign, amount))
    return sorted(found, key=lambda friend: (-friend.chance, friend.seat))


def told(view: View, reason: Reason | None) -> Reason | None:
    """Add to a reason who probably holds a called card and why, as `friends`: seat, chance (%), sign and count."""
    named: list[dict[str, Any]] = [
        {"seat": friend.seat, "chance": round(100 * friend.chance), "sign": friend.sign, "count": friend.amount}
        for friend in friends(view)
        if friend.chance >= NAMED and friend.sign is not None
    ]
    return {**reason, "friends": named} if reason and named else reason
