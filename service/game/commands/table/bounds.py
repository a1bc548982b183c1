"""Limits that keep a table from growing without end.

The rules bound the number of decisions, but not of other commands: chat, sitting down and leaving, readiness, votes.
Each player may send a limited number of these in a round. Chat is also limited over the life of a table, for spectators
and players separately. A table with too many events starts no new game.
"""

from typing import Final

from service.game.errors import WrongPhase
from service.game.state.types import State

#: Most commands of a player in a round that answer no decision.
MOST_COMMANDS: Final = 200
#: Most messages at a table: of all players, and of all spectators.
MOST_CHAT: Final = 2_000
MOST_SPECTATOR_CHAT: Final = 500
#: Number of events from which no new game begins, and from which a game ends with its round.
LAST_GAME_EVENTS: Final = 20_000
LAST_ROUND_EVENTS: Final = 60_000

#: Commands that are always allowed, since they end something.
_ALWAYS: Final = frozenset({"leave", "expel", "close", "presence"})


def check_commands(state: State, player: str, kind: str) -> None:
    """Check that a player may send another command that answers no decision.

    Raises:
        WrongPhase: reason `too_many_commands`.
    """
    if kind not in _ALWAYS and state.get("commands", {}).get(player, 0) >= MOST_COMMANDS:
        raise WrongPhase(action=kind, expected=None, reason="too_many_commands", most=MOST_COMMANDS)


def check_chat(state: State, seat: int | None) -> None:
    """Check that there is room for another message of a seat, or of a spectator (None).

    Raises:
        WrongPhase: reason `chat_full`.
    """
    most = MOST_SPECTATOR_CHAT if seat is None else MOST_CHAT
    if state.get("chats", [0, 0])[seat is None] >= most:
        raise WrongPhase(action="chat", expected=None, reason="chat_full", most=most)


def may_start_game(state: State) -> bool:
    """Return whether another game may begin at the table."""
    return state["version"] < LAST_GAME_EVENTS


def may_start_round(state: State) -> bool:
    """Return whether the game may go on with another round."""
    return state["version"] < LAST_ROUND_EVENTS
