"""The receivers of notices in `docs/`, unchanged: told by the running service, through its messenger."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
import requests
from standardwebhooks import Webhook

from tests.clients.test_documented import IN_PYTHON, IN_TYPESCRIPT, TSCONFIG
from tests.clients.tools import ROOT
from tests.house.conftest import free_port

OPERATIONS = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
[RELAY] = re.findall(r"^```python\n(.*?)^```", OPERATIONS, re.MULTILINE | re.DOTALL)
SECRET = "whsec_" + "c2VjcmV0" * 4


@contextmanager
def started(*command, **environment):
    """A program whose lines can be read, once it listens."""
    program = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, **environment}
    )
    try:
        yield program.stdout
    finally:
        program.kill()
        program.wait()


def until(condition):
    """What a condition comes to be; within half a minute."""
    for _ in range(600):
        if found := condition():
            return found
        time.sleep(0.05)
    return pytest.fail("it never came to be")


def is_listening(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def typescript_receiver(tools, typescript_types, tmp_path):
    """The compiled module, beside the packages that it imports."""
    shutil.copy(typescript_types / "api.ts", tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "receiver.ts").write_text(IN_TYPESCRIPT, encoding="utf-8")
    config = json.loads(TSCONFIG.read_text())
    config["compilerOptions"]["lib"].append("dom.iterable")
    # The types of the package name those of Node.
    config["compilerOptions"]["skipLibCheck"] = True
    (tmp_path / "tsconfig.json").write_text(json.dumps(config))
    (tmp_path / "node_modules").symlink_to(tools.folder / "node_modules")
    assert tools.npm("tsc", "-p", tmp_path) == ""
    return tmp_path / "built" / "receiver.js"


def is_told(service, command):
    """A receiver proves that it wants to be told, and is told of a turn, once; a changed byte is refused."""
    port, headers = free_port(), {}

    def call(method, path, body=None):
        answer = requests.request(method, service.url + path, json=body, headers=headers, timeout=20)
        assert answer.ok, answer.text
        return answer.json()

    headers["Authorization"] = "Bearer " + call("POST", "/v1/players", {"name": "Lin", "kind": "bot"})["token"]
    url = f"http://127.0.0.1:{port}/"
    made = call("POST", "/v1/me/webhooks", {"url": url, "name": "Receiver", "events": ["turn"]})
    with started(*command(port, made["secret"])) as lines:
        until(lambda: is_listening(port))
        call("POST", f"/v1/me/webhooks/{made['id']}/verify")
        until(lambda: call("GET", f"/v1/me/webhooks/{made['id']}")["state"] == "active")
        table = call("POST", "/v1/tables", {"ruleset": "shengji", "players": 4})["id"]
        call("POST", f"/v1/tables/{table}/seats", {"seat": 0})
        for seat in (1, 2, 3):
            call("PUT", f"/v1/tables/{table}/seats/{seat}/ai", {})
        call("PUT", f"/v1/tables/{table}/seats/me/ready", {})
        kind, _, data = lines.readline().partition(" ")
        told = json.loads(data)
        assert (kind, told["table"], told["seat"]) == ("turn", table, 0)
        # What was sent is verified; with another byte it is not.
        body = b'{"type": "turn", "data": {}}'
        for sent, status in ((body, 200), (body.replace(b"turn", b"torn"), 401)):
            answer = requests.post(url, data=sent, headers=_signed(made["secret"], body), timeout=10)
            assert answer.status_code == status
        [delivery] = [
            each for each in call("GET", f"/v1/me/webhooks/{made['id']}/deliveries")["items"] if each["type"] == "turn"
        ]
        assert (delivery["outcome"], delivery["attempts"], delivery["status"]) == ("delivered", 1, 200)


def _signed(secret, body):
    now = datetime.now(UTC)
    signature = Webhook(secret).sign("msg_1", now, body.decode())
    return {"webhook-id": "msg_1", "webhook-timestamp": str(int(now.timestamp())), "webhook-signature": signature}


def test_the_receiver_in_python_is_told(service, tmp_path):
    file = tmp_path / "receiver.py"
    file.write_text(IN_PYTHON, encoding="utf-8")
    is_told(service, lambda port, secret: [sys.executable, file, str(port), secret])


def test_the_receiver_in_typescript_is_told(service, tools, typescript_receiver):
    serve = Path(__file__).parent / "programs" / "receive.mjs"
    is_told(service, lambda port, secret: [tools.node, serve, typescript_receiver, str(port), secret])


@pytest.mark.parametrize(("program", "lines"), [(IN_PYTHON, 22), (IN_TYPESCRIPT, 22), (RELAY, 40)])
def test_a_receiver_is_short(program, lines):
    assert len([line for line in program.splitlines() if line.strip()]) <= lines


def test_the_relay_passes_on_what_is_signed(tmp_path):
    file, port = tmp_path / "relay.py", free_port()
    file.write_text(RELAY, encoding="utf-8")
    notice = {
        "type": "turn",
        "device_token": "0a1b",
        "title": "It is your turn",
        "body": "Sheng Ji: the table waits for you.",
        "title_loc_key": "notice.turn.title",
        "body_loc_key": "notice.turn.body",
        "loc_args": ["Sheng Ji"],
        "table": "tb_1",
        "collapse_id": "tb-1-turn",
    }
    with started(sys.executable, str(file), str(port), PUSH_RELAY_SECRET=SECRET) as lines:
        until(lambda: is_listening(port))
        for platform in ("apns", "fcm"):
            body = json.dumps({**notice, "platform": platform}).encode()
            answer = requests.post(f"http://127.0.0.1:{port}/", data=body, headers=_signed(SECRET, body), timeout=10)
            assert answer.status_code == 204
            assert "tb_1" in lines.readline()
        refused = requests.post(f"http://127.0.0.1:{port}/", data=body, headers=_signed(SECRET, b"{}"), timeout=10)
        assert refused.status_code == 401
