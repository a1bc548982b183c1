"""How well AI players play, against each other.

Two players meet on the same deals with the sides swapped (teams) or with the seats rotated (friends), so that luck of
the deal falls out; a deal is one sample. Prints the signed change of rank per round for the first player's seats less
that of the others ('level'), and its standard error. The null arm plays a player against itself and must sit at zero.

    python -m bench.ai_match easy random --deals 100
    python -m bench.ai_match                           # what the levels must show
"""

import argparse
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.ai_table import Table
from service.rules.cards import RANKS
from service.rules.options.rulesets import RULESETS
from workers.ai import LEVELS, Command, Player, answer, by_rules
from workers.ai.playing import Style

#: The levels, and yardsticks besides.
PLAYERS: Mapping[str, Player] = {**LEVELS, "easy-without-noise": by_rules(Style(memory=False, noise=0.0))}

#: Players, ruleset, number of players, and the level that must lie below the lower 95 % bound.
MUST_SHOW = (
    ("easy", "random", "shengji", 4, 0.80),
    ("normal", "easy-without-noise", "shengji", 4, 0.25),
    ("easy", "easy", "shengji", 4, None),
)


class Match:
    """Rounds between two players.

    Args:
        names: the two players, keys of `PLAYERS`.
        ruleset, players: what is played.
    """

    def __init__(self, names: Sequence[str], ruleset: str, players: int) -> None:
        self.names, self.ruleset, self.players = names, ruleset, players
        self.milliseconds: dict[str, list[float]] = {name: [] for name in names}
        self.by_role: dict[str, list[float]] = {}

    def sample(self, deal: int) -> float:
        """Return the level of the first player on one deal, over both ways of sharing out the seats."""
        ways = ([0, 1] * self.players)[: self.players], ([1, 0] * self.players)[: self.players]
        return statistics.mean(self._round(deal, way, seats) for way, seats in enumerate(ways))

    def _round(self, deal: int, way: int, seats: Sequence[int]) -> float:
        options: dict[str, Any] = {}
        if RULESETS[self.ruleset].family == "shengji":
            options = {"deal_pace": "instant", "start_level": RANKS[deal % len(RANKS)]}
        table = Table(self.ruleset, self.players, options, deal)

        def choose(seat: int, seen: dict[str, Any]) -> Command:
            name = self.names[seats[seat]]
            begin = time.process_time()
            command = answer(PLAYERS[name], seen, f"{deal}:{way}:{seen['version']}:{seat}".encode())
            self.milliseconds[name].append(1000 * (time.process_time() - begin))
            return command

        while not table.results:
            table.step(choose)
        return self._level(table.results[0], seats)

    def _level(self, result: Mapping[str, Any], seats: Sequence[int]) -> float:
        sums = [0.0, 0.0]
        if "scores" in result:
            gains = [result["scores"][seat % 2] for seat in range(self.players)]
        else:
            own = [seat in result["declarers"] for seat in range(self.players)]
            gains = [result["levels"] if mine == (result["side"] == "declarers") else 0 for mine in own]
            role = "declarers" if seats[result["declarer"]] == 0 else "attackers"
        for seat, player in enumerate(seats):
            sums[player] += gains[seat] / seats.count(player)
        level = sums[0] - sums[1]
        if "scores" not in result:
            self.by_role.setdefault(role, []).append(level)
        return level


def play(match: Match, deals: range, bound: float | None) -> Iterator[str]:
    """Play the deals and yield the lines of the report; `bound` is what the lower 95 % bound must exceed."""
    samples = [match.sample(deal) for deal in deals]
    level = statistics.mean(samples)
    error = statistics.stdev(samples) / len(samples) ** 0.5
    won = statistics.mean((sample > 0) + 0.5 * (sample == 0) for sample in samples)
    first, second = match.names
    yield f"{first} against {second}, {match.ruleset} with {match.players}, deals {deals.start}-{deals.stop - 1}"
    yield f"  level per round {level:+.3f} ± {error:.3f}, at least {level - 1.96 * error:+.3f}; pairs won {won:.1%}"
    if bound is not None:
        yield f"  must be more than {bound:+.2f}: {'shown' if level - 1.96 * error > bound else 'NOT shown'}"
    for role, levels in sorted(match.by_role.items()):
        yield f"  as {role} {statistics.mean(levels):+.3f} in {len(levels)} rounds"
    for name, times in match.milliseconds.items():
        cuts = statistics.quantiles(times, n=20)
        yield f"  {name}: {len(times)} moves, CPU p50 {cuts[9]:.2f} ms, p95 {cuts[18]:.2f} ms, most {max(times):.1f} ms"


def main() -> None:
    """Play what the command line says, or everything that the levels must show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[[], *PLAYERS], metavar="player", help=", ".join(PLAYERS))
    parser.add_argument("--ruleset", default="shengji", choices=list(RULESETS))
    parser.add_argument("--players", type=int)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    given = parser.parse_args()
    deals = range(given.first, given.first + given.deals)
    if given.names:
        players = given.players or RULESETS[given.ruleset].players[0]
        arms: Sequence[tuple[str, str, str, int, float | None]] = (
            (given.names[0], given.names[-1], given.ruleset, players, None),
        )
    else:
        arms = MUST_SHOW
    for first, second, ruleset, players, bound in arms:
        print(*play(Match((first, second), ruleset, players), deals, bound), sep="\n")


if __name__ == "__main__":
    main()
