"""A person at the client: acts by the controls of the page, and sets up tables by the API."""

import json
import re
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, Request, Response, expect
from playwright.sync_api import TimeoutError as Late

from harness.tables import choose
from harness.waiting import wait_until
from service.game.state.types import State
from service.tables import Choose
from tests.web.beside import Beside, anybody, is_asked_to_play, is_scored
from tests.web.sight import PATIENCE, Sight

PHONE = (390, 844)
DESKTOP = (1440, 900)
#: Preferences of persons: no pause after a trick, no sounds, and no decision is answered automatically.
QUIET = {"pause": "none", "sounds": False, "obvious": False}


def until(page: Page, what: str, condition: str | Callable[[], object], patience: int = PATIENCE) -> None:
    """Wait until a JavaScript expression or a function is true; if it never is, fail and say what was waited for.

    The content security policy of the page forbids Playwright's `wait_for_function`.
    """
    true = partial(page.evaluate, condition) if isinstance(condition, str) else condition
    # A pause of the page, so that Playwright hears of its events meanwhile.
    wait_until(true, what, seconds=patience / 1000, pause=lambda: page.wait_for_timeout(30))


RANKS = {
    "2": "Two",
    "3": "Three",
    "4": "Four",
    "5": "Five",
    "6": "Six",
    "7": "Seven",
    "8": "Eight",
    "9": "Nine",
    "T": "Ten",
    "J": "Jack",
    "Q": "Queen",
    "K": "King",
    "A": "Ace",
}
#: The button that opens the chat, also while there are new messages.
CHAT = re.compile("^(Chat|聊天)")
#: The button that asks what to do, in both languages.
HINT = re.compile("^(Suggest|Legal cards|提示|合规出牌)$")
#: Kind of decision -> the buttons that answer it.
ANSWERS = {
    "play": re.compile("^(Play|出牌)"),
    "discard": re.compile("^(Bury|埋底)"),
    "declare": re.compile("^(Pass|不)"),
    "defend": re.compile("^(Pass|不)"),
    "overcall-kitty": re.compile("^(Pass|不)"),
    "call": re.compile("^(Call|叫)"),
    "road": re.compile("^(High road|高路)$"),
}
SUITS = {"S": "spades", "H": "hearts", "C": "clubs", "D": "diamonds"}


def spoken(card: str) -> str:
    """Return the name of a card as it is read out in English."""
    return {"BJ": "Big joker", "LJ": "Little joker"}.get(card) or f"{RANKS[card[0]]} of {SUITS[card[1]]}"


#: Sends requests of the page a second late: those that read, or the others.
HELD = """(held) => {
  const send = window.fetch;
  window.fetch = async (url, how) => {
    const reads = (how?.method ?? "GET") === "GET";
    if (reads === (held === "reads")) await new Promise((go) => setTimeout(go, 1_000));
    return send(url, how);
  };
}"""


class Home:
    """A browser context with the page loaded, used by one person after the other, each a player of their own.

    Args:
        held: which requests of the page are held for a second: "reads", "writes" or None.
    """

    def __init__(self, context: BrowserContext, held: str | None = None) -> None:
        self.context = context
        if held:
            context.add_init_script(f"({HELD})({json.dumps(held)})")
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        context.add_init_script(f"localStorage.shengji ||= {json.dumps(json.dumps(QUIET))};")
        self.account: dict[str, Any] | None = None
        #: Whether somebody has left it, and nobody else has registered since.
        self.is_used = False


class Homes:
    """Lends contexts of one browser: a new context and its first page cost more than most tests."""

    def __init__(self, browser: Browser, held: str | None = None) -> None:
        self._browser = browser
        self._held = held
        self._free: dict[tuple[object, ...], list[Home]] = {}

    def lend(self, key: tuple[object, ...], *, fresh: bool, **how: Any) -> Home:
        free = self._free.get(key, [])
        return free.pop() if free and not fresh else Home(self._browser.new_context(**how), self._held)

    def take_back(self, key: tuple[object, ...], home: Home) -> None:
        self._free.setdefault(key, []).append(home)


class Person(Sight):
    """Somebody at a browser with a certain window size and language.

    Args:
        fresh: use a new browser context, for tests that change settings or add scripts.
        keeps_pages: let the service worker be installed, in a new context. While it starts, Chromium may send requests
            past the routes of a test.

    Attributes:
        page: what the person sees.
        errors: what the browser reported: errors of scripts, blocked content, missing files.
    """

    def __init__(
        self,
        url: str,
        homes: Homes,
        beside: Beside,
        *,
        size: tuple[int, int] = PHONE,
        locale: str = "en-GB",
        name: str = "Lin",
        colours: str = "light",
        motion: str = "reduce",
        fresh: bool = False,
        keeps_pages: bool = False,
    ) -> None:
        self.url = url
        self.beside = beside
        self.name = name
        self.fresh = fresh or keeps_pages
        self._homes = homes
        self._key = (name, locale, size == PHONE)
        self._home = homes.lend(
            self._key,
            fresh=self.fresh,
            locale=locale,
            has_touch=size == PHONE,
            service_workers="allow" if keeps_pages else "block",
        )
        self.context, self.page = self._home.context, self._home.page
        super().__init__(self.page)
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.page.emulate_media(color_scheme=colours, reduced_motion=motion)
        self.errors: list[str] = []
        self._has_left = False
        self.tolerated: tuple[str, ...] = ()
        self._open: set[Request] = set()
        self._told_by: set[Request] = set()
        self._listeners = {
            "console": lambda message: self._note(message.type, f"{message.text} {message.location.get('url')}"),
            "pageerror": lambda error: self._note("error", str(error)),
            "request": self._asks,
            "response": self._hears,
            "requestfinished": self._is_answered,
            "requestfailed": self._is_answered,
        }
        for event, listener in self._listeners.items():
            self.page.on(event, listener)

    def _note(self, kind: str, text: str) -> None:
        if kind == "error" and not any(part in text for part in self.tolerated):
            self.errors.append(text)

    def _asks(self, request: Request) -> None:
        if "/events" not in request.url:
            self._open.add(request)

    def _hears(self, response: Response) -> None:
        if response.ok and "/events?" in f"{response.url}?":
            self._told_by.add(response.request)

    def _is_answered(self, request: Request) -> None:
        self._open.discard(request)
        self._told_by.discard(request)

    def leave(self) -> None:
        """Close the browser, or tidy it for the next person; do nothing the second time."""
        if self._has_left:
            return
        self._has_left, home = True, self._home
        # First of all, as a failing handler would fail later tests.
        self.page.unroute_all(behavior="ignoreErrors")
        # AI players would play on at these tables, and pages of the next person would list them.
        if "token" in (self._home.account or {}):
            for each in self.api("GET", "/me/tables")["items"]:
                self.context.request.delete(f"{self.url}/v1/tables/{each['table']}", headers=self._authorization())
        if self.fresh or home.account is None or self.errors:
            self.context.close()
            return
        home.context.set_offline(False)
        # Where no script of the page could store the account again.
        home.page.goto(f"{self.url}/healthz")
        home.page.evaluate("localStorage.clear(), sessionStorage.clear()")
        home.account, home.is_used = None, True
        for event, listener in self._listeners.items():
            home.page.remove_listener(event, listener)
        self._homes.take_back(self._key, home)

    def registers(self) -> None:
        """Become a player: by the form of the page, or quicker where somebody else has used it."""
        if self._home.is_used:
            made = self.context.request.post(f"{self.url}/v1/players", data={"name": self.name, "kind": "human"}).json()
            account = {"token": made["token"], "player": made["player"]["id"], "name": made["player"]["name"]}
            self.page.evaluate("(account) => (localStorage.shengji = JSON.stringify(account))", {**QUIET, **account})
            self._home.is_used = False
            self.page.goto(self.url)
        elif self._home.account:
            self.page.goto(f"{self.url}/#/")
        else:
            self.page.goto(self.url)
            self.takes_name(self.name)
        self.is_greeted()
        self._home.account = self._home.account or json.loads(self.page.evaluate("localStorage.shengji"))

    def takes_name(self, name: str) -> None:
        """Fill in the form of newcomers."""
        self.fills(re.compile("^(What should we call you|怎么称呼您)"), name)
        self.presses(re.compile("^(Continue|继续)$"))

    def is_greeted(self, name: str = "") -> None:
        """Wait until the start page greets this person, or a player of that name."""
        self.sees(re.compile(f"^(Hello, |您好，){name}"))

    def goes_to(self, address: str = "") -> None:
        """Open a page of the client by what follows `#/` in its address; "": the start page."""
        self.page.goto(f"{self.url}/#/{address}")

    def goes_home(self) -> None:
        self.goes_to()
        self.is_greeted()

    @property
    def account(self) -> dict[str, Any]:
        return self._home.account or json.loads(self.page.evaluate("localStorage.shengji"))

    def _authorization(self, token: str | None = None) -> dict[str, str]:
        return {"Authorization": f"Bearer {token or self.account['token']}"}

    def api(self, method: str, path: str, body: object = None, *, token: str | None = None) -> Any:
        """Call the API without the page, as this person or with another token."""
        answer = self.context.request.fetch(
            f"{self.url}/v1{path}",
            method=method,
            headers={**self._authorization(token), "Content-Type": "application/json"},
            data=None if body is None else json.dumps(body),
        )
        assert answer.ok, answer.text()
        return answer.json() if answer.text() else None

    def has_window(self, size: tuple[int, int]) -> None:
        """Resize the window, and wait until the page is drawn."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.is_drawn()

    def _stores(self, changes: dict[str, Any]) -> None:
        """Change what the page has stored, as another tab would."""
        self.page.evaluate(
            """(changes) => {
              localStorage.shengji = JSON.stringify({ ...JSON.parse(localStorage.shengji), ...changes });
              dispatchEvent(new StorageEvent("storage", { key: "shengji" }));
            }""",
            changes,
        )

    def loses_network(self) -> None:
        """Take the network away. Chromium spares open streams, so let the page open its stream again."""
        self.context.set_offline(True)
        self.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    def is_signed_out(self) -> None:
        """Sign the page out as if its token were void; the token stays valid."""
        self._stores({"token": "", "out": True})

    def signs_in_again(self) -> None:
        """Restore the account from which the page was signed out."""
        self._stores({**self.account, "out": False})

    def speaks(self, locale: str) -> None:
        """Switch the language of the page, as another tab would."""
        language = "zh-Hans" if locale == "zh-CN" else "en"
        self._stores({"language": language})
        until(self.page, f"the language {language}", f"document.documentElement.lang === {json.dumps(language)}")
        self.is_drawn()

    def is_still(self) -> None:
        """Wait until the page has no open requests, except for events, and is drawn."""
        self.is_drawn()  # what has just been shown asks in the next frame
        while self._open:
            until(self.page, "answers to all requests", lambda: not self._open)
            self.is_drawn()

    def is_told(self, of: str = "/me") -> None:
        """Wait until the page follows its account, or a table: news from now on reach it, and its loss is noticed."""
        path = f"/v1{of}/events"
        until(self.page, f"the stream of {of}", lambda: any(path in each.url for each in self._told_by))

    def is_drawn(self) -> None:
        """Wait for two frames, at most a second: a browser may draw none for a hidden page."""
        self.page.evaluate(
            "new Promise((drawn) => {"
            "  requestAnimationFrame(() => requestAnimationFrame(() => drawn()));"
            "  setTimeout(drawn, 1_000);"
            "})"
        )

    def makes(self, ruleset: str, players: int, *, ai: bool = True, **spec: Any) -> str:
        """Make a table by the API, by default with AI players on all other seats; return its id."""
        if ruleset != "arms_length":
            spec["options"] = {"deal_pace": "instant", **spec.get("options", {})}
        # No decision times out, however busy the machine is.
        clock = dict.fromkeys(("play_ms", "discard_ms", "call_ms", "declare_ms", "defence_ms", "ready_ms"), 600_000)
        wanted = spec.get("clock", {})
        spec["clock"] = wanted if "correspondence" in wanted else {**clock, **wanted}
        # A hint of the AI costs a search; with hints off, the page suggests a legal choice without asking.
        spec = {"ruleset": ruleset, "players": players, "ai_pace_ms": 0, "hints": "off", **spec}
        table = self.api("POST", "/tables", spec)["id"]
        self.api("POST", f"/tables/{table}/seats", {"seat": 0})
        for seat in range(1, players) if ai else ():
            self.api("PUT", f"/tables/{table}/seats/{seat}/ai", {"level": "easy"})
        return table

    def invites(self, table: str, seats: int) -> "list[Guest]":
        """Seat players without a page at seats 1, 2, … of a table; everybody is ready."""
        code = self.api("GET", f"/tables/{table}")["join_code"]
        guests = [Guest(self, table, code, seat) for seat in range(1, seats)]
        for token in (self.account["token"], *(guest.token for guest in guests)):
            self.api("PUT", f"/tables/{table}/seats/me/ready", {}, token=token)
        return guests

    def opens(self, table: str) -> None:
        self.goes_to(f"table/{table}")
        self.is_at_a_table()

    def begins(
        self,
        ruleset: str,
        players: int,
        *,
        until: Callable[[State], bool] | None = is_asked_to_play,
        shows: Callable[[int], bool] = anybody,
        by: Choose = choose,
        **spec: Any,
    ) -> str:
        """Register, make a table with AI players, and be ready; the page shows the table.

        Args:
            until: before the page opens, all seats play until this holds; None: the page shows the game from its
                first decision, while AI players move.
            shows, by: see `Beside.plays_on`.
        """
        # While trumps are made, the AI players may be faster than the page.
        self.tolerated += ("status of 409",)
        self.registers()
        table = self.makes(ruleset, players, **spec)
        if until is None:
            self.api("PUT", f"/tables/{table}/seats/me/ready", {})
        else:
            self.beside.is_ready(table, self.account["player"])
            self.beside.plays_on(table, until, shows=shows, by=by)
        self.opens(table)
        if until is not None:
            expect(self.controls.or_(self.result).first).to_be_attached()
        return table

    # What a player sees and does at a table.

    def is_at_a_table(self) -> None:
        """Wait until the page shows a table: its bar has a menu."""
        expect(self.control(re.compile("^(Menu|菜单|選單)$"))).to_be_attached()

    def is_at_a_replay(self) -> None:
        """Wait until the page shows a round that is over, with a hand that is not played yet."""
        self.field(re.compile("^(Position|位置)$")).wait_for()
        self.cards.first.wait_for()

    def is_waiting(self) -> None:
        """Wait until the page shows a table before its game."""
        self.all("list", re.compile("^(Seats|座位)$")).wait_for()

    def is_playing(self) -> None:
        """Wait until the page shows a running game."""
        expect(self.seats.first).to_be_attached()

    @property
    def seats(self) -> Locator:
        """The seats of a running game."""
        return self.all("region", re.compile(r"\d (cards?\b|张牌)"))

    def seat(self, name: str) -> Sight:
        """The seat of a player in a running game, with what is played there."""
        return self.part("region", re.compile(rf"^{name}[,，、].*\d (cards?\b|张牌)"))

    @property
    def hand(self) -> Locator:
        """My cards; each is a button, pressed if it is chosen."""
        return self.page.get_by_role("group", name=re.compile("^(Your hand|您的手牌)"))

    @property
    def cards(self) -> Locator:
        """The cards of my hand."""
        return self.hand.get_by_role("button")

    def card(self, card: str) -> Locator:
        """A card of my hand by its short name, such as `TS`; of equal ones, the first."""
        return self.hand.get_by_role("button", name=spoken(card)).first

    @property
    def chosen(self) -> Locator:
        """The cards that are chosen."""
        return self.hand.get_by_role("button", pressed=True)

    @property
    def controls(self) -> Locator:
        """What I am asked, and the buttons that answer."""
        return self.page.get_by_role("group", name=re.compile("^(What you can do now|现在可以做的)"))

    @property
    def result(self) -> Locator:
        """The result of the round, or of the game."""
        return self.page.get_by_role("dialog", name=re.compile(r"^(Round \d|The game is over|第 \d|牌局结束)"))

    def chooses(self, *cards: str) -> None:
        """Tap cards of the hand, by the names that are read out; of equal ones, the first that is not chosen."""
        for card in cards:
            unchosen = self.hand.get_by_role("button", name=re.compile(f"^{card}"), pressed=False)
            # Cards overlap: only the left edge of each is visible.
            unchosen.first.click(position={"x": 9, "y": 9})

    def plays(self) -> None:
        """Press the button that plays the chosen cards."""
        self.controls.get_by_role("button", name=ANSWERS["play"]).click()

    def asks_for_a_hint(self) -> Locator:
        """Ask what to do; return the answer."""
        self.controls.get_by_role("button", name=HINT).click()
        answer = self.controls.get_by_role("status")
        answer.wait_for()
        return answer

    def asked(self, decision: str) -> Locator:
        """My controls while they are for this decision."""
        return self.controls.and_(self.page.locator(f"[data-decision='{decision}']"))

    def is_asked(self, table: str) -> None:
        """Wait until the page asks for the decision that is open; it may still ask for one that has been answered."""
        self.asked(self.api("GET", f"/tables/{table}")["decision"]["id"]).wait_for()

    def has_caught_up(self, table: str) -> None:
        """Wait until the page shows as many cards as this person holds; plays made beside it arrive one by one."""
        held = len(self.api("GET", f"/tables/{table}")["my"]["hand"])
        expect(self.cards).to_have_count(held)

    @property
    def decision(self) -> str:
        """The id of the decision that the page asks for; "": none."""
        return str(self.controls.evaluate_all("(all) => all[0]?.dataset.decision ?? ''"))

    def decision_kind(self) -> str:
        """Wait until the page asks for a decision or shows the result; return the kind, or `summary`."""
        [table] = re.findall("#/table/([^?]+)", self.page.url)
        while True:
            expect(self.controls.or_(self.result).first).to_be_attached()
            if self.result.count():
                return "summary"
            decision = self.api("GET", f"/tables/{table}")["decision"]
            if decision and decision["id"] == self.decision:
                return str(decision["kind"])
            self.page.wait_for_timeout(30)

    def answers(self) -> str:
        """Answer the open decision on the page: as suggested, or by the main button. Return its kind."""
        kind = self.decision_kind()
        asked = self.asked(self.decision)
        if kind == "summary" or not asked.count():
            return kind
        # While trumps are made, others may be faster, or there may be nothing to press yet.
        patience = 1_000 if kind in ("declare", "defend", "overcall-kitty") else PATIENCE
        try:
            if kind in ("play", "discard"):
                asked.get_by_role("button", name=HINT).click(timeout=patience)
                # The reason moves the buttons when it appears, and a click at that moment is lost.
                asked.get_by_role("status").wait_for()
            asked.get_by_role("button", name=ANSWERS[kind], disabled=False).first.click(timeout=patience)
            expect(asked).to_have_count(0)
        except Late:
            if patience == PATIENCE:
                raise
        return kind

    def finishes(self, table: str) -> dict[str, Any]:
        """Play to the end of the round without the page; return the view then."""
        self.beside.plays_on(table, is_scored)
        return self.api("GET", f"/tables/{table}")

    def plays_until(self, kind: str, seconds: float = 120) -> list[str]:
        """Answer decisions until one of this kind is open, and leave that open; return the kinds answered."""
        answered: list[str] = []
        deadline = time.monotonic() + seconds
        while self.decision_kind() != kind:
            assert time.monotonic() < deadline, f"no {kind} after {answered}"
            answered.append(self.answers())
        return answered


class Guest:
    """A player without a page, at a seat of a table."""

    def __init__(self, host: Person, table: str, code: str, seat: int, token: str = "") -> None:
        self.token = token or host.api("POST", "/players", {"name": f"Guest {seat}", "kind": "human"})["token"]
        self.seat, self.path, self._host = seat, f"/tables/{table}", host
        seats = self.api("POST", "/seats", {"seat": seat, **({"join_code": code} if code else {})})["view"]["seats"]
        self.player: str = seats[seat]["occupant"]["player"]

    def api(self, method: str, path: str = "", body: object = None) -> Any:
        return self._host.api(method, self.path + path, body, token=self.token)

    def answers(self, declares: Callable[[dict[str, Any]], bool]) -> None:
        """Answer if asked: declare if `declares` says so, discard the example of the hints, otherwise pass."""
        view = self.api("GET")
        decision = view["decision"]
        if decision is None or self.seat not in decision["seats"]:
            return
        answer: dict[str, Any] = {"decision_id": decision["id"]}
        sets = decision["hints"].get("possible")
        if decision["kind"] == "discard":
            self.api("POST", "/discard", {**answer, "cards": decision["hints"]["example"]})
        elif decision["kind"] == "declare" and sets and declares(view):
            self.api("POST", "/declare", {**answer, "cards": sets[0]})
        elif decision["kind"] != "declare" or self.seat not in view["round"]["passes"]:
            self.api("POST", "/pass", answer)


def two_at_a_table(
    person: Callable[..., Person], tolerates: tuple[str, ...] = (), **spec: Any
) -> tuple[Person, Person, str]:
    """Return Lin, Mei who plays after her, and their table, which both have open."""
    lin, mei = person(), person(name="Mei")
    for each in (lin, mei):
        each.tolerated = tolerates
        each.registers()
    table = lin.makes("sishifen", 4, ai=False, **spec)
    code = lin.api("GET", f"/tables/{table}")["join_code"]
    mei.api("POST", f"/tables/{table}/seats", {"seat": 1, "join_code": code})
    for seat in (2, 3):
        lin.api("PUT", f"/tables/{table}/seats/{seat}/ai", {"level": "easy"})
    for each in (lin, mei):
        each.api("PUT", f"/tables/{table}/seats/me/ready", {})
    for each in (lin, mei):
        each.opens(table)
        each.is_playing()
        each.is_told(f"/tables/{table}")
    return lin, mei, table
