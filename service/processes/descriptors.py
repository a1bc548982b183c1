"""File descriptors: each open connection takes one, and a process may have only so many."""

import resource
from typing import Final

#: Descriptors for everything but connections of clients: Redis, log, libraries.
_OWN: Final = 128
#: Streams take at most this share of the connections: short requests always find one.
_STREAM_SHARE: Final = 0.75
#: More connections do not fit into the processor time of one process.
_MOST_CONNECTIONS: Final = 10_000


def raise_limit() -> int:
    """Raise the limit of this process, and of its children, as far as it may; return it.

    Systems start programs with a low one, 1,024 for instance, for the sake of programs from the last century.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = hard if hard != resource.RLIM_INFINITY else max(soft, 4 * _MOST_CONNECTIONS)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (ValueError, OSError):
        # macOS names a hard limit that it does not grant.
        return soft
    return wanted


def most_connections(limit: int | None = None) -> int:
    """Return how many connections of clients a process can hold; `limit`: of descriptors, by default its own."""
    if limit is None:
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return min(_MOST_CONNECTIONS, max(limit - _OWN, limit // 2))


def most_streams(limit: int | None = None) -> int:
    """Return how many of the connections may be streams and long polls."""
    return max(1, int(_STREAM_SHARE * most_connections(limit)))
