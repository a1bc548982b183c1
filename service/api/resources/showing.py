"""Events that are shown: hands of boards that nobody has to play any more, and what commentators say of them."""

from typing import Final, NamedTuple

from flask import Response

from service.accounts.kept_bytes import COMMENT, ENTRY, NOTHING
from service.api.board_views import level_of, shown_result
from service.api.http.responses import empty_response, json_response
from service.api.idempotency import HEADER, run_once
from service.api.operations import ApiRequest, Resource
from service.api.resources.games import recorded_round, respond, round_events, whole_log
from service.api.resources.team_events import numbers_of, shown_event
from service.api.schemas import showing as schemas
from service.api.schemas.shares import SharedRound
from service.api.schemas.team_events import TeamEvent
from service.api.services import Services
from service.game.views.fields import timestamp
from service.showing.showing import Remark, ShownBoard
from service.tournaments import teams
from service.tournaments.directing.notes import note_of
from service.tournaments.team_events import TeamEvent as Event

resource: Final = Resource(
    "Events that are shown",
    "The director of an event of teams may show it. Then everybody who does not play in it sees all hands of a board, "
    "card by card, once it is over at all tables of its round and a delay has passed, with the words of commentators. "
    "Nobody sees a card of a board that somebody has still to play. Who plays in the event watches when it is over.",
)

_COST: Final = 50
_ERRORS: Final = ("plays-in-event",)


@resource.operation(
    "PUT",
    "/v1/team-events/<event>/showing",
    body=schemas.ShowingChange(),
    response=TeamEvent(),
    budget="act",
    cost=10,
    errors=("event-closed", "not-director"),
    example={"delay_ms": 300_000, "commentators": []},
    scope="tables:host",
    keeps=ENTRY,
)
def show_team_event(request: ApiRequest, event: str) -> Response:
    """Show an event.

    Only the director may; no event is shown before. Replaces what was chosen before: a commentator who is left out
    may comment no longer. Results of a board that is shown are known before its round is over.
    """
    body = request.body
    return shown_event(
        request,
        request.services.showing.show(event, request.player_id, body["delay_ms"], body.get("commentators", ())),
    )


@resource.operation(
    "DELETE",
    "/v1/team-events/<event>/showing",
    response=TeamEvent(),
    budget="act",
    cost=10,
    errors=("event-closed", "not-director"),
    scope="tables:host",
    keeps=NOTHING,
)
def hide_team_event(request: ApiRequest, event: str) -> Response:
    """Show an event no longer.

    Only the director may. What has been said is shown again if the event is.
    """
    return shown_event(request, request.services.showing.hide(event, request.player_id))


@resource.operation(
    "GET",
    "/v1/team-events/<event>/showing",
    query=schemas.ShownBoardsQuery(),
    response=schemas.ShownBoards(),
    cost=_COST,
    errors=_ERRORS,
    scope="games:read",
)
def list_shown_boards(request: ApiRequest, event: str) -> Response:
    """List the boards of a round that are shown.

    Those that are over at all tables of the round, after the delay, with the results there.
    """
    services, player, number = request.services.showing, request.player_id, request.query.get("round")
    team_event, boards = services.boards(event, player, number)
    return json_response(
        {
            "delay_ms": team_event.progress["showing"]["delay_ms"],
            "may_comment": services.may_comment(team_event, player),
            "round": boards[0].round if boards else number,
            "boards": [_board(team_event, each) for each in boards],
        }
    )


@resource.operation(
    "GET",
    "/v1/team-events/<event>/showing/boards/<int:n>/matches/<match>",
    query=schemas.ShownQuery(),
    response=SharedRound(),
    cost=_COST,
    headers=("If-None-Match",),
    other_statuses={304: "Nothing has changed since the ETag."},
    errors=(*_ERRORS, "not-finished"),
    scope="games:read",
)
def get_shown_board(request: ApiRequest, event: str, n: int, match: str) -> Response:
    """Watch a board.

    What was played at a table of a match, card by card: the record of the round, and its events as a seat saw them, or
    with open hands. Refused with `not-finished` until the board is shown.
    """
    pair = numbers_of(match)[1]
    result = request.services.showing.result(event, request.player_id, n, pair, request.query["room"] - 1)
    # What is shown has been checked.
    log = whole_log(request.services, result["game"], may_be_sealed=True)
    return respond(request, {"record": recorded_round(request, log, 1), **round_events(request, log, 1)}, 1)


@resource.operation(
    "POST",
    "/v1/team-events/<event>/showing/boards/<int:n>/comments",
    body=schemas.CommentDraft(),
    response=schemas.BoardComment(),
    budget="chat",
    headers=(HEADER,),
    errors=(*_ERRORS, "not-commentator", "not-finished", "idempotency-key-reused"),
    example={"text": "The trumps were four to three."},
    scope="chat:write",
    keeps=COMMENT,
)
def comment_on_board(request: ApiRequest, event: str, n: int) -> Response:
    """Comment on a board.

    Only commentators may, on boards that are shown. A commentator says at most 60 things of an event.
    """
    player = request.player

    def say() -> dict[str, object]:
        said = request.services.showing.comment(event, player["id"], n, request.body["text"])
        return _comment(Remark(player["id"], player["name"], said))

    return json_response(run_once(request, player["id"], say))


@resource.operation(
    "DELETE",
    "/v1/team-events/<event>/showing/comments/<comment>",
    status=204,
    budget="act",
    scope="chat:write",
    keeps=NOTHING,
)
def take_back_comment(request: ApiRequest, event: str, comment: str) -> Response:
    """Take a comment back.

    Its author and the director may.
    """
    request.services.showing.take_back(event, request.player_id, comment)
    return empty_response()


class Words(NamedTuple):
    """What somebody (id) has said of an event: a comment on a board, or a note to all entrants."""

    id: str
    player: str
    text: str
    is_note: bool


def words_of(services: Services, team_event: Event, name: str) -> Words:
    """Return a comment on a board of an event, or a note.

    Raises:
        NotFound: there is neither with this id.
    """
    note = note_of(team_event, name)
    if note is not None:
        return Words(name, note["by"], note["text"], is_note=True)
    remark = services.showing.remark(team_event.event["id"], name)
    return Words(name, remark.player, remark.comment["text"], is_note=False)


def _board(team_event: Event, shown: ShownBoard) -> dict[str, object]:
    event, progress = team_event
    meetings = teams.meetings_of(progress["rounds"][shown.round - 1])
    rooms: list[dict[str, object]] = []
    for (pair, which), result in shown.results.items():
        is_known = result is not None and not result.get("unfinished")
        made = shown_result(result) if result is not None and is_known else dict.fromkeys(_RESULT)
        name = f"{shown.round}-{pair}"
        rooms.append({**made, "match": name, "room": which + 1, "teams": meetings[pair - 1]})
    return {
        "round": shown.round,
        "number": shown.number,
        "level": level_of(event, event["boards"][shown.number - 1]["level"]),
        "shown_at": timestamp(shown.since),
        "rooms": rooms,
        "comments": [_comment(each) for each in shown.remarks],
    }


_RESULT: Final = ("game", "points", "side", "scores")


def _comment(remark: Remark) -> dict[str, object]:
    said = remark.comment
    about = {"comment": said["id"], "player": remark.player, "name": remark.name}
    return {**about, "text": said["text"], "at": timestamp(said["at"])}
