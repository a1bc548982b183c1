"""Blocks and friends."""

from typing import Final

from flask import Response

from service.accounts.kept_bytes import ENTRY, FRIEND, NOTHING
from service.api.http.responses import empty_response, json_response
from service.api.operations import ApiRequest, Resource
from service.api.resources.reports import look_again
from service.api.schemas import people as schemas
from service.api.services import Services
from service.game.state.occupants import shown_of
from service.game.views.fields import timestamp
from service.people.people import Person

resource: Final = Resource(
    "People", "Whom a player wants to meet, and whom not. Friendship is mutual; nobody is told of a block."
)


@resource.operation("GET", "/v1/me/blocks", response=schemas.Blocks(), scope="social:read")
def list_blocks(request: ApiRequest) -> Response:
    """List whom I have blocked.

    In the order in which I blocked them; at most 200.
    """
    people = request.services.people.blocks(request.player_id)
    items = [_named(person) for person in people]
    return json_response({"items": items, "next_cursor": None})


@resource.operation(
    "PUT",
    "/v1/me/blocks/<player>",
    status=204,
    budget="act",
    errors=("too-many-blocks",),
    scope="social:write",
    keeps=ENTRY,
)
def block(request: ApiRequest, player: str) -> Response:
    """Block a player.

    From now on, tables where the other sits or is the host are to both of us like private tables without the code:
    they are not listed, and can neither be watched nor joined. Neither of us can begin a game with the other, or be
    challenged, invited or entered in a team by the other. It also mutes the player and ends a friendship. Nobody is
    told. A running game goes on; where I am the host and none has begun, the other loses the seat.
    """
    services = request.services
    services.people.block(request.player_id, player)
    services.joining.part(request.player_id, player)
    look_again(request)
    # Streams of this process look up blocks at once, those of others after the announcement.
    services.feeds.revoked(player)
    return empty_response()


@resource.operation("DELETE", "/v1/me/blocks/<player>", status=204, budget="act", scope="social:write", keeps=NOTHING)
def unblock(request: ApiRequest, player: str) -> Response:
    """End a block, and the mute that came with it.

    Succeeds even if the player is not blocked or no longer exists.
    """
    request.services.people.unblock(request.player_id, player)
    look_again(request)
    return empty_response()


@resource.operation("GET", "/v1/me/friends", response=schemas.Friends(), cost=20, scope="social:read")
def list_friends(request: ApiRequest) -> Response:
    """List my friends, and who might become one.

    A friend is online while following a table or the account with a stream or a long poll, unless hiding it (`presence`
    of `PATCH /v1/me`). This is updated every ten seconds.
    """
    services = request.services
    items = []
    for person in services.people.friends(request.player_id):
        presence, table = _presence(services, request.player_id, person)
        about = {"kind": person.player["kind"], **shown_of(person.player)}
        items.append(_named(person) | about | {"state": person.tie, "presence": presence, "table": table})
    return json_response({"items": items, "next_cursor": None})


def _named(person: Person) -> dict[str, object]:
    return {"player": person.player["id"], "name": person.player["name"], "since": timestamp(person.since)}


def _presence(services: Services, caller: str, person: Person) -> tuple[str | None, str | None]:
    """Return whether a friend is online, and the latest table if it is in a game that the caller may see."""
    if person.tie != "friend":
        return None, None
    if not person.is_here:
        return "offline", None
    state = services.presence.game_of(person.player["id"])
    if state is None:
        return "online", None
    is_shown = state["settings"]["visibility"] == "public" and not services.people.is_barred(caller, state)
    return "playing", state["id"] if is_shown else None


@resource.operation(
    "PUT",
    "/v1/me/friends/<player>",
    status=204,
    budget="create",
    errors=("player-blocked", "too-many-friends"),
    scope="social:write",
    keeps=FRIEND,
)
def befriend(request: ApiRequest, player: str) -> Response:
    """Ask a player to be my friend, or accept.

    If the player has asked me, we are friends at once. The player is told by `friend_asked`, and both by `friend_made`.
    I may have 200 friends, including those whom I have asked. The response does not tell whether the request reached
    the player.
    """
    request.services.people.befriend(request.player, player)
    return empty_response()


@resource.operation("DELETE", "/v1/me/friends/<player>", status=204, budget="act", scope="social:write", keeps=NOTHING)
def unfriend(request: ApiRequest, player: str) -> Response:
    """End a friendship, or withdraw or decline a request.

    Nobody is told. Succeeds even if there is nothing to end.
    """
    request.services.people.part(request.player_id, player)
    return empty_response()
