"""Chunks of old events: columns, compressed, in a twentieth of the space.

Events of one shape (a type, and the names of its fields) are stored by column, for instance all cards played, then all
winning seats, so that values that hardly change compress well. The compressor uses a preset dictionary. Format and
dictionary belong to the schema `c1`:

    [first seq, [shape, …], [index of the shape of each event, …], [at of the first, then differences, …], [columns, …]]

A shape is `[type, names of envelope fields, names of data fields]`, and its columns are the values of those fields. A
name that begins with `+` denotes a column of times, stored as differences to `at`. `tx` and the answered decision are
stored as differences to `seq`; `answers` is three columns.
"""

import zlib
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from service.common.fastjson import dumps, loads
from service.game.events.types import Event
from service.store.port import StoreCorrupt

CHUNK: Final = b"c1"

DICTIONARY: Final = (Path(__file__).parent / "dictionaries" / "c1.json").read_bytes()
#: Fields with a fixed place in a chunk; all others except `data` are envelope fields.
_PLACED: Final = frozenset({"seq", "type", "at", "data"})
_ANSWERS: Final = ("answers", "decision", "digest")
#: Larger numbers are times (ms since the epoch): no other number in an event is this large.
_TIMES_FROM: Final = 1_000_000_000_000

#: Type, names of the envelope fields, names of the data fields.
_Shape = tuple[str, tuple[str, ...], tuple[str, ...]]


def pack(events: Sequence[Event]) -> bytes:
    """Pack events with consecutive seqs into a value."""
    return compressed(text_of(events))


def text_of(events: Sequence[Event]) -> bytes:
    """Return events with consecutive seqs as the text that is compressed."""
    return dumps(by_columns(events))


def compressed(text: bytes, dictionary: bytes = DICTIONARY) -> bytes:
    """Compress a text, of a chunk or with another preset dictionary."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS, 9, zlib.Z_DEFAULT_STRATEGY, dictionary)
    return compressor.compress(text) + compressor.flush()


def unpack(packed: bytes, what: str) -> list[Event]:
    """Unpack the events of a value.

    Raises:
        StoreCorrupt: the value is not a chunk, or is truncated; the message names `what`.
    """
    return events_in(decompressed(packed, what), what)


def decompressed(packed: bytes, what: str, dictionary: bytes = DICTIONARY) -> bytes:
    """Return the text that was compressed. Raises as `unpack`."""
    decompressor = zlib.decompressobj(zdict=dictionary)
    try:
        text = decompressor.decompress(packed)
    except zlib.error as error:
        raise StoreCorrupt(f"{what}: a truncated chunk ({error})") from error
    if not decompressor.eof:
        raise StoreCorrupt(f"{what}: a truncated chunk")
    return text


def events_in(text: bytes, what: str) -> list[Event]:
    """Return the events of a text. Raises as `unpack`."""
    try:
        return _events_of(*loads(text))
    except (ValueError, LookupError, TypeError) as error:
        raise StoreCorrupt(f"{what}: a truncated chunk ({error})") from error


def by_columns(events: Sequence[Event]) -> list[Any]:
    """Return the JSON value that is compressed; see the module for its form."""
    indexes: list[int] = []
    differences: list[int] = []
    rows: dict[_Shape, list[list[Any]]] = {}
    number_of: dict[_Shape, int] = {}
    before = 0
    for event in events:
        envelope = tuple(name for name in event if name not in _PLACED)
        shape = (event["type"], envelope, tuple(event["data"]))
        row = [event["at"], *_envelope_values(event, envelope), *event["data"].values()]
        rows.setdefault(shape, []).append(row)
        indexes.append(number_of.setdefault(shape, len(number_of)))
        differences.append(event["at"] - before)
        before = event["at"]
    shapes, columns = [], []
    for (event_type, envelope, data), rows_of_shape in rows.items():
        times, *values = zip(*rows_of_shape, strict=True)
        envelope_columns = list(_column_names(envelope))
        names = [*envelope_columns, *data]
        named = [_column(name, times, column) for name, column in zip(names, values, strict=True)]
        split = len(envelope_columns)
        shapes.append([event_type, [name for name, _ in named[:split]], [name for name, _ in named[split:]]])
        columns.append([column for _, column in named])
    return [events[0]["seq"], shapes, indexes, differences, columns]


def _column_names(envelope: Sequence[str]) -> Iterator[str]:
    for name in envelope:
        yield from _ANSWERS if name == "answers" else (name,)


def _envelope_values(event: Any, names: Sequence[str]) -> Iterator[Any]:
    """Yield the values of the envelope fields, in the order of their columns."""
    for name in names:
        value = event[name]
        if name == "tx":
            yield event["seq"] - value
        elif name == "answers":
            seat, decision, digest = value
            yield seat
            yield event["seq"] - int(decision[3:]) if decision == f"dc_{_number(decision[3:])}" else decision
            yield digest
        else:
            yield value


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else -1


def _column(name: str, times: Sequence[int], values: Sequence[Any]) -> tuple[str, list[Any]]:
    """Return name and values of a column; times become differences."""
    if all(type(value) is int and value > _TIMES_FROM for value in values):
        return f"+{name}", [value - at for value, at in zip(values, times, strict=True)]
    return name, list(values)


def _events_of(
    first: int, shapes: list[Any], indexes: list[int], differences: list[int], columns: list[list[list[Any]]]
) -> list[Event]:
    times = list(accumulate(differences))
    events: list[Any] = [None] * len(indexes)
    for index, (event_type, envelope, data) in enumerate(shapes):
        places = [place for place, shape in enumerate(indexes) if shape == index]
        values = [
            [value + times[place] for value, place in zip(column, places, strict=True)] if name[:1] == "+" else column
            for name, column in zip((*envelope, *data), columns[index], strict=True)
        ]
        envelope_names = [name.removeprefix("+") for name in envelope]
        data_names = [name.removeprefix("+") for name in data]
        for number, place in enumerate(places):
            row = [column[number] for column in values]
            event = dict(zip(envelope_names, row, strict=False))
            event |= {"seq": first + place, "type": event_type, "at": times[place]}
            if "tx" in event:
                event["tx"] = event["seq"] - event["tx"]
            if "answers" in event:
                decision = event.pop("decision")
                decision_id = f"dc_{event['seq'] - decision}" if isinstance(decision, int) else decision
                event["answers"] = [event["answers"], decision_id, event.pop("digest")]
            event["data"] = dict(zip(data_names, row[len(envelope) :], strict=True))
            events[place] = event
    return events
