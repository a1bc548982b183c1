"""Games: how they stand, and what happened in their finished rounds."""

from contextlib import suppress
from functools import reduce
from typing import Any, Final

from flask import Response

from service.api.http.operations import Call, Resource
from service.api.http.responses import reply
from service.api.rendering import may_see
from service.api.schemas import games as schemas
from service.api.schemas.view import View
from service.game.commands.dealing import table_of_game
from service.game.errors import NotFinished, NotFound
from service.game.events.evolve import evolve
from service.game.records import record as records
from service.game.records.record import GameLog
from service.game.state.types import State
from service.game.views.fields import fields, timestamp

resource: Final = Resource(
    "Games",
    "How games stand, and their records. Players and hosts may always read them, others if the table is public; a "
    "running game as far as spectators may see it.",
)

_ERRORS: Final = ("private-table",)
#: What an erased player is called.
DELETED: Final = "Deleted player"


def _log_of(call: Call, game: str) -> GameLog:
    """Return the log of a game as far as the caller may see it.

    Raises:
        NotFound: there is no such game, or none yet for the caller.
        PrivateTable: it is not for the caller.
    """
    services, player = call.services, call.player["id"]
    tables = services.tables
    state: State | None = None
    with suppress(NotFound):
        state = tables.load(table_of_game(game))
    current = state is not None and state["game"] is not None and state["game"]["id"] == game
    if state is None or not current or state["game"]["kept"]:
        kept = services.archive.load_archive(game)
        if kept is not None:
            may_see(kept["base"], player)
            return GameLog(kept["base"], kept["events"])
    if state is None:
        raise NotFound(what="game", id=game)
    watches = may_see(state, player) is None and state["host"] != player
    until = tables.watched_version(state) if watches else None
    return records.game_log(tables.log(state["id"], until), game)


def _with_erased(call: Call, seats: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return seats with players who have been erased made nobody."""
    known = call.services.players.get
    return [
        {**seat, "occupant": {**occupant, "player": None, "name": DELETED}}
        if (occupant := seat["occupant"]) and occupant["player"] and known(occupant["player"]) is None
        else seat
        for seat in seats
    ]


@resource.operation("GET", "/v1/games/<game>", gives=schemas.GameSummary(), errors=_ERRORS)
def get_game(call: Call, game: str) -> Response:
    """Read how a game stands.

    Its players, the results of its rounds, and who has won once it is over.
    """
    log = _log_of(call, game)
    state = reduce(evolve, log.events, log.base)
    standing = state["game"]
    seats = [{"seat": seat, **fields(place, ("occupant", "level"))} for seat, place in enumerate(state["seats"])]
    return reply(
        {
            **fields(standing, ("id", "round", "results", "winners", "ended", "scores")),
            **fields(state, ("ruleset", "players")),
            "table": state["id"],
            "practice": state["settings"]["seed"] is not None,
            "status": "playing" if standing["ended"] is None else "finished",
            "ended_at": timestamp(standing["ended_at"]),
            "seats": _with_erased(call, seats),
        }
    )


def _record(call: Call, game: str) -> dict[str, Any]:
    made = records.record(_log_of(call, game), call.services.tables.now())
    return made | {"seats": _with_erased(call, made["seats"])}


@resource.operation("GET", "/v1/games/<game>/record", gives=schemas.Record(), errors=_ERRORS)
def get_record(call: Call, game: str) -> Response:
    """Read the record of a game.

    Its finished rounds: options, shuffles with their proof, and every action with its time and source. `POST
    /v1/record-checks` plays a record again.
    """
    return reply(_record(call, game))


@resource.operation(
    "GET", "/v1/games/<game>/rounds/<int:n>", gives=schemas.RecordedRound(), errors=(*_ERRORS, "not-finished")
)
def get_round(call: Call, game: str, n: int) -> Response:
    """Read the record of one round, once it is over.

    The same as its entry in the record of the game.
    """
    log = _log_of(call, game)
    for each in records.record(log, call.services.tables.now())["rounds"]:
        if each["round"] == n:
            return reply(each)
    if any(event["type"] == "round_opened" and event["data"]["number"] == n for event in log.events):
        raise NotFinished(what="round", round=n)
    raise NotFound(what="round", round=n)


@resource.operation(
    "GET",
    "/v1/games/<game>/rounds/<int:n>/states/<int:seq>",
    asks=schemas.StateQuery(),
    gives=View(),
    errors=(*_ERRORS, "not-finished"),
)
def get_round_state(call: Call, game: str, n: int, seq: int) -> Response:
    """Replay a round step by step.

    The table after the event `seq`, just as a seat saw it then; once the round is over, for every seat.
    """
    log = _log_of(call, game)
    seat = call.query.get("seat")
    if seat is not None and seat >= log.base["players"]:
        raise NotFound(what="seat", seat=seat)
    seen = records.state_at(log, n, seq, seat)
    # What lets others sit down is no part of the game.
    seen.pop("join_code", None)
    return reply(seen | {"seats": _with_erased(call, seen["seats"])})
