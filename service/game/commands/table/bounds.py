"""Bounds of a table: so that nobody can make it grow without end.

Decisions come one after the other, but nothing else that players do at a table has a natural end: chat, sitting down
and leaving, readiness, votes. Each player may do only so much of it in a round. Chat is counted for the whole life of a
table too, spectators apart from players. A table that has seen enough games starts no other one.
"""

from typing import Final

from service.game.errors import WrongPhase
from service.game.state.types import State

#: Commands of a player, beside the answers to decisions, from the start of a round to that of the next.
MOST_COMMANDS: Final = 200
#: Messages at a table: of its players together, and of its spectators together.
MOST_CHAT: Final = 2_000
MOST_SPECTATOR_CHAT: Final = 500
#: Events after which no new game begins, and after which a game ends with its round.
LAST_GAME_EVENTS: Final = 20_000
LAST_ROUND_EVENTS: Final = 60_000

#: These may always be done: they end something.
_ALWAYS: Final = frozenset({"leave", "close", "presence"})


def check_commands(state: State, player: str, kind: str) -> None:
    """Check that a player may give another command that answers no decision.

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
    """Tell whether another game may begin at the table."""
    return state["version"] < LAST_GAME_EVENTS


def may_start_round(state: State) -> bool:
    """Tell whether the game may go on with another round."""
    return state["version"] < LAST_ROUND_EVENTS
