"""Old events of a log, many to a value: by columns and compressed, in a twentieth of the space that they took before.

Events of one shape (a type, and the names of its fields) have their values side by side: all cards that were played,
then all seats that won. What hardly changes from one to the next costs next to nothing, and moments are distances.
A dictionary shows the compressor beforehand what chunks look like. It is part of the schema `c1`, as is this form:

    [first seq, [shape, …], [shape of each event, …], [at of the first, distance to the next, …], [columns, …]]

A shape is `[type, names of fields beside data, names of fields of data]`, its columns are the values of those fields.
A column whose name begins with `+` holds times, as distances from `at`. `tx` is a distance from `seq`, and so is the
decision that was answered; `answers` are three columns.
"""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, cast

from service.fastjson import dumps, loads
from service.game.events.types import Event
from service.store.port import StoreCorrupt

CHUNK: Final = b"c1"

_DICTIONARY: Final = (Path(__file__).parent / "dictionaries" / "c1.json").read_bytes()
#: Fields that the form of a chunk tells by itself.
_TOLD: Final = frozenset({"seq", "type", "at", "data"})
_ANSWERS: Final = ("answers", "decision", "digest")
#: Greater numbers are times (ms since the epoch): nothing else in an event is.
_TIMES_FROM: Final = 1_000_000_000_000


def pack(events: Sequence[Event]) -> bytes:
    """Return events whose seqs follow one another as one value; `unpack` gives them back, equal in every field."""
    press = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS, 9, zlib.Z_DEFAULT_STRATEGY, _DICTIONARY)
    return press.compress(dumps(by_columns(events))) + press.flush()


def unpack(packed: bytes, what: str) -> list[Event]:
    """Return what `pack` was given.

    Raises:
        StoreCorrupt: this is no chunk, or not all of it; the text names `what`.
    """
    open_up = zlib.decompressobj(zdict=_DICTIONARY)
    try:
        table = open_up.decompress(packed)
        if not open_up.eof:
            raise StoreCorrupt(f"{what}: a truncated chunk")
        return _events_of(*loads(table))
    except (zlib.error, ValueError, LookupError, TypeError) as error:
        raise StoreCorrupt(f"{what}: a truncated chunk ({error})") from error


def by_columns(events: Sequence[Event]) -> list[Any]:
    """Return the JSON value that is compressed; see the module for its form."""
    kinds: list[int] = []
    distances: list[int] = []
    known: dict[tuple[str, tuple[str, ...], tuple[str, ...]], int] = {}
    rows: list[list[list[Any]]] = []
    before = 0
    for event in events:
        beside = tuple(name for name in event if name not in _TOLD)
        shape = (event["type"], beside, tuple(event["data"]))
        kind = known.setdefault(shape, len(known))
        if kind == len(rows):
            rows.append([])
        rows[kind].append([event["at"], *_beside(event, beside), *event["data"].values()])
        kinds.append(kind)
        distances.append(event["at"] - before)
        before = event["at"]
    shapes, columns = [], []
    for (event_type, beside, inside), of_shape in zip(known, rows, strict=True):
        moments, *values = zip(*of_shape, strict=True)
        names = [*_column_names(beside), *inside]
        told = [_told(name, moments, column) for name, column in zip(names, values, strict=True)]
        split = len(names) - len(inside)
        shapes.append([event_type, [name for name, _ in told[:split]], [name for name, _ in told[split:]]])
        columns.append([column for _, column in told])
    return [events[0]["seq"], shapes, kinds, distances, columns]


def _column_names(beside: Sequence[str]) -> Iterator[str]:
    for name in beside:
        yield from _ANSWERS if name == "answers" else (name,)


def _beside(event: Mapping[str, Any], names: Sequence[str]) -> Iterator[Any]:
    """Yield the values of fields beside `data`, as they lie in the columns."""
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


def _told(name: str, moments: Sequence[int], column: Sequence[Any]) -> tuple[str, list[Any]]:
    if all(type(value) is int and value > _TIMES_FROM for value in column):
        return f"+{name}", [value - at for value, at in zip(column, moments, strict=True)]
    return name, list(column)


def _events_of(
    first: int, shapes: list[Any], kinds: list[int], distances: list[int], columns: list[list[list[Any]]]
) -> list[Event]:
    moments = list(accumulate(distances))
    events: list[dict[str, Any]] = [{}] * len(kinds)
    for kind, (event_type, beside, inside) in enumerate(shapes):
        places = [place for place, its_kind in enumerate(kinds) if its_kind == kind]
        values = [
            [value + moments[place] for value, place in zip(column, places, strict=True)] if name[:1] == "+" else column
            for name, column in zip((*beside, *inside), columns[kind], strict=True)
        ]
        names_beside = [name.removeprefix("+") for name in beside]
        names_inside = [name.removeprefix("+") for name in inside]
        for number, place in enumerate(places):
            row = [column[number] for column in values]
            event = dict(zip(names_beside, row, strict=False))
            event |= {"seq": first + place, "type": event_type, "at": moments[place]}
            if "tx" in event:
                event["tx"] = event["seq"] - event["tx"]
            if "answers" in event:
                decision = event.pop("decision")
                named = f"dc_{event['seq'] - decision}" if isinstance(decision, int) else decision
                event["answers"] = [event["answers"], named, event.pop("digest")]
            event["data"] = dict(zip(names_inside, row[len(beside) :], strict=True))
            events[place] = event
    return cast("list[Event]", events)
