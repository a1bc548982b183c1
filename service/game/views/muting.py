"""Chat that a player does not want to read: the event stays, since every viewer has the same seqs."""

from collections.abc import Collection, Sequence

from service.game.events.types import Event


def authors(events: Sequence[Event]) -> frozenset[str]:
    """Return the players who say something in these events."""
    return frozenset(event["data"].get("player", "") for event in events if event["type"] == "chat")


def without(events: Sequence[Event], muted: Collection[str]) -> list[Event]:
    """Return the events, with what these players say taken out; `redact` then shows that somebody was muted."""
    if not muted:
        return list(events)
    return [
        _silent(event) if event["type"] == "chat" and event["data"].get("player") in muted else event
        for event in events
    ]


def _silent(event: Event) -> Event:
    return {**event, "data": {**event["data"], "muted": True}}
