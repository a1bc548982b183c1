"""`IdempotencyStore` on Redis.

A key holds either a lock (the digest of the request and a random mark) or the answer. A lock expires after
`LOCK_MS`, so that it does not block the request for longer if its process died.
"""

import contextlib
import time
import uuid
from collections.abc import Callable
from typing import Final

from redis.exceptions import RedisError

from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.port import IdempotencyKeyReused, JsonObject, StillWorking
from service.store.scripts import Script, translate_errors

#: How long a request may take before another one with its key repeats it (ms). It is less than `WAIT_MS`, so that a
#: retry succeeds if the first request died with its process.
LOCK_MS: Final = 8_000
#: How long a second request waits for the first one's answer (ms), and how often it polls (s).
WAIT_MS: Final = 10_000
POLL_S: Final = 0.02

_SETTLE: Final = Script("settle")


class RedisIdempotencyStore:
    """`IdempotencyStore` on Redis.

    Args:
        client: for commands.
        wait_ms: how long a second request waits for the first one's answer.
    """

    def __init__(self, client: Client, *, wait_ms: int = WAIT_MS) -> None:
        self._redis: Final = client
        self._wait_s: Final = wait_ms / 1000

    @translate_errors
    def remember(
        self, scope: str, key: str, digest: str, answer: Callable[[], JsonObject], *, ttl_ms: int
    ) -> JsonObject:
        """See `IdempotencyStore.remember`."""
        name = keys.answer(scope, key)
        lock = codec.encode(codec.ANSWER, {"digest": digest, "mark": uuid.uuid4().hex})
        deadline = time.monotonic() + self._wait_s
        while not self._redis.set(name, lock, nx=True, px=LOCK_MS):
            stored = self._redis.get(name)
            if stored is None:
                continue
            if stored == lock:
                break  # The lock was set, but the reply of Redis was lost.
            recorded = codec.decode(codec.ANSWER, stored, "answer of an idempotent request")
            if recorded["digest"] != digest:
                raise IdempotencyKeyReused(key)
            if "answer" in recorded:
                result: JsonObject = recorded["answer"]
                return result
            if time.monotonic() > deadline:
                raise StillWorking(key)
            time.sleep(POLL_S)
        try:
            result = answer()
            record = codec.encode(codec.ANSWER, {"digest": digest, "answer": result})
        except BaseException:
            with contextlib.suppress(RedisError):
                _SETTLE.run(self._redis, (name,), lock, "", 0)
            raise
        _SETTLE.run(self._redis, (name,), lock, record, ttl_ms)
        return result
