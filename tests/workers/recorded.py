"""Recorded positions of simulated seats, with what they play and where the score of each choice comes from.

    python -m tests.workers.recorded               record anew what the positions lead to; the positions stay
    python -m tests.workers.recorded --positions   choose the positions anew, too

A score is a sum of weights, one for each feature of a play. The recordings name the rows of these weights (table ->
place in it), not their values, so that they change when features change and not when weights are fitted again. What is
played does depend on the weights. Each file in `recorded` is one game; read its diff before you commit it.
"""

import json
import sys
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from math import isqrt, prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from service.rules.cards import kinds_of, names_of
from service.rules.options.rulesets import composition, effective_options
from service.rules.tricks.trick_rules import trick_rules
from service.rules.trumps import Trump
from tests.workers.rounds import FAST, Situation, situations
from workers.ai.simulation.card_indices import indices_for
from workers.ai.simulation.hands import planes_of
from workers.ai.simulation.playout import Playout
from workers.ai.simulation.tables import TABLES, WEIGHTS, Weights, first_of
from workers.ai.simulation.trick import Trick
from workers.ai.simulation.world import Call, Game, World

FOLDER = Path(__file__).with_suffix("")
GAMES = (("shengji", 4), ("zhaopengyou", 6))
#: Most recorded positions of each kind, which is also the beginning of the names of its tables.
MOST = {"lead": 8, "suit": 12, "void": 12, "pair": 9}
#: Deals whose plays are candidates.
DEALS = range(6)
#: Names of the suit groups: printed suits, and trumps.
GROUPS = "SHDCT"

#: Table, without the kind of position -> place of its row, for instance `9.0.2`; a pair may have two rows, one a card.
Rows = dict[str, str]


class Position(NamedTuple):
    """A seat that has to play, in a world.

    Attributes:
        trick: the trick on the table; None if the seat leads.
        world: must not be modified; use a copy.
    """

    game: Game
    world: World
    seat: int
    trick: Trick | None

    @property
    def kind(self) -> str:
        """Kind of choice: `lead`, `pair`, and for a single card `suit` or `void`; empty for other leads to follow."""
        if self.trick is None:
            return "lead"
        lead = self.trick.lead
        if lead.size == 1:
            groups = {self.game.indices.group[index] for index in self.world.hand(self.seat)}
            return "suit" if lead.group in groups else "void"
        return "pair" if lead.size == 2 and lead.kind == "tuple" else ""

    def played(self) -> list[int]:
        """Return what the seat plays, as indices."""
        world, playout = self.world.copy(), Playout(self.game)
        return playout.lead(world, self.seat) if self.trick is None else playout.follow(world, self.trick)

    def options(self, weights: Weights) -> list[tuple[float, list[int]]]:
        """Return the choices that are compared, with their scores by these weights."""
        world, playout = self.world.copy(), Playout(self.game, weights)
        if self.trick is None:
            return playout.leads(world, self.seat)
        if self.trick.lead.size == 1:
            return [(score, [card]) for score, card, _ in playout.singles(world, self.trick, self.seat)]
        return [(score, cards) for score, cards, _ in playout.pairs(world, self.trick, self.seat)]


@lru_cache(maxsize=2)
def numbered(table: str, power: int) -> Weights:
    """Return weights that are powers of 1, 2, … in a table, and zero elsewhere."""
    weights = [0.0] * WEIGHTS
    at = first_of()[table]
    for number in range(prod(TABLES[table])):
        weights[at + number] = float((number + 1) ** power)
    return Weights(weights)


def added(total: int, squares: int) -> list[int]:
    """Return the numbers, one or two above zero or none, that have this sum and this sum of squares."""
    if squares == total * total:
        return [total] if total else []
    difference = isqrt(2 * squares - total * total)
    return [(total - difference) // 2, (total + difference) // 2]


def rows(position: Position) -> list[tuple[list[int], Rows]]:
    """Return the choices of a position, with the rows that make up their scores."""
    choices: list[tuple[list[int], Rows]] = []
    for table in [table for table in TABLES if table.startswith(position.kind)]:
        totals, squares = (position.options(numbered(table, power)) for power in (1, 2))
        choices = choices or [(cards, {}) for _, cards in totals]
        for (_, of_choice), (total, cards), (square, _) in zip(choices, totals, squares, strict=True):
            numbers = added(int(total), int(square))
            assert sum(numbers) == total, f"more than two rows of {table} for {cards}"
            if numbers:
                places = [np.unravel_index(each - 1, TABLES[table]) for each in numbers]
                of_choice[table.removeprefix(f"{position.kind} ")] = " ".join(".".join(map(str, at)) for at in places)
    return choices


def read(position: Mapping[str, Any]) -> Position:
    """Return a recorded position."""
    ruleset, players = position["ruleset"], position["players"]
    options = effective_options(ruleset, players, FAST)
    rules = trick_rules(Trump(*position["trump"]), options, frozenset())
    indices = indices_for(rules.order)
    game = Game(
        ruleset,
        options,
        composition(ruleset, players, options),
        rules,
        indices,
        players,
        position["declarer"],
        revealed=False,
        penalties=(),
    )

    def index(card: str) -> int:
        return indices.index[kinds_of([card])[0]]

    *hands, hidden = [indices.indices_of(kinds_of(hand.split())) for hand in (*position["hands"], position["hidden"])]
    voids = [sum(1 << seat for seat, groups in enumerate(position["voids"]) if group in groups) for group in GROUPS]
    world = World(
        planes_of([*hands, list(chain(hidden, *hands))], game.depth) + array("Q", voids),
        players,
        game.depth,
        [0] * players,
        sum(1 << seat for seat in position["shown"]),
        [Call(index(card), ordinal) for card, ordinal in position["calls"]],
        {index(card): count for card, count in position["played"].items()},
    )
    world.find_friends(game)
    trick = None
    if on_table := position["trick"]:
        trick = Trick(
            rules.lead(kinds_of(on_table["lead"].split())),
            indices.indices_of(kinds_of(on_table["best"].split())),
            on_table["best_seat"],
            on_table["points"],
            position["seat"],
            on_table["to_come"],
            on_table["size"],
        )
    return Position(game, world, position["seat"], trick)


def written(situation: Situation) -> dict[str, Any]:
    """Return the position of a situation as it is recorded."""
    view, simulation, world = situation
    game, trick, trump = simulation.game, simulation.trick, view["round"]["trump"]
    indices = game.indices

    def names(cards: Sequence[int]) -> str:
        return " ".join(names_of(indices.kinds_of(cards)))

    hands = [world.hand(seat) for seat in range(world.players)]
    hidden = world.remaining()
    for index in (index for hand in hands for index in hand):
        hidden.remove(index)
    return {
        "ruleset": game.ruleset,
        "players": game.players,
        "trump": [trump["rank"], trump["suit"]],
        "declarer": game.declarer,
        "seat": view["my"]["seat"],
        "hands": list(map(names, hands)),
        "hidden": names(hidden),
        "shown": [seat for seat in range(world.players) if world.is_open(seat)],
        "voids": [
            "".join(name for at, name in enumerate(GROUPS) if world.store[world.voids + at] >> seat & 1)
            for seat in range(world.players)
        ],
        "calls": [[names([card]), ordinal] for card, ordinal in world.calls],
        "played": {names([card]): count for card, count in world.called_counts.items()},
        "trick": trick
        and {
            "lead": " ".join(names_of(trick.lead.cards)),
            "best": names(trick.best),
            "best_seat": trick.best_seat,
            "points": trick.points,
            "to_come": trick.to_come,
            "size": trick.size,
        },
    }


def recording(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return a position with what is played, and the rows of each choice."""
    position = read(entry)
    indices = position.game.indices

    def names(cards: Sequence[int]) -> str:
        return " ".join(names_of(indices.kinds_of(cards)))

    choices = [[names(cards), of_choice] for cards, of_choice in rows(position)]
    return {"position": dict(entry), "plays": names(position.played()), "choices": choices}


def text_of(recordings: Sequence[Mapping[str, Any]]) -> str:
    """Return recordings as JSON with a line for each position, play and choice."""
    lines = []
    for each in recordings:
        choices = ",\n".join(f"   {json.dumps(choice)}" for choice in each["choices"])
        position, plays = json.dumps(each["position"]), json.dumps(each["plays"])
        lines.append(f' {{"position": {position},\n  "plays": {plays},\n  "choices": [\n{choices}\n  ]}}')
    return "[\n" + ",\n".join(lines) + "\n]\n"


def path_of(ruleset: str, players: int) -> Path:
    """Return the file of the recordings of a game."""
    return FOLDER / f"{ruleset}-{players}.json"


def recorded(ruleset: str, players: int) -> list[dict[str, Any]]:
    """Return the recordings of a game."""
    return list(json.loads(path_of(ruleset, players).read_text(encoding="utf-8")))


class Candidate(NamedTuple):
    """A position that may be recorded: as recorded, role of the seat, and (table, place) of the rows of its choices."""

    position: dict[str, Any]
    role: int
    uses: frozenset[tuple[str, str]]


def chosen(ruleset: str, players: int) -> Iterator[dict[str, Any]]:
    """Yield positions of all kinds and roles that together use as many rows as possible."""
    candidates: dict[str, list[Candidate]] = {kind: [] for kind in MOST}
    for situation in situations(ruleset, players, DEALS):
        entry = written(situation)
        position = read(entry)
        if position.kind:
            uses = frozenset(row for _, of_choice in rows(position) for row in of_choice.items())
            candidates[position.kind].append(Candidate(entry, position.world.role(position.seat), uses))
    for kind, most in MOST.items():
        yield from (each.position for each in _different(candidates[kind], most))


def _different(candidates: Sequence[Candidate], most: int) -> list[Candidate]:
    """Return so many candidates, each the one that adds the most to those before it."""
    best: list[Candidate] = []
    known: Counter[str] = Counter()
    view: set[tuple[str, str]] = set()

    def adds(each: Candidate) -> tuple[bool, float]:
        # A role that is new, then rows; those of tables of which few rows are known count most.
        is_new = all(each.role != other.role for other in best)
        return is_new, sum(1 / (1 + known[table]) for table, _ in sorted(each.uses - view))

    for _ in range(most):
        best.append(max(candidates, key=adds))
        known.update(table for table, _ in best[-1].uses - view)
        view |= best[-1].uses
    return best


def main() -> None:
    """Write the recordings."""
    FOLDER.mkdir(exist_ok=True)
    for ruleset, players in GAMES:
        anew = "--positions" in sys.argv
        positions = chosen(ruleset, players) if anew else [each["position"] for each in recorded(ruleset, players)]
        path_of(ruleset, players).write_text(text_of([recording(each) for each in positions]), encoding="utf-8")


if __name__ == "__main__":
    main()
