"""Random follows, throws and tricks under random options, checked by the engine and by the reference.

Run `python -m tests.rules.agreement --number 100000 --seed 1` for many of them; the tests run a few.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from harness.reference import RANKS, SUITS, Reference
from service.common.errors import IllegalPlay
from service.rules.cards import counts_of, kinds_of, names_of
from service.rules.tricks.leads import Lead
from service.rules.tricks.rainbows import RAINBOW
from service.rules.tricks.trick_rules import TrickRules, trick_rules
from service.rules.trumps import Trump
from tests.rules.trick_cases import OPTIONS, settled

Case = tuple[TrickRules, Reference, int]
Cards = list[str]


def random_rules(random: Random) -> Case:
    """Return rules under random options, the reference, and a number of decks: three to six."""
    options = settled({name: random.choice(values) for name, values in OPTIONS.items()} | {"throw_same_count": False})
    trump = Trump(random.choice([*RANKS, None]), random.choice([*SUITS, None]))
    absent = random.choice([(), (), ("LJ",), ("LJ", "BJ"), ("5S", "6H", "7D")])
    rules = trick_rules(trump, options, frozenset(kinds_of(absent)))
    return rules, Reference(*trump, options, frozenset(absent)), random.randint(3, 6)


def pile(random: Random, row: Sequence[str], decks: int, size: int) -> Cards:
    """Return cards from a row of kinds, many of them identical."""
    counts: Counter[str] = Counter()
    while row and counts.total() < size and counts.total() < len(row) * decks:
        card = random.choice(row)
        counts[card] += min(random.randint(1, decks), decks - counts[card], size - counts.total())
    return list(counts.elements())


def rows(random: Random, rules: TrickRules) -> tuple[list[str], list[str]]:
    """Return a few neighbouring cards of a suit, and a few neighbouring trumps."""
    cases = []
    for group in (random.choice([group for group in range(5) if rules.order.groups[group]]), 4):
        kinds = names_of(rules.order.groups[group])
        start = random.randint(0, max(len(kinds) - 4, 0))
        cases.append(kinds[start : start + random.randint(2, 6)])
    return cases[0], cases[1]


def rainbow_pile(random: Random, reference: Reference, decks: int, ranks: int) -> Cards:
    """Return cards mostly of a few ranks and all suits."""
    cards: Cards = []
    for rank in random.sample(RANKS, ranks):
        for suit in SUITS:
            cards += [rank + suit] * random.randint(1, min(decks, 3))
    return cards


def suit_of(lead: Lead) -> str:
    return (*SUITS, "trumps")[lead.group]


def shapes_of(lead: Lead) -> list[tuple[int, int]]:
    return [(unit.width, unit.length) for unit in lead.units]


def accepted(rules: TrickRules, lead: Lead, hand: Cards, play: Sequence[str]) -> bool:
    try:
        rules.follow(lead, counts_of(kinds_of(hand)), kinds_of(play))
    except IllegalPlay as refusal:
        rules.follow(lead, counts_of(kinds_of(hand)), kinds_of(refusal.example or []))
        return False
    return True


def check_follow(random: Random) -> None:
    """Check legal and random plays to a lead."""
    rules, reference, decks = random_rules(random)
    row, trumps = rows(random, rules)
    if reference.options["rainbow"] != "none" and random.random() < 0.2:
        check_rainbow_follow(random, rules, reference, decks)
        return
    lead = rules.lead(kinds_of(pile(random, row, decks, random.randint(1, 7))))
    held = random.choice([0, 2, 4, 6, 8, 9])
    hand = pile(random, row, decks, held)
    more = pile(random, trumps, decks, random.randint(0, 8)) if lead.group != 4 else []
    hand += [card for card in more if card not in row]
    others = [card for card in ("3S", "3S", "3S", "3S", "KH", "KH", "9D", "9D", "6C", "4C") if card not in hand]
    short = max(lead.size - len(hand), 0)
    hand += random.sample(others, min(len(others), short + random.choice([0, 0, 2, 5])))
    if len(hand) < lead.size:
        return
    counts = counts_of(kinds_of(hand))
    sure = [rules.example(counts, lead), rules.random_play(counts, lead, random), *rules.plays(counts, lead, 2, 200)[0]]
    plays = [names_of(play) for play in sure]
    plays += [random.sample(hand, lead.size) for _ in range(3)]
    plays += [[card] * lead.size for card, count in Counter(hand).items() if count >= lead.size]
    for number, play in enumerate(plays):
        expected = reference.legal(shapes_of(lead), suit_of(lead), hand, play)
        context = (reference.rank, reference.trump_suit, reference.options, names_of(lead.cards), hand, play)
        assert accepted(rules, lead, hand, play) == expected, context
        assert expected or number >= len(sure), context


def check_rainbow_follow(random: Random, rules: TrickRules, reference: Reference, decks: int) -> None:
    led = rainbow_pile(random, reference, decks, random.randint(1, 2))
    try:
        lead = rules.lead(kinds_of(led))
    except IllegalPlay:
        assert not reference.is_rainbow(led)
        return
    if lead.group != RAINBOW:
        assert not reference.is_rainbow(led)
        return
    sizes = [len(unit.cards) for unit in lead.units]
    hand = rainbow_pile(random, reference, decks, random.randint(1, 3)) + ["LJ"] * random.randint(0, 2)
    hand += pile(random, [card + "S" for card in RANKS], 1, max(lead.size - len(hand), 0) + 2)
    if len(hand) < lead.size:
        return
    counts = counts_of(kinds_of(hand))
    sure = [rules.example(counts, lead), rules.random_play(counts, lead, random), *rules.plays(counts, lead, 2, 200)[0]]
    plays = [names_of(play) for play in sure] + [random.sample(hand, lead.size) for _ in range(3)]
    for number, play in enumerate(plays):
        expected = reference.legal_on_rainbow(sizes, hand, play)
        assert accepted(rules, lead, hand, play) == expected, (reference.options, led, hand, play)
        assert expected or number >= len(sure), (reference.options, led, hand, play)
    for best, play in ((led, plays[1]), (plays[0], plays[1]), (led, plays[-1])):
        if reference.rainbow_ranks(best, sizes) is not None:
            beats = rules.beats(lead, kinds_of(best), kinds_of(play))
            assert beats == reference.beats_rainbow(sizes, best, play), (led, best, play)


def check_throw(random: Random) -> None:
    """Check a throw against random hands."""
    rules, reference, decks = random_rules(random)
    row, trumps = rows(random, rules)
    if reference.options["rainbow"] != "none" and random.random() < 0.2:
        check_rainbow_throw(random, rules, reference, decks)
        return
    lead = rules.lead(kinds_of(pile(random, row, decks, random.randint(2, 9))))
    if lead.kind != "throw":
        return
    hands = []
    for _ in range(random.randint(1, 4)):
        hand = pile(random, row, decks, random.choice([0, 0, 1, 2, 4, 6]))
        hands.append(hand + [card for card in pile(random, trumps, decks, random.randint(0, 5)) if card not in row])
    check_test(rules, reference, lead, hands)


def check_rainbow_throw(random: Random, rules: TrickRules, reference: Reference, decks: int) -> None:
    led = rainbow_pile(random, reference, decks, random.randint(2, 3))
    if not reference.is_rainbow(led):
        return
    lead = rules.lead(kinds_of(led))
    hands = [rainbow_pile(random, reference, decks, random.randint(1, 2)) for _ in range(3)]
    units = [tuple(names_of(unit.cards)) for unit in lead.units]
    beaten = {number for hand in hands for number in reference.rainbows_beaten_by(units, hand)}
    throw = rules.throw(lead, [counts_of(kinds_of(hand)) for hand in hands])
    assert throw.ok == (not beaten), (reference.options, led, hands)
    failure = reference.options["throw_failure"]
    if beaten and failure in ("beaten_unit", "first_seat", "smallest_unit", "lowest_top_unit"):
        among = beaten if failure in ("beaten_unit", "first_seat") else range(len(units))
        weakest = min(among, key=lambda number: (len(units[number]), RANKS.index(units[number][0][0])))
        assert sorted(names_of(throw.forced)) == sorted(units[weakest]), (reference.options, led, hands)


def check_test(rules: TrickRules, reference: Reference, lead: Lead, hands: list[Cards]) -> None:
    units = [((unit.width, unit.length), tuple(dict.fromkeys(names_of(unit.cards)))) for unit in lead.units]
    beaten = [reference.beaten_by(units, suit_of(lead), hand) for hand in hands]
    throw = rules.throw(lead, [counts_of(kinds_of(hand)) for hand in hands])
    context = (reference.rank, reference.trump_suit, reference.options, names_of(lead.cards), hands, throw)
    expected = reference.forced(units, beaten)
    assert throw.ok == (expected is None), context
    if expected is None or reference.options["throw_failure"] in ("end_round", "penalty_levels"):
        assert not throw.forced, context
        assert throw.penalty == 0, context
        return
    (width, length), key = expected
    forced = names_of(throw.forced)
    assert len(forced) == width * length, context
    assert reference.key(set(forced)) == key, context
    by_anybody = {number for numbers in beaten for number in numbers}
    cards = sum(units[number][0][0] * units[number][0][1] for number in by_anybody)
    if reference.options["throw_test"] == "cards":
        cards = beatable_cards(reference, lead, units, hands)
    times = {"none": 0, "flat": 1, "per_unit": len(by_anybody), "per_card": cards}
    times["per_withdrawn"] = lead.size - len(forced)
    assert throw.penalty == 10 * times[reference.options["throw_penalty"]], context


def beatable_cards(reference: Reference, lead: Lead, units: Sequence[Any], hands: list[Cards]) -> int:
    suit = suit_of(lead)
    suits = [[card for card in hand if reference.suit(card) == suit] for hand in hands]
    quad = reference.options["quad_beats_tractor"] and any(max(Counter(own).values(), default=0) >= 4 for own in suits)
    top = max((reference.strength(card) for own in suits for card in own), default=(-1, 0))
    return sum(
        shape[0]
        for shape, place in units
        for card in place
        if reference.strength(card) < top or (quad and shape == (2, 2))
    )


def check_trick(random: Random) -> None:
    """Check the winner of a trick of plays that mostly answer the lead."""
    rules, reference, decks = random_rules(random)
    row, trumps = rows(random, rules)
    led = pile(random, row, decks, random.randint(1, 8))
    lead = rules.lead(kinds_of(led))
    plays = [led]
    plays += [
        some_answer(random, rules, lead, random.choice([row, trumps, trumps]), decks)
        for _ in range(random.randint(1, 4))
    ]
    best = 0
    for number in range(1, len(plays)):
        if reference.beats(shapes_of(lead), suit_of(lead), plays[best], plays[number]):
            best = number
    context = (reference.rank, reference.trump_suit, reference.options, plays)
    winner = rules.winner(lead, [kinds_of(play) for play in plays])
    assert winner == best, context
    unit = rules.winning_unit(lead, kinds_of(plays[winner]))
    assert unit is not None, context
    assert not Counter(unit) - Counter(kinds_of(plays[winner])), context


def some_answer(random: Random, rules: TrickRules, lead: Lead, source: Sequence[str], decks: int) -> Cards:
    """Return as many cards as were led: with the shapes of the lead, random ones of the source, or others."""
    if random.random() < 0.1:
        return [random.choice(["3S", "KH", "9D", "6C"])] * lead.size
    if random.random() < 0.3:
        play = pile(random, source, decks, lead.size)
    else:
        group = rules.order.group_of[kinds_of(source)[0]]
        line = rules.lines[group]
        play = []
        for unit in lead.units:
            full = [6 if kind in kinds_of(source) else 0 for kind in line.kinds]
            places = line.places(full, (unit.width, unit.length))
            if places:
                play += names_of(line.unit(unit.width, random.choice(places)).cards)
    return (play + [random.choice(source) for _ in range(lead.size)])[: lead.size]


CHECKS: dict[str, Callable[[Random], None]] = {"follow": check_follow, "throw": check_throw, "trick": check_trick}


def run(name: str, number: int, seed: int) -> None:
    """Run a kind of check a number of times."""
    for at in range(number):
        random = Random(f"{name} {seed} {at}")
        CHECKS[name](random)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=CHECKS, action="append")
    request = parser.parse_args()
    for check in request.only or CHECKS:
        run(check, request.number, request.seed)
        print(f"{check}: {request.number} agree")
