"""Every refusal of an action of a round, an option or a question has a complete text in both languages."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from service import rules
from service.common.errors import InvalidOption, InvalidRequest, RuleBroken
from service.rules.cards import KIND, counts_of, kinds_of
from service.rules.composition import composition
from service.rules.options import rulesets
from service.rules.options.constraints import CONSTRAINTS
from service.rules.options.table import OPTIONS
from service.rules.oracle.inputs import Question
from service.rules.rounds import arms_length, declarations, friends
from service.rules.rounds import chao_di as chao_di_rules
from service.rules.trumps import Trump, order_of
from service.texts import LANGUAGES, Text, sentence
from service.texts.options import OPTIONS as OPTION_TEXTS
from service.texts.options import REASONS, SHAPES
from service.texts.round_rules import REASONS as FAULTS
from service.texts.round_rules import RULES
from tests.rules.test_declarations import context_of

RULES_FOLDER = Path(rules.__file__).parent
#: Raised by the game itself, not by the rules.
RAISED_BY_THE_GAME = {"only_defence_now", "no_misdeal", "kitty_size", "kitty_is_not_shown", "declarer_shows_kitty"}
MODULES = ("arms_length", "chao_di", "declarations", "friends")


def texts() -> Iterator[tuple[str, Text]]:
    for table in (RULES, FAULTS, REASONS):
        yield from table.items()
    for name, told in OPTION_TEXTS.items():
        yield from ((f"title of {name}", told.title), (name, told.meaning))
        yield from ((f"{name}={value}", text) for value, text in told.values.items())


@pytest.mark.parametrize(("name", "text"), [pytest.param(*each, id=each[0]) for each in texts()])
def test_a_text_says_the_same_in_both_languages(name: str, text: Text) -> None:
    assert set(text) == set(LANGUAGES)
    assert all(text.values())
    fields = [{field for _, field, _, _ in Formatter().parse(text[language]) if field} for language in LANGUAGES]
    assert fields[0] == fields[1]


def raised(module: str) -> set[str]:
    """Return the rule ids in a module: those passed to an exception, and values of a variable `rule`."""
    names = set()
    for node in ast.walk(ast.parse((RULES_FOLDER / "rounds" / f"{module}.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.startswith("Illegal"):
            names |= {part.value for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant)}
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "rule":
            names |= {part.value for part in ast.walk(node.value) if isinstance(part, ast.Constant)}
    return names - {None}


def test_every_rule_that_is_raised_has_its_text_and_every_text_its_rule() -> None:
    assert set().union(*map(raised, MODULES)) | RAISED_BY_THE_GAME == set(RULES)


def test_every_reason_to_refuse_an_option_has_its_text() -> None:
    assert {row.reason for row in CONSTRAINTS if row.reason} | refused_by_name() == set(REASONS)


def test_every_option_without_a_list_of_values_describes_them() -> None:
    not_numbers = {option.name for option in OPTIONS.values() if option.schema and not option.values}
    assert not_numbers == set(SHAPES)


def refused_by_name() -> set[str]:
    """Return the reasons in `rulesets.py`."""
    tree = ast.parse((RULES_FOLDER / "options" / "rulesets.py").read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "refuse"]
    return {call.args[-1].value for call in calls if isinstance(call.args[-1], ast.Constant)}


def declare(overrides: dict[str, Any], *events: tuple[int, str], ruleset: str = "shengji") -> Callable[[], None]:
    """Return a function that shows these cards one after the other, of which the last ones are refused."""

    def shows() -> None:
        players = 4 if ruleset in ("shengji", "tractor") else 6
        context = context_of(ruleset, players, overrides, ["2"] * players, [True] * players)
        bids: list[dict[str, Any]] = []
        for seat, names in events:
            cards = kinds_of(names.split())
            moment = len(bids) > 1
            meaning = declarations.judge(context, bids, seat, cards, may_defend=moment)
            bids.append({"seat": seat, "cards": cards, "as": meaning})

    return shows


def means(meaning: str) -> None:
    context = context_of("shengji", 4, {}, ["2"] * 4, [True] * 4)
    declarations.judge(context, [], 0, [KIND["2S"]], may_defend=False, meant=meaning)


def not_active() -> None:
    context = context_of("zhaopengyou", 6, {"active_passive": True}, ["2"] * 6, [False] * 6)
    declarations.judge(context, [], 0, [KIND["2S"]], may_defend=False)


def chao(standing: str, cards: str, *, chao_di: bool = True) -> Callable[[], Any]:
    options = rulesets.effective_options("shengji", 4, {"chao_di": chao_di})
    return lambda: chao_di_rules.chao_suit(options, "2", kinds_of(standing.split()), kinds_of(cards.split()))


def call(*calls: dict[str, Any], hand: str = "", rank: str = "2", **overrides: Any) -> Callable[[], Any]:
    options = rulesets.effective_options("zhaopengyou", 6, overrides)
    composed = composition("zhaopengyou", 6, options)
    named = [{**each, "card": KIND[each["card"]]} for each in calls]
    order = order_of(Trump(rank, "S"))
    return lambda: friends.check_calls(named, order, composed, options, counts_of(kinds_of(hand.split())))


def arms(trick: str, card: str) -> Callable[[], None]:
    hand = counts_of(kinds_of(["AS", "2S", "3H", "4D"]))
    return lambda: arms_length.check("H", [KIND[trick]], hand, KIND[card])


KING = {"card": "KC", "ordinal": 1}
BREACHES = {
    "meant_otherwise": lambda: means("overcall"),
    "identical_cards": declare({}, (0, "2S 2D")),
    "may_not_declare": not_active,
    "rank_to_declare": declare({}, (0, "3S")),
    "jokers_do_not_declare": declare({"joker_declaration": "none"}, (0, "BJ BJ")),
    "little_jokers_do_not_declare": declare({"little_joker_declaration": False}, (0, "LJ LJ")),
    "joker_pair": declare({}, (0, "BJ")),
    "jokers_do_not_open": declare({"jokers_open": False}, (0, "BJ BJ")),
    "joker_beside": declare({"joker_beside": "matching"}, (0, "2S")),
    "add_identical_cards": declare({}, (0, "2S"), (0, "2S")),
    "no_reinforcing": declare({"reinforce": False}, (0, "2S"), (0, "2S 2S")),
    "no_self_overcall": declare({}, (0, "2S"), (0, "2D 2D")),
    "jokers_hold": declare({"defence": "immediate"}, (0, "2S"), (1, "BJ BJ"), (0, "2S 2S")),
    "no_overcalling": declare({"overcall": "none"}, (0, "2S"), (1, "2D 2D")),
    "other_team_overcalls": declare({}, (0, "2S"), (2, "2D 2D"), ruleset="tractor"),
    "overcall_higher": declare({}, (0, "2S 2S"), (1, "2D 2D")),
    "no_kitty_overcalls": chao("2S", "2D 2D", chao_di=False),
    "kitty_overcall_pair": chao("2S", "2D"),
    "kitty_overcall_higher": chao("2S 2S", "2D 2D"),
    "number_of_calls": call(KING),
    "call_no_trumps": call(KING, {"card": "2D", "ordinal": 1}),
    "call_no_highest": call({"card": "AC", "ordinal": 1}, KING, call_cards="no_highest"),
    "call_no_points": call(KING, {"card": "AC", "ordinal": 1}, call_cards="no_points"),
    "call_ordinal": call(KING, {"card": "AD", "ordinal": 3}),
    "no_other_copy": call(KING, {"card": "AD", "other": True}, hand="AD"),
    "other_copy_held": call(KING, {"card": "AD", "other": True}, call_other_copy=True),
    "calls_distinct": call(KING, KING),
    "arms_follow_suit": arms("9S", "4D"),
    "arms_beat": arms("9S", "2S"),
    "arms_trump": arms("9C", "4D"),
}


@pytest.mark.parametrize("rule", sorted(set(RULES) - RAISED_BY_THE_GAME))
def test_the_text_of_a_broken_rule_says_what_is_required(rule: str) -> None:
    with pytest.raises(RuleBroken) as caught:
        BREACHES[rule]()
    assert caught.value.rule == rule
    values = {**(caught.value.required or {}), **caught.value.params}
    for language in LANGUAGES:
        assert "…" not in sentence(RULES[rule], language, values)


QUESTIONS: dict[str, Callable[[], Any]] = {
    "no_such_ruleset": lambda: Question("whist", {}),
    "not_for_so_many": lambda: composition("shengji", 5, {}),
    "choice": lambda: Question("zhaopengyou", {"players": 4}),
    "missing": lambda: Question("zhaopengyou", {}),
    "not_an_object": lambda: Question("shengji", {"options": []}),
    "number": lambda: Question("shengji", {"decks": 25}),
    "not_true_or_false": lambda: Question("shengji", {"a": 1}).flag("a"),
    "list": lambda: Question("shengji", {"a": {}}).listed("a"),
    "no_such_card": lambda: Question("shengji", {"a": ["1S"]}).cards("a"),
    "unequal_plays": lambda: Question("shengji", {"a": [["2S"], ["2S", "3S"]]}).plays("a"),
    "more_copies_than_decks": lambda: Question("shengji", {"a": ["2S"] * 3}).cards("a"),
    "no_such_road": lambda: arms_length.check_road("middle"),
}


@pytest.mark.parametrize("reason", QUESTIONS)
def test_a_malformed_question_is_refused_with_the_reason(reason: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        QUESTIONS[reason]()
    assert caught.value.params["reason"] == reason
    for language in LANGUAGES:
        assert "…" not in sentence(FAULTS[reason], language, caught.value.params)


@pytest.mark.parametrize("overrides", [{"bombs": 1}, {"overcall": 1}, {"call_other_copy": True}, {"short_laps": True}])
def test_a_refused_option_is_reported_with_the_accepted_values(overrides: dict[str, Any]) -> None:
    with pytest.raises(InvalidOption) as caught:
        rulesets.effective_options("shengji", 4, overrides)
    for language in LANGUAGES:
        assert "…" not in sentence(REASONS[caught.value.params["reason"]], language, caught.value.params)


def test_texts_of_options_contain_no_field_names():
    texts = [text for told in OPTION_TEXTS.values() for text in (told.title, told.meaning, *told.values.values())]
    assert [text for text in texts if "`" in "".join(text.values())] == []
