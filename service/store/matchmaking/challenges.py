"""Challenges: one player asks another for a game; the first answer counts."""

from typing import Final, NamedTuple, TypedDict

from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.matchmaking.tickets import Kind
from service.store.scripts import Script, translate_errors

#: How long the outcome of a challenge can be read (ms), and for games of days after the time for the answer.
KEPT_MS: Final = 600_000

_ANSWER: Final = Script("answer_challenge")


class Challenge(TypedDict):
    """A challenge.

    Attributes:
        id: identifies it.
        kind: the kind of game.
        rated: whether the game counts for ratings.
        ai_level: level of the AI players on the other seats.
        by, to: players (ids).
        seed: secret seed of an unrated game; None for a rated one.
        made_at, answer_by: time of the challenge, and deadline for the answer (ms).
    """

    id: str
    kind: Kind
    rated: bool
    seed: str | None
    ai_level: str
    by: str
    to: str
    made_at: int
    answer_by: int


class Answered(NamedTuple):
    """A challenge and its answer: `accepted`, `withdrawn`, or `declined` and a reason; None: no answer yet."""

    challenge: Challenge
    answer: str | None


class ChallengeStore:
    """See the module."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def add(self, challenge: Challenge) -> None:
        """Store a challenge. Idempotent."""
        key = keys.challenge(challenge["id"])
        pipeline = self._redis.pipeline(transaction=True)
        pipeline.hsetnx(key, "c", codec.encode(codec.CHALLENGE, challenge))
        pipeline.pexpire(key, max(KEPT_MS, challenge["answer_by"] - challenge["made_at"] + KEPT_MS // 2))
        pipeline.execute()

    @translate_errors
    def get(self, challenge: str) -> Answered | None:
        """Return a challenge (id) and its answer."""
        stored, answer = self._redis.hmget(keys.challenge(challenge), "c", "a")
        if stored is None:
            return None
        record: Challenge = codec.decode(codec.CHALLENGE, stored, f"challenge {challenge}")
        return Answered(record, None if answer is None else answer.decode())

    @translate_errors
    def answer(self, challenge: str, answer: str) -> str | None:
        """Answer a challenge, and return its first answer; None if there is no such challenge."""
        outcome: bytes | None = _ANSWER.run(self._redis, (keys.challenge(challenge),), answer)
        return None if outcome is None else outcome.decode()
