"""Play a record again by the rules, to show that its rounds were dealt and played as it says."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from service.errors import InvalidRequest, Refusal, TooComplex
from service.game.commands import dealing
from service.game.commands.decide import catch_up, decide_for_ai
from service.game.commands.transaction import Turn
from service.game.records.record import FORMAT, RESULT_FIELDS, STANDING_FIELDS
from service.game.shuffle import commitment
from service.game.state import clock
from service.game.state.settings import CLOCK_DEFAULTS
from service.game.state.types import State
from service.rules.levels import check_level
from service.rules.rulesets import RULESETS, effective_options

#: Most rounds of a record that is checked, and most steps (actions, and what the clock did in between) in all of them.
MOST_ROUNDS = 500
MOST_STEPS = 12_000
#: Steps from one rest to the next: a few milliseconds.
_REST_EVERY = 50


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
                check_level(given["ruleset"], options, level, "rounds")


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
    if any(result[name] != each["result"][name] for name in RESULT_FIELDS):
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
        {**seat, "occupant": occupant, **{name: standing[name] for name in STANDING_FIELDS}}
        for seat, standing in zip(state["seats"], each["standings"], strict=True)
    ]
    game = {**state["game"], "round": each["round"] - 1, "declarer": each["declarer"]}
    return {**state, "seats": seats, "game": game, "entropy": dict(each["shuffle"]["entropy"])}


def _milliseconds(text: str) -> int:
    """Return milliseconds since the epoch of a time as `timestamp` writes it."""
    return round(datetime.fromisoformat(text).timestamp() * 1000)
