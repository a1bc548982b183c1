"""Standing orders leave no trace: worlds that differ only in them answer everybody else alike."""

from service.standing.acting import answers
from service.standing.delays import delay_ms
from tests.api.boards.test_sealed_twins import OPERATOR, assert_alike, known
from tests.api.tables.test_standing_orders import DAYS, follow
from tests.api.twins import Twins, differing

ANY_PLAY = [{"do": "lowest"}, {"do": "partner"}, {"do": "highest"}]


def with_orders(table, player, orders):
    return lambda world: world.services.orders.set(table, player, orders)


def test_no_answer_tells_whether_and_which_orders_a_seat_has_and_who_made_a_play(world):
    world.start(operator_token=OPERATOR)
    table = world.table(clock=DAYS, claims=True, spectators="open", spectator_delay_ms=0)
    table.play_until("play")
    seat = follow(table)
    client, other = table.clients[seat], table.clients[(seat + 1) % 4]
    player, state = client.player["id"], table.state()
    delay = delay_ms(state, seat)
    readers = {
        "operator": (OPERATOR, False),
        "opponent": (other.token, True),
        "partner": (table.clients[(seat + 2) % 4].token, False),
        "stranger": (world.player("Tao").token, False),
        "nobody": (None, False),
    }
    values = known(world, other, table.id)
    unseen = [with_orders(table.id, player, orders) for orders in (ANY_PLAY, [{"do": "forced"}])]
    told = assert_alike(world, unseen, readers, values)
    assert told["opponent", "get", "/v1/tables/{table}"][0] == 200

    _, command = next(answers(state, seat, enumerate(ANY_PLAY)))

    def by_order(twin):
        twin.services.orders.set(table.id, player, ANY_PLAY)
        twin.now += delay
        twin.advance(table.id)
        twin.now += 1_000

    def by_hand(twin):
        twin.now += delay
        twin.tables.act(table.id, {**command, "player": player, "decision_id": state["decision"]["id"]})
        twin.now += 1_000

    twins = Twins(world)
    one, two = (twins.answers(happens, readers, values) for happens in (by_order, by_hand))
    assert not differing(one, two)
