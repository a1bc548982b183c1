"""Features of plays: names with numbers.

The value of a play is the sum of its features times their weights (`weights`), in card points. The first features come
from probabilities: the expected gain of the trick and the value of the cards. The others name kinds of plays, so that a
weight reads like a rule: how much better or worse such plays are than predicted by probabilities.
"""

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cache, reduce
from operator import or_
from pathlib import Path

from service.rules.cards import POINTS
from service.rules.tricks.leads import Lead
from service.rules.tricks.rainbows import RAINBOW
from service.rules.trumps import TRUMPS
from workers.ai.knowledge.seat import Knowledge

Features = dict[str, float]

#: Probability from which a trick counts as won.
SURE = 0.93
#: Bounds between buckets of probabilities.
PROBABILITY_BOUNDS = (0.1, 0.3, 0.5, 0.7, SURE)


@cache
def weights_of(name: str) -> Mapping[str, float]:
    """Return feature -> weight: `teams` for plays, `burying`, and `signs` of who holds a called card."""
    file = Path(__file__).parent / "weights" / f"{name}.json"
    weights: Mapping[str, float] = json.loads(file.read_text(encoding="utf-8"))
    return weights


def bucket(number: float, bounds: Sequence[float]) -> int:
    """Return the number of bounds that a value reaches."""
    return bisect_right(bounds, number)


class Look:
    """Values shared by the features of all plays of one decision."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        order, probabilities, hand = knowledge.order, knowledge.probabilities, knowledge.hand
        seats = range(knowledge.players)
        self.phase = bucket(knowledge.size, (2, 4, 9, 16))
        self.role = "D" if knowledge.declaring > 0.5 else "A" if knowledge.declaring < -0.5 else "U"
        self.lengths = [sum([hand[kind] for kind in kinds]) for kinds in order.groups]
        foes = [seat for seat in seats if seat != knowledge.seat and knowledge.leans[seat] < 0]
        mates = [seat for seat in seats if seat != knowledge.seat and knowledge.leans[seat] >= 0.5]
        #: Void suits of the seats of each side that may still ruff.
        foe_voids, mate_voids = (
            [knowledge.voids[seat] for seat in side if not knowledge.voids[seat] >> TRUMPS & 1]
            for side in (foes, mates)
        )
        self.foe_voids, self.mate_voids = reduce(or_, foe_voids, 0), reduce(or_, mate_voids, 0)
        self.foes_trumps = bool(foe_voids)
        #: Group -> strength of the highest card that another hand can hold; -1: none.
        self.highest = [
            max((order.level_of[kind] for kind in kinds if probabilities.pool[kind]), default=-1)
            for kinds in order.groups
        ]
        out = probabilities.in_group[TRUMPS] if self.foes_trumps else 0
        #: Trumps in other hands, for each of them.
        self.out = bucket(out / max(1, knowledge.players - 1), (0.01, 1.0, 2.0, 4.0))
        others = probabilities.in_group[TRUMPS] * knowledge.size / probabilities.size
        self.balance = bucket(self.lengths[TRUMPS] - others, (-1.5, 0, 1.5, 3.5))
        winners = sum(
            hand[kind]
            for group, kinds in enumerate(order.groups)
            if group != TRUMPS
            for kind in kinds
            if order.level_of[kind] >= self.highest[group]
        )
        self.winners = bucket(winners, (1, 2, 3, 5))
        self.trumps = bucket(self.lengths[TRUMPS], (1, 2, 3, 5, 8))

    def beaten_by(self, kind: int) -> int:
        """Return how many cards in other hands beat a card in its suit, as a bucket."""
        order = self.knowledge.order
        return bucket(self.knowledge.probabilities.above(order.group_of[kind], order.level_of[kind]), (1, 2, 3, 5, 8))

    def lead(self, lead: Lead, ours: float, holds: float) -> Features:
        """Return the features of a lead besides the expected gain."""
        knowledge, group = self.knowledge, lead.group
        if group == RAINBOW:
            return {}
        top = lead.units[0]
        boss = knowledge.order.level_of[top.cards[0]] >= self.highest[group]
        if not boss and top.width > 1:
            level = knowledge.order.level_of[top.cards[0]]
            boss = not any(
                knowledge.probabilities.pool[kind] >= top.width
                for kind in knowledge.order.groups[group]
                if knowledge.order.level_of[kind] > level
            )
        points = sum([POINTS[kind] for kind in lead.cards])
        length = self.lengths[group]
        trumps = group == TRUMPS
        name = f"{'trump' if trumps else 'side'} {lead.kind}{' boss' if boss else ''}"
        features = {
            f"{name} phase {self.phase} {self.role}": 1.0,
            f"{name} points {bucket(points, (5, 10, 20))}": 1.0,
            f"{name} own trumps {self.trumps}": 1.0,
            f"{name} trumps out {self.out}": 1.0,
            f"ours {self.phase}": ours,
            f"holds {self.phase}": holds,
            f"{name} ours {bucket(ours, PROBABILITY_BOUNDS)}": 1.0,
            f"{name} holds {bucket(holds, PROBABILITY_BOUNDS)}": 1.0,
            "cards won": ours * lead.size,
        }
        if trumps:
            features[f"{name} balance {self.balance}"] = 1.0
            features[f"{name} winners {self.winners}"] = 1.0
            features[f"{name} beaten by {self.beaten_by(top.cards[-1])}"] = 1.0
        else:
            ruffed, helped = self.foe_voids >> group & 1, self.mate_voids >> group & 1
            left = bucket(
                knowledge.probabilities.in_group[group] / max(1, knowledge.players - 1), (0.01, 1.0, 2.0, 3.0)
            )
            features[f"{name} ruffed {ruffed} out {left if self.out else 'all'}"] = 1.0
            features[f"{name} helped {helped} length {bucket(length, (2, 3, 5))}"] = 1.0
            if not boss:
                at_home = any(
                    knowledge.hand[kind] and knowledge.order.level_of[kind] >= self.highest[group]
                    for kind in knowledge.order.groups[group]
                )
                features[f"{name} boss at home {at_home} beaten by {self.beaten_by(top.cards[-1])}"] = 1.0
        if lead.kind == "throw":
            features[f"throw of {bucket(lead.size, (3, 4, 5, 7))} out {self.out}"] = 1.0
            features["throw card"] = float(lead.size)
        return features

    def _state(self, now: float) -> str:
        """Return whose the trick is; `now`: see `follow`."""
        if self.knowledge.leans[self.knowledge.best_seat] > 0.5:
            return "sure" if now > SURE else "ours"
        return "lost" if now < 1 - SURE else "theirs"

    def follow(
        self, lead: Lead, cards: Sequence[int], now: float, ours: float, holds: float, *, wins: bool
    ) -> Features:
        """Return the features of a follow besides the expected gain.

        Args:
            lead: lead of the trick.
            cards: the play.
            now: probability that this seat's side wins with the plays so far.
            ours, holds: probability that this side, and this seat, wins with the play.
            wins: whether it is the best play so far.
        """
        knowledge, order = self.knowledge, self.knowledge.order
        size = "1" if lead.size == 1 else "2" if lead.size == 2 and lead.kind == "tuple" else "x"
        where = "trump" if lead.group == TRUMPS else "side"
        state = self._state(now)
        later = bucket(len(knowledge.later), (1, 2, 3))
        points = sum([POINTS[kind] for kind in cards])
        groups = [order.group_of[kind] for kind in cards]
        ruffs = lead.group != TRUMPS and all(group == TRUMPS for group in groups)
        if wins:
            act = "ruff" if ruffs else "win"
            act += " sure" if holds > SURE else ""
        else:
            act = "feed" if points else "give"
        stake = bucket(knowledge.points, (5, 10, 15, 25))
        name = f"{size} {where} {act}"
        features = {
            f"{name} {state} later {later}": 1.0,
            f"{name} {state} stake {stake}": 1.0,
            f"{name} phase {self.phase} {self.role}": 1.0,
            f"{size} {act} points {bucket(points, (5, 10, 15, 20))} {state} later {later}": 1.0,
            f"ours {self.phase}": ours,
            f"holds {self.phase}": holds,
            f"{name} points {bucket(points, (5, 10, 15, 20))} ours {bucket(ours, PROBABILITY_BOUNDS)}": 1.0,
        }
        if wins:
            features[f"{name} points {bucket(points, (5, 10, 15, 20))} holds {bucket(holds, PROBABILITY_BOUNDS)}"] = 1.0
            kind = max(cards, key=lambda kind: (groups[0] == order.group_of[kind], order.level_of[kind]))
            whose = "trump" if groups[0] == TRUMPS else "side"
            features[f"{whose} {act} beaten by {self.beaten_by(kind)}"] = 1.0
            features[f"{whose} {act} own trumps {self.trumps}"] = 1.0
        elif size != "x":
            self._give(features, lead, cards, groups)
        return features

    def _give(self, features: Features, lead: Lead, cards: Sequence[int], groups: Sequence[int]) -> None:
        """Add the features of giving cards, of these suit groups, to a trick."""
        for kind, group in zip(cards, groups, strict=True):
            left = self.lengths[group] - groups.count(group)
            whose = "trump" if group == TRUMPS else "suit" if group == lead.group else "other"
            text = f"{whose} given beaten by {self.beaten_by(kind)} left {bucket(left, (1, 2, 4))}"
            features[text] = features.get(text, 0.0) + 1.0
