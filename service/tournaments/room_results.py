"""The result of a board in a room of a match.

A board that cannot be compared names who is to blame: somebody who gave it up, left it to AI players or held it up. It
counts as the lowest result, so that no way out of a bad board is better than to play it.
"""

from collections.abc import Callable, Sequence
from typing import Final

from service.boards.scoring import result_of, taken, value_of
from service.game.events.types import Event
from service.game.state.queries import game_of, seated_at_start
from service.game.state.types import State
from service.rules.games import RULESETS
from service.store.boards.events import BoardResult

#: Kinds of votes that end a game.
_ENDINGS: Final = frozenset({"abandon", "end_early"})


def result_of_room(state: State, log: Sequence[Event], until: int | None = None) -> BoardResult:
    """Return the result of the game of a board in a room of a match; the value is for seat 0.

    Args:
        until: end of the round (ms), if the game was not over by then.
    """
    if until is not None:
        unfinished: BoardResult = {"deal": 0, "game": game_of(state)["id"], "at": until, "value": None}
        return {**unfinished, "unfinished": True, "taken": held_up(state, log, until)}
    result, results = result_of(state, log, 0), game_of(state)["results"]
    blamed = [seat for seat in people_of(state) if taken(log, seat)] or ([] if results else gave_up(state, log))
    result["value"] = value_of(state, results[0]) if results and not blamed else None
    if blamed:
        result["taken"] = blamed
    return result


def with_seats(result: BoardResult, state: State) -> BoardResult:
    """Return a result with what it is for each seat, if the round was played to its end."""
    results = game_of(state)["results"]
    if not results or result.get("unfinished", False):
        return result
    summary, seats = results[0], range(state["players"])
    leads = [value_of(state, summary, seat) for seat in seats]
    if "scores" in summary:
        won = [seat for seat in seats if leads[seat] > 0]
    else:
        # Attackers with just enough points are 0 ahead, and have won.
        winners, declarers = summary["side"], summary["declarers"]
        won = [seat for seat in seats if winners == ("declarers" if seat in declarers else "attackers")]
    return {**result, "leads": leads, "won": won}


def people_of(state: State) -> list[int]:
    """Return the seats of people at the start of the game."""
    return [seat for seat, who in enumerate(seated_at_start(state)) if who is not None and who["kind"] != "ai"]


def gave_up(state: State, log: Sequence[Event]) -> list[int]:
    """Return the seats of the side that ended the game by a vote; none if both sides wanted it, or an operator.

    Among friends, the seats of those who wanted it; none if all did.
    """
    votes: dict[int, bool] = {}
    passed = False
    for event in log:
        data = event["data"]
        if event["type"] == "vote_opened" and data["kind"] in _ENDINGS:
            votes, passed = {data["by_seat"]: True}, False
        elif event["type"] == "vote_cast":
            votes[data["seat"]] = data["approve"]
        elif event["type"] == "vote_closed" and data["kind"] in _ENDINGS:
            passed = data["passed"]
    people, side_of = people_of(state), _side_of(state)
    sides = {side_of(seat) for seat in people if passed and votes.get(seat)}
    is_known = len(sides) == 1 or (_is_among_friends(state) and len(sides) < len(people))
    return [seat for seat in people if side_of(seat) in sides] if is_known else []


def _is_among_friends(state: State) -> bool:
    return RULESETS[state["ruleset"]].teams == "friends"


def _side_of(state: State) -> Callable[[int], int]:
    """Return a function from seat to side; among friends, everybody is to blame for themselves alone."""
    return (lambda seat: seat) if _is_among_friends(state) else (lambda seat: seat % 2)


def held_up(state: State, log: Sequence[Event], until: int) -> list[int]:
    """Return the seats of the side that took longer over a board which was not over in time (ms).

    Among friends, the seat that took the longest. Pauses count for the side whose decision they interrupt. None if the
    board waited for AI players in the end.
    """
    people, side_of = people_of(state), _side_of(state)
    waited = dict.fromkeys(map(side_of, range(state["players"])), 0)
    seats: set[int] = set()
    since = until
    for event in log:
        if event["at"] < until and event["type"] == "decision_opened":
            _add(waited, {*map(side_of, seats)}, event["at"] - since)
            seats = {*event["data"].get("asked", event["data"]["seats"])} & {*people}
            since = event["at"]
    _add(waited, {*map(side_of, seats)}, until - since)
    slowest = [side for side, spent_ms in waited.items() if spent_ms == max(waited.values())]
    return [seat for seat in people if side_of(seat) in slowest] if seats and len(slowest) == 1 else []


def _add(waited: dict[int, int], sides: set[int], spent_ms: int) -> None:
    for side in sides:
        waited[side] += spent_ms
