"""Chat."""

from typing import Final

from service.common.errors import InvalidRequest
from service.game.commands.table.bounds import check_chat
from service.game.commands.transaction import Transaction
from service.game.commands.types import Say
from service.game.errors import WrongPhase
from service.game.events.types import Chat
from service.game.state.families import family_of
from service.game.state.queries import seat_of
from service.game.state.types import State

#: Most characters of a message.
LONGEST_CHAT: Final = 200
#: Preset messages, which clients translate by name: phrases, and faces, which they draw.
PHRASES: Final = ("hello", "good_luck", "well_played", "sorry", "thanks", "hurry", "one_moment", "good_game")
FACES: Final = ("smile", "laugh", "wink", "surprised", "sad", "cross")
PRESETS: Final = (*PHRASES, *FACES)


def chat(tx: Transaction, command: Say) -> None:
    """Send a message: players to players, spectators to spectators."""
    state = tx.state
    seat = seat_of(state, command["player"])
    if not state["settings"]["chat"] or (seat is None and state["settings"]["spectators"] == "off"):
        raise WrongPhase(action="chat", expected=None, reason="no_chat")
    if seat is not None or state["host"] == command["player"]:
        check_silence(state)
    check_chat(state, seat)
    text, preset = command.get("text"), command.get("preset")
    if (text is None) == (preset is None):
        raise InvalidRequest(reason="text_or_preset")
    if preset is not None and preset not in PRESETS:
        raise InvalidRequest(reason="no_such_preset", accepted=list(PRESETS))
    if text is not None and not 0 < len(text.strip()) <= LONGEST_CHAT:
        raise InvalidRequest(reason="chat_length", longest=LONGEST_CHAT)
    occupant = state["seats"][seat]["occupant"] if seat is not None else None
    name = occupant["name"] if occupant is not None else command["name"]
    data: Chat = {"seat": seat, "player": command["player"], "name": name, "text": text, "preset": preset}
    tx.emit("chat", data)


def check_silence(state: State) -> None:
    """Refuse chat during a round where players must be silent: in Arm's Length partners may state only their roads.

    Args:
        state: the table as the sender sees it. For spectators that is the delayed table, since a refusal must not
            reveal the current one.
    """
    table_round = state["round"]
    if table_round is not None and table_round["phase"] != "scored" and family_of(state).silent:
        raise WrongPhase(action="chat", expected="scored", reason="silence")
