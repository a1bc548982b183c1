"""Who probably holds a called card, by public play: what hints and analyses say."""

import random
import re
from typing import Any

import pytest

from service.game.views.ai_view import ai_view
from service.texts import LANGUAGES
from service.texts.ai_reasons import FRIENDS, friend_text
from tests.workers.seen import view_of
from tests.workers.test_ai_honesty import shuffled_elsewhere, situations
from workers.ai import friends
from workers.ai.friends import SPOKEN, told

REASON: dict[str, Any] = {"code": "boss", "params": {}}


def after_a_trick(fourth: str) -> dict[str, Any]:
    """A view of seat 5 of six, after seat 0, the declarer, has led the ace of clubs and seat 4 has played a card."""
    plays = ["AC", "3C", "4C", "6C", fourth]
    call = {"card": "AS", "ordinal": 1, "filled_by": None}
    sides = ["declarers", *["unknown"] * 5]
    hand = "7C 7D 8D 9D TD"
    options = {"ruleset": "zhaopengyou", "players": 6, "sides": sides, "calls": [call], "declarer": 0}
    return view_of(hand, plays=plays, seat=5, held=25, **options)


def test_who_gives_the_declarer_the_ten_is_named_with_a_weight_and_the_sign() -> None:
    (friend,) = told(after_a_trick("TC"), REASON)["friends"]  # type: ignore[index]
    assert (friend["seat"], friend["sign"], friend["count"]) == (4, "fed", 10)
    assert 50 <= friend["chance"] < 100
    english = f"Probably holds a called card ({friend['chance']}%): gave the declarer's side 10 points."
    assert friend_text(friend, "en") == english
    assert friend_text(friend, "zh-Hans") == f"多半有所叫的牌（{friend['chance']}%）：给庄家方垫了 10 分。"


def test_who_gives_nothing_is_not_named() -> None:
    assert told(after_a_trick("8C"), REASON) == REASON
    giving, keeping = (
        next(each.chance for each in friends.friends(after_a_trick(card)) if each.seat == 4) for card in ("TC", "8C")
    )
    assert giving > keeping


def test_who_cannot_hold_the_called_card_is_never_named() -> None:
    view = after_a_trick("TC")
    view["round"]["seen"] = {"voids": {"S": [4]}}
    assert 4 not in [each.seat for each in friends.friends(view)]


@pytest.mark.parametrize("call", [{"card": "AS", "ordinal": 1, "filled_by": 2}, None])
def test_nobody_is_named_when_no_call_is_open(call: dict[str, Any] | None) -> None:
    view = after_a_trick("TC")
    view["round"]["calls"] = [call] if call else None
    assert told(view, REASON) == REASON


@pytest.mark.parametrize(("ruleset", "players"), [("zhaopengyou", 6), ("finding_friends", 7)])
def test_two_deals_that_look_the_same_to_a_seat_name_the_same_friends(ruleset: str, players: int) -> None:
    chance = random.Random(7)
    named = differed = 0
    for state, seat, view in situations(ruleset, players, 2):
        if view["decision"]["kind"] != "play":
            continue
        other = shuffled_elsewhere(state, seat, chance)
        differed += other["round"]["hands"] != state["round"]["hands"]
        said = told(view, REASON)
        assert told(ai_view(other, seat, 0), REASON) == said
        named += said != REASON
    assert differed > 20
    assert named


def test_every_spoken_sign_has_a_text_in_every_language_with_the_same_placeholders() -> None:
    assert set(FRIENDS) == set(SPOKEN)
    for line in FRIENDS.values():
        assert set(line) == set(LANGUAGES)
        assert len({tuple(sorted(re.findall("{(.*?)}", each))) for each in line.values()}) == 1
