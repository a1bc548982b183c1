"""House rules at a table: cards, declaring, the kitty, friends, throws, points and levels."""

import pytest

from harness.driver import Driver
from service.common.errors import IllegalDeclaration, IllegalPlay
from service.game.commands.round import games, scoring
from service.game.errors import NotYourTurn
from service.game.events.evolve import fold
from service.game.records import record, replay
from service.game.state.families import family_of
from service.game.state.rules import composition_of
from service.game.views.hints import hints
from service.game.views.view import view
from service.rules.cards import KIND, kinds_in, kinds_of, names_of
from service.rules.rounds.scoring import Score
from service.rules.versions import READINGS
from tests.game.scenes import ask_until, bury, declare, last, play, show, stack, timed, types


def finish(driver):
    """Play the round to its end and return its result."""
    return next(driver.rounds(1))["round"]["result"]


def pass_all(driver):
    while driver.decision["kind"] in {"declare", "defend"}:
        driver.do(driver.active_seat, type="pass")


def replayed(driver):
    """Whether the log folds to the state, and the record passes its check."""
    game = record.game_log(driver.log, driver.state["game"]["id"])
    return fold(driver.log) == driver.state and replay.check(record.record(game, driver.now))["ok"]


# --- cards -------------------------------------------------------------------------------------------------------


def test_without_a_kitty_the_declarer_buries_nothing_and_leads():
    driver = Driver("shengji", 4, {"kitty_size": 0})
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == "play", 500)
    assert "kitty_taken" not in {event["type"] for event in driver.log}
    assert driver.state["round"]["kitty"] == []
    assert {sum(hand) for hand in driver.state["round"]["hands"]} == {27}
    result = finish(driver)
    assert result["kitty"] == {"cards": [], "points": 0, "factor": result["kitty"]["factor"], "bonus": 0}
    assert replayed(driver)


def test_with_a_chosen_kitty_size_spare_cards_are_taken_out():
    driver = Driver("shengji", 4, {"kitty_size": 6})
    declare(driver)
    assert hints(driver.state, driver.active_seat)["cards"] == 6
    assert names_of(composition_of(driver.state).removed) == ["3C", "3D"]
    finish(driver)


def test_red_fives_are_the_highest_trumps(monkeypatch):
    stack(monkeypatch, {0: "5H BJ 5D 2H 5S 5C", 1: "AS AS"})
    driver = Driver("shengji", 4, {"red_fives": True})
    mine = view(driver.state, 0, driver.now)["my"]
    assert mine["hand"][:3] == ["5H", "5D", "BJ"]
    assert mine["sorted_by"] == {"rank": "2", "suit": None, "twos": False, "red_fives": True}
    declare(driver, 0, "2H")
    bury(driver, "5C")
    driver.do(0, type="play", cards=["BJ"])
    for seat in (1, 2, 3):
        driver.do(seat, type="play", cards=driver.choice(seat)["cards"])
    winner = driver.state["round"]["last_trick"]["winner"]
    held = [play["cards"] for play in driver.state["round"]["last_trick"]["plays"]]
    assert winner == max(range(4), key=lambda seat: (held[seat] == [KIND["5H"]], held[seat] == [KIND["5D"]], seat == 0))


# --- declaring ---------------------------------------------------------------------------------------------------


def nobody_declares(driver):
    while driver.decision["kind"] == "declare":
        driver.do(driver.active_seat, type="pass")


@pytest.mark.parametrize(
    ("how", "kitty", "suit", "turned"),
    [
        ("first_kitty_card", "AH 2S KD", "H", 1),
        ("first_kitty_card", "LJ 2S KD", None, 1),
        ("fourth_kitty_card", "AH LJ KD 3C 2S", "C", 1),
        ("flip_kitty_or_joker", "AH BJ 2S", None, 2),
        ("flip_kitty_or_joker", "AH 2C BJ", "C", 2),
        ("flip_kitty", "AH BJ 2S", "S", 3),
    ],
)
def test_the_option_says_how_the_kitty_is_turned(monkeypatch, how, kitty, suit, turned):
    stack(monkeypatch, {}, kitty)
    driver = Driver("shengji", 4, {"no_declaration": how})
    nobody_declares(driver)
    parts = kitty.split()[3:4] if how == "fourth_kitty_card" else kitty.split()[:turned]
    assert last(driver, "kitty_flipped") == {"cards": kinds_of(parts), "suit": suit}
    fixed = last(driver, "trump_fixed")
    assert (fixed["trump"], fixed["how"]) == ({"rank": "2", "suit": suit}, "kitty")
    finish(driver)


def test_with_no_trump_there_is_no_trump_suit_if_nobody_declares():
    driver = Driver("shengji", 4, {"no_declaration": "no_trump"})
    starter = driver.state["round"]["starter"]
    nobody_declares(driver)
    fixed = last(driver, "trump_fixed")
    assert (fixed["trump"], fixed["declarer"], fixed["how"]) == ({"rank": "2", "suit": None}, starter, "no_trump")
    finish(driver)


@pytest.mark.parametrize("how", ["redeal", "redeal_open"])
def test_after_an_open_redeal_the_trump_maker_becomes_declarer(monkeypatch, how):
    driver = Driver("shengji", 4, {"no_declaration": how}, seed=2)
    driver.play_until(lambda state: state["round"]["phase"] == "scored")
    fixed = driver.state["game"]["declarer"]
    stack(monkeypatch, {(fixed + 1) % 4: "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"}, attempt=1)
    for seat in range(4):
        driver.do(seat, type="ready")
    level = driver.state["round"]["level"]
    nobody_declares_once = len(driver.log)
    while "redealt" not in {event["type"] for event in driver.log[nobody_declares_once:]}:
        driver.do(driver.active_seat, type="pass")
    table_view = view(driver.state, 0, driver.now)["round"]["declarer"]
    assert table_view == (fixed if how == "redeal" else None)
    maker = next(seat for seat in range(4) if driver.hand(seat)[KIND[level + "S"]] and seat != fixed)
    ask_until(driver, maker)
    show(driver, maker, level + "S")
    pass_all(driver)
    assert last(driver, "trump_fixed")["declarer"] == (fixed if how == "redeal" else maker)
    finish(driver)
    assert replayed(driver)


def test_a_joker_lies_beside_the_level_cards_that_are_shown(monkeypatch):
    stack(monkeypatch, {0: "2H BJ LJ", 1: "2S 2S LJ", 2: "2D 2D"})
    driver = Driver("shengji", 4, {"joker_beside": "matching"})
    ask_until(driver, 0)
    assert hints(driver.state, 0)["possible"][0] == ["2H", "BJ"]
    refused = driver.refused(IllegalDeclaration, 0, type="declare", cards=["2H", "LJ"])
    assert (refused.rule, refused.required) == ("joker_beside", {"jokers": ["BJ"]})
    show(driver, 0, "BJ", "2H")
    assert view(driver.state, 3, driver.now)["round"]["declarations"] == [
        {"seat": 0, "cards": ["2H", "BJ"], "as": "declare"}
    ]
    ask_until(driver, 1)
    show(driver, 1, "2S", "LJ", "2S")
    pass_all(driver)
    assert last(driver, "trump_fixed")["trump"] == {"rank": "2", "suit": "S"}
    finish(driver)
    assert replayed(driver)


@pytest.mark.parametrize(("cards", "called"), [("2H BJ", True), ("2H 2H BJ", False)])
def test_the_holder_of_the_other_copy_of_the_card_shown_is_the_friend(monkeypatch, cards, called):
    stack(monkeypatch, {0: "2H 2H BJ" if not called else "2H BJ", 1: "2H" if called else "3H"})
    driver = Driver("zhaopengyou", 5, {"friend_by": "shown_card", "joker_beside": "matching"})
    declare(driver, 0, *cards.split())
    bury(driver)
    assert (driver.decision["kind"] == "call") is not called
    if called:
        assert view(driver.state, 3, driver.now)["round"]["calls"][0]["other"]
    finish(driver)
    assert replayed(driver)


def test_with_any_time_an_overcalled_seat_may_defend_when_asked_and_others_are_asked_again(monkeypatch):
    stack(monkeypatch, {0: "2D 2D", 1: "2S 2S"})
    driver = Driver("shengji", 4, {"defence": "any_time"})
    ask_until(driver, 0)
    show(driver, 0, "2D")
    ask_until(driver, 1)
    show(driver, 1, "2S", "2S")
    ask_until(driver, 2)
    driver.do(2, type="pass")
    ask_until(driver, 0)
    assert hints(driver.state, 0)["possible"] == [["2D", "2D"]]
    show(driver, 0, "2D", "2D")
    assert driver.state["round"]["shown"][-1]["as"] == "defend"
    # Seats that passed before the defence are asked again.
    seats = set()
    while driver.decision["kind"] == "declare":
        seats.add(driver.active_seat)
        driver.do(driver.active_seat, type="pass")
    assert seats == {1, 2, 3}
    assert last(driver, "trump_fixed")["trump"] == {"rank": "2", "suit": "D"}
    finish(driver)


def test_with_any_time_an_overcalled_seat_may_defend_at_any_moment_of_a_timed_deal(monkeypatch):
    stack(monkeypatch, {0: "2D 2D", 1: "2S 2S"})
    driver = timed(options={"defence": "any_time"})
    driver.wait(400 * 30)
    show(driver, 0, "2D")
    show(driver, 1, "2S", "2S")
    driver.wait(400)
    assert show(driver, 0, "2D", "2D") == ["declared"]
    assert driver.state["round"]["shown"][-1]["as"] == "defend"


def test_the_option_limits_the_number_of_redeals(monkeypatch):
    stack(monkeypatch, {0: "3S 3S 4S 4S 6S 6S 7S 7S 8S 8S 9S 9S JS JS QS QS AS AS 3D 3D 4D 4D 6D 6D 7D"}, attempt=0)
    driver = Driver("shengji", 4, {"misdeal": {"no_points": True, "most": 1}})
    ask_until(driver, 0)
    driver.do(0, type="redeal")
    assert driver.state["round"]["deal"]["attempt"] == 1
    monkeypatch.undo()
    poor = [0] * 54
    driver.state["round"]["hands"][driver.active_seat] = poor
    driver.refused(IllegalDeclaration, driver.active_seat, type="redeal")


@pytest.mark.parametrize(("most", "is_question"), [(1, True), (0, False)])
def test_nobody_is_asked_for_a_misdeal_when_no_redeal_is_left(most, is_question):
    driver = Driver("tractor", 4, {"start_level": "NT", "misdeal": {"no_points": True, "most": most}})
    assert (driver.decision["kind"] == "declare") is is_question
    finish(driver)
    assert replayed(driver)


# --- overcalling for the kitty by the rules of the deal ----------------------------------------------------------


def bury_all_but(driver, cards):
    """Bury, but keep these cards."""
    kinds = kinds_of(cards.split())
    rest = [kind for kind in kinds_in(driver.hand(driver.active_seat)) if kind not in kinds]
    driver.do(
        driver.active_seat, type="discard", cards=names_of(rest[: hints(driver.state, driver.active_seat)["cards"]])
    )


def overcalling(monkeypatch, hands, **options):
    stack(monkeypatch, hands)
    chosen = {"chao_di": True, "chao_di_rule": "overcall", "overcall": "longer_or_suit", **options}
    driver = Driver("shengji", 4, chosen)
    declare(driver, 0, "2D")
    bury_all_but(driver, hands[0])
    return driver


def test_overcalls_for_the_kitty_follow_the_rules_of_overcalls_in_the_deal(monkeypatch):
    driver = overcalling(monkeypatch, {0: "2D 2D", 2: "2S 2S", 3: "LJ LJ"})
    declarer = driver.state["round"]["declarer"]
    ask_until(driver, 2)
    assert ["2S", "2S"] in hints(driver.state, 2)["possible"]
    driver.do(2, type="overcall_kitty", cards=["2S", "2S"])
    overcalled = last(driver, "kitty_overcalled")
    assert (overcalled["as"], overcalled["trump"]) == ("overcall", {"rank": "2", "suit": "S"})
    assert (driver.decision["kind"], driver.active_seat) == ("discard", 2)
    bury(driver)
    assert (driver.decision["kind"], driver.active_seat) == ("overcall-kitty", 3)
    driver.do(3, type="overcall_kitty", cards=["LJ", "LJ"])
    assert last(driver, "kitty_overcalled")["trump"] == {"rank": "2", "suit": None}
    bury(driver)
    while driver.decision["kind"] == "overcall-kitty":
        driver.do(driver.active_seat, type="pass")
    assert driver.state["round"]["declarer"] == declarer == driver.active_seat
    assert driver.state["round"]["kitty_seat"] == 3
    finish(driver)
    assert replayed(driver)


def test_a_pair_that_could_not_overcall_in_the_deal_cannot_overcall_for_the_kitty(monkeypatch):
    driver = overcalling(monkeypatch, {0: "2D 2D", 2: "2S 2S"}, overcall="longer", decks=3)
    ask_until(driver, 2)
    driver.do(2, type="overcall_kitty", cards=["2S", "2S"])
    bury(driver)
    ask_until(driver, 0)
    driver.refused(IllegalDeclaration, 0, type="overcall_kitty", cards=["2D", "2D"])


@pytest.mark.parametrize("defence", ["immediate", "any_time"])
def test_a_seat_overcalled_for_the_kitty_may_defend(monkeypatch, defence):
    driver = overcalling(monkeypatch, {0: "2D 2D", 2: "2S 2S"}, overcall="longer", defence=defence)
    ask_until(driver, 2)
    driver.do(2, type="overcall_kitty", cards=["2S", "2S"])
    bury(driver)
    ask_until(driver, 0)
    driver.do(0, type="overcall_kitty", cards=["2D", "2D"])
    assert last(driver, "kitty_overcalled")["as"] == "defend"
    assert (driver.decision["kind"], driver.active_seat) == ("discard", 0)
    finish(driver)
    assert replayed(driver)


@pytest.mark.parametrize(("defence", "possible"), [("immediate", False), ("any_time", True)])
def test_a_defence_missed_in_the_deal_is_possible_after_the_discard_only_with_any_time(monkeypatch, defence, possible):
    stack(monkeypatch, {0: "2D 2D", 1: "2S 2S"})
    chosen = {"chao_di": True, "chao_di_rule": "overcall", "overcall": "longer", "defence": defence, "decks": 3}
    driver = Driver("shengji", 4, chosen)
    ask_until(driver, 0)
    show(driver, 0, "2D")
    ask_until(driver, 1)
    show(driver, 1, "2S", "2S")
    pass_all(driver)
    bury_all_but(driver, "2S 2S")
    ask_until(driver, 0)
    assert (["2D", "2D"] in hints(driver.state, 0)["possible"]) is possible
    if not possible:
        driver.refused(IllegalDeclaration, 0, type="overcall_kitty", cards=["2D", "2D"])


def test_the_trump_maker_may_reinforce_unasked_without_taking_the_kitty(monkeypatch):
    driver = overcalling(monkeypatch, {0: "2D 2D", 2: "2S 2S"}, overcall="longer", decks=3)
    seat, decision = driver.active_seat, driver.decision["id"]
    assert seat != 0
    driver.refused(NotYourTurn, 3, type="overcall_kitty", cards=["2D", "2D"])
    outcome = driver.do(0, type="overcall_kitty", cards=["2D", "2D"])
    assert types(outcome) == ["kitty_overcalled"]
    assert last(driver, "kitty_overcalled")["as"] == "reinforce"
    assert (driver.active_seat, driver.decision["id"]) == (seat, decision)
    assert driver.state["round"]["discard"] is not None
    ask_until(driver, 2)
    assert ["2S", "2S"] not in hints(driver.state, 2)["possible"]
    driver.refused(IllegalDeclaration, 2, type="overcall_kitty", cards=["2S", "2S"])
    finish(driver)
    assert replayed(driver)


def test_nobody_is_asked_once_the_longest_set_is_shown(monkeypatch):
    driver = overcalling(monkeypatch, {0: "2D 2D", 2: "2S 2S"}, overcall="longer")
    assert driver.decision["kind"] == "overcall-kitty"
    driver.do(0, type="overcall_kitty", cards=["2D", "2D"])
    assert driver.decision["kind"] == "play"
    finish(driver)
    assert replayed(driver)


def test_a_seat_that_has_not_been_asked_yet_may_overcall_a_reinforced_set(monkeypatch):
    driver = overcalling(monkeypatch, {0: "2D 2D", 3: "LJ LJ"}, overcall_by="other_team")
    ask_until(driver, 2)
    driver.do(0, type="overcall_kitty", cards=["2D", "2D"])
    assert (driver.decision["kind"], driver.active_seat) == ("overcall-kitty", 2)
    ask_until(driver, 3)
    driver.do(3, type="overcall_kitty", cards=["LJ", "LJ"])
    assert (driver.decision["kind"], driver.active_seat) == ("discard", 3)
    finish(driver)
    assert replayed(driver)


# --- friends -----------------------------------------------------------------------------------------------------


def calling(monkeypatch, options, hands):
    stack(monkeypatch, hands)
    driver = Driver("finding_friends", 6, options)
    declare(driver, 0, "2S")
    bury(driver)
    return driver


def test_without_calls_the_declarer_plays_alone_and_all_sides_are_known():
    driver = Driver("finding_friends", 6, {"friend_calls": 0})
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == "play", 500)
    assert "friends_called" not in {event["type"] for event in driver.log}
    sides = driver.state["round"]["sides"]
    assert sides.count("declarers") == 1
    assert sides.count("attackers") == 5
    finish(driver)


def test_with_any_trumps_and_jokers_may_be_called(monkeypatch):
    driver = Driver("finding_friends", 6, {"call_cards": "any", "friend_calls": 1})
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == "call")
    driver.do(driver.active_seat, type="call", calls=[{"card": "BJ", "ordinal": 2}])
    assert driver.decision["kind"] == "play"
    finish(driver)


@pytest.mark.parametrize("double_join", [True, False])
def test_a_call_that_the_declarer_fills_stays_open_without_double_join(monkeypatch, double_join):
    stack(monkeypatch, {0: "2S 9D 3D", 1: "9D 4D"})
    driver = Driver("finding_friends", 6, {"double_join": double_join, "friend_calls": 1})
    declare(driver, 0, "2S")
    keep = kinds_of(["2S", "9D"])
    hand = [kind for kind in kinds_in(driver.hand(0)) if kind not in keep]
    driver.do(0, type="discard", cards=names_of(hand[: hints(driver.state, 0)["cards"]]))
    driver.do(0, type="call", calls=[{"card": "9D", "ordinal": 1}])
    driver.do(0, type="play", cards=["9D"])
    assert (driver.state["round"]["calls"][0]["filled_by"] == 0) is double_join
    driver.do(1, type="play", cards=["9D"])
    assert driver.state["round"]["sides"][1] == ("attackers" if double_join else "declarers")
    finish(driver)


# --- throws ------------------------------------------------------------------------------------------------------

HANDS = {0: "2S AC AC KC QC QC JC", 1: "KC 3C 3C", 2: "JC TC TC 9C 9C 4C 4C 5C", 3: "8C 8C 7C 7C 6C 6C 5C"}


def throwing(monkeypatch, options):
    stack(monkeypatch, HANDS)
    driver = Driver("shengji", 4, options)
    declare(driver, 0, "2S")
    keep = kinds_of(HANDS[0].split())
    rest = [kind for kind in range(54) for _ in range(driver.hand(0)[kind] - keep.count(kind))]
    driver.do(0, type="discard", cards=names_of(rest[:8]))
    return driver


def test_with_proven_throws_the_leader_must_have_seen_all_higher_cards(monkeypatch):
    driver = throwing(monkeypatch, {"proven_throws": True})
    refusal = driver.refused(IllegalPlay, 0, type="play", cards=["AC", "QC"])
    assert refusal.rule == "proven_throws"
    plays, _ = family_of(driver.state).legal_plays(driver.state, 0, 2_000)
    assert sorted(kinds_of(["AC", "QC"])) not in [sorted(cards) for cards in plays]
    assert sorted(kinds_of(["AC", "KC"])) in [sorted(cards) for cards in plays]
    for cards in plays[-40:]:
        assert types(_tried(driver, cards))[0] == "played"
    # With both kings seen, all higher cards are known.
    play(driver, "AC")
    for seat in (1, 2, 3):
        driver.do(seat, type="play", cards=["KC"] if seat == 1 else hints(driver.state, seat)["example"])
    assert play(driver, "AC", "QC")[0] == "played"
    finish(driver)


def _tried(driver, cards):
    from service.game.commands.decide import decide_for_ai

    return decide_for_ai(driver.state, 0, {"type": "play", "cards": names_of(cards)}, driver.now, bytes)


def test_rainbows_are_led_followed_and_hinted(monkeypatch):
    hands = {0: "2S 7S 7H 7D 7C", 1: "9S 9H 9D 9C", 2: "8S 8H 8D 8C"}
    stack(monkeypatch, hands)
    driver = Driver("shengji", 4, {"rainbow": 4})
    declare(driver, 0, "2S")
    keep = kinds_of(hands[0].split())
    rest = [kind for kind in range(54) for _ in range(driver.hand(0)[kind] - keep.count(kind))]
    driver.do(0, type="discard", cards=names_of(rest[:8]))
    assert play(driver, "7S", "7H", "7D", "7C")[0] == "played"
    hint = hints(driver.state, 1)
    assert (hint["cards"], hint["must_follow"]) == (4, None)
    assert hint["required"] == [{"kind": "rainbow", "width": 4, "length": 1}]
    play(driver, "9S", "9H", "9D", "9C")
    assert driver.state["round"]["trick"]["winning"] == 1
    play(driver, "8S", "8H", "8D", "8C")
    assert driver.state["round"]["trick"]["winning"] == 1
    assert view(driver.state, 3, driver.now)["round"]["trick"]["plays"][0]["units"] == [["7S", "7H", "7D", "7C"]]
    finish(driver)
    assert replayed(driver)


def test_levels_owed_for_a_throw_are_added_at_the_end_for_the_whole_team(monkeypatch):
    driver = throwing(monkeypatch, {"throw_penalty_levels": True})
    play(driver, "AC", "KC", "QC")
    assert last(driver, "throw_failed")["levels"] == 2
    assert driver.decision["kind"] == "play", "play goes on"
    assert [seat["penalty"] for seat in driver.state["seats"]] == [0, 0, 0, 0]
    monkeypatch.setattr(scoring, "_score", lambda *_: Score("declarers", 1))
    finish(driver)
    assert [seat["penalty"] for seat in driver.state["seats"]] == [1, 0, 1, 0]
    assert [seat["level"] for seat in driver.state["seats"]] == ["2"] * 4


def test_partners_of_a_fixed_team_always_have_the_same_level():
    options = {"throw_penalty_levels": True, "laps": False}
    for seed in range(6):
        driver = Driver("shengji", 4, options, seed=seed)
        driver.throws = 0.3
        for state in driver.rounds(6):
            for seat in (0, 1):
                one, other = state["seats"][seat], state["seats"][seat + 2]
                assert (one["level"], one["penalty"]) == (other["level"], other["penalty"])


@pytest.mark.parametrize("version", READINGS)
@pytest.mark.parametrize("forfeit", ["unplayed_to_others", "one_level"])
def test_the_holder_of_a_called_card_is_a_friend_when_a_throw_stops_the_round(monkeypatch, forfeit, version):
    """In version 1 of the rules, only friends who had joined counted; a record is checked by its own version."""
    monkeypatch.setattr(games, "RULES", version)
    stack(monkeypatch, {0: "2S AC QC", 1: "KC KC AD", 2: "TH TH"})
    driver = Driver("zhaopengyou", 6, {"throw_failure": "end_round", "throw_forfeit": forfeit, "friend_calls": 1})
    declare(driver, 0, "2S")
    keep = kinds_of(["2S", "AC", "QC"])
    hand = [kind for kind in kinds_in(driver.hand(0)) if kind not in keep]
    driver.do(0, type="discard", cards=names_of(hand[: hints(driver.state, 0)["cards"]]))
    order = [seat for seat in range(1, 6) if driver.hand(seat)[KIND["AD"]]]
    driver.do(0, type="call", calls=[{"card": "AD", "ordinal": 1}])
    play(driver, "AC", "QC")
    result = driver.state["round"]["result"]
    assert result["reason"] == "throw_failed"
    expected = [] if version == 1 else order[:1]
    assert [seat for seat, side in enumerate(result["sides"]) if side == "declarers"] == [0, *expected]
    assert replayed(driver)
    game_record = record.record(record.game_log(driver.log, driver.state["game"]["id"]), driver.now)
    assert game_record["rules"] == version
    for other in READINGS:
        assert replay.check({**game_record, "rules": other})["ok"] is (other == version)


@pytest.mark.parametrize(("double_join", "side"), [(True, [0, 1]), (False, [0, 1, 3])])
def test_without_double_join_another_holder_is_the_friend_when_a_throw_stops_the_round(monkeypatch, double_join, side):
    stack(monkeypatch, {0: "2S AC QC", 1: "KC KC AD AD KD", 3: "KD"})
    options = {"throw_failure": "end_round", "double_join": double_join}
    driver = Driver("zhaopengyou", 6, options)
    declare(driver, 0, "2S")
    keep = kinds_of(["2S", "AC", "QC"])
    hand = [kind for kind in kinds_in(driver.hand(0)) if kind not in keep]
    driver.do(0, type="discard", cards=names_of(hand[: hints(driver.state, 0)["cards"]]))
    driver.do(0, type="call", calls=[{"card": "AD", "ordinal": 1}, {"card": "KD", "ordinal": 1}])
    play(driver, "AC", "QC")
    sides = driver.state["round"]["result"]["sides"]
    assert [seat for seat, each in enumerate(sides) if each == "declarers"] == side
    assert replayed(driver)


# --- the kitty ---------------------------------------------------------------------------------------------------


def test_with_kitty_shown_all_see_the_kitty_but_not_what_is_buried():
    driver = Driver("shengji", 4, {"kitty_shown": True})
    lay = names_of(driver.state["round"]["kitty"])
    declare(driver)
    types = [event["type"] for event in driver.log]
    assert types[types.index("trump_fixed") + 1 : types.index("kitty_taken") + 1] == ["kitty_shown", "kitty_taken"]
    for step in range(2):
        for viewer in (0, 1, 2, 3, None):
            kitty = view(driver.state, viewer, driver.now)["round"]["kitty"]
            assert kitty["shown"] == lay
            assert kitty["cards"] is None
        if step == 0:
            bury(driver)


# --- points and levels -------------------------------------------------------------------------------------------


def test_with_next_seat_the_next_seat_becomes_declarer_whoever_won(monkeypatch):
    driver = Driver("shengji", 4, {"next_declarer": "next_seat"})
    declared = []
    for score in (("declarers", 1), ("attackers", 1), ("declarers", 0)):
        rounds(driver, monkeypatch, score)
        declared.append(driver.state["round"]["declarer"])
        for seat in range(4):
            driver.do(seat, type="ready")
        assert driver.state["round"]["starter"] == driver.state["game"]["declarer"] == (declared[-1] + 1) % 4
    assert declared[1:] == [(seat + 1) % 4 for seat in declared[:2]]


def test_with_last_trick_to_gain_winners_without_the_last_trick_gain_nothing():
    """In this deal, one side wins the round and the other the last trick."""
    for option in (False, True):
        driver = Driver("shengji", 4, {"last_trick_to_gain": option}, seed=6)
        result = finish(driver)
        assert result["side"] != result["sides"][driver.state["round"]["last_trick"]["winner"]]
        assert (result["levels"] > 0) is not option
        assert (set(levels(driver)) == {"2"}) is option
        assert driver.state["game"]["declarer"] in [
            seat for seat in range(4) if result["sides"][seat] == result["side"]
        ]
        assert replayed(driver)


def test_points_are_negative_only_with_negative_points(monkeypatch):
    for negative in (False, True):
        driver = Driver("shengji", 4, {"negative_points": negative, "throw_penalty": "flat"})
        state = {**driver.state}
        table_round = {**state["round"], "penalties": [{"seat": 1, "points": 40}]}
        sides = ["declarers", "attackers", "declarers", "attackers"]
        assert scoring._total({**state, "round": table_round}, sides, 10, 0) == (-30 if negative else 0)


@pytest.mark.parametrize(("options", "factor"), [({}, 4), ({"kitty_side_suit": "half"}, 2)])
def test_with_half_the_kitty_counts_half_if_a_side_suit_wins_the_last_trick(options, factor):
    for seed in range(60):
        driver = Driver("shengji", 4, options, seed=seed)
        result = finish(driver)
        tricked, trump = driver.state["round"]["last_trick"], driver.state["round"]["trump"]["suit"]
        lead = names_of(tricked["plays"][0]["cards"])
        won = winning(driver)
        plain = all(card not in ("LJ", "BJ") and card[0] != "2" and card[1] != trump for card in won)
        taken = result["sides"][tricked["winner"]] == "attackers"
        if taken and len(lead) == 2 and lead[0] == lead[1] and plain:
            assert result["kitty"]["factor"] == factor
            return
    pytest.fail("no pair of a side suit won the last trick")


def test_with_winning_play_the_kitty_counts_by_the_play_that_won(monkeypatch):
    """The bonus is computed from the winning play instead of the lead."""
    options = {"kitty_unit_of": "winning_play", "throws": "any"}
    read = []
    plain = scoring.kitty_bonus
    monkeypatch.setattr(
        scoring, "kitty_bonus", lambda *arguments, **more: read.append(more["winning"]) or plain(*arguments, **more)
    )
    driver = Driver("shengji", 4, options, seed=1)
    finish(driver)
    assert sorted(read[0].cards) == sorted(kinds_of(winning(driver)))


def winning(driver):
    """Return the cards that won the last trick."""
    tricked = driver.state["round"]["last_trick"]
    return names_of(next(each["cards"] for each in tricked["plays"] if each["seat"] == tricked["winner"]))


def levels(driver):
    return [seat["level"] for seat in driver.state["seats"]]


def rounds(driver, monkeypatch, *scores):
    for at, (side, gained) in enumerate(scores):
        if at:
            for seat in range(driver.state["players"]):
                driver.do(seat, type="ready")
        monkeypatch.setattr(scoring, "_score", lambda *_, side=side, gained=gained: Score(side, gained))
        number = driver.state["round"]["number"]
        driver.play_until(lambda state, n=number: state["round"]["number"] == n and state["round"]["phase"] == "scored")


def test_with_wrap_the_game_goes_on_after_the_last_level_and_laps_are_counted(monkeypatch):
    driver = Driver("shengji", 4, {"after_last": "wrap", "start_level": "A", "last_level_by": "anyone"})
    rounds(driver, monkeypatch, ("declarers", 2))
    team = driver.state["round"]["declarer"] % 2
    assert driver.state["status"] == "playing"
    assert [seat.get("laps", 0) for seat in driver.state["seats"]] == [int(seat % 2 == team) for seat in range(4)]
    assert levels(driver) == ["3" if seat % 2 == team else "A" for seat in range(4)]
    assert all(change["won"] for change in last(driver, "levels_changed")["seats"])
    # A team that is a lap ahead leads, though its level is lower.
    assert family_of(driver.state).leaders(driver.state) == [team, team + 2]
    table_view = view(driver.state, 0, driver.now)["seats"]
    assert [seat.get("laps") for seat in table_view] == [1 if seat % 2 == team else None for seat in range(4)]
    assert fold(driver.log) == driver.state


def test_a_must_play_level_that_was_won_is_recorded(monkeypatch):
    driver = Driver("shengji", 4, {"must_play": ["5"], "start_level": "5"})
    rounds(driver, monkeypatch, ("declarers", 1))
    team = driver.state["round"]["declarer"] % 2
    assert [seat.get("defended", []) for seat in driver.state["seats"]] == [
        ["5"] if seat % 2 == team else [] for seat in range(4)
    ]
    assert fold(driver.log) == driver.state


def test_a_new_game_begins_without_laps_and_won_levels(monkeypatch):
    driver = Driver("shengji", 4, {"must_play": ["A"], "start_level": "A"}, seed=7)
    for _ in driver.rounds(100):
        pass
    assert any(seat.get("defended") for seat in driver.state["seats"])
    for seat in range(4):
        driver.do(seat, type="ready")
    assert not any(seat.get("defended") or seat.get("laps") for seat in driver.state["seats"])


def test_a_lone_card_of_the_rank_sends_the_declarers_back_whoever_won(monkeypatch):
    options = {"hooks": {"J": "2"}, "hook_rule": "lone_card", "start_level": "J"}
    for seed in range(200):
        driver = Driver("shengji", 4, options, seed=seed)
        rounds(driver, monkeypatch, ("declarers", 1))
        trick = driver.state["round"]["last_trick"]
        won = next(each["cards"] for each in trick["plays"] if each["seat"] == trick["winner"])
        declarer = driver.state["round"]["declarer"]
        lone = len(won) == 1 and names_of(won)[0][0] == "J" and (trick["winner"] - declarer) % 2 == 1
        expected = "3" if lone else "Q"
        assert levels(driver) == [expected if (seat - declarer) % 2 == 0 else "J" for seat in range(4)]
        if lone:
            return
    pytest.fail("no round ended so")


def test_with_last_level_played_the_last_level_is_passed_only_in_a_round_at_it(monkeypatch):
    options = {"last_level_played": True, "start_level": "A", "friend_calls": 1}
    driver = Driver("finding_friends", 4, options, seed=3)
    state = driver.state
    declarer = state["round"]["starter"]
    result = scoring._Result("played", ["declarers"] * 2 + ["attackers"] * 2, 0, None, Score("declarers", 1), {}, None)
    for level, won in (("A", True), ("9", False)):
        seats = [{**seat} for seat in state["seats"]]
        seats[declarer]["level"] = level
        partner = 1 if declarer != 1 else 0
        at = {**state, "seats": seats, "round": {**state["round"], "declarer": declarer}}
        assert scoring._standing_after(at, partner, "declarers", result)["won"] is won


def by_version_1(state):
    """Return the state of a game that began with release 0.2.0, which stored no version."""
    return {**state, "game": {name: value for name, value in state["game"].items() if name != "rules"}}


def test_in_version_1_the_thrower_owed_more_levels_than_the_partner():
    state, sides = Driver("shengji", 4).state, ["declarers", "attackers"] * 2
    assert scoring._debts(state, sides, [0]) == {0: 2, 2: 2}
    assert scoring._debts(by_version_1(state), sides, [0]) == {0: 2, 2: 1}


def test_attackers_pass_a_must_play_level_that_they_have_won_before():
    driver = Driver("shengji", 4, {"must_play": ["5"], "start_level": "5"})
    result = scoring._Result("played", ["declarers", "attackers"] * 2, 0, None, Score("attackers", 1), {}, None)
    for defended, level in (([], "5"), (["5"], "6")):
        seats = [{**seat, "defended": defended} for seat in driver.state["seats"]]
        state = {**driver.state, "seats": seats, "round": {**driver.state["round"], "declarer": 0}}
        assert scoring._standing_after(state, 1, "attackers", result)["to"] == level
        assert scoring._standing_after(by_version_1(state), 1, "attackers", result)["to"] == "5"


def test_a_passive_friend_who_wins_at_their_must_play_level_has_won_it():
    options = {"active_passive": True, "must_play": ["5"], "start_level": "5"}
    driver = Driver("zhaopengyou", 5, options)
    seats = [{**seat, "active": number != 1} for number, seat in enumerate(driver.state["seats"])]
    state = {**driver.state, "seats": seats, "round": {**driver.state["round"], "declarer": 0}}
    sides = ["declarers", "declarers", "attackers", "attackers", "attackers"]
    result = scoring._Result("played", sides, 0, None, Score("declarers", 1), {}, None)
    after = scoring._standing_after(state, 1, "declarers", result)
    assert (after["active"], after["to"], after["defended"]) == (True, "5", ["5"])
    lost = scoring._standing_after(state, 0, "declarers", result._replace(score=Score("attackers", 1)))
    assert lost["defended"] == []
    assert scoring._standing_after(by_version_1(state), 1, "declarers", result)["defended"] == []


@pytest.mark.parametrize(("rank", "after", "defended"), [("5", "6", ["5"]), ("9", "5", [])])
def test_a_team_wins_its_must_play_level_only_in_a_round_at_that_rank(rank, after, defended):
    driver = Driver("shengji", 4, {"must_play": ["5"], "start_level": "5"})
    # The rank may be that of the other team: after an open redeal, or if they overcalled for the kitty.
    table_round = {**driver.state["round"], "declarer": 0, "trump": {"rank": rank, "suit": "S"}}
    result = scoring._Result("played", ["declarers", "attackers"] * 2, 0, None, Score("declarers", 1), {}, None)
    standing = scoring._standing_after({**driver.state, "round": table_round}, 0, "declarers", result)
    assert (standing["to"], standing["defended"], standing["attempted"]) == (after, defended, defended)


def test_after_an_open_redeal_the_declarer_is_found_as_in_a_first_round(monkeypatch):
    options = {"no_declaration": "redeal_open", "first_declarer": "first", "overcall": "longer"}
    driver = Driver("shengji", 4, options, seed=2)
    driver.play_until(lambda state: state["round"]["phase"] == "scored")
    stack(monkeypatch, {0: "2H 3H", 1: "2S 2S"}, attempt=1)
    # All are set to level 2, so that the ranks are known.
    level = {seat["level"] for seat in driver.state["seats"]}
    assert "2" in level
    driver.state["seats"] = [{**seat, "level": "2"} for seat in driver.state["seats"]]
    for seat in range(4):
        driver.do(seat, type="ready")
    while not driver.state["round"].get("open"):
        driver.do(driver.active_seat, type="pass")
    ask_until(driver, 0)
    show(driver, 0, "2H")
    ask_until(driver, 1)
    show(driver, 1, "2S", "2S")
    pass_all(driver)
    fixed = last(driver, "trump_fixed")
    assert (fixed["declarer"], fixed["trump"]["suit"]) == (0, "S")
