"""What is stored when a game ends: its log, its entry in the players' lists, results and ratings.

`Keeper.keep` is called when a game is over, by a worker or before the next action at the table, and again if the
process died meanwhile. It is idempotent.

Ratings use the Plackett-Luce model of openskill; a player has one per pool (`service.rules.pools`). A game is rated if
at least two players sat there at its start, all seats started on the same level, it was played to its end at a table
without a fixed seed, and players acted in each of its rounds. AI seats count with the fixed rating of their level
(`service.tables.ai_ratings`). How much it counts is up to `service.tables.weights`, and what absence does to
`service.tables.absence`.

A player seated at the start gets the result of that seat even after leaving it: always a loss, but a win only after at
least half of the rounds (decision 168). Players who came later are not rated.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, TypedDict

from openskill.models import PlackettLuceRating

from service.game.events.types import Event
from service.game.records import record
from service.game.state.queries import game_of, is_board, seated_at_start
from service.game.state.settings import correspondence_of
from service.game.state.types import State
from service.rules.options.rulesets import RULESETS
from service.rules.pools import POOLS, pool
from service.store.players.past_games import PastGameStore
from service.store.players.results import PROVISIONAL_GAMES, Result, ResultStore
from service.store.port import ArchiveStore, Player, PlayerStore
from service.tables import weights
from service.tables.absence import grown, is_inactive, order, rating_at
from service.tables.ai_ratings import MODEL, ai_rating
from service.tables.parts import Part, is_rated, is_worth_keeping, parts_of, winners_of
from service.tables.past_games import past_game

DAY_MS: Final = 24 * 3_600_000
#: How long the record of a game is kept if no round was finished, or if only AI players were seated at the end.
NOBODYS_RECORD_MS: Final = 2 * DAY_MS
#: How long a player without finished games is kept after the last request.
GUEST_MS: Final = 7 * DAY_MS


class PublicResult(TypedDict):
    """A player's public result in one pool. `rating` is None before the first rated game."""

    games: int
    wins: int
    rounds: int
    rated_games: int
    rating: float | None
    provisional: bool
    inactive: bool


def new_result() -> Result:
    """Return the result of a new player."""
    rating = MODEL.rating()
    return {"games": 0, "wins": 0, "rounds": 0, "mu": rating.mu, "sigma": rating.sigma, "rated_games": 0}


def rating_of(result: Result, now: int) -> float:
    """Return the public rating at a time (ms): mu - 3 sigma, which is 0 for new players."""
    return round(rating_at(result, now), 2)


def sides_of(ruleset: str, players: int, winners: AbstractSet[int]) -> list[list[int]]:
    """Return the sides of a game as lists of seats, winners first: fixed teams, or else single seats."""
    seats = range(players)
    if RULESETS[ruleset].teams == "friends":
        sides = [[seat] for seat in seats]
    else:
        sides = [list(seats[start::2]) for start in (0, 1)]
    return sorted(sides, key=winners.isdisjoint)


def results_after(state: State, before: Mapping[str, Result], events: Iterable[Event] = ()) -> dict[str, Result]:
    """Return the players' results after a game.

    Args:
        state: the table with its finished game.
        before: player -> previous result, for players with a result in this pool.
        events: those of the game.
    """
    parts, winners = parts_of(state), winners_of(state)
    results = {player: before.get(player) or new_result() for player in parts}
    at_start = {part.seat: results[player] for player, part in parts.items() if part.seat is not None}
    ratings = _ratings_after(state, at_start) if is_rated(state, events) else {}
    after: dict[str, Result] = {}
    for player, part in parts.items():
        result, rating = results[player], None
        if part.seat is not None and (part.won or part.seat not in winners):
            rating = ratings.get(part.seat)
        others = [other for other, its in parts.items() if its.seat is not None and other != player]
        after[player] = _result_after(result, part, rating, others, game_of(state)["ended_at"] or 0)
    return after


def _result_after(
    result: Result, part: Part, rating: tuple[float, float] | None, others: Sequence[str], ended_at: int
) -> Result:
    """Return a player's result after a game, given the new mu and sigma if it was rated."""
    mu, sigma = rating or (result["mu"], result["sigma"])
    after: Result = {
        "games": result["games"] + 1,
        "wins": result["wins"] + part.won,
        "rounds": result["rounds"] + part.rounds,
        "mu": mu,
        "sigma": sigma,
        "rated_games": result["rated_games"] + (rating is not None),
    }
    if rating is not None:
        after["rated_at"] = max(result.get("rated_at", 0), ended_at)
        after["met"] = weights.met_after(result.get("met", {}), others, ended_at)
    elif "rated_at" in result:
        after["rated_at"] = result["rated_at"]
    return after


def _ratings_after(state: State, results: Mapping[int, Result]) -> dict[int, tuple[float, float]]:
    """Return seat -> new mu and sigma, for seats with a result."""
    winners = winners_of(state)
    sides = sides_of(state["ruleset"], state["players"], winners)
    ranks = [float(winners.isdisjoint(side)) for side in sides]
    teams = [[_rating_at(state, seat, results.get(seat)) for seat in side] for side in sides]
    rated = MODEL.rate(teams, ranks=ranks)
    length = weights.length(state["ruleset"], len(game_of(state)["results"]))
    ratings = {}
    for at, side in enumerate(sides):
        stake = weights.stake(teams[at], [teams[other] for other, rank in enumerate(ranks) if rank != ranks[at]])
        for seat, before, after in zip(side, teams[at], rated[at], strict=True):
            if seat in results:
                weight = length * stake * _people(state, seat, results[seat])
                ratings[seat] = weights.moved(before, after, weight)
    return ratings


def _people(state: State, seat: int, result: Result) -> float:
    """Return the weight of the people who sat there at the start with the player of a seat."""
    seated = [occupant["player"] for occupant in seated_at_start(state) if occupant is not None]
    others = [player for at, player in enumerate(seated) if player is not None and at != seat]
    return weights.people(result.get("met", {}), others, state["players"], game_of(state)["ended_at"] or 0)


def _rating_at(state: State, seat: int, result: Result | None) -> PlackettLuceRating:
    """Return the rating of the player seated there at the start, or else of the AI player."""
    if result is not None:
        return MODEL.rating(mu=result["mu"], sigma=grown(result, game_of(state)["ended_at"] or 0))
    occupant = state["seats"][seat]["occupant"]
    if occupant is not None and occupant["level"] is not None:
        return ai_rating(state["ruleset"], occupant["level"])
    # Somebody has replaced an AI player of unknown level: use the initial rating.
    return MODEL.rating()


class Keeper:
    """Archives the log of a finished game, from which its record is built, lists it, and updates results and ratings.

    Args:
        archive: stores the logs.
        results: stores results and ratings.
        past_games: stores the lists of the players' games.
        player: returns a player by id, or None if deleted. Deleted players count as opponents but have no results.
        record_days: how long records are kept; 0: forever.
    """

    def __init__(
        self,
        archive: ArchiveStore,
        results: ResultStore,
        past_games: PastGameStore,
        player: Callable[[str], Player | None],
        record_days: int = 0,
    ) -> None:
        self._archive = archive
        self._results = results
        self._past_games = past_games
        self._player = player
        self._record_ttl_ms: Final = record_days * DAY_MS or None

    def keep(self, state: State, log: Sequence[Event]) -> None:
        """Archive the finished game of a table, list it, and update results and ratings. Idempotent."""
        game, ended = game_of(state)["id"], game_of(state)["ended"]
        game_log = record.game_log(log, game)
        ttl_ms = self._record_ttl_ms if is_worth_keeping(state) else NOBODYS_RECORD_MS
        self._archive.archive(game, {"base": game_log.base, "events": game_log.events}, ttl_ms)
        self._past_games.add(past_game(state, game_log.events), ttl_ms)
        players = list(parts_of(state))
        # A board counts in its event alone: a profile would tell how it ended while others may still get its cards.
        if ended != "abandoned" and not is_board(state):
            self._settle(state, game, players, game_log.events)

    def _settle(self, state: State, game: str, players: Sequence[str], events: Sequence[Event]) -> None:
        at = game_of(state)["ended_at"] or 0
        self._results.settle(
            game,
            _pool_of(state),
            [player for player in players if self._player(player) is not None],
            lambda before: results_after(state, before, events),
            lambda result: rating_of(result, result.get("rated_at", at)) if result["rated_games"] else None,
            at,
            lambda result: order(result) if result["rated_games"] else None,
        )
        # Deleting a player removes the player first, then the results. If the player was removed before or during
        # `settle`, erase the results written there; if later, the deletion erases them.
        for player in players:
            if self._player(player) is None:
                self._results.erase(player, [_pool_of(state)])


def _pool_of(state: State) -> str:
    return pool(state["ruleset"], takes_days=correspondence_of(state) is not None)


def public(result: Result, now: int) -> PublicResult:
    """Return the public part of a result at a time (ms)."""
    return {
        "games": result["games"],
        "wins": result["wins"],
        "rounds": result["rounds"],
        "rated_games": result["rated_games"],
        "rating": rating_of(result, now) if result["rated_games"] else None,
        "provisional": result["rated_games"] < PROVISIONAL_GAMES,
        "inactive": bool(result["rated_games"]) and is_inactive(result, now),
    }


def expire_guests(players: PlayerStore, results: ResultStore, past_games: PastGameStore, now: int, limit: int) -> int:
    """Erase up to `limit` players who never finished a game and sent no request for `GUEST_MS`; return how many.

    Safe to call concurrently.
    """
    before, erased = now - GUEST_MS, 0
    for guest in players.idle_guests(before, limit):
        # Boards are among the past games, but not among the results.
        if results.of_player(guest, POOLS) or past_games.count(guest, 1):
            players.keep(guest)
        else:
            erased += players.expire_guest(guest, before)
    return erased
