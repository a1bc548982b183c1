"""Whatever is refused about a lead or a follow is said in both languages, with nothing left blank."""

import ast
from pathlib import Path

import pytest

from service.errors import IllegalPlay
from service.rules import tricks
from service.rules.cards import counts_of, kinds_of
from service.rules.rulesets import effective_options
from service.rules.trumps import Trump
from service.texts import LANGUAGES, round_rules, sentence
from service.texts.play_rules import RULES

MODULES = ("leads", "tricks")
RULES_OF_SHENGJI = tricks.trick_rules(Trump("8", "H"), effective_options("shengji", 4, {}))
RULES_OF_VARIANT = tricks.trick_rules(Trump("8", "H"), effective_options("zhaopengyou", 6, {"throw_same_count": True}))


def test_every_rule_that_is_raised_has_its_text_and_every_text_its_rule() -> None:
    raised = set()
    for module in MODULES:
        source = (Path(tricks.__file__).parent / f"{module}.py").read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)):
            name = getattr(node, "func", None)
            if isinstance(name, ast.Name | ast.Attribute) and ast.unparse(name) in ("IllegalPlay", "self._refusal"):
                assert isinstance(node, ast.Call)
                raised |= {part.value for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant)}
    assert raised == set(RULES)
    assert not set(RULES) & set(round_rules.RULES)


def follow(hand: str, play: str) -> None:
    lead = RULES_OF_SHENGJI.lead(kinds_of(["4S", "4S", "5S", "5S"]))
    RULES_OF_SHENGJI.follow(lead, counts_of(kinds_of(hand.split())), kinds_of(play.split()))


BREACHES = {
    "no_cards": lambda: RULES_OF_SHENGJI.lead([]),
    "one_suit": lambda: RULES_OF_SHENGJI.lead(kinds_of(["4S", "8S"])),
    "throw_same_count": lambda: RULES_OF_VARIANT.lead(kinds_of(["AS", "KS", "KS"])),
    "units_not_cards": lambda: RULES_OF_SHENGJI.lead(kinds_of(["4S", "4S"]), [kinds_of(["4S"])]),
    "no_unit": lambda: RULES_OF_SHENGJI.lead(kinds_of(["4S", "5S"]), [kinds_of(["4S", "5S"])]),
    "card_count": lambda: follow("9S 9S TS TS", "9S"),
    "follow_suit": lambda: follow("9S 9S TS 3C 4C", "9S 9S 3C 4C"),
    "follow_tractors": lambda: follow("9S 9S TS TS KS KS", "9S 9S KS KS"),
    "follow_tuples": lambda: follow("9S 9S JS JS KS KS", "9S JS KS KS"),
}


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_broken_rule_is_told_with_what_it_required(rule: str) -> None:
    with pytest.raises(IllegalPlay) as caught:
        BREACHES[rule]()
    assert caught.value.rule == rule
    values = {**(caught.value.required or {}), **caught.value.params}
    assert set(RULES[rule]) == set(LANGUAGES)
    for language in LANGUAGES:
        told = sentence(RULES[rule], language, values)
        assert "…" not in told
        assert "–" not in told


def test_what_must_be_contained_is_shown_as_letters() -> None:
    with pytest.raises(IllegalPlay) as caught:
        follow("9S 9S TS TS KS KS", "9S 9S KS KS")
    assert "aabb" in sentence(RULES["follow_tractors"], "en", caught.value.params)
