"""Events of equal deals, where everybody plays the same cards and results are compared."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from flask import Response

from service.accounts.kept_bytes import BOARD, EVENT_ENTRY
from service.api.board_views import level_of, shown_result
from service.api.http import pagination
from service.api.http.rate_limits import client_of
from service.api.http.responses import json_response
from service.api.operations import ApiRequest, Resource
from service.api.schemas import boards as schemas
from service.api.schemas.common import Page
from service.api.services import Services
from service.boards.boards import Outcome
from service.boards.deals import commitments, shuffle_name_of, starter_of
from service.boards.scoring import Standing, percentages, steps
from service.game.views.fields import timestamp
from service.store.boards.events import BoardResult, StoredEvent
from service.store.port import StoreUnavailable

resource: Final = Resource(
    "Equal deals",
    "Events in which everybody plays the same cards, once each. Nothing about the cards is shown until the event is "
    "over; then all results are compared, board by board.",
)

_COST: Final = 10
#: Most results of other players shown for a board.
_MOST_RESULTS: Final = 1_000


@resource.operation(
    "GET", "/v1/events", query=schemas.EventQuery(), response=schemas.EventList(), cost=_COST, scope="games:read"
)
def list_board_events(request: ApiRequest) -> Response:
    """List the latest events.

    Today's events, which began at midnight UTC, come first, then those that are over. `for=bots` lists the ladder of
    bots, whose events end at six, and of it also the `coming` night, which can be read and entered once it is open.
    """
    events = request.services.boards.newest(bots="for" in request.query)
    return json_response({"items": [_summary(request, event) for event in events], "next_cursor": None})


@resource.operation("GET", "/v1/events/<event>", response=schemas.EqualDealEvent(), cost=_COST, scope="games:read")
def get_board_event(request: ApiRequest, event: str) -> Response:
    """Read an event.

    Returns its boards with their commitments, and the caller's results.
    """
    return _event(request, request.services.boards.event(event))


@resource.operation(
    "POST",
    "/v1/events/<event>/entries",
    response=schemas.EqualDealEvent(),
    budget="act",
    errors=("event-closed", "bots-only"),
    scope="tables:play",
    keeps=EVENT_ENTRY,
)
def enter_board_event(request: ApiRequest, event: str) -> Response:
    """Enter an event.

    Boards can be played at any time until it ends. Entering again changes nothing. Only players of the kind `bot` may
    enter the ladder of bots.
    """
    return _event(request, request.services.boards.enter(event, request.player)[0])


@resource.operation(
    "POST",
    "/v1/events/<event>/boards/<int:n>/table",
    response=schemas.BoardTable(),
    budget="create",
    errors=("event-closed", "not-entered", "board-played"),
    scope="tables:play",
    keeps=BOARD,
)
def play_board(request: ApiRequest, event: str, n: int) -> Response:
    """Play a board.

    Returns a table with AI players on the other seats, where a game of one round has begun. There is one try: sending
    the request again returns the same table, and is refused once the board is over. There is no time limit except the
    end of the event. Nobody can watch, the AI gives no hints, and nothing can be taken back.
    """
    boards = request.services.boards
    state = boards.begin(event, n, request.player)
    browser = "|".join(request.raw.headers.get(name, "") for name in ("User-Agent", "Accept-Language"))
    boards.note(event, request.player_id, client_of(request.raw).key, browser)
    deal = boards.deal_of(boards.event(event), n, request.player_id)
    if (n, deal) not in boards.fields(event):
        # Once the event is over, the clock's process asks for what is still missing.
        with suppress(StoreUnavailable):
            request.services.questions.field(event, n, deal)
    return json_response({"table": state["id"]})


@resource.operation(
    "GET",
    "/v1/events/<event>/boards/<int:n>",
    response=schemas.PlayedBoard(),
    cost=_COST,
    errors=("not-finished",),
    scope="games:read",
)
def get_board(request: ApiRequest, event: str, n: int) -> Response:
    """Compare a board.

    Available once the event is over, to everybody: the results of all who have the caller's deal (or else the one that
    most have played), the games for replays, and the seed of the deal. To an entrant who has played the board it is
    available at once, with those who have played the same deal so far, and without its seed.
    """
    services, player = request.services, request.player_id
    outcome = services.boards.outcome(event, n, player)
    entered = services.boards.entry(outcome.event, player) is not None
    # To others, the deal that most have played.
    played = Counter(sorted(result["deal"] for result in outcome.results.values())).most_common(1) or [(0, 0)]
    deal = services.boards.deal_of(outcome.event, n, player) if entered else played[0][0]
    board = outcome.event["boards"][n - 1]
    value = {
        "event": event,
        "number": n,
        "deal": deal,
        "level": level_of(outcome.event, board["level"]),
        "starter": starter_of(outcome.event, n),
        "commitment": commitments(board)[deal],
        "server_seed": board["seeds"][deal] if services.boards.is_over(outcome.event) else "",
        "shuffle_name": shuffle_name_of(outcome.event, n),
        "results": _compared(services, outcome, n, deal, player),
        "field": outcome.fields.get((n, deal), []),
    }
    return json_response(value)


@resource.operation(
    "GET",
    "/v1/events/<event>/standings",
    query=Page(),
    response=schemas.EventStandings(),
    cost=_COST,
    errors=("not-finished",),
    scope="games:read",
)
def get_standings(request: ApiRequest, event: str) -> Response:
    """Read the standings.

    Available once the event is over. The score of a result is the percentage of other results with the same deal,
    including those of AI players, that it beats; a board that was given up, or in which an AI took more than three
    decisions, gets 0, the lowest. In games of finding friends, the sum of `steps` decides instead.
    """
    _, rows, missing = request.services.boards.standings(event)
    rows = rows or []
    first = int(pagination.decode_cursor(request.query["cursor"], r"(\d{1,9})")[1]) if "cursor" in request.query else 0
    last = first + request.query["limit"]
    mine = [row for row in rows if row["player"] == request.player_id]
    value = {
        "status": "working" if missing else "ready",
        "items": [_standing(request, row) for row in rows[first:last]],
        "next_cursor": pagination.encode_cursor(str(last)) if last < len(rows) else None,
        "mine": _standing(request, mine[0]) if mine else None,
        "players": len(rows),
    }
    return json_response(value)


def _standing(request: ApiRequest, row: Standing) -> dict[str, object]:
    # Older stored standings have no steps.
    return {"steps": None, **row, "me": row["player"] == request.player_id}


def _summary(
    request: ApiRequest, event: StoredEvent, results: Mapping[int, BoardResult] | None = None
) -> dict[str, object]:
    boards, now = request.services.boards, request.services.tables.now()
    results = boards.results_of(event, request.player_id) if results is None else results
    return {
        "event": event["id"],
        "ruleset": event["ruleset"],
        "players": event["players"],
        "status": "over" if boards.is_over(event) else "coming" if boards.is_coming(event) else "open",
        "opens_at": timestamp(event["opens_at"]),
        "closes_at": timestamp(event["closes_at"]),
        "remaining_ms": max(0, event["closes_at"] - now),
        "boards": len(event["boards"]),
        "entries": boards.count(event),
        "entered": boards.entry(event, request.player_id) is not None,
        "played": len(results),
        "for": "bots" if event.get("bots") else "everybody",
    }


def _event(request: ApiRequest, event: StoredEvent) -> Response:
    results = request.services.boards.results_of(event, request.player_id)
    items = [
        {
            "number": number,
            "level": level_of(event, board["level"]),
            "starter": starter_of(event, number),
            "commitments": commitments(board),
            "result": own_result(number, results[number]) if number in results else None,
        }
        for number, board in enumerate(event["boards"], 1)
    ]
    return json_response({**_summary(request, event, results), "items": items})


def own_result(number: int, result: BoardResult) -> dict[str, object]:
    """Return a player's own result as in the schema."""
    return {
        "number": number,
        "at": timestamp(result["at"]),
        "counts": result["value"] is not None,
        **shown_result(result),
    }


def _compared(services: Services, outcome: Outcome, number: int, deal: int, player: str) -> Sequence[dict[str, object]]:
    """Return the results of a deal, the best first."""
    entries, percents = services.boards.entries(outcome.event), percentages(outcome.results, outcome.fields)
    counted = steps(outcome.results, outcome.fields)
    rows: list[dict[str, Any]] = [
        {
            "player": who,
            "name": entries[who]["name"],
            **shown_result(result),
            "value": result["value"],
            "percent": round(percents[number, who], 1),
            "steps": counted[number, who],
            "me": who == player,
        }
        for (of, who), result in outcome.results.items()
        if of == number and result["deal"] == deal and who in entries
    ]
    rows.sort(key=lambda row: (-row["percent"], row["player"]))
    return [row for at, row in enumerate(rows) if at < _MOST_RESULTS or row["me"]]
