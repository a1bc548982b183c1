"""Objections of players to plays of AI players, with the positions in which they were made."""

import zlib
from collections.abc import Iterable, Mapping
from typing import Any, Final, NotRequired, TypedDict

from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.port import JsonObject, StoreCorrupt
from service.store.scripts import Script, translate_errors

#: Most objections, and most of a player; `add_bounded.lua` says which are dropped.
MOST_OBJECTIONS: Final = 1_000
MOST_OBJECTIONS_OF: Final = 50

_ADD: Final = Script("add_bounded")
_NAMES: Final = (keys.OBJECTIONS, keys.OBJECTION_ORDER, keys.OBJECTION_MARKS)


class Objection(TypedDict):
    """What a player has said of a play of an AI player: it was silly. It names no player.

    Attributes:
        at: when it was said (ms).
        game, table, round, seq: where the play is in the record.
        seat: the seat that made the play.
        level: the level of the AI player.
        release: the release of the service when it was said.
        rules: version of the rules of the game.
        action: the play, as in the record, without time and source.
        reason: why the AI player made it; None: it gave none.
        instead: the cards that the player would have played; left out: the player has not said.
        view: what the AI player saw, without the people at the table.
        seed: of its random choices, in hexadecimal.
    """

    at: int
    game: str
    table: str
    round: int
    seq: int
    seat: int
    level: str
    release: str
    rules: int
    action: Mapping[str, Any]
    reason: Mapping[str, Any] | None
    instead: NotRequired[list[str]]
    view: JsonObject
    seed: str


class ObjectionStore:
    """See the module. One for each player and play."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def put(self, player: str, objection: Objection) -> None:
        """Store an objection of a player in place of any other to the same play."""
        game = objection["game"]
        stored = zlib.compress(codec.encode(codec.OBJECTION, objection), 9)
        name = _name(player, game, objection["round"], objection["seq"])
        most = (MOST_OBJECTIONS, MOST_OBJECTIONS_OF)
        _ADD.run(self._redis, _NAMES, name, stored, objection["at"], *most, player, game)

    @translate_errors
    def remove(self, player: str, game: str, number: int, seq: int) -> None:
        """Remove the objection of a player to a play, if there is one."""
        self._remove([_name(player, game, number, seq)])

    @translate_errors
    def of_player(self, player: str) -> list[Objection]:
        """Return all objections of a player, the newest first."""
        return self._load(self._names_of(player))

    @translate_errors
    def newest(self, start: int, limit: int) -> list[Objection]:
        """Return objections of all players, the newest first: at most `limit`, from number `start` (from 0) on."""
        return self._load(
            name.decode() for name in self._redis.zrevrange(keys.OBJECTION_ORDER, start, start + limit - 1)
        )

    @translate_errors
    def erase(self, player: str) -> None:
        """Remove all objections of a player."""
        self._remove(self._names_of(player))

    def _names_of(self, player: str) -> list[str]:
        names = (name.decode() for name in self._redis.zrevrange(keys.OBJECTION_ORDER, 0, -1))
        return [name for name in names if name.startswith(f"{player}/")]

    def _load(self, names: Iterable[str]) -> list[Objection]:
        wanted = list(names)
        stored = self._redis.hmget(keys.OBJECTIONS, wanted) if wanted else []
        return [_decode(value) for value in stored if value is not None]

    def _remove(self, names: list[str]) -> None:
        if names:
            pipeline = self._redis.pipeline(transaction=True)
            pipeline.hdel(keys.OBJECTIONS, *names)
            pipeline.zrem(keys.OBJECTION_ORDER, *names)
            pipeline.hdel(keys.OBJECTION_MARKS, *names)
            pipeline.execute()


def _name(player: str, game: str, number: int, seq: int) -> str:
    return f"{player}/{game}/{number}/{seq}"


def _decode(stored: bytes) -> Objection:
    try:
        text = zlib.decompress(stored)
    except zlib.error as error:
        raise StoreCorrupt(f"an objection: a truncated value ({error})") from error
    objection: Objection = codec.decode(codec.OBJECTION, text, "an objection")
    return objection
