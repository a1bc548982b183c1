"""Scoring of boards: values, matchpoints, steps and standings.

The results of all players with the same deal are compared, together with those of AI players, so that a few players
suffice. A result gets one point for each other that it beats and half a point for each that it equals, as a percentage
of the maximum.

In games with friends, where all seats play for themselves, the steps between a result and the mean of the others
decide, as in Butler scoring at bridge: there the margin counts, not the number of beaten results.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, TypedDict

from service.boards.deals import SEAT
from service.boards.steps import FORFEIT, steps_of
from service.common.places import places
from service.game.events.types import Event
from service.game.records.record import action_of
from service.game.state.queries import game_of
from service.game.state.rules import composition_of, options_of
from service.game.state.types import RoundSummary, State
from service.rules.options.rulesets import RULESETS
from service.rules.rounds.scoring import points_to_win
from service.store.boards.events import BoardResult, Entry, Fields, Results, StoredEvent

#: Most decisions of a seat that others may take for a board to count as the player's.
MOST_TAKEN: Final = 3
#: Percentage of a board that was given up or left to AI players: nothing that playing on could bring is less.
FORFEITED: Final = 0.0
#: Percentage of a result without any other to compare.
_ALONE: Final = 50.0


class Standing(TypedDict):
    """An entrant in the standings.

    `boards`: percentage of each board; None: not played. `steps`: sum over all boards; None: percentages decide.
    """

    rank: int
    player: str
    name: str
    percent: float
    steps: int | None
    boards: list[float | None]


def taken(log: Sequence[Event], seat: int) -> bool:
    """Return whether others took too many decisions of a seat."""
    actions = (action_of(event) for event in log if event["by"] in ("ai", "timeout"))
    return sum(action is not None and action["seat"] == seat for action in actions) > MOST_TAKEN


def value_of(state: State, summary: RoundSummary, seat: int = SEAT) -> int:
    """Return the value of a round for a seat: its side's margin in points from the threshold, or its lead in scores."""
    if "scores" in summary:
        return summary["scores"][seat % 2] - summary["scores"][1 - seat % 2]
    win = points_to_win(state["ruleset"], composition_of(state).decks, options_of(state))
    beyond = summary["points"] - win
    return -beyond if seat in summary["declarers"] else beyond


def result_of(state: State, log: Sequence[Event], deal: int) -> BoardResult:
    """Return the result of the game of a board."""
    game = game_of(state)
    result: BoardResult = {"deal": deal, "game": game["id"], "at": game["ended_at"] or 0, "value": None}
    if not game["results"]:
        return result
    summary = game["results"][0]
    if "scores" in summary:
        result["scores"] = summary["scores"]
    else:
        result["points"] = summary["points"]
        result["side"] = "declarers" if SEAT in summary["declarers"] else "attackers"
    if not taken(log, SEAT):
        result["value"] = value_of(state, summary)
    return result


def percentages(results: Results, fields: Fields) -> dict[tuple[int, str], float]:
    """Return the percentage of each result, by number of the board and player."""
    values: dict[tuple[int, int], list[int]] = defaultdict(list)
    for (number, _), result in results.items():
        if result["value"] is not None:
            values[number, result["deal"]].append(result["value"])
    ordered = {key: sorted([*results_of_key, *fields.get(key, ())]) for key, results_of_key in values.items()}
    return {
        (number, player): _percentage(result["value"], ordered.get((number, result["deal"]), ()))
        for (number, player), result in results.items()
    }


def steps(results: Results, fields: Fields) -> dict[tuple[int, str], int]:
    """Return the steps between each result and the mean of the others, by number of the board and player."""
    values: dict[tuple[int, int], list[int]] = defaultdict(list)
    for (number, _), result in results.items():
        if result["value"] is not None:
            values[number, result["deal"]].append(result["value"])
    totals = {}
    for (number, player), result in results.items():
        value, deal = result["value"], (number, result["deal"])
        among = [*values[deal], *fields.get(deal, ())]
        if value is None:
            totals[number, player] = -FORFEIT
        else:
            others = len(among) - 1
            totals[number, player] = steps_of(value - (sum(among) - value) / others) if others else 0
    return totals


def steps_decide(event: StoredEvent) -> bool:
    """Return whether steps instead of percentages decide the rank in an event."""
    return RULESETS[event["ruleset"]].teams == "friends"


def _percentage(value: int | None, among: Sequence[int]) -> float:
    """Return the percentage of a value among the ordered values that include it. None: given up."""
    if value is None:
        return FORFEITED
    if len(among) < 2:
        return _ALONE
    below = bisect_left(among, value)
    equal = bisect_right(among, value) - below - 1
    return 100 * (below + equal / 2) / (len(among) - 1)


def standings(event: StoredEvent, entries: Mapping[str, Entry], results: Results, fields: Fields) -> list[Standing]:
    """Return the standings of players who have played, the best first.

    The rank depends on the mean percentage or on the sum of steps. Boards that were not played, or were given up, count
    as the lowest result.
    """
    numbers = range(1, len(event["boards"]) + 1)
    shares, counted = percentages(results, fields), steps(results, fields) if steps_decide(event) else None
    played = {player for _, player in shares}
    rows: list[Standing] = []
    for player in sorted(played & entries.keys()):
        boards = [round(shares[number, player], 2) if (number, player) in shares else None for number in numbers]
        rows.append(
            {
                "rank": 0,
                "player": player,
                "name": entries[player]["name"],
                "percent": round(sum(each or 0.0 for each in boards) / len(boards), 2),
                "steps": None
                if counted is None
                else sum(counted.get((number, player), -FORFEIT) for number in numbers),
                "boards": boards,
            }
        )
    rows.sort(key=_worth, reverse=True)
    place_of = places(_worth(row) for row in rows)
    for row in rows:
        row["rank"] = place_of[_worth(row)]
    return rows


def _worth(row: Standing) -> float:
    return row["percent"] if row["steps"] is None else row["steps"]
