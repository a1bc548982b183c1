"""Digests of what AI players answer, which must be the same compiled and plain.

    COMPILED=0 python -m tests.workers.answers 1000      the answers of so many decisions of each ruleset

Prints whether the simulation is compiled, then a line for each ruleset and level. The digest is of whole answers: the
command, its reason, and the gains of other plays to the last bit.
"""

import random
import sys
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from harness.options import levels_worth, some_options
from service.rules.options.rulesets import RULESETS
from tests.workers.rounds import FAST, _played, played
from workers import ai
from workers.ai.simulation import playout

#: Level -> share of its work.
LEVELS = {"easy": 1.0, "normal": 1.0, "hard": 0.02, "expert": 0.01}


def decisions(ruleset: str, number: int) -> Iterator[dict[str, Any]]:
    """Yield views of decisions, from rounds with the usual options and with others."""
    sizes, deal = RULESETS[ruleset].players, 0
    while number > 0:
        chance, players = random.Random(deal), sizes[deal % len(sizes)]
        options: dict[str, Any] = FAST
        if deal % 2:
            options = levels_worth(ruleset, players, {**some_options(ruleset, players, 6, chance), **FAST}, chance)
        views = [view for _, view in played(ruleset, players, options, deal).decisions]
        _played.cache_clear()
        # Most decisions of a round are declarations, which no level simulates.
        asked = [view for view in views if view["decision"]["kind"] in ai.SEARCHED]
        others = [view for view in views if view["decision"]["kind"] not in ai.SEARCHED]
        some = chance.sample(asked, min(len(asked), 24)) + chance.sample(others, min(len(others), 4))
        yield from some[:number]
        number -= len(some)
        deal += 1


def main(number: int) -> None:
    """Print the digests of so many decisions of each ruleset."""
    print("plain" if playout.__file__.endswith(".py") else "compiled")
    for ruleset in RULESETS:
        digests = {level: sha256() for level in LEVELS}
        for at, view in enumerate(decisions(ruleset, number)):
            for level, share in LEVELS.items():
                advice = ai.advise(view, b"%d" % at, level, share)
                digests[level].update(repr((advice.command, advice.reason, advice.others)).encode())
        for level, digest in digests.items():
            print(f"{ruleset} {level} {number} {digest.hexdigest()[:16]}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
