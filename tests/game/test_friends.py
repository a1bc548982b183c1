"""Friends: who joins the declarer, when, and what happens to their points."""

import pytest

from harness.driver import Driver
from service.common.errors import IllegalCall
from service.game.state.fallback import fallback_action
from service.game.state.queries import attackers_points
from service.rules.cards import KIND, kinds_in, names_of
from service.rules.rounds.scoring import bands
from tests.game.scenes import bury, declare, last, play, stack, trick


def called(monkeypatch, hands, calls, *, players=6, options=None, kitty="", buries=(), ruleset="zhaopengyou"):
    """Have seat 0 declare spades, bury and call friends."""
    stack(monkeypatch, {0: "2S " + hands.get(0, ""), **{seat: hands[seat] for seat in hands if seat}}, kitty)
    driver = Driver(ruleset, players, options)
    declare(driver, 0, "2S")
    bury(driver, *buries)
    driver.do(0, type="call", calls=[as_call(call) for call in calls.split()])
    return driver


def as_call(text):
    """Parse a call: `AH2` is the second ace of hearts, `AH*` the other one."""
    return {"card": text[:2], "other": True} if text[2] == "*" else {"card": text[:2], "ordinal": int(text[2])}


def sides(driver):
    return "".join(side[0] for side in driver.state["round"]["sides"])


def joined(driver):
    return [(data["seat"], data["call"], data["friend"]) for data in events(driver, "friend_joined")]


def events(driver, kind):
    return [event["data"] for event in driver.log if event["type"] == kind]


def test_before_anybody_has_joined_only_the_side_of_the_declarer_is_known(monkeypatch):
    driver = called(monkeypatch, {}, "AH1 AD1")
    assert sides(driver) == "duuuuu"
    assert driver.state["round"]["calls"] == [
        {"card": KIND["AH"], "ordinal": 1, "filled_by": None},
        {"card": KIND["AD"], "ordinal": 1, "filled_by": None},
    ]
    assert driver.active_seat == 0


def test_a_player_who_plays_the_called_copy_joins_at_once(monkeypatch):
    driver = called(monkeypatch, {0: "3H", 2: "AH"}, "AH1 AD1")
    play(driver, "3H")
    driver.do(1, **fallback_action(driver.state, 1))
    assert play(driver, "AH") == ["played", "friend_joined", "decision_opened"]
    assert sides(driver) == "duduuu"
    assert joined(driver) == [(2, 0, True)]


def test_only_the_called_copy_makes_a_friend(monkeypatch):
    driver = called(monkeypatch, {0: "3H", 2: "AH", 4: "AH"}, "AH2 AD1")
    trick(driver, {0: "3H", 2: "AH", 4: "AH"})
    assert joined(driver) == [(4, 0, True)]
    assert sides(driver) == "duuudu"


def test_when_all_calls_are_filled_the_others_are_attackers(monkeypatch):
    driver = called(monkeypatch, {0: "3H 3D", 2: "AH", 4: "AD"}, "AH1 AD1")
    trick(driver, {0: "3H", 2: "AH"})
    trick(driver, {2: lead(driver, "D"), 4: "AD"})
    assert sides(driver) == "dadada"


def lead(driver, suit):
    """Return a card of the suit from the hand of the seat that leads."""
    return next(name for name in names_of(kinds_in(driver.hand(driver.active_seat))) if name[1] == suit)


def test_one_player_may_fill_two_calls(monkeypatch):
    driver = called(monkeypatch, {0: "3H", 3: "AH AH"}, "AH1 AH2")
    trick(driver, {0: "3H", 3: "AH"})
    trick(driver, {3: "AH"})
    assert joined(driver) == [(3, 0, True), (3, 1, True)]
    assert sides(driver) == "daadaa"


def test_a_pair_fills_both_calls_at_once(monkeypatch):
    driver = called(monkeypatch, {0: "3H 3H", 3: "AH AH"}, "AH1 AH2")
    trick(driver, {0: "3H 3H", 3: "AH AH"})
    assert joined(driver) == [(3, 0, True), (3, 1, True)]


def test_the_declarer_can_fill_a_call_but_does_not_join(monkeypatch):
    driver = called(monkeypatch, {0: "AH AH"}, "AH1 AD1")
    trick(driver, {0: "AH"})
    assert joined(driver) == [(0, 0, False)]
    assert sides(driver) == "duuuuu"
    assert driver.state["round"]["calls"][0]["filled_by"] == 0


def test_a_called_card_in_the_kitty_brings_no_friend(monkeypatch):
    driver = called(monkeypatch, {}, "AH1 AH2", kitty="AH AH", buries=("AH", "AH"))
    for _ in driver.rounds(1):
        pass
    assert joined(driver) == []
    assert last(driver, "round_scored")["sides"] == ["declarers"] + ["attackers"] * 5


def test_a_friend_who_joins_loses_the_points_taken_before(monkeypatch):
    driver = called(monkeypatch, {0: "3H 4H", 2: "KH AH", 3: "TH", 4: "5H"}, "AH1 AD1")
    trick(driver, {0: "3H", 2: "KH", 3: "TH", 4: "5H"})
    before = driver.state["round"]["points"]
    taken = before[2]
    assert taken >= 25
    assert driver.state["round"]["last_trick"]["winner"] == 2
    trick(driver, {2: "AH"})
    assert last(driver, "friend_joined")["points_lost"] == taken
    now = driver.state["round"]
    assert now["points"][2] == now["last_trick"]["points"]
    assert now["sides"][2] == "declarers"
    # Points that a friend takes afterwards do not count for the attackers either.
    assert attackers_points(driver.state) == 0


def test_points_are_lost_once_only(monkeypatch):
    driver = called(monkeypatch, {0: "3H", 3: "AH AH KH", 4: "5H TH"}, "AH1 AH2")
    trick(driver, {0: "3H", 3: "KH", 4: "5H"})
    trick(driver, {3: "AH", 4: "TH"})
    assert driver.state["round"]["points"][3] >= 10
    trick(driver, {3: "AH"})
    lost = [data["points_lost"] for data in events(driver, "friend_joined")]
    assert lost[0] >= 10
    assert lost[1] == 0


def test_the_other_copy_is_the_one_that_the_declarer_does_not_hold(monkeypatch):
    options = {"call_other_copy": True}
    driver = called(monkeypatch, {0: "AH 3H", 3: "AH"}, "AH* AD1", options=options)
    trick(driver, {0: "AH"})
    assert joined(driver) == []
    assert sides(driver) == "duuuuu"
    trick(driver, {0: "3H", 3: "AH"})
    assert joined(driver) == [(3, 0, True)]


def test_the_other_copy_can_be_called_only_with_exactly_one_in_hand(monkeypatch):
    stack(monkeypatch, {0: "2S AH AH"})
    driver = Driver("zhaopengyou", 6, {"call_other_copy": True})
    declare(driver, 0, "2S")
    bury(driver)
    refusal = driver.refused(IllegalCall, 0, type="call", calls=[as_call("AH*"), as_call("AD1")])
    assert refusal.rule == "other_copy_held"


def test_a_called_card_in_a_failed_throw_is_not_played(monkeypatch):
    hands = {0: "3D", 2: "AD AH QH", 3: "KH"}
    driver = called(monkeypatch, hands, "AH1 AC1")
    trick(driver, {0: "3D", 2: "AD"})
    outcome = play(driver, "AH", "QH")
    assert outcome == ["throw_failed", "played", "decision_opened"]
    assert joined(driver) == []
    assert driver.state["round"]["trick"]["plays"][0]["cards"] == [KIND["QH"]]


@pytest.mark.parametrize("ruleset", ["zhaopengyou", "finding_friends"])
def test_missing_friends_make_a_won_round_worth_more(monkeypatch, ruleset):
    for seed in range(300):
        driver = Driver(ruleset, 6, seed=seed)
        result = next(state["round"]["result"] for state in driver.rounds(1))
        if result["side"] == "declarers":
            team = result["sides"].count("declarers")
            table = bands(ruleset, 2 if ruleset == "zhaopengyou" else 3, driver.state["options"])
            base = [band for band in table if band.points <= result["points"]][-1]
            assert result["levels"] == base.levels * (1 + 3 - team)
            if team < 3:
                return
    pytest.fail("no won round with a missing friend among the seeds")
