"""Records of finished rounds: all actions, with seats and times.

A record is made from the log of a table. It holds everything needed to replay a round: the standings before it, the
shuffle with its proof, and every action with its time and source. `service.game.records.replay` does replay it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, cast

from service.game.errors import NotFinished, NotFound
from service.game.events.catalogue import OF_ROUND as EVENTS_OF_ROUND
from service.game.events.evolve import NO_TABLE, evolve
from service.game.events.types import Event
from service.game.events.updates import standing_of
from service.game.records.sittings import sittings_of
from service.game.records.types import (
    Record,
    RecordDraft,
    RecordedAction,
    RecordedDeal,
    RecordedRound,
    RecordedStanding,
    RecordJson,
)
from service.game.state.queries import game_of, is_practice, known_deals, round_of
from service.game.state.rules import options_of
from service.game.state.types import State
from service.game.views.absent import blank
from service.game.views.fields import call_view, timestamp
from service.game.views.redaction import redact
from service.game.views.types import EventView, View, Viewer
from service.game.views.view import view
from service.rules.cards import names_of
from service.rules.options.storing import stored
from service.rules.versions import FIRST

FORMAT: Final = "shengji-record-1"
#: Number of events between two calls of `pause`, i.e. a few milliseconds.
_EVENTS_PER_PAUSE: Final = 500

#: Fields of `round_scored` that a record keeps.
_RESULT_FIELDS: Final = ("reason", "points", "side", "levels", "summary")
_SHUFFLE_FIELDS: Final = ("server_seed", "commitment", "entropy", "shuffle_name", "attempts")
#: Events of a round; others, such as chat, are not replayed.
OF_ROUND: Final = EVENTS_OF_ROUND | {"decision_opened"}


class GameLog(NamedTuple):
    """The log of one game: the state before it, and its events so far."""

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
    """Extract the log of one game (id) from the log of its table.

    Raises:
        NotFound: the log has no such game.
    """
    state = NO_TABLE
    newest: GameLog | None = None
    for event in log:
        if event["type"] == "game_started" and event["data"]["game"] == game:
            newest = GameLog(state, [])
        if newest is None:
            state = evolve(state, event)
            continue
        newest.events.append(event)
        if event["type"] == "game_ended":
            break
    if newest is None:
        raise NotFound(what="game", id=game)
    return newest


# --- creation ----------------------------------------------------------------------------------------------------


def record(log: GameLog, now: int, pause: Callable[[], None] = lambda: None) -> Record:
    """Return the record of a game: its finished rounds.

    Args:
        pause: called every few milliseconds to let other work run.
    """
    state = evolve(log.base, log.events[0])
    result: Record = {
        "format": FORMAT,
        "made_at": timestamp(now),
        "game": game_of(state)["id"],
        "table": state["id"],
        "ruleset": state["ruleset"],
        "players": state["players"],
        "rules": game_of(state).get("rules", FIRST),
        "options": stored(state["ruleset"], options_of(state)),
        "clock": {**state["settings"]["clock"]},
        "practice": is_practice(state),
        "seats": [{"seat": number, "occupant": seat["occupant"]} for number, seat in enumerate(state["seats"])],
        "winners": None,
        "ended": None,
        "rounds": [],
        "complete": False,
    }
    if "length" in state["settings"]:
        result["length"] = state["settings"]["length"]
    current: RecordedRound | None = None
    for number, (event, before, after) in enumerate(log.states(), 1):
        if number % _EVENTS_PER_PAUSE == 0:
            pause()
        state = after
        if event["type"] == "round_opened":
            current = _new_round(event, before)
            if before["settings"]["clock"] != log.base["settings"]["clock"]:
                current["clock"] = {**before["settings"]["clock"]}
        elif event["type"] == "game_ended":
            result["winners"], result["ended"] = event["data"]["winners"], event["data"]["reason"]
            if "decided_by" in event["data"]:
                result["decided_by"] = event["data"]["decided_by"]
        if current is None:
            continue
        _add(current, event, state["ruleset"])
        if event["type"] == "round_ended":
            # The event leaves this out at a board, since others may still be playing it.
            current["shuffle"]["server_seed"] = round_of(after)["server_seed"]
            current["levels"] = [seat["level"] for seat in after["seats"]]
            blank(state["ruleset"], "recorded_round", current)
            result["rounds"].append(current)
            current = None
    result["complete"] = result["winners"] is not None
    changes = changes_in(state)
    if changes:
        result["changes"] = changes
    return result


def changes_in(state: State) -> list[RecordDraft]:
    """Return who took which seat after the start of the game, and from which round on."""
    return [
        {"round": each.first, "seat": each.seat, "occupant": each.occupant}
        for each in sorted(sittings_of(state), key=lambda each: (each.first, each.seat))
        if each.first > 1
    ]


def _new_round(event: Event, before: State) -> RecordedRound:
    data = event["data"]
    standings = [cast("RecordedStanding", standing_of(seat)) for seat in before["seats"]]
    for standing in standings:
        blank(before["ruleset"], "standing", standing)
    deals = known_deals(before, data["number"])
    recorded: RecordedRound = {
        "round": data["number"],
        "opened_at": timestamp(event["at"]),
        "starter": data["starter"],
        "declarer": data["declarer"],
        "standings": standings,
        "actions": [],
        "closings": [],
    }
    if deals:
        recorded["deals"] = [
            {"hands": [names_of(hand) for hand in deal["hands"]], "kitty": names_of(deal["kitty"])} for deal in deals
        ]
    return recorded


def _add(current: RecordedRound, event: Event, ruleset: str) -> None:
    """Add an event to the record of the round."""
    kind, data = event["type"], event["data"]
    action = action_of(event)
    if kind == "take_back" and data["stage"] == "done":
        current["actions"].pop()
    elif kind == "take_back" and data["stage"] == "charged":
        current.setdefault("taken_back", []).append(data["seat"])
    elif action is not None:
        current["actions"].append(action)
    elif kind == "declaration_closed" and event["tx"] == event["seq"]:
        # Closed by the clock; closings by an action follow from it.
        cast("list[str]", current["closings"]).append(timestamp(event["at"]))
    elif kind == "game_resumed":
        since, until = timestamp(event["at"] - data["paused_ms"]), timestamp(event["at"])
        current.setdefault("pauses", []).append({"from": since, "until": until})
    elif kind == "interrupted" and "deal_ms" in data:
        current.setdefault("interruptions", []).append({"at": timestamp(event["at"]), "ms": data["deal_ms"]})
    elif kind == "round_scored":
        current["result"] = recorded_result(ruleset, data)
    elif kind == "round_ended":
        current["shuffle"] = {name: data[name] for name in _SHUFFLE_FIELDS}


def recorded_result(ruleset: str, result: RecordJson) -> RecordDraft:
    """Return the result of a round as recorded."""
    fields = {name: result[name] for name in _RESULT_FIELDS}
    blank(ruleset, "recorded_result", fields)
    return fields


def _play_command(data: RecordJson) -> RecordDraft | None:
    throw = data.get("throw")
    if throw is not None and not throw["ok"]:
        return None  # the action is the attempted throw: `throw_failed`
    return {"type": "play", "cards": names_of(data["cards"]), "units": [names_of(unit) for unit in data["units"]]}


def _card_command(command: str) -> Callable[[RecordJson], RecordDraft]:
    return lambda data: {"type": command, "cards": names_of(data["cards"])}


#: Event -> the command that caused it, from the event's data.
_COMMANDS: Final[Mapping[str, Callable[[RecordJson], RecordDraft | None]]] = {
    "played": _play_command,
    "throw_failed": _play_command,
    "declared": _card_command("declare"),
    "passed": lambda data: {"type": "pass", **({"interval_ms": data["interval"]} if "interval" in data else {})},
    "redealt": lambda data: None if data["seat"] is None else {"type": "redeal"},
    "discarded": _card_command("discard"),
    "kitty_revealed": lambda _: {"type": "reveal"},
    "kitty_overcalled": _card_command("overcall_kitty"),
    "friends_called": lambda data: {"type": "call", "calls": [call_view(call) for call in data["calls"]]},
    # The plays that follow a successful claim are actions themselves.
    "claimed": lambda data: None if data["ok"] else {"type": "claim"},
    "road_stated": lambda data: {"type": "road", "road": data["road"]},
}


def action_of(event: Event) -> RecordedAction | None:
    """Return the action that an event records, or None if the event is a consequence."""
    if event["type"] == "friends_called" and event["by"] == "server":
        return None  # the cards declared with call the friend
    command_of = _COMMANDS.get(event["type"])
    command = command_of(event["data"]) if command_of else None
    if command is None:
        return None
    who: RecordedAction = {
        "seq": event["seq"],
        "at": timestamp(event["at"]),
        "by": event["by"],
        "seat": event["data"]["seat"],
        "type": command["type"],
    }
    why = {"reason": event["reason"]} if "reason" in event else {}
    return cast("RecordedAction", {**who, **command, **why})


# --- views of finished rounds ------------------------------------------------------------------------------------


def state_at(log: GameLog, number: int, seq: int, seat: int | None) -> View:
    """Return the view of a seat in round `number` after the event `seq`.

    Raises:
        NotFound: no such round, or no such event in it.
        NotFinished: the round is still being played.
    """
    latest: tuple[State, int] | None = None
    ended = False
    for event, _, after in log.states():
        if game_of(after)["round"] != number:
            continue
        if event["seq"] == seq:
            latest = after, event["at"]
        ended = ended or event["type"] in ("round_ended", "game_ended")
    if latest is None:
        raise NotFound(what="state", seq=seq, round=number)
    if not ended:
        raise NotFinished(what="round", round=number)
    state, at = latest
    return view(state, seat, at)


def events_of(log: GameLog, number: int, viewer: Viewer) -> tuple[View, list[EventView]]:
    """Return round `number` as a viewer saw it: the view when it was opened, and the events since.

    Raises:
        NotFound: no such round.
        NotFinished: the round is still being played.
    """
    opened: View | None = None
    events: list[EventView] = []
    ended = False
    for event, _, after in log.states():
        if game_of(after)["round"] != number:
            continue
        if event["type"] == "round_opened":
            opened = view(after, viewer, event["at"])
        elif event["type"] in OF_ROUND:
            events.append(redact(event, viewer, log.base["ruleset"]))
        ended = ended or event["type"] in ("round_ended", "game_ended")
    if opened is None:
        raise NotFound(what="round", round=number)
    if not ended:
        raise NotFinished(what="round", round=number)
    return opened, events


def deals_of(log: GameLog) -> dict[int, list[RecordedDeal]]:
    """Return number of a round -> the cards of its deals; hands are in the order of dealing."""
    deals: dict[int, list[RecordedDeal]] = {}
    players = log.base["players"]
    for event in log.events:
        if event["type"] not in ("round_opened", "redealt"):
            continue
        data = event["data"]
        number = data["number"] if event["type"] == "round_opened" else event["round"] or 0
        starter, of, deck = data["starter"], data["of"], names_of(data["deck"])
        hands = [deck[(seat - starter) % players : of : players] for seat in range(players)]
        deals.setdefault(number, []).append({"hands": hands, "kitty": deck[of:]})
    return deals
