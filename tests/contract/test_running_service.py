"""Schemathesis over the service as `make run` starts it, with a real player at real tables."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from service.common.settings import Settings
from tests.house.conftest import running

CONFIG = Path(__file__).parent / "schemathesis.toml"
#: What would end the game that is asked about, or take the player's token away.
SPARED = ("--exclude-method", "DELETE", "--exclude-path", "/v1/me/token")


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    unlimited = {name.upper(): "0" for name in vars(Settings()) if name.startswith("limit_")}
    with running(tmp_path_factory.mktemp("service"), LOG_FORMAT="json", **unlimited) as service:
        yield service


def call(service, method, path, body=None, token=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = requests.request(method, service.url + path, json=body, headers=headers, timeout=20)
    assert answer.ok, answer.text
    return answer.json()


def a_game(service, ruleset, players):
    """A token, and a table at which its player must say something, for as long as it takes."""
    token = call(service, "POST", "/v1/players", {"name": "Lin", "kind": "bot"})["token"]
    rest = {"options": {"deal_pace": "instant"}, "clock": {"on_timeout": "pause"}}
    spec = {"ruleset": ruleset, "players": players, **rest}
    table = call(service, "POST", "/v1/tables", spec, token)["id"]
    call(service, "POST", f"/v1/tables/{table}/seats", {}, token)
    for seat in range(1, players):
        call(service, "PUT", f"/v1/tables/{table}/seats/{seat}/ai", {}, token)
    call(service, "PUT", f"/v1/tables/{table}/seats/me/ready", {}, token)
    return token, table


@pytest.mark.nightly
def test_the_running_service_does_what_its_document_says(service, tmp_path):
    token, table = a_game(service, "zhaopengyou", 6)
    places = {
        "path.table": table,
        "path.game": f"gm_{table.removeprefix('tb_')}_1",
        "path.ruleset": "zhaopengyou",
        "path.player": call(service, "GET", "/v1/me", token=token)["id"],
        "path.seat": 2,
        "path.n": 1,
        "path.seq": 12,
        "path.code": call(service, "GET", f"/v1/tables/{table}", token=token)["join_code"],
    }
    config = tmp_path / "schemathesis.toml"
    named = "\n".join(f"{json.dumps(name)} = {json.dumps(value)}" for name, value in places.items())
    config.write_text(f"{CONFIG.read_text(encoding='utf-8')}\n[parameters]\n{named}\n")
    asking = (sys.executable, "-m", "schemathesis.cli", "--config-file", config, "--no-color", "run")
    # One worker: Python 3.11 cannot parse sources in two threads at once, which hypothesis does to name its strategies.
    how = ("--max-examples", "2", "--seed", "1", "--workers", "1", "--generation-deterministic")
    header = f"Authorization: Bearer {token}"
    command = [*asking, f"{service.url}/openapi.yaml", "-H", header, *how, *SPARED]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-5_000:] + done.stderr
    assert int(re.search(r"(\d+) generated", done.stdout)[1]) > 1_000
    statuses = {json.loads(line)["status"] for line in service.said().splitlines() if line.startswith('{"method"')}
    assert {200, 201, 400, 401, 404, 405, 409} <= statuses
    assert max(statuses) < 500
