"""Fewer and smaller responses: compression, ETags, responses without a view, waiting for a view, remaining time."""

import threading
import time
import zlib

import brotli
import pytest

from service.api.http import compression, documents
from service.common.settings import Budget
from tests.api.contract import assert_problem

GZIP, BR = {"Accept-Encoding": "gzip"}, {"Accept-Encoding": "br"}
MINIMAL = {"Prefer": "return=minimal"}
UNPACK = {"gzip": lambda body: zlib.decompress(body, 31), "br": brotli.decompress}


@pytest.fixture
def raw(world):
    """A client without the checks of the contract, which read JSON."""
    return world.app.test_client()


# --- compression -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("coding", ["gzip", "br"])
@pytest.mark.parametrize(
    "path", ["/v1/rulesets/shengji", "/openapi.yaml", "/assets/swagger-ui/swagger-ui.css", "/docs/problems"]
)
def test_long_bodies_are_compressed_as_the_client_accepts(raw, path, coding):
    plain, packed = raw.get(path), raw.get(path, headers={"Accept-Encoding": coding})
    assert packed.headers["Content-Encoding"] == coding
    assert UNPACK[coding](packed.data) == plain.data
    assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data) / 2
    assert packed.content_type == plain.content_type
    assert "Content-Encoding" not in plain.headers


@pytest.mark.parametrize("coding", ["gzip", "br"])
def test_a_view_is_compressed_and_its_etag_becomes_weak(world, raw, coding):
    table = world.table()
    mine = {"Authorization": f"Bearer {table.host.token}"}
    plain, packed = raw.get(table.path, headers=mine), raw.get(table.path, headers={**mine, "Accept-Encoding": coding})
    assert UNPACK[coding](packed.data) == plain.data
    assert packed.headers["ETag"] == f"W/{plain.headers['ETag']}"
    for tag in (plain.headers["ETag"], packed.headers["ETag"]):
        assert raw.get(table.path, headers={**mine, "If-None-Match": tag}).status_code == 304


def test_errors_are_compressed_too_if_they_are_long(raw):
    body = {f"field_{number}": 1 for number in range(20)}
    answer = raw.post("/v1/players", json=body, headers=GZIP)
    assert answer.status_code == 400
    assert b"field_19" in UNPACK["gzip"](answer.data)


def test_short_bodies_are_not_compressed(raw):
    answer = raw.get("/healthz", headers=GZIP)
    assert (answer.json, "Content-Encoding" in answer.headers) == ({"status": "ok"}, False)


def opened(raw, table, path="events?after=0", **headers):
    headers = {"Authorization": f"Bearer {table.host.token}", "Accept": "text/event-stream", **headers}
    return raw.get(f"{table.path}/{path}", headers=headers)


def test_a_stream_is_compressed_and_each_event_can_be_read_at_once(world, raw):
    table = world.table()
    table.play_until("play")
    answer = opened(raw, table, **{"Accept-Encoding": "gzip, deflate, br"})
    assert answer.headers["Content-Encoding"] == "gzip"
    chunks, reader = iter(answer.response), zlib.decompressobj(31)
    assert reader.decompress(next(chunks)) == b"retry: 1000\n\n"
    log = reader.decompress(next(chunks))
    assert log.startswith(b"id: 1\n")
    for _ in range(8):
        version = table.step().json["version"]
        text, size = b"", 0
        while f"id: {version}\n".encode() not in text:
            chunk = next(chunks)
            size += len(chunk)
            text += reader.decompress(chunk)
    assert size < len(text) / 3
    answer.close()


def test_a_compressed_stream_ends_properly(world, raw):
    table = world.table(ready=False)
    plain, packed = (opened(raw, table, **headers) for headers in ({}, GZIP))
    table.host.delete(table.path)
    assert "Content-Encoding" not in plain.headers
    reader = zlib.decompressobj(31)
    assert reader.decompress(b"".join(packed.response)) == b"".join(plain.response)
    assert reader.eof
    assert reader.unused_data == b""


@pytest.mark.parametrize("accepted", ["br", "gzip;q=0", "identity;q=1, gzip;q=0.5"])
def test_a_stream_is_not_compressed_if_the_client_does_not_accept_gzip(world, raw, accepted):
    answer = opened(raw, world.table(), **{"Accept-Encoding": accepted})
    assert "Content-Encoding" not in answer.headers
    assert next(iter(answer.response)) == b"retry: 1000\n\n"
    answer.close()


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip, deflate, br, zstd", "gzip"),
        ("br;q=1.0, gzip;q=0.8", "br"),
        ("*", "gzip"),
        ("*;q=0, br", "br"),
        ("gzip;q=0", None),
        ("identity;q=1, gzip;q=0.5", None),
        ("deflate", None),
        ("", None),
        (";;q=x,,gzip;q=nonsense", None),
    ],
)
def test_the_coding_follows_the_preferences_of_the_client(accepted, coding):
    assert compression.chosen(accepted, tuple(compression.FAST)) == coding


def test_documents_are_compressed_once_with_the_smallest_coding(raw, monkeypatch):
    raw.get("/v1/rulesets/tractor", headers={"Accept-Encoding": "gzip, br"})
    monkeypatch.setattr(documents, "SMALL", dict.fromkeys(compression.SMALL))
    answer = raw.get("/v1/rulesets/tractor", headers={"Accept-Encoding": "gzip, br"})
    assert answer.headers["Content-Encoding"] == "br"


# --- caching -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/v1/rulesets", "/v1/rulesets/shengji", "/openapi.yaml", "/assets/pages.css"])
@pytest.mark.parametrize("headers", [{}, GZIP, BR])
def test_an_unchanged_document_is_not_sent_again(anybody, path, headers):
    first = anybody.get(path, headers=headers) if not headers else anybody._flask.get(path, headers=headers)
    assert first.headers["Cache-Control"].startswith("public")
    assert "Accept-Encoding" in first.headers["Vary"]
    again = anybody.get(path, headers={**headers, "If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"].strip('W/"') == first.headers["ETag"].strip('W/"')
    assert anybody._flask.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_a_304_of_a_document_is_free_of_charge(world):
    anybody = world.start(limit_read=Budget(2, 86_400))
    tag = anybody.get("/v1/rulesets/shengji").headers["ETag"]
    for _ in range(5):
        assert anybody.get("/v1/rulesets/shengji", headers={"If-None-Match": tag}).status_code == 304


@pytest.mark.parametrize(
    "path", ["/assets/../pages/docs.html", "/assets/nothing.css", "/assets/swagger-ui", "/assets/%00"]
)
def test_only_assets_are_served_as_assets(anybody, path):
    assert_problem(anybody.get(path), "not-found")


def test_a_record_is_sent_again_only_when_it_has_changed(world):
    table = world.table(ruleset="arms_length")
    table.play_until("ready")
    game = f"/v1/games/{table.state()['game']['id']}"
    tags = {}
    for path in (game, f"{game}/record", f"{game}/rounds/1"):
        answer = table.host.get(path)
        tags[path] = answer.headers["ETag"]
        assert "private" in answer.headers["Cache-Control"]
        assert table.host.get(path, headers={"If-None-Match": tags[path]}).status_code == 304
    table.play_until("play")
    assert table.host.get(f"{game}/record", headers={"If-None-Match": tags[f"{game}/record"]}).status_code == 200
    assert table.host.get(f"{game}/rounds/1", headers={"If-None-Match": tags[f"{game}/rounds/1"]}).status_code == 304


def test_a_deleted_player_changes_the_record(world):
    table = world.table(ruleset="arms_length")
    table.play_until("ready")
    game = f"/v1/games/{table.state()['game']['id']}"
    tag = table.host.get(f"{game}/record").headers["ETag"]
    table.clients[2].delete("/v1/me")
    answer = table.host.get(f"{game}/record", headers={"If-None-Match": tag})
    assert answer.status_code == 200
    assert answer.json["seats"][2]["occupant"]["player"] is None


# --- responses without a view ------------------------------------------------------------------------------------


@pytest.mark.parametrize("prefer", ["return=minimal", "respond-async, return=minimal", 'Return = "minimal"'])
def test_the_response_to_an_action_omits_the_view_on_request(world, prefer):
    table = world.table()
    table.play_until("play")
    seat, path, body = table.next_action()
    answer = table.clients[seat].post(path, body, headers={"Prefer": prefer})
    assert answer.headers["Preference-Applied"] == "return=minimal"
    assert "view" not in answer.json
    assert answer.json["events"][0]["type"] == "played"
    again = table.clients[seat].post(path, body)
    assert "Preference-Applied" not in again.headers
    assert again.json["events"] == answer.json["events"]
    assert again.json["view"]["version"] == again.json["version"]


def test_the_response_to_chat_omits_the_view_on_request(world):
    table = world.table()
    key = {"Idempotency-Key": "1f6c2a10-6f0e-4f3c-9a55-3b9d5f0c7a52"}
    full = table.host.post(f"{table.path}/chat", {"preset": "hello"}, headers=key).json
    less = table.host.post(f"{table.path}/chat", {"preset": "hello"}, headers={**key, **MINIMAL}).json
    assert full.pop("view")
    assert less == full


@pytest.mark.parametrize("prefer", ["", "return=representation", "return=minimalist", "wait=10"])
def test_other_preferences_change_nothing(world, prefer):
    table = world.table()
    answer = table.host.put(f"{table.path}/seats/me/ready", {}, headers={"Prefer": prefer})
    assert "view" in answer.json
    assert "Preference-Applied" not in answer.headers


# --- waiting for a view ------------------------------------------------------------------------------------------


def later(action):
    """Do something in a moment, while the test waits for the result."""
    thread = threading.Timer(0.2, action)
    thread.start()
    return thread


def test_a_request_for_a_view_can_wait_for_a_change(world):
    table = world.table(seated=False)
    mei = world.player("Mei")
    tag = table.host.get(table.path).headers["ETag"]
    thread = later(lambda: mei.post(f"{table.path}/seats", {"seat": 1}))
    answer = table.host.get(f"{table.path}?wait=20", headers={"If-None-Match": tag})
    thread.join()
    assert answer.json["seats"][1]["occupant"]["name"] == "Mei"


def test_waiting_in_vain_is_free_of_charge_and_frees_its_place(world):
    table = world.table()
    tag = table.host.get(table.path).headers["ETag"]
    anybody = world.start(max_streams=1, limit_read=Budget(1, 86_400))
    for _ in range(2):
        answer = anybody.with_token(table.host.token).get(f"{table.path}?wait=1", headers={"If-None-Match": tag})
        assert answer.status_code == 304


def test_a_view_that_the_client_does_not_have_is_sent_at_once(world):
    table = world.table()
    began = time.monotonic()
    assert table.host.get(f"{table.path}?wait=25").status_code == 200
    assert table.host.get(f"{table.path}?wait=25", headers={"If-None-Match": '"1.0"'}).status_code == 200
    assert time.monotonic() - began < 20
    assert_problem(table.host.get(f"{table.path}?wait=26"), "invalid-request")


def test_a_spectator_waits_until_the_delay_is_over(world):
    table = world.table(spectators="delayed", spectator_delay_ms=30_000)
    mei = world.player("Mei")
    tag = mei.get(table.path).headers["ETag"]
    table.step()
    assert mei.get(f"{table.path}?wait=1", headers={"If-None-Match": tag}).status_code == 304
    world.now += 29_900

    def pass_time():
        world.now += 200

    thread = later(pass_time)
    answer = mei.get(f"{table.path}?wait=20", headers={"If-None-Match": tag})
    thread.join()
    assert answer.status_code == 200


def test_a_player_who_reads_the_view_is_present(world):
    table = world.table()
    table.host.post(f"{table.path}/chat", {"preset": "hello"})
    world.tables.act(table.id, {"type": "presence", "player": table.host.player["id"], "presence": "away"})
    table.host.get(table.path)
    assert table.state()["seats"][0]["presence"] == "online"


# --- clocks ------------------------------------------------------------------------------------------------------


def test_every_deadline_comes_with_the_remaining_time(world):
    table = world.table()
    table.play_until("play")
    world.now += 1_000
    seat, path, body = table.next_action()
    client, deadline = table.clients[seat], table.state()["decision"]["deadline"]
    left = deadline - world.now

    mine = client.get("/v1/me/tables").json
    assert (mine["items"][0]["remaining_ms"], mine["server_time"]) == (left, client.get("/v1").json["server_time"])

    stale = assert_problem(client.post(path, {**body, "decision_id": "dc_1"}), "stale-decision")
    assert (stale["decision"]["remaining_ms"], stale["server_time"]) == (left, mine["server_time"])

    answer = client.post(path, body, headers=MINIMAL).json
    opened = next(event for event in answer["events"] if event["type"] == "decision_opened")
    assert answer["server_time"] == opened["at"]
    assert opened["data"]["remaining_ms"] == table.state()["decision"]["deadline"] - world.now
    page = client.get(f"{table.path}/events?after={answer['version'] - 1}").json
    assert page["server_time"] == mine["server_time"]
