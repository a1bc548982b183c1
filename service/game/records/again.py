"""Replaying a finished round with other players, from the point where its trumps were made."""

import os
from collections.abc import Callable, Mapping
from typing import Final

from service.game.commands.decide import catch_up, decide_for_ai
from service.game.errors import NotFinished, NotFound
from service.game.records.record import GameLog
from service.game.state import clock
from service.game.state.queries import game_of, seats_asked
from service.game.state.types import RoundSummary, State
from service.game.views.ai_view import AiView, ai_view

#: Answers a decision: takes the table, the seat asked, and its view.
Answer = Callable[[State, int, AiView], Mapping[str, object]]
#: Decisions that make trumps.
OF_AUCTION: Final = frozenset({"declare", "defend", "ready"})


def after_auction(log: GameLog, number: int) -> State:
    """Return the table in round `number` at the first decision after trumps were made.

    Raises:
        NotFound: there is no such round.
        NotFinished: the round is still being played.
    """
    start: State | None = None
    opened = False
    for event, _, after in log.states():
        if game_of(after)["round"] != number:
            continue
        opened = opened or event["type"] == "round_opened"
        decision = after["decision"]
        if event["type"] == "redealt":
            start = None
        elif start is None and decision is not None and decision["kind"] not in OF_AUCTION:
            start = after
        if event["type"] == "round_scored" and start is not None:
            return start
    if not opened:
        raise NotFound(what="round", round=number)
    raise NotFinished(what="round", round=number)


def played_again(state: State, answer: Answer) -> RoundSummary:
    """Play a round from a decision to its end.

    Args:
        answer: plays all seats.
    """
    while True:
        decision = state["decision"]
        seats = seats_asked(state, decision) if decision is not None else []
        now = state.get("at", 0)
        if seats:
            command = answer(state, seats[0], ai_view(state, seats[0], now))
            decided = decide_for_ai(state, seats[0], command, now, os.urandom)
        else:
            decided = catch_up(state, clock.due_at(state) or now, os.urandom)
        for event in decided.events:
            if event["type"] == "round_scored":
                summary: RoundSummary = event["data"]["summary"]
                return summary
        state = decided.state
