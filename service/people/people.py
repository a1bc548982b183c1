"""The use cases of people: blocks, friends, and whether people may meet."""

from collections.abc import Callable, Collection, Sequence
from itertools import permutations
from typing import Final, NamedTuple, cast

from service.game.errors import NotFound, PrivateTable
from service.game.events.types import Event
from service.game.state.queries import seat_of
from service.game.state.types import State
from service.people.errors import Apart, PlayerBlocked, TooManyBlocks, TooManyFriends
from service.store.players.inbox import InboxStore, Note
from service.store.players.people import MOST_BLOCKS, MOST_FRIENDS, PeopleStore, Tie
from service.store.port import Player, PlayerStore, is_suspended
from service.tables.ports import Admit

#: Most players that one player can mute; a further one replaces the first.
MOST_MUTED: Final = 200


class Person(NamedTuple):
    """An entry of a player's list of blocks or friends.

    Attributes:
        player: the record.
        since: since when (ms).
        tie: the relation; None in a list of blocks.
        is_here: whether a friend is online and lets friends see it.
    """

    player: Player
    since: int
    tie: Tie | None = None
    is_here: bool = False


class People:
    """See the module.

    Args:
        store: stores blocks and friends.
        players: stores whom each has muted.
        inbox: receives invitations.
        now: returns milliseconds since the epoch.
    """

    def __init__(self, store: PeopleStore, players: PlayerStore, inbox: InboxStore, now: Callable[[], int]) -> None:
        self.store: Final = store
        self._players: Final = players
        self._inbox: Final = inbox
        self._now: Final = now

    # --- blocks -------------------------------------------------------------------------------------------------------

    def block(self, player: str, other: str) -> None:
        """Block a player, which ends a friendship, and mute them.

        Raises:
            NotFound: there is no such player.
            TooManyBlocks: the player has reached the limit.
        """
        outcome = self.store.block(player, other, self._now())
        if outcome == "gone":
            raise NotFound(what="player", id=other)
        if outcome == "full":
            raise TooManyBlocks(limit=MOST_BLOCKS)
        self._change_mutes(player, lambda muted: _with(muted, other))

    def unblock(self, player: str, other: str) -> None:
        """End a block, and the mute that came with it."""
        self.store.unblock(player, other)
        self.unmute(player, other)

    def blocks(self, player: str) -> list[Person]:
        """Return the players whom a player has blocked, the latest last, without deleted ones."""
        blocks = self.store.blocks(player)
        records = self.store.records(blocks)
        return [Person(records[other], since) for other, since in blocks.items() if other in records]

    # --- mutes --------------------------------------------------------------------------------------------------------

    def mute(self, player: str, other: str) -> None:
        """Mute a player: their messages come without text. The latest `MOST_MUTED` stay muted.

        Raises:
            NotFound: there is no such player.
        """
        if self._players.get(other) is None:
            raise NotFound(what="player", id=other)
        self._change_mutes(player, lambda muted: _with(muted, other))

    def unmute(self, player: str, other: str) -> None:
        """End a mute."""
        self._change_mutes(player, lambda muted: [each for each in muted if each != other])

    def _change_mutes(self, player: str, change: Callable[[list[str]], list[str]]) -> None:
        self._players.update(
            player, lambda record: cast("Player", {**record, "muted": change(record.get("muted", []))})
        )

    # --- friends ------------------------------------------------------------------------------------------------------

    def befriend(self, player: Player, other: str) -> None:
        """Send a friend request, or accept the other player's request.

        Raises:
            NotFound: there is no such player.
            PlayerBlocked: `player` has blocked the other.
            TooManyFriends: the player has reached the limit.
        """
        record = self.store.records([other]).get(other)
        if record is None or other == player["id"]:
            raise NotFound(what="player", id=other)
        now = self._now()
        notes = (_note("friend_made", now, record), _note("friend_made", now, player))
        outcome = self.store.befriend(player["id"], other, now, notes, _note("friend_asked", now, player))
        if outcome == "gone":
            raise NotFound(what="player", id=other)
        if outcome == "blocked":
            raise PlayerBlocked
        if outcome == "full":
            raise TooManyFriends(limit=MOST_FRIENDS)

    def friends(self, player: str) -> list[Person]:
        """Return friends (online ones first), and sent and received requests."""
        known = self.store.known(player)
        records = self.store.records([each.player for each in known])
        friends = [records[each.player] for each in known if each.tie == "friend" and each.player in records]
        visible = [friend["id"] for friend in friends if friend.get("presence", "friends") == "friends"]
        here = self.store.here(visible, self._now())
        people = [
            Person(records[each.player], each.since, each.tie, each.player in here)
            for each in known
            if each.player in records
        ]
        order = ("asks", "friend", "asked")
        return sorted(people, key=lambda person: (order.index(str(person.tie)), not person.is_here))

    def part(self, player: str, other: str) -> None:
        """End a friendship, or withdraw or decline a request."""
        self.store.part(player, other)

    # --- admission to tables ------------------------------------------------------------------------------------------

    def to_sit(self, player: str, join_code: str | None) -> Admit:
        """Return an `Admit` that refuses to seat a player with somebody if one has blocked the other.

        It refuses as a private table does whose code has changed, so that nobody learns who blocked whom. The host of
        a table is never refused: `to_start` parts the two.
        """

        def admit(state: State, _: Sequence[Event]) -> None:
            if state["host"] != player and self.is_apart(player, people_at(state)):
                raise PrivateTable(reason="wrong_join_code" if join_code else "no_join_code")

        return admit

    def to_start(self, state: State, events: Sequence[Event]) -> None:
        """Refuse to start a game between people of whom one has blocked another.

        They may have been seated before the block.

        Raises:
            Apart: names the one who has to leave: not the host, and of two others the one on the later seat.
        """
        if not any(event["type"] == "game_started" for event in events):
            return
        there = people_at(state)
        blocked = self.store.blocked(permutations(there, 2))
        if blocked:
            raise Apart(max((who for pair in blocked for who in pair), key=there.index))

    def is_apart(self, player: str, others: Collection[str]) -> bool:
        """Return whether there is a block in either direction between a player and one of the others."""
        return bool(self.apart(player, others))

    def apart(self, player: str, others: Collection[str]) -> set[str]:
        """Return those of some others between whom and a player there is a block in either direction."""
        pairs = [(player, other) for other in others if other != player]
        blocked = self.store.blocked([*pairs, *((other, one) for one, other in pairs)]) if pairs else set()
        return {name for pair in blocked for name in pair} - {player}

    def unheard(self, players: Collection[str], by: str) -> set[str]:
        """Return which of some players (ids) want to hear nothing of another one, whom they have blocked or muted.

        Not those whom that one has blocked: they would learn of the block.
        """
        records, blocked = self.store.records(players), self.store.blocked([(each, by) for each in players])
        muted = {each for each, record in records.items() if by in record.get("muted", ())}
        return muted | {each for each, _ in blocked}

    def is_barred(self, player: str, state: State) -> bool:
        """Return whether there is a block between a player without a part in a table and somebody there.

        One round trip, none for those at the table.
        """
        there = people_at(state)
        return player not in there and self.is_apart(player, there)

    def invite(self, by: Player, player: str, state: State, invitation: str) -> None:
        """Put an invitation to a table into the inbox of a player who accepts it, once.

        The result is not returned, so that nobody learns of blocks or of who accepts no invitations.

        Args:
            by: id of the inviter, who sits there or is the host.
            player: id of the invited player.
            state: the table.
            invitation: its id.

        Raises:
            NotFound: there is no such player.
        """
        record = self.store.records([player]).get(player)
        if record is None:
            raise NotFound(what="player", id=player)
        there, settings = people_at(state), state["settings"]
        if seat_of(state, player) is not None or not self._takes_invitations(record, by["id"], there):
            return
        data = {
            "invitation": invitation,
            "table": state["id"],
            "ruleset": state["ruleset"],
            "player": by["id"],
            "name": by["name"],
            "join_code": settings["join_code"] if settings["visibility"] == "private" else None,
        }
        self._inbox.put(player, Note("invited", self._now(), data), "invitation")

    def takes_invitations(self, player: str, by: str, there: Collection[str] = ()) -> bool:
        """Return whether a player (id) accepts invitations by somebody (id) to play with others (ids).

        There must be no block between the player and any of them, and the player must not be suspended.
        """
        record = self.store.records([player]).get(player)
        return record is not None and self._takes_invitations(record, by, there)

    def _takes_invitations(self, record: Player, by: str, there: Collection[str] = ()) -> bool:
        if is_suspended(record, self._now()):
            return False
        player, wanted = record["id"], record.get("invitations", "anyone")
        is_wanted = wanted == "anyone" or (wanted == "friends" and bool(self.store.are_friends(player, [by])))
        return is_wanted and not self.is_apart(player, {*there, by})


def people_at(state: State) -> list[str]:
    """Return the people at a table (ids): the host first, then in the order of seats."""
    seated = [seat["occupant"]["player"] for seat in state["seats"] if seat["occupant"]]
    return list(dict.fromkeys(player for player in (state["host"], *seated) if player))


def _with(muted: list[str], other: str) -> list[str]:
    return [*(each for each in muted if each != other), other][-MOST_MUTED:]


def _note(kind: str, at: int, about: Player) -> Note:
    return Note(kind, at, {"player": about["id"], "name": about["name"]})
