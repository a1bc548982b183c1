"""Riddles from analysed rounds: one decision per job, those first in which most was lost."""

from collections.abc import Sequence
from typing import Final

import structlog

from service.coach.riddles import Riddles, SourceRound
from service.game.commands.ai_moves import seed_for
from service.game.records.decisions import Taken, decisions_of
from service.store.analyses import AnalysisStore
from service.store.coach.riddles import RiddlePlay
from workers.ai.riddles import LEVELS, riddle_in

log: Final = structlog.get_logger("workers.riddles")

#: Most decisions of a round that are looked at: each takes two searches.
MOST_TRIED: Final = 4


def cut(riddles: Riddles, analyses: AnalysisStore, game: str, number: int, tried: int) -> bool:
    """Look for a riddle in a decision of a round, and store it; return whether others are left to look at.

    Args:
        tried: how many decisions have been looked at.
    """
    source = riddles.source_of(game, number)
    decisions = worth_trying(source, analyses) if source is not None else []
    if source is None or tried >= len(decisions):
        return False
    taken = decisions[tried]
    plays = plays_of(taken)
    if plays is not None:
        riddles.add(source, taken, plays)
    log.info("looked for a riddle", game=game, round=number, tried=tried + 1, found=plays is not None)
    return tried + 1 < len(decisions)


def worth_trying(source: SourceRound, analyses: AnalysisStore) -> list[Taken]:
    """Return the plays of a round in which the analysis has found that most was lost, the worst first."""
    analysis = analyses.load(source.game, source.number)
    lost = {
        each["seq"]: each["gain"]
        for each in (analysis["decisions"] if analysis else ())
        if each["type"] == "play" and each["best"] and each["gain"] and each["gain"] >= LEVELS
    }
    worst = sorted(lost, key=lambda seq: -lost[seq])[:MOST_TRIED]
    taken = {each.action["seq"]: each for each in decisions_of(source.log, source.number)}
    return [taken[seq] for seq in worst if seq in taken]


def plays_of(taken: Taken) -> Sequence[RiddlePlay] | None:
    """Return the plays of the riddle that a decision is; None: it is none."""
    found = riddle_in(taken.view(), taken.action["cards"], seed_for(taken.before, taken.action["seat"]))
    if found is None:
        return None
    return [{"cards": each.cards, "cost": round(each.cost, 3), "error": round(each.error, 3)} for each in found]
