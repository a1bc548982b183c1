"""`Idempotency-Key`: a repeated request is carried out once, with the same answer (docs/contract.md §3)."""

import hashlib
import json
import os
import re
from collections.abc import Callable
from typing import Final, TypeVar, cast
from uuid import UUID

from service.api.http.problems import RETRY_AFTER_S, Unavailable
from service.api.operations import ApiRequest
from service.common.errors import InvalidRequest
from service.game.errors import IdempotencyKeyReused
from service.game.ids import id_from, new_id
from service.store import port

#: How long a key and its result are stored.
TTL_MS: Final = 24 * 3600 * 1000
#: Least length, so that keys neither collide nor can be guessed.
PATTERN: Final = r"^[\x21-\x7e]{16,128}$"
HEADER: Final = "Idempotency-Key"

#: Random versions of UUIDs, and well-known UUIDs: examples of this API and of others.
_RANDOM_VERSIONS: Final = frozenset({4, 7})
_WELL_KNOWN: Final = frozenset(
    UUID(known)
    for known in (
        "5f0c7a52-6f0e-4f3c-9a55-3b9d1f6c2a10",
        "550e8400-e29b-41d4-a716-446655440000",
        "f47ac10b-58cc-4372-a567-0e02b2c3d479",
        "919108f7-52d1-4320-9bac-f847db4148a8",
        "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
        "3fa85f64-5717-4562-b3fc-2c963f66afa6",
        "497f6eca-6276-4993-bfeb-53cbbbba6f08",
        "095be615-a8ad-4c33-8e9c-c7612fbf6c9f",
        "8e03978e-40d5-43e8-bc93-6894a57f9324",
        "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d",
        "16fd2706-8baf-433b-82eb-8c7fada847da",
    )
)
#: Least number of different digits; random UUIDs hardly ever have fewer.
_FEWEST_DIFFERENT: Final = 6

#: A JSON object.
Result = TypeVar("Result")


def idempotency_key(request: ApiRequest) -> str | None:
    """Return the request's key, or None.

    Raises:
        InvalidRequest: reason `header`.
    """
    key = request.raw.headers.get(HEADER)
    if key is not None and re.fullmatch(PATTERN, key, re.ASCII) is None:
        raise InvalidRequest(reason="header", header=HEADER, example="5f0c7a52-6f0e-4f3c-9a55-3b9d1f6c2a10")
    return key


def unpredictable_key(request: ApiRequest) -> str | None:
    """Return the key of a request without a token, or None. The key alone identifies the sender.

    Raises:
        InvalidRequest: reason `header`, or `weak_key`: it is no random UUID, so somebody else may send the same.
    """
    key = idempotency_key(request)
    if key is None:
        return None
    try:
        uuid = UUID(key)
    except ValueError:
        uuid = None
    if (
        uuid is None
        or uuid.version not in _RANDOM_VERSIONS
        or uuid in _WELL_KNOWN
        or len(set(uuid.hex)) < _FEWEST_DIFFERENT
    ):
        raise InvalidRequest(reason="weak_key", header=HEADER)
    return key


def request_digest(request: ApiRequest) -> str:
    """Return a digest that distinguishes requests with the same key."""
    identity = json.dumps([request.operation.id, request.raw.path, request.body], sort_keys=True)
    return hashlib.sha256(identity.encode()).hexdigest()


def id_once(request: ApiRequest, prefix: str) -> str:
    """Return the id of the thing that a player's request creates.

    With an idempotency key it is derived from the key, so that a retry creates no second thing after a crash between
    creation and recording of the response.
    """
    key = idempotency_key(request)
    if key is None:
        return new_id(prefix, os.urandom)
    identity = f"{request.player_id}:{key}:{request_digest(request)}"
    return id_from(prefix, hashlib.sha256(identity.encode()).digest())


def run_once(request: ApiRequest, scope: str, action: Callable[[], Result]) -> Result:
    """Return the result of an action, or the stored one if the request was carried out under its key before.

    Args:
        scope: namespace of the key: a player's id, for example.
        action: carries out the request and returns a JSON object, which is stored for a day.

    Raises:
        IdempotencyKeyReused: the key was used with a different request.
        Unavailable: an earlier request with this key is still being carried out.
    """
    key = idempotency_key(request)
    if key is None:
        return action()
    remember = request.services.stores.idempotency.remember
    is_new = False

    def do() -> dict[str, object]:
        nonlocal is_new
        is_new = True
        return cast("dict[str, object]", action())

    try:
        result = cast("Result", remember(scope, key, request_digest(request), do, ttl_ms=TTL_MS))
    except port.IdempotencyKeyReused:
        raise IdempotencyKeyReused from None
    except port.StillWorking:
        raise Unavailable(retry_after_s=RETRY_AFTER_S) from None
    if not is_new:
        request.keep_nothing()
    return result
