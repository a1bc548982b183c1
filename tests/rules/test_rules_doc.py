"""docs/rules.md is what the tables say, and no option goes without meaning, source and vectors."""

import json
import re

import pytest

from service.rules.options import OPTIONS
from service.rules.rulesets import RULESETS
from service.texts.option_texts import MEANINGS, VALUES
from tests.rules.pins import READ_BY, pins
from tests.rules.rules_doc import TARGET, text
from tests.rules.vectors import cases

#: Values that no vector can pin, and why.
UNPINNED = {
    ("first_starter", "draw_high_card"): "a seat chosen by lot: no input, no output",
    **{("start_level", rank): "any rank does as 8 does" for rank in "345679TJQKA"},
}
PINNED = pins()


def test_the_page_is_up_to_date() -> None:
    assert TARGET.read_text(encoding="utf-8") == text(), "run python -m tests.rules.rules_doc"


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_is_explained_sourced_and_pinned(name: str) -> None:
    option = OPTIONS[name]
    assert MEANINGS[name]
    assert re.match(r"(00[0-4] |rules\.md §|80\b|[A-Z]\b)", option.source)
    for value in () if option.schema else option.values:
        if isinstance(value, str) and len(value) > 1:
            assert VALUES[name][value]
        assert (json.dumps(value) in PINNED[name]) is ((name, value) not in UNPINNED), value
    assert len(PINNED[name]) > 1 or name == "first_starter", "no vector shows that the option matters"


def test_texts_and_pins_name_only_what_there_is() -> None:
    assert set(MEANINGS) == set(OPTIONS) == set(READ_BY)
    for name, values in VALUES.items():
        assert set(values) <= set(OPTIONS[name].values)


def test_own_vectors_are_told_from_those_of_the_seeds_by_their_ids() -> None:
    known = set(RULESETS)
    for case in cases():
        assert case["ruleset"] in known
        assert re.match(r"(00[0-4]|points|own|corr|house)-", case["id"])
