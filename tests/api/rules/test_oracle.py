"""The rule oracle over HTTP, with a sample of the vectors of each kind; `tests/rules/test_oracle.py` uses all."""

import pytest

from service.api.resources.oracle import QUESTIONS
from service.common.settings import Budget
from service.rules.cards import CARDS
from service.rules.options.rulesets import RULESETS
from service.rules.oracle.questions import KINDS
from tests.api.contract import assert_problem
from tests.rules.vectors import cases

OUTPUTS = {"expect", "final", "then", "asked", "legal", "illegal", "complete", "descending", "trumps_in_deck"}
ABOUT = {"id", "source", "ruleset", "kind", "note"}
#: Fields of some vectors that their question does not take.
BESIDES = {"declare": {"declarer"}}


def cases_of(kind):
    """Cases of a kind that together have every ruleset, field, option and code of that kind."""
    names, visited = [], set()
    for case in cases():
        if case["kind"] == kind and not features(case) <= visited:
            names.append(case)
            visited |= features(case)
    assert names, kind
    return names


def features(value, path=""):
    """The fields of a case, at any depth, and the strings in them that are not cards."""
    if isinstance(value, dict):
        inner = [
            features(entry, f"{path}/{name}") for name, entry in value.items() if name not in ("id", "note", "source")
        ]
        return set().union(*inner)
    if isinstance(value, list):
        return {path}.union(*(features(entry, path) for entry in value))
    return {(path, value) if isinstance(value, str) and value not in CARDS else path}


class Oracle:
    """Asks the question of a case and compares the answer."""

    def __init__(self, client):
        self._client = client

    def ask(self, case, **more):
        left_out = OUTPUTS | ABOUT | BESIDES.get(case["kind"], set())
        body = {name: value for name, value in case.items() if name not in left_out} | more
        answer = self._client.post(f"/v1/rulesets/{case['ruleset']}/{case['kind']}", body)
        assert answer.status_code == 200, (case["id"], answer.json)
        return answer.json

    def says(self, case, expected, **more):
        answer = self.ask(case, **more)
        answers = {name: _plain(answer.get(name)) for name in expected}
        wanted = {name: _plain(value) for name, value in expected.items()}
        if "units" in wanted:
            # Vectors list units in any order, the service lists the longest first.
            assert answers["units"] == sorted(answers["units"], key=len, reverse=True), case["id"]
            answers["units"].sort()
            wanted["units"].sort()
        assert answers == wanted, case["id"]


def _plain(value):
    """The value with lists of strings sorted: the order of cards does not matter."""
    if isinstance(value, list):
        entries = [_plain(entry) for entry in value]
        return sorted(entries) if all(isinstance(entry, str) for entry in entries) else entries
    if isinstance(value, dict):
        return {name: _plain(entry) for name, entry in value.items()}
    return value


@pytest.fixture
def ask(world):
    return Oracle(world.start(limit_oracle=Budget(0, 60)).with_token(world.player().token))


def test_every_kind_has_an_operation():
    assert {question.kind for question in QUESTIONS} == set(KINDS)


@pytest.mark.parametrize(
    "kind",
    sorted(
        set(KINDS) - {"follow", "arms_follow", "order", "adjacent", "declare", "chao_di", "plays", "options", "game"}
    ),
)
def test_an_answer_is_what_the_vector_expects(ask, kind):
    for case in cases_of(kind):
        ask.says(case, case["expect"])


@pytest.mark.parametrize("kind", ["declare", "chao_di"])
def test_events_are_accepted_as_the_vector_expects(ask, kind):
    for case in cases_of(kind):
        ask.says(case, {name: case[name] for name in ("expect", "final", "then", "asked") if name in case})


@pytest.mark.parametrize("kind", ["follow", "arms_follow"])
def test_plays_are_legal_or_not_as_the_vector_says(ask, kind):
    for case in cases_of(kind):
        for play in case["legal"]:
            ask.says(case, {"legal": True}, play=play)
        for play in case["illegal"]:
            answer = ask.ask(case, play=play)
            assert answer["legal"] is False, (case["id"], play)
            assert answer["rule"], case["id"]
            assert answer["required"], case["id"]
            ask.says(case, {"legal": True}, play=answer["example"])


def test_listed_plays_are_the_legal_ones_of_the_vector(ask):
    for case in cases_of("follow"):
        listed = ask.ask({**case, "kind": "plays"}, limit=1000)
        plays = {tuple(sorted(play)) for play in listed["plays"]}
        assert {tuple(sorted(play)) for play in case["legal"]} <= plays or not listed["complete"], case["id"]
        assert not {tuple(sorted(play)) for play in case["illegal"]} & plays, case["id"]
        if case["complete"] and listed["complete"]:
            assert plays == {tuple(sorted(play)) for play in case["legal"]}, case["id"]


def test_cards_rank_as_the_vector_says(ask):
    for case in cases_of("order"):
        ask.says(case, {name: case[name] for name in ("descending", "trumps_in_deck") if name in case})


def test_ranks_are_consecutive_or_not_as_the_vector_says(ask):
    for case in cases_of("adjacent"):
        asked_pairs = {**case}
        yes, no = asked_pairs.pop("consecutive"), asked_pairs.pop("not_consecutive")
        ask.says(asked_pairs, {"consecutive": yes, "not_consecutive": no}, pairs=yes + no)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.kind)
def test_the_documented_example_is_answered(lin, question):
    friends = question.description.startswith("For rulesets with friends")
    ruleset = "zhaopengyou" if friends else "arms_length" if question.kind.startswith("arms") else "shengji"
    assert lin.post(f"/v1/rulesets/{ruleset}/{question.kind}", question.example).status_code == 200


def test_a_question_needs_a_known_ruleset_that_has_its_kind(lin):
    assert_problem(lin.post("/v1/rulesets/chess/setup", {}), "not-found", what="ruleset")
    assert_problem(lin.post("/v1/rulesets/shengji/openings", {}), "not-found")
    assert_problem(lin.post("/v1/rulesets/shengji/arms_score", {"high": 1, "low": 2}), "invalid-request")


def test_errors_point_at_the_invalid_field_of_a_question(lin):
    body = {"players": 4, "trump": {"rank": "2", "suit": "H"}, "lead": ["3S"], "hand": ["4S", "4X"], "play": ["4S"]}
    problem = assert_problem(lin.post("/v1/rulesets/shengji/follow", body), "invalid-request")
    assert problem["errors"][0]["pointer"] == "/hand/1"
    body["hand"] = ["4S"] * 3
    problem = assert_problem(lin.post("/v1/rulesets/shengji/follow", body), "invalid-request")
    assert problem["errors"][0]["pointer"].startswith("/hand")
    body |= {"hand": ["5S"]}
    assert_problem(lin.post("/v1/rulesets/shengji/follow", body), "cards-not-held", missing=["4S"])
    body |= {"lead": ["3S", "3D"], "hand": ["5S", "6S"], "play": ["5S", "6S"]}
    assert_problem(lin.post("/v1/rulesets/shengji/follow", body), "illegal-play")
    assert_problem(lin.post("/v1/rulesets/shengji/setup", {"options": {"x": 1}}), "invalid-option", option="x")


def test_choices_depend_on_the_options_chosen_so_far(lin):
    answer = lin.post("/v1/rulesets/shengji/options", {"options": {"overcall": "none"}}).json
    choices = {choice["name"]: choice for choice in answer["choices"]}
    assert choices["overcall"]["value"] == "none"
    assert choices["defence"] == {"name": "defence", "value": "none", "values": ["none"], "pointless": True}


def test_house_rules_make_a_game_with_its_own_cards_and_score_table(lin):
    rules = lin.get("/v1/rulesets/finding_friends").json
    ask = "/v1/rulesets/finding_friends/game"
    assert lin.post(ask, {"players": 6}).json == rules["games"]["6"]
    four = lin.post(ask, {"players": 6, "options": {"decks": 4}}).json
    assert (four["composition"]["decks"], four["options"]["decks"]) == (4, 4)
    assert next(band["points"] for band in four["scores"] if band["side"] == "attackers") == 160
    assert_problem(lin.post(ask, {"players": 6, "options": {"x": 1}}), "invalid-option", option="x")


def test_a_question_needs_a_token_and_has_a_budget_of_its_own(anybody, lin):
    assert_problem(anybody.post("/v1/rulesets/shengji/setup", {}), "unauthorized")
    assert lin.post("/v1/rulesets/shengji/setup", {}).headers["RateLimit"].startswith('"oracle"')


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_ruleset_answers_with_its_cards(lin, ruleset):
    for players in RULESETS[ruleset].players:
        body = lin.get(f"/v1/rulesets/{ruleset}").json["games"][str(players)]["composition"]
        assert lin.post(f"/v1/rulesets/{ruleset}/setup", {"players": players}).json == body


def test_errors_point_at_the_invalid_entry_of_a_list(lin):
    request = {"level": "5", "gained": 1, "role": "declarers", "attempted": ["J", "joker?"]}
    answer = lin.post("/v1/rulesets/shengji/levels", request)
    assert [fault["pointer"] for fault in answer.json["errors"]] == ["/attempted/1"]
    answer = lin.post("/v1/rulesets/shengji/follow", {})
    assert {fault["pointer"]: fault["code"] for fault in answer.json["errors"]} == {
        f"/{name}": "required" for name in ("trump", "lead", "hand", "play")
    }
