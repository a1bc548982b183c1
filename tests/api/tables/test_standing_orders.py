"""Standing orders over HTTP: what is accepted, what they do, and what nobody else learns of them."""

import pytest

from service.standing.delays import MOST_MS
from service.store.keys import bucket_of

HOUR_MS = 3_600_000
DAYS = {"correspondence": {"decision_hours": 24}}


def path(table):
    return f"{table.path}/seats/me/orders"


def give(table, seat, *orders):
    answer = table.clients[seat].put(path(table), {"orders": list(orders)})
    assert answer.status_code == 200, answer.json
    return answer.json


def wait(world, table):
    """Let the time pass in which orders act, and do what workers do."""
    world.now += MOST_MS
    world.advance(table.id)


def follow(table):
    """Lead a heart, or the last card; return the seat that follows."""
    leader = table.turn()[0]
    hand = table.view(leader)["my"]["hand"]
    assert table.act(leader, "play", cards=[hand[-1]]).status_code == 200
    return table.turn()[0]


def answered_by_order(world, table, seat):
    """Whether a decision of a seat is answered once the time of orders has passed; the seat's acts tell the same."""
    before, acts = table.state(), len(table.clients[seat].get(path(table)).json["acts"])
    wait(world, table)
    after = table.state()
    assert (len(table.clients[seat].get(path(table)).json["acts"]) > acts) == (after["version"] > before["version"])
    return after["version"] > before["version"]


@pytest.fixture
def table(world):
    """A table of four bots at their first lead."""
    table = world.table(clock=DAYS, claims=True)
    table.play_until("play")
    return table


def test_an_order_plays_after_a_while_like_its_player_who_alone_can_see_it(world, table):
    seat = (table.turn()[0] + 1) % 4
    give(table, seat, {"do": "lowest"}, {"do": "partner"})
    assert follow(table) == seat
    before = table.state()
    world.advance(table.id)
    assert table.state() == before, "too early"
    assert answered_by_order(world, table, seat)
    event = table.clients[seat].get(f"{table.path}/events?after={before['version']}").json["events"][0]
    assert (event["type"], event["by"]) == ("played", "player")
    acts = table.clients[seat].get(path(table)).json["acts"]
    assert [(act["do"], act["seq"], act["round"]) for act in acts] == [("lowest", before["version"] + 1, 1)]
    for other in (each for each in range(4) if each != seat):
        own = table.clients[other].get(path(table)).json
        assert (own["orders"], own["set_at"], own["acts"]) == ([], None, [])


def test_orders_with_no_legal_answer_leave_the_decision_to_the_player_until_its_deadline(world, table):
    seat = (table.turn()[0] + 1) % 4
    give(table, seat, {"do": "highest", "led": "nothing"}, {"do": "claim"})
    assert follow(table) == seat
    assert not answered_by_order(world, table, seat)
    assert table.act(seat, "play", cards=table.view(seat)["decision"]["hints"]["example"]).status_code == 200
    follower = table.turn()[0]
    world.now += 24 * HOUR_MS + 2_000
    world.advance(table.id)
    assert table.state()["seats"][follower]["timeouts"] == 1, "time runs out as without orders"


def test_an_order_given_while_its_decision_is_open_acts_too_and_not_at_once(world, table):
    seat = follow(table)
    world.now += HOUR_MS
    world.advance(table.id)
    give(table, seat, {"do": "lowest"}, {"do": "partner"}, {"do": "forced"})
    world.advance(table.id)
    version = table.state()["version"]
    assert table.clients[seat].post(f"{table.path}/chat", {"preset": "hello"}).status_code == 200
    world.advance(table.id)
    assert table.state()["version"] == version + 1, "chat makes no order act"
    assert answered_by_order(world, table, seat)


def test_withdrawn_orders_do_nothing(world, table):
    seat = (table.turn()[0] + 1) % 4
    give(table, seat, {"do": "lowest"}, {"do": "forced"})
    follow(table)
    assert give(table, seat)["orders"] == []
    assert not answered_by_order(world, table, seat)


def test_orders_do_nothing_while_an_ai_has_the_seat_nor_for_whoever_comes_after(world, table):
    seat = (table.turn()[0] + 1) % 4
    give(table, seat, {"do": "lowest"}, {"do": "partner"}, {"do": "forced"})
    assert table.clients[seat].delete(f"{table.path}/seats/me").status_code == 200
    follow(table)
    wait(world, table)
    assert table.clients[seat].get(path(table)).json["acts"] == []

    def by_the_others():
        return world.advance(table.id) if table.turn()[0] == seat else table.step()

    table.play_until("ready", by=by_the_others)
    newcomer = world.player("Mei")
    sat = newcomer.post(f"{table.path}/seats", {"seat": seat})
    assert sat.status_code == 200, sat.json
    assert newcomer.get(path(table)).json["orders"] == []


def test_all_are_ready_by_their_orders_and_cards_end_with_the_round(world, table):
    for seat, client in enumerate(table.clients):
        give(table, seat, {"do": "ready"}, {"do": "cards", "cards": [table.view(seat)["my"]["hand"][0]]})
        assert client.get(path(table)).json["orders"][1]["do"] == "cards"
    table.play_until("ready")
    for _ in range(4):
        wait(world, table)
    assert table.state()["round"]["number"] == 2
    table.play_until("play")
    hand = table.view(table.turn()[0])["my"]["hand"]
    before = table.state()
    wait(world, table)
    assert table.state() == before, hand


@pytest.mark.parametrize(
    ("orders", "status", "said"),
    [
        ([{"do": "dance"}], 400, "/orders/0/do"),
        ([{}], 400, "/orders/0/do"),
        ([{"do": "cards"}], 400, "Send `cards`"),
        ([{"do": "cards", "cards": []}], 400, "/orders/0/cards"),
        ([{"do": "cards", "cards": ["ZZ"]}], 400, "/orders/0/cards"),
        ([{"do": "pass"}], 400, "Send `decisions`"),
        ([{"do": "pass", "decisions": ["play"]}], 400, "/orders/0/decisions"),
        ([{"do": "pass", "decisions": ["overcall-kitty"]}], 400, "No decision at this table"),
        ([{"do": "pass", "decisions": ["declare"], "unless_suits": ["T"]}], 400, "/orders/0/unless_suits"),
        ([{"do": "forced", "led": "H"}], 400, "has no led"),
        ([{"do": "forced", "cards": ["2S"]}], 400, "has no cards"),
        ([{"do": "lowest", "led": "X"}], 400, "/orders/0/led"),
        ([{"do": "forced"}] * 21, 400, "/orders"),
        ([{"do": "cards", "led": "H", "cards": ["2S"] * 30}] * 20, 400, "at most 2048 bytes"),
        ("forced", 400, "/orders"),
    ],
)
def test_orders_that_cannot_act_are_refused_with_what_to_send(table, orders, status, said):
    seat = table.turn()[0]
    give(table, seat, {"do": "forced"})
    refused = table.clients[seat].put(path(table), {"orders": orders})
    assert refused.status_code == status, refused.json
    assert said in refused.get_data(as_text=True), refused.json
    assert table.clients[seat].get(path(table)).json["orders"] == [{"do": "forced"}]


def test_cards_that_the_seat_does_not_hold_are_refused(table):
    seat = table.turn()[0]
    hand = table.view(seat)["my"]["hand"]
    missing = next(card for card in ("2S", "3S", "4S", "5S", "6S", "7S") if hand.count(card) == 0)
    refused = table.clients[seat].put(path(table), {"orders": [{"do": "cards", "cards": [missing]}]})
    assert (refused.status_code, refused.json["code"]) == (422, "cards-not-held")


def test_orders_are_for_seats_of_games_that_take_days(world, table):
    quick = world.table()
    refused = quick.clients[0].put(path(quick), {"orders": [{"do": "forced"}]})
    assert (refused.status_code, refused.json["params"]["reason"]) == (409, "orders_need_days")
    early = world.table(clock=DAYS, ready=False)
    refused = early.clients[0].put(path(early), {"orders": [{"do": "forced"}]})
    assert (refused.status_code, refused.json["params"]["reason"]) == (409, "orders_need_a_game")
    stranger = world.player("Mei")
    assert stranger.get(path(table)).json["code"] == "not-your-seat"
    assert stranger.put(path(table), {"orders": []}).json["code"] == "not-your-seat"
    assert stranger.post(f"{path(table)}/trial", {"orders": []}).json["code"] == "not-your-seat"


def test_a_trial_tells_what_would_be_done_and_does_nothing(table):
    seat = follow(table)
    before = table.state()
    trial = table.clients[seat].post(
        f"{path(table)}/trial", {"orders": [{"do": "claim"}, {"do": "lowest"}, {"do": "partner"}]}
    )
    assert trial.status_code == 200, trial.json
    assert trial.json["order"] == 1
    assert trial.json["action"]["type"] == "play"
    assert table.state() == before
    assert table.clients[seat].get(path(table)).json["orders"] == []


def test_the_orders_of_a_seat_take_a_few_kilobytes(world, table):
    seat = table.turn()[0]
    cards = table.view(seat)["my"]["hand"][:25]
    order = {"do": "cards", "led": "H", "cards": cards}
    room = 2_048 - len('[{"do":"forced"}]')
    most = [order] * (room // (len(str(order)) + 1)) + [{"do": "forced"}]
    give(table, seat, *most)
    act = {"player": table.clients[seat].player["id"], "round": 99, "order": 19, "do": "partner", "seq": 59_999}
    for at in range(40):
        world.stores.orders.done(table.id, seat, {**act, "at": world.now + at})
    assert len(table.clients[seat].get(path(table)).json["acts"]) == 30
    key = f"sj:{{b{bucket_of(table.id):02d}}}:{table.id}:orders"
    assert 4_000 < world.redis.memory_usage(key, samples=0) < 7_000
    assert world.redis.pttl(key) > 89 * 24 * HOUR_MS
