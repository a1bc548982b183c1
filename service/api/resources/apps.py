"""The consent page: which app asks for which scopes, and the player's answer."""

from contextlib import AbstractContextManager
from typing import Final
from urllib.parse import parse_qsl

from flask import Response
from werkzeug.datastructures import MultiDict

from service.accounts.kept_bytes import NOTHING, TOKEN
from service.accounts.scope_texts import CLAUSES
from service.api.http import guesses
from service.api.http.auth import bearer_token, hash_of
from service.api.http.languages import language_for
from service.api.http.rate_limits import client_of
from service.api.http.responses import empty_response, json_response
from service.api.oauth import issuer_of
from service.api.operations import ApiRequest, Resource, fresh_bearer
from service.api.schemas import apps as schemas
from service.apps.server import Asked

resource: Final = Resource(
    "Apps",
    "Third-party apps act for a player through OAuth 2.1 (`/.well-known/oauth-authorization-server`). These operations "
    "are for the consent page.",
)


def _values(request: ApiRequest) -> MultiDict[str, str]:
    return MultiDict(parse_qsl(request.body["query"], keep_blank_values=True))


def _consent_response(request: ApiRequest, consent: Asked) -> Response:
    language = language_for(request.raw)
    place = consent.place
    return json_response(
        {
            "client": consent.client,
            "place": None if place is None else place.label,
            "leads_to": "device" if place is None else place.kind,
            "place_reads": None if place is None else place.reads,
            "scopes": consent.scopes,
            "allows": [clause.says[language] for scope in consent.scopes for clause in CLAUSES.get(scope, ())],
            "refusal": consent.refusal,
        }
    )


def _by(request: ApiRequest) -> str | None:
    """Return the hash of the token with which the player grants it; None if the player denies it."""
    return hash_of(bearer_token(request.raw.headers.get("Authorization"))) if request.body["allow"] else None


def _guess(request: ApiRequest, *, is_free: bool) -> AbstractContextManager[None]:
    """See `guesses.guess`; `is_free`: a right code costs nothing, since it is spent."""
    services = request.services
    client, failed = client_of(request.raw), request.rate_limit_key if is_free else None
    return guesses.guess(services.rate_limiter, services.metrics, "device", client, failed=failed)


@resource.operation(
    "POST",
    "/v1/app-requests",
    body=schemas.AppQuestion(),
    response=schemas.AppRequest(),
    scope="account",
    example={"query": schemas.QUERY},
    keeps=NOTHING,
)
def read_app_request(request: ApiRequest) -> Response:
    """Read what an app asks me for.

    Show `place`, `leads_to`, `place_reads` and `allows`, and let the player decide. If the app asks for something it
    cannot have, the response has a `refusal`; if it has no valid redirect URI, the request is refused with
    `invalid-request`.
    """
    return _consent_response(request, request.services.apps.consent(issuer_of(request.services), _values(request)))


@resource.operation(
    "POST",
    "/v1/app-answers",
    body=schemas.AppAnswer(),
    response=schemas.AppRedirect(),
    auth=fresh_bearer,
    scope="account",
    budget="create",
    example={"query": schemas.QUERY, "allow": True},
    keeps=TOKEN,
)
def answer_app(request: ApiRequest) -> Response:
    """Grant or deny what an app asks for.

    The code in `redirect_to` works once, for a minute, and only with the app's code verifier.
    """
    to = request.services.apps.answer(issuer_of(request.services), _values(request), _by(request))
    return json_response({"redirect_to": to})


@resource.operation(
    "POST",
    "/v1/device-requests",
    body=schemas.DeviceQuestion(),
    response=schemas.AppRequest(),
    scope="account",
    budget="failed",
    errors=("not-found",),
    example={"code": "WDJB4-MJHT7"},
    keeps=NOTHING,
)
def read_device_request(request: ApiRequest) -> Response:
    """Read what a device asks me for.

    Takes the code that the device shows. Wrong codes count against a limit.
    """
    with _guess(request, is_free=False):
        return _consent_response(request, request.services.apps.asked_by_device(request.body["code"]))


@resource.operation(
    "POST",
    "/v1/device-answers",
    body=schemas.DeviceAnswer(),
    status=204,
    auth=fresh_bearer,
    scope="account",
    budget="failed",
    errors=("not-found",),
    example={"code": "WDJB4-MJHT7", "allow": True},
    keeps=TOKEN,
)
def answer_device(request: ApiRequest) -> Response:
    """Grant or deny what a device asks for.

    The device gets its token with its next poll, within a few seconds. Wrong codes count against a limit.
    """
    with _guess(request, is_free=True):
        request.services.apps.answer_device(request.body["code"], _by(request))
    return empty_response()
