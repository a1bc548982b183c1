"""Who may come in: blocked networks, registration, registration codes, and who may have come back."""

from collections.abc import Callable, Collection
from hashlib import sha256
from typing import Final, NamedTuple

from service.game.errors import NotFound
from service.moderation.errors import RegistrationClosed, TooManyCodes
from service.moderation.moderation import Moderation
from service.store.moderation.admission import (
    MOST_CODES,
    OPERATORS,
    AdmissionStore,
    Block,
    Doors,
    Invite,
    Registration,
)
from service.store.moderation.origins import Alike, OriginStore, What
from service.store.port import Player, PlayerStore, is_suspended

#: How long a registration code of a player works, and counts (ms).
INVITE_MS: Final = 30 * 24 * 3_600_000
_DAY_MS: Final = 24 * 3_600_000


class Returned(NamedTuple):
    """An account that shares something with another one; `player` is None if it was deleted."""

    alike: Alike
    player: Player | None


class Admission:
    """See the module.

    Args:
        store, origins, players: the stores.
        most_codes: most registration codes that a player may make within `INVITE_MS`.
        operators: names of all operators there are; the codes of others are void.
        now: returns milliseconds since the epoch.
    """

    def __init__(
        self,
        store: AdmissionStore,
        origins: OriginStore,
        players: PlayerStore,
        most_codes: int,
        operators: Collection[str],
        now: Callable[[], int],
    ) -> None:
        self.doors: Final[Callable[[], Doors]] = store.doors
        self.most_codes: Final = most_codes
        self._store: Final = store
        self._origins: Final = origins
        self._players: Final = players
        self._operators: Final = frozenset(operators)
        self._now: Final = now

    # --- registration -------------------------------------------------------------------------------------------------

    def register(self, registration: Registration, player: Player, token_hash: str, code_hash: str | None) -> Player:
        """Store a new player if they may register, and return the record.

        Args:
            registration: who may register now.
            player, token_hash: see `PlayerStore.create`.
            code_hash: hash of the registration code, if any; looked at only if one is needed.

        Raises:
            RegistrationClosed: they may not.
        """
        if registration == "closed":
            raise RegistrationClosed(reason="registration_closed")
        if registration == "invited":
            if code_hash is None:
                raise RegistrationClosed(reason="registration_code_needed")
            invite = self._store.invite(code_hash)
            if invite is None or not self._is_valid(invite):
                raise VoidInvite
            player = {**player, "invited_by": invite["giver"]}
        if not self._players.create(player, token_hash, code_hash if registration == "invited" else None):
            raise VoidInvite
        return player

    def _is_valid(self, invite: Invite) -> bool:
        """Return whether whoever has made a code may still let others in."""
        if invite["giver"] == OPERATORS:
            return invite.get("operator", "") in self._operators
        giver = self._players.get(invite["giver"])
        return giver is not None and not is_suspended(giver, self._now())

    # --- registration codes -------------------------------------------------------------------------------------------

    def invite(
        self, giver: str, code_hash: str, *, note: str | None, uses: int = 1, until: int = 0, operator: str = ""
    ) -> Invite:
        """Store a registration code that a player has made, or operators.

        Raises:
            TooManyCodes: the giver has made too many.
        """
        now = self._now()
        record: Invite = {
            "id": _id_of(code_hash),
            "giver": giver,
            "operator": operator,
            "note": note,
            "at": now,
            "until": until or now + INVITE_MS,
            "uses": uses,
        }
        most = MOST_CODES if giver == OPERATORS else self.most_codes
        if not self._store.make_invite(code_hash, record, most, now):
            raise TooManyCodes(limit=most, days=INVITE_MS // _DAY_MS)
        return {**record, "left": uses}

    def invites(self, giver: str) -> list[Invite]:
        """Return the codes of a giver, oldest first."""
        return sorted(self._store.invites(giver, self._now()).values(), key=lambda invite: invite["at"])

    def void_invite(self, giver: str, invite_id: str) -> None:
        """Make a code of a giver void.

        Raises:
            NotFound: there is no such code.
        """
        for code_hash, invite in self._store.invites(giver, self._now()).items():
            if invite["id"] == invite_id:
                self._store.void_invite(code_hash, invite)
                return
        raise NotFound(what="registration_code", id=invite_id)

    # --- what operators change ----------------------------------------------------------------------------------------

    def switch(self, by: Moderation, operator: str, registration: Registration | None) -> None:
        """Set who may register; None: as the settings say."""
        self._store.switch({"registration": registration, "at": self._now(), "by": operator})
        by.note("set_registration", "registration", {"registration": registration or "setting"})

    def block(self, by: Moderation, operator: str, network: str, note: str | None, until: int | None) -> Block | None:
        """Block a network, or change its block; return None if there are too many others."""
        block: Block = {"network": network, "at": self._now(), "by": operator, "note": note, "until": until}
        if not self._store.block(block):
            return None
        by.note("block_network", network, {"note": note})
        return block

    def unblock(self, by: Moderation, network_id: str) -> None:
        """End a block, by its id.

        Raises:
            NotFound: there is no such block.
        """
        network = next((each["network"] for each in self.doors().blocks if block_id(each) == network_id), None)
        if network is None or not self._store.unblock(network):
            raise NotFound(what="block", id=network_id)
        by.note("unblock_network", network, {})

    # --- who may have come back ---------------------------------------------------------------------------------------

    def note(self, player: str, what: What, text: str) -> None:
        """Note from where a player comes."""
        self._origins.note(player, what, text, self._now())

    def alike(self, player: str) -> list[Returned]:
        """Return the accounts that share an address or an external account with a player, the latest first."""
        return [Returned(each, self._players.get(each.player)) for each in self._origins.alike(player, self._now())]


class VoidInvite(RegistrationClosed):
    """The registration code is not valid, or used up."""

    def __init__(self) -> None:
        super().__init__(reason="registration_code_void")


def block_id(block: Block) -> str:
    """Return the id of a block."""
    return "bk_" + sha256(block["network"].encode()).hexdigest()[:12]


def _id_of(code_hash: str) -> str:
    # A hash of the hash, so that the id tells nothing that is stored.
    return "rc_" + sha256(code_hash.encode()).hexdigest()[:12]
