"""Subscriptions and choices of players, and inboxes with events to send."""

from collections.abc import Callable
from typing import Final, Literal, NamedTuple, NotRequired, TypedDict

from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.port import JsonObject, StoreCorrupt
from service.store.scripts import Script, translate_errors

_SUBSCRIBE: Final = Script("subscribe")
_UNSUBSCRIBE: Final = Script("unsubscribe")
_REPLACE: Final = Script("replace_field")
_SAW: Final = Script("saw")
_CHOICE: Final = "choice"
_SEQ: Final = "seq"
_HEALTH: Final = ":health"

Kind = Literal["webhook", "webpush", "relay"]
#: Kind -> prefix of the ids of its subscriptions.
PREFIXES: Final[dict[Kind, str]] = {"webhook": "wh_", "webpush": "ps_", "relay": "rl_"}


class Subscription(TypedDict):
    """A subscription to notices.

    Attributes:
        kind: the carrier.
        events: types of events.
        tables: `all`, `hosted`, or ids.
        after_ms: delay after a decision was opened.
        created_at: when it was made (ms).
        since: when it became active (ms); earlier events that are over are not sent.
        state: `pending`: the receiver has not confirmed it yet; `disabled`: it failed for too long, or the receiver has
            refused it.
        target: addresses and keys for the carrier.
        token: id of the token that made it, with which it ends; None: not known, or its player keeps it.
    """

    id: str
    player: str
    kind: Kind
    events: list[str]
    tables: Literal["all", "hosted"] | list[str]
    after_ms: int
    created_at: int
    since: int
    state: Literal["pending", "active", "disabled"]
    target: JsonObject
    token: NotRequired[str | None]


class Health(TypedDict):
    """The health of a subscription: number of failures in a row, and the time of the first one (ms)."""

    failures: int
    since: int | None


WELL: Final[Health] = {"failures": 0, "since": None}


class Quiet(TypedDict):
    """Quiet hours of a player: minutes of the day, in a time zone."""

    start: int
    end: int
    zone: str


class Choice(TypedDict):
    """A player's choices for all own devices; `tables`: choices for single tables."""

    notify: str
    after_ms: int
    quiet: Quiet | None
    tables: dict[str, str]


class Subscribed(NamedTuple):
    """All notice settings of a player.

    Attributes:
        subscriptions: by id.
        health: by id of the subscription.
        choice: None if the player has made none.
        seq: last event of the inbox that was processed.
    """

    subscriptions: dict[str, Subscription]
    health: dict[str, Health]
    choice: Choice | None
    seq: int


class SubscriptionStore:
    """See the module."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    def of_player(self, player: str) -> Subscribed:
        """Return all notice settings of a player. One round trip."""
        return self.of_players([player])[0]

    @translate_errors
    def of_players(self, players: list[str]) -> list[Subscribed]:
        """Return those of several players. One round trip."""
        pipeline = self._redis.pipeline(transaction=False)
        for player in players:
            pipeline.hgetall(keys.notices_of(player))
        return [_subscribed(fields, player) for player, fields in zip(players, pipeline.execute(), strict=True)]

    @translate_errors
    def add(self, subscription: Subscription, most: int, seq: int) -> Literal["done", "full", "gone"]:
        """Store a subscription, replacing one with the same id. One round trip.

        Args:
            subscription: the subscription.
            most: most subscriptions of its kind for a player.
            seq: last event of the inbox; it and earlier ones are not sent.
        """
        player = subscription["player"]
        outcome: Literal["done", "full", "gone"] = _SUBSCRIBE.run(
            self._redis,
            (keys.RECORDS, keys.notices_of(player), keys.tokens_of(player)),
            player,
            subscription["id"],
            codec.encode(codec.SUBSCRIPTION, subscription),
            PREFIXES[subscription["kind"]],
            most,
            seq,
            subscription.get("token") or "",
        ).decode()
        return outcome

    @translate_errors
    def change(
        self, player: str, subscription: str, change: Callable[[Subscription], Subscription]
    ) -> Subscription | None:
        """Change a subscription; None if there is none with this id."""
        while (stored := self._redis.hget(keys.notices_of(player), subscription)) is not None:
            changed = change(codec.decode(codec.SUBSCRIPTION, stored, subscription))
            if self._replace(player, subscription, stored, codec.encode(codec.SUBSCRIPTION, changed)):
                return changed
        return None

    @translate_errors
    def remove(self, player: str, subscription: str) -> bool:
        """Delete a subscription with its deliveries; False if there is none with this id. One round trip."""
        names = (keys.notices_of(player), keys.sent(subscription))
        return bool(_UNSUBSCRIBE.run(self._redis, names, subscription))

    @translate_errors
    def choose(self, player: str, change: Callable[[Choice | None], Choice]) -> Choice:
        """Change the choices of a player."""
        while True:
            stored = self._redis.hget(keys.notices_of(player), _CHOICE)
            changed = change(None if stored is None else codec.decode(codec.CHOICE, stored, player))
            encoded = codec.encode(codec.CHOICE, changed)
            if stored is None:
                if self._redis.hsetnx(keys.notices_of(player), _CHOICE, encoded):
                    return changed
            elif self._replace(player, _CHOICE, stored, encoded):
                return changed

    def _replace(self, player: str, field: str, stored: bytes, changed: bytes) -> bool:
        return bool(_REPLACE.run(self._redis, (keys.notices_of(player),), field, stored, changed))

    @translate_errors
    def players_due(self, now: int, limit: int) -> list[str]:
        """Return players whose inbox may have events to send. One round trip."""
        return [player.decode() for player in self._redis.zrangebyscore(keys.NOTIFY, "-inf", now, 0, limit)]

    @translate_errors
    def saw(self, player: str, seq: int) -> None:
        """Record the last event of a player's inbox that was processed. One round trip."""
        _SAW.run(self._redis, (keys.notices_of(player), keys.NOTIFY, keys.inbox(player)), player, seq)


def _subscribed(fields: dict[bytes, bytes], player: str) -> Subscribed:
    subscriptions: dict[str, Subscription] = {}
    health: dict[str, Health] = {}
    for name, value in fields.items():
        field = name.decode()
        if field.endswith(_HEALTH):
            health[field.removesuffix(_HEALTH)] = codec.decode(codec.SUBSCRIPTION, value, f"{field} of {player}")
        elif field.startswith(tuple(PREFIXES.values())):
            subscriptions[field] = codec.decode(codec.SUBSCRIPTION, value, f"{field} of {player}")
    choice = fields.get(_CHOICE.encode())
    try:
        seq = int(fields.get(_SEQ.encode(), 0))
    except ValueError:
        raise StoreCorrupt(f"notices of {player}: seq is no number") from None
    return Subscribed(
        subscriptions,
        health,
        None if choice is None else codec.decode(codec.CHOICE, choice, f"choice of {player}"),
        seq,
    )
