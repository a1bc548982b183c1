"""Tables that sleep: nothing of them is lost or done twice, whoever reads, acts, dies or is of an earlier release."""

import base64
import io
import json
import random
import sys
import threading
from functools import partial
from itertools import count

import pytest

from harness.driver import Driver
from service import backup
from service.game.events import needs
from service.game.events.evolve import fold
from service.store import codec, compaction, keys, values
from service.store.notices.scans import ScanResult, ScanSchedule
from service.store.port import ORDERS_KEPT_MS, StoreCorrupt, StoreTooNew, StoreUnavailable, VersionConflict
from service.store.redis_tables import RedisTableStore
from service.store.sleep import asleep
from service.store.stores import Stores
from tests.store.conftest import START, a_state, put, some_events
from tests.store.stored_games.write import FOLDER
from tests.store.test_newer_releases import told_by
from tests.support.kills import killed_after

HOUR_MS = 3_600_000
DAYS = {"correspondence": {"decision_hours": 72}}
ORDERS = {"player": "pl_lin", "game": "gm_1", "round": 1, "set_at": START, "orders": [{"do": "forced"}]}


@pytest.fixture(params=["client", "cluster"])
def redis(request):
    return request.getfixturevalue(request.param)


def stores_of(redis, **more):
    return Stores(redis, lambda: START, **more)


def sleep(stores, idle_ms=0):
    """Put all tables to sleep that may; return how many do."""
    return sum(stores.sleeping.put_to_sleep(idle_ms))


def kept_of(redis, table):
    """Everything that lies in Redis of a table, with its places in the indexes of its bucket."""
    names, bucket = keys.of_table(table), keys.bucket_of(table)
    indexes = {name: getattr(keys, name)(bucket) for name in ("due", "owed", "lobby", "watch", "notify")}
    return {
        "head": redis.hgetall(names.head),
        "orders": redis.hgetall(keys.orders(table)),
        "lives": [redis.pttl(key) > 0 for key in names[:3]],
        "indexes": {name: redis.zscore(key, table) for name, key in indexes.items()},
    }


def slow_game(stores, table="tb_test", rounds=0, plays=30):
    """Store a game by correspondence in the middle of a round; return its driver."""
    driver, stored = Driver("shengji", 4, clock_settings=DAYS, kind="human"), 0

    def keep(drove):
        nonlocal stored
        if len(drove.log) > stored:
            state = {**drove.state, "id": table}
            stores.tables.append(table, stored, drove.log[stored:], state, wake_at=START + HOUR_MS, ttl_ms=9 * HOUR_MS)
            stored = len(drove.log)
            stores.tables.tidy(1)

    driver.on_step = keep
    keep(driver)
    for _ in driver.rounds(rounds):
        pass
    driver.play_until(lambda state: state["round"] and sum(state["round"]["played"]) >= plays)
    return driver


def test_a_sleeping_table_has_one_value_and_its_place_in_the_clock(redis):
    stores = stores_of(redis)
    slow_game(stores)
    stores.orders.put("tb_test", 1, ORDERS)
    assert sleep(stores) == 1
    bucket = keys.bucket_of("tb_test")
    left = {key.decode() for key in redis.scan_iter("sj:{b*")}
    assert left == {keys.head("tb_test"), keys.due(bucket)}
    assert {*redis.hgetall(keys.head("tb_test"))} == {b"v", b"s", b"c", b"q", b"r"}
    assert sleep(stores) == 0, "it sleeps already"


def test_a_sleeping_table_is_read_as_before_and_reading_changes_nothing(redis):
    stores = stores_of(redis)
    driver = slow_game(stores, rounds=3)
    before = stores.tables.load("tb_test")
    assert sleep(stores) == 1
    kept = kept_of(redis, "tb_test")
    for reader in (stores.tables, RedisTableStore(redis, cached_tables=0)):
        assert reader.load("tb_test") == before
        log = driver.log
        assert len(log) > compaction.BOOK_EVENTS
        last = len(log)
        for after in (0, 1, 31, 32, 511, 512, 513, last - 2, last - 1, last, last + 7):
            for limit in (1, 2, 40, 600, 5_000):
                assert reader.events("tb_test", after, limit) == log[after : after + limit], (after, limit)
    assert kept_of(redis, "tb_test") == kept


@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_a_table_that_was_asleep_is_the_same_again(redis, rounds):
    stores = stores_of(redis)
    driver = slow_game(stores, rounds=rounds)
    stores.orders.put("tb_test", 1, ORDERS)
    raw = stores.orders.of_table("tb_test", [1])
    kept = kept_of(redis, "tb_test")
    for _ in range(3):
        assert sleep(stores) == 1
        assert stores.orders.of_table("tb_test", [1]) == raw, "this wakes it"
        assert kept_of(redis, "tb_test") == kept
        assert stores.tables.events("tb_test", 0, 5_000) == driver.log
    assert 0 < redis.pttl(keys.orders("tb_test")) <= ORDERS_KEPT_MS
    assert [*dict(stores.sleeping.wake_all())] == []


def test_an_append_wakes_a_table_also_by_a_process_that_remembers_its_state(redis):
    stores = stores_of(redis)
    driver, rng = slow_game(stores), random.Random(3)
    tables = [stores.tables, *(RedisTableStore(redis) for _ in range(2))]
    remembered = 0

    def append(drove):
        nonlocal remembered
        version = drove.log[-1]["tx"] - 1
        for store in rng.sample(tables, len(tables)):
            cached = store.cached("tb_test")
            if store is tables[0] or (cached is not None and cached["version"] == version):
                remembered += cached is not None and cached["version"] == version
                events = drove.log[version:]
                store.append("tb_test", version, events, {**drove.state}, wake_at=START + HOUR_MS, ttl_ms=9 * HOUR_MS)
                return

    driver.on_step = append
    for _ in range(120):
        assert sleep(stores) == 1
        driver.step()
    assert remembered > 50
    assert RedisTableStore(redis).events("tb_test", 0, 9_000) == driver.log
    assert fold(driver.log) == tables[2].load("tb_test").state


def test_an_append_to_another_version_is_refused_as_ever_and_wakes_nobody(redis):
    stores, behind = stores_of(redis), RedisTableStore(redis)
    put(behind, "tb_a", count=3)
    put(stores.tables, "tb_a", expected=3, count=4)
    assert sleep(stores) == 1
    kept = kept_of(redis, "tb_a")
    for store in (behind, stores.tables):
        for expected in (0, 1, 3, 6, 8):
            with pytest.raises(VersionConflict) as conflict:
                put(store, "tb_a", expected=expected)
            assert conflict.value.actual == 7
    assert kept_of(redis, "tb_a") == kept


def test_a_table_with_another_history_is_not_woken_into_ours(redis):
    """A store that lost its last writes has reached the version that this process remembers with other events."""
    ours, theirs = stores_of(redis), stores_of(redis)
    put(ours.tables, "tb_a", count=7)
    ours.tables.delete("tb_a")
    theirs.tables.append("tb_a", 0, some_events(0, 7), a_state(id="tb_a", version=7, other=True), wake_at=None)
    assert sleep(theirs) == 1
    with pytest.raises(VersionConflict) as conflict:
        put(ours.tables, "tb_a", expected=7)
    assert conflict.value.actual == -1
    assert ours.tables.load("tb_a").state["other"]


def test_a_table_stays_awake_while_somebody_acts_or_looks_or_something_is_due_or_it_is_listed(redis):
    stores = stores_of(redis)
    put(stores.tables, "tb_created")
    put(stores.tables, "tb_listed", count=2, listed=True)
    put(stores.tables, "tb_due", count=2, wake_at=START + HOUR_MS - 1)
    put(stores.tables, "tb_later", count=2, wake_at=START + HOUR_MS)
    put(stores.tables, "tb_never_due", count=2, watchable=True)
    for looked in ("tb_acted", "tb_followed", "tb_in_a_list"):
        put(stores.tables, looked, count=2)
    for table in AWAKE | ASLEEP:
        wait(redis, table, HOUR_MS // 1000)
    put(stores.tables, "tb_acted", expected=2)
    stores.tables.events("tb_followed", 1, 9)
    stores.tables.load("tb_in_a_list")
    assert sleep(stores, HOUR_MS) == len(ASLEEP)
    assert {table for table in AWAKE | ASLEEP if redis.exists(keys.log(table))} == AWAKE


AWAKE = {"tb_created", "tb_listed", "tb_due", "tb_acted", "tb_followed"}
ASLEEP = {"tb_later", "tb_never_due", "tb_in_a_list"}


def wait(redis, table, seconds):
    """Let Redis believe that nobody has used the log of a table for a while."""
    log = keys.log(table)
    redis.restore(log, 0, redis.dump(log), replace=True, idletime=seconds)


def test_only_one_clock_looks_at_a_time(client):
    first, second = stores_of(client).sleeping, stores_of(client).sleeping
    assert first.begin(HOUR_MS)
    assert not second.begin(HOUR_MS)
    client.delete(keys.SLEEP_LOOK)
    assert second.begin(HOUR_MS)
    assert 0 < client.pttl(keys.SLEEP_LOOK) <= HOUR_MS


# --- the clock and the messenger --------------------------------------------------------------------------------------


def test_a_clock_leases_a_sleeping_table_which_counts_as_overdue_from_then_on(redis):
    tables = stores_of(redis).tables
    put(tables, "tb_a", count=5, wake_at=START, queue="people")
    put(tables, "tb_b", count=5, wake_at=START + HOUR_MS, queue="ai")
    assert sleep(stores_of(redis)) == 2
    assert tables.overdue(START + 1) == 0
    assert tables.lease_due(START, 3_000, 10) == [("tb_a", 5, "people")]
    assert tables.overdue(START + 1) == 1
    assert tables.lease_due(START, 3_000, 10) == []
    # The job was lost.
    assert tables.lease_due(START + 3_000, 3_000, 10) == [("tb_a", 5, "people")]
    put(tables, "tb_a", expected=5, wake_at=START + HOUR_MS)
    assert tables.overdue(START + HOUR_MS) == 0
    assert tables.lease_due(START + HOUR_MS, 3_000, 10) == [("tb_a", 6, ""), ("tb_b", 5, "ai")]


def test_a_table_that_waits_for_something_else_is_postponed_asleep(redis):
    tables = stores_of(redis).tables
    put(tables, "tb_a", count=5, wake_at=START)
    assert sleep(stores_of(redis)) == 1
    tables.postpone("tb_a", 4, START + 1)
    assert [due.version for due in tables.lease_due(START, 3_000, 10)] == [5], "of another version"
    tables.postpone("tb_a", 5, START + HOUR_MS)
    assert tables.lease_due(START + 3_000, 3_000, 10) == []
    assert [due.version for due in tables.lease_due(START + HOUR_MS, 3_000, 10)] == [5]
    tables.postpone("tb_a", 5, None)
    assert tables.lease_due(START + 9 * HOUR_MS, 3_000, 10) == []
    assert not redis.exists(keys.log("tb_a"))


def test_after_an_outage_sleeping_tables_sleep_on(redis):
    stores = stores_of(redis)
    put(stores.tables, "tb_a", count=5, wake_at=START + HOUR_MS)
    put(stores.tables, "tb_b", count=5, wake_at=START + HOUR_MS)
    wait(redis, "tb_a", 100)
    assert sleep(stores, 100_000) == 1
    assert stores.tables.wake(START) == 1
    assert [due.table for due in stores.tables.lease_due(START, 3_000, 10)] == ["tb_b"]
    # Once it is woken, it hears of the next one.
    put(stores.tables, "tb_a", expected=5, wake_at=START + HOUR_MS)
    assert stores.tables.wake(START) == 2


def test_a_messenger_scans_a_sleeping_table_once(redis):
    stores, scans = stores_of(redis), ScanSchedule(redis)
    put(stores.tables, "tb_a", count=5)
    scans.schedule(["tb_a"], 20_000, START)
    assert sleep(stores) == 1
    [leased] = scans.lease(START, 5_000, 10)
    assert leased.state == stores.tables.load("tb_a").state
    scans.record(START, [ScanResult(leased, None, 20_000)])
    assert scans.oldest() is None, "nothing has happened since"
    put(stores.tables, "tb_a", expected=5, at=START + 1_000)
    assert scans.oldest() == START + 21_000
    [leased] = scans.lease(START + 21_000, 5_000, 10)
    assert leased.last == (5, START)
    assert sleep(stores) == 1
    scans.record(START + 21_000, [ScanResult(leased, None, None)])
    assert scans.oldest() is None
    assert redis.hget(keys.head("tb_a"), "n") is None


# --- standing orders --------------------------------------------------------------------------------------------------


def test_orders_of_a_sleeping_table_are_set_read_and_taken_as_ever(redis):
    stores = stores_of(redis)
    put(stores.tables, "tb_a", count=5)
    for seat in (0, 1):
        assert sleep(stores) == 1
        stores.orders.put("tb_a", seat, {**ORDERS, "round": seat})
    assert sleep(stores) == 1
    assert stores.orders.of_seat("tb_a", 1) == ({**ORDERS, "round": 1}, [])
    assert sleep(stores) == 1
    orders = stores.orders.of_table("tb_a", [0, 1, 2])
    assert {seat: held.stored["round"] for seat, held in orders.items()} == {0: 0, 1: 1}
    assert sleep(stores) == 1
    assert not stores.orders.take("tb_a", 1, b"others")
    assert stores.orders.take("tb_a", 1, orders[1].raw)
    assert sleep(stores) == 1
    assert stores.orders.of_seat("tb_a", 1) == ({**ORDERS, "round": 1}, [])
    assert redis.hexists(keys.orders("tb_a"), "1:acting"), "a change waits for its end, whoever slept meanwhile"


@pytest.mark.parametrize("change", ["act", "order", "withdraw"])
def test_a_table_that_changes_while_it_is_put_to_sleep_stays_awake(redis, monkeypatch, change):
    stores, pack = stores_of(redis), asleep.pack
    put(stores.tables, "tb_a", count=5)
    stores.orders.put("tb_a", 0, ORDERS)
    changes = {
        "act": lambda: put(stores.tables, "tb_a", expected=5),
        "order": lambda: stores.orders.put("tb_a", 0, {**ORDERS, "round": 2}),
        "withdraw": lambda: stores.orders.put("tb_a", 0, None),
    }

    def changed(sleeper):
        changes[change]()
        return pack(sleeper)

    monkeypatch.setattr(asleep, "pack", changed)
    assert list(stores.sleeping.put_to_sleep(0)) == [False]
    assert redis.exists(keys.log("tb_a"))
    assert stores.tables.load("tb_a").version == (6 if change == "act" else 5)


# --- races, kills, damage ---------------------------------------------------------------------------------------------


class Race:
    """What others do at a table while it is put to sleep again and again.

    Attributes:
        faults: what went wrong.
        acts: seq of each append of an actor, by actor.
        slept: how often each sleeper has put the table to sleep.
    """

    def __init__(self, redis):
        self.redis, self.stop, self.faults = redis, threading.Event(), []
        self.acts, self.slept = ([], []), [0, 0]

    def put_to_sleep(self, number):
        stores, rng = stores_of(self.redis), random.Random(number)
        # Otherwise it leaves the others no moment between waking and acting.
        while not self.stop.wait(rng.random() * 0.02):
            self.slept[number] += sleep(stores)

    def read(self):
        store, version = RedisTableStore(self.redis), 0
        while not self.stop.is_set():
            first = store.load("tb_a").version
            seqs = [event["seq"] for event in store.events("tb_a", 20, 9_000)]
            if first < version or seqs != list(range(21, 21 + len(seqs))) or len(seqs) + 20 < first:
                self.faults.append((version, first, seqs[:3], len(seqs)))
            version = first
            ends = store.events("tb_a", first - 1, 1)
            if [event["seq"] for event in ends] != [first]:
                self.faults.append(("the last event", first, ends))

    def change_orders(self, seat):
        orders = stores_of(self.redis).orders
        for number in range(60):
            orders.put("tb_a", seat, {**ORDERS, "round": number})
            [held] = orders.of_table("tb_a", [seat]).values()
            if held.stored["round"] != number or not orders.take("tb_a", seat, held.raw):
                self.faults.append((seat, number, held))
            orders.done("tb_a", seat, None)

    def act(self, actor):
        store, rng, appended = RedisTableStore(self.redis), random.Random(actor), self.acts[actor]
        while len(appended) < 100 or sum(self.slept) < 20:
            # Otherwise the table changes whenever it is being put to sleep.
            self.stop.wait(rng.random() * 0.05)
            version = (store.cached("tb_a") or store.load("tb_a").state)["version"]
            try:
                put(store, "tb_a", expected=version)
                appended.append(version + 1)
            except VersionConflict as conflict:
                if conflict.actual <= version:
                    self.faults.append(("conflict", version, conflict.actual))

    def run(self):
        beside = [threading.Thread(target=self.put_to_sleep, args=(number,)) for number in range(2)]
        beside += [threading.Thread(target=self.read) for _ in range(2)]
        doing = [threading.Thread(target=self.act, args=(actor,)) for actor in range(2)]
        doing += [threading.Thread(target=self.change_orders, args=(seat,)) for seat in range(2)]
        for thread in (*beside, *doing):
            thread.start()
        try:
            for thread in doing:
                thread.join(100)
                assert not thread.is_alive(), self.faults
        finally:
            self.stop.set()
            for thread in beside:
                thread.join()


def test_acts_looks_and_orders_while_a_table_is_put_to_sleep_lose_nothing_and_do_nothing_twice(redis):
    stores, race = stores_of(redis), Race(redis)
    put(stores.tables, "tb_a", count=40)
    race.run()
    assert race.faults == []
    last = 40 + sum(map(len, race.acts))
    assert sorted([*race.acts[0], *race.acts[1]]) == list(range(41, last + 1))
    assert stores.tables.events("tb_a", 0, 9_000) == some_events(0, last)
    orders = stores.orders.of_table("tb_a", [0, 1])
    assert {seat: held.stored["round"] for seat, held in orders.items()} == {0: 59, 1: 59}


DOES = {
    "sleep": sleep,
    "append": lambda stores: put(stores.tables, "tb_a", expected=50, wake_at=START + HOUR_MS),
    "orders": lambda stores: stores.orders.put("tb_a", 1, ORDERS),
}


def test_a_process_that_ends_while_it_puts_a_table_to_sleep_or_wakes_it_leaves_a_whole_one(client):
    for kind, least in (("sleep", 4), ("append", 3), ("orders", 2)):
        for place in count(1):
            client.flushdb()
            stores = stores_of(client)
            put(stores.tables, "tb_a", count=50, wake_at=START + HOUR_MS)
            stores.tables.tidy(1)
            stores.orders.put("tb_a", 0, ORDERS)
            if kind != "sleep":
                assert sleep(stores) == 1
            was_killed = killed_after(place, partial(DOES[kind], stores))
            version = stores_of(client).tables.load("tb_a").version
            assert version in ((50, 51) if kind == "append" else (50,))
            assert stores.tables.events("tb_a", 0, 99) == some_events(0, version)
            assert 0 in stores.orders.of_table("tb_a", [0, 1])
            # Whoever comes next goes on.
            put(stores_of(client).tables, "tb_a", expected=version, wake_at=START)
            assert stores.tables.events("tb_a", 0, 99) == some_events(0, version + 1)
            assert [due.version for due in stores.tables.lease_due(START, 3_000, 10)] == [version + 1]
            if not was_killed:
                break
        assert place > least


def test_a_full_redis_puts_nothing_to_sleep_wakes_nothing_and_loses_nothing(client):
    stores = stores_of(client)
    put(stores.tables, "tb_a", count=50)
    for use in (lambda: sleep(stores), lambda: put(stores.tables, "tb_a", expected=50)):
        kept = kept_of(client, "tb_a")
        client.config_set("maxmemory", 1)
        try:
            with pytest.raises(StoreUnavailable):
                use()
            assert stores.tables.events("tb_a", 0, 99) == some_events(0, 50)
        finally:
            client.config_set("maxmemory", 0)
        assert kept_of(client, "tb_a") == kept
        # The second one meets it asleep.
        sleep(stores)
    put(stores.tables, "tb_a", expected=50)


def test_a_damaged_value_is_an_error_that_names_its_table_and_disturbs_no_other(client):
    stores = stores_of(client)
    driver = slow_game(stores, rounds=3)
    put(stores.tables, "tb_b", count=5)
    assert sleep(stores) == 2
    value = client.hget(keys.head("tb_test"), "s")
    ends = [*range(60), *range(60, len(value), 50), len(value) - 1]
    damaged = [value[:end] for end in ends] + [
        value.replace(b"s3", b"x3", 1),
        b"s3>0.4:[]\n",
        b"s3>0.4:1",
    ]
    for each in damaged:
        client.hset(keys.head("tb_test"), "s", each)
        for use in (
            lambda: stores.tables.load("tb_test"),
            lambda: stores.tables.events("tb_test", 0, 5),
            lambda: stores.orders.put("tb_test", 0, ORDERS),
        ):
            with pytest.raises(StoreCorrupt, match="tb_test"):
                use()
    assert dict(stores.sleeping.wake_all()) == {"tb_test": False, "tb_b": True}
    client.hset(keys.head("tb_test"), "s", value)
    book = client.hget(keys.head("tb_test"), "b512")
    client.hdel(keys.head("tb_test"), "b512")
    for use in (lambda: stores.tables.events("tb_test", 0, 5), lambda: stores.orders.put("tb_test", 0, ORDERS)):
        with pytest.raises(StoreCorrupt, match=r"tb_test.* missing"):
            use()
    assert stores.tables.load("tb_test").version == len(driver.log)
    client.hset(keys.head("tb_test"), "b512", book)
    client.hset(keys.head("tb_test"), "s", value)
    assert dict(stores.sleeping.wake_all()) == {"tb_test": True}


def test_a_damaged_table_is_not_put_to_sleep_and_disturbs_no_other(client):
    stores = stores_of(client)
    for table in ("tb_a", "tb_b", "tb_c"):
        put(stores.tables, table, count=5)
    client.hset(keys.head("tb_a"), "s", "s2:{")
    client.xadd(keys.log("tb_b"), {"e1": "{"}, id="6-0")
    assert sleep(stores) == 1
    assert not client.exists(keys.log("tb_c"))


# --- other releases ---------------------------------------------------------------------------------------------------


def test_a_release_that_does_not_know_sleeping_tables_leaves_them_to_later_ones(client):
    stores = stores_of(client)
    put(stores.tables, "tb_a", count=5)
    assert not client.exists(keys.NEEDS)
    assert sleep(stores) == 1
    assert client.smembers(keys.NEEDS) == {b"0.4"}
    version, value, needs = client.hmget(keys.head("tb_a"), "v", "s", "r")
    assert (version, value[:7], needs) == (b"-5", b"s3>0.4:", b"0.4")
    with pytest.raises(StoreTooNew, match=r"needs release 0\.4") as refused:
        codec.decode_state(value, None, "tb_a")
    assert refused.value.needs == "0.4"
    put(stores.tables, "tb_a", expected=5)
    assert not client.hexists(keys.head("tb_a"), "r"), "whoever knows 0.3 reads it again"


def test_a_command_wakes_all_tables_before_a_rollback(client, empty_redis):
    stores = stores_of(client)
    for table in ("tb_a", "tb_b", "tb_c"):
        put(stores.tables, table, count=5)
    assert sleep(stores) == 3
    command = [sys.executable, "-m", "workers", "wake-tables"]
    client.hset(keys.head("tb_b"), "s", "s3>0.4:")
    status, said = told_by(command, empty_redis, ACCEPT_LOSS="1")
    assert (status, "2 tables woken; 1 cannot be read" in said, "SLEEP_AFTER_S=0" in said) == (1, True, True)
    client.delete(keys.head("tb_b"))
    status, said = told_by(command, empty_redis, ACCEPT_LOSS="1", SLEEP_AFTER_S="0")
    assert (status, "0 tables woken; 0 cannot be read" in said, "SLEEP_AFTER_S=0" in said) == (0, True, False)
    assert client.exists(keys.log("tb_a"), keys.log("tb_c")) == 2


def test_a_value_of_a_later_release_is_left_to_it(client, monkeypatch):
    stores = stores_of(client)
    with monkeypatch.context() as patched:
        patched.setitem(needs.NEEDS, "chat", {"flag": "9.4"})
        flagged = [{**event, "data": {"flag": True}} for event in some_events(0, 5)]
        stores.tables.append("tb_a", 0, flagged, a_state(id="tb_a", version=5, needs="9.4"), wake_at=START)
        assert sleep(stores) == 1
        kept = kept_of(client, "tb_a")
        assert kept["head"][b"r"] == b"9.4"
        assert stores.tables.events("tb_a", 0, 9) == flagged
    for use in (
        lambda: stores.tables.load("tb_a"),
        lambda: stores.tables.events("tb_a", 0, 5),
        lambda: stores.orders.of_table("tb_a", [0]),
        lambda: put(stores.tables, "tb_a", expected=5),
    ):
        with pytest.raises(StoreTooNew, match=r"9\.4"):
            use()
    assert stores.tables.lease_due(START, 3_000, 10) == []
    assert dict(stores.sleeping.wake_all()) == {"tb_a": False}
    assert kept_of(client, "tb_a") == kept
    monkeypatch.setitem(needs.NEEDS, "chat", {"flag": "9.4"})
    assert dict(stores.sleeping.wake_all()) == {"tb_a": True}
    assert client.hget(keys.head("tb_a"), "r") == b"9.4"
    assert stores.tables.load("tb_a").state["needs"] == "9.4"


def test_a_table_of_a_later_release_is_not_put_to_sleep(client, monkeypatch):
    stores = stores_of(client)
    with monkeypatch.context() as patched:
        patched.setitem(needs.NEEDS, "chat", {"flag": "9.4"})
        flagged = [{**event, "data": {"flag": True}} for event in some_events(0, 5)]
        stores.tables.append("tb_a", 0, flagged, a_state(id="tb_a", version=5, needs="9.4"), wake_at=None)
    kept = kept_of(client, "tb_a")
    assert sleep(stores) == 0
    assert kept_of(client, "tb_a") == kept


def test_the_value_of_a_table_that_slept_when_they_began_is_read_for_ever():
    """The preset dictionary and the form belong to the schema: a change needs a new one."""
    stored = json.loads((FOLDER / "asleep" / "s3.json").read_text())
    head = {name: base64.b64decode(value) for name, value in stored["head"].items()}
    sleeper = asleep.unpack(head["s"], "it")
    assert json.loads(json.dumps(sleeper.state("it"))) == stored["state"]
    assert len(sleeper.books) > 1
    log = sleeper.events(0, 9_000, [head[book.field] for book in sleeper.books], "it")
    assert json.loads(json.dumps(fold(log))) == stored["state"]
    assert sleeper.orders == stored["orders"]


# --- backups ----------------------------------------------------------------------------------------------------------


def test_a_backup_holds_sleeping_tables_as_they_sleep(client):
    stores = stores_of(client)
    driver = slow_game(stores)
    stores.orders.put("tb_test", 0, ORDERS)
    assert sleep(stores) == 1
    kept, file = kept_of(client, "tb_test"), io.BytesIO()
    backup.save(client, file)
    file.seek(0)
    assert backup.check(file) == {"tables": 1, "events": len(driver.log), "games": 0, "players": 0}
    client.flushdb()
    file.seek(0)
    backup.restore(client, file)
    assert kept_of(client, "tb_test") == kept
    assert RedisTableStore(client).events("tb_test", 0, 9_000) == driver.log
    assert stores_of(client).orders.of_seat("tb_test", 0) == (ORDERS, [])


@pytest.mark.parametrize("does", ["sleep", "wake"])
@pytest.mark.parametrize("when", range(1, 9))
def test_a_backup_is_whole_whatever_falls_asleep_or_wakes_meanwhile(client, monkeypatch, does, when):
    stores = stores_of(client)
    driver = slow_game(stores, rounds=1)
    stores.orders.put("tb_test", 0, ORDERS)
    if does == "wake":
        assert sleep(stores) == 1
    calls, read = [0], values.text

    def text(name):
        """Let it happen at the beginning of one of the steps of the backup."""
        calls[0] += 1
        if calls[0] == when:
            assert [*(stores.sleeping.put_to_sleep(0) if does == "sleep" else stores.sleeping.wake_all())]
        return read(name)

    monkeypatch.setattr(values, "text", text)
    file = io.BytesIO()
    backup.save(client, file)
    assert calls[0] >= when
    monkeypatch.undo()
    file.seek(0)
    assert backup.check(file)["events"] == len(driver.log)
    client.flushdb()
    file.seek(0)
    backup.restore(client, file)
    assert stores_of(client).orders.of_seat("tb_test", 0) == (ORDERS, [])
