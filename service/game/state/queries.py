"""Small questions about a table."""

from collections.abc import Sequence
from typing import Final

from service.game.state.settings import HINTS_DEFAULT
from service.game.state.table_types import Decision, KnownDeal, Occupant
from service.game.state.types import Game, Overcalls, Round, SeatChange, Side, State, Trick


def round_of(state: State) -> Round:
    """Return the round of a table that has one."""
    table_round = state["round"]
    if table_round is None:
        raise AssertionError("there is no round before the first game")
    return table_round


def game_of(state: State) -> Game:
    """Return the game of a table that has one."""
    game = state["game"]
    if game is None:
        raise AssertionError("there is no game yet")
    return game


def decision_of(state: State) -> Decision:
    """Return the open decision of a table that waits for one."""
    decision = state["decision"]
    if decision is None:
        raise AssertionError("no decision is open")
    return decision


def declarer_of(table_round: Round) -> int:
    """Return the declarer of a round whose trumps are fixed."""
    declarer = table_round["declarer"]
    if declarer is None:
        raise AssertionError("the declarer is fixed with the trumps")
    return declarer


def overcalls_of(table_round: Round) -> Overcalls:
    """Return the overcalls for the kitty, once it is buried at a table that has them."""
    overcalls = table_round["overcalls"]
    if overcalls is None:
        raise AssertionError("nobody may overcall for the kitty now")
    return overcalls


def trick_of(table_round: Round) -> Trick:
    """Return the trick on the table."""
    trick = table_round["trick"]
    if trick is None:
        raise AssertionError("no trick is open")
    return trick


def last_trick_of(table_round: Round) -> Trick:
    """Return the last complete trick of a round that has one."""
    trick = table_round["last_trick"]
    if trick is None:
        raise AssertionError("no trick is complete")
    return trick


def seat_of(state: State, player: str | None) -> int | None:
    """Return the seat of a player, or None."""
    for number, seat in enumerate(state["seats"]):
        occupant = seat["occupant"]
        if occupant is not None and occupant["player"] == player and player is not None:
            return number
    return None


def ai_level(state: State, seat: int) -> str | None:
    """Return the level of the AI that plays this seat now, or None if a person or an outside bot does."""
    place = state["seats"][seat]
    if place["autopilot"]:
        return place["autopilot"]
    occupant = place["occupant"]
    return occupant["level"] if occupant and occupant["kind"] == "ai" else None


def persons(state: State) -> list[int]:
    """Return the seats that a person or an outside bot plays now."""
    return [
        number for number, seat in enumerate(state["seats"]) if seat["occupant"] and ai_level(state, number) is None
    ]


def has_time(state: State, seats: Sequence[int]) -> bool:
    """Tell whether seats that are asked have all the time they want: a person's who plays with AI players only."""
    if state["settings"]["clock"].get("alone", "limited") == "limited":
        return False
    players = starters(state)
    return len(players) == 1 and players[0] in seats and _is_played_by_a_person(state, players[0])


def _is_played_by_a_person(state: State, seat: int) -> bool:
    place = state["seats"][seat]
    return place["autopilot"] is None and place["occupant"] is not None and place["occupant"]["kind"] == "human"


def seated_at_start(state: State) -> list[Occupant | None]:
    """Return who sat on each seat when the last game began; without a game, who sits there now."""
    occupants = [seat["occupant"] for seat in state["seats"]]
    for change in reversed(changes_of(state)):
        occupants[change["seat"]] = change["before"]
    return occupants


def changes_of(state: State) -> list[SeatChange]:
    """Return the seats that have changed hands in the last game, in order."""
    return state["game"].get("changes", []) if state["game"] is not None else []


def is_between_rounds(state: State) -> bool:
    """Tell whether a game waits until all are ready for its next round."""
    decision = state["decision"]
    return state["status"] == "playing" and decision is not None and decision["kind"] == "ready"


def counts_for_ratings(state: State) -> bool:
    """Return whether the game counts for ratings if it is played to its end.

    Those count who sat down before it: nobody makes it rated, or unrated, by coming and going.
    """
    players = sum(occupant is not None and bool(occupant["player"]) for occupant in seated_at_start(state))
    is_even = state["game"] is None or not state["game"].get("uneven", False)
    return not is_practice(state) and players > 1 and is_even


def is_practice(state: State) -> bool:
    """Return whether the cards of the table follow from a seed that its host chose, or repeat another deal."""
    return state["settings"]["seed"] is not None


def known_deals(state: State, number: int) -> list[KnownDeal]:
    """Return the deals that a round of the game has instead of shuffled ones, by attempt."""
    known, game = state["settings"].get("known"), state["game"]
    return known.get(str(number), []) if known and game is not None and game["number"] == 1 else []


def is_sealed(state: State, now: int) -> bool:
    """Return whether others may still get the cards of the table."""
    board = state["settings"].get("board")
    return board is not None and now < board["sealed_until"]


def gives_hints(state: State) -> bool:
    """Return whether players may ask the AI for hints now."""
    wanted = state["settings"].get("hints", HINTS_DEFAULT)
    return wanted == "on" or (wanted == "unrated" and not counts_for_ratings(state))


#: A player who has been away for so long (ms) is gone: the others decide without them.
GONE_AFTER_MS: Final = 5 * 60_000


def starters(state: State) -> list[int]:
    """Return the seats that belong to a person or an outside bot, whoever plays them now."""
    return [
        number
        for number, seat in enumerate(state["seats"])
        if (occupant := seat["occupant"]) is not None and occupant["player"] is not None
    ]


def is_gone(state: State, seat: int, now: int) -> bool:
    """Tell whether the player of a seat has left the game, or has been away for long; a pause does not count."""
    place, pause = state["seats"][seat], state.get("pause")
    now = now if pause is None else pause["since"]
    if place["presence"] == "away":
        return place.get("away_since", 0) + GONE_AFTER_MS <= now
    return place["presence"] == "gone"


def waited_for(state: State) -> list[int]:
    """Return the seats that the open decision still waits for.

    A player who has passed may still declare, and one who is ready may take that back; but nobody waits for them.
    """
    decision = state["decision"]
    if decision is None:
        return []
    if decision["kind"] == "ready":
        return [seat for seat in decision["seats"] if not state["seats"][seat]["ready"]]
    return asked(state, decision)


def wanted_for_rematch(state: State) -> list[int]:
    """Return the seats whose players have not said that they play again, once another one has."""
    if state["status"] != "finished" or state["settings"]["closed"]:
        return []
    people = persons(state)
    waiting = [seat for seat in people if not state["seats"][seat]["ready"]]
    return waiting if len(waiting) < len(people) else []


def asked(state: State, decision: Decision) -> list[int]:
    """Return the seats that a decision asks: while trumps are made, those that have not passed since."""
    passes = round_of(state)["passes"] if decision["kind"] == "declare" else ()
    return [seat for seat in decision["seats"] if seat not in passes]


def points_of_attackers(points: list[int], sides: list[Side]) -> int:
    """Return the points of all seats that are not on the declarer's side; both by seat."""
    return sum([each for each, side in zip(points, sides, strict=True) if side != "declarers"])


def declarers(state: State) -> list[int]:
    """Return the seats known to be on the declarer's side."""
    return [seat for seat, side in enumerate(round_of(state)["sides"]) if side == "declarers"]


def filled_calls(table_round: Round) -> list[int]:
    """Return the numbers of the calls by which somebody has joined."""
    return [number for number, call in enumerate(table_round["calls"]) if call["filled_by"] is not None]


def attackers_points(state: State, sides: list[Side] | None = None) -> int:
    """Return the points in tricks won so far by all seats that are not on the declarer's side.

    `sides`: those at the end, where more is known than is public.
    """
    table_round = round_of(state)
    return points_of_attackers(table_round["points"], sides or table_round["sides"])


def sides_after_joining(table_round: Round, call: int, seat: int) -> list[Side]:
    """Return the sides after a seat has filled a call; by the last one all others turn out to be attackers."""
    sides = list(table_round["sides"])
    sides[seat] = "declarers"
    if {call, *filled_calls(table_round)} == set(range(len(table_round["calls"]))):
        return ["attackers" if side == "unknown" else side for side in sides]
    return sides
