"""The outbox: deliveries that wait for their time, and the latest of each subscription."""

from collections.abc import Sequence
from typing import Any, Final, Literal, NotRequired, Protocol, TypedDict

from service.store import codec, keys
from service.store.connections.clients import Client
from service.store.notices.subscriptions import Health
from service.store.scripts import Script, translate_errors

#: Most deliveries of a subscription that are kept once they are over, and how many more there may be meanwhile.
MOST_SENT: Final = 50
_SLACK: Final = 20
#: How long deliveries are kept after the last one of their subscription (ms): longer than any is tried.
SENT_MS: Final = 7 * 24 * 3_600_000

_POST: Final = Script("post")
_CLAIM: Final = Script("claim_posts")
_POSTED: Final = Script("posted")


class Attempt(TypedDict):
    """One attempt to deliver.

    Attributes:
        at: when (ms).
        status: HTTP status; None: there was no answer.
        ms: how long it took.
        error: the kind of error; None: none.
    """

    at: int
    status: int | None
    ms: int
    error: str | None


class Delivery(TypedDict):
    """Something that one subscription is told.

    Attributes:
        id: the same for all attempts.
        type: of the event.
        at: when it was put into the outbox (ms).
        until: when there is no use any more in sending it (ms); None: it depends on the event alone.
        data: what the event says; JSON.
        told: what the decision is called by the table, see `service.notices.turns`; None: it is about no decision.
        outcome: what has become of it.
        attempts: how many there were.
        last: the last one.
        by_hand: it is repeated because the player wants to, whatever has become of its decision.
    """

    id: str
    player: str
    subscription: str
    type: str
    at: int
    until: int | None
    data: dict[str, Any]
    told: str | None
    outcome: Literal["pending", "delivered", "failed", "dropped"]
    attempts: int
    last: Attempt | None
    by_hand: NotRequired[bool]


class Outbox(Protocol):
    """See the module."""

    def post(self, deliveries: Sequence[tuple[Delivery, int]]) -> list[Delivery]:
        """Put deliveries into the outbox, each with the time when it is due (ms).

        Returns those that were put there, not those that had been there or whose subscription is gone.
        """

    def claim(self, now: int, lease_ms: int, limit: int) -> list[Delivery]:
        """Claim deliveries that are due, the earliest first."""

    def note(self, delivery: Delivery, due: int | None, health: Health | None, *, keep: bool) -> None:
        """Note what has become of a delivery.

        Args:
            delivery: as it is now.
            due: when it is to be sent again (ms); None: not any more.
            health: how the subscription fares; None: as before.
            keep: whether it stays on the list of its subscription.
        """

    def of_subscription(self, subscription: str) -> list[Delivery]:
        """Return the latest deliveries of a subscription, newest first."""

    def get(self, subscription: str, delivery: str) -> Delivery | None:
        """Return a delivery that is kept."""

    def oldest(self) -> int | None:
        """Return when the delivery that waits longest was due (ms)."""


class RedisOutbox:
    """`Outbox` on Redis."""

    def __init__(self, client: Client) -> None:
        self._redis: Final[Any] = client

    @translate_errors
    def post(self, deliveries: Sequence[tuple[Delivery, int]]) -> list[Delivery]:
        """See `Outbox.post`. One round trip, and two more once in a while for a subscription."""
        if not deliveries:
            return []
        names, given = [keys.OUTBOX], list[str | bytes | int]()
        for delivery, due in deliveries:
            subscription = delivery["subscription"]
            names += [keys.notices_of(delivery["player"]), keys.sent(subscription)]
            given += [subscription, delivery["id"], codec.encode(codec.DELIVERY, delivery), due]
        counts = _POST.run(self._redis, names, SENT_MS, *given)
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
    def claim(self, now: int, lease_ms: int, limit: int) -> list[Delivery]:
        """See `Outbox.claim`. One round trip when nothing is due, and one more otherwise."""
        due = [member.decode() for member in self._redis.zrangebyscore(keys.OUTBOX, "-inf", now, 0, limit)]
        if not due:
            return []
        names = (keys.OUTBOX, *(keys.sent(member.partition("/")[0]) for member in due))
        found = _CLAIM.run(self._redis, names, now, now + lease_ms, *due)
        return [codec.decode(codec.DELIVERY, stored, "a delivery") for stored in found]

    @translate_errors
    def note(self, delivery: Delivery, due: int | None, health: Health | None, *, keep: bool) -> None:
        """See `Outbox.note`. One round trip."""
        subscription = delivery["subscription"]
        _POSTED.run(
            self._redis,
            (keys.notices_of(delivery["player"]), keys.sent(subscription), keys.OUTBOX),
            subscription,
            delivery["id"],
            codec.encode(codec.DELIVERY, delivery) if keep else b"",
            "" if due is None else due,
            "" if health is None else codec.encode(codec.SUBSCRIPTION, health),
        )

    @translate_errors
    def of_subscription(self, subscription: str) -> list[Delivery]:
        """See `Outbox.of_subscription`. One round trip."""
        return self._all(subscription)[:MOST_SENT]

    def _all(self, subscription: str) -> list[Delivery]:
        found = self._redis.hvals(keys.sent(subscription))
        deliveries = [codec.decode(codec.DELIVERY, stored, f"delivery of {subscription}") for stored in found]
        return sorted(deliveries, key=lambda each: (each["at"], each["id"]), reverse=True)

    @translate_errors
    def get(self, subscription: str, delivery: str) -> Delivery | None:
        """See `Outbox.get`. One round trip."""
        stored = self._redis.hget(keys.sent(subscription), delivery)
        return None if stored is None else codec.decode(codec.DELIVERY, stored, delivery)

    @translate_errors
    def oldest(self) -> int | None:
        """See `Outbox.oldest`. One round trip."""
        return next((int(at) for _, at in self._redis.zrange(keys.OUTBOX, 0, 0, withscores=True)), None)
