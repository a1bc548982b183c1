"""`Idempotency-Key`: a request that is sent twice is carried out once, and answered alike (docs/contract.md §3)."""

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

from service.api.http.problems import RETRY_AFTER_S, Unavailable
from service.api.operations import ApiRequest
from service.errors import InvalidRequest
from service.game.errors import IdempotencyKeyReused
from service.store import port

#: How long a key and its result are remembered.
TTL_MS: Final = 24 * 3600 * 1000
#: Long enough that keys neither collide nor can be guessed: a UUID, for example.
PATTERN: Final = r"^[\x21-\x7e]{16,128}$"
HEADER: Final = "Idempotency-Key"

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


def request_digest(request: ApiRequest) -> str:
    """Return a digest that tells apart requests with the same key."""
    identity = json.dumps([request.operation.id, request.raw.path, request.body], sort_keys=True)
    return hashlib.sha256(identity.encode()).hexdigest()


def run_once(request: ApiRequest, scope: str, action: Callable[[], Result]) -> Result:
    """Return the result of an action; the remembered one if the request was carried out before under its key.

    Args:
        scope: namespace of the key: a player's id, for example.
        action: carries the request out and returns a JSON object, which is remembered for a day.

    Raises:
        IdempotencyKeyReused: the key came with a different request before.
        Unavailable: an earlier request with this key is still being carried out.
    """
    key = idempotency_key(request)
    if key is None:
        return action()
    remember = request.services.idempotency.remember
    do = cast("Callable[[], dict[str, Any]]", action)
    try:
        return cast("Result", remember(scope, key, request_digest(request), do, ttl_ms=TTL_MS))
    except port.IdempotencyKeyReused:
        raise IdempotencyKeyReused from None
    except port.StillWorking:
        raise Unavailable(retry_after_s=RETRY_AFTER_S) from None
