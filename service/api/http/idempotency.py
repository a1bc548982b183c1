"""`Idempotency-Key`: a creation that is sent twice is done once, and both are told the same (`api.md` §1)."""

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any, Final

from service.api.http.operations import Call
from service.api.http.problems import RETRY_AFTER_S, Unavailable
from service.errors import InvalidRequest
from service.game.errors import IdempotencyKeyReused
from service.store import port

KEPT_MS: Final = 24 * 3600 * 1000
#: Long enough not to be guessed or met by chance: a UUID, say.
PATTERN: Final = r"^[\x21-\x7e]{16,128}$"
HEADER: Final = "Idempotency-Key"


def key_of(call: Call) -> str | None:
    """Return the request's key, or None.

    Raises:
        InvalidRequest: reason `header`.
    """
    key = call.request.headers.get(HEADER)
    if key is not None and re.fullmatch(PATTERN, key, re.ASCII) is None:
        raise InvalidRequest(reason="header", header=HEADER, example="5f0c7a52-6f0e-4f3c-9a55-3b9d1f6c2a10")
    return key


def request_digest(call: Call) -> str:
    """Return what tells the request from others under the same key."""
    told = json.dumps([call.operation.id, call.request.path, call.body], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()


def once(call: Call, scope: str, do: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what `do` returns, from memory if the request was done before under its key.

    Args:
        scope: whose keys: the player's id, or what else tells callers apart.
        do: does it; returns JSON values that are kept for a day.

    Raises:
        IdempotencyKeyReused: the key came with another request.
        Unavailable: the first of two requests takes too long.
    """
    key = key_of(call)
    if key is None:
        return do()
    try:
        return call.services.idempotency.remember(scope, key, request_digest(call), do, ttl_ms=KEPT_MS)
    except port.IdempotencyKeyReused:
        raise IdempotencyKeyReused from None
    except port.StillWorking:
        raise Unavailable(retry_after_s=RETRY_AFTER_S) from None
