"""What a director decides: boards, matches and penalties, and taking the last of these back.

A director may play in the event, but decides nothing about their own team. All of it is in the log.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from service.common.errors import InvalidRequest
from service.game.errors import NotFound
from service.store.port import PlayerStore
from service.store.tournaments.teams import Progress
from service.tournaments import forms, teams
from service.tournaments.directing import acts, rulings
from service.tournaments.errors import OwnTeam
from service.tournaments.standings import boards_of, penalty_unit
from service.tournaments.team_events import TeamEvent, TeamEvents, check_match


class Referee:
    """See the module.

    Args:
        events: the events.
        players: the players, for the names of directors.
    """

    def __init__(self, events: TeamEvents, players: PlayerStore) -> None:
        self._events: Final = events
        self._players: Final = players

    def names_of(self, players: Collection[str | None]) -> dict[str, str]:
        """Return the names of those players who exist, by id."""
        records = [self._players.get(player) for player in players if player is not None]
        return {record["id"]: record["name"] for record in records if record is not None}

    def rule(
        self, event: str, where: Sequence[int], counted: Mapping[str, Any] | None, reason: str, player: str
    ) -> TeamEvent:
        """Rule on a board of a match, or on all of its boards.

        Args:
            event: id of the event.
            where: numbers of the round and the pair, and of the board, if it is about one.
            counted: see `rulings.made`; None: as played.
            reason: shown to everybody.
            player: the director.

        Raises:
            NotFound, NotDirector, EventClosed, OwnTeam: see these.
            InvalidRequest: the form does not count so.
        """
        team_event = self._events.directed(event, player)
        check_match(team_event, where[0], where[1])
        if len(where) > 2 and where[2] not in boards_of(team_event.event, where[0]):
            raise NotFound(what="board", id=where[2])
        now = self._events.now()
        ruling = None if counted is None else rulings.made(team_event.event, counted, reason, now)
        units = teams.meetings_of(teams.event_round(team_event.progress, where[0]))[where[1] - 1]

        def change(progress: Progress) -> Progress:
            _check_others(progress, player, units)
            return rulings.ruled(team_event.event, progress, where, ruling, player, now)

        return self._events.change(team_event, change)

    def penalize(self, event: str, team: str, amount: float, reason: str, player: str) -> TeamEvent:
        """Give a team a penalty in place of one before; 0 takes it away. Idempotent.

        Args:
            event: id of the event.
            team: id of the team.
            amount: in the unit of the standings, see `standings.penalty_unit`.
            reason: shown to everybody.
            player: the director.

        Raises:
            NotFound, NotDirector, EventClosed, OwnTeam: see these.
            InvalidRequest: the ranks of the event do not follow from a number that could be lower.
        """
        team_event = self._events.directed(event, player)
        if penalty_unit(team_event.event) is None:
            raise InvalidRequest(reason="no_penalty", field="amount", ranks=forms.rules_of(team_event.event)["ranks"])
        now = self._events.now()

        def change(progress: Progress) -> Progress:
            _check_others(progress, player, [team])
            return rulings.penalized(progress, team, amount, reason, player, now)

        return self._events.change(team_event, change)

    def undo(self, event: str, number: int, reason: str, player: str) -> TeamEvent:
        """Take back the last ruling or penalty, which has this number in the log. Idempotent.

        Raises:
            NotFound, NotDirector, EventClosed, OwnTeam, NotTheLastRuling: see these.
        """
        team_event, now = self._events.directed(event, player), self._events.now()

        def change(progress: Progress) -> Progress:
            last = acts.to_undo(progress)
            if last is not None:
                _check_others(progress, player, _about(progress, last.get("match"), last.get("team")))
            return rulings.undone(progress, number, reason, player, now)

        return self._events.change(team_event, change)


def _about(progress: Progress, match: str | None, team: str | None) -> list[str]:
    """Return the teams that an act is about."""
    if match is None:
        return [] if team is None else [team]
    number, pair = (int(each) for each in match.split("-"))
    return teams.meetings_of(progress["rounds"][number - 1])[pair - 1]


def _check_others(progress: Progress, player: str, units: Collection[str]) -> None:
    """Check that a director plays for none of some teams.

    Anybody can enter a director, who has then to agree: it would keep them from ruling otherwise.

    Raises:
        OwnTeam: the director does.
    """
    for team in units:
        entry = progress["teams"].get(team)
        if entry is not None and player in teams.confirmed_in(entry):
            raise OwnTeam(team=team)
