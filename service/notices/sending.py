"""Sending deliveries of the outbox to webhooks and devices: once, if still useful, with `retries.py` if that fails."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import structlog

from service.game.state.types import State
from service.game.views.fields import timestamp
from service.notices.outbound import Answer, Outbound, Patience
from service.notices.retries import retry_at
from service.notices.turns import Turn, turn_of
from service.notices.webhooks import VERIFY, Request, Words, proves, where
from service.rules.games import RULESETS
from service.store.notices.open_streams import OpenStreams
from service.store.notices.outbox import Attempt, Delivery, Outbox
from service.store.notices.subscriptions import WELL, Health, Kind, Subscribed, Subscription, SubscriptionStore
from service.store.players.inbox import InboxStore, Note
from service.store.port import Player, is_suspended
from service.texts import language_of

log: Final = structlog.get_logger("service.notices")

#: Number of failures in a row, and their least duration (ms), that switch off a webhook.
MOST_FAILURES: Final = 20
FAILING_MS: Final = 24 * 3_600_000
#: Kind -> statuses with which the receiver ends the subscription.
_GONE: Final[Mapping[Kind, tuple[int, ...]]] = {"webhook": (410,), "webpush": (404, 410), "relay": (410,)}

#: What a suspended player is told.
_WHILE_SUSPENDED: Final = frozenset({"suspended", "signed_in", VERIFY})

#: A carrier: makes the request for a delivery.
Carrier = Callable[[Delivery, Subscription, Callable[[], Words]], Request]


class Sending:
    """See the module.

    Args:
        subscriptions, outbox, open_streams, inbox: the stores.
        load: returns the state of a table, or None.
        player: returns the record of a player.
        is_valid: returns whether a player has a token (id) that is valid now; what it subscribed ends with it.
        carriers: kind of subscription -> carrier; those not configured are missing.
        waiting: returns the turns of which a gathered notice tells.
        outbound: sends requests.
        activated: called when a subscription becomes active.
        now: returns milliseconds since the epoch.
        public_url: public URL of the service; "": unknown.
        count: counts an outcome by carrier.
        chance: returns a random number in [0, 1).
    """

    def __init__(
        self,
        *,
        subscriptions: SubscriptionStore,
        outbox: Outbox,
        open_streams: OpenStreams,
        inbox: InboxStore,
        load: Callable[[str], State | None],
        player: Callable[[str], Player | None],
        is_valid: Callable[[str, str], bool],
        carriers: Mapping[Kind, Carrier],
        waiting: Callable[[str, Subscribed, Subscription], Sequence[Turn]],
        outbound: Outbound,
        activated: Callable[[Subscribed, str], object],
        now: Callable[[], int],
        public_url: str = "",
        count: Callable[[str, str], object] = lambda _carrier, _outcome: None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._subscriptions: Final = subscriptions
        self._outbox: Final = outbox
        self._open_streams: Final = open_streams
        self._inbox: Final = inbox
        self._load: Final = load
        self._player: Final = player
        self._is_valid: Final = is_valid
        self._carriers: Final = carriers
        self._waiting: Final = waiting
        self._outbound: Final = outbound
        self._activated: Final = activated
        self._now: Final = now
        self._public_url: Final = public_url
        self._count: Final = count
        self._chance: Final = chance

    def send(self, delivery: Delivery, scanned: Subscribed | None, patience: Patience | None = None) -> str:
        """Send a delivery leased by the caller, and return its outcome.

        Args:
            delivery: the delivery.
            scanned: settings of its player if just read; then its table was just scanned too.
            patience: the time of its request.
        """
        subscribed = scanned or self._subscriptions.of_player(delivery["player"])
        subscription = subscribed.subscriptions.get(delivery["subscription"])
        if subscription is not None and self._has_ended(subscription):
            self._subscriptions.remove(delivery["player"], subscription["id"])
            subscription = None
        if subscription is None:
            self._outbox.note(delivery, None, None, keep=False)
            return "dropped"
        carrier = self._carriers.get(subscription["kind"])
        if carrier is None or self._is_silenced(delivery):
            return self._drop(delivery, subscription)
        if delivery.get("gathered"):
            is_wanted = self._gather(delivery, subscribed, subscription)
        else:
            is_wanted = scanned is not None or self._is_wanted(delivery, subscription)
        if not is_wanted:
            return self._drop(delivery, subscription)
        began = self._now()
        answer = self._answer(delivery, subscription, carrier, patience)
        delivery["attempts"] += 1
        delivery["last"] = Attempt(at=began, status=answer.status, ms=answer.ms, error=_error(answer))
        outcome = self._note(delivery, subscription, subscribed, answer)
        self._count(subscription["kind"], outcome)
        return outcome

    def _answer(
        self, delivery: Delivery, subscription: Subscription, carrier: Carrier, patience: Patience | None
    ) -> Answer:
        """Make the request of a delivery, and return the answer."""
        request = carrier(delivery, subscription, lambda: self._words(delivery))
        try:
            answer = self._outbound.post(
                request.url,
                request.headers,
                request.body,
                read=request.read,
                trusted=request.trusted,
                patience=patience,
            )
            if delivery["type"] == VERIFY and answer.is_ok and not proves(answer.body, delivery["data"]["challenge"]):
                answer = answer._replace(error="challenge")
        except Exception as error:  # noqa: BLE001 - whatever a receiver answers must end as a noted attempt
            log.error("an answer could not be read", error=type(error).__name__)  # noqa: TRY400 - it may hold secrets
            answer = Answer(None, 0, "answer")
        return answer

    def _has_ended(self, subscription: Subscription) -> bool:
        """Return whether what made a subscription has ended: it expires, or an earlier release has ended it alone."""
        token = subscription.get("token")
        return token is not None and not self._is_valid(subscription["player"], token)

    def _is_silenced(self, delivery: Delivery) -> bool:
        """Return whether the player is suspended, and told only of that and of what concerns the account."""
        player = self._player(delivery["player"])
        return player is not None and delivery["type"] not in _WHILE_SUSPENDED and is_suspended(player, self._now())

    def _is_wanted(self, delivery: Delivery, subscription: Subscription) -> bool:
        """Return whether a delivery is still useful."""
        until = delivery["until"]
        if subscription["state"] != ("pending" if delivery["type"] == VERIFY else "active"):
            return False
        if delivery.get("by_hand"):
            return True
        if until is not None and self._now() >= until:
            return False
        if delivery["told"] is None and delivery["type"] != "invited":
            return True
        table, player = delivery["data"]["table"], delivery["player"]
        state = self._load(table)
        if state is None or delivery["told"] is None:
            return state is not None and _may_sit(state)
        return turn_of(state, player, delivery["told"]) is not None and not self._open_streams.of_pairs(
            [(table, player)]
        )

    def _gather(self, delivery: Delivery, subscribed: Subscribed, subscription: Subscription) -> bool:
        """Look up what a gathered notice tells of; return whether there is anything."""
        turns = self._waiting(delivery["player"], subscribed, subscription)
        if not turns:
            return False
        delivery["data"] = {**turns[0].data, "count": len(turns)}
        delivery["until"] = turns[0].deadline
        return True

    def _drop(self, delivery: Delivery, subscription: Subscription) -> str:
        delivery["outcome"] = "failed" if delivery["attempts"] else "dropped"
        keep = subscription["kind"] == "webhook" and delivery["attempts"] > 0
        self._outbox.note(delivery, None, None, keep=keep)
        self._count(subscription["kind"], "dropped")
        return "dropped"

    def _words(self, delivery: Delivery) -> Words:
        player = self._player(delivery["player"])
        language = language_of(None, player["locale"] if player else None)
        ruleset = RULESETS.get(str(delivery["data"].get("ruleset")))
        return Words(language, ruleset.names[language] if ruleset else "", self._public_url)

    # --- outcomes -----------------------------------------------------------------------------------------------------

    def _note(self, delivery: Delivery, subscription: Subscription, subscribed: Subscribed, answer: Answer) -> str:
        keep, known = subscription["kind"] == "webhook", subscribed.health.get(subscription["id"], WELL)
        if answer.is_ok and answer.error is None:
            delivery["outcome"] = "delivered"
            self._outbox.note(delivery, None, WELL if known["failures"] else None, keep=keep)
            if delivery["type"] == VERIFY:
                self._activate(subscription)
            return "delivered"
        now = self._now()
        health: Health = {"failures": known["failures"] + 1, "since": known["since"] or now}
        is_gone = answer.status in _GONE[subscription["kind"]]
        again = None if is_gone else retry_at(delivery, answer, now, self._chance())
        delivery["outcome"] = "failed" if again is None else "pending"
        self._outbox.note(delivery, again, health, keep=keep or again is not None)
        lasting = health["failures"] >= MOST_FAILURES and now - (health["since"] or now) >= FAILING_MS
        if is_gone or lasting:
            self._end(subscription, "gone" if is_gone else "failing")
        log.info(
            "not delivered",
            carrier=subscription["kind"],
            subscription=subscription["id"],
            status=answer.status,
            error=answer.error,
        )
        return "gone" if is_gone else "failed" if again is None else "retried"

    def _activate(self, subscription: Subscription) -> None:
        player, now = subscription["player"], self._now()

        def activate(current: Subscription) -> Subscription:
            # The address may have been changed while the challenge was out; then the new one has proven nothing.
            is_same = where(current) == where(subscription)
            return (
                {**current, "state": "active", "since": now} if is_same and current["state"] == "pending" else current
            )

        if self._subscriptions.change(player, subscription["id"], activate) is not None:
            self._activated(self._subscriptions.of_player(player), player)

    def _end(self, subscription: Subscription, why: str) -> None:
        """Switch off a webhook and notify its player; a device that is gone needs nothing more."""
        player, name = subscription["player"], subscription["id"]
        if subscription["kind"] != "webhook":
            self._subscriptions.remove(player, name)
            return
        self._subscriptions.change(player, name, lambda current: {**current, "state": "disabled"})
        at = self._now()
        data = {"webhook": name, "name": subscription["target"]["name"], "reason": why, "disabled_at": timestamp(at)}
        self._inbox.put(player, Note("webhook_disabled", at, data), "disabled_at")


def _may_sit(state: State) -> bool:
    """Return whether a table without a running game has a free seat."""
    is_open = not state["settings"]["closed"] and state["status"] != "playing"
    return is_open and any(seat["occupant"] is None for seat in state["seats"])


def _error(answer: Answer) -> str | None:
    return answer.error if answer.error is not None or answer.is_ok else "status"
