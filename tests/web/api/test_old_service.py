"""A page newer or older than its service: what one of them does not know is missing, the rest works."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

#: Paths of version 0.2.0, and fields that answers have had since.
OLD = re.compile(
    r"/v1(/(players(/[^/]+)?|me(/token|/tables)?|rulesets.*|tables(/[^/]+(/(seats.*|play|pass|events|chat"
    r"|declare|discard|legal-plays|stream-ticket))?)?|games/[^/]+(/record|/rounds.*)?|leaderboard))?$"
)
NEW_FIELDS = {
    "face",
    "sign_in",
    "ai_ratings",
    "accepts",
    "table_settings",
    "practice",
    "clocks",
    "since",
    "host_since",
    "inactive",
}


def as_before(value):
    if isinstance(value, dict):
        return {name: as_before(each) for name, each in value.items() if name not in NEW_FIELDS}
    return [as_before(each) for each in value] if isinstance(value, list) else value


def answers_as_before(route):
    path = route.request.url.split("?")[0].partition("/v1")[2]
    if not OLD.fullmatch(f"/v1{path}"):
        problem = {
            "type": "about:blank",
            "status": 404,
            "code": "not-found",
            "title": "Not found",
            "detail": "",
            "params": {},
        }
        return route.fulfill(status=404, json=problem, content_type="application/problem+json")
    if route.request.headers.get("accept") == "text/event-stream" or path.endswith("/events"):
        return route.continue_()
    answer = route.fetch()
    if "json" not in answer.headers.get("content-type", ""):
        return route.fulfill(response=answer)
    return route.fulfill(response=answer, json=as_before(answer.json()))


def test_a_new_page_plays_at_an_old_service(person):
    lin = person(name="", fresh=True)
    lin.tolerated = ("status of 404", "status of 409")
    calls = []
    lin.page.route("**/v1/**", lambda route: (calls.append(route.request.url), answers_as_before(route)))
    page = lin.page
    page.goto(lin.url)
    lin.presses("Against AI players")
    lin.cards.first.wait_for()
    assert any("/v1/me/events" in url for url in calls), "it tries what the service does not have"
    lin.goes_to()
    lin.items("My tables").wait_for()
    assert lin.all("alert").count() == 0


def with_news(value):
    """Return an answer as of a later service: every object has a field that the page does not know."""
    if isinstance(value, dict):
        # The page sends options back to the service, which refuses unknown ones.
        known = {name: each if name == "options" else with_news(each) for name, each in value.items()}
        return {**known, "not_yet": {"of": ["later"]}}
    return [with_news(each) for each in value] if isinstance(value, list) else value


def answers_as_later(route):
    if "/events" in route.request.url:
        return route.continue_()
    answer = route.fetch()
    body = answer.json()
    if route.request.url.endswith("/rulesets"):
        body["items"].append({**body["items"][0], "id": "not_yet"})
    for seat in body.get("seats", []):
        if seat["occupant"] and seat["occupant"]["kind"] == "ai":
            seat["occupant"]["level"] = "not_yet"
    body_later = body if route.request.url.endswith("/game") or "/rulesets" in route.request.url else with_news(body)
    return route.fulfill(response=answer, json=body_later)


def test_an_old_page_plays_at_a_new_service(person):
    lin = person()
    table = lin.begins("sishifen", 4)
    page = lin.page
    page.route("**/v1/**", answers_as_later)
    lin.goes_to()
    page.reload()
    lin.selects("Game", "not_yet")
    lin.sees("This page does not know this game yet")
    assert "not_yet" not in lin.read()
    lin.goes_to("rules")
    expect(lin.all("listitem").nth(8)).to_contain_text("This page does not know this game yet")
    lin.opens(table)
    lin.plays_until("play")
    assert lin.answers() == "play"
    lin.plays_until("play")
    # An event of an unknown type changes only the version.
    values = page.evaluate(
        """(async () => {
          const { apply } = await import("/app/table/model.js");
          const view = { version: 7, seats: [], round: null, decision: null };
          return apply(view, { seq: 8, type: "not_yet", at: "", round: 1, by: "server", data: { of: "later" } });
        })()"""
    )
    assert values["version"] == 8
    assert lin.all("alert").count() == 0
