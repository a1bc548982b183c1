"""What the service worker keeps for times without a network belongs to one token, and goes with it."""

import re

import pytest

from harness.client import CLIENT
from tests.web.beside import is_scored
from tests.web.hosting import hosted
from tests.web.person import until
from tests.web.sight import Sight

pytestmark = pytest.mark.browser

#: All that is kept: name of the cache, path, and the headers of the request that are kept with it.
KEPT = """(async () => {
  const found = [];
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys())
      found.push([name, request.url.slice(location.origin.length), [...request.headers].join()]);
  return found;
})()"""
#: Reads the record of a round with a token, past the page.
READS = (
    """([path, token]) => fetch(path, { headers: { Authorization: `Bearer ${token}` } }).then(({ status }) => status)"""
)


def paths_in_cache(page):
    """Return the private records that are kept: their paths."""
    return {path for name, path, _ in page.evaluate(KEPT) if "/v1/" in path and "/rulesets" not in path}


@pytest.fixture
def looker(person):
    """Lin, who looks at a finished round; and the path of its record."""
    lin = person(keeps_pages=True)
    lin.tolerated = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "Failed to fetch", "status of 401", "status of 403")
    table = lin.begins("sishifen", 4, until=is_scored)
    page = lin.page
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()  # the page was loaded before there was a service worker
    lin.presses("Replay")
    lin.is_at_a_replay()
    until(page, "the record is kept", lambda: any("/rounds/1/events" in path for path in paths_in_cache(page)))
    yield lin
    lin.api("DELETE", f"/tables/{table}", token=lin.token)
    lin.page.evaluate("localStorage.clear()")
    lin._home.account = None


@pytest.fixture
def lin(looker):
    looker.token = looker.account["token"]
    return looker


def has_another_device(lin):
    """Give Lin another device, and return the id of the token here."""
    [here] = lin.api("GET", "/me/tokens")["items"]
    lin.token = lin.api("POST", "/me/tokens", {"name": "Other", "scopes": here["scopes"]})["token"]
    return here["id"]


def goes(lin):
    until(lin.page, "nothing of it is kept", lambda: not paths_in_cache(lin.page))


def test_signing_out_deletes_the_records_and_the_next_player_sees_none_of_them(lin):
    page, replay = lin.page, lin.page.url
    assert all(lin.token not in "".join(each) for each in page.evaluate(KEPT)), "no token is kept with a record"
    has_another_device(lin)
    lin.goes_to("devices")
    here = Sight(lin.items("Devices").filter(has_text="this device"))
    here.presses(re.compile("^Sign out "))
    here.presses("Sign out")
    goes(lin)
    lin.takes_name("Mei")
    lin.is_greeted("Mei")
    lin.context.set_offline(True)
    page.goto(replay)
    lin.sees("No connection")
    assert lin.cards.count() == 0
    lin.context.set_offline(False)


def test_a_token_that_was_revoked_elsewhere_takes_its_records_with_it(lin):
    here = has_another_device(lin)
    # Without the page, which learns of it later; the other device is too new to do it.
    lin.api("DELETE", f"/me/tokens/{here}")
    lin.goes_to("devices")
    lin.sees("This device was signed out")
    goes(lin)


def test_another_account_takes_the_place_of_the_records_too(lin):
    other = lin.api("POST", "/players", {"name": "Mei", "kind": "human"})
    lin._stores({"token": other["token"], "player": other["player"]["id"], "name": "Mei"})
    goes(lin)


def test_an_answer_that_arrives_after_signing_out_is_not_kept(lin):
    path = next(path for path in paths_in_cache(lin.page) if "/rounds/1/events" in path)
    lin._stores({"token": ""})
    goes(lin)
    # The token is still valid, as for a request that was under way.
    assert lin.page.evaluate(READS, [path, lin.token]) == 200
    assert not paths_in_cache(lin.page)


def test_a_record_that_may_not_be_read_any_more_is_not_kept(lin):
    path = next(path for path in paths_in_cache(lin.page) if "/rounds/1/events" in path)
    gone = path.replace("/rounds/1/", "/rounds/9/")
    lin.page.evaluate(
        """async (path) => {
          const [name] = (await caches.keys()).filter((each) => each.startsWith("shengji-of "));
          await (await caches.open(name)).put(path, new Response("{}"));
        }""",
        gone,
    )
    lin.tolerated += ("status of 404",)
    assert gone in paths_in_cache(lin.page)
    assert lin.page.evaluate(READS, [gone, lin.token]) == 404
    assert gone not in paths_in_cache(lin.page)
    assert path in paths_in_cache(lin.page)


def test_what_a_release_before_kept_of_everybody_is_deleted(lin):
    lin.page.evaluate(
        """(async () => {
          const asked = new Request("/v1/games/gm_1", { headers: { Authorization: "Bearer sjt_x" } });
          await (await caches.open("shengji-1")).put(asked, new Response("{}"));
        })()"""
    )
    assert "/v1/games/gm_1" in paths_in_cache(lin.page)
    lin.page.reload()
    until(lin.page, "the old cache is gone", lambda: "/v1/games/gm_1" not in paths_in_cache(lin.page))
    assert paths_in_cache(lin.page), "the records of this player stay"


#: A worker as a release before had it: one cache for everything.
BEFORE = """
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => event.respondWith((async () => {
  const cache = await caches.open("shengji-1");
  try {
    const answer = await fetch(event.request);
    if (event.request.method === "GET") await cache.put(event.request, answer.clone());
    return answer;
  } catch {
    return cache.match(event.request, { ignoreSearch: true });
  }
})()));
"""


def test_the_worker_of_a_release_before_is_replaced_with_all_that_it_kept(person, service):
    lin = person(keeps_pages=True)
    lin.tolerated = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "Failed to fetch")
    page, files = lin.page, {"/service-worker.js": BEFORE}
    with hosted([service.url], files=files) as host:
        page.goto(host)
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        page.goto(f"{host}/?again")
        lin.sees("What should we call you?")
        names = "caches.keys().then((names) => names.join())"
        until(page, "the old worker keeps the page", lambda: "shengji-1" in page.evaluate(names))
        files["/service-worker.js"] = (CLIENT / "service-worker.js").read_text("utf-8")
        page.reload()
        until(page, "the new worker has replaced it", lambda: page.evaluate(names) == "shengji-2")
        lin.sees("What should we call you?")
        lin.context.set_offline(True)
        page.goto(f"{host}/?api=https://thief.example#/recover")
        lin.sees("This page does not talk to that service")
        lin.context.set_offline(False)
        page.goto(lin.url)
