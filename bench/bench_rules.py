"""Speed of the rules of tricks, compared with the brute-force reference.

Run `python -m bench.bench_rules`. Figures are CPU time of one core; machines differ, so look at the ratios first.
Random hands use a fixed seed.
"""

import gc
import statistics
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import inf
from random import Random
from time import process_time
from typing import Any

from bench import least as bench_least
from bench import report
from harness.reference import RANKS, Reference
from service.common.errors import IllegalPlay
from service.rules.cards import KINDS, POINTS, SUITS, counts_of, kinds_in, names_of
from service.rules.options.rulesets import effective_options
from service.rules.tricks import follows
from service.rules.tricks.leads import Lead
from service.rules.tricks.trick_rules import TrickRules, trick_rules
from service.rules.trumps import TRUMPS, Trump, order_of

SEED = 1
#: The expensive house rules; others are chosen randomly for each throw.
HOUSE_RULES = {
    "rainbow": 4,
    "throw_test": "units_or_ruff",
    "throw_failure": "first_seat",
    "throw_penalty": "per_card",
    "tuple_draws_tractors": True,
    "ruff_must_match": "all",
    "throw_answer_exact": True,
    "bombs": "any_time",
}
GROUPS = (*SUITS, "trumps")


def shuffled_hands(random: Random, decks: int, players: int, each: int) -> list[list[int]]:
    deck = [kind for kind in range(KINDS) for _ in range(decks)]
    random.shuffle(deck)
    return [counts_of(deck[seat * each : (seat + 1) * each]) for seat in range(players)]


def play_round(
    rules: TrickRules, hands: list[list[int]], random: Random, leads: list[tuple[Lead, list[int], Any]] | None = None
) -> int:
    """Play a round of random legal plays; return the points of the first leader's side. `leads` collects follows."""
    players = len(hands)
    leader, points = 0, [0, 0]
    left = sum(hands[0])
    while left:
        cards = rules.random_play(hands[leader], None, random)
        if random.random() < 0.05:
            cards = throw_out_of(rules, hands[leader], cards)
        lead = rules.lead(cards)
        if lead.kind == "throw":
            tested = rules.throw(lead, [hands[(leader + step) % players] for step in range(1, players)])
            if not tested.ok:
                lead = rules.lead(tested.forced)
        best, winner, taken = lead.cards, leader, 0
        for step in range(players):
            seat = (leader + step) % players
            hand = hands[seat]
            play = rules.random_play(hand, lead, random) if step else lead.cards
            if leads is not None and step:
                leads.append((lead, list(hand), play))
            for kind in play:
                hand[kind] -= 1
                taken += POINTS[kind]
            if step and rules.beats(lead, best, play):
                best, winner = play, seat
        points[winner % 2] += taken
        leader = winner
        left -= lead.size
    return points[0]


def throw_out_of(rules: TrickRules, hand: Sequence[int], cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return the cards with the highest other card of their suit, which makes them a throw."""
    for kind in reversed(rules.order.groups[rules.order.group_of[cards[0]]]):
        if hand[kind] and kind not in cards:
            return (*cards, kind)
    return cards


def bench_rounds(rounds: int = 1500) -> float:
    """Return random legal rounds of `shengji` per second."""
    random = Random(SEED)
    options = effective_options("shengji", 4, {})
    trumps = [Trump(random.choice(RANKS), random.choice(SUITS)) for _ in range(rounds)]
    deals = [(trick_rules(trump, options, frozenset()), shuffled_hands(random, 2, 4, 25)) for trump in trumps]
    start = process_time()
    for rules, hands in deals:
        play_round(rules, hands, random)
    return rounds / (process_time() - start)


def least(rounds: int = 300) -> dict[str, float]:
    """Return the least microseconds for 100 cards of a round, by operation."""
    random, order = Random(SEED), order_of(Trump("8", "H"))
    best: dict[str, float] = {}
    for _ in range(7):
        hands = [shuffled_hands(random, 2, 4, 25) for _ in range(rounds)]
        drawn = [[kinds_in(hand) for hand in each] for each in hands]
        sorted_hands = [bench_least.by_suit(order, each) for each in hands]
        works: dict[str, Callable[[], object]] = {
            "drawn at random from lists": lambda: [bench_least.draw(each, random.random) for each in drawn],  # noqa: B023
            "… of the suit led, with winner and points": lambda: [
                bench_least.play(order, each, random.random)
                for each in sorted_hands  # noqa: B023
            ],
        }
        for name, work in works.items():
            start = process_time()
            work()
            best[name] = min(best.get(name, inf), 1e6 * (process_time() - start) / rounds)
    return best


def bench_typical(ruleset: str, players: int, decks: int, each: int) -> tuple[float, float, float]:
    """Return the mean microseconds of a follow check, of the same by brute force, and of one with several cards led."""
    random = Random(SEED)
    options = effective_options(ruleset, players, {})
    trump = Trump("8", "H")
    rules, reference = trick_rules(trump, options, frozenset()), Reference(trump.rank, trump.suit, options)
    leads: list[tuple[Lead, list[int], Any]] = []
    for _ in range(60):
        play_round(rules, shuffled_hands(random, decks, players, each), random, leads)
    fast, slow, several = [], [], []
    for lead, hand, play in random.sample(leads, 1500):
        follows.forget()
        fast.append(spent(lambda lead=lead, hand=hand, play=play: rules.follow(lead, hand, play)))
        if lead.size > 1:
            several.append(fast[-1])
        names, played = names_of(kinds_in(hand)), names_of(play)
        shapes = [(unit.width, unit.length) for unit in lead.units]
        suit = GROUPS[lead.group]
        slow.append(spent(lambda a=(shapes, suit, names, played): reference.legal(*a), 1))
    return (1e6 * statistics.mean(fast), 1e6 * statistics.mean(slow), 1e6 * statistics.mean(several))


def spent(work: Callable[[], object], times: int = 3) -> float:
    """Return the seconds of `work`, the best of several runs."""
    best = float("inf")
    for _ in range(times):
        follows.forget()
        start = process_time()
        with suppress(IllegalPlay):
            work()
        best = min(best, process_time() - start)
    return best


def heap(random: Random, kinds: Sequence[int], size: int, widths: Sequence[int]) -> list[int]:
    """Return about `size` random cards of a suit from six decks, in tuples of these widths."""
    counts = dict.fromkeys(kinds, 0)
    total = 0
    for _ in range(200):
        kind = random.choice(kinds)
        number = min(random.choice(widths), 6 - counts[kind], size - total)
        counts[kind] += number
        total += number
    return [kind for kind, count in counts.items() for _ in range(count)]


def big_throws(number: int, *, house_rules: bool) -> Iterator[tuple[TrickRules, Lead, list[int], list[int], list[int]]]:
    """Yield rules, throws of up to thirty cards, and hands full of tuples that must follow: six decks, twelve seats."""
    random = Random(SEED)
    base = effective_options("finding_friends", 12, {})
    for _ in range(number):
        changed = {
            "equal_rank_tractors": random.choice(["apart", "adjacent", "no_gap"]),
            "protect_larger": random.random() < 0.2,
            "trump_throw_compare": random.choice(["largest_unit", "all_units"]),
            "twos_always_trump": random.random() < 0.3,
        }
        if house_rules:
            changed |= HOUSE_RULES | {
                "trump_throw_compare": random.choice(["all_units", "highest_card", "longest_first"]),
                "throw_structure": random.choice(["units", "added_up", "tuples"]),
                "protect_larger": (protected := random.random() < 0.3),
                "protect_by_rungs": protected and random.random() < 0.5,
            }
        rules = trick_rules(Trump(random.choice(RANKS), random.choice([*SUITS, None])), base | changed, frozenset())
        group = random.choice([group for group in range(TRUMPS + 1) if rules.order.groups[group]])
        kinds = rules.order.groups[group]
        widths = random.choice([[1, 2, 2, 2, 3], [2], [2, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5, 6], [3, 2]])
        lead = rules.lead(heap(random, kinds, 30, widths))
        widths = random.choice([[2], [2, 2, 3], [3], [3, 4], [3, 3, 2], [1, 2, 3, 4], [2, 4, 6], [1, 3, 5]])
        hand = heap(random, kinds, lead.size + random.choice([1, 2, 4, 6, 10, 20]), widths)
        first, second = (heap(random, rules.order.groups[TRUMPS], lead.size, widths) for _ in range(2))
        if len(hand) >= lead.size == len(first) == len(second):
            yield rules, lead, hand, first, second


def bench_worst(number: int = 1500, *, house_rules: bool = False) -> dict[str, tuple[float, float]]:
    """Return for each question about big throws the 99th percentile and the maximum, in milliseconds."""
    # A garbage collection during a question would distort its time.
    gc.disable()
    random = Random(SEED)
    durations: dict[str, list[float]] = {}
    for rules, lead, cards, first, second in big_throws(number, house_rules=house_rules):
        hand = counts_of(cards)
        rules.plays(hand, lead, limit=1)
        at_random = random.sample(cards, lead.size)
        example = rules.example(hand, lead)
        questions: dict[str, Callable[[], object]] = {
            "follow, legal": lambda: rules.follow(lead, hand, example),  # noqa: B023
            "follow, at random": lambda: rules.follow(lead, hand, at_random),  # noqa: B023
            "required": lambda: rules.required(lead, hand),  # noqa: B023
            "plays, 20": lambda: rules.plays(hand, lead, 20),  # noqa: B023
            "random play": lambda: rules.random_play(hand, lead, random),  # noqa: B023
            "winner": lambda: rules.winner(lead, [lead.cards, first, second]),  # noqa: B023
            "throw test, 11 hands": lambda: rules.throw(lead, [hand] * 11),  # noqa: B023
        }
        for name, question in questions.items():
            durations.setdefault(name, []).append(1e3 * spent(question))
    return {name: (sorted(times)[len(times) * 99 // 100], max(times)) for name, times in durations.items()}


def main() -> None:
    """Print all figures."""
    rounds, floor = max(bench_rounds(300) for _ in range(7)), least()
    follow = {
        ruleset: bench_typical(ruleset, players, decks, each)
        for ruleset, players, decks, each in (("shengji", 4, 2, 25), ("finding_friends", 12, 6, 26))
    }
    worst = bench_worst()
    house = bench_worst(house_rules=True)
    print(f"Seed {SEED}; a random legal play for every seat, until all cards are played.")
    report.table(
        ("one follow check, µs", "any lead", "several cards led", "brute force", "brute force takes"),
        (
            (ruleset, f"{fast:.1f}", f"{several:.1f}", f"{slow:.0f}", f"{slow / fast:.0f} times as long")
            for ruleset, (fast, slow, several) in follow.items()
        ),
    )
    report.table(
        (
            "throws of 30 cards at hands full of tuples, 12 seats, 6 decks, ms",
            *("p99", "worst", "with every house rule, p99", "worst"),
        ),
        ((name, *(f"{time:.2f}" for time in (*worst[name], *house[name]))) for name in worst),
    )
    report.table(
        ("the least that a round of 100 single cards takes in plain Python", "µs", "rounds a second"),
        (
            (name, f"{spent:.0f}", f"{1e6 / spent:,.0f}")
            for name, spent in {**floor, "the rules: units, throws, all that may follow": 1e6 / rounds}.items()
        ),
    )
    report.aim("random legal rounds of shengji a second, rules alone", rounds, at_least=10_000)
    report.aim("µs of a typical follow check", max(fast for fast, *_ in follow.values()), at_most=50)
    report.aim("ms of the worst follow check", max(worst[name][1] for name in worst if "follow" in name), at_most=5)


if __name__ == "__main__":
    main()
