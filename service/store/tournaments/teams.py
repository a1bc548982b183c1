"""Team events: entries, pairings, and the director's rulings."""

from collections.abc import Callable, Collection, Mapping
from typing import Final, NotRequired, TypedDict

from service.common import fastjson
from service.game.state.table_types import Chosen
from service.store import keys
from service.store.connections.commands import Client
from service.store.scripts import Script, translate_errors

_DIRECT: Final = Script("direct")
_REPLACE: Final = Script("replace_progress")
_LEASE: Final = Script("lease_rounds")
_REPLAN: Final = Script("replan_rounds")


class Member(Chosen):
    """A member of a team: a player, or an AI player, which has a `level` and no `player`.

    `is_confirmed`: whether the player has agreed. After the deletion of an account, both `player` and `level` are None.
    """

    player: str | None
    name: str
    kind: str
    level: str | None
    is_confirmed: bool


class Absence(TypedDict):
    """Rounds for which a team was withdrawn: from the number `since` on, and before `until`, if it has come back."""

    since: int
    until: int | None


class Team(TypedDict):
    """A team. Its members sit in this order.

    `is_withdrawn`: whether it is now; `absences`: for which rounds it has been, in order (not noted by releases before
    0.4); `is_put_out`: whether a director has withdrawn it, so that only a director brings it back; `is_house`: whether
    it was added to make the number of teams even; `is_name_held`: whether an operator has named it.
    """

    name: str
    captain: str | None
    members: list[Member]
    is_withdrawn: bool
    is_house: bool
    is_name_held: NotRequired[bool]
    is_put_out: NotRequired[bool]
    absences: NotRequired[list[Absence]]


class Proposal(TypedDict):
    """A time (ms) for a match of a league, and the units that agree to it; the first one has proposed it."""

    at: int
    units: list[str]


class Fixture(TypedDict):
    """How those of a match of a league find a time for it. Times are in ms.

    `at`: the time on which they have agreed; `proposal`: another one, or the first one; `asked`: unit -> how often it
    has proposed one; `answered`: units that have proposed one, agreed to one or been ready; `ready`: player -> since
    when they have been ready to play at once.
    """

    at: int | None
    proposal: Proposal | None
    asked: dict[str, int]
    answered: list[str]
    ready: dict[str, int]


class Round(TypedDict):
    """A round: its pairings and times (ms).

    `closed_at`: None until its end has been processed; `is_scored`: whether all results that count are stored;
    `opened`: in how many rooms the first table has been opened (not noted by releases before 0.4); `pairs`: teams that
    meet at two tables; `tables`: units that meet at one, with no `pairs`, so that releases before 0.4 open nothing;
    `byes`: units that do not play; `slots`: places of a bracket; `begun`: numbers of the matches that have begun, in
    this order, only where matches begin one by one; `fixtures`: number of a match -> how its time is found. In an
    arena, `tables` grows: `over` has the numbers of those that are over, `waiting` unit -> since when it waits for one,
    `away` unit -> since when it would wait, but is not there.
    """

    opened_at: int
    closes_at: int
    closed_at: int | None
    is_scored: bool
    pairs: list[list[str]]
    opened: NotRequired[int]
    tables: NotRequired[list[list[str]]]
    byes: NotRequired[list[str]]
    slots: NotRequired[list[str | None]]
    begun: NotRequired[list[int]]
    fixtures: NotRequired[dict[str, Fixture]]
    over: NotRequired[list[int]]
    waiting: NotRequired[dict[str, int]]
    away: NotRequired[dict[str, int]]


class Ruling(TypedDict):
    """A ruling of the director on a board of a match: steps for the first team, reason and time (ms).

    `percents`: of both sides, where tables are compared; `steps` are 0 then. `split`: steps of both teams, if they do
    not add up to 0; releases before 0.4 count `steps` for the first and the reverse for the second.
    """

    steps: int
    split: NotRequired[list[int]]
    percents: NotRequired[list[float]]
    reason: str
    at: int


class Penalty(TypedDict):
    """What a team has less in the standings: an amount in their unit, above 0, with reason and time (ms)."""

    amount: float
    reason: str
    at: int


class Before(TypedDict, total=False):
    """What rulings and penalties were before an act, by their keys; None: there was none."""

    rulings: dict[str, Ruling | None]
    penalties: dict[str, Penalty | None]


class Act(TypedDict):
    """What a director has done.

    Attributes:
        number: from 1 on.
        at: time (ms).
        by: the director; None after the account was deleted.
        what: one of `ACTS`.
        reason: why; "" if none was given.
        plays: whether the director plays in the event; left out if not.
        round, match, board, team: what it is about.
        player: who got an office or lost it; None after the account was deleted.
        note: id of the note that was sent.
        values: what it counts now, of both sides or of a team.
        undoes: number of the act that it takes back.
        before: what to put back if it is taken back; left out once it is.
    """

    number: int
    at: int
    by: str | None
    what: str
    reason: str
    plays: NotRequired[bool]
    round: NotRequired[int]
    match: NotRequired[str]
    board: NotRequired[int]
    team: NotRequired[str]
    player: NotRequired[str | None]
    note: NotRequired[str]
    values: NotRequired[list[float]]
    undoes: NotRequired[int]
    before: NotRequired[Before]


class EventNote(TypedDict):
    """What a director (id) tells all entrants, at a time (ms)."""

    id: str
    at: int
    by: str
    text: str


class EntryLink(TypedDict):
    """The link by which people enter: its secret code. `required`: whether nobody enters without it."""

    code: str
    required: bool


class ShowingRules(TypedDict):
    """How an event is shown: how long after a board is over everywhere (ms), and who comments (ids)."""

    delay_ms: int
    commentators: list[str]


class Progress(TypedDict):
    """How far a team event is: its teams, rounds and rulings.

    Attributes:
        version: incremented with each change.
        director: id of the director who leads it; None after the account was deleted.
        directors: player -> name, of the other directors; the one who leads it may be among them.
        former: player -> name, of those who have been directors, and are in the log.
        heir: the director to whom the lead has been offered; left out: nobody.
        closed_at: when a director closed it (ms).
        teams: id -> team, in the order of entry.
        rounds: in order.
        rulings: `<round>-<pair>-<board>` -> ruling, all numbers from 1.
        draw: units in the order of the draw, with AI players in free places; only in forms that draw them once.
        penalties: team -> penalty.
        acts: what directors have done, the latest in order.
        link: the link by which people enter; left out: there is none, and everybody may.
        notes: what directors have told all entrants, the latest in order.
        noted_at: when notes of the last day were sent (ms), deleted ones too.
        showing: how it is shown; left out: it is not.
    """

    version: int
    director: str | None
    directors: NotRequired[dict[str, str]]
    former: NotRequired[dict[str, str]]
    heir: NotRequired[str]
    closed_at: int | None
    teams: dict[str, Team]
    rounds: list[Round]
    rulings: dict[str, Ruling]
    draw: NotRequired[list[str]]
    penalties: NotRequired[dict[str, Penalty]]
    acts: NotRequired[list[Act]]
    link: NotRequired[EntryLink]
    notes: NotRequired[list[EventNote]]
    noted_at: NotRequired[list[int]]
    showing: NotRequired[ShowingRules]


Change = Callable[[Progress], Progress]


def players_of(progress: Progress) -> dict[str, str]:
    """Return player -> name, of all teams and of all directors that have been named."""
    members = (member for team in progress["teams"].values() for member in team["members"])
    playing = {member["player"]: member["name"] for member in members if member["player"] is not None}
    return {**progress.get("former", {}), **progress.get("directors", {}), **playing}


class TeamStore:
    """The state of events of teams. All keys of an event expire with it.

    One value per event, in the slot of the event, a list of events, and a list of those that a clock examines.
    """

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def progress(self, event: str) -> Progress | None:
        """Return the state of an event; None if there is no such event of teams."""
        stored = self._redis.get(keys.event_progress(event))
        return None if stored is None else fastjson.loads(stored)

    @translate_errors
    def change(self, event: str, change: Change, at: int) -> Progress | None:
        """Apply `change` to the state of an event, and store and return the result; None if there is no such event.

        `change` must be pure: it is called again if the state was changed meanwhile. New players get the time `at` (ms)
        as time of entry.
        """
        names = (keys.event(event), keys.event_progress(event), keys.event_entries(event))
        while True:
            stored = self._redis.get(names[1])
            before: Progress = _NOTHING if stored is None else fastjson.loads(stored)
            after = change(before)
            if after == before:
                return after
            after = {**after, "version": before["version"] + 1}
            had, has = players_of(before), players_of(after)
            come = [(player, fastjson.dumps({"name": has[player], "at": at})) for player in has if player not in had]
            gone = had.keys() - has.keys()
            args = (fastjson.dumps(after), len(come), *(each for pair in come for each in pair), *gone)
            done = _REPLACE.run(self._redis, names, stored or b"", *args)
            if done:
                return after if done == 1 else None

    @translate_errors
    def plan(self, event: str, at: int, *, only_new: bool = False) -> None:
        """Have a clock examine an event at a time (ms), or earlier if it would anyway.

        Args:
            only_new: leave an event that a clock examines already as it is.
        """
        self._redis.zadd(keys.TEAM_ROUNDS, {event: at}, nx=only_new, lt=not only_new)

    @translate_errors
    def plan_all(self, times: Mapping[str, int]) -> None:
        """Have a clock examine events at their times (ms), or earlier if it would anyway."""
        if times:
            self._redis.zadd(keys.TEAM_ROUNDS, {**times}, lt=True)

    @translate_errors
    def lease(self, now: int, until: int, limit: int) -> list[str]:
        """Lease events that a clock is to examine.

        They are due again at `until` (ms), unless `replan` says otherwise before.
        """
        return [name.decode() for name in _LEASE.run(self._redis, (keys.TEAM_ROUNDS,), now, until, limit)]

    @translate_errors
    def replan(self, event: str, leased_until: int, at: int | None) -> None:
        """Note when a clock examines a leased event again (ms; None: never), unless it was planned anew meanwhile."""
        _REPLAN.run(self._redis, (keys.TEAM_ROUNDS,), event, leased_until, "" if at is None else at)

    @translate_errors
    def newest(self, limit: int, before: tuple[int, str] | None = None) -> list[tuple[int, str]]:
        """Return when events were created (ms), and their ids, the latest first, after `before` in this order."""
        key = keys.TEAM_EVENTS
        if before is None:
            entries = self._redis.zrevrange(key, 0, limit - 1, withscores=True)
        else:
            at, event = before
            # Of those of the same millisecond, the ones whose ids come later have been listed.
            same = [name for name in self._redis.zrangebyscore(key, at, at) if name.decode() < event]
            entries = [(name, at) for name in reversed(same)]
            entries += self._redis.zrevrangebyscore(key, f"({at}", "-inf", 0, limit, withscores=True)
        return [(int(at), name.decode()) for name, at in entries[:limit]]

    @translate_errors
    def direct(self, player: str, event: str, until: int, now: int, most: int, kept_ms: int) -> bool:
        """Note that a player directs an event, unless `most` others count already; return whether it is noted.

        It counts until `until` (ms), and is known for `kept_ms` after that.
        """
        return bool(_DIRECT.run(self._redis, (keys.directed_by(player),), event, until, now, most, kept_ms))

    @translate_errors
    def count_until(self, player: str, event: str, until: int, now: int, kept_ms: int) -> None:
        """Note that an event which a player directs counts until a later time than was noted (ms); see `direct`."""
        key = keys.directed_by(player)
        self._redis.zadd(key, {event: until}, xx=True, gt=True)
        self._redis.pexpire(key, max(until - now + kept_ms, self._redis.pttl(key)))

    @translate_errors
    def directed(self, player: str) -> dict[str, int]:
        """Return the ids of the events that a player directs or directed, each with the time until it counts (ms)."""
        stored = self._redis.zrange(keys.directed_by(player), 0, -1, withscores=True)
        return {name.decode(): int(until) for name, until in stored}

    @translate_errors
    def undirect(self, player: str, event: str, now: int) -> None:
        """Note that an event which a player directs counts no longer."""
        self._redis.zadd(keys.directed_by(player), {event: now}, xx=True)

    @translate_errors
    def discard(self, event: str, ttl_ms: int) -> None:
        """Let an event expire after a time at the latest, and take it off the list of events."""
        self._redis.zrem(keys.TEAM_EVENTS, event)
        pipeline = self._redis.pipeline(transaction=False)
        # The head last: the other keys take their expiry from it.
        for key in (
            keys.event_standings(event),
            keys.event_comments(event),
            keys.event_entries(event),
            keys.event_progress(event),
            keys.event(event),
        ):
            pipeline.pexpire(key, ttl_ms)
        pipeline.execute()

    def notes_of(self, player: str, entered: Collection[str]) -> dict[str, list[EventNote]]:
        """Return event -> notes of a player, of the events entered and of those directed."""
        found = {}
        for event in dict.fromkeys((*entered, *self.directed(player))):
            progress = self.progress(event)
            notes = [] if progress is None else [each for each in progress.get("notes", []) if each["by"] == player]
            if notes:
                found[event] = notes
        return found

    def erase(self, player: str, entered: list[str], at: int) -> None:
        """Remove a player from the events entered and from those directed.

        Another director leads the latter then, for whom they count; without one, they end now (ms) or with their round.
        """
        led = self.directed(player)
        for event in {*entered, *led}:
            before = self.progress(event)
            if before is not None:
                after = self.change(event, lambda progress: _forgotten(progress, player, at), 0)
                heir = None if after is None else after["director"]
                if before["director"] == player and heir is not None and event in led:
                    self._lead(heir, event, led[event], at)
        self._forget(player)

    @translate_errors
    def _lead(self, player: str, event: str, until: int, at: int) -> None:
        """Count an event as one that a player directs, until a time (ms), however many there are."""
        key = keys.directed_by(player)
        self._redis.zadd(key, {event: until})
        if self._redis.pttl(key) < until - at:
            self._redis.pexpire(key, until - at)

    @translate_errors
    def _forget(self, player: str) -> None:
        self._redis.delete(keys.directed_by(player))


_NOTHING: Final[Progress] = {
    "version": 0,
    "director": None,
    "closed_at": None,
    "teams": {},
    "rounds": [],
    "rulings": {},
}


def without(team: Team, player: str) -> Team:
    """Return a team without a player, leaving the place empty."""

    def left(member: Member) -> Member:
        if member["player"] != player:
            return member
        return {"player": None, "name": "", "kind": member["kind"], "level": member["level"], "is_confirmed": False}

    return {
        **team,
        "captain": None if team["captain"] == player else team["captain"],
        "members": [left(member) for member in team["members"]],
    }


def named(progress: Progress, player: str, name: str) -> Progress:
    """Return an event in which a player has another name."""
    teams: dict[str, Team] = {
        team: {
            **each,
            "members": [
                {**member, "name": name} if member["player"] == player else member for member in each["members"]
            ],
        }
        for team, each in progress["teams"].items()
    }
    after: Progress = {**progress, "teams": teams}
    if player in progress.get("directors", {}):
        after["directors"] = {**progress["directors"], player: name}
    if player in progress.get("former", {}):
        after["former"] = {**progress["former"], player: name}
    return after


def _unready(entry: Round, player: str) -> Round:
    """Return a round without a player among those who are ready."""
    if "fixtures" not in entry:
        return entry
    fixtures: dict[str, Fixture] = {
        match: {**fixture, "ready": {each: since for each, since in fixture["ready"].items() if each != player}}
        for match, fixture in entry["fixtures"].items()
    }
    return {**entry, "fixtures": fixtures}


def _unsigned(act: Act, player: str) -> Act:
    """Return an act without a player."""
    unsigned: Act = {**act, "by": None} if act["by"] == player else act.copy()
    return {**unsigned, "player": None} if unsigned.get("player") == player else unsigned


def without_director(progress: Progress, player: str) -> Progress:
    """Return an event in which a player has no office.

    If they led it, the one to whom they have offered the lead does, or else the next director, if there is one.
    """
    after = progress.copy()
    others = {each: name for each, name in progress.get("directors", {}).items() if each != player}
    if player in progress.get("directors", {}):
        after["directors"] = others
        after["former"] = {**progress.get("former", {}), player: progress["directors"][player]}
    heir = progress.get("heir")
    if progress["director"] == player:
        after["director"] = heir or next(iter(others), None)
    if player in (heir, progress["director"]):
        after.pop("heir", None)
    return after


def _forgotten(progress: Progress, player: str, at: int) -> Progress:
    """Return an event with all traces of a player removed.

    Without any director, it ends at `at` (ms), or with its round.
    """
    teams = {name: without(team, player) for name, team in progress["teams"].items()}
    after: Progress = {**progress, "teams": teams, "rounds": [_unready(entry, player) for entry in progress["rounds"]]}
    if "acts" in progress:
        after["acts"] = [_unsigned(act, player) for act in progress["acts"]]
    if "showing" in after:
        others = [each for each in after["showing"]["commentators"] if each != player]
        after = {**after, "showing": {**after["showing"], "commentators": others}}
    after = without_director(after, player)
    if "former" in after:
        after["former"] = {each: name for each, name in after["former"].items() if each != player}
    if "notes" in after:
        after["notes"] = [note for note in after["notes"] if note["by"] != player]
    if after["director"] is not None or progress["director"] is None:
        return after
    ends = [entry["closes_at"] for entry in progress["rounds"][-1:] if entry["closed_at"] is None]
    closed_at = progress["closed_at"] if progress["closed_at"] is not None else max([at, *ends])
    return {**after, "closed_at": closed_at}
