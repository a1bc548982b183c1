"""The leaderboard of each ruleset."""

import re
from typing import Final

from flask import Response

from service.api.http import pagination
from service.api.http.responses import json_response
from service.api.operations import ApiRequest, Resource
from service.api.schemas import results as schemas
from service.game.state.occupants import shown_of
from service.rules.pools import ruleset_of
from service.tables.ai_ratings import ai_ratings

resource: Final = Resource("Leaderboard", "Ratings come from finished games between players.")


@resource.operation(
    "GET",
    "/v1/leaderboard",
    query=schemas.LeaderboardQuery(),
    response=schemas.Leaderboard(),
    scope="profile:read",
)
def get_leaderboard(request: ApiRequest) -> Response:
    """Read the leaderboard of a ruleset.

    Highest rating first; players without a rating are not listed. `ai_ratings` has the ratings of the AI players, for
    comparison. With `provisional=hide` or `inactive=hide`, places count only those who are listed.
    """
    services, query = request.services, request.query
    ruleset, limit = query["ruleset"], query["limit"]
    provisional, inactive = "provisional" not in query, "inactive" not in query
    # Processes of version 0.3 write and read cursors without a place, since theirs is the rank.
    start = before = 0
    if "cursor" in query:
        position = pagination.decode_cursor(query["cursor"], rf"{re.escape(ruleset)}:(\d{{1,9}})(?::(\d{{1,9}}))?")
        start, before = int(position[1]), int(position[2] or position[1])
    listed, end = services.ratings.leaders(ruleset, start, limit, provisional=provisional, inactive=inactive)
    items: list[dict[str, object]] = []
    for place, (player, result) in enumerate(listed, before + 1):
        record = services.accounts.find(player)
        # None: the player was deleted since the leaderboard was read.
        if record is not None:
            about = {"name": record["name"], "kind": record["kind"], **shown_of(record)}
            items.append({"place": place, "player": player, **about, "result": result})
    known = f":{before + len(listed)}" if not (provisional and inactive) else ""
    cursor = pagination.encode_cursor(f"{ruleset}:{end}{known}") if end is not None else None
    return json_response({"items": items, "ai_ratings": ai_ratings(ruleset_of(ruleset)), "next_cursor": cursor})
