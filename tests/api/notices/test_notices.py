"""Notices: who is notified of what and when; nobody who is looking, of nothing that is over, and nothing twice."""

import json

import pytest

from service.game.views.fields import timestamp
from service.notices.outbound import Answer
from service.notices.retries import RETRIES_S
from service.store import keys
from service.store.notices import open_streams
from service.store.notices.scans import ScanResult
from service.store.players.inbox import Note
from tests.api.contract import assert_is
from tests.api.streams.test_events import Stream
from tools.orders.messages import OK, Messages

#: A slow clock.
SLOW = {"clock": {"play_ms": 600_000, "declare_ms": 600_000, "discard_ms": 600_000, "call_ms": 600_000}}
DOWN = Answer(None, 10_000, "timeout")


@pytest.fixture
def messages(world):
    return Messages(world)


@pytest.fixture
def table(world):
    return world.table(**SLOW)


def decisions_of(requests):
    """Type, table and decision of each notice."""
    bodies = [json.loads(request.body) for request in requests]
    return [(body["type"], body["data"]["table"], body["data"]["decision_id"]) for body in bodies]


def decision_and_client(table):
    """The client that the table waits for, and the decision."""
    state = table.state()
    decision = state["decision"]
    return table.clients[decision["seats"][0]], decision


def test_a_subscriber_is_notified_of_each_turn_once(world, messages, table):
    client, decision = decision_and_client(table)
    messages.subscribe(client)
    assert decisions_of(messages.run()) == [("turn", table.id, decision["id"])]
    assert_is("TurnNotice", json.loads(messages.sent[0].body))
    # A chat message does not cause another notice.
    assert table.clients[0].post(f"{table.path}/chat", {"text": "hello"}).status_code == 200
    assert messages.run() == []
    table.move()
    while decision_and_client(table)[0] is not client:
        assert messages.run() == []
        table.move()
    assert decisions_of(messages.run()) == [("turn", table.id, decision_and_client(table)[1]["id"])]
    assert messages.run() == []


def test_a_subscription_gets_notices_of_its_tables_alone(world, messages):
    mine, other = world.table(**SLOW), world.table(**SLOW)
    host = mine.host
    other_client, _ = decision_and_client(other)
    messages.subscribe(other_client, "hosted", tables="hosted")
    messages.subscribe(other_client, "some", tables=[mine.id])
    messages.subscribe(other_client, "results", events=["game_kept"])
    expected = ["https://hosted.example.net/"] if other_client is other.host else []
    assert [request.url for request in messages.run()] == expected
    assert host is mine.clients[0]


def test_a_turn_that_still_waits_after_the_delay_is_notified(world, messages, table):
    client, decision = decision_and_client(table)
    messages.subscribe(client, after_ms=20_000)
    assert messages.run() == []
    world.now += 19_999
    assert messages.run() == []
    world.now += 1
    assert decisions_of(messages.run()) == [("turn", table.id, decision["id"])]


def test_a_player_who_has_played_by_then_is_not_notified(world, messages, table):
    client, decision = decision_and_client(table)
    messages.subscribe(client, after_ms=20_000)
    messages.run()
    world.now += 19_000
    table.move()
    world.now += 1_000
    assert all(each[2] != decision["id"] for each in decisions_of(messages.run()))


def test_a_player_with_an_open_stream_is_not_notified(world, messages, table):
    client, _ = decision_and_client(table)
    messages.subscribe(client, after_ms=20_000)
    world.stores.open_streams.opened(table.id, client.player["id"])
    world.now += 20_000
    world.stores.open_streams.sign()
    assert messages.run() == []
    # Having looked once is enough.
    world.stores.open_streams.closed(table.id, client.player["id"])
    world.now += 60_000
    assert messages.run() == []


def test_a_stream_of_a_killed_process_does_not_suppress_notices(world, messages, table, monkeypatch):
    monkeypatch.setattr(open_streams, "SIGN_S", 1_000_000)
    client, decision = decision_and_client(table)
    messages.subscribe(client, after_ms=20_000)
    world.stores.open_streams.opened(table.id, client.player["id"])
    world.now += 20_000
    assert decisions_of(messages.run()) == [("turn", table.id, decision["id"])]


def test_an_open_stream_of_the_api_suppresses_notices(world, messages, table):
    client, _ = decision_and_client(table)
    messages.subscribe(client, after_ms=5_000)
    with Stream(client, f"{table.path}/events"):
        world.now += 5_000
        assert messages.run() == []
    assert world.redis.smembers(next(world.redis.scan_iter(match=f"{keys.OPEN_STREAMS}:*"), b"none")) == set()


def test_a_player_who_subscribed_before_sitting_down_is_notified(world, messages):
    table = world.table(seated=False, **SLOW)
    for client in table.clients:
        messages.subscribe(client, client.player["id"][3:])
    table.sit()
    table.get_ready()
    client, decision = decision_and_client(table)
    assert decisions_of(messages.run()) == [("turn", table.id, decision["id"])]
    assert messages.sent[0].url == f"https://{client.player['id'][3:]}.example.net/"


def test_without_subscriptions_nothing_is_stored(world, table):
    table.move()
    assert not [key for key in world.redis.scan_iter() if b"notify" in key or b"notices" in key or b"outbox" in key]
    assert world.redis.hget(keys.head(table.id), "n") is None


def test_a_table_without_remaining_subscribers_is_no_longer_scanned(world, messages, table):
    client, _ = decision_and_client(table)
    messages.subscribe(client)
    messages.run()
    assert world.redis.hget(keys.head(table.id), "n") == b"0"
    assert world.stores.subscriptions.remove(client.player["id"], "wh_1")
    table.move()
    assert messages.run() == []
    assert world.redis.hget(keys.head(table.id), "n") is None
    assert world.redis.zcard(keys.notify(keys.bucket_of(table.id))) == 0


def test_a_decision_opened_while_its_table_is_scanned_is_not_missed(world, messages, table):
    client, _ = decision_and_client(table)
    messages.subscribe(client)
    [leased] = world.stores.scans.lease(world.now, 5_000, 10)
    table.move()
    world.stores.scans.record(world.now, [ScanResult(leased, None, 0)])
    while decision_and_client(table)[0] is not client:
        table.move()
    assert decisions_of(messages.run()) == [("turn", table.id, decision_and_client(table)[1]["id"])]


def test_the_lease_of_a_killed_messenger_expires(world, messages, table):
    client, decision = decision_and_client(table)
    messages.subscribe(client)
    assert len(world.stores.scans.lease(world.now, 5_000, 10)) == 1
    assert messages.run() == []
    world.now += 5_000
    assert decisions_of(messages.run()) == [("turn", table.id, decision["id"])]


def test_a_delivery_that_was_not_recorded_is_sent_again_with_the_same_id(world, messages, table):
    client, _ = decision_and_client(table)
    messages.subscribe(client)
    messages.answers["https://1.example.net/"] = _killed
    with pytest.raises(KeyboardInterrupt):
        messages.run()
    messages.answers.clear()
    assert messages.run() == []
    world.now += 15_000
    assert len(messages.run()) == 1
    first, second = messages.sent
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert first.body == second.body
    world.now += 60_000
    assert messages.run() == []


def _killed(_):
    raise KeyboardInterrupt


def test_a_failed_delivery_is_retried_at_growing_intervals(world, messages, table):
    messages.subscribe(decision_and_client(table)[0])
    messages.answers["https://1.example.net/"] = DOWN
    assert len(messages.run()) == 1
    for wait_s in RETRIES_S[:3]:
        world.now += 1000 * wait_s - 1
        assert messages.run() == []
        world.now += 1
        assert len(messages.run()) == 1
    # The next retry would be after the deadline.
    assert world.stores.outbox.oldest() is None
    [delivery] = world.stores.outbox.of_subscription("wh_1")
    assert (delivery["outcome"], delivery["attempts"], delivery["last"]["error"]) == ("failed", 4, "timeout")
    assert messages.outcomes == [("webhook", "retried")] * 3 + [("webhook", "failed")]


def test_a_receiver_may_say_when_to_retry(world, messages, table):
    messages.subscribe(decision_and_client(table)[0])
    messages.answers["https://1.example.net/"] = Answer(503, 5, None, 60)
    messages.run()
    messages.answers.clear()
    world.now += 59_999
    assert messages.run() == []
    world.now += 1
    assert len(messages.run()) == 1


@pytest.mark.parametrize("ends", ["played", "looked", "left"])
def test_a_notice_that_no_longer_holds_is_not_retried(world, messages, table, ends):
    client, decision = decision_and_client(table)
    messages.subscribe(client)
    messages.answers["https://1.example.net/"] = DOWN
    messages.run()
    if ends == "played":
        table.move()
    elif ends == "looked":
        world.stores.open_streams.opened(table.id, client.player["id"])
    else:
        assert client.delete(f"{table.path}/seats/me").status_code == 200
    world.now += 5_000
    assert ("turn", table.id, decision["id"]) not in decisions_of(messages.run())
    assert all(
        each["told"] != decision["id"]
        for each in world.stores.outbox.of_subscription("wh_1")
        if each["outcome"] == "pending"
    )


def test_a_decision_past_its_deadline_is_not_notified(world, messages, table):
    client, decision = decision_and_client(table)
    messages.subscribe(client, after_ms=20_000)
    world.now = decision["deadline"]
    assert messages.run() == []


def test_the_notice_of_a_kept_game_is_retried_for_a_day(world, messages, lin):
    messages.subscribe(lin, events=["game_kept"])
    world.services.inbox.game_kept([lin.player["id"]], "tb_1", "gm_1")
    [request] = messages.run()
    assert json.loads(request.body)["data"] == {"table": "tb_1", "game": "gm_1"}
    assert_is("KeptGameNotice", json.loads(request.body))
    assert messages.run() == []
    messages.answers["https://1.example.net/"] = DOWN
    world.now += 1_000
    world.services.inbox.game_kept([lin.player["id"]], "tb_2", "gm_2")
    messages.run()
    for _ in range(10):
        world.now += 8 * 3_600_000
        messages.run()
    assert len(messages.sent) == 1 + 3
    assert world.stores.outbox.oldest() is None


def test_the_notice_of_an_invitation_has_no_code_and_is_retried_while_a_seat_is_free(world, messages, lin):
    messages.subscribe(lin, "all", events=["invited"])
    messages.subscribe(lin, "hosted", events=["invited"], tables="hosted")
    ann = world.player("Ann")
    table = ann.post("/v1/tables", {"ruleset": "shengji", "players": 4}).json
    ann.post(f"/v1/tables/{table['id']}/seats", {})
    ann.post(f"/v1/tables/{table['id']}/invitations", {"player": lin.player["id"]})
    messages.answers["https://all.example.net/"] = DOWN
    [request] = messages.run()
    assert_is("InvitationNotice", json.loads(request.body))
    assert json.loads(request.body)["data"]["name"] == "Ann"
    assert ann.get(f"/v1/tables/{table['id']}").json["join_code"] not in request.body.decode()
    world.now += 6_000
    assert [again.headers["webhook-id"] for again in messages.run()] == [request.headers["webhook-id"]]
    ann.delete(f"/v1/tables/{table['id']}")
    world.now += 36_000
    assert messages.run() == []
    assert world.stores.outbox.oldest() is None


def test_a_match_is_notified_while_it_can_be_confirmed(world, messages, lin):
    messages.subscribe(lin, events=["matched"])
    data = {"match": "ma_1", "ruleset": "shengji", "players": 4, "people": 2, "remaining_ms": 15_000}
    data["confirm_by"] = timestamp(world.now + 15_000)
    world.stores.inbox.put(lin.player["id"], Note("matched", world.now, data), "match")
    world.now += 14_000
    [request] = messages.run()
    assert_is("MatchNotice", json.loads(request.body))
    assert json.loads(request.body)["data"]["remaining_ms"] == 1_000
    world.stores.inbox.put(lin.player["id"], Note("matched", world.now, data | {"match": "ma_2"}), "match")
    world.now += 15_000
    assert messages.run() == []


def test_what_happened_before_a_subscription_is_not_notified(world, messages, lin):
    world.services.inbox.game_kept([lin.player["id"]], "tb_1", "gm_1")
    world.now += 1_000
    messages.subscribe(lin, events=["game_kept"])
    world.services.inbox.game_kept([lin.player["id"]], "tb_2", "gm_2")
    [request] = messages.run()
    assert json.loads(request.body)["data"]["table"] == "tb_2"


def test_twenty_failures_over_a_day_disable_a_webhook_and_the_account_is_told(world, messages, lin):
    messages.subscribe(lin, events=["game_kept"])
    messages.answers["https://1.example.net/"] = Answer(500, 5)
    for number in range(20):
        world.services.inbox.game_kept([lin.player["id"]], f"tb_{number}", f"gm_{number}")
        messages.run()
        world.now += 4_700_000
    [subscription] = world.stores.subscriptions.of_player(lin.player["id"]).subscriptions.values()
    assert subscription["state"] == "disabled"
    notes = world.stores.inbox.after(lin.player["id"], 0, 500)
    [note] = [note for note in notes if note.type == "webhook_disabled"]
    assert note.data["reason"] == "failing"
    [event] = [each for each in lin.get("/v1/me/events?after=0").json["events"] if each["type"] == "webhook_disabled"]
    assert event["data"]["webhook"] == "wh_1"
    world.services.inbox.game_kept([lin.player["id"]], "tb_x", "gm_x")
    assert messages.run() == []


def test_one_success_resets_the_count_of_failures(world, messages, lin):
    messages.subscribe(lin, events=["game_kept"])
    url = "https://1.example.net/"
    messages.answers[url] = Answer(500, 5)
    world.services.inbox.game_kept([lin.player["id"]], "tb_1", "gm_1")
    messages.run()
    assert world.stores.subscriptions.of_player(lin.player["id"]).health["wh_1"]["failures"] == 1
    messages.answers[url] = OK
    world.now += 5_000
    messages.run()
    assert world.stores.subscriptions.of_player(lin.player["id"]).health["wh_1"] == {"failures": 0, "since": None}


def test_a_receiver_that_responds_410_gets_no_more_notices(world, messages, lin):
    messages.subscribe(lin, events=["game_kept"])
    messages.answers["https://1.example.net/"] = Answer(410, 5)
    world.services.inbox.game_kept([lin.player["id"]], "tb_1", "gm_1")
    messages.run()
    [subscription] = world.stores.subscriptions.of_player(lin.player["id"]).subscriptions.values()
    assert subscription["state"] == "disabled"
    assert world.stores.outbox.oldest() is None
    [note] = world.stores.inbox.after(lin.player["id"], 0, 500)[-1:]
    assert (note.type, note.data["reason"]) == ("webhook_disabled", "gone")


def test_only_the_latest_deliveries_are_kept(world, messages, lin):
    messages.subscribe(lin, events=["game_kept"])
    for number in range(80):
        world.now += 1
        world.services.inbox.game_kept([lin.player["id"]], f"tb_{number}", f"gm_{number}")
        messages.run()
    assert len(messages.sent) == 80
    assert 50 <= world.redis.hlen(keys.sent("wh_1")) <= 70
    latest = world.stores.outbox.of_subscription("wh_1")
    assert len(latest) == 50
    assert latest[0]["data"]["table"] == "tb_79"
