"""Tokens, link codes and recovery codes of players. Only their hashes are stored.

An unrestricted token is also in the hash that releases before 0.3 read, so that it survives an update and a rollback.
Restricted tokens are not, since an earlier release would give them all rights. A token made by such a release is
converted on first use.
"""

import base64
import hashlib
from contextlib import suppress
from typing import Final, Literal, NamedTuple, NotRequired, TypedDict

from redis.exceptions import ResponseError

from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.players.inbox import NOTHING, Note, put_arguments
from service.store.port import Player
from service.store.scripts import Script, translate_errors

DAY_MS: Final = 24 * 3_600_000
#: How long it is remembered for which token the code of an app was used (ms).
SPENT_MS: Final = 600_000

#: Field of the recovery code among the tokens of a player; and, as giver of a token, the recovery code.
RECOVERY: Final = "recovery"

_FIND: Final = Script("token")
_NOTE: Final = Script("note_token")
_ADD: Final = Script("add_token", "inbox")
_SET_RECOVERY: Final = Script("set_recovery", "inbox")


class Token(TypedDict):
    """The stored data of a token.

    Attributes:
        id: identifies it, even after the token is rotated.
        player: id of its player.
        name: given by the player, or None.
        scopes: what it allows; None: everything, including scopes of later releases.
        created_at: when it was made (ms).
        used_on: the day of its last use, in days since the epoch.
        expires_at: when it expires (ms); None: never.
        by: what gave it: id of a token, SHA-256 of an identity, or `RECOVERY`; None: the first token, or not known.
    """

    id: str
    player: str
    name: str | None
    scopes: list[str] | None
    created_at: int
    used_on: int
    expires_at: int | None
    by: NotRequired[str | None]


class Caller(NamedTuple):
    """The sender of a request: player and token."""

    player: Player
    token: Token


class Owned(NamedTuple):
    """A player's tokens, oldest first, and whether there is a recovery code."""

    tokens: list[Token]
    has_recovery: bool


#: `gone`: the player or the link code does not exist; `taken`: the token exists; `full`: too many tokens.
Outcome = Literal["done", "gone", "taken", "full"]


def id_of(token_hash: str) -> str:
    """Return the id of a new token, derived from its hash so that converting a token twice gives the same id."""
    return "tk_" + base64.b32encode(hashlib.sha256(token_hash.encode()).digest()).decode().lower()[:12]


def has_limits(token: Token) -> bool:
    """Return whether a token expires or does not allow everything."""
    return token["scopes"] is not None or token["expires_at"] is not None


class TokenStore:
    """Tokens and codes, by hexadecimal SHA-256. The player's streams are notified when a token becomes void.

    The store has no clock: it returns expired tokens like any others. `PlayerStore` creates the first token together
    with the player, and deletes all tokens; `RightsStore` ends them.
    """

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def find(self, token_hash: str, now: int = 0) -> Caller | None:
        """Return a token and its player. One round trip, and one more on the first use of a day.

        `now` (ms) is recorded as the last use of token and player, to the day; 0: do not record.
        """
        names = (keys.RECORDS, keys.TOKENS, keys.GRANTS, keys.GUESTS)
        answer = _FIND.run(self._redis, names, token_hash, now, DAY_MS)
        if answer is None:
            return None
        player: Player = codec.decode(codec.PLAYER, answer[0], "player by token")
        # There is no entry for a token of an earlier release yet.
        read = answer[1]
        token = _decode(read) if read is not None else first_token(player, token_hash)
        if now and (read is None or token["used_on"] != now // DAY_MS):
            token = {**token, "used_on": now // DAY_MS}
            # Reading must work even if Redis is full.
            with suppress(ResponseError):
                self._note(token, token_hash, read)
        return Caller(player, token)

    @translate_errors
    def of_player(self, player: str) -> Owned:
        """Return the tokens of a player."""
        owned: dict[bytes, bytes] = self._redis.hgetall(keys.tokens_of(player))
        has_recovery = owned.pop(RECOVERY.encode(), None) is not None
        if not owned:
            return Owned([], has_recovery)
        hashes = list(owned.values())
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.hmget(keys.GRANTS, hashes)
        pipeline.hmget(keys.TOKENS, hashes)
        grants, unlimited = pipeline.execute()
        granted = [(_decode(grant), is_valid) for grant, is_valid in zip(grants, unlimited, strict=True) if grant]
        # An earlier release may have replaced a token meanwhile.
        tokens = [token for token, is_valid in granted if is_valid or has_limits(token)]
        return Owned(sorted(tokens, key=lambda token: (token["created_at"], token["id"])), has_recovery)

    def is_valid(self, player: str, token_id: str, now: int) -> bool:
        """Return whether a player has a token with this id that has not expired."""
        matching = [token for token in self.of_player(player).tokens if token["id"] == token_id]
        return any(token["expires_at"] is None or token["expires_at"] > now for token in matching)

    @translate_errors
    def add(
        self,
        token: Token,
        token_hash: str,
        most: int,
        code: str | None = None,
        note: Note = NOTHING,
        spent: str | None = None,
    ) -> Outcome:
        """Add a token and spend a code, unless the player has `most` tokens, or the code or the giver does not exist.

        `code` is the key of a code, `spent` the key that remembers for `SPENT_MS` for which token it was used. `note`
        is put into the inbox of the player in the same step.
        """
        player = token["player"]
        owned = keys.tokens_of(player)
        giver = token.get("by") or ""
        givers = owned if giver.startswith("tk_") else keys.identities_of(player)
        codes = (code or keys.link(""), keys.inbox(player), spent or keys.app_spent(""))
        lists = (givers, keys.notices_of(player), keys.NOTIFY)
        names = (keys.RECORDS, keys.TOKENS, keys.GRANTS, owned, *codes, *lists)
        arguments = (player, token_hash, token["id"], codec.encode(codec.TOKEN, token), int(not has_limits(token)))
        spends = (int(code is not None), 0 if spent is None else SPENT_MS)
        note_arguments = put_arguments(player, note)
        outcome: bytes = _ADD.run(self._redis, names, *arguments, most, *spends, *note_arguments, giver)
        return outcome.decode()  # type: ignore[return-value]

    @translate_errors
    def rename(self, player: str, token_id: str, name: str) -> Token | None:
        """Rename a token and return it; None if the player has none with this id."""
        while (token_hash := self._redis.hget(keys.tokens_of(player), token_id)) is not None:
            read = self._redis.hget(keys.GRANTS, token_hash)
            if read is None:
                return None
            token: Token = {**_decode(read), "name": name}
            if self._note(token, token_hash, read):
                return token
        return None

    @translate_errors
    def set_link(self, code_hash: str, token_hash: str, ttl_ms: int) -> None:
        """Store a link code, with the token that made it."""
        self._redis.set(keys.link(code_hash), token_hash, px=ttl_ms)

    @translate_errors
    def link(self, code_hash: str) -> str | None:
        """Return the hash of the token that made a link code; None if the code is spent or expired."""
        return _text(self._redis.get(keys.link(code_hash)))

    @translate_errors
    def set_recovery(self, by: Token, code_hash: str, note: Note = NOTHING) -> bool:
        """Replace the recovery code of a player; False if the player or the calling token does not exist."""
        player = by["player"]
        lists = (keys.tokens_of(player), keys.RECOVERY_GIVERS, keys.inbox(player), keys.notices_of(player))
        names = (keys.RECORDS, keys.RECOVERIES, *lists, keys.NOTIFY)
        note_arguments = put_arguments(player, note)
        return bool(_SET_RECOVERY.run(self._redis, names, player, code_hash, by["id"], note.at, *note_arguments))

    @translate_errors
    def recovery(self, code_hash: str) -> str | None:
        """Return the player whose recovery code this is."""
        return _text(self._redis.hget(keys.RECOVERIES, code_hash))

    def _note(self, token: Token, token_hash: str | bytes, read: bytes | None) -> bool:
        names = (keys.TOKENS, keys.GRANTS, keys.tokens_of(token["player"]))
        new = codec.encode(codec.TOKEN, token)
        return bool(_NOTE.run(self._redis, names, token["player"], token_hash, token["id"], read or "", new))


def first_token(player: Player, token_hash: str) -> Token:
    """Return the data of a token of which only the player is known."""
    return {
        "id": id_of(token_hash),
        "player": player["id"],
        "name": None,
        "scopes": None,
        "created_at": player.get("created_at", 0),
        "used_on": player.get("created_at", 0) // DAY_MS,
        "expires_at": None,
    }


def _decode(stored: bytes) -> Token:
    token: Token = codec.decode(codec.TOKEN, stored, "a token")
    if token["scopes"]:
        # Tokens of apps may have them repeatedly, if an earlier release made them.
        token["scopes"] = list(dict.fromkeys(token["scopes"]))
    return token


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode()
