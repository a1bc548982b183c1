"""Showing an event: who watches sees all hands of a board, once nobody has still to play it.

All tables of a round play the same boards, so a board is shown when each of them has its result, or the round is over,
and then as much later as the director chooses. Whoever asks, nobody sees a card before; that also holds for second
accounts, commentators and directors. What is shown is decided at each request, from results alone.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, NamedTuple

from service.common.errors import InvalidRequest
from service.game.errors import NotFinished, NotFound
from service.game.ids import new_id
from service.store.boards.events import BoardResult, BoardStore
from service.store.port import Player
from service.store.tournaments.comments import MOST_AUTHORS, Comment
from service.store.tournaments.teams import Progress
from service.tournaments import forms, teams
from service.tournaments.errors import NotCommentator, PlaysInEvent
from service.tournaments.match_tables import rooms_of
from service.tournaments.standings import boards_of, room
from service.tournaments.team_events import TeamEvent, TeamEvents

#: Most commentators at a time, and most comments of one of them on an event.
MOST_COMMENTATORS: Final = 8
MOST_COMMENTS: Final = 60
#: Longest delay that a director may choose (ms).
LONGEST_DELAY_MS: Final = 24 * 3_600_000


class Remark(NamedTuple):
    """A comment with its author: id and name."""

    player: str
    name: str
    comment: Comment


class ShownBoard(NamedTuple):
    """A board that is shown.

    Attributes:
        round, number: numbers of the round, and of the board in the event.
        since: since when it is shown (ms).
        results: (number of the match, which of its rooms) -> result there, if there is one.
        remarks: what commentators say of it, in order.
    """

    round: int
    number: int
    since: int
    results: dict[tuple[int, int], BoardResult | None]
    remarks: Sequence[Remark] = ()


class Showing:
    """See the module.

    Args:
        events: the events.
        store: stores them.
        records_of: returns the records of those players who exist. One round trip.
        random_bytes: returns random bytes from the operating system.
    """

    def __init__(
        self,
        events: TeamEvents,
        store: BoardStore,
        records_of: Callable[[Collection[str]], Mapping[str, Player]],
        random_bytes: Callable[[int], bytes],
    ) -> None:
        self._events: Final = events
        self._store: Final = store
        self._records_of: Final = records_of
        self._random_bytes: Final = random_bytes

    # --- the director -------------------------------------------------------------------------------------------------

    def show(self, event: str, player: str, delay_ms: int, commentators: Collection[str]) -> TeamEvent:
        """Show an event from now on, with a delay and with these commentators (ids). Idempotent.

        Raises:
            NotFound: there is no such event or player.
            NotDirector, EventClosed: see these.
            InvalidRequest: there have been too many commentators, or it is an arena.
        """
        team_event = self._events.directed(event, player)
        if forms.form_of(team_event.event).grows:
            # No other table plays its deals: nothing would say when a board may be shown.
            raise InvalidRequest(reason="not_in_arena", field="showing")
        names = [*dict.fromkeys(commentators)]
        known = self._records_of(names)
        for name in names:
            if name not in known:
                raise NotFound(what="player", id=name)
        if not self._store.comments.admit(event, names):
            raise InvalidRequest(reason="too_many_commentators", field="commentators", limit=MOST_AUTHORS)
        return self._events.change(
            team_event,
            lambda progress: {**progress, "showing": {"delay_ms": delay_ms, "commentators": names}},
        )

    def hide(self, event: str, player: str) -> TeamEvent:
        """Show an event no longer. Comments stay stored. Idempotent.

        Raises:
            NotFound, NotDirector, EventClosed: see these.
        """
        team_event = self._events.directed(event, player)

        def hidden(progress: Progress) -> Progress:
            after = progress.copy()
            after.pop("showing", None)
            return after

        return self._events.change(team_event, hidden)

    # --- those who watch ----------------------------------------------------------------------------------------------

    def may_comment(self, team_event: TeamEvent, player: str) -> bool:
        """Return whether a player may comment now; it ends as the director wishes, with an entry, with the event."""
        showing = team_event.progress.get("showing")
        is_over = self._events.now() >= teams.ended_at(*team_event)
        return (
            showing is not None
            and player in showing["commentators"]
            and not is_over
            and not teams.plays(team_event.progress, player)
        )

    def boards(self, event: str, player: str, number: int | None = None) -> tuple[TeamEvent, list[ShownBoard]]:
        """Return the boards of a round that are shown, the latest first, with what is said of them.

        Args:
            event: id of the event.
            player: who asks.
            number: number of the round; None: the latest one with a board that is shown.

        Raises:
            NotFound: there is no such event, or it is not shown; or no such round has begun.
            PlaysInEvent: the player plays in it, and it is not over.
        """
        team_event = self._watched(event, player)
        rounds = range(len(team_event.progress["rounds"]), 0, -1)
        if number is not None:
            teams.event_round(team_event.progress, number)
            rounds = range(number, number - 1, -1)
        shown = next(filter(None, (self._of_round(team_event, each) for each in rounds)), [])
        remarks = self._remarks(event) if shown else []
        return team_event, [
            board._replace(remarks=[each for each in remarks if each.comment["board"] == board.number])
            for board in reversed(shown)
        ]

    def result(self, event: str, player: str, number: int, pair: int, which: int) -> BoardResult:
        """Return the result of a room on a board that is shown.

        Raises:
            NotFound, PlaysInEvent: see `boards`; or there is no such room.
            NotFinished: the board is not shown yet, or was not finished in that room.
        """
        shown = self._board(self._watched(event, player), number)
        if (pair, which) not in shown.results:
            raise NotFound(what="match", id=f"{shown.round}-{pair}")
        result = shown.results[pair, which]
        if result is None or result.get("unfinished"):
            raise NotFinished(what="board", board=number)
        return result

    def comment(self, event: str, player: str, number: int, text: str) -> Comment:
        """Add a comment to a board that is shown.

        Raises:
            NotFound, PlaysInEvent, NotFinished: see `result`.
            NotCommentator: the player is no commentator of the event, or it is over.
            InvalidRequest: the player has said too much.
        """
        team_event = self._watched(event, player)
        if not self.may_comment(team_event, player):
            raise NotCommentator(event=event)
        self._board(team_event, number)
        said: Comment = {
            "id": new_id("co_", self._random_bytes),
            "board": number,
            "text": text,
            "at": self._events.now(),
        }

        def added(before: list[Comment]) -> list[Comment]:
            if len(before) >= MOST_COMMENTS:
                raise InvalidRequest(reason="too_many_comments", field="text", limit=MOST_COMMENTS)
            return [*before, said]

        # A director who changes commentators in two places at once can leave one of them unknown to the store.
        if not self._store.comments.change(event, player, added):
            raise NotCommentator(event=event)
        return said

    def take_back(self, event: str, player: str, comment: str) -> None:
        """Delete a comment; its author and the director may. Idempotent.

        Raises:
            NotFound: there is no such event, or not such a comment that the player may delete.
        """
        team_event = self._events.event(event)
        directs = teams.directs(team_event.progress, player)
        for author, said in self._store.comments.of_event(event).items():
            if any(each["id"] == comment for each in said) and (directs or author == player):
                self.delete(event, author, comment)
                return
        raise NotFound(what="comment", id=comment)

    def delete(self, event: str, author: str, comment: str) -> None:
        """Delete a comment of an author."""
        self._store.comments.change(event, author, lambda said: [each for each in said if each["id"] != comment])

    def remark(self, event: str, comment: str) -> Remark:
        """Return a comment.

        Raises:
            NotFound: the event has no such comment.
        """
        for each in self._remarks(event):
            if each.comment["id"] == comment:
                return each
        raise NotFound(what="comment", id=comment)

    # --- what is shown ------------------------------------------------------------------------------------------------

    def _watched(self, event: str, player: str) -> TeamEvent:
        team_event = self._events.event(event)
        if "showing" not in team_event.progress:
            raise NotFound(what="showing", id=event)
        # Others whom somebody has entered may watch: a captain could keep anybody from it otherwise.
        if teams.plays(team_event.progress, player) and self._events.now() < teams.ended_at(*team_event):
            raise PlaysInEvent(event=event)
        return team_event

    def _board(self, team_event: TeamEvent, number: int) -> ShownBoard:
        size = team_event.event["teams"]["boards"]
        of_round = (number - 1) // size + 1
        if not 1 <= of_round <= len(team_event.progress["rounds"]):
            raise NotFound(what="board", id=number)
        for board in self._of_round(team_event, of_round):
            if board.number == number:
                return board
        raise NotFinished(what="board", board=number)

    def _of_round(self, team_event: TeamEvent, number: int) -> list[ShownBoard]:
        """Return the boards of a round that are shown now. One round trip."""
        event, progress = team_event
        entry, rooms = progress["rounds"][number - 1], rooms_of(event, progress, number)
        results = self._store.results(event["id"], boards_of(event, number))
        shown = []
        for board in boards_of(event, number):
            of_rooms = {each: results.get((board, room(*each))) for each in rooms}
            since = _over_at([*of_rooms.values()], entry["closed_at"] if entry["is_scored"] else None)
            if since is not None and since + progress["showing"]["delay_ms"] <= self._events.now():
                shown.append(ShownBoard(number, board, since + progress["showing"]["delay_ms"], of_rooms))
        return shown

    def _remarks(self, event: str) -> list[Remark]:
        """Return all comments on an event, in order. Two round trips."""
        said = [(author, each) for author, all_of in self._store.comments.of_event(event).items() for each in all_of]
        records = self._records_of({author for author, _ in said})
        return [
            Remark(author, records[author]["name"], each)
            for author, each in sorted(said, key=lambda pair: (pair[1]["at"], pair[1]["id"]))
            if author in records
        ]


def _over_at(results: Sequence[BoardResult | None], scored_at: int | None) -> int | None:
    """Return when nobody has had to play a board any more (ms), or None: somebody still has.

    Args:
        results: of all rooms.
        scored_at: when the round was over, if its results have been collected: a lost table leaves none.
    """
    known = [result["at"] for result in results if result is not None]
    if len(known) == len(results):
        return max(known, default=scored_at)
    return scored_at
