"""Fit the weights of rule players and simulated seats.

    python -m laboratory.fit imitation --ruleset shengji --minutes 15
    python -m laboratory.fit imitation --ruleset zhaopengyou --players 6 8 --minutes 15
    python -m laboratory.fit rules --ruleset shengji --minutes 60
    python -m laboratory.fit burying --minutes 10

`imitation` fits the weights with which simulated seats play like `normal` (`workers/ai/simulation/weights`) to its
choices in many decisions. `rules` and `burying` fit those of `normal` (`workers/ai/evaluation/weights`): simulated
seats play every option to the end of the round, and the corrections of the current weights are fitted to the results.

Rounds are dealt and bid like real ones; occasionally a seat plays a random option, so that unusual positions occur too.
Files are named after the kind of teams, `teams` or `friends`. `rules` and `burying` are fitted in games of fixed teams
alone. Decisions are collected by as many processes as there are cores.
"""

import argparse
import json
import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import prod
from pathlib import Path
from typing import Any

from harness.ai_table import Table, quick_options
from harness.fitting import Option, fitted, imitated
from service.rules.cards import kinds_in, kinds_of, names_of
from service.rules.options.rulesets import RULESETS
from workers.ai import COMPILED, NORMAL, Command, burial_of, choose
from workers.ai.evaluation.features import weights_of
from workers.ai.heuristics import playing
from workers.ai.heuristics.burying import Burial
from workers.ai.knowledge.seat import Knowledge
from workers.ai.search.discards import Discards
from workers.ai.search.searching import Simulation
from workers.ai.simulation import tables as weight_tables
from workers.ai.simulation.playout import Playout
from workers.ai.simulation.world import World

AI = Path(__file__).parent.parent / "workers" / "ai"
#: Probabilities that a decision is used, and that a seat plays a random option.
LOOKED_AT = 0.3
ODD = 0.1
#: Number of compared options: the best by the rules, and one of the others.
BEST = 5
#: Numbers of compared ways to bury: the best by the rules, others of the rules, and some with cards exchanged.
BEST_KITTIES = 10
OTHER_KITTIES = 5
ODD_KITTIES = 16
#: What is fitted -> penalty on the square of each weight.
PENALTY = {"imitation": 1.0, "rules": 600.0, "burying": 600.0}
#: Difference between the numbers of the first deals of two processes.
APART = 10_000_000
#: Feature of an option of the rules: its value by the current weights.
PRESENT = "present"


class Rows:
    """A symbolic weight, or sum of weights."""

    def __init__(self, rows: tuple[int, ...]) -> None:
        self.rows = rows

    def __add__(self, other: "Rows | float") -> "Rows":
        return Rows(self.rows + other.rows) if isinstance(other, Rows) else self

    __radd__ = __add__


class Recording(Sequence[Any]):
    """Symbolic weights, to be fitted."""

    def __getitem__(self, row: Any) -> Any:
        return Rows((row,))

    def __len__(self) -> int:
        return weight_tables.WEIGHTS


def true_world(simulation: Simulation, state: Any) -> World:
    """Return the world with the true hands."""
    indices, world = simulation.game.indices, simulation.world()
    world.deal([indices.listed(hand) for hand in state["round"]["hands"]])
    world.bury(list(state["round"]["discard"] or ()))
    if world.calls:
        world.find_friends(simulation.game)
    return world


def playout_options(simulation: Simulation, world: World) -> list[tuple[dict[Any, float], list[int]]]:
    """Return the options of a simulated seat (features and cards); empty if it has to join the declarer now."""
    playout = Playout(simulation.game, weight_tables.Weights(Recording(), list))
    trick, seat = simulation.trick, simulation.knowledge.seat
    groups = [simulation.game.indices.group[index] for index in world.hand(seat)]
    options: Sequence[tuple[Any, ...]] = ()
    may_join = trick is None or playout.weighs(trick.lead)
    if may_join and playout.called(world, seat, trick.lead.group if trick else -1) >= 0:
        return []
    if trick is None:
        options = playout.leads(world, seat)
    elif trick.lead.size == 1 and groups.count(trick.lead.group) != 1:
        options = [(score, [index]) for score, index, _ in playout.singles(world, trick, seat)]
    elif trick.lead.size == 2 and trick.lead.kind == "tuple" and playout.plain:
        options = playout.pairs(world, trick, seat)
    return [(dict.fromkeys(score.rows, 1.0), sorted(cards)) for score, cards, *_ in options]


def rule_options(simulation: Simulation, chance: random.Random) -> list[tuple[dict[Any, float], list[int]]]:
    """Return the options of the rules: features, including the value by the current weights, and cards."""
    knowledge, indices = simulation.knowledge, simulation.game.indices
    plays = list(zip(playing.rated(knowledge), playing.judged(knowledge), strict=True))
    best = sorted(plays, key=lambda play: -play[0][0])
    best = best[:BEST] + ([chance.choice(best[BEST:])] if len(best) > BEST else [])
    return [({**features, PRESENT: value}, indices.indices_of(cards)) for (value, cards), (_, _, features) in best]


def kitty_options(
    simulation: Simulation, burial: Burial, chance: random.Random
) -> list[tuple[dict[Any, float], list[int]]]:
    """Return ways to bury: features, including the value by the current weights, and cards."""
    candidates = burial.candidates()
    others = candidates[BEST_KITTIES:]
    sets = candidates[:BEST_KITTIES] + chance.sample(others, min(OTHER_KITTIES, len(others)))
    for _ in range(ODD_KITTIES):
        buried = list(chance.choice(sets))
        left = list((Counter(kinds_in(burial.hand)) - Counter(buried)).elements())
        for _ in range(chance.choice((1, 1, 2))):
            one, other = chance.randrange(len(buried)), chance.randrange(len(left))
            buried[one], left[other] = left[other], buried[one]
        sets.append(tuple(sorted(buried)))
    return [
        (
            {**burial.burial_features.features(cards), PRESENT: burial.value(cards)},
            simulation.game.indices.indices_of(cards),
        )
        for cards in dict.fromkeys(sets)
    ]


def decisions(what: str, ruleset: str, players: Sequence[int], minutes: float, first: int) -> Iterator[list[Option]]:
    """Yield decisions until the time is over; deals alternate between numbers of players."""
    end = time.monotonic() + 60 * minutes
    chance = random.Random(first)
    examples: list[list[Option]] = []
    deal = first
    while time.monotonic() < end:
        deal += 1
        table = Table(ruleset, players[deal % len(players)], quick_options(ruleset, deal), deal)
        play = _player(what, table, chance, examples)
        while not table.results and not (what == "burying" and examples):
            table.step(play)
        yield from examples
        examples.clear()


def _player(
    what: str, table: Table, chance: random.Random, examples: list[list[Option]]
) -> Callable[[int, dict[str, Any]], Command]:
    def bury(_: int, view: dict[str, Any]) -> Command:
        if view["decision"]["kind"] == "discard":
            simulation = Discards(view, Knowledge(view, memory=True), chance)
            world = true_world(simulation, table.state)
            options = kitty_options(simulation, burial_of(view, NORMAL), chance)
            examples.append([Option(features, simulation.value(world, indices)) for features, indices in options])
        return choose(view, b"fit", "normal")

    def play(_: int, view: dict[str, Any]) -> Command:
        if view["decision"]["kind"] != "play" or chance.random() > LOOKED_AT:
            return choose(view, b"fit", "normal")
        simulation = Simulation(view, Knowledge(view, memory=True), chance)
        world = true_world(simulation, table.state)
        options = rule_options(simulation, chance) if what == "rules" else playout_options(simulation, world)
        command = choose(view, b"fit", "normal")
        if len(options) > 1:
            if what == "imitation":
                picked = simulation.indices_of(kinds_of(command["cards"]))
                values = [float(indices == picked) for _, indices in options]
            else:
                values = [simulation.value(world, indices) for _, indices in options]
            # Skip the decision if the choice of `normal` is not an option, or is one of two identical ones.
            if what != "imitation" or sum(values) == 1:
                examples.append([Option(features, value) for (features, _), value in zip(options, values, strict=True)])
            if chance.random() < ODD:
                _, indices = chance.choice(options)
                return {"type": "play", "cards": names_of(simulation.game.indices.kinds_of(indices))}
        return command

    return bury if what == "burying" else play


def collected(what: str, ruleset: str, players: Sequence[int], minutes: float, first: int) -> list[list[Option]]:
    """Collect decisions, with a process for each core."""
    processes = os.cpu_count() or 1
    with ProcessPoolExecutor(processes) as pool:
        parts = [
            pool.submit(_listed, what, ruleset, players, minutes, first + number * APART) for number in range(processes)
        ]
        return [decision for part in parts for decision in part.result()]


def _listed(what: str, ruleset: str, players: Sequence[int], minutes: float, first: int) -> list[list[Option]]:
    return list(decisions(what, ruleset, players, minutes, first))


def main() -> None:
    """Fit the weights of the command line, and write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=list(PENALTY))
    parser.add_argument("--ruleset", default="shengji", choices=list(RULESETS))
    parser.add_argument("--players", type=int, nargs="+", default=[4])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--first", type=int, default=1_000_000, help="number of the first deal")
    options = parser.parse_args()
    if options.what == "imitation" and COMPILED:
        parser.error("compiled seats add up numbers, not names of weights: run this with COMPILED=0")
    teams = "friends" if RULESETS[options.ruleset].teams == "friends" else "teams"
    if options.what != "imitation" and teams == "friends":
        parser.error(f"weights of {options.what} are fitted in games of fixed teams: choose another --ruleset")
    looked = collected(options.what, options.ruleset, options.players, options.minutes, options.first)
    weights = (imitated if options.what == "imitation" else fitted)(looked, PENALTY[options.what])
    name = "burying" if options.what == "burying" else teams
    if options.what != "imitation":
        # Weights are in card points, like the values by the current ones, to which the corrections are added.
        unit = weights.pop(PRESENT)
        present = weights_of(name)
        sums = {
            str(each): round(present.get(str(each), 0.0) + weights.get(each, 0.0) / unit, 1)
            for each in {*present, *weights}
        }
        tables: Any = {each: weight for each, weight in sorted(sums.items()) if weight}
        file = AI / "evaluation" / "weights" / f"{name}.json"
    else:
        rows = iter([round(weights.get(row, 0.0), 3) for row in range(weight_tables.WEIGHTS)])
        tables = {table: [next(rows) for _ in range(prod(shape))] for table, shape in weight_tables.TABLES.items()}
        file = AI / "simulation" / "weights" / f"{name}.json"
    lines = ",\n".join(
        f"{json.dumps(each)}: {json.dumps(value, separators=(',', ':'))}" for each, value in tables.items()
    )
    file.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    print(f"{file.relative_to(AI.parent.parent)}: {len(looked)} decisions, {sum(map(len, looked))} options")


if __name__ == "__main__":
    main()
