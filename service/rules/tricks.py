"""The rules of tricks under one trump and one set of options: the interface of this part of the rules.

Cards are kinds, hands are counts (`service.rules.cards`). Whether a play is legal depends on the hand, the lead and
the options alone (`rules.md` §4.4).
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from string import ascii_lowercase
from typing import Any, Final

from service.errors import IllegalPlay
from service.rules import choices
from service.rules.cards import names_of
from service.rules.follows import Duty, answer, needed
from service.rules.leads import Lead, read_lead
from service.rules.throws import Throw, ThrowRules, judge_throw
from service.rules.trumps import TRUMPS, Order, Trump, order_of
from service.rules.units import Line, Place, Shape
from service.rules.winning import highest_answer, outdoes, read_highest

#: The options that the rules of tricks read (`rules.md` §4.1, §4.3, §4.4).
OPTIONS_READ: Final = (
    "twos_always_trump",
    "trump_tractors",
    "equal_rank_tractors",
    "throw_test",
    "throw_failure",
    "throw_penalty",
    "throw_same_count",
    "follow_tractors",
    "follow_smaller",
    "protect_larger",
    "trump_throw_compare",
    "quad_beats_tractor",
)
_QUAD: Final[Shape] = (4, 1)
_TWO_PAIRS: Final[tuple[Shape, ...]] = ((2, 2),)


class TrickRules:
    """Leads, throws, follows and winners; made by `trick_rules`.

    Attributes:
        order: how cards rank.
        lines: of each group, where units can lie.
        duty: how far a follow must answer the lead's structure.
    """

    def __init__(self, trump: Trump, options: Mapping[str, Any]) -> None:
        self.order: Order = order_of(trump, options["twos_always_trump"])
        self.lines = tuple(
            Line(self.order, group, options["trump_tractors"], options["equal_rank_tractors"])
            for group in range(TRUMPS + 1)
        )
        self.duty = Duty(*(options[name] for name in Duty._fields))
        self._throws = ThrowRules(*(options[name] for name in ThrowRules._fields))
        self._same_count: bool = options["throw_same_count"]
        self._all_units: bool = options["trump_throw_compare"] == "all_units"
        self._quads: bool = options["quad_beats_tractor"]
        self._leads: dict[tuple[int, int], Lead] = {}

    def lead(self, cards: Sequence[int], units: Sequence[Sequence[int]] | None = None) -> Lead:
        """Read the cards of a lead.

        Args:
            cards: kinds, as often as led.
            units: how the leader wants them read (001 §6.5); None: the longest unit first (`rules.md` §4.3).

        Raises:
            IllegalPlay: `no_cards`, `one_suit`, `throw_same_count`, `units_not_cards`, `no_unit`.
        """
        if units is None and cards and cards.count(cards[0]) == len(cards):
            return self.alike(cards[0], len(cards))
        return read_lead(self.order, self.lines, cards, units, self._same_count)

    def alike(self, kind: int, width: int) -> Lead:
        """Return the lead of identical cards: most leads are, and there are few of them."""
        lead = self._leads.get((kind, width))
        if lead is None:
            lead = self._leads[kind, width] = read_lead(self.order, self.lines, [kind] * width, None, same_count=False)
        return lead

    def throw(self, lead: Lead, hands: Sequence[Sequence[int]]) -> Throw:
        """Test a lead of kind `throw`.

        Args:
            lead: the throw.
            hands: counts of the others, in order of play.
        """
        return judge_throw(self.order, self.lines[lead.group], lead, hands, self._throws)

    def follow(self, lead: Lead, hand: Sequence[int], play: Sequence[int]) -> None:
        """Check that cards which the hand holds may follow the lead.

        Raises:
            IllegalPlay: `card_count`, `follow_suit`, `follow_tractors`, `follow_tuples`, with what was required and an
                example out of the hand.
        """
        group_of = self.order.group_of
        group, size = lead.group, lead.size
        if len(play) != size:
            raise self._refusal("card_count", lead, hand)
        suited = [kind for kind in play if group_of[kind] == group]
        if size == 1 and suited:
            return
        held = self.order.suit_counts(hand, group)
        if len(suited) < size:
            if len(suited) < sum(held):
                raise self._refusal("follow_suit", lead, hand)
            return
        line = self.lines[group]
        need = needed(line, held, size, lead.shapes, self.duty)
        if not need:
            return
        played = self._played(group, play)
        if answer(line, held, played, need, self.duty) is None:
            tractors = tuple(shape for shape in need if shape[1] > 1)
            kept = answer(line, held, played, tractors, self.duty) is not None
            raise self._refusal("follow_tuples" if kept else "follow_tractors", lead, hand)

    def required(self, lead: Lead, hand: Sequence[int]) -> dict[str, Any]:
        """Return what a follow must be, as JSON.

        `cards`: how many cards; `must_follow`: the suit or `"trumps"` that they must be of as far as held, None if void
        of it; `required`: the units that the play must contain, each `{"kind", "width", "length"}`.
        """
        held = self.order.suit_counts(hand, lead.group)
        need = needed(self.lines[lead.group], held, lead.size, lead.shapes, self.duty)
        return {
            "cards": lead.size,
            "must_follow": self.order.name_of(lead.group) if any(held) else None,
            "required": [
                {"kind": "tractor" if length > 1 else "tuple", "width": width, "length": length}
                for width, length in need
            ],
        }

    def example(self, hand: Sequence[int], lead: Lead | None) -> tuple[int, ...]:
        """Return a legal play: low cards, and no card points where that can be avoided. None: a lead."""
        if lead is None:
            return choices.cheapest_lead(self.order, hand)
        return choices.cheapest_follow(self.order, self.lines[lead.group], hand, lead, self.duty)

    def beats(self, lead: Lead, best: Sequence[int], play: Sequence[int]) -> bool:
        """Tell whether `play`, played later, beats the best play so far; the lead is the first best."""
        if lead.kind in {"single", "tuple"}:
            group, standing = self.order.group_of[play[0]], self.order.group_of[best[0]]
            higher = (
                self.order.level_of[play[0]] > self.order.level_of[best[0]] if group == standing else group == TRUMPS
            )
            return higher and play.count(play[0]) == lead.size
        suit, best_suit = self._group(lead, play), self._group(lead, best)
        if suit is None or (best_suit == TRUMPS and suit != TRUMPS):
            return False
        line, counts = self.lines[suit], self._played(suit, play)
        mine = self._answer(lead, suit, counts)
        if mine is None or suit != best_suit:
            return mine is not None
        best_counts = self._played(suit, best)
        if self._all_units and lead.kind == "throw":
            return outdoes(line, counts, lead.shapes, read_highest(line, best_counts, lead.shapes))
        theirs = self._answer(lead, suit, best_counts)
        return theirs is None or self._strength(line, mine) > self._strength(line, theirs)

    def winner(self, lead: Lead, plays: Sequence[Sequence[int]]) -> int:
        """Return which of the plays, in order of play and the lead first, wins."""
        best = 0
        for number in range(1, len(plays)):
            if self.beats(lead, plays[best], plays[number]):
                best = number
        return best

    def winning_unit(self, lead: Lead, play: Sequence[int]) -> tuple[int, ...] | None:
        """Return the cards of a play that answer the lead's largest unit, high to low; None if it does not match."""
        group = self._group(lead, play)
        found = None if group is None else self._answer(lead, group, self._played(group, play))
        if group is None or found is None:
            return None
        return self.lines[group].unit(*found).cards

    def plays(
        self, hand: Sequence[int], lead: Lead | None, limit: int, budget: int = choices.BUDGET
    ) -> tuple[list[tuple[int, ...]], bool]:
        """Return distinct legal plays, and whether they are all.

        Args:
            hand: counts.
            lead: what is to be followed; None: leads, every unit first and then throws.
            limit: plays at most.
            budget: steps of the search at most.
        """
        if lead is None:
            return choices.leads(self.order, self.lines, hand, self._same_count, limit=limit, budget=budget)
        return choices.follows(self.order, self.lines[lead.group], hand, lead, self.duty, limit=limit, budget=budget)

    def random_play(self, hand: Sequence[int], lead: Lead | None, random: Random) -> tuple[int, ...]:
        """Return a random legal play; every legal follow, and every unit to lead, can come up. Throws do not."""
        if lead is None:
            return choices.random_lead(self.order, self.lines, hand, random)
        return choices.random_follow(self.order, self.lines[lead.group], hand, lead, self.duty, random=random)

    def _refusal(self, rule: str, lead: Lead, hand: Sequence[int]) -> IllegalPlay:
        required = self.required(lead, hand)
        return IllegalPlay(
            rule,
            required=required,
            example=names_of(self.example(hand, lead)),
            cards=lead.size,
            suit=required["must_follow"],
            held=sum(self.order.suit_counts(hand, lead.group)),
            units=[_pattern(unit["width"], unit["length"]) for unit in required["required"]],
        )

    def _group(self, lead: Lead, play: Sequence[int]) -> int | None:
        """Return the group of a play that is all of the suit led or all of trumps, else None."""
        group_of = self.order.group_of
        group = group_of[play[0]]
        if group not in (lead.group, TRUMPS):
            return None
        for kind in play:
            if group_of[kind] != group:
                return None
        return group

    def _played(self, group: int, play: Sequence[int]) -> list[int]:
        counts = [0] * len(self.lines[group].kinds)
        slot_of = self.order.slot_of
        for kind in play:
            counts[slot_of[kind]] += 1
        return counts

    def _answer(self, lead: Lead, group: int, counts: Sequence[int]) -> tuple[int, Place] | None:
        """Return (width, place) of what answers the lead's largest unit highest, or None if the play does not match."""
        shapes = lead.shapes
        if self._quads and shapes == _TWO_PAIRS and _QUAD[0] in counts:
            return _QUAD[0], (counts.index(_QUAD[0]),)
        place = highest_answer(self.lines[group], counts, shapes)
        return None if place is None else (shapes[0][0], place)

    @staticmethod
    def _strength(line: Line, found: tuple[int, Place]) -> tuple[int, tuple[int, ...]]:
        """Return what answers in one suit are compared by: a quad over two pairs (000 l.313), then levels."""
        return found[0], line.key(found[1])


def _pattern(width: int, length: int) -> str:
    """Return a unit as letters, as sentences show it: equal letters are identical cards, `aabb` two pairs in a row."""
    return "".join(letter * width for letter in ascii_lowercase[:length])


@lru_cache(maxsize=256)
def _trick_rules(trump: Trump, values: tuple[Any, ...]) -> TrickRules:
    return TrickRules(trump, dict(zip(OPTIONS_READ, values, strict=True)))


def trick_rules(trump: Trump, options: Mapping[str, Any]) -> TrickRules:
    """Return the rules of tricks; the same object for the same trump and options.

    Args:
        trump: of the round.
        options: effective values of all options (`rulesets.effective_options`).
    """
    return _trick_rules(trump, tuple([options[name] for name in OPTIONS_READ]))
