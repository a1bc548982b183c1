"""Riddles: positions in which one play is best, without anything that tells whose they are, and what people answered.

What a riddle was cut from, and who sat there, is stored apart (`Source`), so that it goes with those people.
"""

import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypedDict

from service.common import fastjson
from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.port import JsonObject, StoreCorrupt
from service.store.scripts import translate_errors

#: Most riddles, of which the oldest are dropped, and how long one is stored (ms).
MOST_RIDDLES: Final = 400
RIDDLE_MS: Final = 30 * 24 * 3_600_000
#: Most analysed rounds that wait to be looked at, and how long they do (ms).
MOST_WAITING: Final = 1_000
#: How long the answers of a player are stored after the last (ms): as long as riddles, with a day to spare.
ANSWERS_MS: Final = RIDDLE_MS + 24 * 3_600_000


class RiddlePlay(TypedDict):
    """One of the plays among which a riddle asks to choose: what it costs in levels against the best one."""

    cards: list[str]
    cost: float
    error: float


class Riddle(TypedDict):
    """A riddle.

    Attributes:
        id: random; says nothing of where it was cut from.
        made_at: when (ms).
        position: what the seat saw (`service.coach.positions`).
        plays: in an order that says nothing of their costs.
    """

    id: str
    made_at: int
    position: JsonObject
    plays: list[RiddlePlay]


class Source(TypedDict):
    """Where a riddle was cut from: nobody is told.

    Attributes:
        owner: the player whose decision it was; None: that of an AI player.
        people: players who sat in the round.
    """

    game: str
    round: int
    seq: int
    owner: str | None
    people: list[str]


class Answered(TypedDict):
    """What a player has answered first: the number of the play, and when (ms)."""

    play: int
    at: int


class Known(NamedTuple):
    """A riddle that there is: when it was made (ms), and where it was cut from."""

    made_at: int
    source: Source


class RiddleStore:
    """See the module."""

    def __init__(self, client: Client) -> None:
        self._redis: Final[Any] = client

    # --- rounds that wait ---------------------------------------------------------------------------------------------

    @translate_errors
    def wait(self, game: str, number: int, at: int) -> None:
        """Let an analysed round wait to be looked at from a time (ms) on; the latest are dropped if too many do."""
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.zadd(keys.RIDDLE_ROUNDS, {f"{game}/{number}": at})
        pipeline.zremrangebyrank(keys.RIDDLE_ROUNDS, MOST_WAITING, -1)
        pipeline.execute()

    @translate_errors
    def take(self, now: int, every_ms: int) -> tuple[str, int] | None:
        """Take a round (game and number) that is due, at most one in so many milliseconds; None: not now."""
        due = self._redis.zrangebyscore(keys.RIDDLE_ROUNDS, "-inf", now, start=0, num=1)
        if not due or not self._redis.set(keys.RIDDLE_PACE, b"1", nx=True, px=every_ms):
            return None
        if not self._redis.zrem(keys.RIDDLE_ROUNDS, due[0]):
            return None
        game, _, number = due[0].decode().rpartition("/")
        return game, int(number)

    # --- riddles ------------------------------------------------------------------------------------------------------

    @translate_errors
    def add(self, riddle: Riddle, source: Source) -> None:
        """Store a riddle, and drop those that are too old or too many."""
        name, old = riddle["id"], riddle["made_at"] - RIDDLE_MS
        pipeline = self._redis.pipeline(transaction=True)
        pipeline.hset(keys.RIDDLES, name, zlib.compress(codec.encode(codec.RIDDLE, riddle), 9))
        pipeline.hset(keys.RIDDLE_SOURCES, name, fastjson.dumps(source))
        pipeline.zadd(keys.RIDDLE_ORDER, {name: riddle["made_at"]})
        pipeline.zrangebyscore(keys.RIDDLE_ORDER, "-inf", old)
        pipeline.zrange(keys.RIDDLE_ORDER, 0, -MOST_RIDDLES - 1)
        *_, aged, over = pipeline.execute()
        self._drop([each.decode() for each in {*aged, *over}])

    @translate_errors
    def known(self) -> dict[str, Known]:
        """Return id -> all riddles that there are, without their positions."""
        pipeline = self._redis.pipeline(transaction=True)
        pipeline.zrange(keys.RIDDLE_ORDER, 0, -1, withscores=True)
        pipeline.hgetall(keys.RIDDLE_SOURCES)
        order, sources = pipeline.execute()
        return {name.decode(): Known(int(at), fastjson.loads(sources[name])) for name, at in order if name in sources}

    @translate_errors
    def load(self, names: Sequence[str]) -> list[Riddle]:
        """Return riddles by id; those that are gone are left out."""
        stored = self._redis.hmget(keys.RIDDLES, names) if names else []
        return [_decode(value) for value in stored if value is not None]

    @translate_errors
    def drop_of(self, *, player: str | None = None, round_: tuple[str, int] | None = None) -> None:
        """Drop the riddles cut from rounds in which a player sat, or from one round (game and number)."""
        gone = [
            name
            for name, (_, source) in self.known().items()
            if player in source["people"] or (source["game"], source["round"]) == round_
        ]
        self._drop(gone)

    @translate_errors
    def _drop(self, names: Iterable[str]) -> None:
        gone = list(names)
        if not gone:
            return
        counts = [field for field in self._redis.hkeys(keys.RIDDLE_ANSWERS) if field.decode().partition("/")[0] in gone]
        pipeline = self._redis.pipeline(transaction=True)
        pipeline.hdel(keys.RIDDLES, *gone)
        pipeline.hdel(keys.RIDDLE_SOURCES, *gone)
        pipeline.zrem(keys.RIDDLE_ORDER, *gone)
        if counts:
            pipeline.hdel(keys.RIDDLE_ANSWERS, *counts)
        pipeline.execute()

    # --- answers ------------------------------------------------------------------------------------------------------

    @translate_errors
    def answer(self, player: str, riddle: str, answered: Answered) -> None:
        """Store the answer of a player, and count it, unless there is one."""
        name = keys.riddles_of(player)
        if self._redis.hsetnx(name, riddle, fastjson.dumps(answered)):
            self._redis.hincrby(keys.RIDDLE_ANSWERS, f"{riddle}/{answered['play']}", 1)
        self._redis.pexpire(name, ANSWERS_MS)

    @translate_errors
    def forget_answers(self, player: str, before: int) -> None:
        """Forget the answers of a player from before a time (ms), whose riddles are gone."""
        old = [riddle for riddle, answered in self.answers_of(player).items() if answered["at"] < before]
        if old:
            self._redis.hdel(keys.riddles_of(player), *old)

    @translate_errors
    def answers_of(self, player: str) -> dict[str, Answered]:
        """Return riddle -> what a player has answered."""
        stored: Mapping[bytes, bytes] = self._redis.hgetall(keys.riddles_of(player))
        return {riddle.decode(): fastjson.loads(value) for riddle, value in stored.items()}

    @translate_errors
    def counts(self, riddle: str, plays: int) -> list[int]:
        """Return how many people have chosen each play of a riddle first."""
        stored = self._redis.hmget(keys.RIDDLE_ANSWERS, [f"{riddle}/{number}" for number in range(plays)])
        return [int(value or 0) for value in stored]


def _decode(stored: bytes) -> Riddle:
    try:
        text = zlib.decompress(stored)
    except zlib.error as error:
        raise StoreCorrupt(f"a riddle: a truncated value ({error})") from error
    riddle: Riddle = codec.decode(codec.RIDDLE, text, "a riddle")
    return riddle
