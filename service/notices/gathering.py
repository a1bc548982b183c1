"""Notices of games that take days are gathered: one tells a device of all tables that wait by then.

Who plays at twenty tables and is asked at five of them in a few minutes gets one notice. Its delivery has the same id
for all turns of a slot of time, and is sent at the end of the slot; what waits is looked up only then, so that it tells
of nothing that has been answered meanwhile.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from service.game.state.settings import correspondence_of
from service.game.state.types import State
from service.notices.choices import after_ms, wants
from service.notices.turns import Turn, turn_of_player
from service.store.notices.open_streams import OpenStreams
from service.store.notices.subscriptions import Subscribed, Subscription
from service.store.port import StoreTooNew

#: Length of a slot (ms).
SLOT_MS: Final = 300_000


def is_gathered(state: State, subscription: Subscription) -> bool:
    """Return whether notices of turns at a table are gathered for a subscription: for devices, not for programs."""
    return subscription["kind"] != "webhook" and correspondence_of(state) is not None


def end_of_slot(at: int) -> int:
    """Return the end of the slot of a time (ms)."""
    return (at // SLOT_MS + 1) * SLOT_MS


class Gathering:
    """See the module.

    Args:
        tables_of: returns the tables of a player.
        load: returns the state of a table, or None.
        open_streams: who is looking.
        answered_by: returns until when something else may answer the open decision for a seat of a table (ms).
        now: returns milliseconds since the epoch.
    """

    def __init__(
        self,
        tables_of: Callable[[str], list[str]],
        load: Callable[[str], State | None],
        open_streams: OpenStreams,
        answered_by: Callable[[State, int], int],
        now: Callable[[], int],
    ) -> None:
        self._tables_of: Final = tables_of
        self._load: Final = load
        self._open_streams: Final = open_streams
        self._answered_by: Final = answered_by
        self._now: Final = now

    def waiting(self, player: str, subscribed: Subscribed, subscription: Subscription) -> list[Turn]:
        """Return the turns that a notice tells of, the one with the earliest deadline first."""
        now, turns = self._now(), list[Turn]()
        for table in self._tables_of(player):
            with suppress(StoreTooNew):
                state = self._load(table)
                turn = turn_of_player(state, player) if state is not None else None
                if state is None or turn is None or correspondence_of(state) is None:
                    continue
                told_at = max(turn.opened_at, self._answered_by(state, turn.seat)) + after_ms(subscribed, subscription)
                is_late = turn.deadline is not None and turn.deadline <= now
                if told_at <= now and not is_late and self._is_wanted(turn, subscribed, subscription):
                    turns.append(turn)
        looked_at = self._open_streams.of_pairs([(turn.table, player) for turn in turns]) if turns else set()
        left = [turn for turn in turns if (turn.table, player) not in looked_at]
        return sorted(left, key=lambda turn: (turn.deadline is None, turn.deadline, turn.table))

    def _is_wanted(self, turn: Turn, subscribed: Subscribed, subscription: Subscription) -> bool:
        return wants(subscribed, subscription, "turn", turn.table, is_host=turn.is_host)
