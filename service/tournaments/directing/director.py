"""The actions of the director of an event: begin and end rounds, and close the event."""

import hashlib
import json
from collections.abc import Callable, Collection, Sequence
from typing import Final

from service.boards import deals
from service.common.errors import InvalidRequest
from service.game.views.fields import timestamp
from service.store.boards.events import StoredEvent
from service.store.tournaments.teams import Progress
from service.tournaments import arenas, forms, knock_out, standings, teams
from service.tournaments.directing import acts, late_entries
from service.tournaments.directing.arena import Arena
from service.tournaments.errors import RoundNotReady
from service.tournaments.team_events import TeamEvent, TeamEvents


class Director:
    """See the module.

    Args:
        events: the events.
        arena: seats those who wait in arenas.
        apart_among: returns the pairs of players (ids) of whom the first has blocked the second.
    """

    def __init__(
        self,
        events: TeamEvents,
        arena: Arena,
        apart_among: Callable[[Collection[str]], Collection[tuple[str, str]]] = lambda _: (),
    ) -> None:
        self._events: Final = events
        self._arena: Final = arena
        self._apart_among: Final = apart_among

    def drafted(self, event: str, player: str, order: Sequence[str] = ()) -> TeamEvent:
        """Return an event as it would be if its next round began now. Changes nothing.

        Raises:
            NotFound, NotDirector, EventClosed, InvalidRequest, RoundNotReady: see `start`.
        """
        event_now, progress = self._events.directed(event, player)
        number, apart = len(progress["rounds"]) + 1, self._apart(progress)
        return TeamEvent(event_now, self._with_round(event_now, progress, number, apart, order))

    def start(
        self, event: str, number: int, player: str, order: Sequence[str] = (), pairing: str | None = None
    ) -> TeamEvent:
        """Begin a round: pair the teams, and have the clock's process open the first board of each room. Idempotent.

        Args:
            event: id of the event.
            number: number of the round.
            player: the director.
            order: teams in the order of the draw; those left out follow in the order of entry.
            pairing: begin the round only with this one (`pairing_of`); None: whatever it is.

        Raises:
            NotFound, NotDirector, EventClosed: see these; or there is no team of `order`.
            InvalidRequest: an order is given, and it is not the first round of a form that draws once.
            RoundNotReady: it is not the next round, there are too few complete teams, or the pairing is another one.
        """
        team_event = self._events.settled(self._events.directed(event, player))
        return self._start(team_event, number, order, player, pairing)

    def go_on(self, event: str) -> int | None:
        """Take the steps of an event that are due, also the beginning of the next round of a league.

        For the clock's process.

        Returns:
            When to take the next ones (ms), or None.
        """
        if self._events.is_arena(event):
            return self._arena.go_on(event)
        at = self._events.go_on(event)
        if at is None or at > self._events.now():
            return at
        team_event = self._events.event(event)
        if self._events.follows_at(team_event) is None:
            return at
        try:
            self._start(team_event, len(team_event.progress["rounds"]) + 1)
        except RoundNotReady:
            # Nobody is left who plays. If somebody comes back, the director can begin it.
            return None
        return self._events.now()

    def _start(
        self,
        team_event: TeamEvent,
        number: int,
        order: Sequence[str] = (),
        player: str | None = None,
        pairing: str | None = None,
    ) -> TeamEvent:
        """Begin a round, for a director (id), or because the round of a league follows by itself."""
        if number != len(team_event.progress["rounds"]):
            apart = self._apart(team_event.progress)

            def change(progress: Progress) -> Progress:
                after = self._with_round(team_event.event, progress, number, apart, order)
                if after is progress:
                    return after
                if pairing not in {None, pairing_of(after)}:
                    raise RoundNotReady(reason="pairing_changed", round=number)
                if player is None:
                    return after
                return acts.noted(after, player, self._events.now(), "round_begun", round=number)

            team_event = self._events.change(team_event, change)
        self._events.plan(team_event)
        return team_event

    def _apart(self, progress: Progress) -> list[tuple[str, str]]:
        """Return the pairs of teams between whose members there is a block, which meet only if it cannot be avoided."""
        team_of = {player: name for name, team in progress["teams"].items() for player in teams.confirmed_in(team)}
        return [(team_of[one], team_of[other]) for one, other in self._apart_among(team_of)]

    def _with_round(
        self,
        event: StoredEvent,
        progress: Progress,
        number: int,
        apart: Sequence[tuple[str, str]],
        order: Sequence[str],
    ) -> Progress:
        begun, now = len(progress["rounds"]), self._events.now()
        if number == begun:
            return progress
        rounds = forms.rounds_of(event, progress)
        if number != begun + 1 or number > rounds:
            raise RoundNotReady(reason="not_its_turn", begun=begun, rounds=rounds)
        if begun and not progress["rounds"][-1]["is_scored"]:
            raise RoundNotReady(
                reason="round_open", round=begun, closes_at=timestamp(progress["rounds"][-1]["closes_at"])
            )
        playing = _playing(event, progress)
        if forms.draws_once(event):
            progress = late_entries.with_places(event, progress) if begun else _drawn(event, progress, playing, order)
        elif order:
            raise InvalidRequest(reason="no_draw", field="order")
        seating = forms.seating(event, self._field(event, progress, playing, apart))
        if any(teams.HOUSE in table for table in seating.tables):
            progress = teams.with_house(progress, event["players"])
        closes_at = min(now + forms.length_of(event), event["closes_at"])
        after = forms.with_round(event, progress, seating, now, closes_at)
        if forms.form_of(event).grows and not arenas.is_seating(event, after["rounds"][-1], now):
            raise RoundNotReady(reason="too_late", closes_at=timestamp(closes_at))
        return after

    def _field(
        self, event: StoredEvent, progress: Progress, playing: Sequence[str], apart: Sequence[tuple[str, str]]
    ) -> forms.Field:
        """Return those of whom the next round is made."""
        begun = len(progress["rounds"])
        rank = {row["team"]: at for at, row in enumerate(self._events.rows(event, progress))} if begun else {}
        slots: list[str | None] = []
        third: list[str] = []
        if begun and forms.name_of(event) == forms.KNOCK_OUT:
            leads = standings.leads_of(self._events.matches(event, progress))
            slots = knock_out.winners(progress, leads, playing)
            third = knock_out.third(progress, slots, playing)
        return forms.Field(
            number=begun + 1,
            rounds=forms.rounds_of(event, progress),
            draw=progress.get("draw", ()),
            ranked=sorted(playing, key=lambda name: (rank.get(name, 0), deals.order_of(event, name))),
            met=forms.met_before(progress, apart),
            slots=slots,
            third=third,
            one_winner=forms.rules_of(event)["winners"] == 1,
        )

    def extend(self, event: str, number: int, closes_at: int, player: str, reason: str = "") -> TeamEvent:
        """Change the end of a round (ms), earlier or later; a time in the past ends it now. An arena has a latest one.

        Raises:
            NotFound, NotDirector, EventClosed, RoundClosed: see these.
        """
        team_event = self._events.directed(event, player)
        now = self._events.now()

        def change(progress: Progress) -> Progress:
            until = closes_at
            if forms.form_of(team_event.event).grows:
                until = min(closes_at, arenas.latest_end(team_event.event, teams.event_round(progress, number)))
            after = teams.extended(team_event.event, progress, number, until, now)
            if after == progress:
                return progress
            return acts.noted(after, player, now, "round_changed", reason=reason, round=number)

        team_event = self._events.change(team_event, change)
        self._events.plan(team_event)
        return self._events.settled(team_event)

    def close(self, event: str, player: str) -> TeamEvent:
        """Close an event and its open round. Idempotent. An event without a round expires soon.

        Raises:
            NotFound, NotDirector: see these.
        """
        team_event, now = self._events.event(event), self._events.now()
        self._events.check_directs(team_event, player)

        def closed(progress: Progress) -> Progress:
            if progress["closed_at"] is not None:
                return progress
            ended: Progress = {**progress, "closed_at": min(now, team_event.event["closes_at"])}
            ended = acts.noted(ended, player, now, "closed")
            return teams.round_closed(ended, len(ended["rounds"]), now) if ended["rounds"] else ended

        team_event = self._events.change(team_event, closed)
        self._events.plan(team_event)
        team_event = self._events.settled(team_event)
        self._events.closed(team_event)
        return team_event


def pairing_of(progress: Progress) -> str:
    """Return what tells the pairing of the last round from others: 16 hexadecimal digits."""
    entry = progress["rounds"][-1]
    meetings = json.dumps([len(progress["rounds"]), teams.meetings_of(entry), entry.get("byes", [])])
    return hashlib.sha256(meetings.encode()).hexdigest()[:16]


def _playing(event: StoredEvent, progress: Progress) -> list[str]:
    """Return the teams that play the next round.

    Raises:
        RoundNotReady: there are too few.
    """
    active = [name for name, team in progress["teams"].items() if not team["is_withdrawn"] and not team["is_house"]]
    # Incomplete teams keep nobody waiting: they play from the next round on in which everybody has agreed.
    lacking = [name for name in active if not teams.is_complete(progress["teams"][name])]
    active = [name for name in active if name not in lacking]
    fewest = 1 if progress["rounds"] and forms.draws_once(event) else forms.form_of(event).fewest
    if len(active) < fewest and lacking:
        raise RoundNotReady(reason="team_incomplete", teams=lacking)
    if len(active) < fewest:
        raise RoundNotReady(reason="too_few_teams", teams=active, fewest=fewest)
    return active


def _drawn(event: StoredEvent, progress: Progress, playing: Sequence[str], order: Sequence[str]) -> Progress:
    """Return an event whose teams have been drawn: those of `order` first, then the others as they entered."""
    for team in order:
        teams.team_of(progress, team)
    first = [team for team in dict.fromkeys(order) if team in playing]
    rest = [team for team in playing if team not in first]
    return {**progress, "draw": forms.drawn(forms.form_of(event), [*first, *rest])}
