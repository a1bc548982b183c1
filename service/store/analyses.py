"""Analyses of finished rounds, kept as long as the record of their game."""

import zlib
from typing import Any, Final, Protocol, TypedDict

from service.store import codec, keys
from service.store.connections.clients import Client
from service.store.scripts import translate_errors

#: Level of the AI that judges.
LEVEL: Final = "expert"

_SCHEMA: Final = b"n1"


class Analysis(TypedDict):
    """What the AI says about a round so far.

    Attributes:
        level: of the AI.
        of: number of decisions of the round; 0 until the first step.
        decisions: what it says about each, in order; those judged so far.
    """

    level: str
    of: int
    decisions: list[dict[str, Any]]


class AnalysisStore(Protocol):
    """Analyses by game and number of the round."""

    def load(self, game: str, number: int) -> Analysis | None:
        """Return the analysis of a round, or None if there is none."""

    def begin(self, game: str, number: int, analysis: Analysis) -> None:
        """Store the analysis of a round unless there is one."""

    def save(self, game: str, number: int, analysis: Analysis) -> None:
        """Store the analysis of a round, unless the game has no record any more."""


class RedisAnalysisStore:
    """`AnalysisStore` on Redis: one compressed value for each round."""

    def __init__(self, client: Client) -> None:
        self._redis: Final[Any] = client

    @translate_errors
    def load(self, game: str, number: int) -> Analysis | None:
        """See `AnalysisStore.load`."""
        stored = self._redis.get(keys.analysis(game, number))
        if stored is None:
            return None
        try:
            text = zlib.decompress(stored)
        except zlib.error:
            text = b""
        analysis: Analysis = codec.decode(_SCHEMA, text, f"analysis of {game}")
        return analysis

    @translate_errors
    def begin(self, game: str, number: int, analysis: Analysis) -> None:
        """See `AnalysisStore.begin`."""
        self._set(game, number, analysis, nx=True)

    @translate_errors
    def save(self, game: str, number: int, analysis: Analysis) -> None:
        """See `AnalysisStore.save`."""
        self._set(game, number, analysis)

    def _set(self, game: str, number: int, analysis: Analysis, *, nx: bool = False) -> None:
        left_ms = self._redis.pttl(keys.game(game))
        if left_ms == _GONE:
            return
        value = zlib.compress(codec.encode(_SCHEMA, analysis))
        self._redis.set(keys.analysis(game, number), value, px=left_ms if left_ms > 0 else None, nx=nx)


#: What Redis answers when asked for the time to live of a key that does not exist.
_GONE: Final = -2
