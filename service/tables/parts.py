"""The part of each player in a finished game, and whether the game is rated and kept."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from service.game.events.types import Event
from service.game.records.record import action_of
from service.game.records.sittings import sittings_of
from service.game.state.queries import counts_for_ratings, game_of, persons
from service.game.state.types import NumberedSummary, State

#: Ways in which a game can end without being rated.
_UNRATED_ENDINGS: Final = frozenset({"abandoned", "ended_early"})


class Part(NamedTuple):
    """A player's part in a game.

    Attributes:
        seat: the player's seat at the start; None for a player who came later.
        rounds: finished rounds for which the player sat at the table.
        won: whether the player held a winning seat for at least half of the rounds.
    """

    seat: int | None
    rounds: int
    won: bool


def parts_of(state: State) -> dict[str, Part]:
    """Return player -> part, for people seated at the start of the game or for a whole round."""
    winners, total = winners_of(state), len(game_of(state)["results"])
    parts: dict[str, Part] = {}
    for seat, occupant, first, rounds in sittings_of(state):
        player = occupant["player"]
        if player is None or (first > 1 and not rounds):
            continue
        before = parts.get(player, Part(None, 0, won=False))
        parts[player] = Part(
            seat if first == 1 else before.seat,
            before.rounds + rounds,
            before.won or (seat in winners and 2 * rounds >= total),
        )
    return parts


def is_rated(state: State, events: Iterable[Event] = ()) -> bool:
    """Return whether a finished game counts for ratings: not if a round of it was played without its players.

    Args:
        events: those of the game.
    """
    if not counts_for_ratings(state) or game_of(state)["ended"] in _UNRATED_ENDINGS:
        return False
    return not _has_round_of_nobody(events)


def _has_round_of_nobody(events: Iterable[Event]) -> bool:
    """Return whether a finished round has no action of any player, as AI players of earlier releases played some."""
    somebody = True
    for event in events:
        if event["type"] == "round_opened":
            somebody = False
        elif event["type"] == "round_scored" and not somebody:
            return True
        elif event["by"] == "player" and action_of(event) is not None:
            somebody = True
    return False


def is_worth_keeping(state: State) -> bool:
    """Return whether the record of a game is kept: a round was finished, and a person was seated at the end."""
    return bool(game_of(state)["results"] and persons(state))


def winners_of(state: State) -> set[int]:
    """Return the seats that won the last game; empty if nobody did."""
    return set(game_of(state)["winners"] or ())


def winners_of_round(players: int, result: NumberedSummary) -> list[int]:
    """Return the seats that won a round; in Arm's Length those of the side with the higher score."""
    seats = range(players)
    if "scores" in result:
        one, other = result["scores"]
        return [] if one == other else [*seats[0 if one > other else 1 :: 2]]
    declarers, side = result.get("declarers", []), result.get("side")
    return [] if side is None else [seat for seat in seats if (seat in declarers) == (side == "declarers")]
