"""Each kind of order, at each kind of decision and in each ruleset, through HTTP: a round played by orders alone."""

from collections import Counter

import pytest

from tests.api.tables.test_standing_orders import DAYS, give, path, wait

#: What the seats have told the table, each something else; together they answer every decision that orders can answer.
OF_SEATS = (
    [{"do": "ready"}, {"do": "forced"}, {"do": "lowest"}],
    [{"do": "ready"}, {"do": "claim"}, {"do": "highest"}],
    [{"do": "ready"}, {"do": "partner"}, {"do": "lowest"}],
    [{"do": "ready"}, {"do": "lowest", "led": "nothing"}, {"do": "highest", "led": "trumps"}, {"do": "lowest"}],
)
RULESETS = [
    ("zhaopengyou", 6),
    ("zhaopengyou_80", 4),
    ("finding_friends", 6),
    ("shengji", 4),
    ("shengji_six", 6),
    ("sishifen", 4),
    ("tractor", 4),
    ("arms_length", 4),
]


@pytest.mark.parametrize(("ruleset", "players"), RULESETS)
def test_a_round_is_played_by_orders(world, ruleset, players):
    is_declared = ruleset != "arms_length"
    options = {"options": {"chao_di": True, "deal_pace": "instant"}} if ruleset == "shengji" else {}
    table = world.table(players, ruleset, clock=DAYS, claims=True, seed=f"orders of {ruleset}", **options)
    passes = {"do": "pass", "decisions": ["declare", "overcall-kitty"] if options else ["declare"]}
    for seat, client in enumerate(table.clients):
        orders = OF_SEATS[seat % len(OF_SEATS)]
        orders = [each for each in orders if is_declared or each["do"] not in ("partner", "claim")]
        give(table, seat, *orders, *([passes] if is_declared and seat % 2 else []))
        assert client.get(path(table)).json["orders"]
    by_orders, asked = Counter(), Counter()
    while (state := table.state())["round"]["number"] == 1:
        kind = state["decision"]["kind"]
        before = state["version"]
        wait(world, table)
        if table.state()["version"] == before:
            asked[kind] += 1
            table.move()
        else:
            by_orders[kind] += 1
    done = Counter()
    for client in table.clients:
        done.update(act["do"] for act in client.get(path(table)).json["acts"])
    # What nobody has said is asked of the players: to bury, to call, to state a road, and the pass of every other seat.
    assert set(asked) <= {"declare", "discard", "call", "road", "overcall-kitty", "play"}
    assert by_orders["play"] > 5, by_orders
    assert by_orders["ready"], by_orders
    assert {"ready", "lowest", "highest"} <= set(done), done
    # Whether a partner wins a trick in time depends on the cards.
    if ruleset == "shengji":
        assert done["partner"], done


def test_an_order_to_claim_is_refused_where_nobody_can(world):
    table = world.table(ruleset="arms_length", clock=DAYS, claims=True)
    answer = table.clients[0].put(path(table), {"orders": [{"do": "claim"}]})
    assert (answer.status_code, answer.json["params"]["reason"]) == (400, "order_never_comes")
