"""The page is up to date after connections have died silently, when it is shown again, and when the clock is set."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from harness.client import CLIENT
from tests.web.beside import asks
from tests.web.proxy import Network

pytestmark = pytest.mark.browser

#: Holds back timers of five seconds or more until the test runs them. Each return to the page moves its clock on by two
#: seconds.
WAITING = """
const [set, clear] = [setTimeout, clearTimeout];
const waiting = new Map();
let last = 0;
window.setTimeout = (task, ms, ...more) => {
  if (!(ms >= 5_000)) return set(task, ms, ...more);
  waiting.set(--last, [task, ms]);
  return last;
};
window.clearTimeout = (id) => void (waiting.delete(id) || clear(id));
const now = performance.now.bind(performance);
let ahead = 0;
performance.now = () => now() + ahead;
window.comesBack = (target, event) => {
  ahead += 2_000;
  target.dispatchEvent(event);
};
window.passes = (time) => [...waiting].forEach(([id, [task, ms]]) => ms <= time && waiting.delete(id) && task());
"""
LOOKED_AT = "comesBack(document, new Event('visibilitychange'))"
OTHER_RETURNS = (
    "comesBack(window, new PageTransitionEvent('pageshow', { persisted: true }))",
    "comesBack(window, new Event('online'))",
)


@pytest.fixture
def network(service):
    network = Network(urlsplit(service.url).port)
    yield network
    network.close()


def at_a_table_behind(network, lin):
    """Open a game through the proxy; return a function that plays to the next turn and returns its decision id."""
    url, lin.url = lin.url, network.url
    lin.page.add_init_script(WAITING)
    table = lin.begins("sishifen", 4)
    lin.sees_no("Connecting")  # the stream is open
    lin.url = url

    def next_turn():
        before = lin.api("GET", f"/tables/{table}")["decision"]["id"]
        lin.beside.plays_on(table, lambda state: asks("play")(state) and state["decision"]["id"] != before)
        return lin.api("GET", f"/tables/{table}")["decision"]["id"]

    return next_turn


def test_a_page_that_is_looked_at_again_shows_the_turn_though_its_connections_are_dead(network, person):
    lin = person(fresh=True)
    next_turn = at_a_table_behind(network, lin)
    network.falls_silent()
    turn = next_turn()
    assert not lin.asked(turn).count()
    lin.page.evaluate(LOOKED_AT)
    lin.asked(turn).wait_for()
    for returns in OTHER_RETURNS:
        with lin.page.expect_request("**/events?*"):
            lin.page.evaluate(returns)


def test_a_play_arrives_though_all_connections_that_the_browser_keeps_are_dead(network, person):
    lin = person(fresh=True)
    next_turn = at_a_table_behind(network, lin)
    lin.asks_for_a_hint()
    lin.page.evaluate("Promise.all([1, 2, 3, 4, 5].map(() => fetch('/v1').then((answer) => answer.text())))")
    network.falls_silent()
    with lin.page.expect_request("**/play"):
        lin.plays()
    with lin.page.expect_response("**/play") as answer:
        lin.page.evaluate("passes(5_000)")
    assert answer.value.ok
    # The stream is dead too, and a heartbeat is missed.
    turn = next_turn()
    lin.page.evaluate("passes(9_000)")
    lin.asked(turn).wait_for()


def test_the_list_of_tables_is_refreshed_when_it_is_looked_at_again(person):
    lin = person(fresh=True)
    lin.page.add_init_script(WAITING)
    lin.registers()
    lin.is_still()
    lin.makes("sishifen", 4, ai=False)
    assert not lin.items("My tables").count()
    lin.page.evaluate(LOOKED_AT)
    lin.items("My tables").wait_for()


def test_setting_the_clock_of_the_device_does_not_change_the_time_left(person):
    lin = person(fresh=True)
    lin.begins("sishifen", 4)
    left = lin.all("timer")
    for hours in (-3, 3):
        lin.page.evaluate(f"{{ const now = Date.now; Date.now = () => now() + {hours} * 3_600_000; }}")
        before = left.inner_text()
        expect(left).not_to_have_text(before)  # drawn since
        assert left.inner_text().partition(":")[0] in ("9", "10")
    # Nothing that counts reads the time of day: only what tells days apart, an id of a table in the page, and
    # what turns a typed time into a moment.
    asking = {
        path.name for path in (CLIENT / "app").rglob("*.js") if re.search(r"Date\.now|new Date", path.read_text())
    }
    assert asking == {"alone.js", "calendar.js", "explain.js", "fixture.js", "texts.js"}
