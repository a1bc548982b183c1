"""The rules of tricks under one trump and one set of options: the public interface of this package.

Cards are kinds, hands are counts (`service.rules.cards`). Whether a play is legal depends only on the hand, the lead
and the options.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from string import ascii_lowercase
from typing import Any, Final, NamedTuple

from service.common.errors import IllegalPlay
from service.rules.cards import names_of
from service.rules.option import Options
from service.rules.tricks.claims import certain_leads
from service.rules.tricks.follow_rules import FollowRules
from service.rules.tricks.follows import Duty, Need
from service.rules.tricks.lead_choices import LeadChoices
from service.rules.tricks.leads import Lead, LeadRules, read_lead
from service.rules.tricks.rainbows import RAINBOW
from service.rules.tricks.searches import Play
from service.rules.tricks.throws import Throw, ThrowRules, can_be_beaten, judge_throw
from service.rules.tricks.units import Line, TractorRules, Unit
from service.rules.tricks.winning import Winning, WinRules
from service.rules.trumps import TRUMPS, Order, Trump, ranking

#: Default budget of a search for plays, in steps: a few milliseconds at worst.
BUDGET: Final = 4_000
_NAMED: Final[tuple[type[NamedTuple], ...]] = (TractorRules, LeadRules, ThrowRules, Duty, WinRules)
#: The options that the rules of tricks read.
OPTIONS_READ: Final = tuple(
    dict.fromkeys(
        ("twos_always_trump", "red_fives", "ruff_must_match", *(name for rules in _NAMED for name in rules._fields))
    )
)


class TrickRules:
    """Leads, throws, follows and winners; created by `trick_rules`.

    Attributes:
        order: the ranking of cards.
        lines: the line of each group.
        duty: how far a follow must answer the lead's structure.
    """

    def __init__(self, trump: Trump, options: Options, absent: frozenset[int]) -> None:
        self.order: Order = ranking(trump, options)
        tractors = TractorRules(*(options[name] for name in TractorRules._fields))
        self.lines = tuple(Line(self.order, group, tractors, absent) for group in range(TRUMPS + 1))
        self.duty = Duty(*(options[name] for name in Duty._fields))
        least = None if options["rainbow"] == "none" else options["rainbow"]
        self._lead_rules = LeadRules(options["throws"], options["throw_same_count"], least)
        self._throws = ThrowRules(*(options[name] for name in ThrowRules._fields))
        self._choices = LeadChoices(self.order, self.lines, least)
        self._follows = FollowRules(self.order, self.lines, self.duty, options["ruff_must_match"], options["bombs"])
        self._winning = Winning(self.order, self.lines, WinRules(*(options[name] for name in WinRules._fields)))
        self._has_bombs = options["bombs"] != "none"
        self._leads: dict[tuple[int, int], Lead] = {}
        #: Whether legality depends only on suit and units, i.e. none of the options below is set.
        self.has_plain_follows: bool = (
            not self.duty.protect_by_rungs and options["ruff_must_match"] == "never" and options["bombs"] == "none"
        )
        #: `beats(lead, best, play)`: whether a later `play` beats the best play so far, which may be the lead itself.
        self.beats: Callable[[Lead, Sequence[int], Sequence[int]], bool] = self._winning.beats

    def read_play(self, cards: Sequence[int]) -> Lead:
        """Read a winning play like a lead, even if the table does not allow such a throw."""
        return read_lead(self.order, self.lines, cards, None, LeadRules(rainbow=self._lead_rules.rainbow))

    def lead(
        self,
        cards: Sequence[int],
        units: Sequence[Sequence[int]] | None = None,
        unseen: Sequence[int] | None = None,
    ) -> Lead:
        """Read the cards of a lead.

        Args:
            cards: kinds, with repetitions.
            units: the units named by the leader; None: read the longest unit first (`docs/rules.md` §6.1).
            unseen: counts of the cards that the leader cannot see; None: do not check `proven_throws`.

        Raises:
            IllegalPlay: `no_cards`, `one_suit`, `throws`, `throws_of_trumps`, `throw_same_count`, `units_not_cards`,
                `no_unit`, `proven_throws`.
        """
        if cards and cards.count(cards[0]) == len(cards) and (units is None or list(units) == [cards]):
            return self.alike(cards[0], len(cards))
        lead = read_lead(self.order, self.lines, cards, units, self._lead_rules)
        proven = unseen is None or not self._throws.proven_throws or lead.kind != "throw"
        if not proven and can_be_beaten(self.order, self.lines, lead, [unseen or ()], self._throws):
            raise IllegalPlay("proven_throws")
        return lead

    def alike(self, kind: int, width: int) -> Lead:
        """Return a lead of identical cards. Cached, since most leads are of this kind and few different ones exist."""
        lead = self._leads.get((kind, width))
        if lead is None:
            unit = Unit(width, 1, (kind,) * width)
            lead = Lead(self.order.group_of[kind], width, "tuple" if width > 1 else "single", (unit,))
            self._leads[kind, width] = lead
        return lead

    def throw(self, lead: Lead, hands: Sequence[Sequence[int]]) -> Throw:
        """Test a lead of kind `throw`; with `proven_throws` it always succeeds.

        Args:
            lead: the throw.
            hands: counts of the other hands, in order of play.
        """
        if self._throws.proven_throws:
            return Throw(ok=True)
        return judge_throw(self.order, self.lines, lead, hands, self._throws)

    def certain_leads(self, hand: Sequence[int], others: Sequence[Sequence[int]]) -> list[Lead] | None:
        """Return leads that use up a hand and all win whatever the others play; None if that is not certain.

        Args:
            hand: counts of the leader's cards.
            others: counts of the other hands.
        """
        quads, has_bombs = self._throws.quad_beats_tractor, self._has_bombs
        units = certain_leads(self.order, self.lines, hand, others, quads=quads, has_bombs=has_bombs)
        leads = [self.lead(unit.cards, [unit.cards]) for unit in units or ()]
        is_plain = units is not None and all(lead.group != RAINBOW for lead in leads)
        return leads if is_plain else None

    def follow(self, lead: Lead, hand: Sequence[int], play: Sequence[int]) -> None:
        """Check that a play may follow the lead; the hand must hold its cards.

        Raises:
            IllegalPlay: `card_count`, `follow_suit`, `follow_tractors`, `follow_tuples`, `follow_rung`,
                `follow_rainbow`, `ruff_must_match`, with what is required and a legal example.
        """
        if lead.size == len(play) == 1 and self.order.group_of[play[0]] == lead.group:
            return
        broken = self._follows.broken_rule(lead, hand, play)
        if broken is not None:
            raise self._refusal(broken, lead, hand)

    def needs(self, lead: Lead, hand: Sequence[int]) -> tuple[Need, ...]:
        """Return the units that a follow must contain in the suit led, as alternatives; empty: any cards will do."""
        return self._follows.needs(lead, hand)

    def required(self, lead: Lead, hand: Sequence[int]) -> dict[str, Any]:
        """Return what a follow requires, as JSON.

        `cards`: number of cards. `must_follow`: the suit (or `"trumps"`) to follow as far as held; None if the hand is
        void. `required`: the units that the play must contain, each `{"kind", "width", "length"}`. `ruff`, only if
        `ruff_must_match` applies: the units that a play of nothing but trumps must contain.
        """
        rainbow = lead.group == RAINBOW
        owed = self.needs(lead, hand)
        required: dict[str, Any] = {
            "cards": lead.size,
            "must_follow": self.order.name_of(lead.group) if not rainbow and self._held(lead, hand) else None,
            "required": _units(owed, "rainbow" if rainbow else "tuple"),
        }
        ruff = self._follows.ruff_needs(lead, hand)
        return {**required, "ruff": _units(ruff, "tuple")} if ruff else required

    def example(self, hand: Sequence[int], lead: Lead | None) -> Play:
        """Return a legal play of low cards, without card points if possible; if `lead` is None, a card to lead."""
        return self._choices.cheapest(hand) if lead is None else self._follows.cheapest(lead, hand)

    def winner(self, lead: Lead, plays: Sequence[Sequence[int]]) -> int:
        """Return the index of the winning play; the plays are in order, the lead first."""
        best = 0
        for number in range(1, len(plays)):
            if self.beats(lead, plays[best], plays[number]):
                best = number
        return best

    def winning_unit(self, lead: Lead, play: Sequence[int]) -> tuple[int, ...] | None:
        """Return the cards of a play that match the lead's largest unit, high to low; None if it does not match."""
        return self._winning.winning_unit(lead, play)

    def plays(
        self,
        hand: Sequence[int],
        lead: Lead | None,
        limit: int,
        budget: int = BUDGET,
        unseen: Sequence[int] | None = None,
    ) -> tuple[list[Play], bool]:
        """Return distinct legal plays, and whether they are all.

        Args:
            hand: counts.
            lead: the lead to follow; None: return leads, first all units and then throws.
            limit: most plays.
            budget: most steps of the search.
            unseen: counts of the cards that a leader cannot see; None: do not check `proven_throws`.
        """
        if lead is not None:
            return self._follows.plays(lead, hand, limit, budget)

        def may_throw(cards: Play) -> bool:
            try:
                self.lead(cards, unseen=unseen)
            except IllegalPlay:
                return False
            return True

        throws = None if self._lead_rules.throws == "none" else may_throw
        return self._choices.plays(hand, throws, limit, budget)

    def random_play(self, hand: Sequence[int], lead: Lead | None, random: Random) -> Play:
        """Return a random legal play. Every legal follow and every unit to lead is possible; throws are not."""
        return self._choices.random(hand, random) if lead is None else self._follows.random(lead, hand, random)

    def _held(self, lead: Lead, hand: Sequence[int]) -> int:
        return 0 if lead.group == RAINBOW else sum(self.order.suit_counts(hand, lead.group))

    def _refusal(self, rule: str, lead: Lead, hand: Sequence[int]) -> IllegalPlay:
        required = self.required(lead, hand)
        return IllegalPlay(
            rule,
            required=required,
            example=names_of(self.example(hand, lead)),
            cards=lead.size,
            suit=required["must_follow"],
            held=self._held(lead, hand),
            units=[_pattern(unit["width"], unit["length"]) for unit in required["required"] + required.get("ruff", [])],
        )


def _units(owed: Sequence[Need], kind: str) -> list[dict[str, Any]]:
    """Return the units of the first alternative as JSON: the one that breaks fewer tuples."""
    shapes = owed[0].shapes if owed else ()
    return [{"kind": "tractor" if length > 1 else kind, "width": width, "length": length} for width, length in shapes]


def _pattern(width: int, length: int) -> str:
    """Return a unit as letters, for texts: equal letters are identical cards, e.g. `aabb` for two consecutive pairs."""
    return "".join(letter * width for letter in ascii_lowercase[:length])


@lru_cache(maxsize=256)
def _trick_rules(trump: Trump, values: tuple[object, ...], absent: frozenset[int]) -> TrickRules:
    return TrickRules(trump, dict(zip(OPTIONS_READ, values, strict=True)), absent)


def trick_rules(trump: Trump, options: Options, absent: frozenset[int]) -> TrickRules:
    """Return the rules of tricks, cached by trump, options and cards.

    Args:
        trump: of the round.
        options: effective values of all options (`rulesets.effective_options`).
        absent: kinds that the game does not have (`cards.absent_from`).
    """
    return _trick_rules(trump, tuple([options[name] for name in OPTIONS_READ]), absent)
