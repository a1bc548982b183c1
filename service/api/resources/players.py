"""Players: registering, the own profile, my tables."""

import contextlib
import os
from typing import Any, Final

from flask import Request, Response

from service.api.http.auth import hash_of, new_salt, presented, token_of
from service.api.http.idempotency import HEADER, key_of, once
from service.api.http.operations import Call, Resource, bearer
from service.api.http.problems import Unauthorized
from service.api.http.responses import no_content, reply
from service.api.schemas import players as schemas
from service.api.services import Services
from service.errors import Refusal
from service.game.commands.creation import new_id
from service.game.errors import NotFound
from service.game.state.queries import seat_of, waited_for
from service.game.state.types import State
from service.game.views.fields import timestamp
from service.results import public
from service.rules.rulesets import RULESETS

resource: Final = Resource("Players", "Register once and keep the token: it is all that a player needs to come back.")

#: Most tables that `/v1/me/tables` looks at.
_MOST_TABLES: Final = 100
_ORDER: Final = {"playing": 1, "lobby": 2, "finished": 3}


def _profile(player: dict[str, Any], results: dict[str, Any]) -> dict[str, Any]:
    known = {name: player[name] for name in ("id", "name", "kind", "locale")}
    return known | {"created_at": timestamp(player["created_at"]), "results": results}


def _results(services: Services, player: str) -> dict[str, Any]:
    played = services.results.of_player(player, list(RULESETS))
    return {ruleset: public(result) for ruleset, result in played.items()}


@resource.operation(
    "POST",
    "/v1/players",
    takes=schemas.NewPlayer(),
    gives=schemas.Registered(),
    status=201,
    who=None,
    budget="register",
    headers=(HEADER,),
    errors=("idempotency-key-reused",),
    example={"name": "Lin"},
)
def register(call: Call) -> Response:
    """Register a player.

    Gives a guest player and the bearer token that proves it. The token is shown only here; the service keeps a hash.
    With an `Idempotency-Key`, a retry after a lost answer gets the same player and the same token.
    """
    services = call.services
    salt, key = new_salt(), key_of(call)

    def do() -> dict[str, Any]:
        player = {"id": new_id("pl_", os.urandom), **call.body, "created_at": services.tables.now()}
        services.players.create(player, hash_of(token_of(salt, key)))
        return {"player": _profile(player, {}), "salt": salt}

    made = once(call, "register", do)
    answer = {"player": made["player"], "token": token_of(made["salt"], key)}
    return reply(answer, 201, {"Location": "/v1/me"})


@resource.operation("GET", "/v1/me", gives=schemas.Player())
def get_me(call: Call) -> Response:
    """Read my profile.

    Also the quickest way to find out whether a token still holds.
    """
    return reply(_profile(call.player, _results(call.services, call.player["id"])))


@resource.operation(
    "PATCH",
    "/v1/me",
    takes=schemas.ProfileChanges(),
    gives=schemas.Player(),
    budget="act",
    example={"name": "Lin the Second"},
)
def update_me(call: Call) -> Response:
    """Change my profile.

    A table where I sit already goes on showing the name that I had when I sat down.
    """
    services = call.services
    changed = services.players.update(call.player["id"], lambda player: player | call.body)
    services.identity.forget(call.player["id"])
    if changed is None:
        raise Unauthorized
    return reply(_profile(changed, _results(services, changed["id"])))


@resource.operation("DELETE", "/v1/me", status=204, budget="act")
def delete_me(call: Call) -> Response:
    """Erase myself.

    Leaves all tables (in a running game an AI plays on) and forgets profile and token.
    """
    services, player = call.services, call.player["id"]
    for table in services.players.tables_of(player):
        with contextlib.suppress(Refusal):
            services.tables.act(table, {"type": "leave", "player": player})
    services.results.erase(player, list(RULESETS))
    services.players.delete(player)
    # Again: until just now a game that had ended could be settled for the player (`service.results.Keeper`).
    services.results.erase(player, list(RULESETS))
    services.identity.forget(player)
    return no_content()


def _bearer_or_retry(services: Services, received: Request) -> dict[str, Any]:
    """Let a request with an idempotency key through whose token is void: it may be what made it so."""
    try:
        return bearer(services, received)
    except Unauthorized:
        if HEADER not in received.headers:
            raise
        return {}


@resource.operation(
    "POST",
    "/v1/me/token",
    gives=schemas.Token(),
    who=_bearer_or_retry,
    budget="act",
    headers=(HEADER,),
    errors=("idempotency-key-reused", "invalid-request"),
)
def rotate_token(call: Call) -> Response:
    """Get a new token.

    The old one is void at once (a few seconds later in other processes of the service). Send an `Idempotency-Key`:
    should the answer get lost, the same request with the old token gives the new one again.
    """
    services = call.services
    salt, key = new_salt(), key_of(call)

    def do() -> dict[str, Any]:
        token_hash = hash_of(token_of(salt, key))
        if not call.player or not services.players.rotate(call.player["id"], token_hash):
            raise Unauthorized
        services.identity.forget(call.player["id"])
        return {"salt": salt}

    old = hash_of(presented(call.request.headers.get("Authorization")))
    made = once(call, f"token:{old}", do)
    return reply({"token": token_of(made["salt"], key)})


@resource.operation("GET", "/v1/me/tables", asks=schemas.MyTablesQuery(), gives=schemas.MyTables())
def list_my_tables(call: Call) -> Response:
    """List my tables.

    All that an app needs at its start: the tables where I sit or that I host. Those that wait for me come first, the
    one with the shortest time left before the others.
    """
    services, player = call.services, call.player["id"]
    items = []
    for table in services.players.tables_of(player)[:_MOST_TABLES]:
        with contextlib.suppress(NotFound):
            state = services.tables.load(table)
            if seat_of(state, player) is not None or (state["host"] == player and not state["settings"]["closed"]):
                items.append(_my_table(state, player))
                continue
        services.players.remove_table(player, table)
    if call.query.get("turn"):
        items = [item for item in items if item["my_turn"]]
    items.sort(key=lambda item: (not item["my_turn"], _ORDER[item["status"]], item["deadline_at"] or "~"))
    return reply({"items": items, "next_cursor": None})


def _my_table(state: State, player: str) -> dict[str, Any]:
    decision, seat = state["decision"], seat_of(state, player)
    return {
        "table": state["id"],
        "ruleset": state["ruleset"],
        "players": state["players"],
        "status": state["status"],
        "round": state["game"]["round"] if state["game"] else None,
        "seat": seat,
        "my_turn": seat in waited_for(state),
        "decision": decision["kind"] if decision else None,
        "deadline_at": timestamp(decision["deadline"]) if decision else None,
        "version": state["version"],
    }


@resource.operation("GET", "/v1/players/<player>", gives=schemas.PublicPlayer())
def get_player(call: Call, player: str) -> Response:
    """Read what everybody may know of a player.

    A player who has been erased is not found.
    """
    found = call.services.players.get(player)
    if found is None:
        raise NotFound(what="player", id=player)
    known = {name: found[name] for name in ("id", "name", "kind")}
    return reply(known | {"results": _results(call.services, player)})
