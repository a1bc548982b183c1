"""What the service needs of a Redis that keeps its data, looked at when a process starts and while it runs.

A Redis that evicts, or that writes no log, serves well until the day on which the tables are gone.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from redis import RedisCluster
from redis.exceptions import NoPermissionError, RedisClusterException, RedisError

from service.store.connections.clients import command_client
from service.store.connections.commands import Client
from service.store.connections.opening import WAIT_S, CannotStartError, answering

#: Name of a precondition, as `/readyz` and `/metrics` have it -> what to do about it.
REMEDIES: Final = {
    "noeviction": "set `maxmemory-policy noeviction`",
    "appendonly": "set `appendonly yes`, or `ACCEPT_LOSS=1` if losing everything does no harm",
    "time": "let NTP set the clocks of both machines",
    "replicas": "`APPEND_REPLICAS` must be the number of replicas of each master",
}
#: Largest difference between the clocks of this machine and of Redis (s). Tokens for push services and sign-in would
#: not be valid with larger ones.
_MOST_APART_S: Final = 30.0


def unmet(client: Client, *, replicas: int = 0) -> dict[str, str]:
    """Return the preconditions that a Redis does not meet: name -> a sentence on what is so instead.

    What a server does not let us see counts as met. Three or four round trips to each primary.

    Args:
        replicas: number of replicas that must have an action before it is acknowledged (`APPEND_REPLICAS`).

    Raises:
        RedisError: it does not answer.
    """
    faults: dict[str, str] = {}
    for place, server in _servers(client):
        try:
            values = server("memory") | server("persistence") | server("clock")
            values |= server("replication") if replicas else {}
        except NoPermissionError:
            continue
        policy = values.get("maxmemory_policy", "noeviction")
        if policy != "noeviction":
            faults["noeviction"] = f"{place} deletes data when it is full (maxmemory-policy {policy})"
        if not values.get("aof_enabled", 1):
            faults["appendonly"] = f"{place} keeps no append-only file: a restart loses what was played"
        if abs(values["apart_s"]) > _MOST_APART_S:
            faults["time"] = f"the clock of {place} is {values['apart_s']:+.0f} s from that of this machine"
        there = values.get("connected_slaves", replicas)
        if there > replicas:
            lost = f"an action that {replicas} of them acknowledged is lost if another one takes over"
            faults["replicas"] = f"{place} has {there} replicas, and {lost}"
        elif there < replicas:
            faults["replicas"] = f"{place} has {there} replicas, and no action is taken until {replicas} have it"
    return faults


def met(client: Client, *, accepts_loss: bool, replicas: int = 0) -> dict[str, bool]:
    """Return for each precondition whether a Redis meets it; with `accepts_loss` those of its data do not count."""
    missing = unmet(client, replicas=replicas)
    return {name: name not in missing for name in REMEDIES if name == "time" or not accepts_loss}


def check(url: str, *, accepts_loss: bool, replicas: int = 0) -> list[str]:
    """Look at a Redis when a process starts; return a sentence on each precondition that it does not meet.

    Without a limit of memory the service runs as well, so only the start says so, and nothing with `accepts_loss`.

    Raises:
        CannotStartError: it evicts data, or does not answer.
    """
    client = answering("REDIS_URL", url, command_client, WAIT_S)
    try:
        missing = unmet(client, replicas=replicas)
        endless = [] if accepts_loss else list(_without_limit(client))
    except (RedisError, RedisClusterException) as error:
        raise CannotStartError(f"REDIS_URL: {error}") from None
    finally:
        client.close()
    if "noeviction" in missing and not accepts_loss:
        raise CannotStartError(
            f"REDIS_URL: {missing['noeviction']}, so that tables would vanish: {REMEDIES['noeviction']}"
        )
    return sentences(missing) + endless


def sentences(missing: Mapping[str, str]) -> list[str]:
    """Return a sentence on each precondition that is not met, with what to do."""
    return [f"REDIS_URL: {text}: {REMEDIES[name]}" for name, text in missing.items()]


def _without_limit(client: Client) -> Iterator[str]:
    """Yield a sentence on each primary whose memory has no limit."""
    for place, server in _servers(client):
        with suppress(NoPermissionError):
            # A server that does not tell its limit counts as having one.
            if server("memory").get("maxmemory", 1) == 0:
                yield (
                    f"REDIS_URL: {place} has no limit of memory, so that the system kills it when there is none left, "
                    "and no alert comes before: set `maxmemory`"
                )


def _servers(client: Client) -> Iterator[tuple[str, Any]]:
    """Yield a name of each primary, and a function from a section of INFO, or `clock`, to its values."""
    cluster: object = client
    nodes = cluster.get_primaries() if isinstance(cluster, RedisCluster) else [None]  # type: ignore[no-untyped-call] # it has no types
    for node in nodes:
        options: dict[str, object] = {} if node is None else {"target_nodes": node}

        def ask(section: str, options: dict[str, object] = options) -> dict[str, Any]:
            if section == "clock":
                seconds, micros = client.time(**options)
                return {"apart_s": seconds + micros / 1e6 - time.time()}
            return client.info(section, **options)

        yield "Redis" if node is None else f"Redis {node.name}", ask
