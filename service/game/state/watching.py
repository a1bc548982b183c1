"""What spectators may not see yet: they see a running game with a delay, so that they cannot help a player."""

from typing import NamedTuple

from service.game.state.queries import game_of
from service.game.state.types import State


class Delay(NamedTuple):
    """The delay with which spectators see a running game. They see earlier events at once.

    Attributes:
        started: seq of its first event.
        ms: the delay.
        hidden_from: seq from which on events stay hidden however old they are; None: no such limit.
    """

    started: int
    ms: int
    hidden_from: int | None

    def hides(self, seq: int, at: int, now: int) -> bool:
        """Return whether an event of a time (ms) is still hidden."""
        return seq >= self.started and (at + self.ms > now or self.is_held(seq))

    def is_held(self, seq: int) -> bool:
        """Return whether an event stays hidden until something else happens at the table."""
        return self.hidden_from is not None and seq >= self.hidden_from


def delay_of(state: State) -> Delay | None:
    """Return the delay of spectators, or None if there is none.

    With open hands they see a round only once it is over, since hands would help a player even a minute later.
    """
    if state["status"] != "playing":
        return None
    started, settings = game_of(state)["started_seq"], state["settings"]
    hidden_from = _opened_seq(state, started) if settings["spectators"] == "open" else None
    return Delay(started, settings["spectator_delay_ms"], hidden_from)


def _opened_seq(state: State, started: int) -> int:
    """Return the seq with which the running round began; between rounds, the seq of the next event."""
    table_round = state["round"]
    if table_round is None or table_round["phase"] == "scored":
        # A log that was read later may contain events of the next round.
        return state["version"] + 1
    return table_round.get("opened_seq", started)
