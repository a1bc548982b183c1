"""What gives access to a player's account, and what was given by what (docs/rights.md).

Tokens, identities, subscriptions and the recovery code each note the token that made them; tokens also an identity, or
the recovery code. What has no giver was made by an earlier release, or its player has chosen to keep it.
"""

from collections.abc import Collection, Mapping
from typing import Final, Literal, NamedTuple

from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.notices.subscriptions import PREFIXES, Subscription
from service.store.players.identities import Identity
from service.store.players.inbox import NOTHING, Note, put_arguments
from service.store.players.tokens import RECOVERY, Token, has_limits
from service.store.scripts import Script, translate_errors

_END: Final = Script("end_rights", "inbox")
_REPLACE: Final = Script("replace_field")

#: `gone`: the player, the token or the code does not exist; `again`: there are other rights than were read.
Ended = Literal["done", "gone", "again"]


class RecoveryCode(NamedTuple):
    """The recovery code of a player: SHA-256, giver, and when it was made (ms); None: unknown."""

    code_hash: str
    by: str | None
    at: int | None


class Rights(NamedTuple):
    """What gives access to an account.

    Attributes:
        tokens: id -> SHA-256 and token.
        identities: SHA-256 -> identity.
        subscriptions: id -> subscription.
        recovery: the recovery code, or None.
        fields: all fields that were read, to notice whether there are others now.
    """

    tokens: dict[str, tuple[str, Token]]
    identities: dict[str, Identity]
    subscriptions: dict[str, Subscription]
    recovery: RecoveryCode | None
    fields: list[str]


class RightsStore:
    """See the module."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def of_player(self, player: str) -> Rights:
        """Return all rights of a player. Two round trips."""
        pipeline = self._redis.pipeline(transaction=False)
        for key in (keys.tokens_of(player), keys.identities_of(player), keys.notices_of(player)):
            pipeline.hgetall(key)
        pipeline.hget(keys.RECOVERY_GIVERS, player)
        *answers, giver = pipeline.execute()
        owned, linked, notices = ({name.decode(): value for name, value in each.items()} for each in answers)
        code = owned.pop(RECOVERY, None)
        by, _, at = (giver or b"").decode().partition(" ")
        subscribed = tuple(PREFIXES.values())
        return Rights(
            self._valid({token: value.decode() for token, value in owned.items()}),
            {name: codec.decode(codec.IDENTITY, value, "an identity") for name, value in linked.items()},
            {
                name: codec.decode(codec.SUBSCRIPTION, value, name)
                for name, value in notices.items()
                if name.startswith(subscribed) and ":" not in name
            },
            None if code is None else RecoveryCode(code.decode(), by or None, int(at) if at else None),
            [*owned, *([RECOVERY] if code is not None else []), *linked, *notices],
        )

    def _valid(self, hashes: Mapping[str, str]) -> dict[str, tuple[str, Token]]:
        """Return token (id) -> its SHA-256 and what it may do, of those that are valid. One round trip, if any."""
        if not hashes:
            return {}
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.hmget(keys.GRANTS, list(hashes.values()))
        pipeline.hmget(keys.TOKENS, list(hashes.values()))
        tokens: dict[str, tuple[str, Token]] = {}
        for (token, token_hash), grant, is_valid in zip(hashes.items(), *pipeline.execute(), strict=True):
            if grant is not None:
                decoded: Token = codec.decode(codec.TOKEN, grant, "a token")
                # An earlier release may have replaced it meanwhile.
                if is_valid or has_limits(decoded):
                    tokens[token] = token_hash, decoded
        return tokens

    @translate_errors
    def give(self, player: str, field: str, giver: str | None) -> None:
        """Note another giver of a right, by its field: id of a token or a subscription, SHA-256 of an identity."""
        if field == RECOVERY:
            current = self._redis.hget(keys.RECOVERY_GIVERS, player)
            if current is not None:
                at = current.decode().partition(" ")[2]
                self._redis.hset(keys.RECOVERY_GIVERS, player, f"{giver or ''} {at}")
            return
        schema, key, name, member = codec.IDENTITY, keys.identities_of(player), field, "by"
        if field.startswith("tk_"):
            token_hash = self._redis.hget(keys.tokens_of(player), field)
            if token_hash is None:
                return
            schema, key, name = codec.TOKEN, keys.GRANTS, token_hash.decode()
        elif field.startswith(tuple(PREFIXES.values())):
            schema, key, member = codec.SUBSCRIPTION, keys.notices_of(player), "token"
        while (read := self._redis.hget(key, name)) is not None:
            new = codec.encode(schema, {**codec.decode(schema, read, field), member: giver})
            if _REPLACE.run(self._redis, (key,), name, read, new):
                return

    @translate_errors
    def end(
        self,
        player: str,
        ended: Collection[str],
        read: Rights | None,
        *,
        proof: str = "",
        new: tuple[Token, str] | None = None,
        note: Note = NOTHING,
        is_all: bool = False,
    ) -> Ended:
        """End rights in one step, and announce it. One round trip, and another one for the deliveries of subscriptions.

        Args:
            player: id of the player.
            ended: their fields, as in `give`.
            read: what was read before; None: do not compare.
            proof: SHA-256 of a token or recovery code that must be valid, and ends too.
            new: a new token and its SHA-256, if any.
            note: event for the inbox of the player.
            is_all: whether to end a token of an earlier release as well that was never used.
        """
        owned, linked, notices = keys.tokens_of(player), keys.identities_of(player), keys.notices_of(player)
        names = (
            *(keys.RECORDS, keys.TOKENS, keys.GRANTS, owned, keys.HELD, keys.RECOVERIES, keys.inbox(player)),
            *(keys.IDENTITIES, linked, notices, keys.RECOVERY_GIVERS),
        )
        begins: tuple[str, str, bytes, int] = ("", "", b"", 0)
        if new is not None:
            token, token_hash = new
            begins = (token_hash, token["id"], codec.encode(codec.TOKEN, token), int(not has_limits(token)))
        fields: tuple[str | int, ...] = (-1,) if read is None else (len(read.fields), *read.fields)
        note_arguments = put_arguments(player, note)
        start = (player, keys.REVOKED, proof, int(is_all), *begins, *note_arguments)
        outcome: Ended = _END.run(self._redis, names, *start, *fields, *ended).decode()
        subscriptions = [keys.sent(each) for each in ended if each.startswith(tuple(PREFIXES.values()))]
        if outcome == "done" and subscriptions:
            self._redis.delete(*subscriptions)
        return outcome
