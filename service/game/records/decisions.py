"""The decisions of a finished round, each with the view of its seat."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from service.game.errors import NotFinished, NotFound
from service.game.records.record import GameLog, action_of
from service.game.records.types import RecordedAction
from service.game.state.queries import game_of, seats_asked
from service.game.state.types import State
from service.game.views.ai_view import AiView, ai_view

#: Actions that an AI never takes.
_ELSE: Final = frozenset({"redeal", "reveal", "claim"})


class Taken(NamedTuple):
    """A decision and its answer.

    Attributes:
        action: the answer.
        before: the table before it.
        at: time of the answer (ms).
    """

    action: RecordedAction
    before: State
    at: int

    def view(self) -> AiView:
        """Return the AI view of the seat before the answer."""
        return ai_view(self.before, self.action["seat"], self.at)


def decisions_of(log: GameLog, number: int) -> list[Taken]:
    """Return the decisions of round `number` that were answered by the seats asked.

    Raises:
        NotFound: there is no such round.
        NotFinished: it is still being played.
    """
    taken: list[Taken] = []
    began = ended = False
    for kind, entry, after in _round(log, number):
        began = True
        ended = ended or kind in ("round_ended", "game_ended")
        if kind == "take_back" and after:
            taken.pop()
        elif entry is not None:
            taken.append(entry)
    if not began:
        raise NotFound(what="round", round=number)
    if not ended:
        raise NotFinished(what="round", round=number)
    return [entry for entry in taken if _is_asked(entry)]


def _round(log: GameLog, number: int) -> Iterator[tuple[str, Taken | None, bool]]:
    for event, before, after in log.states():
        current = game_of(after)["round"]
        if current > number:
            return
        if current == number:
            action = action_of(event)
            is_taken_back = event["type"] == "take_back" and event["data"]["stage"] == "done"
            yield event["type"], Taken(action, before, event["at"]) if action else None, is_taken_back


def _is_asked(taken: Taken) -> bool:
    decision = taken.before["decision"]
    if decision is None or taken.action["type"] in _ELSE:
        return False
    return taken.action["seat"] in seats_asked(taken.before, decision)
