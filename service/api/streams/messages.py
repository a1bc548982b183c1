"""The messages of one stream: first what is in the log, then what the feed of the table brings."""

from collections.abc import Callable
from typing import Final, Protocol, Self

from service.api.http.auth import Callers
from service.api.http.problems import Unauthorized
from service.api.presence import Presence
from service.api.streams import rendering
from service.api.streams.coding import Coding, Text
from service.api.streams.feeds import Feeds
from service.api.streams.follower import Follower
from service.api.streams.reading import read_page
from service.api.visibility import Perspective
from service.common.errors import Refusal
from service.game.views.muting import without
from service.store.port import StoreUnavailable
from service.tables import Tables

#: Events of a page of the log.
PAGE_SIZE: Final = 200


class Sources(Protocol):
    """What a stream needs; `service.api.services.Services` has all of it."""

    @property
    def tables(self) -> Tables: ...  # noqa: D102 - as in `Services`

    @property
    def accounts(self) -> Callers: ...  # noqa: D102

    @property
    def presence(self) -> Presence: ...  # noqa: D102

    @property
    def feeds(self) -> Feeds: ...  # noqa: D102


class Stream:
    """The body of a stream's response: its messages until the game is over or the player's right to them ends.

    A plain iterator rather than a generator: there are thousands, and each layer costs memory.

    Args:
        sources: what it needs.
        follower: its follower of the table.
        table: id of the table.
        after: seq after which it begins; None: with the table as it is.
        coding: encodes it.
        on_close: called when the stream ends, for whatever reason.
    """

    __slots__ = (
        "_after",
        "_coding",
        "_follower",
        "_has_final",
        "_is_done",
        "_is_new",
        "_on_close",
        "_sources",
        "_table",
    )

    def __init__(
        self,
        sources: Sources,
        follower: Follower,
        table: str,
        after: int | None,
        coding: Coding,
        on_close: Callable[[], None],
    ) -> None:
        self._sources: Final = sources
        self._follower: Final = follower
        self._table: Final = table
        self._after = after
        self._coding: Final = coding
        self._on_close: Final = on_close
        self._is_new = True
        #: Whether the end of a game has been sent.
        self._has_final = False
        #: Whether nothing more will be sent.
        self._is_done = False

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        if self._is_new:
            self._is_new = False
            return self._coding.encode([rendering.RETRY])
        while not self._is_done:
            texts = self._next_texts_or_end()
            if texts or self._is_done:
                encoded = self._coding.encode(texts)
                return encoded + self._coding.finish() if self._is_done else encoded
            self._follower.wait()
        raise StopIteration

    def close(self) -> None:
        """End the stream; the server calls this in any case."""
        self._on_close()

    def _next_texts_or_end(self) -> list[Text]:
        try:
            return self._next_texts()
        except Refusal as refusal:
            return [self._end(refusal.code)]
        except StoreUnavailable:
            # The stream breaks off, and the client gets the error when it reconnects.
            self._is_done = True
            return []

    def _next_texts(self) -> list[Text]:
        """Return what is to be sent now, perhaps nothing."""
        follower = self._follower
        if isinstance(follower.ended, Refusal):
            raise follower.ended
        self._check_player()
        if follower.was_called_away:
            # Another process, which does not know of this stream, has called the player away.
            follower.was_called_away = False
            self._sources.presence.seen(self._sources.tables.load(self._table), follower.player)
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

    def _check_player(self) -> None:
        if self._follower.must_check:
            self._follower.must_check = False
            check_token(self._sources, self._follower)

    def _waiting(self, after: int) -> list[Text]:
        """Return the queued frames, and a heartbeat if one is due."""
        follower, texts, is_over = self._follower, list[Text](), False
        while (frame := follower.frame()) is not None:
            if frame.last <= after:
                continue
            # Again, as the player may have muted somebody before this was said.
            self._check_player()
            is_muted = not follower.muted.isdisjoint(frame.authors)
            if frame.first != after + 1 or frame.texts is None or is_muted:
                follower.is_behind = True
                break
            texts += frame.texts
            after = self._after = frame.last
            self._has_final |= frame.has_final
            is_over = self._has_final and frame.is_over
        if follower.beat is not None:
            if follower.expires_at is not None and follower.expires_at <= self._sources.tables.now():
                raise Unauthorized
            texts.append(rendering.heartbeat_message(follower.beat, after))
            follower.beat = None
        if is_over:
            texts.append(self._end("over"))
        elif follower.ended is not None and not follower.is_behind:
            texts.append(self._end(str(follower.ended)))
        if not texts and follower.is_behind:
            return self._next_texts()
        return texts

    def _reset(self) -> list[Text]:
        perspective = Perspective.load(self._sources.tables, self._table, self._follower.player)
        view = perspective.view()
        self._after = view["version"]
        self._has_final = True
        texts = [rendering.reset_message(view)]
        return [*texts, self._end("over")] if self._is_over(perspective) else texts

    def _read(self, after: int) -> list[Text]:
        """Return the next page of the log."""
        sources, follower = self._sources, self._follower
        page = read_page(sources.tables, self._table, follower.player, after, PAGE_SIZE)
        events, perspective = page.events, page.perspective
        self._check_player()
        if events and events[0]["seq"] != after + 1:
            return self._reset()
        texts = list[Text]()
        if events:
            told = without(events, follower.muted)
            texts += rendering.event_messages(told, perspective.viewer, perspective.table)
            self._after = events[-1]["seq"]
            self._has_final |= rendering.has_final(events)
        if page.hidden is not None:
            sources.feeds.remind(self._table, page.hidden)
        elif len(events) == PAGE_SIZE:
            follower.is_behind = True
        elif self._has_final and self._is_over(perspective):
            texts.append(self._end("over"))
        elif isinstance(follower.viewer, int) and perspective.seat is None:
            texts.append(self._end("seat-left"))
        # With nothing new in the log, frames may be queued already.
        return texts or self._next_texts()

    def _is_over(self, perspective: Perspective) -> bool:
        return perspective.version == self._after and rendering.is_over(perspective.visible_table)

    def _end(self, reason: str) -> Text:
        self._is_done = True
        return rendering.end_message(reason, self._after or 0)


def check_token(sources: Sources, follower: Follower) -> None:
    """Note whom the player has muted, and when the token expires.

    Raises:
        Unauthorized: the token with which the stream was opened is no longer its player's.
    """
    caller = sources.accounts.caller(follower.token_hash)
    if caller is None or caller.player["id"] != follower.player:
        raise Unauthorized
    follower.muted = frozenset(caller.player.get("muted", ()))
    follower.expires_at = caller.token["expires_at"]
