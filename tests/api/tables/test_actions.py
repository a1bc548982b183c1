"""Actions: answering decisions, and the problems that illegal ones get."""

import pytest

from tests.api.contract import assert_problem
from tests.support.sorting import by_day

PLAIN = {"deal_pace": "instant"}
GAMES = [
    ("zhaopengyou", 5, PLAIN),
    ("finding_friends", 6, PLAIN),
    ("shengji", 4, {**PLAIN, "chao_di": True}),
    ("arms_length", 4, {}),
    ("shengji", 4, PLAIN),
    ("zhaopengyou_80", 6, PLAIN),
    ("sishifen", 4, PLAIN),
    ("tractor", 4, PLAIN),
]


@pytest.mark.parametrize(("ruleset", "players", "options"), by_day(GAMES[:4], GAMES))
def test_a_round_is_played_through_the_api(world, ruleset, players, options):
    table = world.table(players, ruleset, options=options)
    decision = table.play_until("ready")
    assert decision["kind"] == "ready"
    view = table.view()
    assert view["phase"] == "scored"
    assert view["round"]["result"]["reason"] == "played"
    log = table.host.get(f"{table.path}/events?limit=500").json["events"]
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1))


def test_an_action_returns_its_events_and_the_new_view(world):
    table = world.table()
    table.play_until("play")
    seat, view, decision = table.turn()
    cards = decision["hints"]["example"]
    answer = table.act(seat, "play", cards=cards).json
    assert answer["events"][0]["type"] == "played"
    assert answer["events"][0]["data"]["cards"] == cards
    assert answer["events"][-1]["type"] == "decision_opened"
    assert answer["seq"] == answer["version"] == answer["view"]["version"] == answer["events"][-1]["seq"]
    assert len(answer["view"]["my"]["hand"]) == len(view["my"]["hand"]) - len(cards)


def test_the_same_action_again_is_answered_with_the_recorded_result(world):
    table = world.table()
    table.play_until("play")
    seat, _, decision = table.turn()
    body = {"decision_id": decision["id"], "cards": decision["hints"]["example"]}
    first = table.act(seat, "play", **body).json
    version = table.state()["version"]
    again = table.act(seat, "play", **body).json
    assert (again["seq"], again["events"]) == (first["seq"], first["events"])
    assert table.state()["version"] == version
    table.step()
    later = table.act(seat, "play", **body).json
    assert (later["seq"], later["events"]) == (first["seq"], first["events"])
    assert later["version"] > first["version"]


def test_a_stale_answer_is_refused_with_the_open_decision(world):
    table = world.table()
    table.play_until("play")
    seat, _, decision = table.turn()
    table.step()
    now = table.view(seat)["decision"]
    answer = table.act(seat, "play", decision_id=decision["id"], cards=["2S"])
    problem = assert_problem(answer, "stale-decision", decision_id=decision["id"], open=now["id"])
    assert problem["decision"] == now
    assert "hints" not in problem["decision"]


def test_the_open_decision_in_a_refusal_has_hints_for_its_own_seat(world):
    table = world.table()
    table.play_until("play")
    seat, view, _ = table.turn()
    problem = assert_problem(
        table.act(seat, "play", decision_id="dc_1", cards=view["my"]["hand"][:1]), "stale-decision"
    )
    assert problem["decision"]["hints"]["example"]


def test_nobody_plays_for_others_or_out_of_turn(world, lin):
    table = world.table()
    table.play_until("play")
    seat, _, decision = table.turn()
    other = (seat + 1) % 4
    card = table.view(other)["my"]["hand"][0]
    assert_problem(table.act(other, "play", cards=[card]), "not-your-turn", seats=[seat])
    stranger = lin.post(f"{table.path}/play", {"decision_id": decision["id"], "cards": [card]})
    assert_problem(stranger, "not-your-seat")


def test_an_action_of_another_phase_is_refused_before_anything_else(world):
    table = world.table()
    table.play_until("play")
    seat, _, _ = table.turn()
    cards = ["3C"] * 8
    answer = table.act((seat + 1) % 4, "discard", decision_id="dc_1", cards=cards)
    assert_problem(answer, "wrong-phase", action="discard", expected="play")


def test_before_the_game_nothing_can_be_played(world):
    table = world.table(ready=False)
    assert_problem(table.act(0, "play", cards=["3C"]), "wrong-phase", expected=None)


def test_cards_that_are_not_held_are_named(world):
    table = world.table()
    table.play_until("play")
    seat, view, _ = table.turn()
    hand = view["my"]["hand"]
    foreign = next(card for card in ("AS", "KS", "QS", "JS", "3H", "4H", "5H", "6H") if card not in hand)
    answer = table.act(seat, "play", cards=[foreign, foreign])
    assert_problem(answer, "cards-not-held", missing=[foreign, foreign])


def test_a_play_against_the_rules_is_refused_with_rule_requirement_and_example(world):
    table = world.table()
    table.play_until("play")
    table.step()
    while True:
        seat, view, decision = table.turn()
        hints, hand = decision["hints"], view["my"]["hand"]
        # In rare deals no play fits, and the next decision may be of another kind.
        if hints.get("cards") == 1 and hints["must_follow"] not in (None, "trumps"):
            suit = hints["must_follow"]
            wrong = next((card for card in hand if card[1] != suit and card[0] != "2" and card[1] != "J"), None)
            if wrong is not None:
                break
        table.step()
    before = table.state()
    problem = assert_problem(table.act(seat, "play", cards=[wrong]), "illegal-play")
    assert problem["rule"]
    assert problem["required"]
    assert all(card in hand for card in problem["example"])
    assert table.state() == before
    assert table.act(seat, "play", cards=problem["example"]).status_code == 200


def test_a_refusal_is_in_the_language_that_the_request_names(world):
    table = world.table()
    table.play_until("discard")
    seat, view, decision = table.turn()
    body = {"decision_id": decision["id"], "cards": view["my"]["hand"][:2]}
    client = table.clients[seat]
    english = client.post(f"{table.path}/discard", body, headers={"Accept-Language": "fr, en;q=0.5"})
    chinese = client.post(f"{table.path}/discard", body, headers={"Accept-Language": "zh-CN,zh;q=0.9,en;q=0.8"})
    assert_problem(english, "illegal-discard")
    assert (english.headers["Content-Language"], chinese.headers["Content-Language"]) == ("en", "zh-Hans")
    assert english.json["detail"] != chinese.json["detail"]
    assert english.json["params"] == chinese.json["params"]
    assert "8" in english.json["detail"]


def test_legal_plays_are_listed_for_the_player_to_play(world):
    table = world.table()
    table.play_until("play")
    table.step()
    seat, _, decision = table.turn()
    path = f"{table.path}/legal-plays"
    listed = table.clients[seat].get(path).json
    assert listed["plays"]
    if listed["complete"]:
        assert sorted(decision["hints"]["example"]) in [sorted(play) for play in listed["plays"]]
    few = table.clients[seat].get(f"{path}?limit=1").json
    assert len(few["plays"]) == 1
    assert few["complete"] == (len(listed["plays"]) == 1 and listed["complete"])
    assert_problem(table.clients[(seat + 1) % 4].get(path), "not-your-turn", seats=[seat])
    assert table.act(seat, "play", cards=few["plays"][0]).status_code == 200


def test_legal_plays_of_arms_length_are_single_cards(world):
    table = world.table(4, "arms_length")
    table.play_until("play")
    seat, view, _ = table.turn()
    listed = table.clients[seat].get(f"{table.path}/legal-plays").json
    assert listed["complete"]
    assert sorted(listed["plays"]) == sorted([card] for card in view["my"]["hand"])


def test_legal_plays_are_refused_before_the_game_and_to_strangers(world, lin):
    table = world.table(ready=False)
    assert_problem(table.host.get(f"{table.path}/legal-plays"), "wrong-phase")
    assert_problem(lin.get(f"{table.path}/legal-plays"), "not-your-seat")


def test_a_redeal_is_possible_only_if_the_table_allows_misdeals(world):
    table = world.table()
    seat, _, decision = table.turn()
    assert decision["kind"] == "declare"
    assert_problem(table.act(seat, "redeal"), "illegal-declaration")


def test_declaring_with_cards_of_another_rank_is_refused(world):
    table = world.table()
    seat, view, _ = table.turn()
    card = next(card for card in view["my"]["hand"] if card[0] not in "2LB")
    problem = assert_problem(table.act(seat, "declare", cards=[card]), "illegal-declaration")
    assert problem["rule"] == "rank_to_declare"


def test_calling_a_trump_card_for_a_friend_is_refused(world):
    table = world.table(5, "zhaopengyou")
    table.play_until("call")
    seat, _, _ = table.turn()
    calls = [{"card": "BJ", "ordinal": 1}]
    problem = assert_problem(table.act(seat, "call", calls=calls), "illegal-call")
    assert problem["rule"]
    assert problem["detail"] != "These cards cannot be called for friends."


def test_a_failed_throw_is_no_error_and_says_what_is_led_instead(world):
    table = world.table()
    table.play_until("play")
    for _ in range(60):
        seat, view, _ = table.turn()
        side = [
            card for card in view["my"]["hand"] if card[0] not in "2LBA" and card[1] != view["round"]["trump"]["suit"]
        ]
        leading = view["round"]["trick"] is None
        suit = next((card[1] for card in side if len({c for c in side if c[1] == card[1]}) > 2), None)
        if leading and suit:
            throw = sorted({card for card in side if card[1] == suit})[:3]
            answer = table.act(seat, "play", cards=throw)
            assert answer.status_code == 200
            failed = next((event for event in answer.json["events"] if event["type"] == "throw_failed"), None)
            if failed:
                played = next(event for event in answer.json["events"] if event["type"] == "played")
                assert played["data"]["throw"]["ok"] is False
                assert played["data"]["cards"] == failed["data"]["forced"]
                assert failed["data"]["cards"] != failed["data"]["forced"]
                return
        else:
            table.step()
    pytest.fail("no throw failed in sixty plays")
