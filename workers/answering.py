"""Answers to players' questions about finished rounds, step by step (`service.jobs.asked`)."""

from time import thread_time
from typing import Final, NamedTuple

import structlog

from service.boards.boards import Boards
from service.boards.links import DealLinks
from service.coach.riddles import Riddles
from service.common.errors import Refusal
from service.jobs.asked import PAR, Asked, Question
from service.store.analyses import AnalysisStore
from service.store.port import ArchiveStore, StoreTooNew
from service.tables import Tables
from workers import analysing, pars

log: Final = structlog.get_logger("workers.answering")


class Games(NamedTuple):
    """Finished games, the analyses of their rounds, and what else is played or looked for in idle time."""

    archive: ArchiveStore
    analyses: AnalysisStore
    boards: Boards | None = None
    deal_links: DealLinks | None = None
    riddles: Riddles | None = None


def answer_next(waiting: Asked, tables: Tables, games: Games, work: float) -> bool:
    """Do the next steps of the question whose turn it is, and charge its player the time of this thread.

    Args:
        work: share of the usual work.

    Returns: whether anything waits still.
    """
    taken = waiting.take()
    if taken is None:
        return False
    began, is_answered = thread_time(), True
    try:
        done, left = _steps_of(taken.question, tables, games, work)
        is_answered = not left
        waiting.took(taken.question.kind, taken.question.players, done, thread_time() - began)
    finally:
        waiting.end(taken, thread_time() - began, is_answered=is_answered)
    return waiting.are_there()


def _steps_of(question: Question, tables: Tables, games: Games, work: float) -> tuple[int, int]:
    """Do the next steps of a question; return how many were done and how many are left."""
    kind, game, number, _ = question
    archive, analyses = games.archive, games.analyses
    try:
        if kind == PAR:
            [known] = analyses.pars(game, [number])
            before = len(known["values"]) if known else 0
            par = pars.work_out(tables, archive, analyses, game, number)
            done, of = len(par["values"]), par["of"]
        else:
            begun = analyses.load(game, number)
            before = len(begun["decisions"]) if begun else 0
            analysis = analysing.analyse(tables, archive, analyses, game, number, work)
            done, of = len(analysis["decisions"]), analysis["of"]
            if done == of and games.riddles is not None:
                games.riddles.wait(game, number)
    except (Refusal, StoreTooNew) as error:
        log.info("nothing to answer", kind=kind, game=game, round=number, why=str(error))
        return 0, 0
    log.info("answered", kind=kind, game=game, round=number, done=done, of=of)
    return done - before, of - done
