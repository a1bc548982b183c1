"""Who probably is a friend whom nobody knows yet: what public play says (docs/ai.md).

A logistic model says who holds a called card, by signs that anybody at the table could have counted, and by how many
cards the viewer does not see. Who holds one becomes a friend if nobody is faster: so the probabilities are cut to as
many friends as there are open calls. It reads the view of one seat and nothing else. `python -m laboratory.friends`
fits its weights.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import exp, log, log1p
from typing import Final, NamedTuple

from service.common.errors import IllegalPlay
from service.rules.cards import KIND, points_of
from service.rules.trumps import TRUMPS
from workers.ai.deals.past import SeenTrick, tricks_of
from workers.ai.evaluation.features import weights_of
from workers.ai.knowledge.seat import Knowledge, View, open_calls
from workers.ai.reasons import Reason

#: Sign -> what is counted of the plays of a seat; points in tens. The declarer's side is what is known of it.
SIGNS: Final[Mapping[str, str]] = {
    "fed": "points put on a single card of the declarer's side that stands",
    "fed-several": "points put on several such cards, which are often forced",
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
        holds: probability that it holds a called card of an open call.
        chance: probability that it is a friend in the end.
        points: points that it has given to the declarer's side, each on a single card.
        news: whether it is probably one by the points that it has given since the viewer's last play, and not before.
    """

    seat: int
    holds: float
    chance: float
    points: int
    news: bool


def evidence(view: View, knowledge: Knowledge) -> dict[int, Evidence]:
    """Return the evidence for each other seat that may hold the called card of an open call; its side is unknown."""
    called = frozenset(KIND[call["card"]] for call in open_calls(view))
    unseen = {kind: knowledge.probabilities.pool[kind] for kind in called}
    strangers = [
        seat for seat, place in enumerate(view["seats"]) if place["side"] == "unknown" and seat != knowledge.seat
    ]
    if not strangers or not any(unseen.values()):
        return {}
    signs = _signs(tricks_of(view), view, knowledge)
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
                _add_below(count, cards, follows=follows)
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


def _add_below(count: defaultdict[str, float], cards: Sequence[int], *, follows: bool) -> None:
    """Count the sign of cards that leave a play of the declarer's side standing."""
    points = points_of(cards)
    if points:
        count["fed" if len(cards) == 1 else "fed-several"] += points / 10
    else:
        count["spared" if follows else "kept"] += 1


def _signs(tricks: Sequence[SeenTrick], view: View, knowledge: Knowledge) -> _Counts:
    called = frozenset(KIND[call["card"]] for call in open_calls(view))
    suits = frozenset(knowledge.order.group_of[kind] for kind in called)
    declarers = frozenset(seat for seat, place in enumerate(view["seats"]) if place["side"] == "declarers")
    table = _Table(knowledge, called, suits, declarers)
    counts: _Counts = defaultdict(lambda: defaultdict(float))
    for trick in tricks:
        table.add_trick(trick, counts)
    for seat in range(knowledge.players):
        counts[seat]["tricks"] = len(tricks)
    return counts


def _at_last_play(view: View) -> list[SeenTrick]:
    """Return the tricks as they were after the viewer's last play; empty: it has not played yet."""
    seat, tricks = view["my"]["seat"], tricks_of(view)
    for at in reversed(range(len(tricks))):
        plays, forced = tricks[at]
        seats = [each for each, _ in plays]
        if seat in seats:
            return [*tricks[:at], SeenTrick(plays[: seats.index(seat) + 1], forced)]
    return []


def probability(inputs: Sequence[float], fitted: Sequence[float]) -> float:
    """Return what the model says of inputs."""
    return 1.0 / (1.0 + exp(-sum([weight * value for weight, value in zip(fitted, inputs, strict=True)])))


def is_rival(view: View, knowledge: Knowledge) -> bool:
    """Return whether the viewer holds a called card and may become a friend."""
    is_unknown = view["seats"][knowledge.seat]["side"] == "unknown"
    return is_unknown and any(knowledge.hand[KIND[call["card"]]] for call in open_calls(view))


def joining(calls: int, holders: float) -> float:
    """Return the probability that who holds a called card becomes a friend: there is a place for each open call.

    Args:
        calls: number of open calls.
        holders: how many seats hold a called card and are on no side yet, on average; more than 0.
    """
    return min(1.0, calls / holders)


def friends(view: View) -> list[Friend]:
    """Return the seats that may become a friend, the most probable first; empty without open calls."""
    calls = open_calls(view)
    if not calls or view["round"]["declarer"] is None:
        return []
    knowledge, fitted = Knowledge(view, memory=True), weights_of("signs")
    ordered = [fitted[name] for name in INPUTS]
    seen = evidence(view, knowledge)
    holds = {seat: probability(each.inputs(), ordered) for seat, each in seen.items()}
    rivals, before = sum(holds.values()) + is_rival(view, knowledge), _signs(_at_last_play(view), view, knowledge)
    found = []
    for seat, each in seen.items():
        chance, fed = holds[seat] * joining(len(calls), rivals), each.signs.get("fed", 0.0)
        given = before[seat]["fed"]
        then = probability(each._replace(signs={**each.signs, "fed": given}).inputs(), ordered)
        was_told = given > 0 and then * joining(len(calls), rivals - holds[seat] + then) >= NAMED
        news = fed > given and chance >= NAMED and not was_told
        found.append(Friend(seat, holds[seat], chance, round(10 * fed), news))
    return sorted(found, key=lambda friend: (-friend.chance, friend.seat))


def told(view: View, reason: Reason | None) -> Reason | None:
    """Add to a reason who is probably a friend, as `friends`: seat, chance (%) and points given.

    A seat is told once: at the first decision after the points that make it probable.
    """
    named = [
        {"seat": friend.seat, "chance": round(100 * friend.chance), "points": friend.points}
        for friend in (friends(view) if reason else ())
        if friend.news
    ]
    return {**reason, "friends": named} if reason and named else reason
