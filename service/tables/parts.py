"""What players have done in a finished game, and what it counts for."""

from typing import Final, NamedTuple

from service.game.records.sittings import sittings_of
from service.game.state.queries import counts_for_ratings, game_of, persons
from service.game.state.types import State

#: Ways in which a game can end without being rated.
_UNRATED_ENDINGS: Final = frozenset({"abandoned", "ended_early"})


class Part(NamedTuple):
    """A player's part in a game.

    Attributes:
        seat: where the player sat at its start; None: came later.
        rounds: finished rounds that the player has sat through.
        won: the player has sat on a seat that has won, for at least half of the rounds.
    """

    seat: int | None
    rounds: int
    won: bool


def parts_of(state: State) -> dict[str, Part]:
    """Return player -> part, of those who sat at the start of a game or through a round of it; without AI seats."""
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


def is_rated(state: State) -> bool:
    """Return whether a finished game counts for ratings."""
    return counts_for_ratings(state) and game_of(state)["ended"] not in _UNRATED_ENDINGS


def is_worth_keeping(state: State) -> bool:
    """Return whether the record of a finished game is kept: a round was finished, and a person was there at the end."""
    return bool(game_of(state)["results"] and persons(state))


def winners_of(state: State) -> set[int]:
    """Return the seats that have won the last game; none: nobody has."""
    return set(game_of(state)["winners"] or ())
