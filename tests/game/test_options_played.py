"""Any options that are accepted can be played: random tables of all rulesets.

`python -m tests.game.test_options_played 3000 7` plays 3,000 tables from seed 7 on.
"""

import random
import sys
import traceback
from typing import Any

import pytest

from harness.driver import Driver
from harness.options import SIZES, levels_worth, some_options
from service.common.errors import InvalidOption
from service.game.records import record, replay
from service.game.state.rules import chosen_options, options_of
from service.rules.options.rulesets import effective_options
from tests.game.watch import Watch
from tests.support.sorting import by_day


def play(ruleset: str, players: int, options: dict[str, Any], seed: int, rounds: int = 1) -> Driver:
    """Play rounds with random legal moves under a `Watch`, and check the record."""
    driver = Driver(ruleset, players, options, seed=seed, ai_pace_ms=0)
    driver.throws = 0.4
    Watch(driver, sampled=25)
    for _ in driver.rounds(rounds):
        pass
    assert effective_options(ruleset, players, chosen_options(driver.state)) == options_of(driver.state)
    game = record.game_log(driver.log, driver.state["game"]["id"])
    verdict = replay.check(record.record(game, driver.now))
    assert verdict["ok"], verdict
    return driver


def random_table(seed: int) -> tuple[str, int, dict[str, Any]]:
    """Return the ruleset, the number of players and the options of the random table of this seed."""
    chance = random.Random(seed)
    ruleset, players = chance.choice(SIZES)
    options = some_options(ruleset, players, chance.choice([3, 8, 20, 60]), chance)
    if ruleset != "arms_length":
        options = levels_worth(ruleset, players, options, chance)
        options["deal_pace"] = "timed" if chance.random() < 0.1 else "instant"
        # Rounds of dozens of decks are long and test nothing new.
        if (options.get("decks") or 0) > players:
            del options["decks"]
    return ruleset, players, options


def play_random(seed: int) -> None:
    ruleset, players, options = random_table(seed)
    try:
        effective_options(ruleset, players, options)
    except InvalidOption:
        options = {"deal_pace": "instant"}
    play(ruleset, players, options, seed, rounds=1 + (seed % 5 == 0))


MANY = [range(first, first + 10) for first in range(0, 200, 10)]


@pytest.mark.parametrize("seeds", by_day(MANY[:3], MANY), ids=str)
def test_tables_with_random_options_can_be_played_to_the_end_of_a_round(seeds: range) -> None:
    for seed in seeds:
        play_random(seed)


def main() -> None:
    count, first = int(sys.argv[1]), int(sys.argv[2])
    failed = []
    for seed in range(first, first + count):
        try:
            play_random(seed)
        except Exception:  # noqa: BLE001 - it is reported, and the next table is played
            failed.append(seed)
            print(seed, random_table(seed))
            traceback.print_exc(limit=-3, file=sys.stdout)
            sys.stdout.flush()
    print(f"{count} tables from seed {first}: {len(failed)} failed: {failed}")


if __name__ == "__main__":
    main()
