"""What answers of an operation say that goes."""

from datetime import date

import pytest

from service.api.deprecation import Deprecation
from service.api.openapi.document import document
from service.api.resources import RESOURCES
from service.api.resources.rulesets import resource

GOES = Deprecation(date(2027, 1, 1), date(2028, 1, 2), "`GET /v2/rulesets`")
HEADERS = {"Deprecation": "@1798761600", "Sunset": "Sun, 02 Jan 2028 00:00:00 GMT"}


@pytest.fixture
def operation(monkeypatch):
    """An operation that goes."""
    operation = next(each for each in resource.operations if each.path == "/v1/rulesets/<ruleset>")
    monkeypatch.setitem(vars(operation), "deprecated", GOES)
    return operation


def test_all_answers_of_an_operation_that_goes_say_so_and_those_of_others_do_not(world, operation):
    # Without the check of answers against the document, which says nothing of it.
    anybody = world.start()._flask
    for path, status in (("shengji", 200), ("nonsense", 404), ("shengji?nonsense=1", 400)):
        answer = anybody.get(f"/v1/rulesets/{path}")
        assert answer.status_code == status
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert not {*HEADERS} & {*dict(anybody.get("/v1/rulesets").headers)}
    exposed = anybody.get("/v1", headers={"Origin": "https://game.example"}).headers["Access-Control-Expose-Headers"]
    assert {*HEADERS} <= {*exposed.split(", ")}


def test_operators_see_how_often_an_operation_that_goes_is_used(world, operation):
    anybody = world.start()._flask
    anybody.get("/v1/rulesets/shengji")
    anybody.get("/v1/rulesets")
    series = [
        line for line in anybody.get("/metrics").get_data(as_text=True).splitlines() if "deprecated_requests" in line
    ]
    assert [line for line in series if "_total{" in line] == [
        'deprecated_requests_total{method="GET",route="/v1/rulesets/<ruleset>"} 1.0'
    ]


def test_the_document_says_which_operation_goes_when_and_what_to_use(operation):
    written = document(RESOURCES)
    described = written["paths"]["/v1/rulesets/{ruleset}"]["get"]
    assert described["deprecated"] is True
    assert described["description"].startswith(
        "Deprecated since 2027-01-01, and promised until 2028-01-02: use `GET /v2/rulesets`."
    )
    assert {*HEADERS} <= {*described["responses"]["200"]["headers"]}
    assert {*HEADERS} <= {*written["components"]["headers"]}


def test_an_operation_stays_for_a_year_after_it_was_announced_that_it_goes():
    with pytest.raises(ValueError, match="at least 365 days"):
        Deprecation(date(2027, 1, 1), date(2027, 12, 31), "`GET /v1`")
