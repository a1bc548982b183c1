"""The line of a round: what was done in it, in order, and where two lines of one deal part."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from service.boards.scoring import MOST_TAKEN, value_of
from service.game.events.types import Event
from service.game.records.record import GameLog, action_of
from service.game.state.types import RoundSummary, State
from service.rules.cards import names_of
from service.store.boards.links import Line, Step

#: Type of the steps of tricks. Those of an attempted throw are the cards that were played in the end.
PLAY: Final = "play"
#: Types of other actions that are steps. A pass is none: when cards are dealt at once, others pass than by the clock.
_STEPS: Final = ("declare", "redeal", "discard", "reveal", "overcall_kitty", "call", "road")


class Parting(NamedTuple):
    """The first step in which two lines differ: its type, and the number of its trick (from 1); None: before them."""

    stage: str
    trick: int | None


def line_of(log: GameLog, number: int, seat: int) -> Line:
    """Return the line of a round of a game for a seat. If the round was broken off, it has no value."""
    events = [event for event in log.events if event["round"] == number]
    at, scored = log.events[-1]["at"], _scored(log, number)
    line: Line = {"at": at, "value": None, "steps": steps_of(events)}
    if scored is None:
        return line
    event, state = scored
    summary: RoundSummary = event["data"]["summary"]
    line["at"] = event["at"]
    if "scores" in summary:
        line["scores"] = summary["scores"]
    else:
        line["points"] = summary["points"]
        line["side"] = "declarers" if seat in summary["declarers"] else "attackers"
    if not _is_taken(events, seat):
        line["value"] = value_of(state, summary, seat)
    return line


def _scored(log: GameLog, number: int) -> tuple[Event, State] | None:
    """Return the event with the result of a round, and the table before it."""
    for event, before, _ in log.states():
        if event["type"] == "round_scored" and event["round"] == number:
            return event, before
    return None


def _is_taken(events: Sequence[Event], seat: int) -> bool:
    """Return whether others took too many decisions of a seat; AI players on seats of their own take none."""
    actions = [action_of(event) for event in events if event["by"] in ("ai", "timeout")]
    return sum(action is not None and action["seat"] == seat for action in actions) > MOST_TAKEN


def steps_of(events: Sequence[Event]) -> list[Step]:
    """Return the steps of a round without those that were taken back, from its events."""
    steps: list[Step] = []
    for event in events:
        data = event["data"]
        if event["type"] == "played":
            steps.append((data["seat"], PLAY, " ".join(names_of(data["cards"]))))
        elif event["type"] == "take_back" and data["stage"] == "done":
            steps.pop()
        else:
            action = action_of(event)
            if action is not None and action["type"] in _STEPS:
                steps.append((action["seat"], action["type"], _said(action)))
    return steps


def _said(action: Mapping[str, Any]) -> str:
    """Return the cards of an action, or what was called or stated, in one text."""
    calls = [f"{call['card']}:{'other' if call.get('other') else call['ordinal']}" for call in action.get("calls", ())]
    return " ".join([*action.get("cards", ()), *calls, action.get("road", "")]).strip()


def tricks_of(steps: Sequence[Step], players: int) -> list[int | None]:
    """Return the number of the trick (from 1) of each step; None: before the first trick."""
    numbers: list[int | None] = []
    plays = 0
    for _, kind, _ in steps:
        numbers.append(plays // players + 1 if kind == PLAY else None)
        plays += kind == PLAY
    return numbers


def parting(one: Sequence[Step], other: Sequence[Step], players: int) -> Parting | None:
    """Return where two lines part; None: they are the same, as far as both go."""
    for at, (mine, theirs) in enumerate(zip(one, other, strict=False)):
        if tuple(mine) != tuple(theirs):
            # A line that goes on to the tricks parts where the other one has still done something before them.
            step, steps = (theirs, other) if mine[1] == PLAY else (mine, one)
            return Parting(step[1], tricks_of(steps[: at + 1], players)[-1])
    return None
