"""Orders on Redis find nothing wrong, and find faults that are put in by hand."""

import time
from contextlib import suppress
from itertools import count

import pytest

from service.boards import deals
from service.common.settings import Settings
from service.store import keys
from service.store.idempotency import RedisIdempotencyStore
from tests.api.boards.test_boards import DAY, begin, entrant
from tests.api.conftest import World
from tests.api.notices.test_devices import SET_UP
from tools.orders.house import BASES
from tools.orders.messages import Messages
from tools.orders.on_redis import Endings, Keys, Notices, Saved, TableOnRedis
from workers import ai

#: Seeds by day.
FEW = range(60)
SLOW = {"clock": {"play_ms": 600_000, "declare_ms": 600_000, "discard_ms": 600_000, "call_ms": 600_000}}


@pytest.fixture
def world(empty_redis):
    new_world = World(empty_redis, Settings())
    yield new_world
    new_world.close()


def searched(make, seeds):
    """Return seed -> what is wrong, for the orders of these seeds."""
    faults = {}
    for seed in seeds:
        if wrong := make(seed).run():
            faults[seed] = wrong
    return faults


def warmed(make):
    """Run an order first: a server that has not seen a script yet is asked twice, and then orders are others."""
    make(0).run()
    return make


# --- keys -------------------------------------------------------------------------------------------------------------


def test_a_request_with_a_key_is_carried_out_once(world):
    assert searched(lambda seed: Keys(seed, world.redis), range(400)) == {}


def test_an_order_on_redis_is_the_same_each_time(world):
    make = warmed(lambda seed: Keys(seed, world.redis))
    first, again = make(60), make(60)
    assert (first.run(), again.run()) == ([], [])
    assert first.order.steps == again.order.steps


class LocksTwice(RedisIdempotencyStore):
    """Looks whether a key is free, and then takes it."""

    def __init__(self, redis):
        class Client:
            def set(self, name, value, nx, px):
                return not redis.get(name) and redis.set(name, value, px=px)

            def __getattr__(self, name):
                return getattr(redis, name)

        super().__init__(Client())


def test_a_key_that_is_locked_twice_is_found(world):
    faults = searched(lambda seed: Keys(seed, world.redis, LocksTwice), range(100))
    assert any("was carried out 2 times" in wrong for its in faults.values() for wrong in its)


# --- notices ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def notices(world):
    """Return a function from a seed to an order at a table whose players have a webhook and a phone."""
    world.start(**SET_UP)
    table = world.table(**SLOW)
    messages = Messages(world)
    for seat, client in enumerate(table.clients):
        messages.subscribe(client, f"hook{seat}")
        messages.subscribe(
            client,
            f"phone{seat}",
            kind="relay",
            id=f"rl_phone{seat}",
            target={"platform": "apns", "device_token": "0a"},
        )
    saved = Saved(world.redis)
    return warmed(lambda seed: Notices(seed, world, table, saved))


def test_a_device_is_told_of_a_decision_once(notices):
    assert searched(notices, FEW) == {}


#: An order that found it before what is over left a mark: a slow messenger told a phone again.
FOUND = 238


def test_a_messenger_that_is_slower_than_its_lease_tells_nobody_again(notices):
    assert notices(FOUND).run() == []


def test_a_notice_that_is_posted_again_is_found(notices, monkeypatch):
    numbers = count()
    monkeypatch.setattr(keys, "over", lambda _delivery: f"sj:{{players}}:over:{next(numbers)}")
    faults = searched(notices, range(400))
    assert any("was sent 2 times" in wrong for its in faults.values() for wrong in its)


# --- endings ----------------------------------------------------------------------------------------------------------


class Over(Exception):
    """Raised instead of keeping a game."""


def ended(world, play):
    """Play until a game is over, and not kept."""

    def keep(_state, _log):
        raise Over

    writer = world.tables._writer
    plain, writer.listeners[:] = [*writer.listeners], [keep]
    with suppress(Over):
        while True:
            play()
    writer.listeners[:] = plain
    return Saved(world.redis)


@pytest.fixture
def board(world, monkeypatch):
    """Return a function from a seed to an order at a board whose game is over."""
    monkeypatch.setattr(deals, "BOARDS", 1)
    monkeypatch.setattr(deals, "DEALS", 1)
    world.start(daily_events=("sishifen:4",))
    world.now = world.now // DAY * DAY + 8 * 3_600_000
    lin, event = entrant(world)
    table, player = begin(lin, event), lin.player["id"]

    def play():
        world.now += 1_000
        world.advance(table)
        decision = world.tables.load(table)["decision"]
        seat = world.tables.question_of(table, 0, decision["id"]) if decision else None
        if seat is not None:
            command = {"player": player, "decision_id": decision["id"], **ai.choose(*seat, "easy")}
            world.tables.act(table, command)

    saved = ended(world, play)

    def counts_of():
        return {
            "the number of results": len(world.stores.boards.results(event, [1])),
            "the number of past games": world.stores.past_games.count(player, 9),
            "the number of notes": sum(note.type == "game_kept" for note in world.stores.inbox.after(player, 0, 99)),
        }

    return warmed(lambda seed: Endings(seed, world, table, saved, player, counts_of))


def test_a_board_counts_once(board):
    assert searched(board, FEW) == {}


@pytest.fixture
def game(world):
    """Return a function from a seed to an order at a table whose rated game is over."""
    table = world.table(ruleset="sishifen")
    players = [client.player["id"] for client in table.clients]

    def play():
        state = table.state()
        if not state["game"]["results"]:
            table.move()
        elif state["vote"] is None:
            world.tables.act(table.id, {"type": "open_vote", "player": players[0], "kind": "end_early"})
        else:
            seat = next(seat for seat in range(4) if str(seat) not in state["vote"]["votes"])
            ballot = {"vote": state["vote"]["id"], "approve": True}
            world.tables.act(table.id, {"type": "cast_vote", "player": players[seat], **ballot})
        if table.state()["game"]["ended"]:
            raise Over

    saved = ended(world, play)

    def counts_of():
        results = [world.stores.results.of_player(player, ["sishifen"])["sishifen"] for player in players]
        return {
            f"the number of games of {player}": its["games"] for player, its in zip(players, results, strict=True)
        } | {
            "the number of past games": world.stores.past_games.count(players[1], 9),
            "the number of notes": sum(
                note.type == "game_kept" for note in world.stores.inbox.after(players[1], 0, 99)
            ),
        }

    return warmed(lambda seed: Endings(seed, world, table.id, saved, players[0], counts_of))


def test_a_game_counts_once_for_each_of_its_players(game):
    assert searched(game, FEW) == {}


def test_a_game_that_counts_twice_is_found(game, world, monkeypatch):
    plain, numbers = world.stores.results.settle, count()

    def settle(game_id, ruleset, players, *rest):
        """Count a game without asking whether another process has."""
        return plain(f"{game_id}-{next(numbers)}", ruleset, players, *rest)

    monkeypatch.setattr(world.stores.results, "settle", settle)
    faults = searched(game, FEW)
    assert any("the number of games of" in wrong for its in faults.values() for wrong in its)


@pytest.mark.nightly
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("scene", ["table_on_redis", "notices", "board", "game"])
def test_new_orders_on_redis_find_nothing_wrong(request, scene):
    first = time.time_ns() % 10**12
    print("seeds from", first)
    assert searched(request.getfixturevalue(scene), range(first, first + 5_000)) == {}


# --- tables -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def table_on_redis(world):
    """Return a function from a seed to an order at a table."""
    return warmed(lambda seed: TableOnRedis(seed, BASES[seed % len(BASES)], world.redis))


def test_no_order_at_a_table_brings_out_anything_wrong(table_on_redis):
    assert searched(table_on_redis, range(140)) == {}
