"""Record a game of every ruleset from a running service, for tests by users of the packages.

`PYTHONPATH=clients/python python scripts/recorded_games.py http://127.0.0.1:8000`, while `make run` is running. It
records the view of the player on seat 0; the others are AI players. Record again when the packages need new data of the
service.
"""

import gzip
import json
import sys
from pathlib import Path
from typing import Any, Final

from shengji_client import Client, Table, example

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "clients" / "python" / "shengji_client" / "recorded"
#: The same cards each time, and a game that ends when a side has passed its level.
SEED: Final = "recorded-games-one"
SHORT: Final = {"deal_pace": "instant", "start_level": "A"}


def recorded(client: Client, ruleset: str, players: int) -> dict[str, Any]:
    """Play a game, and return it.

    Its fields: `first`, the view before the player is ready; `events` after it, as the player gets them; `answers`, the
    decisions answered by the player (empty: ready for the game) with `seq` and `version` of the outcome; `last`, the
    final view.
    """
    options: dict[str, Any] = {} if ruleset == "arms_length" else SHORT
    spec = {"ruleset": ruleset, "players": players, "options": options, "seed": SEED, "ai_pace_ms": 0}
    table = Table.create(client, spec)
    table.sit(0)
    for seat in range(1, players):
        table.seat_ai(seat)
    first = table.view()
    outcome = table.ready()
    answers = [["", outcome["seq"], outcome["version"]]]
    events: list[Any] = []
    answered, view = "", first
    while view["status"] != "finished" or view["version"] > first["version"] + len(events):
        # Read it before the next answer, since events have hints only for an open decision.
        events += table.events(first["version"] + len(events), wait=5, limit=500)["events"]
        view = table.view()
        decision = view["decision"]
        if view["version"] > first["version"] + len(events) or decision is None:
            continue
        if 0 in decision["seats"] and decision["id"] != answered:
            answered = decision["id"]
            outcome = table.act(answered, example(decision))
            answers.append([answered, outcome["seq"], outcome["version"]])
    while (last := table.view())["version"] > first["version"] + len(events) or events[-1]["type"] != "game_kept":
        events += table.events(first["version"] + len(events), wait=5)["events"]
    return {"ruleset": ruleset, "players": players, "first": first, "events": events, "answers": answers, "last": last}


def main() -> None:
    """Record and write."""
    client = Client.register(sys.argv[1], "Lin")
    for ruleset in client.request("GET", "/v1/rulesets")["items"]:
        game = recorded(client, ruleset["id"], ruleset["players"][0])
        text = json.dumps(game, ensure_ascii=False, separators=(",", ":")).encode()
        file = FOLDER / f"{ruleset['id']}.json.gz"
        file.write_bytes(gzip.compress(text, 9, mtime=0))
        print(f"{ruleset['id']}: {len(game['events'])} events, {len(text):,} bytes, {file.stat().st_size:,} compressed")


if __name__ == "__main__":
    main()
