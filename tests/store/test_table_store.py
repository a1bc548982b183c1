"""The contract of every table store (`service.store.port.TableStore`)."""

import time

import pytest

from harness.waiting import wait_until
from service.store.port import Listed, VersionConflict
from tests.store.conftest import START, a_state, put, some_events


def test_an_unknown_table_is_none_and_has_no_events(tables):
    assert tables.load("tb_none") is None
    assert tables.events("tb_none", 0, 10) == []


def test_the_snapshot_is_that_of_the_last_append(tables):
    put(tables, "tb_a", count=3)
    put(tables, "tb_a", expected=3, count=2)
    assert tables.load("tb_a") == (5, a_state(id="tb_a", version=5))


def test_values_come_back_as_they_were_stored(tables):
    odd = {"text": "升级 \ud83d \x00 \u2028 ' \"", "numbers": [0, -1, 2**53, 1.5], "none": None, "empty": [[], {}]}
    state = odd | {"options": odd, "settings": {}}
    event = {"seq": 1, "type": "dealt", "at": START, "round": 1, "by": "server", "data": state}
    tables.append("tb_a", 0, [event], state, wake_at=None)
    assert tables.load("tb_a").state == state
    assert tables.events("tb_a", 0, 10) == [event]


def test_changing_a_state_later_does_not_change_the_stored_one(tables):
    state = a_state(cards=[1, 2])
    tables.append("tb_a", 0, some_events(0, 1), state, wake_at=None)
    state["cards"].append(3)
    tables.load("tb_a").state["cards"].append(4)
    assert tables.load("tb_a").state == a_state(cards=[1, 2])


def test_loads_share_the_set_up_of_a_table_until_it_changes(tables):
    put(tables, "tb_a", count=3)
    first, again = tables.load("tb_a").state, tables.load("tb_a").state
    assert first is not again
    assert (first["options"] is again["options"], first["settings"] is again["settings"]) == (True, True)
    changed = a_state(version=4, options={"throws": "none"}, settings={"chat": False})
    tables.append("tb_a", 3, some_events(3, 1), changed, wake_at=None)
    assert tables.load("tb_a").state == changed


@pytest.mark.parametrize("bad", [{1, 2}, object()])
def test_a_state_that_is_not_json_is_refused_and_nothing_changes(tables, bad):
    with pytest.raises((TypeError, ValueError)):
        tables.append("tb_a", 0, some_events(0, 1), a_state(bad=bad), wake_at=None)
    assert tables.load("tb_a") is None
    assert tables.events("tb_a", 0, 10) == []


def test_events_are_read_in_order_after_a_seq_and_up_to_a_limit(tables):
    put(tables, "tb_a", count=3)
    put(tables, "tb_a", expected=3, count=9)
    put(tables, "tb_b", count=2)
    every = some_events(0, 12)
    assert tables.events("tb_a", 0, 100) == every
    assert tables.events("tb_a", 4, 3) == every[4:7]
    assert tables.events("tb_a", 12, 100) == []
    assert tables.events("tb_a", 900, 100) == []


def test_events_of_a_long_log_are_the_same_after_compaction(tables):
    for expected in range(0, 1500, 3):
        put(tables, "tb_a", expected=expected, count=3)
        if expected in (90, 600, 1200):
            tables.tidy(10)
    every = some_events(0, 1500)
    for after in (0, 1, 62, 63, 64, 65, 255, 511, 512, 513, 1000, 1150, 1215, 1216, 1217, 1499, 1500):
        for limit in (1, 2, 63, 64, 65, 600, 2000):
            assert tables.events("tb_a", after, limit) == every[after : after + limit], (after, limit)


@pytest.mark.parametrize("expected", [0, 1, 3, 7])
def test_an_append_to_another_version_conflicts_and_changes_nothing(tables, expected):
    put(tables, "tb_a", count=2, wake_at=START + 5, listed=True)
    with pytest.raises(VersionConflict) as conflict:
        put(tables, "tb_a", expected=expected, count=2, wake_at=None)
    assert conflict.value.actual == 2
    assert tables.load("tb_a") == (2, a_state(id="tb_a", version=2))
    assert tables.events("tb_a", 0, 10) == some_events(0, 2)
    assert tables.listed(9) == [Listed(START, "tb_a")]
    assert tables.lease_due(START + 5, 1, 9) == [("tb_a", 2, "")]


def test_a_missing_table_is_at_version_0(tables):
    with pytest.raises(VersionConflict) as conflict:
        put(tables, "tb_a", expected=4)
    assert conflict.value.actual == 0
    assert tables.load("tb_a") is None


@pytest.mark.parametrize("seqs", [[], [2], [1, 3], [2, 1], [0, 1]])
def test_events_that_do_not_follow_one_by_one_are_refused(tables, seqs):
    events = [{**some_events(0, 1)[0], "seq": seq} for seq in seqs]
    with pytest.raises(ValueError, match="do not follow 0 one by one"):
        tables.append("tb_a", 0, events, {}, wake_at=None)
    assert tables.load("tb_a") is None


def test_a_table_is_due_at_its_time_and_not_before(tables):
    put(tables, "tb_a", wake_at=START)
    assert tables.lease_due(START - 1, 1000, 10) == []
    assert tables.lease_due(START, 1000, 10) == [("tb_a", 1, "")]


def test_a_due_table_has_the_queue_of_its_last_append(tables):
    put(tables, "tb_a", wake_at=START, queue="people")
    put(tables, "tb_a", expected=1, wake_at=START, queue="ai")
    assert tables.lease_due(START, 1000, 10) == [("tb_a", 2, "ai")]


def test_a_leased_table_comes_due_again_when_its_lease_ends(tables):
    put(tables, "tb_a", wake_at=START)
    assert tables.lease_due(START + 50, 1000, 10) == [("tb_a", 1, "")]
    assert tables.lease_due(START + 1049, 1000, 10) == []
    assert tables.lease_due(START + 1050, 1000, 10) == [("tb_a", 1, "")]


def test_tables_that_are_due_later_can_be_woken_once(tables):
    put(tables, "tb_a", wake_at=START + 60_000)
    put(tables, "tb_b", wake_at=START + 70_000)
    put(tables, "tb_c")
    assert tables.wake(START) == 2
    assert {due.table for due in tables.lease_due(START, 1000, 10)} == {"tb_a", "tb_b"}
    put(tables, "tb_a", expected=1, wake_at=START + 60_000)
    assert [due.table for due in tables.lease_due(START + 1000, 1000, 10)] == ["tb_b"]


def test_an_append_sets_a_new_due_time(tables):
    put(tables, "tb_a", wake_at=START)
    put(tables, "tb_a", expected=1, wake_at=START + 500)
    assert tables.lease_due(START + 499, 1000, 10) == []
    assert tables.lease_due(START + 500, 1000, 10) == [("tb_a", 2, "")]
    put(tables, "tb_a", expected=2, wake_at=None)
    assert tables.lease_due(START + 10**9, 1000, 10) == []


def test_the_tables_that_are_due_longest_come_first_and_a_limit_leaves_the_others(tables):
    for number in range(40):
        put(tables, f"tb_{number}", wake_at=START + 40 - number)
    first = tables.lease_due(START + 40, 1000, 15)
    rest = tables.lease_due(START + 40, 1000, 100)
    assert [due.table for due in first + rest] == [f"tb_{number}" for number in reversed(range(40))]
    assert len(first) == 15


def test_the_lobby_lists_the_newest_first(tables):
    for number in range(30):
        put(tables, f"tb_{number}", at=START + number, listed=number % 2 == 0)
    assert tables.listed(3) == [Listed(START + number, f"tb_{number}") for number in (28, 26, 24)]
    assert len(tables.listed(100)) == 15


def test_pages_of_the_lobby_have_no_gap_or_repetition_even_with_equal_times(tables):
    for number in range(40):
        put(tables, f"tb_{number:02d}", at=START + number // 20, listed=True)
    tables_listed, page = [], tables.listed(7)
    while page:
        tables_listed += page
        page = tables.listed(7, before=page[-1])
    assert [entry.table for entry in tables_listed] == [f"tb_{number:02d}" for number in reversed(range(40))]


def test_a_table_keeps_its_place_in_the_lobby_while_it_is_listed_and_leaves_it_when_it_is_not(tables):
    put(tables, "tb_a", at=START, listed=True)
    put(tables, "tb_a", expected=1, at=START + 9, listed=True)
    assert tables.listed(9) == [Listed(START, "tb_a")]
    put(tables, "tb_a", expected=2, at=START + 10, listed=False)
    assert tables.listed(9) == []
    put(tables, "tb_a", expected=3, at=START + 11, listed=True)
    assert tables.listed(9) == [Listed(START + 11, "tb_a")]


def test_watchable_tables_are_listed_separately(tables):
    put(tables, "tb_a", at=START, listed=True)
    put(tables, "tb_b", at=START, watchable=True)
    assert (tables.listed(9), tables.listed(9, watchable=True)) == ([Listed(START, "tb_a")], [Listed(START, "tb_b")])
    put(tables, "tb_a", expected=1, at=START + 1, watchable=True)
    put(tables, "tb_b", expected=1, at=START + 1, watchable=True)
    assert tables.listed(9) == []
    assert tables.listed(9, watchable=True) == [Listed(START + 1, "tb_a"), Listed(START, "tb_b")]
    tables.delete("tb_a")
    put(tables, "tb_b", expected=2, at=START + 2)
    assert tables.listed(9, watchable=True) == []


def test_a_code_stands_for_one_table_until_some_time_after_its_last_use(tables):
    assert tables.table_of_code("K7PQ2M", 1000) is None
    assert tables.reserve_code("K7PQ2M", "tb_a", 60_000)
    assert tables.reserve_code("K7PQ2M", "tb_a", 60_000)
    assert not tables.reserve_code("K7PQ2M", "tb_b", 60_000)
    assert tables.table_of_code("K7PQ2M", 1) == "tb_a"
    time.sleep(0.05)
    assert tables.table_of_code("K7PQ2M", 1000) is None
    assert tables.reserve_code("K7PQ2M", "tb_b", 60_000)


def test_watchers_belong_to_a_table_and_its_code_for_some_time(tables):
    tables.add_watcher("tb_a", "K7PQ2M", "pl_1", 60_000)
    tables.add_watcher("tb_a", "K7PQ2M", "pl_2", 60_000)
    places = (("tb_a", "K7PQ2M"), ("tb_a", "AAAAAA"), ("tb_b", "K7PQ2M"))
    answers = [[tables.is_watcher(*place, player) for player in ("pl_1", "pl_2", "pl_3")] for place in places]
    assert answers == [[True, True, False], [False] * 3, [False] * 3]
    tables.add_watcher("tb_a", "K7PQ2M", "pl_2", 1)
    time.sleep(0.05)
    assert not tables.is_watcher("tb_a", "K7PQ2M", "pl_1")


def test_a_deleted_table_is_gone_from_everywhere_and_its_id_is_free(tables):
    put(tables, "tb_a", count=3, wake_at=START, listed=True)
    tables.delete("tb_a")
    assert tables.load("tb_a") is None
    assert tables.events("tb_a", 0, 10) == []
    assert tables.listed(10) == []
    assert tables.lease_due(START + 10**6, 1000, 10) == []
    put(tables, "tb_a")
    assert tables.events("tb_a", 0, 10) == some_events(0, 1)


def test_deleting_a_missing_table_does_nothing(tables):
    tables.delete("tb_none")
    tables.expire("tb_none", 1000)
    assert tables.load("tb_none") is None


def gone(tables, table):
    """Wait until a table is gone; return True."""
    return wait_until(lambda: tables.load(table) is None, f"the end of {table}")


def test_an_expiring_table_can_be_read_until_then_but_is_neither_due_nor_listed(tables):
    put(tables, "tb_a", count=2, wake_at=START, listed=True)
    tables.expire("tb_a", 60_000)
    assert tables.load("tb_a").version == 2
    assert len(tables.events("tb_a", 0, 9)) == 2
    assert tables.listed(9) == []
    assert tables.lease_due(START, 1000, 9) == []
    tables.expire("tb_a", 20)
    assert gone(tables, "tb_a")
    assert tables.events("tb_a", 0, 9) == []


def test_a_time_to_live_ends_a_table_and_an_append_without_one_keeps_it(tables):
    put(tables, "tb_a", ttl_ms=100)
    put(tables, "tb_b", ttl_ms=1_000)
    put(tables, "tb_b", expected=1)
    tables.expire("tb_b", 1_000)
    put(tables, "tb_b", expected=2)
    assert gone(tables, "tb_a")
    time.sleep(1)
    assert tables.load("tb_b").version == 3
    assert len(tables.events("tb_b", 0, 9)) == 3


def test_an_expired_table_is_not_due(tables):
    put(tables, "tb_a", wake_at=START, listed=True, ttl_ms=20)
    put(tables, "tb_b", wake_at=START)
    assert gone(tables, "tb_a")
    assert tables.lease_due(START, 1000, 9) == [("tb_b", 1, "")]
    assert [entry.table for entry in tables.listed(9)] == ["tb_a"]
    tables.delete("tb_a")
    assert tables.listed(9) == []


def test_a_table_is_overdue_until_somebody_appends_however_often_it_is_leased(tables):
    put(tables, "tb_a", wake_at=START)
    put(tables, "tb_b", wake_at=START + 500)
    put(tables, "tb_c")
    assert [tables.overdue(START + late) for late in (0, 1, 500, 501)] == [0, 1, 1, 2]
    tables.lease_due(START + 600, 60_000, 10)
    assert tables.overdue(START + 501) == 2
    put(tables, "tb_a", expected=1, wake_at=START + 9_000)
    assert tables.overdue(START + 501) == 1
    tables.delete("tb_b")
    assert tables.overdue(START + 501) == 0
    put(tables, "tb_a", expected=2)
    assert tables.overdue(START + 99_000) == 0


def test_an_expired_table_is_not_overdue_after_a_look(tables):
    put(tables, "tb_a", wake_at=START, ttl_ms=1)
    assert gone(tables, "tb_a")
    tables.lease_due(START, 1_000, 10)
    assert tables.overdue(START + 1) == 0
