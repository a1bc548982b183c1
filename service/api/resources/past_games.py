"""Past games: lists of a player's finished games, and their records as a stream."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from typing import Any, Final
from urllib.parse import urlencode

from flask import Response

from service.api.http import pagination
from service.api.http.languages import language_for
from service.api.http.responses import json_response
from service.api.http.yielding import give_way
from service.api.operations import NDJSON, ApiRequest, Declared, Resource
from service.api.resources.games import shown_record
from service.api.schemas import past_games as schemas
from service.api.services import Services
from service.api.streams.coding import Coding, Text
from service.api.waiting import encoded, held_open, wants
from service.common import fastjson
from service.game.views.fields import fields, timestamp
from service.store.players.past_games import PastGame, Position
from service.store.port import StoreTooNew
from service.tables.archive import without_deleted

resource: Final = Resource(
    "Past games",
    "The games that a player has finished, as long as their records are kept. Games that anybody could watch are on a "
    "public list; the others are shown only to those who played them.",
)

_COST: Final = 20
#: Number of listed games examined for an additional `_PART_COST`, since few may pass the filters.
_PART: Final = 50
_PART_COST: Final = 5
#: Cost of each record in a stream, equal to the cost of reading it separately.
_RECORD_COST: Final = 50
#: Stored fields that an item shows.
_SHOWN: Final = (
    *("game", "table", "ruleset", "players", "ended", "rounds", "winners", "levels", "scores"),
    *("rated", "practice", "watchable", "imported", "decided_by"),
)
_DECLARED: Final[Declared] = {
    "query": schemas.PastGamesQuery(),
    "response": schemas.PastGames(),
    "cost": _COST,
    "headers": ("Accept",),
    "media_types": {
        NDJSON: "The records of the same page of games, one per line, each as `GET /v1/games/{game}/record` returns "
        "it. A response that breaks off is incomplete: send the request again."
    },
    "errors": ("too-many-streams",),
    "scope": "games:read",
}


@resource.operation("GET", "/v1/me/games", **_DECLARED)
def list_my_games(request: ApiRequest) -> Response:
    """List my past games.

    Latest first, including those that were ended early or abandoned. `Accept: application/x-ndjson` returns their
    records, each charged as if it were read alone; `Link` leads to the next page.
    """
    return _answer(request, request.player_id)


@resource.operation("GET", "/v1/players/<player>/games", **_DECLARED)
def list_player_games(request: ApiRequest, player: str) -> Response:
    """List a player's past games.

    As `GET /v1/me/games`, but only games that anybody could watch (the table was public and open to spectators), or
    that the caller played too.
    """
    request.services.accounts.player(player)
    return _answer(request, player)


def _answer(request: ApiRequest, player: str) -> Response:
    limit = request.query["limit"]
    listed = list(islice(_listed(request, player), limit + 1))
    games, cursor = listed[:limit], None
    if len(listed) > limit:
        cursor = pagination.encode_cursor(f"games:{player}:{games[-1]['ended_at']}:{games[-1]['game']}")
    if wants(request.raw, NDJSON):
        return _stream(request, games, cursor)
    return json_response({"items": _items(request.services, player, games), "next_cursor": cursor})


def _listed(request: ApiRequest, player: str) -> Iterator[PastGame]:
    """Yield the requested games that the caller may see, the latest first."""
    services, query, me = request.services, request.query, request.player_id
    with_player = query.get("with")
    if with_player is not None and services.accounts.find(with_player) is None:
        return
    for number, game in enumerate(services.archive.games_of(player, _start(query, player)), 1):
        if number % _PART == 0:
            request.charge(_PART_COST)
        if (
            (game["watchable"] or me in game["parts"])
            and query.get("ruleset") in (None, game["ruleset"])
            and query.get("rated") in (None, game["rated"])
            and (with_player is None or with_player in game["parts"])
        ):
            yield game


def _start(query: dict[str, Any], player: str) -> Position | None:
    """Return the position in the list after which the page begins."""
    starts = []
    if "cursor" in query:
        at, game = pagination.decode_cursor(query["cursor"], rf"games:{player}:(\d{{1,15}}):([\w-]{{1,60}})").groups()
        starts.append(Position(int(at), game))
    if "before" in query:
        starts.append(Position(query["before"], ""))
    return min(starts, default=None)


def _items(services: Services, player: str, games: Sequence[PastGame]) -> list[dict[str, object]]:
    existing = services.archive.existing(each for game in games for each in [*game["seats"], *game.get("changes", [])])
    analysed = services.analyses.begun({game["game"]: game["rounds"] for game in games})
    return [
        {
            **fields(game, _SHOWN),
            **game["parts"][player],
            "ended_at": timestamp(game["ended_at"]),
            "analysed": analysed[game["game"]],
            **{name: without_deleted(game[name], existing) for name in ("seats", "changes") if name in game},
        }
        for game in games
    ]


def _stream(request: ApiRequest, games: Sequence[PastGame], cursor: str | None) -> Response:
    services = request.services
    request.charge(_RECORD_COST * len(games))
    ids, language = [game["game"] for game in games], language_for(request.raw)
    with ExitStack() as opening:
        opening.enter_context(held_open(request, "games"))
        response = encoded(
            request.raw, lambda coding: Response(_lines(services, ids, language, coding), content_type=NDJSON)
        )
        response.call_on_close(opening.pop_all().close)
    if cursor is not None:
        following = urlencode({**request.raw.args.to_dict(), "cursor": cursor})
        response.headers["Link"] = f'<?{following}>; rel="next"'
    return response


def _lines(services: Services, games: Sequence[str], language: str, coding: Coding) -> Iterator[bytes]:
    """Yield the records of games, one at a time, without sealed and expired ones, and those of newer releases."""
    for game in games:
        give_way()
        try:
            log = services.archive.log(game)
        except StoreTooNew:
            continue
        if log is not None and not services.team_events.is_sealed(log.base):
            record = shown_record(services, log, language, give_way)
            yield coding.encode([Text(fastjson.dumps(record) + b"\n")])
    yield coding.finish()
