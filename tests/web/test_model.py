"""The client's model: a view and the events after it give the service's own view, at every step of every ruleset."""

import json
from collections.abc import Iterator
from typing import Any

from harness.client import CLIENT
from harness.driver import Driver
from service.rules.options.rulesets import RULESETS
from tests.clients.tools import ROOT, Tools
from tests.web.logs import recorded

MODEL = CLIENT / "app" / "table" / "model.js"
PROGRAM = ROOT / "tests" / "web" / "programs" / "model_check.mjs"
#: More rounds than a view shows results of, for the shortest game; one round of the others.
ROUNDS = {"sishifen": 5}
#: Options that bring about what the rulesets do not have by themselves.
HOUSE_RULES: list[tuple[str, int, dict[str, Any]]] = [
    ("shengji", 4, {"deal_pace": "timed"}),
    ("zhaopengyou", 6, {"deal_pace": "timed"}),
    ("shengji", 4, {"chao_di": True}),
    ("shengji", 4, {"chao_di": True, "chao_di_rule": "overcall", "kitty_reveal": True}),
    ("tractor", 4, {"misdeal": {"no_points": True, "points_below": 60}, "no_declaration": "redeal"}),
    ("finding_friends", 8, {"throw_failure": "penalty_levels", "call_other_copy": False}),
    ("zhaopengyou", 16, {}),
]


def games() -> Iterator[tuple[str, int, dict[str, Any]]]:
    for ruleset, rules in RULESETS.items():
        yield ruleset, rules.players[0], {}
    yield from HOUSE_RULES


def test_views_and_events_give_the_services_own_views(tools: Tools, tmp_path) -> None:
    logs = []
    for number, (ruleset, players, options) in enumerate(games()):
        for viewer in (0, players - 1, None):
            driver = Driver(ruleset, players, options, seed=number)
            driver.throws = 0.3
            name = f"{ruleset} {players} {options} seen by {viewer}"
            logs.append({"name": name, **recorded(driver, viewer, ROUNDS.get(ruleset, 1))})
    path = tmp_path / "logs.json"
    path.write_text(json.dumps(logs))
    said = tools.run(tools.node, PROGRAM, MODEL, path)
    assert int(said) > 3_000
