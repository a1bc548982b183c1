"""Write a stored game in the current schemas: `python -m tests.store.stored_games.write`.

Run it when a schema has a new name; existing files must never change.
"""

import base64
import json
import tempfile
from pathlib import Path
from typing import Any

from redis import Redis

from harness.driver import Driver
from service.game.records import record
from service.game.state.types import SCHEMA
from service.processes.embedded_redis import EmbeddedRedis
from service.store import chunks, codec, keys
from service.store.connections.clients import command_client
from service.store.sleep import asleep
from service.store.stores import Stores

FOLDER = Path(__file__).parent
#: Names of the current schemas of events, snapshots, chunks and archived games, and the version of the state.
TODAY = "-".join([*(name.decode() for name in (codec.EVENT, codec.STATE, chunks.CHUNK, codec.GAME)), str(SCHEMA)])


def text(value: bytes) -> str:
    return base64.b64encode(value).decode()


def as_stored(client: Redis, table: str, game: str) -> dict[str, Any]:
    """Return all values of a table and of an archived game as bytes."""

    def stream(key: str) -> list[Any]:
        return [
            [entry.decode(), {name.decode(): text(value) for name, value in fields.items()}]
            for entry, fields in client.xrange(key)
        ]

    return {
        "table": table,
        "head": {name.decode(): text(value) for name, value in client.hgetall(keys.head(table)).items()},
        "log": stream(keys.log(table)),
        "old": stream(keys.old(table)),
        "game": game,
        "kept": text(client.get(keys.game(game))),
    }


def write_asleep(stores: Stores, client: Redis) -> None:
    """Put the table to sleep, and write its value, with its state and standing orders."""
    orders: Any = {"player": "p1", "game": "gm_1", "round": 1, "set_at": 1, "orders": [{"do": "forced"}]}
    stores.orders.put("tb_test", 1, orders)
    held = {name.decode(): value.decode() for name, value in client.hgetall(keys.orders("tb_test")).items()}
    assert list(stores.sleeping.put_to_sleep(0)) == [True]
    stored = stores.tables.load("tb_test")
    assert stored is not None
    head = {name.decode(): text(value) for name, value in client.hgetall(keys.head("tb_test")).items()}
    told = {"head": head, "orders": held, "state": stored.state}
    (FOLDER / "asleep" / f"{asleep.ASLEEP.decode()}.json").write_text(json.dumps(told) + "\n")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as server:
        client = command_client(server.url)
        stores = Stores(client)
        # A whole game, and the next one at the same table up to the middle of a trick, with bots on all seats.
        driver = Driver("shengji", 4, {"start_level": "K"}, seed=3)
        for _ in driver.rounds(100):
            pass
        game = driver.state["game"]["id"]
        stores.archive.archive(game, record.game_log(driver.log, game)._asdict())
        for seat in range(4):
            driver.do(seat, type="ready")
        while driver.state["round"]["phase"] != "playing":
            driver.step()
        for _ in range(22):
            driver.step()
        for start in range(0, len(driver.log), 10):
            last = driver.log[start : start + 10]
            stores.tables.append("tb_test", start, last, driver.state, wake_at=None)
            stores.tables.tidy(1)
        stored = as_stored(client, "tb_test", game)
        write_asleep(stores, client)
    (FOLDER / f"{TODAY}.json").write_text(json.dumps(stored, indent=1) + "\n")
    print(f"{TODAY}.json: {len(driver.log)} events, {driver.state['round']['phase']}")


if __name__ == "__main__":
    main()
