"""Signing in with an external account, and linking it."""

from contextlib import suppress
from typing import Any, Final

import structlog
from flask import Response, current_app, request

from service.accounts.identities import void_sign_in
from service.accounts.kept_bytes import NOTHING, PLAYER, TOKEN
from service.api.http import guesses
from service.api.http.auth import hash_of, new_salt, token_of
from service.api.http.rate_limits import client_of
from service.api.http.responses import empty_response, json_response
from service.api.idempotency import HEADER, idempotency_key, run_once
from service.api.oauth import issuer_of, oauth
from service.api.operations import ApiRequest, Resource, fresh_bearer
from service.api.resources.accounts import kept_ids, shown_identity, signed_in
from service.api.schemas import accounts
from service.api.schemas import identities as schemas
from service.api.services import Services
from service.game.errors import NotFound
from service.sign_in.sign_ins import Led
from service.store.port import StoreUnavailable

log: Final = structlog.get_logger("service.sign_in")

resource: Final = Resource(
    "Identities",
    "Sign-in with OpenID Connect. A browser goes to `/v1/sign-in/{provider}?return_to=…&challenge=…` and comes back to "
    "`return_to` with `sign_in`, a code for these operations, or with `sign_in_error`. `GET /v1` names the providers.",
)


# --- pages of the sign-in, not in the API document --------------------------------------------------------------------


def _services(provider: str) -> Services:
    """Return the services if there is such a provider, and charge the step to the address."""
    services: Services = current_app.extensions["services"]
    services.rate_limiter.charge("register", client_of(request))
    if not services.sign_ins.has(provider):
        raise NotFound(what="path")
    return services


def _callback(services: Services, provider: str) -> str:
    return f"{issuer_of(services)}/v1/sign-in/{provider}/callback"


def _leads(services: Services, provider: str, led: Led) -> Response:
    if led.failure is not None and led.failure.reason != "access_denied":
        log.warning("sign-in failed", provider=provider, reason=led.failure.reason, why=str(led.failure)[:200])
    to = f"{issuer_of(services)}{led.to}" if led.to.startswith("/") else led.to
    return empty_response(302, {"Location": to})


@oauth.get("/v1/sign-in/<provider>")
def begin(provider: str) -> Response:
    """Redirect a player to a provider."""
    services = _services(provider)
    return_to, challenge = request.args.get("return_to", ""), request.args.get("challenge", "")
    begun = services.sign_ins.begin(provider, _callback(services, provider), return_to, challenge)
    return _leads(services, provider, begun)


@oauth.get("/v1/sign-in/<provider>/callback")
def finish(provider: str) -> Response:
    """Redirect a player who comes back from a provider."""
    services = _services(provider)
    values = request.args.to_dict(flat=False)
    # Repeated parameters are invalid (RFC 6749 §3.1).
    answers = {name: texts[0] for name, texts in values.items() if len(texts) == 1}
    return _leads(services, provider, services.sign_ins.finish(provider, _callback(services, provider), answers))


# --- operations -------------------------------------------------------------------------------------------------------


@resource.operation(
    "POST",
    "/v1/sign-ins",
    body=schemas.SignIn(),
    response=accounts.SignedIn(),
    status=201,
    auth=None,
    budget="failed",
    headers=(HEADER,),
    errors=("not-found", "idempotency-key-reused", "too-many-tokens"),
    example={**schemas.PROOF, "name": "Lin's tablet"},
    keeps=PLAYER + TOKEN,
)
def sign_in(request: ApiRequest) -> Response:
    """Sign in with an external account.

    Takes a code from `/v1/sign-in/{provider}`, which works for a minute. Returns a token, with all scopes, of the
    player to whom the account is linked. If nobody has linked it, `not-found` has `what: identity` in `params`, and the
    code still works: register a player and link the account. Wrong codes count against a limit for all addresses
    together.
    """
    services, body = request.services, request.body
    salt, key = new_salt(), idempotency_key(request)

    def create() -> dict[str, Any]:
        client = client_of(request.raw)
        with guesses.guess(services.rate_limiter, services.metrics, "sign_in", client, failed=client):
            token_hash = hash_of(token_of(salt, key))
            caller = services.identities.sign_in(body["code"], body["verifier"], token_hash, body.get("name"))
        return {"player": caller.player["id"], "salt": salt}

    outcome = run_once(request, f"sign-in:{hash_of(body['code'])}", create)
    player = services.accounts.find(outcome["player"])
    if player is None:
        raise void_sign_in()
    return signed_in(services, player, token_of(outcome["salt"], key))


@resource.operation(
    "POST",
    "/v1/me/identities",
    body=schemas.Proof(),
    response=schemas.Identity(),
    auth=fresh_bearer,
    scope="account",
    budget="create",
    errors=("not-found", "identity-taken", "too-many-identities", "device-too-new"),
    example=schemas.PROOF,
    keeps=TOKEN,
)
def link_identity(request: ApiRequest) -> Response:
    """Link an external account.

    Takes a code from `/v1/sign-in/{provider}`, which works for a minute. Whoever signs in with the account gets all
    scopes, so the calling token must have all scopes and no expiry. After `identity-taken` the code still works for
    `POST /v1/sign-ins`.
    """
    services = request.services
    linked = services.identities.link(request.token, request.body["code"], request.body["verifier"])
    with suppress(StoreUnavailable):
        services.admission.note(request.player_id, "identity", linked.identity_hash)
    return json_response(shown_identity(linked))


@resource.operation(
    "DELETE",
    "/v1/me/identities/<identity>",
    query=accounts.KeepQuery(),
    status=204,
    auth=fresh_bearer,
    scope="account",
    budget="act",
    errors=("last-way-in", "device-too-new"),
    keeps=NOTHING,
)
def unlink_identity(request: ApiRequest, identity: str) -> Response:
    """Unlink an external account.

    Tokens that somebody got by signing in with it end, and what they gave, except the calling token and what `keep`
    names. Refused if there is no other way back to the player then: no other external account, no other device, no
    recovery code.
    """
    services = request.services
    ended = services.accounts.rights.unlink(request.token, identity, kept_ids(request))
    services.authenticator.forget(request.player_id)
    if not ended:
        raise NotFound(what="identity", id=identity)
    return empty_response()
