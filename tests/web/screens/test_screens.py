"""Every screen is accessible in both languages, in small and large windows; pictures of them to look at."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from harness.client import CLIENT
from service.api.client_pack import pack_of
from service.game.state.families import family_of
from tests.web.beside import asks, follows, is_scored
from tests.web.looking import faults, looks
from tests.web.past import ended_early
from tests.web.person import DESKTOP

pytestmark = pytest.mark.browser


#: Screens of an account that has nothing yet, and what each says then.
ACCOUNT_SCREENS = [
    ("games", "No finished game yet"),
    ("leaderboard", re.compile("Nobody's rating in this game|Nobody has a rating")),
    ("friends", "No friends yet"),
    ("teams", "Make a team event"),
    ("riddles", re.compile("^(No riddles today|Three a day)")),
    ("operator", "kept in this tab alone"),
    ("link", "I do not need Lin's account any more"),
    ("recover", "I do not need Lin's account any more"),
]


#: What an app asks for.
CONSENT = urlencode(
    {
        "client_id": "scores",
        "redirect_uri": "https://scores.example/back",
        "response_type": "code",
        "code_challenge": "a" * 43,
        "code_challenge_method": "S256",
        "scope": "tables:read",
    }
)


def addresses():
    """Return the first parts of all addresses of the page."""
    return set(re.findall(r'route\(\s*"(\w+)"', (CLIENT / "app" / "routes.js").read_text()))


def screens_of(lin):
    """Show one screen after the other, and yield their names. Phases of a game are in `test_phases`."""
    page = lin.page
    page.goto(lin.url)
    lin.sees("What should we call you?", "Two decks, partners face each other.")
    yield "welcome"
    lin.registers()
    lin.presses("Settings")
    lin.sees("Light or dark")
    expect(lin.control("Play")).to_be_enabled()
    yield "start"
    player = lin.account["player"]
    for name, ready in ACCOUNT_SCREENS:
        lin.goes_to(name)
        lin.sees(ready)
        yield f"{name}-none"
    lin.beside.keeps(ended_early(), [(player, "Lin")], ended_early().now)
    lin.goes_to()
    lin.presses("Make a recovery code")
    lin.sees("It is shown only now")
    yield "offer"
    for name in ("games", f"player/{player}"):
        lin.goes_to(name)
        lin.sees("ended early")
        yield name.partition("/")[0]
    lin.goes_to("devices")
    lin.presses("Show a code")
    lin.sees("It works for")
    lin.presses("Rename Device without a name")
    yield "devices"
    lin.presses("Cancel")
    lin.presses("Sign out Device without a name")
    yield "devices-out"
    today = lin.api("GET", "/events")["items"][0]["event"]
    cup = lin.api("POST", "/team-events", {"name": "Spring Cup", "ruleset": "sishifen", "players": 4})["event"]
    listed = lin.api("POST", "/tables", {"ruleset": "sishifen", "players": 4, "visibility": "public"})["id"]
    lin.api("POST", f"/tables/{listed}/seats", {"seat": 0})
    for name, ready in (
        ("new?ruleset=zhaopengyou", "Make the table"),
        ("lobby", "1/4"),
        ("rules", "Two decks, partners face each other."),
        ("rules/shengji", "Cards for each player"),
        ("rules/arms_length", "Cards for each player"),
        ("nothere", "There is nothing at this address."),
        ("table/tb_nothere", "There is no such table here."),
        ("tables", "The others"),
        ("learn", "Eight short lessons"),
        ("learn/points", "Begin"),
        ("alone", "On a train or in a tunnel"),
        ("dealt", "check_deals.py"),
        ("deal", "None yet"),
        ("events", "Today's boards"),
        ("room", "Make a room"),
        ("calendar", "Take this holiday"),
        ("appeal", "There is nothing to appeal against"),
        ("club", "Make a club"),
        ("days", "Take a place"),
        (f"orders/{listed}", "Play when only one play is legal"),
        ("ways", "External accounts"),
        ("teams/new", "Boards a round"),
        (f"event/{today}", "Board 1"),
        (f"hall/{cup}", "Scan to enter"),
        (f"hall/{cup}/slips", "There are slips while a round is played."),
        (f"hall/{cup}/watch", "The director does not show this event."),
        (f"hall/{cup}/boards", "There are results once a round is over."),
        (f"consent?{CONSENT}", "Allow"),
    ):
        lin.goes_to(name)
        lin.sees(ready)
        yield name.split("?")[0].replace("/", "-")
    lin.api("DELETE", f"/tables/{listed}")
    stranger = lin.api("POST", "/players", {"name": "Stranger", "kind": "human"})["token"]
    private = lin.api("POST", "/tables", {"ruleset": "sishifen", "players": 4}, token=stranger)["id"]
    lin.goes_to(f"table/{private}")
    lin.sees("You are invited")
    yield "door"
    table = lin.makes("finding_friends", 6)
    lin.beside.is_ready(table, lin.account["player"])
    lin.beside.plays_on(table, follows)
    lin.opens(table)
    lin.asks_for_a_hint()
    yield "table"
    lin.goes_to(f"since/{table}")
    lin.sees("Go to the table")
    yield "since"
    lin.opens(table)
    for name in ("Menu", "Chat"):
        lin.presses(name)
        lin.dialog(name).is_there()
        yield name.lower()
        page.keyboard.press("Escape")
    lin.loses_network()
    lin.sees("No connection")
    yield "offline"
    lin.context.set_offline(False)
    lin.sees_no("No connection", "Connecting")
    lin.finishes(table)
    lin.result.wait_for()
    yield "summary"
    lin.presses("Replay")
    lin.is_at_a_replay()
    yield "replay"
    lin.goes_to("games")
    lin.sees("ended early")
    lin.is_signed_out()
    lin.presses("Start anew")
    yield "signed-out"
    lin.signs_in_again()


def test_every_screen_is_accessible_and_fits(person, axe, picture):
    lin = person(fresh=True)
    # Addresses that lead nowhere, AI players who make trumps before Lin does, and no network.
    lin.tolerated = ("status of 403", "status of 404", "status of 409", "ERR_INTERNET_DISCONNECTED", "Failed to fetch")
    wrong, visited = {}, set()
    for at, name in enumerate(screens_of(lin)):
        visited.update(re.findall(r"#/(\w+)", lin.page.url))
        # What was waited for may also be on the screen before: wait until this one has all that it has asked for.
        lin.is_still()
        for look, chinese in looks(lin, at):
            if name == "table-tb_nothere":  # a text of the service, in the language of the request
                lin.page.reload()
                lin.all("alert").wait_for()
            picture(lin.page, f"{look}-{name}.png")
            wrong[look, name] = list(faults(lin.page, axe, chinese=chinese))
    assert {name: faults_of for name, faults_of in wrong.items() if faults_of} == {}
    assert addresses() - visited == set()


def test_a_trick_can_be_played_by_keyboard_alone_and_is_announced(person):
    lin = person(size=DESKTOP)
    table = lin.begins("arms_length", 4, seed="others play after seat 0")
    page = lin.page
    lin.is_still()
    before = lin.cards.count()
    lin.cards.first.focus()
    page.keyboard.press("End")
    page.keyboard.press("Escape")
    page.keyboard.press("Space")
    expect(lin.cards.last).to_have_attribute("aria-pressed", "true")
    lin.control("Legal cards").focus()
    page.keyboard.press("Enter")
    # The suggestion replaces what was chosen, and comes with its reason.
    lin.sees("This is only a legal choice")
    lin.chosen.first.focus()
    known = lin.api("GET", f"/tables/{table}")["version"]
    page.keyboard.press("Enter")
    expect(lin.cards).to_have_count(before - 1)
    aloud = lin.all("log").get_by_role("paragraph")
    aloud.filter(has_text="wins the trick").first.wait_for(state="attached")
    lin.control("Legal cards").wait_for()
    events = lin.api("GET", f"/tables/{table}/events?after={known}&limit=500")["events"]
    plays = [each for each in events if each["type"] == "played" and each["data"]["seat"] != 0]
    won = [each for each in events if each["type"] == "trick_won"]
    assert plays
    assert won
    expect(aloud).to_have_count(len(plays) + len(won))
    heard = aloud.all_inner_texts()
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
    # Cards that are part of no legal play say so, but can be tried.
    unplayable = lin.cards.filter(has_text="not playable now")
    unplayable.first.wait_for()
    before = lin.cards.count()
    # A point of a card that no other card covers.
    corner = {"x": 9, "y": 9}
    unplayable.last.dblclick(position=corner)
    refusal = lin.part("alert").is_there()
    assert refusal.read()
    refusal.presses("Close")
    lin.cards.filter(has_not_text="not playable now").last.dblclick(position=corner)
    expect(lin.cards).to_have_count(before - 1)


def test_finished_rounds_can_be_replayed_without_a_network(person):
    lin = person(keeps_pages=True)
    lin.tolerated = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "Failed to fetch")
    lin.begins("sishifen", 4, until=is_scored)
    page = lin.page
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()  # the page was loaded before there was a service worker
    lin.presses("Replay")
    lin.is_at_a_replay()
    place = page.url
    lin.context.set_offline(True)
    page.goto(f"{lin.url}/")
    lin.is_greeted()
    page.goto(place)
    lin.is_at_a_replay()
    # Every step is stored on this device, though only the first was shown.
    position = lin.field("Position")
    steps = int(position.get_attribute("max"))
    played = lin.cards.count()
    for step in (1, steps // 2, steps):
        position.fill(str(step))
        lin.sees(f"Step {step + 1} of {steps + 1}")
        assert lin.cards.count() <= played
        played = lin.cards.count()
    assert played == 0
    lin.goes_to("lobby")
    lin.sees("No connection")
    # The view of another seat is not, and arrives when the network is back.
    page.goto(place)
    lin.is_at_a_replay()
    lin.selects("Seen by", "1")
    lin.sees("No connection")
    before = lin.hand.inner_text()
    lin.context.set_offline(False)
    lin.sees_no("No connection")
    expect(lin.hand).not_to_have_text(before, use_inner_text=True)
    # The same deal can be played again, from the seat that is shown.
    lin.presses("Play this deal again")
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
    lin.goes_to("lobby")  # only the part after the # changes: nothing is loaded again
    lin.context.set_offline(True)
    page.reload()
    lin.sees("No connection")
    page.goto(f"{lin.url}/?from=home")
    lin.is_greeted()
    values = page.evaluate(
        """caches.open("shengji-2").then((cache) => cache.keys())
            .then((all) => all.map((each) => new URL(each.url).pathname))"""
    )
    assert {"/", *(f"/{name}" for name in pack_of(CLIENT).files)} <= set(values)


def test_a_replay_links_to_the_rounds_before_and_after(person):
    lin = person()
    table = lin.begins("sishifen", 4, until=is_scored)
    lin.presses("Next round")
    expect(lin.result).to_have_count(0)
    lin.beside.plays_on(table, asks("play"))
    lin.finishes(table)
    lin.presses("Replay")
    lin.presses("Round before")
    lin.sees("Round 1")
    lin.is_at_a_replay()
    lin.presses("Round after")
    lin.sees("Round 2")
    expect(lin.control("Round after")).to_have_count(0)


#: Goes to step 4, and returns the address as soon as it is drawn.
STEPS = """async () => {
    const input = document.querySelector("input[type=range]");
    input.value = "3";
    input.dispatchEvent(new Event("input", { bubbles: true }));
    for (let turn = 0; turn < 10; turn += 1) await null;
    return location.hash;
}"""


def test_the_address_of_a_replay_names_its_position(person):
    lin = person()
    lin.begins("sishifen", 4, until=is_scored)
    page = lin.page
    lin.presses("Replay")
    lin.is_at_a_replay()
    assert "at=3" in page.evaluate(STEPS), "a later change would take the place of the next address"
    for at in (5, 0, 5):
        page.goto(f"{page.url.split('?')[0]}?at={at}")
        lin.sees(f"Step {at + 1} of")


def test_a_table_that_is_not_there_is_an_error_with_a_way_home(person):
    lin = person()
    lin.tolerated = ("404",)
    lin.registers()
    lin.goes_to("table/tb_nope")
    lin.part("alert").sees("There is no such table here.")
    expect(lin.all("heading", level=1)).to_have_count(0)
    lin.presses("Home")
    lin.is_greeted()


@pytest.mark.parametrize("address", ["rules/nothere", "%E0%A4%A", "nothere"])
def test_an_address_that_leads_nowhere_says_so(person, address):
    lin = person()
    lin.tolerated = ("404",)
    lin.registers()
    lin.goes_to(address)
    lin.part("alert").is_there()
    lin.goes_home()
