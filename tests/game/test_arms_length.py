"""Arm's Length: roads, which stay hidden until all are stated; rules of play; four rounds."""

import pytest

from harness.driver import Driver
from service.common.errors import IllegalPlay
from service.game.errors import NotYourTurn
from service.game.state.families.arms_length import legal_plays
from service.game.views.redaction import redact
from service.game.views.view import view
from service.rules.rounds.arms_length import score
from tests.game.scenes import last, play, stack, types


def table(**more):
    return Driver("arms_length", 4, **more)


def roads(driver, *stated):
    outcome = None
    for seat, road in enumerate(stated):
        if road:
            outcome = driver.do(seat, type="road", road=road)
    return outcome


def set_roads(driver):
    return driver.state["round"]["roads"]["set"]


def nearest(driver, side):
    """Return the partner nearer the dealer's left."""
    starter = driver.state["round"]["starter"]
    return min((side, side + 2), key=lambda seat: (seat - starter) % 4)


def test_all_four_are_asked_at_once_after_the_deal():
    driver = table()
    assert [sum(hand) for hand in driver.state["round"]["hands"]] == [13] * 4
    assert driver.state["round"]["phase"] == "roads"
    assert (driver.decision["kind"], driver.decision["seats"]) == ("road", [0, 1, 2, 3])


def test_a_road_is_hidden_until_all_have_stated():
    driver = table()
    outcome = driver.do(1, type="road", road="low")
    assert driver.decision["seats"] == [0, 2, 3]
    for viewer in (0, 2, 3, None):
        table_view = view(driver.state, viewer, driver.now)
        assert table_view["round"]["roads"] == {"stated": [1], "set": {}}
        assert "low" not in str(table_view["round"])
        assert redact(outcome.events[0], viewer, "arms_length")["data"] == {"seat": 1}
        assert viewer is None or table_view["my"]["road"] is None
    assert view(driver.state, 1, driver.now)["my"]["road"] == "low"
    assert redact(outcome.events[0], 1, "arms_length")["data"] == {"seat": 1, "road": "low"}


@pytest.mark.parametrize(
    ("first", "second", "high"),
    [
        ("high", "low", 0),
        ("low", "high", 1),
        ("either", "low", 0),
        ("either", "high", 1),
        ("high", "either", 0),
        ("low", "either", 1),
    ],
)
def test_partners_who_agree_get_their_roads(first, second, high):
    driver = table()
    outcome = roads(driver, first, "either", second, "either")
    assert types(outcome) == ["road_stated", "roads_set", "decision_opened"]
    assert set_roads(driver)["0"] == ("high", "low")[high]
    assert set_roads(driver)["2"] == ("low", "high")[high]
    assert set_roads(driver)[str(nearest(driver, 1))] == "high"
    assert (driver.decision["kind"], driver.active_seat) == ("play", driver.state["round"]["starter"])


def test_partners_who_clash_are_asked_again_alone():
    driver = table()
    outcome = roads(driver, "high", "low", "high", "high")
    assert types(outcome) == ["road_stated", "roads_set", "roads_asked", "decision_opened"]
    assert set_roads(driver) == {"1": "low", "3": "high"}
    assert driver.decision["seats"] == [0, 2]
    assert last(driver, "roads_asked") == {"seats": [0, 2], "clashes": [1, 0]}
    driver.refused(NotYourTurn, 1, type="road", road="high")
    assert view(driver.state, 0, driver.now)["my"]["road"] is None
    roads(driver, "high", None, "low")
    assert set_roads(driver) == {"0": "high", "1": "low", "2": "low", "3": "high"}
    assert last(driver, "roads_set") == {"roads": {"0": "high", "2": "low"}}


@pytest.mark.parametrize("road", ["high", "low"])
def test_after_two_clashes_the_partner_nearer_the_dealers_left_takes_the_high_road(road):
    driver = table()
    roads(driver, road, "high", road, "low")
    roads(driver, road, None, road)
    near = nearest(driver, 0)
    assert set_roads(driver)[str(near)] == "high"
    assert set_roads(driver)[str(2 - near)] == "low"
    assert driver.decision["kind"] == "play"


def test_both_sides_may_clash():
    driver = table()
    roads(driver, "low", "high", "low", "high")
    assert driver.decision["seats"] == [0, 1, 2, 3]
    assert last(driver, "roads_asked")["clashes"] == [1, 1]
    assert set_roads(driver) == {}


def at_first_lead(monkeypatch, hands):
    stack(monkeypatch, hands)
    driver = table()
    roads(driver, "high", "high", "low", "low")
    return driver


def test_suit_must_be_followed_and_the_best_card_beaten(monkeypatch):
    driver = table()
    starter = driver.state["round"]["starter"]
    hands = {starter: "8S", (starter + 1) % 4: "2S 9S 3H", (starter + 2) % 4: "TS 4S"}
    driver = at_first_lead(monkeypatch, hands)
    play(driver, "8S")
    assert driver.refused(IllegalPlay, driver.active_seat, type="play", cards=["3H"]).rule == "arms_follow_suit"
    assert driver.refused(IllegalPlay, driver.active_seat, type="play", cards=["2S"]).rule == "arms_beat"
    play(driver, "9S")
    assert driver.refused(IllegalPlay, driver.active_seat, type="play", cards=["4S"]).rule == "arms_beat"
    play(driver, "TS")
    assert driver.state["round"]["trick"]["winning"] == (starter + 2) % 4


def test_the_first_discard_of_a_void_player_determines_trumps(monkeypatch):
    starter = table().state["round"]["starter"]
    spades = "AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S"
    second, third = (starter + 1) % 4, (starter + 2) % 4
    driver = at_first_lead(monkeypatch, {starter: spades, second: "2H 3D", third: "3H 4H AD"})
    play(driver, "AS")
    outcome = driver.do(second, type="play", cards=["2H"])
    assert types(outcome) == ["played", "trump_established", "decision_opened"]
    assert last(driver, "trump_established")["card"] == "2H"
    assert driver.state["round"]["trump"] == {"rank": None, "suit": "H"}
    assert driver.state["round"]["trick"]["winning"] == second
    # Whoever has a higher trump must play it.
    assert driver.refused(IllegalPlay, third, type="play", cards=["AD"]).rule == "arms_trump"
    driver.do(third, type="play", cards=["3H"])
    assert driver.state["round"]["trick"]["winning"] == third


def test_a_round_is_scored_by_the_roads_and_the_deal_passes_on():
    driver = table(seed=4)
    starters, totals = [], [0, 0]
    for state in driver.rounds(4):
        starters.append(state["round"]["starter"])
        tricks, taken = state["round"]["tricks"], state["round"]["roads"]["set"]
        assert sum(tricks) == 13
        for side in (0, 1):
            by_road = {taken[str(seat)]: tricks[seat] for seat in (side, side + 2)}
            totals[side] += score(by_road["high"], by_road["low"])
        assert state["game"]["scores"] == totals
    assert starters == [(starters[0] + step) % 4 for step in range(4)]
    assert driver.state["status"] == "finished"


def test_a_tie_is_won_by_all():
    def last_round(before):
        """Play the last round after these totals; return the game."""
        driver = table(seed=4)
        driver.play_until(lambda state: state["round"]["number"] == 4)
        driver.state = {**driver.state, "game": {**driver.state["game"], "scores": before}}
        driver.play_until(lambda state: state["status"] == "finished")
        return driver.state["game"]

    brings = last_round([0, 0])["results"][-1]["scores"]
    assert brings[0] != brings[1]
    assert last_round(brings[::-1])["winners"] == [0, 1, 2, 3]


def test_levels_and_sides_play_no_part():
    driver = table()
    for state in driver.rounds(1):
        assert {seat["level"] for seat in state["seats"]} == {"2"}
        assert state["round"]["result"]["sides"] == ["unknown"] * 4
        assert state["round"]["result"]["kitty"] is None


@pytest.mark.parametrize(("limit", "is_all"), [(12, False), (13, True), (14, True)])
def test_a_list_of_legal_plays_says_whether_it_is_complete(limit, is_all):
    driver = table()
    roads(driver, "high", "high", "low", "low")
    [seat] = driver.decision["seats"]
    plays, complete = legal_plays(driver.state, seat, limit)
    assert (len(plays), complete) == (min(limit, 13), is_all)
