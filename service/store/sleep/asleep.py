r"""How a sleeping table lies in its head: all that is otherwise in its snapshot, log, chunks and standing orders.

    s        s3>0.4:[release of the events, [[last seq, release] of each book]]\n, and texts
    b<seq>   a book, that is, a full chunk (`chunks`): the events up to that seq

The texts, one a line, are compressed together, with a preset dictionary that belongs to the schema: snapshot, set-up,
standing orders, the events since the last book as the text of a chunk, the last event. Snapshot and set-up stay as they
were, so that the checksum in the head stays true. The last event is not in a chunk, since a log has at least one. Books
stay as they were; they are fields of their own, so that nobody has to read all of a long game.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from service.common.fastjson import dumps, loads
from service.game.events.needs import latest
from service.game.events.types import Event
from service.game.state.types import State
from service.store import chunks, codec
from service.store.port import StoreCorrupt

#: A state with a number that earlier releases do not know: they leave the table to later ones.
ASLEEP: Final = b"s3"
#: The first release that knows sleeping tables.
SINCE: Final = "0.4"
#: The texts of a table, and what events look like.
_DICTIONARY: Final = (Path(__file__).parents[1] / "dictionaries" / "s3.txt").read_bytes() + chunks.DICTIONARY


class Book(NamedTuple):
    """The seq of the last event of a full chunk, and the release that its events need."""

    last: int
    needs: str

    @property
    def field(self) -> str:
        """The field that has it."""
        return f"b{self.last}"


class Sleeper(NamedTuple):
    """What is in `s`.

    Attributes:
        needs: the release that its events need; "": 0.3.
        snapshot, setup: as in the head; `setup` is empty if it was not there.
        orders: fields of the standing orders.
        books: those with the earliest events.
        since: the events after them as the text of a chunk, without the last one; empty: there are none.
        last: the last event.
    """

    needs: str
    snapshot: bytes
    setup: bytes
    orders: Mapping[str, str]
    books: Sequence[Book]
    since: bytes
    last: Event

    def state(self, what: str) -> State:
        """Return its state. Raises as `codec.decode`; the message names `what`."""
        return codec.decode_state(self.snapshot, self.setup or None, what)

    def events(self, after: int, limit: int, books: Sequence[bytes], what: str) -> list[Event]:
        """Return at most `limit` events with seq > `after`. Raises as `codec.decode`.

        Args:
            books: the first of those that have such events, enough for so many.
        """
        events: list[Event] = []
        for some in self._parts(after, books, what):
            events += [event for event in some if event["seq"] > after]
            if len(events) >= limit:
                break
        return events[:limit]

    def _parts(self, after: int, books: Sequence[bytes], what: str) -> Iterator[list[Event]]:
        for book in books:
            yield chunks.unpack(book, what)
        if self.since and self.last["seq"] > after + 1:
            yield chunks.events_in(self.since, what)
        yield [self.last]


def pack(sleeper: Sleeper) -> bytes:
    """Return the value of `s`."""
    lines = (sleeper.snapshot, sleeper.setup, dumps(sleeper.orders), sleeper.since, codec.encode_event(sleeper.last))
    texts = chunks.compressed(b"\n".join(lines), _DICTIONARY)
    name = codec.named(ASLEEP, needs_of(sleeper.needs))
    return b"%b:%b\n%b" % (name, dumps([sleeper.needs, sleeper.books]), texts)


def needs_of(events: str) -> str:
    """Return the release that a sleeping table needs whose events need one."""
    return latest((SINCE, events))


def unpack(value: bytes | None, what: str) -> Sleeper:
    """Unpack the value of `s`.

    Raises:
        StoreCorrupt: it is none, or is truncated; the message names `what`.
        StoreTooNew: a later release has written it.
    """
    name, _, packed = (value or b"").partition(b":")
    codec.check_name(name, ASLEEP, what)
    head, _, compressed = packed.partition(b"\n")
    try:
        needs, books = loads(head)
        lines = chunks.decompressed(compressed, what, _DICTIONARY).split(b"\n")
        snapshot, setup, orders, since, last = lines
        return Sleeper(needs, snapshot, setup, loads(orders), [Book(*book) for book in books], since, loads(last))
    except (ValueError, TypeError) as error:
        raise StoreCorrupt(f"{what}: a truncated value ({error})") from error
