"""Seasons of clubs, and the ranking of their own players."""

from typing import Any, Final

from flask import Response

from service.accounts.kept_bytes import NOTHING, SEASON
from service.api.http.responses import empty_response, json_response
from service.api.idempotency import HEADER, id_once, run_once
from service.api.operations import ApiRequest, Resource
from service.api.schemas import club_seasons as schemas
from service.clubs import points
from service.game.state.occupants import shown_of
from service.game.views.fields import timestamp
from service.store.clubs.seasons import Season

resource: Final = Resource(
    "Seasons of clubs",
    "A season sums up the team events of a club. Its standings are for members, and stay when events expire or members "
    "leave. Besides, a club ranks its members by their ratings.",
)

#: Cost of an answer that follows from all events of a season, and of one about all members.
_WHOLE_COST: Final = 50
_COST: Final = 10


@resource.operation("GET", "/v1/clubs/<club>/seasons", response=schemas.ClubSeasons(), cost=_COST, scope="tables:read")
def list_club_seasons(request: ApiRequest, club: str) -> Response:
    """List the seasons of a club.

    Only for its members.
    """
    seasons = request.services.seasons.of_club(request.player_id, club)
    return json_response({"items": [_season(request, season) for season in seasons], "next_cursor": None})


@resource.operation(
    "POST",
    "/v1/clubs/<club>/seasons",
    body=schemas.ClubSeasonSetup(),
    response=schemas.ClubSeason(),
    status=201,
    budget="create",
    headers=(HEADER,),
    errors=("club-role-needed", "club-full", "idempotency-key-reused"),
    example={
        "name": "Spring",
        "starts_at": "2026-03-01T00:00:00+08:00",
        "ends_at": "2026-06-01T00:00:00+08:00",
        "best": 8,
        "points": "percent",
    },
    scope="tables:host",
    keeps=SEASON,
)
def create_club_season(request: ApiRequest, club: str) -> Response:
    """Make a season of a club.

    Its owners and directors may. An event counts once all of its rounds are over or it is closed, for everybody who has
    played at least half of the boards that people of their unit have played. Events that were played before the season
    was made count too, within seconds, as long as they exist. A club has 12 seasons at most, each with its first 100
    events and at most 400 days long.
    """
    body = dict(request.body)

    def create() -> dict[str, Any]:
        made = request.services.seasons.create(request.player_id, club, body, id_once(request, "cs_"))
        return {"season": made["id"]}

    season = run_once(request, request.player_id, create)["season"]
    shown = request.services.seasons.standings(request.player_id, club, season).season
    return json_response(_season(request, shown), 201, {"Location": f"/v1/clubs/{club}/seasons/{season}"})


@resource.operation(
    "GET",
    "/v1/clubs/<club>/seasons/<season>",
    response=schemas.ClubSeasonStandings(),
    cost=_WHOLE_COST,
    scope="tables:read",
)
def get_club_season(request: ApiRequest, club: str, season: str) -> Response:
    """Read a season of a club, with its standings.

    Only for its members. `docs/check_season.py` computes the standings again from this answer.
    """
    services = request.services
    stored, events, rows, names = services.seasons.standings(request.player_id, club, season)
    now = services.tables.now()
    played = sorted(events.items(), key=lambda event: event[1]["began_at"], reverse=True)
    return json_response(
        {
            **_season(request, stored),
            "played": [
                {
                    "event": name,
                    "name": event["name"],
                    "began_at": timestamp(event["began_at"]),
                    "counts": points.counts(event, now),
                }
                for name, event in played
            ],
            "standings": [_row(row, names.get(row["player"])) for row in rows],
        }
    )


@resource.operation(
    "PATCH",
    "/v1/clubs/<club>/seasons/<season>",
    body=schemas.ClubSeasonChanges(),
    response=schemas.ClubSeason(),
    budget="act",
    cost=_COST,
    errors=("club-role-needed", "season-over", "name-held"),
    example={"best": 6},
    scope="tables:host",
    keeps=NOTHING,
)
def update_club_season(request: ApiRequest, club: str, season: str) -> Response:
    """Change a season of a club.

    Its owners and directors may, until it is over.
    """
    changed = request.services.seasons.change(request.player_id, club, season, request.body)
    return json_response(_season(request, changed))


@resource.operation(
    "DELETE",
    "/v1/clubs/<club>/seasons/<season>",
    status=204,
    budget="act",
    errors=("club-role-needed",),
    scope="tables:host",
    keeps=NOTHING,
)
def delete_club_season(request: ApiRequest, club: str, season: str) -> Response:
    """Delete a season of a club, with its standings.

    Its owners may. Succeeds even if there is none.
    """
    request.services.seasons.delete(request.player_id, club, season)
    return empty_response()


@resource.operation(
    "GET",
    "/v1/clubs/<club>/ranking",
    query=schemas.ClubRankingQuery(),
    response=schemas.ClubRanking(),
    cost=_COST,
    scope="tables:read",
)
def get_club_ranking(request: ApiRequest, club: str) -> Response:
    """Read the ranking of the members of a club.

    Only for them: by the ratings that they have everywhere, as on the leaderboard.
    """
    items: list[dict[str, object]] = []
    place = rating = None
    for at, (player, result) in enumerate(
        request.services.seasons.own_players(request.player_id, club, request.query["ruleset"]), 1
    ):
        if result["rating"] != rating or result["rating"] is None:
            place, rating = None if result["rating"] is None else at, result["rating"]
        about = {"player": player["id"], "name": player["name"], "kind": player["kind"], **shown_of(player)}
        items.append({"place": place, **about, "result": result})
    return json_response({"items": items, "next_cursor": None})


def _season(request: ApiRequest, season: Season) -> dict[str, object]:
    return {
        "season": season["id"],
        **{name: season[name] for name in ("name", "events", "best", "points")},
        "starts_at": timestamp(season["starts_at"]),
        "ends_at": timestamp(season["ends_at"]),
        "over": request.services.tables.now() >= season["ends_at"],
    }


def _row(row: points.Row, name: str | None) -> dict[str, object]:
    shown = [
        {"counted" if field == "is_counted" else field: value for field, value in line.items()}
        for line in row["results"]
    ]
    return {**row, "player": None if name is None else row["player"], "name": name, "results": shown}
