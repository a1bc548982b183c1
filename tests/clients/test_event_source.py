"""A browser's own `EventSource`, used as `docs/clients.md` shows it: it reads the stream and stops at its end."""

import pytest

from tests.clients.test_reconnection import Caller

FOLLOW = """([url, closes]) => {
  window.seen = [];
  window.source = new EventSource(url);
  source.onmessage = ({ data }) => seen.push(JSON.parse(data).type);
  source.addEventListener("reset", ({ data }) => seen.push("reset"));
  source.addEventListener("end", ({ data }) => {
    seen.push("end: " + JSON.parse(data).reason);
    if (closes) source.close();
  });
}"""
#: Longer than browsers wait before they reconnect, in ms.
WHILE = 6_000


@pytest.mark.browser
@pytest.mark.parametrize(
    ("closes", "statuses"), [(True, [200]), (False, [200, 401])], ids=["closes-at-the-end", "knows-no-end"]
)
def test_an_event_source_reads_to_the_end_and_then_stops(service, browser, closes, statuses):
    token = Caller(service).send("POST", "/v1/players", {"name": "Lin", "kind": "human"})["token"]
    caller = Caller(service, token)
    table = f"/v1/tables/{caller.send('POST', '/v1/tables', {'ruleset': 'shengji', 'players': 4})['id']}"
    ticket = caller.send("POST", f"{table}/stream-ticket")["ticket"]
    answered = []
    with browser.new_context(bypass_csp=True) as context:  # `wait_for_function` uses eval
        page = context.new_page()
        page.goto(f"{service.url}/docs/problems")
        page.on("response", lambda answer: answered.append(answer.status) if "/events" in answer.url else None)
        page.evaluate(FOLLOW, [f"{table}/events?ticket={ticket}", closes])
        page.wait_for_function("seen.includes('reset')")
        caller.send("POST", f"{table}/seats", {"seat": 2})
        caller.send("DELETE", table)
        page.wait_for_function("seen.some((each) => each.startsWith('end'))")
        page.wait_for_timeout(WHILE)
        assert page.evaluate("seen") == ["reset", "seat_taken", "table_closed", "end: over"]
        assert page.evaluate("source.readyState === EventSource.CLOSED")
        assert answered == statuses
