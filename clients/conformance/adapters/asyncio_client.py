"""Adapter of `shengji_client.asyncio` for the conformance kit: `python asyncio_client.py`."""

import asyncio
import json
import sys

from shengji_client import Problem, Unreachable, example, fold
from shengji_client.asyncio import Client, Table, follow
from shengji_client.models import MADE_FOR


async def register(task, _):
    async with await Client.register(task["url"], "Lin") as client:
        return {"token": client.token}


async def create(task, client):
    return {"tables": [(await Table.create(client, task["setup"])).id for _ in range(task["count"])]}


async def view(task, client):
    view = await Table(client, task["table"]).view()
    decision = view["decision"]
    return {"version": view["version"], "status": view["status"], "decision": decision and decision["kind"]}


async def act(task, client):
    table = Table(client, task["table"])
    decision = (await table.view())["decision"]
    return {"version": (await table.act(decision["id"], example(decision)))["version"]}


async def play(task, client):
    table = Table(client, task["table"])
    await table.ready()
    async for _ in table.follow():
        view = await table.view()
        decision = view["decision"]
        if view["status"] == "playing" and decision and 0 in decision["seats"]:
            await table.act(decision["id"], example(decision))
    return {"version": view["version"], "status": view["status"], "winners": view["game"]["winners"]}


async def poll(task, client):
    table, seqs, after, version = Table(client, task["table"]), [], task["after"], None
    while after != version:
        page = await table.events(after, wait=task["wait"], limit=task["limit"])
        seqs += [event["seq"] for event in page["events"]]
        after, version = page["next_after"], page["version"]
    return {"seqs": seqs}


async def follow_table(task, client):
    messages = [message async for message in Table(client, task["table"]).follow(task.get("after"))]
    return {
        "seqs": [message.data["seq"] for message in messages if message.name == "message"],
        "resets": [message.data["view"]["version"] for message in messages if message.name == "reset"],
        "end": next((message.data["reason"] for message in messages if message.name == "end"), None),
    }


async def follow_account(task, client):
    messages = [message async for message in follow(client, "/v1/me/events", task.get("after"))]
    return {
        "ids": [message.id for message in messages if message.name == "message"],
        "snapshots": sum(message.name == "snapshot" for message in messages),
        "resets": sum(message.name == "reset" for message in messages),
        "end": next((message.data["reason"] for message in messages if message.name == "end"), None),
    }


async def fold_view(task, _):
    view = task["view"]
    for event in task["events"]:
        view = fold(view, event)
    return {"view": view}


GOALS = {
    "register": register, "create": create, "view": view, "act": act, "play": play, "poll": poll,
    "follow": follow_table, "account": follow_account, "fold": fold_view,
}  # fmt: skip


async def report(task):
    async with Client(task["url"], task["token"], language=task.get("language", "en")) as client:
        try:
            return await GOALS[task["goal"]](task, client)
        except Problem as problem:
            return {"problem": {"status": problem.status, "code": problem.code, "text": str(problem)}}
        except Unreachable as error:
            return {"unreachable": str(error)}
        except Exception as error:
            return {"failed": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    print(json.dumps({"client": f"shengji-client {MADE_FOR} for asyncio", "can": list(GOALS)}), flush=True)
    for line in sys.stdin:
        print(json.dumps(asyncio.run(report(json.loads(line)))), flush=True)
