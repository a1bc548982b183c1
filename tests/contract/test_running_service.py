"""Schemathesis against the service as `make run` starts it, as a player at a table."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from harness.make_run import running
from service.common.settings import Settings

CONFIG = Path(__file__).parent / "schemathesis.toml"
#: Requests that would end the game or invalidate the token.
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
    """A token, and a table that waits for its player without a time limit."""
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
def test_the_running_service_behaves_as_documented(service, tmp_path):
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
    # One worker: in Python 3.11, two threads cannot parse sources at once, which hypothesis does to name strategies.
    how = ("--max-examples", "2", "--seed", "1", "--workers", "1", "--generation-deterministic")
    header = f"Authorization: Bearer {token}"
    command = [*asking, f"{service.url}/openapi.yaml", "-H", header, *how, *SPARED]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-5_000:] + done.stderr
    assert int(re.search(r"(\d+) generated", done.stdout)[1]) > 1_000
    statuses = {json.loads(line)["status"] for line in service.output().splitlines() if line.startswith('{"method"')}
    assert {200, 201, 400, 401, 404, 405, 409} <= statuses
    assert max(statuses) < 500
