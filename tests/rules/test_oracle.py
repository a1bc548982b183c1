"""The rule oracle answers the vectors, and no JSON makes it fail."""

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.common.errors import CardsNotHeld, InvalidOption, InvalidRequest, Refusal, TooComplex
from service.rules.cards import CARDS, kinds_of
from service.rules.options.rulesets import RULESETS
from service.rules.oracle import arms_length, questions, rounds
from service.texts import LANGUAGES, sentence
from service.texts.round_rules import REASONS
from tests.rules.vectors import Case, cases, parametrised

#: Fields of a case that are not in the body of its question.
FRAME = {"id", "source", "ruleset", "kind", "note", "expect", "final", "then", "asked", "legal", "illegal", "complete"}
#: Kinds used only by the game; their common parts are covered by other kinds.
UNSERVED = {"card_points", "flip_kitty", "chao_order", "cut", "claim", "total", "round", "hook"} | {
    "active_passive",
    "arms_game",
}
ROUNDS = {*rounds.HANDLERS, *arms_length.HANDLERS} - {"arms_follow"}


def body_of(case: Case) -> dict[str, Any]:
    return {name: value for name, value in case.items() if name not in FRAME}


def ask(case: Case, **more: Any) -> dict[str, Any]:
    answer = questions.answer(case["ruleset"], case["kind"], {**body_of(case), **more})
    json.dumps(answer)
    return answer


def test_every_kind_of_vector_is_used() -> None:
    assert {case["kind"] for case in cases()} - UNSERVED <= set(questions.KINDS)
    assert {each for ruleset in RULESETS for each in questions.kinds_for(ruleset)} == set(questions.KINDS)


@parametrised(ROUNDS)
def test_the_oracle_answers_like_the_vector(case: Case) -> None:
    answer = ask(case)
    expected = case["expect"] if isinstance(case["expect"], dict) else {"expect": case["expect"]}
    expected |= {name: case[name] for name in ("final", "then", "asked") if name in case}
    assert {name: answer[name] for name in expected} == expected


@parametrised(["arms_follow"])
def test_the_oracle_distinguishes_legal_from_illegal_plays_with_reasons(case: Case) -> None:
    for play in case["legal"]:
        assert ask(case, play=play) == {"legal": True, "rule": None, "required": None, "example": None}
    for play in case["illegal"]:
        answer = ask(case, play=play)
        assert not answer["legal"]
        assert [play for play in case["legal"] if play[0] in answer["required"]["cards"]] == case["legal"]
        assert ask(case, play=answer["example"])["legal"]


def refused(ruleset: str, kind: str, body: Any) -> dict[str, Any]:
    with pytest.raises(InvalidRequest) as caught:
        questions.answer(ruleset, kind, body)
    params = dict(caught.value.params)
    for language in LANGUAGES:
        assert "…" not in sentence(REASONS[params["reason"]], language, params)
    return params


PLAYS = {"leader": 0, "plays": [["2S"]] * 6}
FRIENDS = {
    "players": 6,
    "trump": {"rank": "5", "suit": "S"},
    "declarer": 0,
    "calls": [{"card": "AC", "ordinal": 1}, {"card": "KC", "ordinal": 1}],
}
NEXT = {"players": 6, "declarer": 0, "declarers": [0], "side": None}
ARMS = {"trump": None, "trick": ["2S"], "hand": ["3S"], "play": ["3S"]}


@pytest.mark.parametrize(
    ("ruleset", "kind", "body", "reason"),
    [
        ("whist", "setup", {}, "no_such_ruleset"),
        ("shengji", "setups", {}, "no_such_kind"),
        ("shengji", "arms_score", {}, "no_such_kind"),
        ("arms_length", "declare", {}, "no_such_kind"),
        ("shengji", "setup", {"players": 5}, "choice"),
        ("zhaopengyou", "setup", {"players": None}, "choice"),
        ("shengji", "declare", {"level": "joker", "events": []}, "level_not_on_ladder"),
        ("shengji", "declare", {"levels": ["2"] * 3, "events": []}, "list"),
        ("shengji", "declare", {"level": "2", "events": [{"seat": 4, "cards": ["2S"]}]}, "number"),
        ("shengji", "declare", {"level": "2", "events": [{"seat": 0, "cards": ["2S"] * 3}]}, "more_copies_than_decks"),
        ("shengji", "declare", {"level": "2", "events": [1]}, "not_an_object"),
        ("shengji", "call", {"calls": [], "trump": {"rank": "2", "suit": "S"}}, "no_friends_here"),
        ("zhaopengyou", "friends", {**FRIENDS, "tricks": [PLAYS]}, "more_copies_than_decks"),
        ("zhaopengyou", "friends", {**FRIENDS, "tricks": [{"leader": 0, "plays": [["2S"]] * 5}]}, "list"),
        ("zhaopengyou", "next", {**NEXT, "declarer": 1}, "declarer_is_a_declarer"),
        ("zhaopengyou", "next", {**NEXT, "options": {"first_draw": "pass_right"}}, "missing"),
        ("arms_length", "arms_follow", {**ARMS, "hand": ["BJ"]}, "no_jokers_here"),
        ("arms_length", "arms_follow", {**ARMS, "hand": ["2S", "3S"]}, "more_copies_than_decks"),
        ("arms_length", "arms_score", {"high": 10, "low": 4}, "number"),
        ("shengji", "score", {"points": -5}, "number"),
        ("shengji", "score", {"points": True}, "number"),
    ],
)
def test_invalid_questions_are_refused_with_a_reason(ruleset: str, kind: str, body: Any, reason: str) -> None:
    assert refused(ruleset, kind, body)["reason"] == reason


@pytest.mark.parametrize("body", [None, [], "{}", 1])
def test_a_question_is_an_object(body: Any) -> None:
    assert refused("shengji", "setup", body)["reason"] == "not_an_object"


def test_a_play_must_be_in_the_hand() -> None:
    with pytest.raises(CardsNotHeld) as caught:
        questions.answer("arms_length", "arms_follow", {**ARMS, "play": ["4S"]})
    assert caught.value.params["missing"] == ["4S"]


def test_a_kitty_is_overcalled_in_turn_and_a_declaration_reinforced_at_any_time() -> None:
    events = [
        {"seat": 2, "cards": ["7D", "7D"]},
        {"seat": 0, "cards": ["7S", "7S"]},
        {"seat": 1, "cards": ["7H", "7H"]},
    ]
    body = {
        "players": 4,
        "options": {"chao_di": True, "chao_di_rule": "overcall"},
        "level": "7",
        "declarer": 0,
        "declaration": {"seat": 0, "cards": ["7S"]},
        "events": events,
    }
    answer = questions.answer("shengji", "chao_di", body)
    assert [each["accepted"] for each in answer["expect"]] == [False, True, False]
    assert answer["final"] == {"suit": "S", "kitty": 0}


@pytest.mark.parametrize("cards", [["AS", "1S"], ["1S", "AS"], ["AS", ["1S"]]])
def test_of_several_cards_the_one_that_does_not_exist_is_named(cards: list[Any]) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        kinds_of(cards)
    assert "1S" in refusal.value.params["card"]


def test_gaining_very_many_levels_in_laps_is_too_complex() -> None:
    climb = {"players": 6, "options": {"laps": True}, "level": "2", "role": "declarers"}
    assert questions.answer("zhaopengyou", "levels", {**climb, "gained": 28})["level"] == "2++"
    with pytest.raises(TooComplex):
        questions.answer("zhaopengyou", "levels", {**climb, "gained": 501})


def test_options_are_checked_with_the_decks_of_the_question() -> None:
    quads = {"players": 6, "points": 0, "options": {"quad_beats_tractor": True}}
    assert questions.answer("zhaopengyou", "score", {**quads, "decks": 4})["side"] == "declarers"
    with pytest.raises(InvalidOption):
        questions.answer("zhaopengyou", "score", quads)


def test_a_question_may_have_up_to_twenty_four_decks() -> None:
    request = {"players": 4, "decks": 24, "points": 960}
    assert questions.answer("shengji", "score", request) == {"side": "attackers", "levels": 0}
    assert refused("shengji", "score", {**request, "decks": 25})["reason"] == "number"


def test_the_oracle_answers_which_options_can_be_chosen() -> None:
    answer = questions.answer("shengji", "options", {"players": 4, "options": {"overcall": "none"}})
    assert answer["options"]["overcall"] == "none"
    pointless = [each["name"] for each in answer["choices"] if each["pointless"]]
    assert "defence" in pointless
    assert "reinforce" not in pointless


def test_an_answer_changes_nothing_in_the_question() -> None:
    for case in cases():
        if case["kind"] in ROUNDS:
            body = body_of(case)
            before = deepcopy(body)
            questions.answer(case["ruleset"], case["kind"], body)
            assert body == before


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 9)
    | st.floats(allow_nan=False)
    | st.sampled_from([*CARDS, "2", "A", "S", "joker", ""])
)
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner))
SAMPLES = {kind: [case for case in cases() if case["kind"] == kind] for kind in questions.KINDS}
SAMPLES["game"] = SAMPLES["options"] = SAMPLES["setup"]
SAMPLES["follow"] = [{**case, "play": case["legal"][0]} for case in SAMPLES["follow"] if case["legal"]]
SAMPLES["plays"] = [{**case, "limit": 20} for case in SAMPLES["follow"]]
SAMPLES["arms_follow"] = [{**case, "play": case["legal"][0]} for case in SAMPLES["arms_follow"]]


@st.composite
def asked_questions(draw: st.DrawFn) -> tuple[str, str, Any]:
    """A vector's question with some values, at any depth, replaced or removed."""
    kind = draw(st.sampled_from(questions.KINDS))
    case = draw(st.sampled_from(SAMPLES[kind]))
    body = deepcopy(body_of(case))
    for _ in range(draw(st.integers(0, 3))):
        place: Any = body
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            if isinstance(place[key], dict | list) and draw(st.booleans()):
                place = place[key]
                continue
            if isinstance(place, dict) and draw(st.booleans()):
                del place[key]
            else:
                place[key] = draw(JSON)
            break
    ruleset = draw(st.sampled_from([case["ruleset"]] * 5 + list(RULESETS)))
    return ruleset, kind, body


@given(asked_questions())
def test_any_json_gives_an_answer_or_a_refusal(question: tuple[str, str, Any]) -> None:
    ruleset, kind, body = question
    try:
        json.dumps(questions.answer(ruleset, kind, body))
    except Refusal as refusal:
        json.dumps(dict(refusal.params))


@given(st.sampled_from(sorted(RULESETS)), st.sampled_from(questions.KINDS), JSON)
def test_nonsense_gives_a_refusal(ruleset: str, kind: str, body: Any) -> None:
    try:
        questions.answer(ruleset, kind, body)
    except Refusal as refusal:
        json.dumps(dict(refusal.params))
