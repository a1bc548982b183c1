"""Accounts: a player's tokens, codes for other and lost devices, export and erasure."""

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime
from itertools import starmap
from typing import Any, Final

from flask import Response

from service.accounts import codes
from service.accounts.accounts import LINK_MS, void_link
from service.accounts.kept_bytes import NOTHING, TOKEN
from service.accounts.rights import id_of_identity
from service.accounts.scopes import allowed
from service.api.http import guesses
from service.api.http.auth import bearer_token, hash_of, new_salt, token_of
from service.api.http.languages import language_for
from service.api.http.problems import Unauthorized
from service.api.http.rate_limits import client_of
from service.api.http.responses import empty_response, json_response
from service.api.idempotency import HEADER, idempotency_key, run_once
from service.api.operations import ApiRequest, Resource, fresh_bearer
from service.api.resources.boards import own_result
from service.api.resources.calendars import shown_calendar
from service.api.resources.notices import shown_choice, shown_device
from service.api.resources.objections import shown_objection
from service.api.resources.past_rounds import shown_round
from service.api.resources.players import about, profile, rating_points, results_of
from service.api.resources.riddles import shown_answer
from service.api.resources.webhooks import shown_delivery, shown_webhook
from service.api.schemas import accounts as schemas
from service.api.schemas.reports import Report
from service.api.services import Services
from service.calendars.calendars import calendar_of
from service.game.errors import NotFound
from service.game.views.fields import timestamp
from service.moderation.moderation import as_author_sees
from service.notices.webhook_management import Webhooks
from service.store.boards.links import DealEntry, DealLink, Line
from service.store.clubs.clubs import Club
from service.store.matchmaking.circles import Circle
from service.store.players.identities import Linked
from service.store.players.tokens import DAY_MS, Token
from service.store.port import Player, StoreTooNew
from service.store.tournaments.comments import Comment
from service.store.tournaments.teams import EventNote

resource: Final = Resource(
    "Accounts",
    "Each device and each helper app has a token of its own, with only the scopes that it needs. A link code adds "
    "another device; a recovery code helps when all tokens are lost.",
)


def _info(token: Token) -> dict[str, object]:
    last_used = datetime.fromtimestamp(token["used_on"] * DAY_MS / 1000, UTC)
    return {
        "id": token["id"],
        "name": token["name"],
        "scopes": allowed(token),
        "created_at": timestamp(token["created_at"]),
        "last_used_on": last_used.date().isoformat(),
        "expires_at": timestamp(token["expires_at"]),
    }


def shown_identity(linked: Linked) -> dict[str, object]:
    """Return the player's view of an identity."""
    identity = linked.identity
    return {
        "id": id_of_identity(linked.identity_hash),
        "provider": identity["provider"],
        "issuer": identity["issuer"],
        "linked_at": timestamp(identity["linked_at"]),
    }


def signed_in(services: Services, player: Player, token: str) -> Response:
    """Return the answer to a successful sign-in."""
    body = {"player": profile(player, results_of(services, player["id"])), "token": token}
    return json_response(body, 201, {"Location": "/v1/me"})


def _guess(request: ApiRequest, kind: guesses.Kind, *, is_free: bool = True) -> AbstractContextManager[None]:
    """See `guesses.guess`; `is_free`: a right code costs nothing, since it is spent."""
    services = request.services
    client, failed = client_of(request.raw), request.rate_limit_key if is_free else None
    return guesses.guess(services.rate_limiter, services.metrics, kind, client, failed=failed)


# --- tokens -----------------------------------------------------------------------------------------------------------


@resource.operation("GET", "/v1/me/tokens", response=schemas.MyTokens(), scope="account")
def list_tokens(request: ApiRequest) -> Response:
    """List my tokens and the other ways into the account.

    There is one for each device and helper app; at most 20.
    """
    identities = request.services.identities.of_player(request.player_id)
    tokens, has_recovery = request.services.accounts.tokens_of(request.player_id)
    items = [_info(token) | {"current": token["id"] == request.token["id"]} for token in tokens]
    return json_response(
        {
            "items": items,
            "next_cursor": None,
            "has_recovery_code": has_recovery,
            "identities": [shown_identity(each) for each in identities],
        }
    )


@resource.operation(
    "POST",
    "/v1/me/tokens",
    body=schemas.TokenRequest(),
    response=schemas.MadeToken(),
    status=201,
    auth=fresh_bearer,
    scope="account",
    budget="create",
    headers=(HEADER,),
    errors=("idempotency-key-reused", "too-many-tokens", "device-too-new"),
    example={"name": "Score board", "scopes": ["tables:read"], "expires_in_ms": 2_592_000_000},
    keeps=TOKEN,
)
def create_token(request: ApiRequest) -> Response:
    """Create a token.

    For a helper app. Give it only the scopes that it needs; the calling token must have them too. The token is shown
    only here.
    """
    accounts, body = request.services.accounts, request.body
    salt, key = new_salt(), idempotency_key(request)

    def create() -> dict[str, Any]:
        made_hash, lifetime_ms = hash_of(token_of(salt, key)), body.get("expires_in_ms")
        token = accounts.add(request.token, made_hash, body["name"], body["scopes"], lifetime_ms)
        if token is None:
            raise Unauthorized
        return {"info": _info(token), "salt": salt}

    outcome = run_once(request, f"token of {request.player_id}", create)
    location = f"/v1/me/tokens/{outcome['info']['id']}"
    return json_response({**outcome["info"], "token": token_of(outcome["salt"], key)}, 201, {"Location": location})


@resource.operation(
    "PATCH",
    "/v1/me/tokens/<token>",
    body=schemas.TokenChanges(),
    response=schemas.MyToken(),
    scope="account",
    budget="act",
    example={"name": "Lin's phone"},
    keeps=NOTHING,
)
def update_token(request: ApiRequest, token: str) -> Response:
    """Rename a token."""
    renamed = request.services.accounts.rename(request.player_id, token, request.body["name"])
    if renamed is None:
        raise NotFound(what="token", id=token)
    return json_response(_info(renamed) | {"current": token == request.token["id"]})


@resource.operation(
    "DELETE",
    "/v1/me/tokens/<token>",
    query=schemas.KeepQuery(),
    status=204,
    auth=fresh_bearer,
    scope="account",
    budget="act",
    errors=("device-too-new",),
    keeps=NOTHING,
)
def delete_token(request: ApiRequest, token: str) -> Response:
    """Sign a device out.

    The token becomes void at once, in all processes of the service, and its streams end. What it gave ends too, and
    what that gave: tokens, external accounts, the recovery code, webhooks and devices, except the calling token and
    what `keep` names. If it is the calling token, ways into the account stay: tokens with all scopes, external
    accounts and the recovery code. A player who deletes the last token and has neither a recovery code nor a linked
    identity cannot get back in. In its first five minutes a token ends no ways into the account, except itself and what
    it gave.
    """
    services, keep = request.services, kept_ids(request)
    ended = services.accounts.rights.end_token(request.player_id, token, request.token, keep)
    services.authenticator.forget(request.player_id)
    if not ended:
        raise NotFound(what="token", id=token)
    return empty_response()


@resource.operation("GET", "/v1/me/rights", response=schemas.Rights(), scope="account")
def list_rights(request: ApiRequest) -> Response:
    """List everything that gives access to my account.

    Tokens, external accounts, the recovery code, webhooks and devices, and by what each was given. What gave something
    takes it along when it ends.
    """
    items = _rights(request.services, request.player_id, request.token["id"])
    return json_response({"items": items, "next_cursor": None})


def _rights(services: Services, player: str, current: str) -> list[dict[str, object]]:
    return [
        {
            "id": each.id,
            "kind": each.kind,
            "name": each.name,
            "given_by": each.given_by,
            "made_at": timestamp(each.at),
            "is_way_in": each.is_way_in,
            "current": each.id == current,
        }
        for each in services.accounts.rights.of_player(player)
    ]


def kept_ids(request: ApiRequest) -> list[str]:
    """Return the ids in `keep` of a query."""
    return list(filter(None, request.query.get("keep", "").split(",")))


# --- link codes -------------------------------------------------------------------------------------------------------


@resource.operation(
    "POST",
    "/v1/me/link-codes",
    response=schemas.LinkCode(),
    auth=fresh_bearer,
    scope="account",
    budget="create",
    keeps=NOTHING,
    errors=("device-too-new",),
)
def create_link_code(request: ApiRequest) -> Response:
    """Get a code for another device.

    The other device sends it to `POST /v1/links` and gets a token of its own, with the scopes of the calling one. The
    code works once, for five minutes, and only while the calling token is valid.
    """
    services = request.services
    token_hash = hash_of(bearer_token(request.raw.headers.get("Authorization")))
    code = services.accounts.new_link(request.token, token_hash, os.urandom)
    expires_at = timestamp(services.tables.now() + LINK_MS)
    return json_response({"code": code, "expires_at": expires_at, "remaining_ms": LINK_MS})


@resource.operation(
    "POST",
    "/v1/links",
    body=schemas.Link(),
    response=schemas.SignedIn(),
    status=201,
    auth=None,
    budget="failed",
    headers=(HEADER,),
    errors=("not-found", "idempotency-key-reused", "too-many-tokens"),
    example={"code": "K7PQ2-M9X4C", "name": "Lin's tablet"},
    keeps=TOKEN,
)
def link_device(request: ApiRequest) -> Response:
    """Link this device to an account.

    Takes a code from another device (`POST /v1/me/link-codes`) and returns a token of the same player. Wrong codes
    count against a limit for all addresses together.
    """
    services, code = request.services, request.body["code"]
    salt, key = new_salt(), idempotency_key(request)

    def create() -> dict[str, Any]:
        with _guess(request, "link"):
            caller = services.accounts.link(code, hash_of(token_of(salt, key)), request.body["name"])
        return {"player": caller.player["id"], "salt": salt}

    outcome = run_once(request, f"link:{codes.hash_of(code)}", create)
    player = services.accounts.find(outcome["player"])
    if player is None:
        raise void_link(code)
    return signed_in(services, player, token_of(outcome["salt"], key))


# --- recovery ---------------------------------------------------------------------------------------------------------


@resource.operation(
    "POST",
    "/v1/me/recovery-code",
    response=schemas.RecoveryCode(),
    auth=fresh_bearer,
    scope="account",
    budget="create",
    keeps=TOKEN,
    errors=("device-too-new",),
)
def create_recovery_code(request: ApiRequest) -> Response:
    """Get a recovery code.

    The code is shown only here; the service stores a hash. It works once, with `POST /v1/recoveries`, and does not
    expire. Any earlier code becomes void. The calling token must have all scopes and no expiry.
    """
    code = request.services.accounts.new_recovery(request.token, os.urandom)
    return json_response({"code": code})


@resource.operation(
    "POST",
    "/v1/recoveries",
    body=schemas.Recovery(),
    response=schemas.SignedIn(),
    status=201,
    auth=None,
    budget="failed",
    headers=(HEADER,),
    errors=("not-found", "idempotency-key-reused"),
    example={"code": "4T7WZ-0P9QK-3M8N5-V2X6B-1C7D9-F", "name": "Lin's new phone"},
    keeps=TOKEN,
)
def recover_account(request: ApiRequest) -> Response:
    """Recover an account.

    Uses up the recovery code. Everything else that gives access to the account ends: tokens, external accounts,
    webhooks and devices, except what `keep` names. A new token with all scopes is returned. Send an `Idempotency-Key`:
    if the response gets lost, the same request returns the token again. Make a new recovery code afterwards. Wrong
    codes count against a limit for all addresses together.
    """
    services, code = request.services, request.body["code"]
    key = idempotency_key(request)

    def choose() -> dict[str, Any]:
        with _guess(request, "recovery"):
            services.accounts.player_of_recovery(code)
        return {"salt": new_salt()}

    # Store the token before spending the code, so that a retry succeeds if this process dies in between.
    token = token_of(run_once(request, f"recovery:{codes.hash_of(code)}", choose)["salt"], key)
    caller = services.accounts.caller(hash_of(token))
    if caller is None:
        name, keep = request.body.get("name"), request.body.get("keep", [])
        caller = services.accounts.recover(code, hash_of(token), name, keep)
        services.authenticator.forget(caller.player["id"])
    return signed_in(services, caller.player, token)


@resource.operation(
    "POST",
    "/v1/recovery-requests",
    body=schemas.RecoveryQuestion(),
    response=schemas.Recoverable(),
    auth=None,
    budget="failed",
    errors=("not-found",),
    keeps=NOTHING,
    example={"code": "4T7WZ-0P9QK-3M8N5-V2X6B-1C7D9-F"},
)
def read_recovery(request: ApiRequest) -> Response:
    """Read what a recovery would end.

    Everything that gives access to the account, so that the player can choose what to `keep` with `POST
    /v1/recoveries`. Changes nothing, and the code stays valid. Wrong codes count against a limit for all addresses
    together.
    """
    services = request.services
    with _guess(request, "recovery", is_free=False):
        record = services.accounts.player_of_recovery(request.body["code"])
    items = [each for each in _rights(services, record["id"], "") if each["kind"] != "recovery_code"]
    return json_response({"name": record["name"], "items": items, "next_cursor": None})


# --- stored data ------------------------------------------------------------------------------------------------------


@resource.operation(
    "GET", "/v1/me/export", response=schemas.AccountExport(), scope="account", budget="export", is_for_suspended=True
)
def export_account(request: ApiRequest) -> Response:
    """Export all my data.

    Returns one document, once a day. `DELETE /v1/me` deletes the data. Records of games are read with `GET
    /v1/games/{game}`.
    """
    services = request.services
    stored = services.accounts.data_of(request.player)
    body: dict[str, object] = {
        "exported_at": timestamp(services.tables.now()),
        "player": about(stored.player)
        | {"muted": stored.player.get("muted", []), "invited_by": stored.player.get("invited_by")}
        | {"calendar": shown_calendar(calendar_of(stored.player), services.tables.now())},
        "tokens": [_info(token) for token in stored.tokens],
        "has_recovery_code": stored.has_recovery,
        "identities": [shown_identity(each) for each in stored.identities],
        "guest_last_seen_at": timestamp(stored.traces.guest_at),
        "results": {
            ruleset: {**result, "rated_at": timestamp(result.get("rated_at"))}
            for ruleset, result in stored.results.items()
        },
        "ratings": {ruleset: rating_points(course) for ruleset, course in stored.ratings.items()},
        "tables": _tables(stored.traces.sits),
        "hosted": _tables(stored.traces.hosts),
        "reports": [_report(report) for report in stored.reports],
        "objections": [shown_objection(each, language_for(request.raw)) for each in stored.objections],
        "blocked": [{"player": other, "since": timestamp(since)} for other, since in stored.blocked.items()],
        "friends": [
            {"player": known.player, "since": timestamp(known.since), "state": known.tie} for known in stored.known
        ],
        "events": [
            {"seq": note.seq, "type": note.type, "at": timestamp(note.at), "data": note.data} for note in stored.notes
        ],
        "notices": shown_choice(services.notices.choice(request.player_id)),
        "devices": [shown_device(each, request.token["id"]) for each in services.devices.of_player(request.player_id)],
        "webhooks": _webhooks(services.webhooks, request.player_id),
        "boards": [
            {
                "event": event,
                "entered_at": timestamp(entered.entry["at"]),
                "name": entered.entry["name"],
                "results": [own_result(number, result) for number, result in entered.results.items()],
            }
            for event, entered in stored.boards.items()
        ],
        "directed": stored.directed,
        "comments": [*_comments(stored.comments), *_notes(stored.event_notes)],
        "rooms": [_room(circle, stored.player["id"]) for circle in stored.circles],
        "clubs": [_club(services, club, stored.player["id"]) for club in stored.clubs],
        "deal_links": [*map(_sent_deal, stored.deals_sent), *starmap(_entered_deal, stored.deals_entered.items())],
        "rounds": [shown_round(each) for each in stored.rounds],
        "riddles": [*starmap(shown_answer, stored.riddles.items())],
        "games": [*dict.fromkeys([*_games(services, {**stored.traces.sits, **stored.traces.hosts}), *stored.games])],
    }
    return json_response(body)


def _report(report: Mapping[str, Any]) -> dict[str, object]:
    seen = as_author_sees(report)
    return {**{name: seen.get(name) for name in Report().fields}, "at": timestamp(report["at"])}


def _room(circle: Circle, player: str) -> dict[str, object]:
    own = circle["members"][player]
    return {"room": circle["id"], "name": circle["name"], "role": own["role"], "since": timestamp(own["since"])}


def _club(services: Services, club: Club, player: str) -> dict[str, object]:
    own = club["members"].get(player)
    since = own["since"] if own is not None else club["requests"][player]
    seasons = [
        {
            "season": season["id"],
            "name": season["name"],
            "rank": row["rank"],
            "points": row["points"],
            "events": [line["event"] for line in row["results"]],
        }
        for season, row in (services.seasons.of_player(player, club["id"]) if own is not None else ())
    ]
    about = {"club": club["id"], "name": club["name"], "role": own and own["role"], "since": timestamp(since)}
    return {**about, "seasons": seasons}


def _comments(by_event: Mapping[str, Sequence[Comment]]) -> list[dict[str, object]]:
    return [
        {"event": event, "board": said["board"], "text": said["text"], "at": timestamp(said["at"])}
        for event, all_of in by_event.items()
        for said in all_of
    ]


def _notes(by_event: Mapping[str, Sequence[EventNote]]) -> list[dict[str, object]]:
    return [
        {"event": event, "board": None, "text": note["text"], "at": timestamp(note["at"])}
        for event, all_of in by_event.items()
        for note in all_of
    ]


def _sent_deal(link: DealLink) -> dict[str, object]:
    return _kept_deal(link["code"], "sender", link["made_at"], link["line"])


def _entered_deal(code: str, entry: DealEntry) -> dict[str, object]:
    return _kept_deal(code, "playing" if entry["line"] is None else "played", entry["at"], entry["line"])


def _kept_deal(code: str, part: str, at: int, line: Line | None) -> dict[str, object]:
    result = {"points": line.get("points"), "scores": line.get("scores")} if line else {"points": None, "scores": None}
    return {"code": code, "part": part, "at": timestamp(at), **result}


def _webhooks(webhooks: Webhooks, player: str) -> list[dict[str, object]]:
    return [
        shown_webhook(webhook)
        | {"deliveries": [shown_delivery(each) for each in webhooks.deliveries(player, webhook.subscription["id"])]}
        for webhook in webhooks.of_player(player)
    ]


def _tables(listed: Mapping[str, int]) -> list[dict[str, object]]:
    return [{"table": table, "since": timestamp(since)} for table, since in listed.items()]


def _games(services: Services, tables: Mapping[str, int]) -> list[str]:
    """Return the ids of the current or last game of each table that still exists."""
    games = []
    for table in tables:
        with suppress(NotFound, StoreTooNew):
            game = services.tables.load(table)["game"]
            if game is not None:
                games.append(game["id"])
    return games
