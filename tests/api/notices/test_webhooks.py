"""Webhooks over HTTP: creating, verifying and changing them, deliveries and retries, and signatures."""

import json
import time
from random import Random

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from service.notices.choices import SETTLE_MS
from service.notices.outbound import Answer
from service.notices.webhook_management import BOTH_MS
from service.store import keys
from tests.api.contract import assert_is, assert_problem
from tools.orders.messages import Messages

URL = "https://bot.example.net/hook"
ASKED = {"url": URL, "name": "Bot", "events": ["turn", "game_kept"]}


@pytest.fixture
def messages(world, monkeypatch):
    monkeypatch.setattr("service.notices.outbound.Outbound.refusal_of_new", lambda self, url, own: self.refusal(url))
    return Messages(world)


def proving(request):
    body = json.loads(request.body)
    return Answer(200, 5, body=json.dumps({"challenge": body["data"].get("challenge")}).encode())


@pytest.fixture
def webhook_of_lin(world, messages, lin):
    messages.answers[URL] = proving
    answer = lin.post("/v1/me/webhooks", ASKED)
    assert answer.status_code == 201, answer.json
    assert answer.json["state"] == "pending"
    messages.run()
    assert lin.get(answer.headers["Location"]).json["state"] == "active"
    world.now += SETTLE_MS
    return answer.json


def verified(request, secret):
    return Webhook(secret).verify(request.body, dict(request.headers))


def test_an_endpoint_that_answers_the_challenge_gets_notices(world, messages, lin, webhook_of_lin):
    assert verified(messages.sent[0], webhook_of_lin["secret"])["type"] == "webhook.verify"
    assert_is("VerifyNotice", json.loads(messages.sent[0].body))
    world.services.inbox.game_kept([lin.player["id"]], "tb_1", "gm_1")
    [request] = messages.run()
    body = verified(request, webhook_of_lin["secret"])
    assert body["type"] == "game_kept"
    assert len(request.body) < 1_024


@pytest.mark.parametrize(
    "answer", [Answer(200, 5), Answer(200, 5, body=b'{"challenge": "x"}'), Answer(200, 5, body=b"[]"), Answer(404, 5)]
)
def test_an_endpoint_that_does_not_answer_the_challenge_gets_no_notices(world, messages, lin, answer):
    messages.answers[URL] = answer
    webhook = lin.post("/v1/me/webhooks", ASKED).json
    messages.run()
    world.services.inbox.game_kept([lin.player["id"]], "tb_1", "gm_1")
    assert messages.run() == []
    [delivery] = lin.get(f"/v1/me/webhooks/{webhook['id']}/deliveries").json["items"]
    assert (delivery["type"], delivery["outcome"], delivery["attempts"]) == ("webhook.verify", "pending", 1)
    assert delivery["error"] == ("challenge" if answer.status == 200 else "status")
    # The player can have the challenge sent again.
    messages.answers[URL] = proving
    assert lin.post(f"/v1/me/webhooks/{webhook['id']}/verify").json["state"] == "pending"
    messages.run()
    assert lin.get(f"/v1/me/webhooks/{webhook['id']}").json["state"] == "active"


#: What a hostile receiver may answer: too deep, no text, no JSON, not what was asked.
NASTY = [
    b"[" * 1_000,
    b'{"challenge": ' * 170,
    b"[" * 500 + b"]" * 500,
    b"\xff\xfe\x00",
    b"",
    b"null",
    b'{"challenge": null}',
    b'{"challenge": {"challenge": 1}}',
    b"9" * 1_000,
    b"NaN",
    b'"\\ud800"',
    *(Random(seed).randbytes(200) for seed in range(20)),
]


@pytest.mark.parametrize("body", NASTY, ids=range(len(NASTY)))
def test_whatever_a_receiver_answers_to_a_challenge_is_noted_and_tried_again_later(world, messages, lin, body):
    messages.answers[URL] = Answer(200, 5, body=body)
    webhook = lin.post("/v1/me/webhooks", ASKED).json
    messages.run()
    [delivery] = lin.get(f"/v1/me/webhooks/{webhook['id']}/deliveries").json["items"]
    assert (delivery["outcome"], delivery["attempts"], delivery["error"]) == ("pending", 1, "challenge")
    # Not at the end of the claim, but after the delay of the first retry.
    assert world.redis.zrange(keys.OUTBOX, 0, -1, withscores=True)[0][1] == world.now + 5_000


def test_an_error_while_a_receiver_is_asked_is_noted_as_a_failed_attempt(world, messages, lin):
    def breaks(_request):
        raise RuntimeError("a fault of the service")

    messages.answers[URL] = breaks
    webhook = lin.post("/v1/me/webhooks", ASKED).json
    messages.run()
    [delivery] = lin.get(f"/v1/me/webhooks/{webhook['id']}/deliveries").json["items"]
    assert (delivery["outcome"], delivery["attempts"], delivery["error"]) == ("pending", 1, "answer")


@pytest.mark.parametrize(
    "changes", [{"url": URL + "2"}, {"url": "https://discord.com/api/webhooks/1/x", "format": "discord"}]
)
def test_an_answer_of_the_old_address_proves_nothing_about_the_new_one(world, messages, lin, changes):
    webhook = lin.post("/v1/me/webhooks", ASKED).json
    path = f"/v1/me/webhooks/{webhook['id']}"

    def proves_late(request):
        # The address is changed while the old one answers.
        assert lin.patch(path, {**changes, "active": False}).status_code == 200
        assert lin.patch(path, {"url": URL + "3", "format": "standard", "active": True}).json["state"] == "pending"
        return proving(request)

    messages.answers[URL] = proves_late
    messages.answers[URL + "3"] = Answer(404, 5)
    messages.run()
    assert lin.get(path).json["state"] == "pending"
    world.services.inbox.game_kept([lin.player["id"]], "tb_1", "gm_1")
    assert all(json.loads(request.body)["type"] == "webhook.verify" for request in messages.run())


@pytest.mark.parametrize("state", ["pending", "disabled"])
def test_an_address_that_is_not_proven_gets_no_delivery_by_hand(world, messages, lin, webhook_of_lin, state):
    path = f"/v1/me/webhooks/{webhook_of_lin['id']}"
    world.services.inbox.game_kept([lin.player["id"]], "tb_1", "gm_1")
    messages.run()
    delivery = lin.get(f"{path}/deliveries").json["items"][0]
    assert delivery["type"] == "game_kept"
    retry = f"{path}/deliveries/{delivery['id']}/retry"
    # Asked for while the webhook is active, and changed before it is sent.
    assert lin.post(retry).json["outcome"] == "pending"
    messages.answers[URL + "2"] = Answer(404, 5)
    changed = lin.patch(path, {"url": URL + "2"} if state == "pending" else {"active": False})
    assert changed.json["state"] == state
    assert all(json.loads(request.body)["type"] == "webhook.verify" for request in messages.run())
    assert_problem(lin.post(retry), "webhook-inactive", state=state)


@pytest.mark.parametrize("at", range(4))
def test_a_changed_request_fails_verification(world, messages, webhook_of_lin, at):
    request = messages.sent[0]
    body, headers, secret = bytearray(request.body), dict(request.headers), webhook_of_lin["secret"]
    if at == 0:
        body[5] ^= 1
    elif at == 1:
        headers["webhook-id"] += "x"
    elif at == 2:
        headers["webhook-timestamp"] = str(int(headers["webhook-timestamp"]) - 1)
    else:
        secret = secret[:-4] + "AAA="
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(bytes(body), headers)
    assert abs(int(request.headers["webhook-timestamp"]) - time.time()) < 60


def test_for_a_day_after_a_rotation_both_secrets_sign(world, messages, lin, webhook_of_lin):
    new = lin.post(f"/v1/me/webhooks/{webhook_of_lin['id']}/secret").json["secret"]
    assert new != webhook_of_lin["secret"]
    world.services.inbox.game_kept([lin.player["id"]], "tb_1", "gm_1")
    [request] = messages.run()
    assert verified(request, new) == verified(request, webhook_of_lin["secret"])
    world.now += BOTH_MS
    world.services.inbox.game_kept([lin.player["id"]], "tb_2", "gm_2")
    [request] = messages.run()
    assert verified(request, new)
    with pytest.raises(WebhookVerificationError):
        verified(request, webhook_of_lin["secret"])


def test_deliveries_are_listed_and_can_be_retried(world, messages, lin, webhook_of_lin):
    path = f"/v1/me/webhooks/{webhook_of_lin['id']}/deliveries"
    messages.answers[URL] = Answer(500, 7)
    world.services.inbox.game_kept([lin.player["id"]], "tb_1", "gm_1")
    messages.run()
    world.now += 30 * 24 * 3_600_000
    messages.run()
    delivery = lin.get(path).json["items"][0]
    assert (delivery["outcome"], delivery["status"], delivery["took_ms"]) == ("failed", 500, 7)
    messages.answers[URL] = proving
    again = lin.post(f"{path}/{delivery['id']}/retry").json
    assert again["outcome"] == "pending"
    [request] = messages.run()
    assert request.headers["webhook-id"] == delivery["id"]
    assert lin.get(path).json["items"][0]["outcome"] == "delivered"
    assert_problem(lin.post(f"{path}/msg_none/retry"), "not-found", what="delivery")


def test_a_test_notice_is_sent_once_and_its_delivery_listed(world, messages, lin, webhook_of_lin):
    path = f"/v1/me/webhooks/{webhook_of_lin['id']}"
    answer = lin.post(f"{path}/test").json
    assert (answer["type"], answer["outcome"]) == ("webhook.test", "pending")
    messages.answers[URL] = Answer(500, 5)
    [request] = messages.run()
    body = verified(request, webhook_of_lin["secret"])
    assert_is("TestNotice", body)
    assert body["data"] == {"webhook": webhook_of_lin["id"], "name": "Bot"}
    [delivery] = [each for each in lin.get(f"{path}/deliveries").json["items"] if each["id"] == answer["id"]]
    assert (delivery["outcome"], delivery["status"]) == ("failed", 500)
    world.now += 60_000
    assert messages.run() == []


def test_an_endpoint_that_is_not_verified_gets_the_challenge_instead_of_a_test(world, messages, lin, webhook_of_lin):
    path = f"/v1/me/webhooks/{webhook_of_lin['id']}"
    lin.patch(path, {"active": False})
    world.now += 1_000
    assert lin.post(f"{path}/test").json["type"] == "webhook.verify"
    [request] = messages.run()
    assert json.loads(request.body)["type"] == "webhook.verify"
    assert lin.get(path).json["state"] == "active"


def test_a_chat_gets_the_test_as_a_line(world, messages, lin):
    url = "https://hooks.slack.com/services/1/x"
    webhook = lin.post("/v1/me/webhooks", {**ASKED, "url": url, "format": "slack"}).json
    lin.post(f"/v1/me/webhooks/{webhook['id']}/test")
    [request] = messages.run()
    assert "Notices arrive here." in json.loads(request.body)["text"]
    assert "None" not in json.loads(request.body)["text"]


def test_a_webhook_is_verified_again_when_it_is_reactivated(world, messages, lin, webhook_of_lin):
    path = f"/v1/me/webhooks/{webhook_of_lin['id']}"
    assert lin.patch(path, {"active": False}).json["state"] == "disabled"
    world.services.inbox.game_kept([lin.player["id"]], "tb_1", "gm_1")
    assert messages.run() == []
    world.now += 1_000
    assert lin.patch(path, {"active": True}).json["state"] == "pending"
    [request] = messages.run()
    assert json.loads(request.body)["type"] == "webhook.verify"
    assert lin.get(path).json["state"] == "active"
    # A new URL is verified again.
    assert lin.patch(path, {"url": URL + "2", "name": "Other", "tables": "hosted"}).json["state"] == "pending"


def test_a_chat_gets_a_line_in_the_language_of_the_player(world, messages):
    table = world.table()
    client = table.clients[table.state()["decision"]["seats"][0]]
    for form, url, member in (
        ("discord", "https://discord.com/api/webhooks/1/x", "content"),
        ("slack", "https://hooks.slack.com/services/1/x", "text"),
    ):
        webhook = client.post("/v1/me/webhooks", {**ASKED, "url": url, "format": form}).json
        assert webhook["state"] == "active"
        assert messages.run() == []
        world.now += SETTLE_MS
        [request] = messages.run()
        content = json.loads(request.body)
        assert content == {
            member: f"It is your turn. Sheng Ji: the table waits for you. https://play.example.net/#/table/{table.id}"
        }
        assert lin_deletes(client, webhook)
    client.patch("/v1/me", {"locale": "zh-Hans"})
    client.post("/v1/me/webhooks", {**ASKED, "url": "https://discord.com/api/webhooks/1/y", "format": "discord"})
    messages.run()
    world.now += SETTLE_MS
    [request] = messages.run()
    assert json.loads(request.body)["content"].startswith("轮到您了。升级")


def lin_deletes(client, webhook_of_lin):
    return client.delete(f"/v1/me/webhooks/{webhook_of_lin['id']}").status_code == 204


@pytest.mark.parametrize(
    ("changes", "pointer", "code"),
    [
        ({"url": "http://bot.example.net/"}, "/url", "webhook_scheme"),
        ({"url": "https://u:p@bot.example.net/"}, "/url", "webhook_credentials"),
        ({"url": "https://bot.example.net:22/"}, "/url", "webhook_port"),
        ({"url": "https://127.0.0.1/"}, "/url", "webhook_host"),
        ({"url": "https://localhost/"}, "/url", "webhook_host"),
        ({"events": ["trick_won"]}, "/events/0", "choice"),
        ({"events": []}, "/events", "length"),
        ({"format": "discord"}, "/format", "webhook_format"),
        ({"after_ms": -1}, "/after_ms", "range"),
    ],
)
def test_a_refused_webhook_names_the_field_and_what_is_accepted(messages, lin, changes, pointer, code):
    problem = assert_problem(lin.post("/v1/me/webhooks", {**ASKED, **changes}), "invalid-request")
    assert [(fault["pointer"], fault["code"]) for fault in problem["errors"]] == [(pointer, code)]
    assert len(problem["errors"][0]["detail"]) > 15


def test_hosts_that_do_not_resolve_or_are_internal_are_refused(lin, monkeypatch):
    def lead_to(*addresses):
        monkeypatch.setattr(
            "service.notices.addresses.socket.getaddrinfo",
            lambda *_, **__: [(0, 0, 0, "", (a, 443)) for a in addresses],
        )

    lead_to("8.8.8.8", "10.0.0.1")
    refused = lin.post("/v1/me/webhooks", ASKED)
    assert assert_problem(refused, "invalid-request")["errors"][0]["code"] == "webhook_own_network"
    lead_to("8.8.8.8")
    assert lin.post("/v1/me/webhooks", ASKED).status_code == 201

    def unknown(*_, **__):
        raise OSError

    monkeypatch.setattr("service.notices.addresses.socket.getaddrinfo", unknown)
    refused = lin.post("/v1/me/webhooks", ASKED)
    assert assert_problem(refused, "invalid-request")["errors"][0]["code"] == "webhook_unknown_host"


def test_a_player_may_have_five_webhooks(messages, lin):
    for number in range(5):
        assert lin.post("/v1/me/webhooks", {**ASKED, "name": f"Bot {number}"}).status_code == 201
    problem = assert_problem(lin.post("/v1/me/webhooks", ASKED), "too-many-subscriptions", kind="webhook", limit=5)
    assert problem["status"] == 409
    assert len(lin.get("/v1/me/webhooks").json["items"]) == 5


def test_a_retry_makes_no_second_webhook_and_returns_the_same_secret(messages, lin):
    key = {"Idempotency-Key": "5f0c7a52-6f0e-4f3c-9a55-3b9d1f6c2a10"}
    first, second = (lin.post("/v1/me/webhooks", ASKED, headers=key).json for _ in range(2))
    assert (first["id"], first["secret"]) == (second["id"], second["secret"])
    assert len(lin.get("/v1/me/webhooks").json["items"]) == 1


def test_nobody_sees_the_webhooks_of_others(world, messages, lin, webhook_of_lin):
    other = world.player("Mei")
    assert other.get("/v1/me/webhooks").json["items"] == []
    for method, rest in (("get", ""), ("delete", ""), ("get", "/deliveries"), ("post", "/secret")):
        answer = getattr(other, method)(f"/v1/me/webhooks/{webhook_of_lin['id']}{rest}")
        assert_problem(answer, "not-found", what="webhook")


def test_a_secret_is_shown_only_when_it_is_created(world, messages, lin, webhook_of_lin):
    word = webhook_of_lin["secret"].removeprefix("whsec_")
    for path in ("", f"/{webhook_of_lin['id']}", f"/{webhook_of_lin['id']}/deliveries"):
        assert word not in lin.get(f"/v1/me/webhooks{path}").text
    assert word not in lin.get("/v1/me/export").text


def test_notices_do_not_depend_on_hidden_cards(world, messages):
    """Two tables with different hands give the same bodies, apart from the seat."""
    bodies, hands = [], []
    for _ in range(2):
        table = world.table()
        client = table.clients[table.state()["decision"]["seats"][0]]
        messages.subscribe(client, client.player["id"][3:])
        [request] = messages.run()
        bodies.append(json.loads(request.body.replace(table.id.encode(), b"TABLE")))
        hands.append(table.state()["round"]["hands"])
    assert bodies[0]["data"].keys() == {
        "table",
        "ruleset",
        "seat",
        "decision_id",
        "decision",
        "deadline_at",
        "remaining_ms",
    }
    assert hands[0] != hands[1]
    for body in bodies:
        body["data"]["seat"] = 0
    assert bodies[0] == bodies[1]


def test_the_webhooks_of_a_player_take_three_hundred_kilobytes(world, messages, lin):
    for number in range(5):
        url = f"https://{number}.example.net/{'x' * 950}"
        lin.post(
            "/v1/me/webhooks", {**ASKED, "name": "字" * 40, "url": url, "tables": "some", "table_ids": ["t" * 60] * 200}
        )
    player = lin.player["id"]
    for subscription in list(world.stores.subscriptions.of_player(player).subscriptions.values()):
        world.stores.subscriptions.change(
            player, subscription["id"], lambda expected: {**expected, "state": "active", "tables": "all"}
        )
    for number in range(75):
        world.services.inbox.game_kept([player], f"tb_{number:012d}", f"gm_{number:012d}_1")
        messages.run()
    taken = [
        keys.notices_of(player),
        *(keys.sent(each) for each in world.stores.subscriptions.of_player(player).subscriptions),
    ]
    assert sum(world.redis.memory_usage(key) for key in taken) < 300_000


def test_players_choose_the_notices_of_their_devices(world, lin):
    assert lin.get("/v1/me/notices").json == {"notify": "all", "after_ms": 20_000, "quiet_hours": None, "tables": {}}
    table = lin.post("/v1/tables", {"ruleset": "shengji", "players": 4}).json["id"]
    lin.post(f"/v1/tables/{table}/seats", {})
    quiet = {"start": "22:30", "end": "07:00", "time_zone": "Europe/Berlin"}
    chosen = {"notify": "turns", "after_ms": 60_000, "quiet_hours": quiet, "tables": {table: "nothing"}}
    assert lin.patch("/v1/me/notices", chosen).json == chosen
    # Choices for tables where the player has no seat are not kept.
    changed = lin.patch("/v1/me/notices", {"tables": {"tb_other": "all"}}).json
    assert changed == chosen
    assert lin.patch(
        "/v1/me/notices", {"tables": {table: "default"}, "quiet_hours": {**quiet, "end": quiet["start"]}}
    ).json == {
        **chosen,
        "tables": {},
        "quiet_hours": None,
    }
    refused = lin.patch("/v1/me/notices", {"quiet_hours": {**quiet, "time_zone": "Mars/Olympus"}})
    [fault] = assert_problem(refused, "invalid-request")["errors"]
    assert (fault["pointer"], fault["code"]) == ("/quiet_hours/time_zone", "no_such_time_zone")


CHAT = "https://hooks.slack.com/services/1/x"
ELSEWHERE = "https://elsewhere.example/x"


def changed_at_once(world, lin, monkeypatch, first, meanwhile):
    """The answer to a change of a webhook, which something else changes after it was read; and the webhook then."""
    hook = lin.post("/v1/me/webhooks", {"url": CHAT, "name": "Club", "events": ["turn"]}).json
    path, store = f"/v1/me/webhooks/{hook['id']}", world.app.extensions["services"].webhooks._notices.store
    change = store.change

    def interrupted(*arguments):
        monkeypatch.setattr(store, "change", change)
        meanwhile(path, lambda state: change(lin.player["id"], hook["id"], lambda current: {**current, "state": state}))
        return change(*arguments)

    monkeypatch.setattr(store, "change", interrupted)
    answer = lin.patch(path, first)
    return answer, lin.get(path).json


def test_a_format_without_proof_does_not_meet_an_address_of_the_same_moment(world, messages, lin, monkeypatch):
    def meanwhile(path, _):
        assert lin.patch(path, {"url": ELSEWHERE}).status_code == 200

    answer, known = changed_at_once(world, lin, monkeypatch, {"format": "slack"}, meanwhile)
    assert_problem(answer, "invalid-request", reason="webhook_format")
    assert (known["url"], known["format"], known["state"]) == (ELSEWHERE, "standard", "pending")


def test_an_address_does_not_take_the_proof_of_another_one(world, messages, lin, monkeypatch):
    def meanwhile(path, becomes):
        assert lin.patch(path, {"url": ELSEWHERE}).status_code == 200
        # Its challenge is answered.
        becomes("active")

    answer, known = changed_at_once(world, lin, monkeypatch, {"url": CHAT}, meanwhile)
    assert answer.status_code == 200
    assert (known["url"], known["format"], known["state"]) == (CHAT, "standard", "pending")
