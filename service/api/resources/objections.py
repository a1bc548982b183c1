"""Objections to plays of AI players: what players find silly, and what operators export for the laboratory."""

from collections.abc import Mapping
from typing import Any, Final

from flask import Response

from service.accounts.kept_bytes import NOTHING, OBJECTION
from service.api.http import pagination
from service.api.http.languages import language_for
from service.api.http.responses import empty_response, json_response
from service.api.operations import ApiRequest, Resource, operators
from service.api.reasons import worded
from service.api.resources import operators as theirs
from service.api.resources.games import log_of
from service.api.schemas import objections as schemas
from service.game.views.fields import timestamp

resource: Final = Resource(
    "Objections",
    "Plays of AI players that somebody finds silly. They are kept with the position for those who improve the AI "
    "players.",
)

#: Cost of folding the events of a game twice.
_COST: Final = 100


@resource.operation(
    "GET",
    "/v1/me/objections",
    response=schemas.Objections(),
    cost=10,
    scope="social:read",
)
def list_objections(request: ApiRequest) -> Response:
    """List the plays that I find silly.

    Those of AI players to which I have objected.
    """
    language = language_for(request.raw)
    objections = request.services.objections.of_player(request.player_id)
    return json_response({"items": [shown_objection(each, language) for each in objections], "next_cursor": None})


@resource.operation(
    "PUT",
    "/v1/games/<game>/rounds/<int:n>/objections/<int:seq>",
    body=schemas.AskedObjection(),
    response=schemas.Objection(),
    errors=(
        *("private-table", "no-spectators", "not-finished"),
        *("cards-not-held", "illegal-play", "illegal-discard"),
    ),
    cost=_COST,
    example={"instead": ["4D"]},
    scope="social:write",
    keeps=OBJECTION,
)
def put_objection(request: ApiRequest, game: str, n: int, seq: int) -> Response:
    """Object to a play of an AI player.

    Says that it was silly, and perhaps what the caller would have played. `seq` is that of an action in the record of
    the round, which must be over, and in whose game the caller has played. Operators see the position without names.
    Doing it again replaces it. The newest 50 of a player are kept, and 1,000 of all players.
    """
    log, instead = log_of(request, game), request.body.get("instead")
    objection = request.services.objections.object(request.player_id, log, n, seq, instead)
    return json_response(shown_objection(objection, language_for(request.raw)))


@resource.operation(
    "DELETE",
    "/v1/games/<game>/rounds/<int:n>/objections/<int:seq>",
    status=204,
    budget="act",
    scope="social:write",
    keeps=NOTHING,
)
def delete_objection(request: ApiRequest, game: str, n: int, seq: int) -> Response:
    """Take an objection back.

    Succeeds even if there is none, or if the game is gone.
    """
    request.services.objections.withdraw(request.player_id, game, n, seq)
    return empty_response()


@theirs.resource.operation(
    "GET",
    "/v1/operator/objections",
    query=schemas.PositionsQuery(),
    response=schemas.Positions(),
    auth=operators,
)
def list_positions(request: ApiRequest) -> Response:
    """List plays of AI players that players find silly.

    Newest first, each with the position from which the AI player decided. `python -m laboratory.objections` plays them
    again. It does not say who objected.
    """
    query, language = request.query, language_for(request.raw)
    start = int(pagination.decode_cursor(query["cursor"], r"(\d{1,6})")[1]) if "cursor" in query else 0
    end = start + query["limit"]
    # One more, to know whether there is another page.
    objections = request.services.objections.newest(start, query["limit"] + 1)
    items = [
        shown_objection(each, language)
        | {name: each[name] for name in ("release", "rules", "view", "seed")}
        | {"ruleset": each["view"]["ruleset"]}
        for each in objections[: query["limit"]]
    ]
    cursor = pagination.encode_cursor(str(end)) if len(objections) > query["limit"] else None
    return json_response({"items": items, "next_cursor": cursor})


def shown_objection(objection: Mapping[str, Any], language: str) -> dict[str, object]:
    """Return an objection as its author sees it."""
    names = ("game", "table", "round", "seq", "seat", "level", "action")
    reason = objection["reason"]
    return {
        "at": timestamp(objection["at"]),
        **{name: objection[name] for name in names},
        "reason": reason and worded(reason, language),
        "instead": objection.get("instead"),
    }
