"""Differences between two searching players, and the gain of the first one's plays over the other's.

Rounds are played by `normal`. Both players answer some of its decisions. If they differ, both plays are valued in three
ways: in fresh possible deals by the first player's search; with `normal` playing on, in likely deals of the second
player's search; and likewise in the true deal. With `normal` playing on, the value is the seat's levels minus the mean
of the others'. A match shows the sum of all this, but in games with friends, where most sides are mixed, noise hides
it.

    python -m laboratory.differing expert hard --ruleset zhaopengyou --players 6 --first 1450000 --deals 130

Each deal is saved as soon as it is played, and the same command continues where it stopped (`laboratory.saved`).
"""

import argparse
import copy
import random
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

from harness.ai_table import Table, quick_options
from laboratory import saved
from laboratory.ai_match import played, summary
from service.rules.cards import kinds_of
from service.rules.options.rulesets import RULESETS
from workers.ai import EFFORTS, LEVELS, Command, answer
from workers.ai.heuristics.playing import ranked
from workers.ai.judging import compared
from workers.ai.knowledge.seat import Knowledge, View
from workers.ai.search.searching import Simulation

#: Share of the decisions that both players answer.
SHARE = 0.2
#: Number of likely deals in which `normal` plays on.
LIKELY = 20


def by_normal(_: int, view: View) -> Command:
    """Return the answer of `normal`."""
    return answer(LEVELS["normal"], view, b"on")


def played_on(table: Table, seat: int, command: Command) -> float:
    """Return the levels that a seat gains, minus the mean of the others, with this answer and `normal` playing on."""
    table = copy.copy(table)
    table.step(lambda _, __: command)
    while not table.results:
        table.step(by_normal)
    result = table.results[0]
    others = len(table.state["seats"]) - 1
    won = [(each in result["declarers"]) == (result["side"] == "declarers") for each in range(others + 1)]
    gains = [result["levels"] * each for each in won]
    return float(gains[seat] - (sum(gains) - gains[seat]) / others)


def likely(table: Table, simulation: Simulation) -> Table:
    """Return the table with likely hidden cards for the seat of a simulation."""
    world, indices = simulation.world(), simulation.game.indices
    hands = [indices.counts(world.hand(seat)) for seat in range(world.players)]
    table = copy.copy(table)
    table.state = {**table.state, "round": {**table.state["round"], "hands": hands, "discard": world.kitty}}
    return table


def differences(names: tuple[str, str], ruleset: str, players: int, deal: int) -> dict[str, Any]:
    """Compare two players in a round.

    Returns:
        `deal`: its number; `decisions`: number of decisions; `differ`: for each difference the cards in hand, the
            gain in fresh deals, its standard error, the gain in the true deal, whether the second player agrees with
            `normal`, and the gain in likely deals.
    """
    first, second = names
    table = Table(ruleset, players, quick_options(ruleset, deal), deal)
    chance = random.Random(deal)
    decisions, differ = 0, []

    def choose(seat: int, view: dict[str, Any]) -> Command:
        nonlocal decisions
        usual = by_normal(seat, view)
        if view["decision"]["kind"] != "play" or chance.random() >= SHARE:
            return usual
        knowledge = Knowledge(view, memory=True)
        if len(ranked(knowledge)) == 1:
            return usual
        decisions += 1
        seed = f"{deal}:{view['version']}".encode()
        one, other = (answer(LEVELS[name], view, seed) for name in (first, second))
        if sorted(one["cards"]) != sorted(other["cards"]):
            fresh = random.Random(seed + b"fresh")
            simulation = Simulation(view, knowledge, fresh, thorough=EFFORTS[first].thorough)
            plays = [tuple(kinds_of(play["cards"])) for play in (one, other)]
            gain, error, _ = compared(simulation, *plays, EFFORTS[first])
            same = sorted(other["cards"]) == sorted(usual["cards"])
            chances = Simulation(view, knowledge, fresh, thorough=EFFORTS[second].thorough)
            tables = [table, *(likely(table, chances) for _ in range(LIKELY))]
            true, *others = [played_on(each, seat, one) - played_on(each, seat, other) for each in tables]
            differ.append(
                [len(view["my"]["hand"]), round(gain, 4), round(error, 4), true, same, round(fmean(others), 4)]
            )
        return usual

    while not table.results:
        table.step(choose)
    return {"deal": deal, "asked": decisions, "differ": differ}


def report(differing: Sequence[Mapping[str, Any]]) -> None:
    """Print the frequency of differences, and the mean gains with the half widths of their 95 % intervals."""
    differ = [each for deal in differing for each in deal["differ"]]
    print(f"{len(differing)} deals, {sum(deal['asked'] for deal in differing)} decisions, {len(differ)} differences")
    for what, column in (("fresh deals", 1), ("likely deals", 5), ("the true deal", 3)):
        if len(differ) > 1:
            mean = summary([{"level": each[column]} for each in differ])
            print(f"  in {what} {mean.level:+.4f} ± {mean.half:.4f} levels")


def main() -> None:
    """Compare players in the deals of the command line, and print a report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs=2, metavar="player", choices=list(EFFORTS))
    parser.add_argument(
        "--ruleset",
        default="zhaopengyou",
        choices=[name for name, each in RULESETS.items() if each.family == "shengji"],
    )
    parser.add_argument("--players", type=int, default=6)
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    parser.add_argument("--deals", type=int, default=10)
    parser.add_argument("--save", type=Path, default=saved.FOLDER, metavar="FOLDER", help="save each deal there")
    options = parser.parse_args()
    name = f"differing-{options.ruleset}-{options.players}-{'-'.join(options.names)}"
    deals = range(options.first, options.first + options.deals)
    play = partial(differences, tuple(options.names), options.ruleset, options.players)
    report(list(played(name, options.save, deals, play)))


if __name__ == "__main__":
    main()
