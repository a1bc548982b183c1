"""The messenger: sends notices to players who are not looking (decision 151).

Like the clock, it claims what is due, and sends it from threads. Any number may run: unfinished claims of a dead one
are due again when their lease ends.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

import structlog
from redis.exceptions import RedisError

from service.common.settings import Settings
from service.game.state.types import State
from service.jobs.worker_status import NOTICES, JobMetrics
from service.notices import webhooks
from service.notices.looking import LEASE_MS, Looking
from service.notices.outbound import CONNECT_S, TOTAL_S, outbound_of
from service.notices.sending import Carrier, Sending
from service.store.connections.clients import Client
from service.store.notices.lookers import RedisLookers
from service.store.notices.looks import RedisLookStore
from service.store.notices.outbox import Delivery, Outbox, RedisOutbox
from service.store.notices.subscriptions import Kind, RedisSubscriptionStore, Subscribed
from service.store.players.inbox import RedisInboxStore
from service.store.players.tokens import RedisTokenStore
from service.store.port import StoreCorrupt, StoreUnavailable
from service.store.redis_store import redis_stores

log: Final = structlog.get_logger("workers.messenger")

#: Seconds between ticks, and after one that failed since the store did not answer.
TICK_S: Final = 0.1
RETRY_S: Final = 1.0
#: Most tables examined in one call.
LOOK_LIMIT: Final = 100
#: Concurrent requests: to receivers that have answered, and to those that failed last time, which delay only each
#: other.
LANES: Final = (200, 50)
#: How long the findings of a look are used (s).
_FRESH_S: Final = 0.5
#: Latest start of a request after its claim (s), so that it does not outlast the lease.
_LATEST_S: Final = LEASE_MS / 1000 - TOTAL_S - CONNECT_S / 2


class _Claim(NamedTuple):
    """A delivery claimed by this process, time of the claim (s, monotonic), and settings of its player."""

    delivery: Delivery
    at: float
    seen: Subscribed | None


class Messenger:
    """See the module.

    Args:
        looking, sending, outbox: its parts.
        beat: sends a heartbeat if one is due.
        now: returns milliseconds since the epoch.
        lanes: see `LANES`.
    """

    def __init__(
        self,
        looking: Looking,
        sending: Sending,
        outbox: Outbox,
        beat: Callable[[], object],
        now: Callable[[], int],
        lanes: tuple[int, int] = LANES,
    ) -> None:
        self._looking: Final = looking
        self._sending: Final = sending
        self._outbox: Final = outbox
        self._beat: Final = beat
        self._now: Final = now
        self._lock: Final = threading.Lock()
        self._lanes: Final = [ThreadPoolExecutor(size, f"send{number}") for number, size in enumerate(lanes)]
        self._free: Final = sum(lanes)
        #: Subscription -> deliveries waiting for its current request.
        self._busy: Final[dict[str, deque[_Claim]]] = {}
        self._failing: Final[set[str]] = set()

    def tick(self) -> int:
        """Start sending due deliveries; return their number."""
        fresh = self._looking.look_at_tables(LOOK_LIMIT) + self._looking.look_at_inboxes()
        for delivery, subscribed in fresh:
            self._start(_Claim(delivery, time.monotonic(), subscribed))
        free = self._free - self._waiting()
        again = self._outbox.claim(self._now(), LEASE_MS, free) if free > 0 else []
        for delivery in again:
            self._start(_Claim(delivery, time.monotonic(), None))
        self._beat()
        return len(fresh) + len(again)

    def _waiting(self) -> int:
        with self._lock:
            return sum(1 + len(waiting) for waiting in self._busy.values())

    def _start(self, claim: _Claim) -> None:
        subscription = claim.delivery["subscription"]
        with self._lock:
            waiting = self._busy.get(subscription)
            if waiting is not None:
                waiting.append(claim)
                return
            self._busy[subscription] = deque()
            failed = subscription in self._failing or claim.delivery["attempts"] > 0
        self._lanes[failed].submit(self._work, claim)

    def _work(self, claim: _Claim | None) -> None:
        """Send the waiting deliveries of a subscription, one after the other."""
        while claim is not None:
            subscription = claim.delivery["subscription"]
            # Otherwise the delivery is due again when its lease ends.
            if time.monotonic() - claim.at < _LATEST_S:
                self._send(claim)
            with self._lock:
                waiting = self._busy[subscription]
                claim = waiting.popleft() if waiting else None
                if claim is None:
                    del self._busy[subscription]

    def _send(self, claim: _Claim) -> None:
        subscription = claim.delivery["subscription"]
        try:
            is_fresh = time.monotonic() - claim.at < _FRESH_S
            outcome = self._sending.send(claim.delivery, claim.seen if is_fresh else None)
        except (StoreUnavailable, StoreCorrupt) as error:
            log.warning("cannot tell; trying again", error=str(error))
            return
        except Exception as error:  # noqa: BLE001 - a delivery must not block the others of its receiver
            log.error("cannot tell", error=type(error).__name__)  # noqa: TRY400 - a traceback may contain secrets
            return
        with self._lock:
            (self._failing.add if outcome in ("retried", "failed") else self._failing.discard)(subscription)

    def run(self, stop: threading.Event) -> None:
        """Tick until `stop` is set; less often while Redis is unreachable or answers with errors."""
        while not stop.is_set():
            began = time.monotonic()
            try:
                pause = 0.0 if self.tick() >= LOOK_LIMIT else max(0.0, TICK_S - (time.monotonic() - began))
            except (StoreUnavailable, StoreCorrupt, RedisError) as error:
                log.warning("cannot tick; trying again", error=f"{type(error).__name__}: {error}", in_s=RETRY_S)
                pause = RETRY_S
            stop.wait(pause)
        self.close()

    def close(self) -> None:
        """Finish the current requests."""
        for lane in self._lanes:
            lane.shutdown(wait=True, cancel_futures=True)


def messenger_of(
    settings: Settings, client: Client, now: Callable[[], int], metrics: JobMetrics, beat: Callable[[], object]
) -> Messenger:
    """Return the messenger of a process, on a client of the store."""
    subscriptions, outbox, inbox = RedisSubscriptionStore(client), RedisOutbox(client), RedisInboxStore(client)
    lookers, stores, tokens = RedisLookers(client, now), redis_stores(client, cached_tables=0), RedisTokenStore(client)
    looking = Looking(RedisLookStore(client), subscriptions, outbox, lookers, inbox, now)

    def load(table: str) -> State | None:
        snapshot = stores.tables.load(table)
        return None if snapshot is None else snapshot.state

    def count(carrier: str, outcome: str) -> None:
        metrics.event(NOTICES, f"{carrier}:{outcome}")

    sending = Sending(
        subscriptions=subscriptions,
        outbox=outbox,
        lookers=lookers,
        inbox=inbox,
        load=load,
        player=stores.players.get,
        is_signed_in=lambda player, token: any(each["id"] == token for each in tokens.of_player(player).tokens),
        carriers=carriers_of(settings, now),
        outbound=outbound_of(settings),
        activated=lambda subscribed, player: looking.heed(subscribed, stores.players.tables_of(player)),
        now=now,
        public_url=settings.public_url,
        count=count,
    )
    return Messenger(looking, sending, outbox, beat, now)


def carriers_of(settings: Settings, now: Callable[[], int]) -> dict[Kind, Carrier]:
    """Return the configured carriers."""
    carriers: dict[Kind, Carrier] = {
        "webhook": lambda delivery, subscription, words: webhooks.request(
            delivery, subscription, words, now(), time.time()
        )
    }
    if settings.vapid_private_key or settings.push_relay_url:
        from service.notices import pushes, web_push  # noqa: PLC0415 (cryptography takes 8 MB, so load it only if used)

        if settings.vapid_private_key:
            vapid = web_push.Vapid(settings.vapid_private_key, settings.vapid_subject or settings.public_url)
            carriers["webpush"] = pushes.web_push(vapid, now)
        if settings.push_relay_url:
            carriers["relay"] = pushes.relay(settings.push_relay_url, settings.push_relay_secret, now)
    return carriers
