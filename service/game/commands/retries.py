"""Retries: an action sent again takes effect only once (docs/decisions/0011)."""

import hashlib
from typing import Final

from service.game.commands.types import Fields
from service.game.state.types import Answer, State

#: Fields of a command that are not in the request body.
_NOT_IN_BODY: Final = frozenset({"player", "decision_id"})


def digest_of(command: Fields) -> str:
    """Return a digest of the body. The order of cards does not matter."""
    body = [
        (name, sorted(value) if name == "cards" else value)
        for name, value in command.items()
        if name not in _NOT_IN_BODY
    ]
    return hashlib.blake2s(repr(sorted(body)).encode(), digest_size=4).hexdigest()


def earlier_tx(state: State, answer: Answer) -> int | None:
    """Return the `tx` of an earlier answer of the same seat with the same decision or key, and the same body."""
    seat, name, digest = answer
    for known in reversed(state["answers"][int(seat)]):
        if known[0] == name and known[1] == digest:
            return int(known[2])
    return None


def is_key_used(state: State, seat: int, key: str) -> bool:
    """Tell whether the seat has sent a command with this key."""
    return any(name == key for name, *_ in state["answers"][seat])


def was_superseded(state: State, seat: int, command: Fields) -> bool:
    """Tell whether an earlier pass was superseded; no other command ever is.

    A seat may pass again after a declaration, or once all cards are dealt.
    """
    decision, table_round = state["decision"], state["round"]
    return (
        command["type"] == "pass"
        and decision is not None
        and decision["id"] == command["decision_id"]
        and table_round is not None
        and seat not in table_round["passes"]
    )
