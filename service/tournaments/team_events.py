"""The use cases of team events: teams enter, a director starts rounds, and each round is played and scored.

Reading changes nothing. The clock's process opens the first boards of a round, a few at a time, scores the round when
its time is up, and opens what was lost (`go_on`). Storing the result of a board opens the room's next board, and
storing the last one ends the round. All steps are idempotent: processes of releases before 0.4 take them when somebody
reads.
"""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, cast

import structlog

from service.boards import deals
from service.common.errors import InvalidRequest
from service.common.latest import Latest
from service.game.errors import NotFinished, NotFound
from service.game.ids import new_id
from service.game.shuffle import SEED_BYTES
from service.game.state.queries import is_sealed
from service.game.state.types import State
from service.rules.games import RULESETS
from service.store.boards.events import BoardStore, Results, StoredEvent, TeamRules
from service.store.port import StoreCorrupt, StoreTooNew
from service.store.tournaments.teams import Progress, without_director
from service.tables import Tables
from service.tables.writing import UNUSED_LIFETIME_MS
from service.tournaments import arenas, fixtures, forms, match_tables, standings, teams
from service.tournaments.errors import NotDirector, TooManyEvents
from service.tournaments.match_scores import Match, TeamStanding
from service.tournaments.match_tables import MatchTables
from service.tournaments.standings import boards_of

#: Most events on a page of the list, most of a director that others see there, and most examined for a page.
MOST_LISTED: Final = 20
MOST_LISTED_OF: Final = 3
_MOST_EXAMINED: Final = 100
#: Most events that a player directs at a time.
MOST_DIRECTED: Final = 10
MOST_BOARDS: Final = 16
#: How long after an event was counted it is stored at the latest (ms).
_STORED_WITHIN_MS: Final = 60_000
#: Most rooms that are opened before others get their turn.
ROOMS_AT_ONCE: Final = 8
#: How long a clock waits before it examines an open round again (ms), unless something is due before.
CHECK_MS: Final = 30_000
#: How long after a change of an event of a club a clock counts it in the seasons of the club (ms).
_COUNTED_AFTER_MS: Final = 1_000
#: How long a clock waits before it tells of results again that could not be told (ms).
_TELL_AGAIN_MS: Final = 600_000
#: Number of events whose standings a process remembers.
_MOST_COUNTED: Final = 16
#: How long an event lasts if nobody closes it; a league lasts longer by its fixtures.
LONGEST_MS: Final = 60 * deals.DAY_MS
#: How long ago an event may have been created for a clock to look for rounds that nobody has planned (ms).
_SEARCHED_MS: Final = LONGEST_MS + forms.LONGEST_LEAGUE_MS + 30 * deals.DAY_MS
#: Rulesets with fixed teams, which can be played in team events.
FOR_TEAMS: Final = [ruleset.id for ruleset in RULESETS.values() if ruleset.teams != "friends"]

log: Final = structlog.get_logger("service.tournaments")


class TeamEvent(NamedTuple):
    """A team event and its state."""

    event: StoredEvent
    progress: Progress


class TeamEvents:
    """See the module.

    Args:
        store: stores the events.
        tables: tables of the boards.
        tables_of_matches: opens the tables of boards.
        role_in_club: returns the role of a player (id) in a club (id), or None.
        days: how long events are stored after their latest end; 0: forever.
        random_bytes: returns random bytes from the operating system.
    """

    def __init__(
        self,
        store: BoardStore,
        tables: Tables,
        tables_of_matches: MatchTables,
        role_in_club: Callable[[str, str], str | None],
        days: int = 0,
        random_bytes: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self._store: Final = store
        self._tables: Final = tables
        self._match_tables: Final = tables_of_matches
        self._role_in_club: Final = role_in_club
        self._kept_ms: Final = (days or 36_500) * deals.DAY_MS
        self._random_bytes: Final = random_bytes
        self._counted: Final[Latest[list[TeamStanding]]] = Latest(_MOST_COUNTED)
        self._at_results: Callable[[TeamEvent], None] = lambda _: None

    def now(self) -> int:
        """Return the time of the service (ms)."""
        return self._tables.now()

    # --- events -------------------------------------------------------------------------------------------------------

    def create(self, director: str, spec: Mapping[str, object], event: str | None = None) -> TeamEvent:
        """Create an event.

        Args:
            director: id of the director.
            spec: `ruleset`, `players`, and the fields of `TeamRules`; `form` is the name of one, and `ranks`,
                `winners` and `sit_out` are parts of it.
            event: its id, derived from the request if a retry has to find the event created the first time.

        Raises:
            InvalidOption, InvalidRequest: the settings are not valid.
            TooManyEvents: the player directs too many events.
        """
        name, now = event or new_id("ev_", self._random_bytes), self._tables.now()
        known = self._find(name)
        if known is not None:
            return known
        stored = self._new_event(name, spec, now)
        # A league counts no longer than others until it is stored, so that one that is lost before stops counting too.
        counted: StoredEvent = {**stored, "closes_at": min(stored["closes_at"], now + LONGEST_MS)}
        if not self._direct(director, counted, now):
            # Those that a release before 0.4 closed, or a process that died never stored, still count.
            self._stop_counting(director, now)
            if not self._direct(director, counted, now):
                raise TooManyEvents(limit=MOST_DIRECTED)
        self._store.create(stored, stored["closes_at"] - now + self._kept_ms)
        self._store.teams.count_until(director, name, stored["closes_at"], now, self._kept_ms)
        self._store.teams.change(
            name, lambda progress: progress if progress["version"] else {**progress, "director": director}, now
        )
        return self.event(name)

    def _new_event(self, name: str, spec: Mapping[str, Any], now: int) -> StoredEvent:
        form = forms.chosen(spec)
        if spec["ruleset"] not in FOR_TEAMS and not forms.FORMS[form["name"]].grows:
            raise InvalidRequest(reason="no_fixed_teams", field="ruleset", accepted=FOR_TEAMS)
        rules = ("name", "is_listed", "boards", "round_ms", "options", "clock", "ai_pace_ms", "club")
        kept = {
            **{rule: spec[rule] for rule in rules if rule in spec},
            **forms.stored(form, is_of_club="club" in spec),
        }
        if "club" in spec:
            # Releases before 0.4 know no clubs, and would list it for everybody.
            kept["is_listed"] = False
        stored: StoredEvent = {
            "id": name,
            "ruleset": spec["ruleset"],
            "players": spec["players"],
            "opens_at": now,
            "closes_at": now + LONGEST_MS + (form["rounds"] * spec["round_ms"] if "league" in form else 0),
            "key": self._random_bytes(SEED_BYTES).hex(),
            "boards": deals.new_boards(form["rounds"] * spec["boards"], 1, self._random_bytes),
            "teams": cast("TeamRules", kept),
        }
        # Refuse now what a table would refuse later.
        seats = [deals.ai_player(seat) for seat in range(spec["players"])]
        self._tables.unstored(deals.spec_of_room(stored, 1, "1a", seats))
        return stored

    def _direct(self, director: str, event: StoredEvent, now: int) -> bool:
        """Count an event among those that a player directs; return whether that is possible."""
        return self._store.teams.direct(director, event["id"], event["closes_at"], now, MOST_DIRECTED, self._kept_ms)

    def _stop_counting(self, director: str, now: int) -> None:
        """Stop counting events of a director that are over or do not exist."""
        for event, until in self._store.teams.directed(director).items():
            # Another request may be about to store an event that it has just counted.
            if now < until < now + LONGEST_MS - _STORED_WITHIN_MS and not self._goes_on(event, director):
                self._store.teams.undirect(director, event, now)

    def _goes_on(self, event: str, director: str) -> bool:
        team_event = self._find(event)
        if team_event is None or self.now() >= teams.ended_at(*team_event):
            return False
        return director in {team_event.progress["director"], team_event.progress.get("heir")}

    def closed(self, team_event: TeamEvent) -> None:
        """Stop counting an event that its director has closed; without a round, let it expire soon. Idempotent."""
        if team_event.progress["director"] is not None:
            self._store.teams.undirect(team_event.progress["director"], team_event.event["id"], self.now())
        if not team_event.progress["rounds"]:
            self._store.teams.discard(team_event.event["id"], UNUSED_LIFETIME_MS)

    def event(self, event: str) -> TeamEvent:
        """Return an event.

        Raises:
            NotFound: there is no team event with this id.
        """
        team_event = self._find(event)
        if team_event is None:
            raise NotFound(what="event", id=event)
        return team_event

    def _find(self, event: str) -> TeamEvent | None:
        stored = self._store.event(event)
        progress = self._store.teams.progress(event) if stored is not None and "teams" in stored else None
        return None if stored is None or progress is None else TeamEvent(stored, progress)

    def newest(
        self, player: str, limit: int, before: tuple[int, str] | None = None
    ) -> tuple[list[TeamEvent], tuple[int, str] | None]:
        """Return the most recently created events, the latest first, and where the next page begins, or None.

        Only events of a player (id) and listed ones; of a director, others see the latest `MOST_LISTED_OF`.
        """
        examined, listed = self._store.teams.newest(_MOST_EXAMINED, before), list[TeamEvent]()
        latest: dict[str, list[str]] = {}
        last = before
        for at, event in examined:
            if len(listed) == limit:
                return listed, last
            last, team_event = (at, event), self._find(event)
            if team_event is not None and (_is_own(team_event, player) or self._is_listed(team_event, latest)):
                listed.append(team_event)
        return listed, last if len(examined) == _MOST_EXAMINED else None

    def _is_listed(self, team_event: TeamEvent, latest: dict[str, list[str]]) -> bool:
        """Return whether everybody sees an event in the list; `latest`: director -> latest events, as far as read."""
        director = team_event.progress["director"]
        rules = team_event.event["teams"]
        if director is None or not rules["is_listed"] or "club" in rules:
            return False
        if director not in latest:
            latest[director] = [*self._store.teams.directed(director)][-MOST_LISTED_OF:]
        return team_event.event["id"] in latest[director]

    def is_sealed(self, state: State) -> bool:
        """Return whether others may still get the cards of a table, i.e. whether its round is not over."""
        if not is_sealed(state, self._tables.now()):
            return False
        board = state["settings"]["board"]
        team_event = self._find(board["event"]) if "room" in board else None
        if team_event is None:
            return True
        entry = team_event.progress["rounds"][match_tables.round_of_board(team_event.event, board["number"]) - 1]
        # In an arena, each table has deals of its own.
        is_played = int(board["room"][:-1]) in entry.get("over", ())
        return not is_played and not teams.is_over(entry, self._tables.now())

    # --- rounds -------------------------------------------------------------------------------------------------------

    def settled(self, team_event: TeamEvent) -> TeamEvent:
        """Return an event after scoring all rounds whose time is over.

        A round with a board that a later release has played is left to processes of that release.
        """
        now = self._tables.now()
        for number, entry in enumerate(team_event.progress["rounds"], 1):
            if teams.is_over(entry, now) and not entry["is_scored"]:
                team_event = self.change(team_event, partial(teams.round_closed, number=number, now=now))
                try:
                    self._match_tables.gather(team_event.event, team_event.progress, number)
                except StoreTooNew:
                    break
                team_event = self.change(team_event, partial(teams.scored, number=number))
        return team_event

    def go_on(self, event: str) -> int | None:
        """Take the steps of an event that are due; return when to take the next ones (ms), or None.

        For the clock's process. Opens at most `ROOMS_AT_ONCE` rooms, so that 64 teams keep nobody waiting.
        """
        team_event = self._find(event)
        if team_event is None:
            return None
        team_event = self.settled(team_event)
        number, now = len(team_event.progress["rounds"]), self.now()
        if not number or team_event.progress["rounds"][-1]["is_scored"]:
            return self.told(team_event)
        entry = team_event.progress["rounds"][-1]
        if teams.is_over(entry, now):
            # Left to a later release.
            return now + CHECK_MS
        if due := fixtures.due(entry, now):
            team_event = self.step(team_event, partial(fixtures.begun, number=number, pairs=due))
        known, total = entry.get("opened", 0), len(match_tables.rooms_begun(*team_event))
        if known < total:
            done = self._match_tables.open_some(team_event.event, team_event.progress, known, ROOMS_AT_ONCE)
            team_event = self.step(team_event, partial(teams.opened, number=number, rooms=done))
            if done < total:
                return self.now()
        elif self._match_tables.mend(team_event.event, team_event.progress):
            # The process that stored the last result has died.
            team_event = self.step(
                team_event, lambda progress: teams.scored(teams.round_closed(progress, number, now), number)
            )
            return self.told(team_event)
        entry = team_event.progress["rounds"][-1]
        agreed_at = fixtures.next_at(entry)
        return min(entry["closes_at"], self.now() + CHECK_MS, *([] if agreed_at is None else [agreed_at]))

    def told(self, team_event: TeamEvent) -> int | None:
        """Tell of an event whose last round is scored; return when to examine it next (ms), or None."""
        follows_at = self.follows_at(team_event)
        try:
            self._at_results(team_event)
        except (StoreCorrupt, StoreTooNew):
            # What is made of results must not keep the next round from beginning.
            log.exception("results not told", team_event=team_event.event["id"])
            again_at = self.now() + _TELL_AGAIN_MS
            return again_at if follows_at is None else min(again_at, follows_at)
        return follows_at

    def follows_at(self, team_event: TeamEvent) -> int | None:
        """Return when the next round of a league begins (ms), if the last one is scored; None: there is none."""
        rounds = team_event.progress["rounds"]
        is_over = self.now() >= teams.ended_at(*team_event)
        return None if is_over or not rounds or not rounds[-1]["is_scored"] else forms.follows_at(*team_event)

    def on_results(self, results: Callable[[TeamEvent], None]) -> None:
        """Have a function called by the clock's process with events whose last round is scored, perhaps again."""
        self._at_results = results

    def look_at(self, events: Sequence[str], apart_ms: int) -> None:
        """Have a clock examine events (ids), one after the other, and call for them what `on_results` was given."""
        now = self.now()
        self._store.teams.plan_all({event: now + number * apart_ms for number, event in enumerate(events)})

    def is_arena(self, event: str) -> bool:
        """Return whether an event (id) is an arena."""
        stored = self._store.event(event)
        return stored is not None and "teams" in stored and forms.form_of(stored).grows

    def heed(self, team_event: TeamEvent) -> None:
        """Have a clock examine an arena that goes on, since somebody has come."""
        if forms.form_of(team_event.event).grows and team_event.progress["rounds"]:
            self._store.teams.plan(team_event.event["id"], self.now() + arenas.HEEDED_AFTER_MS)

    def plan(self, team_event: TeamEvent) -> None:
        """Have a clock examine an event now, and from then on as long as `go_on` says."""
        self._store.teams.plan(team_event.event["id"], self.now())

    def plan_unplanned(self, limit: int, before: tuple[int, str] | None) -> tuple[int, str] | None:
        """Plan events with a round that is not scored, among the next `limit`; return where to go on, None at the end.

        Processes of releases before 0.4 begin rounds without planning them, and a process may die in between.
        """
        examined = self._store.teams.newest(limit, before)
        for _, event in examined:
            team_event = self._find(event)
            if team_event is None:
                continue
            is_open = any(not entry["is_scored"] for entry in team_event.progress["rounds"])
            if is_open or self.follows_at(team_event) is not None:
                self._store.teams.plan(event, self.now(), only_new=True)
        is_end = len(examined) < limit or examined[-1][0] < self.now() - _SEARCHED_MS
        return None if is_end else examined[-1]

    def lease(self, lease_ms: int, limit: int) -> tuple[list[str], int]:
        """Lease events that are due; return their ids, and until when they are leased (ms)."""
        until = self.now() + lease_ms
        return self._store.teams.lease(self.now(), until, limit), until

    def replan(self, event: str, leased_until: int, at: int | None) -> None:
        """See `TeamStore.replan`."""
        self._store.teams.replan(event, leased_until, at)

    def change(self, team_event: TeamEvent, change: Callable[[Progress], Progress]) -> TeamEvent:
        """Change the state of an event; see `TeamStore.change`.

        Raises:
            NotFound: the event no longer exists.
        """
        if "club" in team_event.event["teams"] and team_event.progress["rounds"]:
            # What it counts in the seasons of the club may change. Before, since this process may die after it.
            self._store.teams.plan(team_event.event["id"], self.now() + _COUNTED_AFTER_MS)
        return self.step(team_event, change)

    def step(self, team_event: TeamEvent, change: Callable[[Progress], Progress]) -> TeamEvent:
        """Change the state of an event that the clock's process has leased, so that it is examined again anyway.

        Raises:
            NotFound: the event no longer exists.
        """
        progress = self._store.teams.change(team_event.event["id"], change, self.now())
        if progress is None:
            raise NotFound(what="event", id=team_event.event["id"])
        return TeamEvent(team_event.event, progress)

    def opened(self, event: str) -> TeamEvent:
        """Return an open event.

        Raises:
            NotFound: there is no such event.
            EventClosed: it is over.
        """
        team_event = self.event(event)
        teams.check_open(team_event.event, team_event.progress, self.now())
        return team_event

    def directed(self, event: str, player: str) -> TeamEvent:
        """Return an open event directed by a player.

        Raises:
            NotFound, EventClosed: see `opened`.
            NotDirector: see `check_directs`; or the player has no office in its club, before its first round.
        """
        team_event = self.event(event)
        self.check_directs(team_event, player)
        teams.check_open(team_event.event, team_event.progress, self.now())
        if not team_event.progress["rounds"] and not self.has_office(team_event, player):
            raise NotDirector(event=event)
        return team_event

    def directs(self, team_event: TeamEvent, player: str) -> bool:
        """Return whether a player directs an event, perhaps closed; named ones only with an office in its club."""
        progress = team_event.progress
        is_named = teams.directs(progress, player) and not teams.leads(progress, player)
        return self.has_office(team_event, player) if is_named else teams.directs(progress, player)

    def check_directs(self, team_event: TeamEvent, player: str) -> None:
        """Check that a player directs an event, perhaps closed.

        Raises:
            NotDirector: the player does not direct it.
        """
        if not self.directs(team_event, player):
            raise NotDirector(event=team_event.event["id"])

    def has_office(self, team_event: TeamEvent, player: str) -> bool:
        """Return whether a player is an owner or director of the club of an event, if it is for one."""
        club = team_event.event["teams"].get("club")
        return club is None or self._role_in_club(club, player) in {"owner", "director"}

    def taken_over(self, team_event: TeamEvent, player: str, change: Callable[[Progress], Progress]) -> TeamEvent:
        """Have another director (id) lead an event, as `change` says.

        Raises:
            TooManyEvents: the player directs too many events.
        """
        before, now, name = team_event.progress["director"], self.now(), team_event.event["id"]
        if not self._direct(player, team_event.event, now):
            self._stop_counting(player, now)
            if not self._direct(player, team_event.event, now):
                raise TooManyEvents(limit=MOST_DIRECTED)
        try:
            team_event = self.change(team_event, change)
        except NotDirector:
            after = self.event(name)
            if teams.leads(after.progress, player):
                # The same request, sent twice.
                return after
            self._store.teams.undirect(player, name, now)
            raise
        if before is not None:
            self._store.teams.undirect(before, name, now)
        return team_event

    def removed(self, team_event: TeamEvent, players: Collection[str]) -> TeamEvent:
        """Take the office from directors (ids) who have lost their office in the club of an event, but for its lead."""
        gone = [each for each in players if each in team_event.progress.get("directors", {})]
        gone = [each for each in gone if not teams.leads(team_event.progress, each)]
        if not gone:
            return team_event

        def change(progress: Progress) -> Progress:
            for player in gone:
                progress = progress if teams.leads(progress, player) else without_director(progress, player)
            return progress

        return self.change(team_event, change)

    def hand_over(self, team_event: TeamEvent, heirs: Sequence[str]) -> TeamEvent:
        """Have somebody else lead an open event: the first of some players (ids) who may direct one more.

        If none may, it is closed, or goes on as it is once its first round has begun.
        """
        event, now, before = team_event.event, self.now(), team_event.progress["director"]
        if before is None or now >= teams.ended_at(*team_event):
            return team_event
        heir = next((each for each in heirs if self._direct(each, event, now)), None)

        def handed_over(progress: Progress) -> Progress:
            if progress["director"] != before:
                return progress
            if heir is not None:
                # Who led it has no office any more, also not that of before.
                after: Progress = {**without_director(progress, before), "director": heir}
                after.pop("heir", None)
                return after
            return progress if progress["rounds"] else {**progress, "closed_at": now}

        after = self.change(team_event, handed_over)
        if heir is not None:
            self._store.teams.undirect(before, event["id"], now)
        elif after.progress["closed_at"] is not None:
            self.closed(after)
        return after

    # --- tables and results -------------------------------------------------------------------------------------------

    def table_of(self, team_event: TeamEvent, player: str) -> str | None:
        """Return the table where a player has to play now, or None."""
        if not team_event.progress["rounds"] or teams.is_over(team_event.progress["rounds"][-1], self._tables.now()):
            return None
        return self._match_tables.table_of(team_event.event, team_event.progress, player)

    def match(self, event: str, number: int, pair: int) -> tuple[TeamEvent, Match]:
        """Return a match of a finished round.

        Raises:
            NotFound: there is no such event or match.
            NotFinished: its boards are still sealed, or not all of them are counted yet.
        """
        team_event = self.event(event)
        check_match(team_event, number, pair)
        entry = team_event.progress["rounds"][number - 1]
        if not entry["is_scored"] and pair not in entry.get("over", ()):
            raise NotFinished(what="round", event=event)
        results = self._store.results(event, boards_of(team_event.event, number))
        return team_event, standings.match_of(team_event.event, team_event.progress, results, number, pair)

    def standings(self, event: str) -> tuple[TeamEvent, list[TeamStanding]]:
        """Return the standings after the finished rounds.

        Raises:
            NotFound: there is no such event.
        """
        team_event = self.event(event)
        return team_event, self.rows(team_event.event, team_event.progress)

    def rows(self, event: StoredEvent, progress: Progress) -> list[TeamStanding]:
        """Return the standings for the state of an event, which this process remembers until it changes."""
        return self._counted.of(
            event["id"],
            progress["version"],
            lambda: standings.standings(event, progress, self.matches(event, progress)),
        )

    def results_of_round(self, event: StoredEvent, number: int) -> Results:
        """Return the results of the boards of a round."""
        return self._store.results(event["id"], boards_of(event, number))

    def matches(self, event: StoredEvent, progress: Progress) -> list[Match]:
        """Return all matches of finished rounds, and the tables of an arena that are over."""
        over = [number for number, entry in enumerate(progress["rounds"], 1) if entry["is_scored"] or "over" in entry]
        results = self._store.results(event["id"], range(1, len(over) * event["teams"]["boards"] + 1))
        return [match for number in over for match in standings.matches_of(event, progress, results, number)]


def _is_own(team_event: TeamEvent, player: str) -> bool:
    return teams.directs(team_event.progress, player) or teams.place_of(team_event.progress, player) is not None


def check_match(team_event: TeamEvent, number: int, pair: int) -> None:
    """Check that a round has a match.

    Raises:
        NotFound: it has none with this number.
    """
    if not 1 <= pair <= len(teams.meetings_of(teams.event_round(team_event.progress, number))):
        raise NotFound(what="match", id=f"{number}-{pair}")
