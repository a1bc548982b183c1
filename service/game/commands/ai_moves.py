"""Moves of AI seats. They need no store: the page plays by them without a network, too."""

import hmac
import logging
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Final

from service.common.errors import Refusal
from service.game.commands.decide import decide_for_ai
from service.game.commands.transaction import Decided, RandomBytes
from service.game.commands.types import Fields
from service.game.state import clock
from service.game.state.fallback import fallback_action
from service.game.state.levels import TAKEOVER_LEVEL
from service.game.state.queries import ai_level, decision_of, round_of
from service.game.state.types import State
from service.game.views.ai_view import AiView, ai_view

#: An AI player: takes the seat's view, a seed and the level; returns a command without player and decision id.
Choose = Callable[[AiView, bytes, str], Fields]

_log: Final = logging.getLogger(__name__)


class AiMoves:
    """What AI seats do at a table.

    Args:
        choose: the AI player.
        entropy: returns random bytes.
    """

    def __init__(self, choose: Choose, entropy: RandomBytes) -> None:
        self._choose: Final = choose
        self._entropy: Final = entropy

    def with_declarations(self, dealt: Decided, now: int) -> Decided:
        """Let AI seats declare in the same step in which cards were dealt.

        What is due is dealt first, also after an outage that has just been noticed: a record has only the times of its
        actions, from which a replay deals what was due.
        """
        if clock.deal_is_due(dealt.state, now):
            return dealt
        for seat in clock.ai_seats_watching(dealt.state):
            command = self._choice(dealt.state, seat, now)
            declares = command is not None and command["type"] == "declare"
            declared = self._decided(dealt.state, seat, command, now) if command is not None and declares else None
            if declared is not None:
                dealt = Decided([*dealt.events, *declared.events], declared.state)
                if not clock.ai_seats_watching(dealt.state):
                    break
        return dealt

    def move(self, state: State, seat: int, now: int) -> Decided:
        """Let an AI seat answer the open decision."""
        command = self._choice(state, seat, now)
        move = self._decided(state, seat, command, now) if command is not None else None
        return move or decide_for_ai(state, seat, fallback_action(state, seat), now, self._entropy)

    def _choice(self, state: State, seat: int, now: int) -> Fields | None:
        """Return what an AI player chooses; None if it fails, since a bug in the AI must not block the table."""
        level = ai_level(state, seat) or TAKEOVER_LEVEL
        try:
            return self._choose(ai_view(state, seat, now), seed_for(state, seat), level)
        except Exception as error:  # noqa: BLE001 - no bug of an AI player may block the table
            # Log neither the message nor the local variables: they may contain cards.
            where = traceback.extract_tb(error.__traceback__)[-1]
            _log.error(
                "AI failed: table %s, version %s, level %s, %s in %s line %s",
                state["id"],
                state["version"],
                level,
                type(error).__name__,
                Path(where.filename).name,
                where.lineno,
            )
            return None

    def _decided(self, state: State, seat: int, command: Fields, now: int) -> Decided | None:
        """Carry out an AI player's choice; None if it is illegal, since a bug in the AI must not block the table."""
        try:
            return decide_for_ai(state, seat, command, now, self._entropy)
        except Refusal as refusal:
            _log.error("AI choice refused: table %s, %s, %s", state["id"], command["type"], refusal.code)
            return None


def seed_for(state: State, seat: int, what: str = "ai") -> bytes:
    """Return the seed for an AI player's choice at a seat in the open decision, or for `what` else is drawn there.

    It depends only on the course of the round, not on event ids, which chat shifts. So a repeated job, a hint, an
    analysis, and another table with the same deal and the same actions all get the same choice. Clients cannot predict
    it: its key is a secret of the table that is independent of the cards of this round.
    """
    table_round = round_of(state)
    done = (
        table_round["number"],
        table_round["deal"]["attempt"],
        len(table_round["shown"]),
        sum(table_round["played"]),
        decision_of(state)["kind"],
        seat,
    )
    return hmac.digest(state["next_seed"].encode(), "|".join([what, *map(str, done)]).encode(), "sha256")
