"""Every screen of the page, and what has to happen at the service before there is anything to see on it."""

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser
from playwright.sync_api import Error as BrowserError
from redis import Redis

from harness.make_run import Service
from service.boards.deals import new_event
from service.boards.scoring import standings
from service.processes.embedded_redis import EmbeddedRedis
from service.store.boards.events import BoardStore
from tests.conftest import OPERATOR_TOKEN
from tests.web.beside import Beside, asks, follows, leads, only
from tests.web.past import ended_early, whole
from tests.web.person import Homes, Person
from tests.web.pictures.recording import Recorder, Recording, Screen

DAY_MS = 86_400_000
#: With these deals, seat 0 gets to do what the name says (see `tests/web/table/test_phases.py`).
CALLS = "monday, the cards of"
DEFENDS = "a seat may defend 13"
OVERCALLS = "an overcall for the kitty 6"
#: What is asked and the buttons that answer, and the own hand, in both languages.
CONTROLS, HAND = "[role=group][data-decision]", "[role=group]:has([data-card])"


class Scenes:
    """Brings the service to what the screens show, and records them.

    Attributes:
        lin: the person whose page is shown.
    """

    def __init__(self, lin: Person, service: Service, recorder: Recorder) -> None:
        self.lin = lin
        self._service = service
        self._recorder = recorder

    def shows(self, screen: str, address: str, ready: str, *steps: str, **account: Any) -> None:
        """Record a screen as Lin sees it; `account` is stored on the device besides the account itself."""
        own = {key: self.lin.account[key] for key in ("token", "player", "name")} | {"offered": True}
        self._recorder.records(Screen(screen, address, ready, [*steps], {**own, **account}))

    def shows_stranger(self, screen: str, address: str, ready: str, *steps: str, **account: Any) -> None:
        """Record a screen as somebody without an account sees it."""
        self._recorder.records(Screen(screen, address, ready, [*steps], account))

    def joins(self, name: str) -> dict[str, Any]:
        """Register another player; return the player and the token."""
        made: dict[str, Any] = self.lin.api("POST", "/players", {"name": name, "kind": "human"})
        return made

    def arrival(self) -> None:
        self.shows_stranger("welcome", "", "main select")
        self.shows_stranger("refused", "?api=http://other.example", "main")
        self.shows_stranger("learn-stranger", "#/learn", "main ol a")
        self.shows_stranger("signed-out", "", "role=alert", "click summary >> nth=0", out=True, name="Lin")
        self.shows("start", "", "main select", "click details:last-of-type > summary", offered=False)
        for name, ready in (
            ("games", "main p"),
            ("leaderboard", "main table"),
            ("friends", "main svg[role=img]"),
            ("teams", "a[href='#/teams/new']"),
            ("operator", "main form"),
            ("link", "main input[type=checkbox]"),
            ("recover", "main input[type=checkbox]"),
            ("devices", "main li"),
        ):
            self.shows(f"{name}-none", f"#/{name}", ready)
        self.shows("nothere", "#/nothere", "role=alert")
        self.shows("table-nothere", "#/table/tb_nothere", "role=alert")
        self.shows("suspended", "", "main", suspended=True)

    def rules(self) -> None:
        self.shows("rules", "#/rules", "main h1")
        for game in ("shengji", "arms_length", "finding_friends"):
            self.shows(f"rules-{game}", f"#/rules/{game}", "main section")
        self.shows("new", "#/new?ruleset=zhaopengyou", "form details")
        self.shows("new-options", "#/new?ruleset=shengji", "form details", "click form details summary")
        self.shows("learn", "#/learn", "main ol a")
        self.shows("learn-points", "#/learn/points", "main button", lessons={"done": ["cards"]})

    def people(self) -> None:
        lin, me = self.lin, self.lin.account["player"]
        practice = lin.beside.keeps(ended_early(), [(me, "Lin")], ended_early().now)
        ann, bo, mal, cy = (self.joins(name) for name in ("Ann", "Bo", "Mal", "Cy"))
        lin.beside.keeps(whole(), [(me, "Lin"), (ann["player"]["id"], "Ann")], whole().now)
        for each in (ann, bo):
            lin.api("PUT", f"/me/friends/{each['player']['id']}")
        for each in (ann, cy):
            lin.api("PUT", f"/me/friends/{me}", token=each["token"])
        lin.api("PUT", f"/me/blocks/{mal['player']['id']}")
        self.shows("friends", "#/friends", "main li", "click summary >> nth=0")
        self.shows("friends-person", "#/friends", "main li", "click main li a >> nth=0")
        self.shows("friends-link", f"#/friends/{cy['player']['id']}", "main svg[role=img]")
        self.shows("games", "#/games", "main ol > li")
        self.shows("player", f"#/player/{me}", "main ol > li")
        self.shows("player-other", f"#/player/{ann['player']['id']}", "main details")
        self.shows("leaderboard", "#/leaderboard", "main table")
        self.shows("leaderboard-game", "#/leaderboard/arms_length", "main table")
        self.shows("replay-first", f"#/replay/{practice}/1", "role=slider")
        self.shows("replay", f"#/replay/{practice}/1?at=24", "role=slider")
        self.shows("replay-end", f"#/replay/{practice}/1?at=400", "role=slider")
        other = lin.api("POST", "/tables", {"ruleset": "sishifen", "players": 4}, token=ann["token"])["id"]
        self.shows("door", f"#/table/{other}", "main form input")
        lin.api("POST", f"/tables/{other}/seats", {"seat": 0}, token=ann["token"])
        lin.api("POST", f"/tables/{other}/invitations", {"player": me}, token=ann["token"])
        self.shows("invited", "", "aside section")
        lin.api("DELETE", f"/tables/{other}", token=ann["token"])

    def waiting(self) -> None:
        lin = self.lin
        table = lin.makes("shengji", 4, ai=False, visibility="public")
        code = lin.api("GET", f"/tables/{table}")["join_code"]
        self.shows("waiting-alone", f"#/table/{table}", "main ol li")
        mei = self.joins("Mei")
        lin.api("POST", f"/tables/{table}/seats", {"seat": 2, "join_code": code}, token=mei["token"])
        lin.api("PUT", f"/tables/{table}/seats/3/ai", {"level": "expert"})
        lin.api("PUT", f"/tables/{table}/seats/me/ready", {}, token=mei["token"])
        lin.api("POST", f"/tables/{table}/chat", {"text": "Hello, Lin"}, token=mei["token"])
        lin.api("POST", f"/tables/{table}/chat", {"preset": "well_played"})
        self.shows("waiting", f"#/table/{table}", "main ol li")
        self.shows("waiting-rules", f"#/table/{table}", "main ol li", "click main details summary")
        self.shows("waiting-guest", f"#/table/{table}", "main ol li", token=mei["token"])
        self.shows("chat", f"#/table/{table}", "main ol li", "click header button >> nth=-2", "wait role=dialog")
        self.shows("lobby", "#/lobby", "main li a")
        lin.api("DELETE", f"/tables/{table}")

    def _phase(self, name: str, table: str, until: Callable[[Any], bool], *steps: str, **plays: Any) -> None:
        self.lin.beside.plays_on(table, until, **plays)
        self.shows(name, f"#/table/{table}", CONTROLS, *steps)

    def phases(self) -> None:
        lin = self.lin
        options = {"declarer_by": "trump_maker"}
        table = lin.makes("finding_friends", 6, options=options, seed=CALLS, hints="on")
        lin.beside.is_ready(table, lin.account["player"])
        for name, until in (
            ("declare", asks("declare")),
            ("discard", asks("discard")),
            ("call", asks("call")),
            ("lead", leads),
        ):
            self._phase(f"table-{name}", table, until, shows=only(0))
        self._phase(
            "table-follow", table, follows, f"click {CONTROLS} button >> nth=0", f"wait {CONTROLS} [role=status]"
        )
        place = f"#/table/{table}"
        menu = ("click header button >> nth=-1", "wait role=dialog")
        self.shows("table-menu", place, CONTROLS, *menu)
        self.shows("table-chat", place, CONTROLS, "click header button >> nth=-2", "wait role=dialog")
        lin.finishes(table)
        self.shows("summary", place, "role=dialog")
        lin.api("POST", f"/tables/{table}/votes", {"kind": "end_early"})
        lin.page.wait_for_timeout(500)
        self.shows("summary-over", place, "role=dialog")

    def other_games(self) -> None:
        lin = self.lin
        table = lin.makes("arms_length", 4, seed="a pair to follow")
        lin.beside.is_ready(table, lin.account["player"])
        self._phase("table-road", table, asks("road"))
        self._phase("table-pairs", table, follows)
        lin.api("DELETE", f"/tables/{table}")
        options = {"defence": "immediate", "overcall": "longer", "decks": 3}
        table = lin.makes("shengji", 4, options=options, seed=DEFENDS)
        lin.beside.is_ready(table, lin.account["player"])
        self._phase("table-defend", table, asks("defend"))
        lin.api("DELETE", f"/tables/{table}")
        table = lin.makes("shengji", 4, options={"chao_di": True, "chao_di_rule": "overcall"}, seed=OVERCALLS)
        lin.beside.is_ready(table, lin.account["player"])
        self._phase("table-overcall", table, asks("overcall-kitty"), shows=only(1, 2, 3))
        lin.api("DELETE", f"/tables/{table}")

    def watched(self) -> None:
        lin = self.lin
        table = lin.makes(
            "sishifen",
            4,
            ai=False,
            visibility="public",
            seed="watched by a guest",
            spectators="delayed",
            spectator_delay_ms=0,
        )
        code = lin.api("GET", f"/tables/{table}")["join_code"]
        guests = [self.joins(name) for name in ("Mei", "Wu")]
        for seat, guest in enumerate(guests, 1):
            lin.api("POST", f"/tables/{table}/seats", {"seat": seat, "join_code": code}, token=guest["token"])
            lin.api("PUT", f"/tables/{table}/seats/me/ready", {}, token=guest["token"])
        lin.api("PUT", f"/tables/{table}/seats/3/ai", {"level": "easy"})
        lin.beside.is_ready(table, lin.account["player"])
        lin.beside.plays_on(table, asks("play", 1))
        self.shows("table-waits", f"#/table/{table}", f"{HAND} button")
        lin.api("POST", f"/tables/{table}/votes", {"kind": "abandon"})
        self.shows("table-vote", f"#/table/{table}", f"{HAND} button")
        stranger = self.joins("Zoe")
        self.shows("table-watched", f"#/table/{table}", "header button", token=stranger["token"], player="pl_zoe")
        for guest in guests:
            vote = lin.api("GET", f"/tables/{table}", token=guest["token"])["vote"]
            if vote:
                path = f"/tables/{table}/votes/{vote['id']}"
                lin.api("PUT", path, {"approve": True}, token=guest["token"])
        self.shows("table-abandoned", f"#/table/{table}", "main section[role=status] button")

    def events(self) -> None:
        me = self.lin.account["player"]
        store = BoardStore(Redis.from_url(EmbeddedRedis(self._service.folder / "var" / "redis").url))
        now = int(time.time() * 1000)
        event = new_event("ev_past", "shengji", 4, now - 2 * DAY_MS, bytes)
        for board in event["boards"]:
            del board["seeds"][1:]
        store.create(event, DAY_MS)
        for at, player in enumerate((me, "pl_other0000001", "pl_other0000002")):
            store.enter("ev_past", player, {"name": f"P{at}", "at": now - 2 * DAY_MS})
            result = {"deal": 0, "game": f"gm_{at}_1", "at": now - DAY_MS, "value": 10 * at, "points": 80 + 10 * at}
            store.add_result("ev_past", 1, player, {**result, "side": "attackers"})
        for deal in range(4):
            store.add_field("ev_past", 1, deal, [5, 15])
        rows = standings(event, store.entries("ev_past"), store.results("ev_past", [1]), store.fields("ev_past"))
        store.set_standings("ev_past", rows)
        self.shows("event-over", "#/event/ev_past", "table tbody tr")
        for each in self.lin.api("GET", "/events")["items"]:
            if each["event"].startswith("ev_2"):
                self.shows("event", f"#/event/{each['event']}", "main ol > li")
                break

    def teams(self) -> None:
        lin, me = self.lin, self.lin.account["player"]
        spec = {"ruleset": "sishifen", "players": 4, "rounds": 2, "boards": 2, "ai_pace_ms": 0, "name": "Spring Cup"}
        self.shows("teams-new", "#/teams/new", "main form")
        event = lin.api("POST", "/team-events", {**spec, "clock": {"play_ms": 600_000}})["event"]
        self.shows("teams-entry", f"#/teams/{event}", "input[name=team]")
        captains = [self.joins(name) for name in ("Ann", "Bo")]
        ai = [{"level": "easy"}] * 3
        entered = lin.api(
            "POST",
            f"/team-events/{event}/teams",
            {
                "teams": [
                    {"name": "Dragons", "members": [{"player": captains[0]["player"]["id"]}, *ai]},
                    {"name": "Phoenix", "members": [{"player": me}, *ai]},
                ]
            },
        )["entries"]
        self.shows("teams-asked", f"#/teams/{event}", "main section button")
        self.shows("teams-direct-first", f"#/teams/{event}/direct", "main form, main li")
        for team, token in zip(entered, (captains[0]["token"], lin.account["token"]), strict=True):
            lin.api("PUT", f"/team-events/{event}/teams/{team['team']}/confirmation", token=token)
        lin.api("POST", f"/team-events/{event}/rounds", {"round": 1})
        self.shows("teams-playing", f"#/teams/{event}", "main section a[href^='#/table/']")
        self.shows("teams-direct", f"#/teams/{event}/direct", "main li")
        lin.api("PATCH", f"/team-events/{event}/rounds/1", {"closes_at": "2023-01-01T00:00:00Z"})
        lin.page.wait_for_timeout(1_000)
        self.shows("teams-results", f"#/teams/{event}", "table tbody tr", "click main li summary")
        lin.api("POST", f"/team-events/{event}/closing")
        self.shows("teams-over", f"#/teams/{event}", "table tbody tr")
        self.shows("teams", "#/teams", "a[href='#/teams/new']")

    def devices(self) -> None:
        query = "client_id=scores&redirect_uri=https%3A%2F%2Fscores.example%2Fback&response_type=code"
        query += f"&code_challenge={'a' * 43}&code_challenge_method=S256&scope=tables%3Aread"
        self.shows("consent", f"#/consent?{query}", "main section li")
        self.shows("consent-wrong", "#/consent?client_id=scores", "role=alert")
        self.shows("consent-device", "#/consent/device", "input[name=code]")
        self.shows("devices", "#/devices", "main li")
        self.shows("devices-rename", "#/devices", "main li", "click main li button >> nth=0")

    def operators(self) -> None:
        lin, mal = self.lin, self.joins("Mal")
        table = lin.makes("sishifen", 4, ai=False, visibility="public")
        code = lin.api("GET", f"/tables/{table}")["join_code"]
        lin.api("POST", f"/tables/{table}/seats", {"seat": 1, "join_code": code}, token=mal["token"])
        lin.api("POST", f"/tables/{table}/chat", {"text": "Insult"}, token=mal["token"])
        details = {"reason": "chat", "table": table, "text": "Insults me"}
        lin.api("POST", f"/players/{mal['player']['id']}/reports", details)
        enter = (f"fill input[name=operator] = {OPERATOR_TOKEN}", "click main form button", "wait main nav a")
        self.shows("operator", "#/operator", "main form", *enter)
        look_up = "click main li a[href*=player] >> nth=-1"
        self.shows("operator-player", "#/operator", "main form", *enter, look_up, "wait input[name=until]")
        for number in (1, 2, 3):
            tab = f"click main nav a >> nth={number}"
            self.shows(f"operator-{number}", "#/operator", "main form", *enter, tab)


def record(browser: Browser, service: Service) -> list[Recording]:
    """Record all screens of a service that was started for this alone."""
    beside = Beside(service)
    lin = Person(service.url, Homes(browser), beside, fresh=True)
    lin.registers()
    recorder = Recorder(browser, service.url)
    scenes = Scenes(lin, service, recorder)
    for scene in (
        scenes.arrival,
        scenes.rules,
        scenes.people,
        scenes.waiting,
        scenes.phases,
        scenes.other_games,
        scenes.watched,
        scenes.events,
        scenes.teams,
        scenes.devices,
        scenes.operators,
    ):
        try:
            scene()
        except (AssertionError, BrowserError) as error:  # the other screens are of use without it
            print(f"{scene.__name__}: {type(error).__name__}: {str(error)[:600]}")
    beside.close()
    return recorder.recordings
