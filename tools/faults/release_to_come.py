"""A release to come, which knows one more event: `flagged`, after a message with the text `FLAG`.

`know()` makes this process one of that release. `to_come/sitecustomize.py` calls it in processes that have its folder
in PYTHONPATH, before anything else is imported.
"""

from pathlib import Path
from typing import Any, Final

from service.game.commands.table import chat
from service.game.commands.transaction import Transaction
from service.game.events import evolve, needs
from service.game.events.types import Event
from service.game.state.types import State
from service.game.views import redaction

FLAG: Final = "a flag"
RELEASE: Final = "9.4"
#: Environment of processes of that release.
ENVIRONMENT: Final = {"PYTHONPATH": f"{Path(__file__).parent / 'to_come'}:{Path(__file__).parents[2]}"}

_chat: Final = chat.chat


def know() -> None:
    """Make this process one of the release to come."""
    needs.NEEDS["flagged"] = {"": RELEASE}
    evolve._EVOLVE["flagged"] = _flagged
    redaction._REDACTORS["flagged"] = lambda _data, _viewer: {}
    chat.chat = _chat_with_flag


def forget() -> None:
    """Make this process one of this release again."""
    del needs.NEEDS["flagged"], evolve._EVOLVE["flagged"], redaction._REDACTORS["flagged"]
    chat.chat = _chat


def _flagged(state: State, _data: Any, _event: Event) -> State:
    return state.copy()


def _chat_with_flag(tx: Transaction, command: Any) -> None:
    _chat(tx, command)
    if command.get("text") == FLAG:
        tx.emit("flagged", {})
