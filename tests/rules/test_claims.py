"""Claims: certain wins of a leader, compared with exhaustive search."""

from collections import Counter
from functools import cache
from random import Random

import pytest

from service.rules.cards import KINDS, RANKS, kinds_in, kinds_of, names_of
from service.rules.options.rulesets import effective_options
from service.rules.tricks.trick_rules import trick_rules
from service.rules.trumps import Trump

PLAIN = effective_options("tractor", 4, {})


def rules_with(trump="2", suit="D", **options):
    return trick_rules(Trump(trump, suit), {**PLAIN, **options}, frozenset())


def counts(cards):
    held = Counter(kinds_of(cards.split()))
    return [held[kind] for kind in range(KINDS)]


def claim(hand, *others, **options):
    leads = rules_with(**options).certain_leads(counts(hand), [counts(other) for other in others])
    return leads and [" ".join(names_of(lead.cards)) for lead in leads]


@pytest.mark.parametrize(
    ("hand", "others", "leads"),
    [
        ("AS KS", ["QS JS", "3H 4H", "5C 6C"], ["AS", "KS"]),
        ("AS QS", ["KS JS", "3H 4H", "5C 6C"], None),
        ("AS KS", ["3D 3S", "3H 4H", "5C 6C"], None),
        # Trumps are led first, all that the leader has.
        ("AD AS", ["3D 3S", "3H 4H", "5C 6C"], ["AD", "AS"]),
        ("AD AS", ["3D 4D", "3H 4H", "5C 6C"], None),
        # Of equal cards the first one wins. A seat that must follow has no second one left.
        ("AS KS", ["AS 3S", "3H 4H", "5C 6C"], None),
        ("AS KS", ["AS 3H", "3H 4H", "5C 6C"], ["AS", "KS"]),
        ("AS KS 3S", ["QS JS 4H", "4S 4H 5H", "5C 6C 7C"], ["AS", "KS", "3S"]),
        ("AS KS 3S", ["QS JS 4S", "4S 4H 5H", "5C 6C 7C"], None),
        # Two trumps do not ruff a pair unless they are a pair.
        ("QS QS", ["3D 4D", "AS 4H", "5C 6C"], ["QS QS"]),
        ("QS QS", ["3D 3D", "AS 4H", "5C 6C"], None),
        ("QS QS", ["AS AS", "3H 4H", "5C 6C"], None),
        # The largest unit is led last, if possible.
        ("3S QS QS JS JS", ["KS 5S 6H 7H 8H", "KH 5H 6H 7H 8H", "KC 5C 6C 7C 8C"], ["QS QS JS JS", "3S"]),
        ("AS QS QS JS JS", ["KS 5S 6S 7S 8S", "KH 5H 6H 7H 8H", "KC 5C 6C 7C 8C"], ["AS", "QS QS JS JS"]),
    ],
)
def test_a_claim_is_right_if_nobody_can_win_a_trick(hand, others, leads):
    assert claim(hand, *others) == leads


def test_quads_and_bombs_are_considered():
    hand, others = "QS QS JS JS", ["4S 4S 4S 4S", "3H 4H 5H 6H", "5C 6C 7C 8C"]
    assert claim(hand, *others) == ["QS QS JS JS"]
    assert claim(hand, *others, quad_beats_tractor=True) is None
    assert claim(hand, *others, bombs="any_time") is None


def wins_everything(rules, hands):
    """Try every lead and every follow: can seat 0 win all tricks?"""

    @cache
    def wins(hands):
        return not hands[0] or any(holds(hands, lead) for lead in hands[0])

    def holds(hands, card):
        lead = rules.alike(card, 1)

        def follows(seat, after):
            if seat == len(hands):
                return wins(tuple(after))
            hand = hands[seat]
            suit = [each for each in hand if rules.order.group_of[each] == lead.group]
            for each in set(suit or hand):
                if rules.beats(lead, [card], [each]):
                    return False
                left = list(hand)
                left.remove(each)
                if not follows(seat + 1, [*after, tuple(left)]):
                    return False
            return True

        left = list(hands[0])
        left.remove(card)
        return follows(1, [tuple(left)])

    return wins(tuple(tuple(hand) for hand in hands))


def test_with_single_cards_the_check_agrees_with_exhaustive_search():
    random, rules = Random(7), rules_with()
    deck = kinds_of([rank + suit for rank in RANKS[6:] for suit in "SHD"])
    right = 0
    for _ in range(600):
        size = random.choice([1, 2, 3])
        dealt = sorted(random.sample(deck, 3 * size), reverse=random.random() < 0.3)
        if random.random() < 0.5:
            random.shuffle(dealt)
        hands = [dealt[at * size : (at + 1) * size] for at in range(3)]
        held = [[Counter(hand)[kind] for kind in range(KINDS)] for hand in hands]
        leads = rules.certain_leads(held[0], held[1:])
        assert (leads is not None) == wins_everything(rules, hands), [names_of(hand) for hand in hands]
        if leads is not None:
            right += 1
            assert sorted(card for lead in leads for card in lead.cards) == sorted(kinds_in(held[0]))
    assert 60 < right < 540
