"""Every refusal of a lead or a follow has a complete text in both languages."""

import ast
from pathlib import Path

import pytest

from service.common.errors import IllegalPlay
from service.rules.cards import counts_of, kinds_of
from service.rules.options.catalogue import catalogue
from service.rules.options.rulesets import effective_options
from service.rules.tricks import trick_rules
from service.rules.trumps import Trump
from service.texts import LANGUAGES, round_rules, sentence
from service.texts.play_rules import RULES

MODULES = ("leads", "trick_rules")


def rules_with(**options: object) -> trick_rules.TrickRules:
    game = effective_options("finding_friends", 8, options)
    return trick_rules.trick_rules(Trump("8", "H"), game, frozenset())


RULES_OF_SHENGJI = rules_with()


def test_every_rule_that_is_raised_has_its_text_and_every_text_its_rule() -> None:
    raised = set()
    for module in MODULES:
        for node in ast.walk(parsed(module)):
            name = getattr(node, "func", None)
            if isinstance(name, ast.Name | ast.Attribute) and ast.unparse(name) == "IllegalPlay":
                assert isinstance(node, ast.Call)
                raised |= {part.value for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant)}
    for node in ast.walk(parsed("follow_rules")):
        if isinstance(node, ast.FunctionDef) and "broken" in node.name:
            returned = [part for back in ast.walk(node) if isinstance(back, ast.Return) for part in ast.walk(back)]
            raised |= {
                part.value for part in returned if isinstance(part, ast.Constant) and isinstance(part.value, str)
            }
    assert raised == set(RULES)
    assert not set(RULES) & set(round_rules.RULES)


def parsed(module: str) -> ast.Module:
    return ast.parse((Path(trick_rules.__file__).parent / f"{module}.py").read_text(encoding="utf-8"))


def follow(hand: str, play: str, lead: str = "4S 4S 5S 5S", **options: object) -> None:
    rules = rules_with(**options)
    rules.follow(rules.lead(kinds_of(lead.split())), counts_of(kinds_of(hand.split())), kinds_of(play.split()))


BREACHES = {
    "no_cards": lambda: RULES_OF_SHENGJI.lead([]),
    "one_suit": lambda: RULES_OF_SHENGJI.lead(kinds_of(["4S", "8S"])),
    "throw_same_count": lambda: rules_with(throw_same_count=True).lead(kinds_of(["AS", "KS", "KS"])),
    "throws": lambda: rules_with(throws="none").lead(kinds_of(["AS", "KS"])),
    "throws_of_trumps": lambda: rules_with(throws="side_suits").lead(kinds_of(["AH", "KH"])),
    "proven_throws": lambda: rules_with(proven_throws=True).lead(
        kinds_of(["AS", "QS"]), unseen=counts_of(kinds_of(["KS"]))
    ),
    "units_not_cards": lambda: RULES_OF_SHENGJI.lead(kinds_of(["4S", "4S"]), [kinds_of(["4S"])]),
    "no_unit": lambda: RULES_OF_SHENGJI.lead(kinds_of(["4S", "5S"]), [kinds_of(["4S", "5S"])]),
    "card_count": lambda: follow("9S 9S TS TS", "9S"),
    "follow_suit": lambda: follow("9S 9S TS 3C 4C", "9S 9S 3C 4C"),
    "follow_tractors": lambda: follow("9S 9S TS TS KS KS", "9S 9S KS KS"),
    "follow_tuples": lambda: follow("9S 9S JS JS KS KS", "9S JS KS KS"),
    "follow_rung": lambda: follow("9S 9S 9S JS JS KS", "9S KS", "4S 4S", protect_larger=True, protect_by_rungs=True),
    "follow_rainbow": lambda: follow("9S 9H 9D 9C KS", "9S 9H 9D KS", "4S 4H 4D 4C", rainbow=4),
    "ruff_must_match": lambda: follow("9H 9H KH 3D", "9H KH", "4S 4S", ruff_must_match="all"),
}


@pytest.mark.parametrize("rule", sorted(RULES))
def test_the_text_of_a_broken_rule_says_what_is_required(rule: str) -> None:
    with pytest.raises(IllegalPlay) as caught:
        BREACHES[rule]()
    assert caught.value.rule == rule
    values = {**(caught.value.required or {}), **caught.value.params}
    assert set(RULES[rule]) == set(LANGUAGES)
    for language in LANGUAGES:
        text = sentence(RULES[rule], language, values)
        assert "…" not in text
        assert "–" not in text


def test_what_must_be_contained_is_shown_as_letters() -> None:
    with pytest.raises(IllegalPlay) as caught:
        follow("9S 9S TS TS KS KS", "9S 9S KS KS")
    assert "aabb" in sentence(RULES["follow_tractors"], "en", caught.value.params)


def test_a_rainbow_has_one_name_in_chinese():
    option = next(each for each in catalogue("finding_friends")["options"] if each["name"] == "rainbow")
    texts = [
        option["meaning"],
        *(each["meaning"] for each in option["values"] if each["meaning"]),
        RULES["follow_rainbow"],
    ]
    assert [text for text in texts if option["title"]["zh-Hans"] not in text["zh-Hans"]] == []
