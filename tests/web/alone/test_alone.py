"""Without a network the page plays on alone: a round and a lesson; nothing is loaded for it before it is wanted."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import TimeoutError as Late
from playwright.sync_api import expect

from tests.web.learner import ByTouch, Reader
from tests.web.looking import faults
from tests.web.person import ANSWERS, HINT, Person, until
from tests.web.proxy import Network

pytestmark = pytest.mark.browser

#: What a browser reports of requests without a network.
CUT = ("ERR_CONNECTION_REFUSED", "ERR_FAILED", "ERR_INTERNET_DISCONNECTED", "Failed to fetch", "ERR_NETWORK")
ANSWER = re.compile("|".join(pattern.pattern for pattern in ANSWERS.values()))
LOADS = re.compile("^Play without a network: ")
#: How long Python may take to start, ms.
START = 120_000
#: Lets the AI players of new tables in the page move at once.
HURRY = """{
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (asked) {
    const begins = asked.method === "POST" && asked.body?.ruleset;
    return post.call(this, begins ? { ...asked, body: { ...asked.body, ai_pace_ms: 0 } } : asked);
  };
}"""


@pytest.fixture
def network(service):
    network = Network(urlsplit(service.url).port)
    yield network
    network.close()


@pytest.fixture
def lin(network, beside, homes):
    """Somebody with the page, its service worker, and a network that can be cut."""
    lin = Person(network.url, homes, beside, keeps_pages=True)
    lin.tolerated = CUT
    lin.page.add_init_script(HURRY)
    lin.page.goto(lin.url)
    lin.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    until(lin.page, "a page with its service worker", "Boolean(navigator.serviceWorker.controller)")
    yield lin
    lin.context.close()
    assert lin.errors == []


def stores(lin):
    """Have the page store what it needs without a network."""
    lin.goes_to("alone")
    lin.presses(LOADS)
    is_stored(lin)


def is_stored(lin):
    expect(lin.text("this works without a network")).to_be_visible(timeout=START)


def begins_a_round(lin):
    """Play the game with the fewest cards."""
    lin.selects("Game", "sishifen")
    lin.presses("Play a round")
    lin.seats.first.wait_for(state="attached", timeout=START)


def loses_the_network(lin, network):
    network.close()
    lin.page.reload()
    lin.sees("this works without a network")


def names(lin):
    """The cards of the hand, whether or not they can be played now."""
    return [text.splitlines()[0].partition(",")[0] for text in lin.cards.all_inner_texts()]


def plays_on(lin, most=200):
    """Do what the page suggests, at most so many times; return whether the result of the round is there."""
    for _ in range(most):
        expect(lin.controls.or_(lin.result).first).to_be_attached()
        if lin.result.count():
            return True
        asked = lin.asked(lin.decision)
        try:
            hint = asked.get_by_role("button", name=HINT)
            if hint.count():
                hint.first.click(timeout=2_000)
                asked.get_by_role("status").wait_for(timeout=5_000)
            asked.get_by_role("button", name=ANSWER, disabled=False).first.click(timeout=2_000)
            expect(asked).to_have_count(0)
        except Late:
            continue  # others were faster, while trumps are made
    return False


def test_a_whole_round_alone_and_a_lesson_go_on_with_the_network_cut(lin, network):
    stores(lin)
    loses_the_network(lin, network)
    lin.goes_to()
    lin.page.reload()
    lin.sees("No connection")
    lin.presses("Play without a network.")
    begins_a_round(lin)
    assert not plays_on(lin, 6)
    held = names(lin)
    lin.page.reload()
    lin.seats.first.wait_for(state="attached", timeout=START)
    expect(lin.cards).to_have_count(len(held))
    assert names(lin) == held
    assert plays_on(lin)
    expect(lin.result).to_be_visible()
    lin.goes_to("learn")
    reader = Reader(lin, ByTouch(lin))
    reader.takes("Points")
    lin.goes_to("learn")
    expect(lin.items("Lessons").first).to_contain_text("done")


def test_what_was_played_is_kept_with_the_past_games_once_the_network_is_back(lin, axe):
    stores(lin)
    begins_a_round(lin)
    assert plays_on(lin)
    lin.goes_to()
    lin.takes_name("Lin")
    lin.is_greeted()
    lin.goes_to("alone")
    lin.presses("Keep with my past games")
    lin.sees("Kept as practice")
    [game] = lin.api("GET", "/me/games")["items"]
    assert (game["imported"], game["rated"]) == (True, False)
    lin.presses("Replay")
    lin.field("Position").wait_for()
    lin.goes_to("alone")
    lin.sees("Kept as practice")
    assert list(faults(lin.page, axe, chinese=False)) == []
    lin.speaks("zh-CN")
    lin.sees("已作为练习保存")
    assert list(faults(lin.page, axe, chinese=True)) == []


def test_nothing_is_loaded_for_it_before_it_is_wanted(lin, network):
    for address in ("", "lobby", "learn", "learn/points", "rules/shengji", "alone"):
        lin.goes_to(address)
        lin.is_still()
    lin.control(LOADS).wait_for()
    loaded = {path for path in network.paths if path.startswith("/alone/")}
    assert loaded == {"/alone/files.json"}, "that tells how much it would be"
    lin.presses(LOADS)
    is_stored(lin)
    assert len({path for path in network.paths if path.startswith("/alone/")}) > 3


def test_what_is_stored_is_removed_again_and_then_takes_a_network(lin, network):
    stores(lin)
    lin.presses("Remove it from this device")
    lin.presses("Remove")
    lin.control(LOADS).wait_for()
    assert not lin.page.evaluate("caches.has('shengji-alone')")
    network.close()
    lin.page.reload()
    lin.sees("there is no network now")
    lin.goes_to("learn/points")
    lin.presses("Begin")
    lin.control("Without a network").wait_for()


def test_a_network_that_says_nothing_does_not_keep_the_page_away(lin, network):
    network.swallows()
    lin.page.reload()
    lin.sees("With friends")
