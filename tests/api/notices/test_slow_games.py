"""Notices of games that take days: not before orders may have answered, and once more when a fifth is left."""

import json

import pytest

from service.standing.delays import MOST_MS, delay_ms
from tests.api.notices.test_notices import decision_and_client, decisions_of
from tests.api.tables.test_standing_orders import DAYS, give
from tools.orders.messages import Messages

HOUR_MS = 3_600_000


@pytest.fixture
def messages(world):
    return Messages(world)


@pytest.fixture
def table(world):
    table = world.table(clock=DAYS)
    table.play_until("play")
    return table


def test_a_player_is_notified_once_orders_cannot_answer_any_more_and_reminded_once(world, messages, table):
    client, decision = decision_and_client(table)
    messages.subscribe(client)
    world.now += delay_ms(table.state(), decision["seats"][0])
    assert messages.run() == []
    world.now += 10_000
    first = messages.run()
    assert decisions_of(first) == [("turn", table.id, decision["id"])]
    world.now = decision["deadline"] - (24 * HOUR_MS) // 5 - 1
    assert messages.run() == []
    world.now += 1
    second = messages.run()
    assert decisions_of(second) == decisions_of(first)
    assert second[0].headers["webhook-id"] != first[0].headers["webhook-id"]
    assert json.loads(second[0].body)["data"]["remaining_ms"] == 24 * HOUR_MS // 5
    world.now += HOUR_MS
    assert messages.run() == []


def test_a_turn_that_an_order_answers_is_not_notified(world, messages, table):
    client, decision = decision_and_client(table)
    messages.subscribe(client)
    give(table, decision["seats"][0], {"do": "cards", "cards": table.view(decision["seats"][0])["my"]["hand"][-1:]})
    for _ in range(12):
        world.now += MOST_MS // 10
        world.advance(table.id)
        assert (("turn", table.id, decision["id"])) not in decisions_of(messages.run())
    assert table.state()["decision"]["id"] != decision["id"]


def test_whoever_has_played_is_not_reminded(world, messages, table):
    client, decision = decision_and_client(table)
    messages.subscribe(client)
    world.now += MOST_MS + 10_000
    messages.run()
    table.step()
    for _ in range(24):
        world.now += HOUR_MS
        assert decision["id"] not in [each for _, _, each in decisions_of(messages.run())]


def test_the_next_turn_is_told_in_time_although_a_reminder_of_the_last_was_due_later(world, messages, table):
    client, _ = decision_and_client(table)
    messages.subscribe(client)
    world.now += MOST_MS + 10_000
    assert len(messages.run()) == 1
    table.step()
    while decision_and_client(table)[0] is not client:
        table.step()
    world.now += MOST_MS + 10_000
    assert decisions_of(messages.run()) == [("turn", table.id, decision_and_client(table)[1]["id"])]
