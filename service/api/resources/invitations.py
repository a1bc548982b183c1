"""Invitations to a table, stored in the invited player's inbox; they lapse with the table."""

import hashlib
from contextlib import suppress
from typing import Final

from flask import Response

from service.accounts.kept_bytes import NOTICE
from service.api.http.responses import json_response
from service.api.operations import ApiRequest, Resource
from service.api.schemas import people as schemas
from service.game.errors import NotFound, NotYourSeat, WrongPhase
from service.game.ids import id_from
from service.game.state.queries import seat_of
from service.game.state.types import State
from service.game.views.fields import timestamp
from service.people.people import people_at
from service.store.players.inbox import MOST_NOTES, Note
from service.store.port import StoreTooNew

resource: Final = Resource(
    "Invitations", "Inviting somebody to a table. The inviter does not learn whether the invitation arrives."
)

#: Number of latest invitations examined for a list.
_MOST_LISTED: Final = 20


@resource.operation(
    "POST",
    "/v1/tables/<table>/invitations",
    body=schemas.InvitationRequest(),
    response=schemas.SentInvitation(),
    budget="create",
    errors=("not-your-seat", "wrong-phase"),
    example={"player": "pl_x5q2k7d3m4na"},
    scope="social:write",
    keeps=NOTICE,
)
def invite(request: ApiRequest, table: str) -> Response:
    """Invite a player to a table.

    Players at the table and the host can invite. The invited player gets `invited` on the stream of the account, with
    the join code if the table is private. `invitations` of `PATCH /v1/me` says who may invite a player; the response
    does not tell whether the caller may. Inviting again changes nothing.
    """
    services, player = request.services, request.body["player"]
    state = services.tables.load(table)
    if request.player_id not in people_at(state):
        raise NotYourSeat
    if state["settings"]["closed"]:
        raise WrongPhase(action="invite", expected=None, reason="table_closed")
    digest = hashlib.sha256(f"{table}:{request.player_id}:{player}".encode()).digest()
    invitation = id_from("in_", digest)
    if services.tables.belongs(state, player, to_play=True):
        services.people.invite(request.player, player, state, invitation)
    return json_response({"invitation": invitation, "table": table, "player": player})


@resource.operation("GET", "/v1/me/invitations", response=schemas.Invitations(), cost=20, scope="tables:read")
def list_invitations(request: ApiRequest) -> Response:
    """List invitations that I can still take.

    The latest 20, except those to tables that are full, closed or gone, where I already sit, or whose host has removed
    me.
    """
    services, player = request.services, request.player_id
    notes = services.inbox.after(player, 0, MOST_NOTES)
    items = []
    for note in [note for note in reversed(notes) if note.type == "invited"][:_MOST_LISTED]:
        with suppress(NotFound, StoreTooNew):
            state = services.tables.load(note.data["table"])
            free = sum(seat["occupant"] is None for seat in state["seats"])
            if free and _is_open(state, player, note) and not services.people.is_apart(player, people_at(state)):
                item = {"at": timestamp(note.at), "players": state["players"], "free": free}
                items.append({**note.data, **item})
    return json_response({"items": items, "next_cursor": None})


def _is_open(state: State, player: str, note: Note) -> bool:
    settings = state["settings"]
    codes = (settings["join_code"], *settings.get("former_codes", ()))
    is_same = settings["visibility"] == "public" or note.data["join_code"] in codes
    return (
        is_same
        and player not in state.get("kicked", ())
        and not settings["closed"]
        and state["status"] != "playing"
        and seat_of(state, player) is None
    )
