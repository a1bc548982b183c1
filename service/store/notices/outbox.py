"""The outbox: pending deliveries, and the latest deliveries of each subscription."""

from collections.abc import Sequence
from typing import Final, Literal, NotRequired, TypedDict

from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.notices.subscriptions import Health
from service.store.port import JsonObject
from service.store.scripts import Script, translate_errors

#: Number of finished deliveries kept per subscription, and by how much it may be exceeded until the next clean-up.
MOST_SENT: Final = 50
_SLACK: Final = 20
#: How long deliveries are kept after the last one of their subscription (ms): longer than all retries.
SENT_MS: Final = 7 * 24 * 3_600_000
#: How long it is known that a delivery which is not kept is over (ms): longer than a messenger takes from scanning a
#: table to posting what it found.
_OVER_MS: Final = 120_000

_POST: Final = Script("post")
_LEASE: Final = Script("lease_posts")
_POSTED: Final = Script("posted")


class Attempt(TypedDict):
    """One attempt to deliver.

    Attributes:
        at: time (ms).
        status: HTTP status; None: no answer.
        ms: duration.
        error: kind of error, or None.
    """

    at: int
    status: int | None
    ms: int
    error: str | None


class Delivery(TypedDict):
    """A notice for one subscription.

    Attributes:
        id: the same for all attempts.
        type: type of the event.
        at: when it was put into the outbox (ms).
        until: when it becomes useless (ms); None: it depends on the type of event.
        data: content of the event, as JSON.
        told: name of the decision, see `service.notices.turns`; None: it concerns no decision.
        outcome: its result.
        attempts: number of attempts.
        last: the last attempt.
        gathered: whether it tells of all tables of days that wait when it is sent, which `data` then says.
        by_hand: whether the player asked to repeat it, even if its decision is over.
    """

    id: str
    player: str
    subscription: str
    type: str
    at: int
    until: int | None
    data: JsonObject
    told: str | None
    outcome: Literal["pending", "delivered", "failed", "dropped"]
    attempts: int
    last: Attempt | None
    gathered: NotRequired[bool]
    by_hand: NotRequired[bool]


class Outbox:
    """See the module."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def post(self, deliveries: Sequence[tuple[Delivery, int]]) -> list[Delivery]:
        """Put deliveries into the outbox, each with its due time (ms).

        One round trip, and occasionally two more per subscription.

        Returns those that were added, not those that existed already, are over, or whose subscription is gone.
        """
        if not deliveries:
            return []
        names, arguments = [keys.OUTBOX], list[str | bytes | int]()
        for delivery, due in deliveries:
            subscription = delivery["subscription"]
            names += [keys.notices_of(delivery["player"]), keys.sent(subscription), keys.over(delivery["id"])]
            arguments += [subscription, delivery["id"], codec.encode(codec.DELIVERY, delivery), due]
        counts = _POST.run(self._redis, names, SENT_MS, *arguments)
        posted = [delivery for (delivery, _), count in zip(deliveries, counts, strict=True) if count]
        for (delivery, _), count in zip(deliveries, counts, strict=True):
            if count > MOST_SENT + _SLACK:
                self._trim(delivery["subscription"])
        return posted

    def _trim(self, subscription: str) -> None:
        over = [old["id"] for old in self._all(subscription) if old["outcome"] != "pending"][MOST_SENT:]
        if over:
            self._redis.hdel(keys.sent(subscription), *over)

    @translate_errors
    def lease(self, now: int, lease_ms: int, limit: int) -> list[Delivery]:
        """Lease due deliveries, the earliest first. One round trip if nothing is due, else two."""
        due = [member.decode() for member in self._redis.zrangebyscore(keys.OUTBOX, "-inf", now, 0, limit)]
        if not due:
            return []
        names = (keys.OUTBOX, *(keys.sent(member.partition("/")[0]) for member in due))
        answers = _LEASE.run(self._redis, names, now, now + lease_ms, *due)
        return [codec.decode(codec.DELIVERY, stored, "a delivery") for stored in answers]

    @translate_errors
    def note(self, delivery: Delivery, due: int | None, health: Health | None, *, keep: bool) -> None:
        """Record the outcome of a delivery. One round trip.

        Args:
            delivery: its new value.
            due: when to send it again (ms); None: never.
            health: health of the subscription; None: unchanged.
            keep: whether it stays in the list of its subscription.
        """
        subscription = delivery["subscription"]
        _POSTED.run(
            self._redis,
            (keys.notices_of(delivery["player"]), keys.sent(subscription), keys.OUTBOX, keys.over(delivery["id"])),
            subscription,
            delivery["id"],
            codec.encode(codec.DELIVERY, delivery) if keep else b"",
            "" if due is None else due,
            "" if health is None else codec.encode(codec.SUBSCRIPTION, health),
            _OVER_MS,
        )

    @translate_errors
    def of_subscription(self, subscription: str) -> list[Delivery]:
        """Return the latest deliveries of a subscription, newest first. One round trip."""
        return self._all(subscription)[:MOST_SENT]

    def _all(self, subscription: str) -> list[Delivery]:
        values = self._redis.hvals(keys.sent(subscription))
        deliveries = [codec.decode(codec.DELIVERY, stored, f"delivery of {subscription}") for stored in values]
        return sorted(deliveries, key=lambda each: (each["at"], each["id"]), reverse=True)

    @translate_errors
    def get(self, subscription: str, delivery: str) -> Delivery | None:
        """Return a stored delivery. One round trip."""
        stored = self._redis.hget(keys.sent(subscription), delivery)
        return None if stored is None else codec.decode(codec.DELIVERY, stored, delivery)

    @translate_errors
    def oldest(self) -> int | None:
        """Return the earliest due time of a delivery (ms). One round trip."""
        return next((int(at) for _, at in self._redis.zrange(keys.OUTBOX, 0, 0, withscores=True)), None)
