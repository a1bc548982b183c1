"""Seasons of a club: what its team events count together, and its own players by their ratings.

The clock's process notes who has played an event and with what result, after each of its rounds (`note`). That stays,
whatever becomes of event and members, and the standings follow from it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

from service.clubs import points
from service.clubs.clubs import Clubs
from service.clubs.errors import ClubFull, SeasonOver
from service.common.errors import InvalidRequest
from service.game.errors import NameHeld, NotFound
from service.game.views.fields import timestamp
from service.store.boards.events import StoredEvent
from service.store.clubs.clubs import ClubStore
from service.store.clubs.seasons import Season, SeasonEvent, SeasonStore, UnitBoards, UnitResult
from service.store.players.past_games import PastGame
from service.store.port import Player
from service.store.tournaments.teams import Progress
from service.tables.ratings import Ratings
from service.tables.results import PublicResult
from service.tournaments import forms, match_tables, teams
from service.tournaments.match_scores import VICTORY_POINTS, TeamStanding
from service.tournaments.standings import boards_of, room
from service.tournaments.team_events import TeamEvent, TeamEvents

#: Most seasons of a club, and most events of a season.
MOST_SEASONS: Final = 12
MOST_EVENTS: Final = 100
LONGEST_NAME: Final = 40
#: Longest season (ms).
LONGEST_MS: Final = 400 * 24 * 3_600_000
#: What decides which events count.
_DECIDED: Final = ("starts_at", "ends_at", "events")
#: Time between two events that the clock's process examines because of a season (ms): rounds wait for it too.
_APART_MS: Final = 100


class Standings(NamedTuple):
    """A season with its events, and its players, the best first. `names`: player -> name, of those who exist."""

    season: Season
    events: dict[str, SeasonEvent]
    rows: list[points.Row]
    names: dict[str, str]


class Seasons:
    """See the module.

    Args:
        store: stores seasons.
        clubs: says who may do what in a club.
        club_store: knows the events of clubs.
        events: team events.
        past_games: returns the entries of finished games by id, of those that are kept.
        records: returns players by id, of those who exist.
        ratings: results and ratings of players.
        now: returns milliseconds since the epoch.
    """

    def __init__(
        self,
        store: SeasonStore,
        clubs: Clubs,
        club_store: ClubStore,
        events: TeamEvents,
        past_games: Callable[[Sequence[str]], Mapping[str, PastGame]],
        records: Callable[[Collection[str]], Mapping[str, Player]],
        ratings: Ratings,
        now: Callable[[], int],
    ) -> None:
        self._store: Final = store
        self._clubs: Final = clubs
        self._club_store: Final = club_store
        self._events: Final = events
        self._past_games: Final = past_games
        self._records: Final = records
        self._ratings: Final = ratings
        self._now: Final = now

    # --- reading ------------------------------------------------------------------------------------------------------

    def of_club(self, player: str, club: str) -> list[Season]:
        """Return the seasons of a club (id) to which a player belongs, the one that begins last first.

        Raises:
            NotFound: there is no such club, or the player does not belong to it.
        """
        self._clubs.of(player, club)
        return self._store.of_club(club)

    def standings(self, player: str, club: str, season: str) -> Standings:
        """Return a season of a club (ids) to which a player belongs. Raises NotFound."""
        self._clubs.of(player, club)
        stored = self._stored(club, season)
        events = {
            name: played
            for name, played in self._store.events_of(season).items()
            if points.fits(stored, name, played["began_at"])
        }
        rows = points.table(stored, events, self._now())
        records = self._records([row["player"] for row in rows]) if rows else {}
        return Standings(stored, events, rows, {name: record["name"] for name, record in records.items()})

    def of_player(self, player: str, club: str) -> list[tuple[Season, points.Row]]:
        """Return the seasons of a club (id) in which a player has results, and the player's row in each."""
        rows = [
            (season, points.table(season, self._store.events_of(season["id"]), self._now()))
            for season in self._store.of_club(club)
        ]
        return [(season, row) for season, table in rows for row in table if row["player"] == player]

    def own_players(self, player: str, club: str, pool: str) -> list[tuple[Player, PublicResult]]:
        """Return the members of a club (id) who have played in a pool, by rating, the best first, and their results.

        Raises:
            NotFound: there is no such club, or the player does not belong to it.
        """
        records = {each.player["id"]: each.player for each in self._clubs.persons(self._clubs.of(player, club))}
        results = self._ratings.of_players([*records], pool)
        order = sorted(results, key=lambda name: -(-1.0 if (rating := results[name]["rating"]) is None else rating))
        return [(records[name], results[name]) for name in order]

    # --- by owners and directors --------------------------------------------------------------------------------------

    def create(self, player: str, club: str, about: Mapping[str, Any], season: str) -> Season:
        """Make a season, as an owner or director. Idempotent for an id (`season`).

        Args:
            player: id.
            club: id.
            about: the fields of `Season` but `id` and `created_at`.
            season: its id.

        Raises:
            NotFound: there is no such club or event, or the player does not belong to it.
            ClubRoleNeeded: the player is a member.
            ClubFull: it has as many seasons as are allowed.
            InvalidRequest: the season ends before it begins, or is too long.
        """
        self._clubs.led(player, club)
        new = cast("Season", {**about, "id": season, "created_at": self._now()})
        self._check(club, new)
        if self._store.get(club, season) is None and len(self._store.of_club(club)) >= MOST_SEASONS:
            raise ClubFull(limit=MOST_SEASONS, what="seasons")
        made = self._store.create(club, new)
        if len(self._store.of_club(club)) > MOST_SEASONS:
            # Another request was as fast.
            self._store.delete(club, season)
            raise ClubFull(limit=MOST_SEASONS, what="seasons")
        self._gather(club, made)
        return made

    def change(self, player: str, club: str, season: str, changes: Mapping[str, Any]) -> Season:
        """Change a season that is not over, as an owner or director.

        Raises:
            NotFound, ClubRoleNeeded, InvalidRequest: see `create`.
            NameHeld: an operator has given the name.
            SeasonOver: its end has passed.
        """
        self._clubs.led(player, club)
        while True:
            before = self._stored(club, season)
            after = cast("Season", {**before, **changes})
            if after == before:
                return before
            if before.get("is_name_held") and after["name"] != before["name"]:
                raise NameHeld(until=timestamp(before["ends_at"]))
            if self._now() >= before["ends_at"]:
                raise SeasonOver(season=season, ended_at=timestamp(before["ends_at"]))
            self._check(club, after)
            if self._store.replace(club, before, after):
                break
        if any(before[name] != after[name] for name in _DECIDED):
            known = self._store.events_of(season)
            self._store.drop(season, [each for each in known if not points.fits(after, each, known[each]["began_at"])])
            self._gather(club, after)
        return after

    def delete(self, player: str, club: str, season: str) -> None:
        """Delete a season with its standings, as an owner; do nothing if there is none.

        Raises:
            NotFound, ClubRoleNeeded: see `create`.
        """
        self._clubs.led(player, club, "owner")
        self._store.delete(club, season)

    def names(self, club: str) -> list[str]:
        """Return ids and names of the seasons of a club (id), for operators: `cs_…: Spring`."""
        return [f"{season['id']}: {season['name']}" for season in self._store.of_club(club)]

    def rename(self, club: str, season: str, name: str) -> str:
        """Name a season of a club (ids), as an operator; nobody else changes that. Return the name before.

        Raises:
            NotFound: there is no such season.
        """
        while True:
            before = self._stored(club, season)
            if self._store.replace(club, before, {**before, "name": name, "is_name_held": True}):
                return before["name"]

    def _stored(self, club: str, season: str) -> Season:
        stored = self._store.get(club, season)
        if stored is None:
            raise NotFound(what="season", id=season)
        return stored

    def _check(self, club: str, season: Season) -> None:
        length = season["ends_at"] - season["starts_at"]
        if length <= 0:
            raise InvalidRequest(reason="ends_before_it_begins", field="ends_at")
        if length > LONGEST_MS:
            raise InvalidRequest(reason="season_too_long", field="ends_at", limit=LONGEST_MS)
        if season["events"]:
            known = {event for _, event in self._club_store.events_of(club)} | {*self._store.events_of(season["id"])}
            for event in season["events"]:
                if event not in known:
                    raise NotFound(what="event", id=event)

    def _gather(self, club: str, season: Season) -> None:
        """Have the clock's process note the events of a club (id) that have begun in a season."""
        known = self._store.events_of(season["id"])
        # The first ones first, since only so many count.
        made = [event for at, event in self._club_store.events_of(club)[::-1] if at < season["ends_at"]]
        made = [event for event in made if event not in known]
        self._events.look_at([each for each in made if not season["events"] or each in season["events"]], _APART_MS)

    # --- what was played ----------------------------------------------------------------------------------------------

    def note(self, team_event: TeamEvent) -> None:
        """Note who has played an event, and with what result, in each season in which it counts. Idempotent."""
        event, progress = team_event
        club = event["teams"].get("club")
        if club is None or not progress["rounds"]:
            return
        began_at = progress["rounds"][0]["opened_at"]
        for season in self._store.of_club(club):
            if points.fits(season, event["id"], began_at):
                known = self._store.event(season["id"], event["id"])
                if known is not None or self._store.count(season["id"]) < MOST_EVENTS:
                    played = self._noted(team_event, began_at, known)
                    if played != known:
                        self._store.keep(club, season["id"], event["id"], played)

    def removed(self, team_event: TeamEvent) -> None:
        """Forget what an event was called, which an operator has removed; its results stay."""
        club = team_event.event["teams"].get("club")
        for season in self._store.of_club(club) if club is not None else ():
            known = self._store.event(season["id"], team_event.event["id"])
            if club is not None and known is not None:
                self._store.keep(club, season["id"], team_event.event["id"], {**known, "name": "", "is_played": True})

    def _noted(self, team_event: TeamEvent, began_at: int, known: SeasonEvent | None) -> SeasonEvent:
        """Return an event of a season after the rounds that are scored; `known`: what was known of it."""
        event, progress = team_event
        scored = next((at for at, each in enumerate(progress["rounds"]) if not each["is_scored"]), None)
        rounds = len(progress["rounds"]) if scored is None else scored
        boards: dict[str, UnitBoards] = {**known["boards"]} if known is not None else {}
        noted = known["rounds"] if known is not None else 0
        for number in range(noted + 1, rounds + 1):
            boards = _sum(boards, self._boards_of_round(event, progress, number))
        is_whole = rounds >= forms.rounds_of(event, progress) or progress["closed_at"] is not None
        return {
            "name": event["teams"]["name"],
            "began_at": began_at,
            "is_played": scored is None and is_whole,
            "ends_at": event["closes_at"],
            "rounds": max(noted, rounds),
            "boards": boards,
            "results": _results(team_event, self._events.rows(event, progress)),
        }

    def _boards_of_round(self, event: StoredEvent, progress: Progress, number: int) -> dict[str, UnitBoards]:
        """Return who has played the boards of a round: those who sat there when a board began.

        Where that is not known any more, the people of the unit have.
        """
        results = self._events.results_of_round(event, number)
        games = self._past_games([result["game"] for result in results.values()])
        meetings = teams.meetings_of(progress["rounds"][number - 1])
        # At tables of an arena, the same numbers are other boards.
        played: dict[str, set[tuple[int, int]]] = {}
        people: dict[str, dict[str, int]] = {}
        for pair, which in match_tables.rooms_of(event, progress, number):
            units = meetings[pair - 1]
            for board in boards_of(event, number):
                result = results.get((board, room(pair, which)))
                if result is None:
                    continue
                game = games.get(result["game"])
                seats = (
                    {player: part["seat"] for player, part in game["parts"].items()}
                    if game is not None
                    else _seats(event, progress, units, which)
                )
                for player, seat in seats.items():
                    unit = units[(seat + which) % len(units)]
                    played.setdefault(unit, set()).add((board, pair))
                    of_unit = people.setdefault(unit, {})
                    of_unit[player] = of_unit.get(player, 0) + 1
        return {unit: {"boards": len(played[unit]), "players": people[unit]} for unit in played}


def _seats(event: StoredEvent, progress: Progress, units: list[str], which: int) -> dict[str, int]:
    """Return player -> seat of those who play in a room of a match now."""
    seated = enumerate(match_tables.seated(event, progress, units, which))
    return {occupant["player"]: seat for seat, occupant in seated if occupant["player"] is not None}


def _sum(one: Mapping[str, UnitBoards], other: Mapping[str, UnitBoards]) -> dict[str, UnitBoards]:
    """Return the boards of both parts of an event."""
    summed: dict[str, UnitBoards] = {}
    nothing: Final[UnitBoards] = {"boards": 0, "players": {}}
    for unit in {**one, **other}:
        first, second = one.get(unit, nothing), other.get(unit, nothing)
        players = dict(first["players"])
        for player, boards in second["players"].items():
            players[player] = players.get(player, 0) + boards
        summed[unit] = {"boards": first["boards"] + second["boards"], "players": players}
    return summed


def _results(team_event: TeamEvent, rows: Collection[TeamStanding]) -> dict[str, UnitResult]:
    """Return the results of the units that have begun and are not AI players alone, each in its line."""
    entries = team_event.progress["teams"]
    begun = [row for row in rows if (row["matches"] or row["reached"]) and not entries[row["team"]]["is_house"]]
    results: dict[str, UnitResult] = {}
    best = max((row["arena_points"] for row in begun), default=0.0) if forms.form_of(team_event.event).grows else None
    for row in begun:
        ranks = [other["rank"] for other in begun if other["line"] == row["line"]]
        results[row["team"]] = {
            "place": 1 + sum(rank < row["rank"] for rank in ranks),
            "equal": ranks.count(row["rank"]),
            "of": len(ranks),
            "percent": _percent(row, best),
        }
    return results


def _percent(row: TeamStanding, best: float | None) -> float:
    """Return what a unit has made, in percent, not below 0; `best`: the most points, in an arena."""
    if best is not None:
        return max(0.0, round(100 * row["arena_points"] / best, 2)) if best > 0 else 0.0
    if row["percent"] is not None:
        return max(0.0, row["percent"])
    most = VICTORY_POINTS * len(row["matches"])
    return max(0.0, round(100 * row["victory_points"] / most, 2)) if most else 0.0
