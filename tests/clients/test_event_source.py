"""A browser's own `EventSource`, used as `docs/clients.md` shows it: it reads the stream and stops at its end."""

import json
from http.client import HTTPConnection

import pytest

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


def send(service, token, method, path, body=None):
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    connection = HTTPConnection("127.0.0.1", service.port, timeout=20)
    connection.request(method, f"/v1{path}", None if body is None else json.dumps(body), headers)
    answer = connection.getresponse()
    assert answer.status < 400, answer.read()
    return json.load(answer)


@pytest.mark.browser
@pytest.mark.parametrize(
    ("closes", "statuses"), [(True, [200]), (False, [200, 401])], ids=["closes-at-the-end", "knows-no-end"]
)
def test_an_event_source_reads_to_the_end_and_then_stops(service, browser, closes, statuses):
    token = send(service, None, "POST", "/players", {"name": "Lin", "kind": "human"})["token"]
    table = send(service, token, "POST", "/tables", {"ruleset": "shengji", "players": 4})["id"]
    ticket = send(service, token, "POST", f"/tables/{table}/stream-ticket")["ticket"]
    answered = []
    with browser.new_context(bypass_csp=True) as context:  # the test looks into the page by eval
        page = context.new_page()
        page.goto(f"{service.url}/docs/problems")
        page.on("response", lambda answer: answered.append(answer.status) if "/events" in answer.url else None)
        page.evaluate(FOLLOW, [f"/v1/tables/{table}/events?ticket={ticket}", closes])
        page.wait_for_function("seen.includes('reset')")
        send(service, token, "POST", f"/tables/{table}/seats", {"seat": 2})
        send(service, token, "DELETE", f"/tables/{table}")
        page.wait_for_function("seen.some((each) => each.startsWith('end'))")
        page.wait_for_timeout(WHILE)
        assert page.evaluate("seen") == ["reset", "seat_taken", "table_closed", "end: over"]
        assert page.evaluate("source.readyState === EventSource.CLOSED")
        assert answered == statuses
