"""Adapter of the client that openapi-python-client generates, for the conformance kit.

The generated code sends no request twice and has no streams: `patiently` and `refused` add what the guide asks of every
client, and `follow` and `fold` are not tried.
"""

import json
import random
import sys
import time
import uuid

import httpx
from sheng_ji_service_client import AuthenticatedClient
from sheng_ji_service_client import models as m
from sheng_ji_service_client.api.actions import call_friends, discard, pass_decision, state_road
from sheng_ji_service_client.api.actions import play as play_cards
from sheng_ji_service_client.api.events import list_events
from sheng_ji_service_client.api.players import register as register_player
from sheng_ji_service_client.api.seats import ready
from sheng_ji_service_client.api.tables import create_table, get_table

PASSING = {429, 502, 503, 504}
ATTEMPTS = 6


class Refused(Exception):
    def __init__(self, response):
        super().__init__(response.status_code)
        self.status = response.status_code
        self.after = response.headers.get("Retry-After")
        try:
            self.problem = m.Problem.from_dict(response.json())
        except (ValueError, KeyError):
            self.problem = None

    def report(self):
        code, text = (self.problem.code, self.problem.detail) if self.problem else ("", f"status {self.status}")
        return {"problem": {"status": self.status, "code": code, "text": text}}


def refused(response):
    """Raise what is no success, before it is parsed."""
    if response.status_code >= 300:
        response.read()
        raise Refused(response)


def client_of(task):
    hooks = {"event_hooks": {"response": [refused]}}
    return AuthenticatedClient(task["url"], task["token"], timeout=httpx.Timeout(5), httpx_args=hooks)


def patiently(operation, *where, **what):
    """Send a request until it is answered, and return the body of the answer."""
    for attempt in range(ATTEMPTS):
        pause = random.uniform(0.5, 1) * 2**attempt if attempt else 0  # noqa: S311 (to spread the retries)
        try:
            return operation.sync_detailed(*where, **what).parsed
        except Refused as refusal:
            if refusal.status not in PASSING or attempt == ATTEMPTS - 1:
                raise
            pause = float(refusal.after or pause)
        except (httpx.TransportError, ValueError):
            if attempt == ATTEMPTS - 1:
                raise
        time.sleep(pause)
    raise AssertionError


def answer(table, decision, client):
    """Answer a decision by its hints."""
    hints, named = decision.hints, decision.id
    if decision.kind == "ready":
        return patiently(ready, table, client=client, body=m.ReadyState())
    if decision.kind == "play":
        return patiently(play_cards, table, client=client, body=m.PlayAction(named, hints.example))
    if decision.kind == "discard":
        return patiently(discard, table, client=client, body=m.DiscardAction(named, hints.example))
    if decision.kind == "call":
        calls = [m.CardCall.from_dict(call.to_dict()) for call in hints.example]
        return patiently(call_friends, table, client=client, body=m.CallAction(named, calls))
    if decision.kind == "road":
        return patiently(
            state_road, table, client=client, body=m.RoadAction(named, m.RoadActionRoad(str(hints.example)))
        )
    return patiently(pass_decision, table, client=client, body=m.PassAction(named))


def register(_, client):
    key = str(uuid.uuid4())
    registered = patiently(register_player, client=client, body=m.Registration("Lin"), idempotency_key=key)
    return {"token": registered.token}


def create(task, client):
    tables = []
    for _ in range(task["count"]):
        body, key = m.TableSetup.from_dict(task["setup"]), str(uuid.uuid4())
        tables.append(patiently(create_table, client=client, body=body, idempotency_key=key).id)
    return {"tables": tables}


def view(task, client):
    view = patiently(get_table, task["table"], client=client)
    return {"version": view.version, "status": view.status, "decision": view.decision and view.decision.kind}


def act(task, client):
    decision = patiently(get_table, task["table"], client=client).decision
    return {"version": answer(task["table"], decision, client).version}


def play(task, client):
    table = task["table"]
    view = patiently(ready, table, client=client, body=m.ReadyState()).view
    after = 0
    while view.status != "finished" or after < view.version:
        after = patiently(list_events, table, client=client, after=after, wait=20).next_after
        view = patiently(get_table, table, client=client)
        if view.status == "playing" and after >= view.version and view.decision and 0 in view.decision.seats:
            answer(table, view.decision, client)
    return {"version": view.version, "status": view.status, "winners": view.game.winners}


def poll(task, client):
    seqs, after, version = [], task["after"], None
    while after != version:
        query = {"after": after, "limit": task["limit"], "wait": task["wait"]}
        page = patiently(list_events, task["table"], client=client, **query)
        seqs += [event.seq for event in page.events]
        after, version = page.next_after, page.version
    return {"seqs": seqs}


GOALS = {"register": register, "create": create, "view": view, "act": act, "play": play, "poll": poll}


def report(task):
    try:
        with client_of(task) as client:
            return GOALS[task["goal"]](task, client)
    except Refused as refusal:
        return refusal.report()
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    print(json.dumps({"client": "openapi-python-client", "can": list(GOALS)}), flush=True)
    for line in sys.stdin:
        print(json.dumps(report(json.loads(line))), flush=True)
