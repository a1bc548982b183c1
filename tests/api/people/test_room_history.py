"""What a room remembers of its rounds: levels that go on, tallies of people and pairs, and what goes with a person."""

import pytest

from service.circles.history import MOST_ROUNDS, counted
from service.store import keys
from service.store.matchmaking.circles import CIRCLE_MS, NO_HISTORY
from service.store.port import StoreUnavailable
from tests.api.contract import assert_problem
from tests.api.people.test_room_tables import Evening
from tests.api.test_memory import cost

DAY_MS = 24 * 3_600_000


def history_of(evening, client=None):
    return (client or evening.host).get(f"{evening.path}/history").json


def play_round(evening):
    evening.table.play_until("ready", by=evening.table.move)


def levels_of(evening):
    seats = evening.table.state()["seats"]
    return [seats[0]["level"], seats[1]["level"]]


@pytest.fixture
def evening(world):
    """A room after its first round."""
    evening = Evening(world).begin()
    play_round(evening)
    return evening


def test_a_room_used_on_two_days_goes_on_with_levels_tallies_and_rounds(world, evening):
    rounds = 1
    while levels_of(evening) == ["2", "2"]:
        # Whoever takes over the declaring may gain nothing.
        evening.table.get_ready()
        play_round(evening)
        rounds += 1
    first, levels = history_of(evening), levels_of(evening)
    assert first["levels"] == levels
    world.now += 8 * DAY_MS
    world.stores.tables.delete(evening.table.id)
    evening.table = evening.open(evening.members[2])
    assert evening.table.view(3)["settings"]["start_levels"] == levels
    evening.begin()
    assert levels_of(evening) == levels
    play_round(evening)
    second = history_of(evening, evening.members[1])
    assert [tally["rounds"] for tally in second["people"]] == [rounds + 1] * 4
    assert {tuple(pair["players"]) for pair in second["pairs"]} == {
        tuple(sorted(evening.four[seat].player["id"] for seat in side)) for side in ((0, 2), (1, 3))
    }
    assert [pair["rounds"] for pair in second["pairs"]] == [rounds + 1] * 2
    assert sum(pair["won"] for pair in second["pairs"]) == rounds + 1
    assert second["rounds"][1:] == first["rounds"]
    assert [each["round"] for each in second["rounds"]] == [1, *range(rounds, 0, -1)]
    assert second["seats"] == [client.player["id"] for client in evening.four]


def test_who_names_no_seat_gets_that_of_last_time_if_it_is_free(world, evening):
    world.stores.tables.delete(evening.table.id)
    table = evening.open().path
    lin, mei, wei, tao = evening.four
    seated = [client.post(f"{table}/seats", {}).json["view"]["my"]["seat"] for client in (tao, mei)]
    assert seated == [3, 1]
    assert lin.post(f"{table}/seats", {"seat": 2}).json["view"]["my"]["seat"] == 2
    assert wei.post(f"{table}/seats", {}).json["view"]["my"]["seat"] == 0, "its seat is taken"


def test_a_round_is_counted_once_and_a_missed_one_with_the_next(world, evening, monkeypatch):
    state = evening.table.state()
    before = world.stores.circles.history(evening.id)
    world.services.histories.note(state)
    assert world.stores.circles.history(evening.id) == before

    def fail(*_):
        raise StoreUnavailable(TimeoutError())

    with monkeypatch.context() as patched:
        patched.setattr(world.services.histories._store, "change_history", fail)
        evening.table.get_ready()
        play_round(evening)
    assert len(history_of(evening)["rounds"]) == 1
    evening.table.get_ready()
    play_round(evening)
    assert [each["round"] for each in history_of(evening)["rounds"]] == [3, 2, 1]


def test_after_a_game_that_was_won_or_with_another_game_levels_start_anew(world, evening):
    state, circle = evening.table.state(), world.stores.circles.get(evening.id)
    won = {**state, "game": {**state["game"], "ended": "won", "winners": [0, 2]}}
    assert counted(circle, NO_HISTORY, won)["levels"] == []
    assert counted(circle, NO_HISTORY, state)["levels"] == levels_of(evening)
    spec = {"ruleset": "shengji", "players": 4}
    assert world.services.histories.start_levels(circle, spec)
    assert world.services.histories.start_levels(circle, {"ruleset": "shengji_six", "players": 6}) is None


def test_levels_that_are_not_played_with_new_options_are_left_out(world, evening):
    circle = world.stores.circles.get(evening.id)
    world.stores.circles.change_history(evening.id, lambda _, before: {**before, "levels": ["4", "3"]})
    spec = {"ruleset": "shengji", "players": 4, "options": {"level_ladder": ["2", "6", "T", "A"]}}
    assert world.services.histories.start_levels(circle, spec) is None


def test_games_of_friends_go_on_by_seat_and_without_levels_none_do(world):
    circle = {"members": {}}
    friends = world.table(5, "zhaopengyou")
    friends.play_until("ready", by=friends.move)
    state = friends.state()
    history = counted(circle, NO_HISTORY, state)
    assert history["levels"] == [seat["level"] for seat in state["seats"]]
    assert history["seats"] == [None] * 5
    arms = world.table(4, "arms_length")
    arms.play_until("ready", by=arms.move)
    history = counted(circle, NO_HISTORY, arms.state())
    assert (history["levels"], len(history["rounds"])) == ([], 1)


def test_what_is_told_of_somebody_goes_when_they_leave_are_removed_or_are_deleted(world, evening):
    mei, wei, tao = evening.members
    assert evening.remove(mei, mei).status_code == 204
    assert evening.remove(evening.host, wei).status_code == 204
    tao.delete(f"{evening.table.path}/seats/me")
    evening.host.delete(f"{evening.table.path}/seats/me")
    world.stores.tables.delete(evening.table.id)
    assert tao.delete("/v1/me").status_code == 204
    stored = repr(world.redis.hgetall(keys.circle(evening.id)))
    assert all(client.player["id"] not in repr(history_of(evening)) for client in evening.members)
    assert mei.player["id"] not in stored
    assert tao.player["id"] not in stored
    history = history_of(evening)
    assert history["rounds"][0]["seats"] == [evening.host.player["id"], None, None, None]
    assert history["pairs"] == []


def test_a_round_that_ends_after_a_removal_is_nobodys(world):
    evening = Evening(world).begin().play_tricks(2)
    mei = evening.members[0]
    evening.remove(evening.host, mei)
    while evening.table.state()["decision"]["kind"] != "ready":
        world.now += 2_000
        world.advance(evening.table.id)
        if evening.table.state()["decision"]["kind"] != "ready":
            evening.table.move()
    assert history_of(evening)["rounds"][0]["seats"][1] is None
    assert mei.player["id"] not in repr(world.stores.circles.history(evening.id))


def test_nobody_else_reads_the_history(world, evening):
    assert_problem(world.player("Mallory").get(f"{evening.path}/history"), "not-found")


def test_who_has_played_a_round_in_a_room_is_no_guest(world, evening):
    assert world.stores.players.idle_guests(world.now + 30 * DAY_MS, 10) == []


def test_a_full_history_takes_seventy_kilobytes_and_is_kept_for_400_days(world, evening):
    players = [f"pl_{number:012}" for number in range(24)]
    tally = {"rounds": 10_000, "won": 5_000}
    one = world.stores.circles.history(evening.id)["rounds"][0]
    full = {
        "people": dict.fromkeys(players, tally),
        "pairs": {f"{one} {other}": tally for one in players for other in players if one < other},
        "rounds": [{**one, "seats": players[:12], "won": [*range(6)]}] * MOST_ROUNDS,
    }
    world.stores.circles.change_history(evening.id, lambda _, before: {**before, **full})
    assert cost(world, "sj:circle:*") < 75_000
    assert world.redis.pttl(keys.circle(evening.id)) > CIRCLE_MS - DAY_MS
    evening.table.get_ready()
    play_round(evening)
    assert len(history_of(evening)["rounds"]) == MOST_ROUNDS
