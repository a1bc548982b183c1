"""What is refused: in one order, with the data that the sentence needs, and without leaving a trace."""

import json

import pytest

from service.errors import (
    CardsNotHeld,
    IllegalCall,
    IllegalDeclaration,
    IllegalDiscard,
    IllegalPlay,
    InvalidOption,
    InvalidRequest,
    RuleBroken,
)
from service.game.creation import create_table
from service.game.decide import ACTIONS
from service.game.errors import (
    AlreadySeated,
    GameRunning,
    NotFound,
    NotHost,
    NotYourSeat,
    NotYourTurn,
    PrivateTable,
    SeatTaken,
    StaleDecision,
    TableFull,
    VersionMismatch,
    WrongPhase,
)
from service.rules.cards import CARDS, names_of
from tests.game.driver import Driver
from tests.game.scenes import bury, declare, play, stack
from tests.game.watch import Watch

STRANGER = 99


def at(kind, ruleset="shengji", players=4, options=None, *, seed=5, **more):
    driver = Driver(ruleset, players, options, seed=seed, **more)
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == kind)
    return driver


def lobby(players=4, **more):
    return Driver("shengji", players, start=False, **more)


def not_held(driver, seat):
    """Return the name of a card that the seat does not hold."""
    return next(name for name, count in zip(CARDS, driver.hand(seat), strict=True) if not count)


# --- the order of checks (api.md §1) ---------------------------------------------------------------------------------

#: Each case breaks one more check than the next one, and is refused for the first it breaks.
ORDER = [
    ("seat", NotYourSeat, {"who": "stranger", "type": "discard", "decision_id": "dc_1"}),
    ("phase", WrongPhase, {"who": "waiting", "type": "discard", "decision_id": "dc_1"}),
    ("decision", StaleDecision, {"who": "waiting", "type": "play", "decision_id": "dc_1"}),
    ("turn", NotYourTurn, {"who": "waiting", "type": "play"}),
    ("cards", CardsNotHeld, {"who": "asked", "type": "play"}),
]


@pytest.mark.parametrize(("check", "error", "command"), ORDER, ids=[case[0] for case in ORDER])
def test_checks_come_in_one_order(check, error, command):
    driver = at("play")
    asked = driver.asked
    waiting = (asked + 1) % 4
    who = {"stranger": STRANGER, "waiting": waiting, "asked": asked}[command["who"]]
    body = {name: value for name, value in command.items() if name != "who"}
    # Cards that nobody could play: not held by whoever sends them, of several suits, and far too many.
    cards = [name for name in CARDS[:52] if not driver.hand(asked)[CARDS.index(name)]]
    driver.refused(error, who, **body, cards=cards)


def test_the_rule_is_asked_last():
    driver = at("play")
    two_suits = [next(kind for kind in range(at, at + 13) if driver.hand(driver.asked)[kind]) for at in (0, 13, 26, 39)]
    refusal = driver.refused(IllegalPlay, driver.asked, type="play", cards=names_of(two_suits))
    assert refusal.rule == "one_suit"


def test_a_retry_is_answered_before_anything_else_is_checked():
    driver = at("discard")
    seat = driver.asked
    command = {**driver.choice(seat), "decision_id": driver.decision["id"]}
    done = driver.do(seat, **command)
    driver.play_until(lambda state: len(state["answers"][seat]) == 6)
    again = driver.do(seat, **{**command, "cards": list(reversed(command["cards"]))})
    assert again.events == []
    assert again.replay_of == done.events[0]["tx"]


def test_another_body_for_an_answered_decision_is_no_retry():
    driver = at("play")
    seat, decision = driver.asked, driver.decision["id"]
    command = driver.choice(seat)
    driver.do(seat, **command)
    driver.refused(StaleDecision, seat, **{**command, "units": [command["cards"]]}, decision_id=decision)


def test_another_seat_with_the_same_body_is_no_retry():
    driver = at("play")
    seat, decision = driver.asked, driver.decision["id"]
    command = driver.choice(seat)
    driver.do(seat, **command)
    driver.refused(StaleDecision, (seat + 1) % 4, **command, decision_id=decision)


# --- actions -----------------------------------------------------------------------------------------------------


def test_a_wrong_phase_says_what_the_table_waits_for():
    driver = at("discard")
    for action, (kinds, _) in ACTIONS.items():
        if "discard" not in kinds:
            refusal = driver.refused(WrongPhase, driver.asked, type=action, cards=[], calls=[], road="high")
            assert refusal.params == {"action": action, "expected": "discard"}


def test_before_the_game_every_action_is_out_of_phase():
    driver = lobby()
    driver.do(0, type="sit", kind="bot", name="A")
    for action in ACTIONS:
        refusal = driver.refused(WrongPhase, 0, type=action, decision_id="dc_1")
        assert refusal.params == {"action": action, "expected": None}


def test_a_stale_decision_brings_the_open_one():
    driver = at("play")
    refusal = driver.refused(StaleDecision, driver.asked, type="play", cards=[], decision_id="dc_2")
    assert refusal.params == {"decision_id": "dc_2", "open": driver.decision["id"]}
    assert refusal.decision["seats"] == [driver.asked]


def test_not_your_turn_says_whose_it_is():
    driver = at("play")
    refusal = driver.refused(NotYourTurn, (driver.asked + 2) % 4, type="play", cards=[])
    assert refusal.params == {"seats": [driver.asked]}


@pytest.mark.parametrize(
    ("kind", "action", "ruleset", "options"),
    [
        ("declare", "declare", "shengji", {}),
        ("defend", "declare", "zhaopengyou", {}),
        ("discard", "discard", "shengji", {}),
        ("overcall-kitty", "overcall_kitty", "shengji", {"chao_di": True}),
        ("play", "play", "shengji", {}),
        ("play", "play", "arms_length", {}),
    ],
)
def test_cards_that_are_not_held_are_named(kind, action, ruleset, options):
    driver = at(kind, ruleset, 5 if ruleset == "zhaopengyou" else 4, options)
    seat = driver.asked
    missing = not_held(driver, seat)
    refusal = driver.refused(CardsNotHeld, seat, type=action, cards=[missing, missing])
    assert refusal.params == {"missing": [missing, missing]}


def test_more_copies_than_held_are_not_held():
    driver = at("play")
    seat = driver.asked
    single = next(name for name, count in zip(CARDS, driver.hand(seat), strict=True) if count == 1)
    assert driver.refused(CardsNotHeld, seat, type="play", cards=[single, single]).params == {"missing": [single]}


def test_what_is_no_card_is_said_to_be_none():
    driver = at("play")
    refusal = driver.refused(InvalidRequest, driver.asked, type="play", cards=["1S"])
    assert refusal.params == {"reason": "no_such_card", "card": "1S"}
    held = names_of([kind for kind, count in enumerate(driver.hand(driver.asked)) if count])[:1]
    refusal = driver.refused(InvalidRequest, driver.asked, type="play", cards=held, units=[["ZZ"]])
    assert refusal.params == {"reason": "no_such_card", "card": "ZZ"}


def broken(driver, rule, error, **command):
    refusal = driver.refused(error, driver.asked, **command)
    assert isinstance(refusal, RuleBroken)
    assert refusal.rule == rule
    json.dumps([refusal.required, refusal.example, dict(refusal.params)])
    return refusal


def test_the_kitty_has_its_size():
    driver = at("discard")
    hand = [kind for kind, count in enumerate(driver.hand(driver.asked)) for _ in range(count)]
    refusal = broken(driver, "kitty_size", IllegalDiscard, type="discard", cards=names_of(hand[:7]))
    assert refusal.required == {"cards": 8}
    assert refusal.params == {"given": 7}


def test_the_kitty_is_shown_only_where_that_is_played():
    driver = at("discard")
    hand = [kind for kind, count in enumerate(driver.hand(driver.asked)) for _ in range(count)]
    broken(driver, "kitty_is_not_shown", IllegalDiscard, type="discard", cards=names_of(hand[:8]), reveal=True)


def test_a_misdeal_is_claimed_with_a_hand_that_proves_it():
    driver = at("declare", options={"misdeal": {"points_below": 5}})
    assert broken(driver, "no_misdeal", IllegalDeclaration, type="redeal").required == {"points_below": 5}


def test_a_misdeal_is_not_claimed_before_all_cards_are_out():
    options = {"misdeal": {"points_below": 200}, "deal_pace": "timed"}
    driver = Driver("shengji", 4, options)
    driver.wait(2_000)
    broken(driver, "no_misdeal", IllegalDeclaration, type="redeal")


def test_whoever_may_defend_may_do_nothing_else(monkeypatch):
    stack(monkeypatch, {0: "2S 2H 2H 2H", 1: "2C 2C"})
    driver = Driver("zhaopengyou", 8, {"self_overcall": True})
    while not driver.state["round"]["shown"]:
        if driver.asked == 0:
            driver.do(0, type="declare", cards=["2S"])
        else:
            driver.do(driver.asked, type="pass")
    driver.do(1, type="declare", cards=["2C", "2C"])
    assert driver.decision["kind"] == "defend"
    assert driver.asked == 0
    broken(driver, "only_defence_now", IllegalDeclaration, type="declare", cards=["2H", "2H", "2H"])


def test_calls_follow_the_rules_of_calling():
    driver = at("call", "zhaopengyou", 6)
    trump = driver.state["round"]["trump"]
    ace = {"card": "AS" if trump["suit"] != "S" else "AH", "ordinal": 1}
    for rule, calls in (
        ("number_of_calls", [ace]),
        ("call_no_trumps", [ace, {"card": "BJ", "ordinal": 1}]),
        ("call_ordinal", [ace, {**ace, "ordinal": 3}]),
        ("calls_distinct", [ace, ace]),
        ("no_other_copy", [ace, {"card": ace["card"], "other": True}]),
    ):
        broken(driver, rule, IllegalCall, type="call", calls=calls)


def test_a_road_is_high_low_or_either():
    driver = at("road", "arms_length")
    refusal = driver.refused(InvalidRequest, 0, type="road", road="middle")
    assert refusal.params["reason"] == "no_such_road"


def test_who_has_stated_a_road_is_not_asked_again():
    driver = at("road", "arms_length")
    driver.do(0, type="road", road="high")
    driver.refused(NotYourTurn, 0, type="road", road="low")


def test_arms_length_is_played_card_by_card():
    driver = at("play", "arms_length")
    hand = [kind for kind, count in enumerate(driver.hand(driver.asked)) if count]
    refusal = broken(driver, "card_count", IllegalPlay, type="play", cards=names_of(hand[:2]))
    assert refusal.required == {"cards": 1}
    broken(driver, "card_count", IllegalPlay, type="play", cards=[])


def test_overcalling_for_the_kitty_takes_a_higher_pair():
    driver = at("overcall-kitty", options={"chao_di": True})
    single = next(name for name, count in zip(CARDS, driver.hand(driver.asked), strict=True) if count)
    broken(driver, "kitty_overcall_pair", IllegalDeclaration, type="overcall_kitty", cards=[single])


def test_an_illegal_follow_is_answered_with_a_legal_one(monkeypatch):
    stack(monkeypatch, {0: "2S AH", 1: "3H 4C"})
    driver = Driver("shengji", 4)
    declare(driver, 0, "2S")
    bury(driver)
    play(driver, "AH")
    refusal = broken(driver, "follow_suit", IllegalPlay, type="play", cards=["4C"])
    assert refusal.required["must_follow"] == "H"
    assert driver.do(1, type="play", cards=refusal.example).events


# --- seats and settings --------------------------------------------------------------------------------------------


def test_a_private_table_is_entered_with_its_code():
    driver = lobby(visibility="private")
    sit = {"type": "sit", "kind": "bot", "name": "X"}
    driver.refused(PrivateTable, 5, **sit)
    driver.refused(PrivateTable, 5, **sit, join_code="WRONG1")
    code = driver.state["settings"]["join_code"]
    assert driver.do(5, **sit, join_code=code.lower()).events
    assert driver.do(0, **sit).events, "the host needs no code"


def test_a_seat_is_taken_once_and_by_one_player_once():
    driver = lobby()
    sit = {"type": "sit", "kind": "bot", "name": "X"}
    driver.do(1, **sit, seat=2)
    assert driver.refused(SeatTaken, 2, **sit, seat=2).params == {"seat": 2}
    assert driver.refused(AlreadySeated, 1, **sit, seat=3).params == {"seat": 2}
    assert driver.refused(NotFound, 2, **sit, seat=4).params == {"what": "seat", "seat": 4}
    driver.refused(NotFound, 2, **sit, seat=-1)
    assert driver.do(1, **sit, seat=2).events == []
    assert driver.do(1, **sit).events == []
    for player in (2, 3, 4):
        driver.do(player, **sit)
    driver.refused(TableFull, 5, **sit)


def test_nobody_sits_down_in_a_running_game():
    driver = at("play")
    driver.refused(GameRunning, STRANGER, type="sit", kind="bot", name="X")


def test_only_players_at_the_table_do_what_players_do():
    driver = lobby()
    commands = (
        {"type": "leave"},
        {"type": "resume"},
        {"type": "ready"},
        {"type": "entropy", "entropy": "00"},
        {"type": "presence", "presence": "online"},
        {"type": "open_vote", "kind": "abandon"},
        {"type": "cast_vote", "vote": "vt_1", "approve": True},
        {"type": "take_back"},
        {"type": "answer_take_back", "accept": True},
    )
    for command in commands:
        driver.refused(NotYourSeat, STRANGER, **command)


def test_only_the_host_does_what_hosts_do():
    driver = lobby()
    driver.do(1, type="sit", kind="bot", name="X")
    for command in (
        {"type": "kick", "seat": 0},
        {"type": "seat_ai", "seat": 1, "level": "easy"},
        {"type": "settings", "changes": {}, "version": 1},
        {"type": "close"},
    ):
        driver.refused(NotHost, 1, **command)


def test_the_table_is_not_changed_while_a_game_runs():
    driver = at("play")
    for command in (
        {"type": "kick", "seat": 1},
        {"type": "seat_ai", "seat": 1, "level": "easy"},
        {"type": "settings", "changes": {"chat": False}, "version": driver.state["version"]},
        {"type": "close"},
    ):
        driver.refused(GameRunning, 0, **command)


def test_an_ai_sits_where_nobody_does():
    driver = lobby()
    driver.do(1, type="sit", kind="bot", name="X", seat=1)
    assert driver.refused(SeatTaken, 0, type="seat_ai", seat=1, level="easy").params == {"seat": 1}
    driver.refused(NotFound, 0, type="seat_ai", seat=7, level="easy")
    refusal = driver.refused(InvalidRequest, 0, type="seat_ai", seat=2, level="godlike")
    assert refusal.params == {"reason": "no_such_level", "level": "godlike", "accepted": ["easy"]}
    assert driver.do(0, type="seat_ai", seat=2, level="easy").events
    assert driver.do(0, type="seat_ai", seat=2, level="easy").events == []


def test_settings_are_changed_from_the_version_that_one_saw():
    driver = lobby()
    version = driver.state["version"]
    driver.do(1, type="sit", kind="bot", name="X")
    refusal = driver.refused(VersionMismatch, 0, type="settings", changes={"chat": False}, version=version)
    assert refusal.params == {"expected": version, "actual": version + 1}
    refusal = driver.refused(
        InvalidOption, 0, type="settings", changes={"options": {"overcall": "never"}}, version=version + 1
    )
    assert refusal.params["option"] == "overcall"
    wanted = {"options": {"overcall": "none"}, "clock": {"play_ms": 5_000}, "chat": False}
    assert driver.do(0, type="settings", changes=wanted, version=version + 1).events
    assert driver.state["options"]["overcall"] == "none"
    assert driver.state["settings"]["clock"]["play_ms"] == 5_000
    assert driver.state["settings"]["clock"]["call_ms"] == 60_000
    again = {"clock": {"play_ms": 5_000}}
    assert driver.do(0, type="settings", changes=again, version=driver.state["version"]).events == []


def test_a_table_needs_a_ruleset_and_players_for_it():
    def refusal(**spec):
        with pytest.raises((InvalidRequest, InvalidOption)) as caught:
            create_table("tb", "p0", {"ruleset": "shengji", "players": 4, **spec}, 0, bytes)
        return caught.value.params

    assert refusal(ruleset="bridge")["reason"] == "no_such_ruleset"
    assert refusal(players=5) == {"reason": "not_for_so_many", "ruleset": "shengji", "players": 5, "accepted": [4]}
    assert refusal(options={"laps": "yes"})["option"] == "laps"


def test_it_is_too_late_to_be_unready_when_the_game_runs():
    driver = at("play")
    assert driver.refused(WrongPhase, 0, type="ready", ready=False).params == {"action": "ready", "expected": "play"}
    assert driver.do(0, type="ready").events == []


def test_nothing_begins_at_a_closed_table():
    driver = lobby()
    sit = {"type": "sit", "kind": "bot", "name": "X"}
    for player in (0, 1, 2):
        driver.do(player, **sit)
        driver.do(player, type="ready")
    driver.do(0, type="close")
    assert driver.do(0, type="close").events == []
    for player, command in (
        (3, sit),
        (0, {"type": "seat_ai", "seat": 3, "level": "easy"}),
        (0, {"type": "kick", "seat": 1}),
        (1, {"type": "ready"}),
        (0, {"type": "settings", "changes": {}, "version": driver.state["version"]}),
    ):
        refusal = driver.refused(WrongPhase, player, **command)
        assert refusal.params == {"action": command["type"], "expected": None}
    assert driver.do(1, type="leave").events
    assert driver.state["status"] == "finished"


# --- everything twice ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "players", "options"),
    [
        ("zhaopengyou", 5, {}),
        ("zhaopengyou_80", 4, {"deal_pace": "timed"}),
        ("shengji", 4, {"chao_di": True}),
        ("arms_length", 4, {}),
    ],
)
def test_sending_every_request_twice_leaves_the_same_table(ruleset, players, options):
    once = Driver(ruleset, players, options, seed=9)
    twice = Driver(ruleset, players, options, seed=9)

    def step(driver, repeat):
        done = []
        plain = driver.do

        def do(seat, /, **command):
            decision = driver.state["decision"]
            command = {"decision_id": decision["id"] if decision else None, **command}
            first = plain(seat, **command)
            state = driver.state
            for _ in range(repeat):
                again = plain(seat, **command)
                assert again.events == []
                assert driver.state == state
                if command["type"] in ACTIONS:
                    assert again.replay_of == first.events[0]["tx"]
            done.append(command)
            return first

        driver.do = do
        driver.step()
        driver.do = plain
        return done

    for _ in range(2_000):
        if once.state["status"] == "finished" or len((once.state["game"] or {"results": []})["results"]) == 2:
            break
        assert step(once, 0) == step(twice, 1)
    assert twice.state == once.state
    assert twice.log == once.log


def test_a_pass_that_was_overtaken_by_a_declaration_can_be_said_again():
    driver = Driver("shengji", 4, {"deal_pace": "timed"}, seed=2)
    for seat in (0, 1, 2, 3):
        driver.do(seat, type="pass")
    driver.wait(25 * 400)
    assert driver.state["round"]["phase"] == "declaring"
    assert driver.state["round"]["passes"] == []
    for seat in (0, 1, 2):
        first = driver.do(seat, type="pass")
        assert [event["type"] for event in first.events] == ["passed"]
        again = driver.do(seat, type="pass")
        assert again.replay_of == first.events[0]["tx"]
    twos = [name for name in CARDS[:52] if name[0] == "2" and driver.hand(3)[CARDS.index(name)]]
    driver.do(3, type="declare", cards=twos[:1])
    assert driver.state["round"]["passes"] == [3]
    for seat in (0, 1, 2):
        assert driver.do(seat, type="pass").events
    assert driver.decision["kind"] == "discard"


def test_only_the_latest_answers_are_remembered():
    driver = Driver("shengji", 4, seed=1)
    Watch(driver, sampled=50)
    for _ in driver.rounds(1):
        pass
    assert {len(answers) for answers in driver.state["answers"]} == {8}
