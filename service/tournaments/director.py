"""The actions of the director of an event: begin and end rounds, rule on boards, and close the event."""

from collections.abc import Callable, Collection, Sequence
from typing import Final

from service.boards import deals
from service.game.errors import NotFound
from service.game.views.fields import timestamp
from service.store.boards.events import StoredEvent
from service.store.tournaments.teams import Progress
from service.tournaments import standings, teams
from service.tournaments.errors import RoundNotReady
from service.tournaments.standings import boards_of
from service.tournaments.team_events import TeamEvent, TeamEvents, check_match


class Director:
    """See the module.

    Args:
        events: the events.
        apart_among: returns the pairs of players (ids) of whom the first has blocked the second.
    """

    def __init__(
        self,
        events: TeamEvents,
        apart_among: Callable[[Collection[str]], Collection[tuple[str, str]]] = lambda _: (),
    ) -> None:
        self._events: Final = events
        self._apart_among: Final = apart_among

    def start(self, event: str, number: int, player: str) -> TeamEvent:
        """Begin a round: pair the teams, and have the clock's process open the first board of each room. Idempotent.

        Raises:
            NotFound, NotDirector, EventClosed: see these.
            RoundNotReady: it is not the next round, or there are fewer than two complete teams.
        """
        team_event = self._events.settled(self._events.directed(event, player))
        if number != len(team_event.progress["rounds"]):
            apart = self._apart(team_event.progress)
            team_event = self._events.change(
                team_event, lambda progress: self._with_round(team_event.event, progress, number, apart)
            )
        self._events.plan(team_event)
        return team_event

    def _apart(self, progress: Progress) -> list[tuple[str, str]]:
        """Return the pairs of teams between whose members there is a block, which meet only if it cannot be avoided."""
        team_of = {player: name for name, team in progress["teams"].items() for player in teams.confirmed_in(team)}
        return [(team_of[one], team_of[other]) for one, other in self._apart_among(team_of)]

    def _with_round(
        self, event: StoredEvent, progress: Progress, number: int, apart: Sequence[tuple[str, str]]
    ) -> Progress:
        begun, now = len(progress["rounds"]), self._events.now()
        if number == begun:
            return progress
        if number != begun + 1 or number > event["teams"]["rounds"]:
            raise RoundNotReady(reason="not_its_turn", begun=begun, rounds=event["teams"]["rounds"])
        if begun and not progress["rounds"][-1]["is_scored"]:
            raise RoundNotReady(
                reason="round_open", round=begun, closes_at=timestamp(progress["rounds"][-1]["closes_at"])
            )
        active = [name for name, team in progress["teams"].items() if not team["is_withdrawn"] and not team["is_house"]]
        # Incomplete teams keep nobody waiting: they play from the next round on in which everybody has agreed.
        lacking = [name for name in active if not teams.is_complete(progress["teams"][name])]
        active = [name for name in active if name not in lacking]
        if len(active) < 2 and lacking:
            raise RoundNotReady(reason="team_incomplete", teams=lacking)
        if len(active) < 2:
            raise RoundNotReady(reason="too_few_teams", teams=active)
        if len(active) % 2:
            progress, active = teams.with_house(progress, event["players"]), [*active, teams.HOUSE]
        rows = self._events.rows(event, progress) if begun else []
        rank = {row["team"]: at for at, row in enumerate(rows)}
        order = sorted(active, key=lambda name: (rank.get(name, 0), deals.order_of(event, name)))
        closes_at = min(now + event["teams"]["round_ms"], event["closes_at"])
        return teams.with_round(progress, standings.pairs_of_next_round(progress, order, apart), now, closes_at)

    def extend(self, event: str, number: int, closes_at: int, player: str) -> TeamEvent:
        """Change the end of a round (ms), earlier or later; a time in the past ends it now.

        Raises:
            NotFound, NotDirector, EventClosed, RoundClosed: see these.
        """
        team_event = self._events.directed(event, player)
        now = self._events.now()
        team_event = self._events.change(
            team_event, lambda progress: teams.extended(team_event.event, progress, number, closes_at, now)
        )
        self._events.plan(team_event)
        return self._events.settled(team_event)

    def rule(self, event: str, where: Sequence[int], steps: int | None, reason: str, player: str) -> TeamEvent:
        """Rule on a board of a match.

        Args:
            event: id of the event.
            where: numbers of the round, the pair and the board.
            steps: steps for the first team; None: as played.
            reason: shown to everybody.
            player: the director.

        Raises:
            NotFound, NotDirector, EventClosed: see these.
        """
        team_event = self._events.directed(event, player)
        check_match(team_event, where[0], where[1])
        if where[2] not in boards_of(team_event.event, where[0]):
            raise NotFound(what="board", id=where[2])
        name, now = standings.ruling_of(*where), self._events.now()
        return self._events.change(team_event, lambda progress: teams.ruled(progress, name, steps, reason, now))

    def close(self, event: str, player: str) -> TeamEvent:
        """Close an event and its open round. Idempotent. An event without a round expires soon.

        Raises:
            NotFound, NotDirector: see these.
        """
        team_event, now = self._events.event(event), self._events.now()
        teams.check_director(team_event.event, team_event.progress, player)

        def closed(progress: Progress) -> Progress:
            if progress["closed_at"] is not None:
                return progress
            ended: Progress = {**progress, "closed_at": min(now, team_event.event["closes_at"])}
            return teams.round_closed(ended, len(ended["rounds"]), now) if ended["rounds"] else ended

        team_event = self._events.change(team_event, closed)
        self._events.plan(team_event)
        team_event = self._events.settled(team_event)
        self._events.closed(team_event)
        return team_event
