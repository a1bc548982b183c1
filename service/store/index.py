"""What `append.lua` gets besides the state and the events of a table: by name, packed as JSON, with a version.

The first characters, `k1:`, are the version, as in all values (`codec`); the script refuses another one before it
changes anything. Only this module and the script know the form. What processes of two releases share are the keys of
the table, whose values have versions of their own.
"""

from typing import Final, TypedDict

from service.store import codec

INDEX: Final = b"k1"


class Index(TypedDict):
    """Where a table is listed and how it is stored. Times are in ms since the epoch.

    What the script only passes on is text, even if it is a number: converting it would take as long as decoding.

    Attributes:
        table: id of the table.
        expected: version before the events.
        replaces: checksum of the snapshot before the events; "": any.
        checksum: checksum of the snapshot after them.
        queue: queue for the table's next job.
        at: time of the last event.
        due: when the table is due; "": not until another append sets a time.
        listed: when the table came to the lobby, if it is not there yet; "": the lobby does not list it.
        watchable: the same for the list of tables to watch.
        ttl: how long the table lives without an append (ms); "": for ever.
        field: name of the field of an entry of the log.
        needs: the release that the events of the table need; "": 0.3.
        long: length of the log from which it needs compaction.
        publish: command of `tell.lua`.
    """

    table: str
    expected: int
    replaces: str
    checksum: str
    queue: str
    at: int
    due: str
    listed: str
    watchable: str
    ttl: str
    field: str
    needs: str
    long: int
    publish: str


def packed(index: Index) -> bytes:
    """Return an index as the script reads it."""
    return codec.encode(INDEX, index)
