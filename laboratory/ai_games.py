"""Whole games between two levels of AI players, for measuring the ratings of levels (`bench.bench_ratings`).

    python -m laboratory.ai_games easy normal --deals 100
    python -m laboratory.ai_games normal hard --ruleset arms_length --deals 50

Every second seat has the first level. Each seed is played twice, with the levels swapped. Games are saved as soon as
they are played, and the same command continues where it stopped (`laboratory.saved`).
"""

import argparse
import statistics
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from harness.ai_table import Table
from laboratory import saved
from laboratory.ai_match import level_gained, played
from service.rules.options.rulesets import RULESETS
from service.tables.parts import winners_of
from workers.ai import LEVELS, Command, answer


class Games(NamedTuple):
    """The games saved under a name: those of a ruleset between two levels."""

    ruleset: str
    players: int
    levels: tuple[str, str]

    @property
    def name(self) -> str:
        """The name under which the games are saved."""
        return f"games-{self.ruleset}-{self.players}-{'-'.join(self.levels)}"


def sample(games: Games, deal: int) -> dict[str, Any]:
    """Play a seed both ways.

    Returns:
        `deal`: the seed; `games`: for each the `levels` of its seats, the `winners`, the number of `rounds`, and the
            `gain` of the first level over the other, in levels per round.
    """
    return {"deal": deal, "games": [_game(games, deal, way) for way in range(2)]}


def _game(games: Games, deal: int, way: int) -> dict[str, Any]:
    options = {"deal_pace": "instant"} if RULESETS[games.ruleset].family == "shengji" else {}
    table = Table(games.ruleset, games.players, options, deal)
    sides = [(seat + way) % 2 for seat in range(games.players)]

    def choose(seat: int, view: dict[str, Any]) -> Command:
        player = LEVELS[games.levels[sides[seat]]]
        return answer(player, view, f"{deal}:{view['version']}:{seat}".encode())

    while table.state["game"]["ended"] is None:
        table.step(choose)
    return {
        "levels": [games.levels[side] for side in sides],
        "winners": sorted(winners_of(table.state)),
        "rounds": len(table.results),
        "gain": round(statistics.mean(level_gained(result, sides)[1] for result in table.results), 4),
    }


def saved_games() -> Iterator[tuple[Games, Sequence[Mapping[str, Any]]]]:
    """Yield all saved games."""
    for name in saved.names():
        kind, _, rest = name.partition("-")
        if kind == "games":
            ruleset, players, *levels = rest.split("-")
            rows = saved.read(name).values()
            yield Games(ruleset, int(players), (levels[0], levels[1])), [game for row in rows for game in row["games"]]


def main() -> None:
    """Play the games given on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels", nargs=2, metavar="level", choices=list(LEVELS))
    parser.add_argument("--ruleset", choices=list(RULESETS), help="default: all")
    parser.add_argument("--deals", type=int, default=100, help="seeds; each is played twice")
    options = parser.parse_args()
    for ruleset in [options.ruleset] if options.ruleset else RULESETS:
        games = Games(ruleset, RULESETS[ruleset].players[0], tuple(options.levels))
        rows = list(played(games.name, saved.FOLDER, range(options.deals), partial(sample, games)))
        won = statistics.mean(
            game["levels"][seat] == options.levels[0]
            for row in rows
            for game in row["games"]
            for seat in game["winners"]
        )
        print(f"{games.name}: {len(rows)} seeds; {won:.1%} of those who won were {options.levels[0]}", flush=True)


if __name__ == "__main__":
    main()
