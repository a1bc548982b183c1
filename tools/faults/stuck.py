"""What a table that is overdue waits for: its place in the sets of the clock, the queues, and who works on them."""

import json
import os
from pathlib import Path
from typing import Any, Final

from redis import Redis
from redis.exceptions import RedisError

from service.jobs.queues import AI, HEAVY, PEOPLE, SEARCH
from service.store import keys
from service.store.connections.clients import command_client

#: How long a table has been overdue when this is first written (s).
NOTED_S: Final = 2.0


class Stuck:
    """Writes, for tables that are overdue, where their path from the clock to a worker ends (`stuck.jsonl`).

    Args:
        tables: client of the tables.
        queues: URL of the Redis of the queues.
    """

    def __init__(self, file: Path, tables: Redis, queues: str) -> None:
        self._file, self._tables, self._url = file, tables, queues
        self._queues: Any = None

    def note(self, table: str, late_s: float, now: int) -> None:
        """Write a line. What does not answer is told as its error."""
        line: dict[str, Any] = {"table": table, "late_s": round(late_s, 1), "at": now, "load": os.getloadavg()[0]}
        bucket = keys.bucket_of(table)
        try:
            version, queue = self._tables.hmget(keys.head(table), "v", "q")
            line |= {"version": int(version or 0), "queue": (queue or b"").decode()}
            line |= {"leased until": self._tables.zscore(keys.due(bucket), table)}
        except (RedisError, OSError) as error:
            line["tables"] = repr(error)
        try:
            self._queues = self._queues or command_client(self._url)
            line |= {f"waiting {name}": self._queues.llen(f"rq:queue:{name}") for name in (PEOPLE, AI, HEAVY, SEARCH)}
            for role in ("worker", "clock"):
                beats = self._queues.zrevrange(f"sj:alive:{role}", 0, 3, withscores=True)
                line[f"ms since a {role} was heard"] = [now - int(at) for _, at in beats]
        except (RedisError, OSError) as error:
            line["queues"] = repr(error)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def close(self) -> None:
        """Close its own client."""
        if self._queues:
            self._queues.close()
