"""Pauses, changes of seats and clocks, take-backs and claims, mixed at random: tables stay consistent.

`python -m tests.game.test_mixes 1000 7` plays 1,000 random tables from seed 7 on.
"""

import random
import sys
from collections import Counter

import pytest

from harness.driver import Driver
from service.game.events.evolve import fold
from service.game.records import record, replay
from service.game.state.rules import composition_of
from service.game.views.types import OPEN
from service.game.views.view import viewer_of
from service.rules.cards import KINDS
from tests.game.mix import Mix
from tests.game.test_fold import Client
from tests.support.sorting import by_day

GAMES = [("sishifen", 4), ("shengji", 4), ("zhaopengyou", 5), ("tractor", 4), ("arms_length", 4)]
MOST_STEPS = 1_200


def all_cards_are_somewhere(state):
    """Assert that each card of the round is in exactly one place: a hand, the cards played, or the kitty."""
    table_round = state["round"]
    if table_round is None or table_round["deck"] is not None:
        return
    cards = [sum(hand[kind] for hand in table_round["hands"]) + table_round["played"][kind] for kind in range(KINDS)]
    for kind in table_round["kitty"] or table_round["discard"] or ():
        cards[kind] += 1
    assert cards == list(composition_of(state).copies)


def play(seed):
    """Play two rounds of a random table and return the mix."""
    chance = random.Random(seed)
    ruleset, players = chance.choice(GAMES)
    driver = Driver(
        ruleset,
        players,
        seed=seed,
        ai=[seat for seat in range(1, players) if chance.random() < 0.4],
        take_back=True,
        claims=True,
        pause_limit_ms=120_000,
        spectators=chance.choice(["delayed", "open"]),
        practice=chance.choice([None, "seed"]),
    )
    mix = Mix(driver, seed)
    clients = [Client(driver.state, player, driver.now) for player in ("p0", None)]
    assert viewer_of(driver.state, None) in (None, OPEN)
    for _ in range(MOST_STEPS):
        if driver.state["status"] != "playing" or driver.state["game"]["round"] > 2:
            break
        mix.step(0.25)
        all_cards_are_somewhere(driver.state)
        if chance.random() < 0.1:
            for client in clients:
                client.catch_up(driver)
    assert fold(driver.log) == driver.state
    written = record.record(record.game_log(driver.log, driver.state["game"]["id"]), driver.now)
    assert replay.check(written)["ok"], replay.check(written)
    return mix


@pytest.mark.parametrize("seed", by_day(range(4), range(40)))
def test_a_table_with_mixed_commands_can_be_followed_folded_and_replayed(seed):
    mix = play(seed)
    # Refused commands test nothing, so most offers must be possible.
    assert mix.accepted.total() >= 9 * mix.refused.total(), mix.refused


def main(tables, seed):
    accepted, refused = Counter(), Counter()
    for number in range(seed, seed + tables):
        mix = play(number)
        accepted.update(mix.accepted)
        refused.update(mix.refused)
    print(accepted.total() / (accepted.total() + refused.total()), dict(accepted), dict(refused))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
