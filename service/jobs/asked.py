"""What players ask the searchers about finished rounds: analyses and pars, in fair shares.

Each searcher takes the next step of the client (the key of an address) that has used the searchers least, and there of
the player who has. So neither many questions of a player nor many players at one address delay others. A client's
seconds count only while something of it waits: an idle searcher serves whoever asks. The keys are
`ASKED`, `asked_by`, `asked_of`, `asked_hint` and `ASKED_SECONDS` of `service.store.keys`.
"""

from typing import Any, Final, NamedTuple

from redis import Redis

from service.store import keys
from service.store.scripts import Script

#: Kinds of questions.
ANALYSIS: Final = "analysis"
PAR: Final = "par"

#: Most waiting questions of a player, players of a client, and clients.
MOST_OF_PLAYER: Final = 20
MOST_OF_CLIENT: Final = 100
MOST_CLIENTS: Final = 1_000

#: How long a question waits (ms).
_TTL_MS: Final = 86_400_000
#: Seconds charged for a step before it is done: what a job takes (`workers.analysing.SLICE_S`).
_STEP_S: Final = 1.0
#: Kind -> seconds of a decision or a replay with four seats, until some have been measured.
_FIRST_S: Final = {ANALYSIS: 0.8, PAR: 0.3}
#: Weight of a new measurement in the average, and the bounds of the average.
_WEIGHT: Final = 0.1
_LEAST_S, _MOST_S = 0.01, 20.0

_ASK: Final = Script("ask")
_TAKE: Final = Script("take_asked")
_RETURN: Final = Script("return_asked")


class Asker(NamedTuple):
    """Who asks: the key of a client (`service.common.addresses`), and a player."""

    client: str
    player: str


class Question(NamedTuple):
    """A question about a round of a game with so many seats; `kind` is `ANALYSIS` or `PAR`."""

    kind: str
    game: str
    number: int
    players: int


class Taken(NamedTuple):
    """A question that a searcher works on, and the seconds that its client and its player have used."""

    asker: Asker
    question: Question
    used: tuple[str, str]


class Asked:
    """The questions that wait; see the module."""

    def __init__(self, redis: Redis) -> None:
        self._redis: Final[Any] = redis

    def waits(self, asker: Asker, question: Question) -> bool:
        """Return whether a question of a player waits already."""
        return _text(question).encode() in self._redis.lrange(keys.asked_of(*asker), 0, -1)

    def ask(self, asker: Asker, question: Question) -> bool | None:
        """Add a question; return False if it waits already, and None if there is no room."""
        limits = (MOST_OF_PLAYER, MOST_OF_CLIENT, MOST_CLIENTS, _TTL_MS)
        added = _ASK.run(self._redis, _keys(asker), *asker, _text(question), *limits)
        return None if added < 0 else bool(added)

    def take(self) -> Taken | None:
        """Take the question whose turn it is, or None if nothing waits. One that is not returned is lost."""
        entries = _TAKE.run(self._redis, (keys.ASKED,), str(_STEP_S))
        if not entries:
            return None
        client, player, question, *used = (each.decode() for each in entries)
        kind, game, number, players = question.split(" ")
        return Taken(Asker(client, player), Question(kind, game, int(number), int(players)), (used[0], used[1]))

    def end(self, taken: Taken, seconds: float, *, is_answered: bool) -> None:
        """Charge a step, and put its question in front of the player's others unless it is answered."""
        text = "" if is_answered else _text(taken.question)
        args = (*taken.asker, text, f"{seconds - _STEP_S:.3f}", *taken.used, _TTL_MS)
        _RETURN.run(self._redis, _keys(taken.asker), *args)

    def are_there(self) -> bool:
        """Return whether something waits."""
        return bool(self._redis.exists(keys.ASKED))

    def seconds(self, kind: str, players: int) -> float:
        """Return how many seconds of a searcher a decision or a replay takes with so many seats."""
        known = self._redis.hget(keys.ASKED_SECONDS, f"{kind} {players}")
        # Each seat adds decisions to a playout, and its cards to each of them.
        return float(known) if known is not None else _FIRST_S[kind] * (players / 4) ** 2

    def took(self, kind: str, players: int, steps: int, seconds: float) -> None:
        """Note how long some decisions or replays took."""
        if steps > 0:
            average = (1 - _WEIGHT) * self.seconds(kind, players) + _WEIGHT * seconds / steps
            self._redis.hset(keys.ASKED_SECONDS, f"{kind} {players}", f"{min(_MOST_S, max(_LEAST_S, average)):.4f}")

    def is_first_hint(self, client: str, for_ms: int) -> bool:
        """Note a hint for a client; return whether it is the first within so many milliseconds."""
        return bool(self._redis.set(keys.asked_hint(client), b"1", nx=True, px=for_ms))


def players_waiting(redis: Redis) -> int:
    """Return of how many players something waits."""
    entries: Any = redis.zrange(keys.ASKED, 0, -1)
    pipeline = redis.pipeline(transaction=False)
    for client in entries:
        pipeline.zcard(keys.asked_by(client.decode()))
    return sum(pipeline.execute()) if entries else 0


def _keys(asker: Asker) -> tuple[str, str, str]:
    return keys.ASKED, keys.asked_by(asker.client), keys.asked_of(*asker)


def _text(question: Question) -> str:
    return " ".join(map(str, question))
