"""Bytes of a round: downloads of a `shengji` player from the first lead to the score, for several ways of following it.

    python -m bench.bench_bytes [--rounds 3]

Only bodies, without HTTP headers, of one of four players. `answers`: responses to the player's own actions; `views`:
read whenever the player is asked; `events`: from a stream, one after the other. Bodies are compressed as by the
service. The first way without compression is the only one that clients of the first release had; the last way with gzip
is the best one now.
"""

import argparse
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from flask.testing import FlaskClient

from bench import report
from bench.servers import Seated, seat_bots
from service.api.streams.coding import Gzip, Identity, Text
from service.app import build
from service.common.settings import Budget, Settings
from service.processes.embedded_redis import EmbeddedRedis
from service.store.connections.clients import command_client
from service.store.stores import Stores
from service.tables import Tables

CODINGS = ("identity", "gzip")


class Way(NamedTuple):
    """A way to follow a table."""

    name: str
    minimal: bool
    reads_views: bool
    follows_events: bool


WAYS = (
    Way("reads the view at each turn, and follows events", minimal=False, reads_views=True, follows_events=True),
    Way("takes the view from the answer, and follows events", minimal=False, reads_views=False, follows_events=True),
    Way("follows events alone (`Prefer: return=minimal`)", minimal=True, reads_views=False, follows_events=True),
)


def play(api: FlaskClient, seated: Seated, way: Way, coding: str) -> dict[str, int]:
    """Play the round of a table to its end, and return the bytes for all its players together."""
    path, sizes = f"/v1/tables/{seated.table}", {"views": 0, "answers": 0, "events": 0}
    accept = {"Accept-Encoding": coding}
    begun = seated.state["version"]
    for seat, body in seated.plays():
        headers = {**accept, "Authorization": f"Bearer {seated.tokens[seat]}"}
        if way.reads_views:
            sizes["views"] += len(api.get(path, headers=headers).data)
        if way.minimal:
            headers["Prefer"] = "return=minimal"
        answer = api.post(f"{path}/play", json=body, headers=headers)
        assert answer.status_code == 200, answer.data
        sizes["answers"] += len(answer.data)
    for token in seated.tokens if way.follows_events else ():
        stream, after = Gzip() if coding == "gzip" else Identity(), begun
        while events := _page(api, path, token, after):
            for event in events:
                after = event["seq"]
                text = json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode()
                sizes["events"] += len(stream.encode([Text(b"id: %d\ndata: %b\n\n" % (after, text))]))
    return sizes


def _page(api: FlaskClient, path: str, token: str, after: int) -> list[dict[str, Any]]:
    answer = api.get(f"{path}/events?after={after}&limit=500", headers={"Authorization": f"Bearer {token}"})
    events: list[dict[str, Any]] = answer.json["events"] if answer.json else []
    return events


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as redis:
        stores = Stores(command_client(redis.url))
        unlimited = {name: Budget(0, 60) for name in ("limit_act", "limit_read", "limit_create")}
        api = build(replace(Settings(), redis_url=redis.url, log_level="error", **unlimited)).test_client()
        tables = Tables(stores.tables)
        rows = []
        totals: dict[tuple[str, str], float] = {}
        for way in WAYS:
            for coding in CODINGS:
                parts = [play(api, seat_bots(tables, stores.players), way, coding) for _ in range(options.rounds)]
                mean = {name: sum(part[name] for part in parts) / options.rounds / 4 for name in parts[0]}
                totals[way.name, coding] = sum(mean.values())
                figures = [f"{size:,.0f}" for size in (*mean.values(), sum(mean.values()))]
                share = totals[way.name, coding] / totals[WAYS[0].name, "identity"]
                rows.append([f"{way.name}: {coding}", *figures, f"{100 * share:.0f} %"])
    print(f"Bytes for a player, means of {options.rounds} rounds of 25 tricks.")
    report.table(("a client that …", "views", "answers", "events", "in all", "of the first"), rows)


if __name__ == "__main__":
    main()
