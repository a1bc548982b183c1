"""Events contain the hints of an open decision for the seat that may answer it, however they are read."""

from shengji_client.folding import fold
from tests.api.streams.test_events import Stream


def hints_in(events):
    """Seq -> hints of the events that have some."""
    return {event["seq"]: event["data"]["hints"] for event in events if "hints" in event["data"]}


def pages(client, table, after=0):
    return client.get(f"{table.path}/events?after={after}&limit=500").json["events"]


def test_pages_and_streams_contain_the_hints_of_an_own_turn_only(world):
    table = world.table()
    table.play_until("play")
    leader, before = table.turn()[0], table.state()["version"]
    following = (leader + 1) % 4
    with Stream(table.clients[following], f"{table.path}/events?after={before}") as stream:
        answer = table.step().json
        view = table.view(following)
        turn = {view["decision"]["opened_seq"]: view["decision"]["hints"]}
        assert hints_in(stream.messages(view["version"] - before)) == turn
    assert hints_in(answer["events"]) == {}
    assert hints_in(pages(table.clients[following], table)) == turn
    assert hints_in(pages(table.clients[leader], table)) == {}


def test_the_response_to_an_action_contains_the_hints_of_a_next_own_turn(world):
    table = world.table()
    table.play_until("discard")
    answer = table.step().json
    assert answer["events"][-1]["type"] == "decision_opened"
    assert answer["events"][-1]["data"]["hints"] == answer["view"]["decision"]["hints"]


def test_hints_of_a_decision_that_is_over_are_left_out(world):
    table = world.table()
    table.play_until("play")
    seat = table.turn()[0]
    opened = table.state()["decision"]["opened_seq"]
    assert set(hints_in(pages(table.clients[seat], table))) == {opened}
    table.step()
    assert opened not in hints_in(pages(table.clients[seat], table))


def test_hints_are_for_the_seat_to_play_alone(world):
    table = world.table(spectators="delayed", spectator_delay_ms=0)
    table.play_until("play")
    seat = table.turn()[0]
    for other in range(4):
        assert bool(hints_in(pages(table.clients[other], table))) == (other == seat)
    assert hints_in(pages(world.player("Mei"), table)) == {}


def test_a_client_plays_a_round_with_events_alone_after_its_first_view(world):
    """It chooses every action from events alone, and its last view equals the real one."""
    table = world.table(options={"deal_pace": "timed"})
    views = [table.view(seat) for seat in range(4)]
    while views[0]["round"]["result"] is None:
        for seat, client in enumerate(table.clients):
            for event in pages(client, table, views[seat]["version"]):
                views[seat] = fold(views[seat], event)
        decision = views[0]["decision"]
        if decision is None or views[0]["phase"] == "dealing":
            world.now += 1_000
            table.view()
            continue
        for seat in decision["seats"][:1]:
            hints, kind = views[seat]["decision"]["hints"], decision["kind"]
            body = {"cards": hints["example"]} if "example" in hints else {}
            if kind != "ready":
                table.act(seat, kind if body else "pass", decision_id=decision["id"], **body)
    for seat, client in enumerate(table.clients):
        for event in pages(client, table, views[seat]["version"]):
            views[seat] = fold(views[seat], event)
        fresh = table.view(seat)
        assert {**views[seat], "server_time": fresh["server_time"], "decision": None} == {**fresh, "decision": None}


# --- a timed deal ------------------------------------------------------------------------------------------------


def last_of(client, table, kind):
    return next(event["data"] for event in reversed(pages(client, table)) if event["type"] == kind)


def test_a_pass_in_a_timed_deal_holds_until_more_cards_or_a_declaration_void_it(world):
    table = world.table(options={"deal_pace": "timed"})
    assert table.act(2, "pass").json["view"]["decision"]["seats"] == [0, 1, 3]
    assert last_of(table.host, table, "passed")["asked"] == [0, 1, 3]
    assert "hints" in table.view(2)["decision"], "who has passed may still declare"
    world.now += 12_000
    assert table.view(2)["decision"]["seats"] == [0, 1, 2, 3]
    assert last_of(table.host, table, "dealt")["asked"] == [0, 1, 2, 3]
    table.act(1, "pass")
    declarer = next(seat for seat in range(4) if table.view(seat)["decision"]["hints"]["possible"])
    cards = table.view(declarer)["decision"]["hints"]["possible"][0]
    assert table.act(declarer, "declare", cards=cards).status_code == 200
    others = [seat for seat in range(4) if seat != declarer]
    assert last_of(table.host, table, "declared")["asked"] == others == table.view()["decision"]["seats"]
