"""The messenger: sends notices to players who are not looking (decision 151).

Like the clock, it leases what is due, and sends it from threads. Any number may run: what a dead one has leased
is due again when the lease ends.
"""

import os
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

import structlog
from redis.exceptions import RedisError

from service.common.settings import Settings
from service.game.state.types import State
from service.jobs.worker_status import NOTICES, JobMetrics
from service.notices import webhooks
from service.notices.outbound import CONNECT_S, TOTAL_S, Outbound, Patience, outbound_of
from service.notices.scanner import LEASE_MS, Scanner
from service.notices.sending import Carrier, Sending
from service.store.notices.outbox import Delivery, Outbox
from service.store.notices.subscriptions import Kind, Subscribed, SubscriptionStore
from service.store.port import StoreCorrupt, StoreTooNew, StoreUnavailable
from service.wiring import UseCases
from workers.lanes import LANES, QUICK_S, Call, Lanes, host_of

log: Final = structlog.get_logger("workers.messenger")

#: Seconds between ticks, and after one that failed since the store did not answer.
TICK_S: Final = 0.1
RETRY_S: Final = 1.0
#: Most tables examined in one call.
SCAN_LIMIT: Final = 100
#: Most deliveries leased at a time. Those that find no place in time are due again when their lease ends.
LEASE_LIMIT: Final = 250
#: How long the results of a scan are used (s).
_FRESH_S: Final = 0.5
#: Latest start of a request after its lease (s), so that it does not outlast the lease.
_LATEST_S: Final = LEASE_MS / 1000 - TOTAL_S - CONNECT_S / 2


class _Lease(NamedTuple):
    """A delivery leased by this process, time of the lease (s, monotonic), and settings of its player."""

    delivery: Delivery
    at: float
    settings: Subscribed | None


class Messenger:
    """See the module.

    Args:
        scanner, sending, outbox, subscriptions: its parts.
        beat: sends a heartbeat if one is due.
        now: returns milliseconds since the epoch.
        lanes, quick_s: see `workers.lanes`.
    """

    def __init__(
        self,
        scanner: Scanner,
        sending: Sending,
        outbox: Outbox,
        subscriptions: SubscriptionStore,
        beat: Callable[[], object],
        now: Callable[[], int],
        lanes: tuple[int, int] = LANES,
        quick_s: float = QUICK_S,
    ) -> None:
        self._scanner: Final = scanner
        self._sending: Final = sending
        self._outbox: Final = outbox
        self._subscriptions: Final = subscriptions
        self._beat: Final = beat
        self._now: Final = now
        self._lock: Final = threading.Lock()
        self._lanes: Final[Lanes[_Lease]] = Lanes(lanes, quick_s)
        # Requests that were ended early take a moment to notice.
        self._threads: Final = ThreadPoolExecutor(sum(lanes) + lanes[1], "send")
        #: Subscription -> its receiver, while it has deliveries.
        self._calls: Final[dict[str, Call[_Lease]]] = {}
        self._is_closed = False

    def tick(self) -> int:
        """Start sending due deliveries; return their number."""
        fresh = self._scanner.scan_tables(SCAN_LIMIT) + self._scanner.scan_inboxes()
        self._start([_Lease(delivery, time.monotonic(), subscribed) for delivery, subscribed in fresh])
        again = self._outbox.lease(self._now(), LEASE_MS, LEASE_LIMIT)
        at = time.monotonic()
        self._start([_Lease(delivery, at, None) for delivery in again])
        self._review()
        self._beat()
        return len(fresh) + len(again)

    def _start(self, leases: list[_Lease]) -> None:
        """Send deliveries, or let them wait."""
        hosts = self._hosts(leases)
        with self._lock:
            for lease in leases:
                delivery = lease.delivery
                subscription, player = delivery["subscription"], delivery["player"]
                call = self._calls.get(subscription)
                if call is None:
                    host = hosts.get(subscription, "")
                    call = self._calls[subscription] = Call(
                        subscription, player, host, is_failing=delivery["attempts"] > 0
                    )
                    self._lanes.put(call)
                call.leases.append(lease)
        self._call()

    def _hosts(self, leases: list[_Lease]) -> dict[str, str]:
        """Return subscription -> name of its host."""
        known = {lease.delivery["player"]: lease.settings for lease in leases if lease.settings is not None}
        unread = list({lease.delivery["player"] for lease in leases} - known.keys())
        by_player = (
            {**known, **dict(zip(unread, self._subscriptions.of_players(unread), strict=True))} if unread else known
        )
        return {
            name: host_of(each) for subscribed in by_player.values() for name, each in subscribed.subscriptions.items()
        }

    def _review(self) -> None:
        now = time.monotonic()
        with self._lock:
            self._lanes.review(now)
            for call in self._lanes.waiting():
                # These are due again when their lease ends.
                while call.leases and now - call.leases[0].at >= _LATEST_S:
                    call.leases.popleft()
                if not call.leases:
                    self._lanes.drop(call)
                    del self._calls[call.subscription]
        self._call()

    def _call(self) -> None:
        with self._lock:
            for call in () if self._is_closed else self._lanes.take():
                call.patience = Patience()
                self._threads.submit(self._work, call)

    def _work(self, call: Call[_Lease]) -> None:
        """Send the first delivery of a receiver."""
        lease = call.leases[0]
        # Otherwise the delivery is due again when its lease ends.
        is_late = time.monotonic() - lease.at >= _LATEST_S
        has_failed = not is_late and self._send(lease, call.patience)
        with self._lock:
            self._lanes.end(call, time.monotonic(), has_failed=has_failed)
            call.leases.popleft()
            if call.leases:
                call.is_failing = call.leases[0].delivery["attempts"] > 0
                self._lanes.put(call)
            else:
                del self._calls[call.subscription]
        self._call()

    def _send(self, lease: _Lease, patience: Patience) -> bool:
        """Send a delivery; return whether that has failed."""
        try:
            is_fresh = time.monotonic() - lease.at < _FRESH_S
            outcome = self._sending.send(lease.delivery, lease.settings if is_fresh else None, patience)
        except StoreTooNew:
            # When the lease ends, a messenger of a later release may send it, until it is no longer useful.
            return False
        except (StoreUnavailable, StoreCorrupt) as error:
            log.warning("cannot tell; trying again", error=str(error))
            return False
        except Exception as error:  # noqa: BLE001 - a delivery must not block the others of its receiver
            log.error("cannot tell", error=type(error).__name__)  # noqa: TRY400 - a traceback may contain secrets
            return False
        return outcome in ("retried", "failed")

    def run(self, stop: threading.Event) -> None:
        """Tick until `stop` is set; less often while Redis is unreachable or answers with errors."""
        while not stop.is_set():
            began = time.monotonic()
            try:
                pause = 0.0 if self.tick() >= SCAN_LIMIT else max(0.0, TICK_S - (time.monotonic() - began))
            except (StoreUnavailable, StoreCorrupt, RedisError) as error:
                log.warning("cannot tick; trying again", error=f"{type(error).__name__}: {error}", in_s=RETRY_S)
                pause = RETRY_S
            stop.wait(pause)
        self.close()

    def close(self) -> None:
        """Finish the current requests."""
        with self._lock:
            self._is_closed = True
        self._threads.shutdown(wait=True, cancel_futures=True)


def messenger_of(use: UseCases, metrics: JobMetrics, beat: Callable[[], object]) -> Messenger:
    """Return the messenger of a process."""

    def count(carrier: str, outcome: str) -> None:
        metrics.event(NOTICES, f"{carrier}:{outcome}")

    # A name whose servers do not answer must not keep a thread for half a minute (resolv.conf(5)).
    os.environ.setdefault("RES_OPTIONS", "timeout:1 attempts:2")
    sending = sending_of(use, outbound_of(use.settings), count)
    return Messenger(use.scanner, sending, use.stores.outbox, use.stores.subscriptions, beat, use.now)


def sending_of(
    use: UseCases,
    outbound: Outbound,
    count: Callable[[str, str], object],
    chance: Callable[[], float] = random.random,
) -> Sending:
    """Return what sends deliveries; for the arguments see `Sending`."""
    stores, now = use.stores, use.now

    def load(table: str) -> State | None:
        snapshot = stores.tables.load(table)
        return None if snapshot is None else snapshot.state

    return Sending(
        subscriptions=stores.subscriptions,
        outbox=stores.outbox,
        open_streams=stores.open_streams,
        inbox=stores.inbox,
        load=load,
        player=stores.players.get,
        is_valid=lambda player, token: stores.tokens.is_valid(player, token, now()),
        carriers=carriers_of(use.settings, now),
        waiting=use.gathering.waiting,
        outbound=outbound,
        activated=lambda subscribed, player: use.scanner.schedule(subscribed, stores.players.tables_of(player)),
        now=now,
        public_url=use.settings.public_url,
        count=count,
        chance=chance,
    )


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
