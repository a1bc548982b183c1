"""Devices: notices to browsers and phones, what people choose for them, and when notices end."""

import json
from datetime import datetime

import pytest
from standardwebhooks import Webhook

from service.notices.choices import end_of_quiet
from service.notices.outbound import Answer
from tests.api.contract import assert_problem
from tests.api.notices.test_notices import SLOW, decision_and_client
from tests.notices.browsers import Browser
from tools.orders.messages import Messages

SECRET = "whsec_" + "c2VjcmV0" * 4
SET_UP = {
    "vapid_private_key": "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA",
    "vapid_subject": "mailto:ops@example.net",
    "push_relay_url": "http://relay:9000/notices",
    "push_relay_secret": SECRET,
}
PHONE = {"carrier": "relay", "platform": "apns", "device_token": "0a1b2c"}
PATH = "/v1/me/push-subscriptions/phone-1"


@pytest.fixture
def table(world):
    world.start(**SET_UP)
    return world.table(**SLOW)


@pytest.fixture
def messages(world, table):
    return Messages(world)


@pytest.fixture
def browser(table):
    return Browser()


def test_a_browser_is_notified_after_a_delay_in_the_language_of_the_player(world, messages, table, browser):
    client, decision = decision_and_client(table)
    assert client.patch("/v1/me", {"locale": "zh-Hans"}).status_code == 200
    answer = client.put("/v1/me/push-subscriptions/b-1", browser.subscription)
    assert answer.json == {"id": "b-1", "carrier": "webpush", "created_at": answer.json["created_at"], "current": True}
    world.now += 19_999
    assert messages.run() == []
    world.now += 1
    [request] = messages.run()
    notice = browser.read(request.body)
    assert (notice["title"], notice["language"], notice["type"]) == ("轮到您了", "zh-Hans", "turn")
    assert notice["data"]["decision_id"] == decision["id"]
    assert "升级" in notice["body"]
    left_s = (decision["deadline"] - world.now) // 1000
    assert request.headers["TTL"] == str(left_s)
    assert request.headers["Urgency"] == "high"
    assert len(request.headers["Topic"]) <= 32
    assert request.headers["Authorization"].endswith(f"k={client.get('/v1/push-key').json['key']}")


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_whose_subscription_is_gone_is_not_notified_again(world, messages, table, browser, status):
    client, _ = decision_and_client(table)
    client.put(PATH, browser.subscription)
    messages.answers[browser.subscription["endpoint"]] = Answer(status, 5)
    world.now += 20_000
    assert len(messages.run()) == 1
    assert client.get("/v1/me/push-subscriptions").json["items"] == []
    assert world.stores.outbox.oldest() is None


def test_a_phone_is_notified_through_the_relay(world, messages, table):
    client, decision = decision_and_client(table)
    client.put(PATH, PHONE)
    world.now += 20_000
    [request] = messages.run()
    assert (request.url, request.trusted) == (SET_UP["push_relay_url"], True)
    webhook = Webhook(SECRET).verify(request.body, dict(request.headers))
    assert (webhook["platform"], webhook["device_token"], webhook["table"]) == ("apns", "0a1b2c", table.id)
    assert (webhook["title_loc_key"], webhook["loc_args"]) == ("notice.turn.title", ["Sheng Ji"])
    assert webhook["expires_at"] <= "2023-11-14T22:24"
    assert decision["id"] not in json.dumps(webhook["collapse_id"])


def test_a_messenger_that_is_slower_than_its_lease_does_not_notify_a_phone_again(world, messages, table, monkeypatch):
    client, _ = decision_and_client(table)
    client.put(PATH, PHONE)
    world.now += 20_000
    slow, plain = Messages(world), world.stores.open_streams.of_pairs

    def look(pairs):
        monkeypatch.undo()
        world.now += 5_001
        assert len(messages.run()) == 1
        return plain(pairs)

    monkeypatch.setattr(world.stores.open_streams, "of_pairs", look)
    assert slow.run() == []


@pytest.mark.parametrize(
    ("chosen", "is_told"),
    [
        ({"notify": "nothing"}, False),
        ({"notify": "turns"}, True),
        ({"notify": "nothing", "tables": "turns"}, True),
        ({"notify": "all", "tables": "nothing"}, False),
        ({"after_ms": 60_000}, False),
    ],
)
def test_notices_can_be_chosen_for_all_tables_and_for_single_ones(world, messages, table, chosen, is_told):
    client, _ = decision_and_client(table)
    client.put(PATH, PHONE)
    wanted = {name: {table.id: value} if name == "tables" else value for name, value in chosen.items()}
    assert client.patch("/v1/me/notices", wanted).status_code == 200
    world.now += 20_000
    assert len(messages.run()) == is_told


def test_quiet_hours_delay_notices_that_still_hold_afterwards(world, messages):
    table = world.table(clock={"play_ms": 3_600_000, "declare_ms": 3_600_000})
    client, _ = decision_and_client(table)
    client.put(PATH, PHONE)
    # It is 22:13:20 UTC.
    quiet = {"start": "22:00", "end": "22:50", "time_zone": "UTC"}
    client.patch("/v1/me/notices", {"quiet_hours": quiet})
    world.now += 2_199_999
    assert messages.run() == []
    world.now += 1
    assert len(messages.run()) == 1


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("2026-11-20T21:59+01:00", None),
        ("2026-11-20T22:00+01:00", "2026-11-21T07:00+01:00"),
        ("2026-11-21T06:59+01:00", "2026-11-21T07:00+01:00"),
        ("2026-11-21T07:00+01:00", None),
        # The night in which clocks go back has an hour more.
        ("2026-10-24T23:00+02:00", "2026-10-25T07:00+01:00"),
    ],
)
def test_quiet_hours_end_by_the_clock_of_the_player(at, expected):
    def ms(text):
        return int(datetime.fromisoformat(text).timestamp() * 1000)

    quiet = {"start": 22 * 60, "end": 7 * 60, "zone": "Europe/Berlin"}
    assert end_of_quiet(quiet, ms(at)) == ms(expected or at)
    by_day = {"start": 13 * 60, "end": 15 * 60, "zone": "Europe/Berlin"}
    # 02:30 comes twice that night: in the second hour, the first end is over.
    by_night = {"start": 22 * 60, "end": 2 * 60 + 30, "zone": "Europe/Berlin"}
    assert end_of_quiet(by_night, ms("2026-10-25T02:15+02:00")) == ms("2026-10-25T02:30+02:00")
    assert end_of_quiet(by_night, ms("2026-10-25T02:15+01:00")) == ms("2026-10-25T02:30+01:00")
    assert end_of_quiet(by_day, ms("2026-11-20T14:00+01:00")) == ms("2026-11-20T15:00+01:00")


def test_a_device_that_signs_out_gets_no_notices(world, messages, table):
    client, _ = decision_and_client(table)
    token = client.post("/v1/me/tokens", {"name": "Phone", "scopes": ["push:write", "account"]}).json
    phone = world.anybody.with_token(token["token"])
    assert phone.put(PATH, PHONE).status_code == 200
    assert client.put("/v1/me/push-subscriptions/other", PHONE).json["current"]
    assert [each["current"] for each in client.get("/v1/me/push-subscriptions").json["items"]] in (
        [True, False],
        [False, True],
    )
    assert client.delete(f"/v1/me/tokens/{token['id']}").status_code == 204
    assert [each["id"] for each in client.get("/v1/me/push-subscriptions").json["items"]] == ["other"]
    # The same for a token that was revoked elsewhere.
    world.revoke(client)
    world.now += 20_000
    assert messages.run() == []
    assert world.stores.subscriptions.of_player(client.player["id"]).subscriptions == {}


def test_a_device_can_unsubscribe(messages, table):
    client, _ = decision_and_client(table)
    client.put(PATH, PHONE)
    assert client.delete(PATH).status_code == 204
    assert_problem(client.delete(PATH), "not-found", what="subscription")


@pytest.mark.parametrize(
    ("changes", "pointer", "code"),
    [
        ({"endpoint": "https://push.example.net/1"}, "/endpoint", "push_host"),
        ({"endpoint": "http://fcm.googleapis.com/1"}, "/endpoint", "push_host"),
        ({"endpoint": "https://fcm.googleapis.com.example.net/1"}, "/endpoint", "push_host"),
        ({"endpoint": "https://x@fcm.googleapis.com/1"}, "/endpoint", "push_host"),
        ({"endpoint": "https://127.0.0.1/1"}, "/endpoint", "push_host"),
        ({"endpoint": "https://fcm.googleapis.com:22/1"}, "/endpoint", "webhook_port"),
        ({"endpoint": "https://fcm.googleapis.com:6379/1"}, "/endpoint", "webhook_port"),
        ({"endpoint": "https://fcm.googleapis.com:/1 2"}, "/endpoint", "webhook_url"),
        ({"endpoint": "https://fcm.googleapis.com/1\r\nX-Evil: 1"}, "/endpoint", "webhook_url"),
        ({"endpoint": "https://fcm.\ngoogleapis.com/1"}, "/endpoint", "webhook_url"),
        ({"endpoint": "https://fcm.googleapis.com/\t1"}, "/endpoint", "webhook_url"),
        ({"endpoint": "https://fcm.googleapis.com/é"}, "/endpoint", "webhook_url"),
        ({"endpoint": "https://fcm.googleapis.com/1#2"}, "/endpoint", "webhook_url"),
        ({"endpoint": "https://a_b.fcm.googleapis.com/1"}, "/endpoint", "webhook_host"),
        ({"endpoint": "https://..fcm.googleapis.com/1"}, "/endpoint", "webhook_host"),
        ({"endpoint": "https://fcm.googleapis.com:99999/1"}, "/endpoint", "webhook_url"),
        ({"p256dh": "AAAA"}, "/p256dh", "push_key"),
        ({"p256dh": "B" * 87}, "/p256dh", "push_key"),
        ({"auth": "AAAA"}, "/auth", "push_key"),
        ({"auth": "!!!!"}, "/auth", "push_key"),
        ({"auth": None}, "/auth", "required"),
        ({"carrier": "relay"}, "/platform", "required"),
        ({"carrier": "pigeon"}, "/carrier", "choice"),
    ],
)
def test_a_refused_subscription_names_the_field(table, browser, changes, pointer, code):
    body = {name: value for name, value in {**browser.subscription, **changes}.items() if value is not None}
    problem = assert_problem(table.host.put(PATH, body), "invalid-request")
    assert (problem["errors"][0]["pointer"], problem["errors"][0]["code"]) == (pointer, code)


@pytest.mark.parametrize(
    "token", ["0a\r\nX: 1", "0a b", "../../etc", "..", ".a", "0a/1", "0a?1", "0a#1", "0a%2f", "0a\x00", '0a"', "0é"]
)
def test_a_token_of_a_phone_that_could_change_a_request_of_the_relay_is_refused(table, token):
    [fault] = assert_problem(table.host.put(PATH, {**PHONE, "device_token": token}), "invalid-request")["errors"]
    assert (fault["pointer"], fault["code"]) == ("/device_token", "device_token")


def test_tokens_of_both_push_services_are_accepted(table):
    for token in (
        "740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad",
        "bk3RNwTe3H0:CI2k_HHwgIpoDKCIZvvDMExUdFQ3P1",
    ):
        assert table.host.put(PATH, {**PHONE, "device_token": token}).status_code == 200


def test_without_a_key_or_a_relay_subscriptions_are_refused(lin, world):
    assert lin.get("/v1/push-key").json == {"key": None, "relay": False}
    for body, reason in ((Browser().subscription, "no_web_push"), (PHONE, "no_relay")):
        [fault] = assert_problem(lin.put(PATH, body), "invalid-request")["errors"]
        assert (fault["pointer"], fault["code"]) == ("/carrier", reason)


def test_a_player_may_have_ten_phones(table):
    for number in range(10):
        assert table.host.put(f"/v1/me/push-subscriptions/p{number}", PHONE).status_code == 200
    # Putting a known one again is allowed.
    assert table.host.put("/v1/me/push-subscriptions/p3", PHONE).status_code == 200
    assert_problem(table.host.put("/v1/me/push-subscriptions/p10", PHONE), "too-many-subscriptions", limit=10)


def test_notices_to_devices_leave_nothing_stored(world, messages, table):
    client, _ = decision_and_client(table)
    client.put(PATH, PHONE)
    world.now += 20_000
    assert len(messages.run()) == 1
    assert not list(world.redis.scan_iter(match="sj:{players}:sent:*"))
    world.now += 10_000
    assert table.clients[0].post(f"{table.path}/chat", {"text": "hello"}).status_code == 200
    world.now += 20_000
    assert messages.run() == []
