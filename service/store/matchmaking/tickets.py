"""Tickets of players waiting for a game, and the matches made of them.

A player has at most one ticket, and a ticket is in at most one match. Everything is in one slot, so each step is one
atomic script.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple, NotRequired, TypedDict

from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.scripts import Script, translate_errors

#: How long is stored where a player was seated, and with whom a player was matched (ms).
SEATED_MS: Final = 60_000
MET_MS: Final = 24 * 3_600_000
#: Number of latest matches stored per player.
_MOST_MET: Final = 2
#: Most matches made in one script, so that it does not block Redis for long.
MOST_TAKEN: Final = 100
#: Most matches processed in one call.
_MOST_DUE: Final = 200

_OPEN: Final = Script("open_ticket")
_CLOSE: Final = Script("close_ticket")
_TAKE: Final = Script("take_tickets")
_CONFIRM: Final = Script("confirm_match")
_END: Final = Script("end_match")


class Kind(TypedDict):
    """The kind of game; only players who want the same kind are matched."""

    ruleset: str
    players: int
    preset: str | None
    clock: str


class Ticket(TypedDict):
    """Players waiting for a game together.

    Attributes:
        id: identifies it.
        kind: the kind of game.
        players: ids, the one who asked first.
        ratings: ratings of the players; None for new players.
        window: lowest and highest rating of others; None: any.
        blocks: players blocked by one of them.
        met: players with whom one of them was matched twice in a row.
        since: when they began to wait (ms).
        ai_after_ms: waiting time after which AI players take the remaining seats; None: never.
        ai_level: level of these AI players.
    """

    id: str
    kind: Kind
    players: list[str]
    ratings: list[float | None]
    window: tuple[float | None, float | None]
    blocks: list[str]
    met: list[str]
    since: int
    ai_after_ms: int | None
    ai_level: str


class Match(TypedDict):
    """Players matched with each other.

    Attributes:
        id: identifies it.
        kind: the kind of game.
        seats: player of each seat; None: an AI.
        ai_level: level of the AI players.
        tickets: id, start of waiting (ms) and players of each ticket.
        made_at: when they were matched (ms).
        confirm_by: deadline for confirming (ms).
        seed: seed of an unrated game; left out for a rated one.
    """

    id: str
    kind: Kind
    seats: list[str | None]
    ai_level: str
    tickets: list[tuple[str, int, list[str]]]
    made_at: int
    confirm_by: int
    seed: NotRequired[str]


class Pending(NamedTuple):
    """A match, and who has confirmed it."""

    match: Match
    confirmed: frozenset[str]

    @property
    def missing(self) -> int:
        """Number of players who have not confirmed."""
        return len(people_of(self.match)) - len(self.confirmed)


class Held(NamedTuple):
    """The ticket of a player, and its match."""

    ticket: Ticket
    pending: Pending | None


def people_of(match: Match) -> list[str]:
    """Return the people of a match (ids), in the order of the seats."""
    return [player for player in match["seats"] if player is not None]


class TicketStore:
    """See the module."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def open(self, ticket: Ticket) -> str | None:
        """Open a ticket. If one of its players waits already, change nothing and return that player."""
        stored = codec.encode(codec.TICKET, ticket)
        busy: bytes = _OPEN.run(self._redis, _TICKETS, ticket["id"], stored, ticket["since"], *ticket["players"])
        return busy.decode() or None

    @translate_errors
    def close(self, ticket: Ticket) -> bool:
        """End a ticket; False if it is in a match or has ended."""
        return bool(_CLOSE.run(self._redis, _TICKETS, ticket["id"], *ticket["players"]))

    @translate_errors
    def of_player(self, player: str) -> Held | None:
        """Return the ticket of a player."""
        held = self._redis.hget(keys.TICKET_OF, player)
        if held is None:
            return None
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.hget(keys.TICKETS, held)
        pipeline.hget(keys.MATCH_OF, held)
        stored, match = pipeline.execute()
        if stored is None:
            return None
        return Held(_ticket(stored), self._pending(match.decode()) if match else None)

    @translate_errors
    def is_idle(self, now: int) -> bool:
        """Return whether nobody waits and no match is due. One round trip."""
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.exists(keys.WAITING)
        pipeline.zcount(keys.MATCHES_DUE, "-inf", now)
        return not any(pipeline.execute())

    @translate_errors
    def waiting(self) -> list[Ticket]:
        """Return the tickets without a match, the oldest first. Two round trips."""
        names = self._redis.zrange(keys.WAITING, 0, -1)
        stored = self._redis.hmget(keys.TICKETS, names) if names else []
        return [_ticket(value) for value in stored if value is not None]

    @translate_errors
    def take(self, matches: Sequence[Match], now: int) -> list[Match]:
        """Store matches, due at once, and return those that were stored.

        A match takes all its tickets, or none if one of them no longer waits. One round trip per `MOST_TAKEN`.
        """
        confirmed: list[Match] = []
        for start in range(0, len(matches), MOST_TAKEN):
            some = matches[start : start + MOST_TAKEN]
            names = [keys.WAITING, keys.MATCH_OF, keys.MATCHES_DUE, *(keys.match(match["id"]) for match in some)]
            arguments: list[str | bytes | int] = []
            for match in some:
                arguments += [
                    match["id"],
                    codec.encode(codec.MATCH, match),
                    len(people_of(match)),
                    len(match["tickets"]),
                ]
            tickets = [ticket for match in some for ticket, _, _ in match["tickets"]]
            outcomes = _TAKE.run(self._redis, names, now, *arguments, *tickets)
            confirmed += [match for match, is_made in zip(some, outcomes, strict=True) if is_made]
        return confirmed

    @translate_errors
    def due(self, now: int) -> list[Pending]:
        """Return due matches."""
        matches = self._redis.zrangebyscore(keys.MATCHES_DUE, "-inf", now, 0, _MOST_DUE)
        return [pending for match in matches if (pending := self._pending(match.decode())) is not None]

    @translate_errors
    def put_off(self, match: str, until: int) -> None:
        """Set a later due time (ms) of a match, if it is not over."""
        self._redis.zadd(keys.MATCHES_DUE, {match: until}, xx=True)

    @translate_errors
    def confirm(self, player: str, match: str, until: int) -> str:
        """Confirm a match for a player. Once all have confirmed, it is due at `until` (ms).

        Returns:
            `all`, `some`, or `gone` if the player is no longer in this match.
        """
        names = (keys.TICKET_OF, keys.MATCH_OF, keys.MATCHES_DUE, keys.match(match))
        outcome: bytes = _CONFIRM.run(self._redis, names, player, match, until)
        return outcome.decode()

    @translate_errors
    def end(self, match: Match, why: str) -> list[str] | None:
        """End a match; its tickets end, or wait again with their original start.

        Args:
            match: the match.
            why: `seated`: all tickets end; `late`: tickets with a player who has not confirmed end; or the id of the
                only ticket to end.

        Returns:
            The tickets that ended; None if the match is over already, or all have confirmed.
        """
        names = (*_TICKETS, keys.MATCHES_DUE, keys.match(match["id"]))
        tickets: list[str | int] = []
        for ticket, since, players in match["tickets"]:
            tickets += [ticket, since, len(players), *players]
        ended: list[bytes] | None = _END.run(self._redis, names, match["id"], why, *tickets)
        return None if ended is None else [ticket.decode() for ticket in ended]

    @translate_errors
    def note_seated(self, match: Match, table: str) -> None:
        """Record where the people of a match have been seated, and with whom."""
        people = people_of(match)
        pipeline = self._redis.pipeline(transaction=False)
        for player in people:
            pipeline.set(keys.seated(player), table, px=SEATED_MS)
            pipeline.lpush(keys.met(player), " ".join([match["id"], *people]))
            pipeline.ltrim(keys.met(player), 0, _MOST_MET - 1)
            pipeline.pexpire(keys.met(player), MET_MS)
        pipeline.execute()

    @translate_errors
    def set_seated(self, player: str, table: str) -> None:
        """Record where a player has been seated."""
        self._redis.set(keys.seated(player), table, px=SEATED_MS)

    @translate_errors
    def seated(self, player: str) -> str | None:
        """Return where a player was recently seated."""
        table = self._redis.get(keys.seated(player))
        return None if table is None else table.decode()

    @translate_errors
    def met(self, players: Iterable[str]) -> set[str]:
        """Return the players who were in both of the last two matches of one of these players."""
        everybody = list(players)
        pipeline = self._redis.pipeline(transaction=False)
        for player in everybody:
            pipeline.lrange(keys.met(player), 0, -1)
        known: set[str] = set()
        for matches in pipeline.execute():
            # The same match can be there twice if it was seated again after a crash.
            met = [set(others) for _, *others in {match: match.decode().split() for match in matches}.values()]
            if len(met) == _MOST_MET:
                known |= set.intersection(*met)
        return known.difference(everybody)

    @translate_errors
    def forget(self, players: Collection[str]) -> None:
        """Delete where players were seated, and with whom they were matched."""
        pipeline = self._redis.pipeline(transaction=False)
        for player in players:
            pipeline.delete(keys.seated(player))
            pipeline.delete(keys.met(player))
        pipeline.execute()

    def _pending(self, match: str) -> Pending | None:
        fields: dict[bytes, bytes] = self._redis.hgetall(keys.match(match))
        if not fields:
            return None
        record: Match = codec.decode(codec.MATCH, fields[b"m"], f"match {match}")
        return Pending(record, frozenset(name[2:].decode() for name in fields if name.startswith(b"c:")))


_TICKETS: Final = (keys.TICKET_OF, keys.TICKETS, keys.WAITING, keys.MATCH_OF)


def _ticket(stored: bytes) -> Ticket:
    ticket: Ticket = codec.decode(codec.TICKET, stored, "a ticket")
    return ticket
