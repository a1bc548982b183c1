"""The contract of every archive (`service.store.port.ArchiveStore`)."""

import json

import pytest

from service.store import keys
from service.store.players.archive import RedisArchiveStore
from service.store.port import StoreCorrupt, StoreTooNew
from tests.store.conftest import some_events

RECORD = {"base": {"deck": ["AS", "BJ"] * 54, "name": "升级"}, "events": some_events(70, 200)}
OTHER = {"base": {}, "events": some_events(0, 1)}


def test_a_record_is_returned_unchanged(stores):
    assert stores.archive.load_archive("gm_1") is None
    stores.archive.archive("gm_1", RECORD)
    stores.archive.archive("gm_2", OTHER)
    assert stores.archive.load_archive("gm_1") == RECORD
    assert stores.archive.load_archive("gm_2") == OTHER


def test_the_same_game_again_replaces_its_record(stores):
    stores.archive.archive("gm_1", RECORD)
    stores.archive.archive("gm_1", OTHER)
    assert stores.archive.load_archive("gm_1") == OTHER


def test_a_record_is_stored_compressed(client):
    RedisArchiveStore(client).archive("gm_1", RECORD)
    assert client.strlen(keys.game("gm_1")) < len(json.dumps(RECORD)) / 20


@pytest.mark.parametrize("cut", [0, 1, 2, 3, 7, 40, -40, -1])
def test_a_truncated_record_is_an_error_that_names_the_game(client, cut):
    archive = RedisArchiveStore(client)
    archive.archive("gm_1", RECORD)
    client.set(keys.game("gm_1"), client.get(keys.game("gm_1"))[:cut])
    with pytest.raises(StoreCorrupt, match=r"gm_1.*truncated"):
        archive.load_archive("gm_1")


def test_a_record_of_a_future_schema_is_an_error(client):
    archive = RedisArchiveStore(client)
    archive.archive("gm_1", RECORD)
    client.setrange(keys.game("gm_1"), 0, "g9")
    with pytest.raises(StoreTooNew, match="record of gm_1 is of a newer release"):
        archive.load_archive("gm_1")
