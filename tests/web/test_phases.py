"""Every phase of every kind of game: it is there again after a reload, everybody can use it, and it fits its window.

A phase is looked at once: pictures of it go to `var/screens`.
"""

import json
from collections.abc import Callable, Iterator

import pytest

from tests.web.looking import faults
from tests.web.person import DESKTOP, PHONE, Person

pytestmark = pytest.mark.browser

Game = Callable[[Person], Iterator[str]]

#: With these deals the seat 0 gets to do what the name says.
CALLS = "monday, the cards of"
DEFENDS = "a seat may defend 13"
OVERCALLS = "an overcall for the kitty 6"
#: Nobody gets a card to declare with in the first nine circles, so the phase is the same for 45 seconds.
SLOW = "a slow deal 1449"


def looks_at(lin: Person, table: str, kind: str, name: str = "") -> str:
    """Open the table in a phase, and return its name."""
    lin.opens(table)
    assert lin.asked() == kind
    return name or kind


def finding_friends(lin: Person) -> Iterator[str]:
    table = lin.makes("finding_friends", 4, ai=False, options={"declarer_by": "trump_maker"}, seed=CALLS)
    lin.opens(table)
    lin.page.wait_for_selector(".lobby-table")
    yield "waiting"
    for seat in (1, 2, 3):
        lin.api("PUT", f"/tables/{table}/seats/{seat}/ai", {})
    lin.api("PUT", f"/tables/{table}/seats/me/ready", {})
    while lin.asked() == "declare" and not lin.page.locator(".panel .set").count():
        lin.answers()
    yield looks_at(lin, table, "declare")
    lin.declares()
    lin.plays_until("discard")
    yield "discard"
    lin.answers()
    lin.plays_until("call")
    yield "call"
    lin.answers()
    lin.plays_until("play")
    yield "lead"
    lin.answers()
    lin.plays_until("play")
    yield "follow"
    lin.finishes(table)
    lin.page.wait_for_selector("dialog.summary")
    yield "summary"
    lin.api("POST", f"/tables/{table}/votes", {"kind": "end_early"})
    lin.page.wait_for_selector("dialog.summary .winners")
    yield "over"


def arms_length(lin: Person) -> Iterator[str]:
    table = lin.makes("arms_length", 4)
    lin.api("PUT", f"/tables/{table}/seats/me/ready", {})
    yield looks_at(lin, table, "road")
    lin.api("POST", f"/tables/{table}/votes", {"kind": "abandon"})
    lin.page.wait_for_selector(".panel.ended")
    yield "abandoned"


def timed_deal(lin: Person) -> Iterator[str]:
    table = lin.makes("sishifen", 4, options={"deal_pace": "timed"}, clock={"deal_interval_ms": 5_000}, seed=SLOW)
    lin.api("PUT", f"/tables/{table}/seats/me/ready", {})
    lin.opens(table)
    lin.page.wait_for_selector(".hand .card")
    yield "dealing"


def defence(lin: Person) -> Iterator[str]:
    options = {"defence": "immediate", "overcall": "longer", "decks": 3}
    table = lin.makes("shengji", 4, ai=False, options=options, seed=DEFENDS)
    guests = lin.invites(table, 4)
    lin.opens(table)
    lin.is_asked("defend", guests, guests_declare=lambda shown: shown[-1:] == [0])
    yield "defend"


def overcall(lin: Person) -> Iterator[str]:
    options = {"chao_di": True, "chao_di_rule": "overcall"}
    table = lin.makes("shengji", 4, ai=False, options=options, seed=OVERCALLS)
    guests = lin.invites(table, 4)
    lin.opens(table)
    lin.is_asked("overcall-kitty", guests, declares=False, guests_declare=lambda shown: not shown)
    yield "overcall-kitty"


GAMES: dict[Game, set[str]] = {
    finding_friends: {"waiting", "declare", "discard", "call", "lead", "follow", "summary", "over"},
    arms_length: {"road", "abandoned"},
    timed_deal: {"dealing"},
    defence: {"defend"},
    overcall: {"overcall-kitty"},
}

#: What a phase shows that has to be there again.
SHOWN = """() => [
    ".panel .ask", "dialog.summary .inside > :not(.buttons)", ".lobby-table .seats", ".chip .name", ".trump", ".called",
  ].map((part) => [...document.querySelectorAll(part)].map((each) => each.innerText))"""


@pytest.mark.parametrize(
    ("size", "locale", "colours"),
    [(PHONE, "en-GB", "light"), (DESKTOP, "zh-CN", "dark")],
    ids=["phone-en", "desktop-zh-dark"],
)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.__name__)
def test_a_phase_is_there_again_after_a_reload_and_can_be_used_by_everybody(
    person, axe, screens, game, size, locale, colours
):
    lin = person(size=size, locale=locale, colours=colours)
    lin.tolerated = ("status of 409",)  # while trumps are made, the AI players may be faster than the page
    lin.registers()
    seen, wrong = set(), {}
    page = lin.page
    for name in game(lin):
        seen.add(name)
        page.screenshot(path=screens / f"phase-{'phone' if size == PHONE else 'desktop'}-{name}.png")
        wrong[name] = list(faults(page, axe, chinese=locale == "zh-CN"))
        before, cards = page.evaluate(SHOWN), page.locator(".hand .card").count()
        page.reload()
        page.wait_for_selector("main.table")
        if name in ("summary", "over"):
            page.wait_for_selector("dialog.summary")
        lin.sees(f"document.querySelectorAll('.hand .card').length >= {cards}")
        lin.sees(f"JSON.stringify(({SHOWN})()) === JSON.stringify({json.dumps(before)})")
    assert seen == GAMES[game]
    assert {name: found for name, found in wrong.items() if found} == {}
