"""The messages of a stream of a table: first from the log, then from the feed."""

from collections.abc import Callable
from typing import Final

from service.api.http.problems import Unauthorized
from service.api.streams import rendering
from service.api.streams.body import Body
from service.api.streams.coding import Coding, Text
from service.api.streams.feeds import Feeds
from service.api.streams.follower import Follower, Reader
from service.api.streams.reading import read_page
from service.api.visibility import Perspective, check_apart, private_refusal
from service.game.views.muting import without
from service.people.presence import Presence
from service.tables.ports import Now
from service.wiring import UseCases

#: Events per page of the log.
PAGE_SIZE: Final = 200


class Stream(Body[Follower]):
    """The body of a stream of a table: messages until the game is over or the player's access ends.

    Args:
        use, feeds, presence: the dependencies.
        follower: its follower of the table.
        table: id of the table.
        after: seq after which it begins; None: with the current table.
        coding, on_close: see `Body`.
    """

    __slots__ = ("_after", "_at", "_feeds", "_has_final", "_presence", "_table", "_use", "_waits")

    def __init__(
        self,
        use: UseCases,
        feeds: Feeds,
        presence: Presence,
        follower: Follower,
        table: str,
        after: int | None,
        coding: Coding,
        on_close: Callable[[], None],
    ) -> None:
        super().__init__(follower, coding, on_close)
        self._use: Final = use
        self._feeds: Final = feeds
        self._presence: Final = presence
        self._table: Final = table
        self._after = after
        #: Time of the last event sent (ms); None: this stream has not sent it.
        self._at: int | None = None
        #: Whether no game may be running, so that nobody is asked for a decision and might miss it.
        self._waits = True
        #: Whether the end of a game has been sent.
        self._has_final = False

    def _next_texts(self) -> list[Text]:
        """Return the messages to send now, if any."""
        follower = self._reader
        check_rights(self._use, follower)
        if follower.was_called_away:
            # Another process, unaware of this stream, has marked the player as away.
            follower.was_called_away = False
            self._presence.acted(self._use.tables.load(self._table), follower.player)
        if follower.is_lost:
            follower.is_lost = False
            self._after = None
        if self._after is None:
            return self._reset()
        if follower.is_behind:
            follower.is_behind = False
            follower.drop_frames()
            return self._read(self._after)
        return self._waiting(self._after)

    def _waiting(self, after: int) -> list[Text]:
        """Return the queued frames, and a heartbeat if one is due."""
        follower, texts, is_over = self._reader, list[Text](), False
        while (frame := follower.frame()) is not None:
            if frame.last <= after:
                if frame.last == after and self._at not in (None, frame.at):
                    # It was read from the log, and lost in a failover before the feed had seen it.
                    return self._reset()
                continue
            # Check again, since the player may have muted somebody before the message, or somebody may have sat down.
            check_token_again(self._use, follower)
            check_people_again(self._use, follower)
            is_muted = not follower.muted.isdisjoint(frame.authors)
            if frame.first != after + 1 or frame.texts is None or is_muted:
                follower.is_behind = True
                break
            texts += frame.texts
            after = self._after = frame.last
            self._at = frame.at
            self._has_final |= frame.has_final
            self._waits |= frame.has_final
            is_over = self._has_final and frame.is_over
        beat = heartbeat(follower, self._use.tables.now, after)
        texts += beat
        if beat and self._waits:
            self._waits = self._presence.waits(self._table)
        if is_over:
            texts.append(self._end("over"))
        elif isinstance(follower.ended, str) and not follower.is_behind:
            # An error that has come since the beginning is raised next time.
            texts.append(self._end(follower.ended))
        if not texts and follower.is_behind:
            return self._next_texts()
        return texts

    def _reset(self) -> list[Text]:
        perspective = Perspective.load(self._use, self._table, self._reader.player)
        view = perspective.view()
        self._after, self._at = view["version"], perspective.visible_table["at"]
        self._has_final = True
        texts = [rendering.reset_message(view)]
        return [*texts, self._end("over")] if self._is_over(perspective) else texts

    def _read(self, after: int) -> list[Text]:
        """Return the next page of the log."""
        follower = self._reader
        page = read_page(self._use, self._table, follower.player, after, PAGE_SIZE)
        events, perspective = page.events, page.perspective
        check_token_again(self._use, follower)
        if events and events[0]["seq"] != after + 1:
            return self._reset()
        texts = list[Text]()
        if events:
            news = without(events, follower.muted)
            texts += rendering.event_messages(news, perspective.viewer, perspective.table)
            self._after, self._at = events[-1]["seq"], events[-1]["at"]
            self._has_final |= rendering.has_final(events)
        if page.hidden is not None:
            self._feeds.remind(self._table, page.hidden)
        elif len(events) == PAGE_SIZE:
            follower.is_behind = True
        elif self._has_final and self._is_over(perspective):
            texts.append(self._end("over"))
        elif isinstance(follower.viewer, int) and perspective.seat is None:
            texts.append(self._end("seat-left"))
        # If the log has nothing new, frames may be queued already.
        return texts or self._next_texts()

    def _is_over(self, perspective: Perspective) -> bool:
        return perspective.version == self._after and rendering.is_over(perspective.visible_table)

    def _last(self) -> int:
        return self._after or 0


def check_rights(use: UseCases, reader: Reader) -> None:
    """Raise the refusal or the error that a new request would get if the access has ended meanwhile."""
    if isinstance(reader.ended, Exception):
        raise reader.ended
    if isinstance(reader, Follower):
        reader.must_meet |= reader.must_check
        check_people_again(use, reader)
    check_token_again(use, reader)


def check_token_again(use: UseCases, reader: Reader) -> None:
    """Check the token of a reader if it may have become void. Raises as `check_token`."""
    if reader.must_check:
        reader.must_check = False
        check_token(use, reader)


def check_people_again(use: UseCases, follower: Follower) -> None:
    """Check a follower without a part in the table again if others have come there, or blocks may have changed.

    Who has left the table's circle, or was removed from it, may no longer watch.

    Raises:
        PrivateTable, NoSpectators: see `service.api.visibility.check_apart`.
    """
    if follower.must_meet:
        follower.must_meet, state = False, follower.state
        if state is not None:
            check_apart(use.people, state, follower.player)
            if not use.tables.belongs(state, follower.player):
                raise private_refusal(state)


def heartbeat(reader: Reader, now: Now, after: int | str) -> list[Text]:
    """Return the due heartbeat, if any; `after`: id of the last event sent.

    Raises:
        Unauthorized: the token has expired.
    """
    if reader.beat is None:
        return []
    if reader.expires_at is not None and reader.expires_at <= now():
        raise Unauthorized
    beat, reader.beat = reader.beat, None
    return [rendering.heartbeat_message(beat, after)]


def check_token(use: UseCases, follower: Reader) -> None:
    """Check the token, and update the muted players and the expiry.

    Raises:
        Unauthorized: the token with which the stream was opened is void.
        Suspended: the player is suspended.
    """
    caller = use.accounts.caller(follower.token_hash)
    if caller is None or caller.player["id"] != follower.player:
        raise Unauthorized
    use.accounts.check_allowed(caller.player)
    follower.muted = frozenset(caller.player.get("muted", ()))
    follower.expires_at = caller.token["expires_at"]
