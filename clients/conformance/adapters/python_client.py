"""Adapter of `clients/python` for the conformance kit: `python python_client.py`."""

import json
import sys

from shengji_client import Client, Problem, Table, Unreachable, example, fold, follow
from shengji_client.models import MADE_FOR


def register(task, _):
    return {"token": Client.register(task["url"], "Lin").token}


def create(task, client):
    return {"tables": [Table.create(client, task["setup"]).id for _ in range(task["count"])]}


def view(task, client):
    view = Table(client, task["table"]).view()
    decision = view["decision"]
    return {"version": view["version"], "status": view["status"], "decision": decision and decision["kind"]}


def act(task, client):
    table = Table(client, task["table"])
    decision = table.view()["decision"]
    return {"version": table.act(decision["id"], example(decision))["version"]}


def play(task, client):
    table = Table(client, task["table"])
    table.ready()
    for _ in table.follow():
        view = table.view()
        decision = view["decision"]
        if view["status"] == "playing" and decision and 0 in decision["seats"]:
            table.act(decision["id"], example(decision))
    return {"version": view["version"], "status": view["status"], "winners": view["game"]["winners"]}


def poll(task, client):
    table, seqs, after, version = Table(client, task["table"]), [], task["after"], None
    while after != version:
        page = table.events(after, wait=task["wait"], limit=task["limit"])
        seqs += [event["seq"] for event in page["events"]]
        after, version = page["next_after"], page["version"]
    return {"seqs": seqs}


def follow_table(task, client):
    messages = list(Table(client, task["table"]).follow(task.get("after")))
    return {
        "seqs": [message.data["seq"] for message in messages if message.name == "message"],
        "resets": [message.data["view"]["version"] for message in messages if message.name == "reset"],
        "end": next((message.data["reason"] for message in messages if message.name == "end"), None),
    }


def follow_account(task, client):
    messages = list(follow(client, "/v1/me/events", task.get("after")))
    return {
        "ids": [message.id for message in messages if message.name == "message"],
        "snapshots": sum(message.name == "snapshot" for message in messages),
        "resets": sum(message.name == "reset" for message in messages),
        "end": next((message.data["reason"] for message in messages if message.name == "end"), None),
    }


def fold_view(task, _):
    view = task["view"]
    for event in task["events"]:
        view = fold(view, event)
    return {"view": view}


GOALS = {
    "register": register, "create": create, "view": view, "act": act, "play": play, "poll": poll,
    "follow": follow_table, "account": follow_account, "fold": fold_view,
}  # fmt: skip


def report(task):
    client = Client(task["url"], task["token"], language=task.get("language", "en"))
    try:
        return GOALS[task["goal"]](task, client)
    except Problem as problem:
        return {"problem": {"status": problem.status, "code": problem.code, "text": str(problem)}}
    except Unreachable as error:
        return {"unreachable": str(error)}
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    print(json.dumps({"client": f"shengji-client {MADE_FOR} for Python", "can": list(GOALS)}), flush=True)
    for line in sys.stdin:
        print(json.dumps(report(json.loads(line))), flush=True)
