"""`IdempotencyStore` on Redis.

A key holds either a claim (who does the request: digest and a random mark) or the answer. A claim ends by itself after
`CLAIM_MS`, so that a process that died in the middle holds nobody up for longer.
"""

import contextlib
import time
import uuid
from collections.abc import Callable
from typing import Any, Final

from redis.exceptions import RedisError

from service.store import codec, keys
from service.store.clients import Client, Script, edge
from service.store.port import IdempotencyKeyReused, StillWorking

#: How long a request may take before another one with its key does it again (ms). Less than the other one waits: whose
#: first request died with its process is still served.
CLAIM_MS: Final = 8_000
#: How long a second request waits for the first one's answer (ms), and how often it looks (s).
WAIT_MS: Final = 10_000
LOOK_EVERY_S: Final = 0.02

_SETTLE: Final = Script("settle")


class RedisIdempotencyStore:
    """`IdempotencyStore` on Redis.

    Args:
        client: for commands.
        wait_ms: how long a second request waits for the first one's answer.
    """

    def __init__(self, client: Client, *, wait_ms: int = WAIT_MS) -> None:
        self._redis: Final[Any] = client
        self._wait_s: Final = wait_ms / 1000

    @edge
    def remember(
        self, scope: str, key: str, digest: str, answer: Callable[[], dict[str, Any]], *, ttl_ms: int
    ) -> dict[str, Any]:
        """See `IdempotencyStore.remember`."""
        name = keys.answer(scope, key)
        claim = codec.encode(codec.ANSWER, {"digest": digest, "mark": uuid.uuid4().hex})
        give_up = time.monotonic() + self._wait_s
        while not self._redis.set(name, claim, nx=True, px=CLAIM_MS):
            stored = self._redis.get(name)
            if stored is None:
                continue
            if stored == claim:
                break  # The claim was made, and only the answer to it lost.
            recorded = codec.decode(codec.ANSWER, stored, "answer of an idempotent request")
            if recorded["digest"] != digest:
                raise IdempotencyKeyReused(key)
            if "answer" in recorded:
                result: dict[str, Any] = recorded["answer"]
                return result
            if time.monotonic() > give_up:
                raise StillWorking(key)
            time.sleep(LOOK_EVERY_S)
        try:
            result = answer()
            record = codec.encode(codec.ANSWER, {"digest": digest, "answer": result})
        except BaseException:
            with contextlib.suppress(RedisError):
                _SETTLE.run(self._redis, (name,), claim, "", 0)
            raise
        _SETTLE.run(self._redis, (name,), claim, record, ttl_ms)
        return result
