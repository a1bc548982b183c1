"""Notices while messengers and Redis are killed: no due notice is lost, and repeated ones have the same id."""

import copy
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from contextlib import suppress

import pytest

from harness.notices import opened, subscribe
from harness.waiting import wait_until
from service.processes.embedded_redis import EmbeddedRedis
from service.store.connections.clients import command_client
from service.store.port import StoreUnavailable, VersionConflict
from service.store.stores import Stores
from service.tables import Tables
from tests.notices.receivers import Receiver

#: Number of tables, and of decisions at each.
TABLES, EACH = 12, 6
OK, LATER = b"HTTP/1.1 200 OK\r\n\r\n", b"HTTP/1.1 503 Later\r\n\r\n"


def messenger(url):
    environment = {**os.environ, "REDIS_URL": url, "NOTIFY_PRIVATE": "1", "LOG_LEVEL": "error"}
    return subprocess.Popen([sys.executable, "-m", "workers", "messenger"], env=environment)


def seats(tables, players):
    """A table with four bots; returns its id and theirs."""
    ids = [f"pl_{secrets.token_hex(6)}" for _ in range(4)]
    for player in ids:
        players.create({"id": player, "name": "Bot", "kind": "bot", "locale": "en", "created_at": 0}, player)
    state = tables.create({"id": ids[0]}, {"ruleset": "shengji", "players": 4}).state
    table, code = state["id"], state["settings"]["join_code"]
    for seat, player in enumerate(ids):
        sit = {"type": "sit", "player": player, "name": "Bot", "kind": "bot", "seat": seat, "join_code": code}
        tables.act(table, sit)
        players.add_table(player, table, 0)
    return table, ids


@pytest.mark.nightly
def test_no_due_notice_is_lost_whatever_is_killed(tmp_path):
    deliveries, lock, calls = defaultdict(list), threading.Lock(), [0]

    def answer(request):
        body = json.loads(request.partition(b"\r\n\r\n")[2])
        with lock:
            calls[0] += 1
            # Every fifth attempt fails.
            if calls[0] % 5 == 0:
                return [LATER]
            webhook_id = re.search(rb"webhook-id: (\S+)", request)[1]
            deliveries[body["data"]["table"], body["data"]["decision_id"]].append(webhook_id)
        time.sleep(0.02)
        return [OK]

    with EmbeddedRedis(tmp_path / "redis", {"appendonly": "yes"}) as redis, Receiver(answer) as receiver:
        stores = Stores(command_client(redis.url))
        seated = [seats(Tables(stores.tables), stores.players) for _ in range(TABLES)]
        subscribe(redis.url, seated, receiver.url.removesuffix("/hook"), 0)
        states = [copy.deepcopy(stores.tables.load(table).state) for table, _ in seated]
        messengers = [messenger(redis.url) for _ in range(2)]
        try:
            for number in range(EACH):
                due = set()
                for at, before in enumerate(states):
                    event, state = opened(before, number)
                    states[at] = state
                    due.add((state["id"], state["decision"]["id"]))
                    # Repeat until the write is confirmed, since Redis may be unavailable.
                    while True:
                        with suppress(StoreUnavailable):
                            try:
                                stores.tables.append(state["id"], event["seq"] - 1, [event], state, wake_at=None)
                            except VersionConflict as conflict:
                                assert conflict.actual == event["seq"]  # noqa: PT017 - the previous write succeeded
                            break
                        time.sleep(0.1)
                if number % 2:
                    messengers[number % 4 // 2].send_signal(signal.SIGKILL)
                    messengers.append(messenger(redis.url))
                elif number:
                    redis.kill()
                    redis.start()
                # The decisions stay open until all notices were sent.
                wait_until(lambda due=due: due <= deliveries.keys(), seconds=90)
            twice = {key: ids for key, ids in deliveries.items() if len(ids) > 1}
            assert all(len(set(ids)) == 1 for ids in deliveries.values())
            # Only requests in progress during a kill.
            assert len(twice) <= TABLES * EACH // 4, twice
            last = {(state["id"], state["decision"]["id"]) for state in states}
            assert last <= deliveries.keys()
        finally:
            for each in messengers:
                each.kill()
                each.wait()
