"""The audit of a soak detects every kind of lost data, tried one by one on an intact game."""

from itertools import count

import pytest

from service.common.settings import Settings
from service.store import codec, keys
from tests.api.conftest import World
from tools.faults.audit import HELD_UP_MS, audit, united
from tools.faults.guests import Notes, Told
from tools.faults.history.checking import check
from workers import ai


class Played:
    """A finished game of recording bots, and one round of the next."""

    def __init__(self, redis_url):
        self.world = World(redis_url, Settings())
        self.notes = Notes()
        self.ticks = count()
        table = self.table = self.world.table(ruleset="arms_length")
        self.notes.tables[table.id] = "arms_length"
        while table.state()["status"] == "playing":
            self.step()
        self.game = table.state()["game"]["id"]
        table.get_ready()
        while table.state()["game"]["round"] == 1:
            self.step()
        for seat, client in enumerate(table.clients):
            events_of_seat = self.notes.events[table.id, seat] = {}
            while events := client.get(f"{table.path}/events?after={len(events_of_seat)}").json["events"]:
                events_of_seat |= {event["seq"]: event for event in events}

    def step(self):
        """Answer the open decision and record the response."""
        seat, view, decision = self.table.turn()
        if decision["kind"] == "ready":
            self.table.clients[seat].put(f"{self.table.path}/seats/me/ready", {})
            return
        command = dict(ai.choose(view, b"seed"))
        path = command["type"].replace("_", "-")
        sent = {"decision_id": decision["id"], **{name: command[name] for name in command if name != "type"}}
        answer = self.table.clients[seat].post(f"{self.table.path}/{path}", sent)
        times = next(self.ticks), next(self.ticks)
        noted = answer.status_code, answer.json
        self.notes.history.answered(f"seat {seat}", "POST", f"{self.table.path}/{path}", sent, times, *noted)
        body = {"type": command["type"], **sent}
        self.notes.answers.append(Told(self.table.id, seat, decision["id"], body, answer.status_code, answer.json))

    def wrong(self):
        """The findings of the audit."""
        return audit(self.world.redis, self.world.tables, self.notes)

    def last_play(self):
        """Index of the last play among the records."""
        return max(at for at, answer in enumerate(self.notes.answers) if answer.body["type"] == "play")


@pytest.fixture(scope="module")
def whole(module_redis):
    played = Played(module_redis)
    dumps = {key: played.world.redis.dump(key) for key in played.world.redis.keys("*")}
    yield played, dumps
    played.world.close()


@pytest.fixture
def played(whole):
    played, dumps = whole
    played.world.redis.flushall()
    for key, dump in dumps.items():
        played.world.redis.restore(key, 0, dump)
    answers, views = list(played.notes.answers), {who: dict(events) for who, events in played.notes.events.items()}
    yield played
    played.notes.answers, played.notes.events = answers, views


def test_the_audit_finds_nothing_in_an_intact_game(played):
    assert len(played.notes.answers) > 100
    assert played.wrong() == []


def lose_the_last_event(played):
    redis, table = played.world.redis, played.table.id
    redis.xdel(keys.log(table), f"{played.table.state()['version']}-0")


def acknowledge_what_was_not_stored(played):
    answer = played.notes.answers[played.last_play()]
    played.notes.answers.append(answer._replace(decision="dc_9999"))


def refuse_what_was_stored(played):
    at = played.last_play()
    played.notes.answers[at] = played.notes.answers[at]._replace(status=409, answer={"code": "stale-decision"})


def tell_other_events(played):
    at = played.last_play()
    answer = played.notes.answers[at].answer
    events = [answer["events"][0] | {"at": "2000-01-01T00:00:00.000Z"}, *answer["events"][1:]]
    played.notes.answers[at] = played.notes.answers[at]._replace(answer=answer | {"events": events})


def show_what_never_was(played):
    events = played.notes.events[played.table.id, 0]
    events[len(events) + 1000] = events[1]


def store_another_state(played):
    head, redis = keys.head(played.table.id), played.world.redis
    state = codec.decode_state(*redis.hmget(head, "s", "o"), "") | {"host": "pl_other"}
    redis.hset(head, "s", codec.encode_state(state))


def forget_the_table(played):
    played.world.stores.tables.delete(played.table.id)


def make_a_table_of_which_nobody_was_told(played):
    played.world.tables.create({"id": "pl_x"}, {"ruleset": "arms_length", "players": 4})


def keep_nothing_of_the_game(played):
    played.world.redis.delete(keys.game(played.game))


def count_the_game_twice(played):
    player, redis = played.table.host.player["id"], played.world.redis
    name = keys.results("arms_length")
    result = codec.decode(codec.RESULT, redis.hget(name, player), "")
    redis.hset(name, player, codec.encode(codec.RESULT, result | {"games": 2}))


@pytest.mark.parametrize(
    ("break_it", "expected"),
    [
        (lose_the_last_event, "the log tells another state"),
        (acknowledge_what_was_not_stored, "acknowledged, and 0 times in the log"),
        (refuse_what_was_stored, "refused, but done"),
        (tell_other_events, "told other events than those stored"),
        (show_what_never_was, "that is not in the log"),
        (store_another_state, "the log tells another state"),
        (forget_the_table, "gone"),
        (make_a_table_of_which_nobody_was_told, "nobody was told"),
        (keep_nothing_of_the_game, "nothing is kept of"),
        (count_the_game_twice, "has played 1 games of arms_length, and 2 are counted"),
    ],
    ids=lambda value: None if isinstance(value, str) else value.__name__,
)
def test_the_audit_finds_every_kind_of_damage(played, break_it, expected):
    break_it(played)
    assert any(expected in fault for fault in played.wrong())


@pytest.mark.parametrize(("later_ms", "wrong"), [(0, 0), (2_000, 0), (HELD_UP_MS + 1_000, 1)])
def test_a_record_may_be_written_a_little_after_its_time_and_lost_then(played, later_ms, wrong):
    keep_nothing_of_the_game(played)
    kept_at = next(event["at"] for event in played.world.tables.log(played.table.id) if event["type"] == "game_kept")
    lost = lambda key, at: key == keys.game(played.game) and at >= kept_at + later_ms  # noqa: E731
    assert len(audit(played.world.redis, played.world.tables, played.notes, (), lost)) == wrong


@pytest.mark.parametrize("are_copied", [False, True])
@pytest.mark.parametrize("break_it", [acknowledge_what_was_not_stored, tell_other_events])
def test_lost_answers_are_counted_once_whether_a_takeover_may_lose_them_or_not(played, break_it, are_copied):
    break_it(played)
    world, notes = played.world, played.notes
    notes.lost, notes.lost_answers = [], 0
    wrong = audit(world.redis, world.tables, notes, (), lambda _key, _at: True, are_copied=are_copied)
    assert (len(notes.lost), notes.lost_answers) == (1, 1)
    assert len(wrong) == are_copied


def test_the_checker_of_histories_reads_a_real_game(played):
    calls, logs = played.notes.history.calls(), {played.table.id: played.world.tables.log(played.table.id)}
    assert len(calls) > 100
    assert check(calls, logs) == []
    at = len(calls) // 2
    old = calls[at]._replace(showed=calls[at - 4].showed)
    assert any("was shown decision" in fault for fault in check([*calls[:at], old, *calls[at + 1 :]], logs))


def test_an_outage_noted_twice_counts_once():
    assert united([(30, 40), (0, 10), (0, 20), (15, 25)]) == [(0, 25), (30, 40)]
