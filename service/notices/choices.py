"""A player's choices: which notices, and when."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from service.account_events.catalogue import notices_of
from service.store.notices.subscriptions import Choice, Quiet, Subscribed, Subscription
from service.store.players.inbox import Note

#: Types of events for which there are notices, by their names in the account's stream.
EVENTS: Final = tuple(notices_of("turns", "all"))
#: Choice of a player -> types of events sent to the player's devices.
LEVELS: Final[dict[str, tuple[str, ...]]] = {
    "nothing": (),
    "turns": tuple(notices_of("turns")),
    "all": EVENTS,
}
#: The default: everything, but turns only if the player has not looked for a while (ms).
DEFAULT: Final[Choice] = {"notify": "all", "after_ms": 20_000, "quiet": None, "tables": {}}
#: How long after its activation a subscription gets notices of open decisions (ms), since a scan that began earlier has
#: not seen it.
SETTLE_MS: Final = 1_000
#: How long notices other than turns are useful (ms).
NEWS_MS: Final = 24 * 3_600_000
#: How long notices of turns without a deadline are useful (ms): the lifetime of a table.
TURN_MS: Final = 7 * 24 * 3_600_000


def wants(subscribed: Subscribed, subscription: Subscription, event: str, table: str, *, is_host: bool) -> bool:
    """Return whether a subscription wants notices of an event at a table."""
    if subscription["state"] != "active" or event not in subscription["events"]:
        return False
    tables = subscription["tables"]
    if tables == "hosted":
        if not is_host:
            return False
    elif tables != "all" and table not in tables:
        return False
    if subscription["kind"] == "webhook":
        return True
    choice = subscribed.choice or DEFAULT
    return event in LEVELS[choice["tables"].get(table, choice["notify"])]


def is_alarmed(subscription: Subscription, note: Note) -> bool:
    """Return whether a device is told of a new way into the account: all are, except the one that made it."""
    is_new_way = note.type == "access_added" or bool(note.type == "signed_in" and note.data.get("is_way_in"))
    is_device = subscription["kind"] != "webhook" and subscription["state"] == "active"
    return is_new_way and is_device and subscription.get("token") != note.data["token"]


def after_ms(subscribed: Subscribed, subscription: Subscription) -> int:
    """Return the delay of notices after a decision was opened, which webhooks set for themselves."""
    return subscription["after_ms"] if subscription["kind"] == "webhook" else (subscribed.choice or DEFAULT)["after_ms"]


def due_at(subscribed: Subscribed, subscription: Subscription, at: int, delay_ms: int) -> int:
    """Return when to send a notice of something at a time (ms); for devices, after the quiet hours."""
    due = max(at + delay_ms, subscription["since"] + SETTLE_MS)
    if subscription["kind"] == "webhook":
        return due
    choice = subscribed.choice or DEFAULT
    return due if choice["quiet"] is None else end_of_quiet(choice["quiet"], due)


def end_of_quiet(quiet: Quiet, at: int) -> int:
    """Return the end of the quiet hours if a time (ms) is in them, else the time itself."""
    try:
        zone = ZoneInfo(quiet["zone"])
    except (ZoneInfoNotFoundError, ValueError):
        return at
    local = datetime.fromtimestamp(at / 1000, zone)
    minute, start, end = local.hour * 60 + local.minute, quiet["start"], quiet["end"]
    is_quiet = start <= minute < end if start <= end else minute >= start or minute < end
    if not is_quiet:
        return at
    day = local.date() + timedelta(days=1 if minute >= end else 0)
    wakes = datetime(day.year, day.month, day.day, end // 60, end % 60, tzinfo=zone)
    first, second = (int(wakes.replace(fold=fold).timestamp() * 1000) for fold in (0, 1))
    # In the night when an hour comes twice, the first end may be over.
    return first if first > at else second


def events_of(wanted: Iterable[str]) -> list[str]:
    """Return distinct events in a fixed order."""
    chosen = set(wanted)
    return [event for event in EVENTS if event in chosen]
