"""Matches against AI players of other projects, which run as processes of their own.

    python -m laboratory.foreign normal eighty_fen --engine PATH/80fen-test.html --deals 100
    python -m laboratory.foreign hard zhao_pengyou --engine PATH/engine/index.js --deals 300 --save
    python -m laboratory.foreign hard who_designed --engine PATH --runtime PATH/bin/python --deals 300

Nothing of an opponent is in this repository: `--engine` is the path of its code, which a small driver loads. A file of
`laboratory/opponents` asks it what to do in our views. The table has the opponent's rules. Each deal is played twice
with the seats swapped, as in `laboratory.ai_match`, and the opponent makes all decisions for which it has a function,
or with `--only play` only leads and follows.

An answer that our rules refuse is *illegal*; a crash, an error, or none within `--patience` seconds is *missing*.
`normal` decides instead, so an opponent never loses by such answers; the result counts them. A match between `normal`
and an opponent that always fails would be `normal` against itself.
"""

import argparse
import importlib
import random
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from harness.ai_table import Table
from laboratory import saved
from laboratory.ai_match import LOOK_EVERY, Arm, level_gained, played, player_named, report, summary
from laboratory.opponents.opponent import HERE, Engine, NoAnswer, Opponent
from service.common.errors import Refusal
from service.game.commands.decide import decide_for_ai
from workers.ai import LEVELS, Command, Player, answer
from workers.ai.knowledge.seat import View

#: Names of the opponents: modules with an `OPPONENT`.
OPPONENTS: tuple[str, ...] = ("eighty_fen", "who_designed", "zhao_pengyou")
#: What answers can be instead of right.
FAULTS: tuple[str, ...] = ("illegal", "missing")
#: Wrong answers that are printed.
MOST_EXAMPLES = 10


class Guest:
    """An opponent at a table.

    Attributes:
        counts: number of its answers: `asked`, `illegal`, `missing`.
        examples: the first wrong answers, in words.

    Args:
        opponent: how to ask it.
        engine: the running opponent.
        only: decisions that it makes.
    """

    def __init__(self, opponent: Opponent, engine: Engine, only: str | None) -> None:
        self._opponent, self._engine = opponent, engine
        self._kinds = [kind for kind in opponent.decisions if only in (None, kind)]
        self.counts: Counter[str] = Counter()
        self.examples: list[str] = []

    def command(self, table: Table, seat: int, view: View, seed: bytes) -> Command:
        """Return the opponent's answer to the open decision, or that of `normal`."""
        kind = view["decision"]["kind"]
        if kind in self._kinds:
            self.counts["asked"] += 1
            try:
                command = self._opponent.decisions[kind](self._engine.ask, view)
                _check(table, seat, command)
            except NoAnswer as error:
                self._note("missing", kind, error)
            except (Refusal, LookupError, TypeError, ValueError) as error:
                self._note("illegal", kind, error)
            else:
                return command
        return answer(LEVELS["normal"], view, seed)

    def _note(self, fault: str, kind: str, error: Exception) -> None:
        self.counts[fault] += 1
        if len(self.examples) < MOST_EXAMPLES:
            self.examples.append(f"{fault}, {kind}: {type(error).__name__} {error}"[:300])


def _check(table: Table, seat: int, command: Command) -> None:
    """Raise a `Refusal` if the rules do not allow a command. Changes nothing."""
    decide_for_ai(table.state, seat, command, table.now, random.Random(0).randbytes)


def sample(player: Player, guest: Guest, opponent: Opponent, deal: int) -> dict[str, Any]:
    """Play a deal both ways.

    Returns:
        `deal`, `level` and `roles` as `laboratory.ai_match.sample`, and the opponent's `counts`.
    """
    guest.counts.clear()
    rounds = []
    for way in range(2):
        table = Table(opponent.ruleset, opponent.players, opponent.options(deal), deal)
        sides = [(seat + way) % 2 for seat in range(opponent.players)]

        def choose(seat: int, view: View, table: Table = table, sides: Sequence[int] = sides) -> Command:
            seed = f"{deal}:{view['version']}:{seat}".encode()
            return guest.command(table, seat, view, seed) if sides[seat] else answer(player, view, seed)

        while not table.results:
            table.step(choose)
        rounds.append(level_gained(table.results[0], sides))
    level = statistics.mean(gain for _, gain in rounds)
    return {"deal": deal, "level": level, "roles": rounds, "counts": dict(guest.counts)}


def faults(samples: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a line on the opponent's answers."""
    counts = sum((Counter(each["counts"]) for each in samples), Counter())
    wrong = ", ".join(f"{counts[fault]} {fault}" for fault in FAULTS)
    yield f"  {counts['asked']} answers of the opponent: {wrong}"


def main() -> None:
    """Play the match of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("player", help=f"{', '.join(LEVELS)}, or level@revision")
    parser.add_argument("opponent", choices=OPPONENTS)
    parser.add_argument("--engine", type=Path, required=True, metavar="PATH", help="the opponent's code")
    parser.add_argument(
        "--runtime", metavar="PATH", help="the program that runs it: node, or Python with its libraries"
    )
    parser.add_argument("--patience", type=float, default=20.0, metavar="SECONDS", help="longest wait for an answer")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first deal: the seed of its shuffle")
    parser.add_argument("--only", choices=["play"], help="what is compared; `normal` makes all other decisions")
    parser.add_argument("--save", type=Path, nargs="?", const=saved.FOLDER, metavar="FOLDER", help="as in ai_match")
    options = parser.parse_args()
    if options.deals < 2:
        parser.error("--deals: one deal shows nothing of the spread; play at least 2")
    if not options.engine.exists():
        parser.error(f"--engine: {options.engine} does not exist; give the path of the opponent's code")
    try:
        player = player_named(options.player)
    except ValueError as error:
        parser.error(str(error))
    if options.only:
        player = {**LEVELS["normal"], "play": player["play"]}
    opponent: Opponent = importlib.import_module(f"laboratory.opponents.{options.opponent}").OPPONENT
    runtime = options.runtime or opponent.runtime
    engine = Engine([runtime, str(HERE / opponent.driver), str(options.engine)], options.patience)
    guest = Guest(opponent, engine, options.only)
    arm = Arm((options.player, options.opponent), opponent.ruleset, opponent.players, options.only)
    samples: list[dict[str, Any]] = []
    try:
        deals = range(options.first, options.first + options.deals)
        for each in played(arm.name, options.save, deals, partial(sample, player, guest, opponent)):
            samples.append(each)
            if len(samples) % LOOK_EVERY == 0:
                estimate = summary(samples)
                print(f"… {len(samples)} deals: {estimate.level:+.3f} ± {estimate.half:.3f}", flush=True)
    finally:
        engine.close()
    print(*report(arm, samples, None), *faults(samples), *(f"    {each}" for each in guest.examples), sep="\n")


if __name__ == "__main__":
    main()
