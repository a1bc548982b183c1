"""Who is probably a friend, by public play: what hints and analyses say."""

import random
from typing import Any

import pytest

from service.game.views.ai_view import ai_view
from service.texts import sentence
from service.texts.ai_reasons import FRIEND
from tests.workers.seen import view_of
from tests.workers.test_ai_honesty import shuffled_elsewhere, situations
from workers.ai import friends
from workers.ai.friends import told

REASON: dict[str, Any] = {"code": "boss", "params": {}}
FIRST_TRICK = ("AC", "3C", "4C", "6C", "TC", "7C")


def after_a_trick(fourth: str) -> dict[str, Any]:
    """A view of seat 5 of six, after seat 0, the declarer, has led the ace of clubs and seat 4 has played a card."""
    plays = ["AC", "3C", "4C", "6C", fourth]
    calls = [{"card": card, "ordinal": 1, "filled_by": None} for card in ("AS", "AD")]
    sides = ["declarers", *["unknown"] * 5]
    hand = "7C 7D 8D 9D TD"
    options = {"ruleset": "zhaopengyou", "players": 6, "sides": sides, "calls": calls, "declarer": 0}
    return view_of(hand, plays=plays, seat=5, held=25, **options)


def seats_told(view: dict[str, Any]) -> list[int]:
    return [friend["seat"] for friend in (told(view, REASON) or {}).get("friends", ())]


def friend_at(seat: int, view: dict[str, Any]) -> friends.Friend:
    return next(friend for friend in friends.friends(view) if friend.seat == seat)


def test_who_gives_the_declarer_the_ten_is_told_with_a_weight_and_the_points() -> None:
    (friend,) = told(after_a_trick("TC"), REASON)["friends"]  # type: ignore[index]
    assert (friend["seat"], friend["points"]) == (4, 10)
    assert 50 <= friend["chance"] < 100
    assert sentence(FRIEND, "en", friend) == (
        f"Probably a friend ({friend['chance']}%): has given the declarer's side 10 points."
    )
    assert sentence(FRIEND, "zh-Hans", friend) == f"多半是朋友（{friend['chance']}%）：给庄家方垫了 10 分。"
    assert sentence(FRIEND, "zh-Hant", friend) == f"多半是朋友（{friend['chance']}%）：給莊家方墊了 10 分。"


def test_who_gives_nothing_is_not_told() -> None:
    assert told(after_a_trick("8C"), REASON) == REASON
    giving, keeping = (friend_at(4, after_a_trick(card)) for card in ("TC", "8C"))
    assert giving.chance > keeping.chance


def test_points_are_told_at_the_first_decision_after_them_alone() -> None:
    view = after_a_trick("TC")
    trick = view["round"]["trick"]
    view["round"]["trick"], view["round"]["last_trick"] = None, trick
    own = {"seat": 5, "cards": ["7C"], "units": [], "throw": None}
    # The viewer has played after the ten, and was told of it then.
    trick["plays"] = [*trick["plays"], own]
    assert friend_at(4, view).chance >= friends.NAMED
    assert told(view, REASON) == REASON
    # The viewer has played before the ten.
    *before, ten, _ = trick["plays"]
    trick["plays"] = [*before, own, ten]
    assert seats_told(view) == [4]


def test_more_points_of_who_was_told_already_are_not_told() -> None:
    """Seat 4 has given the ten under the first ace, and gives a king under the second."""
    view = after_a_trick("KC")
    plays = [{"seat": seat, "cards": [card], "units": [], "throw": None} for seat, card in enumerate(FIRST_TRICK)]
    view["round"]["last_trick"] = {"leader": 0, "plays": plays}
    friend = friend_at(4, view)
    assert (friend.points, friend.news) == (20, False)
    assert friend.chance > friends.NAMED
    # Had it given nothing before, the king would be news.
    plays[4]["cards"] = ["8C"]
    assert seats_told(view) == [4]


def test_points_in_tricks_of_several_cards_are_often_forced_and_are_not_told() -> None:
    view = after_a_trick("TC TC")
    pairs = ("AC AC", "3C 3C", "4C 4C", "6C 6C")
    for play, cards in zip(view["round"]["trick"]["plays"], pairs, strict=False):
        play["cards"] = cards.split()
    view["round"]["trick"]["plays"][0]["units"] = [["AC", "AC"]]
    forced, free = friend_at(4, view), friend_at(4, after_a_trick("TC"))
    assert (forced.points, free.points) == (0, 10)
    assert forced.holds < free.holds
    assert told(view, REASON) == REASON


def test_a_friend_who_has_joined_leaves_fewer_places_to_others() -> None:
    view = after_a_trick("TC")
    both = friend_at(4, view)
    view["round"]["calls"][1]["filled_by"] = 1
    one = friend_at(4, view)
    assert one.chance / one.holds < both.chance / both.holds <= 1


def test_a_viewer_who_holds_a_called_card_may_take_a_place_too() -> None:
    view = after_a_trick("TC")
    without = friend_at(4, view)
    view["my"]["hand"][0] = "AS"
    rival = friend_at(4, view)
    assert rival.chance / rival.holds < without.chance / without.holds
    view["seats"][5]["side"] = "attackers"
    beyond = friend_at(4, view)
    assert beyond.chance / beyond.holds > rival.chance / rival.holds


def test_two_who_have_given_points_are_told_if_both_find_a_place() -> None:
    view = after_a_trick("TC")
    view["round"]["trick"]["plays"][3]["cards"] = ["5C"]
    chances = {friend.seat: friend.chance for friend in friends.friends(view)[:2]}
    assert chances.keys() == {4, 3}
    assert chances[4] > chances[3] >= friends.NAMED
    assert seats_told(view) == [4, 3]
    view["round"]["calls"][1]["filled_by"] = 0
    assert len(seats_told(view)) < 2


def test_who_cannot_hold_the_called_card_is_never_told() -> None:
    view = after_a_trick("TC")
    view["round"]["seen"] = {"voids": {"S": [4], "D": [4]}}
    assert 4 not in [friend.seat for friend in friends.friends(view)]


def test_nobody_is_told_when_nobody_can_hold_a_called_card() -> None:
    view = after_a_trick("TC")
    view["round"]["seen"] = {"voids": {"S": [0, 1, 2, 3, 4], "D": [0, 1, 2, 3, 4]}}
    assert friends.friends(view) == []
    assert told(view, REASON) == REASON


@pytest.mark.parametrize("call", [{"card": "AS", "ordinal": 1, "filled_by": 2}, None])
def test_nobody_is_told_when_no_call_is_open(call: dict[str, Any] | None) -> None:
    view = after_a_trick("TC")
    view["round"]["calls"] = [call] if call else None
    assert told(view, REASON) == REASON


@pytest.mark.parametrize(("ruleset", "players"), [("zhaopengyou", 6), ("finding_friends", 7)])
def test_two_deals_that_look_the_same_to_a_seat_have_the_same_likely_friends(ruleset: str, players: int) -> None:
    chance = random.Random(7)
    found = differed = 0
    for state, seat, view in situations(ruleset, players, 2):
        if view["decision"]["kind"] != "play":
            continue
        other = shuffled_elsewhere(state, seat, chance)
        differed += other["round"]["hands"] != state["round"]["hands"]
        said = told(view, REASON)
        assert told(ai_view(other, seat, 0), REASON) == said
        likely = friends.friends(view)
        assert friends.friends(ai_view(other, seat, 0)) == likely
        found += bool(likely)
    assert differed > 20
    assert found > 10
