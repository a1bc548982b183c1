"""Uses the public names of `shengji_client` 0.3.0 at a service: URL RULESET:PLAYERS …, with the package on the path.

Prints what it has seen as JSON. It runs with that package, and with the one of today, which keeps the names.
"""

import itertools
import json
import sys
import threading
import types
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict

from shengji_client import (
    Action,
    Client,
    Message,
    Problem,
    ServiceError,
    Table,
    Unreachable,
    View,
    example,
    fold,
    follow,
)

URL, *GAMES = sys.argv[1:]


def known(value: Any, kind: Any) -> Any:
    """Return a value without the fields that the types of the package do not have: a fold leaves those as they were."""
    if isinstance(value, dict) and is_typeddict(kind):
        return {name: known(value[name], hint) for name, hint in get_type_hints(kind).items() if name in value}
    if isinstance(value, list) and get_origin(kind) is list:
        return [known(each, get_args(kind)[0]) for each in value]
    if get_origin(kind) is types.UnionType or str(get_origin(kind)) == "typing.Union":
        kinds = [each for each in get_args(kind) if each is not type(None)]
        return known(value, kinds[0]) if len(kinds) == 1 else value
    return value


def lasting(view: View) -> Any:
    """Return what the package knows of a view, without what depends on when it was read."""
    told = known(json.loads(json.dumps(view)), View)
    told.pop("server_time")
    for name in ("remaining_ms", "hints"):
        # Events that are read when the decision is over have no hints.
        (told["decision"] or {}).pop(name, None)
    return told


class Watched:
    """A view that is kept by events alone, beside those that are read."""

    def __init__(self) -> None:
        self.view: Any = None
        self.seqs: list[int] = []
        self.resets = self.compared = 0
        self.differ: set[str] = set()
        #: Version -> what has been read there.
        self.read: dict[int, Any] = {}

    def take(self, message: Message) -> None:
        """Take a message of the stream."""
        if message.name == "reset":
            self.view, self.resets = message.data["view"], self.resets + 1
        elif message.name == "message":
            self.view = fold(self.view, message.data)
            self.seqs.append(message.data["seq"])
        if self.view is not None and (read := self.read.pop(self.view["version"], None)):
            self.compared += 1
            self.differ |= {name for name, value in lasting(self.view).items() if value != read[name]}


def play(client: Client, ruleset: str, players: int) -> dict[str, Any]:
    """Play a whole game, over a stream for every sixty messages."""
    options: dict[str, Any] = {} if ruleset == "arms_length" else {"deal_pace": "instant", "start_level": "A"}
    table = Table.create(client, {"ruleset": ruleset, "players": players, "options": options, "ai_pace_ms": 0})
    table.sit(0)
    for seat in range(1, players):
        table.seat_ai(seat)
    table.ready()
    watched, actions, end = Watched(), 0, ""
    while not end:
        for count, message in enumerate(table.follow(watched.seqs[-1] if watched.seqs else None)):
            watched.take(message)
            end = message.data["reason"] if message.name == "end" else ""
            view = table.view()
            watched.read[view["version"]] = lasting(view)
            decision = view["decision"]
            if decision and 0 in decision["seats"] and view["status"] == "playing":
                action: Action = example(decision)
                try:
                    outcome = table.act(decision["id"], action)
                    assert outcome["view"]["id"] == table.id
                    actions += 1
                except Problem as problem:
                    # It was over between reading and acting.
                    if problem.code not in ("stale-decision", "wrong-phase"):
                        raise
            if end or (count >= 60 and message.name == "message"):
                break
    last = table.view()
    seqs = watched.seqs
    return {
        "ruleset": ruleset, "status": last["status"], "winners": (last["game"] or {}).get("winners"), "end": end,
        "gaps": [seq for before, seq in itertools.pairwise(seqs) if seq != before + 1],
        "resets": watched.resets, "compared": watched.compared, "differ": sorted(watched.differ), "actions": actions,
        "left": table.events(seqs[-1], wait=0, limit=10)["events"],
    }  # fmt: skip


def refused(code: str, request: Any) -> str:
    """Return the sentence of a refusal, whose code this is."""
    try:
        request()
    except ServiceError as error:
        if isinstance(error, Problem) and error.code == code:
            return str(error)
        raise
    raise AssertionError(code)


def meet(client: Client) -> dict[str, Any]:
    """Two people, their account and a table: codes, tokens, seats, challenges, refusals, the account's stream."""
    told: list[str] = []
    begun, challenged = threading.Event(), threading.Event()

    def listen() -> None:
        for message in follow(client, "/v1/me/events"):
            told.append(message.data.get("type", message.name) if message.name == "message" else message.name)
            begun.set()
            if "challenged" in told:
                challenged.set()
                return

    threading.Thread(target=listen, daemon=True).start()
    assert begun.wait(60)
    guest = Client.register(URL, "Wei", kind="bot", language="zh-Hans", patience=30.0)
    assert guest.rotate_token() == guest.token
    helper = Client(URL, guest.make_token("Helper", ["tables:read"])["token"])
    me = client.request("GET", "/v1/me")
    client.request("PATCH", "/v1/me", {"accepts": {"concurrent": 1}})
    guest.request("POST", f"/v1/players/{me['id']}/challenges", {"ruleset": "shengji", "players": 4})
    assert challenged.wait(60)
    table = Table.create(client, {"ruleset": "shengji", "players": 4, "options": {"deal_pace": "instant"}})
    table.sit(0)
    code = table.view()["join_code"]
    there = Table.by_code(guest, code)
    taken = refused("seat-taken", lambda: there.sit(0, join_code=code))
    there.sit(join_code=code)
    there.leave()
    assert not [row for row in guest.request("GET", "/v1/me/tables")["items"] if row["table"] == table.id]
    scope = refused("insufficient-scope", lambda: Table.create(helper, {"ruleset": "shengji", "players": 4}))
    refused("not-found", Table(client, "tb_none").view)
    table.close()
    try:
        Client("http://127.0.0.1:9", patience=0.0).request("GET", "/v1")
    except Unreachable:
        told.append("unreachable")
    return {"told": told, "taken": taken, "scope": scope, "closed": table.view()["status"]}


def main() -> None:
    client = Client.register(URL, "Lin")
    games = [play(client, ruleset, int(players)) for ruleset, _, players in (game.partition(":") for game in GAMES)]
    print(json.dumps({"games": games, "meet": meet(client)}))


if __name__ == "__main__":
    main()
