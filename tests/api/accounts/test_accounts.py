"""Tokens by device, link codes, recovery codes: over HTTP."""

import re
from contextlib import suppress

import pytest

from service.accounts.accounts import LINK_MS, MOST_TOKENS, NEW_MS
from service.accounts.scopes import SCOPES
from tests.api.contract import assert_problem
from tests.api.streams.test_events import STREAM, Stream

KEY = {"Idempotency-Key": "d0f7c4b8-2c36-4a0e-8f5f-6f1f6e1f9a27"}
READS = {"name": "Score board", "scopes": ["tables:read"]}
DAY_MS = 24 * 3_600_000


def listed(client):
    return {token["id"]: token for token in client.get("/v1/me/tokens").json["items"]}


def new_token(client, **fields):
    """A client with another token of the same player."""
    answer = client.post("/v1/me/tokens", {**READS, **fields})
    assert answer.status_code == 201, answer.json
    other = client.with_token(answer.json["token"])
    other.id = answer.json["id"]
    return other


def link_code(client):
    return client.post("/v1/me/link-codes").json["code"]


def recovery_code(client):
    return client.post("/v1/me/recovery-code").json["code"]


# --- tokens -----------------------------------------------------------------------------------------------------------


def test_the_first_token_is_listed_with_all_scopes(lin):
    answer = lin.get("/v1/me/tokens").json
    [first] = answer["items"]
    assert re.fullmatch(r"tk_[a-z2-7]{12}", first["id"])
    assert (first["name"], first["scopes"], first["expires_at"], first["current"]) == (None, list(SCOPES), None, True)
    assert first["last_used_on"] == first["created_at"][:10] == "2023-11-14"
    assert not answer["has_recovery_code"]


def test_a_token_is_made_named_and_deleted(world, lin):
    answer = lin.post("/v1/me/tokens", {**READS, "expires_in_ms": 60_000})
    assert (answer.json["name"], answer.json["scopes"]) == ("Score board", ["tables:read"])
    assert answer.headers["Location"] == f"/v1/me/tokens/{answer.json['id']}"
    helper = lin.with_token(answer.json["token"])
    assert helper.get("/v1/me/tables").status_code == 200
    problem = assert_problem(helper.get("/v1/me"), "insufficient-scope", required=["profile:read"])
    assert problem["required"] == ["profile:read"]
    assert "profile:read" in problem["detail"]
    assert lin.patch(answer.headers["Location"], {"name": "Wall"}).json["name"] == "Wall"
    assert {(token["name"], token["current"]) for token in listed(lin).values()} == {(None, True), ("Wall", False)}
    assert lin.delete(answer.headers["Location"]).status_code == 204
    assert_problem(lin.delete(answer.headers["Location"]), "not-found", what="token")
    assert_problem(lin.patch(answer.headers["Location"], {"name": "Wall"}), "not-found", what="token")
    assert_problem(helper.get("/v1/me/tables"), "unauthorized")
    stored = b"".join(bytes(world.redis.dump(key)) for key in world.redis.scan_iter())
    assert answer.json["token"].encode() not in stored


def test_nobody_touches_the_tokens_of_others(world, lin):
    mine = next(iter(listed(lin)))
    stranger = world.player("Mei")
    assert_problem(stranger.delete(f"/v1/me/tokens/{mine}"), "not-found")
    assert_problem(stranger.patch(f"/v1/me/tokens/{mine}", {"name": "x"}), "not-found")
    assert lin.get("/v1/me").status_code == 200


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"scopes": ["tables:read", "tables:win"]}, "/scopes/1"),
        ({"scopes": []}, "/scopes"),
        ({"name": "a\nb"}, "/name"),
        ({"name": "a\x00"}, "/name"),
        ({"name": "\u202ephone"}, "/name"),
        ({"name": "x" * 41}, "/name"),
        ({"expires_in_ms": 59_999}, "/expires_in_ms"),
        ({"id": "tk_1"}, "/id"),
    ],
)
def test_an_invalid_token_request_is_refused_with_the_field(lin, fields, pointer):
    problem = assert_problem(lin.post("/v1/me/tokens", {**READS, **fields}), "invalid-request")
    assert [fault["pointer"] for fault in problem["errors"]] == [pointer]
    assert len(listed(lin)) == 1


def test_a_token_makes_only_tokens_with_its_own_scopes_and_lifetime(world, lin):
    middle = new_token(lin, scopes=["account", "tables:read"], expires_in_ms=DAY_MS)
    refused = middle.post("/v1/me/tokens", {**READS, "scopes": ["tables:read", "tables:play", "chat:write"]})
    assert_problem(refused, "insufficient-scope", required=["tables:play", "chat:write"])
    ends = listed(lin)[middle.id]["expires_at"]
    for fields in ({}, {"expires_in_ms": 2 * DAY_MS}):
        assert middle.post("/v1/me/tokens", {**READS, **fields}).json["expires_at"] == ends
    assert middle.post("/v1/me/tokens", {**READS, "expires_in_ms": 60_000}).json["expires_at"] < ends
    linked = world.anybody.post("/v1/links", {"code": link_code(middle), "name": "Tablet"})
    through = listed(world.anybody.with_token(linked.json["token"]))
    assert [(token["scopes"], token["expires_at"]) for token in through.values() if token["current"]] == [
        (["tables:read", "account"], ends)
    ]
    assert_problem(middle.post("/v1/me/recovery-code"), "insufficient-scope")
    whole = new_token(lin, scopes=list(SCOPES), expires_in_ms=DAY_MS)
    assert_problem(whole.post("/v1/me/recovery-code"), "insufficient-scope", reason="lasting_token")


def test_the_21st_token_is_refused_until_one_expires(world, lin):
    for number in range(MOST_TOKENS - 1):
        new_token(lin, name=f"App {number}", **({"expires_in_ms": 60_000} if number == 7 else {}))
    code = link_code(lin)
    assert_problem(lin.post("/v1/me/tokens", READS), "too-many-tokens", limit=MOST_TOKENS)
    assert_problem(world.anybody.post("/v1/links", {"code": code, "name": "x"}), "too-many-tokens")
    assert len(listed(lin)) == MOST_TOKENS
    world.now += 60_000
    assert len(listed(lin)) == MOST_TOKENS - 1
    # The code was not spent.
    assert world.anybody.post("/v1/links", {"code": code, "name": "x"}).status_code == 201
    assert_problem(lin.post("/v1/me/tokens", READS), "too-many-tokens")


def test_a_retry_makes_no_second_token(lin):
    first = lin.post("/v1/me/tokens", READS, headers=KEY).json
    assert lin.post("/v1/me/tokens", READS, headers=KEY).json == first
    assert len(listed(lin)) == 2


def test_a_token_is_void_when_it_expires(world, lin):
    helper = new_token(lin, expires_in_ms=60_000)
    assert helper.get("/v1/me/tables").status_code == 200
    world.now += 60_000
    # As in another process, or in this one when its cache of accepted tokens expires.
    world.app.extensions["services"].authenticator.forget(lin.player["id"])
    assert_problem(helper.get("/v1/me/tables"), "unauthorized")
    assert helper.id not in listed(lin)


def test_a_device_of_a_moment_ago_adds_no_way_into_the_account(world, lin):
    world.now += 1
    everything = {"name": "Phone", "scopes": list(SCOPES)}
    code = lin.post("/v1/me/link-codes").json["code"]
    tablet = world.anybody.with_token(world.anybody.post("/v1/links", {"code": code, "name": "Tablet"}).json["token"])
    # A new token does not make it older, nor younger.
    tablet = world.anybody.with_token(tablet.post("/v1/me/token").json["token"])
    ways = [("/v1/me/link-codes", None), ("/v1/me/recovery-code", None), ("/v1/me/tokens", everything)]
    for path, body in ways:
        assert_problem(tablet.post(path, body), "device-too-new", remaining_ms=NEW_MS)
    # What gives less than everything needs no patience, nor does the first device.
    assert tablet.post("/v1/me/tokens", READS).status_code == 201
    assert lin.post("/v1/me/tokens", everything).status_code == 201
    world.now += NEW_MS
    for path, body in ways:
        assert tablet.post(path, body).status_code in (200, 201)


def test_the_only_device_may_add_ways_into_the_account_at_once(world, lin):
    code = lin.post("/v1/me/recovery-code").json["code"]
    world.now += 1
    phone = world.anybody.with_token(world.anybody.post("/v1/recoveries", {"code": code}).json["token"])
    assert phone.post("/v1/me/recovery-code").status_code == 200
    assert phone.post("/v1/me/link-codes").status_code == 200


def test_a_token_revoked_by_another_process_makes_no_tokens_or_codes(world, lin):
    helper = new_token(lin, scopes=list(SCOPES))
    world.remembers(helper)
    # This process has not heard of it yet.
    world.revoke(helper)
    assert helper.get("/v1/me").status_code == 200
    for method, path in (
        ("POST", "/v1/me/tokens"),
        ("DELETE", f"/v1/me/tokens/{next(iter(listed(lin)))}"),
        ("POST", "/v1/me/link-codes"),
        ("POST", "/v1/me/recovery-code"),
        ("POST", "/v1/me/token"),
    ):
        sent = READS if path == "/v1/me/tokens" else None
        assert_problem(helper.send(method, path, sent), "unauthorized")


def test_rotation_keeps_the_entry_of_a_token_and_all_other_tokens(lin):
    other = new_token(lin)
    before = listed(lin)
    again = lin.with_token(lin.post("/v1/me/token").json["token"])
    assert_problem(lin.get("/v1/me"), "unauthorized")
    assert listed(again) == before
    assert other.get("/v1/me/tables").status_code == 200


def test_a_rotation_can_end_the_others(lin):
    other = new_token(lin)
    again = lin.with_token(lin.post("/v1/me/token?others=revoke").json["token"])
    assert_problem(other.get("/v1/me/tables"), "unauthorized")
    assert len(listed(again)) == 1
    assert_problem(again.post("/v1/me/token?others=keep"), "invalid-request")


# --- streams ----------------------------------------------------------------------------------------------------------


def test_a_stream_ends_with_its_own_token_alone(world):
    table = world.table(ready=False)
    client = table.clients[1]
    helper, other = new_token(client), new_token(client)
    events = f"{table.path}/events?after={table.state()['version'] - 1}"
    with Stream(helper, events) as ends, Stream(other, events) as stays, Stream(client, events) as first:
        for stream in (ends, stays, first):
            assert stream.next() is not None
        assert client.delete(f"/v1/me/tokens/{helper.id}").status_code == 204
        assert ends.end() == "unauthorized"
        table.host.post(f"{table.path}/chat", {"text": "still there?"})
        for stream in (stays, first):
            assert stream.next()[2]["data"]["text"] == "still there?"


def test_a_stream_ends_when_its_token_has_expired(world):
    table = world.table(ready=False)
    helper = new_token(table.clients[1], expires_in_ms=60_000)
    with Stream(helper, f"{table.path}/events?after={table.state()['version']}") as stream:
        world.now += 60_000
        world.feeds._feeds[table.id].send_beat(b"2026-11-20T19:30:00.000Z")
        assert stream.end() == "unauthorized"


def test_a_token_opens_streams_only_with_their_scope(world):
    table = world.table(ready=False)
    client = table.clients[1]
    reads, chats = new_token(client), new_token(client, scopes=["chat:write"])
    ticket = reads.post(f"{table.path}/stream-ticket").json["ticket"]
    assert world.anybody.get(f"{table.path}/events?ticket={ticket}&limit=1").status_code == 200
    assert_problem(chats.get(f"{table.path}/events", headers=STREAM), "insufficient-scope")
    assert_problem(chats.post(f"{table.path}/stream-ticket"), "insufficient-scope")
    assert chats.post(f"{table.path}/chat", {"text": "hello"}).status_code == 200
    assert_problem(reads.post(f"{table.path}/chat", {"text": "hello"}), "insufficient-scope")


# --- another device ---------------------------------------------------------------------------------------------------


def test_a_link_code_signs_in_one_other_device(world, lin):
    answer = lin.post("/v1/me/link-codes").json
    assert re.fullmatch("[0-9A-HJKMNP-TV-Z]{10}", answer["code"])
    assert answer["remaining_ms"] == LINK_MS
    written = f"{answer['code'][:4]}-{answer['code'][4:]} ".lower().replace("0", "o").replace("1", "l")
    linked = world.anybody.post("/v1/links", {"code": written, "name": "Tablet"}, headers=KEY)
    assert linked.status_code == 201
    assert linked.json["player"] == lin.get("/v1/me").json
    tablet = world.anybody.with_token(linked.json["token"])
    assert {token["name"] for token in listed(tablet).values()} == {None, "Tablet"}
    again = world.anybody.post("/v1/links", {"code": written, "name": "Tablet"}, headers=KEY)
    assert (again.status_code, again.json) == (201, linked.json)
    problem = assert_problem(
        world.anybody.post("/v1/links", {"code": answer["code"], "name": "Thief"}), "not-found", reason="void_link_code"
    )
    assert "POST /v1/me/link-codes" in problem["detail"]
    assert len(listed(lin)) == 2


def test_a_link_code_expires_and_ends_with_the_token_that_made_it(world, lin):
    void = {"name": "Tablet"}
    late = link_code(lin)
    [key] = world.redis.keys("sj:{players}:link:*")
    assert LINK_MS - 60_000 < world.redis.pttl(key) <= LINK_MS
    world.redis.delete(key)
    assert_problem(world.anybody.post("/v1/links", {**void, "code": late}), "not-found", reason="void_link_code")
    helper = new_token(lin, scopes=["account"])
    code = link_code(helper)
    lin.delete(f"/v1/me/tokens/{helper.id}")
    assert_problem(world.anybody.post("/v1/links", {**void, "code": code}), "not-found", reason="void_link_code")
    code = link_code(lin)
    lin.delete("/v1/me")
    assert_problem(world.anybody.post("/v1/links", {**void, "code": code}), "not-found", reason="void_link_code")


# --- recovery ---------------------------------------------------------------------------------------------------------


def test_a_recovery_code_works_once_and_ends_all_other_tokens(world, lin):
    assert_problem(
        world.anybody.post("/v1/recoveries", {"code": "4T7WZ0P9QK3M8N5V2X6B1C7D9F"}),
        "not-found",
        reason="void_recovery_code",
    )
    old = recovery_code(lin)
    code = recovery_code(lin)
    assert re.fullmatch("[0-9A-HJKMNP-TV-Z]{26}", code)
    assert lin.get("/v1/me/tokens").json["has_recovery_code"]
    assert code.encode() not in b"".join(bytes(world.redis.dump(key)) for key in world.redis.scan_iter())
    assert_problem(world.anybody.post("/v1/recoveries", {"code": old}), "not-found")
    helper = new_token(lin)
    answer = world.anybody.post("/v1/recoveries", {"code": code.lower(), "name": "New phone"}, headers=KEY)
    assert answer.status_code == 201
    for client in (lin, helper):
        assert_problem(client.get("/v1/me/tables"), "unauthorized")
    back = world.anybody.with_token(answer.json["token"])
    assert back.get("/v1/me").json == answer.json["player"]
    [token] = listed(back).values()
    assert (token["name"], token["scopes"], token["expires_at"]) == ("New phone", list(SCOPES), None)
    again = world.anybody.post("/v1/recoveries", {"code": code.lower(), "name": "New phone"}, headers=KEY)
    assert (again.status_code, again.json) == (201, answer.json)
    assert_problem(world.anybody.post("/v1/recoveries", {"code": code}), "not-found", reason="void_recovery_code")
    # A retry does not bring back a token that was recovered and then deleted.
    back.delete(f"/v1/me/tokens/{token['id']}")
    again = world.anybody.post("/v1/recoveries", {"code": code.lower(), "name": "New phone"}, headers=KEY)
    assert_problem(again, "not-found", reason="void_recovery_code")


def test_a_recovery_can_be_retried_if_the_service_dies_in_the_middle(world, lin, monkeypatch):
    code, end = recovery_code(lin), world.stores.rights.end

    def die_after(*arguments, **named):
        end(*arguments, **named)
        raise KeyboardInterrupt

    monkeypatch.setattr(world.stores.rights, "end", die_after)
    with suppress(KeyboardInterrupt):
        world.anybody.post("/v1/recoveries", {"code": code}, headers=KEY)
    monkeypatch.undo()
    again = world.anybody.post("/v1/recoveries", {"code": code}, headers=KEY)
    assert again.status_code == 201
    assert world.anybody.with_token(again.json["token"]).get("/v1/me").status_code == 200
