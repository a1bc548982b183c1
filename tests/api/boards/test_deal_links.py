"""Deals that travel: sent by a link, played by others from the same seat, and compared."""

import pytest

from service.boards import links
from service.rules.options.rulesets import RULESETS
from service.store.boards.links import LINK_MS
from tests.api.boards.test_boards import quick  # noqa: F401 - fixture
from tests.api.contract import assert_problem
from workers import ai

#: What the AI players of the round that is sent are, by seat.
OTHERS = ("easy", "normal", "easy")


def seated(world, client, ruleset="sishifen", players=4, **spec):
    """A table where the player has seat 0, with AI players on the others; the game has begun."""
    settings = {"ai_pace_ms": 0, **({} if ruleset == "arms_length" else {"options": {"deal_pace": "instant"}}), **spec}
    view = client.post("/v1/tables", {"ruleset": ruleset, "players": players, **settings})
    assert view.status_code == 201, view.json
    path = f"/v1/tables/{view.json['id']}"
    assert client.post(f"{path}/seats", {"seat": 0, "join_code": view.json["join_code"]}).status_code == 200
    for seat in range(1, players):
        assert client.put(f"{path}/seats/{seat}/ai", {"level": OTHERS[(seat - 1) % 3]}).status_code == 200
    assert client.put(f"{path}/seats/me/ready", {}).status_code == 200
    return view.json["id"]


def play_round(world, client, table, seat=0, level="easy"):
    """Play until a round is over, the player like an AI player of this level; return the game and its number."""
    for _ in range(600):
        world.now += 1_000
        world.advance(table)
        state = world.tables.load(table)
        decision = state["decision"]
        if decision is None or decision["kind"] == "ready":
            break
        question = world.tables.question_of(table, seat, decision["id"])
        if question is not None:
            command = {"player": client.player["id"], "decision_id": decision["id"], **ai.choose(*question, level)}
            world.tables.act(table, command)
    world.advance(table)
    state = world.tables.load(table)
    return state["game"]["id"], state["round"]["number"]


def go_on(world, client, table):
    """Begin the next round."""
    assert client.put(f"/v1/tables/{table}/seats/me/ready", {}).status_code == 200
    return play_round(world, client, table)


def send(client, game, number):
    answer = client.post(f"/v1/games/{game}/rounds/{number}/deal-links")
    assert answer.status_code == 201, answer.json
    return answer.json


def enter(client, code):
    answer = client.post(f"/v1/deal-links/{code}/entries")
    assert answer.status_code == 200, answer.json
    return answer.json["mine"]["table"]


def compare(client, code, query=""):
    answer = client.get(f"/v1/deal-links/{code}/comparison{query}")
    assert answer.status_code == 200, answer.json
    return answer.json


@pytest.fixture
def sent(world):
    """Lin, who has sent the deal of a round, and its link."""
    lin = world.player("Lin")
    game, number = play_round(world, lin, seated(world, lin))
    return lin, send(lin, game, number)


def test_a_deal_sent_to_three_people_is_compared(world, sent):
    lin, link = sent
    code = link["code"]
    assert (link["sender"]["name"], link["seat"], link["others"]) == ("Lin", 0, [None, *OTHERS])
    # One has an account on another device, one registers before playing, one after reading the link without a token.
    mei, tao = world.player("Mei"), world.player("Tao", "human")
    read = world.anybody.get(f"/v1/deal-links/{code}").json
    assert read == {**link, "mine": {"part": None, "table": None}}
    guest = world.player("Guest", "human")
    for client, level in ((mei, "easy"), (tao, "random"), (guest, "normal")):
        world.now += 24 * 3_600_000
        assert_problem(client.get(f"/v1/deal-links/{code}/comparison"), "not-finished")
        table = enter(client, code)
        assert enter(client, code) == table, "asked again it is the same one"
        assert client.get(f"/v1/deal-links/{code}").json["mine"] == {"part": "playing", "table": table}
        play_round(world, client, table, level=level)
        assert client.get(f"/v1/deal-links/{code}").json["mine"] == {"part": "played", "table": table}
    world.work()
    compared = compare(guest, code)
    assert {row["name"]: row["sender"] for row in compared["items"]} == {
        "Lin": True,
        "Mei": False,
        "Tao": False,
        "Guest": False,
    }
    values = [row["value"] for row in compared["items"]]
    assert values == sorted(values, reverse=True)
    assert [row["rank"] for row in compared["items"]] == [1 + sum(each > value for each in values) for value in values]
    assert compared["par"]["replays"] == 3
    assert (compared["mine"]["player"], compared["other"]["player"]) == (guest.player["id"], lin.player["id"])
    others = {row["name"]: row for row in compare(lin, code)["items"]}
    # Mei decides as Lin has, so the AI players do what they have done: the lines are one.
    assert others["Mei"]["parts"] is None
    assert others["Tao"]["parts"] is not None
    beside = compare(lin, code, f"?with={tao.player['id']}")
    assert (beside["mine"]["player"], beside["other"]["player"]) == (lin.player["id"], tao.player["id"])


def test_the_line_is_that_of_the_record(world, sent):
    lin, link = sent
    game = lin.get("/v1/me/tables").json["items"][0]
    state = world.tables.load(game["table"])
    record = lin.get(f"/v1/games/{state['game']['id']}/rounds/1").json
    steps = compare(lin, link["code"])["mine"]["steps"]
    plays = [each for each in steps if each["type"] == "play"]
    assert [each["trick"] for each in plays] == [1 + at // 4 for at in range(len(plays))]
    told = [(each["seat"], each["type"]) for each in record["actions"] if each["type"] != "pass"]
    assert [(each["seat"], each["type"]) for each in steps] == told
    assert [row["points"] for row in compare(lin, link["code"])["items"]] == [record["result"]["points"]]


def test_a_later_round_is_sent_with_its_levels_and_its_declarer(world):
    lin, mei = world.player("Lin"), world.player("Mei")
    table = seated(world, lin, ruleset="shengji")
    play_round(world, lin, table)
    game, number = go_on(world, lin, table)
    assert number == 2
    before = world.tables.load(table)
    link = send(lin, game, number)
    played = enter(mei, link["code"])
    begun = world.tables.load(played)
    for name in ("number", "starter", "level", "server_seed", "commitment"):
        assert begun["round"][name] == before["round"][name], name
    play_round(world, mei, played)
    assert compare(mei, link["code"])["items"][0]["parts"] is None
    assert world.tables.load(played)["status"] == "finished"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_deals_of_every_ruleset_travel(world, ruleset):
    lin, mei = world.player("Lin"), world.player("Mei")
    players = RULESETS[ruleset].players[0]
    game, number = play_round(world, lin, seated(world, lin, ruleset=ruleset, players=players))
    code = send(lin, game, number)["code"]
    play_round(world, mei, enter(mei, code))
    rows = compare(mei, code)["items"]
    assert [row["parts"] for row in rows] == [None, None]
    assert [row["rank"] for row in rows] == [1, 1]
    assert rows[0]["value"] == rows[1]["value"] is not None


def test_who_sat_in_the_round_knows_the_cards(world):
    table = world.table(ruleset="sishifen")
    table.play_until("ready")
    game = table.state()["game"]["id"]
    lin, mei, *_ = table.clients
    link = send(lin, game, 1)
    assert (link["people"], link["others"]) == (3, [None, "normal", "normal", "normal"])
    assert lin.get(f"/v1/deal-links/{link['code']}").json["mine"]["part"] == "sender"
    assert mei.get(f"/v1/deal-links/{link['code']}").json["mine"]["part"] == "knows"
    for client in (lin, mei):
        assert_problem(client.post(f"/v1/deal-links/{link['code']}/entries"), "deal-known")
    assert compare(mei, link["code"])["items"][0]["name"] == lin.player["name"]
    other = send(mei, game, 1)
    assert (other["seat"], other["code"] != link["code"]) == (1, True)


def test_only_who_sat_in_a_finished_round_sends_its_deal(world):
    table = world.table(ruleset="sishifen", spectators="open")
    game = table.state()["game"]["id"]
    lin = table.clients[0]
    path = f"/v1/games/{game}/rounds/1/deal-links"
    assert_problem(lin.post(path), "not-finished", what="round")
    assert_problem(lin.post(f"/v1/games/{game}/rounds/2/deal-links"), "not-found", what="round")
    table.play_until("ready")
    assert lin.post(path).status_code == 201
    stranger = world.player("Tao")
    world.now += 3_600_000
    assert_problem(stranger.post(path), "not-your-seat")
    private = seated(world, lin)
    number = play_round(world, lin, private)[1]
    state = world.tables.load(private)
    assert_problem(stranger.post(f"/v1/games/{state['game']['id']}/rounds/{number}/deal-links"), "no-spectators")


def test_sending_again_gives_the_same_link_until_it_is_taken_back(world, sent):
    lin, link = sent
    [listed] = lin.get("/v1/me/deal-links").json["items"]
    assert listed == link
    table = world.tables.load(lin.get("/v1/me/tables").json["items"][0]["table"])
    assert send(lin, table["game"]["id"], 1)["code"] == link["code"]
    mei = world.player("Mei")
    played = enter(mei, link["code"])
    path = f"/v1/deal-links/{link['code']}"
    assert_problem(mei.delete(path), "not-found")
    assert lin.delete(path).status_code == 204
    assert_problem(lin.delete(path), "not-found")
    assert_problem(world.anybody.get(path), "not-found", reason="unknown_code")
    assert lin.get("/v1/me/deal-links").json["items"] == []
    # Who plays it plays on; nothing is kept of it.
    play_round(world, mei, played)
    assert world.tables.load(played)["status"] == "finished"
    assert_problem(mei.get(f"{path}/comparison"), "not-found")
    assert not [*world.redis.scan_iter("sj:deal:*")]
    assert send(lin, table["game"]["id"], 1)["code"] != link["code"]


def test_a_link_ends_after_a_month(world, sent):
    lin, link = sent
    path = f"/v1/deal-links/{link['code']}"
    [key] = world.redis.scan_iter("sj:deal:*")
    assert LINK_MS - 60_000 < world.redis.pttl(key) <= LINK_MS
    world.now += LINK_MS
    assert_problem(world.anybody.get(path), "not-found")
    assert lin.get("/v1/me/deal-links").json["items"] == []


def test_a_deal_that_was_sent_is_not_sent_on_by_another_link(world, sent):
    _, link = sent
    mei = world.player("Mei")
    game, number = play_round(world, mei, enter(mei, link["code"]))
    assert_problem(mei.post(f"/v1/games/{game}/rounds/{number}/deal-links"), "not-sendable")


def test_the_record_of_a_line_is_read_by_who_played_it_alone(world, sent):
    lin, link = sent
    mei, tao = world.player("Mei"), world.player("Tao")
    game, number = play_round(world, mei, enter(mei, link["code"]))
    assert world.tables.load(f"tb_{game.split('_')[1]}")["game"]["kept"]
    assert mei.get(f"/v1/games/{game}/rounds/{number}").json["shuffle"]["server_seed"]
    for client in (lin, tao):
        assert_problem(client.get(f"/v1/games/{game}/record"), "no-spectators")
        assert_problem(client.get(f"/v1/games/{game}/rounds/{number}/events"), "no-spectators")


def test_nobody_has_rights_over_the_table_of_a_deal(world, sent):
    _, link = sent
    mei = world.player("Mei", "human")
    path = f"/v1/tables/{enter(mei, link['code'])}"
    etag = mei.get(path).headers["ETag"]
    assert_problem(mei.patch(path, {"chat": True}, headers={"If-Match": etag}), "not-host")
    assert_problem(mei.put(f"{path}/seats/1/ai", {"level": "easy"}), "not-host")
    assert_problem(mei.post(f"{path}/hint", {"decision_id": "dc_1"}), "hints-off")
    assert_problem(world.player().get(path), "no-spectators")


def test_there_is_no_hurry(world, sent):
    _, link = sent
    mei = world.player("Mei", "human")
    table = enter(mei, link["code"])
    for _ in range(20):
        world.now += 1_000
        world.advance(table)
    waits = world.tables.load(table)["decision"]
    assert (waits["seats"], waits["deadline"]) == ([0], None)
    world.now += 5 * 24 * 3_600_000
    world.advance(table)
    assert world.tables.load(table)["decision"] == waits
    play_round(world, mei, table)
    assert compare(mei, link["code"])["items"][0]["parts"] is None


def test_a_deal_that_is_given_up_does_not_count(world, sent):
    _, link = sent
    mei, tao = world.player("Mei"), world.player("Tao")
    table = enter(mei, link["code"])
    world.tables.act(table, {"type": "open_vote", "player": mei.player["id"], "kind": "abandon"})
    world.advance(table)
    left = enter(tao, link["code"])
    world.tables.act(left, {"type": "leave", "player": tao.player["id"]})
    while world.tables.load(left)["status"] == "playing":
        world.now += 1_000
        world.advance(left)
    world.advance(left)
    rows = {row["name"]: row for row in compare(mei, link["code"])["items"]}
    assert (rows["Mei"]["rank"], rows["Mei"]["points"]) == (None, None)
    assert (rows["Tao"]["rank"], rows["Tao"]["value"]) == (None, None)
    assert (rows["Lin"]["rank"], enter(mei, link["code"])) == (1, table)


def test_a_block_hides_the_link_and_the_line(world, sent):
    lin, link = sent
    mei, tao = world.player("Mei"), world.player("Tao")
    for client in (mei, tao):
        play_round(world, client, enter(client, link["code"]))
    assert len(compare(tao, link["code"])["items"]) == 3
    mei.put(f"/v1/me/blocks/{tao.player['id']}")
    for client, other in ((mei, tao), (tao, mei)):
        assert other.player["id"] not in {row["player"] for row in compare(client, link["code"])["items"]}
        assert_problem(
            client.get(f"/v1/deal-links/{link['code']}/comparison?with={other.player['id']}"),
            "not-found",
            what="player",
        )
    assert len(compare(lin, link["code"])["items"]) == 3
    lin.put(f"/v1/me/blocks/{mei.player['id']}")
    path = f"/v1/deal-links/{link['code']}"
    for answer in (mei.get(path), mei.post(f"{path}/entries"), mei.get(f"{path}/comparison")):
        assert_problem(answer, "not-found", reason="unknown_code")


def test_deleting_an_account_ends_its_links_and_its_lines(world, sent):
    lin, link = sent
    mei, tao = world.player("Mei"), world.player("Tao")
    for client in (mei, tao):
        play_round(world, client, enter(client, link["code"]))
    exported = mei.get("/v1/me/export").json["deal_links"]
    assert [(each["code"], each["part"]) for each in exported] == [(link["code"], "played")]
    assert [each["part"] for each in lin.get("/v1/me/export").json["deal_links"]] == ["sender"]
    assert mei.delete("/v1/me").status_code == 204
    assert [row["name"] for row in compare(tao, link["code"])["items"]] == ["Lin", "Tao"]
    assert mei.player["id"] not in world.redis.hget(f"sj:deal:{link['code']}", "l").decode()
    assert lin.delete("/v1/me").status_code == 204
    assert_problem(tao.get(f"/v1/deal-links/{link['code']}"), "not-found")
    assert not [*world.redis.scan_iter("sj:deal:*")]


def test_a_link_ends_with_the_account_of_a_guest_that_has_expired(world, sent):
    lin, link = sent
    world.stores.players.delete(lin.player["id"])
    assert_problem(world.anybody.get(f"/v1/deal-links/{link['code']}"), "not-found")


def test_links_and_entries_are_limited(world, monkeypatch):
    monkeypatch.setattr(links, "MOST_SENT", 2)
    monkeypatch.setattr(links, "MOST_ENTRIES", 2)
    lin = world.player("Lin")
    table = seated(world, lin, ruleset="shengji")
    codes = []
    for number in (1, 2, 3):
        game, _ = go_on(world, lin, table) if number > 1 else play_round(world, lin, table)
        if number < 3:
            codes.append(send(lin, game, number)["code"])
    path = f"/v1/games/{game}/rounds/3/deal-links"
    assert_problem(lin.post(path), "too-many-deals", limit=2)
    lin.delete(f"/v1/deal-links/{codes[0]}")
    assert lin.post(path).status_code == 201
    mei, tao, wei = (world.player(name) for name in ("Mei", "Tao", "Wei"))
    enter(mei, codes[1])
    enter(tao, codes[1])
    assert_problem(wei.post(f"/v1/deal-links/{codes[1]}/entries"), "deal-full", limit=2)
    enter(mei, codes[1])
    tao.delete("/v1/me")
    enter(wei, codes[1])


def test_a_request_that_broke_off_is_sent_again(world, sent, monkeypatch):
    _, link = sent
    mei = world.player("Mei")

    def broken(*_):
        raise RuntimeError("the process dies")

    with monkeypatch.context() as patch:
        patch.setattr(world.services.deal_links._players, "add_table", broken)
        assert mei.post(f"/v1/deal-links/{link['code']}/entries").status_code == 500
    table = enter(mei, link["code"])
    play_round(world, mei, table)
    assert len(compare(mei, link["code"])["items"]) == 2


def test_boards_of_events_are_sent_once_their_seal_is_lifted(world, monkeypatch):
    world.start(daily_events=("sishifen:4",))
    lin = world.player("Lin")
    world.conduct()
    event = lin.get("/v1/events").json["items"][0]["event"]
    lin.post(f"/v1/events/{event}/entries")
    table = lin.post(f"/v1/events/{event}/boards/1/table").json["table"]
    game, number = play_round(world, lin, table)
    path = f"/v1/games/{game}/rounds/{number}/deal-links"
    assert_problem(lin.post(path), "not-finished", what="event")
    world.now += 24 * 3_600_000
    code = send(lin, game, number)["code"]
    mei = world.player("Mei")
    play_round(world, mei, enter(mei, code))
    assert [row["parts"] for row in compare(mei, code)["items"]] == [None, None]
