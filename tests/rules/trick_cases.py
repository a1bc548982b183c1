"""Random rules, cards and tricks for the tests of tricks, each with its brute-force reference."""

from collections import Counter
from typing import Any, NamedTuple

from hypothesis import assume
from hypothesis import strategies as st

from harness.reference import RANKS, Reference
from service.common.errors import IllegalPlay
from service.rules.cards import SUITS, kinds_of, names_of
from service.rules.tricks.leads import Lead
from service.rules.tricks.trick_rules import TrickRules, trick_rules
from service.rules.trumps import TRUMPS, Trump

OPTIONS: dict[str, list[Any]] = {
    "twos_always_trump": [False, False, True],
    "red_fives": [False, False, True],
    "trump_tractors": ["full", "full", "suit_only", "suit_and_jokers"],
    "equal_rank_tractors": ["apart", "adjacent", "no_gap"],
    "tractor_min_width": [2, 2, 2, 3],
    "tractor_min_length": [2, 2, 2, 3],
    "rainbow": ["none", 4, 5],
    "throws": ["any"],
    "proven_throws": [False],
    "throw_test": ["units", "cards", "units_or_ruff"],
    "throw_failure": [
        "beaten_unit",
        "lowest_card",
        "end_round",
        "penalty_levels",
        "lowest_top_unit",
        "smallest_unit",
        "first_seat",
    ],
    "throw_penalty": ["none", "flat", "per_unit", "per_card", "per_withdrawn"],
    "throw_same_count": [False, False, True],
    "follow_structure": ["units"] * 5 + ["suit_only"],
    "follow_tractors": [False, True],
    "follow_smaller": ["never", "single_set", "always"],
    "protect_larger": [False, True],
    "shorter_tractors": [True, False],
    "tuple_draws_tractors": [False, True],
    "throw_structure": ["units", "added_up", "tuples"],
    "protect_by_rungs": [False, True],
    "ruff_must_match": ["never", "tuples", "all"],
    "trump_throw_compare": ["largest_unit", "all_units", "highest_card", "longest_first"],
    "throw_answer_exact": [False, True],
    "quad_beats_tractor": [False, True],
    "bombs": ["none", "any_time", "follow_suit"],
}
#: Options that only have an effect with another one: (option, value to replace, other option, its values).
YIELDING: tuple[tuple[str, Any, str, tuple[Any, ...]], ...] = (
    ("equal_rank_tractors", "apart", "trump_tractors", ("suit_only", "suit_and_jokers")),
    ("protect_by_rungs", False, "protect_larger", (False,)),
    ("protect_by_rungs", False, "follow_structure", ("suit_only",)),
    ("shorter_tractors", True, "follow_tractors", (False,)),
    ("shorter_tractors", True, "follow_smaller", ("never", "single_set")),
    ("tuple_draws_tractors", False, "follow_tractors", (False,)),
    ("tuple_draws_tractors", False, "follow_smaller", ("never", "single_set")),
    ("throw_structure", "units", "follow_tractors", (False,)),
    ("ruff_must_match", "never", "follow_structure", ("suit_only",)),
    ("quad_beats_tractor", False, "bombs", ("any_time", "follow_suit")),
)
#: The first value of each option.
PLAIN = {name: values[0] for name, values in OPTIONS.items()}
GROUPS = (*SUITS, "trumps")


def settled(options: dict[str, Any]) -> dict[str, Any]:
    """Replace values that another choice makes pointless."""
    for name, instead, other, values in YIELDING:
        if options[other] in values:
            options[name] = instead
    return options


class Game(NamedTuple):
    """Rules under random options, their brute-force reference, and a few neighbouring cards to play with."""

    rules: TrickRules
    reference: Reference
    decks: int
    group: int
    row: tuple[str, ...]


@st.composite
def games(draw: st.DrawFn, **fixed: Any) -> Game:
    options = settled({name: draw(st.sampled_from(values)) for name, values in OPTIONS.items()} | fixed)
    trump = Trump(draw(st.sampled_from([*RANKS, None])), draw(st.sampled_from([*SUITS, None])))
    absent = frozenset(draw(st.sampled_from([(), (), (), ("LJ",), ("LJ", "BJ"), ("4S", "6H")])))
    rules = trick_rules(trump, options, frozenset(kinds_of(tuple(absent))))
    group = draw(st.sampled_from([TRUMPS, *(group for group in range(TRUMPS + 1) if rules.order.groups[group])]))
    suit = names_of(rules.order.groups[group])
    start = draw(st.integers(0, max(len(suit) - 3, 0)))
    row = tuple(suit[start : start + draw(st.integers(2, 7))])
    return Game(rules, Reference(*trump, options, absent), draw(st.integers(1, 6)), group, row)


def cards(game: Game, least: int, most: int, among: tuple[str, ...] | None = None) -> st.SearchStrategy[list[str]]:
    """Lists of cards, no card more often than the number of decks; repetitions are likely."""
    among = game.row if among is None else among
    tuples = st.tuples(st.sampled_from(among), st.integers(1, game.decks))

    def build(drawn: list[tuple[str, int]]) -> list[str]:
        counts: Counter[str] = Counter()
        for card, number in drawn:
            counts[card] = max(counts[card], number)
        return list(counts.elements())[:most]

    return st.lists(tuples, min_size=1, max_size=8).map(build).filter(lambda plays: len(plays) >= least)


@st.composite
def situations(draw: st.DrawFn, most_led: int = 5, most_held: int = 8, **fixed: Any) -> tuple[Game, Lead, list[str]]:
    """A lead and a hand that mostly holds cards of the suit led."""
    game = draw(games(throw_same_count=False, **fixed))
    lead = game.rules.lead(kinds_of(draw(cards(game, 1, most_led))))
    hand = draw(cards(game, 0, most_held))
    others = [card for card in ("3S", "KS", "TH", "5H", "4D", "JD", "6C", "9C") if card not in game.row]
    more = draw(st.integers(max(lead.size - len(hand), 0), max(lead.size - len(hand), 0) + 2))
    return game, lead, hand + [others[number % len(others)] for number in range(more)]


def shapes(lead: Lead) -> list[tuple[int, int]]:
    return [(unit.width, unit.length) for unit in lead.units]


def legal(rules: TrickRules, lead: Lead, hand: list[int], play: list[int]) -> bool:
    try:
        rules.follow(lead, hand, play)
    except IllegalPlay:
        return False
    return True


@st.composite
def tight_fits(draw: st.DrawFn, most_units: int = 6) -> tuple[Game, list[int], list[tuple[int, int]]]:
    """Counts of a suit, and units that nearly fill it, or slightly exceed it."""
    game = draw(games(throw_same_count=False, trump_tractors="full", tractor_min_width=2, tractor_min_length=2))
    line = game.rules.lines[game.group]
    counts = [0] * len(line.kinds)
    units: list[tuple[int, int]] = []
    for _ in range(draw(st.integers(1, most_units))):
        width, length = draw(st.integers(2, 3)), draw(st.integers(1, 3))
        places = line.places([6 - count for count in counts], (width, length))
        if places:
            for slot in draw(st.sampled_from(places[:8])):
                counts[slot] += width
            units.append((width, length))
    for at in draw(st.lists(st.sampled_from(range(len(units))), max_size=2, unique=True)) if units else ():
        width, length = units[at]
        units[at] = (width, max(length + draw(st.sampled_from([-1, 1])), 1))
    return game, counts, units


@st.composite
def tricks(draw: st.DrawFn) -> tuple[Game, Lead, list[list[str]]]:
    game = draw(games(throw_same_count=False))
    led = draw(cards(game, 1, 6))
    lead = game.rules.lead(kinds_of(led))
    plays = [led]
    trumps = tuple(names_of(game.rules.order.groups[TRUMPS]))
    window = trumps[-8:] if draw(st.booleans()) else trumps[:8]
    for _ in range(draw(st.integers(1, 4))):
        source = draw(st.sampled_from([game.row, window]))
        play = draw(cards(game, 0, lead.size, source))
        filler = [source[number % len(source)] for number in range(lead.size - len(play))]
        plays.append(play + filler if draw(st.integers(0, 9)) else [*(play + filler)[1:], "3S"])
    return game, lead, plays


@st.composite
def trumped_throws(draw: st.DrawFn) -> tuple[Game, Lead, list[list[str]]]:
    """A throw of a side suit, and trumps, nearly all of which answer it."""
    game = draw(games(throw_same_count=False, trump_tractors="full"))
    groups = [group for group in range(TRUMPS) if game.rules.order.groups[group]]
    side = names_of(game.rules.order.groups[draw(st.sampled_from(groups))])
    trumps = names_of(game.rules.order.groups[TRUMPS])
    start = draw(st.integers(0, max(len(trumps) - 5, 0)))
    led = [
        card
        for at, width in enumerate(draw(st.lists(st.integers(1, 3), max_size=4, min_size=2)))
        for card in [side[2 * at]] * width
    ]
    lead = game.rules.lead(kinds_of(led))
    # If a rank is absent from the deck, its neighbours may be a tractor.
    assume(all(unit.length == 1 for unit in lead.units))
    plays = [led]
    for _ in range(draw(st.integers(2, 3))):
        play: list[str] = []
        for unit in lead.units:
            play += [draw(st.sampled_from(trumps[start : start + 5]))] * unit.width
        plays.append(play)
    return game, lead, plays


def rules_with(**options: Any) -> TrickRules:
    """Rules with hearts and eights as trumps."""
    return trick_rules(Trump("8", "H"), PLAIN | options, frozenset())
