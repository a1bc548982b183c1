"""Tickets: who waits for a game, and matches of those who are to play together.

A player has one ticket at most, and a ticket is in one match at most. Everything lies in one slot, so each step is one
script, all or nothing.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final, NamedTuple, NotRequired, Protocol, TypedDict

from service.store import codec, keys
from service.store.connections.clients import Client
from service.store.scripts import Script, translate_errors

#: How long it is remembered where somebody was seated (ms), and with whom a player has been matched.
SEATED_MS: Final = 60_000
MET_MS: Final = 24 * 3_600_000
#: Matches of a player that are remembered.
_MOST_MET: Final = 2
#: Matches that are made in one script: so many that others need not wait for it.
MOST_TAKEN: Final = 100
#: Matches that are looked at in one call.
_MOST_DUE: Final = 200

_OPEN: Final = Script("open_ticket")
_CLOSE: Final = Script("close_ticket")
_TAKE: Final = Script("take_tickets")
_CONFIRM: Final = Script("confirm_match")
_END: Final = Script("end_match")


class Kind(TypedDict):
    """What game is wanted: only those who want the same are matched."""

    ruleset: str
    players: int
    preset: str | None
    clock: str


class Ticket(TypedDict):
    """Players who wait for a game together.

    Attributes:
        id: names it.
        kind: what game they want.
        players: ids, whoever asked first.
        ratings: of the players; None: a newcomer's.
        window: from which to which rating others may have; None: any.
        blocks: players whom one of them has blocked.
        met: players with whom one of them has been matched twice in a row.
        since: since when they wait (ms).
        ai_after_ms: after how long AI players take the seats that are left; None: never.
        ai_level: of these.
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
    """Those who are to play together.

    Attributes:
        id: names it.
        kind: of the game.
        seats: player of each seat; None: an AI.
        ai_level: of the AI players.
        tickets: id, since when it waits (ms) and players of each ticket.
        made_at: when they were matched (ms).
        confirm_by: until when all must confirm (ms).
        seed: of an unrated game; left out: it counts for ratings.
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
        """How many have not confirmed."""
        return len(people_of(self.match)) - len(self.confirmed)


class Held(NamedTuple):
    """The ticket of a player, and the match that it is in."""

    ticket: Ticket
    pending: Pending | None


def people_of(match: Match) -> list[str]:
    """Return the people of a match (ids), in the order of the seats."""
    return [player for player in match["seats"] if player is not None]


class TicketStore(Protocol):
    """See the module."""

    def open(self, ticket: Ticket) -> str | None:
        """Let players wait; returns the one of them who waits already, and nothing has changed then."""

    def close(self, ticket: Ticket) -> bool:
        """End a ticket; False: it is in a match, or ended."""

    def of_player(self, player: str) -> Held | None:
        """Return the ticket of a player."""

    def is_idle(self, now: int) -> bool:
        """Tell whether nobody waits and no match is due. One round trip."""

    def waiting(self) -> list[Ticket]:
        """Return the tickets that are in no match, the oldest first. Two round trips."""

    def take(self, matches: Sequence[Match], now: int) -> list[Match]:
        """Make matches of their tickets, due at once, and return those that were made.

        Of each match all tickets are taken, or none if one of them does not wait any more. One round trip for
        `MOST_TAKEN`.
        """

    def due(self, now: int) -> list[Pending]:
        """Return matches that are to be looked at."""

    def put_off(self, match: str, until: int) -> None:
        """Let a match be looked at later (ms), if it is not over."""

    def confirm(self, player: str, match: str, until: int) -> str:
        """Note that a player confirms a match; once all have, it is due at `until` (ms).

        Returns:
            `all`, `some`, or `gone`: the player is not in this match any more.
        """

    def end(self, match: Match, why: str) -> list[str] | None:
        """End a match; its tickets end or wait again, each since it was opened.

        Args:
            match: the match.
            why: `seated`: all tickets end; `late`: those of which somebody has not confirmed; or a ticket (id), which
                alone ends.

        Returns:
            The tickets that have ended; None: the match is over already, or all have confirmed.
        """

    def note_seated(self, match: Match, table: str) -> None:
        """Remember where the people of a match have been seated, and with whom."""

    def set_seated(self, player: str, table: str) -> None:
        """Remember where a player has been seated."""

    def seated(self, player: str) -> str | None:
        """Return where a player has been seated a moment ago."""

    def met(self, players: Iterable[str]) -> set[str]:
        """Return with whom one of some players has been matched in the last two matches."""

    def forget(self, players: Collection[str]) -> None:
        """Forget where players were seated, and with whom they were matched."""


class RedisTicketStore:
    """`TicketStore` on Redis."""

    def __init__(self, client: Client) -> None:
        self._redis: Final[Any] = client

    @translate_errors
    def open(self, ticket: Ticket) -> str | None:
        """See `TicketStore.open`."""
        stored = codec.encode(codec.TICKET, ticket)
        busy: bytes = _OPEN.run(self._redis, _TICKETS, ticket["id"], stored, ticket["since"], *ticket["players"])
        return busy.decode() or None

    @translate_errors
    def close(self, ticket: Ticket) -> bool:
        """See `TicketStore.close`."""
        return bool(_CLOSE.run(self._redis, _TICKETS, ticket["id"], *ticket["players"]))

    @translate_errors
    def of_player(self, player: str) -> Held | None:
        """See `TicketStore.of_player`."""
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
        """See `TicketStore.is_idle`."""
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.exists(keys.WAITING)
        pipeline.zcount(keys.MATCHES_DUE, "-inf", now)
        return not any(pipeline.execute())

    @translate_errors
    def waiting(self) -> list[Ticket]:
        """See `TicketStore.waiting`."""
        names = self._redis.zrange(keys.WAITING, 0, -1)
        stored = self._redis.hmget(keys.TICKETS, names) if names else []
        return [_ticket(value) for value in stored if value is not None]

    @translate_errors
    def take(self, matches: Sequence[Match], now: int) -> list[Match]:
        """See `TicketStore.take`."""
        made: list[Match] = []
        for start in range(0, len(matches), MOST_TAKEN):
            some = matches[start : start + MOST_TAKEN]
            names = [keys.WAITING, keys.MATCH_OF, keys.MATCHES_DUE, *(keys.match(match["id"]) for match in some)]
            told: list[str | bytes | int] = []
            for match in some:
                told += [match["id"], codec.encode(codec.MATCH, match), len(people_of(match)), len(match["tickets"])]
            tickets = [ticket for match in some for ticket, _, _ in match["tickets"]]
            outcomes = _TAKE.run(self._redis, names, now, *told, *tickets)
            made += [match for match, is_made in zip(some, outcomes, strict=True) if is_made]
        return made

    @translate_errors
    def due(self, now: int) -> list[Pending]:
        """See `TicketStore.due`."""
        found = self._redis.zrangebyscore(keys.MATCHES_DUE, "-inf", now, 0, _MOST_DUE)
        return [pending for match in found if (pending := self._pending(match.decode())) is not None]

    @translate_errors
    def put_off(self, match: str, until: int) -> None:
        """See `TicketStore.put_off`."""
        self._redis.zadd(keys.MATCHES_DUE, {match: until}, xx=True)

    @translate_errors
    def confirm(self, player: str, match: str, until: int) -> str:
        """See `TicketStore.confirm`."""
        names = (keys.TICKET_OF, keys.MATCH_OF, keys.MATCHES_DUE, keys.match(match))
        outcome: bytes = _CONFIRM.run(self._redis, names, player, match, until)
        return outcome.decode()

    @translate_errors
    def end(self, match: Match, why: str) -> list[str] | None:
        """See `TicketStore.end`."""
        names = (*_TICKETS, keys.MATCHES_DUE, keys.match(match["id"]))
        tickets: list[str | int] = []
        for ticket, since, players in match["tickets"]:
            tickets += [ticket, since, len(players), *players]
        ended: list[bytes] | None = _END.run(self._redis, names, match["id"], why, *tickets)
        return None if ended is None else [ticket.decode() for ticket in ended]

    @translate_errors
    def note_seated(self, match: Match, table: str) -> None:
        """See `TicketStore.note_seated`."""
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
        """See `TicketStore.set_seated`."""
        self._redis.set(keys.seated(player), table, px=SEATED_MS)

    @translate_errors
    def seated(self, player: str) -> str | None:
        """See `TicketStore.seated`."""
        table = self._redis.get(keys.seated(player))
        return None if table is None else table.decode()

    @translate_errors
    def met(self, players: Iterable[str]) -> set[str]:
        """See `TicketStore.met`."""
        asked = list(players)
        pipeline = self._redis.pipeline(transaction=False)
        for player in asked:
            pipeline.lrange(keys.met(player), 0, -1)
        found: set[str] = set()
        for matches in pipeline.execute():
            # The same match twice is one that was seated again after a crash.
            met = [set(others) for _, *others in {match: match.decode().split() for match in matches}.values()]
            if len(met) == _MOST_MET:
                found |= set.intersection(*met)
        return found.difference(asked)

    @translate_errors
    def forget(self, players: Collection[str]) -> None:
        """See `TicketStore.forget`."""
        pipeline = self._redis.pipeline(transaction=False)
        for player in players:
            pipeline.delete(keys.seated(player))
            pipeline.delete(keys.met(player))
        pipeline.execute()

    def _pending(self, match: str) -> Pending | None:
        fields: dict[bytes, bytes] = self._redis.hgetall(keys.match(match))
        if not fields:
            return None
        made: Match = codec.decode(codec.MATCH, fields[b"m"], f"match {match}")
        return Pending(made, frozenset(name[2:].decode() for name in fields if name.startswith(b"c:")))


_TICKETS: Final = (keys.TICKET_OF, keys.TICKETS, keys.WAITING, keys.MATCH_OF)


def _ticket(stored: bytes) -> Ticket:
    ticket: Ticket = codec.decode(codec.TICKET, stored, "a ticket")
    return ticket
