"""Whom somebody has blocked gets no answer that a stranger could not get.

Each blocked player has a twin whom nobody has blocked, who meets the same people in an ordinary state: their tables are
private, they are not there, and they invite nobody. Both send the same requests, and must get the same bytes.
"""

import json

import pytest

from harness.document import document
from service.store import keys
from tests.api.contract import assert_problem
from tests.api.people.test_people import befriend, block, friends
from tests.api.streams.test_events import Stream

NEW = {"ruleset": "shengji", "players": 4, "ai_pace_ms": 0, "options": {"deal_pace": "instant"}}
GAME = {"ruleset": "shengji", "players": 4}

#: Operation -> body. Path parameters and `{names}` in bodies are filled in.
PROBES = {
    "getPlayer": None,
    "listRatings": None,
    "listPlayerGames": None,
    "mute": None,
    "listMutes": None,
    "unmute": None,
    "reportPlayer": {"reason": "chat", "table": "{table}"},
    "listTables": None,
    "listPools": None,
    "listBots": None,
    "getLeaderboard": None,
    "getJoinCode": None,
    "getTable": None,
    "listEvents": None,
    "createStreamTicket": None,
    "listLegalPlays": None,
    "getHint": {},
    "watchTable": {"watch_code": "{watch_code}"},
    "takeSeat": {"join_code": "{code}"},
    "leaveSeat": None,
    "kick": None,
    "move": {},
    "seatAi": {"level": "easy"},
    "resume": None,
    "ready": {},
    "giveEntropy": {"entropy": "9f86d081884c7d659a2feaa0c55ad015"},
    "updateTable": {"visibility": "public"},
    "closeTable": None,
    "declare": {"decision_id": "dc_1", "cards": ["2S"]},
    "passDecision": {"decision_id": "dc_1"},
    "redeal": {"decision_id": "dc_1"},
    "discard": {"decision_id": "dc_1", "cards": ["2S"]},
    "overcallKitty": {"decision_id": "dc_1", "cards": ["2S"]},
    "callFriends": {"decision_id": "dc_1", "calls": [{"card": "AS", "copy": 1}]},
    "stateRoad": {"decision_id": "dc_1", "road": "high"},
    "play": {"decision_id": "dc_1", "cards": ["2S"]},
    "claim": {"decision_id": "dc_1"},
    "chat": {"preset": "well_played"},
    "openVote": {"kind": "abandon"},
    "castVote": {"approve": True},
    "endPause": None,
    "giveTime": {"hours": 24},
    "askTakeBack": {},
    "answerTakeBack": {"approve": True},
    "advanceClock": {"ms": 1000},
    "invite": {"player": "{player}"},
    "getGame": None,
    "getRecord": None,
    "getRound": None,
    "getRoundState": None,
    "getRoundEvents": None,
    "shareRound": {},
    "putObjection": {},
    "deleteObjection": None,
    "listObjections": None,
    "analyseRound": {"round": 1},
    "getAnalysis": None,
    "askPar": {},
    "getPar": None,
    "challengePlayer": GAME,
    "openTicket": GAME | {"with": ["{player}"]},
    "befriend": None,
    "listFriends": None,
    "unfriend": None,
    "createTeamEvent": {"name": "Cup", **GAME},
    "enterTeams": {
        "teams": [{"name": "T", "members": [{"player": "{me}"}, {"player": "{player}"}, *[{"level": "easy"}] * 2]}]
    },
    "getTeamEvent": None,
    "listInvitations": None,
    "listMyTables": None,
    "listMyGames": None,
    "block": None,
    "listBlocks": None,
    "unblock": None,
}
#: Why the others name nobody who could have blocked the caller.
ELSEWHERE = {
    **dict.fromkeys(("getChallenge", "withdrawChallenge", "answerChallenge"), "a challenge that has been made"),
    **dict.fromkeys(
        ("getBoardEvent", "enterBoardEvent", "playBoard", "getBoard", "getStandings"), "each plays with AI players"
    ),
    "getSharedRound": "anybody, without a token",
    **dict.fromkeys(("getRoomLink", "removeFromRoom", "readmitToRoom"), "rooms: tests/api/people/test_rooms.py"),
    **dict.fromkeys(
        (
            *("getClubLink", "getClub", "updateClub", "closeClub", "renewClubLink", "giveClubRole", "removeFromClub"),
            *("readmitToClub", "askToJoinClub", "withdrawClubRequest", "answerClubRequest", "reportClub"),
            *("listClubTables", "listClubEvents", "listClubSeasons", "createClubSeason", "getClubSeason"),
            *("updateClubSeason", "deleteClubSeason", "getClubRanking"),
        ),
        "clubs: tests/api/people/test_clubs.py",
    ),
    **dict.fromkeys(
        ("sendDeal", "getDealLink", "playDeal", "compareDeal", "takeDealBack"),
        "links of deals: tests/api/boards/test_deal_links.py",
    ),
    **dict.fromkeys(("getVoice", "sendVoiceSignal"), "voices: tests/api/people/test_voice.py"),
    **dict.fromkeys(("getOrders", "setOrders", "tryOrders"), "the caller's own"),
    "reportTeamEvent": "the event is reported",
    **dict.fromkeys(
        ("agreeOnTime", "beReadyForMatch", "beReadyNoLonger"), "leagues: tests/api/tournaments/test_leagues.py"
    ),
    **dict.fromkeys(("startRound", "changeRound", "closeTeamEvent", "getNextRound"), "the director's"),
    **dict.fromkeys(("sendNote", "takeBackNote"), "tests/api/tournaments/test_notes.py"),
    **dict.fromkeys(("makeEntryLink", "endEntryLink", "enterList"), "the director's"),
    **dict.fromkeys(("nameDirector", "removeDirector", "passOnLead"), "tests/api/tournaments/test_offices.py"),
    **dict.fromkeys(("ruleOnBoard", "ruleOnMatch", "takeBackRuling", "penalizeTeam", "undoRuling"), "the director's"),
    **dict.fromkeys(
        ("getTeamMatch", "getTeamStandings", "exportTeamResults", "getLogOfTeamEvent"), "the same for everybody"
    ),
    **dict.fromkeys(("showTeamEvent", "hideTeamEvent"), "the director's"),
    **dict.fromkeys(("listShownBoards", "getShownBoard"), "the same for everybody who does not play"),
    **dict.fromkeys(("commentOnBoard", "takeBackComment"), "tests/api/tournaments/test_showing.py"),
    **dict.fromkeys(("replaceTeam", "withdrawTeam", "confirmTeam", "leaveTeam"), "tests of their own, below"),
}
QUERIES = {"listRatings": "?ruleset=shengji", "getLeaderboard": "?ruleset=shengji", "getAnalysis": "?round=1"}


def operations():
    return {
        operation["operationId"]: (method, path, operation)
        for path, methods in document()["paths"].items()
        for method, operation in methods.items()
        if "operationId" in operation
    }


def test_every_operation_that_leads_to_somebody_is_compared():
    leads = ("{player}", "{table}", "{code}", "{game}", "{challenge}", "{event}")
    leading = {
        name
        for name, (_, path, _) in operations().items()
        if any(parameter in path for parameter in leads) and not path.startswith("/v1/operator")
    }
    assert leading - PROBES.keys() - ELSEWHERE.keys() == set()
    assert (PROBES.keys() | ELSEWHERE.keys()) - operations().keys() == set()


class Side:
    """A caller, the player whom they look for, and that player's table."""

    def __init__(self, world, *, is_blocked, begins, does_block):
        self.me, self.other = world.player("Mallory", "human"), world.player("Lin", "human")
        self.other.patch("/v1/me", {"accepts": {"concurrent": 1}})
        host, guest = world.player("Yun", "human"), self.other
        view = host.post("/v1/tables", {**NEW, "visibility": "public" if is_blocked else "private"}).json
        self.table, code = view["id"], {"join_code": view["join_code"]}
        self.path = f"/v1/tables/{self.table}"
        for seat, client in enumerate((host, guest)):
            assert client.post(f"{self.path}/seats", {"seat": seat, **code}).status_code == 200
        if begins:
            for seat in (2, 3):
                host.put(f"{self.path}/seats/{seat}/ai", {"level": "easy"})
            for client in (host, guest):
                assert client.put(f"{self.path}/seats/me/ready", {}).status_code == 200
        if is_blocked:
            block(*((self.other, self.me) if does_block == "other" else (self.me, self.other)))
            # Everybody else sees that they are there.
            world.stores.people.note_here([self.other.player["id"]], world.now)
        else:
            # To a blocked player, the other is away.
            world.redis.zrem(keys.HERE, self.other.player["id"])
        state = world.tables.load(self.table)
        self.words = {
            "player": self.other.player["id"],
            "me": self.me.player["id"],
            "table": self.table,
            # Blocked players have the codes, the others those that the host has replaced.
            "code": state["settings"]["join_code"] if is_blocked else "K7PQ2M",
            "watch_code": (state["settings"].get("watch_code") or "K7PQ2N") if is_blocked else "K7PQ2N",
            "game": state["game"]["id"] if state["game"] else self.table.replace("tb_", "gm_") + "_1",
            "host": host.player["id"],
            "seat": "1",
            "n": "1",
            "seq": "3",
            "vote": "vt_1",
        }

    def ask(self, name):
        """The status and the body of the answer, with the names of this side replaced."""
        method, path, operation = operations()[name]
        for word, value in self.words.items():
            path = path.replace(f"{{{word}}}", value)
        body = PROBES[name]
        if body is not None:
            text = json.dumps(body)
            for word, value in self.words.items():
                text = text.replace(f"{{{word}}}", value)
            body = json.loads(text)
        headers = {"X-Request-Id": "rq_0000000000000001"}
        if name == "updateTable":
            headers["If-Match"] = "*"
        url = path.removeprefix(document().get("servers", [{}])[0].get("url", "").rstrip("/")) + QUERIES.get(name, "")
        arguments = () if method == "get" or ("requestBody" not in operation) else (body or {},)
        answer = getattr(self.me, method)(url, *arguments, headers=headers)
        if name == "createTeamEvent":
            self.words["event"] = answer.json["event"]
        text = answer.get_data(as_text=True)
        if name == "listTables":  # The other side's table is none of this side's business.
            text = json.dumps([item for item in answer.json["items"] if item["table"] == self.table])
        for word, value in self.words.items():
            if len(value) > 3:
                text = text.replace(value, f"<{word}>")
        return answer.status_code, _without_chance(text)


def _without_chance(text):
    """A body without what is drawn at random."""
    if not text.startswith("{"):
        return text

    def plain(value):
        if isinstance(value, dict):
            return {
                name: plain(each)
                for name, each in value.items()
                if name not in ("id", "team", "commitments", "ticket", "invitation")
            }
        return [plain(each) for each in value] if isinstance(value, list) else value

    return plain(json.loads(text))


def test_a_challenge_ends_with_a_block_as_if_it_had_been_withdrawn(world, lin):
    mei = world.player("Mei", "human")
    lin.patch("/v1/me", {"accepts": {"concurrent": 1}})
    world.stores.people.note_here([lin.player["id"]], world.now)
    answers = []
    for ends in (lambda path: block(mei, lin), mei.delete):
        challenge = mei.post(f"/v1/players/{lin.player['id']}/challenges", GAME).json["challenge"]
        path = f"/v1/challenges/{challenge}"
        ends(path)
        answer = lin.put(f"{path}/answer", {"accept": True}, headers={"X-Request-Id": "rq_0000000000000001"})
        assert_problem(answer, "challenge-over", state="withdrawn")
        answers.append([answer.get_data(as_text=True), lin.get(path).get_data(as_text=True)])
        answers[-1] = [text.replace(challenge, "") for text in answers[-1]]
        mei.delete(f"/v1/me/blocks/{lin.player['id']}")
    assert answers[0] == answers[1]


@pytest.mark.parametrize("begins", [False, True])
@pytest.mark.parametrize("does_block", ["other", "me"])
def test_a_blocked_player_gets_the_same_answers_as_a_stranger_of_private_tables(world, begins, does_block):
    sides = [Side(world, is_blocked=each, begins=begins, does_block=does_block) for each in (True, False)]
    skipped = {"block", "listBlocks", "unblock", "befriend", "unfriend", "listFriends", "listMutes", "unmute"}
    different = {}
    for name in PROBES:
        if does_block == "me" and name in skipped:
            continue  # They know whom they have blocked.
        world.counter.counts.clear()
        answers = [side.ask(name) for side in sides]
        if answers[0] != answers[1]:
            different[name] = answers
    assert different == {}


# --- over time --------------------------------------------------------------------------------------------------------


def test_the_stream_of_a_spectator_ends_when_somebody_there_blocks_them_or_comes_who_has(world, lin):
    watching = "/v1/tables/{}/events?after=0"
    mei, host = world.player("Mei", "human"), world.player("Yun", "human")
    table = host.post("/v1/tables", NEW | {"visibility": "public"}).json["id"]
    with Stream(mei, watching.format(table)) as stream:
        assert stream.next()[0] == "message"
        block(host, mei)
        assert reason_of(stream) == "private-table"
    host.delete(f"/v1/me/blocks/{mei.player['id']}")
    block(lin, mei)
    with Stream(mei, watching.format(table)) as stream:
        assert stream.next()[0] == "message"
        assert lin.post(f"/v1/tables/{table}/seats", {}).status_code == 200
        assert reason_of(stream) == "private-table", "and no event says who has come"


def test_the_stream_of_a_spectator_ends_when_another_process_notes_the_block(world, lin):
    mei = world.player("Mei", "human")
    table = lin.post("/v1/tables", NEW | {"visibility": "public"}).json["id"]
    with Stream(mei, f"/v1/tables/{table}/events?after=0") as stream:
        assert stream.next()[0] == "message"
        world.stores.people.block(lin.player["id"], mei.player["id"], world.now)
        assert reason_of(stream) == "private-table"


def reason_of(stream):
    name, _, data = stream.next()
    assert name == "end", (name, data)
    return data["reason"]


def test_a_page_of_the_lobby_is_full_whatever_it_hides(world, lin):
    mei = world.player("Mei", "human")
    hosts = [world.player(f"Host {number}") for number in range(4)]
    table_ids = []
    for host in hosts:
        world.now += 1
        table_ids.append(host.post("/v1/tables", NEW | {"visibility": "public"}).json["id"])
    block(hosts[3], mei)
    block(hosts[1], mei)
    pages, cursor = [], ""
    while cursor is not None:
        page = mei.get(f"/v1/tables?limit=1{cursor and '&cursor=' + cursor}").json
        pages.append([item["table"] for item in page["items"]])
        cursor = page["next_cursor"]
    assert [table for page in pages for table in page] == [table_ids[2], table_ids[0]]
    assert all(pages[:-1])


def test_a_friend_does_not_show_the_table_of_whoever_has_blocked_the_caller(world, lin):
    table = world.table()
    friend, other = table.clients[:2]
    befriend(lin, friend)
    befriend(friend, lin)
    world.stores.people.note_here([friend.player["id"]], world.now)
    assert friends(lin, "presence", "table") == [("Bot 0", "playing", table.id)]
    block(other, lin)
    assert friends(lin, "presence", "table") == [("Bot 0", "playing", None)]


def test_without_a_token_a_code_shows_what_it_shows_to_strangers(world, lin, anybody):
    mei = world.player("Mei", "human")
    code = lin.post("/v1/tables", NEW | {"visibility": "private"}).json["join_code"]
    block(lin, mei)
    assert_problem(mei.get(f"/v1/join-codes/{code}"), "not-found", what="code")
    for client in (anybody, world.player(), anybody.with_token("void")):
        assert client.get(f"/v1/join-codes/{code}").json["free"] == 4


def test_the_host_may_sit_down_beside_whoever_has_blocked_them_and_keeps_the_seat(world, lin):
    mei = world.player("Mei", "human")
    path = f"/v1/tables/{mei.post('/v1/tables', NEW | {'visibility': 'public'}).json['id']}"
    lin.post(f"{path}/seats", {})
    block(lin, mei)
    assert mei.post(f"{path}/seats", {}).status_code == 200
    for seat in (2, 3):
        mei.put(f"{path}/seats/{seat}/ai", {"level": "easy"})
    mei.put(f"{path}/seats/me/ready", {})
    assert_problem(lin.put(f"{path}/seats/me/ready", {}), "not-your-seat")
    assert [bool(seat["occupant"]) for seat in mei.get(path).json["seats"]] == [False, True, True, True]
