"""Past rounds: the list of the rounds that a player has finished, of games that are over and of others."""

from collections.abc import Container
from itertools import islice
from typing import Any, Final

from flask import Response

from service.api.http import pagination
from service.api.http.responses import json_response
from service.api.operations import ApiRequest, Resource
from service.api.schemas import past_rounds as schemas
from service.api.services import Services
from service.coach.mistakes import Mistake, gathered
from service.game.ids import table_of_game
from service.game.views.fields import fields, timestamp
from service.store.coach.past_rounds import Listed, Position

resource: Final = Resource(
    "Past rounds",
    "The rounds that a player has finished, whether their games were ended or not, and what the coach says of them.",
)

_COST: Final = 20
#: Cost of reading the analyses of thirty rounds.
_MISTAKES_COST: Final = 50
#: Stored fields that are shown, and those that some games lack.
_SHOWN: Final = ("game", "ruleset", "players", "seat", "result")
_OPTIONAL: Final = ("side", "points", "levels", "scores")


@resource.operation(
    "GET",
    "/v1/me/rounds",
    query=schemas.PastRoundsQuery(),
    response=schemas.PastRounds(),
    cost=_COST,
    scope="games:read",
)
def list_my_rounds(request: ApiRequest) -> Response:
    """List my past rounds.

    Latest first, the last 300. A round stays listed when its table is gone; `replay` says whether it can be looked at.
    """
    query, me = request.query, request.player_id
    start = None
    if "cursor" in query:
        at, game, number = pagination.decode_cursor(
            query["cursor"], r"rounds:(\d{1,15}):([\w-]{1,60}):(\d{1,6})"
        ).groups()
        start = Position(int(at), game, int(number))
    ruleset = query.get("ruleset")
    rounds = (each for each in request.services.past_rounds.of(me, start) if ruleset in (None, each.round["ruleset"]))
    listed = list(islice(rounds, query["limit"] + 1))
    shown, cursor = listed[: query["limit"]], None
    if len(listed) > len(shown):
        last = shown[-1]
        cursor = pagination.encode_cursor(f"rounds:{last.at}:{last.round['game']}:{last.round['number']}")
    return json_response({"items": _items(request.services, shown), "next_cursor": cursor})


@resource.operation("GET", "/v1/me/mistakes", response=schemas.Mistakes(), cost=_MISTAKES_COST, scope="games:read")
def list_my_mistakes(request: ApiRequest) -> Response:
    """List my mistakes by theme.

    From the latest 30 of my rounds that have been analysed (`POST /v1/games/{game}/analysis`): decisions of mine that
    were measurably worse than another one, the theme that cost most first. `worst` leads to the replay of each.
    """
    services = request.services
    analyses = services.analyses
    found = gathered(services.past_rounds.of(request.player_id), analyses.begun_of, analyses.of_rounds)
    there = services.past_rounds.with_log([each.listed.round["game"] for theme in found.themes for each in theme.worst])
    items = [
        {
            "theme": theme,
            "count": number,
            "cost": round(cost, 3),
            "cost_a_round": round(cost / found.rounds, 3),
            "worst": [_mistake(each, there) for each in worst],
        }
        for theme, number, cost, worst in found.themes
    ]
    return json_response({"rounds": found.rounds, "items": items, "next_cursor": None})


def _mistake(mistake: Mistake, there: Container[str]) -> dict[str, Any]:
    at, played = mistake.listed
    return {
        **fields(played, ("game", "ruleset", "seat")),
        "round": played["number"],
        "at": timestamp(at),
        "seq": mistake.seq,
        "cost": mistake.cost,
        "replay": played["game"] in there,
    }


def _items(services: Services, listed: list[Listed]) -> list[dict[str, Any]]:
    there = services.past_rounds.with_log([each.round["game"] for each in listed])
    analysed = services.analyses.begun_of([(each.round["game"], each.round["number"]) for each in listed])
    now = services.now()
    return [
        {
            **shown_round(each),
            "replay": each.round["game"] in there and now >= each.round.get("sealed_until", 0),
            "analysed": (each.round["game"], each.round["number"]) in analysed,
        }
        for each in listed
    ]


def shown_round(listed: Listed) -> dict[str, Any]:
    """Return what a list entry says of a round."""
    played = listed.round
    return {
        "round": played["number"],
        "table": table_of_game(played["game"]),
        "at": timestamp(listed.at),
        **fields(played, _SHOWN),
        **{name: played.get(name) for name in _OPTIONAL},
        "practice": played.get("practice", False),
    }
