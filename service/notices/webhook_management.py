"""The use cases of webhooks: create, verify and change them, repeat deliveries by hand (`retries.py`: unasked)."""

import secrets
from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple

from service.notices import webhooks
from service.notices.choices import NEWS_MS
from service.notices.errors import BadTarget, NoSuchNotice, WebhookInactive
from service.notices.notices import Notices
from service.notices.outbound import PORTS, Outbound
from service.notices.scanner import new_delivery
from service.store.notices.outbox import Delivery, Outbox
from service.store.notices.subscriptions import PREFIXES, WELL, Health, Subscription

#: How long both secrets are used for signing after a rotation (ms).
BOTH_MS: Final = 24 * 3_600_000
#: Most characters of a URL.
_LONGEST: Final = 1_000


class Webhook(NamedTuple):
    """A webhook and its health."""

    subscription: Subscription
    health: Health


class Webhooks:
    """See the module.

    Args:
        notices: common use cases of subscriptions.
        outbox: the store of deliveries.
        outbound: checks addresses.
    """

    def __init__(self, notices: Notices, outbox: Outbox, outbound: Outbound) -> None:
        self._notices: Final = notices
        self._outbox: Final = outbox
        self._outbound: Final = outbound

    def of_player(self, player: str) -> list[Webhook]:
        """Return the webhooks of a player, oldest first."""
        subscribed, subscriptions = self._notices.of_kind(player, "webhook")
        return [Webhook(each, subscribed.health.get(each["id"], WELL)) for each in subscriptions]

    def get(self, player: str, webhook: str) -> Webhook:
        """Return a webhook of a player.

        Raises:
            NoSuchNotice: the player has none with this id.
        """
        subscribed = self._notices.store.of_player(player)
        subscription = subscribed.subscriptions.get(webhook)
        if subscription is None or subscription["kind"] != "webhook":
            raise NoSuchNotice(what="webhook", id=webhook)
        return Webhook(subscription, subscribed.health.get(webhook, WELL))

    def add(
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
        token: str,
        own_host: str,
    ) -> Subscription:
        """Add a webhook, and verify its endpoint.

        Args:
            player: id of the player.
            number: determines its id; the same for a repeated request.
            token: id of the token that makes it, with which it ends.
            own_host: host to which the request was sent.
            form: one of `FORMATS`.

        For the others see `Subscription`.

        Raises:
            BadTarget: the URL is not allowed.
            TooManySubscriptions: the player has `MOST` of them.
        """
        self._check(url, form, own_host)
        now = self._notices.now()
        subscription: Subscription = {
            "id": PREFIXES["webhook"] + number,
            "player": player,
            "kind": "webhook",
            "events": events,
            "tables": tables,
            "after_ms": after_ms,
            "created_at": now,
            "since": now,
            # The URL of a chat is itself the secret, since anybody who knows it may write there.
            "state": "pending" if form == "standard" else "active",
            "target": {"url": url, "name": name, "format": form, "secrets": [{"secret": secret, "until": None}]},
            "token": token,
        }
        self._notices.add(subscription)
        if subscription["state"] == "pending":
            self._ask(subscription)
        return subscription

    def change(self, player: str, webhook: str, changes: dict[str, Any], own_host: str, token: str) -> Webhook:
        """Change fields of a webhook (of `Subscription` or its target); `active` switches it on or off.

        A webhook with another address ends with the token (id) that has moved it.

        Raises:
            BadTarget: the URL is not allowed.
            NoSuchNotice: the player has none with this id.
        """
        target: dict[str, object] = {name: changes[name] for name in ("url", "name", "format") if name in changes}
        while True:
            known = self.get(player, webhook).subscription
            changed = self._change(known, target, changes, own_host, token)
            if changed is not None:
                break
        asks, was_pending = changed["state"] == "pending", known["state"] == "pending"
        if asks and (webhooks.where(changed) != webhooks.where(known) or not was_pending):
            self._ask(changed)
        self._notices.schedule_scans(player)
        return self.get(player, webhook)

    def _change(
        self, known: Subscription, target: dict[str, object], changes: dict[str, Any], own_host: str, token: str
    ) -> Subscription | None:
        """Change a webhook as it was read; None if its address or format is another one by now.

        So address and format are checked together, and a new address proves itself, also if somebody else changes
        them at the same moment.
        """
        moved = {**known["target"], **target}
        is_moved = (moved["url"], moved["format"]) != webhooks.where(known)
        if is_moved:
            self._check(moved["url"], moved["format"], own_host)
        now, active, is_other = self._notices.now(), changes.get("active"), False

        def change(current: Subscription) -> Subscription:
            nonlocal is_other
            is_other = webhooks.where(current) != webhooks.where(known)
            if is_other:
                return current
            changed: Subscription = {**current, "target": {**current["target"], **target}}
            for name in ("events", "tables", "after_ms"):
                if name in changes:
                    changed[name] = changes[name]
            if is_moved:
                changed["token"] = token
            if active is False:
                changed["state"] = "disabled"
            elif is_moved or (active and current["state"] == "disabled"):
                changed |= {"state": "pending" if moved["format"] == "standard" else "active", "since": now}
            return changed

        changed = self._changed(known["player"], known["id"], change)
        return None if is_other else changed

    def rotate(self, player: str, webhook: str, secret: str, token: str) -> Subscription:
        """Give a webhook a new secret; the previous one is also used for signing for a day.

        From then on it ends with the token (id) that has read the secret.

        Raises:
            NoSuchNotice: the player has none with this id.
        """
        until = self._notices.now() + BOTH_MS

        def change(current: Subscription) -> Subscription:
            before = current["target"]["secrets"][0]
            secrets_ = (
                [before, *current["target"]["secrets"][1:]]
                if before["secret"] == secret
                else [{"secret": secret, "until": None}, {**before, "until": until}]
            )
            return {**current, "target": {**current["target"], "secrets": secrets_}, "token": token}

        return self._changed(player, webhook, change)

    def ask_again(self, player: str, webhook: str) -> Subscription:
        """Verify an endpoint now, unless it is verified.

        Raises:
            NoSuchNotice: the player has none with this id.
        """
        subscription = self.get(player, webhook).subscription
        if subscription["state"] != "active":
            subscription = self._changed(player, webhook, lambda known: {**known, "state": "pending"})
            self._ask(subscription)
        return subscription

    def test(self, player: str, webhook: str) -> Delivery:
        """Send a notice that only says that it is a test, once. An endpoint that is not verified is asked instead.

        Raises:
            NoSuchNotice: the player has none with this id.
        """
        subscription = self.get(player, webhook).subscription
        if subscription["state"] != "active":
            subscription = self._changed(player, webhook, lambda known: {**known, "state": "pending"})
            return self._ask(subscription)
        now = self._notices.now()
        delivery = new_delivery(player, subscription, webhooks.TEST, secrets.token_urlsafe(24), now)
        data = {"webhook": webhook, "name": subscription["target"]["name"]}
        delivery |= {"until": now + NEWS_MS, "data": data, "by_hand": True}
        self._outbox.post([(delivery, now)])
        return delivery

    def deliveries(self, player: str, webhook: str) -> list[Delivery]:
        """Return the latest deliveries to a webhook, newest first.

        Raises:
            NoSuchNotice: the player has none with this id.
        """
        self.get(player, webhook)
        return self._outbox.of_subscription(webhook)

    def send_again(self, player: str, webhook: str, delivery: str) -> Delivery:
        """Repeat a delivery unchanged, even if its decision is over.

        Raises:
            NoSuchNotice: the webhook or the delivery does not exist (or no longer exists).
            WebhookInactive: the webhook is not active.
        """
        subscription = self.get(player, webhook).subscription
        record = self._outbox.get(webhook, delivery)
        if record is None:
            raise NoSuchNotice(what="delivery", id=delivery)
        # An address that has not proven itself gets only challenges.
        if subscription["state"] != "active" and (subscription["state"], record["type"]) != (
            "pending",
            webhooks.VERIFY,
        ):
            raise WebhookInactive(state=subscription["state"])
        record |= {"outcome": "pending", "by_hand": True}
        self._outbox.note(record, self._notices.now(), None, keep=True)
        return record

    def _check(self, url: str, form: str, own_host: str) -> None:
        if len(url) > _LONGEST:
            raise BadTarget(reason="webhook_url", field="url")
        if (reason := self._outbound.refusal_of_new(url, own_host)) is not None:
            raise BadTarget(reason=reason, field="url", ports=[*PORTS])
        if not webhooks.is_format_of(form, url):
            raise BadTarget(reason="webhook_format", field="format", hosts=[*webhooks.FORMATS[form]])

    def _changed(self, player: str, subscription: str, change: Callable[[Subscription], Subscription]) -> Subscription:
        changed = self._notices.store.change(player, subscription, change)
        if changed is None:
            raise NoSuchNotice(what="webhook", id=subscription)
        return changed

    def _ask(self, subscription: Subscription) -> Delivery:
        """Send a challenge to an endpoint, which must answer it before it gets notices."""
        now, challenge = self._notices.now(), secrets.token_urlsafe(24)
        delivery = new_delivery(subscription["player"], subscription, webhooks.VERIFY, challenge, now)
        delivery |= {"until": now + NEWS_MS, "data": {"challenge": challenge}}
        self._outbox.post([(delivery, now)])
        return delivery
