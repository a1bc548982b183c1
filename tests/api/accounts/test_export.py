"""Export and erasure of a player: every key of the store is exported, erased, or listed as not personal."""

from random import Random

import pytest

from service.api.http.auth import hash_of
from service.api.schemas.accounts import AccountExport
from service.boards.deals import new_event
from service.store import keys
from service.store.keys import KEYS
from service.store.players.inbox import NOTHING
from service.tables.results import new_result
from tests.api.boards.test_deal_links import play_round, seated, send
from tests.api.contract import assert_problem
from tests.api.game.test_games import whole_game
from tests.api.people.test_club_seasons import played_by
from tools.orders.messages import Messages

DAY_MS = 24 * 3_600_000
ERASED = {pattern for pattern, key in KEYS.items() if key.personal.is_erased}
READ = {
    b"string": lambda redis, key: redis.get(key),
    b"hash": lambda redis, key: redis.hgetall(key),
    b"list": lambda redis, key: redis.lrange(key, 0, -1),
    b"set": lambda redis, key: redis.smembers(key),
    b"zset": lambda redis, key: redis.zrange(key, 0, -1),
    b"stream": lambda redis, key: redis.xrange(key),
}


def keep_game(world, player):
    """Keep as much of a game of a player as lists of games need."""
    event = {"seq": 1, "type": "game_ended", "at": 1, "round": None, "by": "server", "data": {}}
    world.stores.archive.archive("gm_1", {"base": {}, "events": [event]}, DAY_MS)
    world.stores.past_games.add({"game": "gm_1", "ended_at": 1, "parts": {player: {"seat": 0, "result": None}}}, DAY_MS)


def keep_board(world, player):
    """Keep an event that a player has entered, with the result of a board."""
    event = new_event("ev_1", "sishifen", 4, world.now, Random(1).randbytes)
    world.stores.boards.create(event, DAY_MS)
    world.stores.boards.enter("ev_1", player, {"name": "Lin", "at": world.now})
    result = {"deal": 0, "game": "gm_2", "at": world.now, "value": 5, "points": 45, "side": "attackers"}
    world.stores.boards.add_result("ev_1", 1, player, result)
    world.stores.boards.marks.note("ev_1", player, {"address": "192.0.2.7"})
    world.stores.boards.set_standings("ev_1", [{"player": player}])


def keep_objection(world, player):
    """Keep an objection of a player to a play of an AI player."""
    where = {"game": "gm_1", "table": "tb_1", "round": 1, "seq": 7, "seat": 1, "level": "easy"}
    objection = {**where, "at": world.now, "action": {"type": "pass"}, "reason": None}
    world.stores.objections.put(player, objection)


def keep_team(world, client):
    """Keep a team event that a player directs and plays in."""
    setup = {"name": "Cup", "ruleset": "sishifen", "players": 4, "rounds": 1, "boards": 1}
    event = client.post("/v1/team-events", setup).json["event"]
    team = {"name": "Dragons", "members": [{"player": client.player["id"]}, *[{"level": "easy"}] * 3]}
    client.post(f"/v1/team-events/{event}/teams", {"teams": [team]})
    comments, said = world.stores.boards.comments, {"id": "co_1", "board": 1, "text": "Well played", "at": world.now}
    comments.admit(event, [client.player["id"]])
    comments.change(event, client.player["id"], lambda _: [said])
    return event


def link(world, client, identity_hash):
    """Link an account at an OpenID provider."""
    identity = {"provider": "Example", "issuer": "https://id.example"}
    rest = dict.fromkeys(("return_to", "challenge", "nonce", "verifier"), "")
    world.stores.identities.begin("code", {**identity, **rest, "identity": identity_hash}, 60_000)
    by = world.stores.tokens.find(hash_of(client.token)).token
    assert world.stores.identities.link(by, identity_hash, {**identity, "linked_at": world.now}, 10, "code") == "done"


def keep_deals(world, player):
    """The player has sent a deal, and opened one that somebody else has sent."""
    mei, store = world.player("Mei"), world.stores.deal_links
    theirs = store.get(send(mei, *play_round(world, mei, seated(world, mei)))["code"])
    entry = {"at": world.now, "table": "tb_1", "line": None}
    store.change(theirs["code"], lambda link: {**link, "entries": {player: entry}})
    store.add_entered(player, theirs, world.now)
    store.create({**theirs, "code": "A" * 12, "player": player})
    store.add_sent(player, "A" * 12, world.now)


def keep_riddles(world, player):
    """A round of the player is listed, a riddle was cut from it, and the player has answered another one."""
    played = {"game": "gm_1", "number": 1, "ruleset": "shengji", "players": 4, "seat": 0, "result": "won"}
    world.stores.past_rounds.add(player, [played], world.now)
    riddle = {"id": "rd_1", "made_at": world.now, "position": {}, "plays": []}
    source = {"game": "gm_1", "round": 1, "seq": 9, "owner": player, "people": [player]}
    world.stores.riddles.add(riddle, source)
    world.stores.riddles.answer(player, "rd_2", {"play": 1, "at": world.now})


def pattern_of(name):
    """The row (of `KEYS`) that a key belongs to."""
    [match] = [pattern for pattern, key in KEYS.items() if key.kind != "channel" and key.matching().fullmatch(name)]
    return match


def telling(redis, words):
    """Rows of the keys that have one of these words in their name or content."""
    names = set()
    for key in redis.scan_iter():
        content = repr(READ[redis.type(key)](redis, key)) + key.decode()
        if any(word in content for word in words):
            names.add(pattern_of(key.decode()))
    return names


def keep_season(world, lin):
    """Keep a result of a player in a season of a club."""
    about = {"name": "Spring", "starts_at": "2020-03-01T00:00:00Z", "ends_at": "2020-06-01T00:00:00Z"}
    season = lin.post(f"/v1/clubs/{lin.club}/seasons", about).json["season"]
    began_at = 1_583_020_800_000
    played = played_by(lin.player["id"], began_at=began_at)
    world.stores.seasons.keep(lin.club, season, "ev_9", played)


@pytest.fixture
def full(world, lin):
    """A player with data in every key that can hold some; `words` find it."""
    lin.table = lin.post("/v1/tables", {"ruleset": "shengji", "players": 4, "visibility": "public"}).json["id"]
    lin.post(f"/v1/tables/{lin.table}/seats", {})
    lin.put(f"/v1/me/mutes/{world.player('Mei').player['id']}")
    lin.post("/v1/me/tokens", {"name": "Score board", "scopes": ["tables:read"]})
    lin.post("/v1/me/recovery-code")
    lin.post("/v1/me/link-codes")
    me = lin.player["id"]
    keep_game(world, me)
    messages = Messages(world)
    messages.subscribe(lin, events=["game_kept"])
    for game in ("gm_1", "gm_2"):
        # The messenger looks at the inbox after the first one only.
        world.services.inbox.game_kept([me], "tb_1", game)
        messages.run() if game == "gm_1" else None
    keep_board(world, me)
    lin.event = keep_team(world, lin)
    lin.club = lin.post("/v1/clubs", {"name": "Lakeside"}).json["club"]
    keep_season(world, lin)
    lin.room = lin.post("/v1/rooms", {"name": "Friday", "rules": {"ruleset": "shengji", "players": 4}}).json["room"]
    keep_deals(world, me)
    rated = {**new_result(), "games": 1, "rated_games": 1, "met": {"pl_other": [1, world.now]}}
    world.stores.results.settle("gm_1", "shengji", [me], lambda _: {me: rated}, lambda _: 12.5, world.now)
    mei = world.player("Mei").player["id"]
    world.stores.people.block(me, world.player("Mallory").player["id"], world.now)
    # Without notes: in the inboxes of others, a player's name stays until a week after their last event.
    world.stores.people.befriend(me, mei, world.now, (NOTHING, NOTHING), NOTHING)
    world.stores.people.befriend(mei, me, world.now, (NOTHING, NOTHING), NOTHING)
    world.stores.people.note_here([me], world.now)
    link(world, lin, "1f" * 32)
    keep_objection(world, me)
    keep_riddles(world, me)
    lin.words = (me, hash_of(lin.token))
    return lin


def test_every_key_of_the_store_has_a_complete_row():
    assert len(KEYS) > 80
    for pattern, key in KEYS.items():
        exported, is_erased, why = key.personal
        assert (exported is None or not is_erased) == bool(why), pattern
        assert key.text, pattern
    exported = {key.personal.exported for key in KEYS.values()}
    assert exported - {None} == AccountExport().fields.keys() - {"exported_at", "devices"}


def test_keys_have_the_types_and_the_ends_that_their_rows_say(world, full):
    stored_keys = [name.decode() for name in world.redis.scan_iter() if name.startswith(b"sj:")]
    assert len({pattern_of(name) for name in stored_keys}) > 30
    for name in stored_keys:
        kind = world.redis.type(name).decode().replace("zset", "sorted set")
        assert kind == KEYS[pattern_of(name)].kind, name
    ends = {name: world.redis.pttl(name) > 0 for name in stored_keys}
    assert ends == {name: "expires" in KEYS[pattern_of(name)].bound for name in stored_keys}


def test_an_erasure_deletes_every_key_of_a_player_that_has_a_row(world, lin):
    names = keys.all_of(lin.player["id"])
    of_player = [key for key in KEYS.values() if key.pattern.endswith(":<player>") and key.personal.is_erased]
    assert len(names) == len([key for key in of_player if key.pattern.startswith("sj:{players}:")])
    for name in names:
        if not world.redis.exists(name):
            is_hash = KEYS[pattern_of(name)].kind == "hash"
            world.redis.hset(name, "left", "1") if is_hash else world.redis.set(name, "left")
    assert world.stores.players.delete(lin.player["id"])
    assert not world.redis.exists(*names)


def test_an_export_holds_what_the_rows_say(world, full):
    answer = full.get("/v1/me/export").json
    assert answer["player"]["id"] == full.player["id"]
    assert answer["player"]["name"] == "Lin"
    assert len(answer["player"]["muted"]) == 1
    assert {token["name"] for token in answer["tokens"]} == {None, "Score board"}
    assert answer["has_recovery_code"]
    assert answer["guest_last_seen_at"] == answer["player"]["created_at"]
    assert answer["results"]["shengji"]["games"] == 1
    assert answer["ratings"] == {"shengji": [{"at": answer["exported_at"], "rating": 12.5}]}
    assert [each["table"] for each in answer["tables"]] == [full.table]
    assert [each["table"] for each in answer["hosted"]] == [full.table]
    assert answer["games"] == ["gm_1"]
    assert answer["notices"]["notify"] == "all"
    assert [each["type"] for each in answer["webhooks"][0]["deliveries"]] == ["game_kept"]
    assert "whsec" not in repr(answer)
    entered, of_teams = answer["boards"]
    assert (entered["event"], entered["name"], entered["results"][0]["points"]) == ("ev_1", "Lin", 45)
    assert (of_teams["event"], of_teams["name"], of_teams["results"]) == (full.event, "Lin", [])
    assert answer["directed"] == [full.event]
    assert [(each["club"], each["role"]) for each in answer["clubs"]] == [(full.club, "owner")]
    [season] = answer["clubs"][0]["seasons"]
    assert (season["name"], season["rank"], season["points"], season["events"]) == ("Spring", 1, 50, ["ev_9"])
    assert [(each["room"], each["role"]) for each in answer["rooms"]] == [(full.room, "host")]
    assert [each["part"] for each in answer["deal_links"]] == ["sender", "playing"]
    assert [each["state"] for each in answer["friends"]] == ["friend"]
    assert [each["seq"] for each in answer["objections"]] == [7]
    assert [(each["game"], each["round"], each["result"]) for each in answer["rounds"]] == [("gm_1", 1, "won")]
    assert [(each["riddle"], each["play"]) for each in answer["riddles"]] == [("rd_2", 1)]
    assert len(answer["blocked"]) == 1
    assert answer["player"]["invitations"] == "anyone"
    assert full.token not in repr(answer)
    assert hash_of(full.token) not in repr(answer)


def test_an_export_names_games_that_are_still_at_their_tables(world):
    table = world.table()
    answer = table.clients[1].get("/v1/me/export").json
    assert answer["games"] == [table.state()["game"]["id"]]


def test_an_export_names_a_past_game_once_with_or_without_its_table(world):
    table = whole_game(world)
    game = table.state()["game"]["id"]
    assert table.host.get("/v1/me/export").json["games"] == [game]
    world.stores.tables.delete(table.id)
    world.now += DAY_MS
    assert table.host.get("/v1/me/export").json["games"] == [game]


def test_an_erasure_leaves_only_what_the_rows_say(world, full):
    before = telling(world.redis, full.words)
    # Without data in all of these keys, the test would prove nothing.
    assert before >= ERASED
    assert full.delete("/v1/me").status_code == 204
    left = telling(world.redis, full.words)
    assert left & ERASED == set()
    assert all(KEYS[pattern].personal.why != "not personal" for pattern in left)


def test_an_export_is_made_once_a_day(world, lin):
    assert lin.get("/v1/me/export").status_code == 200
    problem = assert_problem(lin.get("/v1/me/export"), "rate-limited", budget="export", limit=1)
    assert 0 < problem["params"]["retry_after_s"] <= DAY_MS // 1000 + 1
    assert world.player("Mei").get("/v1/me/export").status_code == 200
    world.now += DAY_MS
    assert lin.get("/v1/me/export").status_code == 200
