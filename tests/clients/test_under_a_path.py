"""The Python package with an address that has a path: a gateway serves the service there, and strips the path."""

import pytest

from shengji_client import Client, Problem, Table, example
from tests.support.below import under_a_path

GAME = {"ruleset": "sishifen", "players": 4, "ai_pace_ms": 0, "options": {"deal_pace": "instant"}}


@pytest.fixture
def gateway(service):
    """The URL of the service under a path, and the paths asked for outside it."""
    with under_a_path(service.url) as (url, missed):
        yield url, missed


@pytest.mark.parametrize("end", ["", "/"])
def test_a_bot_plays_under_a_path(gateway, end):
    url, missed = gateway
    client = Client.register(url + end, "Lin")
    table = Table.create(client, GAME)
    table.sit(0)
    for seat in (1, 2, 3):
        table.seat_ai(seat)
    table.ready()
    played = 0
    for message in table.follow():
        decision = table.view()["decision"]
        if decision and 0 in decision["seats"]:
            played += decision["kind"] == "play"
            table.act(decision["id"], example(decision))
        if message.name == "end" or played == 3:
            break
    assert played == 3
    with pytest.raises(Problem) as refused:
        Table(client, "tb_none").view()
    assert refused.value.code == "not-found"
    assert missed == []


def test_what_was_created_is_found_below_the_address_of_the_service(gateway):
    url, missed = gateway
    client = Client.register(url, "Lin")
    view = client.send("POST", "/v1/tables", GAME)
    assert view.headers["location"] == f"/v1/tables/{view.body['id']}"
    assert client.request("GET", view.headers["location"])["id"] == view.body["id"]
    assert missed == []
