"""A process that competes with others: `python -m tests.store.racers <url> <what> <name>`.

It prints `ready`, waits for a line on its input, and prints what it won as JSON.
"""

import json
import sys

from service.store.connections.clients import command_client
from service.store.port import VersionConflict
from service.store.redis_tables import RedisTableStore
from tests.store.conftest import START, a_state


def append(tables, name):
    """Append two events with a name to version 1; return the outcome."""
    events = [
        {"seq": seq, "type": "chat", "at": START, "round": None, "by": "player", "data": {"text": name}}
        for seq in (2, 3)
    ]
    try:
        tables.append("tb_a", 1, events, a_state(by=name), wake_at=None)
    except VersionConflict as conflict:
        return conflict.actual
    return "won"


def lease(tables, _name):
    """Lease until nothing is due; return all leases."""
    leased = []
    while more := tables.lease_due(START + 100, 60_000, 7):
        leased += [due.table for due in more]
    return leased


RACES = {"append": append, "lease": lease}

if __name__ == "__main__":
    with command_client(sys.argv[1]) as client:
        client.ping()
        print("ready", flush=True)
        sys.stdin.readline()
        print(json.dumps(RACES[sys.argv[2]](RedisTableStore(client), sys.argv[3])), flush=True)
