"""A table as its caller may see it, ready to be sent: the view, the events of an action, and who may look at all."""

from typing import Any

from flask import Response

from service.api.http.operations import Call
from service.api.http.responses import reply
from service.game.errors import PrivateTable
from service.game.state.types import State
from service.game.views.fields import Viewer
from service.game.views.redaction import redact
from service.game.views.view import view, viewer_of
from service.tables import Outcome


def may_see(state: State, player: str) -> Viewer:
    """Return as whom a player sees a table.

    Seats see it, and the host. Others see public tables that wait for players, and games that may be watched.

    Raises:
        PrivateTable: not for this player.
    """
    viewer = viewer_of(state, player)
    if viewer is not None or state["host"] == player:
        return viewer
    settings = state["settings"]
    if settings["visibility"] == "private":
        raise PrivateTable
    if state["status"] == "playing" and settings["spectators"] == "off":
        raise PrivateTable(reason="no_spectators")
    return None


def is_behind(state: State, player: str, viewer: Viewer) -> bool:
    """Tell whether somebody sees a table as it was some time ago: who watches a game, and is not its host."""
    return viewer is None and state["host"] != player


def etag(version: int, viewer: Viewer) -> str:
    """Return the ETag of a view: who sees it, and the number of the last event. It tells nothing else."""
    return f'"{version}.{"w" if viewer is None else viewer}"'


def table_view(state: State, player: str, viewer: Viewer, now: int) -> dict[str, Any]:
    """Return the view; the host, who may sit nowhere, has the join code too."""
    seen = view(state, viewer, now)
    if state["host"] == player:
        seen["join_code"] = state["settings"]["join_code"]
    return seen


def act(call: Call, table: str, kind: str, **fields: Any) -> Response:
    """Do what a player's command asks at a table, with the fields of the body, and return the answer."""
    command = {"type": kind, "player": call.player["id"], **call.body, **fields}
    return outcome_of(call, call.services.tables.act(table, command))


def outcome_of(call: Call, outcome: Outcome) -> Response:
    """Return the answer to an action."""
    call.services.presence.seen(outcome.state, call.player["id"])
    body = outcome_body(call, outcome)
    return reply(body, headers={"ETag": etag(body["version"], body["view"]["viewer"].get("seat"))})


def outcome_body(call: Call, outcome: Outcome) -> dict[str, Any]:
    """Return what an action is answered with.

    Who watches a game may do no more than talk, and is told of it when it is seen: nothing here tells how far the game
    has come since.
    """
    tables, state = call.services.tables, outcome.state
    player = call.player["id"]
    viewer = viewer_of(state, player)
    shown = tables.as_watched(state) if is_behind(state, player, viewer) else state
    is_now = shown["version"] == state["version"]
    return {
        "seq": outcome.seq if is_now else shown["version"],
        "version": shown["version"],
        "events": [redact(event, viewer) for event in outcome.events] if is_now else [],
        "view": table_view(shown, player, viewer, tables.now()),
    }
