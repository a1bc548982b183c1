"""What a row of `service.store.keys` says of a key, and the functions that build names from it."""

import re
from collections.abc import Callable
from itertools import count
from typing import Final, Literal, NamedTuple, ParamSpec, TypeVar
from zlib import crc32

from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot


class Personal(NamedTuple):
    """What export and erasure of a player do with a key.

    Attributes:
        exported: member of the export that contains it; None: see `why`.
        is_erased: whether erasing the player removes it.
        why: why it is not exported or not erased; "" if it is both.
    """

    exported: str | None
    is_erased: bool
    why: str = ""


class Key(NamedTuple):
    """A row: a key, or a channel.

    Attributes:
        pattern: its name, with `{bNN}` for the tag of a bucket, and what differs in `<>`.
        kind: its type.
        text: what lies there.
        bound: what limits it; says `expires` of a key with a time to live.
        personal: what export and erasure do with it.
        rights: kinds of rights of an account that lie there (`service.accounts.rights`); None: nothing of an account.
        is_saved: whether it is part of a backup; data of running processes are not.
        is_of_queues: whether it lies in the Redis of the queues.
    """

    pattern: str
    kind: Literal["string", "hash", "sorted set", "set", "list", "stream", "channel"]
    text: str
    bound: str
    personal: Personal
    rights: tuple[str, ...] | None = None
    is_saved: bool = True
    is_of_queues: bool = False

    def matching(self) -> re.Pattern[str]:
        """Return the expression that the names of such keys match."""
        text = re.escape(self.pattern).replace(r"\{bNN\}", r"\{b\d+\}")
        return re.compile(re.sub(r"<\w+>", "(.+)" if self.is_of_queues else "([^:]+)", text))

    def glob(self) -> str:
        """Return the pattern for `SCAN` that finds such keys."""
        return re.sub(r"<\w+>", "*", self.pattern.replace("{bNN}", "{b*}"))


#: Pattern -> row, in the order of the docs. Complete once `service.store.keys` is imported.
KEYS: Final[dict[str, Key]] = {}

#: Default number of buckets, and the fixed number of releases before 0.3.
USUAL_BUCKETS: Final = 16


def _tags_of(number: int) -> tuple[str, ...]:
    """Return the hash tags of the buckets, one in each of as many equal ranges of slots, to balance the nodes."""
    if number == USUAL_BUCKETS:
        # The tags of all earlier releases.
        return tuple(f"b{bucket:02d}" for bucket in range(number))
    tags: dict[int, str] = {}
    for candidate in count():
        tag = f"b{candidate:02d}"
        tags.setdefault(key_slot(tag.encode()) * number // REDIS_CLUSTER_HASH_SLOTS, tag)
        if len(tags) == number:
            break
    return tuple(tags[bucket] for bucket in range(number))


#: See `set_buckets`.
_tags = _tags_of(USUAL_BUCKETS)


def set_buckets(number: int) -> None:
    """Set the number of buckets of this process."""
    global _tags  # noqa: PLW0603 - set once, at the start of the process
    _tags = _tags_of(number)


def buckets() -> int:
    """Return the number of buckets."""
    return len(_tags)


def bucket_of(table: str) -> int:
    """Return the bucket of a table: 0 … `buckets()` - 1."""
    return crc32(table.encode()) % len(_tags)


# --- kinds of names: each takes what the row says, and returns the name or a function that builds it ------------------

_Row = ParamSpec("_Row")
_Name = TypeVar("_Name")


def _of(row: Callable[_Row, Key]) -> Callable[[Callable[[Key], _Name]], Callable[_Row, _Name]]:
    """Let a function of a row take what the row is made of, and add the row to `KEYS`."""

    def decorated(named: Callable[[Key], _Name]) -> Callable[_Row, _Name]:
        def declare(*args: _Row.args, **kwargs: _Row.kwargs) -> _Name:
            key = row(*args, **kwargs)
            if key.pattern in KEYS:
                raise ValueError(f"{key.pattern} is declared twice")
            KEYS[key.pattern] = key
            return named(key)

        return declare

    return decorated


def _around(pattern: str) -> list[str]:
    """Return what a name has around the parts that differ."""
    return re.split(r"<\w+>", pattern)


@_of(Key)
def fixed(key: Key) -> str:
    """A key with one name."""
    return key.pattern


@_of(Key)
def by_one(key: Key) -> Callable[[str], str]:
    """A key for each value of a part."""
    before, after = _around(key.pattern)

    def name(part: str) -> str:
        return f"{before}{part}{after}"

    # Most names end with the part; so it takes no longer than a function written for the key.
    return name if after else before.__add__


@_of(Key)
def by_two(key: Key) -> Callable[[str, str], str]:
    """A key for each pair of parts."""
    before, between, after = _around(key.pattern)

    def name(first: str, second: str) -> str:
        return f"{before}{first}{between}{second}{after}"

    return name


@_of(Key)
def by_number(key: Key) -> Callable[[str, int], str]:
    """A key for each part and number."""
    before, between, after = _around(key.pattern)

    def name(part: str, number: int) -> str:
        return f"{before}{part}{between}{number}{after}"

    return name


@_of(Key)
def by_bucket(key: Key) -> Callable[[int], str]:
    """A key for each bucket."""
    after = key.pattern.removeprefix("sj:{bNN}")

    def name(bucket: int) -> str:
        return f"sj:{{{_tags[bucket]}}}{after}"

    return name


@_of(Key)
def by_table(key: Key) -> Callable[[str], str]:
    """A key for each table, in the slot of its bucket."""
    after = _around(key.pattern)[1]

    def name(table: str) -> str:
        return f"sj:{{{_tags[bucket_of(table)]}}}:{table}{after}"

    return name


@_of(Key)
def by_table_and_one(key: Key) -> Callable[[str, str], str]:
    """A key for each table and value of a part, in the slot of the table's bucket."""
    between = _around(key.pattern)[1]

    def name(table: str, part: str) -> str:
        return f"sj:{{{_tags[bucket_of(table)]}}}:{table}{between}{part}"

    return name
