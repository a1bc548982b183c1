"""Events of equal deals: their secrets, entries, and results of each board."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, NotRequired, TypedDict

from service.common import fastjson
from service.store import keys
from service.store.boards.marks import MarkStore
from service.store.connections.commands import Client
from service.store.port import JsonObject
from service.store.scripts import translate_errors
from service.store.tournaments.comments import Comment, CommentStore
from service.store.tournaments.teams import TeamStore, named


class StoredBoard(TypedDict):
    """A board: the level of all seats, and the secret server seed (hex) of each deal."""

    level: str
    seeds: list[str]


class FormRules(TypedDict):
    """The form of an event of teams.

    Attributes:
        name: its name.
        rounds: most rounds; a movement may have fewer.
        ranks: what decides the rank, in this order.
        winners: number of lines that are ranked, 1 or 2.
        sit_out: whether those without opponents sit out, instead of meeting AI players.
        league: how the matches of a league begin, `agreed` or `at_once`; left out: it is none.
        deals_of_match: whether each match has deals of its own, drawn from the seeds of the boards; left out: no.
        ai_after_ms: how long somebody waits in an arena before AI players take the free seats (ms); left out: forever.
    """

    name: str
    rounds: int
    ranks: list[str]
    winners: int
    sit_out: bool
    league: NotRequired[str]
    deals_of_match: NotRequired[bool]
    ai_after_ms: NotRequired[int]


class TeamRules(TypedDict):
    """The format of an event of teams.

    Attributes:
        name: name of the event.
        is_listed: whether it appears in the public list.
        rounds: number of rounds; 0 in forms that releases before 0.4 do not know, which then refuse to begin one.
        boards: number of boards per round.
        round_ms: longest duration of a round.
        options, clock: settings of its tables that differ from the defaults.
        ai_pace_ms: setting of its tables.
        form: left out: a Swiss tournament with the ranks of releases before 0.4.
        club: the club whose members alone may enter; left out: anybody may.
    """

    name: str
    is_listed: bool
    rounds: int
    boards: int
    round_ms: int
    options: JsonObject
    clock: JsonObject
    ai_pace_ms: int
    form: NotRequired[FormRules]
    club: NotRequired[str]


class StoredEvent(TypedDict):
    """An event. `key` (hex) determines who gets which deal; it is as secret as the seeds. Times are in ms.

    `fresh_from`: index from which on the deals of each board are for fresh accounts; left out: all are for everybody.

    `teams`: left out in events of single players; with it, `closes_at` is the latest end. `bots`: whether only bots may
    enter; left out: anybody may.
    """

    id: str
    ruleset: str
    players: int
    opens_at: int
    closes_at: int
    key: str
    boards: list[StoredBoard]
    teams: NotRequired[TeamRules]
    bots: NotRequired[bool]
    fresh_from: NotRequired[int]


class Entry(TypedDict):
    """A player's entry: the name at that time, and the time (ms). `fresh`: whether the account was; left out if not."""

    name: str
    at: int
    fresh: NotRequired[bool]


class BoardResult(TypedDict):
    """A result on a board.

    Attributes:
        deal: index of the deal among those of the board.
        game: id of the game.
        at: end of the game (ms).
        value: the result for comparison; None: the game was abandoned, or an AI made too many of the decisions.
        points: attackers' points; left out in Arm's Length.
        side: the seat's side; left out in Arm's Length.
        scores: scores of both sides, only in Arm's Length.
        taken: seats to blame for having no value, only in events of teams; left out if none.
        unfinished: whether the game was not over in time, only in events of teams; left out if it was.
        leads: what `value` would be for each seat, whoever is to blame, only in arenas; left out without a result.
        won: the seats that have won, only in arenas; none if nobody has.
    """

    deal: int
    game: str
    at: int
    value: int | None
    points: NotRequired[int]
    side: NotRequired[str]
    scores: NotRequired[list[int]]
    taken: NotRequired[list[int]]
    unfinished: NotRequired[bool]
    leads: NotRequired[list[int]]
    won: NotRequired[list[int]]


#: (number of a board, player) -> result; in events of teams, a room (`3b`) takes the place of the player.
Results = dict[tuple[int, str], BoardResult]
#: (number of a board, index of the deal) -> values of AI players.
Fields = dict[tuple[int, int], list[int]]


class BoardStore:
    """Events by id. All keys of an event expire together.

    A few keys for each event, all in its slot, and one index.
    """

    def __init__(self, client: Client) -> None:
        self._redis: Final = client
        self._teams: Final = TeamStore(client)
        self.marks: Final = MarkStore(client)
        self.comments: Final = CommentStore(client)

    @property
    def teams(self) -> TeamStore:
        """The state of events of teams."""
        return self._teams

    @translate_errors
    def create(self, event: StoredEvent, ttl_ms: int) -> StoredEvent:
        """Store an event for `ttl_ms`, unless its id exists; return the stored event."""
        name = event["id"]
        self._redis.set(keys.event(name), fastjson.dumps(event), nx=True, px=ttl_ms)
        index = keys.TEAM_EVENTS if "teams" in event else keys.EVENTS
        self._redis.zadd(index, {name: event["opens_at"]}, nx=True)
        return self.event(name) or event

    @translate_errors
    def event(self, event: str) -> StoredEvent | None:
        """Return an event."""
        stored = self._redis.get(keys.event(event))
        return None if stored is None else fastjson.loads(stored)

    @translate_errors
    def newest(self, limit: int, skipped: int = 0) -> list[str]:
        """Return the ids of the events that opened most recently, the latest first, after the first `skipped`."""
        return [name.decode() for name in self._redis.zrevrange(keys.EVENTS, skipped, skipped + limit - 1)]

    @translate_errors
    def without_standings(self, events: Sequence[str]) -> list[str]:
        """Return those of some events that exist and have no stored standings. One round trip."""
        pipeline = self._redis.pipeline(transaction=False)
        for event in events:
            pipeline.exists(keys.event(event))
            pipeline.exists(keys.event_standings(event))
        answers = pipeline.execute() if events else []
        exist, counted = answers[::2], answers[1::2]
        return [event for event, here, has in zip(events, exist, counted, strict=True) if here and not has]

    @translate_errors
    def enter(self, event: str, player: str, entry: Entry) -> Entry:
        """Enter a player if they are not entered yet; return the entry."""
        self._put(event, keys.event_entries(event), player, entry)
        return self.entry(event, player) or entry

    @translate_errors
    def entry(self, event: str, player: str) -> Entry | None:
        """Return a player's entry."""
        stored = self._redis.hget(keys.event_entries(event), player)
        return None if stored is None else fastjson.loads(stored)

    @translate_errors
    def entries(self, event: str) -> dict[str, Entry]:
        """Return player -> entry."""
        stored = self._redis.hgetall(keys.event_entries(event))
        return {player.decode(): fastjson.loads(entry) for player, entry in stored.items()}

    @translate_errors
    def count(self, event: str) -> int:
        """Return the number of entries."""
        return int(self._redis.hlen(keys.event_entries(event)))

    @translate_errors
    def add_result(self, event: str, number: int, player: str, result: BoardResult) -> None:
        """Store the result of a board, unless the player has one."""
        self._put(event, keys.event_board(event, number), player, result)

    @translate_errors
    def results(self, event: str, numbers: Sequence[int]) -> Results:
        """Return all results of some boards."""
        pipeline = self._redis.pipeline(transaction=False)
        for number in numbers:
            pipeline.hgetall(keys.event_board(event, number))
        boards = zip(numbers, pipeline.execute() if numbers else [], strict=True)
        return {
            (number, player.decode()): fastjson.loads(result)
            for number, stored in boards
            for player, result in stored.items()
        }

    @translate_errors
    def results_in(self, event: str, numbers: Sequence[int], rooms: Sequence[str]) -> Results:
        """Return the results of some boards in some rooms."""
        pipeline = self._redis.pipeline(transaction=False)
        for number in numbers if rooms else ():
            pipeline.hmget(keys.event_board(event, number), rooms)
        return {
            (number, room): fastjson.loads(result)
            for number, stored in zip(numbers, pipeline.execute(), strict=False)
            for room, result in zip(rooms, stored, strict=True)
            if result is not None
        }

    @translate_errors
    def results_of(self, event: str, player: str, boards: int) -> dict[int, BoardResult]:
        """Return a player's results on the first `boards` boards, by number."""
        pipeline = self._redis.pipeline(transaction=False)
        for number in range(1, boards + 1):
            pipeline.hget(keys.event_board(event, number), player)
        stored = enumerate(pipeline.execute() if boards else [], 1)
        return {number: fastjson.loads(result) for number, result in stored if result is not None}

    @translate_errors
    def add_field(self, event: str, number: int, deal: int, values: list[int]) -> None:
        """Store the results of AI players with a deal."""
        self._put(event, keys.event_field(event), f"{number}:{deal}", values)

    @translate_errors
    def fields(self, event: str) -> Fields:
        """Return the results of AI players."""
        results: Fields = {}
        for name, values in self._redis.hgetall(keys.event_field(event)).items():
            number, deal = name.decode().split(":")
            results[int(number), int(deal)] = fastjson.loads(values)
        return results

    @translate_errors
    def standings(self, event: str) -> Any:
        """Return what `set_standings` has stored, or None."""
        stored = self._redis.get(keys.event_standings(event))
        return None if stored is None else fastjson.loads(stored)

    @translate_errors
    def set_standings(self, event: str, standings: object) -> None:
        """Store the standings (any JSON value) of an event that is over."""
        left_ms = self._redis.pttl(keys.event(event))
        if left_ms > 0:
            self._redis.set(keys.event_standings(event), fastjson.dumps(standings), px=left_ms)

    @translate_errors
    def rename_event(self, event: str, name: str) -> None:
        """Change the name of an event of teams."""
        event_record = self.event(event)
        if event_record is not None:
            changed = {**event_record, "teams": {**event_record["teams"], "name": name}}
            self._redis.set(keys.event(event), fastjson.dumps(changed), xx=True, keepttl=True)

    @translate_errors
    def remove(self, event: StoredEvent) -> None:
        """Delete an event of teams."""
        name, boards = event["id"], range(1, len(event["boards"]) + 1)
        parts = (
            keys.event,
            keys.event_progress,
            keys.event_entries,
            keys.event_field,
            keys.event_standings,
            keys.event_marks,
            keys.event_comments,
        )
        self._redis.delete(*(of(name) for of in parts), *(keys.event_board(name, number) for number in boards))
        self._redis.zrem(keys.TEAM_EVENTS, name)

    @translate_errors
    def rename(self, player: str, name: str) -> None:
        """Change the name of a player in the events that the player has entered."""
        for event, entry in self.traces(player).items():
            if self._teams.progress(event) is not None:
                self._teams.change(event, partial(named, player=player, name=name), 0)
            pipeline = self._redis.pipeline(transaction=False)
            pipeline.hset(keys.event_entries(event), player, fastjson.dumps({**entry, "name": name}))
            pipeline.delete(keys.event_standings(event))
            pipeline.execute()

    @translate_errors
    def traces(self, player: str) -> dict[str, Entry]:
        """Return event -> entry of a player."""
        events = self._all()
        pipeline = self._redis.pipeline(transaction=False)
        for event in events:
            pipeline.hget(keys.event_entries(event), player)
        entries: Mapping[str, bytes | None] = dict(zip(events, pipeline.execute(), strict=True)) if events else {}
        return {event: fastjson.loads(entry) for event, entry in entries.items() if entry is not None}

    def commented(self, player: str) -> dict[str, list[Comment]]:
        """Return event of teams -> what a player has said as its commentator."""
        return self.comments.of_player(player, self._of(keys.TEAM_EVENTS))

    @translate_errors
    def erase(self, player: str, at: int) -> None:
        """Delete a player's entries and results, at a time (ms)."""
        entered, commented = self.traces(player), self.commented(player)
        self._teams.erase(player, [*entered, *commented], at)
        self.comments.erase(player, commented)
        for event in entered:
            stored = self.event(event)
            pipeline = self._redis.pipeline(transaction=False)
            pipeline.hdel(keys.event_entries(event), player)
            pipeline.hdel(keys.event_marks(event), player)
            for number in range(1, len(stored["boards"]) + 1 if stored else 1):
                pipeline.hdel(keys.event_board(event, number), player)
            pipeline.delete(keys.event_standings(event))
            pipeline.execute()

    def _all(self) -> list[str]:
        """Return the ids of all events, and remove those that have expired from the index."""
        return [name for index in (keys.EVENTS, keys.TEAM_EVENTS) for name in self._of(index)]

    def _of(self, index: str) -> list[str]:
        names = [name.decode() for name in self._redis.zrange(index, 0, -1)]
        pipeline = self._redis.pipeline(transaction=False)
        for name in names:
            pipeline.exists(keys.event(name))
        exist = pipeline.execute() if names else []
        gone = {name for name, exists in zip(names, exist, strict=True) if not exists}
        if gone:
            self._redis.zrem(index, *gone)
        return [name for name in names if name not in gone]

    def _put(self, event: str, key: str, field: str, value: object) -> None:
        """Set a field of a hash if it is not set yet; the hash expires with its event."""
        left_ms = self._redis.pttl(keys.event(event))
        if left_ms <= 0:
            return
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.hsetnx(key, field, fastjson.dumps(value))
        pipeline.pexpire(key, left_ms)
        pipeline.execute()
