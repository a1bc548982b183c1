"""Paging through sorted sets scored by time, the latest first."""

from collections.abc import Iterable
from typing import TypeAlias

from service.store.connections.cluster_client import answers_there_are
from service.store.connections.commands import Client

#: Time (ms) and member; pages are in descending order of both.
Entry: TypeAlias = tuple[int, str]


def latest(redis: Client, keys: Iterable[str], limit: int, before: Entry | None) -> list[Entry]:
    """Return the next entries after `before` from all sets, merged. One round trip.

    On a cluster, sets of lost nodes are left out.
    """
    pipeline = redis.pipeline(transaction=False)
    for key in keys:
        if before is None:
            pipeline.zrevrangebyscore(key, "+inf", "-inf", 0, limit, withscores=True)
        else:
            # All entries of the same millisecond, since `before` may be among them, then older ones.
            pipeline.zrevrangebyscore(key, before[0], before[0], withscores=True)
            pipeline.zrevrangebyscore(key, f"({before[0]}", "-inf", 0, limit, withscores=True)
    answers = answers_there_are(pipeline.execute(raise_on_error=False))
    entries = ((int(at), name.decode()) for answer in answers for name, at in answer or ())
    return sorted((entry for entry in entries if before is None or entry < before), reverse=True)[:limit]
