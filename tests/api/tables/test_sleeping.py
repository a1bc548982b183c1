"""Tables that sleep, over HTTP: nobody notices, whatever is asked or done, and whoever leaves or is late."""

import random
import threading

import pytest

from harness.waiting import wait_until
from service.common.interruptions import Interruptions
from service.game.events.evolve import fold
from service.standing.delays import MOST_MS
from service.store import keys
from service.tables import Tables
from tests.api.streams.test_events import Stream
from tests.api.tables.test_standing_orders import DAYS, HOUR_MS, follow, give, path
from workers.sleeping import put_tables_to_sleep


def sleep(world):
    """Put all tables to sleep that may; return how many do."""
    return sum(world.stores.sleeping.put_to_sleep(0))


def sleeps(world, table):
    return not world.redis.exists(keys.log(table.id))


@pytest.fixture
def table(world):
    """A slow table of four bots at their first lead."""
    table = world.table(clock=DAYS, claims=True)
    table.play_until("play")
    return table


def test_whoever_reads_a_sleeping_table_gets_what_an_awake_one_answers(world, table):
    give(table, 1, {"do": "forced"})
    follow(table)
    asked = [
        (client, question)
        for client in (*table.clients, world.player("Mei"))
        for question in (
            table.path,
            f"{table.path}/events?after=0",
            f"{table.path}/events?after=17&limit=3",
            f"{table.path}/events?after={table.state()['version']}",
            f"{table.path}/events?after={table.state()['version'] + 1}",
            "/v1/me/tables",
            "/v1/tables?watchable=true",
        )
    ]

    def answers():
        world.counter.counts.clear()
        world.redis.delete(*world.redis.keys("sj:answer:*"), "none")
        answers = [client.get(question) for client, question in asked]
        return [(each.status_code, each.json if each.status_code == 200 else each.json["type"]) for each in answers]

    before = answers()
    assert sleep(world) == 1
    assert answers() == before
    assert sleeps(world, table), "reading wakes nobody"
    assert table.id in str(table.host.get("/v1/me/export").json["tables"])
    assert sleeps(world, table)
    assert table.clients[1].get(path(table)).json["orders"]
    assert not sleeps(world, table), "its orders do"


def test_a_round_is_played_at_a_table_that_is_put_to_sleep_before_each_act(world, table):
    said = 0
    while not table.state()["game"]["results"]:
        assert sleep(world) == 1
        world.now += HOUR_MS
        table.step()
        if said < 5:
            assert sleep(world) == 1
            assert table.host.post(f"{table.path}/chat", {"text": f"again {said}"}).status_code == 200
            said += 1
    assert sleep(world) == 1
    log = world.tables.log(table.id)
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
    assert fold(log) == table.state()
    assert sum(event["type"] == "chat" for event in log) == said


def test_acts_while_a_table_is_put_to_sleep_are_done_once_each(world, table):
    stop, slept, rng = threading.Event(), [0], random.Random(5)

    def put_to_sleep():
        # Otherwise it leaves the others no moment between waking and acting.
        while not stop.wait(rng.random() * 0.02):
            slept[0] += sleep(world)

    sleeper = threading.Thread(target=put_to_sleep)
    sleeper.start()
    acknowledged = {}
    try:
        while len(acknowledged) < 100 or slept[0] < 20:
            if table.state()["decision"]["kind"] == "ready":
                table.step()
                continue
            seat, place, body = table.next_action()
            first, again = (table.clients[seat].post(place, body) for _ in range(2))
            assert first.status_code == again.status_code == 200
            assert first.json["seq"] == again.json["seq"]
            acknowledged[first.json["seq"]] = first.json["events"][-1]["type"]
    finally:
        stop.set()
        sleeper.join()
    log = world.tables.log(table.id)
    assert {seq: log[seq - 1]["type"] for seq in acknowledged} == acknowledged
    assert sum("answers" in event for event in log) >= len(acknowledged)
    assert fold(log) == table.state()


def test_a_stream_that_stays_open_gets_what_happens_after_the_sleep(world, table):
    version = table.state()["version"]
    with Stream(table.clients[2], f"{table.path}/events?after={version}") as stream:
        for number in range(1, 4):
            assert sleep(world) == 1
            assert table.host.post(f"{table.path}/chat", {"text": f"hello {number}"}).status_code == 200
            assert stream.next()[1] == str(version + number)
    assert sleep(world) == 1
    with Stream(table.clients[2], f"{table.path}/events?after={version}") as stream:
        assert [stream.next()[1] for _ in range(3)] == [str(version + number) for number in range(1, 4)]


def test_an_order_acts_and_a_deadline_passes_at_a_sleeping_table(world, table):
    seat = (table.turn()[0] + 1) % 4
    give(table, seat, {"do": "lowest"}, {"do": "partner"})
    assert follow(table) == seat
    assert sleep(world) == 1
    world.now += MOST_MS
    assert [due.table for due in world.stores.tables.lease_due(world.now, 3_000, 10)] == [table.id]
    world.advance(table.id)
    [act] = table.clients[seat].get(path(table)).json["acts"]
    assert act["do"] == "lowest"
    follower = table.turn()[0]
    assert sleep(world) == 1
    world.advance(table.id)
    assert sleeps(world, table), "nothing is due"
    world.now += 24 * HOUR_MS + 2_000
    world.advance(table.id)
    assert table.state()["seats"][follower]["timeouts"] == 1


def test_time_that_was_lost_while_a_table_slept_is_given_back(world, table):
    """Sleeping tables are not told of an outage: they notice it when somebody comes."""
    deadline = table.state()["decision"]["deadline"]
    assert sleep(world) == 1
    gap = (world.now + HOUR_MS, world.now + 3 * HOUR_MS)
    world.now += 4 * HOUR_MS
    after = Interruptions(world.now, (gap,))
    again = Tables(world.stores.tables, now=world.clock, interrupted=lambda: after)
    assert again.load(table.id)["decision"]["deadline"] == deadline + 2 * HOUR_MS


def test_a_player_who_is_erased_leaves_a_sleeping_table_too(world, table):
    leaving = table.clients[3]
    assert sleep(world) == 1
    assert leaving.delete("/v1/me").status_code == 204
    assert [event["data"]["seat"] for event in world.tables.log(table.id) if event["type"] == "seat_left"] == [3]


def test_a_table_without_a_clock_and_a_finished_one_sleep_too_but_not_one_that_is_looked_for(world):
    finished = world.table(ruleset="arms_length")
    while finished.state()["status"] == "playing":
        finished.move()
    world.advance(finished.id)
    waiting = world.table(ready=False)
    listed = world.table(seated=False)
    assert sleep(world) == 2
    assert [sleeps(world, each) for each in (finished, waiting, listed)] == [True, True, False]
    record = world.stores.archive.load_archive(finished.state()["game"]["id"])
    assert record is not None
    # Another game begins where one has slept.
    for client in finished.clients:
        assert client.put(f"{finished.path}/seats/me/ready", {}).status_code == 200
    assert finished.state()["status"] == "playing"


def test_a_clock_puts_tables_to_sleep_unless_it_is_told_not_to(world, table):
    put_tables_to_sleep(world.stores.sleeping, 0, threading.Event())
    assert not world.redis.exists(keys.SLEEP_LOOK)
    # Workers have seen to the calendars of those who are asked, so that nothing is due.
    world.advance(table.id)
    stop = threading.Event()
    clock = threading.Thread(target=put_tables_to_sleep, args=(world.stores.sleeping, 1, stop))
    clock.start()
    try:
        wait_until(lambda: sleeps(world, table))
    finally:
        stop.set()
        clock.join()
    table.step()
    assert not sleeps(world, table)
