"""The use cases of notices: what players subscribe to, and what they choose."""

import secrets
from collections.abc import Callable, Iterable
from typing import Any, Final, Literal, NamedTuple

from service.notices import webhooks
from service.notices.choices import DEFAULT, NEWS_MS
from service.notices.errors import BadTarget, NoSuchNotice, TooManySubscriptions
from service.notices.looking import Looking, delivery_id
from service.notices.outbound import PORTS, Outbound
from service.store.notices.outbox import Delivery, Outbox
from service.store.notices.subscriptions import (
    PREFIXES,
    WELL,
    Choice,
    Health,
    Kind,
    Subscribed,
    Subscription,
    SubscriptionStore,
)
from service.store.players.inbox import InboxStore

#: Kind -> most subscriptions of a player.
MOST: Final[dict[Kind, int]] = {"webhook": 5, "webpush": 10, "relay": 10}
#: Most tables that a subscription or a choice names.
MOST_TABLES: Final = 200
#: How long both secrets sign after a rotation (ms).
BOTH_MS: Final = 24 * 3_600_000


class Webhook(NamedTuple):
    """A webhook, and how it fares."""

    subscription: Subscription
    health: Health


class Notices:
    """See the module.

    Args:
        subscriptions, outbox, inbox: the stores.
        looking: has tables looked at.
        tables_of: returns the tables where a player sits.
        outbound: knows which addresses are called.
        now: returns milliseconds since the epoch.
    """

    def __init__(
        self,
        *,
        subscriptions: SubscriptionStore,
        outbox: Outbox,
        inbox: InboxStore,
        looking: Looking,
        tables_of: Callable[[str], list[str]],
        outbound: Outbound,
        now: Callable[[], int],
    ) -> None:
        self._subscriptions: Final = subscriptions
        self._outbox: Final = outbox
        self._inbox: Final = inbox
        self._looking: Final = looking
        self._tables_of: Final = tables_of
        self._outbound: Final = outbound
        self._now: Final = now

    def sat(self, player: str, table: str) -> None:
        """Note that a player has sat down at a table."""
        self._looking.heed(self._subscriptions.of_player(player), [table])

    def of_player(self, player: str) -> Subscribed:
        """Return everything about the notices of a player."""
        return self._subscriptions.of_player(player)

    # --- webhooks -----------------------------------------------------------------------------------------------------

    def webhooks(self, player: str) -> list[Webhook]:
        """Return the webhooks of a player, oldest first."""
        found = self._subscriptions.of_player(player)
        return sorted(
            (Webhook(each, found.health.get(each["id"], WELL)) for each in _of_kind(found, "webhook")),
            key=lambda each: each.subscription["created_at"],
        )

    def webhook(self, player: str, webhook: str) -> Webhook:
        """Return a webhook of a player.

        Raises:
            NoSuchNotice: the player has none with this id.
        """
        found = self._subscriptions.of_player(player)
        subscription = found.subscriptions.get(webhook)
        if subscription is None or subscription["kind"] != "webhook":
            raise NoSuchNotice(what="webhook", id=webhook)
        return Webhook(subscription, found.health.get(webhook, WELL))

    def add_webhook(
        self,
        player: str,
        *,
        number: str,
        url: str,
        name: str,
        form: str,
        events: list[str],
        tables: Literal["all", "hosted"] | list[str],
        after_ms: int,
        secret: str,
        own_host: str,
    ) -> Subscription:
        """Add a webhook, and ask its endpoint whether it wants to be told.

        Args:
            player: whose webhook.
            number: makes its id; a repeated request has the same.
            own_host: the host to which the request was sent.
            form: one of `FORMATS`.

        The others are described with `Subscription`.

        Raises:
            BadTarget: the URL may not be called.
            TooManySubscriptions: the player has `MOST` of them.
        """
        self._check(url, form, own_host)
        now = self._now()
        made: Subscription = {
            "id": PREFIXES["webhook"] + number,
            "player": player,
            "kind": "webhook",
            "events": events,
            "tables": tables,
            "after_ms": after_ms,
            "created_at": now,
            "since": now,
            # Whoever knows the URL of a chat may write there: it is the secret.
            "state": "pending" if form == "standard" else "active",
            "target": {"url": url, "name": name, "format": form, "secrets": [{"secret": secret, "until": None}]},
        }
        self._add(made)
        if made["state"] == "pending":
            self._ask(made)
        return made

    def change_webhook(self, player: str, webhook: str, changes: dict[str, Any], own_host: str) -> Webhook:
        """Change a webhook: members of `Subscription` or of its target; `active` switches it on or off.

        Raises:
            BadTarget: the URL may not be called.
            NoSuchNotice: the player has none with this id.
        """
        known = self.webhook(player, webhook).subscription
        target: dict[str, Any] = {name: changes[name] for name in ("url", "name", "format") if name in changes}
        moved = {**known["target"], **target}
        is_moved = (moved["url"], moved["format"]) != (known["target"]["url"], known["target"]["format"])
        if is_moved:
            self._check(moved["url"], moved["format"], own_host)
        now, active = self._now(), changes.get("active")
        asks = moved["format"] == "standard"

        def change(found: Subscription) -> Subscription:
            changed: Subscription = {**found, "target": {**found["target"], **target}}
            for name in ("events", "tables", "after_ms"):
                if name in changes:
                    changed[name] = changes[name]
            if active is False:
                changed["state"] = "disabled"
            elif is_moved or (active and found["state"] == "disabled"):
                changed |= {"state": "pending" if asks else "active", "since": now}
            return changed

        changed = self._changed(player, webhook, change)
        if asks and (is_moved or (changed["state"] == "pending" and known["state"] != "pending")):
            self._ask(changed)
        self._heed(player)
        return self.webhook(player, webhook)

    def rotate(self, player: str, webhook: str, secret: str) -> Subscription:
        """Give a webhook a new secret; the one before signs too for a day.

        Raises:
            NoSuchNotice: the player has none with this id.
        """
        until = self._now() + BOTH_MS

        def change(found: Subscription) -> Subscription:
            before = found["target"]["secrets"][0]
            secrets_ = (
                [before, *found["target"]["secrets"][1:]]
                if before["secret"] == secret
                else [{"secret": secret, "until": None}, {**before, "until": until}]
            )
            return {**found, "target": {**found["target"], "secrets": secrets_}}

        return self._changed(player, webhook, change)

    def ask_again(self, player: str, webhook: str) -> Subscription:
        """Ask an endpoint now whether it wants to be told; once it does, nothing happens.

        Raises:
            NoSuchNotice: the player has none with this id.
        """
        found = self.webhook(player, webhook).subscription
        if found["state"] != "active":
            found = self._changed(player, webhook, lambda known: {**known, "state": "pending"})
            self._ask(found)
        return found

    def deliveries(self, player: str, webhook: str) -> list[Delivery]:
        """Return the latest deliveries to a webhook, newest first.

        Raises:
            NoSuchNotice: the player has none with this id.
        """
        self.webhook(player, webhook)
        return self._outbox.of_subscription(webhook)

    def send_again(self, player: str, webhook: str, delivery: str) -> Delivery:
        """Send a delivery once more, as it was, whatever has become of its decision.

        Raises:
            NoSuchNotice: there is no such webhook, or no such delivery any more.
        """
        self.webhook(player, webhook)
        found = self._outbox.get(webhook, delivery)
        if found is None:
            raise NoSuchNotice(what="delivery", id=delivery)
        found |= {"outcome": "pending", "by_hand": True}
        self._outbox.note(found, self._now(), None, keep=True)
        return found

    def remove(self, player: str, subscription: str, kind: Kind) -> None:
        """Delete a subscription.

        Raises:
            NoSuchNotice: the player has none of this kind with this id.
        """
        if not subscription.startswith(PREFIXES[kind]) or not self._subscriptions.remove(player, subscription):
            raise NoSuchNotice(what="webhook" if kind == "webhook" else "subscription", id=subscription)

    # --- what players choose ------------------------------------------------------------------------------------------

    def choice(self, player: str) -> Choice:
        """Return what a player chose for the own devices."""
        return self._subscriptions.of_player(player).choice or DEFAULT

    def choose(self, player: str, changes: dict[str, Any]) -> Choice:
        """Change what a player chose; `tables` replaces single ones, `default` takes one away."""
        here = set(self._tables_of(player))

        def change(before: Choice | None) -> Choice:
            chosen: Choice = {**(before or DEFAULT), **{name: changes[name] for name in changes if name != "tables"}}  # type: ignore[typeddict-item]
            merged = {**chosen["tables"], **changes.get("tables", {})}
            # Those of tables that the player has left go with the next change.
            kept = {table: level for table, level in merged.items() if level != "default" and table in here}
            return {**chosen, "tables": kept}

        chosen = self._subscriptions.choose(player, change)
        self._heed(player)
        return chosen

    # --- shared -------------------------------------------------------------------------------------------------------

    def _check(self, url: str, form: str, own_host: str) -> None:
        if len(url) > 1_000:
            raise BadTarget(reason="webhook_url", field="url")
        if (reason := self._outbound.refusal_of_new(url, own_host)) is not None:
            raise BadTarget(reason=reason, field="url", ports=[*PORTS])
        if not webhooks.is_format_of(form, url):
            raise BadTarget(reason="webhook_format", field="format", hosts=[*webhooks.FORMATS[form]])

    def _add(self, made: Subscription) -> None:
        most = MOST[made["kind"]]
        outcome = self._subscriptions.add(made, most, self._inbox.extent(made["player"]).last)
        if outcome == "full":
            raise TooManySubscriptions(kind=made["kind"], limit=most)
        if outcome == "gone":
            raise NoSuchNotice(what="player", id=made["player"])
        self._heed(made["player"])

    def _changed(self, player: str, subscription: str, change: Callable[[Subscription], Subscription]) -> Subscription:
        changed = self._subscriptions.change(player, subscription, change)
        if changed is None:
            raise NoSuchNotice(what="webhook", id=subscription)
        return changed

    def _heed(self, player: str) -> None:
        self._looking.heed(self._subscriptions.of_player(player), self._tables_of(player))

    def _ask(self, subscription: Subscription) -> None:
        """Send a challenge to an endpoint: only who answers it wants to be told."""
        now, challenge = self._now(), secrets.token_urlsafe(24)
        self._outbox.post(
            {
                "id": delivery_id(subscription["id"], webhooks.VERIFY, challenge),
                "player": subscription["player"],
                "subscription": subscription["id"],
                "type": webhooks.VERIFY,
                "at": now,
                "until": now + NEWS_MS,
                "data": {"challenge": challenge},
                "told": None,
                "outcome": "pending",
                "attempts": 0,
                "last": None,
            },
            now,
        )


def _of_kind(subscribed: Subscribed, kind: Kind) -> Iterable[Subscription]:
    return (each for each in subscribed.subscriptions.values() if each["kind"] == kind)
