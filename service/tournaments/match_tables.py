"""The rooms of a round: the tables of its boards, and their results."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple, cast

from service.boards import deals
from service.common.errors import Refusal
from service.game.errors import NotFound
from service.game.events.types import Event
from service.game.state.queries import game_of
from service.game.state.table_types import Occupant
from service.game.state.types import State
from service.store.boards.events import BoardResult, BoardStore, Results, StoredEvent
from service.store.players.inbox import InboxStore, Note
from service.store.port import PlayerStore, StoreTooNew, is_suspended
from service.store.tournaments.teams import Progress, players_of
from service.tables import Tables
from service.tournaments import arenas, forms, teams
from service.tournaments.room_results import result_of_room, with_seats
from service.tournaments.standings import ROOMS, boards_of, room


def round_of_board(event: StoredEvent, number: int) -> int:
    """Return the number of the round in which a board is played."""
    return (number - 1) // event["teams"]["boards"] + 1


class Begun(NamedTuple):
    """A notice to those who get a table: its type, what it says, and its field that tells whether it is the same."""

    what: str
    about: Mapping[str, object]
    same: str


class MatchTables:
    """See the module.

    Args:
        store: stores the events.
        tables: tables of the boards.
        players, inbox: players and their inboxes, for notifying them of their tables.
    """

    def __init__(self, store: BoardStore, tables: Tables, players: PlayerStore, inbox: InboxStore) -> None:
        self._store: Final = store
        self._tables: Final = tables
        self._players: Final = players
        self._inbox: Final = inbox

    def open_some(self, event: StoredEvent, progress: Progress, first: int, most: int) -> int:
        """Open the first boards of at most `most` rooms of the last round, after the first `first` ones. Idempotent.

        Returns:
            The number of rooms that are open then.
        """
        rooms = rooms_begun(event, progress)
        for pair, which in rooms[first : first + most]:
            self.open_next(event, progress, pair, which)
        return min(first + most, len(rooms))

    def mend(self, event: StoredEvent, progress: Progress) -> bool:
        """Open the boards whose tables are lost; return whether all rooms of the last round have played all boards."""
        rooms = rooms_begun(event, progress)
        left = len(rooms) - len(self.tend(event, progress, rooms))
        return not left and len(rooms) == len(rooms_of(event, progress))

    def tend(self, event: StoredEvent, progress: Progress, rooms: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Open the boards of rooms of the last round whose tables are lost; return those that have played all boards.

        Idempotent.
        """
        number = len(progress["rounds"])
        results = self.results(event, number, rooms)
        done: list[tuple[int, int]] = []
        for pair, which in rooms:
            name = room(pair, which)
            board = next((each for each in boards_of(event, number) if (each, name) not in results), None)
            if board is None:
                done.append((pair, which))
            elif not self._is_there(deals.table_of(event, board, name)):
                self.open_next(event, progress, pair, which)
        return done

    def results(self, event: StoredEvent, number: int, rooms: Sequence[tuple[int, int]]) -> Results:
        """Return the results of the boards of a round in some of its rooms."""
        return self._store.results_in(event["id"], boards_of(event, number), [room(*each) for each in rooms])

    def _is_there(self, table: str) -> bool:
        """Return whether a table is stored, perhaps by a later release."""
        try:
            return self._tables.store.load(table) is not None
        except StoreTooNew:
            return True

    def _next_board(self, event: StoredEvent, number: int, name: str) -> int | None:
        """Return the first board of a round that a room has not played, or None."""
        done = self._store.results_of(event["id"], name, len(event["boards"]))
        return next((board for board in boards_of(event, number) if board not in done), None)

    def open_next(self, event: StoredEvent, progress: Progress, pair: int, which: int) -> str | None:
        """Open the first board that a room has not played, and return its table; None if it has played all of them."""
        number, name = len(progress["rounds"]), room(pair, which)
        board = self._next_board(event, number, name)
        if board is None:
            return None
        table = deals.table_of(event, board, name)
        # A room that a later release has changed is open, and its players know of it.
        with suppress(StoreTooNew):
            if self._tables.store.load(table) is None:
                occupants = seated(event, progress, teams.meetings_of(progress["rounds"][-1])[pair - 1], which)
                self._tables.create({"id": ""}, deals.spec_of_room(event, board, name, occupants), table)
            begun = _begun(event, number, pair, which) if board == boards_of(event, number)[0] else None
            self._tell(table, players_of(progress), f"{number}-{pair}", begun)
        return table

    def _tell(self, table: str, members: Collection[str], match: str, begun: Begun | None = None) -> None:
        """Add a table to the lists of its players, and notify them, once each; suspended players leave their seats.

        Args:
            table: id of the table.
            members: those who play in the event (ids).
            match: id of the match.
            begun: of the first board, what is told of the round, or of the table of an arena.
        """
        state = self._tables.load(table)
        for seat in state["seats"]:
            player = seat["occupant"]["player"] if seat["occupant"] is not None else None
            if player is None or player not in members or table in self._players.tables_of(player):
                continue
            self._tell_player(state, player, match, begun)
            # At the end: if this process dies before, another one tells everybody whose list is without the table.
            self._players.add_table(player, table, self._tables.now())

    def _tell_player(self, state: State, player: str, match: str, begun: Begun | None) -> None:
        """See `_tell`. Idempotent."""
        record, now = self._players.get(player), self._tables.now()
        if record is None or is_suspended(record, now):
            # An AI plays, until the player takes the seat back.
            with suppress(Refusal):
                self._tables.act(state["id"], {"type": "leave", "player": player})
            return
        data = {"match": match, "table": state["id"], "ruleset": state["ruleset"]}
        self._inbox.put(player, Note("seated", now, data), "table")
        if begun is not None:
            self._inbox.put(player, Note(begun.what, now, {**data, **begun.about}), begun.same)

    def table_of(self, event: StoredEvent, progress: Progress, player: str) -> str | None:
        """Return the table where a player has to play now in the open round, or None. Changes nothing."""
        place = teams.place_of(progress, player)
        if place is None:
            return None
        team, at = place
        over = {*progress["rounds"][-1].get("over", ())}
        for pair, units in enumerate(teams.meetings_of(progress["rounds"][-1]), 1):
            if team in units and pair not in over:
                name = room(pair, at // (event["players"] // 2))
                board = self._next_board(event, len(progress["rounds"]), name)
                table = None if board is None else deals.table_of(event, board, name)
                return table if table is not None and self._is_there(table) else None
        return None

    def keep(self, state: State, log: Sequence[Event]) -> None:
        """Store the result of a board in its room, open the next board, and end the round after the last one.

        Called when a game is over, perhaps twice (`Tables.on_finished`). Games that end after their round do not count.
        """
        board = state["settings"].get("board")
        if board is None or "room" not in board:
            return
        event = self._store.event(board["event"])
        progress = self._store.teams.progress(board["event"])
        if event is None or progress is None:
            return
        number = round_of_board(event, board["number"])
        entry = progress["rounds"][number - 1]
        until = entry["closes_at"] if entry["closed_at"] is None else entry["closed_at"]
        if (game_of(state)["ended_at"] or 0) >= until:
            return
        self._store.add_result(event["id"], board["number"], board["room"], _result(event, state, log))
        now = self._tables.now()
        if number != len(progress["rounds"]) or teams.is_over(entry, now):
            return
        pair, which = int(board["room"][:-1]), ROOMS.index(board["room"][-1])
        if self.open_next(event, progress, pair, which) is not None:
            return
        if forms.form_of(event).grows:
            # A clock seats its people again.
            self._store.teams.plan(event["id"], now + arenas.HEEDED_AFTER_MS)
        elif self._all_are_in(event, progress, number):
            # A clock tells of the results. Before, since this process may die after it.
            self._store.teams.plan(event["id"], now + arenas.HEEDED_AFTER_MS)
            self._store.teams.change(
                event["id"], lambda before: teams.scored(teams.round_closed(before, number, now), number), now
            )

    def _all_are_in(self, event: StoredEvent, progress: Progress, number: int) -> bool:
        boards, rooms = boards_of(event, number), rooms_of(event, progress, number)
        return len(self._store.results(event["id"], boards)) == len(boards) * len(rooms)

    def gather(self, event: StoredEvent, progress: Progress, number: int) -> None:
        """Store missing results of games that ended before the round, and who held up those that did not."""
        entry, boards = progress["rounds"][number - 1], boards_of(event, number)
        results = self._store.results(event["id"], boards)
        for name in (room(*each) for each in rooms_of(event, progress, number)):
            for board in boards:
                if (board, name) not in results:
                    self._look(event, board, name, entry["closed_at"] or 0)

    def _look(self, event: StoredEvent, board: int, name: str, until: int) -> None:
        table = deals.table_of(event, board, name)
        with suppress(NotFound):
            state = self._tables.load(table)
            ended_at = game_of(state)["ended_at"]
            is_over = ended_at is not None and ended_at < until
            result = _result(event, state, self._tables.log(table), None if is_over else until)
            self._store.add_result(event["id"], board, name, result)


def _result(event: StoredEvent, state: State, log: Sequence[Event], until: int | None = None) -> BoardResult:
    """Return the result of a board in a room; see `result_of_room`."""
    result = result_of_room(state, log, until)
    return with_seats(result, state) if forms.form_of(event).grows else result


def _begun(event: StoredEvent, number: int, pair: int, which: int) -> Begun:
    """Return what players are told when they get a room of a round."""
    name, form = event["id"], forms.form_of(event)
    about = {"event": name, "event_name": event["teams"]["name"], "place": str(pair)}
    if form.grows:
        return Begun("your_table", {**about, "event_match": f"{name}_{number}-{pair}"}, "event_match")
    place = f"{pair}{'AB'[which] if form.rooms > 1 else ''}"
    return Begun(
        "round_begins", {**about, "event_round": f"{name}_{number}", "round": number, "place": place}, "event_round"
    )


def rooms_of(event: StoredEvent, progress: Progress, number: int = 0) -> list[tuple[int, int]]:
    """Return the rooms of a round, the last one by default, in order: number of the match, and which of its rooms."""
    meetings = teams.meetings_of(progress["rounds"][number - 1])
    return [(pair, which) for pair in range(1, len(meetings) + 1) for which in range(forms.form_of(event).rooms)]


def rooms_begun(event: StoredEvent, progress: Progress) -> list[tuple[int, int]]:
    """Return the rooms of the matches of the last round that have begun, in this order; see `rooms_of`."""
    begun = progress["rounds"][-1].get("begun")
    if begun is None:
        return rooms_of(event, progress)
    return [(pair, which) for pair in begun for which in range(forms.form_of(event).rooms)]


def seated(event: StoredEvent, progress: Progress, units: Sequence[str], which: int) -> list[Occupant]:
    """Return the occupants of a room (0, 1); the first team has the even seats in the first room.

    Of players, each has a seat; of pairs, the first one has the even seats.
    """
    half = event["players"] // 2
    occupants: list[Occupant] = []
    for seat in range(event["players"]):
        team = progress["teams"][units[(seat + which) % len(units)]]
        at = which * half + seat // len(units)
        member = team["members"][at]
        if member["player"] is None:
            occupants.append(deals.ai_player(seat) | {"level": member["level"] or deals.AI_LEVEL})
        else:
            about = {name: value for name, value in member.items() if name != "is_confirmed"}
            occupants.append(cast("Occupant", about))
    return occupants
