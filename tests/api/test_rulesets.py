"""Rulesets: the list, and all about each."""

import pytest

from service.rules.rulesets import RULESETS
from tests.api.contract import assert_problem


def test_all_rulesets_are_listed_without_a_token(anybody):
    items = anybody.get("/v1/rulesets").json["items"]
    assert [item["id"] for item in items] == list(RULESETS)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_ruleset_tells_all_that_a_table_of_it_may_set(anybody, ruleset):
    answer = anybody.get(f"/v1/rulesets/{ruleset}")
    assert answer.json["id"] == ruleset
    assert set(answer.json["games"]) == {str(players) for players in RULESETS[ruleset].players}
    assert all(option["meaning"]["en"] and option["meaning"]["zh-Hans"] for option in answer.json["options"])


def test_rulesets_may_be_kept_for_a_while(anybody):
    for path in ("/v1/rulesets", "/v1/rulesets/shengji"):
        assert anybody.get(path).headers["Cache-Control"] == "public, max-age=3600"


def test_there_is_no_other_ruleset(anybody):
    assert_problem(anybody.get("/v1/rulesets/chess"), "not-found", what="ruleset")
