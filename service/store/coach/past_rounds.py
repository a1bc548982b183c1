"""Past rounds: the lists of the rounds that players have finished, whether their games ever end or not.

A list entry says all that is shown of a round, since the log of a game that is not ended goes with its table. It names
nobody else.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple, NotRequired, TypedDict

from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.pages import Entry, latest
from service.store.scripts import Script, translate_errors

#: Most rounds in a player's list, of which the oldest are dropped, and how long the list lives after the last (ms).
MOST_ROUNDS: Final = 300
LIST_MS: Final = 400 * 24 * 3_600_000
#: Number of rounds read at a time.
_PART: Final = 50

_LIST_ROUNDS: Final = Script("list_rounds")


class PastRound(TypedDict):
    """A player's round.

    Attributes:
        number: of the round in its game.
        seat: the player's seat.
        result: None: nobody has won it.
        side: the player's side; left out in Arm's Length, as `points` and `levels`.
        points: of the attackers.
        levels: by how many levels the winners went up.
        scores: of both sides, only in Arm's Length.
        practice: left out: no.
        sealed_until: until when its board is sealed (ms); left out if it was no board.
    """

    game: str
    number: int
    ruleset: str
    players: int
    seat: int
    result: Literal["won", "lost"] | None
    side: NotRequired[Literal["declarers", "attackers"]]
    points: NotRequired[int]
    levels: NotRequired[int]
    scores: NotRequired[list[int]]
    practice: NotRequired[bool]
    sealed_until: NotRequired[int]


class Position(NamedTuple):
    """A position in a list: after a round that was over at a time (ms)."""

    at: int
    game: str
    number: int


class Listed(NamedTuple):
    """An entry of a list: when the round was over (ms), and the round."""

    at: int
    round: PastRound


class PastRoundStore:
    """See the module."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def add(self, player: str, rounds: Sequence[PastRound], at: int) -> None:
        """Put rounds that are over at a time (ms) on the list of a player, unless they are there. One round trip."""
        names = (keys.RECORDS, keys.past_rounds_of(player))
        members = [codec.encode(codec.PAST_ROUND, each) for each in rounds]
        _LIST_ROUNDS.run(self._redis, names, player, at, MOST_ROUNDS, LIST_MS, *members)

    def newest_first(self, player: str, after: Position | None = None) -> Iterator[Listed]:
        """Yield the rounds of a player after a position, reading `_PART` at a time, each once."""
        known: set[tuple[str, int]] = set()
        before = None if after is None else (after.at, _start_of(after))
        while listed := self._part(player, before):
            for at, member in listed:
                played: PastRound = codec.decode(codec.PAST_ROUND, member.encode(), f"past round of {player}")
                # Another release may have listed it too, with other fields.
                if (name := (played["game"], played["number"])) not in known:
                    known.add(name)
                    yield Listed(at, played)
            before = listed[-1]

    @translate_errors
    def with_log(self, games: Mapping[str, str]) -> set[str]:
        """Return which games can be replayed: they have a record, or their table is still there.

        Args:
            games: game -> table.
        """
        if not games:
            return set()
        pipeline = self._redis.pipeline(transaction=False)
        for game, table in games.items():
            pipeline.exists(keys.game(game))
            pipeline.exists(keys.head(table))
        answers = pipeline.execute()
        there: Mapping[str, bool] = {
            game: bool(record or table) for game, record, table in zip(games, answers[::2], answers[1::2], strict=True)
        }
        return {game for game in games if there[game]}

    @translate_errors
    def _part(self, player: str, before: Entry | None) -> list[Entry]:
        return latest(self._redis, [keys.past_rounds_of(player)], _PART, before)


def _start_of(position: Position) -> str:
    """Return what the entry of a round begins with, which is before this entry and after the next one in a list."""
    return codec.encode(codec.PAST_ROUND, {"game": position.game, "number": position.number}).decode()[:-1]
