"""Webhooks of bots and a series of decisions, for tests and benchmarks of notices."""

import copy
import time
from typing import Any

from service.game.state.types import State
from service.store.connections.clients import command_client
from service.store.notices.scans import ScanSchedule
from service.store.notices.subscriptions import SubscriptionStore

SEATS = 4
SECRET = "whsec_" + "c2VjcmV0" * 4


def subscribe(redis: str, seated: list[tuple[str, list[str]]], url: str, hanging: int) -> None:
    """Give each bot a webhook; those of the first `hanging` tables hang."""
    client = command_client(redis)
    subscriptions, scans = SubscriptionStore(client), ScanSchedule(client)
    for number, (table, players) in enumerate(seated):
        for player in players:
            path = "hang" if number < hanging else "ok"
            subscriptions.add(
                {
                    "id": f"wh_{player[3:]}",
                    "player": player,
                    "kind": "webhook",
                    "events": ["turn"],
                    "tables": "all",
                    "after_ms": 0,
                    "created_at": 0,
                    "since": 0,
                    "state": "active",
                    "target": {
                        "url": f"{url}/{path}",
                        "name": "Bot",
                        "format": "standard",
                        "secrets": [{"secret": SECRET, "until": None}],
                    },
                },
                5,
                0,
            )
        scans.schedule([table], 0, 0)


def opened(state: State, number: int) -> tuple[Any, State]:
    """Return an event and the state after it, with a new decision of the next seat."""
    seq, at = state["version"] + 1, time.time_ns() // 1_000_000
    copied = copy.copy(state)
    copied["version"] = seq
    copied["decision"] = {
        "id": f"dc_{seq}",
        "kind": "play",
        "seats": [number % SEATS],
        "opened_seq": seq,
        "opened_at": at,
        "deadline": at + 600_000,
        "on_timeout": "auto_play",
    }
    data = {"text": "next"}
    return {"seq": seq, "type": "chat", "at": at, "round": None, "by": "player", "data": data}, copied
