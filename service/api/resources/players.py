"""Players: registration, the caller's profile and tables, public profiles."""

import os
import time
from collections.abc import Iterable, Mapping
from contextlib import nullcontext, suppress
from typing import Any, Final, cast

from flask import Request, Response

from service.accounts import codes
from service.accounts.kept_bytes import NOTHING, PLAYER, TOKEN
from service.api.http.auth import bearer_token, hash_of, new_salt, token_of
from service.api.http.documents import is_known
from service.api.http.guesses import guess
from service.api.http.problems import Unauthorized
from service.api.http.rate_limits import client_of
from service.api.http.responses import empty_response, json_response
from service.api.idempotency import HEADER, idempotency_key, run_once, unpredictable_key
from service.api.operations import ApiRequest, Resource, bearer, note_origin
from service.api.schemas import players as schemas
from service.api.schemas import results
from service.api.services import Services
from service.api.streams.account import follow_tables
from service.api.streams.messages import check_rights
from service.api.streams.my_tables import MyTable, Row, etag_of, items_of, row_of, tables_page
from service.api.waiting import attending
from service.game.ids import new_id
from service.game.state.occupants import CHOSEN, shown_of
from service.game.views.fields import timestamp
from service.moderation.admission import VoidInvite
from service.rules.pools import ruleset_of
from service.store.players.tokens import Caller
from service.store.port import Player, StoreUnavailable, is_suspended
from service.tables.ai_ratings import ai_ratings

resource: Final = Resource("Players", "Register once and keep the token: it is all a player needs to come back.")


def profile(player: Player, results: Mapping[str, object]) -> dict[str, object]:
    """Return a player's own profile, with the result of `results_of`; a new player has none."""
    return about(player) | {"results": {}, "places": {}, **results}


def about(player: Player) -> dict[str, object]:
    """Return what players say about themselves, and when they registered."""
    fields: dict[str, object] = {name: player[name] for name in ("id", "name", "kind", "locale")}
    fields |= {"presence": player.get("presence", "friends"), "invitations": player.get("invitations", "anyone")}
    fields |= {"accepts": player.get("accepts"), **shown_of(player)}
    return fields | {"created_at": timestamp(player["created_at"])}


def results_of(services: Services, player: str) -> dict[str, object]:
    """Return `results` and `places`: ruleset -> public result and place, for the rulesets that a player has played."""
    results, places = services.ratings.of_player(player)
    return {"results": results, "places": places}


def rating_points(course: Iterable[tuple[int, float]]) -> list[dict[str, object]]:
    """Return ratings (time, rating) as shown."""
    return [{"at": timestamp(at), "rating": rating} for at, rating in course]


@resource.operation(
    "POST",
    "/v1/players",
    body=schemas.Registration(),
    response=schemas.Registered(),
    status=201,
    auth=None,
    budget="register",
    headers=(HEADER,),
    errors=("idempotency-key-reused", "registration-closed"),
    example={"name": "Lin"},
    keeps=PLAYER,
)
def register(request: ApiRequest) -> Response:
    """Register a player.

    Returns a guest player and its bearer token. The token is shown only here; the service stores a hash. With an
    `Idempotency-Key`, a retry after a lost response returns the same player and token; since the key alone tells whose
    request it is, it must be a random UUID (version 4 or 7). `GET /v1` says whether anybody may register, or only with
    a registration code. A keyed hash of the address is kept for a week.
    """
    services = request.services
    salt, key = new_salt(), unpredictable_key(request)

    def create() -> dict[str, Any]:
        details, client = dict(request.body), client_of(request.raw)
        code, registration = details.pop("code", None), services.gate.registration
        player = cast("Player", {"id": new_id("pl_", os.urandom), **details, "created_at": services.tables.now()})
        code_hash = codes.hash_of(code) if code and registration == "invited" else None
        with (
            guess(services.rate_limiter, services.metrics, "registration", client, wrong=VoidInvite)
            if code_hash
            else nullcontext()
        ):
            player = services.admission.register(registration, player, hash_of(token_of(salt, key)), code_hash)
        with suppress(StoreUnavailable):
            note_origin(services, request.raw, player["id"])
        return {"player": profile(player, {}), "salt": salt}

    created = run_once(request, "register", create)
    body = {"player": created["player"], "token": token_of(created["salt"], key)}
    return json_response(body, 201, {"Location": "/v1/me"})


@resource.operation(
    "GET",
    "/v1/me",
    response=schemas.Player(),
    scope="profile:read",
    is_for_suspended=True,
)
def get_me(request: ApiRequest) -> Response:
    """Read my profile.

    Also the quickest way to check that a token is still valid.
    """
    return json_response(profile(request.player, results_of(request.services, request.player_id)))


@resource.operation(
    "PATCH",
    "/v1/me",
    body=schemas.ProfileChanges(),
    response=schemas.Player(),
    budget="act",
    errors=("name-held",),
    example={"name": "Lin the Second"},
    scope="account",
    keeps=NOTHING,
)
def update_me(request: ApiRequest) -> Response:
    """Change my profile.

    Tables where I already sit keep showing the name and the face that I had when I sat down. A name that an operator
    has given stays for 90 days.
    """
    services = request.services
    changes = dict(request.body)
    if "accepts" in changes and not changes["accepts"]["concurrent"]:
        changes["accepts"] = None
    for name in changes.keys() & CHOSEN.keys():
        changes[name] = changes[name] or None

    changed = services.accounts.change_profile(request.player_id, changes)
    services.authenticator.forget(request.player_id)
    if changed is None:
        raise Unauthorized
    return json_response(profile(changed, results_of(services, changed["id"])))


@resource.operation(
    "DELETE",
    "/v1/me",
    status=204,
    budget="act",
    scope="account",
    is_for_suspended=True,
    keeps=NOTHING,
)
def delete_me(request: ApiRequest) -> Response:
    """Delete my account.

    Leaves all tables (in a running game an AI takes over) and deletes profile, results, tokens and codes. If I am
    suspended, keyed hashes of my external accounts are kept for a week.
    """
    services = request.services
    if is_suspended(request.player, services.tables.now()):
        remember_identities(services, request.player_id)
    services.moderation.delete(request.player_id)
    request.services.authenticator.forget(request.player_id)
    return empty_response()


def remember_identities(services: Services, player: str) -> None:
    """Keep keyed hashes of the external accounts of a suspended player whose account is about to be deleted."""
    for linked in services.identities.of_player(player):
        services.admission.note(player, "identity", linked.identity_hash)


def _bearer_or_retry(services: Services, raw: Request) -> Caller | None:
    """Accept a void token in a request with an idempotency key, since its first attempt may have voided it."""
    try:
        return bearer(services, raw)
    except Unauthorized:
        if HEADER not in raw.headers:
            raise
        return None


@resource.operation(
    "POST",
    "/v1/me/token",
    query=schemas.RotateQuery(),
    response=schemas.Token(),
    auth=_bearer_or_retry,
    budget="create",
    headers=(HEADER,),
    errors=("idempotency-key-reused", "invalid-request", "device-too-new"),
    scope="account",
    keeps=TOKEN,
)
def rotate_token(request: ApiRequest) -> Response:
    """Get a new token in place of this one.

    Id, name, scopes and expiry stay the same. The old token becomes void at once, in all processes of the service;
    everything else stays. With `others=revoke`, everything else that gives access to the account ends, except what
    `keep` names; a token cannot do that in its first five minutes, if there are other ways into the account. Send an
    `Idempotency-Key`: if the response gets lost, the same request with the old token returns the new one again.
    """
    services = request.services
    key = idempotency_key(request)

    def choose() -> dict[str, Any]:
        # Only for players, so that requests without a valid token store nothing.
        return {"player": request.player_id, "salt": new_salt()}

    # Store the new token before voiding the old one, so that a retry succeeds if this process dies in between.
    old_hash = hash_of(bearer_token(request.raw.headers.get("Authorization")))
    chosen = run_once(request, f"token:{old_hash}", choose)
    token = token_of(chosen["salt"], key)
    if services.accounts.caller(hash_of(token)) is None:
        rights, new_hash = services.accounts.rights, hash_of(token)
        keep = list(filter(None, request.query.get("keep", "").split(",")))
        if not (
            rights.end_others(request.token, old_hash, new_hash, keep)
            if "others" in request.query
            else rights.rotate(request.token, old_hash, new_hash)
        ):
            raise Unauthorized
        services.authenticator.forget(request.player_id)
    return json_response({"token": token})


@resource.operation(
    "GET",
    "/v1/me/tables",
    query=schemas.MyTablesQuery(),
    response=schemas.MyTables(),
    headers=("If-None-Match",),
    other_statuses={304: "Nothing has changed since the ETag. Charged to `poll`."},
    errors=("too-many-streams",),
    cost=10,
    scope="tables:read",
)
def list_my_tables(request: ApiRequest) -> Response:
    """List my tables.

    All that an app needs when it starts: the tables where I sit or that I host. Those that wait for me come first,
    ordered by deadline. With `If-None-Match`, an unchanged list is answered with 304; `server_time` and `remaining_ms`
    do not count as changes. With `wait` as well, the answer comes as soon as the list changes.
    """
    services, player, wait = request.services, request.player_id, request.query.get("wait")
    tables = services.joining.tables_of(player, lambda state: row_of(state, player) is not None)
    rows = [row for state in tables if (row := row_of(state, player)) is not None]
    items = _items_of(request, rows)
    if wait and is_known(request.raw, etag_of(items)):
        items = _wait_for_change(request, time.monotonic() + wait)
    headers = {"ETag": etag_of(items)}
    if is_known(request.raw, headers["ETag"]):
        request.refund()
        return empty_response(304, headers)
    return json_response(tables_page(items, services.tables.now()), headers=headers)


def _items_of(request: ApiRequest, rows: list[Row]) -> list[MyTable]:
    return items_of(rows, request.services.tables.now(), turns_only="turn" in request.query)


def _wait_for_change(request: ApiRequest, until: float) -> list[MyTable]:
    """Return the list as soon as it differs from the client's, or at the timeout."""
    with attending(request, every_version=True) as reader:
        while True:
            if reader.must_look:
                reader.must_look = False
                follow_tables(request.services, request.services.feeds, reader, watch=True)
            items = _items_of(request, reader.shown_rows())
            if not is_known(request.raw, etag_of(items)) or not reader.wait(until - time.monotonic()):
                return items
            check_rights(request.services, reader)


@resource.operation(
    "GET",
    "/v1/players/<player>",
    response=schemas.PublicPlayer(),
    scope="profile:read",
)
def get_player(request: ApiRequest, player: str) -> Response:
    """Read a public profile.

    Deleted players are not found.
    """
    record = request.services.accounts.player(player)
    public_fields: dict[str, object] = {name: record[name] for name in ("id", "name", "kind")}
    public_fields |= {"accepts": record.get("accepts"), **shown_of(record)}
    return json_response(public_fields | results_of(request.services, player))


@resource.operation(
    "GET",
    "/v1/players/<player>/ratings",
    query=results.RatingQuery(),
    response=results.Ratings(),
    scope="profile:read",
)
def list_ratings(request: ApiRequest, player: str) -> Response:
    """Read how a player's rating has changed.

    The rating after each of the latest 200 rated games of a ruleset.
    """
    request.services.accounts.player(player)
    ruleset = request.query["ruleset"]
    course = request.services.ratings.course(player, ruleset)
    return json_response(
        {"items": rating_points(course), "ai_ratings": ai_ratings(ruleset_of(ruleset)), "next_cursor": None}
    )
