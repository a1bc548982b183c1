"""The use cases of accounts: tokens, link codes, recovery codes, export and erasure."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

from service.accounts import codes, scopes
from service.accounts.errors import DeviceTooNew, InsufficientScope, Suspended, TooManyTokens, VoidCode
from service.accounts.rights import Endings
from service.game.errors import NameHeld, NotFound
from service.game.views.fields import timestamp
from service.rules.pools import POOLS
from service.store import keys
from service.store.boards.events import BoardResult, Entry
from service.store.boards.links import DealEntry, DealLink
from service.store.clubs.clubs import Club
from service.store.coach.past_rounds import Listed
from service.store.coach.riddles import Answered
from service.store.matchmaking.circles import Circle
from service.store.moderation.objections import Objection
from service.store.players.identities import Linked
from service.store.players.inbox import MOST_NOTES, Note
from service.store.players.people import Known
from service.store.players.results import Result
from service.store.players.tokens import DAY_MS, RECOVERY, Caller, Token, has_limits, id_of
from service.store.port import Player, Traces, is_suspended
from service.store.stores import Stores
from service.store.tournaments.comments import Comment
from service.store.tournaments.teams import EventNote

#: Most tokens of a player.
MOST_TOKENS: Final = 20
#: How long a link code works (ms).
LINK_MS: Final = 5 * 60_000
#: How long after it was made a token can neither add nor end ways into the account (ms).
NEW_MS: Final = 5 * 60_000


class EnteredEvent(NamedTuple):
    """An event that a player has entered, and the player's results by number of the board."""

    entry: Entry
    results: dict[int, BoardResult]


class Kept(NamedTuple):
    """All stored data of a player; `service.store.keys` says of each key whether it is exported."""

    player: Player
    tokens: list[Token]
    has_recovery: bool
    identities: list[Linked]
    results: dict[str, Result]
    ratings: dict[str, list[tuple[int, float]]]
    traces: Traces
    games: list[str]
    rounds: list[Listed]
    riddles: dict[str, Answered]
    notes: list[Note]
    boards: dict[str, EnteredEvent]
    directed: list[str]
    comments: dict[str, list[Comment]]
    event_notes: dict[str, list[EventNote]]
    circles: list[Circle]
    clubs: list[Club]
    deals_sent: list[DealLink]
    deals_entered: dict[str, DealEntry]
    blocked: dict[str, int]
    known: list[Known]
    reports: list[dict[str, Any]]
    objections: list[Objection]


class Accounts:
    """See the module.

    Args:
        stores: all of them, since export and erasure reach what any of them has of a player.
        now: returns milliseconds since the epoch.

    Attributes:
        rights: ends rights.
    """

    def __init__(self, stores: Stores, now: Callable[[], int]) -> None:
        self._stores: Final = stores
        self._now: Final = now
        self.rights: Final = Endings(stores.rights, now, self.check_settled)

    def caller(self, token_hash: str) -> Caller | None:
        """Return the player of a token, and the token; None if it does not exist or has expired."""
        record = self._stores.tokens.find(token_hash, self._now())
        return None if record is None or self._has_expired(record.token) else record

    def check_allowed(self, player: Player) -> None:
        """Refuse a suspended player.

        Raises:
            Suspended: with the end and the cause.
        """
        now = self._now()
        if is_suspended(player, now):
            suspension = player["suspension"]
            raise Suspended(
                until=timestamp(suspension["until"]),
                remaining_ms=suspension["until"] - now,
                cause=suspension["cause"],
                note=suspension["note"],
            )

    def player(self, player: str) -> Player:
        """Return a player.

        Raises:
            NotFound: there is none with this id.
        """
        record = self._stores.players.get(player)
        if record is None:
            raise NotFound(what="player", id=player)
        return record

    def find(self, player: str) -> Player | None:
        """Return a player; None if the account was deleted."""
        return self._stores.players.get(player)

    def change_profile(self, player: str, changes: Mapping[str, object]) -> Player | None:
        """Change what a player says about themselves; return the record, or None if the account was deleted.

        Raises:
            NameHeld: an operator has given the name.
        """

        def change(record: Player) -> Player:
            until = record.get("name_held_until", 0)
            if changes.get("name", record["name"]) != record["name"] and until > self._now():
                raise NameHeld(until=timestamp(until))
            return cast("Player", {**record, **changes})

        return self._stores.players.update(player, change)

    # --- tokens -------------------------------------------------------------------------------------------------------

    def tokens_of(self, player: str) -> tuple[list[Token], bool]:
        """Return the tokens of a player, oldest first, and whether there is a recovery code."""
        tokens, has_recovery = self._stores.tokens.of_player(player)
        return [token for token in tokens if not self._has_expired(token)], has_recovery

    def add(
        self, by: Token, token_hash: str, name: str, wanted: Sequence[str], lifetime_ms: int | None
    ) -> Token | None:
        """Create a token with at most the scopes and the lifetime of the calling token.

        Returns None if the player has been deleted meanwhile.

        Args:
            by: the calling token.
            token_hash: hash of the new token.
            name: given by the player.
            wanted: its scopes; all scopes include those of later releases.
            lifetime_ms: None: the lifetime of `by`.

        Raises:
            InsufficientScope: `by` lacks some of the scopes.
            DeviceTooNew: see `check_settled`, if the token has all scopes.
            TooManyTokens: the player has `MOST_TOKENS`.
        """
        if lacking := scopes.missing(by, wanted):
            raise InsufficientScope(required=lacking)
        granted = None if set(wanted) == set(scopes.SCOPES) else [scope for scope in scopes.SCOPES if scope in wanted]
        if granted is None:
            self.check_settled(by)
        now = self._now()
        ends = [at for at in (by["expires_at"], now + lifetime_ms if lifetime_ms else None) if at is not None]
        token = self._new(by["player"], token_hash, name, granted, min(ends, default=None), by["id"])
        return token if self._add(token, token_hash, "token") else None

    def add_for_app(
        self, by_hash: str, token_hash: str, name: str, wanted: Sequence[str], lifetime_ms: int, code_hash: str
    ) -> Token | None:
        """Exchange the code of an app for a token, made as by `add` with the granting token.

        Returns None if that token is void or lacks the scopes now, or if the code is spent or expired.

        Args:
            by_hash: hash of the token with which the player granted it.
            token_hash: hash of the new token.
            name: name of the app.
            wanted: its scopes.
            lifetime_ms: its longest lifetime.
            code_hash: hash of the code (`service.store.players.app_grants`).

        Raises:
            TooManyTokens: as `add`.
        """
        maker = self.caller(by_hash)
        if maker is None or scopes.missing(maker.token, ["account", *wanted]):
            return None
        ends = [at for at in (maker.token["expires_at"], self._now() + lifetime_ms) if at is not None]
        granted = [scope for scope in scopes.SCOPES if scope in wanted]
        token = self._new(maker.player["id"], token_hash, name, granted, min(ends), maker.token["id"])
        code, spent = keys.app_grant(code_hash), keys.app_spent(code_hash)
        return token if self._add(token, token_hash, "app", code, spent) else None

    def rename(self, player: str, token_id: str, name: str) -> Token | None:
        """Rename a token; None if the player has none with this id."""
        return self._stores.tokens.rename(player, token_id, name)

    def add_for_identity(
        self, player: str, identity_hash: str, token_hash: str, name: str | None, code_hash: str
    ) -> Caller | None:
        """Exchange the code of a sign-in for an unrestricted token; None if code, player or identity do not exist.

        Raises:
            TooManyTokens: as `add`.
        """
        token = self._new(player, token_hash, name, None, None, identity_hash)
        record = self._stores.players.get(player)
        if record is None or not self._add(token, token_hash, "identity", keys.sign_in(code_hash)):
            return None
        return Caller(record, token)

    def check_settled(self, by: Token) -> None:
        """Refuse a token made a moment ago for operations that add or end a way into the account.

        Whoever gets hold of a device for a moment, and links another one, gains nothing that the owner does not see
        first: all devices are told of the new one, and it cannot shut them out. The only token of a player may do
        everything, as may the first one:
        a player who registers with an external account links it at once.

        Raises:
            DeviceTooNew: says how long the token has to wait.
        """
        remaining_ms = by["created_at"] + NEW_MS - self._now()
        if remaining_ms <= 0:
            return
        player, others = self._stores.players.get(by["player"]), self.tokens_of(by["player"])[0]
        is_first = player is not None and by["created_at"] <= player.get("created_at", 0)
        is_first |= by.get("by") == RECOVERY
        if not is_first and any(each["id"] != by["id"] for each in others):
            raise DeviceTooNew(remaining_ms=remaining_ms)

    # --- link codes and recovery --------------------------------------------------------------------------------------

    def new_link(self, by: Token, token_hash: str, random_bytes: Callable[[int], bytes]) -> str:
        """Return a new link code. It works once, within `LINK_MS`, as long as the calling token is valid.

        Raises:
            DeviceTooNew: see `check_settled`.
        """
        if by["scopes"] is None:
            self.check_settled(by)
        code = codes.new_code(codes.LINK_LENGTH, random_bytes)
        self._stores.tokens.set_link(codes.hash_of(code), token_hash, LINK_MS)
        return code

    def link(self, code: str, token_hash: str, name: str) -> Caller:
        """Exchange a link code for a token with the rights of the token that made the code.

        Raises:
            VoidCode: the code is not known, spent or expired, or its token is void.
            TooManyTokens: the player has `MOST_TOKENS`; the code still works.
        """
        code_hash = codes.hash_of(code)
        maker_hash = self._stores.tokens.link(code_hash)
        maker = self.caller(maker_hash) if maker_hash is not None else None
        if maker is None:
            raise void_link(code)
        player, by = maker
        token = self._new(player["id"], token_hash, name, by["scopes"], by["expires_at"], by["id"])
        if not self._add(token, token_hash, "link", keys.link(code_hash)):
            raise void_link(code)
        return Caller(player, token)

    def new_recovery(self, by: Token, random_bytes: Callable[[int], bytes]) -> str:
        """Return a new recovery code of a player; the previous one becomes void.

        Raises:
            InsufficientScope: the token is restricted, but the code would not be.
            DeviceTooNew: see `check_settled`.
        """
        check_lasting(by)
        self.check_settled(by)
        code = codes.new_code(codes.RECOVERY_LENGTH, random_bytes)
        if not self._stores.tokens.set_recovery(
            by, codes.hash_of(code), access_added(by, "recovery_code", None, self._now())
        ):
            raise InsufficientScope(required=["account"])
        return code

    def player_of_recovery(self, code: str) -> Player:
        """Return the player whose recovery code this is.

        Raises:
            VoidCode: the code is unknown or no longer valid.
        """
        player = self._stores.tokens.recovery(codes.hash_of(code))
        record = self._stores.players.get(player) if player is not None else None
        if record is None:
            raise void_recovery(code)
        return record

    def recover(self, code: str, token_hash: str, name: str | None, keep: Sequence[str] = ()) -> Caller:
        """Exchange a recovery code for an unrestricted token; all other rights end, except those to keep.

        Raises:
            VoidCode: the code is unknown or no longer valid.
        """
        record = self.player_of_recovery(code)
        token = self._new(record["id"], token_hash, name, None, None, RECOVERY)
        note = _signed_in(token, "recovery")
        if not self.rights.recover(token, token_hash, codes.hash_of(code), keep, note):
            raise void_recovery(code)
        return Caller(record, token)

    # --- stored data --------------------------------------------------------------------------------------------------

    def data_of(self, player: Player) -> Kept:
        """Return all data stored of a player."""
        tokens, has_recovery = self._stores.tokens.of_player(player["id"])
        results = self._stores.results.of_player(player["id"], POOLS)
        ratings = {ruleset: self._stores.results.course(player["id"], ruleset) for ruleset in results}
        games = [game["game"] for game in self._stores.past_games.newest_first(player["id"])]
        notes = self._stores.inbox.after(player["id"], 0, MOST_NOTES)
        traces, entered = self._stores.players.traces(player["id"]), self._entered(player["id"])
        directed = list(self._stores.boards.teams.directed(player["id"]))
        reports = [each for each in self._stores.moderation.reports() if each["by"] == player["id"]]
        blocked, known = self._stores.people.blocks(player["id"]), self._stores.people.known(player["id"])
        return Kept(
            player=player,
            tokens=tokens,
            has_recovery=has_recovery,
            identities=self._stores.identities.of_player(player["id"]),
            results=results,
            ratings=ratings,
            traces=traces,
            games=games,
            riddles=self._stores.riddles.answers_of(player["id"]),
            rounds=list(self._stores.past_rounds.newest_first(player["id"])),
            notes=notes,
            boards=entered,
            directed=directed,
            comments=self._stores.boards.commented(player["id"]),
            event_notes=self._stores.boards.teams.notes_of(player["id"], entered),
            circles=self._stores.circles.of_player(player["id"], self._now()),
            clubs=self._stores.clubs.of_player(player["id"], self._now()),
            deals_sent=self._stores.deal_links.sent(player["id"], self._now()),
            deals_entered=self._stores.deal_links.entered(player["id"]),
            blocked=blocked,
            known=known,
            reports=reports,
            objections=self._stores.objections.of_player(player["id"]),
        )

    def _entered(self, player: str) -> dict[str, EnteredEvent]:
        entries = {}
        for name, entry in self._stores.boards.traces(player).items():
            event = self._stores.boards.event(name)
            boards = len(event["boards"]) if event is not None else 0
            entries[name] = EnteredEvent(entry, self._stores.boards.results_of(name, player, boards))
        return entries

    def erase(self, player: str) -> None:
        """Delete all data of a player who has left all tables."""
        self._stores.results.erase(player, POOLS)
        self._stores.boards.erase(player, self._now())
        self._stores.circles.erase(player)
        self._stores.clubs.erase(player)
        self._stores.deal_links.erase(player)
        self._stores.players.delete(player)
        self._stores.riddles.drop_of(player=player)
        self._stores.objections.erase(player)
        # Once more, since until the record was deleted, a finished game could still be settled
        # (`service.tables.results`).
        self._stores.results.erase(player, POOLS)

    def _has_expired(self, token: Token) -> bool:
        ends = token["expires_at"]
        return ends is not None and ends <= self._now()

    def _new(
        self,
        player: str,
        token_hash: str,
        name: str | None,
        granted: list[str] | None,
        expires_at: int | None,
        giver: str,
    ) -> Token:
        now = self._now()
        return {
            "id": id_of(token_hash),
            "player": player,
            "name": name,
            "scopes": granted,
            "created_at": now,
            "used_on": now // DAY_MS,
            "expires_at": expires_at,
            "by": giver,
        }

    def _add(self, token: Token, token_hash: str, how: str, code: str | None = None, spent: str | None = None) -> bool:
        player, note = token["player"], _signed_in(token, how)
        outcome = self._stores.tokens.add(token, token_hash, MOST_TOKENS, code, note, spent)
        if outcome == "full":
            for old in self._stores.tokens.of_player(player).tokens:
                if self._has_expired(old):
                    self.rights.end_token(player, old["id"])
            outcome = self._stores.tokens.add(token, token_hash, MOST_TOKENS, code, note, spent)
        if outcome == "full":
            raise TooManyTokens(limit=MOST_TOKENS)
        return outcome == "done"


def check_lasting(token: Token) -> None:
    """Refuse a restricted token for operations that give unrestricted rights.

    Raises:
        InsufficientScope: the token lacks scopes, or expires.
    """
    if lacking := scopes.missing(token, scopes.SCOPES):
        raise InsufficientScope(required=lacking)
    if token["expires_at"] is not None:
        raise InsufficientScope(required=["account"], reason="lasting_token")


def _signed_in(token: Token, how: str) -> Note:
    """Return the event for a new token; `how` it was made: token, link, recovery, app or identity."""
    data = {"token": token["id"], "name": token["name"], "how": how, "is_way_in": not has_limits(token)}
    return Note("signed_in", token["created_at"], data)


def access_added(by: Token, what: str, provider: str | None, now: int) -> Note:
    """Return the event for a new way into the account: `identity` (with its provider) or `recovery_code`."""
    return Note("access_added", now, {"what": what, "provider": provider, "token": by["id"], "name": by["name"]})


def void_link(code: str) -> VoidCode:
    """Return the refusal of a link code."""
    return codes.void(code, codes.LINK_LENGTH, "void_link_code")


def void_recovery(code: str) -> VoidCode:
    """Return the refusal of a recovery code."""
    return codes.void(code, codes.RECOVERY_LENGTH, "void_recovery_code")
