"""Reasons of AI players: a code with a text in every language, based on the seat's knowledge."""

import re
from collections import Counter
from random import Random
from typing import Any

import pytest

from harness.ai_table import Table
from service.rules.cards import KIND
from service.texts import LANGUAGES
from service.texts.ai_reasons import FIGURES, REASONS, figures_text, reason_text
from service.texts.words import SUITS
from tests.workers.players import QUICK, levels_asked
from tests.workers.seen import view_of
from workers import ai
from workers.ai import reasons
from workers.ai.knowledge.seat import Knowledge

GAMES = [("shengji", 4), ("zhaopengyou", 6), ("arms_length", 4), ("finding_friends", 5)]


def why(view: dict[str, Any], level: str = "normal") -> Any:
    return ai.advise(view, b"x", level).reason


@pytest.mark.parametrize(("ruleset", "players"), GAMES)
@pytest.mark.parametrize("level", ["easy", "normal", "expert"])
def test_every_decision_has_a_reason_with_a_complete_text(ruleset: str, players: int, level: str) -> None:
    table = Table(ruleset, players, {} if ruleset == "arms_length" else {"deal_pace": "instant"}, 3)
    chance = Random(3)
    codes: Counter[str] = Counter()

    def note(_: int, view: dict[str, Any]) -> dict[str, Any]:
        level_of_view = level if level in levels_asked(view, chance) else "normal"
        command, reason, _ = ai.advice_of(QUICK[level_of_view], view, b"why")
        if command["type"] != "ready":
            assert reason is not None
            codes[reason["code"]] += 1
            for language in LANGUAGES:
                text = reason_text(reason, language)
                assert text
                assert "…" not in text + figures_text(reason, language), "a placeholder without a value"
        return command

    while not table.results:
        table.step(note)
    assert len(codes) > 2, codes


def test_every_text_exists_in_every_language_with_the_same_placeholders() -> None:
    assert set(FIGURES) <= set(REASONS)
    for code, text in [*REASONS.items(), *FIGURES.items(), *SUITS.items()]:
        assert set(text) == set(LANGUAGES), code
        assert len({tuple(sorted(re.findall("{(.*?)}", one))) for one in text.values()}) == 1, code


@pytest.mark.parametrize(
    ("view", "code"),
    [
        (view_of("TS 3S 4C 6C 8C", plays=["6S", "AS", "7S"]), "feed"),
        (view_of("KS 3S 4C 6C 8C", plays=["6S", "5S", "AS"]), "keep-points"),
        (view_of("KS TS 4C 6C 8C", plays=["6S", "5S", "AS"]), "fewest-points"),
        # Beats the cards on the table, but hardly wins.
        (view_of("8S 9S 4C 6C 8C QC", plays=["6S"]), "beat"),
        (view_of("3H AH BJ 4C 6C 8C", plays=["TS", "5S", "KS"]), "ruff"),
        (view_of("KS AS 3S 4C 6C 8C", plays=["6S", "5S", "QS"]), "win"),
        (view_of("KS KS", plays=["6S 6S", "7S 7S"]), "last-cards"),
        (view_of("7S 4C 6C 8C", plays=["6S", "8S", "9S"]), "only-play"),
    ],
)
def test_a_reason_gives_the_purpose_of_the_play(view: dict[str, Any], code: str) -> None:
    assert why(view)["code"] == code


@pytest.mark.parametrize(
    ("voids", "code", "others"), [([], "draw-trumps", 5), ([1], "draw-trumps", 4), ([1, 2, 3], "boss", None)]
)
def test_trumps_are_drawn_only_from_seats_that_may_hold_some(voids: list[int], code: str, others: int | None) -> None:
    knowledge = Knowledge(view_of("3H 4H 5H 6H 7H 8C", revealed={"voids": {"T": voids}}), memory=True)
    reason = reasons.for_play(knowledge, (KIND["7H"],), [(KIND["7H"],), (KIND["8C"],)])
    assert (reason["code"], reason["params"].get("others")) == (code, others)


@pytest.mark.parametrize(("hand", "lead"), [("3H 4H 8C 9C TC JC", "3H"), ("3H 4H 5H 6H 7H 9H", "3H")])
def test_leads_from_few_trumps_or_only_trumps_are_just_cheap(hand: str, lead: str) -> None:
    knowledge = Knowledge(view_of(hand), memory=True)
    assert reasons.for_play(knowledge, (KIND[lead],), [(KIND[lead],), (KIND["4H"],)])["code"] == "cheap-lead"


def test_a_suit_that_any_play_empties_is_no_reason() -> None:
    knowledge = Knowledge(view_of("7S 4C 6D 3H", plays=["6S 6S", "8S 8S", "9S 9S"]), memory=True)
    plays = [(KIND["7S"], KIND["4C"]), (KIND["7S"], KIND["3H"])]
    assert reasons.for_play(knowledge, plays[0], plays)["code"] == "empty-suit", "clubs"
    knowledge = Knowledge(view_of("7S 4C 6C 3H 4H", plays=["6S 6S", "8S 8S", "9S 9S"]), memory=True)
    assert reasons.for_play(knowledge, plays[0], plays)["code"] == "keep-points"


def test_a_gain_that_rounds_to_nothing_is_called_slight() -> None:
    levels = [reasons.for_search((0,), gain, 100) for gain in (0.216, 0.0042, 0.00003)]
    points = [reasons.for_search((0,), gain, 100, unit="points") for gain in (2.16, 0.42)]
    answer = [(each["code"], each["params"].get("gain")) for each in levels + points]
    slight = ("search-slight", None)
    assert answer == [("search", 0.22), slight, slight, ("search-points", 2), slight]


def test_a_lead_of_all_remaining_cards_has_a_reason_if_one_card_could_have_been_led() -> None:
    assert why(view_of("AS AS"), "easy")["code"] == "likely-to-win"
    assert why(view_of("AS"), "easy")["code"] == "last-cards"


@pytest.mark.parametrize(
    ("hand", "code"), [("7S 4C 6C", "only-play"), ("7S KS 6C", "best-chance"), ("7S", "last-cards")]
)
def test_in_arms_length_a_forced_card_is_not_praised(hand: str, code: str) -> None:
    view = view_of(hand, plays=["6S"], ruleset="arms_length", trump={"rank": None, "suit": None})
    view["round"]["roads"] = {"stated": [0, 1, 2, 3], "set": {"0": "high", "1": "low", "2": "low", "3": "high"}}
    assert why(view, "easy")["code"] == code


def test_the_values_of_a_reason_are_those_of_the_trick() -> None:
    reason = why(view_of("3H AH BJ 4C 6C 8C", plays=["TS", "5S", "KS"]))
    assert reason["params"] == {"points": 25, "chance": 100}
    assert reason_text(reason, "en") == "Ruffs for 25 points, and holds the trick for certain."
    assert reason_text(reason, "zh-Hans").startswith("用主牌毙，肯定能守住这一轮的 25 分")


@pytest.mark.parametrize(
    ("chance", "english", "chinese"),
    [(100, "for certain", "肯定能"), (99, "almost always", "十有八九能"), (0, "hardly ever", "很难")],
)
def test_a_reason_is_said_as_a_friend_says_it_and_its_figures_apart(chance: int, english: str, chinese: str) -> None:
    reason = {"code": "keep-points", "params": {"chance": chance}}
    assert reason_text(reason, "en") == f"They win this trick {english}, so this gives them no points."
    assert reason_text(reason, "zh-Hans") == f"这一轮对方{chinese}收下，不给分。"
    assert figures_text(reason, "en") == f"They win it {chance}% of the time."


def test_a_trick_without_points_does_not_mention_them() -> None:
    reason = {"code": "win", "params": {"chance": 70, "points": 0}}
    assert reason_text(reason, "en") == "Goes ahead, and holds the trick most of the time."
    assert reason_text(reason, "zh-Hans") == "先压住，多半能守住这一轮。"


def test_suits_are_words_in_a_sentence() -> None:
    for suits, english, chinese in (
        ("S", "spades:", "黑桃，"),
        ("SDC", "spades, diamonds and clubs:", "黑桃、方块、梅花，"),
    ):
        reason = {"code": "empty-suit", "params": {"suits": list(suits)}}
        assert reason_text(reason, "en").startswith(f"Empties {english}")
        assert reason_text(reason, "zh-Hans").startswith(f"打完{chinese}")


def test_a_reason_of_a_later_version_has_no_text() -> None:
    reason = {"code": "of-tomorrow", "params": {}}
    assert (reason_text(reason, "en"), figures_text(reason, "en")) == ("", "")
