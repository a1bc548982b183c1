"""What gives access to an account, what gives what, and what ends what. docs/rights.md shows these tables.

Ending a right ends what it gave, and what that gave, unless the player keeps it. `tests/api/accounts/test_rights.py`
walks the tables: after each ending, nothing below works.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Final, Literal, NamedTuple

from service.accounts.errors import LastWayIn
from service.accounts.scopes import missing
from service.store.players.inbox import NOTHING, Note
from service.store.players.rights import Rights, RightsStore
from service.store.players.tokens import RECOVERY, Token, has_limits

Kind = Literal["token", "identity", "recovery_code", "webhook", "device"]


class Right(NamedTuple):
    """A kind of right. Where it is stored: `Key.rights` in `service.store.keys`.

    Attributes:
        given_by: kinds that give it; empty: a registration does.
        made_by: operations that make it (operationId), or paths outside the API.
        is_listed: whether `GET /v1/me/rights` lists it; others live for minutes.
        ends: how it ends with its giver: `together`, in the same step, or `on use`, since each use asks for the giver.
    """

    given_by: tuple[str, ...]
    made_by: tuple[str, ...]
    is_listed: bool
    ends: Literal["together", "on use"]


#: Kind of right -> its row.
RIGHTS: Final[dict[str, Right]] = {
    "token": Right(
        ("token", "link_code", "app_code", "device_code", "identity", "recovery_code"),
        ("register", "createToken", "rotateToken", "linkDevice", "signIn", "recoverAccount", "/oauth/token"),
        True,
        "together",
    ),
    "identity": Right(
        ("token",),
        ("linkIdentity",),
        True,
        "together",
    ),
    "recovery_code": Right(
        ("token",),
        ("createRecoveryCode",),
        True,
        "together",
    ),
    "webhook": Right(
        ("token",),
        ("createWebhook", "replaceWebhookSecret"),
        True,
        "together",
    ),
    "device": Right(("token",), ("putPushSubscription",), True, "together"),
    "link_code": Right(("token",), ("createLinkCode",), False, "on use"),
    "app_code": Right(("token",), ("answerApp",), False, "on use"),
    "device_code": Right(
        ("token",),
        ("answerDevice", "/oauth/device"),
        False,
        "on use",
    ),
    "sign_in": Right(("identity",), ("/v1/sign-in/<provider>/callback",), False, "on use"),
    "stream_ticket": Right(("token",), ("createStreamTicket", "createMyStreamTicket"), False, "on use"),
    "stream": Right(("token",), ("listEvents", "listMyEvents"), False, "on use"),
}


class Ending(NamedTuple):
    """A way in which rights end.

    Attributes:
        ends: `below`: the right itself and what it gave; `everything`: all rights of the player.
        except_: what stays.
        may_keep: whether the player may name more that stays (`keep`).
    """

    ends: Literal["below", "everything"]
    except_: str
    may_keep: bool


#: Ending -> its row. A test of each is in `tests/api/accounts/test_rights.py`.
ENDINGS: Final[dict[str, Ending]] = {
    "revoke a token": Ending("below", "the calling token", True),
    "sign out": Ending("below", "ways in: tokens with all scopes, identities, the recovery code", True),
    "remove an app": Ending("below", "the calling token", True),
    "unlink an identity": Ending("below", "the calling token", True),
    "revoke others": Ending("everything", "the calling token", True),
    "recover": Ending("everything", "the new token", True),
    "expire": Ending("below", "nothing", False),
    "suspend": Ending("everything", "nothing is deleted; everything works again afterwards", False),
    "delete the account": Ending("everything", "nothing", False),
}


class Listed(NamedTuple):
    """A right as its player sees it.

    Attributes:
        id: names it in `keep`.
        name: given by the player; of an identity, the provider; None: it has none.
        given_by: id of its giver; None: not known.
        at: when it was made (ms); None: not known.
        is_way_in: whether somebody can come into the account with it, with all rights.
    """

    id: str
    kind: Kind
    name: str | None
    given_by: str | None
    at: int | None
    is_way_in: bool


def id_of_identity(identity_hash: str) -> str:
    """Return the id of an identity for use by its player."""
    return "id_" + identity_hash[:16]


def _givers(rights: Rights) -> dict[str, str | None]:
    """Return field of each right -> field of its giver."""
    givers: dict[str, str | None] = {name: token.get("by") for name, (_, token) in rights.tokens.items()}
    givers |= {name: identity.get("by") for name, identity in rights.identities.items()}
    givers |= {name: each.get("token") for name, each in rights.subscriptions.items()}
    if rights.recovery is not None:
        givers[RECOVERY] = rights.recovery.by
    return givers


def _below(givers: dict[str, str | None], ended: Iterable[str], stay: Collection[str]) -> set[str]:
    """Return rights (fields) and what they gave, except those that stay and what only these gave."""
    below: set[str] = set()
    left = [each for each in ended if each not in stay]
    while left:
        below.add(right := left.pop())
        left += [each for each, giver in givers.items() if giver == right and each not in stay and each not in below]
    return below


def _heir(givers: dict[str, str | None], giver: str | None, ended: Collection[str]) -> str | None:
    """Return the nearest giver above a right that does not end."""
    visited: set[str | None] = set()
    while giver in ended and giver not in visited:
        visited.add(giver)
        giver = givers.get(giver) if giver is not None else None
    return None if giver in ended else giver


def _is_way_in(rights: Rights, field: str) -> bool:
    if field in rights.tokens:
        return not has_limits(rights.tokens[field][1])
    return field in rights.identities or field == RECOVERY


class Endings:
    """Ends rights.

    Args:
        store: stores them.
        now: returns milliseconds since the epoch.
        check_settled: refuses a token made a moment ago, which neither adds nor ends ways into the account.
    """

    def __init__(self, store: RightsStore, now: Callable[[], int], check_settled: Callable[[Token], None]) -> None:
        self._store: Final = store
        self._now: Final = now
        self._check_settled: Final = check_settled

    def of_player(self, player: str) -> list[Listed]:
        """Return what gives access to an account, oldest first."""
        rights, now = self._store.of_player(player), self._now()
        listed = [
            Listed(
                name,
                "token",
                token["name"],
                _named_giver(token.get("by")),
                token["created_at"],
                _is_way_in(rights, name),
            )
            for name, (_, token) in rights.tokens.items()
            if token["expires_at"] is None or token["expires_at"] > now
        ]
        for name, identity in rights.identities.items():
            giver, at = _named_giver(identity.get("by")), identity["linked_at"]
            listed.append(Listed(id_of_identity(name), "identity", identity["provider"], giver, at, True))
        for name, each in rights.subscriptions.items():
            kind: Kind = "webhook" if each["kind"] == "webhook" else "device"
            label = each["target"]["name"] if kind == "webhook" else None
            listed.append(Listed(name, kind, label, each.get("token"), each["created_at"], False))
        if rights.recovery is not None:
            listed.append(Listed(RECOVERY, "recovery_code", None, rights.recovery.by, rights.recovery.at, True))
        return sorted(listed, key=lambda each: (each.at or 0, each.id))

    def end_token(self, player: str, token: str, by: Token | None = None, keep: Collection[str] = ()) -> bool:
        """End a token and what it gave; False if the player has no such token.

        Args:
            player: id of the player.
            token: id of the token.
            by: the calling token, which stays; if it is the token itself, ways into the account stay, too.
            keep: ids of rights that stay.

        Raises:
            DeviceTooNew: a way into the account would end that `by` did not give, and it was made a moment ago.
        """
        caller = by["id"] if by is not None else None
        while True:
            rights = self._store.of_player(player)
            if token not in rights.tokens:
                return False
            givers, stay = _givers(rights), self._fields(rights, keep)
            if caller == token:
                stay |= {field for field in givers if _is_way_in(rights, field)}
            elif caller is not None:
                stay.add(caller)
            stay.discard(token)
            ended = _below(givers, [token], stay)
            if by is not None:
                self._check_may_end(rights, ended, by)
            # Whoever came by the token must not cut itself off from what had given that.
            inherits = caller in _below(givers, [token], ())
            if (done := self._end(player, rights, ended, inherits=inherits)) != "again":
                return done == "done"

    def unlink(self, by: Token, identity: str, keep: Collection[str] = ()) -> bool:
        """Unlink an identity and end what it gave, except the calling token; False if the player has no such identity.

        Raises:
            LastWayIn: nothing else would lead back into the account.
            DeviceTooNew: as `end_token`.
        """
        player = by["player"]
        while True:
            rights = self._store.of_player(player)
            field = next((each for each in rights.identities if id_of_identity(each) == identity), None)
            if field is None:
                return False
            givers = _givers(rights)
            ended = _below(givers, [field], {*self._fields(rights, keep), by["id"]} - {field})
            if not self._leaves_a_way(rights, ended, by["id"]):
                raise LastWayIn
            self._check_may_end(rights, ended, by)
            inherits = by["id"] in _below(givers, [field], ())
            if (done := self._end(player, rights, ended, inherits=inherits)) != "again":
                return done == "done"

    def rotate(self, token: Token, old_hash: str, new_hash: str) -> bool:
        """Replace a token by another with the same rights; False if it is void already."""
        done = self._store.end(token["player"], (), None, proof=old_hash, new=(token, new_hash))
        return done == "done"

    def end_others(self, token: Token, old_hash: str, new_hash: str, keep: Collection[str] = ()) -> bool:
        """Replace a token, and end all other rights of its player except those to keep; False if it is void.

        Raises:
            DeviceTooNew: as `end_token`.
        """
        new: Token = {**token, "by": None}
        return self._end_all(token["player"], token, keep, old_hash, (new, new_hash), NOTHING)

    def recover(self, token: Token, token_hash: str, code_hash: str, keep: Collection[str], note: Note) -> bool:
        """Spend a recovery code for a token, and end all other rights except those to keep; False if it is void."""
        return self._end_all(token["player"], None, keep, code_hash, (token, token_hash), note)

    def _end_all(
        self, player: str, by: Token | None, keep: Collection[str], proof: str, new: tuple[Token, str], note: Note
    ) -> bool:
        while True:
            rights = self._store.of_player(player)
            stay = self._fields(rights, keep) | ({by["id"]} if by is not None else set())
            ended = _givers(rights).keys() - stay
            if by is not None:
                self._check_may_end(rights, ended, by)
            done = self._end(player, rights, ended, proof=proof, new=new, note=note, is_all=True)
            if done != "again":
                return done == "done"

    def _check_may_end(self, rights: Rights, ended: Collection[str], by: Token) -> None:
        """Refuse a token made a moment ago that would end a way into the account, except itself and what it gave."""
        own = _below(_givers(rights), [by["id"]], ())
        if any(_is_way_in(rights, each) for each in ended if each not in own):
            self._check_settled(by)

    def _end(
        self, player: str, rights: Rights, ended: Collection[str], *, inherits: bool = False, **more: object
    ) -> str:
        """End rights, after giving what stays of theirs to nobody; `inherits`: to what had given them, and stays."""
        givers = _givers(rights)
        if more.get("proof") in (None, *self._hashes(rights)):
            for field, giver in givers.items():
                if giver in ended and field not in ended:
                    self._store.give(player, field, _heir(givers, giver, ended) if inherits else None)
        return self._store.end(player, [*ended], rights, **more)  # type: ignore[arg-type]

    @staticmethod
    def _hashes(rights: Rights) -> list[str]:
        hashes = [token_hash for token_hash, _ in rights.tokens.values()]
        return hashes if rights.recovery is None else [*hashes, rights.recovery.code_hash]

    @staticmethod
    def _fields(rights: Rights, keep: Collection[str]) -> set[str]:
        named = {id_of_identity(each): each for each in rights.identities}
        return {named.get(each, each) for each in keep}

    def _leaves_a_way(self, rights: Rights, ended: Collection[str], caller: str) -> bool:
        now = self._now()
        tokens = [token for name, (_, token) in rights.tokens.items() if name not in ended and name != caller]
        return (
            (rights.recovery is not None and RECOVERY not in ended)
            or any(each not in ended for each in rights.identities)
            or any(
                not missing(each, ["account"]) and (each["expires_at"] is None or each["expires_at"] > now)
                for each in tokens
            )
        )


def _named_giver(giver: str | None) -> str | None:
    return giver if giver is None or giver == RECOVERY or giver.startswith("tk_") else id_of_identity(giver)
