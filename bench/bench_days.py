"""Days that a round takes at a table by correspondence, without standing orders and with them.

    python -m bench.bench_days [--rounds 12] [--hours 8]

Four people look once in so many hours, each at a time of their own; the clock is moved, nothing waits. Whoever looks
answers the open decision if it is theirs, as the AI player `normal` would, and with orders leaves some behind. The
orders of the last row are what one writes without knowing what will be led: a claim, forced plays, points for the
partner, a card to lead, and for each suit the highest card if that is an ace or a joker, else the lowest. Whoever
cannot follow suit still decides by hand. The baseline are the same deals without orders.
"""

import argparse
import random
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from bench import report
from harness.memory import MemoryStandingOrderStore
from harness.tables import House
from service.game.state.queries import waited_for
from service.game.views.ai_view import ai_view
from service.rules.cards import SUITS
from service.standing import StandingOrders
from service.standing.orders import StandingOrder
from workers import ai

HOUR_MS: Final = 3_600_000
DAY_MS: Final = 24 * HOUR_MS
#: The card that is highest in its suit, of those that somebody may hold who orders it.
_HIGHEST: Final = {**{suit: "A" + suit for suit in SUITS}, "trumps": "BJ"}

View = Mapping[str, Any]


def no_orders(_: View) -> list[StandingOrder]:
    """Return nothing: the player decides all."""
    return []


def forced_alone(_: View) -> list[StandingOrder]:
    """Return the order to make forced plays."""
    return [{"do": "forced"}, {"do": "ready"}]


def all_orders(view: View) -> list[StandingOrder]:
    """Return what a player may leave behind who does not know what will be led."""
    held = view["my"]["hand"]
    passes: StandingOrder = {"do": "pass", "decisions": ["declare"]}
    orders: list[StandingOrder] = [{"do": "claim"}, {"do": "forced"}, {"do": "partner"}, {"do": "ready"}, passes]
    for led, card in _HIGHEST.items():
        orders.append({"do": "highest" if card in held else "lowest", "led": led})
    leads = [card for card in held if card in _HIGHEST.values()] or held[-1:]
    return [*orders, *({"do": "cards", "led": "nothing", "cards": [card]} for card in leads[:6])]


def days_of_a_round(seed: int, hours: int, orders_of: Callable[[View], Sequence[StandingOrder]]) -> tuple[float, float]:
    """Play a round; return the days that it took, and the share of plays that orders made."""
    house, rng = House(seed=seed), random.Random(seed)
    standing = StandingOrders(MemoryStandingOrderStore(house.clock), house.tables, rng.randbytes)
    house.tables.stand(standing)
    table = house.table(clock={"correspondence": {"decision_hours": 72}}, claims=True)
    began, apart = house.clock.now, hours * HOUR_MS
    looks = [began + round(rng.random() * apart) for _ in range(4)]
    while not (state := house.state(table))["game"]["results"]:
        seat = min(range(4), key=looks.__getitem__)
        due = house.due_at(table)
        if due is not None and due < looks[seat]:
            house.clock.now = max(house.clock.now, due)
            house.tables.advance(table, None, ai.choose)
            continue
        house.clock.now, looks[seat] = looks[seat], looks[seat] + apart
        if seat in waited_for(state):
            choice = ai.choose(ai_view(state, seat, house.clock.now), seed.to_bytes(4, "big"), "normal")
            house.act(table, seat, choice["type"], **{name: choice[name] for name in _SENT if name in choice})
        after = house.state(table)
        if after["round"] is not None and not after["game"]["results"]:
            standing.set(table, f"p{seat}", orders_of(ai_view(after, seat, house.clock.now)))
    acts = sum(len(standing.own(table, f"p{seat}").acts) for seat in range(4))
    plays = sum(event["type"] == "played" for event in house.log(table))
    return (house.clock.now - began) / DAY_MS, acts / plays


_SENT: Final = ("cards", "calls", "units")


def main() -> None:
    """Play the rounds and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=12, help="number of rounds")
    parser.add_argument("--hours", type=int, default=8, help="hours between two looks of a person")
    options = parser.parse_args()
    kinds = {"none": no_orders, "forced plays": forced_alone, "all of the text above": all_orders}
    days: dict[str, list[float]] = {}
    shares: dict[str, list[float]] = {}
    for name, orders_of in kinds.items():
        played = [days_of_a_round(seed, options.hours, orders_of) for seed in range(options.rounds)]
        days[name], shares[name] = [each for each, _ in played], [share for _, share in played]
    base = statistics.mean(days["none"])
    report.table(
        ["orders", "days", "least", "most", "ratio", "acts of orders a play"],
        [
            [
                name,
                f"{statistics.mean(each):.1f}",
                f"{min(each):.1f}",
                f"{max(each):.1f}",
                f"{statistics.mean(each) / base:.2f}",
                f"{statistics.mean(shares[name]):.2f}",
            ]
            for name, each in days.items()
        ],
    )
    report.aim(
        "days with all orders, of those without", statistics.mean(days["all of the text above"]) / base, at_most=1 / 3
    )


if __name__ == "__main__":
    main()
