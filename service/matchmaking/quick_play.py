"""Quick play: ticket, match, confirmation, game (decision 160)."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import structlog

from service.common.errors import InvalidRequest, Refusal
from service.game.errors import NotFound
from service.game.ids import new_id
from service.game.state.occupants import occupant_of
from service.game.state.queries import persons, seat_of
from service.game.state.rules import options_of
from service.game.state.settings import CLOCK_DEFAULTS
from service.game.state.table_types import TableSpec
from service.game.state.types import State
from service.game.views.fields import timestamp
from service.matchmaking.errors import NotFriends, NotMatched, PartyBusy, TicketOpen
from service.matchmaking.groups import Group, groups, pool_of, seats_for
from service.matchmaking.hosting import Hosting
from service.matchmaking.joining import Joining
from service.matchmaking.seating import CLOCKS, DAYS, seat, spec_of_kind
from service.people.people import People
from service.rules.options.presets import with_preset
from service.rules.options.rulesets import RULESETS, effective_options
from service.store.matchmaking.tickets import Held, Kind, Match, Pending, Ticket, TicketStore, people_of
from service.store.players.inbox import InboxStore, Note
from service.store.players.results import PROVISIONAL_GAMES, ResultStore
from service.store.port import Player, PlayerStore, StoreTooNew, is_suspended
from service.tables import Tables
from service.tables.results import rating_of

log: Final = structlog.get_logger("service.quick_play")

#: Time for confirming a match (ms).
CONFIRM_MS: Final = 15_000
#: Players offline for this long are not matched (ms), and after the second time their ticket ends (ms).
ABSENT_MS: Final = 15_000
GONE_MS: Final = 35_000
#: After how long another process seats the people of a match if the first one died (ms).
_LEASE_MS: Final = 5_000


class QuickPlay:
    """See the module.

    Args:
        store: store of tickets.
        people: friends, blocks, and who is online.
        players, results, inbox: the stores.
        tables: opens tables.
        joining: seats a player at a table.
        hosting: opens tables of days.
        now: returns milliseconds since the epoch.
    """

    def __init__(
        self,
        store: TicketStore,
        people: People,
        players: PlayerStore,
        results: ResultStore,
        inbox: InboxStore,
        tables: Tables,
        joining: Joining,
        hosting: Hosting,
        now: Callable[[], int],
    ) -> None:
        self.store: Final = store
        self._people: Final = people
        self._players: Final = players
        self._results: Final = results
        self._inbox: Final = inbox
        self._tables: Final = tables
        self._joining: Final = joining
        self._hosting: Final = hosting
        self._now: Final = now

    # --- called for players -------------------------------------------------------------------------------------------

    def held(self, player: str) -> Held | None:
        """Return the ticket of a player, and note that the player is online."""
        held = self.store.of_player(player)
        if held is not None:
            self._people.store.note_here([player], self._now())
        return held

    def place_of(self, player: str) -> Held | str:
        """Return the ticket of a player, or the table where the player has been seated.

        Raises:
            NotFound: neither.
        """
        ticket = self.held(player) or self.store.seated(player)
        if ticket is None:
            raise NotFound(what="ticket", id="me")
        return ticket

    def pools(self) -> list[tuple[Kind, int]]:
        """Return the kinds of games for which people wait who have not been matched, and how many, the most first."""
        people = Counter[str]()
        kinds: dict[str, Kind] = {}
        for ticket in self.store.waiting():
            name = pool_of(ticket["kind"])
            kinds[name] = ticket["kind"]
            people[name] += len(ticket["players"])
        return [(kinds[name], count) for name, count in people.most_common()]

    def looking(self, kind: Kind) -> int:
        """Return how many people wait for a kind of game."""
        return sum(len(ticket["players"]) for ticket in self.store.waiting() if ticket["kind"] == kind)

    def look(
        self,
        player: Player,
        party: Sequence[str],
        kind: Kind,
        window: tuple[float | None, float | None],
        ai_after_ms: int | None,
        ai_level: str,
    ) -> Held | str:
        """Take a free seat at a public table, or open a ticket for a player and a party; return either.

        For a game of days nobody has to wait: without a free seat, the player opens a table, where others find one.

        Raises:
            InvalidOption, InvalidRequest: there is no such game, or the party does not fit.
            TooManyTables: the player hosts too many to open another one.
            TicketOpen, NotFriends, PartyBusy: see `check` and `open`.
        """
        options = _options_of(kind, 1 + len(party))
        if kind["clock"] == DAYS:
            return self._take_place_of_days(player, party, kind, window, options)
        self.check(player["id"], party)
        if not party and window == (None, None):
            table = self._take_free_seat(player, kind, options)
            if table is not None:
                return table
        self.open(player["id"], party, kind, window, ai_after_ms, ai_level)
        return self.place_of(player["id"])

    def _take_place_of_days(
        self,
        player: Player,
        party: Sequence[str],
        kind: Kind,
        window: tuple[float | None, float | None],
        options: object,
    ) -> str:
        """Seat a player who is ready at a public table of days, which may be new; return its id."""
        if party:
            raise InvalidRequest(reason="days_without_party", field="with")
        if window != (None, None):
            raise InvalidRequest(reason="days_without_window", field="rating")
        self.check(player["id"], party)
        table = self._take_free_seat(player, kind, options)
        if table is None:
            spec: TableSpec = {**spec_of_kind(kind), "visibility": "public"}
            table = self._hosting.open(player, spec, new_id("tb_", os.urandom))["id"]
            self._joining.sit(table, {"type": "sit", **occupant_of(player), "seat": 0})
            self.store.set_seated(player["id"], table)
        with suppress(Refusal):
            self._joining.act(table, {"type": "ready", "player": player["id"], "ready": True})
        return table

    def _take_free_seat(self, player: Player, kind: Kind, options: object) -> str | None:
        """Take a seat at a public table of this kind with a person; return its id, or None."""
        before = self.store.seated(player["id"])
        if before is not None and self._waits_at(before, player["id"], kind, options):
            # A retry after a lost response.
            return before
        table = self._joining.take_free_seat(player, lambda state: _is_of_kind(state, kind, options))
        if table is not None:
            self.store.set_seated(player["id"], table)
        return table

    def _waits_at(self, table: str, player: str, kind: Kind, options: object) -> bool:
        """Return whether a player sits at a table of a kind whose game has not begun."""
        with suppress(StoreTooNew):
            stored = self._tables.store.load(table)
            return (
                stored is not None
                and stored.state["status"] == "lobby"
                and seat_of(stored.state, player) is not None
                and _is_of_kind(stored.state, kind, options)
            )
        return False

    def check(self, player: str, party: Sequence[str]) -> None:
        """Check that a player may open a ticket with a party.

        Raises:
            TicketOpen: the player waits already.
            NotFriends: a member of the party is not a friend.
            PartyBusy: a member of the party is suspended.
        """
        held = self.store.of_player(player)
        if held is not None:
            raise TicketOpen(ticket=held.ticket["id"])
        strangers = set(party) - self._people.store.are_friends(player, party)
        if strangers:
            raise NotFriends(players=[other for other in party if other in strangers])
        for other, record in self._people.store.records(party).items():
            if is_suspended(record, self._now()):
                raise PartyBusy(player=other)

    def open(
        self,
        player: str,
        party: Sequence[str],
        kind: Kind,
        window: tuple[float | None, float | None],
        ai_after_ms: int | None,
        ai_level: str,
    ) -> Ticket:
        """Open a ticket for a player and a party. Call `check` first.

        Raises:
            TicketOpen: the player waits already.
            PartyBusy: a member of the party waits already.
        """
        players, now = [player, *party], self._now()
        blocks = {other for each in players for other in self._people.store.blocks(each)}
        ticket: Ticket = {
            "id": new_id("ti_", os.urandom),
            "kind": kind,
            "players": players,
            "ratings": [self._rating_of(each, kind["ruleset"]) for each in players],
            "window": window,
            "blocks": sorted(blocks),
            "met": sorted(self.store.met(players)),
            "since": now,
            "ai_after_ms": ai_after_ms,
            "ai_level": ai_level,
        }
        self._people.store.note_here([player], now)
        busy = self.store.open(ticket)
        if busy == player:
            raise TicketOpen(ticket=None)
        if busy is not None:
            raise PartyBusy(player=busy)
        self._tell_party(ticket)
        return ticket

    def confirm(self, player: str) -> None:
        """Confirm the match of a player, unless it has led to a table; the last confirmation seats everybody.

        Raises:
            NotMatched: there is no match, or it is over.
        """
        if self.store.seated(player) is not None and self.held(player) is None:
            return
        held = self.store.of_player(player)
        pending = held.pending if held is not None else None
        if pending is None:
            raise NotMatched
        outcome = self.store.confirm(player, pending.match["id"], self._now() + _LEASE_MS)
        if outcome == "gone":
            raise NotMatched
        if outcome == "all":
            self._seat(pending.match)

    def withdraw(self, player: str) -> None:
        """End the ticket of a player and party. Others of a match wait again; a confirmed match continues."""
        for _ in range(2):
            held = self.store.of_player(player)
            if held is None:
                return
            ticket, pending = held
            if pending is None and self.store.close(ticket):
                self._tell_ended([other for other in ticket["players"] if other != player], ticket["id"])
                return
            if pending is not None:
                self._end(pending.match, ticket["id"])
                return

    def forget(self, player: str) -> None:
        """Delete the data of a player who is about to be deleted."""
        self.withdraw(player)
        self.store.forget([player])

    # --- called by the clock ------------------------------------------------------------------------------------------

    def tick(self) -> int:
        """Make matches and process due ones; return the number of new matches. Safe to run concurrently."""
        if self.store.is_idle(self._now()):
            return 0
        for pending in self.store.due(self._now()):
            # A table that a newer release has changed is left to that release.
            with suppress(StoreTooNew):
                self._see_to(pending)
        waiting = self._present(self.store.waiting())
        wanted = [self._match_of(group) for group in groups(waiting, self._now())]
        matches = self.store.take(wanted, self._now())
        for match in matches:
            self._tell_matched(match)
        return len(matches)

    def _present(self, tickets: Sequence[Ticket]) -> list[Ticket]:
        """Return the tickets whose first player is online, and end those whose first player has gone."""
        now, askers = self._now(), [ticket["players"][0] for ticket in tickets]
        there = self._people.store.here(askers, now, ABSENT_MS)
        absent = [ticket for ticket in tickets if ticket["players"][0] not in there]
        known = self._people.store.here([ticket["players"][0] for ticket in absent], now, GONE_MS) if absent else set()
        for ticket in absent:
            if ticket["players"][0] not in known and self.store.close(ticket):
                self._tell_ended(ticket["players"], ticket["id"])
        return [ticket for ticket in tickets if ticket["players"][0] in there]

    def _match_of(self, group: Group) -> Match:
        oldest, now = group.tickets[0], self._now()
        teams = RULESETS[oldest["kind"]["ruleset"]].teams == "fixed"
        return {
            "id": new_id("ma_", os.urandom),
            "kind": oldest["kind"],
            "seats": seats_for(group, has_teams=teams),
            "ai_level": oldest["ai_level"],
            "tickets": [(ticket["id"], ticket["since"], ticket["players"]) for ticket in group.tickets],
            "made_at": now,
            "confirm_by": now + CONFIRM_MS,
        }

    def _see_to(self, pending: Pending) -> None:
        match, now = pending.match, self._now()
        if pending.missing == 0:
            self.store.put_off(match["id"], now + _LEASE_MS)
            self._seat(match)
        elif now < match["confirm_by"]:
            # The process that made the match died before everybody was notified.
            self._tell_matched(match)
        else:
            self._end(match, "late")

    def _seat(self, match: Match) -> None:
        try:
            table, seated = seat(match, self._tables, self._players, self._people.to_start, self._now())
        except Refusal:
            # No action of a player leads here. It is tried again when the lease ends.
            log.exception("a match could not be seated", match=match["id"])
            return
        self.store.note_seated({**match, "seats": [*seated]}, table)
        data = {"match": match["id"], "table": table, "ruleset": match["kind"]["ruleset"]}
        for player in seated:
            self._inbox.put(player, Note("seated", self._now(), data), "table")
        # Those who lost their seats to a block meanwhile look for another game.
        self._tell_ended([player for player in people_of(match) if player not in seated], match["id"])
        self.store.end(match, "seated")

    def _end(self, match: Match, why: str) -> None:
        ended = self.store.end(match, why)
        if ended is None:
            return
        for ticket, _, players in match["tickets"]:
            if ticket != why:
                is_waiting = ticket not in ended
                self._tell_ended(players, match["id"] if is_waiting else ticket, is_waiting=is_waiting)

    # --- notifications ------------------------------------------------------------------------------------------------

    def _tell_party(self, ticket: Ticket) -> None:
        """Tell the friends of a party at once who wants to play with them: a match leaves them little time."""
        asker, *party = ticket["players"]
        known = self._players.get(asker) if party else None
        if known is None:
            return
        kind = ticket["kind"]
        data = {
            "ticket": ticket["id"],
            "player": asker,
            "name": known["name"],
            "ruleset": kind["ruleset"],
            "players": kind["players"],
        }
        for player in party:
            self._inbox.put(player, Note("party_opened", ticket["since"], data), "ticket")

    def _tell_matched(self, match: Match) -> None:
        data = {
            "match": match["id"],
            "ruleset": match["kind"]["ruleset"],
            "players": match["kind"]["players"],
            "people": len(people_of(match)),
            "confirm_by": timestamp(match["confirm_by"]),
            "remaining_ms": CONFIRM_MS,
        }
        for player in people_of(match):
            self._inbox.put(player, Note("matched", match["made_at"], data), "match")
        self.store.put_off(match["id"], match["confirm_by"])

    def _tell_ended(self, players: Sequence[str], over: str, *, is_waiting: bool = False) -> None:
        note = Note("unmatched", self._now(), {"over": over, "waiting": is_waiting})
        for player in players:
            self._inbox.put(player, note, "over")

    def _rating_of(self, player: str, ruleset: str) -> float | None:
        result = self._results.of_player(player, [ruleset]).get(ruleset)
        return rating_of(result, self._now()) if result and result["rated_games"] >= PROVISIONAL_GAMES else None


def _options_of(kind: Kind, party: int) -> object:
    """Return the options of a kind of game.

    Raises:
        InvalidRequest: no such ruleset or preset, not for this number of players, or a party that does not fit.
    """
    ruleset, players = RULESETS[kind["ruleset"]], kind["players"]
    if players not in ruleset.players:
        raise InvalidRequest(
            reason="not_for_so_many", ruleset=ruleset.id, players=players, accepted=list(ruleset.players)
        )
    if party > players:
        raise InvalidRequest(reason="party_too_large", field="with", given=party, players=players)
    pace = {"deal_pace": "instant"} if kind["clock"] == DAYS else {}
    return effective_options(ruleset.id, players, {**pace, **with_preset(ruleset.id, players, kind["preset"], {})})


def _is_of_kind(state: State, kind: Kind, options: object) -> bool:
    """Return whether a table is of a kind of game, and a person is there."""
    settings = state["settings"]
    chosen = {"correspondence": None, **CLOCK_DEFAULTS, **CLOCKS[kind["clock"]]}
    clock = {name: value for name, value in chosen.items() if name != "alone"}
    return (
        (state["ruleset"], state["players"]) == (kind["ruleset"], kind["players"])
        and options_of(state) == options
        and all(settings["clock"].get(name) == value for name, value in clock.items())
        and settings["seed"] is None
        and any(state["seats"][seat]["presence"] == "online" for seat in persons(state))
    )
