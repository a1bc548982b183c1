"""Standing orders that are changed, or whose process ends, while they act: nothing is done twice or lost."""

import random
from itertools import count
from threading import Thread

import pytest

from service.standing.delays import MOST_MS
from service.store.players.standing_orders import ACTING_MS
from tests.api.tables.test_standing_orders import DAYS, follow, give, path
from tests.support.kills import killed_after

ANY_PLAY = ({"do": "lowest"}, {"do": "partner"}, {"do": "highest"})


@pytest.fixture
def table(world):
    table = world.table(clock=DAYS, claims=True)
    table.play_until("play")
    return table


def test_an_order_that_was_withdrawn_a_hundred_times_while_it_acted_never_acts_afterwards(world, table):
    rng = random.Random(5)
    outcomes = set()
    for _ in range(100):
        table.play_until("play")
        seat = table.turn()[0]
        example = table.view(seat)["decision"]["hints"]["example"]
        give(table, seat, {"do": "cards", "cards": example})
        world.now += MOST_MS
        before = table.state()["version"]
        worker = Thread(target=world.advance, args=(table.id,))
        worker.start()
        worker.join(rng.random() * 0.006)
        give(table, seat)
        withdrawn = table.state()["version"]
        worker.join()
        assert table.state()["version"] == withdrawn, "it acted after it was withdrawn"
        outcomes.add(withdrawn > before)
        if withdrawn == before:
            table.step()
    assert outcomes == {True, False}


def test_a_worker_that_ends_at_any_place_neither_repeats_nor_loses_an_act(world):
    for place in count(1):
        table = world.table(clock=DAYS)
        table.play_until("play")
        seat = (table.turn()[0] + 1) % 4
        give(table, seat, *ANY_PLAY)
        assert follow(table) == seat
        world.now += MOST_MS
        was_killed = killed_after(place, lambda table=table: world.advance(table.id))
        world.now += ACTING_MS + 1
        world.advance(table.id)
        assert [play["seat"] for play in table.state()["round"]["trick"]["plays"]].count(seat) == 1
        assert give(table, seat)["orders"] == [], "orders can be changed"
        if not was_killed:
            break
    assert place > 4


def test_orders_are_read_while_they_act(world, table):
    seat = (table.turn()[0] + 1) % 4
    give(table, seat, *ANY_PLAY)
    raw = world.stores.orders.of_table(table.id, [seat])[seat].raw
    assert world.stores.orders.take(table.id, seat, raw)
    assert table.clients[seat].get(path(table)).status_code == 200
    assert not world.stores.orders.take(table.id, seat, raw + b" "), "others than those that were read"
    world.stores.orders.done(table.id, seat, None)
    assert give(table, seat)["orders"] == []


def test_a_change_waits_for_an_act_that_has_begun(world, table, monkeypatch):
    seat = (table.turn()[0] + 1) % 4
    give(table, seat, *ANY_PLAY)
    follow(table)
    world.now += MOST_MS
    appended, changed_at = [], []
    append = world.stores.tables.append

    def change():
        give(table, seat)
        changed_at.append(len(appended))

    def slowly(*args, **options):
        if not appended:
            changing.start()
            changing.join(0.2)
        append(*args, **options)
        appended.append(args[1])

    changing = Thread(target=change)
    monkeypatch.setattr(world.stores.tables, "append", slowly)
    world.advance(table.id)
    changing.join()
    assert changed_at == [1], "after the act, not before"
