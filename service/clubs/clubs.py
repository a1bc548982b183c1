"""Who belongs to a club, with what role, and who comes in: by a link, or when a request is accepted.

A club that is not listed is known only to those who belong to it; a link shows its name. A listed one shows everybody
its name, its description and how many belong to it, but not who. Rights are never copied: each request asks the club
for the player's role.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, NamedTuple, cast

from service.clubs.errors import ClubFull, ClubRoleNeeded, LastOwner, RemovedFromClub, TooManyClubs
from service.game.commands.transaction import RandomBytes
from service.game.errors import NameHeld, NotFound
from service.game.ids import CODE
from service.game.views.fields import timestamp
from service.people.people import People
from service.store.clubs.clubs import (
    Club,
    ClubStore,
    Membership,
    Role,
    forgotten,
    heir_of,
    owners,
    with_role,
    without,
)
from service.store.pages import Entry
from service.store.players.inbox import InboxStore, Note
from service.store.port import Player, is_suspended

#: Most clubs to which a player belongs or asks to belong, and most that a player owns when making another.
MOST_CLUBS: Final = 30
MOST_OWNED: Final = 5
#: Most people of a club, most owners and directors among them, most requests that wait, and most who stay removed.
MOST_MEMBERS: Final = 200
MOST_OFFICERS: Final = 20
MOST_REQUESTS: Final = 50
MOST_REMOVED: Final = 100
#: Longest name and description.
LONGEST_NAME: Final = 40
LONGEST_ABOUT: Final = 500
#: Length of the code of a link: 58 bits, since it works for as long as the club exists.
LINK_LENGTH: Final = 12
#: How long owners cannot change what an operator has written (ms).
HELD_MS: Final = 90 * 24 * 3_600_000
_DAY_MS: Final = 24 * 3_600_000


class Person(NamedTuple):
    """Somebody of a club."""

    player: Player
    membership: Membership


class Clubs:
    """See the module.

    Args:
        store: stores clubs.
        people: who may meet whom, and who they are.
        inbox: gets what becomes of requests.
        now: returns milliseconds since the epoch.
        random_bytes: for codes.
    """

    def __init__(
        self,
        store: ClubStore,
        people: People,
        inbox: InboxStore,
        now: Callable[[], int],
        random_bytes: RandomBytes,
    ) -> None:
        self._store: Final = store
        self._people: Final = people
        self._inbox: Final = inbox
        self._now: Final = now
        self._random_bytes: Final = random_bytes
        self._at_end: Callable[[Collection[str], str], None] = _nothing
        self._at_demotion: Callable[[Collection[str], str], None] = _nothing

    def on_end(
        self, end: Callable[[Collection[str], str], None], demotion: Callable[[Collection[str], str], None]
    ) -> None:
        """Have functions called with players (ids) whose rights in a club (id) have ended; they may be called again.

        Args:
            end: for those who no longer belong to it.
            demotion: for those who are only members now.
        """
        self._at_end, self._at_demotion = end, demotion

    # --- reading ------------------------------------------------------------------------------------------------------

    def of(self, player: str, club: str) -> Club:
        """Return a club (id) to which a player belongs.

        Raises:
            NotFound: there is none, or the player does not belong to it.
        """
        stored = self._store.get(club)
        if stored is None or player not in stored["members"]:
            raise NotFound(what="club", id=club)
        return stored

    def led(self, player: str, club: str, role: Role = "director") -> Club:
        """Return a club (id) in which a player has at least a role.

        Raises:
            NotFound: there is none, or the player does not belong to it.
            ClubRoleNeeded: the role does not suffice.
        """
        stored = self.of(player, club)
        self._check(stored, player, role)
        return stored

    def shown(self, player: str, club: str) -> Club:
        """Return a club (id) that a player belongs to, asks to join, or may find in the list.

        Raises:
            NotFound: there is none, or the player must not know of it.
        """
        stored = self._store.get(club)
        if stored is None or not (stored["is_listed"] or _knows(stored, player)):
            raise NotFound(what="club", id=club)
        return stored

    def mine(self, player: str) -> list[Club]:
        """Return the clubs of a player, and those that the player asks to join, the latest first."""
        return self._store.of_player(player, self._now())

    def listed(self, limit: int, before: Entry | None = None) -> tuple[list[Club], Entry | None]:
        """Return listed clubs, the largest first, and where the next page begins, or None."""
        places = self._store.listed(limit, before)
        clubs = self._store.several([club for _, club in places])
        self._store.unlist({club for _, club in places} - {club["id"] for club in clubs})
        return [club for club in clubs if club["is_listed"]], places[-1] if len(places) == limit else None

    def persons(self, club: Club) -> list[Person]:
        """Return who belongs to a club, in the order in which they came, without deleted accounts."""
        records = self._people.store.records(club["members"])
        return [Person(records[player], each) for player, each in club["members"].items() if player in records]

    def asking(self, club: Club, to: str) -> list[Player]:
        """Return who asks to join, as an owner or director (`to`) sees it: not those between whom there is a block."""
        apart = self._people.apart(to, club["requests"])
        return [*self._people.store.records([each for each in club["requests"] if each not in apart]).values()]

    def removed(self, club: Club) -> list[Player]:
        """Return who was removed, the latest last, without deleted accounts."""
        return [*self._people.store.records(club["removed"]).values()]

    def of_code(self, code: str, player: str = "") -> Club | None:
        """Return the club that a code opens; None if none, or if an owner and the player are apart."""
        club = self._store.of_code(code)
        return None if club is None or (player and self._people.is_apart(player, owners(club))) else club

    # --- coming and going ---------------------------------------------------------------------------------------------

    def create(self, player: str, about: Mapping[str, Any], club: str) -> Club:
        """Make a club with a player as owner. Idempotent for an id (`club`).

        Args:
            player: id.
            about: `name`, `about` and `is_listed`.
            club: its id.

        Raises:
            TooManyClubs: the player belongs to, or owns, as many as are allowed.
        """
        self._list(player, club)
        now = self._now()
        known = self._store.of_player(player, now)
        # What is on the list and not stored may be about to be, by another request.
        listed = self._store.add(player, club, now)
        others = {*listed} - {each["id"] for each in known if player not in owners(each)} - {club}
        if len(others) >= MOST_OWNED and all(each["id"] != club for each in known):
            self._store.drop(player, [club])
            raise TooManyClubs(limit=MOST_OWNED)
        return self._store.create(
            {
                "id": club,
                "name": about["name"],
                "about": about["about"],
                "is_listed": about["is_listed"],
                "members": {player: {"role": "owner", "since": now}},
                "requests": {},
                "removed": [],
                "code": self._new_code(),
                "created_at": now,
            }
        )

    def join(self, player: str, code: str) -> Club | None:
        """Let a player join by a link; None if the code leads nowhere. Who belongs to the club loses nothing by it.

        Raises:
            TooManyClubs, ClubFull, RemovedFromClub: the player does not join.
        """
        club = self.of_code(code, player)
        if club is None:
            return None

        def changed(stored: Club) -> Club:
            if stored["code"] != code:
                raise NotFound(what="code", id=code)
            return _joined(self._living(stored), player, self._now())

        return self._come(player, club, changed)

    def ask(self, player: Player, club: str) -> Club:
        """Ask to join a listed club: its owners and directors are told, except where there is a block.

        Raises:
            NotFound: see `shown`.
            TooManyClubs, ClubFull, RemovedFromClub: there is no request.
        """
        known = self.shown(player["id"], club)

        def changed(stored: Club) -> Club:
            if not (stored["is_listed"] or _knows(stored, player["id"])):
                raise NotFound(what="club", id=club)
            return _asking(self._asking_living(stored), player["id"], self._now())

        asked = self._come(player["id"], known, changed)
        if player["id"] not in known["requests"] and player["id"] in asked["requests"]:
            self._tell_officers(player, asked)
        return asked

    def withdraw(self, player: str, club: str) -> None:
        """Withdraw a request to join; do nothing if there is none."""
        self._store.change(club, lambda stored: _unasked(stored, player))
        stored = self._store.get(club)
        if stored is None or player not in stored["members"]:
            self._store.drop(player, [club])

    def answer(self, by: Player, club: str, player: str, *, accept: bool) -> Club:
        """Accept or decline a request to join, as an owner or director. The player is told if it is accepted.

        Raises:
            NotFound: also if the player does not ask.
            ClubRoleNeeded, ClubFull: it stays as it is.
        """

        def changed(stored: Club) -> Club:
            if player in stored["members"] and accept:
                return stored
            if player not in stored["requests"]:
                raise NotFound(what="player", id=player)
            return _joined(self._living(stored), player, self._now()) if accept else _unasked(stored, player)

        if self._people.is_apart(by["id"], [player]):
            self._check(self.of(by["id"], club), by["id"], "director")
            raise NotFound(what="player", id=player)
        after = self._as(by["id"], "director", club, changed)
        if player in after["members"]:
            data = {
                "club": club,
                "club_name": after["name"],
                "player": by["id"],
                "name": by["name"],
                "request": f"{club}:{player}:{after['members'][player]['since']}",
            }
            self._inbox.put(player, Note("club_joined", self._now(), data), "request")
        else:
            self._store.drop(player, [club])
        return after

    def leave(self, player: str, club: str) -> None:
        """Leave a club; do nothing if the player does not belong to it. Without members it is deleted.

        Raises:
            LastOwner: others belong to it, and the player is its only owner.
        """
        # To others a club must not be known by what is done for them. The list loses it last, but may have expired.
        if self._store.is_listed(player, club) or self._store.role(club, player) is not None:
            self._end(player, club, self._store.change(club, lambda stored: _left(stored, player)))

    def remove(self, by: str, club: str, player: str) -> Club:
        """Remove somebody else: as an owner anybody who is not one, as a director members.

        Neither link nor request lets the player in any more.

        Raises:
            NotFound: also if the player does not belong to the club, unless removed before.
            ClubRoleNeeded: the role does not suffice.
        """

        def changed(stored: Club) -> Club:
            if player in stored["removed"] and player not in stored["members"]:
                return stored
            if player not in stored["members"]:
                raise NotFound(what="player", id=player)
            role = stored["members"][player]["role"]
            if role == "owner" or (role == "director" and by not in owners(stored)):
                raise ClubRoleNeeded(role="owner")
            removed = [*(each for each in stored["removed"] if each != player), player][-MOST_REMOVED:]
            return {**without(stored, player), "removed": removed}

        before = self._store.role(club, player)
        left = self._as(by, "director", club, changed)
        # Else all has ended: the list loses it last.
        if before is not None or self._store.is_listed(player, club):
            self._end(player, club, left)
        return left

    def readmit(self, by: str, club: str, player: str) -> Club:
        """Let link and requests work again for a removed player, as an owner or director.

        Raises:
            NotFound, ClubRoleNeeded: see `_as`.
        """
        return self._as(
            by,
            "director",
            club,
            lambda stored: {**stored, "removed": [each for each in stored["removed"] if each != player]},
        )

    # --- by owners ----------------------------------------------------------------------------------------------------

    def change(self, player: str, club: str, changes: Mapping[str, Any]) -> Club:
        """Change `name`, `about` or `is_listed` of a club, as an owner. Who asks to join goes on asking.

        Raises:
            NotFound, ClubRoleNeeded: see `_as`.
            NameHeld: an operator has given the name and description.
        """

        def changed(stored: Club) -> Club:
            after = cast("Club", {**stored, **changes})
            is_held = stored.get("name_held_until", 0) > self._now()
            if is_held and (after["name"], after["about"]) != (stored["name"], stored["about"]):
                raise NameHeld(until=timestamp(stored["name_held_until"]))
            return after

        return self._as(player, "owner", club, changed)

    def renew(self, player: str, club: str) -> Club:
        """Replace the link, as an owner or director: the old one leads nowhere from now on. Who has joined stays.

        Raises:
            NotFound, ClubRoleNeeded: see `_as`.
        """
        code = self._new_code()
        return self._as(player, "director", club, lambda stored: {**stored, "code": code})

    def give(self, by: str, club: str, player: str, role: Role) -> Club:
        """Give a member a role, as an owner. An owner keeps it until they lay it down themselves.

        Raises:
            NotFound: also if the player does not belong to the club.
            ClubRoleNeeded: `by` is no owner, or the player another one.
            LastOwner: the only owner lays the role down.
            ClubFull: there are as many owners and directors as are allowed.
        """

        def changed(stored: Club) -> Club:
            if player not in stored["members"]:
                raise NotFound(what="player", id=player)
            if stored["members"][player]["role"] == role:
                return stored
            if player in owners(stored) and player != by:
                raise ClubRoleNeeded(role="owner")
            after = with_role(stored, player, role)
            if not owners(after):
                raise LastOwner
            if len(_officers(after)) > max(MOST_OFFICERS, len(_officers(stored))):
                raise ClubFull(limit=MOST_OFFICERS, what="officers")
            return after

        after = self._as(by, "owner", club, changed)
        if role == "member":
            self._at_demotion([player], club)
        return after

    def close(self, player: str, club: str) -> None:
        """Close a club for good, as an owner; do nothing if there is none any more.

        Raises:
            NotFound, ClubRoleNeeded: see `_as`.
        """
        self._check(self.of(player, club), player, "owner")
        self._close(club)

    # --- for accounts and operators -----------------------------------------------------------------------------------

    def step_down(self, player: str) -> None:
        """Give clubs whose only owner cannot act any more another one; without anybody else, the player stays it."""
        for club in self._store.of_player(player, self._now()):
            if owners(club) != [player]:
                continue
            unable = self._unable(club)

            def passed_on(stored: Club, unable: frozenset[str] = unable) -> Club:
                others: Club = {**stored, "members": {**stored["members"]}}
                others["members"].pop(player, None)
                heir = heir_of(others, unable)
                is_last = owners(stored) == [player] and heir is not None and heir not in unable
                return with_role(with_role(stored, heir, "owner"), player, "member") if is_last and heir else stored

            self._store.change(club["id"], passed_on)

    def rename(self, club: str, changes: Mapping[str, str]) -> Mapping[str, str]:
        """Write `name` or `about` of a club, which its owners cannot change for `HELD_MS`; return what was there.

        Raises:
            NotFound: there is no such club.
        """
        before: Any = self._store.get(club)
        held: Final = self._now() + HELD_MS

        def changed(stored: Club) -> Club:
            return cast("Club", {**stored, **changes, "name_held_until": held})

        if before is None or self._store.change(club, changed) is None:
            raise NotFound(what="club", id=club)
        return {field: before[field] for field in changes}

    def close_for_operator(self, club: str) -> str:
        """Close a club for good, and return its name.

        Raises:
            NotFound: there is no such club.
        """
        before = self._store.get(club)
        if before is None:
            raise NotFound(what="club", id=club)
        self._close(club)
        return before["name"]

    # --- helpers ------------------------------------------------------------------------------------------------------

    def _close(self, club: str) -> None:
        stored = self._store.get(club)
        if stored is None:
            return
        # What is told to end, before the club forgets what there was.
        self._at_end([*stored["members"]], club)
        self._store.change(club, lambda each: {**each, "members": {}, "requests": {}})
        for player in (*stored["members"], *stored["requests"]):
            self._store.announce(player)
            self._store.drop(player, [club])

    def _end(self, player: str, club: str, left: Club | None) -> None:
        """End what a player who no longer belongs to a club has there. May be called again.

        Args:
            left: the club without the player; None: it is gone.
        """
        if left is None or not _knows(left, player):
            self._at_end([player], club)
            self._store.announce(player)
            self._store.drop(player, [club])

    def _come(self, player: str, club: Club, change: Callable[[Club], Club]) -> Club:
        """Let a player join a club, or ask to, with a place on the player's list.

        Raises:
            NotFound, TooManyClubs, ClubFull, RemovedFromClub: the player does not.
        """
        # Refuse without a trace, where that is known already.
        change(club)
        is_new = not _knows(club, player)
        if is_new:
            self._list(player, club["id"])
        try:
            after = self._changed(club["id"], change)
        except (NotFound, ClubFull, RemovedFromClub):
            if is_new:
                self._store.drop(player, [club["id"]])
            raise
        # The list may have expired while the club lived on.
        self._store.add(player, club["id"], self._now())
        return after

    def _tell_officers(self, player: Player, club: Club) -> None:
        apart = self._people.apart(player["id"], _officers(club))
        now = self._now()
        data = {
            "club": club["id"],
            "club_name": club["name"],
            "player": player["id"],
            "name": player["name"],
            # Who withdraws and asks again is told of once a day.
            "request": f"{club['id']}:{player['id']}:{now // _DAY_MS}",
        }
        note = Note("club_asked", now, data)
        for officer in _officers(club):
            if officer not in apart:
                self._inbox.put(officer, note, "request")

    def _as(self, player: str, role: Role, club: str, change: Callable[[Club], Club]) -> Club:
        """Change a club, as somebody who has at least a role there.

        Raises:
            NotFound: there is none, or the player does not belong to it.
            ClubRoleNeeded: the role does not suffice.
        """

        def changed(stored: Club) -> Club:
            self._check(stored, player, role)
            return change(stored)

        return self._changed(club, changed)

    def _changed(self, club: str, change: Callable[[Club], Club]) -> Club:
        """Change a club; raise NotFound if there is none."""
        after = self._store.change(club, change)
        if after is None:
            raise NotFound(what="club", id=club)
        return after

    def _check(self, club: Club, player: str, role: Role) -> None:
        """Check that a player has at least a role in a club. Raises as `_as`."""
        membership = club["members"].get(player)
        if membership is None:
            raise NotFound(what="club", id=club["id"])
        if not is_at_least(membership["role"], role):
            raise ClubRoleNeeded(role=role)

    def _unable(self, club: Club) -> frozenset[str]:
        """Return who of a club cannot act: suspended players, and accounts that no longer exist."""
        records, now = self._people.store.records(club["members"]), self._now()
        return frozenset(
            player for player in club["members"] if player not in records or is_suspended(records[player], now)
        )

    def _list(self, player: str, club: str) -> None:
        """Put a club on the player's list first, so that concurrent requests cannot exceed the limit."""
        now = self._now()
        listed = self._store.add(player, club, now)
        if len(listed) > MOST_CLUBS:
            # Perhaps some have expired, or the player was removed from some.
            self._store.of_player(player, now)
            listed = self._store.add(player, club, now)
        if len(listed) > MOST_CLUBS:
            self._store.drop(player, [club])
            raise TooManyClubs(limit=MOST_CLUBS)

    def _living(self, club: Club) -> Club:
        """Return a club without accounts that no longer exist, if their places are needed."""
        return club if len(club["members"]) < MOST_MEMBERS else self._without_deleted(club, [*club["members"]])

    def _asking_living(self, club: Club) -> Club:
        """Return a club without requests of accounts that no longer exist, if their places are needed."""
        return club if len(club["requests"]) < MOST_REQUESTS else self._without_deleted(club, [*club["requests"]])

    def _without_deleted(self, club: Club, players: list[str]) -> Club:
        for player in {*players} - self._people.store.records(players).keys():
            club = forgotten(club, player)
        return club

    def _new_code(self) -> str:
        return "".join(CODE[byte % len(CODE)] for byte in self._random_bytes(LINK_LENGTH))


def _nothing(_players: Collection[str], _club: str) -> None:
    """Nothing ends with membership."""


def is_at_least(role: Role | None, wanted: Role) -> bool:
    """Return whether a role, or none, includes another."""
    order: Final = (None, "member", "director", "owner")
    return order.index(role) >= order.index(wanted)


def _knows(club: Club, player: str) -> bool:
    """Return whether a player belongs to a club, or asks to join it."""
    return player in club["members"] or player in club["requests"]


def _officers(club: Club) -> list[str]:
    """Return the owners and directors of a club (ids)."""
    return [player for player, membership in club["members"].items() if membership["role"] != "member"]


def _joined(club: Club, player: str, now: int) -> Club:
    """Return a club to which a player belongs."""
    if player in club["members"]:
        return club
    if player in club["removed"]:
        raise RemovedFromClub
    if len(club["members"]) >= MOST_MEMBERS:
        raise ClubFull(limit=MOST_MEMBERS, what="members")
    members: dict[str, Membership] = {**club["members"], player: {"role": "member", "since": now}}
    return _unasked({**club, "members": members}, player)


def _asking(club: Club, player: str, now: int) -> Club:
    """Return a club that a player asks to join."""
    if player in club["members"] or player in club["requests"]:
        return club
    if player in club["removed"]:
        raise RemovedFromClub
    if len(club["requests"]) >= MOST_REQUESTS:
        raise ClubFull(limit=MOST_REQUESTS, what="requests")
    return {**club, "requests": {**club["requests"], player: now}}


def _unasked(club: Club, player: str) -> Club:
    """Return a club without the request of a player."""
    return {**club, "requests": {name: at for name, at in club["requests"].items() if name != player}}


def _left(club: Club, player: str) -> Club:
    """Return a club that a player has left."""
    if owners(club) == [player] and len(club["members"]) > 1:
        raise LastOwner
    return without(club, player) if player in club["members"] else club
