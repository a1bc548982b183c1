"""Which receivers a messenger calls: those who are slow wait for each other, not others for them."""

import pytest

from service.notices.outbound import Patience
from workers.lanes import HOST_SHARE, LANES, PLAYER_SHARE, QUICK_S, Call, Lanes, host_of

FAST, SLOW = LANES
OF_HOST, OF_PLAYER = int(HOST_SHARE * FAST), int(PLAYER_SHARE * FAST)


class Now(Patience):
    """A request that began at 0, or at `at`, by the clock of the test."""

    at = 0.0

    def lasts(self, now):
        return now - self.at

    @property
    def is_cut(self):
        return self._is_cut


def a_call(number, player="pl_1", host="example.net", *, is_failing=False, address=None):
    call = Call(f"wh_{number}", player, host, is_failing=is_failing)
    call.patience = Now()
    call.patience.address = address
    return call


def put(lanes, *calls):
    for call in calls:
        lanes.put(call)
    return lanes.take()


def many(count, players=None, hosts=None, first=0):
    """Receivers of as many players, at as many hosts, as is said; each its own otherwise."""
    return [
        a_call(number, f"pl_{number % (players or count)}", f"{number % (hosts or count)}.example.net")
        for number in range(first, first + count)
    ]


def test_one_host_takes_a_quarter_of_the_quick_lane_whoever_asks():
    lanes = Lanes()
    assert len(put(lanes, *many(220, players=44, hosts=1))) == OF_HOST
    bystander = a_call("mine", "pl_lin", "lin.example.org")
    assert put(lanes, bystander) == [bystander]


def test_one_player_takes_a_twentieth_of_the_quick_lane_wherever_it_leads():
    lanes = Lanes()
    assert len(put(lanes, *many(220, players=1))) == OF_PLAYER


def test_many_names_at_one_address_are_one_host_once_the_address_is_known():
    lanes = Lanes()
    calls = many(FAST + 20)
    for call in calls:
        call.patience.address = "203.0.113.9"
    first = put(lanes, *calls[:60])
    for call in first:
        lanes.end(call, 0.1, has_failed=False)
    assert len(put(lanes, *first)) == OF_HOST


def test_who_is_slow_frees_the_quick_lane_whatever_the_answer_is():
    lanes = Lanes()
    hostile = put(lanes, *many(FAST))
    assert len(hostile) == FAST
    bystander = a_call("mine", "pl_lin", "lin.example.org")
    assert put(lanes, bystander) == []
    lanes.review(QUICK_S)
    assert lanes.take() == []
    lanes.review(QUICK_S + 0.1)
    assert lanes.take() == [bystander]
    bystander.patience.at = QUICK_S + 0.1
    # More requests are slow than the slow lane has places for.
    assert sum(call.patience.is_cut for call in hostile) == FAST - SLOW
    lanes.review(QUICK_S + 0.2)
    assert sum(call.patience.is_cut for call in hostile) == FAST - SLOW
    # From now on they wait for each other.
    for call in hostile:
        lanes.end(call, 9, has_failed=False)
    again = put(lanes, *hostile)
    assert len(again) == SLOW
    assert put(lanes, *many(FAST, first=1_000)) != []


def test_requests_of_the_host_with_the_most_slow_ones_end_early():
    lanes = Lanes((100, 10))
    few, lot = many(5, first=500), [call for n in range(3) for call in many(20, hosts=1, first=100 * n)]
    for number, call in enumerate(lot):
        object.__setattr__(call, "host", f"h{number % 3}.example.com")
    running = put(lanes, *few, *lot)
    lanes.review(QUICK_S + 1)
    cut = [call for call in running if call.patience.is_cut]
    assert len(cut) == len(running) - 10
    assert not set(cut) & set(few)


def test_a_slow_receiver_returns_to_the_quick_lane_after_a_quick_answer():
    lanes = Lanes((1, 1))
    call, other = a_call(1), a_call(2, "pl_2", "other.example.org")
    put(lanes, call)
    lanes.end(call, QUICK_S + 1, has_failed=False)
    # In the slow lane, it leaves the quick one to others.
    assert put(lanes, call, other) == [other, call]
    lanes.end(call, 0.1, has_failed=False)
    assert put(lanes, call) == []
    lanes.end(other, 0.1, has_failed=False)
    assert lanes.take() == [call]


def test_failing_receivers_delay_only_each_other():
    lanes = Lanes((10, 2))
    failing = [a_call(number, f"pl_{number}", f"{number}.example.org", is_failing=True) for number in range(5)]
    assert len(put(lanes, *failing)) == 2
    assert len(put(lanes, *many(5, first=100))) == 5


def test_new_receivers_of_a_slow_host_are_slow_and_known_quick_ones_stay_quick():
    lanes = Lanes((8, 8))
    good = a_call("good", "pl_lin", "shared.example.org")
    put(lanes, good)
    lanes.end(good, 0.1, has_failed=False)
    for number in range(9):
        call = a_call(number, f"pl_{number}", "shared.example.org")
        put(lanes, call)
        lanes.end(call, 9, has_failed=False)
    fresh = [a_call(f"new {number}", f"pl_n{number}", "shared.example.org") for number in range(8)]
    assert len(put(lanes, *fresh)) == 2  # a quarter of the slow lane
    assert put(lanes, good) == [good]


def test_waiting_receivers_of_a_host_that_turns_out_slow_change_lanes():
    lanes = Lanes((40, 8))
    calls = many(30, hosts=1)
    running = put(lanes, *calls)
    assert len(running) == 10
    lanes.review(QUICK_S + 1)
    # The ten have taken the places of the host in the slow lane.
    assert lanes.take() == []
    assert len(lanes.waiting()) == 20


def test_players_take_turns():
    lanes = Lanes((1, 1))
    mine = a_call("mine", "pl_lin", "lin.example.org")
    first, *_ = put(lanes, *many(50, players=1))
    put(lanes, mine)
    lanes.end(first, 0.1, has_failed=False)
    second = lanes.take()
    lanes.end(*second, 0.1, has_failed=False)
    assert mine in (*second, *lanes.take())


def test_the_relay_of_the_operator_has_no_share():
    lanes = Lanes()
    calls = [a_call(number, f"pl_{number}", "") for number in range(FAST + 9)]
    assert len(put(lanes, *calls)) == FAST


def test_nothing_is_left_of_receivers_that_have_gone():
    lanes = Lanes()
    calls = many(300, players=30, hosts=3)
    for call in put(lanes, *calls):
        lanes.end(call, 5, has_failed=True)
    for call in lanes.waiting():
        lanes.drop(call)
    assert not lanes._running
    assert not lanes._taken
    assert not any(lanes._waiting)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://a.b.example.net/x", "example.net"),
        ("https://bot.example.co.uk/", "example.co.uk"),
        ("https://a.bot.example.com.cn:8443/", "example.com.cn"),
        ("https://example.net/", "example.net"),
        ("https://bot.lin.dev/", "lin.dev"),
        ("http://127.0.0.1:9000/", "127.0.0.1"),
    ],
)
def test_a_host_is_a_name_that_somebody_registers(url, host):
    assert host_of({"kind": "webhook", "target": {"url": url}}) == host
    assert host_of({"kind": "webpush", "target": {"endpoint": url}}) == host
    assert host_of({"kind": "relay", "target": {"platform": "apns"}}) == ""
