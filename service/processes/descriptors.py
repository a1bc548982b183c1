"""File descriptors: each open connection takes one, and a process may have only so many."""

import resource
from typing import Final

#: Descriptors for everything but connections of clients: Redis, log, libraries.
_OWN: Final = 128
#: Streams take at most this share of the connections, so that short requests always find one.
_STREAM_SHARE: Final = 0.75
#: One process has no CPU time for more connections.
_MOST_CONNECTIONS: Final = 10_000


def raise_limit() -> int:
    """Raise the limit of this process, and so of its children, to the hard limit; return it.

    The default is low, often 1,024, for the sake of old programs.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = hard if hard != resource.RLIM_INFINITY else max(soft, 4 * _MOST_CONNECTIONS)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (ValueError, OSError):
        # macOS reports a hard limit that it does not grant.
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
