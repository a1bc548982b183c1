"""What a stuck table waits for is written, also while a Redis does not answer."""

import json

import pytest

from service.store import keys
from service.store.connections.clients import command_client
from tools.faults.stuck import Stuck


@pytest.mark.parametrize("is_there", [True, False])
def test_the_path_of_a_stuck_table_is_written(tmp_path, empty_redis, is_there):
    client = command_client(empty_redis)
    client.hset(keys.head("tb_a"), mapping={"v": 7, "q": "ai"})
    client.zadd(keys.due(keys.bucket_of("tb_a")), {"tb_a": 5_000})
    client.rpush("rq:queue:ai", "job")
    client.zadd("sj:alive:worker", {"one": 1_000})
    stuck = Stuck(tmp_path / "stuck.jsonl", client, empty_redis if is_there else "redis://127.0.0.1:1")
    stuck.note("tb_a", 2.5, 3_000)
    stuck.close()
    line = json.loads((tmp_path / "stuck.jsonl").read_text())
    fields = {"table": "tb_a", "late_s": 2.5, "version": 7, "queue": "ai", "leased until": 5_000}
    assert fields.items() <= line.items()
    if is_there:
        assert (line["waiting ai"], line["ms since a worker was heard"]) == (1, [2_000])
    else:
        assert "queues" in line
    client.close()
