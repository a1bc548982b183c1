"""Records of finished rounds: what was done, by whom and when, and that it was done by the rules.

A record is made from the log of a table. It holds everything needed to play a round again: the standings before it, the
shuffle with its proof, and every action with its time and source. `check` does play it again.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from service.errors import InvalidRequest, Refusal, TooComplex
from service.game import clock, dealing
from service.game.decide import catch_up, decide_for_ai
from service.game.errors import NotFinished, NotFound
from service.game.evolve import evolve
from service.game.shown import call_view, timestamp
from service.game.shuffle import commitment
from service.game.state import CLOCK_DEFAULTS, Event, State
from service.game.turn import Turn
from service.game.view import view
from service.rules.cards import names_of
from service.rules.levels import check_level
from service.rules.rulesets import RULESETS, effective_options

FORMAT = "shengji-record-1"

#: What a seat takes from one round into the next.
_STANDING = ("level", "active", "attempted", "penalty")
#: What is told of the result of a round.
_RESULT = ("reason", "points", "side", "levels", "summary")
#: Most rounds of a record that is checked, and most steps (actions, and what the clock did in between) in all of them.
MOST_ROUNDS = 500
MOST_STEPS = 12_000
#: Steps from one rest to the next: a few milliseconds.
_REST_EVERY = 50


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
            "standings": [{name: seat[name] for name in _STANDING} for seat in before["seats"]],
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
        opened["result"] = {name: data[name] for name in _RESULT}
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


# --- playing a record again --------------------------------------------------------------------------------------


def check(
    given: Mapping[str, Any], budget: int = MOST_STEPS, rest: Callable[[], None] = lambda: None
) -> dict[str, Any]:
    """Play a record again by the rules.

    Args:
        given: a record of the right shape; whether its values fit together is checked here.
        budget: steps that may be taken.
        rest: called every few milliseconds, so that whoever else waits gets their turn.

    Returns:
        `{"ok", "rounds": [{"round", "ok", "reason", "detail"}]}`; a round is not ok if its commitment does not fit
        the seed, an action is illegal, or the result is another one.

    Raises:
        InvalidRequest: the parts do not fit together.
        InvalidOption: there is no such game.
        TooComplex: it takes more steps.
    """
    if given.get("format") != FORMAT:
        raise InvalidRequest(reason="record_format", accepted=[FORMAT])
    options = effective_options(given["ruleset"], given["players"], given["options"])
    for each in given["rounds"]:
        _check_fit(given, each, options)
    work = _Work(budget, rest)
    rounds = [_check_round(given, each, work) for each in given["rounds"]]
    return {"ok": all(each["ok"] for each in rounds), "rounds": rounds}


class _Work:
    """Counts steps, and rests now and then."""

    def __init__(self, budget: int, rest: Callable[[], None]) -> None:
        self.budget = self.left = budget
        self._rest = rest

    def step(self) -> None:
        """Take a step. Raises TooComplex when none is left."""
        self.left -= 1
        if self.left < 0:
            raise TooComplex(budget=self.budget)
        if self.left % _REST_EVERY == 0:
            self._rest()


def _check_fit(given: Mapping[str, Any], each: Mapping[str, Any], options: Mapping[str, Any]) -> None:
    """Check that a round names seats, levels and times that there are."""
    players = given["players"]
    seats = [each["starter"], each["declarer"] or 0, *(action["seat"] for action in each["actions"])]
    fits = len(each["standings"]) == len(each["levels"]) == players and max(seats) < players
    try:
        for at in (each["opened_at"], *each["closings"], *(action["at"] for action in each["actions"])):
            _milliseconds(at)
    except ValueError:
        fits = False
    fits = fits and all(_NEEDS.get(action["type"], "type") in action for action in each["actions"])
    if not fits:
        raise InvalidRequest(reason="record_fit", field="rounds")
    if RULESETS[given["ruleset"]].family == "shengji":
        for standing in each["standings"]:
            for level in (standing["level"], *standing["attempted"]):
                check_level(options, level, "rounds")


#: Type of action -> the field without which it says nothing.
_NEEDS = {
    "declare": "cards",
    "discard": "cards",
    "overcall_kitty": "cards",
    "play": "cards",
    "call": "calls",
    "road": "road",
}


def _check_round(given: Mapping[str, Any], each: Mapping[str, Any], work: _Work) -> dict[str, Any]:
    verdict = {"round": each["round"], "ok": False, "reason": None, "detail": None}
    shuffle = each["shuffle"]
    if commitment(bytes.fromhex(shuffle["server_seed"])) != shuffle["commitment"]:
        return verdict | {"reason": "commitment"}
    try:
        state = _play_again(given, each, work)
    except TooComplex:
        raise
    except Refusal as refusal:
        return verdict | {"reason": "illegal", "detail": str(refusal)}
    result = state["round"]["result"]
    if result is None:
        return verdict | {"reason": "unfinished"}
    if any(result[name] != each["result"][name] for name in _RESULT):
        return verdict | {"reason": "result", "detail": f"{result['points']} points, not {each['result']['points']}"}
    if [seat["level"] for seat in state["seats"]] != each["levels"]:
        return verdict | {"reason": "levels"}
    return verdict | {"ok": True}


def _no_chance(size: int) -> bytes:
    """Stand in for randomness where its outcome does not matter: the seed of the next round is not used."""
    return bytes(size)


def _play_again(given: Mapping[str, Any], each: Mapping[str, Any], work: _Work) -> State:
    """Return the state after the round's actions. Deals come from the recorded seed, never from the record."""
    now = _milliseconds(each["opened_at"])
    state = _before(given, each, now)
    turn = Turn(state, now, _no_chance)
    dealing.open_round(turn)
    state = turn.state
    closings = [_milliseconds(at) for at in each["closings"]]
    following = [*each["actions"][1:], {}]
    for action, after in zip(each["actions"], following, strict=False):
        if action["type"] == "reveal":
            continue
        at = _milliseconds(action["at"])
        work.step()
        state = _caught_up(state, at, closings, work)
        if state["round"]["result"] is not None:
            continue
        command = {**action, "reveal": after.get("type") == "reveal"}
        state = decide_for_ai(state, action["seat"], command, at, _no_chance).state
    return state


def _caught_up(state: State, at: int, closings: list[int], work: _Work) -> State:
    """Deal what was due, and close the window that all share when it was closed; take that from `closings`.

    Deals are a function of the clock. When somebody's time was over is not: it depends on who looked when, and on more
    than the round, as what was left of a time bank. So what was done then is in the record, with its time.
    """
    while True:
        closed = bool(closings) and closings[0] <= at
        moment = closings[0] if closed else at
        if not clock.deal_is_due(state, moment):
            if not closed:
                return state
            del closings[0]
        work.step()
        state = catch_up(state, moment, _no_chance).state


def _before(given: Mapping[str, Any], each: Mapping[str, Any], now: int) -> State:
    """Return a table as it stood before the round."""
    players, ruleset = given["players"], RULESETS[given["ruleset"]]
    options = effective_options(ruleset.id, players, given["options"])
    seed = each["shuffle"]["server_seed"]
    practice = "record" if each["shuffle"]["shuffle_name"] == "practice" else None
    turn = Turn({}, now, _no_chance)
    turn.emit(
        "table_created",
        table=each["shuffle"]["shuffle_name"],
        ruleset=ruleset.id,
        players=players,
        options=options,
        host="",
        settings={"clock": {**CLOCK_DEFAULTS, **given["clock"]}, "seed": practice, "closed": False, "ai_pace_ms": 0},
        next_seed=seed,
        next_commitment=each["shuffle"]["commitment"],
    )
    turn.emit("game_started", game=given["game"], number=1, level="2", starter=each["starter"])
    state = turn.state
    occupant = {"kind": "human", "player": None, "name": "", "level": None}
    seats = [
        {**seat, "occupant": occupant, **{name: standing[name] for name in _STANDING}}
        for seat, standing in zip(state["seats"], each["standings"], strict=True)
    ]
    game = {**state["game"], "round": each["round"] - 1, "declarer": each["declarer"]}
    return {**state, "seats": seats, "game": game, "entropy": dict(each["shuffle"]["entropy"])}


def _milliseconds(text: str) -> int:
    """Return milliseconds since the epoch of a time as `timestamp` writes it."""
    return round(datetime.fromisoformat(text).timestamp() * 1000)
