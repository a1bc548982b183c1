"""The par of a round: the score of AI players with the same cards, a few replays per job."""

import hmac
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from service.boards.boards import Boards
from service.boards.links import DealLinks
from service.boards.scoring import value_of as worth
from service.game.commands.ai_moves import seed_for
from service.game.records.again import Answer, after_auction, played_again
from service.game.state.types import RoundSummary, State
from service.store.analyses import AnalysisStore, Par
from service.store.port import ArchiveStore
from service.tables import Tables
from workers import ai
from workers.analysing import SLICE_S, log_of
from workers.search_budget import RULES

REPLAYS: Final = 16


def work_out(
    tables: Tables,
    archive: ArchiveStore,
    analyses: AnalysisStore,
    game: str,
    number: int,
    clock: Callable[[], float] = time.monotonic,
) -> Par:
    """Replay a round a few more times, and return its par so far.

    Raises:
        Refusal: there is no such round, or it is still being played.
    """
    began = clock()
    [known] = analyses.pars(game, [number])
    par: Par = {"level": RULES, "of": REPLAYS, "values": [] if known is None else known["values"]}
    start = after_auction(log_of(tables, archive, game), number)
    while len(par["values"]) < par["of"]:
        par["values"].append(replayed(start, len(par["values"])))
        if clock() - began > SLICE_S:
            break
    analyses.save_par(game, number, par)
    return par


def replayed(start: State, number: int) -> list[int]:
    """Return the result of replay number `number` of a round, which is deterministic."""
    return value_of(played_again(start, answer_of(number)))


def answer_of(number: int) -> Answer:
    """Return the player of a replay, by its number."""

    def answer(state: State, seat: int, view: Any) -> Mapping[str, Any]:
        seed = hmac.digest(seed_for(state, seat), f"replay {number}".encode(), "sha256")
        return ai.answer(ai.PAR, view, seed)

    return answer


def field_of(boards: Boards, event: str, number: int, deal: int) -> list[int]:
    """Let AI players play a deal of a board, and store and return the results of the player's seat."""
    known = boards.fields(event).get((number, deal))
    if known is not None:
        return known
    start = boards.start_of(event, number, deal)
    values = [worth(start, played_again(start, answer_of(each))) for each in range(REPLAYS)]
    boards.add_field(event, number, deal, values)
    return values


def field_of_link(deals: DealLinks, code: str) -> list[int]:
    """Let AI players play a deal that was sent by a link, and store and return the results of the sender's seat."""
    known = deals.field(code)
    if known:
        return known
    start, seat = deals.start_of(code)
    values = [worth(start, played_again(start, answer_of(each)), seat) for each in range(REPLAYS)]
    deals.set_field(code, values)
    return values


def value_of(summary: RoundSummary) -> list[int]:
    """Return the attackers' points, or in Arm's Length the scores of both sides."""
    return summary["scores"] if "scores" in summary else [summary["points"]]
