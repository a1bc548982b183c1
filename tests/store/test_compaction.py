"""Compaction packs old events without loss or change, and keeps tables small."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.driver import Driver
from service.game.events.evolve import fold
from service.store import chunks, codec, compaction, keys
from service.store.port import StoreCorrupt, StoreTooNew, StoreUnavailable
from service.store.redis_tables import RedisTableStore
from tests.store.conftest import START, put, some_events

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
NAMES = st.text(st.characters(exclude_characters="+"), max_size=8)
ANSWERS = st.tuples(st.integers(0, 11), st.sampled_from(["dc_1", "dc_007", "dc_x", "dc_", "dc_١", "a-key"]), st.text())


@st.composite
def logs(draw):
    """Arbitrary events for the store: any fields, any data, jumping times."""
    events = []
    first = draw(st.integers(1, 10**6))
    for seq in range(first, first + draw(st.integers(1, 6))):
        event = {"seq": seq, "type": draw(st.sampled_from(["played", "chat", ""])), "at": draw(st.integers(0, 2**45))}
        if draw(st.booleans()):
            event |= {"tx": draw(st.integers(0, 2**40)), "answers": list(draw(ANSWERS))}
        event |= draw(st.dictionaries(st.sampled_from(["round", "by", "more"]), VALUES, max_size=3))
        events.append({**event, "data": draw(st.dictionaries(NAMES, VALUES, max_size=4))})
    return events


@given(logs())
def test_packed_events_are_unpacked_unchanged(events):
    assert chunks.unpack(chunks.pack(events), "it") == events


@pytest.mark.parametrize(
    ("ruleset", "players", "options"),
    [
        ("shengji", 4, {}),
        ("zhaopengyou", 5, {"deal_pace": "timed"}),
        ("zhaopengyou", 12, {}),
        ("finding_friends", 7, {}),
        ("tractor", 4, {"chao_di": True}),
        ("arms_length", 4, {}),
    ],
)
def test_the_log_of_a_game_is_the_same_after_it_was_packed_and_a_tenth_in_size(ruleset, players, options):
    driver = Driver(ruleset, players, options)
    for _ in driver.rounds(3):
        pass
    packed = [driver.log[start : start + 512] for start in range(0, len(driver.log), 512)]
    packed = [(chunks.pack(events), events) for events in packed]
    assert all(chunks.unpack(chunk, "it") == events for chunk, events in packed)
    assert sum(len(chunk) for chunk, _ in packed) < sum(len(codec.encode_event(event)) for event in driver.log) / 10


@pytest.mark.parametrize("broken", [b"", b"x", lambda chunk: chunk[:-9], lambda chunk: b"\x00" + chunk])
def test_a_broken_chunk_is_an_error_that_names_it(client, broken):
    tables = RedisTableStore(client)
    put(tables, "tb_a", count=200)
    tables.tidy(1)
    [(seq, fields)] = client.xrange(keys.old("tb_a"), count=1)
    rest = client.xrange(keys.old("tb_a"), f"({seq.decode()}")
    client.delete(keys.old("tb_a"))
    client.xadd(keys.old("tb_a"), {"c1": broken if isinstance(broken, bytes) else broken(fields[b"c1"])}, id=seq)
    for other, good in rest:
        client.xadd(keys.old("tb_a"), good, id=other)
    with pytest.raises(StoreCorrupt, match="events up to 32-0 of tb_a"):
        tables.events("tb_a", 0, 10)
    assert tables.events("tb_a", 32, 1000) == some_events(32, 168)


def test_a_chunk_of_a_future_schema_is_an_error(client):
    tables = RedisTableStore(client)
    put(tables, "tb_a", count=compaction.LONG_LOG)
    tables.tidy(1)
    client.delete(keys.old("tb_a"))
    client.xadd(keys.old("tb_a"), {"c2": "?"}, id=f"{compaction.CHUNK_EVENTS}-0")
    with pytest.raises(StoreTooNew, match="events up to 32-0 of tb_a is of a newer release"):
        tables.events("tb_a", 0, 10)


def test_a_table_is_tidied_only_when_its_log_is_long_and_then_once(client):
    tables = RedisTableStore(client)
    put(tables, "tb_a", count=compaction.LONG_LOG - 1)
    assert tables.tidy(10) == 0
    put(tables, "tb_a", expected=compaction.LONG_LOG - 1)
    assert tables.tidy(10) == 1
    assert client.xlen(keys.log("tb_a")) == compaction.LONG_LOG - compaction.CHUNK_EVENTS
    assert tables.tidy(10) == 0


def test_chunks_are_merged_into_larger_ones(client):
    tables = RedisTableStore(client)
    for expected in range(0, 2 * compaction.BOOK_EVENTS + 100, 50):
        put(tables, "tb_a", expected=expected, count=50)
        tables.tidy(1)
    ends = [int(entry[0].partition(b"-")[0]) for entry in client.xrange(keys.old("tb_a"))]
    assert ends == [512, 1024, 1056, 1088, 1120]


def test_concurrent_compaction_appends_and_reads_lose_nothing(client):
    tables = RedisTableStore(client)
    stop = threading.Event()
    faults = []

    def tidy():
        while not stop.is_set():
            compaction.compact(client, "tb_a")

    def read():
        while not stop.is_set():
            seqs = [event["seq"] for event in tables.events("tb_a", 30, 3_000)]
            if seqs != list(range(31, 31 + len(seqs))):
                faults.append(seqs)

    threads = [threading.Thread(target=work) for work in (tidy, tidy, tidy, read, read)]
    for thread in threads:
        thread.start()
    for expected in range(0, 3_000, 10):
        put(tables, "tb_a", expected=expected, count=10)
    stop.set()
    for thread in threads:
        thread.join()
    assert faults == []
    assert tables.events("tb_a", 0, 5_000) == some_events(0, 3_000)


def test_an_unreadable_log_is_left_alone_and_does_not_block_others(client):
    tables = RedisTableStore(client)
    same_bucket = [f"tb_{number}" for number in range(200) if keys.bucket_of(f"tb_{number}") == 3][:2]
    client.xadd(keys.log(same_bucket[0]), {"e1": "{"}, id="1-0")
    client.hset(keys.head(same_bucket[0]), "v", 1)
    put(tables, same_bucket[0], expected=1, count=100)
    put(tables, same_bucket[1], count=100)
    assert tables.tidy(10) == 1
    assert client.xlen(keys.log(same_bucket[0])) == 101
    assert client.xlen(keys.log(same_bucket[1])) == 36


def test_a_full_redis_does_not_damage_the_log(client):
    tables = RedisTableStore(client)
    for expected in range(0, 600, 100):
        put(tables, "tb_a", expected=expected, count=100)
        if expected < 500:
            tables.tidy(1)
    client.config_set("maxmemory", 1)
    try:
        with pytest.raises(StoreUnavailable):
            tables.tidy(1)
        assert tables.events("tb_a", 0, 1_000) == some_events(0, 600)
    finally:
        client.config_set("maxmemory", 0)
    put(tables, "tb_a", expected=600)
    assert tables.tidy(1) == 1
    assert tables.events("tb_a", 0, 1_000) == some_events(0, 601)


def test_chunks_live_and_die_with_their_table(client):
    tables = RedisTableStore(client)
    put(tables, "tb_a", count=100, ttl_ms=50_000)
    tables.tidy(1)
    assert 0 < client.pttl(keys.old("tb_a")) <= 50_000
    put(tables, "tb_a", expected=100, ttl_ms=90_000)
    assert client.pttl(keys.old("tb_a")) > 50_000
    put(tables, "tb_a", expected=101, count=100)
    assert client.pttl(keys.old("tb_a")) == -1
    tables.delete("tb_a")
    assert client.keys("*") == []


@pytest.mark.parametrize(
    ("ruleset", "players", "rounds", "most"),
    # This includes 2 KB of options.
    [("shengji", 4, 10, 42), ("zhaopengyou", 8, 6, 43), ("zhaopengyou", 12, 6, 52)],
)
def test_a_table_in_play_takes_few_kilobytes(client, ruleset, players, rounds, most):
    """In the middle of a game with people on all seats, whose answers are stored to recognise retries."""
    tables = RedisTableStore(client)
    driver = Driver(ruleset, players, {"start_level": "2"})
    stored = 0
    largest = 0

    def store(drove):
        nonlocal stored, largest
        if len(drove.log) > stored:
            tables.append("tb_test", stored, drove.log[stored:], drove.state, wake_at=START, listed=False)
            stored = len(drove.log)
            if stored % 10 == 0:
                tables.tidy(1)
                own = (keys.head("tb_test"), keys.log("tb_test"), keys.old("tb_test"))
                largest = max(largest, sum(client.memory_usage(key, samples=0) or 0 for key in own))

    driver.on_step = store
    for _ in driver.rounds(rounds):
        pass
    assert largest < most * 1024
    log = tables.events("tb_test", 0, 100_000)
    assert log == driver.log
    assert fold(log) == driver.state == tables.load("tb_test").state
