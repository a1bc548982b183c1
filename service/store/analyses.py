"""Analyses and pars of finished rounds, stored as long as the record of their game."""

import zlib
from collections.abc import Mapping, Sequence
from typing import Final, TypedDict

from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.port import JsonObject
from service.store.scripts import translate_errors

#: Level of the AI that analyses.
LEVEL: Final = "expert"

_SCHEMA: Final = b"n1"
_PAR_SCHEMA: Final = b"q1"
#: How long analyses and pars are stored if the game has no record yet (ms).
_UNRECORDED_MS: Final = 7 * 86_400_000
#: Number of analyses looked up at a time.
_PART: Final = 500


#: What kinds of mistakes there are (`workers.ai.themes`).
THEMES: Final = (
    *("bid", "kitty", "friends", "road"),
    *("trumps-early", "trumps-late", "wrong-suit", "shape"),
    *("points-given", "points-kept", "let-go", "high-wasted", "wrong-discard", "wrong-card"),
    "other",
)


class Analysis(TypedDict):
    """The AI's analysis of a round so far.

    Attributes:
        level: level of the AI.
        of: number of decisions of the round; 0 until the first step.
        decisions: analyses of the decisions so far, in order.
    """

    level: str
    of: int
    decisions: list[JsonObject]


class Par(TypedDict):
    """Results of AI players with the cards of a round so far.

    Attributes:
        level: level of the AI.
        of: number of replays.
        values: for each finished replay the points of the attackers; in Arm's Length the scores of both sides.
    """

    level: str
    of: int
    values: list[list[int]]


class AnalysisStore:
    """Analyses and pars by game and number of the round.

    One compressed value for each round.
    """

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def load(self, game: str, number: int) -> Analysis | None:
        """Return the analysis of a round, or None if there is none."""
        stored = self._redis.get(keys.analysis(game, number))
        return None if stored is None else _decode(stored, game)

    @translate_errors
    def load_all(self, rounds: Sequence[tuple[str, int]]) -> list[Analysis | None]:
        """Return the analyses of some rounds (game and number); None where there is none."""
        pipeline = self._redis.pipeline(transaction=False)
        for game, number in rounds:
            pipeline.get(keys.analysis(game, number))
        stored = pipeline.execute() if rounds else ()
        return [
            None if value is None else _decode(value, game) for value, (game, _) in zip(stored, rounds, strict=True)
        ]

    @translate_errors
    def begun(self, games: Mapping[str, int]) -> dict[str, list[int]]:
        """Return game -> rounds that have an analysis, given game -> number of rounds."""
        by_game: dict[str, list[int]] = {game: [] for game in games}
        for game, number in self.begun_of(
            [(game, number) for game, of in games.items() for number in range(1, of + 1)]
        ):
            by_game[game].append(number)
        return by_game

    @translate_errors
    def begun_of(self, rounds: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
        """Return those of some rounds (game and number) that have an analysis."""
        begun = []
        for start in range(0, len(rounds), _PART):
            part = rounds[start : start + _PART]
            pipeline = self._redis.pipeline(transaction=False)
            for game, number in part:
                pipeline.pttl(keys.analysis(game, number))
            answers = zip(part, pipeline.execute(), strict=True)
            begun += [each for each, left_ms in answers if left_ms != _GONE]
        return begun

    @translate_errors
    def begin(self, game: str, number: int, analysis: Analysis) -> None:
        """Store the analysis of a round if there is none."""
        self._redis.set(keys.analysis(game, number), _encode(analysis), px=self._ttl_ms(game), nx=True)

    @translate_errors
    def save(self, game: str, number: int, analysis: Analysis) -> None:
        """Store the analysis of a round. If the game has no record, do so only if an analysis has begun."""
        is_recorded = self._redis.exists(keys.game(game))
        self._redis.set(keys.analysis(game, number), _encode(analysis), px=self._ttl_ms(game), xx=not is_recorded)

    @translate_errors
    def pars(self, game: str, numbers: Sequence[int]) -> list[Par | None]:
        """Return the pars of some rounds so far; None where there is none."""
        if not numbers:
            return []
        stored = self._redis.mget([keys.par(game, number) for number in numbers])
        return [None if value is None else codec.decode(_PAR_SCHEMA, value, f"par of {game}") for value in stored]

    @translate_errors
    def save_par(self, game: str, number: int, par: Par) -> None:
        """Store the par of a round, unless the stored one has more replays.

        Concurrent callers may store the same replays, which depend only on the game.
        """
        [known] = self.pars(game, [number])
        if known is not None and len(known["values"]) > len(par["values"]):
            return
        self._redis.set(keys.par(game, number), codec.encode(_PAR_SCHEMA, par), px=self._ttl_ms(game))

    def _ttl_ms(self, game: str) -> int | None:
        """Return how long the data of a game are stored (ms); None: forever."""
        left_ms: int = self._redis.pttl(keys.game(game))
        return {_GONE: _UNRECORDED_MS}.get(left_ms, left_ms if left_ms > 0 else None)


def _decode(stored: bytes, game: str) -> Analysis:
    try:
        text = zlib.decompress(stored)
    except zlib.error:
        text = b""
    analysis: Analysis = codec.decode(_SCHEMA, text, f"analysis of {game}")
    return analysis


def _encode(analysis: Analysis) -> bytes:
    return zlib.compress(codec.encode(_SCHEMA, analysis))


#: Redis' reply to PTTL for a key that does not exist.
_GONE: Final = -2
