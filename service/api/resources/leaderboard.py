"""The leaderboard: who is best at a ruleset."""

from typing import Any, Final

from flask import Response

from service.api.http import pagination
from service.api.http.operations import Call, Resource
from service.api.http.responses import reply
from service.api.schemas import results as schemas
from service.results import public

resource: Final = Resource("Leaderboard", "Ratings follow from games between players that were played to their end.")


@resource.operation("GET", "/v1/leaderboard", asks=schemas.LeaderboardQuery(), gives=schemas.Leaderboard())
def get_leaderboard(call: Call) -> Response:
    """Read who is best at a ruleset.

    By rating, the best first; who has none yet is not listed.
    """
    services, wanted = call.services, call.query
    start = int(pagination.read(wanted["cursor"], r"(\d{1,9})")[1]) if "cursor" in wanted else 0
    end = start + wanted["limit"]
    found = services.results.leaders(wanted["ruleset"], start, wanted["limit"] + 1)
    items: list[dict[str, Any]] = []
    for place, (player, result) in enumerate(found[: wanted["limit"]], start + 1):
        known = services.players.get(player)
        # Who erases themselves at this moment has a place no longer.
        if known is not None:
            name, kind = known["name"], known["kind"]
            items.append({"place": place, "player": player, "name": name, "kind": kind, "result": public(result)})
    return reply(
        {"items": items, "next_cursor": pagination.written(str(end)) if len(found) > wanted["limit"] else None}
    )
