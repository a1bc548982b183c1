"""The leaderboard of each ruleset."""

from typing import Final

from flask import Response

from service.api.http import pagination
from service.api.http.responses import json_response
from service.api.operations import ApiRequest, Resource
from service.api.schemas import results as schemas
from service.tables.ai_ratings import ai_ratings
from service.tables.results import public

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
    comparison.
    """
    services, query = request.services, request.query
    ruleset, start = query["ruleset"], 0
    if "cursor" in query:
        start = int(pagination.decode_cursor(query["cursor"], rf"{ruleset}:(\d{{1,9}})")[1])
    end = start + query["limit"]
    leaders = services.results.leaders(ruleset, start, query["limit"] + 1)
    items: list[dict[str, object]] = []
    for place, (player, result) in enumerate(leaders[: query["limit"]], start + 1):
        record = services.players.get(player)
        # None: the player was deleted since the leaderboard was read.
        if record is not None:
            about = {"name": record["name"], "kind": record["kind"], "face": record.get("face")}
            items.append({"place": place, "player": player, **about, "result": public(result)})
    cursor = pagination.encode_cursor(f"{ruleset}:{end}") if len(leaders) > query["limit"] else None
    return json_response({"items": items, "ai_ratings": ai_ratings(ruleset), "next_cursor": cursor})
