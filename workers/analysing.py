"""Analyses of finished rounds: the AI judges every decision, a few per job."""

import time
from collections.abc import Callable
from typing import Any, Final

import structlog

from service.game.commands.ai_moves import seed_for
from service.game.records.decisions import Taken, decisions_of
from service.game.records.record import GameLog
from service.store.analyses import LEVEL, Analysis, AnalysisStore
from service.store.port import ArchiveStore
from service.tables import Tables
from workers.ai.friends import told
from workers.ai.judging import judge
from workers.ai.themes import theme_of
from workers.search_budget import RULES

log: Final = structlog.get_logger("workers.analysing")

#: Seconds after which a job yields to hints and moves, after at least one decision.
SLICE_S: Final = 1.0


def log_of(tables: Tables, archive: ArchiveStore, game: str) -> GameLog:
    """Return the log of a game, from its record or, without one, from its table.

    Raises:
        NotFound: there is no such game.
    """
    archived = archive.load_archive(game)
    return tables.game_log(game) if archived is None else GameLog(archived["base"], archived["events"])


def analyse(
    tables: Tables,
    archive: ArchiveStore,
    analyses: AnalysisStore,
    game: str,
    number: int,
    work: float = 1.0,
    clock: Callable[[], float] = time.monotonic,
) -> Analysis:
    """Judge the next decisions of a round, and return its analysis so far.

    Args:
        work: share of the usual work.

    Raises:
        Refusal: there is no such round, or it is still being played.
    """
    began = clock()
    taken = decisions_of(log_of(tables, archive, game), number)
    known = analyses.load(game, number)
    analysis: Analysis = {"level": LEVEL, "of": len(taken), "decisions": known["decisions"] if known else []}
    while len(analysis["decisions"]) < len(taken):
        analysis["decisions"].append(judged(taken[len(analysis["decisions"])], game, work))
        if clock() - began > SLICE_S:
            break
    analyses.save(game, number, analysis)
    return analysis


def judged(taken: Taken, game: str, work: float = 1.0) -> dict[str, Any]:
    """Return the AI's judgement on a decision."""
    action, view = taken.action, taken.view()
    # The seed of hints for this decision, so that the analysis agrees with a hint that the player followed.
    seed, level = seed_for(taken.before, action["seat"]), LEVEL
    try:
        judgement = judge(view, action, seed, level, work)
    except Exception as error:  # noqa: BLE001 - after any error, rules judge instead
        # Log neither the message nor variables, which may contain cards.
        log.error("analysis failed", game=game, seq=action["seq"], level=level, error=type(error).__name__)  # noqa: TRY400
        level = RULES
        judgement = judge(view, action, seed, level)._replace(gain=None)
    best = judgement.best
    return {
        "seq": action["seq"],
        "seat": action["seat"],
        "type": action["type"],
        "level": level,
        "best": best,
        "gain": None if judgement.gain is None else round(judgement.gain, 3) if best else 0.0,
        "error": round(judgement.error, 3) if best else 0.0,
        "reason": told(view, judgement.reason),
        "theme": None if best is None else theme_of(view, action, best),
        "by": action["by"],
    }
