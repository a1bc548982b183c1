"""File descriptors: each connection takes one, and their number per process is limited."""

import resource
from typing import Final

#: Descriptors reserved for everything except connections of clients: Redis, log, libraries.
_OWN: Final = 128
#: Largest share of connections for streams, so that short requests always find one.
_STREAM_SHARE: Final = 0.75
#: Most connections of a process, which has no CPU time for more.
_MOST_CONNECTIONS: Final = 10_000


def raise_limit() -> int:
    """Raise the limit of this process and its children to the hard limit; return it.

    The default is low, often 1,024, for compatibility with old programs.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = hard if hard != resource.RLIM_INFINITY else max(soft, 4 * _MOST_CONNECTIONS)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (ValueError, OSError):
        # macOS reports a hard limit but does not grant it.
        return soft
    return wanted


def most_connections(limit: int | None = None) -> int:
    """Return the most client connections of a process; `limit`: limit of descriptors, by default its own."""
    if limit is None:
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return min(_MOST_CONNECTIONS, max(limit - _OWN, limit // 2))


def lacking(streams: int, limit: int | None = None) -> list[str]:
    """Return a sentence if a process cannot hold so many streams; see `most_connections` for `limit`."""
    most = most_streams(limit)
    if streams <= most:
        return []
    text = (
        f"MAX_STREAMS={streams}, but a process holds at most {most}, by its limit of open files (`ulimit -Hn`; "
        f"`NOFILE` in compose, `LimitNOFILE` in systemd) and {_MOST_CONNECTIONS:,} connections: raise it, "
        "or start more processes"
    )
    return [text]


def most_streams(limit: int | None = None) -> int:
    """Return the most connections for streams and long polls."""
    return max(1, int(_STREAM_SHARE * most_connections(limit)))
