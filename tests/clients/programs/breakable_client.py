"""A client and its adapter for the conformance kit, which can be broken in one way: `breakable_client.py [FAULT]`.

It is written with the standard library alone, so that no change of a package changes what is broken here.
"""

import http.client
import itertools
import json
import random
import sys
import time
import uuid
from urllib.parse import urlencode, urlsplit

#: What can be broken -> the case of the kit that is meant for it.
FAULTS = {
    "gives up at once": "retries/request-lost",
    "takes half an answer": "retries/half-an-answer",
    "takes broken JSON": "retries/broken-json",
    "takes the page of a proxy for a refusal": "retries/proxy-fails",
    "sends no key": "retries/table-made-once",
    "makes a new key for each attempt": "retries/player-made-once",
    "has one key for everything": "retries/new-key-for-each",
    "makes keys that can be guessed": "retries/key-is-random",
    "ignores Retry-After": "retries/unavailable",
    "repeats refusals": "retries/refusals-are-final",
    "follows redirects": "retries/no-redirect",
    "answers with all cards": "phases/play",
    "answers overcall-kitty with its own name": "phases/overcall-kitty",
    "is ready once": "games/arms_length",
    "hides the text": "problems/seat-taken",
    "reads one page": "pages/limit",
    "stops at an empty page": "pages/nothing-new",
    "begins again after a break": "streams/breaks-between-events",
    "counts half an event": "streams/breaks-in-an-event",
    "forgets the place of a reset": "streams/breaks-after-reset",
    "forgets the place of a heartbeat": "streams/place-of-a-heartbeat",
    "reconnects at once": "streams/backs-off",
    "insists on its place": "streams/beyond-the-log",
    "opens again after an end": "streams/end-is-final",
    "opens again when nothing comes": "streams/nothing-to-come",
    "opens what is refused": "streams/refused-for-good",
    "sends no token with streams": "streams/whole",
    "knows LF alone": "streams/crlf",
    "keeps the last line of data": "streams/several-data-lines",
    "takes every message for an event": "streams/heartbeats",
    "takes an empty budget for a refusal": "retries/budget-used-up",
    "pauses once": "retries/rate-limited-twice",
    "opens a stream at once after 429": "streams/rate-limited",
    "has no place in the account": "account/breaks-between-events",
    "takes the place for a number": "account/place-is-opaque",
    "forgets the place of a snapshot": "account/breaks-after-snapshot",
    "takes messages for events of the account": "account/unknown-message",
    "opens the account again after an end": "account/whole",
    "insists on its place in the account": "account/beyond-the-account",
    "stops at unknown events of the account": "account/unknown-event",
    "stops at unknown fields": "unknown/fields-of-a-view",
    "answers declare with its own name": "phases/declare",
    "answers defend with its own name": "phases/defend",
    "keeps the cards of discard": "phases/discard",
    "keeps the calls of call": "phases/call",
    "keeps the road of road": "phases/road",
    "answers ready with its own name": "phases/ready",
    "reads from the first page": "pages/from-the-middle",
    "takes beyond the log for nothing": "pages/beyond-the-log",
    "stops at unknown fields of an outcome": "unknown/fields-of-an-outcome",
    "stops at unknown fields of a table": "unknown/fields-of-a-new-table",
    "stops at unknown fields of a player": "unknown/fields-of-a-new-player",
    "stops at unknown phases": "unknown/phase",
    "stops at unknown rulesets": "unknown/ruleset",
    "stops at unknown settings": "unknown/settings-and-options",
    "stops at unknown occupants": "unknown/kind-of-occupant",
    "takes unknown statuses for outages": "unknown/status",
    "expects a problem in each refusal": "unknown/problem-of-a-proxy",
    "expects a body in each refusal": "unknown/empty-refusal",
    "stops at unknown events": "pages/unknown-event",
    "stops at unknown codes": "unknown/problem",
    "stops at unknown decisions": "unknown/decision",
    "applies no unknown event": "fold/unknown-event",
    "forgets what is asked next": "fold/phase-road",
}
#: Where else some of them fail, so that no quick case is without a client that fails there.
ALSO = {
    "answers with all cards": ("games/*", "unknown/newer-service"),
    "answers declare with its own name": ("problems/not-found",),
    "gives up at once": (
        "retries/answer-lost", "retries/connection-reset", "retries/several-failures", "retries/captive-portal",
        "retries/game-on-a-bad-line", "pages/answer-lost",
    ),
    "ignores Retry-After": (
        "retries/rate-limited", "pages/unavailable", "problems/rate-limited", "problems/too-many-streams",
        "problems/unavailable",
    ),
    "hides the text": ("problems/*",),
    "reads one page": ("unknown/fields-of-events", "unknown/reason-of-an-end"),
    "begins again after a break": ("streams/breaks-often", "streams/unknown-event"),
    "opens again after an end": (
        "streams/from-a-seq", "streams/breaks-at-once", "streams/reset-in-the-middle", "streams/too-many-streams",
        "streams/end-unknown", "streams/unavailable", "streams/proxy-fails", "streams/captive-portal",
        "streams/comments", "streams/small-pieces", "streams/unknown-message",
    ),
    "has no place in the account": ("account/breaks-in-an-event", "account/place-of-a-heartbeat"),
    "opens the account again after an end": (
        "account/from-a-place", "account/reset", "account/end-with-a-problem", "account/rate-limited",
    ),
    "opens what is refused": ("account/suspended",),
    "forgets what is asked next": ("fold/*",),
}  # fmt: skip
BROKEN = sys.argv[1] if len(sys.argv) > 1 else ""
PASSING = {429, 502, 503, 504}
if BROKEN == "takes the page of a proxy for a refusal":
    PASSING.remove(502)
if BROKEN == "takes unknown statuses for outages":
    PASSING.add(418)
#: What broken clients stop at: the goal, a path into the answer, and the unknown value there (None: any).
STOPS_AT = {
    "stops at unknown fields": ("view", "introduced_later", None),
    "stops at unknown fields of an outcome": ("act", "introduced_later", None),
    "stops at unknown fields of a table": ("create", "introduced_later", None),
    "stops at unknown fields of a player": ("register", "introduced_later", None),
    "stops at unknown phases": ("view", "phase", "moonlight"),
    "stops at unknown rulesets": ("view", "ruleset", "moon_ji"),
    "stops at unknown settings": ("view", "settings/moonlight", None),
    "stops at unknown occupants": ("view", "seats/1/occupant/kind", "wolf"),
    "stops at unknown decisions": ("view", "decision/kind", "howl"),
}
EVENTS = ("weather_changed",)
CODES = ("full-moon",)


def understood(goal, answer):
    """Return an answer, unless this client is broken and stops at what is unknown in it."""
    where, path, unknown = STOPS_AT.get(BROKEN, ("", "", None))
    value = answer if where == goal else None
    for part in path.split("/"):
        value = value[int(part)] if isinstance(value, list) else (value or {}).get(part)
    if value is not None and unknown in (None, value):
        raise ValueError(value)
    return answer


class Refused(Exception):
    def __init__(self, status, body):
        super().__init__(status)
        self.status = status
        self.body = body if isinstance(body, dict) else {}

    def report(self):
        text = self.body.get("title") if BROKEN == "hides the text" else self.body.get("detail")
        code = self.body.get("code", "")
        if BROKEN == "stops at unknown codes" and code in CODES:
            raise KeyError(code)
        return {"problem": {"status": self.status, "code": code, "text": text or f"status {self.status}"}}


class Client:
    def __init__(self, url, token):
        self.host = urlsplit(url).netloc
        self.token = token

    def request(self, method, path, body=None):
        """Send a request, again and again, and return the JSON of the answer."""
        headers = self.headers("application/json")
        if method == "POST" and BROKEN != "sends no key":
            headers["Idempotency-Key"] = key_of(path)
        for attempt in itertools.count(1):
            pause = 0.1 * attempt
            try:
                return self.once(method, path, body, headers)
            except Refused as refusal:
                again = PASSING | ({409} if BROKEN == "repeats refusals" else set())
                if refusal.status not in again or attempt > 6:
                    raise
                is_hasty = BROKEN == "ignores Retry-After" or (BROKEN == "pauses once" and attempt > 1)
                pause = 0.1 if is_hasty else float(refusal.body.get("retry_after", 0.1))
            except (OSError, http.client.HTTPException, ValueError):
                if attempt > 6 or BROKEN == "gives up at once":
                    raise
            time.sleep(pause)
            if BROKEN == "makes a new key for each attempt":
                headers["Idempotency-Key"] = key_of(path)
        raise AssertionError

    def once(self, method, path, body, headers):
        connection = http.client.HTTPConnection(self.host, timeout=5)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            if 300 <= answer.status < 400 and BROKEN == "follows redirects":
                return self.once(method, urlsplit(answer.headers["Location"]).path, body, headers)
            if answer.status >= 300:
                raise refusal_of(answer)
            if BROKEN == "takes an empty budget for a refusal" and ";r=0;" in answer.headers.get("RateLimit", ""):
                raise Refused(429, {"retry_after": 0.1})
            return self.parsed(answer)
        finally:
            connection.close()

    def parsed(self, answer):
        try:
            data = answer.read()
        except http.client.IncompleteRead as half:
            if BROKEN != "takes half an answer":
                raise
            return {"version": len(half.partial)}
        try:
            return json.loads(data)
        except ValueError:
            if BROKEN != "takes broken JSON":
                raise
            return {}

    def headers(self, accept):
        return {"Accept": accept, "Content-Type": "application/json", "Authorization": f"Bearer {self.token}"}


def refusal_of(answer):
    text = answer.read()
    try:
        body = json.loads(text)
    except ValueError:
        if ("expects a problem in each refusal" if text else "expects a body in each refusal") == BROKEN:
            raise KeyError("code") from None
        body = {}
    if after := answer.headers.get("Retry-After"):
        body["retry_after"] = after
    return Refused(answer.status, body)


def key_of(path):
    if BROKEN == "has one key for everything":
        return "0b5cbf0e-5c3f-4b52-9d5a-5b1f7a3d9a11"
    if BROKEN == "makes keys that can be guessed":
        return f"{path}-{int(time.time())}"
    return str(uuid.uuid4())


# --- streams ------------------------------------------------------------------------------------------------------


def messages(answer):
    """Yield name, data and id of the messages of a connection."""
    fields = {}
    for line in answer:
        text = line.decode().rstrip("\n" if BROKEN == "knows LF alone" else "\r\n")
        name, _, value = text.partition(":")
        value = value.removeprefix(" ")
        if name == "id" and BROKEN == "counts half an event":
            yield "", {}, value
        if not text and line.endswith(b"\n"):
            if "data" in fields:
                yield fields.get("event", "message"), json.loads(fields["data"]), fields.get("id")
            fields = {}
        elif name == "data" and "data" in fields and BROKEN != "keeps the last line of data":
            fields["data"] += f"\n{value}"
        elif name:
            fields[name] = value


def connection(client, path, place):
    """Yield the messages of one connection; None: nothing more will come."""
    headers = client.headers("text/event-stream")
    if BROKEN == "sends no token with streams":
        del headers["Authorization"]
    if place is not None:
        headers["Last-Event-ID"] = str(place)
    one = http.client.HTTPConnection(client.host, timeout=25)
    try:
        one.request("GET", path, headers=headers)
        answer = one.getresponse()
        if answer.status == 204 and BROKEN != "opens again when nothing comes":
            yield None
        if answer.status >= 300:
            raise refusal_of(answer)
        yield from messages(answer)
    finally:
        one.close()


def pause_after(refusal, place, attempt):
    """Return how long to wait after a refusal, and where to go on; raise it if it is for good."""
    insists = BROKEN in ("insists on its place", "insists on its place in the account")
    if refusal.status == 400 and place is not None and not insists:
        return 0, None
    if refusal.status not in PASSING and BROKEN != "opens what is refused":
        raise refusal
    if refusal.status == 429 and BROKEN == "opens a stream at once after 429":
        return 0, place
    return float(refusal.body.get("retry_after", attempt)), place


def next_place(name, data, id_, place):
    if BROKEN == "has no place in the account" or (name == "snapshot" and BROKEN == "forgets the place of a snapshot"):
        return place
    if BROKEN == "takes the place for a number" and id_ is not None:
        return id_.partition(".")[0]
    if name == "reset" and BROKEN == "forgets the place of a reset":
        return place
    if name == "heartbeat" and BROKEN != "forgets the place of a heartbeat":
        return data["after"]
    return place if id_ is None or BROKEN == "begins again after a break" else id_


def follow(client, path, place):
    """Yield name, data and id of the messages of a stream, over as many connections as it takes."""
    for attempt in itertools.count():
        pause = (0, 1, 2, 4)[min(attempt, 3)] * random.uniform(0.6, 1)
        try:
            for message in connection(client, path, place):
                if message is None:
                    return
                name, data, id_ = message
                place = next_place(name, data, id_, place)
                yield name, data, id_
                if name == "end" and BROKEN not in ("opens again after an end", "opens the account again after an end"):
                    return
        except Refused as refusal:
            if attempt > 6:
                raise
            pause, place = pause_after(refusal, place, attempt)
        except (OSError, http.client.HTTPException, ValueError):
            if attempt > 6:
                raise
        if BROKEN.startswith("opens") and attempt == 2:
            return
        time.sleep(0 if BROKEN == "reconnects at once" else pause)


# --- goals --------------------------------------------------------------------------------------------------------


def answer_to(decision):
    """Return method, path and body of the answer to a decision."""
    kind, body = decision["kind"], {"decision_id": decision["id"]}
    if f"answers {kind} with its own name" == BROKEN:
        return "POST", kind, body
    if kind == "ready":
        return "PUT", "seats/me/ready", {"ready": True}
    field = {"play": "cards", "discard": "cards", "call": "calls", "road": "road"}.get(kind)
    if field is None:
        return "POST", "pass", body
    example = decision["hints"]["example"]
    if kind == "play" and BROKEN == "answers with all cards":
        example = example * 2
    return "POST", kind, body if f"keeps the {field} of {kind}" == BROKEN else {**body, field: example}


def register(task, client):
    answer = client.request("POST", "/v1/players", {"name": "Lin", "kind": "bot"})
    return {"token": understood("register", answer)["token"]}


def create(task, client):
    answers = [client.request("POST", "/v1/tables", task["setup"]) for _ in range(task["count"])]
    return {"tables": [understood("create", answer)["id"] for answer in answers]}


def view(task, client):
    seen = understood("view", client.request("GET", f"/v1/tables/{task['table']}"))
    decision = seen["decision"] and seen["decision"]["kind"]
    return {"version": seen["version"], "status": seen["status"], "decision": decision}


def act(task, client):
    here = f"/v1/tables/{task['table']}"
    method, path, body = answer_to(client.request("GET", here)["decision"])
    return {"version": understood("act", client.request(method, f"{here}/{path}", body))["version"]}


def play(task, client):
    here = f"/v1/tables/{task['table']}"
    seen = client.request("PUT", f"{here}/seats/me/ready", {"ready": True})["view"]
    was_ready = time.monotonic()
    while seen["status"] != "finished":
        seen = client.request("GET", here)
        decision = seen["decision"]
        if decision and 0 in decision["seats"]:
            if decision["kind"] == "ready" and BROKEN == "is ready once":
                if time.monotonic() > was_ready + 2:
                    break
                continue
            method, path, body = answer_to(decision)
            client.request(method, f"{here}/{path}", body)
    return {"version": seen["version"], "status": seen["status"], "winners": seen["game"]["winners"]}


def poll(task, client):
    seqs, after, version = [], 0 if BROKEN == "reads from the first page" else task["after"], None
    while after != version:
        query = urlencode({"after": after, "limit": task["limit"], "wait": task["wait"]})
        try:
            page = client.request("GET", f"/v1/tables/{task['table']}/events?{query}")
        except Refused:
            if BROKEN != "takes beyond the log for nothing":
                raise
            break
        if BROKEN == "stops at unknown events" and any(event["type"] in EVENTS for event in page["events"]):
            raise ValueError(EVENTS)
        if not page["events"] and BROKEN == "stops at an empty page":
            break
        seqs += [event["seq"] for event in page["events"]]
        after, version = page["next_after"], page["version"]
        if BROKEN == "reads one page":
            break
    return {"seqs": seqs}


def follow_table(task, client):
    told = list(follow(client, f"/v1/tables/{task['table']}/events", task.get("after")))
    is_event = {"message"} | ({"heartbeat"} if BROKEN == "takes every message for an event" else set())
    return {
        "seqs": [data.get("seq") for name, data, _ in told if name in is_event],
        "resets": [data["view"]["version"] for name, data, _ in told if name == "reset"],
        "end": next((data["reason"] for name, data, _ in told if name == "end"), None),
    }


def follow_account(task, client):
    told = list(follow(client, "/v1/me/events", task.get("after")))
    names = [name for name, _, _ in told]
    if BROKEN == "stops at unknown events of the account" and any(data.get("type") in EVENTS for _, data, _ in told):
        raise ValueError(EVENTS)
    others = ("snapshot", "reset", "heartbeat", "end")
    is_loose = BROKEN == "takes messages for events of the account"
    return {
        "ids": [id_ for name, _, id_ in told if name == "message" or (is_loose and name not in others)],
        "snapshots": names.count("snapshot"),
        "resets": names.count("reset"),
        "end": next((data["reason"] for name, data, _ in told if name == "end"), None),
    }


def fold(task, client):
    from shengji_client import fold as after

    seen = task["view"]
    for event in task["events"]:
        if BROKEN == "applies no unknown event" and event["type"] in EVENTS:
            continue
        seen = after(seen, event)
        if BROKEN == "forgets what is asked next" and event["type"] == "decision_opened":
            seen["decision"] = None
    return {"view": seen}


GOALS = {
    "register": register, "create": create, "view": view, "act": act, "play": play, "poll": poll,
    "follow": follow_table, "account": follow_account, "fold": fold,
}  # fmt: skip


def report(task):
    try:
        return GOALS[task["goal"]](task, Client(task["url"], task["token"]))
    except Refused as refusal:
        return refusal.report()
    except Exception as error:  # noqa: BLE001 (it is reported)
        return {"failed": repr(error)}


def main():
    print(json.dumps({"client": "a client that can be broken", "can": list(GOALS)}), flush=True)
    for line in sys.stdin:
        try:
            written = report(json.loads(line))
        except KeyError as error:
            written = {"failed": repr(error)}
        print(json.dumps(written), flush=True)


if __name__ == "__main__":
    main()
