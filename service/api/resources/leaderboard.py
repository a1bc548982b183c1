"""The leaderboard of each ruleset."""

from typing import Final

from flask import Response

from service.api.http import pagination
from service.api.http.responses import json_response
from service.api.operations import ApiRequest, Resource
from service.api.schemas import results as schemas
from service.tables.ai_ratings import ai_ratings
from service.tables.results import PublicResult, public

#: Most players whom a request looks at: who asks for few among many reads on with the cursor.
MOST_READ: Final = 1_000
#: How many of them are read at once, if some are left out.
_AT_ONCE: Final = 200

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
    hidden = "provisional" in query, "inactive" in query
    # Processes of version 0.3 write and read cursors without a place, since theirs is the rank.
    start = before = 0
    if "cursor" in query:
        position = pagination.decode_cursor(query["cursor"], rf"{ruleset}:(\d{{1,9}})(?::(\d{{1,9}}))?")
        start, before = int(position[1]), int(position[2] or position[1])
    listed, end = _listed(request, ruleset, start, limit, hidden)
    items: list[dict[str, object]] = []
    for place, (player, result) in enumerate(listed, before + 1):
        record = services.stores.players.get(player)
        # None: the player was deleted since the leaderboard was read.
        if record is not None:
            about = {"name": record["name"], "kind": record["kind"], "face": record.get("face")}
            items.append({"place": place, "player": player, **about, "result": result})
    known = f":{before + len(listed)}" if any(hidden) else ""
    cursor = pagination.encode_cursor(f"{ruleset}:{end}{known}") if end is not None else None
    return json_response({"items": items, "ai_ratings": ai_ratings(ruleset), "next_cursor": cursor})


def _listed(
    request: ApiRequest, ruleset: str, start: int, limit: int, hidden: tuple[bool, bool]
) -> tuple[list[tuple[str, PublicResult]], int | None]:
    """Return players and results from a rank on (from 0), and the rank from which to read on; None: that was all."""
    services, now = request.services, request.services.tables.now()
    listed: list[tuple[str, PublicResult]] = []
    rank, until = start, start + max(MOST_READ, limit)
    while rank < until:
        count = min(max(limit, _AT_ONCE) if any(hidden) else limit, until - rank)
        leaders = services.stores.results.leaders(ruleset, rank, count + 1)
        for player, result in leaders[:count]:
            if len(listed) == limit:
                return listed, rank
            rank += 1
            shown = public(result, now)
            if not (hidden[0] and shown["provisional"]) and not (hidden[1] and shown["inactive"]):
                listed.append((player, shown))
        if len(leaders) <= count:
            return listed, None
        if len(listed) == limit:
            break
    return listed, rank
