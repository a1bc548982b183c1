"""Reading changes nothing: no GET of the document writes to Redis, but for what is named here with its reason."""

import fnmatch
from random import Random
from typing import Final

from harness.document import document
from service.api.http import auth
from service.api.resources import RESOURCES
from service.boards.deals import new_event
from service.tables.results import new_result
from tests.api.game.test_games import one_round, whole_game
from tests.api.people.test_people import befriend, block
from tests.api.tournaments.test_team_events import MINUTE, Cup
from tools.orders.messages import Messages

DAY = 24 * 3_600_000
SECRET = "x" * 32

#: What is due at a table by its clock: cards are dealt, time runs out. Whoever looks first stores it, in the events
#: that a worker would (`Tables.load`), so that no answer shows a time that is over. Each version is written once.
DUE: Final = dict.fromkeys(
    ("sj:{b??}:*:head", "sj:{b??}:*:log", "sj:{b??}:due", "sj:{b??}:owed", "sj:{b??}:notify", "sj:{b??}:watch"),
    "what is due at a table by its clock",
)
#: Operation -> pattern of the keys that it writes -> why it may. No operation under `games:read` writes anything.
WRITES: Final[dict[str, dict[str, str]]] = {
    **dict.fromkeys(("getTable", "getVoice", "listEvents", "listLegalPlays", "exportAccount"), DUE),
}
#: Who is there is noted every ten seconds beside all requests, and by whoever looks whether a game was found.
HERE: Final = "sj:{players}:here"


class House:
    """A service in which a bit of everything goes on: `parts` are the parameters of paths."""

    def __init__(self, world):
        self.world = world
        world.start(
            daily_events=("sishifen:4",),
            bot_ladder=("sishifen:4",),
            operator_token=SECRET,
            public_url="https://games.example",
        )
        world.now = world.now // DAY * DAY + 8 * 3_600_000
        self.lin, self.mei = world.player("Lin", "human"), world.player("Mei", "human")
        self.ops = world.anybody.with_token(SECRET)
        self.parts = {"player": self.lin.player["id"], "ruleset": "shengji"}
        self.people()
        self.yesterday()
        self.games()
        self.tables()
        self.team_events()

    def done(self, answer, *statuses):
        assert answer.status_code in (statuses or (200, 201, 202, 204)), answer.json
        return answer.json

    def people(self):
        lin, mei, world = self.lin, self.mei, self.world
        befriend(lin, mei)
        block(lin, world.player("Mallory"))
        self.done(lin.put(f"/v1/me/mutes/{world.player('Loud').player['id']}"))
        self.done(lin.post("/v1/me/tokens", {"name": "Board", "scopes": ["tables:read"]}))
        rated = {**new_result(), "games": 1, "rated_games": 1}
        me = lin.player["id"]
        world.stores.results.settle("gm_1", "shengji", [me], lambda _: {me: rated}, lambda _: 12.5, world.now)
        messages = Messages(world)
        messages.subscribe(lin, events=["game_kept"])
        world.services.inbox.game_kept([me], "tb_1", "gm_1")
        messages.run()
        [hook] = lin.get("/v1/me/webhooks").json["items"]
        self.parts["webhook"] = hook["id"]
        self.done(lin.post(f"/v1/players/{mei.player['id']}/reports", {"reason": "other"}))
        self.done(self.ops.post("/v1/operator/registration-codes", {}))
        self.done(self.ops.post("/v1/operator/blocks", {"network": "203.0.113.0/24"}))

    def yesterday(self):
        """Events of equal deals: one with a board that AI players have yet to play, and one that nobody has played."""
        lin, world = self.lin, self.world
        world.conduct()
        [event, *_] = lin.get("/v1/events").json["items"]
        self.parts["event"] = event["event"]
        self.done(lin.post(f"/v1/events/{event['event']}/entries"))
        table = self.done(lin.post(f"/v1/events/{event['event']}/boards/1/table"))["table"]
        result = {"deal": 0, "game": "gm_2", "at": world.now, "value": 5, "points": 45, "side": "attackers"}
        world.stores.boards.add_result(event["event"], 1, lin.player["id"], result)
        self.done(lin.post(f"/v1/tables/{table}/votes", {"kind": "abandon"}))
        idle = new_event("ev_idle", "sishifen", 4, world.now, Random(1).randbytes)
        world.stores.boards.create(idle, 9 * DAY)

    def games(self):
        """A finished game whose round somebody has shared, and one whose analysis somebody has asked for."""
        table = whole_game(self.world)
        self.parts["game"] = table.state()["game"]["id"]
        path = f"/v1/games/{self.parts['game']}/rounds/1"
        self.parts["code"] = self.done(table.host.post(f"{path}/share", None))["code"]
        self.parts["deal_link"] = self.done(table.host.post(f"{path}/deal-links", None))["code"]
        self.player = table.host
        running = one_round(self.world)
        self.parts["running"] = running.state()["game"]["id"]
        self.runner = running.host

    def tables(self):
        """A table that waits for a play whose time is over, an open one, a search for a game, and a challenge."""
        world, lin = self.world, self.lin
        listed = self.done(lin.post("/v1/tables", {"ruleset": "shengji", "players": 4, "visibility": "public"}))
        self.parts["join_code"] = listed["join_code"]
        self.done(lin.post(f"/v1/tables/{listed['id']}/invitations", {"player": self.mei.player["id"]}))
        table = world.table(hints="on", clock={"play_ms": 30_000})
        table.play_until("play")
        self.parts["table"] = table.id
        self.seat = table.clients[table.turn()[0]]
        bot = world.player("Ten lines")
        self.done(bot.patch("/v1/me", {"accepts": {"concurrent": 2}}))
        world.stores.people.note_here([bot.player["id"]], world.now)
        challenge = self.done(
            lin.post(f"/v1/players/{bot.player['id']}/challenges", {"ruleset": "shengji", "players": 4})
        )
        self.parts["challenge"] = challenge["challenge"]
        self.done(self.mei.post("/v1/me/ticket", {"ruleset": "shengji", "players": 4}))
        room = self.done(lin.post("/v1/rooms", {"name": "Friday", "rules": {"ruleset": "shengji", "players": 4}}))
        club = self.done(lin.post("/v1/clubs", {"name": "Lakeside"}))
        spring = {"name": "Spring", "starts_at": "2020-03-01T00:00:00Z", "ends_at": "2020-06-01T00:00:00Z"}
        season = self.done(lin.post(f"/v1/clubs/{club['club']}/seasons", spring))
        self.parts |= {"club": club["club"], "club_link": club["code"], "season": season["season"]}
        self.parts |= {"room": room["room"], "room_link": room["links"]["member"]}

    def team_events(self):
        """A round that has been played in part when its time ends."""
        self.cup = Cup(self.world, teams=2, boards=2, round_ms=60 * MINUTE)
        self.parts["cup"] = self.cup.id
        # A board is shown when it is over at all tables.
        self.watcher = self.world.player("Watcher")
        self.done(self.cup.director.put(f"{self.cup.path}/showing", {}))
        self.cup.begin()
        self.lost = Cup(self.world, teams=2, boards=1, round_ms=2 * DAY)
        self.parts["lost"] = self.lost.id
        self.lost.begin()
        self.coming = Cup(self.world, teams=2, boards=1)
        self.parts["coming"], self.director = self.coming.id, self.coming.director
        self.cup.advance_others()
        # What an earlier release opened again when somebody asked for it.
        self.world.stores.tables.delete(self.lost.table_of(self.lost.captains[0]))

    def client(self, name):
        return {"anybody": self.world.anybody, "captain": self.cup.captains[0]}.get(name) or getattr(self, name)


#: Path -> its status, if it is not 200.
OTHER_STATUSES: Final = {
    # The time of the decision is up, so another seat is asked.
    "/v1/tables/{table}/legal-plays": 409,
    # The table is of no room.
    "/v1/tables/{table}/voice": 409,
    # Nobody has asked for it.
    "/v1/games/{game}/analysis?round=1": 404,
    # It is over, but not counted yet.
    "/v1/team-events/{cup}/matches/1-1": 409,
    # It is over, but not at all tables, and not counted yet.
    "/v1/team-events/{cup}/showing/boards/1/matches/1-1": 409,
}

#: Operation -> who asks, and paths as often as they differ in what they may do. `who`: an attribute of `House`.
ASKED: Final = {
    "getService": ("lin", ["/v1"]),
    "getHealth": ("lin", ["/healthz"]),
    "getLiveness": ("lin", ["/livez"]),
    "getReadiness": ("ops", ["/readyz"]),
    "getMetrics": ("ops", ["/metrics"]),
    "getMe": ("lin", ["/v1/me"]),
    "listMyTables": ("lin", ["/v1/me/tables", "/v1/me/tables?turn=mine"]),
    "getPlayer": ("mei", ["/v1/players/{player}"]),
    "listRatings": ("lin", ["/v1/players/{player}/ratings?ruleset=shengji"]),
    "listTokens": ("lin", ["/v1/me/tokens"]),
    "listRights": ("lin", ["/v1/me/rights"]),
    "exportAccount": ("lin", ["/v1/me/export"]),
    "listMutes": ("lin", ["/v1/me/mutes"]),
    "listMyRegistrationCodes": ("lin", ["/v1/me/registration-codes"]),
    "listBlocks": ("lin", ["/v1/me/blocks"]),
    "listFriends": ("lin", ["/v1/me/friends"]),
    "listInvitations": ("mei", ["/v1/me/invitations"]),
    "listMyRooms": ("lin", ["/v1/me/rooms"]),
    "getRoom": ("lin", ["/v1/rooms/{room}"]),
    "getRoomHistory": ("lin", ["/v1/rooms/{room}/history"]),
    "getRoomLink": ("mei", ["/v1/room-links/{room_link}"]),
    "listClubs": ("mei", ["/v1/clubs"]),
    "listMyClubs": ("lin", ["/v1/me/clubs"]),
    "getClub": ("lin", ["/v1/clubs/{club}"]),
    "listClubTables": ("lin", ["/v1/clubs/{club}/tables"]),
    "listClubEvents": ("lin", ["/v1/clubs/{club}/events"]),
    "listClubSeasons": ("lin", ["/v1/clubs/{club}/seasons"]),
    "getClubSeason": ("lin", ["/v1/clubs/{club}/seasons/{season}"]),
    "getClubRanking": ("lin", ["/v1/clubs/{club}/ranking?ruleset=shengji"]),
    "getClubLink": ("mei", ["/v1/club-links/{club_link}"]),
    "getDeals": ("lin", ["/v1/rulesets/{ruleset}/deals/4"]),
    "listRulesets": ("lin", ["/v1/rulesets"]),
    "getRuleset": ("lin", ["/v1/rulesets/{ruleset}"]),
    "listTables": ("lin", ["/v1/tables"]),
    "getJoinCode": ("lin", ["/v1/join-codes/{join_code}"]),
    "getTicket": ("mei", ["/v1/me/ticket"]),
    "listPools": ("lin", ["/v1/pools"]),
    "listBots": ("lin", ["/v1/bots"]),
    "getChallenge": ("lin", ["/v1/challenges/{challenge}"]),
    "getTable": ("seat", ["/v1/tables/{table}"]),
    "getVoice": ("seat", ["/v1/tables/{table}/voice"]),
    "getOrders": ("seat", ["/v1/tables/{table}/seats/me/orders"]),
    "listLegalPlays": ("seat", ["/v1/tables/{table}/legal-plays"]),
    "listEvents": ("seat", ["/v1/tables/{table}/events"]),
    "listMyEvents": ("lin", ["/v1/me/events", "/v1/me/events?after=0"]),
    "getNotices": ("lin", ["/v1/me/notices"]),
    "getAppeal": ("lin", ["/v1/me/appeal"]),
    "getCalendar": ("lin", ["/v1/me/calendar"]),
    "getPushKey": ("lin", ["/v1/push-key"]),
    "listPushSubscriptions": ("lin", ["/v1/me/push-subscriptions"]),
    "listWebhooks": ("lin", ["/v1/me/webhooks"]),
    "getWebhook": ("lin", ["/v1/me/webhooks/{webhook}"]),
    "listDeliveries": ("lin", ["/v1/me/webhooks/{webhook}/deliveries"]),
    "getGame": ("runner", ["/v1/games/{game}", "/v1/games/{running}"]),
    "getRecord": ("player", ["/v1/games/{game}/record"]),
    "getRound": ("player", ["/v1/games/{game}/rounds/1"]),
    "getRoundState": ("player", ["/v1/games/{game}/rounds/1/states/20"]),
    "getRoundEvents": ("player", ["/v1/games/{game}/rounds/1/events"]),
    "getSharedRound": ("anybody", ["/v1/shared-rounds/{game}/1?code={code}"]),
    "listMyGames": ("player", ["/v1/me/games"]),
    "listMyRounds": ("player", ["/v1/me/rounds"]),
    "listMyMistakes": ("player", ["/v1/me/mistakes"]),
    "listMyRiddles": ("player", ["/v1/me/riddles"]),
    "listPlayerGames": ("player", ["/v1/players/{player}/games"]),
    "getAnalysis": ("player", ["/v1/games/{game}/analysis?round=1"]),
    "getPar": ("player", ["/v1/games/{game}/rounds/1/par"]),
    "listBoardEvents": ("lin", ["/v1/events", "/v1/events?for=bots"]),
    "getBoardEvent": ("lin", ["/v1/events/{event}"]),
    "getBoard": ("lin", ["/v1/events/{event}/boards/1"]),
    "getStandings": ("lin", ["/v1/events/{event}/standings", "/v1/events/ev_idle/standings"]),
    "listMyDealLinks": ("player", ["/v1/me/deal-links"]),
    "getDealLink": ("mei", ["/v1/deal-links/{deal_link}"]),
    "compareDeal": ("player", ["/v1/deal-links/{deal_link}/comparison"]),
    "listTeamEvents": ("lin", ["/v1/team-events"]),
    "getTeamEvent": ("captain", ["/v1/team-events/{cup}", "/v1/team-events/{lost}"]),
    "getTeamMatch": ("captain", ["/v1/team-events/{cup}/matches/1-1"]),
    "listShownBoards": ("watcher", ["/v1/team-events/{cup}/showing"]),
    "getShownBoard": ("watcher", ["/v1/team-events/{cup}/showing/boards/1/matches/1-1"]),
    "getNextRound": ("director", ["/v1/team-events/{coming}/next-round"]),
    "getTeamStandings": ("captain", ["/v1/team-events/{cup}/standings"]),
    "getLogOfTeamEvent": ("captain", ["/v1/team-events/{cup}/log"]),
    "exportTeamResults": ("captain", ["/v1/team-events/{cup}/results"]),
    "getLeaderboard": ("lin", ["/v1/leaderboard?ruleset=shengji"]),
    "listReports": ("ops", ["/v1/operator/reports"]),
    "findPlayers": ("ops", ["/v1/operator/players?name=lin"]),
    "lookUpPlayer": ("ops", ["/v1/operator/players/{player}"]),
    "listObjections": ("player", ["/v1/me/objections"]),
    "listPositions": ("ops", ["/v1/operator/objections"]),
    "listDeeds": ("ops", ["/v1/operator/deeds"]),
    "getAdmission": ("ops", ["/v1/operator/admission"]),
    "listRegistrationCodes": ("ops", ["/v1/operator/registration-codes"]),
    "listNetworkBlocks": ("ops", ["/v1/operator/blocks"]),
    "listAlikeAccounts": ("ops", ["/v1/operator/players/{player}/alike"]),
    "listAlikePlayers": ("ops", ["/v1/operator/events/{event}/alike"]),
}


class Stored:
    """The contents of Redis: dumps of the values, without the times at which they expire.

    Budgets are counted in memory here (`MemoryCounter`); in service, `LIMITER/…` in the Redis of the queues.
    """

    def __init__(self, redis):
        self._redis = redis
        self._names = sorted(redis.scan_iter(count=1_000))
        self._ttls = self._of(redis.pttl, "pttl")
        self.values = self._of(redis.dump, "dump")

    def _of(self, _command, name):
        pipeline = self._redis.pipeline(transaction=False)
        for key in self._names:
            getattr(pipeline, name)(key)
        return dict(zip(self._names, pipeline.execute(), strict=True))

    def changed(self, after):
        """Keys whose values differ later."""
        keys = self.values.keys() | after.values.keys()
        return {key for key in keys if self.values.get(key) != after.values.get(key)}

    def restore(self, keys):
        for key in keys:
            self._redis.delete(key)
            if key in self.values:
                self._redis.restore(key, max(self._ttls[key], 0), self.values[key])


def test_every_operation_that_reads_is_tried():
    reads = {item["get"]["operationId"] for item in document()["paths"].values() if "get" in item}
    assert reads == ASKED.keys()
    reading = [each for resource in RESOURCES for each in resource.operations if each.scope == "games:read"]
    assert not WRITES.keys() & {each.id for each in reading}


def test_reading_changes_nothing(world, monkeypatch):
    monkeypatch.setattr(auth, "CACHE_S", 0.0)
    house = House(world)
    # A day is over, with its event and the time of a round, and another has begun.
    world.now += DAY
    # Once a day it is noted that somebody is heard of.
    for who in sorted({who for who, _ in ASKED.values()}):
        house.client(who).get("/v1/tables/tb_none")
    written, needless = {}, {(operation, key) for operation, keys in WRITES.items() for key in keys}
    statuses = {}
    before = Stored(world.redis)
    for operation, (who, paths) in ASKED.items():
        for path in paths:
            answer = house.client(who).get(path.format(**house.parts))
            statuses[path] = answer.status_code
            after = Stored(world.redis)
            changed = before.changed(after) - {HERE.encode()}
            # What one request writes must not hide what the next would have written.
            before.restore(changed)
            for key in (name.decode() for name in changed):
                known = [each for each in WRITES.get(operation, {}) if fnmatch.fnmatchcase(key, each)]
                needless -= {(operation, each) for each in known}
                if not known:
                    written.setdefault(operation, set()).add(key)
    assert {path: status for path, status in statuses.items() if status != OTHER_STATUSES.get(path, 200)} == {}
    assert written == {}
    assert {operation for operation, _ in needless} <= {operation for operation, keys in WRITES.items() if keys is DUE}
    # What nobody writes by reading, the clock's process does.
    world.conduct()
    captain = house.cup.captains[0]
    [first] = captain.get(f"{house.cup.path}").json["played"]
    assert (first["status"], first["pending"]) == ("over", None)
    assert captain.get(f"{house.cup.path}/matches/1-1").status_code == 200
    assert house.lost.captains[0].get(house.lost.path).json["mine"]["table"] is not None
    assert [each["status"] for each in house.lin.get("/v1/events").json["items"]] == ["open", "over", "over"]
