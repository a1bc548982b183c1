"""Strength of AI players: matches between two of them.

Each deal is played twice with the seats of the two players swapped, so that luck of the deal cancels out; a deal is one
sample. Prints the mean number of levels per round that the first player's seats gain more than the other's ('level'),
with the half width of its 95 % interval. A player against itself is the control, which must be about zero.

    python -m laboratory.ai_match easy random --deals 100
    python -m laboratory.ai_match normal normal@0473306 --ruleset zhaopengyou --players 6 --save
    python -m laboratory.ai_match hard normal --only play --until 0.12 --deals 1000

A player is a current level, `easy-without-noise`, or a level of an earlier version (`normal@<revision>`). With `--only
play` both players declare, bury and call like the current `normal`, so that only leading and following are compared.
`--only side`, for games with friends, also lets one of them play for the declarer and all holders of called cards, the
other for the rest: with alternate seats, most sides would be mixed, and the difference would hardly show. `--only seat`
puts the first player among seats of the other one, at each seat in turn; its strength is its gain over the mean of the
others, which would be zero for equal players. With `--save` each deal is saved as soon as it is played, and the same
command continues where it stopped (`laboratory.saved`).
"""

import argparse
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from harness.ai_table import Table, quick_options
from laboratory import saved
from laboratory.frozen import players_of
from service.rules.options.rulesets import RULESETS
from workers.ai import EASY, LEVELS, Command, Player, answer, by_rules

#: Number of deals between two checks of a match with `--until`.
LOOK_EVERY: int = 50
#: What is compared -> its description.
ONLY = {"play": "play only", "side": "whole sides", "seat": "one seat"}


def player_named(name: str) -> Player:
    """Return a player by name.

    Raises:
        ValueError: there is no such player.
    """
    if name == "easy-without-noise":
        return by_rules(replace(EASY, noise=0.0))
    level, _, revision = name.partition("@")
    levels = players_of(revision) if revision else LEVELS
    if level not in levels:
        raise ValueError(f"no player {name}; there are {', '.join([*LEVELS, 'easy-without-noise', 'level@revision'])}")
    return levels[level]


class Arm(NamedTuple):
    """Two players in a ruleset.

    Attributes:
        names: names of the players.
        ruleset, players: the game.
        only: `play`: both declare, bury and call like `normal`; `side`: the same, and each plays for a whole side;
            `seat`: the first has a single seat, each in turn.
    """

    names: tuple[str, str]
    ruleset: str
    players: int
    only: str | None

    @property
    def title(self) -> str:
        """The match in words."""
        first, second = self.names
        only = f", {ONLY[self.only]}" if self.only else ""
        return f"{first} against {second}, {self.ruleset} with {self.players}{only}"

    @property
    def name(self) -> str:
        """The name under which its deals are saved."""
        only = f"-{self.only}" if self.only else ""
        return f"{self.ruleset}-{self.players}{only}-{'-'.join(self.names)}"


def sample(arm: Arm, deal: int) -> dict[str, Any]:
    """Play a deal both ways, or with the first player at each seat.

    Returns:
        `deal`: its number; `level`: mean gain of the first player; `roles`: (role of the first player, level) for each
            way; `ms`: CPU times of each player's moves.
    """
    players = [player_named(name) for name in arm.names]
    if arm.only in ("play", "side"):
        players = [{**LEVELS["normal"], "play": player["play"]} for player in players]
    times: list[list[float]] = [[], []]
    ways = arm.players if arm.only == "seat" else 2
    rounds = [_round(arm, players, deal, way, times) for way in range(ways)]
    ms = {name: [round(each, 1) for each in took] for name, took in zip(arm.names, times, strict=True)}
    return {"deal": deal, "level": statistics.mean(level for _, level in rounds), "roles": rounds, "ms": ms}


def _round(arm: Arm, players: Sequence[Player], deal: int, way: int, times: Sequence[list[float]]) -> tuple[str, float]:
    """Play a deal, and return the first player's role and its gain over the other in levels.

    Args:
        arm: the match.
        players: the two players.
        deal: number of the deal.
        way: 1: with the seats of the players swapped; or the seat of the first player.
        times: collects the CPU milliseconds of each player's plays.
    """
    table = Table(arm.ruleset, arm.players, quick_options(arm.ruleset, deal), deal)
    sides = [int(seat != way) if arm.only == "seat" else (seat + way) % 2 for seat in range(arm.players)]

    def choose(seat: int, view: dict[str, Any]) -> Command:
        if arm.only == "side" and view["decision"]["kind"] == "play" and not view["round"]["played"]:
            sides[:] = [way ^ side for side in _hidden_sides(table.state["round"])]
        begin = time.process_time()
        # Use the same luck in all ways, so that a player gains nothing over itself.
        command = answer(players[sides[seat]], view, f"{deal}:{view['version']}:{seat}".encode())
        if view["decision"]["kind"] == "play":
            times[sides[seat]].append(1000 * (time.process_time() - begin))
        return command

    while not table.results:
        table.step(choose)
    return level_gained(table.results[0], sides, whole=arm.only == "side")


def _hidden_sides(state: Mapping[str, Any]) -> list[int]:
    """Return for each seat 0 if it is the declarer or holds a called card, else 1."""
    called = [call["card"] for call in state["calls"]]
    return [
        int(seat != state["declarer"] and not any(hand[kind] for kind in called))
        for seat, hand in enumerate(state["hands"])
    ]


def level_gained(result: Mapping[str, Any], sides: Sequence[int], *, whole: bool = False) -> tuple[str, float]:
    """Return the first player's role and its gain over the other in levels.

    Args:
        result: result of the round.
        sides: player of each seat.
        whole: whether each player plays for a whole side.
    """
    if whole:
        first = "declarers" if sides[result["declarer"]] == 0 else "attackers"
        gain = result["levels"] if result["side"] == first else -result["levels"]
        return first[:-1], float(gain)
    if "scores" in result:
        role, gains = "partners", [result["scores"][seat % 2] for seat in range(len(sides))]
    else:
        own = [seat in result["declarers"] for seat in range(len(sides))]
        gains = [result["levels"] if mine == (result["side"] == "declarers") else 0 for mine in own]
        role = "declarer" if sides[result["declarer"]] == 0 else "attacker"
    sums = [0.0, 0.0]
    for seat, player in enumerate(sides):
        sums[player] += gains[seat] / sides.count(player)
    return role, sums[0] - sums[1]


def played(
    name: str, folder: Path | None, deals: range, play: Callable[[int], dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield the outcome of each deal, as saved, or else by playing it and, if there is a folder, saving it.

    CPU times are not saved, since deals may be played by a compiled build, or in parallel.
    """
    known = saved.read(name, folder) if folder else {}
    for deal in deals:
        if deal not in known:
            known[deal] = play(deal)
            if folder:
                saved.append(name, folder, {key: value for key, value in known[deal].items() if key != "ms"})
        yield known[deal]


class Summary(NamedTuple):
    """The outcome of a match: deals, mean level, half width of its 95 % interval, and share of deals won."""

    deals: int
    level: float
    half: float
    won: float

    @property
    def least(self) -> float:
        """Lower bound of the 95 % interval."""
        return self.level - self.half


def summary(samples: Sequence[Mapping[str, Any]]) -> Summary:
    """Return the outcome of at least two deals."""
    levels = [each["level"] for each in samples]
    half = 1.96 * statistics.stdev(levels) / len(levels) ** 0.5
    won = statistics.mean((level > 0) + 0.5 * (level == 0) for level in levels)
    return Summary(len(levels), statistics.mean(levels), half, won)


def cpu(samples: Sequence[Mapping[str, Any]]) -> Mapping[str, tuple[float, float]]:
    """Return for each player the median and the 95th percentile of CPU milliseconds per play."""
    times: dict[str, list[float]] = {}
    for each in samples:
        for name, took in each.get("ms", {}).items():
            times.setdefault(name, []).extend(took)
    cuts = {name: statistics.quantiles(took, n=20) for name, took in times.items() if len(took) > 1}
    return {name: (cut[9], cut[18]) for name, cut in cuts.items()}


def report(arm: Arm, samples: Sequence[Mapping[str, Any]], bound: float | None) -> Iterator[str]:
    """Yield the lines of a match's report; `bound`: aim of the lower 95 % bound."""
    estimate = summary(samples)
    yield f"{arm.title}, deals {samples[0]['deal']}-{samples[-1]['deal']}"
    level = f"{estimate.level:+.3f} ± {estimate.half:.3f}, at least {estimate.least:+.3f}"
    yield f"  level per round {level}; pairs won {estimate.won:.1%}"
    if bound is not None:
        yield f"  must be more than {bound:+.2f}: {'shown' if estimate.least > bound else 'NOT shown'}"
    roles = sorted({role for each in samples for role, _ in each["roles"]})
    for role in roles:
        levels = [level for each in samples for at, level in each["roles"] if at == role]
        yield f"  as {role} {statistics.mean(levels):+.3f} in {len(levels)} rounds"
    for name, (median, late) in cpu(samples).items():
        yield f"  {name}: CPU a play p50 {median:.1f} ms, p95 {late:.1f} ms"


def _is_plain(samples: Sequence[Mapping[str, Any]], bound: float) -> bool:
    """Return whether a match can stop, since the bound is exceeded or out of reach. Stricter than at the end."""
    if len(samples) < 2 * LOOK_EVERY or len(samples) % LOOK_EVERY:
        return False
    estimate = summary(samples)
    return estimate.level - 1.3 * estimate.half > bound or estimate.level + 1.3 * estimate.half < bound


def main() -> None:
    """Play the match of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs=2, metavar="player", help=f"{', '.join(LEVELS)}, or level@revision")
    parser.add_argument("--ruleset", default="shengji", choices=list(RULESETS))
    parser.add_argument("--players", type=int)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first deal: the seed of its shuffle")
    parser.add_argument("--only", choices=list(ONLY), help="what is compared")
    parser.add_argument(
        "--until", type=float, metavar="LEVEL", help="what must be shown; stop when the outcome is plain"
    )
    parser.add_argument(
        "--save",
        type=Path,
        nargs="?",
        const=saved.FOLDER,
        metavar="FOLDER",
        help="save each deal there (default: var/laboratory), and go on from what is saved",
    )
    options = parser.parse_args()
    if options.deals < 2:
        parser.error("--deals: one deal shows nothing of the spread; play at least 2")
    players = options.players or RULESETS[options.ruleset].players[0]
    arm = Arm(tuple(options.names), options.ruleset, players, options.only)
    try:
        for name in options.names:
            player_named(name)
    except ValueError as error:
        parser.error(str(error))
    samples: list[dict[str, Any]] = []
    for each in played(
        arm.name, options.save, range(options.first, options.first + options.deals), partial(sample, arm)
    ):
        samples.append(each)
        if options.until is not None and _is_plain(samples, options.until):
            break
        if len(samples) % LOOK_EVERY == 0:
            estimate = summary(samples)
            print(f"… {len(samples)} deals: {estimate.level:+.3f} ± {estimate.half:.3f}", flush=True)
    if len(samples) > 1:
        print(*report(arm, samples, options.until), sep="\n")


if __name__ == "__main__":
    main()
