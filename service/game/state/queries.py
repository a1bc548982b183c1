"""Small queries on the state of a table."""

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
    """Return the level of the AI that plays this seat now; None if a person or an external bot does."""
    place = state["seats"][seat]
    if place["autopilot"]:
        return place["autopilot"]
    occupant = place["occupant"]
    return occupant["level"] if occupant and occupant["kind"] == "ai" else None


def persons(state: State) -> list[int]:
    """Return the seats that a person or an external bot plays now."""
    return [
        number for number, seat in enumerate(state["seats"]) if seat["occupant"] and ai_level(state, number) is None
    ]


def has_time(state: State, seats: Sequence[int]) -> bool:
    """Return whether the seats asked have unlimited time, as a person has who plays only with AI players.

    At an untimed table everybody has who is not played by an AI.
    """
    if is_untimed(state):
        return any(ai_level(state, seat) is None for seat in seats)
    if state["settings"]["clock"].get("alone", "limited") == "limited":
        return False
    players = starters(state)
    return len(players) == 1 and players[0] in seats and _is_played_by_a_person(state, players[0])


def is_untimed(state: State) -> bool:
    """Return whether people have no time limits at all."""
    return state["settings"]["clock"].get("untimed", False)


def _is_played_by_a_person(state: State, seat: int) -> bool:
    place = state["seats"][seat]
    return place["autopilot"] is None and place["occupant"] is not None and place["occupant"]["kind"] == "human"


def seated_at_start(state: State) -> list[Occupant | None]:
    """Return the occupants at the start of the last game; without a game, the current ones."""
    occupants = [seat["occupant"] for seat in state["seats"]]
    for change in reversed(changes_of(state)):
        occupants[change["seat"]] = change["before"]
    return occupants


def changes_of(state: State) -> list[SeatChange]:
    """Return the changes of occupants in the last game, in order."""
    return state["game"].get("changes", []) if state["game"] is not None else []


def is_between_rounds(state: State) -> bool:
    """Return whether a game waits until all are ready for the next round."""
    decision = state["decision"]
    return state["status"] == "playing" and decision is not None and decision["kind"] == "ready"


def counts_for_ratings(state: State) -> bool:
    """Return whether the game counts for ratings if it is played to its end: not where people talk while they play.

    Else this depends only on players seated before the game: coming and going later does not change it. A game whose
    clock only reminds does not count, since nobody has to play on who is about to lose, nor does one of so many minutes
    where each decision may take hours, since whoever is ahead could wait until they are over.
    """
    players = sum(occupant is not None and bool(occupant["player"]) for occupant in seated_at_start(state))
    is_even = state["game"] is None or not state["game"].get("uneven", False)
    acts = state["settings"]["clock"]["on_timeout"] != "remind"
    is_fair = is_even and acts and not _may_wait_until_the_end(state)
    return not is_practice(state) and players > 1 and is_fair and "voice" not in state["settings"]


def _may_wait_until_the_end(state: State) -> bool:
    in_minutes = "minutes" in state["settings"].get("length", {})
    return in_minutes and (is_untimed(state) or "correspondence" in state["settings"]["clock"])


def is_practice(state: State) -> bool:
    """Return whether the cards come from a seed that the host chose, or repeat another deal."""
    return state["settings"]["seed"] is not None


def known_deals(state: State, number: int) -> list[KnownDeal]:
    """Return the known deals of a round, which replace shuffled ones, by attempt."""
    known, game = state["settings"].get("known"), state["game"]
    return known.get(str(number), []) if known and game is not None and game["number"] == 1 else []


def is_board(state: State) -> bool:
    """Return whether the table plays a board of an event. What comes of it is told by its event alone, in the end."""
    return "board" in state["settings"]


def club_of(state: State) -> str | None:
    """Return the club whose members alone may sit down at the table and watch it; None: it is no club's."""
    return state["settings"].get("club")


def has_keeper(state: State) -> bool:
    """Return whether a circle or a club says who may come to the table, instead of codes."""
    return "circle" in state["settings"] or "club" in state["settings"]


def circle_of(state: State) -> str | None:
    """Return the circle whose people alone may sit down at the table and watch it; None: it is no circle's."""
    return state["settings"].get("circle")


def is_sealed(state: State, now: int) -> bool:
    """Return whether other tables may still get the same cards."""
    board = state["settings"].get("board")
    return board is not None and now < board["sealed_until"]


def gives_hints(state: State) -> bool:
    """Return whether players may ask the AI for hints now."""
    wanted = state["settings"].get("hints", HINTS_DEFAULT)
    return wanted == "on" or (wanted == "unrated" and not counts_for_ratings(state))


#: A player who has been away for this long (ms) is gone: the others decide without them.
GONE_AFTER_MS: Final = 5 * 60_000


def starters(state: State) -> list[int]:
    """Return the seats that belong to a person or an external bot, even if an AI plays them now."""
    return [
        number
        for number, seat in enumerate(state["seats"])
        if (occupant := seat["occupant"]) is not None and occupant["player"] is not None
    ]


def is_gone(state: State, seat: int, now: int) -> bool:
    """Return whether the player of a seat has left, or has been away for long, not counting a pause by vote."""
    place, pause = state["seats"][seat], state.get("pause")
    now = now if pause is None or waits_for_people(state) else pause["since"]
    if place["presence"] == "away":
        return place.get("away_since", 0) + GONE_AFTER_MS <= now
    return place["presence"] == "gone"


def is_missing(state: State, seat: int) -> bool:
    """Return whether the player of a seat does not play: an AI does, or a person has missed the last decision.

    A program that was late once is not missing: it may still follow the table, and is taken over if it stays away.
    """
    place = state["seats"][seat]
    if place["autopilot"] is not None:
        return True
    return place["timeouts"] > 0 and place["occupant"] is not None and place["occupant"]["kind"] == "human"


def is_deserted(state: State) -> bool:
    """Return whether people sit at the table, and none of them plays. Then nobody plays for them."""
    return is_for_people(state) and all(is_missing(state, seat) for seat in starters(state))


def is_for_people(state: State) -> bool:
    """Return whether the table waits while none of its players is there.

    AI players alone play on, and so does the board of an event, which has to be compared. In a sandbox time passes only
    because its host lets it.
    """
    return bool(starters(state)) and not is_board(state) and "sandbox" not in state["settings"]


def waits_for_people(state: State) -> bool:
    """Return whether the game is paused because none of its players was there."""
    pause = state.get("pause")
    return pause is not None and pause.get("reason") == "absent"


def waited_for(state: State) -> list[int]:
    """Return the seats that the open decision still waits for.

    A player who has passed may still declare, and one who is ready may become unready; neither is waited for.
    """
    decision = state["decision"]
    if decision is None:
        return []
    if decision["kind"] == "ready":
        return [seat for seat in decision["seats"] if not state["seats"][seat]["ready"]]
    return seats_asked(state, decision)


def wanted_for_rematch(state: State) -> list[int]:
    """Return the seats not ready for another game, if at least one other is."""
    if state["status"] != "finished" or state["settings"]["closed"]:
        return []
    people = persons(state)
    waiting = [seat for seat in people if not state["seats"][seat]["ready"]]
    return waiting if len(waiting) < len(people) else []


def seats_asked(state: State, decision: Decision) -> list[int]:
    """Return the seats that a decision asks; when declaring, those that have not passed since the last declaration."""
    passes = round_of(state)["passes"] if decision["kind"] == "declare" else ()
    return [seat for seat in decision["seats"] if seat not in passes]


def points_of_attackers(points: list[int], sides: list[Side]) -> int:
    """Return the points of all seats that are not on the declarer's side; both lists are by seat."""
    return sum([each for each, side in zip(points, sides, strict=True) if side != "declarers"])


def declarers(state: State) -> list[int]:
    """Return the seats known to be on the declarer's side."""
    return [seat for seat, side in enumerate(round_of(state)["sides"]) if side == "declarers"]


def filled_calls(table_round: Round) -> list[int]:
    """Return the indices of the filled calls."""
    return [number for number, call in enumerate(table_round["calls"]) if call["filled_by"] is not None]


def attackers_points(state: State, sides: list[Side] | None = None) -> int:
    """Return the points in tricks won so far by all seats that are not on the declarer's side.

    `sides`: those at the end of the round, which include friends not yet revealed; by default the public ones.
    """
    table_round = round_of(state)
    return points_of_attackers(table_round["points"], sides or table_round["sides"])


def sides_after_joining(table_round: Round, call: int, seat: int) -> list[Side]:
    """Return the sides after a seat has filled a call. With the last call filled, all others are attackers."""
    sides = list(table_round["sides"])
    sides[seat] = "declarers"
    if {call, *filled_calls(table_round)} == set(range(len(table_round["calls"]))):
        return ["attackers" if side == "unknown" else side for side in sides]
    return sides
