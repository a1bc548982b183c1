"""Many streams in one process, as in a server: `python -m tests.store.streams <url> <threads|gevent>`.

Each stream follows the log of its table until it has seen the 20 events appended by the parent process. The program
prints what the streams saw, and how many connections the server counted.
"""

import sys

if sys.argv[1:] and sys.argv[-1] == "gevent":
    from gevent import monkey

    monkey.patch_all()

import json
import threading

from harness.wakes import Wakes
from service.store.connections.clients import command_client
from service.store.live import Announcements
from service.store.redis_tables import RedisTableStore

STREAMS = 60
TABLES = 3
EVENTS = 20


def follow(hub, tables, table, after=0):
    """Yield the seq of each event of a table like a stream: subscribe, read, wait, read on."""
    with hub.subscribe(table) as subscription:
        while True:
            for event in tables.events(table, after, 100):
                after = event["seq"]
                yield after
            subscription.wait(10)


def main(url):
    hub, client = Wakes(Announcements(command_client(url))), command_client(url, connections=4)
    views, redis_table_store = RedisTableStore(client), {}

    def stream(number):
        redis_table_store[number] = []
        for seq in follow(hub, views, f"tb_{number % TABLES}"):
            redis_table_store[number].append(seq)
            if seq == EVENTS:
                return

    streams = [threading.Thread(target=stream, args=(number,)) for number in range(STREAMS)]
    for thread in streams:
        thread.start()
    print("ready", flush=True)
    for thread in streams:
        thread.join()
    connections = client.info("clients")["connected_clients"]
    hub.close()
    print(json.dumps({"seen": list(redis_table_store.values()), "connections": connections}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
