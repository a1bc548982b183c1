"""Games: standings, and records of finished rounds."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any, Final

from flask import Response

from service.api.http.documents import is_known
from service.api.http.languages import language_for
from service.api.http.problems import RETRY_AFTER_S, Unavailable
from service.api.http.responses import empty_response, json_response
from service.api.operations import ApiRequest, Resource
from service.api.reasons import with_pars, worded_round
from service.api.schemas import games as schemas
from service.api.schemas.view import View as ViewSchema
from service.api.services import Services
from service.api.visibility import Perspective, check_apart
from service.api.waiting import wants
from service.common import fastjson
from service.common.errors import Refusal
from service.game.errors import NotFinished, NotFound
from service.game.events.evolve import evolve
from service.game.ids import table_of_game
from service.game.records import record as records
from service.game.records.record import GameLog, deals_of
from service.game.records.text import written
from service.game.state.queries import game_of
from service.game.state.types import State
from service.game.views.absent import blank
from service.game.views.fields import fields, timestamp
from service.game.views.types import OPEN, View, Viewer
from service.game.views.view import game_view
from service.store.port import StoreTooNew
from service.tables.archive import Seat, people_in, without_deleted

resource: Final = Resource(
    "Games",
    "Standings and records of games. Players and hosts may always read them; others only if the table is public, and "
    "a running game only with the spectator delay.",
)

_ERRORS: Final = ("private-table", "no-spectators")
#: Cost of folding the events of a game, about a thousand.
_COST: Final = 50
_UNCHANGED: Final = {304: "Nothing has changed since the ETag."}
#: Finished games change only when players delete their accounts: revalidate each time, and get 304.
CACHE_CONTROL: Final = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Accept-Language, Accept"}
TEXT: Final = "text/plain"


def log_of(request: ApiRequest, game: str) -> GameLog:
    """Return the log of a game as far as the caller may see it."""
    return _find_log(request, game)[0]


def _find_log(request: ApiRequest, game: str) -> tuple[GameLog, bool]:
    """Return the log of a game as far as the caller may see it, and whether it comes from the archive.

    Raises:
        NotFound: there is no such game, or the caller may not know of it yet.
        PrivateTable: the caller may not see it.
        NotFinished: the game belongs to a board whose event is not over.
    """
    services, player = request.services, request.player_id
    tables = services.tables
    state: State | None = None
    is_newer: StoreTooNew | None = None
    try:
        state = tables.stored(table_of_game(game))
    except NotFound:
        pass
    except StoreTooNew as error:
        # The record of an earlier game may be readable.
        is_newer = error
    if state is None or not _is_unarchived(state, game):
        log = services.archive.log(game)
        if log is not None:
            _check_seal(services, log.base)
            if not _is_open_to_all(log.base) and not _came_later(log, player):
                Perspective.of(tables, log.base, player).check_access()
            return log, True
    if state is None:
        raise is_newer or NotFound(what="game", id=game)
    _check_seal(services, state)
    perspective = Perspective.of(tables, state, player)
    perspective.check_access()
    check_apart(services.people, state, player)
    return records.game_log(tables.log(state["id"], perspective.version), game), False


def whole_log(services: Services, game: str, *, may_be_sealed: bool = False) -> GameLog:
    """Return the log of a game without checking access, for callers who may see a part of it.

    `may_be_sealed`: the caller has checked that nobody has to play its board any more.

    Raises:
        NotFound: there is no such game.
        NotFinished: the game belongs to a board whose event is not over.
    """
    log = services.archive.log(game)
    if log is not None:
        if not may_be_sealed:
            _check_seal(services, log.base)
        return log
    state = services.tables.stored(table_of_game(game))
    if not may_be_sealed:
        _check_seal(services, state)
    return records.game_log(services.tables.log(state["id"], state["version"]), game)


def _check_seal(services: Services, state: State) -> None:
    """Refuse to show a board that others may still play. Afterwards anybody may see it.

    Raises:
        NotFinished: the table plays a board whose event is not over.
    """
    if services.team_events.is_sealed(state):
        raise NotFinished(what="event", event=state["settings"]["board"]["event"])


def finished_log(request: ApiRequest, game: str) -> GameLog:
    """Return the log of a finished game, or of one with only the caller and AI players.

    Raises:
        NotFound, PrivateTable, NoSpectators: see `_find_log`.
        NotFinished: others are still playing the game.
        Unavailable: the game has just ended and is not archived yet.
    """
    log, archived = _find_log(request, game)
    if not archived and people_in(log) == {request.player_id}:
        return log
    if not any(event["type"] == "game_ended" for event in log.events):
        raise NotFinished(what="game", game=game)
    if not archived:
        raise Unavailable(retry_after_s=RETRY_AFTER_S)
    return log


def _is_unarchived(state: State, game: str) -> bool:
    """Return whether this is the current game of the table and not archived yet."""
    current = state["game"]
    return current is not None and current["id"] == game and not current["kept"]


def _is_open_to_all(base: State) -> bool:
    """Return whether a table played a board of an event: once it is not sealed any more, anybody may read it."""
    board = base["settings"].get("board")
    return board is not None and "link" not in board


def _came_later(log: GameLog, player: str) -> bool:
    """Return whether a player took a seat between two rounds of a game."""
    taken = (event["data"]["occupant"] for event in log.events if event["type"] == "seat_taken")
    return any(occupant["player"] == player for occupant in taken)


def _anonymise_deleted(services: Services, seats: Sequence[Seat]) -> list[Seat]:
    return without_deleted(seats, services.archive.existing(seats))


def respond(request: ApiRequest, value: Mapping[str, Any], seq: int) -> Response:
    """Return the response with data of a game up to an event.

    The ETag depends on the seq of that event, on the seats (players may delete their accounts), on the pars of rounds
    (computed later), and on the language of texts.
    """
    later = [value.get("view", value).get("seats"), value.get("changes")]
    later += [played["par"] for played in (value, *value.get("rounds", ())) if "par" in played]
    seats = hashlib.sha256(fastjson.dumps([later, language_for(request.raw)])).hexdigest()[:8]
    headers = {**CACHE_CONTROL, "ETag": f'"{seq}.{seats}"'}
    if is_known(request.raw, headers["ETag"]):
        return empty_response(304, headers)
    return json_response(value, headers=headers)


@resource.operation(
    "GET",
    "/v1/games/<game>",
    response=schemas.GameSummary(),
    cost=_COST,
    headers=("If-None-Match",),
    other_statuses=_UNCHANGED,
    errors=(*_ERRORS, "not-finished"),
    scope="games:read",
)
def get_game(request: ApiRequest, game: str) -> Response:
    """Read the standing of a game.

    Its players, the results of its rounds, and the winners once it is over.
    """
    log = log_of(request, game)
    state = reduce(evolve, log.events, log.base)
    standing = game_of(state)
    seats = [{"seat": seat, **fields(place, ("occupant", "level"))} for seat, place in enumerate(state["seats"])]
    for seat in seats:
        blank(state["ruleset"], "seat", seat)
    summary = {
        **game_view(state),
        **fields(standing, ("results",)),
        **fields(state, ("ruleset", "players")),
        "table": state["id"],
        "practice": state["settings"]["seed"] is not None,
        "status": "playing" if standing["ended"] is None else "finished",
        "ended_at": timestamp(standing["ended_at"]),
        "seats": _anonymise_deleted(request.services, seats),
        **_changes(request.services, records.changes_in(state)),
    }
    return respond(request, summary, state["version"])


def _changes(services: Services, changes: Sequence[Seat]) -> dict[str, object]:
    """Return the field with changes of occupants during the game, if there are any."""
    return {"changes": _anonymise_deleted(services, changes)} if changes else {}


@resource.operation(
    "GET",
    "/v1/games/<game>/record",
    response=schemas.GameRecord(),
    cost=_COST,
    headers=("Accept", "If-None-Match"),
    media_types={TEXT: "The record as text, as `POST /v1/records` takes it; `docs/record-format.md` describes it."},
    other_statuses=_UNCHANGED,
    errors=(*_ERRORS, "not-finished"),
    scope="games:read",
)
def get_record(request: ApiRequest, game: str) -> Response:
    """Read the record of a game.

    Its finished rounds, with options, shuffles and their proofs, and every action with its time and source. `POST
    /v1/record-checks` verifies a record. With `Accept: text/plain` the record is text.
    """
    log = log_of(request, game)
    if wants(request.raw, TEXT):
        text = written(shown_record(request.services, log, language_for(request.raw)), deals_of(log))
        headers = {**CACHE_CONTROL, "ETag": f'"{hashlib.sha256(text.encode()).hexdigest()[:16]}"'}
        if is_known(request.raw, headers["ETag"]):
            return empty_response(304, headers)
        return Response(text, headers=headers, content_type=f"{TEXT}; charset=utf-8")
    return respond(request, shown_record(request.services, log, language_for(request.raw)), log.events[-1]["seq"])


def shown_record(
    services: Services, log: GameLog, language: str, pause: Callable[[], None] = lambda: None
) -> dict[str, object]:
    """Return the record of a game as shown; `pause`: see `records.record`."""
    record = records.record(log, services.tables.now(), pause)
    seats = _anonymise_deleted(services, record["seats"])
    known = with_pars(services, record["game"], record["rounds"])
    rounds = [worded_round(played, language) for played in known]
    return {**record, **_changes(services, record.get("changes", [])), "seats": seats, "rounds": rounds}


@resource.operation(
    "GET",
    "/v1/games/<game>/rounds/<int:n>",
    response=schemas.RecordedRound(),
    cost=_COST,
    headers=("If-None-Match",),
    other_statuses=_UNCHANGED,
    errors=(*_ERRORS, "not-finished"),
    scope="games:read",
)
def get_round(request: ApiRequest, game: str, n: int) -> Response:
    """Read the record of a finished round.

    The same as its entry in the record of the game.
    """
    return respond(request, recorded_round(request, log_of(request, game), n), n)


def recorded_round(request: ApiRequest, log: GameLog, n: int) -> Mapping[str, object]:
    """Return the record of a finished round as shown.

    Raises:
        NotFound: there is no such round.
        NotFinished: the round is still being played.
    """
    for each in records.record(log, request.services.tables.now())["rounds"]:
        if each["round"] == n:
            [known] = with_pars(request.services, log.events[0]["data"]["game"], [each])
            return worded_round(known, language_for(request.raw))
    raise no_finished_round(log, n)


def no_finished_round(log: GameLog, n: int) -> Refusal:
    """Return the refusal for a round that is not among the finished ones of a game."""
    is_opened = any(event["type"] == "round_opened" and event["data"]["number"] == n for event in log.events)
    return NotFinished(what="round", round=n) if is_opened else NotFound(what="round", round=n)


@resource.operation(
    "GET",
    "/v1/games/<game>/rounds/<int:n>/states/<int:seq>",
    query=schemas.StateQuery(),
    response=ViewSchema(),
    errors=(*_ERRORS, "not-finished"),
    cost=_COST,
    headers=("If-None-Match",),
    other_statuses=_UNCHANGED,
    scope="games:read",
)
def get_round_state(request: ApiRequest, game: str, n: int, seq: int) -> Response:
    """Replay a round step by step.

    The table after event `seq`, as a seat saw it then. Once the round is over, anyone may choose any seat.
    """
    log = log_of(request, game)
    return respond(request, _fields_of(request, records.state_at(log, n, seq, _seat(request, log))), seq)


@resource.operation(
    "GET",
    "/v1/games/<game>/rounds/<int:n>/events",
    query=schemas.RoundQuery(),
    response=schemas.RoundEvents(),
    errors=(*_ERRORS, "not-finished"),
    cost=_COST,
    headers=("If-None-Match",),
    other_statuses=_UNCHANGED,
    scope="games:read",
)
def get_round_events(request: ApiRequest, game: str, n: int) -> Response:
    """Replay a round without asking for each step.

    The table when the round was opened, as a seat saw it then, and the events of the round: each leads to the next
    view, as when following a table. Once the round is over, anyone may choose any seat, or see all hands.
    """
    return respond(request, round_events(request, log_of(request, game), n), n)


def round_events(request: ApiRequest, log: GameLog, n: int) -> Mapping[str, object]:
    """Return a finished round as the requested seat saw it, or with open hands."""
    viewer: Viewer = OPEN if request.query.get("hands") == OPEN else _seat(request, log)
    opened, events = records.events_of(log, n, viewer)
    return {"view": _fields_of(request, opened), "events": events}


def _seat(request: ApiRequest, log: GameLog) -> int | None:
    """Return the requested seat; None: a spectator."""
    seat: int | None = request.query.get("seat")
    if seat is not None and seat >= log.base["players"]:
        raise NotFound(what="seat", seat=seat)
    return seat


def _fields_of(request: ApiRequest, table_view: View) -> Mapping[str, object]:
    """Return a view of a finished round without the table's codes."""
    fields = {name: value for name, value in table_view.items() if name not in ("join_code", "watch_code")}
    return {**fields, "seats": _anonymise_deleted(request.services, table_view["seats"])}
