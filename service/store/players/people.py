"""People: blocks, friends, and who is online.

A block is stored only with the player who blocks. A friendship is stored with both players; a request may be stored
only with the one who asks.
"""

from collections.abc import Collection, Iterable
from typing import Final, Literal, NamedTuple

from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.players.inbox import INBOX_MS, MOST_NOTES, Note, stored_note
from service.store.port import Player
from service.store.scripts import Script, translate_errors

#: Most players that one can block, and most friends plus sent requests.
MOST_BLOCKS: Final = 200
MOST_FRIENDS: Final = 200
#: Most received requests that are stored.
MOST_ASKING: Final = 200
#: How long a player counts as online after the last note (ms), and the interval of notes (s).
HERE_MS: Final = 35_000
NOTE_HERE_S: Final = 10.0

_BEFRIEND: Final = Script("befriend", "inbox")
_BLOCK: Final = Script("block")
_PART: Final = Script("part")

#: `asked`: by the player; `asks`: the player.
Tie = Literal["friend", "asked", "asks"]


class Known(NamedTuple):
    """The relation of a player to another one, since `since` (ms)."""

    player: str
    tie: Tie
    since: int


class PeopleStore:
    """See the module."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def block(self, player: str, other: str, at: int) -> Literal["done", "gone", "full"]:
        """Block a player, which ends a friendship and the other's request; `gone`: one of them does not exist."""
        names = (keys.RECORDS, keys.blocks_of(player), keys.friends_of(player), keys.friends_of(other))
        outcome: bytes = _BLOCK.run(self._redis, names, player, other, at, MOST_BLOCKS, keys.REVOKED)
        return outcome.decode()  # type: ignore[return-value]

    @translate_errors
    def unblock(self, player: str, other: str) -> None:
        """End a block."""
        self._redis.zrem(keys.blocks_of(player), other)

    @translate_errors
    def blocks(self, player: str) -> dict[str, int]:
        """Return blocked player -> since when (ms), in this order."""
        entries = self._redis.zrange(keys.blocks_of(player), 0, -1, withscores=True)
        return {other.decode(): int(since) for other, since in entries}

    @translate_errors
    def blocked(self, pairs: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
        """Return the pairs of which the first has blocked the second. One round trip."""
        distinct = list(dict.fromkeys(pairs))
        pipeline = self._redis.pipeline(transaction=False)
        for player, other in distinct:
            pipeline.zscore(keys.blocks_of(player), other)
        return {pair for pair, since in zip(distinct, pipeline.execute(), strict=True) if since is not None}

    @translate_errors
    def blocked_among(self, players: Collection[str]) -> set[tuple[str, str]]:
        """Return the pairs of these players of whom the first has blocked the second. One round trip."""
        candidates = list(players)
        pipeline = self._redis.pipeline(transaction=False)
        for player in candidates:
            pipeline.zrange(keys.blocks_of(player), 0, -1)
        answers = zip(candidates, pipeline.execute() if candidates else [], strict=True)
        among = set(candidates)
        return {(player, name) for player, others in answers for other in others if (name := other.decode()) in among}

    @translate_errors
    def befriend(
        self, player: str, other: str, at: int, news: tuple[Note, Note], request: Note
    ) -> Literal["done", "asked", "made", "gone", "blocked", "full"]:
        """Send a friend request, or accept the other player's request.

        Args:
            player, other: sender and receiver.
            at: now (ms).
            news: inbox events for `player` and for `other` if they have become friends.
            request: inbox event for `other` if `player` asks, at most once in the lifetime of an inbox.

        Returns:
            `done`: nothing has changed; `blocked`: by `player`. A player blocked by `other` gets `request`.
        """
        each = (keys.friends_of, keys.blocks_of, keys.inbox)
        names = (keys.RECORDS, *(of(who) for of in each for who in (player, other)))
        notes = [codec.NOTE, *(stored_note(note) for note in (*news, request))]
        most = (MOST_FRIENDS, MOST_ASKING)
        outcome: bytes = _BEFRIEND.run(
            self._redis, names, player, other, at, *most, *notes, MOST_NOTES, INBOX_MS, keys.NEWS
        )
        return outcome.decode()  # type: ignore[return-value]

    @translate_errors
    def part(self, player: str, other: str) -> None:
        """End a friendship and any request between the two."""
        _PART.run(self._redis, (keys.friends_of(player), keys.friends_of(other)), player, other)

    @translate_errors
    def known(self, player: str) -> list[Known]:
        """Return friends, and sent and received requests, the oldest first."""
        people = [
            Known(other.decode(), *_tie(value)) for other, value in self._redis.hgetall(keys.friends_of(player)).items()
        ]
        return sorted(people, key=lambda known: (known.since, known.player))

    @translate_errors
    def are_friends(self, player: str, others: Collection[str]) -> set[str]:
        """Return which of these players are friends of a player. One round trip."""
        candidates = list(others)
        values = self._redis.hmget(keys.friends_of(player), candidates) if candidates else []
        return {
            other
            for other, value in zip(candidates, values, strict=True)
            if value is not None and _tie(value)[0] == "friend"
        }

    @translate_errors
    def records(self, players: Collection[str]) -> dict[str, Player]:
        """Return the records of those players who exist. One round trip."""
        ids = list(players)
        values = self._redis.hmget(keys.RECORDS, ids) if ids else []
        return {
            player: codec.decode(codec.PLAYER, value, player)
            for player, value in zip(ids, values, strict=True)
            if value is not None
        }

    @translate_errors
    def note_here(self, players: Collection[str], at: int) -> None:
        """Note that players are online (ms), and drop those not noted for a while."""
        pipeline = self._redis.pipeline(transaction=False)
        if players:
            pipeline.zadd(keys.HERE, dict.fromkeys(players, at))
        pipeline.zremrangebyscore(keys.HERE, "-inf", at - HERE_MS)
        pipeline.execute()

    @translate_errors
    def here(self, players: Collection[str], at: int, within_ms: int = HERE_MS) -> set[str]:
        """Return which of these players are online. One round trip."""
        ids = list(players)
        pipeline = self._redis.pipeline(transaction=False)
        for player in ids:
            pipeline.zscore(keys.HERE, player)
        noted = zip(ids, pipeline.execute(), strict=True)
        return {player for player, last in noted if last is not None and last > at - within_ms}

    @translate_errors
    def all_here(self, at: int, most: int) -> list[str]:
        """Return the players who are online, the latest noted first. One round trip."""
        present = self._redis.zrevrangebyscore(keys.HERE, "+inf", f"({at - HERE_MS}", 0, most)
        return [player.decode() for player in present]


def _tie(value: bytes) -> tuple[Tie, int]:
    tie, _, since = value.decode().partition(" ")
    return tie, int(since)  # type: ignore[return-value]
