"""Shuffles: the documented algorithm, its vectors and its checker, and that all orders are equally likely."""

import hashlib
import json
import math
import random
import subprocess
import sys
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from harness.driver import Driver
from service.common.errors import InvalidRequest
from service.game import shuffle
from service.game.commands.round import games
from service.game.commands.transaction import Transaction
from service.game.records import record, replay
from service.game.state.queries import counts_for_ratings
from service.game.state.rules import composition_of, options_of
from service.game.views.redaction import redact
from service.game.views.view import view, viewer_of
from service.rules.cards import CARDS
from service.rules.options.rulesets import RULESETS, cards_as_json, deck_of
from shengji_client.folding import fold

DOCS = Path(__file__).parents[2] / "docs"
CHECKER = DOCS / "check_shuffle.py"
FINE = (0, "The shuffle is correct.\n")
VECTORS = json.loads((Path(__file__).parent / "shuffle_vectors.json").read_text())


@pytest.mark.parametrize("case", VECTORS, ids=[f"{case['purpose']} of {case['server_seed'][:6]}" for case in VECTORS])
def test_the_algorithm_reproduces_the_vectors(case):
    seed = bytes.fromhex(case["server_seed"])
    assert shuffle.commitment(seed) == case["commitment"]
    entropy = {int(seat): value for seat, value in case["entropy"].items()}
    signed = shuffle.message(case["table"], case["round"], entropy, case["purpose"])
    assert signed.decode() == case["signed"]
    assert list(islice(shuffle._words(seed, signed), len(case["numbers"]))) == case["numbers"]
    if "order" in case:
        assert shuffle.permutation(seed, signed, case["size"]) == case["order"]
    else:
        assert shuffle.pick(seed, signed, case["below"]) == case["chosen"]


def test_the_document_names_the_vectors_and_the_checker_and_quotes_a_signed_message():
    text = (DOCS / "shuffle.md").read_text()
    assert "shuffle_vectors.json" in text
    assert "check_shuffle.py" in text
    example = shuffle.message("tb_7h2kx5q2m4na", 3, {2: "c0ffee", 0: "00ff"}, "deck:0").decode()
    assert f"    {example}\n" in text


def test_numbers_that_would_favour_some_results_are_skipped():
    top = (1 << 32) - 1
    assert shuffle.below(iter([top, top - 1, 7]), 5) == 4
    assert shuffle.below(iter([top, 7]), 5) == 2
    assert shuffle.below(iter([top]), 4) == 3


def test_all_orders_of_a_few_cards_are_equally_likely():
    rng = random.Random(20)
    for size in (3, 4):
        orders = math.factorial(size)
        drawn = 150 * orders
        counts = Counter(tuple(shuffle.permutation(rng.randbytes(32), b"sj1|tb|1|deck:0", size)) for _ in range(drawn))
        assert len(counts) == orders
        expected = drawn / orders
        chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
        # 99.9 % of fair shuffles stay below this, with 5 and 23 degrees of freedom.
        assert chi_square < {3: 20.5, 4: 49.7}[size]


def test_every_card_is_equally_likely_on_top_of_the_deck():
    rng = random.Random(21)
    drawn, size = 520, 52
    at_the_top = Counter(shuffle.permutation(rng.randbytes(32), b"x", size)[0] for _ in range(drawn))
    expected = drawn / size
    assert sum((at_the_top[card] - expected) ** 2 / expected for card in range(size)) < 86.7  # 51 degrees of freedom


def record_of_game(ruleset, players, options=None, *, seat=1, practice=None):
    """Play a round; return the input of the checker for it."""
    driver = Driver(ruleset, players, options, seed=6, practice=practice, start=False)
    for each in range(players):
        driver.do(each, type="sit", kind="bot", name="X", seat=each)
    driver.do(2, type="entropy", entropy="00ff")
    if players > 10:
        driver.do(10, type="entropy", entropy="aa")
    for each in range(players):
        driver.do(each, type="ready")
    for _ in driver.rounds(1):
        pass
    setup = cards_as_json(composition_of(driver.state), RULESETS[ruleset].teams)
    events = [redact(event, seat, ruleset) for event in driver.log]
    special = options_of(driver.state).get("special_decks", [])
    return {"setup": setup, "players": players, "seat": seat, "special_decks": special, "events": events}


def verdict(round_told):
    """Run the checker with the standard library alone (-I -S); return its exit status and output."""
    command = [sys.executable, "-I", "-S", CHECKER]
    done = subprocess.run(command, input=json.dumps(round_told), capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("ruleset", "players", "options"),
    [
        ("zhaopengyou", 12, {}),
        ("zhaopengyou_80", 8, {"misdeal": {"points_below": 45}}),
        ("shengji", 4, {"deal_pace": "timed"}),
        ("arms_length", 4, {}),
        ("tractor", 4, {"special_decks": [{"from": "7"}, {"from": "2", "little_joker": False}]}),
    ],
)
def test_the_checker_accepts_a_round(ruleset, players, options):
    assert verdict(record_of_game(ruleset, players, options)) == FINE


def test_the_checker_is_short():
    lines = CHECKER.read_text().splitlines()
    assert len(lines) <= 32
    assert max(map(len, lines)) <= 120


def test_the_checker_follows_redeals():
    driver = Driver("zhaopengyou", 5, {"misdeal": {"points_below": 200}}, seed=6)
    driver.do(driver.active_seat, type="redeal")
    for _ in driver.rounds(1):
        pass
    setup = cards_as_json(composition_of(driver.state), "friends")
    game_record = {
        "setup": setup,
        "players": 5,
        "seat": 0,
        "events": [redact(event, 0, "zhaopengyou") for event in driver.log],
    }
    assert [event["type"] for event in game_record["events"]].count("redealt") >= 1
    assert verdict(game_record) == FINE
    first = next(event for event in game_record["events"] if event["type"] == "dealt")
    first["data"]["cards"].reverse()
    assert verdict(game_record) == (1, f"Event {first['seq']}: these cards do not follow from the seed.\n")


def test_the_checker_accepts_a_round_of_a_practice_table():
    assert verdict(record_of_game("shengji", 4, practice="monday")) == FINE


def test_each_seed_of_a_practice_table_follows_from_the_one_before():
    driver = Driver("arms_length", 4, practice="monday")
    for _ in range(2):
        driver.play_until(lambda state: state["status"] == "finished")
        for seat in range(4):
            driver.do(seat, type="ready")
    seeds = [event["data"]["server_seed"] for event in driver.log if event["type"] == "round_opened"]
    before = ""
    for seed in seeds:
        assert seed == hashlib.sha256(f"practice|monday|{before}".encode()).hexdigest()
        before = seed
    assert len({*seeds}) == 9


def test_the_first_starter_and_a_random_suit_follow_from_the_seed_as_documented():
    driver = Driver("tractor", 4, {"misdeal": {"points_below": 200}}, seed=6)
    seed = bytes.fromhex(driver.state["round"]["server_seed"])
    assert driver.state["round"]["starter"] == shuffle.pick(seed, b"sj1|tb_test|1|starter", 4)
    driver.do(driver.active_seat, type="redeal")
    while driver.decision["kind"] == "declare":
        driver.do(driver.active_seat, type="pass")
    suit = "SHDC"[shuffle.pick(seed, b"sj1|tb_test|1|suit:1", 4)]
    assert driver.state["round"]["trump"] == {"rank": "2", "suit": suit}


def test_the_checker_notices_another_seed_and_other_cards():
    game_record = record_of_game("shengji", 4)
    data_of = {event["type"]: event["data"] for event in game_record["events"]}
    ended, opened = data_of["round_ended"], data_of["round_opened"]
    seed = ended["server_seed"]
    ended["server_seed"] = "00" * 32
    assert verdict(game_record) == (1, "The seed does not match the commitment.\n")
    ended["server_seed"] = seed
    dealt = next(event for event in game_record["events"] if event["type"] == "dealt")
    other = (1, f"Event {dealt['seq']}: these cards do not follow from the seed.\n")
    for place, name, value in (
        (dealt["data"], "cards", dealt["data"]["cards"][::-1]),
        (dealt["data"], "cards", dealt["data"]["cards"] * 2),
        (opened, "entropy", {"2": "00fe"}),
        (opened, "number", 2),
        (ended, "shuffle_name", "tb_other"),
        (game_record, "seat", 2),
    ):
        original, place[name] = place[name], value
        assert verdict(game_record) == other
        place[name] = original
    assert verdict(game_record) == FINE


def test_the_deck_begins_in_the_documented_order():
    cards = [CARDS[kind] for kind in deck_of(composition_of(Driver("zhaopengyou_80", 4).state))]
    assert cards[:6] == ["2S", "3S", "3S", "4S", "4S", "5S"]
    assert cards[-5:] == ["AC", "LJ", "LJ", "BJ", "BJ"]
    assert len(cards) == 106


def is_followed(driver, watched, table_view):
    """Whether the events after `table_view`, applied to a spectator's view, give the current view."""
    for event in driver.log[table_view:]:
        watched = fold(watched, redact(event, None, "shengji"))
    seat_view = view(driver.state, None, driver.now)
    for later in (watched, seat_view):
        later.pop("server_time")
        later["decision"].pop("remaining_ms")
    return bool(watched == seat_view)


def seated(driver):
    return [seat["occupant"] for seat in driver.state["seats"]]


def test_seats_are_drawn_by_the_shuffle_of_the_first_round():
    driver = Driver("shengji", 4, seed=3, start=False, random_seats=True, ai=[3])
    for seat in range(3):
        driver.do(seat, type="sit", kind="human", name="ABC"[seat], seat=seat)
    driver.do(1, type="entropy", entropy="00ff")
    driver.do(1, type="presence", presence="away")
    before, watched = seated(driver), view(driver.state, None, driver.now)
    version = driver.state["version"]
    for seat in range(3):
        driver.do(seat, type="ready")
    opened = next(event["data"] for event in driver.log if event["type"] == "round_opened")
    assert opened["entropy"] == {"1": "00ff"}
    signed = shuffle.message("tb_test", 1, {1: "00ff"}, "seats")
    order = shuffle.permutation(bytes.fromhex(opened["server_seed"]), signed, 4)
    assert order != [0, 1, 2, 3], "choose a seed that moves somebody"
    for seat, occupant in enumerate(before):
        now = seated(driver)[order[seat]]
        assert now["player"] == occupant["player"]
        assert now["name"] == (occupant["name"] if occupant["player"] else f"AI {order[seat] + 1}")
    assert driver.state["seats"][order[1]]["presence"] == "away"
    assert [viewer_of(driver.state, f"p{player}") for player in range(3)] == order[:3]
    assert is_followed(driver, watched, version)


def test_players_replaced_by_an_ai_player_keep_their_seats_when_seats_are_drawn():
    state = Driver("shengji", 4, seed=3, random_seats=True).state
    away = [{**seat, "autopilot": "easy"} if number in (0, 2) else seat for number, seat in enumerate(state["seats"])]
    moved = set()
    for seed in range(8):
        tx = Transaction({**state, "seats": away, "next_seed": bytes([seed] * 32).hex()}, 0, bytes)
        games._draw_seats(tx)
        moved |= {event["data"]["seat"] for event in tx.events}
        assert {tx.state["seats"][seat]["occupant"]["player"] for seat in (1, 3)} == {
            away[seat]["occupant"]["player"] for seat in (1, 3)
        }
    assert moved == {1, 3}


def deal_of(driver, number):
    """Return the deal of a round, from the record of the game."""
    game_record = record.record(record.game_log(driver.log, driver.state["game"]["id"]), driver.now)
    played = next(each for each in game_record["rounds"] if each["round"] == number)
    shuffle_of = {name: played["shuffle"][name] for name in ("server_seed", "shuffle_name", "entropy")}
    return {**shuffle_of, "round": number, "starter": played["starter"], "declarer": played["declarer"]}


def hands_dealt(driver, number):
    dealt = [event for event in driver.log if event["type"] in ("dealt", "round_opened") and event["round"] is not None]
    return [event["data"]["cards"] for event in dealt if event["type"] == "dealt" and event["round"] == number]


def test_a_revealed_seed_repeats_the_deal_of_a_later_round():
    played = Driver("shengji", 4, seed=2)
    played.do(1, type="entropy", entropy="c0ffee")
    for _ in played.rounds(2):
        pass
    deal = deal_of(played, 2)
    assert deal["declarer"] is not None
    again = Driver("shengji", 4, seed=9, start=False, deal=deal)
    watched, table_view = view(again.state, None, again.now), again.state["version"]
    for seat in range(4):
        again.do(seat, type="sit", kind="bot", name=f"Bot {seat}", seat=seat)
    for seat in range(4):
        again.do(seat, type="ready")
    assert is_followed(again, watched, table_view)
    assert hands_dealt(again, 2) == hands_dealt(played, 2)
    opened, before = (
        next(e["data"] for e in each.log if e["type"] == "round_opened" and e["data"]["number"] == 2)
        for each in (again, played)
    )
    for name in ("deck", "starter", "declarer", "commitment", "entropy"):
        assert opened[name] == before[name]
    assert not counts_for_ratings(again.state)
    assert view(again.state, 1, again.now)["practice"] == {"seed": None, "repeats": True}
    for _ in again.rounds(2):
        pass
    game_record = record.record(record.game_log(again.log, again.state["game"]["id"]), again.now)
    assert [each["round"] for each in game_record["rounds"]] == [2, 3]
    assert replay.check(game_record)["ok"]


def test_the_first_round_of_a_table_is_repeated_with_its_entropy():
    played = Driver("sishifen", 4, seed=4, start=False)
    for seat in range(4):
        played.do(seat, type="sit", kind="bot", name=f"Bot {seat}", seat=seat)
    played.do(2, type="entropy", entropy="00ff")
    for seat in range(4):
        played.do(seat, type="ready")
    next(played.rounds(1))
    deal = {name: value for name, value in deal_of(played, 1).items() if name not in ("starter", "declarer")}
    assert deal["entropy"] == {"2": "00ff"}
    again = Driver("sishifen", 4, seed=8, deal=deal)
    rematch = {**again.state, "round": None, "game": {**again.state["game"], "number": 2}}
    assert games._repeated(again.state) is games._repeated(rematch) is None
    assert again.state["round"]["starter"] == played.state["round"]["starter"]
    assert hands_dealt(again, 1) == hands_dealt(played, 1)


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"practice": "a seed of sixteen"}, "seed_or_deal"),
        ({"deal": {"server_seed": "00" * 32, "starter": 4}}, "deal_for_more_seats"),
        ({"deal": {"server_seed": "00" * 32, "entropy": {"4": "00"}}}, "deal_for_more_seats"),
    ],
)
def test_a_deal_that_does_not_fit_the_table_is_refused(more, reason):
    with pytest.raises(InvalidRequest) as refused:
        Driver("shengji", 4, **{"deal": {"server_seed": "00" * 32}, **more})
    assert refused.value.params["reason"] == reason
