"""Stream tickets: one stream each, for browsers that cannot send a token."""

import threading

from tests.api.contract import assert_problem
from tests.api.streams.test_events import STREAM, Stream


def test_a_ticket_opens_one_stream_without_a_token(world):
    table = world.table(ready=False)
    ticket = table.clients[1].post(f"{table.path}/stream-ticket").json["ticket"]
    with Stream(world.anybody, f"{table.path}/events?ticket={ticket}") as stream:
        assert stream.next()[2]["view"]["my"]["seat"] == 1
    answer = world.anybody.get(f"{table.path}/events?ticket={ticket}", headers=STREAM)
    problem = assert_problem(answer, "unauthorized", reason="bad_ticket")
    assert f"POST {table.path}/stream-ticket" in problem["detail"]


def test_a_ticket_is_for_one_table_alone(world):
    table, other = world.table(ready=False), world.table(ready=False)
    ticket = table.host.post(f"{table.path}/stream-ticket").json["ticket"]
    assert_problem(world.anybody.get(f"{other.path}/events?ticket={ticket}", headers=STREAM), "unauthorized")


def test_a_ticket_that_nobody_issued_opens_nothing(world):
    table = world.table(ready=False)
    for ticket in ("tk_x", "x" * 80, "%00"):
        answer = world.anybody.get(f"{table.path}/events?ticket={ticket}", headers=STREAM)
        assert_problem(answer, "unauthorized", reason="bad_ticket")


def test_a_ticket_used_by_many_at_once_admits_one(world):
    table = world.table(ready=False)
    ticket = table.host.post(f"{table.path}/stream-ticket").json["ticket"]
    statuses = []

    def use():
        statuses.append(world.anybody.get(f"{table.path}/events?ticket={ticket}&limit=1").status_code)

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200] + [401] * 7
