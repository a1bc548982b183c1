"""What is left of a finished game: its record, its players' results and their ratings.

`Keeper.keep` is called when a game is over, by a worker or by whoever acts at the table first, and again if one of them
died meanwhile; the second time changes nothing.
Ratings are Plackett-Luce (openskill), one for each ruleset. A game is rated when at least two different players took
part and it was played to its end at a table that is not for practice. AI seats count as opponents of a fixed strength.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from openskill.models import PlackettLuce

from service.game.events.types import Event
from service.game.records import record
from service.game.state.types import State
from service.rules.rulesets import RULESETS
from service.store.port import ArchiveStore
from service.store.results import Result, ResultStore

_MODEL: Final = PlackettLuce()
#: Ends of a game that say nothing about anybody's strength.
_NOT_RATED: Final = frozenset({"abandoned", "ended_early"})


def new_result() -> Result:
    """Return the result of somebody who has not played yet."""
    rating = _MODEL.rating()
    return {"games": 0, "wins": 0, "rounds": 0, "mu": rating.mu, "sigma": rating.sigma, "rated_games": 0}


def rating_of(result: Result) -> float:
    """Return the rating that people see: a cautious estimate, 0 for newcomers."""
    return round(float(_MODEL.rating(mu=result["mu"], sigma=result["sigma"]).ordinal()), 2)


def players_of(state: State) -> dict[str, int]:
    """Return the players of a game and their seats; not the AI seats."""
    return {
        seat["occupant"]["player"]: number for number, seat in enumerate(state["seats"]) if seat["occupant"]["player"]
    }


def is_rated(state: State) -> bool:
    """Tell whether a finished game counts for ratings."""
    practice = state["settings"]["seed"] is not None
    return not practice and state["game"]["ended"] not in _NOT_RATED and len(players_of(state)) > 1


def sides_of(state: State) -> list[list[int]]:
    """Return the sides of a game as seats, the winners first: partners where teams are fixed, else one seat a side."""
    seats = range(state["players"])
    if RULESETS[state["ruleset"]].teams == "friends":
        sides = [[seat] for seat in seats]
    else:
        sides = [list(seats[start::2]) for start in (0, 1)]
    winners = set(state["game"]["winners"])
    return sorted(sides, key=winners.isdisjoint)


def results_after(state: State, before: Mapping[str, Result]) -> dict[str, Result]:
    """Return the players' results after a game.

    Args:
        state: the table with its finished game.
        before: player -> result so far; who is missing has not played this ruleset yet.
    """
    seats = players_of(state)
    known = {seat: before.get(player) or new_result() for player, seat in seats.items()}
    rated = _rated(state, known) if is_rated(state) else {}
    after = {}
    for player, seat in seats.items():
        result = known[seat]
        mu, sigma = rated.get(seat, (result["mu"], result["sigma"]))
        after[player] = {
            "games": result["games"] + 1,
            "wins": result["wins"] + (seat in state["game"]["winners"]),
            "rounds": result["rounds"] + len(state["game"]["results"]),
            "mu": mu,
            "sigma": sigma,
            "rated_games": result["rated_games"] + (seat in rated),
        }
    return after


def _rated(state: State, known: Mapping[int, Result]) -> dict[int, tuple[float, float]]:
    """Return seat -> new mu and sigma."""
    sides = sides_of(state)
    winners = set(state["game"]["winners"])
    ranks = [float(winners.isdisjoint(side)) for side in sides]
    default = new_result()
    teams = [
        [_MODEL.rating(mu=known.get(seat, default)["mu"], sigma=known.get(seat, default)["sigma"]) for seat in side]
        for side in sides
    ]
    made = _MODEL.rate(teams, ranks=ranks)
    return {
        seat: (rating.mu, rating.sigma)
        for side, team in zip(sides, made, strict=True)
        for seat, rating in zip(side, team, strict=True)
        if seat in known
    }


class Keeper:
    """Keeps the log of a game, from which its record is made, and settles its results.

    Args:
        archive: where records go.
        results: where results and ratings are.
        player: finds a player by id. Who has been erased meanwhile, None, counts as an opponent but has no results.
    """

    def __init__(
        self, archive: ArchiveStore, results: ResultStore, player: Callable[[str], Mapping[str, Any] | None]
    ) -> None:
        self._archive = archive
        self._results = results
        self._player = player

    def keep(self, state: State, log: Sequence[Event]) -> None:
        """Keep what is left of the finished game of a table. Calling it twice is the same as calling it once."""
        game = state["game"]["id"]
        self._archive.archive(game, record.game_log(log, game)._asdict())
        if state["game"]["ended"] == "abandoned":
            return
        players = players_of(state)
        self._results.settle(
            game,
            state["ruleset"],
            [player for player in players if self._player(player) is not None],
            lambda before: results_after(state, before),
            lambda result: rating_of(result) if result["rated_games"] else None,
        )
        # A player is erased first, and the results after that: whoever is gone by now is forgotten here, whoever goes
        # later is forgotten there.
        for player in players:
            if self._player(player) is None:
                self._results.erase(player, [state["ruleset"]])


def public(result: Result) -> dict[str, Any]:
    """Return a result as everybody may see it."""
    shown: dict[str, Any] = {name: result[name] for name in ("games", "wins", "rounds", "rated_games")}
    return shown | {"rating": rating_of(result) if result["rated_games"] else None}
