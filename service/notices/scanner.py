"""Scans of tables and inboxes, which put due notices into the outbox.

Turns are derived from tables, as for the account's stream (decision 147). Sent notices are not stored: each scan
records its time and the table's version, and everything due by then in that version is done.
"""

import hashlib
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from service.account_events.catalogue import NOTICES
from service.game.state.settings import correspondence_of
from service.game.state.types import State
from service.notices.choices import NEWS_MS, TURN_MS, after_ms, due_at, is_alarmed, wants
from service.notices.gathering import end_of_slot, is_gathered
from service.notices.turns import Turn, players_of, turns_of
from service.store.notices.open_streams import OpenStreams
from service.store.notices.outbox import Delivery, Outbox
from service.store.notices.scans import ScanLease, ScanResult, ScanSchedule
from service.store.notices.subscriptions import Subscribed, Subscription, SubscriptionStore
from service.store.players.inbox import MOST_NOTES, InboxStore, Note

#: How long a delivery is leased for (ms), longer than any attempt to deliver; and a table.
LEASE_MS: Final = 15_000
_SCAN_LEASE_MS: Final = 5_000
#: The part of the time for a decision of days that is left when its player is reminded.
LEFT_AT_REMINDER: Final = 5
#: Most inboxes examined in one call.
_MOST_PLAYERS: Final = 50


class _Wanted(NamedTuple):
    """A turn of which a subscription wants a notice.

    Attributes:
        due: when (ms).
        is_reminder: whether it is the second one.
        is_gathered: whether it is told together with other turns.
    """

    turn: Turn
    subscription: Subscription
    due: int
    is_reminder: bool
    is_gathered: bool


class Posted(NamedTuple):
    """A delivery just put into the outbox and leased, and the settings of its player."""

    delivery: Delivery
    subscribed: Subscribed


class Scanner:
    """See the module.

    Args:
        schedule, subscriptions, outbox, open_streams, inbox: the stores.
        now: returns milliseconds since the epoch.
        answered_by: returns until when something else may answer the open decision for a seat of a table (ms).
    """

    def __init__(
        self,
        schedule: ScanSchedule,
        subscriptions: SubscriptionStore,
        outbox: Outbox,
        open_streams: OpenStreams,
        inbox: InboxStore,
        now: Callable[[], int],
        answered_by: Callable[[State, int], int] = lambda _state, _seat: 0,
    ) -> None:
        self._schedule: Final = schedule
        self._subscriptions: Final = subscriptions
        self._outbox: Final = outbox
        self._open_streams: Final = open_streams
        self._inbox: Final = inbox
        self._now: Final = now
        self._answered_by: Final = answered_by

    def schedule(self, subscribed: Subscribed, tables: Iterable[str]) -> None:
        """Schedule scans of tables of a player, if any subscription wants notices of turns."""
        delays = [
            after_ms(subscribed, subscription)
            for subscription in subscribed.subscriptions.values()
            if subscription["state"] == "active" and "turn" in subscription["events"]
        ]
        if delays:
            self._schedule.schedule(tables, min(delays), self._now())

    def scan_tables(self, limit: int) -> list[Posted]:
        """Scan the due tables; return the deliveries to send now, leased for the caller."""
        now = self._now()
        leases = self._schedule.lease(now, _SCAN_LEASE_MS, limit)
        states = [lease.state for lease in leases if lease.state is not None]
        players = sorted({player for state in states for player in players_of(state)})
        known = dict(zip(players, self._subscriptions.of_players(players), strict=True)) if players else {}
        wanted = {state["id"]: self._wanted_at(state, known) for state in states}
        news = [want for lease in leases for want in wanted.get(lease.table, ()) if _is_news(want, lease, now)]
        at_once = [want for want in news if not want.is_gathered]
        gathered = {want.subscription["id"]: want for want in news if want.is_gathered}
        later = end_of_slot(now)
        self._outbox.post([(_of_slot(want, later), later) for want in gathered.values()])
        deliveries = self._outbox.post([(delivery, now + LEASE_MS) for delivery in self._deliveries(at_once, now)])
        self._schedule.record(now, [_result_of(lease, wanted.get(lease.table, []), known, now) for lease in leases])
        return [Posted(delivery, known[delivery["player"]]) for delivery in deliveries]

    def _wanted_at(self, state: State, known: dict[str, Subscribed]) -> list[_Wanted]:
        """Return the wanted notices of the open decision of a table."""
        return [
            _Wanted(
                turn,
                subscription,
                due_at(subscribed, subscription, at, delay),
                is_reminder=is_reminder,
                is_gathered=not is_reminder and is_gathered(state, subscription),
            )
            for turn in turns_of(state)
            for subscribed in (known[turn.player],)
            for subscription in subscribed.subscriptions.values()
            if wants(subscribed, subscription, "turn", turn.table, is_host=turn.is_host)
            for at, delay, is_reminder in (
                (max(turn.opened_at, self._answered_by(state, turn.seat)), after_ms(subscribed, subscription), False),
                *_reminders(state, turn),
            )
        ]

    def _deliveries(self, news: list[_Wanted], now: int) -> list[Delivery]:
        """Return deliveries of notices, without those that are too late, or whose player has a stream of the table."""
        pairs = {(want.turn.table, want.turn.player) for want in news}
        streaming = self._open_streams.of_pairs(sorted(pairs))
        return [
            _of_turn(turn, subscription, now, is_reminder=is_reminder)
            for turn, subscription, _, is_reminder, _ in news
            if (turn.table, turn.player) not in streaming and (turn.deadline is None or turn.deadline > now)
        ]

    def scan_inboxes(self) -> list[Posted]:
        """Scan inboxes with new events; return the deliveries to send now, leased for the caller."""
        now, posted = self._now(), list[Posted]()
        for player in self._subscriptions.players_due(now, _MOST_PLAYERS):
            subscribed = self._subscriptions.of_player(player)
            notes = self._inbox.after(player, subscribed.seq, MOST_NOTES)
            # Tables at which a match has seated the player.
            self.schedule(subscribed, [note.data["table"] for note in notes if note.type == "seated"])
            for note in notes:
                if note.type in NOTICES and _until(note) > now:
                    posted += self._post_note(player, subscribed, note, now)
            self._subscriptions.saw(player, notes[-1].seq if notes else subscribed.seq)
        return posted

    def _post_note(self, player: str, subscribed: Subscribed, note: Note, now: int) -> list[Posted]:
        posted = []
        for subscription in subscribed.subscriptions.values():
            is_host = NOTICES[note.type].of_hosted
            table, is_alarm = str(note.data.get("table")), is_alarmed(subscription, note)
            if not is_alarm and not wants(subscribed, subscription, note.type, table, is_host=is_host):
                continue
            if note.at < subscription["since"]:
                continue
            due = now if is_alarm else due_at(subscribed, subscription, note.at, 0)
            delivery = new_delivery(player, subscription, note.type, f"{note.seq}", now)
            delivery |= {"until": _until(note), "data": _data_of(note, now)}
            is_due = due <= now
            put = self._outbox.post([(delivery, now + LEASE_MS if is_due else due)])
            posted += [Posted(each, subscribed) for each in put if is_due]
        return posted


def _until(note: Note) -> int:
    """Return until when a notice is useful (ms)."""
    return note.at + int(note.data.get("remaining_ms", NEWS_MS))


def _data_of(note: Note, now: int) -> dict[str, object]:
    """Return the data of a notice."""
    data = {name: value for name, value in note.data.items() if name not in NOTICES[note.type].without}
    return data | {"remaining_ms": _until(note) - now} if "remaining_ms" in data else data


def _result_of(lease: ScanLease, wanted: list[_Wanted], known: dict[str, Subscribed], now: int) -> ScanResult:
    later = [want.due for want in wanted if want.due > now]
    delay = None if lease.state is None else _least_delay(lease.state, known)
    return ScanResult(lease, min(later, default=None), delay)


def _is_news(want: _Wanted, lease: ScanLease, now: int) -> bool:
    """Return whether a turn is due, and was not due or did not exist at the last scan."""
    return want.due <= now and (want.turn.opened_seq > lease.last.version or want.due > lease.last.at)


def _least_delay(state: State, known: dict[str, Subscribed]) -> int | None:
    """Return the shortest wanted delay of notices of turns at a table (ms), or None."""
    return min(
        (
            after_ms(known[player], subscription)
            for player in players_of(state)
            for subscription in known[player].subscriptions.values()
            if wants(known[player], subscription, "turn", state["id"], is_host=state["host"] == player)
        ),
        default=None,
    )


def _reminders(state: State, turn: Turn) -> list[tuple[int, int, bool]]:
    """Return when a player is reminded of a decision that takes days: when a fifth of its time is left."""
    if correspondence_of(state) is None or turn.deadline is None or turn.kind == "ready":
        return []
    return [(turn.deadline - (turn.deadline - turn.opened_at) // LEFT_AT_REMINDER, 0, True)]


def _of_turn(turn: Turn, subscription: Subscription, now: int, *, is_reminder: bool) -> Delivery:
    what = f"{turn.table} {turn.mark}" + (" reminder" if is_reminder else "")
    delivery = new_delivery(turn.player, subscription, "turn", what, now)
    delivery |= {"until": turn.deadline or turn.opened_at + TURN_MS, "data": turn.data, "told": turn.mark}
    return delivery


def _of_slot(want: _Wanted, end: int) -> Delivery:
    """Return the delivery of all turns that are told at the end of a slot (ms); what they are is looked up then."""
    return {**new_delivery(want.turn.player, want.subscription, "turn", f"until {end}", end), "gathered": True}


def new_delivery(player: str, subscription: Subscription, event: str, what: str, now: int) -> Delivery:
    """Return a delivery; its id is the same if it is created again."""
    return {
        "id": f"msg_{hashlib.sha256(' '.join((subscription['id'], event, what)).encode()).hexdigest()[:24]}",
        "player": player,
        "subscription": subscription["id"],
        "type": event,
        "at": now,
        "until": None,
        "data": {},
        "told": None,
        "outcome": "pending",
        "attempts": 0,
        "last": None,
    }


def oldest_due(schedule: ScanSchedule, outbox: Outbox) -> int | None:
    """Return the earliest due time of a scan or delivery (ms), which may be in the future; None if there is none."""
    return min((at for at in (schedule.oldest(), outbox.oldest()) if at is not None), default=None)
