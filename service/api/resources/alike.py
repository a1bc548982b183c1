"""Accounts of an event that share an address or a browser, for operators."""

from typing import Final

from flask import Response

from service.api.http.responses import json_response
from service.api.operations import ApiRequest, operators
from service.api.resources import operators as theirs
from service.api.schemas import alike as schemas

resource: Final = theirs.resource

#: Most groups shown.
_MOST: Final = 200


@resource.operation(
    "GET",
    "/v1/operator/events/<event>/alike",
    response=schemas.AlikePlayers(),
    auth=operators,
)
def list_alike_players(request: ApiRequest, event: str) -> Response:
    """List players of an event who may be one person.

    Those who have played boards of equal deals from one address, and those with one browser there, who come first. It
    proves nothing: families and whole towns share an address. Only hashes are compared, with a key that expires with
    them a week after the last board was begun.
    """
    boards = request.services.boards
    board_event, entries = boards.alike(event)
    items = [
        {
            "shares": group.what,
            "players": [{"player": each, "name": entries[each]["name"]} for each in group.players if each in entries],
        }
        for group in board_event[:_MOST]
    ]
    return json_response({"items": items, "next_cursor": None})
