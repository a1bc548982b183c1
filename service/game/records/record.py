"""Records of finished rounds: what was done, by whom and when, and that it was done by the rules.

A record is made from the log of a table. It holds everything needed to play a round again: the standings before it, the
shuffle with its proof, and every action with its time and source. `check` does play it again.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from service.game.errors import NotFinished, NotFound
from service.game.events.evolve import evolve
from service.game.state.types import Event, State
from service.game.views.fields import call_view, timestamp
from service.game.views.view import view
from service.rules.cards import names_of

FORMAT = "shengji-record-1"

#: What a seat takes from one round into the next.
STANDING_FIELDS = ("level", "active", "attempted", "penalty")
#: What is told of the result of a round.
RESULT_FIELDS = ("reason", "points", "side", "levels", "summary")


class GameLog(NamedTuple):
    """The part of a table's log that is one game: the state before it, and its events (so far)."""

    base: State
    events: list[Event]

    def states(self) -> Iterator[tuple[Event, State, State]]:
        """Yield each event with the state before and after it."""
        state = self.base
        for event in self.events:
            after = evolve(state, event)
            yield event, state, after
            state = after


def game_log(log: Sequence[Event], game: str) -> GameLog:
    """Return the log of one game out of the log of its table.

    Raises:
        NotFound: the log has no such game.
    """
    state: State = {}
    found: GameLog | None = None
    for event in log:
        if event["type"] == "game_started" and event["data"]["game"] == game:
            found = GameLog(state, [])
        if found is None:
            state = evolve(state, event)
            continue
        found.events.append(event)
        if event["type"] == "game_ended":
            break
    if found is None:
        raise NotFound(what="game", id=game)
    return found


def record(game: GameLog, now: int) -> dict[str, Any]:
    """Return the record of a game: its finished rounds."""
    made: dict[str, Any] = {}
    for event, before, after in game.states():
        if event["type"] == "game_started":
            made = _head(after, now)
        _note(made, event, before, after)
    made.pop("open")
    made["complete"] = made["winners"] is not None
    return made


def _head(state: State, now: int) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "made_at": timestamp(now),
        "game": state["game"]["id"],
        "table": state["id"],
        "ruleset": state["ruleset"],
        "players": state["players"],
        "options": state["options"],
        "clock": state["settings"]["clock"],
        "practice": state["settings"]["seed"] is not None,
        "seats": [{"seat": number, "occupant": seat["occupant"]} for number, seat in enumerate(state["seats"])],
        "winners": None,
        "ended": None,
        "rounds": [],
        "open": None,
    }


def _note(made: dict[str, Any], event: Event, before: State, after: State) -> None:
    """Add what an event tells to the record."""
    kind, data = event["type"], event["data"]
    if kind == "round_opened":
        made["open"] = {
            "round": data["number"],
            "opened_at": timestamp(event["at"]),
            "starter": data["starter"],
            "declarer": data["declarer"],
            "standings": [{name: seat[name] for name in STANDING_FIELDS} for seat in before["seats"]],
            "actions": [],
            "closings": [],
        }
    elif kind == "game_ended":
        made["winners"], made["ended"] = data["winners"], data["reason"]
    opened = made["open"]
    if opened is None:
        return
    action = _action(event)
    if kind == "take_back" and data["stage"] == "done":
        opened["actions"].pop()
    elif action is not None:
        opened["actions"].append({"seq": event["seq"], "at": timestamp(event["at"]), "by": event["by"], **action})
    elif kind == "declaration_closed" and event["tx"] == event["seq"]:
        # By the clock: its time was over. What an action closed is told by the action.
        opened["closings"].append(timestamp(event["at"]))
    elif kind == "round_scored":
        opened["result"] = {name: data[name] for name in RESULT_FIELDS}
    elif kind == "round_ended":
        names = ("server_seed", "commitment", "entropy", "shuffle_name", "attempts")
        opened["shuffle"] = {name: data[name] for name in names}
        opened["levels"] = [seat["level"] for seat in after["seats"]]
        made["rounds"].append(opened)
        made["open"] = None


def _played(data: Mapping[str, Any]) -> dict[str, Any] | None:
    throw = data.get("throw")
    if throw is not None and not throw["ok"]:
        return None  # what was tried is the action: `throw_failed`
    return {"type": "play", "cards": names_of(data["cards"]), "units": [names_of(unit) for unit in data["units"]]}


def _with_cards(command: str) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    return lambda data: {"type": command, "cards": names_of(data["cards"])}


#: Event -> the command that caused it, from the event's data.
_COMMANDS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any] | None]] = {
    "played": _played,
    "throw_failed": _played,
    "declared": _with_cards("declare"),
    "passed": lambda _: {"type": "pass"},
    "redealt": lambda data: None if data["seat"] is None else {"type": "redeal"},
    "discarded": _with_cards("discard"),
    "kitty_revealed": lambda _: {"type": "reveal"},
    "kitty_overcalled": _with_cards("overcall_kitty"),
    "friends_called": lambda data: {"type": "call", "calls": [call_view(call) for call in data["calls"]]},
    "road_stated": lambda data: {"type": "road", "road": data["road"]},
}


def _action(event: Event) -> dict[str, Any] | None:
    """Return the action that an event records, or None if it is a consequence."""
    command = _COMMANDS.get(event["type"])
    action = command(event["data"]) if command else None
    return None if action is None else {"seat": event["data"]["seat"], **action}


def state_at(game: GameLog, number: int, seq: int, seat: int | None) -> dict[str, Any]:
    """Return a finished round as a seat saw it after the event `seq`.

    Raises:
        NotFound: no such round, or no such event in it.
        NotFinished: the round is still being played.
    """
    found: tuple[State, int] | None = None
    ended = False
    for event, _, after in game.states():
        if after["game"]["round"] != number:
            continue
        if event["seq"] == seq:
            found = after, event["at"]
        ended = ended or event["type"] in ("round_ended", "game_ended")
    if found is None:
        raise NotFound(what="state", seq=seq, round=number)
    if not ended:
        raise NotFinished(what="round", round=number)
    state, at = found
    return view(state, seat, at)
