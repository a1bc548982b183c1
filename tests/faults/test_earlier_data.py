"""What the last release has stored is read by this one: players and all that they own, tables in every phase, games."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import requests

from harness.document import parsed
from harness.processes import RunningService
from harness.waiting import wait_until
from scripts.conformance import answer_of, filled_in, phases, played
from shengji_client import Client
from tests.game.test_last_release import lacking
from tests.support.releases import last_release_or_skip
from tools.faults.upgrades import THIS, Build, replace, run_on

OPERATOR = "for-operators-of-these-tests-alone"
SETTINGS = {"OPERATOR_TOKEN": OPERATOR, "NOTIFY_PRIVATE": "1", "LIMIT_EXPORT": "0"}
#: What is no data of anybody: the service itself, and what it says of rulesets.
NO_DATA = re.compile(
    r"/healthz|/livez|/readyz|/metrics|/v1|/v1/rulesets.*|/v1/pools|/v1/push-key|/v1/me/events|/v1/bots"
)
#: Fields that depend on when somebody looks, what a webhook without a receiver goes on to try, and sentences.
PASSING = re.compile(
    r"\.(server_time|made_at|exported_at|remaining_ms|presence|failures|attempts|tried_at|took_ms|reason\.text)\b"
)


@pytest.fixture
def earlier(tmp_path: Path) -> Build:
    """The last release."""
    return last_release_or_skip(tmp_path / "earlier")


@pytest.fixture
def service(tmp_path: Path, earlier: Build) -> Iterator[RunningService]:
    """The service of the last release."""
    running = RunningService(tmp_path, SETTINGS, servers=1, workers=1, clocks=1)
    for process in running.processes:
        run_on(process, earlier)
    with running:
        is_ready(running)
        yield running


def is_ready(service: RunningService) -> None:
    """Wait until the service is ready."""
    headers = {"Authorization": f"Bearer {OPERATOR}"}
    url = f"http://127.0.0.1:{service.port}/readyz"
    wait_until(lambda: requests.get(url, headers=headers, timeout=20).ok, seconds=120)


def filled(client: Client) -> tuple[dict[str, Client], dict[str, list[str]], dict[str, Any]]:
    """Fill a service; return who reads, the values of parameters of paths, and what else is needed later."""
    url = client.url
    lin, wei, bo = (Client.register(url, name, kind="human") for name in ("Lin", "Wei", "Bo"))
    ids = {who: each.request("GET", "/v1/me")["id"] for who, each in (("lin", lin), ("wei", wei), ("bo", bo))}
    operator = Client(url, OPERATOR)
    lin.request("PATCH", "/v1/me", {"name": "Lin the First", "locale": "zh-Hans"})
    lin.make_token("Tablet", ["tables:read"])
    recovery = lin.request("POST", "/v1/me/recovery-code")
    lin.request("PUT", f"/v1/me/friends/{ids['wei']}")
    wei.request("PUT", f"/v1/me/friends/{ids['lin']}")
    lin.request("PUT", f"/v1/me/blocks/{ids['bo']}")
    wei.request("PUT", f"/v1/me/mutes/{ids['bo']}")
    hook = lin.request(
        "POST", "/v1/me/webhooks", {"url": "http://127.0.0.1:9/hook", "name": "Hook", "events": ["turn"]}
    )
    wei.request("POST", f"/v1/players/{ids['bo']}/reports", {"reason": "chat", "text": "Rude"})
    operator.request(
        "POST", f"/v1/operator/players/{ids['bo']}/suspensions", {"until": "2099-01-01T00:00:00.000Z", "cause": "chat"}
    )
    games = [played(lin, ruleset, 4) for ruleset in ("shengji", "arms_length")]
    names = [event["data"]["game"] for game in games for event in game["events"] if event["type"] == "game_started"]
    lin.request("POST", f"/v1/games/{names[0]}/rounds/1/share")
    kept = lin.request("GET", f"/v1/games/{names[0]}/record")
    wei.request("POST", "/v1/records", {"record": kept})
    lobby = lin.request("POST", "/v1/tables", {"ruleset": "shengji", "players": 4})
    lin.request("POST", f"/v1/tables/{lobby['id']}/seats", {"seat": 2})
    event = lin.request("POST", "/v1/team-events", {"name": "Spring Cup", "ruleset": "sishifen", "players": 4})["event"]
    ais = [{"level": "easy"}] * 3
    team = {"name": "Dragons", "members": [{"player": ids["lin"]}, *ais]}
    lin.request("POST", f"/v1/team-events/{event}/teams", {"teams": [team]})
    # People alone with AI players have no time limit, which `ready` waits for.
    bot = Client.register(url, "Ten lines", kind="bot")
    shown = {kind: reached(bot, kind) for kind in phases()}
    tables = [lobby["id"], *(game["table"] for game in games), *shown.values()]
    values = {
        "player": [*ids.values()], "table": tables, "game": names, "n": ["1"], "code": [lobby["join_code"]],
        "event": [event], "webhook": [hook["id"]], "ruleset": ["shengji"], "name": ["Lin"], "round": ["1"], "seq": [],
        "challenge": [], "match": [],
    }  # fmt: skip
    more = {"recovery": recovery["code"], "phases": shown, "lobby": lobby["id"], "record": kept}
    return {"lin": lin, "wei": wei, "bot": bot, "operator": operator}, values, more


def reached(client: Client, kind: str) -> str:
    """Bring a sandbox to a kind of decision, and return its table."""
    known: dict[str, str] = {}
    for method, path, body in phases()[kind]:
        answer = client.request(method, f"/v1{filled_in(path, known)}", json.loads(filled_in(body, known)))
        view = answer.get("view", answer)
        known["table"] = view["id"]
        if decision := view["decision"]:
            known |= {"decision": decision["id"], "example": json.dumps((decision["hints"] or {}).get("example"))}
    assert view["decision"]["kind"].replace("_", "-") == kind
    return known["table"]


def reads(document: Mapping[str, Any], values: Mapping[str, list[str]]) -> Iterator[str]:
    """Yield all paths that can be read, with each value of each parameter that has to be there."""
    for path, item in document["paths"].items():
        if "get" not in item or NO_DATA.fullmatch(path):
            continue
        asked = [
            each["name"] for each in item["get"].get("parameters", []) if each["in"] == "query" and each.get("required")
        ]
        made = [path + "".join(f"{'&' if at else '?'}{name}={{{name}}}" for at, name in enumerate(asked))]
        for name in {*re.findall(r"\{(\w+)\}", made[0])}:
            made = [each.replace(f"{{{name}}}", value) for each in made for value in values.get(name, [])]
        yield from made


def answers(readers: Mapping[str, Client], paths: list[str]) -> dict[str, Any]:
    """Return what each reader gets of each path."""
    told = {}
    for who, reader in readers.items():
        for path in paths:
            answer = requests.get(reader.url + path, headers={"Authorization": f"Bearer {reader.token}"}, timeout=60)
            assert answer.status_code < 500, f"{who} {path}: {answer.text}"
            if answer.ok and "json" in answer.headers.get("Content-Type", ""):
                told[f"{who} {path}"] = answer.json()
    return told


@pytest.mark.nightly
@pytest.mark.timeout(900)
def test_all_that_the_last_release_has_told_is_told_again(
    service: RunningService, earlier: Build, tmp_path: Path
) -> None:
    readers, values, more = filled(Client(f"http://127.0.0.1:{service.port}"))
    paths = [*reads(parsed((earlier.folder / "openapi.yaml").read_text(encoding="utf-8")), values)]
    before = answers(readers, paths)
    kinds = {re.sub(r"(tb|gm|pl|te|wh)_\w+", "…", name) for name in before}
    for needed in (
        "lin /v1/me/export",
        "lin /v1/me/webhooks",
        "operator /v1/operator/reports",
        "lin /v1/games/…/record",
    ):
        assert needed in kinds
    backup = tmp_path / "earlier.backup"
    environment = {**service.api[0].environment, "REDIS_URL": service.redis.url}
    saved = subprocess.run(
        [sys.executable, "-m", "service.backup", "save", str(backup)],
        cwd=earlier.folder, env={**environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert saved.returncode == 0, saved.stderr

    for process in (*service.workers, *service.clocks, *service.api):
        replace(service, process, THIS, is_killed=False)
    is_ready(service)
    now = answers(readers, paths)
    assert [*now] == [*before]
    lost = [f"{name}{line}" for name, told in before.items() for line in lacking(told, now[name])]
    # Tokens of before have the scopes that were split off theirs, too.
    assert [line for line in lost if not PASSING.search(line) and ".scopes was" not in line] == []
    for who in ("lin", "wei", "bot"):
        [scopes, more_scopes] = (each[f"{who} /v1/me/tokens"]["items"][0]["scopes"] for each in (before, now))
        assert {*scopes} < {*more_scopes}

    # Whoever has been at a table goes on there.
    lin, bot = readers["lin"], readers["bot"]
    for kind, table in more["phases"].items():
        view = bot.request("GET", f"/v1/tables/{table}")
        assert view["decision"]["kind"].replace("_", "-") == kind
        answer = answer_of(view)
        outcome = bot.request(answer["method"], f"/v1/tables/{table}/{answer['path']}", answer["body"])
        assert outcome["version"] > view["version"]
    for seat in (0, 1, 3):
        lin.request("PUT", f"/v1/tables/{more['lobby']}/seats/{seat}/ai", {"level": "easy"})
    started = lin.request("PUT", f"/v1/tables/{more['lobby']}/seats/me/ready", {"ready": True})
    assert started["view"]["status"] == "playing"
    assert lin.request("POST", "/v1/record-checks", more["record"])["ok"]
    recovered = Client(lin.url).request("POST", "/v1/recoveries", {"code": more["recovery"]})
    assert Client(lin.url, recovered["token"]).request("GET", "/v1/me")["name"] == "Lin the First"

    checked = subprocess.run(
        [sys.executable, "-m", "service.backup", "check", str(backup)], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
    assert "Traceback" not in Path(service.log.name).read_text(encoding="utf-8")
