"""Every screen is accessible in both languages, in small and large windows; pictures of them to look at."""

import json
from pathlib import Path

import pytest

from service.api import client_pages
from service.api.client_pack import pack_of
from service.game.state.families import family_of
from tests.web.beside import asks, follows, is_scored
from tests.web.looking import faults, looks
from tests.web.past import ended_early
from tests.web.person import DESKTOP

pytestmark = pytest.mark.browser


#: Screens of an account that has nothing yet, and an element that each shows then.
ACCOUNT_SCREENS = [
    ("games", ".filters ~ .hint"),
    ("leaderboard", "main > .hint"),
    ("friends", ".box .qr"),
    ("teams", "a[href='#/teams/new']"),
    ("operator", "form.name"),
    ("link", ".instead .check"),
    ("recover", ".instead .check"),
]


def screens_of(lin):
    """Show one screen after the other, and yield their names. Phases of a game are in `test_phases`."""
    page = lin.page
    page.goto(lin.url)
    page.wait_for_selector("form.name")
    page.wait_for_selector(".games li")
    yield "welcome"
    lin.registers()
    page.wait_for_selector(".games li button")
    page.click(".start details summary")
    page.wait_for_selector(".settings select")
    yield "start"
    player = lin.account["player"]
    for name, ready in ACCOUNT_SCREENS:
        page.goto(f"{lin.url}/#/{name}")
        page.wait_for_selector(ready)
        yield f"{name}-none"
    lin.beside.keeps(ended_early(), [(player, "Lin")], ended_early().now)
    page.goto(f"{lin.url}/#/")
    page.click(".offer >> text=Make a recovery code")
    page.wait_for_selector(".offer code")
    yield "offer"
    for name in ("games", f"player/{player}"):
        page.goto(f"{lin.url}/#/{name}")
        page.wait_for_selector(".past > li")
        yield name.partition("/")[0]
    page.goto(f"{lin.url}/#/devices")
    page.click("text=Show a code")
    page.wait_for_selector(".addition")
    page.click("text=Rename")
    yield "devices"
    page.click("text=Cancel")
    page.click("text=Sign out")
    yield "devices-out"
    listed = lin.api("POST", "/tables", {"ruleset": "sishifen", "players": 4, "visibility": "public"})["id"]
    lin.api("POST", f"/tables/{listed}/seats", {"seat": 0})
    for name, ready in (
        ("new?ruleset=zhaopengyou", "form.create details"),
        ("lobby", ".my-tables li"),
        ("rules", ".my-tables li"),
        ("rules/shengji", ".rules section"),
        ("rules/arms_length", ".rules section"),
        ("nothere", "p[role=alert]"),
        ("table/tb_nothere", ".refusal"),
    ):
        page.goto(f"{lin.url}/#/{name}")
        page.wait_for_selector(ready)
        yield name.split("?")[0].replace("/", "-")
    lin.api("DELETE", f"/tables/{listed}")
    stranger = lin.api("POST", "/players", {"name": "Stranger", "kind": "human"})["token"]
    private = lin.api("POST", "/tables", {"ruleset": "sishifen", "players": 4}, token=stranger)["id"]
    page.goto(f"{lin.url}/#/table/{private}")
    page.wait_for_selector("form.name input")
    yield "door"
    table = lin.makes("finding_friends", 6)
    lin.beside.is_ready(table, lin.account["player"])
    lin.beside.plays_on(table, follows)
    lin.opens(table)
    page.click(".panel.play .suggest")
    page.wait_for_selector(".panel.play .reason")
    yield "table"
    page.click("header button >> nth=-1")
    page.wait_for_selector("dialog.menu")
    yield "menu"
    page.keyboard.press("Escape")
    page.click("header button >> nth=-2")
    page.wait_for_selector("dialog.chat")
    yield "chat"
    page.keyboard.press("Escape")
    lin.loses_network()
    page.wait_for_selector(".offline")
    yield "offline"
    lin.context.set_offline(False)
    page.wait_for_selector(".offline", state="detached")
    lin.finishes(table)
    page.wait_for_selector("dialog.summary")
    yield "summary"
    page.click("dialog.summary a.button")
    page.wait_for_selector(".replay .hand .card")
    yield "replay"
    page.goto(f"{lin.url}/#/games")
    page.wait_for_selector(".past > li")
    lin.is_signed_out()
    page.wait_for_selector(".signed-out")
    page.click(".signed-out summary")
    yield "signed-out"
    lin.signs_in_again()


def test_every_screen_is_accessible_and_fits(person, axe, picture):
    lin = person(fresh=True)
    # Addresses that lead nowhere, AI players who make trumps before Lin does, and no network.
    lin.tolerated = ("status of 403", "status of 404", "status of 409", "ERR_INTERNET_DISCONNECTED", "Failed to fetch")
    wrong = {}
    for at, name in enumerate(screens_of(lin)):
        # The selector may also match the screen before: wait until this one has all that it has asked for.
        lin.is_still()
        for look, chinese in looks(lin, at):
            if name == "table-tb_nothere":  # a text of the service, in the language of the request
                lin.page.reload()
                lin.page.wait_for_selector(".refusal")
            picture(lin.page, f"{look}-{name}.png")
            wrong[look, name] = list(faults(lin.page, axe, chinese=chinese))
    assert {name: faults_of for name, faults_of in wrong.items() if faults_of} == {}


def test_a_trick_can_be_played_by_keyboard_alone_and_is_announced(person):
    lin = person(size=DESKTOP)
    table = lin.begins("arms_length", 4, seed="others play after seat 0")
    page = lin.page
    lin.is_still()
    before = page.locator(".hand .card").count()
    page.focus(".hand .card")
    page.keyboard.press("End")
    page.keyboard.press("Escape")
    page.keyboard.press("Space")
    page.wait_for_selector(".hand .card:last-child[aria-pressed=true]")
    page.focus(".panel.play .suggest")
    page.keyboard.press("Enter")
    # The suggestion replaces what was chosen, and comes with its reason.
    page.wait_for_selector(".panel.play .reason")
    page.focus(".hand .card[aria-pressed=true]")
    known = lin.api("GET", f"/tables/{table}")["version"]
    page.keyboard.press("Enter")
    lin.sees(f"document.querySelectorAll('.hand .card').length === {before - 1}")
    page.wait_for_selector("[role=log] p >> text=wins the trick")
    page.wait_for_selector(".panel.play")
    events = lin.api("GET", f"/tables/{table}/events?after={known}&limit=500")["events"]
    plays = [each for each in events if each["type"] == "played" and each["data"]["seat"] != 0]
    won = [each for each in events if each["type"] == "trick_won"]
    assert plays
    assert won
    lin.sees(f"document.querySelectorAll('[role=log] p').length === {len(plays) + len(won)}")
    heard = page.locator("[role=log] p").all_inner_texts()
    assert len([line for line in heard if "wins the trick" in line]) == len(won)
    assert sum(line.count(" of ") for line in heard) == sum(len(each["data"]["cards"]) for each in plays)


def must_follow_suit(state):
    """Tell whether seat 0 has to follow, and holds cards that it may not play."""
    if not follows(state):
        return False
    legal, _ = family_of(state).legal_plays(state, 0, 500)
    return len(legal) < sum(state["round"]["hands"][0])


def test_a_double_tap_plays_and_a_refusal_says_why(person):
    lin = person()
    lin.tolerated = ("422",)
    lin.begins("arms_length", 4, until=must_follow_suit)
    page = lin.page
    # Cards that are part of no legal play are dimmed, but can be tried.
    page.wait_for_selector(".hand .card.dimmed")
    before = page.locator(".hand .card").count()
    # A point of a card that no other card covers.
    corner = {"x": 9, "y": 9}
    page.locator(".hand .card.dimmed").last.dblclick(position=corner)
    page.wait_for_selector(".refusal")
    assert page.inner_text(".refusal b")
    page.click(".refusal button")
    page.locator(".hand .card:not(.dimmed)").last.dblclick(position=corner)
    lin.sees(f"document.querySelectorAll('.hand .card').length === {before - 1}")


def test_finished_rounds_can_be_replayed_without_a_network(person):
    lin = person(keeps_pages=True)
    lin.tolerated = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "Failed to fetch")
    lin.begins("sishifen", 4, until=is_scored)
    page = lin.page
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()  # the page was loaded before there was a service worker
    page.wait_for_selector("dialog.summary")
    page.click("dialog.summary a.button")
    page.wait_for_selector(".replay .hand .card")
    place = page.url
    lin.context.set_offline(True)
    page.goto(f"{lin.url}/")
    page.wait_for_selector(".hello")
    page.goto(place)
    page.wait_for_selector(".replay .hand .card")
    # Every step is stored on this device, though only the first was shown.
    steps = int(page.get_attribute(".replay input[type=range]", "max"))
    played = page.locator(".hand .card").count()
    for step in (1, steps // 2, steps):
        page.locator(".replay input[type=range]").fill(str(step))
        page.wait_for_selector(f".replay .panel .ask >> text=Step {step + 1} of {steps + 1}")
        assert page.locator(".replay .hand .card").count() <= played
        played = page.locator(".replay .hand .card").count()
    assert played == 0
    page.goto(f"{lin.url}/#/lobby")
    page.wait_for_selector(".offline >> text=No connection")
    # The view of another seat is not, and arrives when the network is back.
    page.goto(place)
    page.wait_for_selector(".replay .hand .card")
    page.select_option(".replay select", "1")
    page.wait_for_selector(".replay .offline")
    before = page.inner_text(".replay .hand")
    lin.context.set_offline(False)
    page.wait_for_selector(".replay .offline", state="detached")
    lin.sees(f"document.querySelector('.replay .hand').innerText !== {json.dumps(before)}")
    # The same deal can be played again, from the seat that is shown.
    page.click(".replay button.again")
    page.wait_for_url("**/#/table/*")
    view = lin.api("GET", f"/tables/{page.url.rpartition('/')[2]}")
    assert view["practice"] == {"seed": None, "repeats": True}
    assert view["viewer"] == {"role": "seat", "seat": 1}


def test_the_page_loads_without_a_network_right_after_the_first_visit(person):
    lin = person(keeps_pages=True)
    lin.tolerated = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "Failed to fetch")
    lin.registers()
    page = lin.page
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.goto(f"{lin.url}/#/lobby")  # only the part after the # changes: nothing is loaded again
    lin.context.set_offline(True)
    page.reload()
    page.wait_for_selector(".offline >> text=No connection")
    page.goto(f"{lin.url}/?from=home")
    page.wait_for_selector(".hello")
    values = page.evaluate(
        """caches.open("shengji-2").then((cache) => cache.keys())
            .then((all) => all.map((each) => new URL(each.url).pathname))"""
    )
    client = Path(client_pages.__file__).parents[1] / "web" / "client"
    assert {"/", *(f"/{name}" for name in pack_of(client).files)} <= set(values)


def test_a_replay_links_to_the_rounds_before_and_after(person):
    lin = person()
    table = lin.begins("sishifen", 4, until=is_scored)
    page = lin.page
    page.click("dialog.summary .main")
    page.wait_for_selector("dialog.summary", state="detached")
    lin.beside.plays_on(table, asks("play"))
    lin.finishes(table)
    page.click("dialog.summary a.button")
    page.click(".replay a >> text=Round before")
    page.wait_for_selector(".replay .topbar >> text=Round 1")
    page.wait_for_selector(".replay .hand .card")
    page.click(".replay a >> text=Round after")
    page.wait_for_selector(".replay .topbar >> text=Round 2")
    assert page.locator(".replay a >> text=Round after").count() == 0


#: Goes to step 4, and returns the address as soon as it is drawn.
STEPS = """async () => {
    const input = document.querySelector(".replay input[type=range]");
    input.value = "3";
    input.dispatchEvent(new Event("input", { bubbles: true }));
    for (let turn = 0; turn < 10; turn += 1) await null;
    return location.hash;
}"""


def test_the_address_of_a_replay_names_its_position(person):
    lin = person()
    lin.begins("sishifen", 4, until=is_scored)
    page = lin.page
    page.click("dialog.summary a.button")
    page.wait_for_selector(".replay .hand .card")
    assert "at=3" in page.evaluate(STEPS), "a later change would take the place of the next address"
    for at in (5, 0, 5):
        page.goto(f"{page.url.split('?')[0]}?at={at}")
        page.wait_for_selector(f".replay .panel .ask >> text=Step {at + 1} of")


def test_a_table_that_is_not_there_is_an_error_with_a_way_home(person):
    lin = person()
    lin.tolerated = ("404",)
    lin.registers()
    lin.page.goto(f"{lin.url}/#/table/tb_nope")
    lin.page.wait_for_selector(".refusal")
    assert lin.page.locator("h1").count() == 0
    lin.page.click("main a >> text=Home")
    lin.page.wait_for_selector(".hello")


@pytest.mark.parametrize(
    ("address", "view"), [("rules/nothere", ".refusal"), ("%E0%A4%A", "p[role=alert]"), ("nothere", "p[role=alert]")]
)
def test_an_address_that_leads_nowhere_says_so(person, address, view):
    lin = person()
    lin.tolerated = ("404",)
    lin.registers()
    lin.page.goto(f"{lin.url}/#/{address}")
    lin.page.wait_for_selector(view)
    lin.page.goto(f"{lin.url}/#/")
    lin.page.wait_for_selector(".hello")
