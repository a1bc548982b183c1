"""Blocked networks and the switch of registration: every process hears of a change."""

import pytest

from service.store import keys
from service.store.moderation.admission import AdmissionStore, Block

BLOCK: Block = {"network": "203.0.113.0/24", "at": 1, "by": "Lin", "note": None, "until": None}


@pytest.mark.parametrize(
    "change",
    [
        lambda doors: doors.block(BLOCK),
        lambda doors: doors.unblock(BLOCK["network"]),
        lambda doors: doors.switch({"registration": "invited", "at": 1, "by": "Lin"}),
    ],
    ids=["block", "unblock", "switch"],
)
def test_a_change_is_announced_to_every_process(client, change):
    channel = client.pubsub(ignore_subscribe_messages=True)
    channel.subscribe(keys.REVOKED)
    channel.get_message(timeout=5)
    change(AdmissionStore(client))
    assert channel.get_message(timeout=5)["data"] == keys.DOORS.encode()
    channel.close()
