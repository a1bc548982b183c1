"""What an append tells its script, by name; and what the script leaves in the head, which an earlier release reads."""

import re
import zlib

import pytest
from redis.exceptions import ResponseError

from service.store import keys
from service.store.index import Index, packed
from service.store.redis_tables import APPEND
from service.store.stores import Stores
from tests.store.conftest import START, a_state, put, some_events

INDEX: Index = {
    "table": "tb_a",
    "expected": 0,
    "replaces": "",
    "checksum": "7",
    "queue": "people",
    "at": START,
    "due": str(START),
    "listed": "",
    "watchable": "",
    "ttl": "",
    "field": "e1",
    "needs": "",
    "long": 40,
    "publish": "PUBLISH",
}


def run(client, index):
    return APPEND.run(client, keys.of_table("tb_a"), index, b"s2:{}", b"", b"{}")


def test_the_script_reads_each_name_of_the_index_and_no_other():
    read = set(re.findall(r"\bindex\.(\w+)", re.sub(r"--.*", "", APPEND.text)))
    assert read == set(Index.__annotations__) == set(INDEX)


@pytest.mark.parametrize("version", [b"k2:", b"k:", b"", b"s2:"])
def test_the_script_refuses_an_index_of_another_version_and_changes_nothing(client, version):
    with pytest.raises(ResponseError):
        run(client, packed(INDEX).replace(b"k1:", version, 1))
    assert client.keys("*") == []
    assert run(client, packed(INDEX)) == 0


def test_a_head_has_the_fields_of_0_3_in_its_form(client):
    put(Stores(client).tables, "tb_a", count=2, wake_at=START, queue="people")
    snapshot, setup = b'{"id":"tb_a","version":2}', b"[{},{}]"
    assert client.hgetall(keys.head("tb_a")) == {
        b"v": b"2",
        b"s": b"s2:" + snapshot,
        b"o": b"o1:" + setup,
        b"c": str(zlib.crc32(b"s2:" + snapshot, zlib.crc32(b"o1:" + setup))).encode(),
        b"q": b"people",
    }
    assert client.zscore(keys.due(keys.bucket_of("tb_a")), "tb_a") == START


def test_a_table_keeps_its_place_on_a_list_until_it_leaves_it(client):
    tables = Stores(client).tables
    bucket = keys.bucket_of("tb_a")
    for seq, (lists, since) in enumerate(
        [({"listed": True}, START), ({"listed": True}, START), ({}, None), ({"listed": True}, START + 3)]
    ):
        tables.append(
            "tb_a", seq, some_events(seq, 1, START + seq), a_state(id="tb_a", version=seq + 1), wake_at=None, **lists
        )
        assert client.zscore(keys.lobby(bucket), "tb_a") == since
        assert client.zscore(keys.watch(bucket), "tb_a") is None
