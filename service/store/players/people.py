"""People: whom a player has blocked, who are friends, and who is online.

A block is stored only with the player who blocks. A friendship is stored with both; a request may be stored only with
the one who asks.
"""

from collections.abc import Collection, Iterable
from typing import Any, Final, Literal, NamedTuple, Protocol

from service.store import codec, keys
from service.store.connections.clients import Client
from service.store.players.inbox import INBOX_MS, MOST_NOTES, Note, stored_note
from service.store.port import Player
from service.store.scripts import Script, translate_errors

#: Most players that one can block, and most friends together with those whom one has asked.
MOST_BLOCKS: Final = 200
MOST_FRIENDS: Final = 200
#: Most players whose asking one is told of.
MOST_ASKING: Final = 200
#: Who was not noted for so long is not there (ms), and how often processes note who is (s).
HERE_MS: Final = 35_000
NOTE_HERE_S: Final = 10.0

_BEFRIEND: Final = Script("befriend", "inbox")
_BLOCK: Final = Script("block")
_PART: Final = Script("part")

#: `asked`: by the player; `asks`: the player.
Tie = Literal["friend", "asked", "asks"]


class Known(NamedTuple):
    """What there is between a player and another one, since `since` (ms)."""

    player: str
    tie: Tie
    since: int


class PeopleStore(Protocol):
    """See the module."""

    def block(self, player: str, other: str, at: int) -> Literal["done", "gone", "full"]:
        """Block a player, which ends a friendship and what the other has asked; `gone`: one of them is not there."""

    def unblock(self, player: str, other: str) -> None:
        """End a block."""

    def blocks(self, player: str) -> dict[str, int]:
        """Return whom a player has blocked -> since when (ms), in this order."""

    def blocked(self, pairs: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
        """Return those of some pairs of which the first has blocked the second. One round trip."""

    def befriend(
        self, player: str, other: str, at: int, made: tuple[Note, Note], asked: Note
    ) -> Literal["done", "asked", "made", "gone", "blocked", "full"]:
        """Ask a player to be a friend, or accept that the player has asked.

        Args:
            player, other: who asks or accepts, and whom.
            at: now (ms).
            made: what both are told, `player` first, when they have become friends.
            asked: what `other` is told when `player` asks; once in as long as an inbox lives.

        Returns:
            `done`: nothing has changed; `blocked`: by `player`. Who has been blocked by `other` gets `asked`.
        """

    def part(self, player: str, other: str) -> None:
        """End a friendship, and what one of the two has asked the other."""

    def known(self, player: str) -> list[Known]:
        """Return friends, who has been asked and who asks, the longest known first."""

    def are_friends(self, player: str, others: Collection[str]) -> set[str]:
        """Return those of some players who are friends of a player. One round trip."""

    def records(self, players: Collection[str]) -> dict[str, Player]:
        """Return the records of those of some players who exist. One round trip."""

    def note_here(self, players: Collection[str], at: int) -> None:
        """Note that players are there (ms), and forget who has not been for a while."""

    def here(self, players: Collection[str], at: int, within_ms: int = HERE_MS) -> set[str]:
        """Return those of some players who are there: have been noted lately. One round trip."""

    def all_here(self, at: int, most: int) -> list[str]:
        """Return players who are there, who was noted last first. One round trip."""


class RedisPeopleStore:
    """`PeopleStore` on Redis."""

    def __init__(self, client: Client) -> None:
        self._redis: Final[Any] = client

    @translate_errors
    def block(self, player: str, other: str, at: int) -> Literal["done", "gone", "full"]:
        """See `PeopleStore.block`."""
        names = (keys.RECORDS, keys.blocks_of(player), keys.friends_of(player), keys.friends_of(other))
        outcome: bytes = _BLOCK.run(self._redis, names, player, other, at, MOST_BLOCKS)
        return outcome.decode()  # type: ignore[return-value]

    @translate_errors
    def unblock(self, player: str, other: str) -> None:
        """See `PeopleStore.unblock`."""
        self._redis.zrem(keys.blocks_of(player), other)

    @translate_errors
    def blocks(self, player: str) -> dict[str, int]:
        """See `PeopleStore.blocks`."""
        found = self._redis.zrange(keys.blocks_of(player), 0, -1, withscores=True)
        return {other.decode(): int(since) for other, since in found}

    @translate_errors
    def blocked(self, pairs: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
        """See `PeopleStore.blocked`."""
        asked = list(dict.fromkeys(pairs))
        pipeline = self._redis.pipeline(transaction=False)
        for player, other in asked:
            pipeline.zscore(keys.blocks_of(player), other)
        return {pair for pair, since in zip(asked, pipeline.execute(), strict=True) if since is not None}

    @translate_errors
    def befriend(
        self, player: str, other: str, at: int, made: tuple[Note, Note], asked: Note
    ) -> Literal["done", "asked", "made", "gone", "blocked", "full"]:
        """See `PeopleStore.befriend`."""
        each = (keys.friends_of, keys.blocks_of, keys.inbox)
        names = (keys.RECORDS, *(of(who) for of in each for who in (player, other)))
        notes = [codec.NOTE, *(stored_note(note) for note in (*made, asked))]
        most = (MOST_FRIENDS, MOST_ASKING)
        outcome: bytes = _BEFRIEND.run(
            self._redis, names, player, other, at, *most, *notes, MOST_NOTES, INBOX_MS, keys.NEWS
        )
        return outcome.decode()  # type: ignore[return-value]

    @translate_errors
    def part(self, player: str, other: str) -> None:
        """See `PeopleStore.part`."""
        _PART.run(self._redis, (keys.friends_of(player), keys.friends_of(other)), player, other)

    @translate_errors
    def known(self, player: str) -> list[Known]:
        """See `PeopleStore.known`."""
        found = [
            Known(other.decode(), *_tie(value)) for other, value in self._redis.hgetall(keys.friends_of(player)).items()
        ]
        return sorted(found, key=lambda known: (known.since, known.player))

    @translate_errors
    def are_friends(self, player: str, others: Collection[str]) -> set[str]:
        """See `PeopleStore.are_friends`."""
        asked = list(others)
        values = self._redis.hmget(keys.friends_of(player), asked) if asked else []
        return {
            other
            for other, value in zip(asked, values, strict=True)
            if value is not None and _tie(value)[0] == "friend"
        }

    @translate_errors
    def records(self, players: Collection[str]) -> dict[str, Player]:
        """See `PeopleStore.records`."""
        asked = list(players)
        values = self._redis.hmget(keys.RECORDS, asked) if asked else []
        return {
            player: codec.decode(codec.PLAYER, value, player)
            for player, value in zip(asked, values, strict=True)
            if value is not None
        }

    @translate_errors
    def note_here(self, players: Collection[str], at: int) -> None:
        """See `PeopleStore.note_here`."""
        pipeline = self._redis.pipeline(transaction=False)
        if players:
            pipeline.zadd(keys.HERE, dict.fromkeys(players, at))
        pipeline.zremrangebyscore(keys.HERE, "-inf", at - HERE_MS)
        pipeline.execute()

    @translate_errors
    def here(self, players: Collection[str], at: int, within_ms: int = HERE_MS) -> set[str]:
        """See `PeopleStore.here`."""
        asked = list(players)
        pipeline = self._redis.pipeline(transaction=False)
        for player in asked:
            pipeline.zscore(keys.HERE, player)
        noted = zip(asked, pipeline.execute(), strict=True)
        return {player for player, last in noted if last is not None and last > at - within_ms}

    @translate_errors
    def all_here(self, at: int, most: int) -> list[str]:
        """See `PeopleStore.all_here`."""
        found = self._redis.zrevrangebyscore(keys.HERE, "+inf", f"({at - HERE_MS}", 0, most)
        return [player.decode() for player in found]


def _tie(value: bytes) -> tuple[Tie, int]:
    tie, _, since = value.decode().partition(" ")
    return tie, int(since)  # type: ignore[return-value]
