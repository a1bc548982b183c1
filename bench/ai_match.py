"""How well AI players play, against each other.

Two players meet on the same deals with the sides swapped (teams) or with the seats rotated (friends), so that luck of
the deal falls out; a deal is one sample. Prints the signed change of rank per round for the first player's seats less
that of the others ('level'), and its standard error. The null arm plays a player against itself and must sit at zero.

    python -m bench.ai_match easy random --deals 100
    python -m bench.ai_match                           # what the levels must show
"""

import argparse
import random
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from service.game import clock
from service.game.creation import create_table
from service.game.decide import catch_up, decide, decide_for_ai
from service.game.state import State
from service.game.view import view
from service.rules.cards import RANKS
from service.rules.rulesets import RULESETS
from workers.ai import LEVELS, Player, answer, by_rules
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
        options: besides `deal_pace` and `start_level`.
    """

    def __init__(self, names: Sequence[str], ruleset: str, players: int, options: Mapping[str, Any]) -> None:
        self.names, self.ruleset, self.players, self.options = names, ruleset, players, options
        self.milliseconds: dict[str, list[float]] = {name: [] for name in names}
        self.by_role: dict[str, list[float]] = {}

    def sample(self, deal: int) -> float:
        """Return the level of the first player on one deal, over both ways of sharing out the seats."""
        ways = ([0, 1] * self.players)[: self.players], ([1, 0] * self.players)[: self.players]
        return statistics.mean(self._round(deal, way, seats) for way, seats in enumerate(ways))

    def _round(self, deal: int, way: int, seats: Sequence[int]) -> float:
        chance = random.Random(deal)
        now = 0
        state = self._table(deal, chance)
        while not state["game"]["results"]:
            asked = clock.ai_seats_asked(state)
            if not asked:
                wake = clock.wake_at(state)
                assert wake is not None
                now = max(now, wake)
                state = catch_up(state, now, chance.randbytes).state
                continue
            seat = asked[0]
            seen = view(state, seat, now)
            name = self.names[seats[seat]]
            begin = time.perf_counter()
            command = answer(PLAYERS[name], seen, f"{deal}:{way}:{state['version']}:{seat}".encode())
            self.milliseconds[name].append(1000 * (time.perf_counter() - begin))
            state = decide_for_ai(state, seat, command, now, chance.randbytes).state
        return self._level(state, seats)

    def _table(self, deal: int, chance: random.Random) -> State:
        options = dict(self.options)
        if RULESETS[self.ruleset].family == "shengji":
            options = {"deal_pace": "instant", "start_level": RANKS[deal % len(RANKS)], **options}
        spec = {"ruleset": self.ruleset, "players": self.players, "options": options, "seed": f"match {deal}"}
        state = create_table("tb_match", "host", spec, 0, chance.randbytes).state
        for seat in range(self.players):
            command = {"type": "seat_ai", "player": "host", "seat": seat, "level": "easy"}
            state = decide(state, command, 0, chance.randbytes).state
        return state

    def _level(self, state: State, seats: Sequence[int]) -> float:
        result = state["game"]["results"][0]
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


def play(match: Match, deals: range) -> Iterator[str]:
    """Play the deals and yield the lines of the report."""
    samples = [match.sample(deal) for deal in deals]
    level = statistics.mean(samples)
    error = statistics.stdev(samples) / len(samples) ** 0.5
    won = statistics.mean((sample > 0) + 0.5 * (sample == 0) for sample in samples)
    first, second = match.names
    yield f"{first} against {second}, {match.ruleset} with {match.players}, deals {deals.start}-{deals.stop - 1}"
    yield f"  level per round {level:+.3f} ± {error:.3f}, at least {level - 1.96 * error:+.3f}; pairs won {won:.1%}"
    for role, levels in sorted(match.by_role.items()):
        yield f"  as {role} {statistics.mean(levels):+.3f} in {len(levels)} rounds"
    for name, times in match.milliseconds.items():
        cuts = statistics.quantiles(times, n=20)
        yield f"  {name}: {len(times)} moves, p50 {cuts[9]:.2f} ms, p95 {cuts[18]:.2f} ms, most {max(times):.1f} ms"


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
        print(*play(Match((first, second), ruleset, players, {}), deals), sep="\n")
        if bound is not None:
            print(f"  must be more than {bound:+.2f}")


if __name__ == "__main__":
    main()
