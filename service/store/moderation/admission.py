"""Who may come in: blocked networks, whether anybody may register, and registration codes.

Blocks and the switch of registration are in one hash, which each process of the API reads again when it hears of a
change, and every few seconds. A registration code is stored as its SHA-256.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, NotRequired, TypedDict, cast

from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.scripts import Script, translate_errors

Registration = Literal["open", "invited", "closed"]

#: Most blocked networks.
MOST_BLOCKED: Final = 1_000
#: Most registration codes of all operators at a time.
MOST_CODES: Final = 500
#: Who has made the codes of operators, in place of a player.
OPERATORS: Final = "operators"

_SWITCH: Final = b"registration"
_MAKE: Final = Script("make_invite")
_VOID: Final = Script("void_invite")


class Block(TypedDict):
    """A blocked network, since when (ms) and by which operator. `until`: when it ends (ms); None: it stays."""

    network: str
    at: int
    by: str
    note: str | None
    until: int | None


class Switch(TypedDict):
    """Who may register; None: as the settings say. `at` (ms) and `by`: when and by which operator it was set."""

    registration: Registration | None
    at: int
    by: str


class Doors(NamedTuple):
    """The switch, if it was ever set, and the blocks."""

    switch: Switch | None
    blocks: list[Block]


class Invite(TypedDict):
    """A registration code. `giver`: the player who has made it, or `OPERATORS`; `operator`: the operator's name.

    `left`: how many players may still register with it.
    """

    id: str
    giver: str
    operator: NotRequired[str]
    note: str | None
    at: int
    until: int
    uses: int
    left: NotRequired[int]


class AdmissionStore:
    """See the module."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def doors(self) -> Doors:
        """Return what decides on each request. One round trip."""
        stored: Mapping[bytes, bytes] = self._redis.hgetall(keys.DOORS)
        switch = stored.get(_SWITCH)
        blocks = [codec.decode(codec.DOOR, value, "a block") for name, value in stored.items() if name != _SWITCH]
        return Doors(None if switch is None else codec.decode(codec.DOOR, switch, "the switch"), blocks)

    @translate_errors
    def block(self, block: Block) -> bool:
        """Block a network, or change its block; return False if there are `MOST_BLOCKED` others. Announced."""
        name = block["network"]
        # Operators are few: two at the same moment may exceed the limit by one.
        if self._redis.hlen(keys.DOORS) > MOST_BLOCKED and not self._redis.hexists(keys.DOORS, name):
            return False
        self._redis.hset(keys.DOORS, name, codec.encode(codec.DOOR, block))
        self._announce()
        return True

    @translate_errors
    def unblock(self, network: str) -> bool:
        """End a block; return whether there was one. Announced."""
        was_there = bool(self._redis.hdel(keys.DOORS, network))
        self._announce()
        return was_there

    @translate_errors
    def switch(self, switch: Switch) -> None:
        """Set who may register. Announced."""
        self._redis.hset(keys.DOORS, _SWITCH, codec.encode(codec.DOOR, switch))
        self._announce()

    def _announce(self) -> None:
        # As a player whose rights have changed: releases before 0.4 look for a player of this name, in vain.
        self._redis.publish(keys.REVOKED, keys.DOORS)

    @translate_errors
    def make_invite(self, code_hash: str, invite: Invite, most: int, now: int) -> bool:
        """Store a code; return False if its giver has `most` already."""
        names = (keys.invites_of(invite["giver"]), keys.invite(code_hash))
        details = codec.encode(codec.INVITE, invite)
        return bool(_MAKE.run(self._redis, names, code_hash, details, invite["uses"], now, invite["until"], most))

    @translate_errors
    def invite(self, code_hash: str) -> Invite | None:
        """Return a code that has not expired."""
        return _invite(self._redis.hmget(keys.invite(code_hash), "d", "left"))

    @translate_errors
    def invites(self, giver: str, now: int) -> dict[str, Invite]:
        """Return the codes of a giver that have not expired, by their hash. Two round trips."""
        hashes = [name.decode() for name in self._redis.zrangebyscore(keys.invites_of(giver), f"({now}", "+inf")]
        pipeline = self._redis.pipeline(transaction=False)
        for code_hash in hashes:
            pipeline.hmget(keys.invite(code_hash), "d", "left")
        by_hash = {name: _invite(stored) for name, stored in zip(hashes, pipeline.execute(), strict=True)}
        return {name: invite for name, invite in by_hash.items() if invite is not None}

    @translate_errors
    def void_invite(self, code_hash: str, invite: Invite) -> None:
        """Delete a code."""
        names = (keys.invites_of(invite["giver"]), keys.invite(code_hash))
        _VOID.run(self._redis, names, code_hash, invite["uses"])


def _invite(stored: list[bytes | None]) -> Invite | None:
    details, left = stored
    if details is None or left is None:
        return None
    return cast("Invite", {**codec.decode(codec.INVITE, details, "a registration code"), "left": int(left)})
