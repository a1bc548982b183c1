"""Equal deals: the event of a day, its boards, when they are sealed, and how they are scored."""

from random import Random

import pytest

from service.boards import deals
from service.game.shuffle import commitment
from service.game.views.fields import timestamp
from service.store import keys
from service.store.boards import marks
from service.tables.results import GUEST_MS, expire_guests
from tests.api.contract import assert_problem
from tests.workers.players import QUICK
from workers import ai, pars

DAY = 24 * 3_600_000
PAST = {"table": "tb_1", "ruleset": "sishifen", "players": 4, "ended": "ended_early", "rounds": 1, "winners": []}


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Few boards, and fast AI players."""
    monkeypatch.setattr(ai, "PAR", QUICK["easy"])
    monkeypatch.setattr(pars, "REPLAYS", 3)
    monkeypatch.setattr(deals, "BOARDS", 2)
    monkeypatch.setattr(deals, "DEALS", 1)


@pytest.fixture
def day(world):
    """The world in the morning of a day with an event of "forty points"."""
    world.start(daily_events=("sishifen:4",))
    world.now = world.now // DAY * DAY + 8 * 3_600_000
    return world


def today(world, client):
    world.conduct()
    return client.get("/v1/events").json["items"][0]["event"]


def entrant(world, name="Lin"):
    client = world.player(name)
    event = today(world, client)
    assert client.post(f"/v1/events/{event}/entries").json["entered"]
    return client, event


def begin(client, event, number=1):
    answer = client.post(f"/v1/events/{event}/boards/{number}/table")
    assert answer.status_code == 200, answer.json
    return answer.json["table"]


def play(world, client, table, level="easy"):
    """Play a board to its end, the entrant like an AI player of this level."""
    who = client.player["id"]
    for _ in range(300):
        world.now += 1_000
        world.advance(table)
        decision = world.tables.load(table)["decision"]
        if decision is None:
            break
        seat = world.tables.question_of(table, 0, decision["id"])
        if seat is not None:
            command = {"player": who, "decision_id": decision["id"], **ai.choose(*seat, level)}
            world.tables.act(table, command)
    world.advance(table)
    assert world.tables.load(table)["game"]["kept"]


def test_each_day_has_an_event_with_commitments_to_its_boards(day):
    lin = day.player()
    event = today(day, lin)
    assert event == deals.daily_id(day.now // DAY, "sishifen", 4)
    body = lin.get(f"/v1/events/{event}").json
    assert (body["status"], body["entered"], body["played"], body["entries"]) == ("open", False, 0, 0)
    assert body["remaining_ms"] == DAY - 8 * 3_600_000
    seeds = [board["seeds"] for board in day.stores.boards.event(event)["boards"]]
    published = [board["commitments"] for board in body["items"]]
    assert published == [[commitment(bytes.fromhex(seed)) for seed in each] for each in seeds]
    day.start()
    assert today(day, day.player()) == event, "another process finds the same"
    assert [board["seeds"] for board in day.stores.boards.event(event)["boards"]] == seeds


def test_a_board_is_one_round_and_can_be_played_once(day):
    lin, event = entrant(day)
    table = begin(lin, event)
    view = lin.get(f"/v1/tables/{table}").json
    assert view["my"]["seat"] == 0
    assert [seat["occupant"]["kind"] for seat in view["seats"]] == ["bot", "ai", "ai", "ai"]
    assert view["status"] == "playing"
    assert begin(lin, event) == table, "asked again it is the same one"
    play(day, lin, table)
    over = lin.get(f"/v1/tables/{table}").json
    assert (over["status"], over["game"]["ended"], len(day.tables.load(table)["game"]["results"])) == (
        "finished",
        "one_round",
        1,
    )
    refused = lin.post(f"/v1/events/{event}/boards/1/table")
    assert_problem(refused, "board-played", board=1, left=[2])
    [first, second] = lin.get(f"/v1/events/{event}").json["items"]
    assert first["result"]["points"] == over["round"]["result"]["points"]
    assert first["result"]["counts"]
    assert second["result"] is None
    assert lin.post("/v1/tables", {"ruleset": "sishifen", "players": 4}).status_code == 201


def test_a_board_that_cannot_be_played_is_refused(day):
    lin = day.player()
    event = today(day, lin)
    path = f"/v1/events/{event}"
    assert_problem(lin.post(f"{path}/boards/1/table"), "not-entered", event=event)
    lin.post(f"{path}/entries")
    assert_problem(lin.post(f"{path}/boards/3/table"), "not-found", what="board")
    assert_problem(lin.post("/v1/events/ev_none/entries"), "not-found", what="event")
    assert_problem(lin.get(f"{path}/standings"), "not-finished", what="event")
    assert_problem(lin.get(f"{path}/boards/1"), "not-finished", what="event")
    day.now += DAY
    assert_problem(lin.post(f"{path}/boards/1/table"), "event-closed", event=event)
    assert_problem(day.player().post(f"{path}/entries"), "event-closed", event=event)
    assert_problem(lin.get(f"{path}/boards/9"), "not-found", what="board")


def test_the_host_of_a_board_has_no_rights_over_it(day):
    lin, event = entrant(day)
    path = f"/v1/tables/{begin(lin, event)}"
    etag = lin.get(path).headers["ETag"]
    assert_problem(lin.patch(path, {"chat": True}, headers={"If-Match": etag}), "not-host")
    assert_problem(lin.put(f"{path}/seats/1/ai", {"level": "easy"}), "not-host")
    assert_problem(lin.delete(path), "not-host")
    assert_problem(lin.post(f"{path}/hint", {"decision_id": "dc_1"}), "hints-off")
    assert_problem(day.player().get(path), "no-spectators")


def test_entrants_are_compared_with_each_other_and_with_ai_players(day):
    people = [entrant(day, name) for name in ("Lin", "Mei", "Tao")]
    event = people[0][1]
    for (client, _), level in zip(people, ("normal", "easy", "random"), strict=True):
        play(day, client, begin(client, event), level)
    lin = people[0][0]
    play(day, lin, begin(lin, event, 2))
    day.now += DAY
    day.redis.delete("rq:queue:event")
    assert lin.get(f"/v1/events/{event}/standings").json["status"] == "working"
    day.work()
    assert lin.get(f"/v1/events/{event}/standings").json["status"] == "working", "nobody has asked for a deal"
    day.conduct()
    day.work()
    body = lin.get(f"/v1/events/{event}/standings").json
    assert (body["status"], body["players"], body["next_cursor"]) == ("ready", 3, None)
    assert [row["name"] for row in body["items"] if row["me"]] == ["Lin"] == [body["mine"]["name"]]
    board = lin.get(f"/v1/events/{event}/boards/1").json
    assert len(board["field"]) == 3
    values = {row["name"]: row["value"] for row in board["results"]}
    assert len(values) == 3
    for row in board["results"]:
        others = [value for name, value in values.items() if name != row["name"]] + board["field"]
        beaten = sum(1 if other < row["value"] else 0.5 if other == row["value"] else 0 for other in others)
        assert row["percent"] == round(100 * beaten / len(others), 1)
    for row in body["items"]:
        assert row["percent"] == round(sum(each or 0 for each in row["boards"]) / 2, 2)
    assert body["items"] == sorted(body["items"], key=lambda row: row["rank"])
    page = lin.get(f"/v1/events/{event}/standings?limit=2").json
    rest = lin.get(f"/v1/events/{event}/standings?limit=2&cursor={page['next_cursor']}").json
    assert page["items"] + rest["items"] == body["items"]


def test_who_has_played_a_board_compares_it_at_once(day):
    (lin, event), (mei, _), (tao, _) = [entrant(day, name) for name in ("Lin", "Mei", "Tao")]
    path = f"/v1/events/{event}/boards/1"
    table = begin(lin, event)
    play(day, mei, begin(mei, event), "random")
    for client in (lin, tao, day.player("Stranger")):
        assert_problem(client.get(path), "not-finished", what="event")
    play(day, lin, table)
    body = lin.get(path).json
    assert ({row["name"] for row in body["results"]}, body["server_seed"]) == ({"Lin", "Mei"}, "")
    assert_problem(lin.get(f"/v1/events/{event}/boards/2"), "not-finished", what="event")
    assert_problem(lin.get(f"/v1/events/{event}/standings"), "not-finished", what="event")
    assert_problem(tao.get(path), "not-finished", what="event")


def test_who_has_played_a_board_does_not_see_its_other_deals_before_the_event_is_over(day, monkeypatch):
    monkeypatch.setattr(deals, "DEALS", 4)
    monkeypatch.setattr(deals, "FRESH_GAMES", 0)
    people, event = [], ""
    for number in range(6):
        client, event = entrant(day, f"Player {number}")
        result = {
            "deal": 0,
            "game": f"gm_{number}_1",
            "at": day.now,
            "value": number,
            "points": 40,
            "side": "attackers",
        }
        result["deal"] = day.services.boards.deal_of(day.stores.boards.event(event), 1, client.player["id"])
        day.stores.boards.add_result(event, 1, client.player["id"], result)
        people.append((client, result["deal"]))
    assert len({deal for _, deal in people}) > 1
    for client, deal in people:
        body = client.get(f"/v1/events/{event}/boards/1").json
        assert body["deal"] == deal
        assert {row["player"] for row in body["results"]} == {
            other.player["id"] for other, theirs in people if theirs == deal
        }


def test_after_its_event_anybody_can_verify_and_replay_a_board(day):
    lin, event = entrant(day)
    play(day, lin, begin(lin, event))
    day.now += DAY
    mei = day.player("Mei")
    board = mei.get(f"/v1/events/{event}/boards/1").json
    assert commitment(bytes.fromhex(board["server_seed"])) == board["commitment"]
    [result] = board["results"]
    record = mei.get(f"/v1/games/{result['game']}/record").json
    shuffle = record["rounds"][0]["shuffle"]
    assert (shuffle["server_seed"], shuffle["shuffle_name"]) == (board["server_seed"], board["shuffle_name"])
    assert mei.post("/v1/record-checks", record).json["ok"]
    assert mei.get(f"/v1/games/{result['game']}/rounds/1/events?seat=1").json["view"]["my"]["seat"] == 1


def test_a_board_that_ends_after_its_event_does_not_count(day):
    lin, event = entrant(day)
    table = begin(lin, event)
    day.now += DAY
    play(day, lin, table)
    assert day.stores.boards.results(event, [1, 2]) == {}
    assert lin.get(f"/v1/events/{event}/standings").json["items"] == []


def test_a_board_counts_in_its_event_alone(day):
    """A profile would tell how it ended while others may still get its cards; who plays only boards stays a player."""
    lin, event = entrant(day)
    play(day, lin, begin(lin, event))
    assert lin.get("/v1/me").json["results"] == {}
    assert [game["rounds"] for game in lin.get("/v1/me/games").json["items"]] == [1]
    day.now += GUEST_MS + DAY
    idle = (day.stores.players, day.stores.results, day.stores.past_games, day.now, 10)
    assert expire_guests(*idle) == 0
    day.start()
    assert lin.get("/v1/me").json["results"] == {}


def test_with_found_friends_steps_from_the_mean_decide(day):
    event = deals.new_event("ev_friends", "zhaopengyou", 6, day.now - 2 * DAY, Random(1).randbytes)
    day.stores.boards.create(event, DAY)
    # "little" is slightly ahead on one board and far behind on the other: the highest percentage, but few steps.
    for player, values in (("little", (10, -200)), ("steady", (4, 5)), ("taken", (None, 5)), ("half", (5,))):
        day.stores.boards.enter("ev_friends", player, {"name": player, "at": day.now})
        for number, value in enumerate(values, 1):
            result = {"deal": 0, "game": "gm_1", "at": day.now, "value": value, "points": 80, "side": "attackers"}
            day.stores.boards.add_result("ev_friends", number, player, result)
    for number in (1, 2):
        day.stores.boards.add_field("ev_friends", number, 0, [4 + number, 4 + number])
    items = day.player().get("/v1/events/ev_friends/standings").json["items"]
    # From the mean of the others: 10 - 19/4, 4 - 25/4, given up, 5 - 24/4; on board 2: -200 - 22/4, 5 + 183/4.
    assert {row["player"]: row["steps"] for row in items} == {"steady": 4, "taken": -8, "little": -9, "half": -12}
    assert [row["rank"] for row in items] == [1, 2, 3, 4]
    assert max(items, key=lambda row: row["percent"])["player"] == "little"
    results = day.player().get("/v1/events/ev_friends/boards/2").json["results"]
    assert {row["player"]: row["steps"] for row in results} == {"little": -10, "steady": 4, "taken": 4}


def test_bots_have_an_event_of_their_own_every_night(world):
    """Its boards are played and scored like those of the day."""
    world.start(daily_events=("sishifen:4",), bot_ladder=("sishifen:4",))
    world.now = world.now // DAY * DAY + 8 * 3_600_000
    bot, human = world.player("Bot"), world.player("Lin", "human")
    world.conduct()
    # One that would be over already is not begun; the next is known by day, without a deal.
    [coming] = bot.get("/v1/events?for=bots").json["items"]
    assert (coming["status"], coming["opens_at"], coming["boards"]) == (
        "coming", timestamp((world.now // DAY + 1) * DAY), deals.BOARDS,
    )  # fmt: skip
    assert_problem(bot.get(f"/v1/events/{coming['event']}"), "not-found")
    assert_problem(bot.post(f"/v1/events/{coming['event']}/entries"), "not-found")
    world.now += 17 * 3_600_000
    world.conduct()
    night, after = bot.get("/v1/events?for=bots").json["items"]
    assert (night["event"], night["status"], after["status"]) == (coming["event"], "open", "coming")
    event = deals.daily_id(world.now // DAY, "sishifen", 4, bots=True)
    assert (night["event"], night["for"], night["remaining_ms"]) == (event, "bots", 5 * 3_600_000)
    [day] = [each for each in bot.get("/v1/events").json["items"] if each["status"] == "open"]
    assert day["for"] == "everybody"
    assert_problem(human.post(f"/v1/events/{event}/entries"), "bots-only", event=event)
    assert bot.post(f"/v1/events/{event}/entries").json["entered"]
    play(world, bot, begin(bot, event))
    assert_problem(bot.get(f"/v1/events/{event}/standings"), "not-finished")
    world.now += 5 * 3_600_000
    assert_problem(bot.post(f"/v1/events/{event}/boards/2/table"), "event-closed")
    world.conduct()
    world.work()
    standings = human.get(f"/v1/events/{event}/standings").json
    assert (standings["status"], [row["name"] for row in standings["items"]]) == ("ready", ["Bot"])


def veteran(world, name):
    """A player whose account is a week old, with some games."""
    client = world.player(name)
    player = client.player["id"]
    world.stores.players.update(player, lambda record: {**record, "created_at": world.now - 8 * DAY})
    games = [
        {**PAST, "game": f"gm_{player}_{n}", "ended_at": n, "parts": {player: {"seat": 0, "result": None}}}
        for n in range(5)
    ]
    for game in games:
        world.stores.past_games.add(game, None)
        world.redis.set(keys.game(game["game"]), b"its record")
    world.start()
    return client


def test_a_fresh_account_never_gets_the_cards_of_an_older_one(day, monkeypatch):
    """Of twelve fresh accounts, two had the deal of an older one: whoever made them could look at the cards first."""
    monkeypatch.setattr(deals, "DEALS", 4)
    old = veteran(day, "Lin")
    event = today(day, old)
    fresh = [day.player(f"Again {number}") for number in range(12)]
    seeds = {}
    for client in (old, *fresh):
        client.post(f"/v1/events/{event}/entries")
        state = day.tables.load(begin(client, event))
        seeds[client] = state["round"]["server_seed"]
    [board, _] = day.stores.boards.event(event)["boards"]
    assert seeds[old] in board["seeds"][:4]
    assert {seeds[client] for client in fresh} <= {*board["seeds"][4:]}
    assert len({seeds[client] for client in fresh}) > 1
    # The age counts when the event opens, the games when one enters.
    young = veteran(day, "Mei")
    day.stores.players.update(young.player["id"], lambda record: {**record, "created_at": day.now - 7 * DAY})
    day.start()
    young = day.anybody.with_token(young.token)
    young.post(f"/v1/events/{event}/entries")
    assert day.tables.load(begin(young, event))["round"]["server_seed"] in board["seeds"][4:]


def test_an_event_of_the_release_before_has_its_deals_for_everybody(day):
    event = deals.new_event("ev_old", "sishifen", 4, day.now, Random(1).randbytes)
    del event["fresh_from"]
    table_deals = {deals.deal_of(event, 1, f"pl_{n}", fresh=fresh) for n in range(50) for fresh in (True, False)}
    assert table_deals == {*range(len(event["boards"][0]["seeds"]))}
    assert not deals.is_fresh(event, day.now, 0)


def test_operators_see_which_entrants_share_an_address_or_a_browser(day):
    """Only hashes are kept, under a key that expires with them."""
    day.start(operator_token=(token := "0123456789abcdef"))
    places = {
        "Lin": ("192.0.2.7", "Firefox"),
        "Again": ("192.0.2.7", "Firefox"),
        "Brother": ("192.0.2.7", "Safari"),
        "Tao": ("2001:db8:1:2:3::4", "Firefox"),
        "Tao again": ("2001:db8:1:2:5::6", "Firefox"),
        "Mei": ("198.51.100.1", "Firefox"),
    }
    for name, (address, browser) in places.items():
        client, event = entrant(day, name)
        sent = {"headers": {"User-Agent": browser}, "environ_base": {"REMOTE_ADDR": address}}
        assert client.post(f"/v1/events/{event}/boards/1/table", **sent).status_code == 200
    path = f"/v1/operator/events/{event}/alike"
    items = day.anybody.with_token(token).get(path).json["items"]
    groups = [(group["shares"], sorted(each["name"] for each in group["players"])) for group in items]
    assert [what for what, _ in groups] == ["browser", "browser", "address", "address"]
    assert sorted(groups) == [
        ("address", ["Again", "Brother", "Lin"]),
        ("address", ["Tao", "Tao again"]),
        ("browser", ["Again", "Lin"]),
        ("browser", ["Tao", "Tao again"]),
    ]
    assert_problem(client.get(path), "operators-only")
    stored = str(day.redis.hgetall(keys.event_marks(event)))
    assert not any(text in stored for place in places.values() for text in place)
    assert 0 < day.redis.pttl(keys.event_marks(event)) <= marks.KEPT_MS
    assert_problem(day.anybody.with_token(token).get("/v1/operator/events/ev_none/alike"), "not-found")
