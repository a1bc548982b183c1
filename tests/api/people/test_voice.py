"""Voices at the table of a room: who may talk to whom, and what never has them."""

import base64
import hmac
import json

import pytest
from redis import Redis

from service.common.settings import Settings, SettingsError
from service.game.state.queries import counts_for_ratings
from service.store import keys
from service.voice.turn import ACCESS_MS
from service.voice.voice import LONGEST_SDP
from tests.api.conftest import World
from tests.api.contract import assert_problem
from tests.api.people.test_room_tables import Evening
from tests.api.streams.test_account_stream import opened

URLS, SECRET = ("turn:turn.example.org:3478?transport=udp",), "a-secret-of-the-tests"
HELLO = {"kind": "hello", "session": "pageoflin1"}


@pytest.fixture
def talkative(empty_redis):
    """A service with a TURN server."""
    world = World(empty_redis, Settings(turn_urls=URLS, turn_secret=SECRET))
    yield world
    world.close()


@pytest.fixture
def evening(talkative):
    """Four people at the table of a room that wants voices."""
    return Evening(talkative, voice=True).sit()


def voice_of(client, table):
    return client.get(f"{table.path}/voice")


def partners(client, table):
    answer = voice_of(client, table)
    assert answer.status_code == 200, answer.json
    return [each["seat"] for each in answer.json["partners"]]


def sends(client, table, signal):
    return client.post(f"{table.path}/voice/signals", signal)


def offer(to, session="pageofmei1"):
    return {"kind": "offer", "session": "pageoflin1", "to": to.player["id"], "to_session": session, "sdp": "v=0\r\n"}


# --- who may talk -----------------------------------------------------------------------------------------------------


def test_who_sits_gets_access_to_the_turn_server_for_a_while(talkative, evening):
    answer = voice_of(evening.host, evening.table).json
    [server] = answer["ice_servers"]
    assert server["urls"] == list(URLS)
    until, alias = server["username"].split(":")
    assert int(until) == (talkative.now + ACCESS_MS) // 1000
    digest = hmac.digest(SECRET.encode(), server["username"].encode(), "sha1")
    assert server["credential"] == base64.b64encode(digest).decode(), "what coturn computes from the shared secret"
    # The server can limit each player, and learns nothing of them.
    again = voice_of(evening.host, evening.table).json["ice_servers"][0]["username"]
    other = voice_of(evening.members[0], evening.table).json["ice_servers"][0]["username"]
    assert again.split(":")[1] == alias != other.split(":")[1]
    assert evening.host.player["id"] not in json.dumps(answer["ice_servers"])
    assert partners(evening.host, evening.table) == [1, 2, 3]


def test_nobody_talks_where_the_service_has_no_turn_server(world):
    evening = Evening(world, voice=True).sit()
    for answer in (voice_of(evening.host, evening.table), sends(evening.host, evening.table, HELLO)):
        assert_problem(answer, "no-voice", reason="voice_off")


def test_rated_games_have_no_voices_and_games_with_voices_are_not_rated(talkative):
    plain = Evening(talkative).sit()
    assert_problem(voice_of(plain.host, plain.table), "no-voice", reason="voice_unwanted")
    plain.table.get_ready()
    assert_problem(sends(plain.host, plain.table, HELLO), "no-voice", reason="voice_unwanted")
    loud = Evening(talkative, voice=True).begin()
    assert partners(loud.host, loud.table) == [1, 2, 3]
    assert loud.table.view()["settings"]["voice"] is True
    assert counts_for_ratings(plain.table.state())
    assert not counts_for_ratings(loud.table.state())


def test_tables_of_no_room_have_no_voices(talkative):
    table = talkative.table(ready=False, visibility="private")
    assert_problem(voice_of(table.host, table), "no-voice", reason="voice_unwanted")
    refused = table.host.post("/v1/tables", {"ruleset": "shengji", "players": 4, "voice": True})
    assert_problem(refused, "invalid-request")
    assert_problem(table.host.patch(table.path, {"voice": True}, headers={"If-Match": "*"}), "invalid-request")


def test_a_game_in_which_people_must_be_silent_has_no_voices(talkative):
    evening = Evening(talkative, voice=True, ruleset="arms_length", options={}).sit()
    assert_problem(voice_of(evening.host, evening.table), "no-voice", reason="voice_unwanted")


def test_only_those_who_sit_there_talk(talkative, evening):
    watcher = talkative.player("Wang", "human")
    evening.join(watcher, "watcher")
    stranger = talkative.player("Eve", "human")
    for client, code in ((watcher, "not-your-seat"), (stranger, "private-table")):
        assert_problem(voice_of(client, evening.table), code)
        assert_problem(sends(client, evening.table, HELLO), code)
    # The right ends with the seat.
    gone = evening.members[2]
    assert evening.remove(evening.host, gone).status_code == 204
    assert_problem(voice_of(gone, evening.table), "private-table")
    assert_problem(sends(gone, evening.table, HELLO), "private-table")
    assert partners(evening.host, evening.table) == [1, 2]


# --- messages ---------------------------------------------------------------------------------------------------------


def test_a_message_reaches_the_streams_of_those_addressed_and_is_kept_nowhere(talkative, evening):
    lin, (mei, wei, _) = evening.host, evening.members
    before = set(talkative.redis.scan_iter())
    with opened(mei) as hers, opened(wei) as his:
        assert sends(lin, evening.table, HELLO).status_code == 204
        for stream in (hers, his):
            kind, data = stream.event()
            assert (kind, data["kind"], data["player"], data["session"]) == (
                "voice",
                "hello",
                lin.player["id"],
                "pageoflin1",
            )
        assert sends(lin, evening.table, offer(wei, "pageofwei1")).status_code == 204
        assert sends(lin, evening.table, {"kind": "bye", "session": "pageoflin1"}).status_code == 204
        assert [hers.event()[1]["kind"]] == ["bye"], "the offer was for another player"
        kind, data = his.event()
        assert (data["kind"], data["to_session"], data["sdp"]) == ("offer", "pageofwei1", "v=0\r\n")
    new = {key.decode() for key in set(talkative.redis.scan_iter()) - before}
    assert all("streams" in key or "here" in key for key in new), new
    later = mei.get("/v1/me/events").json
    assert [each for each in later["events"] if each["type"] == "voice"] == []


def test_a_token_without_the_right_to_chat_hears_no_messages(talkative, evening):
    lin, mei = evening.host, evening.members[0]
    made = mei.post("/v1/me/tokens", {"scopes": ["tables:read"], "name": "reader"}).json["token"]
    headers = {"Authorization": f"Bearer {made}"}
    assert_problem(mei.get(f"{evening.table.path}/voice", headers=headers), "insufficient-scope")
    with opened(mei, headers=headers) as stream:
        assert sends(lin, evening.table, HELLO).status_code == 204
        mei.put(f"{evening.table.path}/seats/me/ready", {"ready": True})
        evening.host.post(f"/v1/rooms/{evening.id}/links/watcher")
        stream.answer.close()
    assert lin.get("/v1/me").status_code == 200


@pytest.mark.parametrize("cut", ["blocks", "mutes"])
@pytest.mark.parametrize("by", ["sender", "receiver"])
def test_blocks_and_mutes_cut_it(talkative, cut, by):
    # Before a game, who is blocked by the host loses the seat.
    evening = Evening(talkative, voice=True).begin()
    lin, (mei, wei, _) = evening.host, evening.members
    who, whom = (lin, mei) if by == "sender" else (mei, lin)
    before = partners(whom, evening.table)
    assert who.put(f"/v1/me/{cut}/{whom.player['id']}").status_code == 204
    assert partners(who, evening.table) == [seat for seat in range(4) if seat not in (0, 1)]
    assert partners(whom, evening.table) == before, "nobody learns by this who has blocked whom"
    with opened(mei) as hers, opened(wei) as his:
        for signal in (HELLO, offer(mei)):
            assert sends(lin, evening.table, signal).status_code == 204
        assert his.event()[1]["kind"] == "hello"
        # Lin hears nothing of Mei either if there is a block; what comes next to Mei is from Wei.
        assert sends(wei, evening.table, {"kind": "bye", "session": "pageofwei1"}).status_code == 204
        expected = "pageofwei1" if cut == "blocks" or by == "receiver" else "pageoflin1"
        assert hers.event()[1]["session"] == expected


@pytest.mark.parametrize(
    "signal",
    [
        {"kind": "offer", "session": "pageoflin1"},
        {"kind": "answer", "session": "pageoflin1", "sdp": "v=0"},
        {**HELLO, "sdp": "v=0"},
        {**HELLO, "to": "pl_1"},
        {"kind": "shout", "session": "pageoflin1"},
        {"kind": "hello", "session": "a b"},
        {"kind": "hello", "session": "x" * 33},
    ],
)
def test_a_message_that_is_none_is_refused(evening, signal):
    assert_problem(sends(evening.host, evening.table, signal), "invalid-request")


def test_the_length_and_the_number_of_messages_are_limited(talkative, evening):
    mei = evening.members[0]
    assert sends(evening.host, evening.table, {**offer(mei), "sdp": "x" * LONGEST_SDP}).status_code == 204
    long = {**offer(mei), "sdp": "x" * (LONGEST_SDP + 1)}
    assert_problem(sends(evening.host, evening.table, long), "invalid-request")
    limit = Settings().limit_voice.limit
    codes = [sends(evening.host, evening.table, HELLO).status_code for _ in range(limit)]
    assert 429 in codes
    assert sends(mei, evening.table, HELLO).status_code == 204, "others are not slowed"


def test_a_message_to_nobody_at_the_table_reaches_nobody(talkative, evening):
    outside = talkative.player("Eve", "human")
    with opened(outside) as stream, opened(evening.members[0]) as hers:
        assert sends(evening.host, evening.table, offer(outside)).status_code == 204
        assert sends(evening.host, evening.table, HELLO).status_code == 204
        assert hers.event()[1]["kind"] == "hello"
        with Redis.from_url(talkative.redis_url) as redis:
            redis.publish(keys.NEWS, outside.player["id"])
        assert stream.answer.status_code == 200


# --- settings, and the page -------------------------------------------------------------------------------------------


def test_a_turn_server_needs_its_secret():
    with pytest.raises(SettingsError, match="TURN_SECRET"):
        Settings.from_env({"TURN_URLS": URLS[0]})
    for wrong in ("http://turn.example.org", "turn:", "turn:a b", "turn:x:1?transport=sctp"):
        with pytest.raises(SettingsError, match="TURN_URLS"):
            Settings.from_env({"TURN_URLS": wrong, "TURN_SECRET": SECRET})


def test_the_page_may_use_the_microphone_only_where_people_can_talk(world, talkative):
    page, quiet = talkative.player().get("/"), world.player().get("/")
    assert "microphone=(self)" in page.headers["Permissions-Policy"]
    assert "data-voice" in page.text
    assert "microphone=()" in quiet.headers["Permissions-Policy"]
    assert "data-voice" not in quiet.text
