"""Riddles: three a day for each player, cut from analysed rounds, without anything that tells whose."""

from typing import Any, Final

from flask import Response

from service.accounts.kept_bytes import ENTRY
from service.api.http.responses import json_response
from service.api.operations import ApiRequest, Resource
from service.api.schemas import riddles as schemas
from service.coach.riddles import Asked
from service.game.views.fields import timestamp
from service.store.coach.riddles import Answered

resource: Final = Resource(
    "Riddles",
    "Positions from analysed rounds of all players, in which one play is clearly best: what do you play? Nothing tells "
    "whose rounds they were.",
)

#: Cost of looking through all riddles.
_COST: Final = 10


@resource.operation("GET", "/v1/me/riddles", response=schemas.Riddles(), cost=_COST, scope="games:read")
def list_my_riddles(request: ApiRequest) -> Response:
    """List my riddles of the day.

    Three a day (UTC), one of them from a round of the caller if there is one: there may be fewer, or none. With the
    answer comes the solution.
    """
    items = [_shown(request, each) for each in request.services.riddles.today(request.player_id)]
    return json_response({"items": items, "next_cursor": None})


@resource.operation(
    "PUT",
    "/v1/me/riddles/<riddle>/answer",
    body=schemas.RiddleAnswer(),
    response=schemas.Riddle(),
    budget="act",
    cost=_COST,
    example={"choice": 1},
    scope="tables:play",
    keeps=ENTRY,
)
def answer_riddle(request: ApiRequest, riddle: str) -> Response:
    """Answer a riddle of today.

    Returns it with the solution, and with how many people have chosen which play. Only the first answer counts: later
    ones change nothing.
    """
    asked = request.services.riddles.answer(request.player_id, riddle, request.body["choice"])
    return json_response(_shown(request, asked))


def _shown(request: ApiRequest, asked: Asked) -> dict[str, Any]:
    riddle, answered = asked
    plays = riddle["plays"]
    value: dict[str, Any] = {
        "riddle": riddle["id"],
        "position": riddle["position"],
        "choices": [{"cards": each["cards"]} for each in plays],
        "answer": None,
        "solution": None,
    }
    if answered is None:
        return value
    counts = request.services.riddles.counts(riddle)
    solution = [
        {**play, "best": not play["cost"], "chosen": chosen} for play, chosen in zip(plays, counts, strict=True)
    ]
    return {**value, "answer": answered["play"], "solution": solution}


def shown_answer(riddle: str, answered: Answered) -> dict[str, object]:
    """Return what a player has answered to a riddle, for an export."""
    return {"riddle": riddle, "play": answered["play"], "at": timestamp(answered["at"])}
