"""Rulesets: the list, and the options of each."""

import pytest

from service.rules.options.rulesets import RULESETS
from tests.api.contract import assert_problem


def test_all_rulesets_are_listed_without_a_token(anybody):
    items = anybody.get("/v1/rulesets").json["items"]
    assert [item["id"] for item in items] == list(RULESETS)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_ruleset_lists_every_option_that_a_table_can_set(anybody, ruleset):
    answer = anybody.get(f"/v1/rulesets/{ruleset}")
    assert answer.json["id"] == ruleset
    assert set(answer.json["games"]) == {str(players) for players in RULESETS[ruleset].players}
    assert all(option["meaning"]["en"] and option["meaning"]["zh-Hans"] for option in answer.json["options"])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_options_are_sorted_by_phase_and_have_titles(anybody, ruleset):
    body = anybody.get(f"/v1/rulesets/{ruleset}").json
    names = [name for phase in body["phases"] for name in phase["options"]]
    assert names == [option["name"] for option in body["options"]]
    for each in [*body["phases"], *body["options"], *body["presets"]]:
        assert each["title"]["en"]
        assert each["title"]["zh-Hans"]
    for option in body["options"]:
        listed = [value["value"] for value in option["values"]]
        assert not {"yes", "no"} & {value for value in listed if isinstance(value, str)}
        assert not [value for value in listed if "^" in str(value)]
        assert option["changeable"] or listed == [option["default"]]


def test_options_of_a_table_override_those_of_its_preset(lin):
    spec = {"ruleset": "shengji", "players": 4, "preset": "must_play"}
    view = lin.post("/v1/tables", {**spec, "options": {"laps": True}})
    assert view.status_code == 201
    assert view.json["options"]["must_play"] == ["2", "5", "T", "J", "K"]
    assert view.json["options"]["laps"] is True
    assert_problem(lin.post("/v1/tables", {**spec, "preset": "pagat"}), "invalid-request")


def test_rulesets_may_be_cached(anybody):
    for path in ("/v1/rulesets", "/v1/rulesets/shengji"):
        assert anybody.get(path).headers["Cache-Control"] == "public, max-age=3600"


def test_an_unknown_ruleset_is_not_found(anybody):
    assert_problem(anybody.get("/v1/rulesets/chess"), "not-found", what="ruleset")
