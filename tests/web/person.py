"""A person in front of the client: uses the controls of the page, and nothing else."""

import json
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as Late

PHONE = (390, 844)
DESKTOP = (1440, 900)
#: How long the page may take for anything on a busy machine, ms.
PATIENCE = 90_000


class Person:
    """A browser with a window of a size and in a language.

    Attributes:
        page: what the person sees.
        errors: what the browser complained about: scripts, blocked content, files that are missing.
    """

    def __init__(
        self,
        url: str,
        browser: Browser,
        *,
        size: tuple[int, int] = PHONE,
        locale: str = "en-GB",
        name: str = "Lin",
        colours: str = "light",
        motion: str = "reduce",
    ) -> None:
        self.url = url
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale=locale,
            color_scheme=colours,
            reduced_motion=motion,
            has_touch=size == PHONE,
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.errors: list[str] = []
        self.tolerated: tuple[str, ...] = ()
        self.page.on("console", lambda message: self._note(message.type, message.text))
        self.page.on("pageerror", lambda error: self._note("error", str(error)))
        # Nobody needs to look at finished tricks.
        self.context.add_init_script(
            "if (!localStorage.shengji) localStorage.shengji = JSON.stringify({ pause: 'none', sounds: false });"
        )
        self.name = name

    def _note(self, kind: str, text: str) -> None:
        if kind == "error" and not any(part in text for part in self.tolerated):
            self.errors.append(text)

    def leave(self) -> None:
        self.context.close()

    def registers(self) -> None:
        self.page.goto(self.url)
        self.page.fill("input[name=name]", self.name)
        self.page.click("form.name button")
        self.page.wait_for_selector(".hello")

    @property
    def account(self) -> dict[str, Any]:
        return json.loads(self.page.evaluate("localStorage.shengji"))

    def api(self, method: str, path: str, body: object = None, *, token: str | None = None) -> Any:
        """Ask the API as this person, or whose token it is, beside the page."""
        answer = self.context.request.fetch(
            f"{self.url}/v1{path}",
            method=method,
            headers={"Authorization": f"Bearer {token or self.account['token']}", "Content-Type": "application/json"},
            data=None if body is None else json.dumps(body),
        )
        assert answer.ok, answer.text()
        return answer.json() if answer.text() else None

    def sees(self, condition: str, page: Page | None = None) -> None:
        """Wait until an expression of JavaScript holds; the page's policy forbids Playwright's own way."""
        deadline = time.monotonic() + PATIENCE / 1000
        while not (page or self.page).evaluate(condition):
            assert time.monotonic() < deadline, condition
            self.page.wait_for_timeout(30)

    def makes(self, ruleset: str, players: int, *, ai: bool = True, **spec: Any) -> str:
        """Make a table beside the page, by default with AI players on all other seats; return its id."""
        if ruleset != "arms_length":
            spec["options"] = {"deal_pace": "instant", **spec.get("options", {})}
        # Nobody is hurried, however busy the machine is.
        clock = dict.fromkeys(("play_ms", "discard_ms", "call_ms", "declare_ms", "defence_ms", "ready_ms"), 600_000)
        spec["clock"] = {**clock, **spec.get("clock", {})}
        table = self.api("POST", "/tables", {"ruleset": ruleset, "players": players, "ai_pace_ms": 0, **spec})["id"]
        self.api("POST", f"/tables/{table}/seats", {"seat": 0})
        for seat in range(1, players) if ai else ():
            self.api("PUT", f"/tables/{table}/seats/{seat}/ai", {})
        return table

    def invites(self, table: str, seats: int) -> "list[Guest]":
        """Bring players without a page to the seats 1, 2, … of a table; all are ready."""
        code = self.api("GET", f"/tables/{table}")["join_code"]
        guests = [Guest(self, table, code, seat) for seat in range(1, seats)]
        for token in (self.account["token"], *(guest.token for guest in guests)):
            self.api("PUT", f"/tables/{table}/seats/me/ready", {}, token=token)
        return guests

    def opens(self, table: str) -> None:
        self.page.goto(f"{self.url}/#/table/{table}")
        self.page.wait_for_selector("main.table")

    def begins(self, ruleset: str, players: int, **spec: Any) -> str:
        """Register, make a table with AI players, and be ready; the page shows the table."""
        # While trumps are made, the AI players may be faster than the page.
        self.tolerated += ("status of 409",)
        self.registers()
        table = self.makes(ruleset, players, **spec)
        self.api("PUT", f"/tables/{table}/seats/me/ready", {})
        self.opens(table)
        return table

    def asked(self) -> str:
        """Wait until the page asks for something; return the kind of decision, or `summary` of the round."""
        shown = self.page.wait_for_selector(".panel, dialog.summary", state="attached")
        assert shown is not None
        return self.page.evaluate(
            """document.querySelector("dialog.summary") ? "summary"
                : document.querySelector(".panel")?.classList[1] ?? ''"""
        )

    def answers(self) -> str:
        """Answer the open decision by the controls of its panel: as suggested, else by passing. Return its kind."""
        kind = self.asked()
        if kind in ("summary", ""):
            return kind
        decision = self.page.get_attribute(".panel", "data-decision")
        panel = f".panel[data-decision='{decision}']"
        # While trumps are made, others may be faster, or there may be nothing to press yet.
        patience = 1_000 if kind in ("declare", "defend", "overcall-kitty") else PATIENCE
        try:
            if kind in ("play", "discard"):
                self.page.click(f"{panel} .suggest", timeout=patience)
                # The line with the answer moves the buttons: a click in between is lost.
                self.page.wait_for_selector(f"{panel} .reason")
            self.page.locator(f"{panel} .buttons .main:not(:disabled)").first.click(timeout=patience)
            self.page.wait_for_selector(panel, state="detached", timeout=PATIENCE)
        except Late:
            if patience == PATIENCE:
                raise
        return kind

    def declares(self) -> None:
        """Show the first set that the page offers."""
        decision = self.page.get_attribute(".panel", "data-decision")
        self.page.locator(".panel .set").first.click()
        self.page.wait_for_selector(f".panel[data-decision='{decision}']", state="detached")

    def is_asked(
        self,
        kind: str,
        guests: "list[Guest]",
        *,
        declares: bool = True,
        guests_declare: Callable[[list[int]], bool] = lambda _: False,
    ) -> None:
        """Make trumps beside guests until the page asks for a decision of a kind.

        Args:
            declares: whether this person declares, where it is possible.
            guests_declare: whether guests do, by the seats that have declared so far.
        """
        deadline = time.monotonic() + PATIENCE / 1000
        while self.page.locator(f".panel.{kind}").count() == 0:
            assert time.monotonic() < deadline, f"nobody is asked to {kind}"
            if self.page.locator(".panel.declare").count():
                if declares and self.page.locator(".panel .set").count():
                    self.declares()
                else:
                    self.answers()
            for guest in guests:
                guest.answers(lambda view: guests_declare([each["seat"] for each in view["round"]["declarations"]]))

    def finishes(self, table: str) -> dict[str, Any]:
        """Play on to the end of the round beside the page, in another tab say; return the view then."""
        while not (view := self.api("GET", f"/tables/{table}"))["round"]["result"]:
            decision = view["decision"]
            if decision and decision["kind"] == "play" and view["my"]["seat"] in decision["seats"]:
                cards = self.api("GET", f"/tables/{table}/legal-plays?limit=1")["plays"][0]
                self.api("POST", f"/tables/{table}/play", {"decision_id": decision["id"], "cards": cards})
            self.page.wait_for_timeout(10)
        return view

    def plays_until(self, kind: str, seconds: float = 120) -> list[str]:
        """Answer decisions until one of a kind is asked, which is left open; return the kinds answered."""
        answered: list[str] = []
        deadline = time.monotonic() + seconds
        while self.asked() != kind:
            assert time.monotonic() < deadline, f"no {kind} after {answered}"
            answered.append(self.answers())
        return answered


class Guest:
    """A player without a page, at a seat of a table."""

    def __init__(self, host: Person, table: str, code: str, seat: int) -> None:
        made = host.api("POST", "/players", {"name": f"Guest {seat}", "kind": "human"})
        self.token, self.seat, self.path, self._host = made["token"], seat, f"/tables/{table}", host
        self.api("POST", "/seats", {"seat": seat, "join_code": code})

    def api(self, method: str, path: str = "", body: object = None) -> Any:
        return self._host.api(method, self.path + path, body, token=self.token)

    def answers(self, declares: Callable[[dict[str, Any]], bool]) -> None:
        """Answer if the table asks: declare if it is wanted, bury what is suggested, otherwise pass."""
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


def two_at_a_table(person: Callable[..., Person], **spec: Any) -> tuple[Person, Person, str]:
    """Return Lin, and Mei who plays after Lin, both with the page open, and their table."""
    lin, mei = person(), person(name="Mei")
    for each in (lin, mei):
        each.registers()
    table = lin.makes("sishifen", 4, ai=False, **spec)
    code = lin.api("GET", f"/tables/{table}")["join_code"]
    mei.api("POST", f"/tables/{table}/seats", {"seat": 1, "join_code": code})
    for seat in (2, 3):
        lin.api("PUT", f"/tables/{table}/seats/{seat}/ai", {})
    for each in (lin, mei):
        each.api("PUT", f"/tables/{table}/seats/me/ready", {})
    for each in (lin, mei):
        each.opens(table)
        each.page.wait_for_selector(".table.playing")
    return lin, mei, table
