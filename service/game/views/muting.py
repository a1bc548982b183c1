"""Muted chat: the event stays, since every viewer gets the same seqs."""

from collections.abc import Collection, Sequence

from service.game.events.types import Event


def authors(events: Sequence[Event]) -> frozenset[str]:
    """Return the authors of chat in these events."""
    return frozenset(event["data"].get("player", "") for event in events if event["type"] == "chat")


def without(events: Sequence[Event], muted: Collection[str]) -> list[Event]:
    """Remove the messages of these players from the events; `redact` then shows them as muted."""
    if not muted:
        return list(events)
    return [
        _silent(event) if event["type"] == "chat" and event["data"].get("player") in muted else event
        for event in events
    ]


def _silent(event: Event) -> Event:
    return {**event, "data": {**event["data"], "muted": True}}
