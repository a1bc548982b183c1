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

    def api(self, method: str, path: str, body: object = None) -> Any:
        """Ask the API as this person, beside the page."""
        answer = self.context.request.fetch(
            f"{self.url}/v1{path}",
            method=method,
            headers={"Authorization": f"Bearer {self.account['token']}", "Content-Type": "application/json"},
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

    def opens(self, table: str) -> None:
        self.page.goto(f"{self.url}/#/table/{table}")
        self.page.wait_for_selector("main.table")

    def begins(self, ruleset: str, players: int, **spec: Any) -> str:
        """Register, make a table with AI players, and be ready; the page shows the table."""
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
            self.page.locator(f"{panel} .buttons .main:not(:disabled)").first.click(timeout=patience)
            self.page.wait_for_selector(panel, state="detached", timeout=PATIENCE)
        except Late:
            if patience == PATIENCE:
                raise
        return kind

    def plays_until(self, kind: str, seconds: float = 120) -> list[str]:
        """Answer decisions until one of a kind is asked, which is left open; return the kinds answered."""
        answered: list[str] = []
        deadline = time.monotonic() + seconds
        while self.asked() != kind:
            assert time.monotonic() < deadline, f"no {kind} after {answered}"
            answered.append(self.answers())
        return answered


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
